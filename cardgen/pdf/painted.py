"""Count everything that a PDF of any program paints: text and its size, lines, inks, images, overprint.

The file may be hostile: forms are looked at once for each size that they are shown in, and streams,
instructions and nesting are bounded.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from math import hypot
from typing import Any

import pikepdf

from cardgen.core.geometry import Matrix
from cardgen.core.records import dataclass, field, replace

SMALL_TEXT = 9.0
"""pt below which text of many inks gets colored edges where plates are off."""
MANY_INKS = 3
LARGE_TEXT = 36.0
"""pt from which letters are areas, as our own are."""
THIN_LINE = 0.25
"""pt below which presses may lose lines."""
MOST_INSTRUCTIONS = 4_000_000
MOST_STREAM = 16 * 1024 * 1024
"""Bytes of a content stream as they are parsed."""
_DEPTH, _PARENTS = 24, 100
"""Forms within forms, and parents that a page may inherit from."""
_EXPANDING = frozenset(("/LZWDecode", "/RunLengthDecode"))
LEAST_INK = 0.005
"""Shares of an ink below this print nothing."""

Model = str
"""gray, rgb, cmyk, lab, spot, pattern or unknown."""


class LimitError(ValueError):
    """A file has more than a reader looks at."""


@dataclass(frozen=True, slots=True)
class Space:
    """A color space: its name in reports, its model, and the names of its inks beside the four."""

    name: str
    model: Model
    spots: tuple[str, ...] = ()


GRAY = Space("DeviceGray", "gray")
RGB = Space("DeviceRGB", "rgb")
CMYK = Space("DeviceCMYK", "cmyk")
PATTERN = Space("Pattern", "pattern")
UNKNOWN = Space("unknown", "unknown")
_NAMED = {
    **dict.fromkeys(("/DeviceGray", "/G", "/CalGray"), GRAY),
    **dict.fromkeys(("/DeviceRGB", "/RGB"), RGB),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK", "/CalCMYK"), CMYK),
    "/Pattern": PATTERN,
}
_OF_ICC = {1: Space("ICC gray", "gray"), 3: Space("ICC RGB", "rgb"), 4: Space("ICC CMYK", "cmyk")}
_FAMILIES = {
    "/CalRGB": Space("CalRGB", "rgb"),
    "/CalGray": Space("CalGray", "gray"),
    "/Lab": Space("Lab", "lab"),
}


@dataclass(frozen=True, slots=True)
class Paint:
    """A chosen color; `pattern` is the object of a pattern."""

    space: Space = GRAY
    values: tuple[float, ...] = (0.0,)

    @property
    def inks(self) -> int:
        """Return how many inks print it, as far as the file says so: colors of light have none."""
        if self.space.model == "gray":
            return int(self.values[:1] < (1 - LEAST_INK,))
        if self.space.model in ("cmyk", "spot"):
            return sum(value > LEAST_INK for value in self.values)
        return 0

    @property
    def is_black(self) -> bool:
        """Return True for solid black ink alone."""
        return self.space.model == "cmyk" and self.inks == 1 and self.values[3:] >= (1 - LEAST_INK,)


@dataclass(slots=True)
class Tally:
    """The paint of a page, or of a form as large as it is shown. Sizes and weights are in pt."""

    colors: Counter[Space] = field(default_factory=Counter)
    """Painted objects by their color space."""
    counts: Counter[str] = field(default_factory=Counter)
    """text, small text of many inks, black text, black text over, white over, lines, thin lines, images,
    broken streams."""
    least: dict[str, float] = field(default_factory=dict)
    """The least of: text, small text, line, dpi, line art dpi."""
    transparent: set[str] = field(default_factory=set)
    fonts: dict[tuple[int, int], Any] = field(default_factory=dict)

    def lower(self, name: str, value: float) -> None:
        self.least[name] = min(value, self.least.get(name, value))

    def add(self, other: Tally) -> None:
        self.colors.update(other.colors)
        self.counts.update(other.counts)
        for name, value in other.least.items():
            self.lower(name, value)
        self.transparent |= other.transparent
        self.fonts |= other.fonts


@dataclass(slots=True)
class _State:
    matrix: Matrix
    fill: Paint = field(default_factory=Paint)
    line: Paint = field(default_factory=Paint)
    fill_pattern: Any = None
    line_pattern: Any = None
    width: float = 1.0
    font: Any = None
    size: float = 0.0
    mode: int = 0
    over_fill: bool = False
    over_line: bool = False
    over_mode: int = 0
    veils: frozenset[str] = frozenset()

    @property
    def scale(self) -> float:
        return _scale(self.matrix)

    def key(self) -> tuple[Any, ...]:
        """Return what the tally of a form depends on."""
        over = (self.over_fill, self.over_line, self.over_mode)
        return (f"{self.scale:.3g}", self.fill, self.line, f"{self.width:.3g}", over, self.veils)


class Reader:
    """Reads the pages of one document."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._known: dict[tuple[Any, ...], Tally] = {}
        self._open: set[tuple[int, int]] = set()
        self._left = MOST_INSTRUCTIONS

    def page(self, page: pikepdf.Page) -> Tally:
        """Return what a page paints. Raises LimitError."""
        unit = _number(page.obj.get("/UserUnit", 1), 1.0)
        found = Tally()
        holder: Any = page.obj
        if holder.get("/Group", {}).get("/S") == "/Transparency":
            found.transparent.add("a group")
        contents = page.obj.get("/Contents")
        streams = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
        data = b"\n".join(decoded(each) for each in streams if isinstance(each, pikepdf.Stream))
        resources = _resources_of(page.obj)
        self._run(data, resources, _State(Matrix(unit, 0, 0, unit, 0, 0)), found, 0)
        return found

    def _run(self, data: bytes, resources: Any, state: _State, found: Tally, depth: int) -> None:
        if depth > _DEPTH:
            raise LimitError(f"forms nested more than {_DEPTH} deep")
        if len(data) > MOST_STREAM:
            raise LimitError(f"a content stream of {len(data) / 1e6:.0f} MB")
        try:
            instructions = pikepdf.parse_content_stream(pikepdf.Stream(self._pdf, data))
        except pikepdf.PdfError:
            found.counts["broken streams"] += 1
            return
        self._left -= len(instructions)
        if self._left < 0:
            raise LimitError(f"more than {MOST_INSTRUCTIONS:,} instructions")
        _Run(self, resources, state, found, depth).all(instructions)

    def form(self, form: Any, resources: Any, state: _State, found: Tally, depth: int) -> None:
        """Add what a form or the cell of a pattern paints, shown in a state."""
        own = form.objgen
        if own in self._open:  # a form that shows itself
            found.counts["broken streams"] += 1
            return
        if form.get("/Group", {}).get("/S") == "/Transparency":
            found.transparent.add("a group")
        inner = replace(state, matrix=_matrix(form.get("/Matrix")).then(state.matrix))
        key = (own, *inner.key())
        tally = self._known.get(key) if own != (0, 0) else None
        if tally is None:
            tally = self._known[key] = Tally()
            self._open.add(own)
            try:
                self._run(decoded(form), form.get("/Resources", resources), inner, tally, depth + 1)
            finally:
                self._open.discard(own)
        found.add(tally)


