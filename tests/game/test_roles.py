"""Columns of a table, the fields that they are, and what each is to a card."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.files.table_reading import read_table
from cardgen.game.guessing import Column, Roles, columns_of, field_name, roles_of
from cardgen.game.starter_look import signs
from tests.for_each import for_each

LONG = "Gain one grain for each field that lies next to this card at once."


def columns(text: str) -> list[Column]:
    findings = Findings()
    table = read_table(text.encode(), "deck.csv", None, findings)
    assert table is not None, findings.items
    return columns_of(table)


def roles(*rows: str) -> Roles:
    return roles_of(columns("\n".join(rows) + "\n"))


def fields(*found: Column | None) -> list[str]:
    return [column.field for column in found if column is not None]


@for_each(
    ("cells", "kind", "values"),
    [
        (["1", "-2", ""], "whole", (1, -2, None)),
        (["1", "2.5"], "number", (1, 2.5)),
        (["007", "8"], "text", ("007", "8")),
        (["1", "X"], "text", ("1", "X")),
        (["yes", "No", ""], "text", ("yes", "No", None)),
        (["TRUE", "FALSE"], "text", ("TRUE", "FALSE")),
        (["1.10", "2"], "text", ("1.10", "2")),
        (["3", "50%"], "text", ("3", "50%")),
    ],
)
def test_a_column_is_what_all_its_cells_are(
    cells: list[str], kind: str, values: tuple[object, ...]
) -> None:
    (_, column) = columns("title,field\n" + "".join(f"t{at},{cell}\n" for at, cell in enumerate(cells)))
    assert (column.kind, column.values) == (kind, values)


def test_numbers_with_commas_are_the_text_that_was_typed() -> None:
    (_, column) = columns("title;size\na;1,5\nb;2\n")
    assert column.values == ("1,5", "2")


@for_each(
    ("header", "field"),
    [
        ("Rules Text", "rules_text"),
        ("Stärke", "stärke"),
        ("Reward (coins)", "reward_coins"),
        ("2nd", "field_2nd"),
        ("if", "card_if"),
        ("Back", "card_back"),
        ("!?", "field"),
        ("reward.die", "reward_die"),
        ("__x", "x"),
    ],
)
def test_a_field_is_named_so_that_templates_and_rules_can_say_it(header: str, field: str) -> None:
    assert field_name(header, set()) == field


@given(st.lists(st.text(min_size=1, max_size=80), max_size=12))
def test_fields_have_names_of_their_own(headers: list[str]) -> None:
    taken: set[str] = set()
    names = [field_name(header, taken) for header in headers]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and not name.startswith("_") for name in names)


def test_ranks_of_suits() -> None:
    found = roles(
        "suit,rank,points", *(f"{suit},{rank},{rank % 2}" for suit in "AB" for rank in range(1, 6))
    )
    assert found.is_index
    assert fields(found.group, *found.corners, *found.stats) == ["suit", "rank", "points"]
    assert found.title is None


def test_events_with_choices() -> None:
    rows = [f"Event {at},{('Dry', 'Wet')[at % 2]},{LONG},{LONG},Hm.,2" for at in range(6)]
    found = roles("Name,Season,Text,Choice A,Flavour,qty", *rows)
    assert fields(found.title, found.group, *found.texts) == ["name", "season", "text", "choice_a"]
    assert fields(found.flavour, found.copies) == ["flavour", "copies"]


def test_beasts_in_german() -> None:
    rows = [
        f"Tier {at};{at};{('Feuer', 'Wald')[at % 2]};tier{at}.png;{LONG};{at};{at + 1};2" for at in range(6)
    ]
    found = roles("Titel;Kosten;Element;Bild;Regeltext;Angriff;Leben;Anzahl", *rows)
    assert found.is_german
    assert fields(found.title, *found.corners, found.group, found.art) == [
        "title",
        "kosten",
        "element",
        "bild",
    ]
    assert fields(*found.texts, *found.stats, found.copies) == ["regeltext", "angriff", "leben", "copies"]


def test_a_column_of_copies_is_one_only_if_it_can_be() -> None:
    found = roles("title,copies,id", "a,-1,X 1", "b,2,X 2")
    assert found.copies is None
    assert found.id is None
    assert {column.field for column in found.columns} == {"title", "card_copies", "card_id"}


@for_each(
    ("header", "cells", "is_art"),
    [
        ("art", ["a.png", "b/c.jpg"], True),
        ("word", ["a.svg", "b.webp"], True),
        ("art", ["../a.png", "b.png"], False),
        ("art", ["/etc/a.png", "b.png"], False),
        ("art", ["https://x.org/a.png", "b.png"], False),
        ("art", ["C:\\a.png", "b.png"], False),
        ("art", ["Creature", "Spell"], False),
        ("art", ["{{ x }}.png", "b.png"], False),
    ],
)
def test_pictures_are_known_by_their_files(header: str, cells: list[str], is_art: bool) -> None:
    found = roles(f"title,{header}", *(f"t{at},{cell}" for at, cell in enumerate(cells)))
    assert (found.art is not None) is is_art


def test_what_a_card_has_no_room_for_is_left_out_and_nothing_is_lost() -> None:
    header = ",".join(["title", *(f"c{at}" for at in range(60))])
    found = roles(
        header, *(",".join([f"t{row}", *(f"word {row} {at}" for at in range(60))]) for row in range(4))
    )
    assert len(found.columns) == 61
    assert len(found.rest) > 40


def test_no_mark_stands_for_two_words_and_colours_are_those_that_words_name() -> None:
    words = ["Rot", "blue", "Hearts", "Moss", "Ember", "Tide", "Ash", "Fog"]
    found = signs(words)
    assert [sign.word for sign in found] == words
    assert len({sign.mark for sign in found}) == len(words)
    assert (found[0].hue, found[1].hue) == ("#b3261e", "#1f5fa0")


def test_every_hue_reads_on_white() -> None:
    from cardgen.game import starter_look as palette

    known = palette._known_signs()
    for hue in {*known["hues"], *known["named"].values()}:
        parts = [int(hue[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (light + 0.05) >= 4.5, hue


def test_a_single_column_is_the_title() -> None:
    found = roles("word", "Oak", "Elm")
    assert fields(found.title) == ["title"]
    assert not found.is_index
