"""Lines along a text: which there are, and in whose colour (CSS Text Decoration 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.model.artwork import Color
from cardgen.rendering.text_error import TextError
from cardgen.svg.colors import RGBA, parse_color
from cardgen.svg.limits import short

Lines = tuple[tuple[str, Color | None], ...]
"""The lines along a text by name, each with its colour; None for that of the letters."""

_NAMES = ("underline", "line-through")
_SHORT = ("text-decoration", "text-decoration-line")
_WORDS = re.compile(r"[^\s()]+(?:\([^()]*\))?")
_USUAL = frozenset(("solid", "auto", "from-font"))
_LOOK = ("text-decoration-style", "text-decoration-thickness", "text-underline-offset")


def decorated(lines: Lines, own: Mapping[str, str], fill: RGBA | str | None) -> Lines:
    """The lines along what an element holds: those of the text around it, and the ones that it asks for
    by its `own` properties, in the colour of its own `fill` unless it names one. Raises TextError."""
    said = " ".join(own[name] for name in _SHORT if name in own)
    if not said or said in ("none", "inherit"):
        return lines
    color = fill[:3] if isinstance(fill, tuple) else None
    words = _WORDS.findall(said)
    named = own.get("text-decoration-color")
    for word in (*words, *(() if named is None else (named,))):
        if (found := parse_color(word)) is not None:
            color = found[:3]
    asked = {word for word in words if word in _NAMES}
    odd = [word for word in words if not (word in _NAMES or word in _USUAL or word == "none")]
    odd = [word for word in odd if word.lower() != "currentcolor" and parse_color(word) is None]
    if asked:
        odd += [own[name] for name in _LOOK if own.get(name, "auto") not in _USUAL]
    if odd:
        hint = f"text-decoration is none, {' or '.join(_NAMES)}"
        raise TextError("text/unset", f"'{short(odd[0])}' is not drawn along a text", hint)
    return (*lines, *((name, color) for name in _NAMES if name in asked and (name, color) not in lines))
