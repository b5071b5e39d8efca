"""What differs between two plain values: which paths in them, and which words of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Path = tuple[str | int, ...]
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 300
"""Most words of a text whose changes are looked for one by one: that takes their square."""
_PLAIN_KEY = re.compile(r"[\w$-]+")


class _Absent:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Any = _Absent()


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that differs, at a path; `ABSENT` where it was not, or is no more."""

    path: Path
    old: Any
    new: Any

    @property
    def name(self) -> str:
        """The path as findings write it, `reward.dice[2]`."""
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

    def plain(self) -> dict[str, Any]:
        """It as plain values; what is absent is left out."""
        values = {"old": self.old, "new": self.new}
        there = {name: plain(value) for name, value in values.items() if value is not ABSENT}
        return {"path": self.name, "kind": self.kind, **there}


def value_changes(old: Any, new: Any, path: Path = ()) -> Iterator[ValueChange]:
    """The values that differ, in the order of the new; mappings and lists are gone through. In lists what
    is the same at both ends is set aside, and the rest compared one by one."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, value in new.items():
            yield from value_changes(old.get(key, ABSENT), value, (*path, str(key)))
        for key, value in old.items():
            if key not in new:
                yield ValueChange((*path, str(key)), value, ABSENT)
    elif _is_list(old) and _is_list(new):
        start, shortest = 0, min(len(old), len(new))
        while start < shortest and _same(old[start], new[start]):
            start += 1
        end = 0
        while end < shortest - start and _same(old[-1 - end], new[-1 - end]):
            end += 1
        before, after = old[start : len(old) - end], new[start : len(new) - end]
        for index in range(max(len(before), len(after))):
            was = before[index] if index < len(before) else ABSENT
            now = after[index] if index < len(after) else ABSENT
            yield from value_changes(was, now, (*path, start + index))
    elif not _same(old, new):
        yield ValueChange(path, old, new)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _same(old: Any, new: Any) -> bool:
    """Whether two values are equal; to Python, True is 1."""
    return bool(old == new) and (isinstance(old, bool) == isinstance(new, bool))


def plain(value: Any) -> Any:
    """A value as JSON knows values."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if _is_list(value) else str(value)


def spelled(value: Any) -> str:
    """A value in a line of text: texts as they are, others as JSON."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return value if value else '""'
    return json.dumps(plain(value), ensure_ascii=False)


def word_changes(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Two texts in pieces, (old, new), equal where nothing changed. Of very long texts only what differs
    between their beginnings and their ends is one piece."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start, shortest = 0, min(len(before), len(after))
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    head, tail = "".join(before[:start]), "".join(before[len(before) - end :])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if head:
        yield head, head
    if len(before) > _MOST_WORDS or len(after) > _MOST_WORDS:
        yield "".join(before), "".join(after)
    else:
        yield from _joined(before, after)
    if tail:
        yield tail, tail


def _joined(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Pieces of two lists of words; a space alone between two changes is part of them."""
    was = now = ""
    for old, new in _aligned(before, after):
        if old == new and (old.strip() or not (was or now)):
            if was or now:
                yield was, now
            was = now = ""
            yield old, new
        else:
            was, now = was + old, now + new
    if was or now:
        yield was, now


def _aligned(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """The words of two lists in pairs, "" where one has none: as many as can be are the same, words before
    spaces. Takes their product of steps, whatever they are."""
    rows, columns = len(before), len(after)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below, word = best[i], best[i + 1], before[i]
        weight = 1 if word.isspace() else 4
        for j in range(columns - 1, -1, -1):
            row[j] = below[j + 1] + weight if word == after[j] else max(below[j], row[j + 1])
    i = j = 0
    run = ""
    while i < rows and j < columns:
        if before[i] == after[j]:
            run += before[i]
            i, j = i + 1, j + 1
            continue
        if run:
            yield run, run
            run = ""
        if best[i + 1][j] >= best[i][j + 1]:
            yield before[i], ""
            i += 1
        else:
            yield "", after[j]
            j += 1
    if run:
        yield run, run
    if i < rows or j < columns:
        yield "".join(before[i:]), "".join(after[j:])
