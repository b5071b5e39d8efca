"""Texts that something else lies on: a shape painted over them later, or another text.

Judged by boxes, those of letters and of shapes that hide what is below them; what stands askew is not
judged. The boxes of a side are gone through from left to right, in so many steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.model.artwork import Artwork, IconRun, SetText, leaves, word_boxes
from cardgen.svg.limits import short
from cardgen.svg.numbers import number
from cardgen.svg.style import INHERITED, Properties, StyleSheet
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node, parse

MOST_COMPARED = 1_000_000
"""Pairs of boxes on one side; a card has a thousand."""
_HIDDEN = 0.3
"""Part of a word that a shape must hide: thin lines strike words out."""
_ACROSS, _DOWN = 0.15, 0.35
"""Parts of the lower of two words' heights by which they must run into each other."""
_NEAR = 0.15
"""Of a word's height, by which its halo or shadow may be off."""
_OFTEN = 8
"""Places of letters in a word that are looked at."""
_ICON_MARGIN = 0.15
"""Of an icon's side, that is mostly empty."""
_SHAPES = (b"<rect", b"<circle", b"<ellipse", b"<image")
_PLAIN = StyleSheet(())


class Covered(NamedTuple):
    """Words of a text that something lies on: other words, or a shape (None); where these words are, and
    the others with them, as an upright rectangle on the side, mm."""

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


class TooManyError(Exception):
    """A side has more in one place than is compared."""


class Covers:
    """Finds what lies on texts. Remembers the shapes of pictures that several sides have."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Rect, ...]] = {}

    def find(self, artwork: Artwork) -> Iterator[Covered]:
        """Each pair once, from left to right. Raises TooManyError."""
        boxes = sorted(self._boxes(artwork), key=lambda box: box.area.x)
        said: set[tuple[int, int]] = set()
        words: list[_Box] = []
        shapes: list[_Box] = []
        steps = 0
        for box in boxes:
            words = [other for other in words if other.area.right > box.area.x]
            steps += len(words)
            found = [pair for other in words if (pair := _pair(other, box)) is not None]
            if box.text is None:
                shapes.append(box)
            else:
                shapes = [other for other in shapes if other.area.right > box.area.x]
                steps += len(shapes)
                found += [pair for other in shapes if (pair := _pair(box, other)) is not None]
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
                if item.key not in self._known:
                    self._known[item.key] = tuple(_opaque(item.svg))
                yield from (_Box(area, order) for area in self._known[item.key])


def _words(text: SetText, order: int) -> Iterator[_Box]:
    """The boxes of a text's words and icons."""
    for run in text.runs:
        if isinstance(run, IconRun) and run.letter:
            continue
        named: Iterable[tuple[str, Rect]]
        if isinstance(run, IconRun):
            whole = Rect(run.x, run.y, run.width, run.size)
            named = [(f":{run.icon}:", whole.inset(_ICON_MARGIN * min(run.width, run.size)))]
        else:
            named = word_boxes(run)
        for words, box in named:
            area = _placed(box, text.matrix)
            if area is not None:
                yield _Box(area, order, words, text)


def _pair(one: _Box, other: _Box) -> Covered | None:
    """What is wrong between a word and a word or shape."""
    assert one.text is not None
    left, right = max(one.area.x, other.area.x), min(one.area.right, other.area.right)
    top, bottom = max(one.area.y, other.area.y), min(one.area.bottom, other.area.bottom)
    if left >= right or top >= bottom:
        return None
    if other.text is None:
        hidden = (right - left) * (bottom - top)
        if other.order < one.order or hidden < _HIDDEN * one.area.width * one.area.height:
            return None
        return Covered(one.text, short(one.words), None, "", one.area)
    if one.text is other.text or _is_shadow(one, other):
        return None
    height = min(one.area.height, other.area.height)
    if right - left < _ACROSS * height or bottom - top < _DOWN * height:
        return None
    first, last = sorted((one, other), key=lambda box: box.order)
    assert first.text is not None
    left, right = min(one.area.x, other.area.x), max(one.area.right, other.area.right)
    top, bottom = min(one.area.y, other.area.y), max(one.area.bottom, other.area.bottom)
    area = Rect(left, top, right - left, bottom - top)
    return Covered(first.text, short(first.words), last.text, short(last.words), area)


