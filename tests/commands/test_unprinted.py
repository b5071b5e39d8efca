"""What was typed is what is printed: values that are not on their cards are found, in every format."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check import preflight
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.commands.production.stages import load
from tests.files.making import ods, ods_rows, rows, xlsx
from tests.for_each import for_each
from tests.wording import Wording

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="69.85mm" height="95.25mm" '
    'viewBox="0 0 69.85 95.25"><rect width="69.85" height="95.25" fill="#ffffff"/>'
    '<defs><rect id="b" x="8" y="30" width="53" height="55"/></defs>'
)
FONT = 'font-family="IBM Plex Sans" font-size="4" fill="#111111"'
NAMED = (
    f'\n<text id="title" x="10" y="12" {FONT}>Sample</text>'
    f'\n<text id="power" x="10" y="20" {FONT}>9</text>'
    f'\n<text id="text" shape-inside="url(#b)" {FONT}>Words</text>\n</svg>'
)
CODE = (
    f'\n<text x="10" y="12" {FONT}>{{{{ card.title }}}}</text>'
    f'\n<text x="10" y="20" {FONT}>Power {{{{ card.power }}}}</text>'
    f'\n<text shape-inside="url(#b)" {FONT}>{{{{ card.text|default("")|md }}}}</text>\n</svg>'
)
GAME = """\
id: fox
title: Fox
version: 0.1.0
author: A
language: en
players: {min: 2, max: 4}
components:
  cards:
    title: Cards
    kind: card
    trim: poker
    data: %s
    face: card.svg
