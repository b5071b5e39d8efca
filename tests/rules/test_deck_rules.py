"""Rules that are asked of deck lists: which rule of which list, and what is to blame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardgen.core.findings import Location
from cardgen.core.game import DeckEntry, DeckList, DeckSource, Game
from cardgen.rules.judging import check_rules
from cardgen.rules.results import RuleResult, Verdict
from tests.for_each import for_each
from tests.wording import Wording

from .decks import game_of, schema

POOL = {"cards": [{"id": "axe", "title": "Axe", "cost": 3}, {"id": "bow", "title": "Bow"}, {"id": "cat"}]}


def deck(id: str, *, shipped: bool = True, **copies: int) -> DeckList:
    entries = tuple(
        DeckEntry(card, count, Location(f"{id}.yaml", line, 1, card))
        for line, (card, count) in enumerate(copies.items(), start=2)
    )
    here = Location(f"{id}.yaml", 1, 1, "")
    return DeckList(id, id.title(), "", "", "cards", entries, f"{id}.yaml", here, shipped)


def duel(*decks: DeckList) -> Game:
    return replace(
        game_of({"components": POOL}), decks=decks, deck_source=DeckSource("cards", "title", "d")
    )


def asked(
    game: Game, *rules: dict[str, Any], decks: tuple[DeckList, ...] | None = None
) -> list[RuleResult]:
    entries = [{"id": "it", "question": "Is it so?", **rule} for rule in rules]
    data = {"rules": [], "deck_rules": entries}
    schema().validate(data)
    return check_rules(game, data, "rules.yaml", decks=decks)


SIZE = {"kind": "count", "min": 3}


def test_a_rule_is_asked_of_each_list_by_itself(wording: Wording) -> None:
    large, small = asked(duel(deck("large", axe=2, bow=1), deck("small", axe=1)), SIZE)
    assert (large.rule.deck, large.verdict, large.measures[0].value) == ("large", Verdict.PASS, 3)
    assert (small.rule.name, small.rule.heading) == ("it (small)", "Is it so? (Small)")
    assert small.rule.anchor == "rule-it-of-small"
    (finding,) = small.findings
    wording(finding)
    assert finding.location == Location("small.yaml", 1, 1, "")


def test_a_card_of_a_list_is_found_at_its_line() -> None:
    (result,) = asked(duel(deck("large", bow=1, axe=2)), {"kind": "each", "holds": "not cost or cost < 3"})
    (finding,) = result.findings
    assert finding.message.startswith("deck “Large”: “Axe”:")
    assert finding.location == Location("large.yaml", 3, 1, "axe")


def test_a_list_without_the_cards_that_are_asked_for_fails(wording: Wording) -> None:
    """Of the game's cards the same would be a filter that is misspelt."""
    (result,) = asked(duel(deck("small", bow=1)), {"kind": "each", "where": "cost == 3", "holds": "true"})
    assert result.verdict is Verdict.FAIL
    wording(result.findings[0])


@for_each(
    ("named", "wanted"),
    [("start-*", ["start-a"]), (["start-*", "other"], ["start-a", "other"]), ("other", ["other"])],
)
def test_a_rule_may_say_which_lists_it_is_asked_of(named: Any, wanted: list[str]) -> None:
    game = duel(deck("start-a", axe=3), deck("other", axe=3))
    assert [result.rule.deck for result in asked(game, {**SIZE, "decks": named})] == wanted
    theirs = (deck("start-z", shipped=False, axe=3),)
    assert asked(game, {**SIZE, "decks": named}, decks=theirs) == []
    assert [result.rule.deck for result in asked(game, SIZE, decks=theirs)] == ["start-z"]


def test_a_list_that_does_not_exist_is_told(wording: Wording) -> None:
    (result,) = asked(duel(deck("start-a", axe=3)), {**SIZE, "decks": "strat-a"})
    assert result.verdict is Verdict.BROKEN
    (finding,) = result.findings
    wording(finding)
    assert finding.hint == "did you mean “start-a”?"
    assert finding.location is not None
    assert finding.location.file == "rules.yaml"


def test_decks_are_named_in_rules_for_decks_alone(wording: Wording) -> None:
    rules = {"rules": [{"id": "it", "question": "?", **SIZE, "decks": "small"}]}
    (result,) = check_rules(duel(deck("small", axe=3)), rules, "rules.yaml")
    wording(result.findings[0])


def test_a_game_without_lists_has_no_rules_for_them(wording: Wording) -> None:
    (result,) = asked(game_of({"components": POOL}), SIZE)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0], "game.yaml")


def test_a_kind_that_there_is_not_is_told(wording: Wording) -> None:
    rules = {"rules": [{"id": "it", "question": "?", "kind": "cuont"}]}
    (result,) = check_rules(game_of({"components": POOL}), rules, "rules.yaml")
    wording(result.findings[0])
    assert result.findings[0].hint == "did you mean “count”?"
