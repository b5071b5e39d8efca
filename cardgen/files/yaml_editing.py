"""YAML text edited in place: only changed values are rewritten.

`edited` compares a text's data with the new data, and changes the characters of those values; comments,
order, quotes and all other lines are kept. The result is read again before it is returned, so a text either
contains exactly the new data or is refused.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right, insort
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cardgen.files.yaml import Pieces, Reading
from cardgen.files.yaml_nodes import (
    BREAK,
    Item,
    Node,
    Pair,
    Pattern,
    YamlStyle,
    after_key,
    column,
    compose,
    inline,
    item_lines,
    key,
    line_end,
    line_start,
    list_lines,
    mapping_lines,
    past_break,
    rewritten,
    rewritten_lines,
)
from cardgen.files.yaml_text import SourceError

ROUNDS = 100
"""Most passes over a text: edits that touch each other are made one after the other, and repeats of aliases
are corrected after the change."""
_ANCHOR = re.compile(r"&([\w-]+)")
_BY_HAND = "edit the file by hand"

Splice = tuple[int, int, str]
"""Characters from and to, and their replacement."""


def edited(text: str, data: Any, *, is_json: bool = False) -> str:
    """Return a text that the reader accepts, changed so that it contains `data`: plain values as the reader
    makes them. A text that `is_json` stays so.

    Raises SourceError, at a line of the text, for data that YAML can't contain and changes that can't be
    made in place (keys with `?`, removed entries that come from `<<`).
    """
    newline = found.group() if (found := BREAK.search(text)) else "\n"
    first = text
    for _ in range(ROUNDS):
        reading = Reading(text)
        if reading.problems:
            raise _failure(first, reading.problems[0])
        if same(reading.data, data):
            return text
        edits = _Edits(text, is_json)
        edits.walk(edits.root, reading.data, data, (), _Spot(0, 0))
        changed = edits.applied(newline)
        if changed == text:
            break
        text = changed
    raise SourceError("yaml/edit", "the file can't be edited in place", 1, 1, _BY_HAND)


_ANCHORED = re.compile(r"&(?<![^\s\[{,]&)\S")  # by its sign, which few texts have
_COMMENTS = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?\n)*\Z", re.MULTILINE)


def edited_list(text: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """Return a text with other records in its last list, as `edited` does, but reading only the changed
    ones. `old` is the text's data. Return None if that isn't possible."""
    pieces = Pieces.of(text)
    if pieces is None or _ANCHORED.search(text):
        return None
    key = pieces.key
    records, wanted = old.get(key), new.get(key)
    others = {name: value for name, value in old.items() if name != key}
    if not _is_list(records) or not _is_list(wanted) or len(records or ()) != len(pieces.parts):
        return None
    if not same(others, {name: value for name, value in new.items() if name != key}):
        return None
    assert records is not None
    assert wanted is not None
    try:
        parts = _edited_parts(pieces.parts, records, wanted)
    except SourceError:
        return None
    changed = pieces.head + "".join(parts)
    again = Pieces.of(changed)
    known = dict(zip(pieces.parts, records, strict=True))
    return changed if again is not None and same(again.read(known), dict(new)) else None


_NEIGHBORS = 10
"""Records on each side of a new one, which is written in their style."""


def _edited_parts(parts: Sequence[str], records: Sequence[Any], wanted: Sequence[Any]) -> Iterator[str]:
    """Yield the texts of the wanted records. Raises SourceError for one that can't be edited in place."""
    pairs = aligned(records, wanted)
    new = (at for at, (was, _) in enumerate(pairs) if was is None)
    beside = {at for each in new for at in range(each - _NEIGHBORS, each + _NEIGHBORS + 1)}
    for is_beside, group in groupby(enumerate(pairs), lambda each: each[0] in beside):
        found = [pair for _, pair in group]
        if is_beside:
            text = "".join(parts[was] for was, _ in found if was is not None)
            yield edited(text, [wanted[now] for _, now in found if now is not None])
            continue
        for was, now in found:
            assert was is not None
            if now is None:
                kept = _COMMENTS.search(parts[was])
                yield kept[0] if kept is not None else ""
            elif same(records[was], wanted[now]):
                yield parts[was]
            else:
                yield edited(parts[was], [wanted[now]])


