"""Differences between plain values and between texts, and such differences in lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal

from cardgen.core.findings import plural
from cardgen.core.records import dataclass

Path = tuple[str | int, ...]
ABSENT: Any = object()
"""Marks a missing value."""
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 300
"""Most words of a text that are compared one by one, which takes quadratic time."""
_MOST_PAIRS = 4_000_000
"""Most pairs of items of two lists that are aligned."""
_PLAIN_KEY = re.compile(r"[\w$-]+")


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A changed value at a path; `ABSENT` on the side that lacks it."""

    path: Path
    old: Any
    new: Any

    @property
    def name(self) -> str:
        """Return the path as findings write it, `reward.dice[2]`."""
        text = ""
        for step in self.path:
            if isinstance(step, int) or not _PLAIN_KEY.fullmatch(step):
                text += f"[{step!r}]"
            else:
                text += f".{step}" if text else step
        return text

    @property
    def kind(self) -> Literal["new", "removed", "changed"]:
        if self.old is ABSENT:
            return "new"
        return "removed" if self.new is ABSENT else "changed"

    @property
    def pieces(self) -> list[tuple[bool, str, str]]:
        """Return its text in pieces: whether they are equal, the old and the new one."""
        if isinstance(self.old, str) and isinstance(self.new, str):
            return [(old == new, old, new) for old, new in word_changes(self.old, self.new)]
        old, new = ("" if each is ABSENT else spelled(each) for each in (self.old, self.new))
        return [(False, old, new)]

    def plain(self) -> dict[str, Any]:
        """Return the change as plain values, without absent ones."""
        values = {"old": self.old, "new": self.new}
        there = {name: plain(value) for name, value in values.items() if value is not ABSENT}
        return {"path": self.name, "kind": self.kind, **there}


def value_changes(old: Any, new: Any, path: Path = ()) -> Iterator[ValueChange]:
    """Find the changed values in mappings and lists, in the order of the new value. Records of lists are
    the same if they have one `id`."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*new, *old)):
            yield from value_changes(old.get(key, ABSENT), new.get(key, ABSENT), (*path, str(key)))
    elif _is_list(old) and _is_list(new):
        start, end = _common_ends(old, new)
        for index, was, now in _pairs(old[start : len(old) - end], new[start : len(new) - end]):
            yield from value_changes(was, now, (*path, start + index))
    elif not _is_same(old, new):
        yield ValueChange(path, old, new)


def _pairs(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int, Any, Any]]:
    """Yield the items of two lists that belong together, `ABSENT` for none, each with its new index. Lists
    that are too long to align are compared one by one."""
    before, after = (list(map(_item_name, each)) for each in (old, new))
    spans = [(0, len(old), 0, len(new))]
    if len(old) * len(new) <= _MOST_PAIRS:
        spans = [span for _, *span in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()]  # type: ignore[misc]
    for start, end, at, last in spans:
        for index, pair in enumerate(zip_longest(old[start:end], new[at:last], fillvalue=ABSENT), at):
            yield index, *pair


def _item_name(item: Any) -> str:
    return str(item["id"]) if isinstance(item, Mapping) and "id" in item else json.dumps(plain(item))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_same(old: Any, new: Any) -> bool:
    """Return True if two values are equal, though to Python True equals 1."""
    return bool(old == new) and (isinstance(old, bool) == isinstance(new, bool))


def _common_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Count the items that two lists have in common at their start, and then at their end."""
    shortest = min(len(old), len(new))
    start = end = 0
    while start < shortest and _is_same(old[start], new[start]):
        start += 1
    while end < shortest - start and _is_same(old[-1 - end], new[-1 - end]):
        end += 1
    return start, end


def plain(value: Any) -> Any:
    """Return a value in JSON's types."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if _is_list(value) else str(value)


def spelled(value: Any) -> str:
    """Return a value in a line of text: strings literally, others as JSON."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return value if value else '""'
    return json.dumps(plain(value), ensure_ascii=False)


def word_changes(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Split two texts into pieces, (old, new), equal where nothing changed. For very long texts the middle
    that differs is one piece."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start, end = _common_ends(before, after)
    head, tail = "".join(before[:start]), "".join(before[len(before) - end :])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if head:
        yield head, head
    if len(before) > _MOST_WORDS or len(after) > _MOST_WORDS:
        yield "".join(before), "".join(after)
    else:
        yield from _aligned(before, after)
    if tail:
        yield tail, tail


def _aligned(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of two lists of words; a space alone between two changes is part of them."""
    was = now = ""
    for _, *ends in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = "".join(before[ends[0] : ends[1]]), "".join(after[ends[2] : ends[3]])
        if old == new and old.strip():
            if was or now:
                yield was, now
            was = now = ""
            yield old, new
        else:
            was, now = was + old, now + new
    if was or now:
        yield was, now


_LONG = 40
"""The length in characters from which a text is shown by its changed words."""
_AROUND = 24
"""Characters that are shown around them."""
_LONGEST = 200
_MOST_FIELDS = 50


def card_counts(kinds: Sequence[str]) -> list[str]:
    """Count cards by change: "2 cards changed", "1 card new"."""
    counts = [(kinds.count(kind), kind) for kind in ("changed", "new", "removed")]
    return [f"{plural(number, 'card')} {kind}" for number, kind in counts if number]


def field_lines(values: Sequence[ValueChange]) -> Iterator[str]:
    """Yield changed fields in a line each: "  cost: 3 → 4"."""
    for value in values[:_MOST_FIELDS]:
        yield f"  {value.name}: {_value(value)}"
    if len(values) > _MOST_FIELDS:
        yield f"  and {len(values) - _MOST_FIELDS} more fields"


def _value(change: ValueChange) -> str:
    old, new = change.old, change.new
    if change.kind == "new":
        return f"new, {cut(spelled(new))}"
    if change.kind == "removed":
        return f"removed, was {cut(spelled(old))}"
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > _LONG:
        return _by_words(change)
    return f"{cut(spelled(old))} → {cut(spelled(new))}"


def _by_words(change: ValueChange) -> str:
    """Show a long text by the words that differ, in brackets."""
    text, pieces = "", change.pieces
    for number, (is_same, was, now) in enumerate(pieces):
        if is_same:
            text += _between(was, number == 0, number == len(pieces) - 1)
        elif was.strip() and now.strip():
            text += f"[{cut(was)} → {cut(now)}]"
        else:
            text += f"[-{cut(was)}-]" if was else f"[+{cut(now)}+]"
    return text


def _between(words: str, first: bool, last: bool) -> str:
    """Shorten unchanged text to the words next to a change."""
    if len(words) <= (_AROUND if first or last else 2 * _AROUND):
        return words
    before = "" if first else words[:_AROUND]
    return f"{before}…{'' if last else words[-_AROUND:]}"


def cut(text: str, longest: int = _LONGEST) -> str:
    """Shorten a text to so many characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
