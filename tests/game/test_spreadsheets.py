"""Drop-in examples: a table in tests/examples/valid/tables or invalid/tables is a test, by being there.

Each is a list of cards by `schema.json` in the folder of valid ones. Beside a valid file stands NAME.json
with the records that it must give; beside an invalid one NAME.expected, as `tests/files/test_examples.py`
says, the cell in front of the path.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.core.findings import Finding, Findings
from cardgen.files.project import Project
from cardgen.game.columns import Kind, Shapes, parted_list
from cardgen.game.loading import load_game
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_findings import fits
from cardgen.game.sources import KeptFiles
from cardgen.game.spreadsheets import Recording, TableDocument, id_of, read_records
from tests.files.making import ods, ods_rows, rows, xlsx
from tests.files.test_examples import place_and_code
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests/examples"
ENDINGS = ("*.csv", "*.tsv", "*.xlsx", "*.ods")
VALID = sorted(path for ending in ENDINGS for path in (EXAMPLES / "valid/tables").glob(ending))
INVALID = sorted(path for ending in ENDINGS for path in (EXAMPLES / "invalid/tables").glob(ending))
SCHEMA = PreparedSchema(json.loads((EXAMPLES / "valid/tables/schema.json").read_text(encoding="utf-8")))


def read(raw: bytes, name: str, findings: Findings) -> TableDocument | None:
    how = Recording(Shapes({}), [SCHEMA.of_items("cards")])
    document = read_records(raw, name, (None,), "cards", how, findings)
    if document is not None:
        found = Findings()
        fits(document, SCHEMA, found)
        findings.extend(document.new(found.items))
    return document


def records(raw: bytes, name: str) -> list[dict[str, Any]]:
    findings = Findings()
    document = read(raw, name, findings)
    assert findings.items == []
    assert document is not None
    return list(document.data["cards"])


@for_each("path", VALID, ids=lambda path: path.name)
def test_valid(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = records(path.read_bytes(), path.name)
    assert [list(each.items()) for each in found] == [list(each.items()) for each in expected]


def said(finding: Finding) -> str:
    place = finding.location
    assert place is not None
    within = f"{place.within}: " if place.within else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{place.line}:{place.column} {finding.code} {within}{finding.message}{hint}"


@for_each("path", INVALID, ids=lambda path: path.name)
def test_invalid(path: Path) -> None:
    findings = Findings()
    read(path.read_bytes(), path.name, findings)
    found = [said(finding) for finding in findings.sorted()]
    expected = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
    assert [place_and_code(line) for line in found] == [place_and_code(line) for line in expected]
    for line, wanted in zip(found, expected, strict=True):
        assert line.startswith(wanted)


def test_every_expected_file_has_its_example() -> None:
    assert {path.stem for path in INVALID} == {
        path.stem for path in (EXAMPLES / "invalid/tables").glob("*.expected")
    }


# ---- workbooks know types of their own


DATED = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs>'


def test_types_of_workbooks_give_way_to_the_schema() -> None:
    head = ("title", "cost", "weight", "unique", "tags", "copies", "rules_text")
    listed = ((1984, 3.0, 2, 1, 5, 2, True), ("Owl", "4", "2.5", True, "a", None, 0.5))
    expected = [
        {"id": "1984", "title": "1984", "cost": 3, "weight": 2, "unique": True, "tags": ["5"], "copies": 2,
         "rules_text": "TRUE"},
        {"id": "owl", "title": "Owl", "cost": 4, "weight": 2.5, "unique": True, "tags": ["a"],
         "rules_text": "0.5"},
    ]  # fmt: skip
    for raw, name in (
        (xlsx({"Cards": rows(head, *listed)}), "deck.xlsx"),
        (ods({"Cards": ods_rows(head, *listed)}), "deck.ods"),
    ):
        found = records(raw, name)
        assert found == expected
        assert [type(each["cost"]) for each in found] == [int, int]


def test_dates_and_shares() -> None:
    content = rows(("title", "rules_text", "cost", "since", "weight"))
    content += '<row r="2"><c t="inlineStr"><is><t>Fox</t></is></c>'
    content += (
        "".join(f'<c s="1"><v>{45000 + each}</v></c>' for each in range(3))
        + '<c s="2"><v>0.5</v></c></row>'
    )
    findings = Findings()
    document = read(xlsx({"Cards": content}, styles=DATED), "deck.xlsx", findings)
    assert document is not None
    record = document.data["cards"][0]
    assert (record["since"], record["weight"]) == ("2023-03-17", 0.5)
    assert [f"{each.severity} {each}" for each in findings.sorted()] == [
        "warning deck.xlsx:Cards!B2: rules_text: the cell's number format can't be applied; "
        "'2023-03-15' is printed",
        "error deck.xlsx:Cards!C2: cost: the spreadsheet converted this to a date: 2023-03-16",
    ]


@for_each(
    ("texts", "values"),
    [
        (["7", "-1.5", "0"], [7, -1.5, 0]),
        (["7", "1.50"], ["7", "1.50"]),
        (["1.10", "2.00", "3.50"], ["1.10", "2.00", "3.50"]),
        (["007", "8"], ["007", "8"]),
        (["+2", "-1"], ["+2", "-1"]),
        (["0.12345", "1"], ["0.12345", "1"]),  # templates print four decimals
        (["TRUE", "FALSE"], ["TRUE", "FALSE"]),
        (["true", "false"], ["true", "false"]),
        (["7", "x", "[a]"], ["7", "x", "[a]"]),
        (["1e5", "1,5"], ["1e5", "1,5"]),
        (["-0"], ["-0"]),
    ],
)
def test_column_without_a_schema_is_numbers_only_where_all_print_as_shown(
    texts: list[str], values: list[object]
) -> None:
    kind = Kind([], Shapes({}))
    kind.settle(texts)
    found = [kind.read(text) for text in texts]
    assert found == values
    assert list(map(type, found)) == list(map(type, values))


def test_adding_a_row_renames_no_other() -> None:
    before = records(b"title\nFox\nOwl\nFox\n", "deck.csv")
    after = records(b"title\nHen\nFox\nYak\nOwl\nFox\nBee\n", "deck.csv")
    assert [each["id"] for each in before] == ["fox", "owl", "fox-2"]
    assert [each["id"] for each in after] == ["hen", "fox", "yak", "owl", "fox-2", "bee"]
    assert id_of("狐") == id_of("狐") != id_of("狸")


def test_lists_in_a_cell() -> None:
    assert parted_list("a; b;;c", None) == ["a", "b", "c"]
    assert parted_list("a; b\nc", None) == ["a; b", "c"]
    assert parted_list("a, b;c", ",") == ["a", "b;c"]


# ---- whole games


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A game of one deck in a CSV file."""
    home = Path(shutil.copytree(EXAMPLES / "deck-lists/game", tmp_path / "game"))
    shutil.rmtree(home / "data/duel/decks")
    manifest = home / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8").replace("decks: {component: cards}\n", "")
    text = text.replace("rules: rules.yaml\n", "").replace("data: cards.yaml", "data: deck.csv")
    manifest.write_text(text, encoding="utf-8")
    (home / "data/duel/deck.csv").write_text(
        "title,type,price,unique\nFox,agent,1,\nOwl,tool,2,yes\nOak,plan,3,\n", encoding="utf-8"
    )
    return home


