"""The tests of Jinja2 (`x is odd`) that sandboxes may use, for data alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined
from markupsafe import Markup

from cardgen.sandbox.operators import Operators
from cardgen.sandbox.watched import MAPPINGS

if TYPE_CHECKING:
    from cardgen.sandbox.sandbox import Sandbox

_LISTED = (list, tuple, range, str, dict)


def tests(sandbox: Sandbox, operators: Operators) -> dict[str, Callable[..., bool]]:
    """The tests by name."""
    modulo = operators.modulo

    def text(value: Any) -> str:
        written = sandbox.text_of(value)
        sandbox.budget.text(len(written))
        return written

    table: dict[str, Callable[..., bool]] = {
        "odd": lambda value: bool(modulo(value, 2) == 1),
        "even": lambda value: bool(modulo(value, 2) == 0),
        "divisibleby": lambda value, num: bool(modulo(value, num) == 0),
        "defined": lambda value: not isinstance(value, Undefined),
        "undefined": lambda value: isinstance(value, Undefined),
        "filter": lambda value: isinstance(value, str) and value in sandbox.filters,
        "test": lambda value: isinstance(value, str) and value in sandbox.tests,
        "none": lambda value: value is None,
        "boolean": lambda value: value is True or value is False,
        "false": lambda value: value is False,
        "true": lambda value: value is True,
        "integer": lambda value: type(value) is int,
        "float": lambda value: type(value) is float,
        "lower": lambda value: text(value).islower(),
        "upper": lambda value: text(value).isupper(),
        "string": lambda value: isinstance(value, str),
        "mapping": lambda value: type(value) in MAPPINGS,
        "number": lambda value: isinstance(value, (int, float)),
        "sequence": lambda value: isinstance(value, _LISTED),
        "iterable": lambda value: isinstance(value, (*_LISTED, Undefined)),
        "callable": sandbox.callable,
        "sameas": lambda value, other: value is other,
        "escaped": lambda value: isinstance(value, Markup),
        "in": operators.within,
    }
    signs: tuple[tuple[Callable[[Any, Any], bool], str], ...] = (
        (operators.equal, "== eq equalto"),
        (operators.unequal, "!= ne"),
        (operators.greater, "> gt greaterthan"),
        (operators.at_least, ">= ge"),
        (operators.less, "< lt lessthan"),
        (operators.at_most, "<= le"),
    )
    return table | {name: compare for compare, names in signs for name in names.split()}
