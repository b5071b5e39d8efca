"""The card reference: what it says of a small game, and that it can't go stale unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.reference.fields import fields_of, values_at
from cardgen.reference.markdown_tables import cell, table

Run = Callable[..., tuple[int, str, str]]

SCHEMA = {
    "properties": {
        "id": {"type": "string", "description": "The id."},
        "die": {"enum": ["d6", "d8"], "description": "The die.", "default": "d6"},
        "needs": {
            "type": "object",
            "properties": {
                "suits": {"type": "array", "items": {"enum": ["sun", "moon"]}, "maxItems": 2},
                "points": {"type": "integer", "minimum": 1, "maximum": 9},
            },
            "required": ["points"],
        },
        "steps": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 80}}},
        },
    },
    "required": ["id"],
    "allOf": [{"properties": {"extra": {"type": ["number", "null"], "minimum": 0}}, "required": ["extra"]}],
}


def test_fields_of_a_schema() -> None:
    rows = [
        (field.name, field.kind, field.required, field.limits, field.values) for field in fields_of(SCHEMA)
    ]
    assert rows == [
        ("id", "text", True, (), ()),
        ("die", "one of a list", False, ('else "d6"',), ("d6", "d8")),
        ("needs", "mapping", False, (), ()),
        ("needs.suits", "list of values of a list", False, ("0 to 2 of them",), ("sun", "moon")),
        ("needs.points", "whole number", True, ("1 to 9",), ()),
        ("steps", "list of mappings", False, ("at least 1 of them", "all different"), ()),
        ("steps[].text", "text", False, ("at most 80 characters",), ()),
        ("extra", "number or empty", True, ("at least 0",), ()),
    ]


def test_values_of_a_card() -> None:
    card = {"needs": {"suits": ["sun", "moon"]}, "steps": [{"text": "a"}, {"text": "b"}], "die": "d8"}
    assert list(values_at(card, ("needs", "suits"))) == ["sun", "moon"]
    assert list(values_at(card, ("steps", "[]", "text"))) == ["a", "b"]
    assert list(values_at(card, ("die",))) == ["d8"]
    assert list(values_at(card, ("needs", "points"))) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (2.0, "2"),
        (2.5, "2.5"),
        ("a|b\n\nc\nd\n", "a\\|b<br>c<br>d"),
        (["a", ["b", "c"]], "a, (b, c)"),
        ({"die": "d6", "modifier": -1}, "die: d6; modifier: -1"),
    ],
)
def test_cells(value: object, text: str) -> None:
    assert cell(value) == text


def test_a_table() -> None:
    assert table(("name", "n"), [("a", 1)], ("n",)) == "| name | n |\n|:--|--:|\n| a | 1 |"


def test_the_reference_of_a_game(demo: Path) -> None:
    text = cardgen.card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
    lines = text.splitlines()
    assert lines[0] == "# Demo: card reference"
    assert "Version 0.1.0." in lines[2]
    assert (
        "| `cards` | Cards | card | 63.5×88.9 mm | 6 | 9 | `data/demo/cards.yaml` | "
        "`schemas/demo/cards.schema.json` |" in lines
    )
    for row in ("| `sun` | 2 | 3 |", "| `moon` | 2 | 3 |", "| `leaf` | 2 | 3 |"):
        assert row in lines
    (owl,) = [line for line in lines if "`night-owl`" in line]
    assert owl.startswith("| 2 | `night-owl` | 2 | Night Owl |")
    assert "**Last turn:** play a second card, if it is a :moon: card.<br>*The lamp is still on.*" in owl
    (suit,) = [line for line in lines if line.startswith("| `suit` |")]
    assert "`sun`, `moon`, `leaf`" in suit
    assert text.endswith("|\n")
    assert "trim" not in text, "keys that no card uses are left out"


def test_rules_stand_with_their_questions(demo: Path) -> None:
    (demo / "data/demo/rules.yaml").write_text(
        "rules:\n  - id: deck-size\n    question: Are there nine cards?\n    why: Nine fill a sheet.\n"
        "    kind: count\n    component: cards\n    equals: 9\n",
        encoding="utf-8",
    )
    manifest = demo / "data/demo/game.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "rules: rules.yaml\n", encoding="utf-8")
    text = cardgen.card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
    assert (
        "| `deck-size` | Are there nine cards?<br>*Nine fill a sheet.* | count | cards | error |"
        in text.splitlines()
    )


def test_writing_and_checking(demo: Path, run: Run, edit: Callable[[str, str, str], Path]) -> None:
    path = demo / "data/demo/GAME_CARDS.md"
    code, _, err = run("reference", "demo", "--check")
    assert code == 1
    assert "GAME_CARDS.md does not exist; run: cardgen reference demo" in err
    assert run("reference", "demo")[0] == 0
    first = path.read_bytes()
    assert run("reference", "demo", "--check") == (0, "demo: the card reference is up to date\n", "")
    edit("data/demo/cards.yaml", "title: Old Oak", "title: Older Oak")
    code, _, err = run("reference", "demo", "--check")
    assert code == 1
    assert "GAME_CARDS.md is out of date; run: cardgen reference demo" in err
    assert path.read_bytes() == first, "--check writes nothing"
    assert run("reference", "demo")[0] == 0
    assert b"Older Oak" in path.read_bytes()
    assert run("reference", "demo", "--check")[0] == 0


def test_a_game_that_ships_with_cardgen_needs_a_place(demo: Path, run: Run, tmp_path: Path) -> None:
    game = cardgen.Project.open(demo).games()[-1]
    assert game != "demo"
    code, _, err = run("reference", game)
    assert code == 2
    assert "--output FILE" in err
    target = tmp_path / "cards.md"
    assert run("reference", game, "--output", str(target))[0] == 0
    assert run("reference", game, "--check", "--output", str(target))[0] == 0
    assert target.read_text(encoding="utf-8").startswith("# ")


def test_one_place_is_for_one_game(run: Run, tmp_path: Path) -> None:
    code, _, err = run("reference", "demo", "demo", "--output", str(tmp_path / "x.md"))
    assert code == 2
    assert "one game" in err


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("data/*/GAME_CARDS.md")), ids=lambda path: path.parent.name
)
def test_the_references_that_ship_are_up_to_date(path: Path) -> None:
    project = cardgen.Project.open(ROOT)
    game = cardgen.load(path.parent.name, project=project)
    assert cardgen.reference_problem(game, project) is None
