"""Pages of a PDF by cairo or Typst as neutral objects, named by what they contain.

Both number patterns, shadings and groups through the whole document, so the same picture would
differ from batch to batch. Resource names are therefore dealt out anew in the order of use, which also
drops what is listed and never used.
"""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf

from cardgen.core.geometry import IDENTITY, Matrix
from cardgen.pdf.images import SMOOTH, STAND_IN, UPRIGHT, ImageLibrary
from cardgen.pdf.objects import DrawingError, PdfObject, reference
from cardgen.svg.tree import MOST_TILES

_XOBJECTS = re.compile(rb"/XObject << ((?:/x\d+ \d+ 0 R ?)+) >>")
_ENTRY = re.compile(rb"/x\d+ \d+ 0 R")
_USE = re.compile(rb"/([A-Za-z0-9_.-]+) (Do|gs|scn|SCN|sh)\b")
_CATEGORIES = {
    b"Do": (b"/XObject", b"x"),
    b"gs": (b"/ExtGState", b"g"),
    b"scn": (b"/Pattern", b"p"),
    b"SCN": (b"/Pattern", b"p"),
    b"sh": (b"/Shading", b"h"),
}
_NARROWEST = 1e-5
"""What a part of a gradient takes of the whole at least."""
_WRITTEN_ANEW = {"/Filter", "/DecodeParms", "/Length", "/Resources", "/Group", "/Parent"}


@dataclass(frozen=True, slots=True)
class PageForm:
    """A page as a form: the name of its form object, and every object it needs, references first."""

    name: str
    objects: tuple[PdfObject, ...]


def without_repeats(data: bytes) -> bytes:
    """cairo 1.16 lists an XObject once per time it is painted, and libqpdf answers seven equal keys
    with an empty dictionary. Drops the repeats, padded with blanks so that offsets stay true."""

    def once(match: re.Match[bytes]) -> bytes:
        entries = b" ".join(dict.fromkeys(_ENTRY.findall(match[1])))
        return b"/XObject << " + entries.ljust(len(match[1])) + b" >>"

    return _XOBJECTS.sub(once, data)


@dataclass(frozen=True, slots=True)
class Target:
    """What a page becomes: the `width` × `height` points at its top left, stretched to `across` ×
    `down`, with y running down from 0."""

    width: float
    height: float
    across: float
    down: float


def page_forms(
    data: bytes, targets: list[Target], library: ImageLibrary, *, pixels: bool = False
) -> list[PageForm]:
    """One form for each page. With `pixels`, images may be other than stand-ins: what filters made.
    DrawingError if the PDF is not as we know it of who wrote it: never a guess."""
    with pikepdf.open(BytesIO(without_repeats(data))) as pdf:
        if len(pdf.pages) != len(targets):
            raise _unexpected(f"{len(pdf.pages)} pages instead of {len(targets)}")
        reader = _Reader(library, pixels)
        forms = [reader.page(page.obj, target) for page, target in zip(pdf.pages, targets)]
        warnings = pdf.get_warnings()
        if warnings:
            raise _unexpected(str(warnings[0]))
    return forms


def _unexpected(what: str) -> DrawingError:
    return DrawingError.of(
        "picture/pdf",
        f"the PDF of a picture is not as expected: {what}",
        "this is a defect of cardgen; please report it with what `cardgen doctor` says",
    )


