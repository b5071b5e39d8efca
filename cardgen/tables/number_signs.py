"""Decimal and thousands signs: how the numbers of a column are written, decided from all its cells.

A column is written in one way, which has to be plausible in every cell. `1.000` and `2.500` can be read in
two ways; then the file's other signs decide, and the other way is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

WAYS = ("1234.5", "1,234.5", "1'234.5", "1 234.5", "1234,5", "1.234,5", "1'234,5", "1 234,5")
"""The ways to write a number, by example. All of them take numbers without thousands signs."""
_COMMA_FIRST = tuple(WAYS[at] for at in (4, 5, 7, 6, 0, 2, 3, 1))
_SPACES = re.compile("[\u00a0\u2007\u2009\u202f]")
_APOSTROPHES = re.compile("[\u2019\u02bc\u2032`\u00b4]")
_NUMBERLIKE = re.compile(r"[+-]?(?:[0-9][0-9.,' ]*|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,2})?%?")
_FIGURE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,3}[1-9])?")
_MOST_DIGITS = 15
_ONES = str.maketrans("023456789", "111111111")
"""Makes texts alike that are read in the same ways."""
_LONGEST = 40
"""Characters of a number."""


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a column's numbers are written. `other` is a second way in which every cell can be read, but as
    other numbers; `unfit` are cells that this way can't read, though another could."""

    way: str = WAYS[0]
    other: str | None = None
    example: str = ""
    """A cell that the two ways read differently."""
    unfit: tuple[str, ...] = ()


def style_of(texts: Iterable[str], *, comma_first: bool) -> NumberStyle:
    """The way in which the cells of a column are written; what is no number in any way is passed over.
    With `comma_first`, a decimal comma is likelier than a decimal point."""
    order = _COMMA_FIRST if comma_first else WAYS
    shapes: dict[str, str] = {}
    unread: dict[str, str] = {}
    for text in texts:
        if not _is_digits(text) and is_numberlike(text):
            shape = text[0] + text[1:].translate(_ONES)
            shapes.setdefault(shape, text)
            unread[text] = shape
    values = {way: {shape: number_in(text, way) for shape, text in shapes.items()} for way in order}
    whole = [way for way in order if None not in values[way].values()]
    if whole:
        way = whole[0]
        for other in whole[1:]:
            for shape, text in shapes.items():
                if values[other][shape] != values[way][shape]:
                    return NumberStyle(way, other, text)
        return NumberStyle(way)
    way = min(order, key=lambda each: list(values[each].values()).count(None))
    known = {shape for found in values.values() for shape, value in found.items() if value is not None}
    unfit = (text for text, shape in unread.items() if values[way][shape] is None and shape in known)
    return NumberStyle(way, unfit=tuple(unfit))


def is_comma_likelier(columns: Iterable[Iterable[str]]) -> bool:
    """Whether a file has decimal commas, by those of its columns that can be read in one way only."""
    found = set()
    for texts in columns:
        ways = [style_of(texts, comma_first=first) for first in (False, True)]
        if ways[0] == ways[1] and not ways[0].other and not ways[0].unfit:
            found.add(ways[0].way[-2])
    return found == {","}


def plain_figure(text: str) -> int | float | None:
    """The number that a text is, if templates print that number exactly so: 7, -1.5; not 007 or 1.50."""
    if not _FIGURE.fullmatch(text) or text == "-0":
        return None
    if "." not in text:
        return int(text)
    number = float(text)
    return number if f"{number:.4f}".rstrip("0") == text else None


def is_numberlike(text: str) -> bool:
    """Whether a text is made of what numbers are made of."""
    return len(text) <= _LONGEST and _NUMBERLIKE.fullmatch(_plain(text)) is not None


def number_in(text: str, way: str) -> float | int | None:
    """The number that a text is, if it is written in a way; `50%` is 0.5."""
    if _is_digits(text) and len(text) <= _MOST_DIGITS:
        return int(text)
    plain = text if text.isascii() else _plain(text)
    if len(text) > _LONGEST or not _pattern(way).fullmatch(plain):
        return None
    share = plain.endswith("%")
    thousands, decimal = signs_of(way)
    bare = plain.rstrip("% ").replace(thousands, "").replace(decimal, ".")
    if not share and _is_digits(bare.lstrip("+-")):
        return int(bare)
    number = round(float(bare) / 100, 17) if share else float(bare)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def written_number(number: float, way: str) -> str:
    """A number as a cell of a column has it that is written in a way, without thousands signs."""
    return repr(number).replace(".", signs_of(way)[1])


def _plain(text: str) -> str:
    """A text with the plainest of the signs that look alike."""
    if text.isascii():
        return text
    return _APOSTROPHES.sub("'", _SPACES.sub(" ", text)).replace("\u2212", "-")


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def signs_of(way: str) -> tuple[str, str]:
    """The thousands sign, which may be none, and the decimal sign."""
    return (way[1] if len(way) == 7 else ""), way[-2]


@lru_cache(len(WAYS))
def _pattern(way: str) -> re.Pattern[str]:
    thousands, decimal = map(re.escape, signs_of(way))
    whole = f"[0-9]{{1,{_MOST_DIGITS}}}"
    if thousands:
        whole = f"(?:[1-9][0-9]{{0,2}}(?:{thousands}[0-9]{{3}}){{1,4}}|{whole})"
    part = f"{decimal}[0-9]{{0,15}}"
    return re.compile(
        rf"[+-]?(?:{whole}(?:{part})?|{decimal}[0-9]{{1,15}})(?:[eE][+-]?[0-9]{{1,2}})?(?: ?%)?"
    )
