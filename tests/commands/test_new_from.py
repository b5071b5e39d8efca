"""`cardgen new NAME --from TABLE`: a spreadsheet to a game that is in order, whatever stands in it."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

import cardgen
from cardgen.cli.main import main
from cardgen.commands.data.table_decks import NewGame
from cardgen.core.findings import CardgenError, Finding, UsageError
from cardgen.game.starter_look import looks
from tests.files.making import ods, ods_rows, rows, xlsx
from tests.for_each import for_each
from tests.pdf_grammar.readers import mupdf
from tests.sampling import one_in
from tests.wording import Wording

LONG = "Gain one grain for each field next to this card, then draw **two** cards; keep one of them."
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path d="M0 0h3v2z" fill="#246"/></svg>'


def written(*lines: tuple[object, ...]) -> str:
    out = StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


TRICKS = written(
    ("suit", "rank", "points"),
    *((suit, rank, 3 if rank == 1 else "") for suit in ("Ember", "Tide", "Moss") for rank in range(1, 7)),
)
EVENTS = written(
    ("Name", "Season", "Text", "Choice A", "Choice B", "Flavour", "qty"),
    *(
        (
            f"Event {at}",
            ("Dry", "Wet")[at % 2],
            LONG * 2,
            "Pay *two*.",
            "Do nothing." if at else "",
            "“Hm.”",
            2,
        )
        for at in range(6)
    ),
)
BEASTS = written(
    ("Titel", "Kosten", "Element", "Typ", "Bild", "Regeltext", "Angriff", "Leben", "Flink", "Anzahl"),
    *(
        (f"Tier {at}", at, element, kind, f"tier{at}.svg", LONG, at, 3, fast, 1 + at % 3)
        for at, (element, kind, fast) in enumerate(
            (("Feuer", "Tier", "ja"), ("Wald", "Geist", "nein"), ("Feuer", "Tier", "nein")) * 2
        )
    ),
)
DECKS = {"tricks": TRICKS, "events": EVENTS, "beasts": BEASTS, "words": "word\nOak\nElm\nLinden tree\n"}


def made(
    folder: Path, content: str | bytes, name: str = "deck.csv", game: str = "fox", trim: str | None = None
) -> NewGame:
    raw = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(raw)
    return cardgen.new_from_table(game, folder, str(folder / name), trim=trim)


def checked(new: NewGame) -> list[Finding]:
    game = cardgen.load("fox", project=cardgen.Project.open(new.folder))
    return cardgen.check(game)


@pytest.mark.parametrize("deck", one_in(2, DECKS))
def test_a_table_becomes_a_game_that_is_in_order(tmp_path: Path, deck: str) -> None:
    new = made(tmp_path, DECKS[deck])
    assert not checked(new)
    assert (new.folder / new.data).read_bytes() == DECKS[deck].encode()
    for name in ("card.svg", "back.svg"):
        file = new.folder / "templates/fox" / name
        root = etree.parse(file).getroot()
        assert re.fullmatch(r"[\d.]+mm", root.get("width"))
        values = {value for each in root.iter() for key, value in each.items() if key != "class"}
        assert not any("{" in value for value in values)  # it opens in other programs
    rules = yaml.safe_load((new.folder / "data/fox/rules.yaml").read_text())["rules"]
    assert rules[0]["equals"] == new.cards
    assert json.loads((new.folder / "schemas/fox/cards.schema.json").read_text())["properties"]["cards"]


def test_what_stands_in_the_table_stands_on_the_cards(tmp_path: Path) -> None:
    new = made(tmp_path, BEASTS)
    project = cardgen.Project.open(new.folder)
    result = cardgen.build(cardgen.BuildOptions("fox"), project=project)
    assert not result.findings
    with mupdf().open(new.folder / "output/fox/poker.pdf") as document:
        text = document[0].get_text()
    for word in ("Tier 0", "Tier 2", "Feuer", "Wald", "Geist", "Angriff", "Leben", "Kosten", "Flink"):
        assert word in text
    assert new.components[0].shown["title"] == ("Titel",)
    assert new.components[0].shown["how many"] == ("Anzahl",)
    assert "columns: {Titel: title, Anzahl: copies}" in (new.folder / "data/fox/game.yaml").read_text()
    assert "language: de" in (new.folder / "data/fox/game.yaml").read_text()


HARBOR = written(
    ("title", "type", "cost", "strength", "text", "flavor"),
    ("Smuggler's Cove", "Place", 3, "", "Rivals can't take them.", '"Never," she said.'),
    ("Harbor Master", "Person", 4, 3, f"{LONG} {LONG}", ""),
    ("Rope Walk", "Place", 2, "", "Ships cost 1 less.", ""),
    ("Lamplighter", "Person", 1, 2, "Look at the top card.", ""),
)


@pytest.mark.parametrize("look", one_in(2, looks()))
def test_every_look_prints_a_deck_without_pictures(tmp_path: Path, look: str) -> None:
    (tmp_path / "deck.csv").write_text(HARBOR)
    new = cardgen.new_from_table("fox", tmp_path, str(tmp_path / "deck.csv"), look=look)
    assert not checked(new)
    project = cardgen.Project.open(new.folder)
    cardgen.build(cardgen.BuildOptions("fox"), project=project)
    with mupdf().open(new.folder / "output/fox/poker.pdf") as document:
        face, back = (" ".join(page.get_text().split()) for page in document)
    assert "Smuggler’s Cove" in face
    assert "“Never,” she said." in face
    assert back.count("Fox") == 2 * 4 + 1  # and the sheet's label


@pytest.mark.parametrize("look", one_in(2, looks()))
def test_cards_without_a_picture_among_others_have_a_drawn_one(tmp_path: Path, look: str) -> None:
    (tmp_path / "cove.svg").write_text(SVG)
    (tmp_path / "deck.csv").write_text("Name,Text,Art\nCove,Draw 1.,cove.svg\nPier,Draw 2.,\n")
    new = cardgen.new_from_table("fox", tmp_path, str(tmp_path / "deck.csv"), look=look)
    assert not checked(new)


def test_each_word_of_a_column_has_a_template(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "deck.csv").write_text(HARBOR)
    new = cardgen.new_from_table("fox", tmp_path, str(tmp_path / "deck.csv"), by="Type")
    stated = yaml.safe_load((new.folder / "data/fox/game.yaml").read_text())["components"]["cards"]
    assert stated["face"] == {"by": "type", "of": {"Place": "card-place.svg", "Person": "card-person.svg"}}
    faces = [
        (new.folder / "templates/fox" / f"card-{each}.svg").read_text() for each in ("place", "person")
    ]
    assert ["Strength" in face for face in faces] == [False, True]
    assert not checked(new)
    with pytest.raises(UsageError) as caught:
        cardgen.new_from_table("elk", tmp_path, str(tmp_path / "deck.csv"), by="title")
    wording(caught.value)


def test_the_command_offers_a_template_for_each_word_and_makes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deck.csv").write_text(HARBOR)
    monkeypatch.chdir(tmp_path)
    assert main(["new", "fox", "--from", "deck.csv"]) == 0
    assert "add --by type\n" in capsys.readouterr().out
    assert main(["new", "elk", "--from", "deck.csv", "--by", "Type", "--look", "mosaic"]) == 0
    assert "--by" not in capsys.readouterr().out
    assert (tmp_path / "elk/templates/elk/card-place.svg").is_file()
    assert main(["new", "owl", "--from", "deck.csv", "--by", "Nothing"]) == 2


def test_an_unknown_look_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text(HARBOR)
    with pytest.raises(UsageError, match="'postr'") as caught:
        cardgen.new_from_table("fox", tmp_path, str(tmp_path / "deck.csv"), look="postr")
    assert "poster" in (caught.value.findings[0].hint or "")


def test_pictures_beside_the_table_come_along_and_others_are_stood_in_for(tmp_path: Path) -> None:
    (tmp_path / "tier0.svg").write_text(SVG)
    (tmp_path / "bilder").mkdir()
    (tmp_path / "bilder/tier1.svg").write_text(SVG)
    new = made(tmp_path, BEASTS)
    assert (new.pictures, len(new.missing)) == (2, 4)
    art = new.folder / new.art
    assert (art / "tier0.svg").read_text() == (art / "tier1.svg").read_text() == SVG
    assert len(list(art.iterdir())) == 6
    assert not checked(new)


def test_missing_pictures_are_scenes_of_the_title_in_the_hue_of_the_type(tmp_path: Path) -> None:
    types = ["Boat", "Place", "Event"] * 4
    rows = [f"Card {at},{kind},{at}.{'png' if at == 3 else 'svg'}" for at, kind in enumerate(types)]
    new = made(tmp_path, "\n".join(["Name,Type,Art", *rows]))
    art = new.folder / new.art
    hues = yaml.safe_load((new.folder / "data/fox/game.yaml").read_text())["theme"]["hues"]
    drawn = [(art / f"{at}.svg").read_text() for at in range(12) if at != 3]
    assert len(set(drawn)) == 11
    kinds = [kind for at, kind in enumerate(types) if at != 3]
    assert [hues[kind] in svg for kind, svg in zip(kinds, drawn, strict=True)] == [True] * 11
    with Image.open(art / "3.png") as picture:
        own = tuple(bytes.fromhex(hues["Boat"][1:]))
        assert own in {color for _, color in picture.getcolors(100_000)}  # type: ignore[union-attr]


SECOND = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="69.85mm" height="95.25mm" '
    'viewBox="0 0 69.85 95.25"><image {0} x="10" y="10" width="12" height="8"/></svg>'
)


@pytest.mark.long
@for_each(
    ("picture", "place", "attributes"),
    [
        ("a.svg", "second.svg", 'href="{{ card.art }}"'),
        ("more/a.svg", "more/second.svg", 'cg:field="art"'),
        ("art/a.svg", "more/yet/second.svg", 'cg:field="art" href="../../art/sample.svg"'),
    ],
)
def test_every_template_of_the_project_finds_the_pictures(
    tmp_path: Path, picture: str, place: str, attributes: str
) -> None:
    (tmp_path / picture).parent.mkdir(exist_ok=True)
    (tmp_path / picture).write_text(SVG)
    new = made(tmp_path, f"title,art\nA,{picture}\nB,{picture}\n")
    assert "trim: poker" in (new.folder / "data/fox/game.yaml").read_text()
    second = new.folder / "templates/fox" / place
    second.parent.mkdir(parents=True, exist_ok=True)
    second.write_text(SECOND.format(attributes))
    manifest = new.folder / "data/fox/game.yaml"
    manifest.write_text(manifest.read_text().replace("face: card.svg", f"face: {place}"))
    assert not [each for each in checked(new) if each.code.startswith("image/")]
    drawn = cardgen.build(cardgen.BuildOptions("fox"), project=cardgen.Project.open(new.folder))
    assert not [each for each in drawn.findings if each.code.startswith("image/")]


def test_links_beside_the_table_that_lead_away_are_not_followed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.svg").write_text(SVG)
    (home / "a.svg").symlink_to(tmp_path / "secret.svg")
    (home / "deck.csv").write_text("title,art\nA,a.svg\nB,b.svg\n")
    with pytest.raises(CardgenError) as caught:
        cardgen.new_from_table("fox", tmp_path, str(home / "deck.csv"))
    assert caught.value.findings[0].code == "file/outside"
    assert not (tmp_path / "fox").exists()


def test_workbooks_are_tables_too(tmp_path: Path) -> None:
    sheets = {"Notes": rows(("x",), ("y",)), "My cards": rows(("title", "cost"), ("Fox", 3), ("Owl", 2))}
    (tmp_path / "my deck.xlsx").write_bytes(xlsx(sheets))
    new = cardgen.new_from_table("fox", tmp_path, str(tmp_path / "my deck.xlsx#My cards"))
    assert new.data == "data/fox/deck.xlsx"
    game = cardgen.load("fox", project=cardgen.Project.open(new.folder))
    assert [(card.id, card.fields["cost"]) for card in game.cards()] == [("fox", 3), ("owl", 2)]
    assert [each.code for each in checked(new)] == ["tables/unused-sheet"]


NASTY = [
    "{{ 7 * 7 }}",
    "{% raw %}",
    "--><x",
    "]]>",
    "a & b < c > d",
    "'=1+1",
    "{title}",
    '" onload="x',
    "{# note #}",
    "a' == 'a",
    "%}{{",
    "\\U0041",
]


def test_code_in_cells_is_text(tmp_path: Path) -> None:
    lines = [(f"{text} t", text, text, f"{text} {LONG}") for text in NASTY]
    new = made(tmp_path, written(("title", "{{ suit }}", "kind<b>", "text"), *lines, *lines))
    assert not checked(new)
    project = cardgen.Project.open(new.folder)
    cardgen.build(cardgen.BuildOptions("fox"), project=project)
    (pdf,) = (new.folder / "output/fox").glob("*.pdf")
    with mupdf().open(pdf) as document:
        text = " ".join(" ".join(page.get_text().split()) for page in document)
    for words in ("{{ 7 * 7 }} t", "{% raw %} t", "]]> t", "{title} t", "{# note #} t", "--><x t"):
        assert words in text
    assert "49" not in text


EXPORT = written(
    ("Name", "Cost", "Text", "Illustrator"),
    *(
        (
            f"Card {at}",
            at,
            f"<b>Action:</b> pay {at}[credit] <i>now</i><br>Draw &amp; keep {{{{T}}}}. {LONG}",
            "Ann Bo",
        )
        for at in range(4)
    ),
)


@pytest.mark.long
def test_html_and_words_in_brackets_are_stated_and_printed(tmp_path: Path) -> None:
    new = made(tmp_path, EXPORT.replace("{{T}}", "{T}"))
    stated = yaml.safe_load((new.folder / "data/fox/game.yaml").read_text())["components"]["cards"][
        "markup"
    ]
    assert stated == {"html": True, "fields": ["text"], "icons": {"[credit]": "credit", "{T}": "t"}}
    assert new.components[0].shown["icon"] == ("[credit]", "{T}")
    assert [(each.code, each.location and each.location.line) for each in checked(new)] == [
        ("icon/stand-in", 19),
        ("icon/stand-in", 19),
    ]
    (new.folder / "templates/fox/icons").mkdir()
    (new.folder / "templates/fox/icons/t.svg").write_text(SVG)
    (found,) = checked(new)
    assert "'credit': 4 cards" in found.message
    cardgen.build(cardgen.BuildOptions("fox"), project=cardgen.Project.open(new.folder))
    (pdf,) = (new.folder / "output/fox").glob("*.pdf")
    with mupdf().open(pdf) as document:
        text = " ".join(document[0].get_text().split())
    assert "Action: pay 3" in text
    assert "Draw & keep" in text
    assert not set("<>[]{}") & set(text)
    schema = json.loads((new.folder / "schemas/fox/cards.schema.json").read_text())
    fields = schema["properties"]["cards"]["items"]["properties"]
    assert [name for name, field in fields.items() if field.get("translate")] == ["name", "text"]


@for_each(
    ("text", "markup"),
    [
        ("Gain [coin].", {"icons": {"[coin]": "coin"}}),
        ("Gain <b>two</b>.", {"html": True}),
        ("Gain two.", None),
    ],
)
def test_markup_is_stated_as_far_as_texts_have_it(
    text: str, markup: dict[str, object] | None, tmp_path: Path
) -> None:
    new = made(tmp_path, written(("Name", "Text"), *((f"Card {at}", text) for at in range(4))))
    stated = yaml.safe_load((new.folder / "data/fox/game.yaml").read_text())["components"]["cards"]
    assert stated.get("markup") == markup


def test_a_word_in_brackets_that_nothing_is_stated_of_is_one_warning(tmp_path: Path) -> None:
    new = made(tmp_path, EXPORT.replace("{{T}}", "T"))
    game = new.folder / "data/fox/game.yaml"
    text = game.read_text()
    game.write_text(text.replace("      icons: {'[credit]': credit}\n", ""))
    (found,) = checked(new)
    assert (found.code, found.location and found.location.cell) == ("tables/icon-word", "C2")
    game.write_text(text.replace("'[credit]': credit", "'[credit]': false"))
    assert not checked(new)


RAW = (
    ("Name", "Cost", "Type", "Text", "Choice", "Illustrator", "Link"),
    *(
        (
            f"Card &ldquo;{at}&rdquo;",
            ("{2}{W}", "{1}", "{X/2}{+1}")[at % 3],
            ("Weapon &amp; Armor", "Ice<br>")[at % 2],
            f'<i class="icon icon-click"></i>: pay &lt;b&gt; [mem unit]. [[Trait]]\n<br/>\n<e>{LONG}</e>',
            "Pay **2**.",
            ("Ann Bo", "Cy Dee")[at % 2],
            "https://example.org/a.png",
        )
        for at in range(9)
    ),
)
FORMATS = {
    "csv": lambda: written(*RAW),
    "ods": lambda: ods({"Cards": ods_rows(*RAW)}),
    "json": lambda: json.dumps([dict(zip(RAW[0], row, strict=True)) for row in RAW[1:]]),
}


@pytest.mark.long
@for_each("kind", FORMATS)
def test_a_raw_export_of_any_format_is_in_order(tmp_path: Path, kind: str) -> None:
    new = made(tmp_path, FORMATS[kind](), f"deck.{kind}")
    game = cardgen.load("fox", project=cardgen.Project.open(new.folder))
    card = next(game.cards()).fields
    assert (card["name"], card["type"]) == ("Card “0”", "Weapon & Armor")
    assert card["cost"] == ":number-2::w:"
    assert card["text"] == f":click:: pay \\<b> :mem-unit:. [[Trait]]\n{LONG}"
    assert new.components[0].shown["title"] == ("Name",)
    assert new.components[0].shown["color and mark"] == ("Type",)
    assert new.components[0].left_out == ("Link",)
    if kind == min(FORMATS):  # the games differ in nothing else
        assert {each.code for each in checked(new)} == {"icon/stand-in"}
    assert new.components[0].shown["icon"] == (
        "[click]",
        "[mem unit]",
        "{+1}",
        "{1}",
        "{2}",
        "{W}",
        "{X/2}",
    )
    face = (new.folder / "templates/fox/card.svg").read_text()
    assert "if: type == 'Weapon &amp; Armor'" in face
    schema = json.loads((new.folder / "schemas/fox/cards.schema.json").read_text())
    fields = schema["properties"]["cards"]["items"]["properties"]
    assert fields["type"]["enum"] == ["Weapon &amp; Armor", "Ice<br>"]
    assert "translate" not in fields["illustrator"]


QUIZ = (
    ("Question", "Answer", "Explanation", "Author"),
    *(
        (f"Is {at} odd, and why would anybody ask for it?", f"No {at}", f"It is {at}.", f"Person {at % 2}")
        for at in range(4)
    ),
)


def test_persons_and_answers_are_no_titles_and_no_groups(tmp_path: Path) -> None:
    new = made(tmp_path, written(*(row[::-1] for row in QUIZ)))
    assert not {"title", "color and mark", "word"} & new.components[0].shown.keys()
    assert new.components[0].shown["text"] == ("Question",)
    assert not checked(new)


@pytest.mark.long
def test_a_few_long_texts_make_no_larger_cards(tmp_path: Path) -> None:
    rows = [(f"Card {at}", LONG * (12 if at == 7 else 1)) for at in range(60)]
    new = made(tmp_path, written(("Title", "Text"), *rows))
    assert "trim: poker" in (new.folder / "data/fox/game.yaml").read_text()
    assert {(each.code, each.location and each.location.cell) for each in checked(new)} == {
        ("text/overflow", "B9")
    }


def test_cards_in_error_leave_the_others_to_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deck.csv").write_text("title,text\nOak,A tree\nElm,:elm: in leaf\n")
    assert main(["new", "fox", "--from", "deck.csv"]) == 1
    said = capsys.readouterr()
    assert "[icon/unknown]" in said.err
    assert "fox/data/fox/deck.csv:3:5" in said.err
    assert "'elm'" in said.err
    assert "':elm:'" in said.err
    assert "fox/output/fox/poker.incomplete.pdf: 2 pages" in said.out
    assert "cd fox && cardgen check" in said.out


def test_formulas_without_a_value_are_said_before_anything_is_made(tmp_path: Path) -> None:
    sums = '<row r="2"><c r="A2"><f>1+1</f></c><c r="B2" t="e"><v>#REF!</v></c></row>'
    with pytest.raises(CardgenError) as caught:
        made(tmp_path, xlsx({"Cards": rows(("title", "cost")) + sums}), "deck.xlsx")
    said = [(each.code, each.location and each.location.cell) for each in caught.value.findings]
    assert said == [("tables/formula", "Cards!A2"), ("tables/formula", "Cards!B2")]
    assert not (tmp_path / "fox").exists()


def test_a_table_that_is_none_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    for text, said in (("title\n", "tables/empty"), ("a,a\n1,2\n", "tables/column")):
        with pytest.raises(CardgenError) as caught:
            made(tmp_path, text)
        assert said in {each.code for each in caught.value.findings}
        assert not (tmp_path / "fox").exists()


def test_misuse_is_said(tmp_path: Path, wording: Wording) -> None:
    for name, source in (("fox", "deck.txt"), ("Fox!", "deck.csv")):
        (tmp_path / source).write_text("title\nA\n")
        with pytest.raises(UsageError) as caught:
            cardgen.new_from_table(name, tmp_path, str(tmp_path / source))
        wording(caught.value)


BOOK = {
    "Cards": rows(("title", "cost", "art"), ("Fox", 3, "a.svg"), ("Owl", 2, "a.svg")),
    "_old": rows(("title",), ("Elk",)),
    "Mini": rows(("Titel", "Wert"), ("Salz", 1), ("Seil", 2), ("Tee", 3)),
    "#ideas": rows(("title",), ("Elk",)),
    "Coins": rows(("title", "value", "copies"), ("Coin", 1, 9)),
    "Empty": rows(("title",)),
    "Tokens": rows(("title", "art", "copies"), ("Coin", "b.svg", 9)),
}
COMPONENTS = [
    ("cards", "card", 63.5),
    ("mini", "card", 44.0),
    ("coins", "card", 63.5),
    ("tokens", "token", 30.0),
]


def test_every_sheet_of_a_workbook_becomes_a_component(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.svg").write_text(SVG)
    Path("deck.xlsx").write_bytes(xlsx(BOOK))
    assert main(["new", "fox", "--from", "deck.xlsx"]) == 0
    said = capsys.readouterr().out
    assert "skipped: _old, #ideas, Empty\n" in said
    assert "fox/output/fox/poker.pdf: 6 pages" in said
    assert "fox/output/fox/tokens.pdf: 2 pages" in said
    game = cardgen.load("fox", project=cardgen.Project.open(Path("fox")))
    found = [(each.id, each.kind, each.cards[0].trim.width) for each in game.components]
    assert found == COMPONENTS
    assert [each.name for each in game.sheets] == ["poker", "tokens"]
    codes = [(each.code, each.message) for each in cardgen.check(game)]
    assert codes == [("tables/unused-sheet", "the sheet 'Empty' is not used")]


def test_a_folder_of_tables_is_a_component_each(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("beasts", "tricks", "_old"):
        (folder / f"{name}.csv").write_text(DECKS.get(name, "title\nA\n"))
    new = cardgen.new_from_table("fox", tmp_path, str(folder))
    assert new.skipped == ("_old.csv",)
    assert [each.deck.data for each in new.components] == ["beasts.csv", "tricks.csv"]
    assert (new.folder / "data/fox/tricks.csv").read_bytes() == (folder / "tricks.csv").read_bytes()
    assert not checked(new)


def test_findings_of_all_sheets_are_told_at_once(tmp_path: Path) -> None:
    sheets = {name: rows(("title", "title"), ("A", "B")) for name in ("One", "Two")}
    (tmp_path / "deck.xlsx").write_bytes(xlsx(sheets))
    with pytest.raises(CardgenError) as caught:
        cardgen.new_from_table("fox", tmp_path, str(tmp_path / "deck.xlsx"))
    assert [each.location and each.location.cell for each in caught.value.findings] == ["One!B1", "Two!B1"]
    assert not (tmp_path / "fox").exists()


def test_a_new_game_inside_a_project_is_offered_as_an_addition(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "deck.xlsx").write_bytes(xlsx({"Tokens": BOOK["Tokens"]}))
    cardgen.new_project("fox", tmp_path)
    for make in (
        lambda: cardgen.new_from_table("elk", tmp_path / "fox", str(tmp_path / "deck.xlsx")),
        lambda: cardgen.new_project("elk", tmp_path / "fox", template="tokens"),
    ):
        with pytest.raises(UsageError) as caught:
            make()
        assert caught.value.findings[0].code == "usage/nested"
        wording(caught.value)


def test_cards_of_a_size_that_is_asked_for(tmp_path: Path) -> None:
    new = made(tmp_path, DECKS["beasts"], trim="square")
    assert not checked(new)
    game = cardgen.load("fox", project=cardgen.Project.open(new.folder))
    assert {(card.trim.width, card.trim.height) for card in game.cards()} == {(88.9, 88.9)}
    assert [each.name for each in game.sheets] == ["square"]
    root = etree.parse(new.folder / "templates/fox/card.svg").getroot()
    assert root.get("width") == f"{88.9 + 2 * 3.175:g}mm"


def test_a_size_that_no_card_has(tmp_path: Path, wording: Wording) -> None:
    for trim in ("brigde", "large-chit"):
        with pytest.raises(UsageError) as caught:
            made(tmp_path, TRICKS, trim=trim)
        wording(caught.value)
    assert not (tmp_path / "fox").exists()


CELLS = st.text(st.characters(codec="utf-8", max_codepoint=0x24F, exclude_characters="\r\x00"), max_size=40)
HEADERS = st.sampled_from(
    ["title", "Cost", "suit", "copies", "id", "No.", "text", "art", "flavour", "if", "ü"]
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_tables_of_any_kind_make_games_or_findings(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    headers = data.draw(st.lists(HEADERS | CELLS, min_size=1, max_size=6, unique=True))
    cells = CELLS | st.sampled_from(["1", "7", "sun", "moon", "yes", "a.png", "X", ""])
    lines = data.draw(st.lists(st.tuples(*(cells for _ in headers)), max_size=6))
    folder = tmp_path_factory.mktemp("any")
    try:
        new = made(folder, written(tuple(headers), *lines))
    except CardgenError:
        return
    try:
        found = checked(new)
    except CardgenError as error:
        found = list(error.findings)
    # What may be wrong is what stands in cells; never what was made of them.
    made_wrong = [
        each
        for each in found
        if each.code.partition("/")[0] in ("yaml", "svg", "reference", "game", "template", "rule")
        and each.code not in ("template/undefined",)
    ]
    assert not made_wrong


def test_the_command_builds_the_first_sheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardgen.cli.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "deck.csv").write_text(TRICKS)
    assert main(["new", "fox", "--from", "deck.csv"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "fox: a new project, 18 cards from deck.csv"
    assert "  color and mark:   suit" in said
    assert (tmp_path / "fox/output/fox/poker.pdf").is_file()
    assert main(["check", "--project", "fox"]) == 0
    assert main(["new", "owl", "--from", "deck.csv", "--template", "poker"]) == 2
    assert main(["new", "owl", "--trim", "bridge"]) == 2


def test_pictures_are_found_however_their_links_are_written(tmp_path: Path) -> None:
    composed, decomposed = (unicodedata.normalize(form, "pics/Bär 1.png") for form in ("NFC", "NFD"))
    for number, (there, link) in enumerate(
        (
            ("pics/b 1.png", ".\\pics\\b 1.png"),
            ("pics/b 1.png", "./pics/b%201.png"),
            (composed, decomposed),
            (decomposed, composed),
        )
    ):
        folder = tmp_path / str(number)
        (folder / "pics").mkdir(parents=True)
        Image.new("RGB", (1600, 1200)).save(folder / there)
        (folder / "deck.csv").write_text(f"Title,Art\nBear,{link}\nFox,none/fox.png\n", "utf-8")
        new = cardgen.new_from_table("fox", folder, str(folder / "deck.csv"))
        assert (new.pictures, new.missing) == (1, ("none/fox.png",))
    found = cardgen.check(cardgen.load("fox", project=cardgen.Project.open(new.folder)))
    assert {each.code for each in found} <= {"image/resolution"}
