"""Content that covers texts: pictures, as pixels, and other texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from PIL import Image, ImageChops

from cardgen.core.artwork import Artwork, IconRun, Item, Picture, SetText, leaves, word_boxes
from cardgen.core.geometry import MM_PER_INCH, Matrix, Rect, Size
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.fonts import Fonts
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import boxes_of_forms, dpi_within, render
from cardgen.pdf.store import ArtStore
from cardgen.svg.tree import short

_DPI = 300.0
_MOST_PIXELS = 2_000_000
"""Pixels of a picture at most; a larger one is drawn with fewer per inch."""
_MOST_INKS = 16
"""Pictures over texts whose pixels are kept for the next sides."""
_OPAQUE = [255 * (difference <= 12) for difference in range(256)]
"""Opaque pixels, by their difference on white and on black; 5 % of transparency is allowed."""


class Ink(NamedTuple):
    """The part of a picture that hides content below it: its pixels, `scale` per mm, with `x` and `y` of
    their corner on the side, mm."""

    pixels: Image.Image
    x: float
    y: float
    scale: float

    @property
    def is_compact(self) -> bool:
        """Return True if it is neither a line nor much longer than high."""
        return max(self.pixels.size) <= 3 * min(self.pixels.size)

    def hidden(self, area: Rect) -> float:
        """Return the area that it hides, mm²."""
        left, right = (round((x - self.x) * self.scale) for x in (area.x, area.right))
        top, bottom = (round((y - self.y) * self.scale) for y in (area.y, area.bottom))
        part = self.pixels.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
        return part.histogram()[-1] / (part.width * part.height) * area.width * area.height


MOST_COMPARED = 1_000_000
"""Most pairs of boxes on one side; a card has a thousand."""
_HIDDEN = 0.3
"""Part of a word that a shape must hide: thin lines strike words out."""
_ACROSS, _DOWN = 0.15, 0.35
"""Overlap of two words, as a share of the lower one's height, from which they collide."""
_NEAR = 0.15
"""Of a word's height: the offset allowed for its halo or shadow."""
_OFTEN = 8
"""Places of letters in a word that are checked."""
_TOUCHED = 0.3
"""Part of a letter's square that something compact, such as an icon, must hide."""
_ICON_MARGIN = 0.15
"""Of an icon's side, that is mostly empty."""


class Covered(NamedTuple):
    """Words of a text that are covered by other words or a shape (None). The area is that of these words,
    and of the others with them, as an upright rectangle on the side, mm."""

    text: SetText
    words: str
    by: SetText | None
    by_words: str
    area: Rect


class _Box(NamedTuple):
    area: Rect
    order: int
    words: str = ""
    text: SetText | None = None
    picture: Picture | None = None


class TooManyError(Exception):
    """A side has more things in one place than are compared."""


