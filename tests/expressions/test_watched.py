"""A watched mapping is any other to authors, and notes whatever is read of it."""

from __future__ import annotations

import json
import marshal
import operator
from collections.abc import Callable
from typing import Any

import pytest

from cardgen.expressions.budget import WHOLE, Watched
from cardgen.expressions.sandbox import Sandbox
from cardgen.expressions.values import Function
from cardgen.rules.expressions import Engine, ExpressionError, RuleSandbox
from tests.for_each import for_each

CONTENT = {"title": "Fox", "cost": 3, "tags": ["red", "quick"], "part": {"deep": 1}, "none": None}


@pytest.fixture
def noted() -> list[Any]:
    return []


@pytest.fixture
def card(noted: list[Any]) -> Watched:
    return Watched(CONTENT, noted.append)


@pytest.mark.parametrize(
    ("read", "keys"),
    [
        (lambda card: card["title"], ["title"]),
        (lambda card: card.get("cost"), ["cost"]),
        (lambda card: card.get("absent"), ["absent"]),
        (lambda card: "absent" in card, ["absent"]),
        (lambda card: card["part"]["deep"], ["part"]),
        (lambda card: card.but(cost=4)["cost"], ["cost"]),
        (lambda card: card.names(), []),
    ],
)
def test_single_keys_are_noted(
    card: Watched, noted: list[Any], read: Callable[[Watched], Any], keys: list[str]
) -> None:
    read(card)
    assert noted == keys


@pytest.mark.parametrize(
    "read",
    [
        len,
        bool,
        list,
        dict,
        repr,
        str,
        sorted,
        json.dumps,
        lambda card: {**card},
        lambda card: card == CONTENT,
        lambda card: operator.eq(CONTENT, card),
        lambda card: card != CONTENT,
        lambda card: [card] == [CONTENT],
        lambda card: operator.eq([CONTENT], [card]),
        lambda card: CONTENT in [card],
        lambda card: card | {},
        lambda card: {} | card,
        lambda card: dict().update(card),  # noqa: C408
        lambda card: dict.fromkeys(card),
        lambda card: list(card.items()),
        lambda card: list(card.keys()),
        lambda card: list(card.values()),
        lambda card: list(reversed(card)),
        lambda card: card.copy(),
        lambda card: (lambda **named: named)(**card),
        lambda card: f"{card}",
        lambda card: [*card],
    ],
)
def test_all_else_is_noted_as_a_whole(
    card: Watched, noted: list[Any], read: Callable[[Watched], Any]
) -> None:
    read(card)
    assert WHOLE in noted


def test_both_sides_of_a_comparison_are_noted(noted: list[Any]) -> None:
    left, right = Watched(CONTENT, lambda _: None), Watched(CONTENT, noted.append)
    assert left == right
    assert noted == [WHOLE]


def test_it_can_not_be_spelled_or_changed_unseen(card: Watched) -> None:
    with pytest.raises(ValueError, match="unmarshallable"):
        marshal.dumps(card)
    for change in (
        lambda: card.__setitem__("cost", 4),
        lambda: card.update(cost=4),
        lambda: card.pop("cost"),
        lambda: card.setdefault("new", 1),
        lambda: card.clear(),
        lambda: card.__ior__({"cost": 4}),
        lambda: hash(card),
    ):
        with pytest.raises(TypeError):
            change()
    assert dict(card) == CONTENT


EXPRESSIONS = """
card.title|card['title']|card.absent|card.absent is defined|card|length|card|list|card|items|card.items()
card.keys()|card.values()|card|dictsort|card == other|other == card|card != none|card in [other]
[card, other]|unique|'title' in card|'absent' in card|card is mapping|card is iterable|card is sequence
card|string|card ~ ''|card.get('cost')|card.get('absent', 2)|[card]|map(attribute='title')|list
[card]|sum(attribute='cost')|[card, other]|groupby('title')|list|length|[card]|selectattr('cost')|list
[card]|sort(attribute='cost')|length|card|first|card|last|card|join(' ')|card.part.deep|card|nested|length
card.cost + 1|card + 1|card < other|card.nothing|card[0]|card[card]|card()
card if card else 1|card|default(1)
[card]|index(card)|[card].index(other)|[other].count(card)|card|max|card|nope|card.__class__|card|abs
"""


def _split() -> list[str]:
    """Expressions and the parts of each up to any of its filters."""
    lines = EXPRESSIONS.strip().splitlines()
    parts = [line.split("|") for line in lines]
    return sorted(
        {
            "|".join(each[start:end])
            for each in parts
            for start in range(len(each))
            for end in range(start + 1, min(len(each), start + 3) + 1)
        }
    )


@for_each("source", _split())
def test_authors_tell_it_from_no_other_mapping(source: str) -> None:
    watched = Watched(CONTENT, lambda _: None)
    sandboxes = [RuleSandbox(lambda key: key in CONTENT) for _ in range(2)]
    found = [_worked_out(*each, source) for each in zip(sandboxes, (watched, dict(CONTENT)), strict=True)]
    assert found[0] == found[1]
    taken = [sandbox.budget.taken for sandbox in sandboxes]
    assert taken[0] == taken[1]


def _worked_out(sandbox: Sandbox, card: Any, source: str) -> str:
    """What an expression comes to, or what is wrong with it."""
    engine = Engine(lambda key: key in CONTENT, {})
    engine._sandbox = sandbox
    try:
        return repr(engine.compile(source)({"card": card, "other": dict(CONTENT), "f": Function("f", len)}))
    except ExpressionError as error:
        return str(error)
