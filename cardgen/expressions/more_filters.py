"""Filters that a sandbox finds by name when a text first uses them: functions of data from outside.

Such a function runs uncounted, so it gets and returns nothing but data, each value charged by its size. It
gets copies, which it may change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from cardgen.expressions.budget import (
    ATOMS,
    MAPPINGS,
    Budget,
    BudgetError,
    WrongValueError,
    call_error,
    kind_of,
    must_be_there,
)

Find = Callable[[str], Callable[..., Any] | None]
"""Returns the function of a filter by name; None if there is none. CardgenError: it can't be used."""

CALL = 10
"""Steps of a call, besides those for its values."""


def no_others(name: str) -> None:
    """Find no filter."""


class FilterTable(dict[str, Callable[..., Any]]):
    """The filters of a sandbox by name, and those that `find` finds, which aren't listed."""

    def __init__(self, filters: Mapping[str, Callable[..., Any]], budget: Budget, find: Find) -> None:
        super().__init__(filters)
        self._budget, self._find = budget, find
        self._found: dict[str, Callable[..., Any] | None] = {}

    def __missing__(self, name: str) -> Callable[..., Any]:
        if name not in self._found:
            function = self._find(name)
            self._found[name] = None if function is None else counted(self._budget, name, function)
        found = self._found[name]
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


def counted(budget: Budget, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of data as a filter. Its ValueError is one about the values that it was given."""
    parameters = signature(function)

    def use(*given: Any, **named: Any) -> Any:
        budget.step(CALL)
        try:
            parameters.bind(*given, **named)
        except TypeError as error:
            raise call_error(error, name, function, given, named, 1) from None
        values = [_copied(budget, name, value) for value in given]
        options = {key: _copied(budget, name, value) for key, value in named.items()}
        try:
            result = function(*values, **options)
        except ValueError as error:
            raise WrongValueError(f"{name}: {error}") from None
        _charge(budget, result)
        return result

    return use


def _copied(budget: Budget, name: str, value: Any) -> Any:
    """Return a copy of a value, of lists, mappings, text and numbers alone."""
    budget.weigh(value)  # its depth too
    return _plain(name, value)


def _plain(name: str, value: Any) -> Any:
    kind = type(value)
    if kind in ATOMS or kind is str:
        return value
    if kind is Markup:
        raise WrongValueError(f"{name} needs plain text: use it before filters that make markup")
    if kind in MAPPINGS:
        return {key: _plain(name, member) for key, member in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(name, member) for member in value]
    if isinstance(value, Undefined):
        must_be_there(value)
    raise WrongValueError(f"{name} doesn't work with {kind_of(value)}")


def _charge(budget: Budget, value: Any) -> None:
    """Charge for a result, which is plain data, as for one of our own filters."""
    if isinstance(value, str):
        budget.text(len(value))
    elif isinstance(value, int) and value.bit_length() > budget.bounds.bits:
        raise BudgetError(f"{budget.bounds.subject} produces a number that is too large")
    elif isinstance(value, (list, dict)):
        budget.items(len(value))
        budget.step(1 + len(value) // 4)
        for member in value if isinstance(value, list) else (*value, *value.values()):
            _charge(budget, member)
