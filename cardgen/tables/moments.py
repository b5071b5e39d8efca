"""Dates and times as spreadsheets count them, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

_LEAP = 60
"""The day that 1900 did not have, 29 February, which spreadsheet programs count."""
_LAST = 2_958_466


def first_day(days: int, from_1904: bool = False) -> datetime | None:
    """The day that days are counted from; None for a number of days beyond the calendar."""
    if not (0 if from_1904 else 1) <= days < _LAST:
        return None
    return datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 31 if days < _LEAP else 30)


def of_serial(number: float, from_1904: bool = False) -> str | None:
    """A number of days as `2026-04-03`, `13:30` or `2026-04-03 13:30:00`; None beyond the calendar."""
    if not 0 <= number < _LAST:
        return None
    days = int(number)
    seconds = round((number - days) * 86_400)
    if days == 0 and not from_1904:
        return _time(seconds) if seconds < 86_400 else None
    first = first_day(days, from_1904)
    if first is None:
        return None
    try:
        moment = first + timedelta(days=days, seconds=seconds)
    except OverflowError:
        return None
    day, rest = moment.date().isoformat(), moment.hour * 3600 + moment.minute * 60 + moment.second
    return f"{day} {_time(rest)}" if rest else day


def _time(seconds: int) -> str:
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if second else "")
