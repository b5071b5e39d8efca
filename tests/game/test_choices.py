"""What a component states by a field of its cards: templates, sizes, turns; and slips in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.core.findings import Severity
from cardgen.core.geometry import Size
from cardgen.game.loading import load_game
from tests.wording import Wording

from .test_game import Fox

BY_TYPE = """\
    trim: {by: type, of: {unit: poker, site: [50mm, 70mm], 7: poker}}
    turned: {by: type, unit: false, site: true, 7: false}
    data: cards.yaml
    schema: cards.schema.json
    face: {by: type, unit: card.svg, site: site.svg, 7: card.svg}
    back: {by: secret, of: {'true': back.svg, 'false': null}}
"""
CARDS = """\
cards:
  - {id: den, title: Den, type: unit, secret: true}
  - {id: hill, title: Hill, type: site, secret: false}
  - {id: lake, title: Lake, type: site, secret: true, trim: poker, face: card.svg, back: null}
  - {id: luck, title: Luck, type: 7, secret: false}
"""


@pytest.fixture
def fox(tmp_path: Path) -> Fox:
    fox = Fox(tmp_path)
    old = "    trim: poker\n    data: cards.yaml\n    schema: cards.schema.json\n    face: card.svg\n"
    fox.edit("game.yaml", old + "    back: back.svg\n", BY_TYPE.replace("7:", "'7':"))
    fox.write("data/fox/cards.yaml", CARDS)
    fox.write("templates/fox/site.svg", "<svg/>")
    place = fox.root / "schemas/fox/cards.schema.json"
    schema = json.loads(place.read_text(encoding="utf-8"))
    schema["properties"]["cards"]["items"]["properties"] |= {"type": {}, "secret": {}}
    place.write_text(json.dumps(schema), encoding="utf-8")
    return fox


def test_each_card_has_what_is_stated_for_its_value(fox: Fox) -> None:
    game, findings = load_game(fox.paths, "fox")
    assert findings.items == []
    assert [(card.id, card.trim, card.face, card.back) for card in game.component("cards").cards] == [
        ("den", Size(63.5, 88.9), "fox/card.svg", "fox/back.svg"),
        ("hill", Size(70, 50), "fox/site.svg", None),
        ("lake", Size(63.5, 88.9), "fox/card.svg", None),  # what it states itself goes first
        ("luck", Size(63.5, 88.9), "fox/card.svg", None),
    ]
    assert game.component("cards").trim is None


def test_a_value_for_which_nothing_is_stated_is_said_at_the_card_with_all_else(fox: Fox) -> None:
    fox.edit("cards.yaml", "type: unit, secret: true", "type: unti, secret: 5")
    fox.edit("cards.yaml", "title: Hill, type: site,", "title: Hill, type: [site],")
    fox.edit("cards.yaml", "title: Luck, type: 7, ", "title: Luck, ")
    assert fox.found() == [
        "choice/unknown cards.yaml:2:33: cards[0].type: game.yaml sets no trim or turned or face for "
        "the type 'unti' (did you mean 'unit'?)",
        "choice/unknown cards.yaml:2:47: cards[0].secret: game.yaml sets no back for the secret '5' "
        "(use one of those with a back: false, true)",
        "choice/unknown cards.yaml:3:35: cards[1].type: game.yaml sets no trim or turned or face for "
        "the type '…' (use one of those with a trim: 7, site, unit)",
        "choice/missing cards.yaml:5:5: cards[3]: the card has no 'type', which chooses its trim or turned "
        "or face (give it one of 7, site, unit)",
    ]


def test_all_that_may_be_chosen_must_be_there(fox: Fox) -> None:
    fox.edit("game.yaml", "site: site.svg", "site: sight.svg")
    fox.edit("game.yaml", "{unit: poker", "{unit: pokre")
    codes = [line.partition(":")[0] for line in fox.found()]
    assert codes == ["reference/size game.yaml", "reference/template game.yaml"]


def test_a_back_that_is_turned_with_some_cards_is_noted(fox: Fox, wording: Wording) -> None:
    fox.edit("cards.yaml", "type: site, secret: false", "type: site, secret: true")
    _, findings = load_game(fox.paths, "fox")
    (note,) = findings
    assert (note.code, note.severity) == ("component/turned-back", Severity.NOTE)
    wording(note, "hill")


def test_a_slip_in_the_short_form_is_said_at_its_value(fox: Fox) -> None:
    """And a field's value called `of` is found in the long one."""
    fox.edit(
        "game.yaml", "face: {by: type, unit: card.svg, site: site.svg,", "face: {by: type, unti: card.svg,"
    )
    assert [line for line in fox.found() if "unit" in line] == [
        "choice/unknown cards.yaml:2:33: cards[0].type: game.yaml sets no face for the type 'unit' "
        "(did you mean 'unti'?)"
    ]
    fox.edit("game.yaml", "face: {by: type, unti: card.svg, ", "face: {by: type, of: {of: card.svg, ")
    fox.edit("game.yaml", "'7': card.svg}\n    back", "'7': card.svg}}\n    back")
    fox.edit("cards.yaml", "type: unit", "type: of")
    fox.edit("game.yaml", "of: {of: card.svg", "of: {of: card.svg, site: site.svg")
    assert [line for line in fox.found() if "no face" in line or "or face" in line] == []