class _Reader:
    def __init__(self, library: ImageLibrary, pixels: bool) -> None:
        self._library = library
        self._pixels = pixels
        self._names: dict[tuple[int, int], str] = {}  # cairo's object number to our name
        self._objects: dict[str, PdfObject] = {}
        self._used: dict[str, None] = {}

    def page(self, page: Any, target: Target) -> PageForm:
        self._used = {}
        top = float(page.MediaBox[3])
        stream, resources = self._content(page.Contents.read_bytes(), page.get("/Resources"))
        sx, sy = target.across / target.width, target.down / target.height
        head = b"<</Type/XObject/Subtype/Form/BBox[%s]/Matrix[%s]%s/Filter/FlateDecode/Length %d>>" % (
            _decimals(0, top - target.height, target.width, top),
            _decimals(sx, 0, 0, -sy, 0, sy * top),
            resources,
            len(stream),
        )
        form = PdfObject.of(head, stream)
        self._objects[form.name] = form
        return PageForm(form.name, (*(self._objects[name] for name in self._used), form))

    def _content(self, data: bytes, resources: Any) -> tuple[bytes, bytes]:
        """A content stream under new resource names, compressed, and its /Resources entry."""
        names: dict[tuple[bytes, bytes], bytes] = {}
        counts: dict[bytes, int] = {}

        def rename(match: re.Match[bytes]) -> bytes:
            category, letter = _CATEGORIES[match[2]]
            new = names.get((category, match[1]))
            if new is None:
                counts[letter] = counts.get(letter, -1) + 1
                new = names[category, match[1]] = b"%s%d" % (letter, counts[letter])
            return b"/%s %s" % (new, match[2])

        renamed = _USE.sub(rename, data)
        if resources is not None and "/Font" in resources:
            raise _unexpected("it holds text")
        groups: dict[bytes, list[bytes]] = {}
        for (category, old), new in names.items():
            listed = resources.get(category.decode()) if resources is not None else None
            key = "/" + old.decode()
            if listed is None or key not in listed:
                raise _unexpected(f"{key} is used and not listed")
            groups.setdefault(category, []).append(b"/%s %s" % (new, self._value(listed[key])))
        entry = b"/Resources<<%s>>" % b"".join(
            b"%s<<%s>>" % (category, b"".join(items)) for category, items in sorted(groups.items())
        )
        return zlib.compress(renamed, 6), entry

    def _value(self, value: Any) -> bytes:
        """A value as PDF text; an indirect object is stored and referred to."""
        if isinstance(value, pikepdf.Object) and value.is_indirect:
            return reference(self._indirect(value))
        return self._direct(value)

    def _direct(self, value: Any) -> bytes:
        if isinstance(value, pikepdf.Dictionary):
            return self._dictionary(value)
        if isinstance(value, pikepdf.Array):
            return b"[%s]" % b" ".join(self._value(item) for item in value)
        if isinstance(value, pikepdf.Object):
            return bytes(value.unparse())
        if isinstance(value, bool):
            return b"true" if value else b"false"
        if isinstance(value, Decimal):  # PDF knows no exponents (ISO 32000-1, 7.3.3)
            return f"{value:f}".encode("ascii")
        return b"null" if value is None else str(value).encode("ascii")

    def _dictionary(
        self, value: Any, extra: bytes = b"", without: frozenset[str] | set[str] = frozenset()
    ) -> bytes:
        if value.get("/FunctionType") == 3:
            _raise_bounds(value)
        items = (
            key.encode("ascii") + b" " + self._value(item)
            for key, item in sorted(value.items())
            if key not in without
        )
        return b"<<%s%s>>" % (b"".join(items), extra)

    def _indirect(self, value: Any) -> str:
        name = self._names.get(value.objgen)
        if name is None:
            name = self._names[value.objgen] = self._store(value)
        self._mark(name)
        return name

    def _mark(self, name: str) -> None:
        """Note that the current page needs the object and what is below it, references first."""
        if name not in self._used:
            for ref in self._objects[name].refs:
                self._mark(ref)
            self._used[name] = None

    def _store(self, value: Any) -> str:
        if not isinstance(value, pikepdf.Stream):
            made = [PdfObject.of(self._direct(value))]
        elif value.get("/Subtype") == "/Image":
            made = self._image(value)
        elif value.get("/Subtype") == "/Form" or value.get("/PatternType") == 1:
            made = [self._form(value)]
        else:  # functions
            stream = zlib.compress(value.read_bytes(), 6)
            extra = b"/Filter/FlateDecode/Length %d" % len(stream)
            made = [PdfObject.of(self._dictionary(value, extra, _WRITTEN_ANEW), stream)]
        for obj in made:
            self._objects[obj.name] = obj
        return made[-1].name

    def _form(self, value: Any) -> PdfObject:
        stream, resources = self._content(value.read_bytes(), value.get("/Resources"))
        extra = b"%s/Filter/FlateDecode/Length %d" % (resources, len(stream))
        if "/Group" in value:
            extra = b"/Group %s" % self._value(value.Group) + extra
        return PdfObject.of(self._dictionary(value, extra, _WRITTEN_ANEW), stream)

    def _image(self, value: Any) -> list[PdfObject]:
        raw = value.read_raw_bytes()
        note = raw[6 : 6 + len(STAND_IN)]
        if note != STAND_IN:
            if not self._pixels:
                raise _unexpected("vector art was turned into pixels")
            return [PdfObject.of(self._dictionary(value, b"/Length %d" % len(raw), {"/Length"}), raw)]
        start = 6 + len(STAND_IN)
        image = self._library.by_key(raw[start : start + 32].decode("ascii"))
        if not self._pixels:
            return image.objects(smooth=bool(value.get("/Interpolate", False)))
        made = image.objects(smooth=raw[start + 32 : start + 33] == SMOOTH)
        return made if image.turn == IDENTITY else [*made, _turned(made[-1].name, image.turn)]


