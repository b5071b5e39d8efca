"""The page on the first deck is followed, command by command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardgen
from cardgen.cli.main import main

PAGE = (Path(__file__).resolve().parent.parent / "docs/first-deck.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the reader stands, with the spreadsheet."""
    monkeypatch.chdir(tmp_path)
    ((_, deck),) = [each for each in BLOCK.findall(PAGE) if each[0] == "csv"]
    (tmp_path / "deck.csv").write_text(deck, encoding="utf-8")
    return tmp_path


def commands() -> list[list[str]]:
    lines = (line for kind, text in BLOCK.findall(PAGE) if kind == "sh" for line in text.splitlines())
    return [line.split() for line in lines]


@pytest.mark.long
def test_the_commands_of_the_page_do_what_it_says(
    market: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = 0
    for program, *words in commands():
        if program == "cd":
            monkeypatch.chdir(words[0])
        elif words != ["preview"]:
            assert program == "cardgen"
            assert main(words) == 0, capsys.readouterr()
            done += 1
        if words == ["check"]:
            assert "no findings" in capsys.readouterr().out
            table = Path("data/night-market/deck.csv")
            lines = table.read_text(encoding="utf-8").splitlines()
            table.write_text("\n".join([f"{lines[0]},Gold", *(f"{line},1" for line in lines[1:])]) + "\n")
            assert main(["check"]) == 1
            assert "unknown key 'Gold'" in capsys.readouterr().out
    assert done == 4
    assert (market / "night-market/output/night-market/poker.pdf").is_file()


def test_the_rules_say_what_the_page_shows(
    market: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cardgen.new_from_table("night-market", market, "deck.csv")
    table = market / "night-market/data/night-market/deck.csv"
    text = table.read_text(encoding="utf-8")
    row = "Watchman,2,Person,Nobody may steal from you this round.,,2"
    assert row in text
    table.write_text(text.replace(row, f"Merchant{row[8:-1]}3"), encoding="utf-8")
    monkeypatch.chdir("night-market")
    assert main(["check"]) == 1
    (shown,) = [block for kind, block in BLOCK.findall(PAGE) if kind == "text"]
    assert capsys.readouterr().out.startswith(shown.removesuffix("…\n"))


def test_files_that_the_page_names_are_made(market: Path) -> None:
    assert main(["new", "night-market", "--from", "deck.csv"]) == 0
    named = set(re.findall(r"`((?:data|templates)/night-market/\S+?)`", PAGE))
    assert len(named) == 4
    assert all((market / "night-market" / name).is_file() for name in named)
    text = (market / "night-market/data/night-market/game.yaml").read_text(encoding="utf-8")
    assert "trim: poker" in text
