"""Number formats of workbooks: a number and a code, such as `[>9]0.0;"Level "0`, to the text shown.

The codes are those of ECMA-376, part 1, 18.8.31. A workbook doesn't name its machine's number signs: the
default is English, unless a style is stated. A code that depends on the machine (the system's own date, era
years) or that breaks the rules has no text: `shown` gives None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from cardgen.core.records import dataclass
from cardgen.files.reading import read_bundled_yaml
from cardgen.files.tables import Formatted, Value, first_day, number_text, signs_of, text_of

MOST_CODE = 255
"""Most characters of a code, as in Excel."""
_THOUSANDS, _DECIMAL = "\ue000", "\ue001"
"""Placeholders for the signs."""
_MOST_DIGITS = 30
"""Most digits in front of the decimal point, and most behind it."""
_MOST_DENOMINATOR = 7
"""Most digits of a fraction's denominator."""
_LOCALE = re.compile(r"\[\$([^\]-]*)(?:-([0-9A-Fa-f]{1,8}))?\]")
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?[0-9]+(?:\.[0-9]+)?)\]")
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_COLOR = re.compile(
    r"\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?[0-9]{1,2})\]", re.IGNORECASE
)
_HALVES = re.compile("am/pm|a/p", re.IGNORECASE)
_DATE = re.compile(r"y+|m+|d+|h+|s+", re.IGNORECASE)
_SYSTEM = frozenset((0xF400, 0xF800))
_UNKNOWN = frozenset("BbEeGgNn")
"""Letters for eras, and other calendars' years."""

SYSTEM_DATES = frozenset((14, 22, *range(27, 37), *range(50, 59)))
"""The numbers of the machine's own date formats, and of those of East Asia."""


@cache
def _known() -> dict[str, Any]:
    """Read the numbered codes, and the names of months and days."""
    known: dict[str, Any] = read_bundled_yaml("files", "number_formats.yaml")
    return known


def built_in(number: int) -> str:
    """Return the code that workbooks give only by this number; empty if there is none."""
    code: str = _known()["codes"].get(number, "")
    return code


class _UnknownError(Exception):
    """A code that can't be computed."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a section: `kind` is `text`, `digit`, `point`, `comma`, `percent`, `exponent`, `slash`,
    `general`, `at`, `date`, `elapsed` or `halves`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a code between semicolons: its tokens, the condition for its numbers, its language."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    language: int = 0

    @property
    def is_date(self) -> bool:
        return any(token.kind in ("date", "elapsed") for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Format:
    """The sections of a code for numbers, and the one for text."""

    numbers: tuple[Section, ...]
    words: Section | None = None

    @property
    def is_date(self) -> bool:
        return any(section.is_date for section in self.numbers)


@lru_cache(2_000)
def format_of(code: str) -> Format | None:
    """Return the format of a code; None for one that can't be computed."""
    if len(code) > MOST_CODE:
        return None
    try:
        parts = [_section(part) for part in _parts(code)]
    except _UnknownError:
        return None
    if len(parts) > 4:
        return None
    words = parts.pop() if len(parts) == 4 or any(each.kind == "at" for each in parts[-1].tokens) else None
    return Format(tuple(parts), words)


def shown_number(
    number: float, format: Format, *, from_1904: bool = False, way: str = "1,234.5"
) -> str | None:
    """Return the text of a number, with the signs of a number style; None if it can't be computed. Spaces
    around it are removed."""
    try:
        section, is_signed = _chosen(number, format)
        if section is None:
            return shown_plain(number, way)
        if section.is_date:
            return _date(number, section, from_1904)
        sign = "-" if number < 0 and is_signed else ""
        thousands, decimal = signs_of(way)
        text = _number(abs(number), section.tokens)
        return (sign + text.replace(_THOUSANDS, thousands).replace(_DECIMAL, decimal)).strip()
    except (_UnknownError, InvalidOperation, OverflowError):
        return None


def shown_plain(number: float, way: str) -> str:
    """Return the text of a number without a format, with the signs of a number style."""
    return number_text(number).replace(".", signs_of(way)[1])


def shown_in(value: Value, way: str | None) -> str:
    """Return the shown text of a cell, with its numbers in a style, if one is stated."""
    if way is None or isinstance(value, bool) or not isinstance(value, int | float | Formatted):
        return text_of(value)
    if not isinstance(value, Formatted):
        return shown_plain(value, way)
    format = None if value.is_final else format_of(value.format)
    shown = None if format is None else shown_number(value.number, format, way=way)
    return text_of(value) if shown is None else shown


def shown_text(text: str, format: Format) -> str:
    """Return the text of a cell that contains text."""
    if format.words is None:
        return text
    return "".join(text if token.kind == "at" else token.text for token in format.words.tokens).strip()


