"""What a game is besides its cards, compared between two states of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.compare.differences import setting_changes
from cardgen.core.findings import Findings

ROOT = Path(__file__).resolve().parents[2]
GAME = "mindnet"
"""It has tables, deck lists, rules for both, a table and a rulebook."""


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two projects that have the same game."""
    folders = tmp_path / "old", tmp_path / "new"
    for folder in folders:
        shutil.copytree(ROOT / "data" / GAME, folder / "data" / GAME)
    return folders


@pytest.fixture
def change(states: tuple[Path, Path]) -> Callable[[str, str, str], None]:
    """Replaces the first place of a text in a file of the new one."""

    def replace(file: str, old: str, new: str) -> None:
        path = states[1] / "data" / GAME / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return replace


Change = Callable[[str, str, str], None]


def compared(states: tuple[Path, Path]) -> tuple[list[str], Findings, Findings]:
    said = Findings(), Findings()
    games = (cardgen.load(GAME, project=cardgen.Project.open(each), partial=True) for each in states)
    return [str(change) for change in setting_changes(*games, findings=said)], *said


def test_the_same_game_has_no_changes(states: tuple[Path, Path]) -> None:
    assert compared(states) == ([], Findings(), Findings())


def test_spot_colours(states: tuple[Path, Path], change: Change) -> None:
    for folder in states:
        path = folder / "data" / GAME / "game.yaml"
        spots = "spots: {foil: {name: Gold, shows: '#c9a227'}}\ncomponents:\n"
        path.write_text(path.read_text("utf-8").replace("components:\n", spots, 1), "utf-8")
    change("game.yaml", "{name: Gold,", "{name: Silver,")
    assert compared(states)[0] == ["spots: foil.name Gold → Silver"]


def test_each_kind_of_file(states: tuple[Path, Path], change: Change) -> None:
    change("turn.yaml", "  start_credits: ", "  start_credits: 1")
    change("decks/chrome-tide.yaml", "Orison: 1", "Orison: 2")
    change("decks/chrome-tide.yaml", "Data Thief: 3", "Data Thief: 2")
    change("table.yaml", "color: '#0b0a26'", "color: '#0b0a27'")
    change("table.yaml", "  - {book: rules, name: Rules of the game, at: [-384mm, 0mm]}\n", "")
    change("rulebook.md", "\n\n", "\n\nA word more.\n\n")
    change("rules.yaml", "  figures: tables.turn.figures\n", "  figures: tables.turn['figures']\n")
    lines, *_ = compared(states)
    assert lines[0].startswith("component rules: text differs in ")
    kinds = [line.partition(" ")[0] for line in lines]
    assert kinds == ["component", "data", "data", "deck", "rules", "table:"]
    laid = 'table: color #0b0a26 → #0b0a27; items[0] {"book": "rules", '
    assert lines[1].startswith(f"data {laid}")  # the rules read it as well
    assert lines[2].startswith("data turn: figures.start_credits ")
    assert lines[3].startswith("deck list chrome-tide: cards.orison 1 → 2; cards.data-thief 3 → 2")
    assert lines[4] == "rules define: figures tables.turn.figures → tables.turn['figures']"
    assert lines[5].startswith(laid)
    assert lines[5].endswith("… removed")


def test_files_in_error_are_said_and_nothing_is_called_removed(
    states: tuple[Path, Path], change: Change
) -> None:
    change("rules.yaml", "rules:\n", "rules: {}\nruels:\n")
    lines, old, new = compared(states)
    assert lines == []
    assert [finding.severity for finding in new.errors]
    assert old.errors == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("game.yaml", "rules-booklet: {layout: booklet", "rules-booklet: {layuot: booklet"),
        ("tokens.yaml", "tokens:\n", "tokens: 3\ntoknes:\n"),
    ],
)
def test_what_is_in_error_is_not_called_removed(
    states: tuple[Path, Path], change: Change, file: str, old: str, new: str
) -> None:
    change(file, old, new)
    for both in (states, states[::-1]):
        lines, *_ = compared(both)
        assert [line for line in lines if line.endswith((": new", ": removed"))] == []


def test_a_sheet_layout(states: tuple[Path, Path]) -> None:
    layouts = states[1] / "data/sheets"
    layouts.mkdir()
    text = (ROOT / "data/sheets/single.yaml").read_text()
    (layouts / "single.yaml").write_text(text.replace("title: ", "title: My ", 1))
    lines, *_ = compared(states)
    assert [line.partition(":")[0] for line in lines] == ["sheet layout single"]
    (layouts / "single.yaml").write_text("title: 3\n")
    lines, old, new = compared(states)
    assert (lines, old.errors) == ([], [])
    assert new.errors
