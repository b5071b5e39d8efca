"""Content streams, gradients and spot colors in inks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, Literal, Protocol

import pikepdf
from PIL import Image, ImageChops

from cardgen.core.geometry import MM_PER_PT, Matrix
from cardgen.core.records import dataclass, field, replace
from cardgen.pdf.inks import SOLID_BLACK, Ink, Inks

Use = Literal["area", "fine"]
Space = Literal["rgb", "gray", "other"]
Traits = Mapping[str, bool]
"""The parameters that a graphics state sets: True for those that make paint transparent, or that overprint
depends on."""
OWN_OVERPRINT = "/op"

THIN = 1.0
"""mm, up to which a line or a filled bar is fine: inks that lie a tenth of that beside one another show."""
LARGE_TYPE = 36 * MM_PER_PT
"""mm, the size of type from which letters are grounds."""

KNOCK = "cg-knock"
_OVER = {
    (False, False): KNOCK,
    (True, True): "cg-over",
    (True, False): "cg-over-fill",
    (False, True): "cg-over-line",
}
"""Graphics states by the inks, of fills and lines, that lie over those below. Others leave none below."""

_NUMBERS = rb"(?:[-+.0-9]+\s+){0,6}+"
_PART = _NUMBERS + rb"(?:re|[mlcvy])(?!\S)"
_STEP = re.compile(
    # the parts of a path, as many as follow one another
    rb"(?P<path>" + _PART + rb"(?:\s+" + _NUMBERS + rb"(?:re|[mlcvyh])(?!\S))*+)"
    # an operator with its numbers
    rb"|(?P<numbers>" + _NUMBERS + rb")(?P<word>[A-Za-z'\"][^\s/()<>\[\]%]*)"
    # an operand: comment, text, texts between numbers, any other
    rb"|%[^\r\n]*|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)"
    rb"|\[[^\[\]()%]*+(?:\((?:[^()\\]|\\.)*+\)[^\[\]()%]*+)*+\]"
    rb"|<<|>>|<[^<>]*>|[\[\]]|/[^\s/()<>\[\]%]*|[^\s/()<>\[\]%]+",
    re.DOTALL,
)
_DRAWN = frozenset((b"m", b"l", b"c", b"v", b"y", b"h", b"re"))
_CONSTANTS = frozenset((b"true", b"false", b"null"))
_PATH = frozenset((b"m", b"l", b"c", b"v", b"y", b"re"))
_FILLS = frozenset((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"))
_STROKES = frozenset((b"S", b"s", b"B", b"B*", b"b", b"b*"))
_TEXT = frozenset((b"Tj", b"TJ", b"'", b'"'))


class ColorPalette(Protocol):
    """The colors of a PDF in inks: `space` is the PDF's name of what they are in then, `mode` Pillow's.
    Where they are `exact`, pictures lose nothing. With `black_images`, those in gray stay as they are."""

    space: str
    mode: str
    exact: bool
    black_images: bool

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """Return a color of a gradient."""

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Return the colors of a gradient."""

    def picture(self, image: Image.Image) -> Image.Image:
        """Return a picture in RGB, in L, or in 1, which is black and white."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        """Return the operator that chooses a color for a ground, or for text."""

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        """Return the one that chooses it for lines, thick ones as grounds."""

    def overprints(self, color: Sequence[float]) -> bool:
        """Return True if text and thin lines in this color keep the inks below them."""

    def state(self, fill: bool, lines: bool) -> dict[str, Any]:
        """Return the graphics state in which fills or lines, or both, overprint."""


@dataclass(slots=True)
class _Color:
    """A chosen color as written for either use (nothing if unchanged), the use it was last written for,
    and whether its ink overprints those below."""

    ways: dict[Use, bytes] = field(default_factory=dict)
    written: Use = "area"
    over: Literal["never", "fine", "always"] = "never"

    differs: bool = field(init=False)

    def copy(self) -> _Color:
        """Return the same, to be written for another use by itself."""
        return _Color(self.ways, self.written, self.over)

    def __post_init__(self) -> None:
        self.differs = bool(self.ways) and self.ways["area"] != self.ways["fine"]


@dataclass(slots=True)
class _State:
    """The graphics state between `q` and `Q`. `matrix` leads to mm, `width` is of lines, `size` of type."""

    matrix: Matrix
    fill: _Color = field(default_factory=_Color)
    stroke: _Color = field(default_factory=_Color)
    spaces: tuple[Space, Space] = ("gray", "gray")
    width: float = 1.0
    size: float = 0.0
    transparent: frozenset[str] = frozenset()
    """The parameters that make paint so."""
    over: str | None = KNOCK
    """The graphics state for overprint that is set; None if the stream sets its own."""

    def copy(self) -> _State:
        """Return the same, to be changed by itself."""
        return replace(self, fill=self.fill.copy(), stroke=self.stroke.copy())

    @property
    def scale(self) -> float:
        """Return the length of a unit in mm; if its sides differ, their geometric mean."""
        m = self.matrix
        return float(abs(m.a * m.d - m.b * m.c) ** 0.5)


class _Path:
    """The path at hand: where it begins in its stream, and its parts as they are written there."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.parts: list[bytes] = []

    def _boxes(self) -> Iterator[list[float]]:
        """Yield the boxes around its parts."""
        box: list[float] | None = None
        numbers: list[float] = []
        for word in b" ".join(self.parts).split():
            if word not in _DRAWN:
                numbers.append(float(word))
                continue
            if word == b"re":
                if box is not None:
                    yield box
                x, y, width, height = numbers
                box = [x, y, x + width, y + height]
            elif word == b"m":
                if box is not None:
                    yield box
                box = [*numbers, *numbers]
            elif numbers and box is not None:
                xs, ys = numbers[::2], numbers[1::2]
                box = [min(box[0], *xs), min(box[1], *ys), max(box[2], *xs), max(box[3], *ys)]
            numbers = []
        if box is not None:
            yield box

    def is_thin(self, matrix: Matrix) -> bool:
        """Return True if no part of it is wider than `THIN`, as seen along its own axes."""
        x, y = hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d)
        return all(
            min(abs(right - left) * x, abs(top - bottom) * y) <= THIN
            for left, bottom, right, top in self._boxes()
        )


