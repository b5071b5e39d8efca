"""What a rule is worked out for one after the other: names, and the values each runs through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, show
from cardgen.checking.subjects import items_of

MAX_ROWS = 10_000
"""Most combinations of values that a rule runs through."""


def axes(case: Case, most: int = MAX_ROWS) -> dict[str, list[Any]]:
    """The values each name of `for` runs through: a list, or an expression that gives one.

    Raises BrokenRuleError, also for more than `most` combinations.
    """
    given: Mapping[str, Any] = case.data.get("for", {})
    found: dict[str, list[Any]] = {}
    size = 1
    for name, values in given.items():
        path = ("for", name)
        if isinstance(values, str):
            values = case.work_out(case.compile(values, path), path, {})
        found[name] = items_of(values)
        if not found[name]:
            raise BrokenRuleError(f"“{name}” runs through no value", path)
        size *= len(found[name])
    if size > most:
        raise BrokenRuleError(
            f"for runs through {size:,} combinations, at most {most:,} are worked out", ("for",)
        )
    return found


def combinations(axes: Mapping[str, list[Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each combination of the values, the last name's running fastest, and what it is called."""
    for values in product(*axes.values()):
        given = dict(zip(axes, values, strict=True))
        yield given, ", ".join(f"{name} {show(value)}" for name, value in given.items())