"""
Rows = Sequence[Sequence[object]]
DECK: Rows = (
    ("title", "power", "text"),
    ("Owl", "1.50", "Draw **two** cards."),
    ("Elk", "2.25", "A long-eared text: :sun: “fine” — hyphenation is unavoidable nevertheless."),
    ("Bat", "3.75", "- Gain one\n- Lose one"),
)


NUMBERS = {
    "properties": {
        "cards": {
            "items": {
                "allOf": [{"$ref": "../card.schema.json"}],
                "properties": {"title": True, "power": {"type": "number"}, "text": True},
            }
        }
    }
}


def project(
    folder: Path, data: str | bytes, name: str, template: str, *, numbers: bool = False
) -> cardgen.Project:
    """A game of one template and one data file; with `numbers`, its schema asks for such in `power`."""
    game = (GAME % name) + ("    schema: cards.schema.json\n" if numbers else "")
    raw = data.encode() if isinstance(data, str) else data
    for place, content in {
        "data/fox/game.yaml": game.encode(),
        "schemas/fox/cards.schema.json": json.dumps(NUMBERS).encode(),
        f"data/fox/{name}": raw,
        "templates/fox/card.svg": (HEAD + template).encode(),
        "templates/fox/icons/sun.svg": b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        b'<circle cx="4" cy="4" r="3"/></svg>',
    }.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw if place.endswith(name) else content)
    return cardgen.Project.open(folder)


def table(deck: Rows, sign: str = ",") -> str:
    out = StringIO()
    csv.writer(out, delimiter=sign).writerows(deck)
    return out.getvalue()


def found(project: cardgen.Project, code: str = "data/unprinted") -> list[str]:
    """The places of the findings of a code."""
    checked = check_game(CheckOptions("fox"), project=project)
    assert not [each for each in checked.findings if each.severity == "error"], checked.findings
    places = [each.location for each in checked.findings if each.code == code]
    return [each.cell or each.path for each in places if each is not None]


def written(deck: Rows, ending: str) -> str | bytes:
    """A deck as a file; the numbers of YAML and JSON as they are typed."""
    if ending == "csv":
        return table(deck)
    if ending == "tsv":
        return table(deck, "\t")
    if ending == "xlsx":
        return xlsx({"Cards": rows(*(tuple(map(str, row)) for row in deck))})
    if ending == "ods":
        return ods({"Cards": ods_rows(*(tuple(map(str, row)) for row in deck))})
    cards = [dict(zip(deck[0], row, strict=True)) for row in deck[1:]]
    cards = [{"id": str(card["title"]).lower(), **card} for card in cards]
    text = json.dumps({"cards": cards})
    for row in deck[1:]:
        text = text.replace(f'"power": "{row[1]}"', f'"power": {row[1]}')
    return text


@for_each(("ending", "template"), [("csv", NAMED), ("yaml", CODE)])
def test_number_that_loses_a_figure_is_found_at_its_cell(
    tmp_path: Path, ending: str, template: str
) -> None:
    place = {"yaml": "cards[0].power"}.get(ending, "B2")
    given = project(tmp_path, written(DECK, ending), f"deck.{ending}", template, numbers=True)
    assert found(given) == [place]


@for_each(("ending", "template"), [("csv", NAMED), ("xlsx", CODE)])
def test_deck_that_is_printed_as_typed_is_in_order(tmp_path: Path, ending: str, template: str) -> None:
    deck = (DECK[0], *((title, "7", text.replace("\n", " ")) for title, _, text in DECK[1:]))
    deck = tuple(
        tuple(str(cell).replace("- Gain", "Gain").replace(" - ", " ") for cell in row) for row in deck
    )
    assert found(project(tmp_path, written(deck, ending), f"deck.{ending}", template)) == []


def test_number_of_a_yaml_file_is_compared_as_it_is_written(tmp_path: Path) -> None:
    typed = ("1.000", "007", "+2", "12.50")
    card = "  - {{id: c{}, title: Owl, power: {}, text: Hoo}}\n".format
    data = "cards:\n" + "".join(map(card, range(4), typed))
    assert found(project(tmp_path, data, "deck.yaml", NAMED)) == [f"cards[{at}].power" for at in range(4)]
    quoted = "cards:\n" + "".join(map(card, range(4), (f'"{each}"' for each in typed)))
    assert found(project(tmp_path, quoted, "deck.yaml", NAMED)) == []


def _with(template: str, old: str, new: str) -> str:
    assert old in template
    return template.replace(old, new)


def test_value_missing_on_few_cards_is_found_without_a_named_text(tmp_path: Path) -> None:
    shown = "{% if card.power != 5 %}{{ card.title }}{% endif %}"
    template = _with(CODE, "{{ card.title }}", shown)
    deck = (DECK[0], *((f"Name {chr(97 + at)}", at, "Words") for at in range(9)))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == ["A7"]


def test_field_that_is_rarely_printed_is_not_judged(tmp_path: Path) -> None:
    template = _with(CODE, "{{ card.title }}", "{% if card.power > 5 %}{{ card.title }}{% endif %}")
    deck = (DECK[0], *((f"Name {chr(97 + at)}", at, "Words") for at in range(9)))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == []


def test_words_that_stand_for_others_are_not_judged(tmp_path: Path) -> None:
    shown = "{{ {'fire': 'Fire', 'water': 'Water', 'air': 'Wind'}[card.title] }}"
    deck = (DECK[0], *(("air" if at == 8 else ("fire", "water")[at % 2], at, "Words") for at in range(9)))
    template = _with(CODE, "{{ card.title }}", shown)
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == []


def test_line_end_of_a_cell_that_is_printed_as_a_space_is_found(tmp_path: Path) -> None:
    template = _with(CODE, '{{ card.text|default("")|md }}', "{{ card.text|replace('\\n', ' ') }}")
    deck = (DECK[0], ("Owl", 1, "Pay 1 gold\nDraw a card"), ("Elk", 2, "Rest"), ("Bat", 3, "Go"))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == ["C2"]


@for_each("template", [NAMED, CODE])
def test_escaped_line_end_of_a_workbook_is_a_line_end(tmp_path: Path, template: str) -> None:
    texts = "Pay 1 gold_x000B_Go", "Pay 1 gold_x000D_Go", "Pay 1 gold_x000D_\nGo"
    deck = (DECK[0], *zip(("Owl", "Elk", "Bat"), ("1.50", "2.25", "3.75"), texts, strict=True))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == []


def test_spelt_line_end_of_a_cell_that_is_printed_as_a_space_is_found(tmp_path: Path) -> None:
    template = _with(NAMED, 'id="text" shape-inside="url(#b)"', 'id="text" x="10" y="30"')
    deck = (
        DECK[0],
        ("Owl", 1, "Pay 1 gold<br>Go"),
        ("Elk", 2, "Rest 1<BR />Go"),
        ("Bat", 3, "Go_x000B_on"),
    )
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == ["C2", "C3", "C4"]


@for_each(("kind", "places"), [("plain", ["Cards!C2"]), ("markdown", [])])
def test_marks_of_rich_text_that_are_printed_as_they_stand_are_found(
    tmp_path: Path, kind: str, places: list[str]
) -> None:
    raised = '<is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r></is>'
    markup = rows(tuple(DECK[0]), ("Owl", "1.50", "RICH")).replace("<is><t>RICH</t></is>", raised)
    template = _with(NAMED, 'id="text"', f'id="text" cg:as="{kind}"')
    assert found(project(tmp_path, xlsx({"Cards": markup}), "deck.xlsx", template)) == places


@for_each(
    ("code", "places"),
    [("{{ card.power }}", ["Cards!B2", "Cards!B3"]), ("{{ card.power|string|upper }}", [])],
)
def test_truth_that_is_printed_in_words_of_code_is_found(
    tmp_path: Path, code: str, places: list[str]
) -> None:
    deck = (DECK[0], ("Owl", True, "True love"), ("Elk", False, "Rest"))
    given = project(
        tmp_path,
        xlsx({"Cards": rows(*map(tuple, deck))}),
        "deck.xlsx",
        _with(CODE, "{{ card.power }}", code),
    )
    schema = tmp_path / "schemas/fox/cards.schema.json"
    schema.write_text(json.dumps(NUMBERS).replace('"number"', '"boolean"'))
    manifest = tmp_path / "data/fox/game.yaml"
    manifest.write_text(manifest.read_text() + "    schema: cards.schema.json\n")
    assert found(given) == places


@for_each("template", [NAMED, CODE])
def test_line_end_beside_an_icon_is_in_order(tmp_path: Path, template: str) -> None:
    texts = "Pay :sun:\nDraw a card", "Pay\n:sun: a card", "Pay :sun:\n:sun:\n:home: go"
    deck = (DECK[0], *zip(("Owl", "Elk", "Bat"), ("1.50", "2.25", "3.75"), texts, strict=True))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == []


def test_truth_that_is_printed_as_its_opposite_is_found(tmp_path: Path) -> None:
    template = _with(NAMED, ">9</text>", ">no</text>")
    data = "cards:\n  - {id: owl, title: Owl, power: true, text: Hoo}\n  - {id: elk, title: Elk, text: x}\n"
    project_ = project(tmp_path, data, "deck.yaml", template)
    texts = [each.location for each in preflight.unprinted("fox", project=project_)]
    assert [each.path for each in texts if each] == found(project_)


def test_a_new_game_is_compared_by_its_first_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = (DECK[0], *((name, "7", "Rest") for name in ("Owl", "Elk", "Bat", "Fox")))
    game = load("fox", project=project(tmp_path, table(deck), "deck.csv", NAMED))
    rendered: list[str] = []
    real = preflight.render_chosen
    monkeypatch.setattr(
        preflight,
        "render_chosen",
        lambda game, cards, *more, **named: (
            rendered.extend(card.id for card in cards) or real(game, cards, *more, **named)
        ),
    )
    monkeypatch.setattr(preflight, "MOST_COMPARED", 2 * len(game.components[0].cards[0].fields))
    preflight.unprinted("fox", project=project(tmp_path, table(deck), "deck.csv", NAMED))
    assert rendered == ["owl", "elk"]


@for_each(
    "dressed",
    [
        '<clipPath id="c"><rect width="69" height="95"/></clipPath><g clip-path="url(#c)">%s</g>',
        '<filter id="f"><feOffset dx="0"/></filter><g filter="url(#f)">%s</g>',
        '<linearGradient id="l"><stop stop-color="#111"/></linearGradient><g fill="url(#l)">%s</g>',
    ],
)
def test_text_that_is_part_of_a_picture_counts(tmp_path: Path, dressed: str) -> None:
    text = f'<text x="10" y="12" {FONT}>{{{{ card.title }}}}</text>'
    template = _with(CODE, text, dressed % text.replace('fill="#111111"', ""))
    deck = (DECK[0], *((f"Name {at}", at, "Words") for at in range(4)))
    assert found(project(tmp_path, table(deck), "deck.csv", template)) == []


def test_field_of_a_table_that_nothing_shows_is_noted_once(tmp_path: Path, wording: Wording) -> None:
    deck = tuple((*row, note) for row, note in zip(DECK, ("designer", "a", "b", "c"), strict=True))
    given = project(tmp_path, table(deck), "deck.csv", CODE)
    checked = check_game(CheckOptions("fox"), project=given)
    notes = [each.message for each in checked.findings if each.code == "template/unread"]
    wording(notes, "cards", "designer")


def test_new_from_a_table_says_what_is_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deck.csv").write_text("title,text\nOwl,Hoo\nElk,Rest\n")
    from cardgen.cli.main import main

    said: list[str] = []
    real = preflight.unprinted

    def spied(name: str, *, project: cardgen.Project | None = None) -> list[cardgen.Finding]:
        said.append(name)
        return real(name, project=project)

    monkeypatch.setattr(preflight, "unprinted", spied)
    assert main(["new", "fox", "--from", "deck.csv"]) == 0
    assert said == ["fox"]
    assert "data/unprinted" not in capsys.readouterr().err
