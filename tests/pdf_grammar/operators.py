"""The operators of content streams: where each may stand and what it takes (ISO 32000-1, table 51 and
figure 9).

An operand is a letter: n number, i whole number, u number from 0 to 1, p number not below 0, / name,
s string, a array of strings and numbers, d dash array, D dictionary or name. Colours of `SC`, `SCN`, `sc`
and `scn` depend on the colour space; they are `*` here.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.pdf_grammar.lexer import Name, String

PAGE, PATH, CLIP, TEXT = "page", "path", "clip", "text"
"""What a stream is in the middle of: nothing, a path, a path that shall clip, a text object."""

_ANY = (PAGE, TEXT)


@dataclass(frozen=True, slots=True)
class Operator:
    """`states` are those in which it may stand, `after` the one that it leads to (None: the same)."""

    operands: str
    states: tuple[str, ...]
    after: str | None = None
    color: bool = False
    """Whether it sets a colour, which a mask may not."""


OPERATORS: dict[str, Operator] = {
    # graphics state
    "q": Operator("", (PAGE,)),
    "Q": Operator("", (PAGE,)),
    "cm": Operator("nnnnnn", (PAGE,)),
    "w": Operator("p", _ANY),
    "J": Operator("i", _ANY),
    "j": Operator("i", _ANY),
    "M": Operator("p", _ANY),
    "d": Operator("dn", _ANY),
    "ri": Operator("/", _ANY),
    "i": Operator("p", _ANY),
    "gs": Operator("/", _ANY),
    # paths
    "m": Operator("nn", (PAGE, PATH), PATH),
    "re": Operator("nnnn", (PAGE, PATH), PATH),
    "l": Operator("nn", (PATH,)),
    "c": Operator("nnnnnn", (PATH,)),
    "v": Operator("nnnn", (PATH,)),
    "y": Operator("nnnn", (PATH,)),
    "h": Operator("", (PATH,)),
    "W": Operator("", (PATH,), CLIP),
    "W*": Operator("", (PATH,), CLIP),
    **{name: Operator("", (PATH, CLIP), PAGE) for name in "S s f F f* B B* b b* n".split()},
    # colour
    "CS": Operator("/", _ANY, color=True),
    "cs": Operator("/", _ANY, color=True),
    "SC": Operator("*", _ANY, color=True),
    "SCN": Operator("*", _ANY, color=True),
    "sc": Operator("*", _ANY, color=True),
    "scn": Operator("*", _ANY, color=True),
    "G": Operator("u", _ANY, color=True),
    "g": Operator("u", _ANY, color=True),
    "RG": Operator("uuu", _ANY, color=True),
    "rg": Operator("uuu", _ANY, color=True),
    "K": Operator("uuuu", _ANY, color=True),
    "k": Operator("uuuu", _ANY, color=True),
    "sh": Operator("/", (PAGE,), color=True),
    # text
    "BT": Operator("", (PAGE,), TEXT),
    "ET": Operator("", (TEXT,), PAGE),
    "Tc": Operator("n", _ANY),
    "Tw": Operator("n", _ANY),
    "Tz": Operator("n", _ANY),
    "TL": Operator("n", _ANY),
    "Tf": Operator("/n", _ANY),
    "Tr": Operator("i", _ANY),
    "Ts": Operator("n", _ANY),
    "Td": Operator("nn", (TEXT,)),
    "TD": Operator("nn", (TEXT,)),
    "Tm": Operator("nnnnnn", (TEXT,)),
    "T*": Operator("", (TEXT,)),
    "Tj": Operator("s", (TEXT,)),
    "TJ": Operator("a", (TEXT,)),
    "'": Operator("s", (TEXT,)),
    '"': Operator("nns", (TEXT,)),
    # glyphs of a Type 3 font; only as the first operator
    "d0": Operator("nn", (PAGE,)),
    "d1": Operator("nnnnnn", (PAGE,)),
    # images, forms
    "Do": Operator("/", (PAGE,)),
    # marked content
    "MP": Operator("/", _ANY),
    "DP": Operator("/D", _ANY),
    "BMC": Operator("/", _ANY),
    "BDC": Operator("/D", _ANY),
    "EMC": Operator("", _ANY),
}
"""All but `BI`, `ID`, `EI`, which are read as one (`contents.py`), and `BX`, `EX`, with which a stream
could hide anything."""

RENDERING_INTENTS = {"AbsoluteColorimetric", "RelativeColorimetric", "Saturation", "Perceptual"}
MOST_STATES = 28
"""How many `q` may wait for their `Q` (annex C)."""


def is_number(value: object) -> bool:
    return type(value) in (int, float)


def within(value: object, kind: str) -> bool:
    """Whether a value is an operand of the kind, by its letter."""
    if kind == "n":
        return is_number(value)
    if kind == "i":
        return type(value) is int
    if kind == "u":
        return is_number(value) and 0 <= value <= 1  # type: ignore[operator]
    if kind == "p":
        return is_number(value) and value >= 0  # type: ignore[operator]
    if kind == "/":
        return isinstance(value, Name)
    if kind == "s":
        return isinstance(value, String)
    if kind == "a":
        return isinstance(value, list) and all(
            isinstance(item, String) or is_number(item) for item in value
        )
    if kind == "d":
        return (
            isinstance(value, list)
            and all(within(item, "p") for item in value)
            and (not value or any(item > 0 for item in value))
        )
    assert kind == "D"
    return isinstance(value, (dict, Name))
