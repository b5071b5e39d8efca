"""Report what a cut that is slightly off would show, on sheets whose layout asks for it: `print/drift`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect
from cardgen.pdf.drift import DRIFT, MOST_FRAME, NAMES, CutEdges, differing

if TYPE_CHECKING:
    from cardgen.core.game import Game, GameSheet
    from cardgen.core.sheets import ImposedSheet, Slot

_LEAST = 0.1
"""The share of a shared edge that must differ: less is a speck."""

_HAIRLINE = 0.2
"""mm: so little of a neighbor looks like the cut's own edge. The narrowest gutters show no more."""

_ALIGNED, _OFFSET = 0.05, 0.0137
"""mm: trims in one step are level. The offset keeps steps off the measures of sheets, which are rounded."""


def say_drift(
    game: Game, sheet: GameSheet, imposed: ImposedSheet, edges: Mapping[str, CutEdges], findings: Findings
) -> None:
    """Add a warning for each pair of components whose cards would show each other at a shared cut, and for
    each component and edge with a frame too thin to be cut evenly. `edges` are those of sides, by their
    artworks' keys."""
    rectangles = {component.id for component in game.components if component.shape == "rectangle"}
    shared: dict[tuple[str, str, str], list[tuple[float, Slot, Slot]]] = {}
    frames: dict[tuple[str, str], dict[str, tuple[float, list[str]]]] = {}
    for page in imposed.pages:
        slots = [
            slot
            for slot in page.slots
            if slot.artwork in edges and slot.component in rectangles and not slot.mirrored
        ]
        for one, other, number in _facing(slots):
            mine = _edge(edges[one.artwork], one, number)
            share = differing(mine, _edge(edges[other.artwork], other, (number + 2) % 4))
            if share >= _LEAST:
                pair = sorted((one.component, other.component))
                shared.setdefault((page.side, pair[0], pair[1]), []).append((share, one, other))
        for slot in slots:
            for name, frame in zip(NAMES, edges[slot.artwork].frames, strict=True):
                if frame is not None:
                    found = frames.setdefault((page.side, slot.component), {})
                    found.setdefault(name, (frame, []))[1].append(slot.card)
    for (side, *_), cuts in shared.items():
        share, one, other = max(cuts, key=lambda each: each[0])
        seen = f"'{other.card}' along {share:.0%} of an edge of '{one.card}'"
        if (one.component, one.card) == (other.component, other.card):
            seen = f"a copy of '{one.card}' along {share:.0%} of an edge of another"
        separate = f"{len(cuts)} shared cuts separate" if len(cuts) > 1 else "a shared cut separates"
        findings.warning(
            "print/drift",
            f"on '{sheet.name}', {separate} {side}s of different colors: a cut {DRIFT:g} mm off shows "
            f"{seen}",
            game.locate("sheets", sheet.name),
            "use a layout with `gutter: auto`, or give both the same color at their edges",
        )
    for (side, component), by_edge in frames.items():
        name, (frame, cards) = min(by_edge.items(), key=lambda each: abs(each[1][0]))
        findings.warning(
            "print/drift",
            f"the {side} of '{cards[0]}' in '{component}' changes color {_where(frame)} the {name} edge: a "
            f"cut {DRIFT:g} mm off {_shown(frame)}",
            game.locate("components", component),
            f"make frames wider than {MOST_FRAME:g} mm, or continue them through the bleed",
        )


def _where(frame: float) -> str:
    return f"{frame:.1f} mm inside" if frame >= 0.05 else f"{max(0.0, -frame):.1f} mm beyond"


def _shown(frame: float) -> str:
    if frame > DRIFT:
        return f"leaves {frame - DRIFT:.1f} to {frame + DRIFT:.1f} mm of it"
    if frame >= 0.05:
        return "removes it"
    return f"shows a line of up to {DRIFT + frame:.1f} mm"


def _facing(slots: Sequence[Slot]) -> Iterator[tuple[Slot, Slot, int]]:
    """Yield pairs of slots that face each other so closely that a drifting cut shows the other, and the
    number of the first one's edge on the page, clockwise from the top."""
    for number, place in ((1, lambda rect: rect), (2, _turned)):
        rows: dict[tuple[int, int], list[tuple[Rect, Slot]]] = {}
        for slot in slots:
            rect = place(slot.trim)
            key = int((rect.y + _OFFSET) / _ALIGNED), int((rect.bottom + _OFFSET) / _ALIGNED)
            rows.setdefault(key, []).append((rect, slot))
        for row in rows.values():
            row.sort(key=lambda each: each[0].x)
            for (left, one), (right, other) in pairwise(row):
                if _shows(right.x - left.right):
                    yield one, other, number


def _shows(gap: float) -> bool:
    """Return True if a cut that is off reaches the neighbor's art, which begins in the middle of a gap."""
    return DRIFT - gap / 2 > _HAIRLINE


def _turned(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.height, rect.width)


def _edge(edges: CutEdges, slot: Slot, number: int) -> tuple[tuple[int, int, int], ...]:
    """Return the edge of a side that is at this edge of its slot on the page."""
    return edges.edges[(number - slot.rotation // 90) % 4]
