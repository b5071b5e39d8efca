"""Operators give Python's results, and charge for what grows or takes long."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Undefined, UndefinedError, nodes

from cardgen.expressions import grammar
from cardgen.expressions.budget import Bounds, Budget, BudgetError, WrongValueError
from cardgen.expressions.values import Operators, real, whole
from tests.for_each import for_each

SMALL = Bounds(steps=1_000, characters=5_000, items=500, bits=64, subject="it", whole="for one rule")
LIST, TEXT = [0] * 300, "x" * 3_000


@for_each(
    ("name", "left", "right", "result", "steps"),
    [
        ("add", 1, 2, 3, 0),
        ("add", 1.5, 2, 3.5, 0),
        ("add", 2, 1.5, 3.5, 0),
        ("add", TEXT, "y" * 500, TEXT + "y" * 500, 35),
        ("add", LIST, [1] * 100, LIST + [1] * 100, 40),
        ("subtract", 2**62, 2.0**63, 2**62 - 2.0**63, 0),
        ("subtract", 2.0**80, 1, 2.0**80, 0),
        ("subtract", 1, 2, -1, 0),
        ("multiply", "ab", 1_000, "ab" * 1_000, 20),
        ("multiply", 100, [1, 2], [1, 2] * 100, 20),
        ("power", 2, 10, 1024, 0),
        ("modulo", 7, 4, 3, 0),
        ("equal", TEXT, "y" * 3_000, False, 30),
        ("equal", TEXT, "y", False, 0),
        ("equal", [1], (1,), False, 2),
        ("equal", [1], "1", False, 0),
        ("less", "a", "b", True, 0),
        ("less", TEXT, "y" * 500, True, 5),
        ("less", "x" * 150, "y" * 150, True, 1),
        ("at_most", [1, 2], [1, 3], True, 2),
        ("within", "x", {"x": 1}, True, 0),
        ("within", "y", {"x": 1}, False, 0),
        ("within", [1], {"x": 1}, False, 0),
        ("within", "x", TEXT, True, 30),
        ("within", 2, range(100), True, 10),
        ("within", "2", range(3), False, 0),
        ("within", "y", ["x"] * 300, False, 30),
        ("within", "y" * 1_000, ["x"] * 300, False, 60),
        ("within", 1, LIST, False, 30),
        ("outside", 1, LIST, True, 30),
        ("placed", [5, 6], 6, 1, 0),
        ("tallied", [5, 6, 5], 5, 2, 0),
    ],
    ids=lambda value: f"{value!s:.20}",
)
def test_result_and_steps_of_an_operator(name: str, left: Any, right: Any, result: Any, steps: int) -> None:
    budget = Budget(SMALL)
    found = getattr(Operators(budget), name)(left, right)
    assert (found, type(found)) == (result, type(result))
    assert budget.taken == steps


@for_each(
    ("name", "left", "right"),
    [
        ("add", 2**63, 2**63),
        ("add", TEXT, TEXT),
        ("add", LIST, LIST),
        ("subtract", -(2**63), 2**63),
        ("multiply", 2**40, 2**40),
        ("multiply", "x", 5_001),
        ("power", 10, 99),
    ],
    ids=lambda value: f"{value!s:.20}",
)
def test_what_grows_too_large_is_not_made(name: str, left: Any, right: Any) -> None:
    with pytest.raises(BudgetError):
        getattr(Operators(Budget(SMALL)), name)(left, right)


@for_each(
    ("name", "left", "right"),
    [
        ("add", [1], "a"),
        ("add", "a", 1),
        ("less", [1], "a"),
        ("less", "a", [1]),
        ("less", None, 1),
        ("modulo", "%d", 1),
        ("power", -8, 0.5),
        ("within", 1, "a"),
        ("within", 1, 5),
        ("placed", [1], 2),
    ],
)
def test_what_does_not_fit_an_operator_is_refused(name: str, left: Any, right: Any) -> None:
    with pytest.raises(WrongValueError):
        getattr(Operators(Budget(SMALL)), name)(left, right)


def test_a_missing_value_says_so_itself() -> None:
    for name in ("add", "less"):
        with pytest.raises(UndefinedError):
            getattr(Operators(Budget(SMALL)), name)(Undefined(name="price"), 1)


@for_each(
    ("sign", "right", "plain"),
    [
        ("lt", nodes.Const(1), True),
        ("lt", nodes.Const("a"), False),
        ("lt", nodes.Name("b", "load"), False),
        ("eq", nodes.Const("a"), True),
        ("eq", nodes.Const("a" * 200), False),
        ("in", nodes.List([nodes.Const(1), nodes.Const("a")]), True),
        ("in", nodes.List([nodes.Name("b", "load")]), False),
        ("in", nodes.Name("b", "load"), False),
    ],
    ids=repr,
)
def test_comparisons_with_short_literals_are_python_s_own(
    sign: str, right: nodes.Expr, plain: bool
) -> None:
    assert grammar._needs_no_guard(sign, nodes.Name("a", "load"), right) is plain


@for_each(
    ("value", "steps"),
    [([[1] * 40], 13), ([[1] * 4] * 9, 22), ({"a": [1] * 8}, 5), (["x" * 900], 11)],
    ids=lambda value: f"{value!s:.20}",
)
def test_a_value_is_weighed_with_all_its_content(value: Any, steps: int) -> None:
    budget = Budget(SMALL)
    budget.weigh(value)
    assert budget.taken == steps


def test_numbers_are_taken_and_nothing_else() -> None:
    assert [real(2), real(1.5), whole(3), whole(True)] == [2, 1.5, 3, 1]
    assert type(whole(True)) is int
    for value in ("7", True, None, [1], float("inf")):
        with pytest.raises(WrongValueError):
            real(value)
    for value in ("7", 1.0, None, [1]):
        with pytest.raises(WrongValueError):
            whole(value)
