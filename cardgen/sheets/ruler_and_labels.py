"""Place the ruler and the labels of a sheet in the room beside the cards.

A page has four strips, between the block with its bleed and the paper's edges. The ruler and the labels are
put into the first strip with enough room between the crop marks: below the block, above it, then turned by
a quarter to its left and right. If the printable part of the strips is too small, the crop marks are
shortened; if that isn't enough, the strips extend into the margin, up to `EDGE` from the paper's edge;
last, ruler and labels are made smaller (the ruler keeps its length). Printers that can't print in the
margin then cut them off, like the bleed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from unicodedata import east_asian_width

from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import ImposedSheet, Label, Line, Page, Patch
from cardgen.sheets.marks import LEAST_LENGTH, MARK_LENGTH, WEIGHT

TEXT = 1.9
"""mm: 5.4 pt, the smallest type that a desktop printer sets cleanly."""

CLEAR = 0.5
"""mm between a ruler or label and anything else."""

EDGE = 0.6
"""mm along the paper's edge that are kept blank."""

SMALLER = 0.75
"""The scale of ruler and labels if nothing else fits: type of 4 pt."""

_EM_PER_CHARACTER = 0.52
"""A generous estimate: lower-case text in a condensed face is about 0.46 em wide. Longer text is set
smaller."""
_ASCENT = 0.82
_LINE = 1.1
_TIGHTEST = 0.7
"""The smallest size of a label, as a share of `TEXT`, before it is dropped."""

RULER_MM = 50.0
RULER_IN = 2 * 25.4
_TICK = 1.0
_APART = 0.4
_CAPTION = "50 mm / 2 in"
_DOT = " · "
AT_FULL_SIZE = "print at 100 %"

Marker = Callable[[float], Sequence[Line]]
"""Crop marks of a given length in mm."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """The result: `marks` are the crop marks of the final length; `missing` names the pieces without
    room."""

    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    marks: tuple[Line, ...]
    missing: tuple[str, ...]
    patches: tuple[Patch, ...] = ()

    def with_texts(self, before: Sequence[str], texts: Sequence[str]) -> Furniture:
        """Return the same with other texts, which have the same width."""
        words = {_DOT.join(before): _DOT.join(texts), **dict(zip(before, texts, strict=True))}
        labels = (replace(label, text=words.get(label.text, label.text)) for label in self.labels)
        return replace(self, labels=tuple(labels))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place for a piece of `length`×`height` mm: its top left corner, and True if it is turned, with its
    start at the bottom."""

    rect: Rect
    turned: bool

    def at(self, along: float, down: float) -> tuple[float, float]:
        """Return the page's point for a point of the piece, from its start and its upper side."""
        if self.turned:
            return self.rect.x + down, self.rect.bottom - along
        return self.rect.x + along, self.rect.y + down


def furnish(
    page: Size,
    blocks: Sequence[Rect],
    marker: Marker,
    lines: Sequence[Line],
    texts: Sequence[str],
    *,
    margin: float,
    strip: bool = False,
) -> Furniture:
    """Return a ruler, a label with `texts`, and the `strip` of colors if requested, clear of `blocks` (with
    bleed), crop marks and `lines`.

    The texts are in one label if there is room, else in one each.
    """
    best: Furniture | None = None
    narrow = min(margin, EDGE)
    for edge, scale in ((margin, 1.0), (narrow, 1.0), (narrow, SMALLER)):
        for length in (MARK_LENGTH, (MARK_LENGTH + LEAST_LENGTH) / 2, LEAST_LENGTH):
            found = _attempt(page, blocks, tuple(marker(length)), lines, texts, edge, scale, strip)
            if not found.missing:
                return found
            if best is None or len(found.missing) < len(best.missing):
                best = found
    assert best is not None
    return best


def _attempt(
    page: Size,
    blocks: Sequence[Rect],
    marks: tuple[Line, ...],
    lines: Sequence[Line],
    texts: Sequence[str],
    edge: float,
    scale: float,
    strip: bool,
) -> Furniture:
    taken = [*blocks, *(_extent(line) for line in (*marks, *lines))]
    area = Rect(0, 0, page.width, page.height).inset(edge)
    size = TEXT * scale
    drawn: tuple[Line, ...] = ()
    labels: list[Label] = []
    missing: list[str] = []

    height = (2 * _TICK + _APART) * scale
    spot = _find(area, taken, RULER_IN + CLEAR + text_width(_CAPTION, size), height)
    if spot is None:
        missing.append("ruler")
    else:
        taken.append(spot.rect)
        drawn = tuple(_ruler(spot, scale))
        labels.append(_label(_CAPTION, size, spot, RULER_IN + CLEAR, (height - _LINE * size) / 2))
    for text, place in _label_spots(area, taken, texts, size):
        if place is None:
            missing.append(text)
        else:
            taken.append(place.rect)
            labels.append(_label(text, size, place))
    patches: tuple[Patch, ...] = ()
    if strip:
        spot = _find(area, taken, LENGTH + CLEAR + text_width(CAPTION, size), HEIGHT)
        if spot is None:
            missing.append("strip")
        else:
            patches = tuple(_patches(spot))
            labels.append(_label(CAPTION, size, spot, LENGTH + CLEAR, (HEIGHT - _LINE * size) / 2))
    return Furniture(drawn, tuple(labels), marks, tuple(missing), patches)