class InlineImageError(ValueError):
    """A stream has an image within it, whose bytes are no tokens."""


def in_inks(
    stream: bytes,
    palette: ColorPalette,
    spaces: Mapping[bytes, Space],
    unit: float = 1.0,
    shown: dict[bytes, float] | None = None,
    spots: SpotInks | None = None,
    traits: Mapping[bytes, Traits] | None = None,
) -> bytes:
    """Return a content stream with its colors as `palette` writes them. `spaces` tells what the names of
    its color spaces stand for, `unit` how many mm one of its units is. `shown` is told the names of what
    the stream paints with `Do`, each with the mm that a unit of it is at its largest. Colors that stand
    for `spots` are written as these. Opaque black overprints only if there are `traits`, those of the
    stream's graphics states.

    A fill is written for grounds, a stroke for lines; before what is painted otherwise it is written once
    more if it is another one there. Between the parts of a path nothing may be written, so that goes before
    it. Raises InlineImageError.
    """
    out: list[bytes] = []
    last = 0
    operands: list[bytes] = []
    first = 0  # where the operands begin
    state, kept = _State(Matrix(unit, 0, 0, unit, 0, 0)), list[_State]()
    path: _Path | None = None
    type_scale = 1.0

    def put(at: int, text: bytes, end: int) -> None:
        nonlocal last
        out.append(stream[last:at])
        out.append(text)
        last = end

    def ready(color: _Color, use: Use, at: int) -> None:
        if color.ways and color.written != use:
            if color.differs:
                put(at, color.ways[use] + b"\n", at)
            color.written = use

    def ready_lines(at: int) -> None:
        if state.stroke.differs:
            ready(state.stroke, "fine" if state.width * state.scale <= THIN else "area", at)

    def overprint(fill: bool, lines: bool, start: int) -> None:
        fills, strokes = (
            color.over == "always" or (color.over == "fine" == color.written and not state.transparent)
            for color in (state.fill, state.stroke)
        )
        wanted = _OVER[fill and fills, lines and strokes]
        if state.over is not None and state.over != wanted:
            state.over = wanted
            put(max(start, last), f"/{wanted} gs\n".encode("ascii"), max(start, last))

    for token in _STEP.finditer(stream):
        parts, numbers, word = token.groups()
        if parts is not None:
            path = path or _Path(first if operands else token.start())
            if state.fill.differs:
                path.parts.append(b" ".join((*operands, parts)))
            operands.clear()
            continue
        if word is None or word in _CONSTANTS:
            operand = token.group()
            if operand[:1] != b"%":
                first = first if operands else token.start()
                operands += [operand] if word is None else operand.split()
            continue
        start = first if operands else token.start()
        if numbers:
            operands += numbers.split()
        if word == b"q":
            kept.append(state.copy())
        elif word == b"Q":
            state = kept.pop() if kept else _State(Matrix(unit, 0, 0, unit, 0, 0))
        elif word == b"cm":
            state.matrix = Matrix(*_numbers(operands)).then(state.matrix)
        elif word in _PATH:
            path = path or _Path(start)
            if state.fill.differs:
                path.parts.append(b" ".join((*operands, word)))
        elif word in _FILLS or word in _STROKES:
            if path is not None:
                if word in _FILLS and state.fill.differs:
                    ready(state.fill, "fine" if path.is_thin(state.matrix) else "area", path.start)
                if word in _STROKES:
                    ready_lines(path.start)
                overprint(word in _FILLS, word in _STROKES, path.start)
            path = None
        elif word == b"n":
            path = None
        elif word in _TEXT:
            ready(state.fill, use_of_letters(state.size * type_scale * state.scale), start)
            ready_lines(start)
            overprint(True, True, start)
        elif word in (b"Do", b"sh"):
            ready(state.fill, "area", start)
            overprint(False, False, start)
            if shown is not None and word == b"Do":
                name = operands[-1]
                shown[name] = max(shown.get(name, 0.0), state.scale)
        elif word == b"gs":
            for parameter, counts in (traits or {}).get(operands[-1], {}).items():
                overprint(False, False, start)
                if parameter == OWN_OVERPRINT:
                    state.over = None
                elif counts:
                    state.transparent |= {parameter}
                else:
                    state.transparent -= {parameter}
        elif word == b"w":
            (state.width,) = _numbers(operands)
        elif word == b"Tf":
            state.size = abs(float(operands[-1]))
        elif word == b"BT":
            type_scale = 1.0
        elif word == b"Tm":
            a, b, c, d = _numbers(operands)[:4]
            type_scale = abs(a * d - b * c) ** 0.5
        elif word == b"BI":
            raise InlineImageError
        elif word in (b"rg", b"g", b"RG", b"G", b"sc", b"scn", b"SC", b"SCN"):
            lines = word.isupper()
            color = _color(word, operands, state.spaces[lines])
            use: Use = "fine" if lines else "area"
            ways: dict[Use, bytes] = {}
            over: Literal["never", "fine", "always"] = "never"
            spot = spots.of(color) if spots is not None and color is not None else None
            if spots is not None and spot is not None:
                ways = dict.fromkeys(("area", "fine"), spots.choose(spot, fill=not lines))
                over = "always" if spot.overprint else "never"
                put(start, ways[use], token.end())
            elif color is not None:
                way = palette.stroke if lines else palette.fill
                ways = {"area": way(color, "area"), "fine": way(color, "fine")}
                if traits is not None and palette.overprints(color):
                    over = "fine"
                put(start, ways[use], token.end())
            if lines:
                state.stroke = _Color(ways, use, over)
            else:
                state.fill = _Color(ways, use, over)
        elif word in (b"cs", b"CS"):
            lines, space = word == b"CS", spaces.get(operands[-1], "other")
            state.spaces = (state.spaces[0], space) if lines else (space, state.spaces[1])
            if lines:
                state.stroke = _Color()
            else:
                state.fill = _Color()
            if space != "other":
                put(start, b"", token.end())  # the color that follows says its space itself
        elif word == b"k":
            state.fill = _Color()
        elif word == b"K":
            state.stroke = _Color()
        operands.clear()
    out.append(stream[last:])
    return b"".join(out)


