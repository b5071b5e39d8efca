"""A game with effects: what its rules measure and how they word it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardgen.core.findings import Findings
from cardgen.files.listing import ProjectFolders
from cardgen.game.sources import load_checked
from cardgen.rules.judging import check_rules
from cardgen.rules.results import RuleResult
from tests.shipped import PROJECT, shipped

from .decks import ROOT
from .mutations import examine, rules_of

GAME = "blockminers"


def results_of(*only: str) -> list[RuleResult]:
    """The game's own rules, judged."""
    rules = rules_of(GAME, PROJECT.paths).data
    return check_rules(shipped(GAME), rules, f"data/{GAME}/rules.yaml", only=only)


def test_it_counts_65_70_35_5() -> None:
    game = shipped(GAME)
    copies = {component.id: component.copies for component in game.components}
    assert [copies[id] for id in ("office", "basement", "encounter", "characters")] == [65, 70, 35, 5]


def test_chances_are_those_of_two_dice() -> None:
    """Every check on a card and in the tower, for every character, against all 36 throws."""
    game = shipped(GAME)
    people = [card.fields for card in game.component("characters").cards]
    cards = [*game.component("basement").cards, *game.component("encounter").cards]
    checks = [card.fields["check"] for card in cards if "check" in card.fields]
    throws = [a + b for a in range(1, 7) for b in range(1, 7)]

    def beaten(stat: str, at: int, who: Mapping[str, Any]) -> int:
        return sum(throw + who[stat] >= at for throw in throws)

    for result in results_of("mind-chances", "voice-chances"):
        stat = result.rule.id.removesuffix("-chances")
        expected = {
            f"at {at}, character “{who['title']}”": beaten(stat, at, who)
            for at in sorted({check["at"] for check in checks if check["stat"] == stat})
            for who in people
        }
        assert {measure.name: measure.value for measure in result.measures} == expected
    (levels,) = results_of("level-chances")
    assert {measure.name: measure.value for measure in levels.measures} == {
        f"level “{level['title']}”, character “{who['title']}”": beaten(**level["check"], who=who)
        for level in game.tables["capitall"]["levels"]
        if "check" in level
        for who in people
    }


@pytest.mark.long
def test_starters_alone_pay_the_rent_for_some_days_and_not_for_ever() -> None:
    (result,) = results_of("rent")
    (paid,) = [table for table in result.tables if table.title == "rent paid"]
    assert paid.columns == ("time", "players 2", "players 3", "players 4", "players 5")
    assert [row[0] for row in paid.rows] == list(range(1, 11))
    for chances in list(zip(*paid.rows, strict=True))[1:]:
        assert list(chances) == sorted(chances, reverse=True)
        assert chances[0] > 0.9
        assert 0.1 < chances[4] < 0.5
        assert chances[-1] < 0.1


def test_cards_that_do_the_same_are_shown_as_they_read(tmp_path: Path) -> None:
    relative = f"data/{GAME}/office.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    changed = text.replace(
        "- +1 infiltrating all\n      - reboot 1", "- +3 infiltrating you\n      - reboot 1"
    )
    assert changed != text
    (tmp_path / relative).parent.mkdir(parents=True)
    (tmp_path / relative).write_text(changed, encoding="utf-8")
    findings, _ = examine(GAME, ProjectFolders((tmp_path, ROOT)), "rule/effects")
    (found,) = [item for item in findings if item.code == "rule/effects"]
    assert "“+3 Infiltrating to you; Reboot 1;” on “Power Lunch” and on “Casual Friday”" in found.message


def test_a_misspelt_kind_is_one_finding(tmp_path: Path) -> None:
    """The keys that go with it are not held against it."""
    relative = f"data/{GAME}/rules.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    (tmp_path / relative).parent.mkdir(parents=True)
    (tmp_path / relative).write_text(text.replace("kind: share", "kind: shaer", 1), encoding="utf-8")
    findings = Findings()
    load_checked(ProjectFolders((tmp_path, ROOT)), relative, "schemas/rules.schema.json", findings)
    (found,) = findings.items
    assert (found.code, found.hint) == ("schema/enum", "did you mean 'share'?")
