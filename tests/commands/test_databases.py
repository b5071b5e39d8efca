"""A game's cards as a database: what the mapping says, and what is wrong with it, at its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.build.export import database_of
from cardgen.core.findings import Findings, UsageError
from cardgen.core.services import CardDatabase, CardSet
from tests.exports.test_cockatrice import MAPPING
from tests.wording import Wording

Edit = Callable[[str, str, str], Path]
FILE = "data/demo/cockatrice.yaml"


@pytest.fixture
def pool(demo: Path, edit: Edit) -> Path:
    """The demo game as one whose players bring decks."""
    edit("data/demo/game.yaml", "\nsheets:", "\ndecks: {component: cards}\n\nsheets:")
    return demo


def read(demo: Path, mapping: str | None = None) -> tuple[CardDatabase, Findings]:
    if mapping is not None:
        (demo / FILE).write_text(mapping, encoding="utf-8")
    findings = Findings()
    return database_of(cardgen.load("demo", project=cardgen.Project.open(demo)), findings), findings


def test_a_game_without_deck_lists_has_none(demo: Path, wording: Wording) -> None:
    with pytest.raises(UsageError) as raised:
        read(demo)
    wording(raised.value)
    (finding,) = raised.value.findings
    assert finding.code == "usage/decks"
    wording(finding, "game.yaml")


def test_without_a_mapping_a_game_is_one_set(pool: Path) -> None:
    database, findings = read(pool)
    assert [(each.code, str(each.severity), each.hint) for each in findings] == [
        ("cockatrice/plain", "note", f"assign their fields in {FILE}")
    ]
    assert database.sets == (CardSet("DEMO", "Demo", "Custom"),)
    first = database.entries[0]
    assert (first.name, first.set, first.number, first.rarity) == ("Early Bird", "DEMO", "1", "")
    assert (first.text, first.row, first.properties) == ("", None, (("type", "Cards"),))


def test_a_mapping_is_filled_in_for_each_card(pool: Path) -> None:
    database, findings = read(pool, MAPPING)
    assert list(findings) == []
    assert database.sets == (CardSet("DMO", "Demo & more", "Custom", "2026-03-14"),)
    cards = {entry.name: entry for entry in database.entries}
    assert [(cards[name].number, cards[name].rarity) for name in ("Early Bird", "Long Lunch")] == [
        ("1", "common"),
        ("3", "rare"),
    ]
    assert cards["Early Bird"].text.startswith("First turn: take star two cards instead of one.")
    assert (cards["Gardener"].row, cards["Long Lunch"].row) == (0, 2)
    assert dict(cards["Long Lunch"].properties) == {"type": "sun < 3", "pt": "3"}
    assert dict(cards["Early Bird"].properties) == {"type": "sun < 1"}, "empty ones are left out"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("set: DMO", "set: XYZ", 4),
        ("0 if", "7 if", 8),
        ("card.value }}'\n  rar", "card.valu }}'\n  rar", 5),
        ("DMO: {", "dmo: {", 2),
    ],
)
def test_what_is_wrong_with_a_mapping_is_said_once_at_its_line(
    pool: Path, old: str, new: str, line: int, wording: Wording
) -> None:
    assert old in MAPPING
    _, findings = read(pool, MAPPING.replace(old, new))
    (finding,) = findings.errors
    wording(finding)
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == (FILE, line)


def test_two_cards_of_one_name(pool: Path, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "title: Full Moon", "title: Early Bird")
    _, findings = read(pool)
    (finding,) = findings.errors
    assert finding.code == "cockatrice/name"
    assert finding.message == "'full-moon' and 'early-bird' are both called 'Early Bird'"
    assert finding.location is not None
    assert finding.location.file == "data/demo/cards.yaml"
