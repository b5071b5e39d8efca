"""A content stream as what it paints, one thing after the other, and what of it is see-through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pikepdf

from cardgen.geometry import Matrix

_PATH_END = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"])
Color = tuple[float, ...]
"""Shares of red, green and blue."""
_COLORS = frozenset(["g", "rg", "k", "sc", "scn", "cs", "G", "RG", "K", "SC", "SCN", "CS"])


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that is painted: the instructions from `start` to before `end`. `matrix` leads from where
    it stands to the stream's own space, `depth` is how many `q` are open there. `shows` is the name of
    what it paints with `Do`."""

    start: int
    end: int
    see_through: bool
    matrix: Matrix
    depth: int
    shows: str | None = None
    text: Text | None = None
    colors: frozenset[Color] = frozenset()
    """Those of its fills and lines, as far as they are red, green and blue or gray."""


@dataclass(frozen=True, slots=True)
class Text:
    """What a text is painted with: the share that it covers, and its colour before it begins, as the
    instruction that chose it."""

    alpha: float
    color: tuple[list[float], str]


@dataclass(slots=True)
class _State:
    matrix: Matrix = field(default_factory=Matrix)
    graphics: dict[str, Any] = field(default_factory=dict)
    patterns: tuple[bool, bool] = (False, False)
    color: tuple[list[float], str] | None = ([0.0], "g")
    line: Color | None = (0.0, 0.0, 0.0)
    filled: bool = True
    """Whether letters are filled and nothing else."""

    def colors(self) -> frozenset[Color]:
        fill = None if self.color is None else _rgb(*self.color)
        return frozenset(each for each in (fill, self.line) if each is not None)


def units_of(instructions: Sequence[Any], resources: Any) -> list[Unit]:
    """What a stream paints, in order. Clips alone paint nothing."""
    states = resources.get("/ExtGState") or {}
    objects = resources.get("/XObject") or {}
    patterns = resources.get("/Pattern") or {}
    found: list[Unit] = []
    state, kept = _State(), list[_State]()
    path: int | None = None
    text: int | None = None
    plain = True
    chosen: set[Color] = set()
    for number, each in enumerate(instructions):
        name, operands = str(each.operator), list(each.operands)
        if name == "q":
            kept.append(replace(state, graphics=dict(state.graphics)))
        elif name == "Q":
            state = kept.pop() if kept else _State()
        elif name == "cm":
            state.matrix = Matrix(*(float(value) for value in operands)).then(state.matrix)
        elif name == "gs":
            state.graphics |= dict(states[operands[0]].items())
            plain = plain and text is None
        elif name in _COLORS:
            _choose(state, name, operands, patterns)
            chosen |= state.colors()
        elif name in ("m", "re"):
            path = number if path is None else path
        elif name == "n":
            path = None
        elif name in _PATH_END:
            start = number if path is None else path
            colors = state.colors()
            found.append(Unit(start, number + 1, _through(state), state.matrix, len(kept), colors=colors))
            path = None
        elif name == "Tr":
            state.filled = int(operands[0]) == 0
            plain = plain and state.filled
        elif name == "BT":
            text, plain, begun, chosen = number, state.filled, state.color, set(state.colors())
        elif name == "ET" and text is not None:
            through, about = _through(state), None
            alpha = _uniform(state.graphics)
            if plain and begun is not None and state.color is not None and alpha is not None:
                about = Text(alpha, begun)
            found.append(
                Unit(
                    text, number + 1, through, state.matrix, len(kept), text=about, colors=frozenset(chosen)
                )
            )
            text = None
        elif name in ("Do", "sh", "INLINE IMAGE"):
            shows = str(operands[0]) if name == "Do" else None
            through = see_through(state.graphics)
            through = through or (shows is not None and object_is_see_through(objects[shows]))
            found.append(Unit(number, number + 1, through, state.matrix, len(kept), shows))
    return found


def _choose(state: _State, name: str, operands: Sequence[Any], patterns: Any) -> None:
    lines = name.isupper()
    pattern = bool(operands) and isinstance(operands[-1], pikepdf.Name) and str(operands[-1]) in patterns
    through = pattern and _pattern_is_see_through(patterns[operands[-1]])
    state.patterns = (state.patterns[0], through) if lines else (through, state.patterns[1])
    if lines:
        known = name in ("G", "RG")
        state.line = _rgb([float(value) for value in operands], name.lower()) if known else None
    else:
        numbers = [float(value) for value in operands] if name in ("g", "rg") else []
        state.color = (numbers, name) if name in ("g", "rg") else None


def _rgb(values: Sequence[float], name: str) -> Color:
    return (values[0],) * 3 if name == "g" else tuple(values)


def colors_in(object: Any) -> Iterator[Color]:
    """The colours that a form and all that it shows are painted in."""
    if object.get("/Subtype") == "/Image":
        return
    for each in pikepdf.parse_content_stream(object):
        name = str(each.operator)
        if name in ("g", "rg", "G", "RG"):
            yield _rgb([float(value) for value in each.operands], name.lower())
    inner: Any = object.get("/Resources", pikepdf.Dictionary()).get("/XObject") or {}
    for each in inner.values():
        yield from colors_in(each)


def _through(state: _State) -> bool:
    return see_through(state.graphics) or any(state.patterns)


def _uniform(graphics: Any) -> float | None:
    """The share that fills cover where that is all there is to how they are put on what is there."""
    blend = graphics.get("/BM", "/Normal")
    if blend not in ("/Normal", "/Compatible") or isinstance(graphics.get("/SMask"), pikepdf.Dictionary):
        return None
    return float(graphics.get("/ca", 1))


def see_through(graphics: Any) -> bool:
    """Whether what is painted in a graphics state (a dictionary of it) depends on what is there."""
    alpha = _uniform(graphics)
    return alpha is None or alpha < 1 or float(graphics.get("/CA", 1)) < 1


def object_is_see_through(object: Any) -> bool:
    """Whether a form or an image has anything see-through in it."""
    if object.get("/Subtype") == "/Image":
        return "/SMask" in object or bool(object.get("/SMaskInData", 0))
    return _resources_are(object.get("/Resources"))


def names_see_through(instruction: Any, resources: Any) -> bool:
    """Whether an instruction chooses a see-through pattern."""
    patterns = resources.get("/Pattern") or {}
    name = instruction.operands[-1] if str(instruction.operator) in ("scn", "SCN") else None
    chosen = isinstance(name, pikepdf.Name) and str(name) in patterns
    return chosen and _pattern_is_see_through(patterns[name])


def _pattern_is_see_through(pattern: Any) -> bool:
    if int(pattern.PatternType) == 1:
        return _resources_are(pattern.get("/Resources"))
    return "/ExtGState" in pattern and see_through(pattern.ExtGState)


def _resources_are(resources: Any) -> bool:
    if resources is None:
        return False
    return (
        any(see_through(each) for each in (resources.get("/ExtGState") or {}).values())
        or any(object_is_see_through(each) for each in (resources.get("/XObject") or {}).values())
        or any(_pattern_is_see_through(each) for each in (resources.get("/Pattern") or {}).values())
    )