# ---- reading codes


def _parts(code: str) -> list[str]:
    """Return a code split at the semicolons that are neither quoted nor escaped."""
    parts, start, at = [], 0, 0
    while at < len(code):
        sign = code[at]
        if sign in "\\_*":
            at += 2
            continue
        if sign in '"[':
            end = code.find('"' if sign == '"' else "]", at + 1)
            if end < 0:
                raise _UnknownError
            at = end
        elif sign == ";":
            parts.append(code[start:at])
            start = at + 1
        at += 1
    return [*parts, code[start:]]


def _section(code: str) -> Section:
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    language, at = 0, 0

    def put(kind: str, text: str) -> None:
        nonlocal at
        tokens.append(Token(kind, text))
        at += len(text)

    while at < len(code):
        sign = code[at]
        if sign == '"':
            end = code.index('"', at + 1)
            tokens.append(Token("text", code[at + 1 : end]))
            at = end + 1
        elif sign == "\\":
            tokens.append(Token("text", code[at + 1 : at + 2]))
            at += 2
        elif sign in "_*":
            tokens.append(Token("text", " " if sign == "_" else ""))
            at += 2
        elif sign == "[":
            end = code.index("]", at) + 1
            if found := _LOCALE.fullmatch(code, at, end):
                tokens.append(Token("text", found[1]))
                language = _language(found[2], language)
            elif found := _CONDITION.fullmatch(code, at, end):
                condition = found[1], float(found[2])
            elif found := _ELAPSED.fullmatch(code, at, end):
                tokens.append(Token("elapsed", found[1].lower()))
            elif not _COLOR.fullmatch(code, at, end):
                raise _UnknownError
            at = end
        elif code[at : at + 7].lower() == "general":
            put("general", code[at : at + 7])
        elif found := _HALVES.match(code, at):
            put("halves", found[0])
        elif sign in "Ee" and code[at + 1 : at + 2] in ("+", "-"):
            put("exponent", code[at : at + 2].upper())
        elif found := _DATE.match(code, at):
            put("date", found[0])
        elif sign in _UNKNOWN:
            raise _UnknownError
        else:
            kinds = {"0": "digit", "#": "digit", "?": "digit", ".": "point", ",": "comma", "%": "percent"}
            put({**kinds, "/": "slash", "@": "at"}.get(sign, "text"), sign)
    return Section(tuple(tokens), condition, language)


def _language(stated: str | None, before: int) -> int:
    if stated is None:
        return before
    number = int(stated, 16)
    if number & 0xFFFF in _SYSTEM or number > 0x1FFFFFF:  # the system's own; another calendar or script
        raise _UnknownError
    return number & 0xFFFF


# ---- choosing the section


def _chosen(number: float, format: Format) -> tuple[Section | None, bool]:
    """Return the section for a number, and True if a minus is shown in front of it. The section is None if
    there is no format."""
    sections = format.numbers
    if not sections:
        return None, True
    if not any(section.condition for section in sections):
        if len(sections) == 1 or number > 0:
            return sections[0], True
        if number < 0:
            return sections[1], False
        return (sections[2] if len(sections) > 2 else sections[0]), False
    for at, section in enumerate(sections):
        test = section.condition
        if test is None and at == len(sections) - 1:
            return section, True
        test = test or ((">", 0.0) if at == 0 else ("<", 0.0))
        if _holds(number, *test):
            return section, not (test[0] in ("<", "<=") and test[1] <= 0)
    raise _UnknownError  # the cell is filled with number signs


def _holds(number: float, sign: str, limit: float) -> bool:
    tests = {"<": number < limit, ">": number > limit, "=": number == limit, "<>": number != limit}
    return {**tests, "<=": number <= limit, ">=": number >= limit}[sign]


# ---- numbers


def _number(number: float, tokens: Sequence[Token]) -> str:
    kinds = [token.kind for token in tokens]
    if "general" in kinds:
        general = number_text(number).replace(".", _DECIMAL)
        return "".join(general if each.kind == "general" else each.text for each in tokens)
    if "digit" not in kinds:
        return "".join(token.text for token in tokens)
    exact = Decimal(repr(float(number))) * 100 ** kinds.count("percent")
    if "slash" in kinds:
        return _fraction(exact, tokens, kinds.index("slash"))
    if "exponent" in kinds:
        return _scientific(exact, tokens, kinds.index("exponent"))
    point = kinds.index("point") if "point" in kinds else len(kinds)
    slots = [at for at, kind in enumerate(kinds) if kind == "digit"]
    whole = [at for at in slots if at < point]
    for last in {*whole[-1:], slots[-1]}:
        while last + 1 < len(kinds) and kinds[last + 1] == "comma":
            exact, last = exact / 1000, last + 1
    groups = any(whole and whole[0] < at < whole[-1] for at, kind in enumerate(kinds) if kind == "comma")
    return _placed(exact, tokens, groups=groups)


