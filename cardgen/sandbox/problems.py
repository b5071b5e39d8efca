"""What goes wrong in a sandbox, and Python's own words for it turned into a designer's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from jinja2 import Undefined


class SandboxError(Exception):
    """Something that a template or an expression may not or cannot do. The text is one sentence for the
    designer, without a full stop."""


class ForbiddenError(SandboxError):
    """It asks for something that stands in no table: only data can be read, printed and called upon."""


class WrongValueError(SandboxError, ValueError):
    """A function, filter or operator was given a value that it can't work with."""


class BudgetError(SandboxError):
    """It went past a counted bound."""


_KINDS = {
    "str": "text",
    "Markup": "text",
    "int": "a number",
    "float": "a number",
    "bool": "yes or no",
    "complex": "a number",
    "NoneType": "an empty value (null)",
    "list": "a list",
    "tuple": "a list",
    "Group": "a list",
    "range": "a list",
    "dict": "a mapping",
    "Watched": "a mapping",
    "Absent": "a missing field",
    "MissingValue": "a missing value",
    "Undefined": "a missing value",
    "Function": "a function",
    "Method": "a function",
    "Macro": "a macro",
    "LoopContext": "a loop",
    "Namespace": "a namespace",
    "TemplateModule": "an imported template",
    "TemplateReference": "the blocks of a template",
    "BlockReference": "a block",
    "Rng": "an rng",
}


def kind_of(value: object) -> str:
    """What a value is, for a sentence: "text", "a number", "a macro"."""
    return _KINDS.get(type(value).__name__, "a value")


def go_by(table: Mapping[str, Callable[..., Any]]) -> Mapping[str, Callable[..., Any]]:
    """The table, its functions called as they stand in it: so Python calls them when it refuses what they
    are given."""
    for name, function in table.items():
        plain = getattr(function, "__func__", function)
        named = isinstance(plain, FunctionType) and plain.__name__ != "<lambda>"
        if named and name.isidentifier() and plain.__qualname__ not in table:
            plain.__qualname__ = name
    return table


def must_be_there(value: object) -> None:
    """Have a missing value raise what it says of itself."""
    if isinstance(value, Undefined):
        str(value)


def shown(value: object) -> str:
    """A value in a sentence: short text and numbers as they are, of anything else what it is."""
    if isinstance(value, str):
        text = str(value)
        return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}…'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) or (isinstance(value, int) and value.bit_length() <= 200):
        return str(value)
    return kind_of(value)


_SIDES = frozenset(("left", "right"))
_TOO_LARGE = "a number is too large, or none at all"
_SAYINGS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (
            r"unsupported operand type\(s\) for (?P<sign>\S+?):? '(?P<left>\w+)' and '(?P<right>\w+)'",
            "`{sign}` does not go with {left} and {right}",
        ),
        (
            r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'",
            "`{sign}` does not go with {left} and {right}",
        ),
        (r"bad operand type for unary (?P<sign>\S+): '(?P<left>\w+)'", "`{sign}` does not go with {left}"),
        (r"must be real number, not (?P<left>\w+)", "a number is needed here, not {left}"),
        (
            r"'(?P<left>\w+)' object cannot be interpreted as an integer",
            "a whole number is needed here, not {left}",
        ),
        (
            r"cannot unpack non-iterable (?P<left>\w+) object",
            "several values are needed here, not {left}",
        ),
        (
            r"not enough values to unpack \(expected (?P<wanted>\d+), got (?P<given>\d+)\)",
            "{wanted} values are needed here, there are only {given}",
        ),
        (
            r"too many values to unpack \(expected (?P<wanted>\d+)",
            "only {wanted} values are wanted here, there are more",
        ),
        (
            r"(?:\w+\.)*_*(?P<name>[^\W_]\w*?)_*\(\) (?:takes|got|missing|expected|argument)\b",
            "{name} does not take these values",
        ),
        (
            r"(?P<name>\w+) expected (?:at least |at most )?\d+ argument",
            "{name} does not take these values",
        ),
        (r"macro '(?P<name>[^']*)' ", "the macro '{name}' does not take these values"),
        (r"The loop must have the 'recursive' marker", "only a recursive loop can be called"),
        (r"Exceeds the limit", "a number has too many digits"),
        (r"(?:int|integer|cannot convert float).*(?:too large|infinity|NaN)", _TOO_LARGE),
    )
)
"""Messages of Python and what is said for them; `left` and `right` are names of types."""


def in_words(error: BaseException) -> str:
    """What went wrong, as one sentence without a full stop and without Python's words.

    Our own errors have their sentence; of others only those messages are passed on that are known.
    """
    if isinstance(error, SandboxError):
        return str(error)
    text = str(error)
    if isinstance(error, TypeError | ValueError | ArithmeticError):
        for pattern, said in _SAYINGS:
            if match := pattern.match(text):
                words = match.groupdict()
                kinds = {side: _KINDS.get(words[side], "another value") for side in words.keys() & _SIDES}
                return said.format_map(words | kinds)
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    if isinstance(error, OverflowError):
        return _TOO_LARGE
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it needs too much memory"
    if isinstance(error, ArithmeticError | ValueError):
        return "this can't be worked out with these values"
    if isinstance(error, TypeError):
        return "these values do not go together"
    return "this can't be worked out"
