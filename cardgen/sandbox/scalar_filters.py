"""The filters of Jinja2 that take a number or a text: done anew, counted, and for data alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jinja2.filters import FILTERS as STOCK
from markupsafe import Markup, escape

from cardgen.sandbox.budget import NUMBERS, TEXTS
from cardgen.sandbox.problems import WrongValueError, kind_of, must_be_there, shown
from cardgen.sandbox.texts import formatted, real, whole

if TYPE_CHECKING:
    from cardgen.sandbox.sandbox import Sandbox

MAX_NUMERAL = 1_000
"""Longest text that is read as a number."""

MAX_DECIMALS = 30
"""Most decimals, before or after the point, that a number is rounded to."""

_WORDS_PER_STEP = 10
"""Characters of text that are parted into words in a step's time."""


class ScalarFilters:
    """Filters of numbers and text. Each takes the value before the bar first."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._budget = sandbox.budget
        self._text = sandbox.text_of

    # ---- numbers

    def abs_(self, value: Any) -> Any:
        return abs(self.number(value))

    def int_(self, value: Any, default: Any = 0, base: Any = 10) -> Any:
        try:
            if isinstance(value, str):
                return int(self._numeral(value), whole(base))
            return int(self.number(value))
        except (TypeError, ValueError, OverflowError):
            try:
                return int(float(self._numeral(value)))
            except (TypeError, ValueError, OverflowError):
                return default

    def float_(self, value: Any, default: Any = 0.0) -> Any:
        try:
            return float(self._numeral(value))
        except (TypeError, ValueError, OverflowError):
            return default

    def _numeral(self, value: Any) -> Any:
        """A value to be read as a number: text of some digits, or a number."""
        if isinstance(value, str):
            if len(value) > MAX_NUMERAL:
                raise WrongValueError(f"a number has more than {MAX_NUMERAL:,} digits")
            return str(value)
        return self.number(value)

    @staticmethod
    def number(value: Any) -> Any:
        """The value, if it is a number. Raises WrongValueError."""
        must_be_there(value)
        if type(value) not in NUMBERS:
            raise WrongValueError(f"{shown(value)} is not a number")
        return value

    def round_(self, value: Any, precision: Any = 0, method: Any = "common") -> Any:
        decimals = whole(precision)
        if abs(decimals) > MAX_DECIMALS:
            raise WrongValueError(f"round gives at most {MAX_DECIMALS} decimals")
        self.number(value)
        if method == "common":
            return round(real(value), decimals)
        if method not in ("ceil", "floor"):
            raise WrongValueError("round goes by 'common', 'ceil' or 'floor'")
        towards = math.ceil if method == "ceil" else math.floor
        return towards(value * 10**decimals) / 10**decimals

    # ---- text

    def capitalize(self, value: Any) -> str:
        return self._charged(value).capitalize()

    def lower(self, value: Any) -> str:
        return self._charged(value).lower()

    def upper(self, value: Any) -> str:
        return self._charged(value).upper()

    def title(self, value: Any) -> str:
        text = self._charged(value)
        self._budget.step(2 + len(text) // _WORDS_PER_STEP)
        return str(STOCK["title"](text))

    def trim(self, value: Any, chars: Any = None) -> str:
        text = self._charged(value)
        if chars is not None and type(chars) not in TEXTS:
            raise WrongValueError(f"trim takes characters, not {kind_of(chars)}")
        self._budget.search(text, chars, backwards=True)
        return text.strip(chars)

    def truncate(
        self, value: Any, length: Any = 255, killwords: Any = False, end: Any = "...", leeway: Any = None
    ) -> str:
        text, tail = self._charged(value), self._text(end)
        most, room = whole(length), 5 if leeway is None else whole(leeway)
        if most < len(tail) or room < 0:
            raise WrongValueError(
                f"text can't be cut to {shown(most)} characters that end in {shown(tail)}"
            )
        if len(text) <= most + room:
            return text
        kept = text[: most - len(tail)]
        return (kept if killwords else kept.rsplit(" ", 1)[0]) + tail

    def wordcount(self, value: Any) -> int:
        text = self._charged(value)
        self._budget.step(1 + len(text) // _WORDS_PER_STEP)
        return int(STOCK["wordcount"](text))

    def replace(self, value: Any, old: Any, new: Any) -> str:
        text, old, new = (str(self._text(each)) for each in (value, old, new))
        self._budget.search(text, old)
        self._budget.text(len(text) + max(0, text.count(old) * (len(new) - len(old))))
        return text.replace(old, new)

    def string(self, value: Any) -> str:
        return self._charged(value)

    def escape(self, value: Any) -> Markup:
        return escape(self._charged(value))

    def forceescape(self, value: Any) -> Markup:
        return escape(str(self._charged(value)))

    def safe(self, value: Any) -> Markup:
        return Markup(self._charged(value))

    def format_(self, pattern: Any, *values: Any) -> str:
        return formatted(self._budget, pattern, *values)

    def _charged(self, value: Any) -> str:
        text = self._text(value)
        self._budget.text(len(text))
        return text