def _is_shadow(one: _Box, other: _Box) -> bool:
    """Whether two words are the same one painted twice, or one is the part of the other that stands
    there: a halo in one colour, letters in several."""
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
    """A box after a transform; None if it stands askew then."""
    straight = abs(matrix.b) + abs(matrix.c) < 1e-6 or abs(matrix.a) + abs(matrix.d) < 1e-6
    if not straight:
        return None
    (x0, y0), (x1, y1) = matrix.apply(box.x, box.y), matrix.apply(box.right, box.bottom)
    return Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))


def _opaque(svg: str) -> Iterator[Rect]:
    """The boxes that a picture surely hides."""
    data = svg.encode()
    if not any(shape in data for shape in _SHAPES):
        return
    root = parse(data, bounded=False).root
    stack: list[tuple[Node, Matrix, Properties]] = [(root, IDENTITY, {"fill": "black"})]
    while stack:
        node, outer, inherited = stack.pop()
        own = _PLAIN.properties(node)
        style = inherited | own
        if node.name not in ("svg", "g", "rect", "circle", "ellipse", "image") or _see_through(own):
            continue
        if node is not root and node.name == "svg":  # fitted into its box and clipped
            continue
        try:
            matrix = transform_of(node.attrs).then(outer)
        except ValueError:
            continue
        box = _hiding(node, style)
        area = _placed(box, matrix) if box is not None and box.width > 0 and box.height > 0 else None
        if area is not None:
            yield area
        kept = {name: value for name, value in style.items() if name in INHERITED}
        stack += [(child, matrix, kept) for child in reversed(list(node.elements()))]


def _see_through(own: Properties) -> bool:
    """Whether what is below an element, or beside a part of it, shows."""
    apart = any(own.get(name, "none") != "none" for name in ("clip-path", "mask", "filter"))
    blended = own.get("mix-blend-mode", "normal") != "normal"
    return apart or blended or own.get("display") == "none" or not _is_one(own.get("opacity"))


def _is_one(value: str | None) -> bool:
    return value is None or value.strip() in ("1", "1.0", "100%")


def _hiding(node: Node, style: Properties) -> Rect | None:
    """The box that a shape hides, in its own units: of round ones, that within them."""
    if style.get("visibility", "visible") != "visible":
        return None
    if node.name == "image":  # other kinds may have holes
        whole = any(mode in node.attrs.get("preserveAspectRatio", "") for mode in ("slice", "none"))
        if not whole or not (node.href or "").lower().endswith((".jpg", ".jpeg")):
            return None
    elif not _is_solid(style):
        return None
    x, y, width, height, cx, cy, r, rx, ry = (
        number(node.attrs.get(name, "0").strip().removesuffix("px")) or 0.0
        for name in ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
    )
    if node.name in ("rect", "image"):
        round_off = (1 - math.sqrt(0.5)) * max(rx, ry)
        return Rect(x, y, width, height).inset(round_off) if 2 * round_off < min(width, height) else None
    if node.name in ("circle", "ellipse"):
        half, tall = (r, r) if node.name == "circle" else (rx, ry)
        half, tall = half * math.sqrt(0.5), tall * math.sqrt(0.5)
        return Rect(cx - half, cy - tall, 2 * half, 2 * tall)
    return None


def _is_solid(style: Properties) -> bool:
    """Whether a fill surely lets nothing through."""
    fill = style.get("fill", "black").strip().lower()
    if not _is_one(style.get("fill-opacity")) or fill in ("none", "transparent", "currentcolor"):
        return False
    if fill.startswith("#"):
        return len(fill) in (4, 7)
    return fill.isalpha() or (fill.startswith(("rgb(", "hsl(")) and "/" not in fill and fill.count(",") < 3)
