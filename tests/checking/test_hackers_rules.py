"""Mistakes in H@x0rz! are caught by the rules meant for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .mutants import RULE, Mutant, Mutation, add, cases, dead_rules, drop, edit

GAME = "hackers"

MUTATIONS = [
    # -- the deck
    drop("trojan-horse", "rule/deck-size"),
    drop("firewall", "rule/values"),
    drop("rat", "rule/stronger-is-rarer"),
    drop("hijack", "rule/copies"),
    edit("a-copy-short", "hack", "copies: 5", "copies: 4", "rule/copies"),
    edit("a-copy-over", "hijack", "copies: 1", "copies: 2", "rule/copies"),
    edit("revalue", "firewall", "value: 4", "value: 5", "rule/copies"),
    edit("value-outside", "bitcoin-billions", "value: 8", "value: 9", "schema/maximum"),
    edit("rename", "hijack", "title: Hijack", "title: Hijacking", "rule/copies"),
    edit("rename-to-another", "hijack", "title: Hijack", "title: Firewall", "rule/titles"),
    edit("emblem-of-another", "hijack", "emblem: pirate-octopus", "emblem: angry-plug", "rule/emblems"),
    edit("emblem-unknown", "hijack", "emblem: pirate-octopus", "emblem: parrot", "schema/enum"),
    add(
        "add-a-card",
        "hijack",
        {"id: hijack": "id: phishing", "title: Hijack": "title: Phishing"},
        "rule/copies",
        "phishing",
    ),
    add("add-the-same-id", "hijack", {"title: Hijack": "title: Phishing"}, "data/duplicate-id", "hijack"),
    edit(
        "effect-too-long",
        "hack",
        "and name any card.",
        "and name any card" + " or two" * 9,
        "schema/pattern",
    ),
    # -- cards that name others
    edit(
        "mention-unknown", "trojan-horse", "[hard-reset, hijack]", "[hard-rest, hijack]", "rule/named-cards"
    ),
    edit(
        "mention-of-another", "trojan-horse", "[hard-reset, hijack]", "[rat, hijack]", "rule/named-in-print"
    ),
    edit("name-gone-from-print", "trojan-horse", "**Hard Reset**", "**Reset**", "rule/named-in-print"),
    edit("mention-lost", "trojan-horse", "[hard-reset, hijack]", "[hijack]", "rule/named-in-data"),
    # -- the table
    drop("players: 3", "rule/setup-rows"),
    edit("another-set-aside", "players: 2", "removed: 3", "removed: 2", "rule/setup"),
    edit("another-goal", "players: 4", "wins: 3", "wins: 4", "rule/setup"),
    Mutation(
        "a-pile-for-too-few",
        lambda mutant: mutant.drop("hack", "rat", "firewall"),
        "rule/draw-pile",
        RULE,
    ),
    drop("win-bolt", "rule/win-tokens"),
    edit("a-token-short", "win-crown", "copies: 4", "copies: 3", "rule/tokens"),
    edit("references-for-two", "reference", "copies: {per_player: 1}", "copies: 2", "rule/reference"),
]


def test_the_game_as_it_is_passes(tmp_path: Path) -> None:
    findings, results = Mutant(GAME, tmp_path).judge()
    assert findings == []
    assert all(result.ok for result in results)


@pytest.mark.parametrize("mutation", cases(MUTATIONS))
def test_mutation(mutation: Mutation, tmp_path: Path) -> None:
    mutation.must_be_caught(Mutant(GAME, tmp_path))


def test_no_rule_is_dead() -> None:
    assert dead_rules(GAME, MUTATIONS) == set()