class Covers:
    """Finds content that covers texts. Remembers pictures that several sides have."""

    def __init__(self, fonts: Fonts, store: ArtStore) -> None:
        self._fonts, self._store = fonts, store
        self._areas: dict[str, Rect] = {}
        """The boxes of pictures, by their keys."""
        self._ink = lru_cache(_MOST_INKS)(self._draw_ink)

    def find(self, artwork: Artwork) -> Iterator[Covered]:
        """Yield each pair once, from left to right. Raises TooManyError, and DrawingError if pictures
        can't be drawn."""
        boxes = sorted(self._boxes(artwork), key=lambda box: box.area.x)
        said: set[tuple[int, int]] = set()
        words: list[_Box] = []
        shapes: list[_Box] = []
        steps = 0
        for box in boxes:
            words = [other for other in words if other.area.right > box.area.x]
            steps += len(words)
            if box.text is None:
                pairs = [(other, box) for other in words]
                shapes.append(box)
            else:
                shapes = [other for other in shapes if other.area.right > box.area.x]
                steps += len(shapes)
                pairs = [(other, box) for other in words] + [(box, other) for other in shapes]
                words.append(box)
            if steps > MOST_COMPARED:
                raise TooManyError
            for one, other in pairs:
                pair = self._pair(one, other, artwork.size) if one.area.overlaps(other.area, 0.0) else None
                if pair is not None and (key := (id(pair.text), id(pair.by))) not in said:
                    said.add(key)
                    yield pair

    def _boxes(self, artwork: Artwork) -> Iterator[_Box]:
        items = list(dropwhile(lambda item: not _is_readable(item), leaves(artwork.items)))
        pictures = {item.key: item for item in items if isinstance(item, Picture)}
        if new := [picture for key, picture in pictures.items() if key not in self._areas]:
            document = self._document([new], artwork.size, artwork.size.whole)
            self._areas.update(zip((each.key for each in new), boxes_of_forms(document, len(new))))
        for order, item in enumerate(items):
            if isinstance(item, Picture):
                if (area := self._areas[item.key]).width * area.height > 0:
                    yield _Box(area, order, picture=item)
            elif not item.decor:
                yield from _words(item, order)

    def _document(self, sides: Sequence[Sequence[Item]], size: Size, area: Rect) -> bytes:
        """Return a PDF with an area of each of these sides."""
        artworks = [Artwork(str(index), size, 0.0, tuple(items)) for index, items in enumerate(sides)]
        drawn = {side.key: side for side in draw_sides(artworks, {}, self._store)}
        views = [View(key, area) for key in drawn]
        return write_views(assemble(drawn, self._fonts, self._store), views)

    def _draw_ink(self, picture: Picture, size: Size) -> Ink | None:
        """Return the ink of a picture; None if it has none. It looks the same on white and on black."""
        area = self._areas[picture.key]
        width, height = size.width, size.height
        grounds = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="{color}"/></svg>'
            for color in ("#fff", "#000")
        ]
        document = self._document([(Picture(svg, svg), picture) for svg in grounds], size, area)
        dpi = dpi_within(area, _DPI, _MOST_PIXELS)
        looks = render(document, [View("", area)] * 2, [dpi] * 2)
        red, green, blue = ImageChops.difference(*looks).split()
        opaque = ImageChops.lighter(ImageChops.lighter(red, green), blue).point(_OPAQUE, "1")
        box = opaque.getbbox()
        if box is None:
            return None
        scale = dpi / MM_PER_INCH
        return Ink(opaque.crop(box), area.x + box[0] / scale, area.y + box[1] / scale, scale)

    def _pair(self, one: _Box, other: _Box, size: Size) -> Covered | None:
        """Return the problem between a word and another word or a picture that overlaps it."""
        assert one.text is not None
        if other.picture is not None:
            if other.order < one.order or (ink := self._ink(other.picture, size)) is None:
                return None
            width, height = one.area.width, one.area.height
            least = _HIDDEN * width * height
            if ink.is_compact:
                least = min(least, _TOUCHED * min(width, height) ** 2)
            if ink.hidden(one.area) < least:
                return None
            return Covered(one.text, short(one.words), None, "", one.area)
        if one.text is other.text or _is_shadow(one, other):
            return None
        left, right = max(one.area.x, other.area.x), min(one.area.right, other.area.right)
        top, bottom = max(one.area.y, other.area.y), min(one.area.bottom, other.area.bottom)
        height = min(one.area.height, other.area.height)
        if right - left < _ACROSS * height or bottom - top < _DOWN * height:
            return None
        first, last = sorted((one, other), key=lambda box: box.order)
        assert first.text is not None
        area = Rect.union((one.area, other.area))
        return Covered(first.text, short(first.words), last.text, short(last.words), area)


def _is_readable(item: Picture | SetText) -> bool:
    return isinstance(item, SetText) and not item.decor


def _words(text: SetText, order: int) -> Iterator[_Box]:
    """Yield the boxes of a text's words and icons."""
    for run in text.runs:
        if isinstance(run, IconRun) and run.letter:
            continue
        named: Iterable[tuple[str, Rect]]
        if isinstance(run, IconRun):
            named = [(f":{run.icon}:", run.box.inset(_ICON_MARGIN * min(run.width, run.size)))]
        else:
            named = word_boxes(run)
        for words, box in named:
            area = _placed(box, text.matrix)
            if area is not None:
                yield _Box(area, order, words, text)


def _is_shadow(one: _Box, other: _Box) -> bool:
    """Return True if two words are the same one painted twice, or one is part of the other in place: a halo
    in one color, letters in several."""
    if one.words == other.words:
        return True
    part, whole = sorted((one, other), key=lambda box: len(box.words))
    high = whole.area.height
    if max(abs(part.area.height - high), abs(part.area.y - whole.area.y)) > _NEAR * high:
        return False
    letter = whole.area.width / len(whole.words)
    at = -1
    for _ in range(_OFTEN):
        at = whole.words.find(part.words, at + 1)
        if at < 0:
            break
        if abs(whole.area.x + at * letter - part.area.x) < letter:
            return True
    return False


def _placed(box: Rect, matrix: Matrix) -> Rect | None:
    """Return a box after a transform; None if that tilts it."""
    if matrix.is_identity:
        return box
    straight = abs(matrix.b) + abs(matrix.c) < 1e-6 or abs(matrix.a) + abs(matrix.d) < 1e-6
    if not straight:
        return None
    return matrix.around(box)