def named(project: Path, *files: str) -> None:
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("data: deck.csv", f"data: [{', '.join(files)}]"), encoding="utf-8")


def test_a_deck_in_a_file_of_commas(project: Path) -> None:
    game = cardgen.load("duel", project=Project.open(project))
    cards = game.component("cards").cards
    assert [(card.id, card.fields["price"], card.fields["unique"]) for card in cards] == [
        ("fox", 1, False), ("owl", 2, True), ("oak", 3, False)
    ]  # fmt: skip
    assert str(game.where(cards[1], "price")) == "data/duel/deck.csv:3:10: C3: price"
    assert "data/duel/deck.csv" in game.sources


def test_sheets_of_one_workbook_are_one_list(project: Path) -> None:
    head = ("title", "type", "price")
    sheets = {
        "Beasts": rows(head, ("Fox", "agent", 1)),
        "More plants": rows(head, ("Oak", "plan", 2), ("Fox", "plan", 3)),
    }
    (project / "data/duel/deck.xlsx").write_bytes(xlsx(sheets))
    named(project, "'deck.xlsx#Beasts'", "cards.yaml", "'deck.xlsx#More plants'")
    game = cardgen.load("duel", project=Project.open(project))
    cards = game.component("cards").cards
    assert [card.id for card in cards][:4] == ["fox", "oak", "fox-2", "lookout"]
    assert str(game.where(cards[2], "title")) == "data/duel/deck.xlsx:'More plants'!A3: title"


def test_one_workbook_for_two_components(project: Path) -> None:
    head = ("title", "type", "price")
    sheets = {"Cards": rows(head, ("Fox", "agent", 1)), "Tokens": rows(head, ("Alarm", "tool", 0))}
    (project / "data/duel/deck.xlsx").write_bytes(xlsx(sheets))
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8").replace("deck.csv", "deck.xlsx#Cards")
    manifest.write_text(text.replace("markers.yaml", "deck.xlsx#Tokens"), encoding="utf-8")
    game = cardgen.load("duel", project=Project.open(project))
    assert [card.id for card in game.cards()] == ["fox", "alarm"]
    assert str(game.where(game.component("markers").cards[0])) == "data/duel/deck.xlsx:Tokens!A2"


