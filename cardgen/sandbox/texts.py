"""Values as text: numbers, patterns with `%`, and the methods of text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from cardgen.sandbox.budget import Budget
from cardgen.sandbox.problems import ForbiddenError, WrongValueError, kind_of, must_be_there, shown

_FIELD = re.compile(r"%[-+ 0#]*\d{0,2}(?:\.\d{1,2})?([diouxXeEfgGcs])")
"""A field without `*`, without a name, and with no room for a width that would fill the memory."""


def number(value: object, decimals: int = 3) -> str:
    """A number with at most `decimals` decimals and no trailing zeros. Raises WrongValueError."""
    kind = type(value)
    if kind is int:
        return str(value)
    result = value if kind is float else real(value)
    if type(decimals) is not int or not 0 <= decimals < 10:
        decimals = 9
    text = f"{result:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    elif text[-1] in "nf":
        raise WrongValueError("a number came to infinity")
    return "0" if text == "-0" else text


def real(value: object) -> float:
    """The value if it is a finite number. Raises WrongValueError."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        must_be_there(value)
        raise WrongValueError(f"{shown(value)} is not a number")
    if type(value) is float and not math.isfinite(value):
        raise WrongValueError("a number came to infinity")
    return value


def whole(value: object) -> int:
    """The value if it is a whole number. Raises WrongValueError."""
    if type(value) is int:
        return value
    if type(value) is bool:
        return int(value)
    must_be_there(value)
    raise WrongValueError(f"{shown(value)} is not a whole number")


def formatted(budget: Budget, pattern: object, *values: object) -> str:
    """`'%02d'|format(7)`: Python's % with plain fields of at most two digits of width, for text, numbers
    and yes or no."""
    if not isinstance(pattern, str):
        raise WrongValueError(f"a pattern such as '%02d' is needed, not {kind_of(pattern)}")
    budget.text(len(pattern))
    bare = pattern.replace("%%", "")
    fields = _FIELD.findall(bare)
    if "%" in _FIELD.sub("", bare):
        raise WrongValueError(f"{shown(pattern)} is not a pattern such as '%02d' or '%04X'")
    if len(fields) != len(values):
        raise WrongValueError(
            f"the pattern {shown(pattern)} has {len(fields)} places for {len(values)} values"
        )
    length = len(pattern) + 100 * len(fields)
    for field, value in zip(fields, values, strict=True):
        if isinstance(value, str):
            if field not in "sc":
                raise WrongValueError(f"{shown(value)} is no number for %{field}")
            length += len(value)
        elif isinstance(value, Undefined):
            str(value)
            raise WrongValueError("a missing value would be written out")
        elif field == "c" and not (type(value) is int and 32 <= value < 0xD800):
            raise WrongValueError(f"{shown(value)} is no character for %c")
        elif not isinstance(value, (int, float)):
            raise ForbiddenError(f"only data can be written out, not {kind_of(value)}")
    budget.text(length)
    return str(pattern) % values


# ---- methods of text

_SEEKING = frozenset(
    ("count", "endswith", "find", "partition", "removeprefix", "removesuffix", "split", "startswith")
)
_SEEKING_BACKWARDS = frozenset(("lstrip", "rfind", "rpartition", "rsplit", "rstrip", "strip"))
_PLAIN = frozenset(
    (
        *("capitalize", "casefold", "isalpha", "isdigit", "islower", "isnumeric", "isspace", "isupper"),
        *("lower", "splitlines", "swapcase", "title", "upper"),
    )
)

TEXT_METHODS = _SEEKING | _SEEKING_BACKWARDS | _PLAIN
"""Methods of text that can't make it much longer."""


def text_methods(budget: Budget) -> Mapping[str, Callable[..., Any]]:
    """The methods of text by name, each a function of the text and what is given to it."""
    return {name: _text_method(budget, name) for name in sorted(TEXT_METHODS)}


def _text_method(budget: Budget, name: str) -> Callable[..., Any]:
    backwards = name in _SEEKING_BACKWARDS
    native = {kind: getattr(kind, name) for kind in (str, Markup)}

    def method(text: Any, *given: Any, **named: Any) -> Any:
        for each in (*given, *named.values()):
            if isinstance(each, tuple):  # `startswith` takes several
                budget.items(len(each))
                for part in each:
                    budget.search(text, part)
            else:
                budget.search(text, each, backwards=backwards)
        budget.text(len(text))
        result = native[type(text)](text, *given, **named)
        if type(result) is list:
            budget.items(len(result))
        elif isinstance(result, str):
            budget.text(len(result))
        return result

    method.__name__ = method.__qualname__ = name
    return method