def _turned(image: str, turn: Matrix) -> PdfObject:
    """A form that paints, in the unit square, an image whose pixels are stored as a camera took them."""
    matrix = UPRIGHT.then(turn).then(UPRIGHT)
    numbers = _decimals(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    stream = zlib.compress(b"%s cm /x0 Do" % numbers, 6)
    resources = b"/Resources<</XObject<</x0 %s>>>>" % reference(image)
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 1 1]%s/Filter/FlateDecode/Length %d>>"
    return PdfObject.of(head % (resources, len(stream)), stream)


def _raise_bounds(function: Any) -> None:
    """Give each part of a joined function some width. cairo gives none to a colour that changes at once,
    but bounds must rise (ISO 32000-1, 7.10.4), and readers differ in what they make of others."""
    low, high = (float(end) for end in function.Domain)
    bounds = [float(bound) for bound in function.Bounds]
    least = (high - low) * min(_NARROWEST, 0.5 / (len(bounds) + 1))
    raised = list(bounds)
    for index, bound in enumerate(bounds):
        raised[index] = max(bound, (raised[index - 1] if index else low) + least)
    for index in reversed(range(len(bounds))):
        raised[index] = min(raised[index], (raised[index + 1] if index + 1 < len(bounds) else high) - least)
    if raised != bounds:
        function.Bounds = pikepdf.Array([round(Decimal(bound), 8) for bound in raised])


def _decimals(*values: float) -> bytes:
    return " ".join(f"{value:.8f}".rstrip("0").rstrip(".") for value in values).encode("ascii")


_PATH = frozenset(("m", "l", "c", "v", "y", "re", "h"))
_FILLS = {"f": "W", "F": "W", "f*": "W*", "B": "W", "B*": "W*", "b": "W", "b*": "W*"}
_STROKES = {"B": "S", "B*": "S", "b": "s", "b*": "s"}
_PAINTING = frozenset((*_FILLS, "S", "s", "n"))
_COLORS = frozenset(("g", "rg", "k", "sc"))


def lay_tiles(pdf: pikepdf.Pdf) -> None:
    """Have every fill with a tiling pattern put its tiles."""
    patterns = [item for item in pdf.objects if _is_tile(item)]
    if not patterns:
        return
    layer = _Layer(pdf)
    for item in list(pdf.objects):
        form = isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
        if form and "/Pattern" in item.get("/Resources", {}):
            item.write(layer.laid(item, item.Resources))
    for page in pdf.pages:
        if "/Pattern" in page.obj.get("/Resources", {}):
            page.obj.Contents = pdf.make_stream(layer.laid(page.obj, page.obj.Resources))


def _is_tile(item: Any) -> bool:
    return isinstance(item, pikepdf.Stream) and item.get("/PatternType") == 1