def _patches(spot: _Spot) -> Iterator[Patch]:
    """Yield a patch of each ink, side by side."""
    for number, inks in enumerate(INKS):
        corners = spot.at(number * PATCH, 0), spot.at((number + 1) * PATCH, HEIGHT)
        yield Patch(Rect.around(corners), inks)


def _label_spots(
    area: Rect, taken: Sequence[Rect], texts: Sequence[str], size: float
) -> list[tuple[str, _Spot | None]]:
    """Return places for the texts: in one line, in one line each, or in one line each set tighter."""
    height = _LINE * size
    whole = _DOT.join(texts)
    spot = _find(area, taken, text_width(whole, size), height)
    if spot is not None:
        return [(whole, spot)]
    found: list[tuple[str, _Spot | None]] = []
    taken = list(taken)
    for text in texts:
        for share in (1.0, _TIGHTEST):
            spot = _find(area, taken, text_width(text, size) * share, height)
            if spot is not None:
                taken.append(spot.rect)
                break
        found.append((text, spot))
    return found


def text_width(text: str, size: float = 1.0) -> float:
    """Return the length in mm reserved for a text of that type size: East Asian letters count double."""
    wide = 0 if text.isascii() else sum(east_asian_width(letter) in "WF" for letter in text)
    return (len(text) + wide) * _EM_PER_CHARACTER * size


def _label(text: str, size: float, spot: _Spot, along: float = 0.0, down: float = 0.0) -> Label:
    x, y = spot.at(along, down + _ASCENT * size)
    length = spot.rect.height if spot.turned else spot.rect.width
    return Label(text, x, y, size, 90 if spot.turned else 0, length - along)


def _ruler(spot: _Spot, scale: float) -> Iterator[Line]:
    """Yield two bars side by side: 50 mm with ticks at 5 and 10 mm, 2 in with ticks at quarter inches. The
    bars' line width is inside the piece."""
    long, short = _TICK * scale - WEIGHT / 2, _TICK * scale / 2
    metric = _TICK * scale
    imperial = metric + _APART * scale

    def stroke(x1: float, y1: float, x2: float, y2: float) -> Line:
        return Line(*spot.at(x1, y1), *spot.at(x2, y2), WEIGHT)

    yield stroke(0, metric, RULER_MM, metric)
    for step in range(11):
        yield stroke(step * 5, metric, step * 5, metric - (short if step % 2 else long))
    yield stroke(0, imperial, RULER_IN, imperial)
    for step in range(9):
        along = step * RULER_IN / 8
        yield stroke(along, imperial, along, imperial + (short if step % 2 else long))


def _extent(line: Line) -> Rect:
    """Return the area that a line covers."""
    half = line.weight / 2
    left, top = min(line.x1, line.x2) - half, min(line.y1, line.y2) - half
    return Rect(left, top, abs(line.x2 - line.x1) + 2 * half, abs(line.y2 - line.y1) + 2 * half)


def _find(area: Rect, taken: Sequence[Rect], length: float, height: float) -> _Spot | None:
    """Return the first free place for a piece along one of the area's sides."""
    for y in (area.bottom - height, area.y):
        row = Rect(area.x, y, area.width, height).inset(-CLEAR)
        blocked = [(rect.x, rect.right) for rect in taken if rect.overlaps(row)]
        start = _gap(blocked, area.x, area.right, length)
        if start is not None:
            return _Spot(Rect(start, y, length, height), turned=False)
    for x in (area.x, area.right - height):
        column = Rect(x, area.y, height, area.height).inset(-CLEAR)
        blocked = [(-rect.bottom, -rect.y) for rect in taken if rect.overlaps(column)]
        start = _gap(blocked, -area.bottom, -area.y, length)
        if start is not None:
            return _Spot(Rect(x, -start - length, height, length), turned=True)
    return None


def _gap(blocked: list[tuple[float, float]], start: float, end: float, length: float) -> float | None:
    """Return the first place between `start` and `end` with `length` free, clear of blocked areas."""
    for low, high in sorted(blocked):
        if low - CLEAR - start >= length:
            break
        start = max(start, high + CLEAR)
    return start if end - start >= length else None


Inks = tuple[float, float, float, float]

INKS: tuple[Inks, ...] = (
    *((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    *((0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 0, 0)),
    *((0, 0, 0, 0.2), (0, 0, 0, 0.4), (0, 0, 0, 0.6), (0, 0, 0, 0.8), (0, 0, 0, 1)),
)
"""Shares of cyan, magenta, yellow and black of the patches, in their order: the four inks; red, green and
blue, of two each; five grays."""
CAPTION = "C M Y K · R G B · K 20 40 60 80 100 %"
PATCH = 4.0
"""mm, the width of a patch."""
HEIGHT = 3.0
"""mm, their height."""
LENGTH = PATCH * len(INKS)


def in_pure_inks(sheet: ImposedSheet) -> ImposedSheet:
    """Return the sheet with its patches in pure inks, for a press, where they are not converted."""

    def pure(page: Page) -> Page:
        return replace(page, patches=tuple(replace(patch, pure=True) for patch in page.patches))

    return replace(sheet, pages=tuple(map(pure, sheet.pages)))
