"""Dates and times by the tokens of a number format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from cardgen.tables.moments import first_day

_DAY = 86_400
_MONTHS = {
    0x07: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    0x09: "January February March April May June July August September October November December",
    0x0A: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    0x0C: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    0x10: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    0x13: "januari februari maart april mei juni juli augustus september oktober november december",
    0x16: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
"""The months by the language, which is the low part of a locale's number."""
_SHORT = {
    0x07: "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    0x0A: "ene feb mar abr may jun jul ago sep oct nov dic",
    0x0C: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    0x10: "gen feb mar apr mag giu lug ago set ott nov dic",
    0x13: "jan feb mrt apr mei jun jul aug sep okt nov dec",
    0x16: "jan fev mar abr mai jun jul ago set out nov dez",
}
_DAYS = {
    0x07: "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    0x09: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    0x0A: "lunes martes miércoles jueves viernes sábado domingo",
    0x0C: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    0x10: "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    0x13: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    0x16: "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
}
_SHORT_DAY = {0x07: 2, 0x0C: 3, 0x13: 2}
"""Letters of a short day's name, where they are not three."""
_ENGLISH = 0x09

Piece = tuple[str, str]
"""The kind and the text of a token of `number_formats`."""


def date_text(number: float, pieces: Sequence[Piece], locale: int, from_1904: bool) -> str | None:
    """A number of days by the pieces of a section; None for days that no calendar has, and for names of
    months and days in a language that is not known."""
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
    """The decimals of seconds: zeros behind a point behind them."""
    return sum(kind == "digit" for kind, _ in pieces)


def _is_month(pieces: Sequence[Piece], at: int) -> bool:
    """Whether an `m` is a month: no hour stands in front of it, and no second behind."""
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
    """The name of a month or a day; None in a language that is not known."""
    names = (_MONTHS if sign == "m" else _DAYS).get(language)
    if names is None:
        return None
    at = day.month - 1 if sign == "m" else day.weekday()
    whole = re.split(" ", names)[at]
    if sign == "m" and width == 5:
        return whole[0].upper()
    if width > 3:
        return whole
    if sign == "m":
        return _SHORT[language].split(" ")[at] if language in _SHORT else whole[:3]
    return whole[: _SHORT_DAY.get(language, 3)]
