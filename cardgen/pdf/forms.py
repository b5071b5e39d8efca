"""Pages of a PDF by CairoSVG or Typst as neutral objects, named by what they contain.

Streams are taken over byte by byte. Objects are named by their content, so that a picture has the same
bytes beside any other drawing. Profiles of sRGB and of its grays become DeviceRGB and DeviceGray, as
in all that we write.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf

from cardgen.core.geometry import IDENTITY, Matrix
from cardgen.core.records import dataclass
from cardgen.pdf.images import SMOOTH, STAND_IN, UPRIGHT, ImageLibrary
from cardgen.pdf.objects import DrawingError, PdfObject, reference
from cardgen.svg.tree import MOST_TILES

_NARROWEST = 1e-5
"""The least share of a gradient that a part takes."""
_DROPPED = frozenset(("/Length", "/Parent", "/ProcSet"))
_DEVICE = {1: b"/DeviceGray", 3: b"/DeviceRGB"}


@dataclass(frozen=True, slots=True)
class PageForm:
    """A page as a form: the name of its form object, and every object it needs, references first."""

    name: str
    objects: tuple[PdfObject, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """The form a page becomes: the `width` × `height` points at its top left, stretched to `across` ×
    `down`, with y running down from 0."""

    width: float
    height: float
    across: float
    down: float


def page_forms(data: bytes, targets: Sequence[Target], library: ImageLibrary) -> list[PageForm]:
    """Return one form for each page, with images of the library for their stand-ins. Raises DrawingError
    if the PDF is not as we know it of who wrote it: never a guess."""
    with pikepdf.open(BytesIO(data)) as pdf:
        if len(pdf.pages) != len(targets):
            raise _unexpected(f"{len(pdf.pages)} pages instead of {len(targets)}")
        lay_tiles(pdf)
        reader = _Reader(library)
        forms = [reader.page(page.obj, target) for page, target in zip(pdf.pages, targets)]
        warnings = pdf.get_warnings()
        if warnings:
            raise _unexpected(str(warnings[0]))
    return forms


def _unexpected(what: str) -> DrawingError:
    return DrawingError.of(
        "picture/pdf",
        f"the PDF of a picture is not as expected: {what}",
        "report this bug of cardgen with the output of: cardgen doctor",
    )


class _Reader:
    def __init__(self, library: ImageLibrary) -> None:
        self._library = library
        self._names: dict[tuple[int, int], str] = {}  # the PDF's object number to our name
        self._objects: dict[str, PdfObject] = {}
        self._used: dict[str, None] = {}

    def page(self, page: Any, target: Target) -> PageForm:
        self._used = {}
        top = float(page.MediaBox[3])
        sx, sy = target.across / target.width, target.down / target.height
        form = self._stream(
            page.Contents,
            b"/Type/XObject/Subtype/Form/BBox[%s]/Matrix[%s]/Resources%s"
            % (
                _decimals(0, top - target.height, target.width, top),
                _decimals(sx, 0, 0, -sy, 0, sy * top),
                self._direct(page.get("/Resources", pikepdf.Dictionary())),
            ),
        )
        self._objects[form.name] = form
        return PageForm(form.name, (*(self._objects[name] for name in self._used), form))

    def _value(self, value: Any) -> bytes:
        """Return a value as PDF text; an indirect object is stored and referred to."""
        if isinstance(value, pikepdf.Array) and len(value) == 2 and value[0] == "/ICCBased":
            return _DEVICE[int(value[1].N)]
        if isinstance(value, pikepdf.Object) and value.is_indirect:
            return reference(self._indirect(value))
        return self._direct(value)

    def _direct(self, value: Any) -> bytes:
        if isinstance(value, pikepdf.Dictionary):
            return b"<<%s>>" % self._entries(value)
        if isinstance(value, pikepdf.Array):
            return b"[%s]" % b" ".join(self._value(item) for item in value)
        if isinstance(value, pikepdf.Object):
            return bytes(value.unparse())
        if isinstance(value, bool):
            return b"true" if value else b"false"
        if isinstance(value, Decimal):  # PDF knows no exponents (ISO 32000-1, 7.3.3)
            return f"{value:f}".encode("ascii")
        return b"null" if value is None else str(value).encode("ascii")

    def _entries(self, value: Any) -> bytes:
        """Return the entries of a dictionary. Resources are written where they are used, also where
        several streams share them."""
        if value.get("/FunctionType") == 3:
            _raise_bounds(value)
        return b"".join(
            key.encode("ascii") + b" " + (self._direct(item) if key == "/Resources" else self._value(item))
            for key, item in sorted(value.items())
            if key not in _DROPPED
        )

    def _stream(self, value: Any, more: bytes = b"") -> PdfObject:
        """Return a stream as it is, with `more` entries."""
        if "/Filter" in value:
            data = value.read_raw_bytes()
        else:
            data = zlib.compress(value.read_bytes(), 6)
            more += b"/Filter/FlateDecode"
        entries = self._entries(value) + more
        return PdfObject.of(b"<<%s/Length %d>>" % (entries, len(data)), data)

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
        else:
            made = [self._stream(value)]
        for obj in made:
            self._objects[obj.name] = obj
        return made[-1].name

    def _image(self, value: Any) -> list[PdfObject]:
        """Return an image of the library for its stand-in; as it is, what a filter made."""
        raw = value.read_raw_bytes()
        key = 6 + len(STAND_IN)
        if raw[6:key] != STAND_IN:
            return [self._stream(value)]
        image = self._library.by_key(raw[key : key + 32].decode("ascii"))
        made = image.objects(smooth=raw[key + 32 : key + 33] == SMOOTH)
        return made if image.turn == IDENTITY else [*made, _turned(made[-1].name, image.turn)]


def _turned(image: str, turn: Matrix) -> PdfObject:
    """Return a form that paints, in the unit square, an image whose pixels are stored as a camera took
    them."""
    matrix = UPRIGHT.then(turn).then(UPRIGHT)
    numbers = _decimals(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    stream = zlib.compress(b"%s cm /x0 Do" % numbers, 6)
    resources = b"/Resources<</XObject<</x0 %s>>>>" % reference(image)
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 1 1]%s/Filter/FlateDecode/Length %d>>"
    return PdfObject.of(head % (resources, len(stream)), stream)


def _raise_bounds(function: Any) -> None:
    """Give each part of a joined function some width. cairo gives none to a color that changes at once,
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
            item.write(layer.laid(item, item))
    for page in pdf.pages:
        if "/Pattern" in page.obj.get("/Resources", {}):
            page.obj.Contents = pdf.make_stream(layer.laid(page.obj, page.obj))
    for item in patterns:  # those of lines: readers round a tile up to whole pixels, for a billionth more
        item.Matrix = [round(float(value), 5) for value in item.get("/Matrix", (1, 0, 0, 1, 0, 0))]


