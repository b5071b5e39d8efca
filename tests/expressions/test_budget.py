"""What grows or goes on is charged before it is done, and ends as a finding in a designer's words."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Undefined
from markupsafe import Markup

from cardgen.expressions.budget import Bounds, Budget, BudgetError, ForbiddenError
from cardgen.expressions.sandbox import MAX_SOURCE
from tests.expressions.worlds import Drawings
from tests.for_each import for_each
from tests.wording import Wording

SMALL = Bounds(steps=1_000, characters=5_000, items=500, bits=64, subject="it", whole="for one rule")


@pytest.fixture
def budget() -> Budget:
    return Budget(SMALL)


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> Drawings:
    return Drawings(tmp_path_factory.mktemp("drawings"))


def test_steps_are_taken_until_none_is_left(budget: Budget) -> None:
    budget.step(999)
    budget.step()
    assert (budget.taken, budget.left) == (1_000, 0)
    with pytest.raises(BudgetError, match=r"^it takes more than 1,000 steps for one rule$"):
        budget.step()


@pytest.mark.parametrize(("most", "given"), [(None, 1_000), (70, 70), (5_000, 1_000), (-3, 0)])
def test_a_new_use_begins_with_all_steps_or_fewer(budget: Budget, most: int | None, given: int) -> None:
    budget.step(10)
    budget.reset(most)
    assert (budget.left, budget.taken) == (given, 0)


@pytest.mark.parametrize(
    ("length", "taken"), [(0, 0), (99, 0), (100, 1), (5_000, 50)], ids=["none", "short", "some", "most"]
)
def test_a_text_costs_a_step_for_100_characters(budget: Budget, length: int, taken: int) -> None:
    budget.text(length)
    assert budget.taken == taken


def test_what_is_too_long_is_not_begun(budget: Budget, wording: Wording) -> None:
    with pytest.raises(BudgetError) as caught:
        budget.text(5_001)
    wording(caught.value)
    with pytest.raises(BudgetError) as caught:
        budget.items(501)
    wording(caught.value)
    assert budget.taken == 0
    budget.items(500)
    assert budget.taken == 50


def test_items_are_charged_as_they_are_asked_for(budget: Budget) -> None:
    budget.step(996)
    rounds = budget.counted("abcdef", 2)
    assert (next(rounds), next(rounds)) == ("a", "b")
    with pytest.raises(BudgetError, match="takes more than 1,000 steps"):
        next(rounds)


def test_seeking_backwards_costs_the_whole_of_what_is_sought(budget: Budget) -> None:
    text, part = "a" * 5_000, "b" * 400

    def cost(**how: Any) -> int:
        budget.reset()
        budget.search(text, part, **how)
        return budget.taken - 50

    assert cost() == 100
    assert cost(backwards=True) == 400
    budget.reset()
    budget.search("short", part, backwards=True)
    assert budget.taken == 0


SHARED: list[Any] = []
for _ in range(12):
    SHARED = [SHARED, SHARED]


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        ([1, 2.5, True, None], 1),
        ([Markup("a") * 200, "b" * 300], 7),
        ({"k" * 250: 1, 2: [1]}, 5),
        ([range(50)] * 2, 12),
        ({"a": {"b": ()}}, 4),
        (Undefined(), 1),
    ],
    ids=["atoms", "texts", "keys", "ranges", "nested", "missing"],
)
def test_a_value_weighs_all_that_is_in_it(budget: Budget, value: Any, taken: int) -> None:
    budget.weigh(value)
    assert budget.taken == taken


def test_what_is_in_a_value_many_times_weighs_as_often(budget: Budget) -> None:
    with pytest.raises(BudgetError, match="takes more than 1,000 steps"):
        budget.weigh(SHARED)


def test_a_value_that_is_nested_too_deeply(budget: Budget, wording: Wording) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    with pytest.raises(BudgetError) as caught:
        budget.weigh(deep)
    wording(caught.value)


def test_what_is_no_data_has_no_weight(budget: Budget, wording: Wording) -> None:
    with pytest.raises(ForbiddenError) as caught:
        budget.weigh([1, object()])
    wording(caught.value)


TEMPLATES = {
    "a loop in a loop": (
        "{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}",
        "the template takes more than 250,000 steps for one side of a card",
    ),
    "a range": ("{{ range(10 ** 9) }}", "a list of more than 100,000 items"),
    "a range beyond what Python counts": ("{{ range(10 ** 30)|length }}", "a list of more than 100,000"),
    "a long text": ("{{ 'a' * 2000001 }}", "text of more than 2,000,000 characters"),
    "a long list": ("{{ [0] * 100001 }}", "a list of more than 100,000 items"),
    "a product": (
        "{{ 2 ** 2040 * 2 ** 2040 * 2 ** 100 }}",
        "the template multiplies numbers that are too large",
    ),
    "a power": ("{{ 3 ** 9999 }}", "the power 3**9999 is too large"),
    "a sum": (
        "{% set ns = namespace(n=1) %}{% for i in range(4097) %}{% set ns.n = ns.n + ns.n %}{% endfor %}",
        "the template produces a number that is too large",
    ),
    "what is given to a function": (
        "{% for i in range(900) %}{{ max(*range(9999)) }}{% endfor %}",
        "takes more than 250,000 steps",
    ),
    "what is given to a method": (
        "{% for i in range(900) %}{{ [].count(*range(9999)) }}{% endfor %}",
        "got the wrong number or names of values",
    ),
}


@for_each("name", TEMPLATES)
def test_templates_that_ask_for_too_much(drawings: Drawings, name: str) -> None:
    source, words = TEMPLATES[name]
    outcome = drawings.render(source)
    assert outcome.text == ""
    assert words in outcome.message


@for_each(
    "source",
    [
        "x" * (MAX_SOURCE + 1),
        "{{ a }}" * 40_000,
        "{% if 1 %}" + "{% elif 1 %}" * 301 + "{% endif %}",
        "{% if 1 %}" * 2_000,
        "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
        f"{{{{ {'9' * 400} }}}}",
        "{{ 1e999 }}",
    ],
    ids=["characters", "words", "branches", "statements", "brackets", "digits", "infinity"],
)
def test_templates_that_are_too_large(drawings: Drawings, source: str, wording: Wording) -> None:
    outcome = drawings.render(source)
    assert outcome.code == "template/syntax"
    wording(outcome)


@for_each(
    "expression",
    ["[a, b]|max", "[a, b]|sort", "max(a, b)", "a == b", "{a: 1} == {b: 1}", "a.find(b)"],
)
def test_long_texts_that_are_compared_are_charged(drawings: Drawings, expression: str) -> None:
    """By their length: ten thousand characters are a hundred steps at least."""

    def steps(length: int) -> int:
        source = f"{{% set a = 'a' * {length} %}}{{% set b = 'a' * {length} %}}"
        taken = []
        for more in ("", f"{{% set x = {expression} %}}"):
            assert drawings.render(source + more).code == ""
            taken.append(drawings.sandbox.budget.taken)
        return taken[1] - taken[0]

    assert steps(10_000) >= steps(10) + 100