def _failure(text: str, problem: SourceError) -> SourceError:
    """Return the error of an edited text, for the text before the edit."""
    if problem.code not in ("yaml/alias", "yaml/merge"):
        return problem
    anchors = list(_ANCHOR.finditer(text))
    named = [found for found in anchors if f"&{found[1]} " in problem.message] or anchors
    lines = BREAK.split(text[: named[0].start()])
    message = "an alias repeats this value, which can't be edited in place"
    return SourceError("yaml/edit", message, len(lines), len(lines[-1]) + 1, _BY_HAND)


class _Spot:
    """The place of a value: after a colon or dash that ends at `begin`, in a line whose key or dash has
    `indent` columns before it."""

    __slots__ = ("begin", "indent", "is_item", "pair")

    def __init__(self, begin: int, indent: int, *, is_item: bool = False, pair: Pair | None = None) -> None:
        self.begin, self.indent, self.is_item, self.pair = begin, indent, is_item, pair


class _Edits:
    """The edits of one pass over a text."""

    def __init__(self, text: str, is_json: bool) -> None:
        self.text = text
        self.root = compose(text)
        self._layout = YamlStyle.of(self.root, text, is_json=is_json)
        self._edits: list[tuple[Splice, ...]] = []

    def applied(self, newline: str) -> str:
        """Return the text with all edits that don't touch earlier ones; `\\n` in new text becomes
        `newline`."""
        taken: list[Splice] = []
        for edit in self._edits:
            if not any(_is_touched(splice, taken) for splice in edit):
                for splice in edit:
                    insort(taken, splice, key=_place)
        pieces, at = [], 0
        for start, end, put in taken:
            pieces += [self.text[at:start], put.replace("\n", newline)]
            at = end
        return "".join((*pieces, self.text[at:]))

    def walk(self, node: Node, old: Any, new: Any, pattern: Pattern, spot: _Spot) -> None:
        """Note the edits that turn a node into `new`."""
        if same(old, new):
            return
        if spot.pair is not None and not spot.pair.is_plain:
            raise self._refusal(spot.pair.start, f"the key '{spot.pair.name}' is written with '?'")
        in_place = not node.is_flow or self.text[node.start : node.start + 1] in ("{", "[")
        if in_place and new and node.kind == "mapping" and isinstance(new, Mapping):
            self._mapping(node, old, new, pattern, spot)
        elif in_place and new and node.kind == "sequence" and _is_list(new):
            self._sequence(node, old, new, pattern, spot)
        elif not in_place:
            raise self._refusal(node.start, "a mapping without braces is in a list")
        else:
            self._replace(node, new, pattern, spot)

    def _refusal(self, place: int, what: str) -> SourceError:
        before = BREAK.split(self.text[:place])
        return SourceError(
            "yaml/edit",
            f"{what}, which can't be edited in place",
            len(before),
            len(before[-1]) + 1,
            _BY_HAND,
        )

    # ---- mappings

    def _mapping(self, node: Node, old: Any, new: Mapping[str, Any], pattern: Pattern, spot: _Spot) -> None:
        own = {pair.name: pair for pair in node.pairs if not pair.is_merge}
        merged = [pair for pair in node.pairs if pair.is_merge]
        if gone := [name for name in old if name not in new and name not in own]:
            raise self._refusal(merged[0].start, f"'{gone[0]}' comes from <<")
        kept = [pair for name, pair in own.items() if name in new]
        if not kept and not merged:
            self._replace(node, new, pattern, spot)
            return
        for pair in kept:
            inner = _Spot(_behind(pair), column(self.text, pair.start), pair=pair)
            self.walk(pair.node, old[pair.name], new[pair.name], (*pattern, pair.name), inner)
        self._add_pairs(node, old, new, pattern, own)
        for index, pair in enumerate(node.pairs):
            if pair.name in own and own[pair.name] is pair and pair.name not in new:
                if not pair.is_plain:
                    raise self._refusal(pair.start, f"the key '{pair.name}' is written with '?'")
                self._remove(node, index, [(each.start, _end(each)) for each in node.pairs])

    def _add_pairs(
        self, node: Node, old: Any, new: Mapping[str, Any], pattern: Pattern, own: Mapping[str, Pair]
    ) -> None:
        before = next((pair for pair in node.pairs if pair.is_merge or pair.name in new), node.pairs[0])
        last = node.pairs[-1]
        for name, value in new.items():
            if name in own:
                before = own[name]
                continue
            if name in old and same(old[name], value):
                continue  # merged
            after = last if before.is_merge else before
            if node.is_flow:
                put = f"{self._key(name)}: {inline(value, self._layout, (*pattern, name))}"
                self._insert(_end(after), f"{self._apart(_end(after))},{self._parting(last.start)}{put}")
            else:
                indent = column(self.text, node.pairs[0].start)
                lines = mapping_lines({name: value}, indent, self._layout, pattern)
                self._insert(line_end(self.text, _end(after)), "".join(f"\n{line}" for line in lines))

    # ---- lists

    def _sequence(
        self, node: Node, old: list[Any], new: Sequence[Any], pattern: Pattern, spot: _Spot
    ) -> None:
        steps = aligned(old, new)
        if not any(was is not None and now is not None for was, now in steps):
            self._replace(node, new, pattern, spot)
            return
        inner = (*pattern, "*")
        for was, now in steps:
            if was is not None and now is not None:
                item = node.items[was]
                at = _Spot(item.start + 1, column(self.text, item.start), is_item=True)
                self.walk(item.node, old[was], new[now], inner, at)
        before: Item | None = None
        first = next(node.items[was] for was, now in steps if was is not None and now is not None)
        for was, now in steps:
            if was is not None and now is not None:
                before = node.items[was]
            elif now is not None:
                self._add_item(node, before, first, new[now], inner, spot)
        for was, now in steps:
            if was is not None and now is None:
                self._remove(node, was, [(each.start, _item_end(each)) for each in node.items])

    def _add_item(
        self, node: Node, before: Item | None, first: Item, value: Any, pattern: Pattern, spot: _Spot
    ) -> None:
        text = self.text
        if node.is_flow:
            put = inline(value, self._layout, pattern)
            place = first.start if before is None else before.node.end
            apart = self._parting(first.start)
            self._insert(place, f"{put},{apart}" if before is None else f",{apart}{put}")
            return
        lines = item_lines(value, column(text, first.start), self._layout, pattern)
        if before is None:
            begin = line_start(text, first.start)
            if text[begin : first.start].strip():
                raise self._refusal(first.start, "a list begins on the same line as another")
            self._insert(begin, "".join(f"{line}\n" for line in lines))
            return
        apart = ""
        if len(node.items) > 1:
            one, two = node.items[-2:]
            parting = BREAK.split(text[_item_end(one) : two.start])[1:-1]
            apart = "\n" if any(not line.strip() for line in parting) else ""
        self._insert(line_end(text, _item_end(before)), apart + "".join(f"\n{line}" for line in lines))

    # ---- single values

    def _replace(self, node: Node, new: Any, pattern: Pattern, spot: _Spot) -> None:
        """Write a value again."""
        text, layout = self.text, self._layout
        empty = node.start == node.end and node.kind == "scalar"
        if node.inside or (spot.pair is None and not spot.is_item and node.is_flow):
            put = rewritten(node, new, layout, pattern)
            if empty and spot.pair is not None:
                put = f": {put}" if spot.pair.colon < 0 else f" {put}"
            self._edits.append(((node.start, node.end, put),))
            return
        if spot.pair is None and not spot.is_item:
            self._whole(node, new, pattern)
            return
        begin = spot.begin
        if node.anchor is not None:
            begin = text.index(f"&{node.anchor}", begin) + 1 + len(node.anchor)
        first, *rest = self._lines(node, new, pattern, spot)
        broken = "".join(f"\n{line}" for line in rest)
        is_below = line_start(text, node.start) != line_start(text, begin)
        if is_below and first and (node.is_flow or node.kind in ("scalar", "alias")):
            begin, first, is_below = node.start, first[1:], False  # the text between is kept
        if not is_below:
            if node.style in ("|", ">"):
                header = BREAK.split(text[node.start : node.end], maxsplit=1)[0]
                first += header[len(header.split()[0]) :]
            edit: tuple[Splice, ...] = ((begin, node.end, first),)
            if rest:
                after = line_end(text, node.end)
                edit = (*edit, (after, after, broken))
        else:
            below = line_end(text, begin)
            edit = ((begin, begin, first), (below, line_end(text, node.end) if rest else node.end, broken))
        self._edits.append(edit)

    def _lines(self, node: Node, new: Any, pattern: Pattern, spot: _Spot) -> list[str]:
        """Return the lines that replace a node after a colon or dash; the first with its space."""
        if node.kind == "scalar" and isinstance(new, str) and isinstance(node.value, str):
            written = self.text[node.start : node.end]
            found = rewritten_lines(written, node.style, new, spot.indent, self._layout)
            if found:
                return found
        if spot.is_item:
            first, *rest = item_lines(new, spot.indent, self._layout, pattern)
            compact = first[spot.indent + 1 :]
            if (
                node.anchor is not None
                and new
                and isinstance(new, Mapping | list)
                and not compact[1:].startswith(("{", "["))
            ):
                return [
                    "",
                    " " * (spot.indent + 1) + compact,
                    *rest,
                ]  # nothing begins a block after an anchor
            return [compact, *rest]
        return after_key(new, spot.indent, self._layout, pattern)

    def _whole(self, node: Node, new: Any, pattern: Pattern) -> None:
        """Rewrite the outer value of a text."""
        indent = column(self.text, node.start)
        if isinstance(new, Mapping) and new:
            lines = mapping_lines(new, indent, self._layout, pattern)
        elif _is_list(new) and new:
            lines = list_lines(new, indent, self._layout, pattern)
        else:
            lines = [" " * indent + inline(new, self._layout, pattern)]
        self._edits.append(((node.start, node.end, "\n".join(lines)[indent:]),))

    # ---- taking out

    def _remove(self, node: Node, index: int, spans: Sequence[tuple[int, int]]) -> None:
        """Remove an entry or item that is not the only one."""
        text = self.text
        start, end = spans[index]
        if node.is_flow:
            self._remove_inside(index, spans)
            return
        begin = line_start(text, start)
        if not text[begin:start].strip():
            self._edits.append((self._without_lines(begin, past_break(text, line_end(text, end))),))
            return
        following = spans[index + 1][0]
        if "#" in text[end:following]:
            if node.kind == "sequence":
                raise self._refusal(start, "a list begins on the same line as another")
            self._edits.append(((start, end, ""),))
        else:
            self._edits.append(((start, following, ""),))

    def _remove_inside(self, index: int, spans: Sequence[tuple[int, int]]) -> None:
        text = self.text
        start, end = spans[index]
        if index + 1 < len(spans):
            following = spans[index + 1][0]
            comma = text.index(",", end)
            same_line = not BREAK.search(text, comma, following)
            self._edits.append(((start, following if same_line else comma + 1, ""),))
        elif index:
            before = spans[index - 1][1]
            if "#" in text[before:start]:
                self._edits.append(((start, end, ""),))
            else:
                self._edits.append(((before, end, self._apart(before)),))
        else:
            self._edits.append(((start, end, ""),))

    def _without_lines(self, begin: int, end: int) -> Splice:
        """Remove whole lines, and a blank one if there would be two."""
        text = self.text
        above = line_start(text, begin - 1) if begin else 0
        if begin and not text[above:begin].strip():
            below = past_break(text, line_end(text, end))
            if end < len(text) and not text[end:below].strip():
                end = below
            elif end == len(text):
                begin = above
        return begin, end, ""

    def _key(self, name: str) -> str:
        return json.dumps(name, ensure_ascii=False) if self._layout.is_json else key(name, True)

    def _parting(self, place: int) -> str:
        """Return the separator of an entry in brackets from the next: in JSON a line end if the one at
        `place` has a line of its own."""
        begin = line_start(self.text, place)
        indent = self.text[begin:place]
        return f"\n{indent}" if self._layout.is_json and begin and not indent.strip() else " "

    def _apart(self, place: int) -> str:
        """Return the space that a colon in brackets needs before a comma or bracket."""
        return " " if self.text[place - 1 : place] == ":" else ""

    def _insert(self, place: int, put: str) -> None:
        self._edits.append(((place, place, put),))