def _is_tile(item: Any) -> bool:
    return isinstance(item, pikepdf.Stream) and item.get("/PatternType") == 1


class _Layer:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[tuple[int, int], Any] = {}

    def laid(self, content: Any, owner: Any) -> bytes:
        """Return a content stream with its tiles put, and its owner's resources without patterns that
        are put."""
        resources = pikepdf.Dictionary(dict(owner.get("/Resources", {}).items()))
        patterns = pikepdf.Dictionary(dict(resources.get("/Pattern", {}).items()))
        resources.XObject = pikepdf.Dictionary(dict(resources.get("/XObject", {}).items()))
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
        named = {str(operand) for instruction in done for operand in instruction.operands}
        for key in set(patterns.keys()) - named:
            del patterns[key]
        resources.Pattern = patterns
        owner.Resources = resources
        return pikepdf.unparse_content_stream(done)

    def _tiles(
        self, path: list[Any], name: str, matrix: Matrix, pattern: Any, resources: Any
    ) -> list[Any] | None:
        """Return the tiles that fill a path; None if they are too many."""
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
        key = f"/t{pattern.objgen[0]}"
        resources.XObject[key] = form
        done = [_operator("q"), *path, _operator(_FILLS[name]), _operator("n"), _matrix(place.then(home))]
        for row in rows:
            for column in columns:
                move = _matrix(Matrix(e=column * across, f=row * down))
                done += [_operator("q"), move, _operator("Do", pikepdf.Name(key)), _operator("Q")]
        return [*done, _operator("Q")]

    def _form(self, pattern: Any) -> Any:
        """Return a tile as a form, a group as a pattern's cell is one."""
        form = self._forms.get(pattern.objgen)
        if form is None:
            form = self._pdf.make_stream(self.laid(pattern, pattern))
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
    """Return the places that an operator of a path names, handles among them."""
    values = [float(value) for value in instruction.operands]
    if str(instruction.operator) == "re":
        x, y, width, height = values
        return [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    return list(zip(values[::2], values[1::2]))