@for_each(
    ("text", "expected"),
    [
        ("title,type,price\nFox,plan,x\n", "data/duel/deck.csv:2:10: C2: price: 'x' is not a whole number"),
        ("title,type,price,copies\nFox,agent,1,#REF!\n", "D2: copies: the formula's result is #REF!"),
        (
            "id,title,type,price\nfox,a,plan,1\nfox,b,plan,1\n",
            "A3: id: the id 'fox' is taken by the card in the cell A2",
        ),
        ("title\n", "components.cards.data: cards has no cards"),
        ("", "data/duel/deck.csv: the table is empty"),
    ],
)  # fmt: skip
def test_findings_name_the_cell(project: Path, text: str, expected: str) -> None:
    (project / "data/duel/deck.csv").write_text(text, encoding="utf-8")
    with pytest.raises(cardgen.CardgenError) as error:
        cardgen.load("duel", project=Project.open(project))
    assert [expected in str(finding) for finding in error.value.findings] == [True]


def test_a_file_that_is_no_table(project: Path, wording: Wording) -> None:
    named(project, "deck.txt")
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("duel", project=Project.open(project))
    wording(caught.value)
    shutil.rmtree(project)


def test_a_warm_game_sees_edits_at_once_and_keeps_what_is_the_same(project: Path) -> None:
    kept = KeptFiles()
    opened = Project.open(project)

    def load() -> dict[str, Any]:
        game, _ = load_game(opened.paths, "duel", kept=kept)
        return {card.id: card for card in game.component("cards").cards}

    first, again = load(), load()
    assert all(first[id] is again[id] for id in first)
    file = project / "data/duel/deck.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("Owl,tool,2", "Owl,tool,5"), encoding="utf-8")
    after = load()
    assert after["owl"].fields["price"] == 5
    assert after["fox"] is first["fox"]
    assert after["oak"] is first["oak"]
    file.write_text(file.read_text(encoding="utf-8").replace("Owl,tool,5", "Owl,tool,x"), encoding="utf-8")
    with pytest.raises(cardgen.CardgenError):
        load()
    file.write_text(file.read_text(encoding="utf-8").replace("Owl,tool,x", "Owl,tool,6"), encoding="utf-8")
    assert load()["owl"].fields["price"] == 6


UNKNOWN = [("id", "strange.a", "odd"), *((f"c{number}", "x", number) for number in range(50))]
LINES = [[str(cell) for cell in row] for row in UNKNOWN]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("deck.csv", "\n".join(map(",".join, LINES)).encode()),
        ("deck.tsv", "\n".join(map("\t".join, LINES)).encode()),
        ("deck.xlsx", xlsx({"Deck": rows(*UNKNOWN)})),
        ("deck.ods", ods({"Deck": ods_rows(*UNKNOWN)})),
    ],
)
def test_an_unknown_column_is_one_finding_with_its_number_of_records(
    name: str, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded: list[str] = []
    real = TableDocument.locate
    monkeypatch.setattr(
        TableDocument,
        "locate",
        lambda self, path=(), *, key=False: worded.append(path) or real(self, path, key=key),
    )
    document = read_records(raw, name, (None,), "cards", Recording(Shapes({}), []), Findings())
    assert document is not None
    closed = {"properties": {"cards": {"items": {"properties": {"id": {}}, "additionalProperties": False}}}}
    findings = Findings()
    assert not fits(document, PreparedSchema(closed), findings)
    assert [(each.code, each.location and each.location.path) for each in findings] == [
        ("schema/unknown-key", "cards[0].strange"),
        ("schema/unknown-key", "odd"),
    ]
    assert all("50 records" in each.message for each in findings)
    assert len(worded) == 2, "one place a column, not one a cell"


def test_keys_that_a_few_records_lack_are_told_of_those_alone() -> None:
    raw = b"id,odd,title\na,1,A\nb,,\nc,3,\n"
    document = read_records(raw, "deck.csv", (None,), "cards", Recording(Shapes({}), []), Findings())
    assert document is not None
    items = {"properties": {"id": {}, "title": {}}, "required": ["title"], "additionalProperties": False}
    findings = Findings()
    fits(document, PreparedSchema({"properties": {"cards": {"items": items}}}), findings)
    told = [(each.code, each.location and each.location.cell) for each in findings]
    assert told == [("schema/unknown-key", "B1"), ("schema/required", "C3"), ("schema/required", "C4")]