def _rounded(number: Decimal, places: int) -> tuple[str, str]:
    """Return the digits in front of the point and behind it, without a leading zero."""
    if places > _MOST_DIGITS or number >= Decimal(10) ** _MOST_DIGITS:
        raise _UnknownError
    with localcontext() as context:
        context.prec = 2 * _MOST_DIGITS + 2
        text = f"{number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"
    whole, _, part = text.partition(".")
    return whole.lstrip("0"), part


def _placed(number: Decimal, tokens: Sequence[Token], *, groups: bool = False) -> str:
    """Return a number's digits in the places of the tokens."""
    kinds = [token.kind for token in tokens]
    point = kinds.index("point") if "point" in kinds else len(kinds)
    signs = [
        [each.text for each in part if each.kind == "digit"] for part in (tokens[:point], tokens[point:])
    ]
    whole, part = _rounded(number, len(signs[1]))
    digits = iter((*_whole_slots(whole, signs[0], groups), *_part_slots(part, signs[1])))
    out = []
    for token in tokens:
        if token.kind == "point" and not signs[0]:
            out.append(whole)
        if token.kind == "digit":
            out.append(next(digits))
        elif token.kind != "comma":
            out.append(_DECIMAL if token.kind == "point" else token.text)
    return "".join(out)


def _whole_slots(whole: str, signs: Sequence[str], groups: bool) -> list[str]:
    """Return the text of each place in front of the point: the first takes all remaining digits."""
    slots = [""] * len(signs)
    for at in range(max(len(signs), len(whole)) if signs else 0):
        slot = max(len(signs) - 1 - at, 0)
        sign = signs[slot] if at < len(signs) else "#"
        digit = whole[-1 - at] if at < len(whole) else _BLANKS[sign]
        comma = _THOUSANDS if groups and at and at % 3 == 0 and digit.isdigit() else ""
        slots[slot] = digit + comma + slots[slot]
    return slots


def _part_slots(part: str, signs: Sequence[str]) -> list[str]:
    """Return the text of each place behind the point: of zeros at the end only those required by `0`."""
    kept = max((at + 1 for at, sign in enumerate(signs) if sign == "0" or part[at] != "0"), default=0)
    return [part[at] if at < kept else _BLANKS[sign] for at, sign in enumerate(signs)]


_BLANKS = {"0": "0", "#": "", "?": " "}


def _scientific(number: Decimal, tokens: Sequence[Token], at: int) -> str:
    mantissa, rest = tokens[:at], tokens[at + 1 :]
    point = next((index for index, each in enumerate(mantissa) if each.kind == "point"), len(mantissa))
    step = max(1, sum(token.kind == "digit" for token in mantissa[:point]))
    places = sum(token.kind == "digit" for token in mantissa[point:])
    power = number.adjusted() // step * step if number else 0
    if "".join(_rounded(number.scaleb(-power), places)[0])[step:]:
        power += step  # 9.99 is rounded to 10
    width = len(rest) - len("".join(each.text for each in rest).lstrip("0#?"))
    sign = "-" if power < 0 else tokens[at].text[1].replace("-", "")
    shown = (
        f"{_placed(number.scaleb(-power), mantissa)}{tokens[at].text[0]}{sign}{abs(power):0{max(width, 1)}}"
    )
    return shown + "".join(token.text for token in rest[width:])


def _fraction(number: Decimal, tokens: Sequence[Token], slash: int) -> str:
    first = slash
    while first and tokens[first - 1].kind == "digit":
        first -= 1
    behind = "".join(token.text for token in tokens[slash + 1 :])
    found = re.match("[0-9#?]+", behind)
    if first == slash or found is None or len(found[0]) > _MOST_DENOMINATOR:
        raise _UnknownError
    last = slash + 1 + len(found[0])
    slots = [at for at in range(first) if tokens[at].kind == "digit"]
    exact = Fraction(number)
    whole = int(exact) if slots else 0
    if found[0][0] in "123456789":
        below = int(found[0].replace("#", "0").replace("?", "0"))
        above = int((exact - whole) * below + Fraction(1, 2))
    else:
        near = (exact - whole).limit_denominator(10 ** len(found[0]) - 1)
        above, below = near.numerator, near.denominator
    if slots and above == below:
        whole, above = whole + 1, 0
    lead = "".join(token.text for token in tokens[: slots[0] if slots else first])
    tail = "".join(token.text for token in tokens[last:])
    share = f"{above}/{below}" if above or not slots else ""
    if not slots:
        return f"{lead}{share}{tail}"
    shown = str(whole) if whole or not above or tokens[slots[-1]].text == "0" else ""
    between = "".join(token.text for token in tokens[slots[-1] + 1 : first]) if shown and share else ""
    return f"{lead}{shown}{between}{share}{tail}"


