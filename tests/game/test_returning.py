"""Cards as sheets, and back from them: the same cards, whatever the format; and what was edited."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.files.table_writing import write_sheets
from cardgen.files.tables import unified
from cardgen.files.yaml import Document, Reading, parse_yaml
from cardgen.files.yaml_editing import edited, same
from cardgen.files.yaml_nodes import YamlStyle, mapping_lines
from cardgen.game.columns import Shapes
from cardgen.game.edited_files import CardList, Returned, fields_of, returned, sheet_of
from cardgen.game.sources import TableUse
from cardgen.game.spreadsheets import Recording
from tests.for_each import for_each

FORMATS = (".xlsx", ".ods", ".csv")
ANY_CARD = {"properties": {"id": {"type": "string"}, "copies": {"type": "integer"}}}
SCHEMA = {
    "allOf": [ANY_CARD],
    "properties": {
        "title": {"type": "string", "description": "Its name."},
        "cost": {"type": "integer"},
        "weight": {"type": "number"},
        "unique": {"type": "boolean"},
        "suit": {"enum": ["sun", "moon, half", "7"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "dice": {"type": "array", "separator": "/", "items": {"type": "integer"}},
        "trim": {"anyOf": [{"type": "string"}, {"type": "array"}, {"type": "null"}]},
        "reward": {
            "type": "object",
            "properties": {"die": {"type": "integer"}, "text": {"type": "string"}},
        },
        "steps": {"type": "array", "items": {"type": "object"}},
    },
}

SIGNS = "abN7;,/=+-@'\"#[]{}:\t\n |&*é…\u2028\xa0_x0041"
words = st.text(SIGNS, max_size=10).map(str.strip)
ODD = ("=1+1", "-3", "'=x", "''a", "TRUE", "007", "1e3", "# a", "_x0041_")
texts = st.one_of(words.map(lambda word: word or "none"), st.sampled_from(ODD))
cards_of_schema = st.fixed_dictionaries(
    {
        "title": texts,
        "cost": st.integers(-(10**9), 10**9),
        "weight": st.integers(-999, 999).map(lambda number: number + 0.25),
        "unique": st.booleans(),
        "suit": st.sampled_from(("sun", "moon, half", "7")),
        "tags": st.lists(words, max_size=3),
        "dice": st.lists(st.integers(0, 99), max_size=3),
        "trim": st.sampled_from(("poker", None, ["63mm", "88mm"])),
        "reward": st.fixed_dictionaries({"die": st.integers(4, 20), "text": texts}),
        "steps": st.lists(st.dictionaries(st.sampled_from(("if", "then")), words, max_size=2), max_size=2),
    }
)
anything: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        words,
        st.just("#N/A"),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.none(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
odd_cards = st.dictionaries(
    st.sampled_from(("title", "cost", "tags", "x", "Rules text")), anything, max_size=4
)


def listed(cards: list[dict[str, Any]], schema: Any = SCHEMA) -> CardList:
    """Cards as a YAML file has them."""
    text = "".join(f"{line}\n" for line in mapping_lines({"cards": cards}, 0, YamlStyle(), ()))
    findings = Findings()
    document = parse_yaml(text, "data/fox/cards.yaml", findings)
    assert document is not None
    assert not findings.items
    parts = [ANY_CARD] if schema is None else [schema, ANY_CARD]
    use = TableUse((None,), "cards")
    return CardList(
        "cards",
        document.relative,
        "cards",
        use,
        document,
        document.data["cards"],
        Recording(Shapes({}), parts),
    )


def named(cards: list[dict[str, Any]], start: int = 0) -> list[dict[str, Any]]:
    return [{"id": f"card-{number}", **card} for number, card in enumerate(cards, start)]


def back(before: CardList, ending: str, now: CardList | None = None) -> Returned:
    """What comes back of a file that was written from one list of cards, for another."""
    findings = Findings()
    raw = write_sheets([sheet_of(now or before, findings)], ending, f"deck{ending}", findings)
    result = returned(before, raw, f"deck{ending}", None if ending == ".csv" else "cards", findings)
    assert not findings.items
    assert result is not None
    return result


@given(st.lists(odd_cards, min_size=1, max_size=4), st.sampled_from(FORMATS), st.booleans())
def test_out_and_in_again_changes_nothing(cards: list[dict[str, Any]], ending: str, typed: bool) -> None:
    source = listed(named(cards), SCHEMA if typed else None)
    result = back(source, ending)
    assert same(result.cards, list(source.cards))
    assert not result.is_changed


@given(
    st.lists(cards_of_schema, min_size=1, max_size=4),
    st.lists(cards_of_schema, min_size=1, max_size=4),
    st.integers(0, 3),
    st.sampled_from(FORMATS),
)
def test_what_was_edited_comes_back(
    old: list[dict[str, Any]], new: list[dict[str, Any]], start: int, ending: str
) -> None:
    before, now = listed(named(old)), listed(named(new, start))
    result = back(before, ending, now)
    wanted = {card["id"]: card for card in now.cards}
    stayed = [card["id"] for card in before.cards if card["id"] in wanted]
    order = [*stayed, *(id for id in wanted if id not in stayed)]
    assert same(_with_line_ends(result.cards), _with_line_ends([wanted[id] for id in order]))
    text = edited(str(before.document.text), {"cards": result.cards})
    assert same(Reading(text).data, {"cards": result.cards})


def _with_line_ends(value: Any) -> Any:
    """A value whose texts have `\\n` for every line end, as an edited cell has it."""
    if isinstance(value, list):
        return [_with_line_ends(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_line_ends(each) for key, each in value.items()}
    return unified(value) if isinstance(value, str) else value


def _table(*rows: str) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


FOX = {"id": "fox", "title": "Fox", "cost": 3, "tags": ["quick", "red"], "reward": {"die": 6, "text": "x"}}
OWL = {"id": "owl", "title": "Owl", "cost": 2}


def _returned(*rows: str, cards: tuple[dict[str, Any], ...] = (FOX, OWL)) -> tuple[Any, list[str]]:
    findings = Findings()
    result = returned(listed(deepcopy(list(cards))), _table(*rows), "deck.csv", None, findings)
    said = [f"{each.code} {each.location and each.location.cell}" for each in findings]
    return None if result is None else result.cards, said


def test_columns_that_are_gone_leave_their_fields() -> None:
    cards, said = _returned("id,cost", "fox,4", "owl,2")
    assert cards == [{**FOX, "cost": 4}, OWL]
    assert not said


def test_an_emptied_cell_takes_the_field_out_and_the_mapping_with_the_last() -> None:
    cards, _ = _returned("id,title,cost,reward.die,reward.text", "fox,Fox,,,", "owl,Owl,2,,8")
    assert cards == [
        {"id": "fox", "title": "Fox", "tags": ["quick", "red"]},
        {**OWL, "reward": {"text": "8"}},
    ]


def test_a_new_row_without_an_id_gets_one_that_no_row_has() -> None:
    rows = ("id,title,cost", "fox,Fox,3", ",Fox,1", ",Elk,1", "owl,Owl,2")
    cards, _ = _returned(*rows)
    assert [card["id"] for card in cards] == ["fox", "owl", "fox-2", "elk"]
    assert cards[2] == {"id": "fox-2", "title": "Fox", "cost": 1}
    assert _returned(*rows, cards=tuple(cards))[0] == cards  # brought back once more, nothing is new


def test_without_a_schema_a_value_stays_of_its_type() -> None:
    cards = [{"id": "a", "code": "7", "tags": ["x"], "new": True, "cost": 1}]
    findings = Findings()
    rows = _table("id,code,tags,new,cost", "a,8,x; y,no,2")
    result = returned(listed(cards, None), rows, "deck.csv", None, findings)
    assert result is not None
    assert result.cards == [{"id": "a", "code": "8", "tags": ["x", "y"], "new": False, "cost": 2}]


def test_text_keeps_the_line_break_at_its_end() -> None:
    card = {"id": "fox", "title": "one\ntwo\n"}
    assert _returned("id,title", 'fox,"one\ntwo"', cards=(card,))[0] == [card]
    assert _returned("id,title", "fox,three", cards=(card,))[0] == [{**card, "title": "three\n"}]


@for_each(
    ("rows", "said"),
    [
        (("title,cost", "Fox,3"), "tables/column A1"),
        (("id,title",), "tables/empty A1"),
        (("id,title", "fox,Fox", "fox,Owl"), "data/duplicate-id A3"),
        (("id,cost", "fox,#REF!"), "tables/formula B2"),
        (("id,reward,reward.die", "fox,x,6"), "tables/column C1"),
    ],
)
def test_what_cannot_come_back_is_said_at_its_cell(rows: tuple[str, ...], said: str) -> None:
    assert _returned(*rows)[1][:1] == [said]


def test_mappings_are_taken_apart_where_all_of_them_can_be() -> None:
    one = [{"id": "a", "reward": {"die": 6}}, {"id": "b", "reward": {"text": "x"}}]
    names = [field.heading.name for field in fields_of(listed(one), Findings())]
    assert names[:3] == ["id", "reward.die", "reward.text"]
    two = [{"id": "a", "reward": {"die": 6}}, {"id": "b", "reward": {}}]
    assert [field.heading.name for field in fields_of(listed(two), Findings())][1] == "reward"


def test_headings_say_what_the_schema_says() -> None:
    headings = {field.heading.name: field.heading for field in fields_of(listed([FOX, OWL]), Findings())}
    assert headings["title"].note == "Its name."
    assert headings["suit"].choices == ("sun", "moon, half", "7")
    assert headings["unique"].choices == ("TRUE", "FALSE")
    assert "/" in headings["dice"].note
    assert (headings["title"].is_text, headings["cost"].is_text) == (True, False)


def test_a_field_that_is_no_name_of_a_column_is_said() -> None:
    findings = Findings()
    source = listed([{"id": "a", "x.y": 1}])
    fields_of(source, findings)
    assert [(each.code, each.location and each.location.line) for each in findings] == [
        ("tables/column", 3)
    ]


def test_documents_name_the_cells() -> None:
    result = back(listed([FOX, OWL]), ".xlsx")
    assert isinstance(result.document, Document)
    place = result.document.locate(("cards", 1, "title"))
    assert (place.file, place.cell) == ("deck.xlsx", "cards!B3")
