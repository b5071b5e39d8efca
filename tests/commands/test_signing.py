"""Sign-offs: each change of a game's files since `cardgen sign` is a finding at its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.check.mutating import mutate
from cardgen.commands.compare.signing import check_signed, sign
from cardgen.core.findings import Findings, Severity, UsageError
from cardgen.files.yaml import Reading
from tests.for_each import for_each

Edit = Callable[[str, str, str], Path]
BOOK = """# Demo

Draw three cards, and keep
all but one of them.

| a | b |
|---|---|
| 1 | 2 |
"""


@pytest.fixture
def signed(german: Path, edit: Edit) -> Path:
    """The demo project with a rulebook and a German translation, signed."""
    edit(
        "data/demo/game.yaml",
        "sheets:\n",
        "  rules: {title: Rules, kind: book, trim: half-letter, book: rules.md}\n\n"
        "sheets:\n  rules: {layout: single, components: [rules]}\n",
    )
    (german / "data/demo/rules.md").write_text(BOOK, encoding="utf-8")
    (german / "data/demo/de/rules.md").write_text("# Demo\n\nZieht drei Karten.\n", encoding="utf-8")
    edit(
        "data/demo/de/texts.po", 'msgid "Night Owl"\nmsgstr ""', 'msgid "Night Owl"\nmsgstr "Die Nachteule"'
    )
    game, project = opened(german)
    sign(game, project)
    assert changed(german) == []
    return german


def opened(folder: Path) -> tuple[cardgen.Game, cardgen.Project]:
    project = cardgen.Project.open(folder)
    return cardgen.load("demo", project=project), project


def changed(folder: Path) -> list[tuple[str, int | None, str, str]]:
    """The file, line and path of each change, and what it is."""
    findings = Findings()
    check_signed(opened(folder)[0], findings)
    assert {each.severity for each in findings} <= {Severity.WARNING}
    places = [(each.location, each.message.removesuffix(" since the sign-off")) for each in findings]
    return [(at.file[10:], at.line, at.path, said) for at, said in places if at is not None]


@for_each(
    ("file", "old", "new", "found"),
    [
        (
            "cards.yaml",
            "title: Gardener",
            "title: Grdener",
            (22, "cards[2].title", "“Gardener” → “Grdener”"),
        ),
        (
            "cards.yaml",
            "suit: sun\n    value: 3",
            "suit: sun\n    value: 4",
            (31, "cards[3].value", "“3” → “4”"),
        ),
        ("cards.yaml", "two cards instead", "two instead", (8, "cards[0].text", "“cards” is lost")),
        ("cards.yaml", "keep two of", "keep two, three of", (32, "cards[3].text", "“, three” is new")),
        ("game.yaml", "{min: 2, max: 4}", "{min: 2, max: 5}", (9, "players.max", "“4” → “5”")),
        ("rules.md", "all but one", "one but all", (4, "", "“all” → “one”; “one” → “all”")),
        ("rules.md", "| 1 | 2 |", "| 1 | 3 |", (8, "", "“2” → “3”")),
        ("de/rules.md", "drei", "zwei", (3, "", "“drei” → “zwei”")),
    ],
)
def test_each_change_is_at_its_place(
    signed: Path, edit: Edit, file: str, old: str, new: str, found: tuple[int, str, str]
) -> None:
    path = signed / "data/demo" / file
    before = path.read_text(encoding="utf-8")
    edit(f"data/demo/{file}", old, new)
    try:
        assert changed(signed) == [(file, *found)]
    finally:
        path.write_text(before, encoding="utf-8")


def test_translations_are_at_their_entry(signed: Path, edit: Edit) -> None:
    path = edit("data/demo/de/texts.po", "Die Nachteule", "Nachteule")
    line = path.read_text(encoding="utf-8").splitlines().index('msgid "Night Owl"')
    (found,) = changed(signed)
    assert (found[0], found[2:]) == ("de/texts.po", ("cards.yaml: cards/night-owl/title", "“Die” is lost"))
    assert found[1] in (line, line + 1)


def test_orders_and_records(signed: Path) -> None:
    path = signed / "data/demo/cards.yaml"
    head, *cards = path.read_text(encoding="utf-8").split("  - id: ")
    path.write_text("  - id: ".join([head, cards[1], *cards[3:]]), encoding="utf-8")
    gone = [(where, said.partition("”")[2]) for _, _, where, said in changed(signed)]
    assert gone == [("cards[0]", " is lost"), ("cards[1]", " is lost")]
    path.write_text("  - id: ".join([head, cards[1], cards[0], *cards[2:]]), encoding="utf-8")
    moved = [(where, said.partition("”")[2]) for _, _, where, said in changed(signed)]
    assert sorted(said for _, said in moved) == [" is lost", " is new"]


def test_what_a_sign_off_leaves_out(signed: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "ink: '#1d2433'", "ink: '#1d2434'")
    edit("data/demo/cards.yaml", "title: Gardener", "title: 'Gardener'  # a comment")
    edit("data/demo/rules.md", "keep\nall", "keep all")
    assert changed(signed) == []


def test_signing_again_names_the_changes_and_writes_the_same_bytes(
    signed: Path, edit: Edit, run: Any
) -> None:
    path = signed / "data/demo/signed.yaml"
    first = path.read_bytes()
    content = Reading(first.decode()).data
    assert [*content] == ["cards.yaml", "de/rules.md", "de/texts.po", "game.yaml", "rules.md"]
    assert content["cards.yaml"]["cards"][2]["title"] == "Gardener"
    edit("data/demo/cards.yaml", "title: Gardener", "title: Gärtner")
    _, out, _ = run("check", "demo")
    assert "cards.yaml:22:12: cards[2].title: warning: “Gardener” → “Gärtner” since the sign-off" in out
    code, out, _ = run("sign", "demo")
    assert code == 0
    assert out.splitlines()[0].endswith("“Gardener” → “Gärtner” since the sign-off")
    assert changed(signed) == []
    edit("data/demo/cards.yaml", "title: Gärtner", "title: Gardener")
    run("sign", "demo")
    assert path.read_bytes() == first


def test_odd_characters_are_read_as_written(signed: Path, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "title: Gardener", r'title: "\x85\u2028\ufeff:\t\\ # \U0001F600"')
    sign(*opened(signed))
    text = (signed / "data/demo/signed.yaml").read_text(encoding="utf-8")
    found = Reading(text)
    assert found.problems == []
    assert found.data["cards.yaml"]["cards"][2]["title"] == "\x85\u2028\ufeff:\t\\ # \U0001f600"


@for_each("text", ["<<<<<<< ours\na: 1\n", "- a\n", "a: [\n", "", "7\n"])
def test_a_merged_sign_off_is_an_error(signed: Path, text: str) -> None:
    (signed / "data/demo/signed.yaml").write_text(text, encoding="utf-8")
    findings = Findings()
    check_signed(opened(signed)[0], findings)
    (found,) = findings
    assert (found.code, found.severity) == ("signed/unreadable", Severity.ERROR)
    assert "cardgen sign demo" in (found.hint or "")


def test_many_changes_are_counted(signed: Path) -> None:
    (signed / "data/demo/signed.yaml").write_text("{}\n", encoding="utf-8")
    assert len(changed(signed)) == 5
    lines = "".join(f"  - paragraph {number}\n" for number in range(300))
    (signed / "data/demo/signed.yaml").write_text(f"rules.md:\n{lines}", encoding="utf-8")
    found = changed(signed)
    assert len(found) == 201
    assert found[-1][3].endswith("more places have changed")


def test_a_game_that_ships_with_cardgen_stays(demo: Path) -> None:
    project = cardgen.Project.open(demo)
    with pytest.raises(UsageError):
        sign(cardgen.load("hackers", project=project), project)


@pytest.mark.long
def test_mutations_are_counted_with_and_without_the_sign_off(demo: Path) -> None:
    project = cardgen.Project.open(demo)
    without = mutate("demo", 40, 1, project=project)
    sign(cardgen.load("demo", project=project), project)
    found = mutate("demo", 40, 1, project=project)
    assert (found.caught, found.placed, found.findings) == (
        without.caught,
        without.placed,
        without.findings,
    )
    assert without.signed is None
    assert found.signed == found.made
    assert found.signed > found.caught
    assert [each.name for each in found.result.measures][-1] == "so with the sign-off"
