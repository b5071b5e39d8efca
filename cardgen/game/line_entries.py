"""Read the lines inside pieces that a component's entry describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from cardgen.core.game import Card
from cardgen.core.geometry import Size
from cardgen.core.sheets import MAX_TRIM, Distance, TrimLine
from cardgen.game.facts import length
from cardgen.game.sources import Subject

_MIDDLE = Distance(share=0.5)
_FOLDS = ("crease", "half-cut")


def lines_of(subject: Subject, stated: str | Sequence[Any], cards: Sequence[Card]) -> tuple[TrimLine, ...]:
    """Return the lines of a component, for each of its cards inside the trim. Findings:
    `component/lines`."""
    if stated == "half-fold":
        return (TrimLine("crease", all(card.trim.landscape for card in cards), _MIDDLE),)
    if stated == "quad-fold":
        return (
            TrimLine("crease", False, _MIDDLE),
            TrimLine("crease", True, _MIDDLE, start=_MIDDLE),
            TrimLine("cut", True, _MIDDLE, end=_MIDDLE),
        )
    found = (_line(subject.below(number), entry, cards) for number, entry in enumerate(stated))
    return tuple(line for line in found if line is not None)


def folded_size(trim: Size, lines: Sequence[TrimLine]) -> tuple[Size, int]:
    """Return the size of a piece that is folded at its creases and half-cuts, and the layers on top of each
    other."""
    sides, layers = [], 1
    for upright, side in ((True, trim.width), (False, trim.height)):
        folds = {line.at.of(side) for line in lines if line.upright is upright and line.tool in _FOLDS}
        ends = sorted({0.0, *folds, side})
        sides.append(max(end - start for start, end in pairwise(ends)))
        layers *= len(ends) - 1
    return Size(*sides), layers


def _line(subject: Subject, entry: Mapping[str, str], cards: Sequence[Card]) -> TrimLine | None:
    if ("x" in entry) is ("y" in entry):
        message = "a line has either an x (it is upright) or a y (it is level)"
        subject.error("component/lines", message, "write x: 50% or y: 50%")
        return None
    upright = "x" in entry
    distances = {}
    for key, default in (("x" if upright else "y", ""), ("from", "0%"), ("to", "100%")):
        distance = _distance(subject.below(key), entry.get(key, default))
        if distance is None:
            return None
        distances[key] = distance
    line = TrimLine(entry["tool"], upright, *distances.values())  # type: ignore[arg-type]
    for card in cards:
        trim = card.trim
        across, along = (trim.width, trim.height) if upright else (trim.height, trim.width)
        at, start, end = line.at.of(across), line.start.of(along), line.end.of(along)
        if 0 < at < across and 0 <= start < end <= along:
            continue
        subject.error(
            "component/lines",
            f"this line is not inside '{card.id}', which is {trim}",
            f"keep {'xy'[not upright]} between 0 and {across:g}mm, `from` to `to` within {along:g}mm",
        )
        return None
    return line


def _distance(subject: Subject, text: str) -> Distance | None:
    if text.endswith("%"):
        return Distance(share=float(text[:-1]) / 100)
    mm = length(subject, text, most=MAX_TRIM)
    return None if mm is None else Distance(mm)
