"""Content streams whose colours are put into inks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

Use = Literal["area", "fine"]
Space = Literal["rgb", "gray", "other"]

_TOKEN = re.compile(
    rb"%[^\r\n]*|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)|<<|>>|<[^<>]*>|[\[\]]"
    rb"|/[^\s/()<>\[\]%]*|[^\s/()<>\[\]%]+",
    re.DOTALL,
)
_PATH = frozenset((b"m", b"re"))
_PATH_END = frozenset((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s", b"n"))
_TEXT = frozenset((b"Tj", b"TJ", b"'", b'"'))
_AREA = frozenset((b"Do", b"sh"))
_OTHER = re.compile(rb"[A-Za-z'\"]")


class Palette(Protocol):
    """What colours become."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        """The operator that chooses a colour (of red, green and blue) for a ground, or for text."""

    def stroke(self, color: Sequence[float]) -> bytes:
        """The one that chooses it for lines."""


@dataclass(slots=True)
class _State:
    """What holds between `q` and `Q`: how the chosen colour is written for either use, the use it was
    written for last, and the spaces chosen by `cs` and `CS`."""

    fill: dict[Use, bytes] = field(default_factory=dict)
    written: Use = "area"
    spaces: tuple[Space, Space] = ("gray", "gray")


class InlineImageError(ValueError):
    """A stream has an image within it, whose bytes are no tokens."""


def in_inks(stream: bytes, palette: Palette, spaces: Mapping[bytes, Space]) -> bytes:
    """A content stream with its colours as `palette` writes them. `spaces` tells what the names of its
    colour spaces stand for.

    A colour is written for grounds; before text (and after it) it is written once more if it is another
    one there. Between the parts of a path nothing may be written, so that is seen to before it begins.
    """
    out: list[bytes] = []
    last = 0
    operands: list[re.Match[bytes]] = []
    state, kept = _State(), list[_State]()
    in_path = False

    def put(at: int, text: bytes, end: int) -> None:
        nonlocal last
        out.append(stream[last:at])
        out.append(text)
        last = end

    def ready(use: Use, at: int) -> None:
        if state.fill and state.written != use:
            if state.fill[use] != state.fill[state.written]:
                put(at, state.fill[use] + b"\n", at)
            state.written = use

    for token in _TOKEN.finditer(stream):
        word = token.group()
        if not _is_operator(word):
            if word[:1] != b"%":
                operands.append(token)
            continue
        start = operands[0].start() if operands else token.start()
        if word == b"q":
            kept.append(replace(state))
        elif word == b"Q":
            state = kept.pop() if kept else _State()
        elif word in _PATH:
            if not in_path:
                ready("area", start)
            in_path = True
        elif word in _PATH_END:
            in_path = False
        elif word in _TEXT:
            ready("fine", start)
        elif word in _AREA:
            ready("area", start)
        elif word == b"BI":
            raise InlineImageError
        elif word in (b"rg", b"g", b"RG", b"G", b"sc", b"scn", b"SC", b"SCN"):
            lines = word.isupper()
            color = _color(word, operands, state.spaces[lines])
            if color is None:
                if not lines:
                    state.fill = {}
            elif lines:
                put(start, palette.stroke(color), token.end())
            else:
                state.fill = {"area": palette.fill(color, "area"), "fine": palette.fill(color, "fine")}
                state.written = "area"
                put(start, state.fill["area"], token.end())
        elif word in (b"cs", b"CS"):
            lines, space = word == b"CS", spaces.get(operands[-1].group(), "other")
            state.spaces = (state.spaces[0], space) if lines else (space, state.spaces[1])
            if not lines:
                state.fill = {}
            if space != "other":
                put(start, b"", token.end())  # the colour that follows says its space itself
        elif word in (b"k", b"K") and word == b"k":
            state.fill = {}
        operands.clear()
    out.append(stream[last:])
    return b"".join(out)


def _is_operator(word: bytes) -> bool:
    return _OTHER.match(word) is not None and word not in (b"true", b"false", b"null")


def _color(word: bytes, operands: Sequence[re.Match[bytes]], space: Space) -> tuple[float, ...] | None:
    """A colour as red, green and blue; None for one of a space that stays as it is."""
    if word.lower() in (b"sc", b"scn"):
        if space == "other":
            return None
    elif word.lower() == b"g":
        space = "gray"
    else:
        space = "rgb"
    values = tuple(float(each.group()) for each in operands)
    return values * 3 if space == "gray" else values


def operator_of(values: Sequence[float], fill: bool) -> bytes:
    """The operator that chooses a colour of one number (gray), of three (red, green, blue) or of four inks."""
    names = {1: ("g", "G"), 3: ("rg", "RG"), 4: ("k", "K")}[len(values)]
    numbers = " ".join(f"{value:.4f}".rstrip("0").rstrip(".") or "0" for value in values)
    return f"{numbers} {names[0 if fill else 1]}".encode("ascii")


Rewriter = Callable[[bytes, Mapping[bytes, Space]], bytes]
