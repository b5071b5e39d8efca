"""JSON as a data file: the same as YAML, or a list of objects read as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.core.findings import Findings
from cardgen.files.yaml import parse_yaml
from cardgen.files.yaml_editing import edited
from tests.for_each import for_each

FOX = "Fox \ud83e\udd8a".encode("utf-16", "surrogatepass").decode("utf-16")
GAME = """\
id: g
title: G
version: 0.1.0
author: A
language: en
players: {min: 2, max: 4}
theme: {ink: '#111111'}
components:
  cards: {title: Cards, kind: card, trim: poker, data: 'DATA', face: card.svg}
"""
FACE = """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm"
viewBox="0 0 {{ width }} {{ height }}"><text x="10" y="12" font-family="IBM Plex Sans"
font-size="4">{{ card.title }}</text></svg>"""


def project(root: Path, data: str, content: str, file: str = "cards.json") -> cardgen.Project:
    for folder, name, text in (
        ("data", "game.yaml", GAME.replace("DATA", data)),
        ("data", file, content),
        ("templates", "card.svg", FACE),
    ):
        (root / folder / "g").mkdir(parents=True, exist_ok=True)
        (root / folder / "g" / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(root)


def checked(game: str, made: cardgen.Project) -> list[cardgen.Finding]:
    return list(check_game(CheckOptions(game), project=made).findings)


@for_each("indent", [None, 2, "\t"])
@for_each("is_ascii", [True, False])
def test_json_says_what_yaml_says(indent: int | str | None, is_ascii: bool, tmp_path: Path) -> None:
    card = {"id": "a", "title": f"{FOX}: “é” #1/2", "tags": ["x", {"y": [1.5, None, True]}], FOX: "key"}
    text = json.dumps({"cards": [card]}, indent=indent, ensure_ascii=is_ascii).replace("1/2", "1\\/2")
    game = cardgen.load("g", project=project(tmp_path, "cards.json", text))
    fields = next(game.cards()).fields
    assert {key: fields[key] for key in card} == card


@for_each("style", ['"{}"', "'{}'", "{} # {}", ">-\n  {}"])
def test_pairs_are_read_in_double_quotes_alone(style: str) -> None:
    escapes = "x \\ud83e\\udd8a y\\ud83e\\udd8a"
    findings = Findings()
    document = parse_yaml(f"a: {style.replace('{}', escapes)}\nb: 1\n", "a.yaml", findings)
    assert document is not None
    assert document.data["a"] == (FOX.replace("Fox", "x") + f" y{FOX[-1]}" if '"' in style else escapes)
    assert document.locate(("b",)).column == 4
    assert not findings.items


@for_each(
    ("text", "code", "line", "column"),
    [
        ('{"cards": [\n  {"id": "a", "t": "x \\ud83e y"}]}', "yaml/syntax", 2, 23),
        ('{"cards": [\n  {"id": "a", "t": "\\udd8a\\ud83e"}]}', "yaml/syntax", 2, 21),
        ('{"a": 1,\n "a": 2}', "yaml/duplicate-key", 2, 2),
        ('{"a": "\\ud83e\\udd8a", "a": 2}', "yaml/duplicate-key", 1, 23),
        ('{"a": [1, 2,]}', "yaml/syntax", 1, 13),
        ("{'a': 1}", "yaml/syntax", 1, 2),
        ("a: 1\n", "yaml/syntax", 1, 1),
        ('{"a": 1, // no\n "b": 2}', "yaml/syntax", 1, 10),
        ('{"a": "NaN",\n "b": NaN}', "yaml/number", 2, 7),
        ('{"a": 1e999}', "yaml/number", 1, 7),
        ('{"a": "b"', "yaml/syntax", 1, 10),
        ('{"a": ' * 70 + "1" + "}" * 70, "yaml/depth", 1, 385),
    ],
)
def test_json_in_error_is_found_at_its_place(text: str, code: str, line: int, column: int) -> None:
    findings = Findings()
    parse_yaml(text, "data/g/cards.json", findings)
    (finding,) = findings
    place = finding.location
    assert place is not None
    assert (finding.code, place.line, place.column) == (code, line, column)


@for_each("indent", [None, 2, "\t"])
def test_edited_json_stays_json(indent: int | str | None) -> None:
    data: dict[str, Any] = {"cards": [{"id": "a", "n": 1}, {"id": "b", "l": [1]}, {"id": "c"}]}
    text = json.dumps(data, indent=indent)
    first, second, _ = data["cards"]
    first |= {"n": "yes", "t": f'"{FOX}": #'}
    second["l"].append({"x": None})
    data["cards"] = [{"id": "z"}, first, second, {"id": "d", "on": True}]
    assert json.loads(edited(text, data, is_json=True)) == data


def test_cards_edited_in_a_table_go_back_into_json(tmp_path: Path) -> None:
    text = json.dumps({"cards": [{"id": "a", "title": "Fox"}, {"id": "b", "title": "Owl"}]}, indent=4)
    made = project(tmp_path, "cards.json", text)
    table = tmp_path / "cards.csv"
    cardgen.to_spreadsheet("g", "csv", project=made, output=table)
    table.write_text(table.read_text("utf-8").replace("Fox", "no: 1"), "utf-8")
    back = cardgen.from_spreadsheet("g", table, project=made)
    assert back.files == ("data/g/cards.json",)
    assert (tmp_path / "data/g/cards.json").read_text("utf-8") == text.replace("Fox", "no: 1")


@for_each(
    ("data", "wrapped"),
    [
        ("cards.json#", lambda rows: rows),
        ("cards.json#all", lambda rows: {"v": 1, "all": rows}),
        ("cards.json#deck.all", lambda rows: {"v": {"x": [1]}, "deck": {"n": 1, "all": rows}}),
    ],
)
def test_list_of_objects_is_a_table(data: str, wrapped: Any, tmp_path: Path) -> None:
    rows = [
        {"Title": "# Fox", "Cost": 2, "Tags": ["a", "b"], "stats": {"power": 3}},
        {"Title": "Owl", "Cost": None, "Wild": True, "stats": {"power": 1}},
    ]
    made = project(tmp_path, data, json.dumps(wrapped(rows), indent=1))
    cards = list(cardgen.load("g", project=made).cards())
    assert [card.fields["title"] for card in cards] == ["# Fox", "Owl"]
    assert cards[0].fields["cost"] == 2
    assert cards[0].fields["tags"] == "a; b"
    assert cards[1].fields["stats"]["power"] == 1


@for_each(
    ("text", "data", "code", "line"),
    [
        ('[{"Title": "a"},\n {"Title": "\\ud83e"}]', "cards.json#", "tables/character", 2),
        ('[{"Title": "a"},\n {"Title": "b", "Title": "c"}]', "cards.json#", "yaml/duplicate-key", 2),
        ('[{"Title": "a"},\n {"Title": "b", "l": [[1]]}]', "cards.json#", "tables/column", 2),
        ('{"a": [{"Title": "a"}]}', "cards.json#b", "tables/sheet", None),
        ('[{"Title": "a"]', "cards.json#", "tables/damaged", None),
        ("[" * 100_000, "cards.json#", "tables/damaged", None),
        ('[{"Title": "a"}]', "cards.json", "data/list", 1),
    ],
)
def test_table_of_json_in_error_is_found_at_its_place(
    text: str, data: str, code: str, line: int | None, tmp_path: Path
) -> None:
    found = checked("g", project(tmp_path, data, text))
    place = next(each.location for each in found if each.code == code)
    assert place is not None
    assert (place.file, place.line) == ("data/g/cards.json", line)


@pytest.mark.long
@for_each("wrap", ["ROWS", '{"v": 1, "cards": ROWS}', '{"m": {}, "deck": {"list": ROWS}}'])
def test_new_project_from_json_keeps_it_as_its_data(wrap: str, tmp_path: Path) -> None:
    rows = [
        {"Card Name": f"Card {n}", "Cost": n, "Text": "Draw \ud83e\udd8a."[:5] + "two."} for n in range(4)
    ]
    source = tmp_path / "set.json"
    source.write_text(wrap.replace("ROWS", json.dumps(rows)))
    new = cardgen.new_from_table("fox", tmp_path, str(source))
    assert new.cards == 4
    assert new.components[0].shown["title"] == ("Card Name",)
    assert (tmp_path / "fox/data/fox/deck.json").read_bytes() == source.read_bytes()
    assert checked("fox", cardgen.Project.open(tmp_path / "fox")) == []


def test_new_project_from_json_with_several_lists_asks_which(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text('{"a": [{"x": "1"}], "b": [{"x": "Fox"}]}')
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.new_from_table("fox", tmp_path, str(tmp_path / "set.json"))
    assert [each.code for each in caught.value.findings] == ["tables/sheet"]
    assert cardgen.new_from_table("fox", tmp_path, f"{tmp_path / 'set.json'}#b").data.endswith("deck.json")


def test_further_tables_are_json_too(tmp_path: Path) -> None:
    made = project(tmp_path, "cards.json", '{"cards": [{"id": "a", "title": "A"}]}')
    (tmp_path / "data/g/words.json").write_text('{"hi": ["Hallo", "\\ud83e\\udd8a"]}')
    game = tmp_path / "data/g/game.yaml"
    game.write_text(f"{game.read_text()}tables: [words.json]\n")
    assert cardgen.load("g", project=made).tables["words"] == {"hi": ["Hallo", FOX[-1]]}


@for_each(
    ("content", "table"),
    [
        ('[{"title": "Fox"}]', "cards.json#"),
        ('{"version": 1, "deck": [{"title": "Fox"}]}', "cards.json#deck"),
    ],
)
def test_list_without_the_component_leads_to_the_table_that_reads_it(
    content: str, table: str, tmp_path: Path
) -> None:
    found = checked("g", project(tmp_path, "cards.json", content))
    (error,) = [each for each in found if each.severity is cardgen.Severity.ERROR]
    assert error.code == "data/list"
    assert error.location is not None
    assert error.location.file == "data/g/cards.json"
    assert f"data: '{table}'" in (error.hint or "")
    game = cardgen.load("g", project=project(tmp_path, table, content))
    assert [card.fields["title"] for card in game.cards()] == ["Fox"]


def test_keys_without_a_list_lead_nowhere(tmp_path: Path) -> None:
    found = checked("g", project(tmp_path, "cards.json", '{"fox": {"title": "Fox"}, "a": [], "b": []}'))
    assert [each.hint for each in found if each.code == "data/list"] == [
        "write the cards below the key 'cards'"
    ]