def _place(splice: Splice) -> tuple[int, int]:
    return splice[:2]


def _is_touched(splice: Splice, taken: Sequence[Splice]) -> bool:
    """Return True if a splice can't be made at once with others, which are in order and don't touch each
    other."""
    at = bisect_right(taken, (splice[1], len(taken) and taken[-1][1]), key=_place)
    while at and (other := taken[at - 1])[1] >= splice[0]:
        if _touch(splice, other):
            return True
        if other[0] != other[1]:
            return False
        at -= 1
    return False


def _touch(one: Splice, other: Splice) -> bool:
    """Return True if two splices can't be made at once. Insertions at the same place keep their order."""
    if one[0] == one[1] and other[0] == other[1]:
        return False
    if one[0] == one[1]:
        return other[0] < one[0] <= other[1]
    if other[0] == other[1]:
        return one[0] < other[0] <= one[1]
    return one[0] < other[1] and other[0] < one[1]


def _behind(pair: Pair) -> int:
    """Return the place past a pair's colon, or its key if there is none."""
    return pair.end if pair.colon < 0 else pair.colon + 1


def _end(pair: Pair) -> int:
    return max(pair.node.end, _behind(pair))


def _item_end(item: Item) -> int:
    return max(item.node.end, item.start + 1)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


Steps = list[tuple[int | None, int | None]]
"""Items before and now in pairs, in order; None for a new or removed one."""


