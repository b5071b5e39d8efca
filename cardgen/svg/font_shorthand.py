"""The short form `font` of CSS → the properties that it stands for (CSS Fonts 4, 2.7)."""

from __future__ import annotations

import re
from functools import lru_cache

import tinycss2

from cardgen.svg.names import names

_STYLES = names("italic oblique")
_WEIGHTS = names("bold bolder lighter")
_STRETCHES = names(
    "ultra-condensed extra-condensed condensed semi-condensed semi-expanded expanded extra-expanded "
    "ultra-expanded"
)
_SIZES = {
    "xx-small": "9.6px",
    "x-small": "12px",
    "small": "14.4px",
    "medium": "16px",
    "large": "19.2px",
    "x-large": "24px",
    "xx-large": "32px",
    "smaller": "83.333333%",
    "larger": "120%",
}
_WEIGHT = re.compile(r"[1-9][0-9]{0,3}")
_LONGEST = 1000


@lru_cache(maxsize=512)
def font_longhands(value: str) -> dict[str, str] | None:
    """What a value of `font` sets, all of it; None for one that can't be read, such as a system's font."""
    if len(value) > _LONGEST:
        return None
    result = {
        "font-style": "normal",
        "font-variant": "normal",
        "font-weight": "normal",
        "font-stretch": "normal",
        "line-height": "normal",
    }
    tokens = tinycss2.parse_component_value_list(value, skip_comments=True)
    words = [(token, tinycss2.serialize([token])) for token in tokens]
    while words:
        token, text = words.pop(0)
        word = text.lower()
        if token.type == "whitespace" or word == "normal":
            continue
        if word in _STYLES:
            result["font-style"] = word
        elif word == "small-caps":
            result["font-variant"] = word
        elif word in _WEIGHTS or (token.type == "number" and _WEIGHT.fullmatch(word)):
            result["font-weight"] = word
        elif word in _STRETCHES:
            result["font-stretch"] = word
        elif word in _SIZES or token.type in ("dimension", "percentage"):
            result["font-size"] = _SIZES.get(word, text)
            break
        else:
            return None
    while words and words[0][0].type == "whitespace":
        words.pop(0)
    if words and words[0][1] == "/":
        words.pop(0)
        while words and words[0][0].type == "whitespace":
            words.pop(0)
        if not words:
            return None
        result["line-height"] = words.pop(0)[1]
    result["font-family"] = "".join(text for _, text in words).strip()
    named = "font-size" in result and result["font-family"] and "(" not in result["font-family"]
    return result if named else None