class _Run:
    """One content stream, instruction by instruction."""

    def __init__(self, reader: Reader, resources: Any, state: _State, found: Tally, depth: int) -> None:
        self._reader, self._resources, self._found, self._depth = reader, resources, found, depth
        self.state, self._kept = state, list[_State]()
        self._text = self._text_line = Matrix()
        self._rects: list[tuple[float, float]] | None = []
        """The sides of rectangles, in pt, of a path of nothing else."""

    def all(self, instructions: Iterable[Any]) -> None:
        for each in instructions:
            name = str(each.operator)
            act = _ACTIONS.get(name)
            try:
                if act is not None:
                    act(self, list(each.operands), name)
                elif name == "INLINE IMAGE":
                    self._image(each.iimage.obj)
            except (IndexError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
                if isinstance(error, LimitError):
                    raise
                self._found.counts["broken streams"] += 1  # wrong operands, which readers skip

    # ------------------------------------------------------------ state

    def save(self, operands: list[Any], name: str) -> None:
        if len(self._kept) > 1000:
            raise LimitError("graphics states nested more than 1000 deep")
        self._kept.append(replace(self.state))

    def restore(self, operands: list[Any], name: str) -> None:
        if self._kept:
            self.state = self._kept.pop()

    def concat(self, operands: list[Any], name: str) -> None:
        self.state.matrix = Matrix(*_floats(operands, 6)).then(self.state.matrix)

    def width(self, operands: list[Any], name: str) -> None:
        (self.state.width,) = _floats(operands, 1)

    def graphics(self, operands: list[Any], name: str) -> None:
        """`gs`: only what print depends on."""
        values = self._resource("/ExtGState", operands[0])
        state = self.state
        veils = set(state.veils)
        for key, word in (("/ca", "opacity"), ("/CA", "opacity")):
            if key in values:
                veils = veils - {f"{word} {key}"} | ({f"{word} {key}"} if float(values[key]) < 1 else set())
        if "/BM" in values:
            plain = str(values["/BM"]) in ("/Normal", "/Compatible")
            veils = veils - {"a blend mode"} if plain else veils | {"a blend mode"}
        if "/SMask" in values:
            masked = isinstance(values["/SMask"], pikepdf.Dictionary)
            veils = veils | {"a soft mask"} if masked else veils - {"a soft mask"}
        state.veils = frozenset(veils)
        if "/OP" in values:
            state.over_line = bool(values["/OP"])
            state.over_fill = bool(values.get("/op", values["/OP"]))
        elif "/op" in values:
            state.over_fill = bool(values["/op"])
        state.over_mode = int(values.get("/OPM", state.over_mode))
        state.width = float(values.get("/LW", state.width))

    # ------------------------------------------------------------ color

    def device(self, operands: list[Any], name: str) -> None:
        space = {"g": GRAY, "rg": RGB, "k": CMYK}[name.lower()]
        self._choose(Paint(space, _floats(operands, {"g": 1, "rg": 3, "k": 4}[name.lower()])), None, name)

    def space(self, operands: list[Any], name: str) -> None:
        space = self._space(operands[0])
        starts = {"cmyk": (0.0, 0.0, 0.0, 1.0), "spot": (1.0,) * max(1, len(space.spots)), "gray": (0.0,)}
        self._choose(Paint(space, starts.get(space.model, (0.0, 0.0, 0.0))), None, name)

    def color(self, operands: list[Any], name: str) -> None:
        chosen = self.state.line if name.isupper() else self.state.fill
        pattern = None
        if operands and isinstance(operands[-1], pikepdf.Name):
            pattern = self._resource("/Pattern", operands.pop())
        values = tuple(float(value) for value in operands)
        self._choose(replace(chosen, values=values), pattern, name)

    def _choose(self, paint: Paint, pattern: Any, name: str) -> None:
        if name.isupper():
            self.state.line, self.state.line_pattern = paint, pattern
        else:
            self.state.fill, self.state.fill_pattern = paint, pattern

    def _space(self, name: Any) -> Space:
        return space_of(name, self._resources)

    def _resource(self, kind: str, name: Any) -> Any:
        return self._resources[kind][str(name)]

    def _painted(self, paint: Paint, pattern: Any, over: bool) -> None:
        """Count an object in a color."""
        found, state = self._found, self.state
        found.transparent |= {veil.partition(" /")[0] for veil in state.veils}
        if pattern is None:
            found.colors[paint.space] += 1
        elif int(pattern.get("/PatternType", 0)) == 2:
            found.colors[self._space(pattern.Shading.ColorSpace)] += 1
        elif isinstance(pattern, pikepdf.Stream):
            upright = Matrix(state.scale, 0, 0, state.scale, 0, 0)
            inner = replace(state, matrix=upright, fill_pattern=None, line_pattern=None)
            self._reader.form(pattern, self._resources, inner, found, self._depth)
        white = paint.space.model == "cmyk" and not paint.inks
        if over and state.over_mode == 1 and white and pattern is None:
            found.counts["white over"] += 1

    # ------------------------------------------------------------ paths

    def rectangle(self, operands: list[Any], name: str) -> None:
        _, _, width, height = _floats(operands, 4)
        matrix = self.state.matrix
        if self._rects is not None:
            sides = abs(width) * hypot(matrix.a, matrix.b), abs(height) * hypot(matrix.c, matrix.d)
            self._rects.append(sides)

    def path(self, operands: list[Any], name: str) -> None:
        self._rects = None

    def end(self, operands: list[Any], name: str) -> None:
        """A path is filled, stroked, both or neither."""
        state, found = self.state, self._found
        rects, self._rects = self._rects, []
        if name in ("f", "F", "f*", "B", "B*", "b", "b*"):
            self._painted(state.fill, state.fill_pattern, state.over_fill)
            for sides in rects or ():
                if min(sides) < THIN_LINE and max(sides) > THIN_LINE:
                    self._line(min(sides))
        if name in ("S", "s", "B", "B*", "b", "b*"):
            self._painted(state.line, state.line_pattern, state.over_line)
            self._line(state.width * state.scale)
        found.counts["paths"] += name != "n"

    def _line(self, weight: float) -> None:
        self._found.counts["lines"] += 1
        self._found.counts["thin lines"] += weight < THIN_LINE - 0.001
        self._found.lower("line", weight)

    # ------------------------------------------------------------ text

    def begin(self, operands: list[Any], name: str) -> None:
        self._text = self._text_line = Matrix()

    def text_matrix(self, operands: list[Any], name: str) -> None:
        self._text = Matrix(*_floats(operands, 6))

    def font(self, operands: list[Any], name: str) -> None:
        self.state.font = self._resource("/Font", operands[0])
        self.state.size = abs(float(operands[1]))

    def mode(self, operands: list[Any], name: str) -> None:
        self.state.mode = int(operands[0])

    def show(self, operands: list[Any], name: str) -> None:
        state, found = self.state, self._found
        if state.font is not None and state.font.is_indirect:
            found.fonts[state.font.objgen] = state.font
        elif state.font is not None:
            found.fonts[(-1, id(state.font) % 64)] = state.font
        if state.mode in (3, 7):
            return
        size = state.size * _scale(self._text) * state.scale
        if state.font is not None and state.font.get("/Subtype") == "/Type3":
            size *= 1000 * _scale(_matrix(state.font.get("/FontMatrix")))
        fills, strokes = state.mode in (0, 2, 4, 6), state.mode in (1, 2, 5, 6)
        paint, over = (state.fill, state.over_fill) if fills else (state.line, state.over_line)
        if fills:
            self._painted(state.fill, state.fill_pattern, state.over_fill)
        if strokes:
            self._painted(state.line, state.line_pattern, state.over_line)
        found.counts["text"] += 1
        found.lower("text", size)
        if paint.inks >= MANY_INKS and size < SMALL_TEXT:
            found.counts["small text of many inks"] += 1
            found.lower("small text", size)
        if paint.is_black and size < LARGE_TEXT and not state.veils:
            found.counts["black text"] += 1
            found.counts["black text over"] += over and state.over_mode == 1

    # ------------------------------------------------------------ objects

    def do(self, operands: list[Any], name: str) -> None:
        shown = self._resource("/XObject", operands[0])
        kind = shown.get("/Subtype")
        if kind == "/Image":
            self._image(shown)
        elif kind == "/Form":
            self._found.transparent |= {veil.partition(" /")[0] for veil in self.state.veils}
            self._reader.form(shown, self._resources, self.state, self._found, self._depth)
        else:
            self._found.counts["PostScript"] += 1

    def shade(self, operands: list[Any], name: str) -> None:
        shading = self._resource("/Shading", operands[0])
        self._painted(Paint(self._space(shading.ColorSpace), ()), None, over=False)

    def _image(self, image: Any) -> None:
        state, found = self.state, self._found

        def entry(*keys: str) -> Any:
            return next((image[key] for key in keys if key in image), None)

        width, height = int(entry("/Width", "/W")), int(entry("/Height", "/H"))
        is_mask = bool(entry("/ImageMask", "/IM"))
        bits = 1 if is_mask else int(entry("/BitsPerComponent", "/BPC") or 8)
        across, up = hypot(state.matrix.a, state.matrix.b), hypot(state.matrix.c, state.matrix.d)
        if is_mask:
            self._painted(state.fill, state.fill_pattern, state.over_fill)
        else:
            space = entry("/ColorSpace", "/CS")
            named = UNKNOWN if space is None else self._space(space)
            self._painted(Paint(named, ()), None, over=False)
        if isinstance(image.get("/SMask"), pikepdf.Stream):
            found.transparent.add("a soft mask")
        found.counts["images"] += 1
        if width > 1 and height > 1 and across > 0 and up > 0:  # a pixel is a color, not a picture
            found.lower("line art dpi" if bits == 1 else "dpi", min(width * 72 / across, height * 72 / up))


def _scale(matrix: Matrix) -> float:
    return float(abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5)


def _number(value: Any, usual: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return usual


def _floats(operands: list[Any], count: int) -> tuple[float, ...]:
    values = tuple(float(value) for value in operands)
    if len(values) != count or not all(abs(value) < 1e12 for value in values):
        raise ValueError("wrong operands")
    return values


def _matrix(values: Any) -> Matrix:
    return Matrix(*_floats(list(values), 6)) if values is not None else Matrix()


def _resources_of(page: Any) -> Any:
    """Return the resources of a page, which may be inherited."""
    for _ in range(_PARENTS):
        if "/Resources" in page:
            return page.Resources
        if "/Parent" not in page:
            break
        page = page.Parent
    return pikepdf.Dictionary()


def space_of(space: Any, resources: Any, depth: int = 0) -> Space:
    """Return a color space, by its object or by its name in `resources`."""
    if depth > 4:
        return UNKNOWN
    if isinstance(space, pikepdf.Name):
        if str(space) in _NAMED:
            return _NAMED[str(space)]
        named = resources.get("/ColorSpace", {}).get(str(space))
        return UNKNOWN if named is None else space_of(named, resources, depth + 1)
    if not isinstance(space, pikepdf.Array) or not len(space):
        return UNKNOWN
    family = str(space[0])
    if family == "/ICCBased":
        return _OF_ICC.get(int(space[1].get("/N", 0)), UNKNOWN)
    if family in ("/Indexed", "/I"):
        return space_of(space[1], resources, depth + 1)
    if family in ("/Separation", "/DeviceN"):
        inks = [space[1]] if family == "/Separation" else list(space[1])[:32]
        names = tuple(str(ink)[1:] for ink in inks)
        return Space(f"spot {', '.join(names)}", "spot", names)
    return _FAMILIES.get(family) or _NAMED.get(family, UNKNOWN)


def decoded(stream: Any) -> bytes:
    """Return the content of a stream. Raises LimitError if that is far too long, before it is made."""
    filters = stream.get("/Filter")
    names = [str(each) for each in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]
    raw = bytes(stream.read_raw_bytes())
    if names.count("/FlateDecode") == 1 == len(names):
        try:
            unpacking = zlib.decompressobj()
            if len(unpacking.decompress(raw, MOST_STREAM + 1)) > MOST_STREAM:
                raise LimitError(f"a content stream of more than {MOST_STREAM / 1e6:.0f} MB")
        except zlib.error:
            pass  # qpdf reads more
    elif len(names) > 4 or (len(raw) > 65536 and (len(names) > 1 or not _EXPANDING.isdisjoint(names))):
        raise LimitError(f"a content stream packed by {', '.join(names)}")
    try:
        return bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return b""


_ACTIONS: dict[str, Callable[[_Run, list[Any], str], None]] = {
    "q": _Run.save,
    "Q": _Run.restore,
    "cm": _Run.concat,
    "w": _Run.width,
    "gs": _Run.graphics,
    **dict.fromkeys(("g", "rg", "k", "G", "RG", "K"), _Run.device),
    **dict.fromkeys(("cs", "CS"), _Run.space),
    **dict.fromkeys(("sc", "scn", "SC", "SCN"), _Run.color),
    "re": _Run.rectangle,
    **dict.fromkeys(("m", "l", "c", "v", "y"), _Run.path),
    **dict.fromkeys(("f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"), _Run.end),
    "BT": _Run.begin,
    "Tm": _Run.text_matrix,
    "Tf": _Run.font,
    "Tr": _Run.mode,
    **dict.fromkeys(("Tj", "TJ", "'", '"'), _Run.show),
    "Do": _Run.do,
    "sh": _Run.shade,
}
