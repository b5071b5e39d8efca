"""The legibility of type: its contrast to the background.

The measure is WCAG 2's contrast ratio, from 1 (none) to 21 (black on white); its success criterion
1.4.3 asks for 4.5, and for 3 where type is large: 18 pt, or 14 pt bold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TypeGuard

from PIL import Image, ImageDraw

from cardgen.core.artwork import (
    ABOVE,
    BELOW,
    Artwork,
    Color,
    Group,
    IconRun,
    Item,
    Rendering,
    SetText,
    TextRun,
    contrast,
    word_boxes,
)
from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT, Matrix, Rect
from cardgen.core.progress import tell
from cardgen.core.records import dataclass
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.fonts import Fonts, font_facts
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import Easel, dpi_within, render_one_by_one, shown_area
from cardgen.pdf.store import ArtStore

DPI = 100.0
MOST_PIXELS = 8_000_000
"""Of a side larger than that at DPI, 70 cm square, fewer pixels an inch are looked at: such a board is read
from afar, and type on it is large."""
LARGE_PT, LARGE_BOLD_PT, BOLD = 18.0, 14.0, 700
AT_ONCE = 100
"""Sides that are drawn and looked at together: few enough to hold."""
SPECKS = 0.2
"""Share of a word's ground that may be worse than the ratio we report: specks, a thin line."""
_EXACT = 256
_STEPS = [min(255, value // 8 * 8 + 4) for value in range(256)] * 3
_MOST = 21.0
"""The contrast of black and white."""
_BLACK = (0, 0, 0)
_HAIR = 1e-6
"""Pixels by which sums may be off."""
_ADVANCE = attrgetter("advance")

_Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_Bounds = tuple[tuple[int, ...], tuple[int, ...]]
"""The least and the most of red, green and blue."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """The least contrast among the words of a text. `words` is the word it was found at, `size_pt` its
    type size; `large` says whether WCAG counts it as large."""

    artwork: str
    text: SetText
    words: str
    ratio: float
    size_pt: float
    large: bool


Look = Callable[[Artwork, Image.Image, float], None]
"""Called with a side, its picture (RGBX) without the text that is read, and the dpi of that. The picture is
there until `look` returns."""


def contrasts(
    rendering: Rendering,
    fonts: Fonts,
    store: ArtStore,
    look: Look | None = None,
    enough: float = math.inf,
) -> Iterator[Contrast]:
    """Yield the contrast of every text that is there to be read, side by side in paint order; of texts
    that have `enough` of it everywhere, it need not be measured, and most of them are left out. Text
    marked as decoration counts as ground. Art that covers text counts as ground, too. `look` sees all
    sides, AT_ONCE at a time; of these, those with the same picture come one after the other: it is drawn
    once."""
    every = rendering.artworks.values()
    artworks = [artwork for artwork in every if look is not None or any(_readable(artwork.items))]
    weights: dict[str, bool] = {}
    easel = Easel()
    seen = 0
    for first in range(0, len(artworks), AT_ONCE):
        some = artworks[first : first + AT_ONCE]
        found: dict[int, list[Contrast]] = {}
        for numbers, image, at in _pictures(some, rendering.icons, fonts, store, easel):
            seen += len(numbers)
            tell("looking at sides", seen, len(artworks))
            for number in numbers:
                artwork = some[number]
                if look is not None:
                    look(artwork, image, at)
                found[number] = [
                    contrast
                    for text, opacity in _readable(artwork.items)
                    if not _is_plain(text, opacity, image, at, enough)
                    for contrast in _contrast(artwork, text, opacity, image, at, fonts, weights)
                ]
        for number in range(len(some)):
            yield from found[number]


def _pictures(
    artworks: Sequence[Artwork], icons: Mapping[str, str], fonts: Fonts, store: ArtStore, easel: Easel
) -> Iterator[tuple[list[int], Image.Image, float]]:
    """Yield the pictures of sides without the text that is read, each with the numbers of those that it
    is of and its dpi."""
    sides = draw_sides(artworks, icons, store, shows=lambda text: text.decor)
    ground = assemble({side.key: side for side in sides}, fonts, store)
    alike: dict[str, list[int]] = {}
    for number, artwork in enumerate(artworks):
        alike.setdefault(ground.faces[artwork.key].name, []).append(number)
    firsts = [artworks[numbers[0]].key for numbers in alike.values()]
    views = [View(key, shown_area(ground.faces[key], "bleed")) for key in firsts]
    dpis = [dpi_within(view.area, DPI, MOST_PIXELS) for view in views]
    yield from zip(alike.values(), render_one_by_one(write_views(ground, views), views, dpis, easel), dpis)


def _readable(items: Iterable[Item], opacity: float = 1.0) -> Iterator[tuple[SetText, float]]:
    """Yield texts that are no decoration, with the opacity that reaches them."""
    for item in items:
        if isinstance(item, SetText):
            if not item.decor:
                yield item, opacity * item.opacity
        elif isinstance(item, Group):
            yield from _readable(item.items, opacity * item.opacity)


def _is_read(run: TextRun | IconRun) -> TypeGuard[TextRun]:
    """Tell whether a run is letters in its own color. An icon's figure is set in what reads on it."""
    return isinstance(run, TextRun) and run.within is None and not run.hidden


def _is_plain(text: SetText, opacity: float, image: Image.Image, dpi: float, enough: float) -> bool:
    """Return True if a text surely has `enough` contrast, or is empty: by the least and the most of each
    channel around all of its letters or, where that does not tell, around those of each run."""
    if enough > _MOST:
        return False
    runs = [run for run in text.runs if _is_read(run)]
    reaches = [_reach(run) for run in runs]
    if not reaches:
        return True
    lefts, tops, rights, bottoms = zip(*reaches)
    whole = (min(lefts), min(tops), max(rights), max(bottoms))
    bounds = _bounds(image, whole, text.matrix, dpi)
    if all(_least_ratio(fill, opacity, bounds) >= enough for fill in {run.fill for run in runs}):
        return True
    return len(runs) > 1 and all(
        _least_ratio(run.fill, opacity, _bounds(image, reach, text.matrix, dpi)) >= enough
        for run, reach in zip(runs, reaches)
    )


def _reach(run: TextRun) -> _Box:
    """Return a box that holds those of all words of a run (`word_boxes`), in mm."""
    moves = [*map(_ADVANCE, run.words), *run.gaps]
    forth = sum(moves)
    back = 0.0
    if moves and min(moves) < 0:
        back = sum(move for move in moves if move < 0)
        forth -= back
    top, bottom = run.y - ABOVE * run.size, run.y + BELOW * run.size
    return run.x + back * run.size, top, run.x + forth * run.size, bottom


def _bounds(image: Image.Image, box: _Box, matrix: Matrix, dpi: float) -> _Bounds | None:
    """Return the least and the most of each channel in a box, of all pixels that `_ground` sees of
    anything in it, and as `_colors` may count them; None off the side."""
    scale = dpi / MM_PER_INCH
    left, top, right, bottom = box
    corners = [matrix.apply(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    across, down = [x * scale for x, _ in corners], [y * scale for _, y in corners]
    first, above = max(0, int(min(across) - _HAIR)), max(0, int(min(down) - _HAIR))
    last = min(image.width, max(first, int(max(across) + _HAIR)) + 1)
    below = min(image.height, max(above, int(max(down) + _HAIR)) + 1)
    if first >= last or above >= below:
        return None
    part = image.crop((first, above, last, below))
    if plain := part.getcolors(1):  # most grounds have one color
        color = plain[0][1]
        assert isinstance(color, tuple)
        low = high = color[:3]
    else:
        low, high = zip(*part.getextrema()[:3])
    return tuple(min(v, _STEPS[v]) for v in low), tuple(max(v, _STEPS[v]) for v in high)


@lru_cache(maxsize=1 << 12)
def _least_ratio(fill: Color, opacity: float, bounds: _Bounds | None) -> float:
    """Return the least contrast of an ink to a ground whose channels lie within bounds."""
    if bounds is None:
        return _MOST
    ink = [round(channel * 255) for channel in fill]
    low, high = (
        contrast_ratio(tuple(round(i * opacity + g * (1 - opacity)) for i, g in zip(ink, ground)), _BLACK)
        for ground in bounds
    )
    darkest, brightest = (contrast_ratio(ground, _BLACK) for ground in bounds)
    return max(low / brightest, darkest / high, 1.0)


def _contrast(
    artwork: Artwork,
    text: SetText,
    opacity: float,
    image: Image.Image,
    dpi: float,
    fonts: Fonts,
    bold: dict[str, bool],
) -> Iterator[Contrast]:
    worst: tuple[float, str, TextRun] | None = None
    for run in text.runs:
        if not _is_read(run):
            continue
        for word, box in word_boxes(run):
            colors = _ground(image, box, text.matrix, dpi)
            if colors:
                ratio = _low_ratio(run.fill, min(1.0, opacity * run.opacity), colors)
                if worst is None or ratio < worst[0]:
                    worst = (ratio, word, run)
    if worst is None:
        return
    ratio, word, run = worst
    size_pt = run.size * text.matrix.scale / MM_PER_PT
    if run.font not in bold:
        bold[run.font] = font_facts(fonts.by_key(run.font).face).weight >= BOLD
    large = size_pt >= LARGE_PT - 0.01 or (bold[run.font] and size_pt >= LARGE_BOLD_PT - 0.01)
    yield Contrast(artwork.key, text, word, ratio, size_pt, large)


def _ground(
    image: Image.Image, box: Rect, matrix: Matrix, dpi: float
) -> list[tuple[int, tuple[int, int, int]]]:
    """Return the colors below a box with their numbers of pixels; none if the box lies off the side."""
    scale = dpi / MM_PER_INCH
    corners = [
        matrix.apply(x, y)
        for x, y in ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    ]
    across, down = [x * scale for x, _ in corners], [y * scale for _, y in corners]
    left, top = max(0, int(min(across))), max(0, int(min(down)))
    right = min(image.width, max(left + 1, round(max(across))))
    bottom = min(image.height, max(top + 1, round(max(down))))
    if left >= right or top >= bottom:
        return []
    part = image.crop((left, top, right, bottom)).convert("RGB")
    if abs(matrix.b) + abs(matrix.c) > 1e-6 and abs(matrix.a) + abs(matrix.d) > 1e-6:  # askew
        mask = Image.new("L", part.size, 0)
        points = [(x - left, y - top) for x, y in zip(across, down)]
        ImageDraw.Draw(mask).polygon(points, fill=255)
        part.putalpha(mask)
    return list(_colors(part))


def _colors(part: Image.Image) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yield the colors of an image with their numbers of pixels, those that show."""
    found = part.getcolors(_EXACT)
    if found is None:  # photographs: near colors count as one
        coarse = part.convert("RGB").point(_STEPS)
        if part.mode == "RGBA":
            coarse.putalpha(part.getchannel("A"))
        found = coarse.getcolors(part.width * part.height)
    for count, color in found or []:
        assert isinstance(color, tuple)
        if len(color) == 3 or color[3]:
            yield count, (color[0], color[1], color[2])


def _low_ratio(fill: Color, opacity: float, colors: list[tuple[int, tuple[int, int, int]]]) -> float:
    """Return the contrast that all but SPECKS of the pixels reach."""
    ink = tuple(round(channel * 255) for channel in fill)
    found: dict[float, int] = {}
    for count, ground in colors:
        ratio = _ratio(ink, ground, opacity)
        found[ratio] = found.get(ratio, 0) + count
    left = SPECKS * sum(found.values())
    for ratio in sorted(found):
        left -= found[ratio]
        if left < 0:
            return ratio
    raise AssertionError("no pixels")


@lru_cache(maxsize=1 << 14)
def _ratio(ink: tuple[int, ...], ground: tuple[int, int, int], opacity: float) -> float:
    if opacity < 1:
        ink = tuple(round(i * opacity + g * (1 - opacity)) for i, g in zip(ink, ground))
    return contrast_ratio(ink, ground)


def contrast_ratio(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return WCAG 2's contrast of two sRGB colors with channels from 0 to 255."""
    (r, g, b), (red, green, blue) = one, other
    return contrast((r / 255, g / 255, b / 255), (red / 255, green / 255, blue / 255))