def _date(number: float, section: Section, from_1904: bool) -> str:
    pieces = [(token.kind, token.text) for token in section.tokens]
    shown = date_text(number, pieces, section.language, from_1904)
    if shown is None:
        raise _UnknownError
    return shown.strip()


_DAY = 86_400
_ENGLISH = 0x09

Piece = tuple[str, str]
"""The kind and the text of a token of `number_formats`."""


def date_text(number: float, pieces: Sequence[Piece], locale: int, from_1904: bool) -> str | None:
    """Return a number of days by the pieces of a section; None for days beyond the calendar, and for names
    of months and days in an unknown language."""
    if number < 0:
        return None
    places = _decimals(pieces)
    if places > 3:
        return None
    total = (Decimal(repr(float(number))) * _DAY).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    seconds, share = int(total), f"{total:.{places}f}".partition(".")[2]
    day = None
    if any(
        (kind == "date" and text[0] in "yYdD") or _is_month(pieces, at)
        for at, (kind, text) in enumerate(pieces)
    ):
        first = first_day(seconds // _DAY, from_1904)
        try:
            day = None if first is None else first + timedelta(days=seconds // _DAY)
        except OverflowError:
            return None
        if day is None:
            return None
    language = (locale & 0x3FF) or _ENGLISH
    halves = any(kind == "halves" for kind, _ in pieces)
    out: list[str] = []
    for at, (kind, text) in enumerate(pieces):
        if kind == "date":
            found = _part(text.lower(), at, pieces, day, seconds, halves, language)
        elif kind == "elapsed":
            found = f"{seconds // {'h': 3600, 'm': 60, 's': 1}[text[0]]:0{len(text)}}"
        elif kind == "halves":
            morning = seconds % _DAY < _DAY // 2
            found = (
                (text.partition("/")[0 if morning else 2]) if len(text) == 3 else "AM" if morning else "PM"
            )
        elif kind == "digit" and share:
            found, share = share[0], share[1:]
        elif kind in ("general", "exponent", "digit"):
            return None
        else:
            found = text
        if found is None:
            return None
        out.append(found)
    return "".join(out)


def _decimals(pieces: Sequence[Piece]) -> int:
    """Return the decimals of seconds: as many as the zeros behind their point."""
    return sum(kind == "digit" for kind, _ in pieces)


def _is_month(pieces: Sequence[Piece], at: int) -> bool:
    """Return True if an `m` is a month: without an hour in front of it, or a second behind."""
    kind, text = pieces[at]
    if kind != "date" or text[0] not in "mM":
        return False
    if len(text) > 2:
        return True
    marks = [
        (index, each[0].lower()) for index, (kind, each) in enumerate(pieces) if kind in ("date", "elapsed")
    ]
    place = next(index for index, (where, _) in enumerate(marks) if where == at)
    before = marks[place - 1][1] if place else ""
    after = marks[place + 1][1] if place + 1 < len(marks) else ""
    return before != "h" and after != "s"


def _part(
    text: str,
    at: int,
    pieces: Sequence[Piece],
    day: datetime | None,
    seconds: int,
    halves: bool,
    language: int,
) -> str | None:
    sign, width = text[0], len(text)
    time = seconds % _DAY
    if sign == "h":
        hour = time // 3600
        return f"{(hour + 11) % 12 + 1 if halves else hour:0{min(width, 2)}}"
    if sign == "s":
        return f"{time % 60:0{min(width, 2)}}"
    if sign == "m" and not _is_month(pieces, at):
        return f"{time // 60 % 60:0{min(width, 2)}}"
    assert day is not None
    if sign == "y":
        return f"{day.year:04}" if width > 2 else f"{day.year % 100:02}"
    if width < 3:
        return f"{day.month if sign == 'm' else day.day:0{width}}"
    return _name(sign, width, day, language)


def _name(sign: str, width: int, day: datetime, language: int) -> str | None:
    """Return the name of a month or a day; None in an unknown language."""
    names = _known()["languages"].get(language)
    if names is None:
        return None
    at = day.month - 1 if sign == "m" else day.weekday()
    whole: str = names["months" if sign == "m" else "days"].split(" ")[at]
    if sign == "m" and width == 5:
        return whole[0].upper()
    if width > 3:
        return whole
    if sign == "m":
        return names["short_months"].split(" ")[at] if "short_months" in names else whole[:3]
    return whole[: names["short_day"]]