def use_of_letters(size: float) -> Use:
    """Return how letters of a size in mm are inked."""
    return "area" if size >= LARGE_TYPE else "fine"


def _numbers(operands: Sequence[bytes]) -> list[float]:
    return [float(each) for each in operands]


def _color(word: bytes, operands: Sequence[bytes], space: Space) -> tuple[float, ...] | None:
    """Return a color as red, green and blue; None for one of a space that stays as it is."""
    if word.lower() in (b"sc", b"scn"):
        if space == "other":
            return None
    elif word.lower() == b"g":
        space = "gray"
    else:
        space = "rgb"
    values = tuple(_numbers(operands))
    return values * 3 if space == "gray" else values


def operator_of(values: Sequence[float], fill: bool) -> bytes:
    """Return the operator that chooses a color: gray, red with green and blue, or four inks."""
    names = {1: ("g", "G"), 3: ("rg", "RG"), 4: ("k", "K")}[len(values)]
    numbers = " ".join(f"{value:.4f}".rstrip("0").rstrip(".") or "0" for value in values)
    return f"{numbers} {names[0 if fill else 1]}".encode("ascii")


Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True, slots=True)
class SpotInk:
    """The ink `name` for all artwork in exactly the color `shows`; `overprint` keeps the inks below it."""

    name: str
    shows: Color
    overprint: bool = False

    @property
    def key(self) -> str:
        """Return the name of its color space in streams."""
        return "cg-spot-" + self.name.encode("utf-8").hex()


