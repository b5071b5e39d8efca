"""Edits that `cardgen check --fix` makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check.check import edited, fix
from cardgen.core.findings import Finding, Fix, Severity

BOOK = """# Demo

Seven hands, {{ tables.limits.hand }} cards. Your hand limit is 7, at most.
A stack has seven cards; you lose 3.
"""


def test_edits_change_only_the_places_that_are_as_they_were() -> None:
    fixes = [
        Fix("a.md", 1, 1, "7", "{{ x }}"),
        Fix("a.md", 1, 5, "7", "{{ y }}"),
        Fix("a.md", 2, 1, "7", "z"),
    ]
    text, done = edited("7 + 7\n8", [*fixes, Fix("a.md", 9, 1, "7", "z")])
    assert text == "{{ x }} + {{ y }}\n8"
    assert sorted(done, key=fixes.index) == fixes[:2]


def test_a_file_outside_of_the_project_stays(demo: Path) -> None:
    outside = demo.parent / "other.md"
    outside.write_text("7")
    found = Finding(Severity.ERROR, "x/y", "wrong", fix=Fix("../other.md", 1, 1, "7", "8"))
    assert fix([found], project=cardgen.Project.open(demo)) == []
    assert outside.read_text() == "7"


def test_fix_quotes_the_field_that_a_sentence_names(
    demo: Path, edit: Callable[[str, str, str], Path], run: Callable[..., tuple[int, str, str]]
) -> None:
    edit(
        "data/demo/rules.yaml", "rules:\n", "rules:\n  - {id: figures, question: Quoted?, kind: figures}\n"
    )
    (demo / "data/demo/limits.yaml").write_text("hand: 7\nstack: 7\n")
    book = demo / "data/demo/rulebook.md"
    book.write_text(BOOK)
    manifest = demo / "data/demo/game.yaml"
    text = manifest.read_text()
    entry = "components:\n  book: {title: Rules, kind: book, trim: half-letter, book: rulebook.md}\n"
    manifest.write_text(text.replace("components:\n", entry, 1) + "\ntables: [limits.yaml]\n")
    code, out, _ = run("check", "demo", "--rule", "figures", "--fix")
    assert book.read_text() == BOOK.replace(
        "Seven", "{{ tables.limits.hand|in_words|capitalize }}"
    ).replace("limit is 7", "limit is {{ tables.limits.hand }}").replace(
        "has seven", "has {{ tables.limits.stack|in_words }}"
    )
    assert code == 1
    assert "data/demo/rulebook.md:4:" in out
    assert "the number 3" in out
    assert "the number 7" not in out


def test_words_in_another_case_than_the_schema_are_fixed(
    demo: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    cards = demo / "data/demo/cards.yaml"
    right = cards.read_text("utf-8")
    cards.write_text(right.replace("suit: sun", "suit: Sun"), "utf-8")
    code, out, _ = run("check", "demo", "--fix")
    assert (code, out.count("Sun → sun")) == (0, right.count("suit: sun"))
    assert cards.read_text("utf-8") == right
    cards.write_text(right.replace("suit: sun", "suit: sum"), "utf-8")  # a guess is no safe edit
    code, out, _ = run("check", "demo", "--fix")
    assert (code, "fixed" in out) == (1, False)


def test_cell_in_another_case_than_the_schema_is_fixed(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text("Name,Type\nFerry,Boat\nMarket,Place\nBarge,Boat\nMill,Place\n")
    new = cardgen.new_from_table("river", tmp_path, str(tmp_path / "deck.csv"))
    deck = new.folder / "data/river/deck.csv"
    deck.write_text(deck.read_text().replace("Barge,Boat", "Barge,BOAT"))
    project = cardgen.Project.open(new.folder)
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("river", project=project)
    assert [each.new for each in fix(caught.value.findings, project=project)] == ["Boat"]
    assert "Barge,Boat" in deck.read_text()
