"""What a game, its components and its deck lists say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.core.findings import Location
from cardgen.core.game import (
    MAX_NAME_PATTERN,
    DeckEntry,
    DeckList,
    Effects,
    GameSheet,
    Language,
    fits,
)
from cardgen.files.listing import ProjectFolders
from tests.core.games import book, card, component, game, written
from tests.for_each import for_each


def test_a_user_s_file_stands_before_the_bundled_one(tmp_path: Path) -> None:
    own = written(tmp_path / "own", "data/both.yaml")
    bundled = written(tmp_path / "bundled", "data/both.yaml", "data/one.yaml")
    paths = ProjectFolders((own, bundled))
    assert paths.find("data/both.yaml") == own / "data/both.yaml"
    assert paths.find("data/one.yaml") == bundled / "data/one.yaml"
    assert paths.find("data") == own / "data"
    assert paths.find("data/none.yaml") is None
    assert paths.find("data/\0") is None


def test_a_link_that_leads_nowhere_hides_the_bundled_file(tmp_path: Path) -> None:
    own, bundled = tmp_path / "own", written(tmp_path / "bundled", "sizes.yaml")
    own.mkdir()
    (own / "sizes.yaml").symlink_to("gone.yaml")
    assert ProjectFolders((own, bundled)).find("sizes.yaml") == own / "sizes.yaml"


@for_each(
    ("changes", "outline"),
    [
        ({"corner_radius": 3.0}, "rounded"),
        ({"corner_radius": 0.0}, "rectangle"),
        ({"shape": "ellipse", "corner_radius": 3.0}, "ellipse"),
    ],
)
def test_the_outline_of_a_component(changes: dict[str, Any], outline: str) -> None:
    assert component("a", **changes).outline == outline


def test_cards_are_counted_with_their_copies_and_a_book_as_one() -> None:
    deck = component("a", card("x", copies=3), card("y", copies=0), card("z"))
    assert (deck.unique, deck.copies) == (3, 4)
    assert (book("b").unique, book("b").copies) == (1, 1)


def test_the_parts_of_a_game() -> None:
    first, second = component("a", card("x"), card("y")), component("b", card("z"))
    whole = game(first, second)
    assert whole.component("b") is second
    assert [each.id for each in whole.cards()] == ["x", "y", "z"]
    with pytest.raises(KeyError, match="c"):
        whole.component("c")
    assert whole.locate("title") == Location("data/demo/game.yaml", 1, 1, "title")
    assert whole.where(first.cards[0], "name", 2) == Location("data/t/c.yaml", 1, 1, "cards.0.name.2")


def test_a_sheet_is_called_by_its_label_on_paper() -> None:
    assert GameSheet("minis", "mini", ("a",)).printed_name == "minis"
    assert GameSheet("minis", "mini", ("a",), "Small cards").printed_name == "Small cards"


def test_a_deck_list_counts_cards_and_copies() -> None:
    place = Location("d.yaml", 1, 1)
    entries = (DeckEntry("x", 3, place), DeckEntry("y", 1, place))
    deck = DeckList("d", "D", "", "", "a", entries, "d.yaml", place, shipped=True)
    assert (deck.unique, deck.copies) == (2, 4)


def test_the_effects_that_a_card_has() -> None:
    effects = Effects(Language({}, {}), ("play", "discard", "trash"))
    assert list(effects.of({"id": "x", "trash": [], "play": []})) == ["play", "trash"]


def test_a_pattern_fits_names_up_to_its_longest() -> None:
    assert fits("dragon", "dr*")
    assert not fits("Dragon", "dr*")
    assert fits("a" * MAX_NAME_PATTERN, "a" * MAX_NAME_PATTERN)
    assert not fits("a", "*" * (MAX_NAME_PATTERN + 1))
