"""Things that cover others: pictures over pictures, shapes and texts over texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.art.icons import url_data
from cardgen.core.artwork import Artwork, IconRun, SetText, leaves, word_boxes
from cardgen.core.geometry import Matrix, Rect
from cardgen.core.records import dataclass
from cardgen.files.reading import PICTURE, ReadingError, read_file
from cardgen.svg.grounds import Shape, shapes, sheet_of
from cardgen.svg.outlines import Point, ViewportError, box_of, fit
from cardgen.svg.raster_files import RasterError, open_pixels, read_header, read_pixels
from cardgen.svg.tree import parse, short

if TYPE_CHECKING:
    from PIL.Image import Image


_ROWS = 5
"""Rows of places that are checked in a word."""
_MOST_COLUMNS = 40
_PIXELS = 256
"""Pixels across, or down, in which an image's transparency is checked."""
_SOLID = 128
MOST_STEPS = 2_000_000
"""Most corners of shapes that are checked for one side; later words are not checked."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """A shape, and its box."""

    area: Rect
    shape: Shape
    steps: int

    def hides(self, spot: Point) -> bool:
        return self.shape.paint_at(spot) is not None


class _Pixels:
    """An image of pixels in its box."""

    steps = 10

    def __init__(self, shape: Shape) -> None:
        self._node, self._matrix, self._clip = shape.node, shape.matrix, shape.clip
        self.area = self._matrix.around(box_of(self._node.attrs))

    @cached_property
    def _alpha(self) -> tuple[Image, Matrix] | None:
        """Return the opacity of its pixels and the map from a side to them; None if all hide or none can be
        read."""
        href = self._node.href or ""
        try:
            if href.startswith("data:"):
                data = url_data(href)
            else:
                path = href.partition("//")[0]  # without the limit of pixels after it
                data = read_file(Path(path), PICTURE, path, None)
            header = read_header(data)
            file = open_pixels(data, header)
            read_pixels(file)
        except (RasterError, ReadingError, ValueError):
            return None
        alpha = file.convert("RGBA").getchannel("A")
        alpha.thumbnail((_PIXELS, _PIXELS))
        view = Rect(0.0, 0.0, float(alpha.width), float(alpha.height))
        placed = fit(view, box_of(self._node.attrs), self._node.get("preserveAspectRatio"))
        return alpha, placed.then(self._matrix).inverse()

    def hides(self, spot: Point) -> bool:
        if self._clip is not None and not self._clip.contains(Rect(*spot, 0.0, 0.0)):
            return False
        if self._alpha is None or not self.area.contains(Rect(*spot, 0.0, 0.0)):  # sliced off
            return False
        alpha, inverse = self._alpha
        x, y = map(math.floor, inverse.apply(*spot))
        if not (0 <= x < alpha.width and 0 <= y < alpha.height):
            return False
        value = alpha.getpixel((x, y))
        return isinstance(value, (int, float)) and value >= _SOLID


class Ink:
    """The ink of a picture that hides content below it. `area` is the box of all that, None for nothing."""

    def __init__(self, svg: str) -> None:
        document = parse(svg.encode(), bounded=False)
        self._parts: list[_Outline | _Pixels] = []
        for shape in shapes(document, sheet_of(document), solid=True):
            self._parts += _parts_of(shape)
        self.area = Rect.union(part.area for part in self._parts) if self._parts else None

    @property
    def is_compact(self) -> bool:
        """Return True if it is neither a line nor much longer than high."""
        area = self.area
        return area is not None and max(area.width, area.height) <= 3 * min(area.width, area.height)

    def hidden(self, area: Rect, left: list[int]) -> float:
        """Return the area that it hides, mm². `left` is the number of allowed steps, which is reduced."""
        parts = [part for part in self._parts if part.area.overlaps(area, 0.0)]
        columns = min(_MOST_COLUMNS, max(3, round(_ROWS * area.width / area.height)))
        left[0] -= columns * _ROWS * sum(part.steps for part in parts)
        if not parts or left[0] < 0:
            return 0.0
        spots = (
            (area.x + (column + 0.5) / columns * area.width, area.y + (row + 0.5) / _ROWS * area.height)
            for column in range(columns)
            for row in range(_ROWS)
        )
        found = sum(any(part.hides(spot) for part in parts) for spot in spots)
        return found / (columns * _ROWS) * area.width * area.height


def _parts_of(shape: Shape) -> Iterator[_Outline | _Pixels]:
    if shape.node.name == "image":
        try:
            yield _Pixels(shape)
        except ViewportError:
            return
        return
    points = [point for line in shape.lines for point in line]
    if not points or (shape.fill == "none" and shape.stroke == "none"):
        return
    reach = shape.reach if shape.stroke != "none" else 0.0
    yield _Outline(Rect.around(points).inset(-reach), shape, len(points))


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
    ink: Ink | None = None


class TooManyError(Exception):
    """A side has more things in one place than are compared."""


class Covers:
    """Finds content that covers texts. Remembers the shapes of pictures that several sides have."""

    def __init__(self) -> None:
        self._known: dict[str, Ink] = {}
        self._left: list[int] = []

    def find(self, artwork: Artwork) -> Iterator[Covered]:
        """Yield each pair once, from left to right. Raises TooManyError."""
        self._left = [MOST_STEPS]
        boxes = sorted(self._boxes(artwork), key=lambda box: box.area.x)
        said: set[tuple[int, int]] = set()
        words: list[_Box] = []
        shapes: list[_Box] = []
        steps = 0
        for box in boxes:
            words = [other for other in words if other.area.right > box.area.x]
            steps += len(words)
            found = [pair for other in words if (pair := self._pair(other, box)) is not None]
            if box.text is None:
                shapes.append(box)
            else:
                shapes = [other for other in shapes if other.area.right > box.area.x]
                steps += len(shapes)
                found += [pair for other in shapes if (pair := self._pair(box, other)) is not None]
                words.append(box)
            if steps > MOST_COMPARED:
                raise TooManyError
            for pair in found:
                key = (id(pair.text), id(pair.by))
                if key not in said:
                    said.add(key)
                    yield pair

    def _boxes(self, artwork: Artwork) -> Iterator[_Box]:
        texts = 0
        for order, item in enumerate(leaves(artwork.items)):
            if isinstance(item, SetText):
                if not item.decor:
                    texts += 1
                    yield from _words(item, order)
            elif texts:
                ink = self._known.get(item.key)
                if ink is None:
                    ink = self._known[item.key] = Ink(item.svg)
                if ink.area is not None:
                    yield _Box(ink.area, order, ink=ink)

    def _pair(self, one: _Box, other: _Box) -> Covered | None:
        """Return the problem between a word and another word or shape."""
        assert one.text is not None
        left, right = max(one.area.x, other.area.x), min(one.area.right, other.area.right)
        top, bottom = max(one.area.y, other.area.y), min(one.area.bottom, other.area.bottom)
        if left >= right or top >= bottom:
            return None
        if other.ink is not None:
            if other.order < one.order:
                return None
            width, height = one.area.width, one.area.height
            least = _HIDDEN * width * height
            if other.ink.is_compact:
                least = min(least, _TOUCHED * min(width, height) ** 2)
            if other.ink.hidden(one.area, self._left) < least:
                return None
            return Covered(one.text, short(one.words), None, "", one.area)
        if one.text is other.text or _is_shadow(one, other):
            return None
        height = min(one.area.height, other.area.height)
        if right - left < _ACROSS * height or bottom - top < _DOWN * height:
            return None
        first, last = sorted((one, other), key=lambda box: box.order)
        assert first.text is not None
        area = Rect.union((one.area, other.area))
        return Covered(first.text, short(first.words), last.text, short(last.words), area)


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
    straight = abs(matrix.b) + abs(matrix.c) < 1e-6 or abs(matrix.a) + abs(matrix.d) < 1e-6
    if not straight:
        return None
    return matrix.around(box)