class SpotInks:
    """Spot colors by the colors that stand for them; `used` gathers those met in a stream."""

    def __init__(self, spots: Iterable[SpotInk] = ()) -> None:
        self._spots = {spot.shows: spot for spot in spots}
        self.used: set[SpotInk] = set()

    def __iter__(self) -> Iterator[SpotInk]:
        return iter(self._spots.values())

    def of(self, color: Sequence[float]) -> SpotInk | None:
        """Return the spot color that a color (shares of 1) stands for."""
        if not self._spots:
            return None
        r, g, b = (round(channel * 255) for channel in color)
        return self._spots.get((r, g, b))

    def choose(self, spot: SpotInk, fill: bool) -> bytes:
        """Return the operators that choose it."""
        self.used.add(spot)
        space, choose = ("cs", "scn") if fill else ("CS", "SCN")
        return f"/{spot.key} {space} 1 {choose}".encode("ascii")


def space_of(spot: SpotInk, inks: Sequence[float], pdf: pikepdf.Pdf) -> Any:
    """Return the color space of a spot color; presses without that ink print `inks` in its place."""
    tint = pikepdf.Dictionary(
        FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[round(ink, 4) for ink in inks], N=1
    )
    name = pikepdf.Name("/" + spot.name)
    return pdf.make_indirect(pikepdf.Array([pikepdf.Name.Separation, name, pikepdf.Name.DeviceCMYK, tint]))


def states(pdf: pikepdf.Pdf, palette: ColorPalette) -> dict[str, Any]:
    """Return the graphics states for overprint by name."""
    return {
        f"/{name}": pdf.make_indirect(pikepdf.Dictionary(palette.state(*each)))
        for each, name in _OVER.items()
    }


