"""The card reference: what it says of a small game, and that it can't go stale unnoticed."""

from __future__ import annotations

from pathlib import Path

import cardgen
from cardgen.commands.data.reference import card_reference, reference_problem
from cardgen.rules.reference import cell, data_tables, demand, fields_of, table, values_at
from tests.for_each import for_each
from tests.shipped import PROJECT, shipped

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


@for_each(
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


def test_a_table_of_long_lines_is_a_list() -> None:
    said = " ".join(["word"] * 100)
    lines = table(
        ("name", "n", "text"), [("a", 1, f"{said}\n- said"), ("b", "", "short")], ("n",)
    ).splitlines()
    assert lines[0] == "- a · *n:* 1"
    assert lines[1].startswith("  - *text:* word")
    assert max(map(len, lines)) <= 120
    assert lines[-2:] == ["  - - said", "- b · *text:* short"]
    dashes = table(("n", "text"), [(1, "word - " * 90)]).splitlines()
    assert not any(line.lstrip().startswith("- ") for line in dashes[2:])


def test_the_references_of_the_games_have_short_lines() -> None:
    for file in (PROJECT.root / "data").glob("*/GAME_CARDS.md"):
        assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 400, file.parent.name


def test_the_reference_of_a_game(demo: Path) -> None:
    text = card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
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
    text = card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
    assert (
        "| `deck-size`<br>count of cards | Are there nine cards?<br>*Nine fill a sheet.* | 9 | 9 copies |"
        in text.splitlines()
    )


def test_a_rule_that_does_not_hold_says_so(demo: Path) -> None:
    (demo / "data/demo/rules.yaml").write_text(
        "rules:\n  - {id: deck-size, question: Ten?, kind: count, component: cards, min: 10}\n",
        encoding="utf-8",
    )
    text = card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
    assert "| `deck-size`<br>count of cards | Ten? | at least 10 | **fail** 9 copies |" in text.splitlines()


@for_each(
    ("entry", "words"),
    [
        ({"equals": 8}, "8"),
        ({"min": 2, "max": "players + 1"}, "at least 2, at most `players + 1`"),
        ({"mean": {"max": 3}, "range": {"min": 1}}, "mean: at most 3; range: at least 1"),
        ({"groups": {"A": 8, "B": {"min": 9}}}, "A: 8, B: at least 9"),
        ({"groups": ["A", "B"], "equals": 2}, "2"),
        ({"are": {"Fox": 2, "Owl": 1}}, "Fox: 2, Owl: 1"),
        ({"are": [str(number) for number in range(14)]}, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13"),
        ({"measures": [{"name": "fame", "min": 3}, {"name": "score"}]}, "fame: at least 3"),
        ({"value": "cost"}, ""),
    ],
)
def test_what_a_rule_asks_for(entry: dict[str, object], words: str) -> None:
    assert demand(entry) == words


def test_the_tables_of_a_game() -> None:
    tables = {
        "design": {"limits": {"hand": 7, "deal": 5}, "suits": [{"name": "sun", "intended": 3}]},
        "actions": {"scan": {"rule": "x" * 200}},
        "rounds": [{f"key{number}": number for number in range(10)}] * 101,
    }
    text = list(data_tables(tables))
    assert [part.splitlines()[0] for part in text] == [
        "### design",
        "### design: suits",
        "### actions",
        "### rounds",
    ]
    assert "| `limits.hand` | 7 |\n| `limits.deal` | 5 |" in text[0]
    assert "| name | intended |\n|:--|--:|\n| sun | 3 |" in text[1]
    assert text[2].endswith(f"| scan | {'x' * 159}… |")
    assert "Also: `key8`, `key9`." in text[3]
    assert "Rows that are left out: 1." in text[3]


def test_long_fields_share_the_last_column(demo: Path) -> None:
    text = card_reference(cardgen.load("demo", project=cardgen.Project.open(demo)))
    (head,) = {line for line in text.splitlines() if line.startswith("| # | id | printed |")}
    assert head.startswith("| # | id | printed | title | ")
    assert head.endswith(" | further |")
    (owl,) = [line for line in text.splitlines() if "`night-owl`" in line]
    assert owl.count(" | ") == head.count(" | ")


ROOT = Path(__file__).resolve().parents[2]


@for_each("path", sorted(ROOT.glob("data/*/GAME_CARDS.md")), ids=lambda path: path.parent.name)
def test_the_references_that_ship_are_up_to_date(path: Path) -> None:
    assert reference_problem(shipped(path.parent.name), PROJECT) is None