def same(one: Any, other: Any) -> bool:
    """Return True if two plain values are equal, numbers with their types."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(each, other[name]) for name, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def aligned(old: Sequence[Any], new: Sequence[Any]) -> Steps:
    """Return the pairs of items of an old and a new list, in order. Records are paired by their ids if
    those that stayed are in the same order; else the items between equal ends are paired one by one."""
    first, shortest = 0, min(len(old), len(new))
    while first < shortest and old[first] is new[first]:
        first += 1
    last = 0
    while last < shortest - first and old[-1 - last] is new[-1 - last]:
        last += 1
    if first + last:  # so that only the others are compared
        between = aligned(old[first : len(old) - last], new[first : len(new) - last])
        pairs: Steps = [(at, at) for at in range(first)]
        for was, now in between:
            pairs.append((None if was is None else first + was, None if now is None else first + now))
        ends = len(old) - last, len(new) - last
        return pairs + [(ends[0] + at, ends[1] + at) for at in range(last)]
    names = _ids(old), _ids(new)
    if names[0] is not None and names[1] is not None:
        common = [name for name in names[1] if name in names[0]]
        if common == [name for name in names[0] if name in names[1]]:
            return _by_names(old, new, common)
    start = 0
    while start < shortest and same(old[start], new[start]):
        start += 1
    end = 0
    while end < shortest - start and same(old[-1 - end], new[-1 - end]):
        end += 1
    steps: Steps = [(index, index) for index in range(start)]
    for index in range(start, max(len(old), len(new)) - end):
        steps.append((index if index < len(old) - end else None, index if index < len(new) - end else None))
    return steps + [(len(old) - end + index, len(new) - end + index) for index in range(end)]


def _ids(items: Sequence[Any]) -> dict[str, int] | None:
    """Return records' places by their ids; None if they lack ids, or share them."""
    found = {
        item["id"]: index
        for index, item in enumerate(items)
        if isinstance(item, Mapping) and isinstance(item.get("id"), str)
    }
    return found if len(found) == len(items) else None


def _by_names(old: Sequence[Any], new: Sequence[Any], common: Sequence[str]) -> Steps:
    steps: Steps = []
    was = now = 0
    for name in (*common, None):
        gone, come = [], []
        while was < len(old) and old[was]["id"] != name:
            gone.append(was)
            was += 1
        while now < len(new) and new[now]["id"] != name:
            come.append(now)
            now += 1
        renamed = len(gone) == len(come) and all(_alike(old[i], new[j]) for i, j in zip(gone, come))
        steps += zip(gone, come) if renamed else [*((i, None) for i in gone), *((None, j) for j in come)]
        if name is not None:
            steps.append((was, now))
            was, now = was + 1, now + 1
    return steps


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return True if most content of two records is equal, so that one is probably the other with another
    id."""
    alike = sum(name in other and same(value, other[name]) for name, value in one.items())
    return 2 * alike >= max(len(one), len(other)) - 1