class InkPalette:
    """Colors as inks."""

    space = "/DeviceCMYK"
    mode = "CMYK"
    exact = False

    def __init__(self, inks: Inks, overprint: bool = True, black_images: bool = False) -> None:
        self.inks = inks
        self.overprint, self.black_images = overprint, black_images
        self._known: dict[tuple[tuple[float, ...], Use, bool], bytes] = {}

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """Return a color of a gradient."""
        return self.inks.area(color)

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Return the colors of a gradient."""
        return self.inks.areas(colors)

    def picture(self, image: Image.Image) -> Image.Image:
        """Return a picture in RGB, in L, or in 1, which is of black ink."""
        if image.mode == "1" or (image.mode == "L" and self.black_images):
            none = Image.new("L", image.size, 0)
            return Image.merge("CMYK", [none, none, none, ImageChops.invert(image.convert("L"))])
        return self.inks.image(image.convert("RGB"))

    def inks_of(self, color: Sequence[float], use: Use) -> Ink:
        """Return the inks of a color."""
        return self.inks.area(color) if use == "area" else self.inks.fine(color)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return self._operator(tuple(color), use, True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return self._operator(tuple(color), use, False)

    def overprints(self, color: Sequence[float]) -> bool:
        """Only solid black does: a gray would take the colors below it for its own."""
        return self.overprint and self.inks.fine(color) == SOLID_BLACK

    def state(self, fill: bool, lines: bool) -> dict[str, Any]:
        """In mode 1, an ink of which a color has nothing stays as it is below (ISO 32000-1, 8.6.7)."""
        return {"/OP": lines, "/op": fill, "/OPM": 1}

    def _operator(self, color: tuple[float, ...], use: Use, fill: bool) -> bytes:
        known = self._known.get((color, use, fill))
        if known is None:
            known = self._known[color, use, fill] = operator_of(self.inks_of(color, use), fill)
        return known


class MaskPalette:
    """The colors of soft masks, which are no inks: what counts of them is how light they are."""

    space = "/DeviceGray"
    mode = "L"
    exact = False
    black_images = True

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        r, g, b = color
        return (0.3 * r + 0.59 * g + 0.11 * b,)

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Return the colors of a gradient."""
        return [self.values(color) for color in colors]

    def picture(self, image: Image.Image) -> Image.Image:
        """Return a picture in RGB."""
        return image.convert("L")

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=False)

    def overprints(self, color: Sequence[float]) -> bool:
        return False

    def state(self, fill: bool, lines: bool) -> dict[str, Any]:
        return {}


SAMPLES = 65
_Evaluator = Callable[[float], tuple[float, ...]]


class UnknownShadingError(ValueError):
    """A gradient of a kind that nothing here draws."""


def recolor(shading: Any, gray: bool, palette: ColorPalette, pdf: pikepdf.Pdf) -> None:
    """Put the colors of a gradient along a line or between circles into the palette's space, in place.
    `gray` says that it has one number a color. Raises UnknownShadingError."""
    if int(shading.ShadingType) not in (2, 3) or "/Function" not in shading:
        raise UnknownShadingError(f"a gradient of type {shading.ShadingType}")
    low, high = (float(edge) for edge in shading.get("/Domain", [0, 1]))
    packed = bytearray()
    count = 0
    at = _evaluator(shading.Function)
    colors = [at(low + (high - low) * number / (SAMPLES - 1)) for number in range(SAMPLES)]
    for values in palette.many([color * 3 if gray else color for color in colors]):
        count = len(values)
        packed += bytes(min(max(round(value * 255), 0), 255) for value in values)
    function = pikepdf.Stream(pdf, bytes(packed))
    function.FunctionType = 0
    function.Domain = [low, high]
    function.Range = [0, 1] * count
    function.Size = [SAMPLES]
    function.BitsPerSample = 8
    shading.Function = pdf.make_indirect(function)
    shading.ColorSpace = pikepdf.Name(palette.space)


def _evaluator(function: Any) -> _Evaluator:
    """Return a function of one number (ISO 32000-1, 7.10), read once to be asked often. Raises
    UnknownShadingError."""
    low, high = (float(edge) for edge in function.Domain)
    kind = int(function.FunctionType)
    if kind == 2:
        made = _power(function)
    elif kind == 3:
        made = _stitched(function, low, high)
    else:
        raise UnknownShadingError(f"a gradient with a function of type {kind}")
    return lambda x: made(min(max(x, low), high))


def _power(function: Any) -> _Evaluator:
    power = float(function.N)
    pairs = list(zip(_floats(function.get("/C0", [0])), _floats(function.get("/C1", [1]))))

    def at(x: float) -> tuple[float, ...]:
        share = x**power
        return tuple(a + share * (b - a) for a, b in pairs)

    return at


def _stitched(function: Any, low: float, high: float) -> _Evaluator:
    edges = [low, *_floats(function.Bounds), high]
    encode = _floats(function.Encode)
    parts = [_evaluator(part) for part in function.Functions]

    def at(x: float) -> tuple[float, ...]:
        number = next((n for n in range(len(parts) - 1) if x < edges[n + 1]), len(parts) - 1)
        left, right = edges[number], edges[number + 1]
        share = 0.0 if right == left else (x - left) / (right - left)
        start, end = encode[2 * number], encode[2 * number + 1]
        return parts[number](start + share * (end - start))

    return at


def _floats(values: Any) -> list[float]:
    return [float(value) for value in values]
