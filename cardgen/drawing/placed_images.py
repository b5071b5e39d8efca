"""Images within plain pictures: where their pixels lie, as PDF operators."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.drawing.images import ImageLibrary
from cardgen.drawing.inheriting import Node
from cardgen.drawing.objects import PdfObject, reference
from cardgen.drawing.operators import Content
from cardgen.drawing.outlines import UnplainError, corners_of, length_of, written
from cardgen.geometry import Matrix, Rect
from cardgen.svg.outlines import moved, points_outline
from cardgen.svg.viewports import fit
from cardgen.units import decimal

UPRIGHT = Matrix(1, 0, 0, -1, 0, 1)
"""The unit square that PDF paints an image in, whose y runs up, to the one of `RasterImage.turn`."""


@dataclass(frozen=True, slots=True)
class _Painted:
    """An image's object by name, and what places it."""

    name: str
    width: int
    height: int
    turn: Matrix


class PlacedImages:
    """The images of pictures that are painted one after the other. Each file is read and made an object
    once, whichever of them show it, and let go of then."""

    def __init__(self, library: ImageLibrary) -> None:
        self._library = library
        self._painted: dict[tuple[str, bool], _Painted] = {}
        """By what an `href` says, which is one file among those of the library, and by smoothness."""
        self._new: list[tuple[str, bool]] = []
        self._objects: dict[str, PdfObject] = {}

    def taken(self) -> list[PdfObject]:
        """The objects made since, what they refer to first: they must be kept, for they are not made
        again."""
        objects = list(self._objects.values())
        self._new, self._objects = [], {}
        return objects

    def forget(self) -> None:
        """The objects made since are kept nowhere."""
        for key in self._new:
            del self._painted[key]
        self._new, self._objects = [], {}

    def paint(self, content: Content, node: Node, matrix: Matrix, opacity: float, places: int) -> None:
        """Paint an `<image>`, fitted into its box, lengths of the picture with so many decimals. Raises
        UnplainError for one without a size, DrawingError for one that can't be read."""
        width, height = length_of(node, "width"), length_of(node, "height")
        if width <= 0 or height <= 0:
            raise UnplainError
        smooth = node.get("image-rendering") not in ("pixelated", "crisp-edges", "optimizeSpeed")
        image = self._image(node.get_href() or "", smooth)
        box = Rect(length_of(node, "x"), length_of(node, "y"), width, height)
        rule = node.get("preserveAspectRatio")
        placed = fit(Rect(0, 0, image.width, image.height), box, rule)
        sized = Matrix(image.width, 0, 0, image.height).then(placed)
        place = UPRIGHT.then(image.turn).then(sized).then(matrix)
        name = content.name("XObject", reference(image.name).decode("ascii"))
        content.alpha(opacity, opacity)
        clip = ""
        if "slice" in (rule or ""):
            clip = f"{written(moved(points_outline(corners_of(box), True), matrix), places)} W n "
        linear = " ".join(decimal(value, 7) for value in (place.a, place.b, place.c, place.d))
        corner = f"{decimal(place.e, places + 2)} {decimal(place.f, places + 2)}"
        content.lines.append(f"q {clip}{linear} {corner} cm /{name} Do Q")

    def _image(self, href: str, smooth: bool) -> _Painted:
        painted = self._painted.get((href, smooth))
        if painted is None:
            image = self._library.find(href)
            made = image.objects(smooth)
            painted = _Painted(made[-1].name, image.width, image.height, image.turn)
            self._library.let_go(image)
            self._objects.update((obj.name, obj) for obj in made)
            self._painted[href, smooth] = painted
            self._new.append((href, smooth))
        return painted
