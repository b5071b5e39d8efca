"""Every slip in a game with effects is caught at its line, by the check that is meant for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardgen.checking import RuleResult, check_rules
from cardgen.findings import Finding, Findings
from cardgen.loading import load_checked
from cardgen.model.game import ProjectPaths
from cardgen.yaml.reader import Document
from tests.sampling import one_in
from tests.shipped import shipped

from . import slips
from .decks import ROOT

pytestmark = pytest.mark.usefixtures("read_once")

GAME = "blockminers"
MEASURING = "report"
"""The key of rules that only measure."""


def results_of(*only: str) -> list[RuleResult]:
    """The game's own rules, judged."""
    paths, game = ProjectPaths((ROOT,)), shipped(GAME)
    return check_rules(game, rules_of(paths).data, f"data/{GAME}/rules.yaml", only=only)


def rules_of(paths: ProjectPaths) -> Document:
    return slips.rules_of(GAME, paths)


@cache
def rules() -> list[str]:
    document = load_checked(
        ProjectPaths((ROOT,)), f"data/{GAME}/rules.yaml", "schemas/rules.schema.json", Findings()
    )
    assert document is not None
    return [rule["id"] for rule in document.data["rules"] if not rule.get(MEASURING, False)]


def examine(paths: ProjectPaths) -> list[Finding]:
    """All that loading and the rules with a verdict say."""
    return slips.examine(GAME, tuple(rules()), paths)


def test_the_game_itself_is_clean() -> None:
    assert examine(ProjectPaths((ROOT,))) == []


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
    (found,) = [item for item in examine(ProjectPaths((tmp_path, ROOT))) if item.code == "rule/effects"]
    assert "“+3 Infiltrating to you; Reboot 1;” on “Power Lunch” and on “Casual Friday”" in found.message


MUTATIONS = slips.slips_of(GAME)


@pytest.mark.parametrize("mutation", one_in(4, MUTATIONS), ids=lambda mutation: mutation["name"])
def test_mutations(mutation: dict[str, str], tmp_path: Path) -> None:
    slips.must_be_caught(GAME, tuple(rules()), mutation, tmp_path)


def test_a_misspelt_kind_is_one_finding(tmp_path: Path) -> None:
    """The keys that go with it are not held against it."""
    relative = f"data/{GAME}/rules.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    (tmp_path / relative).parent.mkdir(parents=True)
    (tmp_path / relative).write_text(text.replace("kind: share", "kind: shaer", 1), encoding="utf-8")
    findings = Findings()
    load_checked(ProjectPaths((tmp_path, ROOT)), relative, "schemas/rules.schema.json", findings)
    (found,) = findings.items
    assert (found.code, found.hint) == ("schema/enum", "did you mean 'share'?")


def test_every_rule_is_seen_to_bite() -> None:
    figures = [
        slip for file in ("figures", "tired") for slip in slips.slips_of(file) if slip["game"] == GAME
    ]
    assert set(rules()) == {
        mutation["code"].removeprefix("rule/")
        for mutation in [*MUTATIONS, *figures]
        if mutation["code"].startswith("rule/")
    }
