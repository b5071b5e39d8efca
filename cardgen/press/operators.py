"""Content streams whose colours are put into inks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Literal, Protocol

from cardgen.geometry import Matrix
from cardgen.press.spots import KNOCK, SpotInks, over_state
from cardgen.units import MM_PER_PT

Use = Literal["area", "fine"]
Space = Literal["rgb", "gray", "other"]

THIN = 1.0
"""mm, up to which a line or a filled bar is fine: inks that lie a tenth of that beside one another show."""
LARGE_TYPE = 36 * MM_PER_PT
"""mm, the size of type from which letters are grounds."""

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


class Palette(Protocol):
    """What colours become."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        """The operator that chooses a colour (of red, green and blue) for grounds, or for text and bars."""

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        """The one that chooses it for lines, which are fine unless they are as thick as grounds."""


@dataclass(slots=True)
class _Color:
    """How a chosen colour is written for either use (nothing if it stays as it is), the use that it was
    written for last, and whether its ink lies over those below."""

    ways: dict[Use, bytes] = field(default_factory=dict)
    written: Use = "area"
    over: bool = False

    differs: bool = field(init=False)

    def copy(self) -> _Color:
        """The same, to be written for another use by itself."""
        return _Color(self.ways, self.written, self.over)

    def __post_init__(self) -> None:
        self.differs = bool(self.ways) and self.ways["area"] != self.ways["fine"]


@dataclass(slots=True)
class _State:
    """What holds between `q` and `Q`. `matrix` leads to mm, `width` is of lines, `size` of type."""

    matrix: Matrix
    fill: _Color = field(default_factory=_Color)
    stroke: _Color = field(default_factory=_Color)
    spaces: tuple[Space, Space] = ("gray", "gray")
    width: float = 1.0
    size: float = 0.0

    def copy(self) -> _State:
        """The same, to be changed by itself."""
        fill, stroke = self.fill.copy(), self.stroke.copy()
        return _State(self.matrix, fill, stroke, self.spaces, self.width, self.size)

    @property
    def scale(self) -> float:
        """How long a unit is in mm, where its sides differ their geometric mean."""
        m = self.matrix
        return float(abs(m.a * m.d - m.b * m.c) ** 0.5)


class _Path:
    """The path at hand: where it begins in its stream, and its parts as they are written there."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.parts: list[bytes] = []

    def _boxes(self) -> Iterator[list[float]]:
        """The boxes around its parts."""
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
        """Whether no part of it is wider than `THIN`, as seen along the axes that it is drawn by."""
        x, y = hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d)
        return all(
            min(abs(right - left) * x, abs(top - bottom) * y) <= THIN
            for left, bottom, right, top in self._boxes()
        )


class InlineImageError(ValueError):
    """A stream has an image within it, whose bytes are no tokens."""


def in_inks(
    stream: bytes,
    palette: Palette,
    spaces: Mapping[bytes, Space],
    unit: float = 1.0,
    shown: dict[bytes, float] | None = None,
    spots: SpotInks | None = None,
) -> bytes:
    """A content stream with its colours as `palette` writes them. `spaces` tells what the names of its
    colour spaces stand for, `unit` how many mm one of its units is. `shown` is told the names of what the
    stream paints with `Do`, each with the mm that a unit of it is at its largest. Colours that stand for
    `spots` are written as these.

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

    def overprint(fill: bool, lines: bool, start: int, end: int) -> None:
        state_name = over_state(fill and state.fill.over, lines and state.stroke.over)
        if state_name is not None:
            put(max(start, last), f"/{state_name} gs\n".encode("ascii"), max(start, last))
            put(end, f"\n/{KNOCK} gs".encode("ascii"), end)

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
                overprint(word in _FILLS, word in _STROKES, path.start, token.end())
            path = None
        elif word == b"n":
            path = None
        elif word in _TEXT:
            large = state.size * type_scale * state.scale >= LARGE_TYPE
            ready(state.fill, "area" if large else "fine", start)
            ready_lines(start)
            overprint(True, True, start, token.end())
        elif word in (b"Do", b"sh"):
            ready(state.fill, "area", start)
            if shown is not None and word == b"Do":
                name = operands[-1]
                shown[name] = max(shown.get(name, 0.0), state.scale)
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
            spot = spots.of(color) if spots is not None and color is not None else None
            if spots is not None and spot is not None:
                ways = dict.fromkeys(("area", "fine"), spots.choose(spot, fill=not lines))
                put(start, ways[use], token.end())
            elif color is not None:
                way = palette.stroke if lines else palette.fill
                ways = {"area": way(color, "area"), "fine": way(color, "fine")}
                put(start, ways[use], token.end())
            if lines:
                state.stroke = _Color(ways, use, spot is not None and spot.overprint)
            else:
                state.fill = _Color(ways, use, spot is not None and spot.overprint)
        elif word in (b"cs", b"CS"):
            lines, space = word == b"CS", spaces.get(operands[-1], "other")
            state.spaces = (state.spaces[0], space) if lines else (space, state.spaces[1])
            if lines:
                state.stroke = _Color()
            else:
                state.fill = _Color()
            if space != "other":
                put(start, b"", token.end())  # the colour that follows says its space itself
        elif word == b"k":
            state.fill = _Color()
        elif word == b"K":
            state.stroke = _Color()
        operands.clear()
    out.append(stream[last:])
    return b"".join(out)


def _numbers(operands: Sequence[bytes]) -> list[float]:
    return [float(each) for each in operands]


def _color(word: bytes, operands: Sequence[bytes], space: Space) -> tuple[float, ...] | None:
    """A colour as red, green and blue; None for one of a space that stays as it is."""
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
    """The operator that chooses a colour: gray, red with green and blue, or four inks."""
    names = {1: ("g", "G"), 3: ("rg", "RG"), 4: ("k", "K")}[len(values)]
    numbers = " ".join(f"{value:.4f}".rstrip("0").rstrip(".") or "0" for value in values)
    return f"{numbers} {names[0 if fill else 1]}".encode("ascii")