def test_a_card_that_is_turned_by_itself_is_noted_where_it_says_so(fox: Fox, wording: Wording) -> None:
    """One of another size is not taken for an upright one anyway."""
    fox.edit("cards.yaml", "trim: poker, face", "trim: [90mm, 60mm], back: back.svg, face")
    fox.edit("cards.yaml", "face: card.svg, back: null", "face: card.svg")
    assert load_game(fox.paths, "fox")[1].items == []
    fox.edit("cards.yaml", "type: unit, secret: true", "type: unit, secret: true, turned: true")
    fox.edit("cards.yaml", "type: 7, secret: false", "type: 7, secret: true")
    (note,) = load_game(fox.paths, "fox")[1]
    assert str(note).startswith("data/fox/cards.yaml:2:")
    wording(note, "den")


@pytest.mark.parametrize(
    ("key", "line"),
    [("trim", "trim: {by: a, of: {b: a5}}"), ("turned", "trim: a5, turned: {by: a, of: {b: true}}")],
)
def test_a_book_has_no_cards_to_choose_by(fox: Fox, key: str, line: str, wording: Wording) -> None:
    fox.write("data/fox/rules.md", "# Rules")
    fox.edit(
        "game.yaml", "sheets:\n", f"  book: {{title: B, kind: book, {line}, book: rules.md}}\nsheets:\n"
    )
    fox.edit(
        "game.yaml",
        "  poker: {components",
        "  b: {layout: booklet, components: [book]}\n  poker: {components",
    )
    (said,) = fox.found()
    wording(said)


def test_a_field_that_no_card_has_is_said_once_where_it_is_named(fox: Fox, wording: Wording) -> None:
    fox.edit("game.yaml", "face: {by: type", "face: {by: typ")
    wording(fox.found(), "choice/field", "game.yaml:15:16", "cards", "typ")
    fox.edit("game.yaml", "back: {by: secret", "back: {by: hidden")
    [said] = [line for line in fox.found() if "hidden" in line]
    assert said.endswith("(use one of the fields: back, copies, cost, face, id, secret, title, trim, type)")


def test_a_field_that_nobody_needs_may_be_lacking(fox: Fox) -> None:
    fox.edit("game.yaml", "back: {by: secret", "back: {by: hidden")
    cards = [line.removesuffix("}") for line in CARDS.replace(", back: null", "").splitlines()[1:]]
    fox.write(
        "data/fox/cards.yaml", "\n".join(["cards:", *(f"{line}, back: back.svg}}" for line in cards)])
    )
    assert load_game(fox.paths, "fox")[1].errors == []


def test_hints_do_not_depend_on_what_else_is_wrong(fox: Fox) -> None:
    """So the same slip is the same finding in each language of the game."""
    cards = [f"  - {{id: c{n}, title: C, type: unti, secret: true}}" for n in range(250)]
    fox.write("data/fox/cards.yaml", "\n".join(["cards:", *cards]))
    said = fox.found()
    assert len(said) == 250
    assert all(line.endswith("(did you mean 'unit'?)") for line in said)
