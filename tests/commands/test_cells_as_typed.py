"""What a table's cells show is what cards have: with and without a schema, and through `new --from`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

import cardgen
from cardgen.commands.data.table_decks import NewGame
from cardgen.core.findings import Finding
from tests.files.making import rows, xlsx
from tests.for_each import for_each
from tests.pdf_grammar.readers import mupdf

MANIFEST = """\
id: fox
title: Fox
version: 1.0.0
author: A
language: en
players: {min: 2, max: 4}
components:
  cards: {title: Cards, kind: card, trim: poker, data: FILE, face: card.svg MORE}
"""
FACE = '<svg xmlns="http://www.w3.org/2000/svg" width="70mm" height="96mm" viewBox="0 0 70 96"/>'
ENDINGS = ("csv", "tsv", "xlsx")


def raw_of(ending: str, lines: list[list[str]]) -> bytes:
    """A table of texts in a format."""
    if ending == "xlsx":
        return xlsx({"Cards": rows(*map(tuple, lines))})
    sign = "\t" if ending == "tsv" else ","
    quoted = ([f'"{cell}"' if "," in cell or "\n" in cell else cell for cell in line] for line in lines)
    return "".join(sign.join(line) + "\n" for line in quoted).encode()


def made(folder: Path, name: str, raw: bytes) -> tuple[NewGame, list[dict[str, Any]], list[Finding]]:
    """A new game from a table, the fields of its cards, and what `check` finds."""
    (folder / name).write_bytes(raw)
    new = cardgen.new_from_table("fox", folder, str(folder / name))
    game = cardgen.load("fox", project=cardgen.Project.open(new.folder))
    return new, [dict(card.fields) for card in game.cards()], list(cardgen.check(game))


def project(
    folder: Path, file: str, raw: bytes, fields: dict[str, Any] | None = None, more: str = ""
) -> cardgen.Project:
    """A game by hand, whose cards have a schema if their fields are given."""
    if fields is not None:
        more += ", schema: cards.schema.json"
        item = {
            "allOf": [{"$ref": "../card.schema.json"}],
            "properties": {"title": {"type": "string"}, **fields},
            "unevaluatedProperties": False,
        }
        schema = {"type": "object", "properties": {"cards": {"type": "array", "items": item}}}
        (folder / "schemas/fox").mkdir(parents=True)
        (folder / "schemas/fox/cards.schema.json").write_text(json.dumps(schema))
    (folder / "data/fox").mkdir(parents=True)
    (folder / "data/fox/game.yaml").write_text(MANIFEST.replace("FILE", file).replace(" MORE", more))
    (folder / "data/fox" / file).write_bytes(raw)
    (folder / "templates/fox").mkdir(parents=True)
    (folder / "templates/fox/card.svg").write_text(FACE)
    return cardgen.Project.open(folder)


def loaded(opened: cardgen.Project, *codes: str) -> list[dict[str, Any]]:
    """The fields of all cards; `codes` are those of the findings about tables."""
    game = cardgen.load("fox", project=opened)
    found = [each.code for each in cardgen.check(game) if each.code.startswith("tables/")]
    assert found == list(codes)
    return [dict(card.fields) for card in game.cards()]


COLUMNS = {
    "truths": ["FALSE", "TRUE", "TRUE"],
    "yes-no": ["yes", "No", "yes"],
    "versions": ["1.10", "2.00", "3.50"],
    "zeros": ["007", "8", "9"],
    "signs": ["+2", "-1", "0"],
    "commas": ["1,5", "2,25", "3"],
    "mixed": ["1", "X", "3"],
    "lines": ["one\ntwo", "\u2022 Fly\n\u2022 Hoot", "x"],
}


@for_each("ending", ENDINGS)
def test_new_game_has_the_text_of_every_cell(tmp_path: Path, ending: str) -> None:
    titles = ["Bread", "Soup", "Rice"]
    lines = [["Title", *COLUMNS], *(map(list, zip(titles, *COLUMNS.values(), strict=True)))]
    new, cards, findings = made(tmp_path, f"deck.{ending}", raw_of(ending, lines))
    assert not [each for each in findings if each.code.startswith("tables/")]
    fields = {header: header.replace("-", "_") for header in COLUMNS}
    for header, texts in COLUMNS.items():
        assert [card[fields[header]] for card in cards] == texts
    schema = json.loads((new.folder / "schemas/fox/cards.schema.json").read_text())
    item = schema["properties"]["cards"]["items"]["properties"]
    assert item["truths"]["enum"] == ["FALSE", "TRUE"]


def test_yes_and_no_are_printed_as_they_stand(tmp_path: Path) -> None:
    new, _, _ = made(tmp_path, "deck.csv", b"Title,Vegan\nBread,FALSE\nSoup,TRUE\nRice,TRUE\n")
    cardgen.build(cardgen.BuildOptions("fox"), project=cardgen.Project.open(new.folder))
    with mupdf().open(new.folder / "output/fox/poker.pdf") as document:
        words = document[0].get_text().split()
    assert (words.count("TRUE"), words.count("FALSE")) == (2, 1)
    assert new.components[0].shown["as typed"] == ("Vegan",)


PRICES = b"Titel;Preis;Gewicht\nHaus;1.000;1,5\nHof;2.500;2,25\nStadt;12.000;3\n"


def test_thousands_are_printed_as_typed_and_told(tmp_path: Path) -> None:
    new, cards, findings = made(tmp_path, "deck.csv", PRICES)
    assert [(card["preis"], card["gewicht"]) for card in cards] == [
        ("1.000", "1,5"),
        ("2.500", "2,25"),
        ("12.000", "3"),
    ]
    assert [(each.code, each.location and each.location.cell) for each in new.findings] == [
        ("tables/numbers", "B1")
    ]
    assert not findings
    manifest = yaml.safe_load((new.folder / "data/fox/game.yaml").read_text())
    assert manifest["components"]["cards"]["numbers"] == "1.234,5"


@for_each(("header", "codes"), [("Preis", ["tables/numbers"]), ("Price", [])])
def test_german_workbook_is_told_of_its_points(tmp_path: Path, header: str, codes: list[str]) -> None:
    raw = xlsx({"A": rows(("Name", header), ("Haus", 1.5), ("Hof", 2))})
    new, cards, _ = made(tmp_path, "deck.xlsx", raw)
    assert [card[header.lower()] for card in cards] == [1.5, 2]
    assert [each.code for each in new.findings] == codes


def test_stated_signs_are_those_of_a_workbooks_numbers(tmp_path: Path) -> None:
    raw = xlsx({"A": rows(("title", "price"), ("a", 1.5), ("b", 2.25))})
    opened = project(tmp_path, "deck.xlsx", raw, {"price": {"type": "string"}}, ', numbers: "1.234,5"')
    assert [card["price"] for card in loaded(opened)] == ["1,5", "2,25"]


@for_each(
    ("kind", "more", "codes", "prices"),
    [
        ("number", "", ("tables/numbers",), [1000, 2500, 12000]),
        ("number", ', numbers: "1.234,5"', (), [1000, 2500, 12000]),
        ("string", "", (), ["1.000", "2.500", "12.000"]),
    ],
)
def test_decimal_and_thousands_signs_are_of_the_whole_column(
    tmp_path: Path, kind: str, more: str, codes: tuple[str, ...], prices: list[object]
) -> None:
    fields = {"Preis": {"type": kind}, "Gewicht": {"type": "number"}}
    opened = project(tmp_path, "deck.csv", PRICES.replace(b"Titel", b"title"), fields, more)
    cards = loaded(opened, *codes)
    assert [card["Preis"] for card in cards] == prices
    assert [card["Gewicht"] for card in cards] == [1.5, 2.25, 3]


def test_numbers_written_in_two_ways_are_errors_at_their_cells(tmp_path: Path) -> None:
    opened = project(tmp_path, "deck.csv", b"title;p\na;1,5\nb;2.5\nc;3,5\n", {"p": {"type": "number"}})
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("fox", project=opened)
    said = [(each.code, each.location and each.location.cell) for each in caught.value.findings]
    assert said == [("tables/numbers", "B3")]


SHOWN = {"000": "007", "+0;-0": "+7", '"Level "0': "Level 7", "0.00": "7.00", "0%": "700%", '0"x"': "7x"}


def formatted() -> bytes:
    styles = "".join(
        f'<numFmt numFmtId="{at}" formatCode="{code.replace(chr(34), "&quot;")}"/>'
        for at, code in enumerate(SHOWN, 164)
    )
    looks = "".join(f'<xf numFmtId="{at}"/>' for at, _ in enumerate(SHOWN, 164))
    cells = "".join(f'<c s="{at}"><v>7</v></c>' for at in range(len(SHOWN)))
    content = rows(("title", *(f"c{at}" for at in range(len(SHOWN)))))
    content += f'<row r="2"><c t="inlineStr"><is><t>Fox</t></is></c>{cells}</row>'
    return xlsx({"A": content}, styles=f"<numFmts>{styles}</numFmts><cellXfs>{looks}</cellXfs>")


@for_each("kind", [None, "number"])
def test_formatted_numbers_are_text_as_shown_or_numbers_as_held(tmp_path: Path, kind: str | None) -> None:
    names = [f"c{at}" for at in range(len(SHOWN))]
    fields = None if kind is None else {name: {"type": kind} for name in names}
    (card,) = loaded(project(tmp_path, "deck.xlsx", formatted(), fields))
    wanted = list(SHOWN.values()) if kind is None else [7] * len(SHOWN)
    assert [card[name] for name in names] == wanted


def test_copies_are_counted_whatever_they_show(tmp_path: Path) -> None:
    styles = '<numFmts><numFmt numFmtId="164" formatCode="0&quot;x&quot;"/></numFmts>'
    styles += '<cellXfs><xf/><xf numFmtId="164"/></cellXfs>'
    content = rows(("title", "copies")) + '<row r="2"><c t="inlineStr"><is><t>Fox</t></is></c>'
    raw = xlsx({"A": f'{content}<c s="1"><v>3</v></c></row>'}, styles=styles)
    new, _, findings = made(tmp_path, "deck.xlsx", raw)
    assert new.cards == 3
    assert not findings


def dated(code: str) -> bytes:
    styles = f'<numFmts><numFmt numFmtId="164" formatCode="{code}"/></numFmts>'
    styles += '<cellXfs><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="16"/></cellXfs>'
    content = rows(("title", "day", "short", "typed", "mixed"))
    for number, mixed in ((2, '<c s="0"><v>45000</v></c>'), (3, '<c t="inlineStr"><is><t>x</t></is></c>')):
        content += (
            f'<row r="{number}"><c t="inlineStr"><is><t>T{number}</t></is></c><c s="0"><v>45000</v></c>'
            f'<c s="1"><v>45000</v></c><c s="2"><v>45000</v></c>{mixed}</row>'
        )
    return xlsx({"A": content}, styles=styles)


def test_dates_are_shown_in_text_and_exact_where_a_date_is_asked_for(tmp_path: Path) -> None:
    text, date = {"type": "string"}, {"type": "string", "format": "date"}
    fields = {"day": text, "short": text, "typed": text, "mixed": text}
    opened = project(tmp_path / "text", "deck.xlsx", dated("d\\.m\\.yyyy"), fields)
    stray = ("tables/format", "tables/date", "tables/date", "tables/format", "tables/date")
    first, _ = loaded(opened, *stray)
    assert [first[name] for name in fields] == ["15.3.2023", "2023-03-15", "15-Mar", "15.3.2023"]
    opened = project(
        tmp_path / "date",
        "deck.xlsx",
        dated("d\\.m\\.yyyy"),
        {**dict.fromkeys(fields, date), "mixed": text},
    )
    first, _ = loaded(opened, "tables/date")
    assert [first[name] for name in fields] == [*["2023-03-15"] * 3, "15.3.2023"]


def test_bad_character_leaves_the_other_cards(tmp_path: Path) -> None:
    opened = project(tmp_path, "deck.csv", b"title,text\nFox,one\x0btwo\nOwl,a\x07b\nElk,x\n")
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("fox", project=opened)
    said = [(each.code, each.location and each.location.cell) for each in caught.value.findings]
    assert ("tables/character", "B3") in said
    from cardgen.game.loading import load_game

    game, _ = load_game(opened.paths, "fox", partial=True)
    assert [(card.id, card.fields["text"]) for card in game.cards()] == [("fox", "one\ntwo"), ("elk", "x")]


def test_unused_sheets_are_told_once(tmp_path: Path) -> None:
    sheets = {"Cards": rows(("title",), ("Fox",)), "Tokens": rows(("title",), ("Coin",))}
    sheets["Words"] = rows(("word",), ("x",))
    loaded(project(tmp_path / "a", "deck.xlsx", xlsx(sheets)), "tables/unused-sheet")
    opened = project(tmp_path / "b", "deck.xlsx", xlsx(sheets))
    manifest = opened.root / "data/fox/game.yaml"
    text = manifest.read_text().replace("data: deck.xlsx", "data: ['deck.xlsx#Cards', 'deck.xlsx#Tokens']")
    manifest.write_text(f"{text}tables: ['deck.xlsx#Words']\n")
    assert [card["title"] for card in loaded(opened)] == ["Fox", "Coin"]


def test_table_goes_out_and_comes_back_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    raw = b'title;price;version;open;text\na;1.000;1.10;TRUE;"x\x0by"\nb;2.500;2.00;FALSE;z\n'
    fields = {"price": {"type": "number"}, "version": {"type": "string"}, "open": {"type": "boolean"}}
    opened = project(tmp_path, "deck.csv", raw, {**fields, "text": {"type": "string"}})
    for ending in ("xlsx", "ods", "csv"):
        (file,) = cardgen.to_spreadsheet("fox", ending, project=opened)
        assert not cardgen.from_spreadsheet("fox", file, project=opened, components=["cards"]).edits
    file = tmp_path / "fox.xlsx"
    book = openpyxl.load_workbook(file)
    page = book["cards"]
    column = [cell.value for cell in page[1]].index("price") + 1
    page.cell(2, column).value = 1500.5
    book.save(file)
    back = cardgen.from_spreadsheet("fox", file, project=opened)
    assert [each.id for each in back.edits] == ["a"]
    assert (tmp_path / "data/fox/deck.csv").read_bytes() == raw.replace(b"1.000", b'"1500,5"')


@for_each(("words", "told"), [(("TRUE", "FALSE"), 1), (("yes", "maybe"), 0)])
def test_column_of_truths_without_a_schema_is_noted_once(
    tmp_path: Path, words: tuple[str, str], told: int
) -> None:
    raw = raw_of("csv", [["title", "Rare"], ["Fox", words[0]], ["Owl", words[1]]])
    game = cardgen.load("fox", project=project(tmp_path, "deck.csv", raw))
    found = [each for each in cardgen.check(game) if each.code == "tables/truths"]
    assert [each.location.cell for each in found if each.location] == ["B1"] * told


def test_rich_text_is_printed_as_type_in_every_part_of_a_new_card(tmp_path: Path) -> None:
    def raised(words: str, figure: str) -> str:
        look = '<rPr><vertAlign val="superscript"/></rPr>'
        return f"<is><r><t>{words}</t></r><r>{look}<t>{figure}</t></r></is>"

    head = ("Title", "Cost", "Faction", "Kind", "Class", "Text", "Flavor")
    cards = [
        (
            f"Card{at % 3}",
            f"1{at % 3}",
            "WoodElf"[at % 2 * 4 :][:4],
            "Hero",
            "Mage",
            "Draw " * 60,
            "So it is",
        )
        for at in range(6)
    ]
    markup = rows(head, *cards)
    for words in (each for card in cards for each in card):
        spelt = f"<is><t>{words}</t></is>"
        markup = markup.replace(spelt, raised(words, "9"))
    new, _, findings = made(tmp_path, "deck.xlsx", xlsx({"A": markup}))
    assert not [each for each in findings if each.severity == "error"]
    cardgen.build(cardgen.BuildOptions("fox"), project=cardgen.Project.open(new.folder))
    (pdf,) = (new.folder / "output/fox").glob("*.pdf")
    with mupdf().open(pdf) as document:
        text = document[0].get_text()
    assert "^" not in text
    assert text.count("9") == 6 * len(head)


def test_truths_are_read_in_the_words_of_many_languages(tmp_path: Path) -> None:
    pairs = [words.split() for words in ("ja nein", "oui non", "sí no", "vero falso", "✓ ✗", "x -", "Y N")]
    columns = [f"c{at}" for at in range(len(pairs))]
    titles = ["title", *columns], ["Bread", *(no for _, no in pairs)], ["Soup", *(yes for yes, _ in pairs)]
    fields = {column: {"type": "boolean"} for column in columns}
    bread, soup = loaded(project(tmp_path, "deck.csv", raw_of("csv", [*titles]), fields))
    assert [bread[column] for column in columns] == [False] * len(pairs)
    assert [soup[column] for column in columns] == [True] * len(pairs)
