"""Texts in a wrong encoding are warned of wherever they stand: data, names, translations, templates."""

from __future__ import annotations

import json
from pathlib import Path

import cardgen
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.commands.data.translate import translate
from tests.commands.test_unprinted import CODE, project
from tests.files.making import rows, xlsx
from tests.for_each import for_each

DECK = (
    ("title", "power", "text"),
    ("Owl", "7", "donâ€™t"),
    ("Elk", "8", "café"),
    ("Bat", "9", "caf\ufffd"),
)


def told(given: cardgen.Project, code: str = "text/encoding") -> list[tuple[str, str]]:
    checked = check_game(CheckOptions("fox"), project=given)
    found = [each for each in checked.findings if each.code == code]
    places = [each.location for each in found]
    assert all(places)
    return [
        (
            place.cell or f"{place.file}:{place.line}",
            (each.hint or "").split("'")[1] if "'" in (each.hint or "") else "",
        )
        for each, place in zip(found, places, strict=True)
        if place is not None
    ]


def csv_text() -> str:
    return "\n".join(",".join(row) for row in DECK)


@for_each(
    ("name", "data", "sheet"),
    [("deck.csv", csv_text(), ""), ("deck.xlsx", xlsx({"Cards": rows(*DECK)}), "Cards!")],
)
def test_broken_cell_is_told_with_its_repair(
    tmp_path: Path, name: str, data: str | bytes, sheet: str
) -> None:
    found = told(project(tmp_path, data, name, CODE))
    assert found == [(f"{sheet}C2", "don’t"), (f"{sheet}C4", "")]


def test_names_of_sheets_and_columns_are_told(tmp_path: Path) -> None:
    deck = (("title", "power", "text", "cafÃ©"), ("Owl", "7", "Hoo", "x"))
    given = project(tmp_path, xlsx({"DÃ©ck": rows(*deck)}), "deck.xlsx", CODE)
    assert [repair for _, repair in told(given)] == ["Déck", "café"]


def test_text_of_a_template_is_told_at_its_line(tmp_path: Path) -> None:
    template = CODE.replace("Power", "cafÃ©")
    given = project(tmp_path, "title,power,text\nOwl,7,Hoo\n", "deck.csv", template)
    assert told(given) == [("templates/fox/card.svg:3", "café")]


def test_translation_is_told_at_its_line(tmp_path: Path) -> None:
    data = "cards:\n  - {id: owl, title: Owl, power: 7, text: Hoo}\n"
    given = project(tmp_path, data, "deck.yaml", CODE)
    game = tmp_path / "data/fox/game.yaml"
    game.write_text(game.read_text().replace("face: card.svg", "face: card.svg\n    schema: s.schema.json"))
    game.write_text(game.read_text().replace("language: en\n", "language: en\nlanguages: {de: {}}\n"))
    schema = {
        "type": "object",
        "properties": {
            "cards": {
                "items": {
                    "allOf": [{"$ref": "../card.schema.json"}],
                    "properties": {
                        "title": {"type": "string", "translate": True},
                        "power": True,
                        "text": True,
                    },
                }
            }
        },
    }
    (tmp_path / "schemas/fox").mkdir(parents=True, exist_ok=True)
    (tmp_path / "schemas/fox/s.schema.json").write_text(json.dumps(schema))
    translate("fox", ["de"], project=given)
    (po,) = (tmp_path / "data/fox/de").glob("*.po")
    head, _, rest = po.read_text().partition('msgid "Owl"\nmsgstr ""')
    assert rest or head.endswith("")
    po.write_text(f'{head}msgid "Owl"\nmsgstr "MÃ¶we"{rest}')
    assert [repair for _, repair in told(given)] == ["Möwe"]