class _Layer:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[tuple[int, int], Any] = {}

    def laid(self, content: Any, resources: Any) -> bytes:
        """A content stream with its tiles put."""
        patterns = resources.get("/Pattern", {})
        done: list[Any] = []
        path: list[Any] = []
        matrix, tile = IDENTITY, None
        kept: list[tuple[Matrix, tuple[Any, int]]] = []
        choices: dict[int, bool] = {}  # where a pattern is chosen, and whether something still shows it
        chosen = -1
        for instruction in pikepdf.parse_content_stream(content):
            name, operands = str(instruction.operator), instruction.operands
            if name in _PATH or name in ("W", "W*"):
                path.append(instruction)
                continue
            if name in _PAINTING:
                tiles = None
                if name in _FILLS and tile is not None:
                    tiles = self._tiles(path, name, matrix, patterns[tile], resources)
                if tiles is not None:
                    done += tiles
                    done += [*path, _operator(_STROKES[name])] if name in _STROKES else []
                else:
                    done += [*path, instruction]
                    if name in _FILLS and tile is not None:
                        choices[chosen] = True
                path = []
                continue
            if name == "q":
                kept.append((matrix, (tile, chosen)))
            elif name == "Q" and kept:
                matrix, (tile, chosen) = kept.pop()
            elif name == "cm":
                matrix = Matrix(*map(float, operands)).then(matrix)
            elif name == "scn":
                last = str(operands[-1])
                tile = last if last in patterns and _is_tile(patterns[last]) else None
                if tile is not None:
                    chosen = len(done)
                    choices[chosen] = False
            elif name in _COLORS:
                tile = None
            done.append(instruction)
        for place in [place for place, shown in reversed(choices.items()) if not shown]:
            del done[place]
        return pikepdf.unparse_content_stream(done)

    def _tiles(
        self, path: list[Any], name: str, matrix: Matrix, pattern: Any, resources: Any
    ) -> list[Any] | None:
        """The tiles that fill a path; None where they are too many."""
        place = Matrix(*map(float, pattern.get("/Matrix", (1, 0, 0, 1, 0, 0))))
        try:
            back = matrix.then(place.inverse())
            home = matrix.inverse()
        except ZeroDivisionError:
            return None
        corners = [back.apply(*corner) for each in path for corner in _places(each)]
        left, bottom, right, top = map(float, pattern.BBox)
        across, down = abs(float(pattern.XStep)), abs(float(pattern.YStep))
        if not corners or min(across, down) < 1e-9:
            return None
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        columns = range(math.floor((min(xs) - right) / across) + 1, math.ceil((max(xs) - left) / across))
        rows = range(math.floor((min(ys) - top) / down) + 1, math.ceil((max(ys) - bottom) / down))
        if len(columns) * len(rows) > MOST_TILES:
            return None
        form = self._form(pattern)
        if "/XObject" not in resources:
            resources.XObject = pikepdf.Dictionary()
        key = f"/t{pattern.objgen[0]}"
        resources.XObject[key] = form
        done = [_operator("q"), *path, _operator(_FILLS[name]), _operator("n"), _matrix(place.then(home))]
        for row in rows:
            for column in columns:
                move = _matrix(Matrix(e=column * across, f=row * down))
                done += [_operator("q"), move, _operator("Do", pikepdf.Name(key)), _operator("Q")]
        return [*done, _operator("Q")]

    def _form(self, pattern: Any) -> Any:
        """A tile as a form, a group as a pattern's cell is one."""
        form = self._forms.get(pattern.objgen)
        if form is None:
            form = self._pdf.make_stream(
                self.laid(pattern, pattern.get("/Resources", pikepdf.Dictionary()))
            )
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = pattern.BBox
            form.Resources = pattern.get("/Resources", pikepdf.Dictionary())
            form.Group = pikepdf.Dictionary(
                Type=pikepdf.Name.Group, S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB
            )
            self._forms[pattern.objgen] = form
        return form


def _operator(name: str, *operands: Any) -> Any:
    return pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(name))


def _matrix(matrix: Matrix) -> Any:
    values = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return _operator("cm", *(round(value, 8) for value in values))


def _places(instruction: Any) -> list[tuple[float, float]]:
    """The places that an operator of a path names, handles among them."""
    values = [float(value) for value in instruction.operands]
    if str(instruction.operator) == "re":
        x, y, width, height = values
        return [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    return list(zip(values[::2], values[1::2]))
