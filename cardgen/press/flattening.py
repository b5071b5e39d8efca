"""A PDF in RGB without anything see-through, as PDF/X-1a asks (ISO 15930-4).

What is see-through gives way to a picture of what it makes of all that lies below it, where it changes
that and nowhere else. All else stays what it was: what is painted before shows around the picture, what
is painted after lies on it. A see-through text on one colour stays text, in the colour that comes of it.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from cardgen.geometry import Matrix
from cardgen.press.inline import lift_images
from cardgen.press.painting import Text, Unit, colors_in, names_see_through, object_is_see_through, units_of
from cardgen.press.spots import SpotInk, SpotInks
from cardgen.units import MM_PER_INCH, MM_PER_PT

DPI = 450
"""Pixels an inch of pictures that stand for what is see-through."""
MOST = 200
"""See-through parts of a side that do not follow one another at once, each of which is looked at."""
MOST_PIXELS = 60_000_000
"""Pixels a side; one that has more at `DPI`, larger than 44 cm square, has fewer an inch."""
_BAND = 4_000_000
"""Pixels that are looked at at a time."""
_ONE_AT_A_TIME = Lock()
"""pdfium has state of its own."""
_PLAIN = "/cg-plain"


class SeeThroughSpotError(ValueError):
    """Something in a spot colour, or upon it, is see-through, whose picture would be of the four inks."""


class SeeThroughError(ValueError):
    """A side has more see-through parts than can be looked at one by one."""


Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Group:
    """What one picture stands for: the instructions from `start` to before `end`. `matrix` is that of
    `Unit`."""

    start: int
    end: int
    matrix: Matrix
    text: Text | None


def flatten(pdf: pikepdf.Pdf, spots: Sequence[SpotInk] = ()) -> None:
    """Take everything see-through out of a PDF, in place. Sides lie on white paper. Raises
    SeeThroughError, and SeeThroughSpotError for what is painted in the colours of `spots` or upon them."""
    inks = SpotInks(spots)
    done: set[tuple[int, int]] = set()
    for page in pdf.pages:
        lift_images(page, pdf)
        holder = page.obj
        if "/Resources" not in holder:
            continue
        shown: Any = holder.Resources.get("/XObject") or {}
        for unit in units_of(pikepdf.parse_content_stream(page), holder.Resources):
            if unit.shows is None or shown[unit.shows].get("/Subtype") != "/Form":
                continue
            form = shown[unit.shows]
            if form.objgen not in done and object_is_see_through(form):
                done.add(form.objgen)
                across = Matrix(*(float(value) for value in form.get("/Matrix", [1, 0, 0, 1, 0, 0])))
                matrix = across.then(unit.matrix)
                _Flattening(pdf, form, form, form.BBox, MM_PER_PT * _scale(matrix)).run(inks)
        _Flattening(pdf, page, holder, page.mediabox, MM_PER_PT).run(inks)
    for page in pdf.pages:
        _opaque(page.obj, set())


class _Flattening:
    """A stream on its way. `shown` is what is read and written, a page or a form, `unit` how many mm a unit
    of its space is."""

    def __init__(self, pdf: pikepdf.Pdf, shown: Any, holder: Any, box: Any, unit: float) -> None:
        self._pdf, self._shown, self._holder = pdf, shown, holder
        self._instructions = list(pikepdf.parse_content_stream(shown))
        self._box = [float(value) for value in box]
        left, bottom, right, top = self._box
        least = (abs((right - left) * (top - bottom)) / MOST_PIXELS) ** 0.5
        self._per_pixel = max(MM_PER_INCH / DPI / unit, least)
        """Units a pixel."""

    def run(self, spots: SpotInks) -> None:
        units = units_of(self._instructions, self._holder.Resources)
        groups = _groups(units)
        if not groups:
            return
        self._must_have_none_of(spots, units)
        resources = self._holder.Resources = pikepdf.Dictionary(self._holder.Resources)
        for kind in ("/XObject", "/ExtGState"):
            inner: Any = resources.get(kind) or {}
            resources[kind] = pikepdf.Dictionary(inner)
        resources.ExtGState[_PLAIN] = pikepdf.Dictionary(
            ca=1, CA=1, BM=pikepdf.Name.Normal, SMask=pikepdf.Name("/None")
        )
        with _ONE_AT_A_TIME:
            instead = list(self._pictures(groups, spots))
        out: list[Any] = []
        at = 0
        for group, those in zip(groups, instead):
            out += [*self._instructions[at : group.start], *those]
            at = group.end
        out += self._instructions[at:]
        out = [each for each in out if not names_see_through(each, resources)]
        written = pikepdf.unparse_content_stream(out)
        if isinstance(self._shown, pikepdf.Page):
            self._holder.Contents = self._pdf.make_stream(written)
        else:
            self._shown.write(written)
        _prune(resources, out)
        _opaque(self._holder, set())

    def _must_have_none_of(self, spots: SpotInks, units: Sequence[Unit]) -> None:
        objects = self._holder.Resources.get("/XObject", pikepdf.Dictionary())
        for unit in units:
            if unit.see_through and any(spots):
                inner = () if unit.shows is None else colors_in(objects[unit.shows])
                for color in (*unit.colors, *inner):
                    if (spot := spots.of(color)) is not None:
                        raise SeeThroughSpotError(
                            f"something in the spot colour '{spot.name}' is see-through"
                        )

    def _pictures(self, groups: Sequence[_Group], spots: SpotInks) -> Iterator[list[Any]]:
        """What is painted instead of each group."""
        bands = list(self._bands())
        document = self._before_and_after(groups, bands)
        with pypdfium2.PdfDocument(document) as pdf:
            for number, group in enumerate(groups):
                start = 2 * number * len(bands)
                yield self._instead(group, bands, pdf, start, spots)

    def _bands(self) -> Iterator[tuple[list[float], tuple[int, int]]]:
        """Rectangles from the top of the side to its bottom, each with its pixels."""
        left, bottom, right, top = self._box
        width = max(1, ceil((right - left) / self._per_pixel - 1e-6))
        left_over = max(1, ceil((top - bottom) / self._per_pixel - 1e-6))
        most = max(16, _BAND // width)
        while left_over:
            rows = min(most, left_over)
            low = top - rows * self._per_pixel
            yield [left, low, left + width * self._per_pixel, top], (width, rows)
            top, left_over = low, left_over - rows

    def _before_and_after(
        self, groups: Sequence[_Group], bands: Sequence[tuple[list[float], tuple[int, int]]]
    ) -> bytes:
        """A PDF with the side as it is before each group and with it, a page a band."""
        out = pikepdf.new()
        resources = out.copy_foreign(self._pdf.make_indirect(self._holder.Resources))
        for group in groups:
            for end in (group.start, group.end):
                shown = [*self._instructions[:end], *_ends(self._instructions[:end])]
                content = out.make_stream(pikepdf.unparse_content_stream(shown))
                for box, _ in bands:
                    page = pikepdf.Dictionary(
                        Type=pikepdf.Name.Page, MediaBox=box, Resources=resources, Contents=content
                    )
                    out.pages.append(pikepdf.Page(out.make_indirect(page)))
        written = BytesIO()
        out.save(written)
        return written.getvalue()

    def _instead(
        self, group: _Group, bands: Sequence[Any], pdf: Any, start: int, spots: SpotInks
    ) -> list[Any]:
        changed: list[tuple[list[float], Pixels, Any]] = []
        grounds: set[tuple[int, ...] | None] = set()
        for number, (box, size) in enumerate(bands):
            before = _pixels(pdf, start + number, size)
            after = _pixels(pdf, start + len(bands) + number, size)
            red, green, blue = np.moveaxis(before != after, 2, 0)
            where = red | green | blue
            if not where.any():
                continue
            ground = _one_color(before, where) if group.text is not None else None
            grounds.add(ground)
            for spot in spots:
                if _shows(before, where, spot.shows):
                    message = f"something see-through lies on the spot colour '{spot.name}'"
                    raise SeeThroughSpotError(message)
            changed.append((box, after, where))
        ground = next(iter(grounds)) if len(grounds) == 1 else None
        if group.text is not None and ground is not None:
            return self._text(group, group.text, ground)
        out: list[Any] = []
        for box, after, where in changed:
            out += self._picture(group.matrix, box, after, where)
        return out

    def _picture(self, matrix: Matrix, box: Sequence[float], after: Pixels, where: Any) -> list[Any]:
        """The instructions that paint those pixels of a band that changed."""
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
        mask = where[top:bottom, left:right]
        pixels = np.where(mask[..., None], after[top:bottom, left:right], 255).astype(np.uint8)
        image = self._image(pixels, "/DeviceRGB", 8)
        if not mask.all():
            stencil = self._image(np.packbits(~mask, axis=1), None, 1, mask.shape)
            stencil.ImageMask = True
            image.Mask = self._pdf.make_indirect(stencil)
        objects = self._holder.Resources.XObject
        name = next(name for n in range(len(objects) + 1) if (name := f"/flat{n}") not in objects)
        objects[name] = self._pdf.make_indirect(image)
        size = self._per_pixel
        place = Matrix(
            *((right - left) * size, 0, 0, (bottom - top) * size),
            *(box[0] + left * size, box[3] - bottom * size),
        ).then(matrix.inverse())
        values = [round(float(v), 6) for v in (place.a, place.b, place.c, place.d, place.e, place.f)]
        return [
            _instruction("q"),
            _instruction("gs", pikepdf.Name(_PLAIN)),
            _instruction("cm", *values),
            _instruction("Do", pikepdf.Name(name)),
            _instruction("Q"),
        ]

    def _image(
        self, data: Pixels, space: str | None, bits: int, shape: tuple[int, ...] | None = None
    ) -> pikepdf.Stream:
        height, width = (shape or data.shape)[:2]
        image = pikepdf.Stream(self._pdf, b"")
        image.write(zlib.compress(data.tobytes(), 6), filter=pikepdf.Name.FlateDecode)
        image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
        image.Width, image.Height, image.BitsPerComponent = int(width), int(height), bits
        if space is not None:
            image.ColorSpace = pikepdf.Name(space)
        return image

    def _text(self, group: _Group, text: Text, ground: Sequence[int]) -> list[Any]:
        """A text in the colours that come of it on one ground."""

        def mixed(values: Sequence[float], name: str) -> Any:
            color = [*values] * 3 if name == "g" else [*values]
            shares = [round(text.alpha * c + (1 - text.alpha) * g / 255, 4) for c, g in zip(color, ground)]
            return _instruction("rg", *shares)

        out = [_instruction("gs", pikepdf.Name(_PLAIN)), mixed(*text.color)]
        values, name = text.color
        for each in self._instructions[group.start : group.end]:
            if str(each.operator) in ("g", "rg"):
                values, name = [float(value) for value in each.operands], str(each.operator)
                out.append(mixed(values, name))
            else:
                out.append(each)
        return [*out, _instruction(name, *values)]


def _groups(units: Sequence[Unit]) -> list[_Group]:
    """What is see-through, what follows at once in one group; texts by themselves."""
    found: list[_Group] = []
    for unit in units:
        if not unit.see_through:
            continue
        last = found[-1] if found else None
        if last is not None and last.end == unit.start and last.text is None and unit.text is None:
            found[-1] = _Group(last.start, unit.end, unit.matrix, None)
        else:
            found.append(_Group(unit.start, unit.end, unit.matrix, unit.text))
    if len(found) > MOST:
        raise SeeThroughError(f"a side has {len(found)} see-through parts among others")
    return found


def _instruction(name: str, *operands: Any) -> Any:
    return pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(name))


def _ends(instructions: Sequence[Any]) -> list[Any]:
    names = [str(each.operator) for each in instructions]
    return [_instruction("Q")] * (names.count("q") - names.count("Q"))


def _pixels(pdf: Any, number: int, size: tuple[int, int]) -> Pixels:
    """A page on white, in so many pixels: red, green and blue."""
    width, height = size
    data = bytearray(b"\xff" * (3 * width * height))
    shared = (ctypes.c_ubyte * len(data)).from_buffer(data)
    page = pdf[number]
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, shared, 3 * width)
    try:
        flags = pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, width, height, 0, flags)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
        page.close()
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def _one_color(pixels: Pixels, where: Any) -> tuple[int, ...] | None:
    """The colour of these pixels, None if they have several."""
    color = tuple(pixels[tuple(np.argwhere(where)[0])].tolist())
    return None if (where & ~_in_color(pixels, color)).any() else color


def _shows(pixels: Pixels, where: Any, color: Sequence[int]) -> bool:
    return bool((where & _in_color(pixels, color)).any())


def _in_color(pixels: Pixels, color: Sequence[int]) -> Any:
    red, green, blue = np.moveaxis(pixels, 2, 0)
    return (red == color[0]) & (green == color[1]) & (blue == color[2])


def _scale(matrix: Matrix) -> float:
    return float(abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5)


def _prune(resources: Any, instructions: Sequence[Any]) -> None:
    """Leave out what a stream does not name any more."""
    names = ("Do", "gs", "scn", "SCN")
    named = {str(each.operands[-1]) for each in instructions if str(each.operator) in names}
    for kind in {"/XObject", "/ExtGState", "/Pattern"} & set(resources.keys()):
        for name in set(resources[kind].keys()) - named:
            del resources[kind][name]


def _opaque(holder: Any, done: set[tuple[int, int]]) -> None:
    """Take what says how to mix out of a page or form where nothing is mixed, and out of all in it."""
    if holder.get("/Group", {}).get("/S") == "/Transparency":
        del holder["/Group"]
    resources = holder.get("/Resources", pikepdf.Dictionary())
    for state in (resources.get("/ExtGState") or {}).values():
        for key in {"/ca", "/CA", "/BM", "/SMask", "/AIS", "/TK"} & set(state.keys()):
            del state[key]
    inner = [*(resources.get("/XObject") or {}).values(), *(resources.get("/Pattern") or {}).values()]
    for each in inner:
        is_new = not each.is_indirect or each.objgen not in done
        if is_new and (each.get("/Subtype") == "/Form" or each.get("/PatternType") == 1):
            done.add(each.objgen)
            _opaque(each, done)
