"""A pool for deck construction: its prices, its kinds, its size, and decks that go wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.rules.judging import check_rules
from tests.sampling import one_in
from tests.shipped import PROJECT, plain_yaml, shipped

from .decks import ROOT
from .mutations import examine, rules_of

pytestmark = pytest.mark.usefixtures("read_once")

GAME = "mindnet"
KINDS = ("scientist", "reporter", "politician", "criminal", "citizen", "android")


@pytest.fixture(scope="module")
def game() -> Game:
    return shipped(GAME)


def pool(game: Game) -> list[dict[str, Any]]:
    (component,) = (component for component in game.components if component.id == "cards")
    return [dict(card.fields) for card in component.cards]


def test_it_has_at_least_80_cards_of_all_types_and_kinds(game: Game) -> None:
    cards = pool(game)
    assert len({card["title"] for card in cards}) == len(cards) >= 80
    assert set(Counter(card["type"] for card in cards)) == {"individual", "item", "possession", "event"}
    kinds = Counter(card["kind"] for card in cards if card["type"] == "individual")
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 6


def test_prices_follow_the_curve_worked_out_anew(game: Game) -> None:
    """The curve again, card by card in Python: the rules and this must agree on every price."""
    curve = plain_yaml(f"data/{GAME}/curve.yaml")
    figures = ("motivation", "health", "aggression", "earnings")
    for card in pool(game):
        weights = curve["stats"][card["type"]]
        points = weights["base"] + worth(curve, card.get("effect", []))
        points += sum(weights.get(name, 0) * card.get(name, 0) for name in figures)
        assert card["price"] == max(0, -(-points // curve["points_per_credit"])), card["title"]


def worth(curve: dict[str, Any], effect: Any) -> int:
    """What the phrases of an effect are worth, however deep they stand."""
    if isinstance(effect, list):
        return sum(worth(curve, part) for part in effect)
    if not isinstance(effect, dict):
        return 0
    own = sum(worth(curve, part) for part in effect.values())
    if "do" in effect:
        for row in curve["each"]:
            own += row["points"] * abs(effect["count"]) if effect["do"] in row["keywords"] else 0
        own += sum(row["points"] for row in curve["flat"] if effect["do"] in row["keywords"])
        own += curve["wide"]["points"] if effect.get("who") in curve["wide"]["who"] else 0
    if "test" in effect:
        own += sum(row["points"] for row in curve["conditions"] if effect["test"] in row["conditions"])
        if effect["test"] in curve["cost"]["conditions"]:
            own += curve["cost"]["points"] * effect["count"]
    return own


def codes_of(folder: Path) -> set[str]:
    return {finding.code for finding in examine(GAME, ProjectFolders((folder, ROOT)))[0]}


def changed_pool(folder: Path, file: str, text: str) -> set[str]:
    """The codes of what is found when a file of the pool has this text instead."""
    (folder / f"data/{GAME}").mkdir(parents=True)
    (folder / f"data/{GAME}/{file}").write_text(text, encoding="utf-8")
    return codes_of(folder)


@pytest.mark.long
@pytest.mark.parametrize("kind", one_in(5, KINDS))
def test_a_missing_kind_is_caught(kind: str, tmp_path: Path) -> None:
    text = (ROOT / f"data/{GAME}/individuals.yaml").read_text(encoding="utf-8")
    other = next(each for each in KINDS if each != kind)
    codes = changed_pool(tmp_path, "individuals.yaml", text.replace(f"kind: {kind}", f"kind: {other}"))
    assert {"rule/individual-kinds", "rule/kinds-used"} <= codes


def test_a_small_pool_is_caught(tmp_path: Path) -> None:
    """The deck lists are cut down with it: a list with unknown cards ends the reading before the rules."""
    text = (ROOT / f"data/{GAME}/individuals.yaml").read_text(encoding="utf-8")
    few = "\n  - id: ".join(text.split("\n  - id: ")[:21]) + "\n"
    assert changed_pool(tmp_path, "individuals.yaml", few) == {"deck/unknown-card"}
    (tmp_path / f"data/{GAME}/decks").mkdir()
    for path in sorted((ROOT / f"data/{GAME}/decks").glob("*.yaml")):
        deck = tmp_path / f"data/{GAME}/decks" / path.name
        deck.write_text("title: Paydays\ncards: {Payday: 3}\n", encoding="utf-8")
    codes = codes_of(tmp_path)
    assert {"rule/pool-size", "rule/types", "rule/set-sizes"} <= codes


DECKS = plain_yaml(f"tests/examples/mutations/{GAME}-decks.yaml")


def judged(game: Game, file: Path) -> list[Finding]:
    """All that reading and the rules for decks say of a player's own list, notes apart."""
    try:
        deck = cardgen.load_deck(game, file)
    except CardgenError as error:
        return list(error.findings)
    data = rules_of(GAME, PROJECT.paths).data
    results = check_rules(game, data, f"data/{GAME}/rules.yaml", decks=[deck])
    found = [finding for result in results for finding in result.findings]
    return [finding for finding in found if finding.severity != Severity.NOTE]


@pytest.mark.parametrize("slip", DECKS, ids=lambda slip: slip["name"])
def test_decks_that_go_wrong(slip: dict[str, Any], game: Game, tmp_path: Path) -> None:
    text = (ROOT / f"data/{GAME}/decks/{slip['deck']}.yaml").read_text(encoding="utf-8")
    for old, new in slip["change"].items():
        assert text.count(f"{old}\n") == 1, "the change names one place"
        text = text.replace(f"{old}\n", f"{new}\n")
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")

    found = judged(game, file)

    assert sorted({finding.code for finding in found}) == sorted(slip["codes"])
    first = next(finding for finding in found if finding.code == slip["codes"][0])
    assert first.location is not None
    assert text.splitlines()[(first.location.line or 0) - 1].strip() == slip["line"]
