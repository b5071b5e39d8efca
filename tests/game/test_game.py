"""A game's folder to a finished Game, and everything that can be wrong with one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.core.book import BookGame
from cardgen.core.findings import CardgenError, Finding, Findings, Location, UsageError
from cardgen.core.game import About, Card, Limits, PackedRecords, plain_values
from cardgen.core.geometry import Size
from cardgen.files.listing import ProjectFolders
from cardgen.game import cards as cards_module
from cardgen.game.loading import list_games, load_game
from cardgen.game.sources import SourceLocator, Sources, load_checked
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parent.parent.parent

GAME = """\
id: fox
title: Fox
version: 1.0.0
author: A. Nonymous
players: {min: 2, max: 4}
theme: {ink: '#111111'}
components:
  cards:
    title: Cards
    kind: card
    trim: poker
    data: cards.yaml
    schema: cards.schema.json
    face: card.svg
    back: back.svg
  tokens:
    title: Tokens
    kind: token
    trim: [25mm, 1in]
    shape: ellipse
    data: tokens.yaml
    schema: tokens.schema.json
    face: token.svg
sheets:
  poker: {components: [cards]}
  round: {layout: tokens, components: [tokens]}
"""
CARDS = """\
cards:
  - id: den
    title: Den
    copies: 3
  - id: hunt
    title: Hunt
    cost: 2
"""
TOKENS = """\
tokens:
  - {id: paw, title: Paw, copies: {per_player: 2}}
  - {id: tail, title: Tail, copies: {by_players: {2: 3, 3: 1, 4: 0}}}
"""


def schema(key: str) -> str:
    card = {
        "allOf": [{"$ref": "../card.schema.json"}],
        "properties": {
            "title": {"type": "string"},
            "cost": {"type": "integer", "minimum": 0, "default": 1},
        },
        "required": ["title"],
        "unevaluatedProperties": False,
    }
    return json.dumps(
        {
            "type": "object",
            "properties": {key: {"type": "array", "items": card}},
            "required": [key],
            "additionalProperties": False,
        }
    )


class Fox:
    """A small game in a folder of its own, to be changed and loaded."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = ProjectFolders((root, ROOT))
        self.write("data/fox/game.yaml", GAME)
        self.write("data/fox/cards.yaml", CARDS)
        self.write("data/fox/tokens.yaml", TOKENS)
        self.write("schemas/fox/cards.schema.json", schema("cards"))
        self.write("schemas/fox/tokens.schema.json", schema("tokens"))
        for name in ("card", "back", "token"):
            self.write(f"templates/fox/{name}.svg", "<svg/>")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.root / "data/fox" / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.write(f"data/fox/{name}", text.replace(old, new))

    def found(self) -> list[str]:
        """What loading says: `file:line:col: path: message (hint)` with the code in front."""
        with pytest.raises(CardgenError) as error:
            load_game(self.paths, "fox")
        lines = [f"{f}{f' ({f.hint})' if f.hint else ''}" for f in error.value.findings]
        codes = [f.code for f in error.value.findings]
        return [f"{code} {line.removeprefix('data/fox/')}" for code, line in zip(codes, lines, strict=True)]


@pytest.fixture
def fox(tmp_path: Path) -> Fox:
    return Fox(tmp_path)


def test_packed_cards_are_the_same(fox: Fox, monkeypatch: pytest.MonkeyPatch) -> None:
    fox.edit("game.yaml", "version: 1.0.0", "version: 1.0.0\nlanguages: {de: {missing: source}}")
    fox.edit(
        "game.yaml", "data: tokens.yaml", "data: tokens.yaml\n    markup: {html: true, fields: [title]}"
    )
    tokens = (f"  - {{id: t{number}, title: '<b>T {number}</b>', cost: 3}}\n" for number in range(99))
    fox.write("data/fox/tokens.yaml", "tokens:\n" + "".join(tokens) + "  - {id: t5, title: Twin}\n")
    fox.write(
        "schemas/fox/tokens.schema.json",
        schema("tokens").replace('"string"', '"string", "translate": true'),
    )

    def loaded() -> list[Any]:
        game, findings = load_game(fox.paths, "fox", partial=True)
        again, more = load_game(fox.paths, "fox", language="de", partial=True, like=game)
        parts = [(each.components, each.locator.texts(), each.locator.sets()) for each in (game, again)]
        return [*parts, [each.data for each in game.locator.documents()], findings.items, more.items]

    plain = loaded()
    monkeypatch.setattr(cards_module, "_MANY", 2)
    packed = loaded()
    assert packed == plain
    cards = [
        card
        for each in (plain, packed)
        for components, *_ in each[:2]
        for part in components
        for card in part.cards
    ]
    held = [type(Card.__dict__["fields"]._slot.__get__(card)) for card in cards]
    assert held == [dict] * 202 + [PackedRecords] * 202
    assert cards[-1].fields == {"id": "t98", "title": "**T 98**", "cost": 3, "copies": 1}


def test_everything_is_resolved(fox: Fox) -> None:
    game, findings = load_game(fox.paths, "fox")
    assert findings.items == []
    assert (game.id, game.title, game.version, game.author) == ("fox", "Fox", "1.0.0", "A. Nonymous")
    assert (game.description, game.language, game.players, game.player_count) == ("", "en", (2, 4), None)
    assert (game.theme, game.tables, game.rules, game.limits) == ({"ink": "#111111"}, {}, None, Limits())
    cards, tokens = game.components
    assert (cards.id, cards.kind, cards.shape, cards.trim) == (
        "cards",
        "card",
        "rectangle",
        Size(63.5, 88.9),
    )
    assert (cards.corner_radius, cards.bleed, cards.safe, cards.variables) == (3.0, 3.175, 3.2, {})
    assert (tokens.shape, tokens.trim, tokens.corner_radius) == ("ellipse", Size(25.0, 25.4), 0.0)
    assert cards.declared == ("id", "copies", "trim", "turned", "face", "back", "title", "cost")
    den, hunt = cards.cards
    assert den.fields == {"id": "den", "title": "Den", "copies": 3, "cost": 1}
    assert (den.copies, den.number, den.face, den.back) == (3, 1, "fox/card.svg", "fox/back.svg")
    assert (hunt.copies, hunt.number, hunt.fields["cost"], hunt.fields["copies"]) == (1, 2, 2, 1)
    assert (hunt.file, hunt.path, hunt.component) == ("data/fox/cards.yaml", ("cards", 1), "cards")
    assert tokens.cards[0].back is None
    assert [(s.name, s.layout, s.components) for s in game.sheets] == [
        ("poker", "poker", ("cards",)),
        ("round", "tokens", ("tokens",)),
    ]
    assert game.where(hunt, "cost") == Location("data/fox/cards.yaml", 7, 11, "cards[1].cost")
    assert "data/fox/tokens.yaml" in game.sources
    assert "schemas/card.schema.json" in game.sources


@pytest.mark.parametrize(("players", "paw", "tail"), [(None, 8, 3), (2, 4, 3), (3, 6, 1), (4, 8, 0)])
def test_copies_follow_the_players(fox: Fox, players: int | None, paw: int, tail: int) -> None:
    game, _ = load_game(fox.paths, "fox", players=players)
    assert [card.copies for card in game.component("tokens").cards] == [paw, tail]
    assert game.player_count == players


def test_a_card_without_copies_is_no_part_of_the_game(fox: Fox) -> None:
    fox.edit("cards.yaml", "copies: 3", "copies: 0")
    game, _ = load_game(fox.paths, "fox")
    assert [(card.id, card.number) for card in game.component("cards").cards] == [("hunt", 1)]
    assert game.component("cards").copies == 1


def test_a_card_may_differ_from_its_component(fox: Fox) -> None:
    fox.edit("game.yaml", "trim: poker", "trim: poker\n    turned: true")
    fox.write(
        "data/fox/cards.yaml",
        "cards:\n  - {id: a, title: A}\n  - {id: b, title: B, turned: false}\n"
        "  - {id: c, title: C, trim: mini}\n"
        "  - {id: d, title: D, trim: [2in, 3in], turned: true, face: token.svg, back: }\n",
    )
    component = load_game(fox.paths, "fox")[0].component("cards")
    assert component.trim is None
    assert [card.trim for card in component.cards] == [
        Size(88.9, 63.5),
        Size(63.5, 88.9),
        Size(44.45, 63.5),
        Size(76.2, 50.8),
    ]
    assert [(card.face, card.back) for card in component.cards][2:] == [
        ("fox/card.svg", "fox/back.svg"),
        ("fox/token.svg", None),
    ]


def test_several_data_files_are_one_deck(fox: Fox) -> None:
    fox.edit("game.yaml", "data: cards.yaml", "data: [cards.yaml, more.yaml]")
    fox.write("data/fox/more.yaml", "cards:\n  - {id: owl, title: Owl}\n")
    cards = load_game(fox.paths, "fox")[0].component("cards").cards
    assert [(card.id, card.number, card.path) for card in cards] == [
        ("den", 1, ("cards", 0)),
        ("hunt", 2, ("cards", 1)),
        ("owl", 3, ("cards", 0)),
    ]


def test_tables_limits_and_rules(fox: Fox) -> None:
    fox.edit(
        "game.yaml",
        "theme:",
        "tables: [actions.yaml, cards.yaml]\nlimits: {type: 6.5pt, contrast: 3}\nrules: rules.yaml\ntheme:",
    )
    fox.write("data/fox/actions.yaml", "run: {title: Run}\n")
    fox.write("data/fox/rules.yaml", "rules: []\n")
    game, _ = load_game(fox.paths, "fox")
    assert game.tables["actions"] == {"run": {"title": "Run"}}
    assert game.tables["cards"]["cards"][0]["id"] == "den"
    assert game.limits == Limits(6.5, 3.0)
    assert game.rules == "data/fox/rules.yaml"


def test_a_table_is_held_to_the_schema_of_its_name(fox: Fox) -> None:
    fox.edit("game.yaml", "theme:", "tables: [actions.yaml]\ntheme:")
    fox.write("data/fox/actions.yaml", "run: 3\n")
    fox.write("schemas/fox/actions.schema.json", '{"additionalProperties": {"type": "string"}}')
    assert fox.found() == ["schema/type actions.yaml:1:6: run: 3 is not text (write it in quotes: '3')"]


def test_cards_that_are_a_table_too_are_wrong_once(fox: Fox, wording: Wording) -> None:
    fox.edit("game.yaml", "theme:", "tables: [cards.yaml]\ntheme:")
    fox.edit("cards.yaml", "cost: 2", "cost: two")
    wording(fox.found(), "schema/type", "cards.yaml:7:11", "two")


def test_a_component_on_no_sheet_is_a_warning(fox: Fox) -> None:
    fox.edit("game.yaml", "  round: {layout: tokens, components: [tokens]}\n", "")
    _, findings = load_game(fox.paths, "fox")
    assert [(f.severity.value, f.code, str(f.location)) for f in findings] == [
        ("warning", "sheet/unused-component", "data/fox/game.yaml:16:3: components.tokens")
    ]


def test_games_and_unknown_games(fox: Fox, wording: Wording) -> None:
    assert "fox" in list_games(fox.paths)
    with pytest.raises(UsageError) as error:
        load_game(fox.paths, "foxx")
    wording(error.value, "foxx")
    assert error.value.findings[0].hint == "did you mean 'fox'?"
    with pytest.raises(UsageError) as error:
        load_game(ProjectFolders((fox.root,)), "zebra")
    assert error.value.findings[0].hint == "use one of: fox"
    with pytest.raises(UsageError):
        load_game(fox.paths, "../fox")


@pytest.mark.parametrize("players", [1, 5, 0, -2])
def test_a_number_of_players_that_the_game_is_not_for(fox: Fox, players: int) -> None:
    with pytest.raises(UsageError, match=f"Fox is for 2 to 4 players, not {players}"):
        load_game(fox.paths, "fox", players=players)


Edit = Callable[[Fox], None]


def game(old: str, new: str) -> Edit:
    return lambda fox: fox.edit("game.yaml", old, new)


def cards(text: str) -> Edit:
    return lambda fox: fox.write("data/fox/cards.yaml", text)


def remove(name: str) -> Edit:
    return lambda fox: (fox.root / name).unlink()


WRONG: dict[str, tuple[Edit, list[str]]] = {
    "id of another folder": (
        game("id: fox", "id: wolf"),
        ["game/id game.yaml:1:5: id: the id 'wolf' is not the folder's name 'fox' (write id: fox)"],
    ),
    "players the wrong way round": (
        game("{min: 2, max: 4}", "{min: 4, max: 2}"),
        [
            "game/players game.yaml:5:16: players.min: the minimum number of players 4 is above the "
            "maximum 2"
        ],
    ),
    "data file missing": (
        game("data: cards.yaml", "data: card.yaml"),
        [
            "reference/data game.yaml:12:11: components.cards.data: there is no file 'card.yaml' in "
            "data/fox/ (did you mean 'cards.yaml'?)"
        ],
    ),
    "schema missing": (
        remove("schemas/fox/cards.schema.json"),
        [
            "reference/schema game.yaml:13:13: components.cards.schema: there is no file "
            "'cards.schema.json' in schemas/fox/"
        ],
    ),
    "templates missing": (
        game("face: card.svg\n    back: back.svg", "face: crad.svg\n    back: none.svg"),
        [
            "reference/template game.yaml:14:11: components.cards.face: there is no file 'crad.svg' in "
            "templates/fox/ (did you mean 'card.svg'?)",
            "reference/template game.yaml:15:11: components.cards.back: there is no file 'none.svg' in "
            "templates/fox/ (add the file templates/fox/none.svg)",
        ],
    ),
    "template of a card missing": (
        cards("cards:\n  - {id: a, title: A, face: other.svg}\n"),
        [
            "reference/template cards.yaml:2:29: cards[0].face: there is no file 'other.svg' in "
            "templates/fox/"
        ],
    ),
    "unknown size": (
        game("trim: poker", "trim: pokre"),
        [
            "reference/size game.yaml:11:11: components.cards.trim: there is no size 'pokre' "
            "(did you mean 'poker'? list all: cardgen list --sizes)"
        ],
    ),
    "unknown size of a card": (
        cards("cards:\n  - {id: a, title: A, trim: jumboo}\n"),
        [
            "reference/size cards.yaml:2:29: cards[0].trim: there is no size 'jumboo' "
            "(did you mean 'jumbo'? list all: cardgen list --sizes)"
        ],
    ),
    "no size at all": (
        game("trim: poker", "trim: [0mm, 90mm]"),
        ["schema/length game.yaml:11:12: components.cards.trim[0]: the side 0mm is below the minimum 5mm"],
    ),
    "wrong units": (
        game("trim: poker", "trim: [63.5in, 88.9in]\n    bleed: 3cm"),
        [
            "schema/length game.yaml:11:20: components.cards.trim[1]: the length 88.9in is above the "
            "maximum 2000mm",
            "schema/length game.yaml:12:12: components.cards.bleed: the length 3cm is above the maximum "
            "25mm",
        ],
    ),
    "safe zone without room": (
        game("trim: poker", "trim: poker\n    safe: 32mm"),
        [
            "component/safe game.yaml:12:11: components.cards.safe: a safe zone of 32mm leaves no room on "
            "a side of 63.5mm (make it smaller: the card 'den' is 63.5×88.9 mm)"
        ],
    ),
    "corners of no polygon": (
        game("shape: ellipse", "shape: ellipse\n    corners: [[0, 0], [100, 0], [0, 100]]"),
        [
            "component/corners game.yaml:21:14: components.tokens.corners: only polygons have corners, "
            "and this is of shape ellipse (write `shape: polygon`, or remove the corners)"
        ],
    ),
    "a polygon without corners": (
        game("shape: ellipse", "shape: polygon"),
        [
            "component/corners game.yaml:20:12: components.tokens.shape: a polygon needs its corners "
            "(corners: [[50, 0], [100, 100], [0, 100]] is a triangle)"
        ],
    ),
    "a polygon that crosses itself": (
        game(
            "shape: ellipse", "shape: polygon\n    corners: [[0, 0], [100, 100], [100, 0], [0, 100]]"
        ),
        [
            "component/corners game.yaml:21:14: components.tokens.corners: the sides of this polygon cross "
            "or touch each other (list the corners in order around the outline)"
        ],
    ),
    "a polygon of no size": (
        game("shape: ellipse", "shape: polygon\n    corners: [[0, 0], [5, 0], [0, 5]]"),
        [
            "component/corners game.yaml:21:14: components.tokens.corners: this polygon covers less than "
            "5% of its trim (give corners in percent of the trim, from 0 to 100)"
        ],
    ),
    "a hexagon with round corners": (
        game("shape: ellipse", "shape: hexagon\n    corner_radius: 2mm"),
        [
            "component/corner-radius game.yaml:21:20: components.tokens.corner_radius: a hexagon has no "
            "rounded corners (remove corner_radius)"
        ],
    ),
    "corners without room": (
        game("shape: ellipse", "corner_radius: 13mm"),
        [
            "component/corner-radius game.yaml:20:20: components.tokens.corner_radius: a corner radius of "
            "13mm is more than half a side of 25mm (make it smaller: the card 'paw' is 25×25.4 mm)"
        ],
    ),
    "unknown layout": (
        game("layout: tokens", "layout: toknes"),
        [
            "reference/layout game.yaml:26:19: sheets.round.layout: there is no sheet layout 'toknes' "
            "(did you mean 'tokens'? list all: cardgen list --layouts)"
        ],
    ),
    "sheet of an unknown component": (
        game("components: [cards]", "components: [cards, card]"),
        [
            "reference/component game.yaml:25:31: sheets.poker.components[1]: there is no component "
            "'card' (did you mean 'cards'?)"
        ],
    ),
    "rules missing": (
        game("theme:", "rules: rules.yaml\ntheme:"),
        ["reference/rules game.yaml:6:8: rules: there is no file 'rules.yaml' in data/fox/"],
    ),
    "table missing": (
        game("theme:", "tables: [a.yaml]\ntheme:"),
        ["reference/data game.yaml:6:10: tables[0]: there is no file 'a.yaml' in data/fox/"],
    ),
    "two cards of one id": (
        cards("cards:\n  - {id: a, title: A}\n  - {id: b, title: B}\n  - {id: a, title: C}\n"),
        ["data/duplicate-id cards.yaml:4:10: cards[2].id: the id 'a' is taken by the card in line 2"],
    ),
    "two cards of one id, beside another mistake": (
        cards("cards:\n  - {id: a, title: A}\n  - {id: a, titel: B}\n"),
        [
            "schema/unknown-key cards.yaml:3:13: cards[1].titel: unknown key 'titel'",
            "data/duplicate-id cards.yaml:3:10: cards[1].id: the id 'a' is taken by the card in line 2",
        ],
    ),
    "empty deck": (
        cards("cards: []\n"),
        ["deck/empty game.yaml:12:11: components.cards.data: cards has no cards"],
    ),
    "only cards without copies": (
        cards("cards:\n  - {id: a, title: A, copies: 0}\n"),
        ["deck/empty game.yaml:12:11: components.cards.data: cards has no cards"],
    ),
    "a mistake in a card without copies": (
        cards("cards:\n  - {id: a, title: 3, copies: 0}\n  - {id: b, title: B}\n"),
        ["schema/type cards.yaml:2:20: cards[0].title: 3 is not text"],
    ),
    "no such list": (
        lambda fox: fox.write("schemas/fox/cards.schema.json", '{"type": "object"}')
        or fox.write("data/fox/cards.yaml", "deck: []\n"),
        ["data/list cards.yaml:1:1: the file has no list 'cards'"],
    ),
    "a schema that lets anything be a trim": (
        lambda fox: fox.write("schemas/fox/cards.schema.json", "true")
        or fox.write("data/fox/cards.yaml", "cards:\n  - {id: a, trim: 3, copies: -1}\n"),
        [
            "schema/minimum cards.yaml:2:30: cards[0].copies: -1 is below the minimum 0",
            "schema/type cards.yaml:2:19: cards[0].trim: 3 is not text or a list",
        ],
    ),
    "a schema that asks for no id": (
        lambda fox: fox.write("schemas/fox/cards.schema.json", "true")
        or fox.write("data/fox/cards.yaml", "cards:\n  - {title: A}\n"),
        ["schema/required cards.yaml:2:5: cards[0]: the key 'id' is missing"],
    ),
    "copies for some players only": (
        cards("cards:\n  - {id: a, title: A, copies: {by_players: {2: 1, 4: 1, 5: 1}}}\n"),
        [
            "copies/players cards.yaml:2:44: cards[0].copies.by_players: by_players has no entry for 3 "
            "players",
            "copies/players cards.yaml:2:57: cards[0].copies.by_players.5: by_players has 5 players, the "
            "game is for 2 to 4",
        ],
    ),
    "copies for nobody": (
        cards("cards:\n  - {id: a, title: A, copies: {by_players: {2: 0, 3: 0, 4: 0}}}\n"),
        ["copies/none cards.yaml:2:44: cards[0].copies.by_players: no number of players gets this card"],
    ),
    "game.yaml and data wrong at once": (
        lambda fox: fox.edit("game.yaml", "kind: token", "kind: tokn")
        or fox.edit("cards.yaml", "cost: 2", "cost: -2"),
        [
            "schema/minimum cards.yaml:7:11: cards[1].cost: -2 is below the minimum 0",
            "schema/enum game.yaml:18:11: components.tokens.kind: 'tokn' is not one of",
        ],
    ),
    "game.yaml is no YAML": (
        game("title: Fox", "title: [Fox"),
        ["yaml/syntax game.yaml:2:8: the list that starts here with [ has no closing ]"],
    ),
    "a broken schema": (
        lambda fox: fox.write("schemas/fox/cards.schema.json", '{\n  "type": "objct"\n}'),
        ["schema/schema schemas/fox/cards.schema.json:2:11: type: 'objct' is not one of"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(fox: Fox, name: str) -> None:
    change, expected = WRONG[name]
    change(fox)
    found = fox.found()
    assert len(found) == len(expected), found
    for line, start in zip(sorted(found), sorted(expected), strict=True):
        assert line.startswith(start)


def test_ids_are_unique_over_all_data_files(fox: Fox, wording: Wording) -> None:
    fox.edit("game.yaml", "data: cards.yaml", "data: [cards.yaml, more.yaml]")
    fox.write("data/fox/more.yaml", "cards:\n  - {id: hunt, title: Again}\n")
    (line,) = fox.found()
    wording(line, "data/duplicate-id", "more.yaml:2:10", "hunt", "data/fox/cards.yaml:5")


def test_lines_stay_those_that_were_read(fox: Fox) -> None:
    game, _ = load_game(fox.paths, "fox")
    fox.write("data/fox/cards.yaml", "# edited meanwhile\n" + CARDS)
    assert game.where(game.component("cards").cards[0]).line == 2


def test_a_locator_reads_files_on_its_own(fox: Fox) -> None:
    locator = SourceLocator(fox.paths)
    assert locator.locate("data/fox/cards.yaml", ("cards", 1, "cost")).line == 7
    assert locator.locate("data/fox/none.yaml", ("a",)) == Location("data/fox/none.yaml", None, None, "a")


def test_other_files_are_checked_the_same_way(fox: Fox, wording: Wording) -> None:
    fox.write("data/fox/rules.yaml", "rules: 3\n")
    fox.write("schemas/rules-test.json", '{"properties": {"rules": {"type": "array"}}}')
    findings = Findings()
    assert load_checked(fox.paths, "data/fox/rules.yaml", "schemas/rules-test.json", findings) is None
    assert [str(each.location) for each in findings] == ["data/fox/rules.yaml:1:8: rules"]
    wording(findings)
    assert load_checked(fox.paths, "data/fox/rules.yaml", "schemas/none.json", findings) is None
    assert str(findings.items[-1].location) == "schemas/none.json"
    wording(findings.items[-1])


def _places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all values in a structure."""
    items = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [path, *[place for key, item in items for place in _places(item, (*path, key))]]


ODD: list[object] = [
    None,
    True,
    -1,
    0,
    3,
    1.5,
    "",
    "x",
    "cards",
    "a" * 300,
    "é" * 190 + ".yaml",
    "../x.svg",
]
ODD += [
    "0mm",
    "poker",
    [],
    {},
    ["cards"],
    ["1mm", "1mm"],
    {"a": 1},
    {"per_player": 1},
    {"by_players": {"2": 1}},
]


def test_plain_keys_of_game_yaml_are_declared_in_one_place(fox: Fox) -> None:
    """Each is in the schema, and in the game's data as in its books' as it was read."""
    game, _ = load_game(fox.paths, "fox")
    names = {each.name for each in fields(About)}
    stated = json.loads((ROOT / "schemas/game.schema.json").read_text(encoding="utf-8"))["properties"]
    assert names <= stated.keys() & {each.name for each in fields(BookGame)}
    found = plain_values(game)
    assert found.keys() == names
    assert (found["title"], found["author"]) == ("Fox", "A. Nonymous")


@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.data(), st.sampled_from(["game.yaml", "cards.yaml", "tokens.yaml"]), st.sampled_from(ODD))
def test_no_value_anywhere_is_more_than_a_finding(
    fox: Fox, choice: st.DataObject, name: str, odd: object
) -> None:
    """Whatever stands at whatever place: the game loads, or findings say why not, each with its line."""
    original = {"game.yaml": GAME, "cards.yaml": CARDS, "tokens.yaml": TOKENS}[name]
    data = yaml.safe_load(original)
    path = choice.draw(st.sampled_from(_places(data)[1:]))
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = odd
    fox.write(f"data/fox/{name}", json.dumps(data, ensure_ascii=False))
    findings: tuple[Finding, ...] = ()
    try:
        load_game(fox.paths, "fox")
    except CardgenError as error:
        findings = error.findings
    finally:
        fox.write(f"data/fox/{name}", original)
    assert all(finding.location and finding.location.line for finding in findings)


EDITED = sorted([*(ROOT / "data").rglob("*.yaml"), ROOT / "fonts/fonts.yaml"])
SHIPPED = Sources(ProjectFolders((ROOT,)), Findings())


@pytest.mark.long
@for_each("path", EDITED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_fits_the_schema_that_it_names_to_editors(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    named = (path.parent / first.partition("=")[2]).resolve()
    assert named.is_file()
    SHIPPED.checked(path.relative_to(ROOT).as_posix(), named.relative_to(ROOT).as_posix())
    assert SHIPPED.findings.items == []


@for_each("name", list_games(ProjectFolders((ROOT,))))
def test_the_bundled_games_load(name: str) -> None:
    game, findings = load_game(ProjectFolders((ROOT,)), name)
    assert findings.items == []
    assert all(component.cards for component in game.components if component.kind != "book")


def test_a_pack_cannot_replace_what_the_code_relies_on(fox: Fox) -> None:
    """A schema of cardgen's own that a project brings along allows nothing that cardgen does not."""
    fox.write("schemas/game.schema.json", "true")
    fox.write("schemas/card.schema.json", "true")
    fox.write("data/fox/game.yaml", "id: fox\ncomponents: 7\n")
    assert "schema/type game.yaml:2:13: components: 7 is not a mapping" in [
        line.partition(" (")[0] for line in fox.found()
    ]


def test_pieces_are_counted_over_all_components(fox: Fox, wording: Wording) -> None:
    cards = "".join(f"  - {{id: c{n}, title: C, copies: 999}}\n" for n in range(150))
    fox.write("data/fox/cards.yaml", f"cards:\n{cards}")
    tokens = "".join(f"  - {{id: t{n}, title: T, copies: 999}}\n" for n in range(51))
    fox.write("data/fox/tokens.yaml", f"tokens:\n{tokens}")
    wording(fox.found(), "game/pieces", "game.yaml:8:3", "200,799", "200,000")


def test_a_bleed_is_no_wider_than_the_piece(fox: Fox, wording: Wording) -> None:
    fox.edit("game.yaml", "trim: [25mm, 1in]", "trim: [12mm, 12mm]\n    bleed: 13mm")
    wording(fox.found(), "component/bleed", "game.yaml:20:12", "13", "12")


@pytest.mark.long
def test_files_that_never_end_are_given_up_together(fox: Fox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes its steps; after a few no more are tried, so that a hundred take no longer."""
    monkeypatch.setattr("cardgen.game.json_values.STEPS", 40_000)
    forms = [{"properties": {"t": {"$ref": "#/$defs/t"}}, "required": [name]} for name in "xy"]
    tree = {"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": forms}}}
    data = "{t: " * 40 + "{}" + "}" * 40
    names = [f"t{number}" for number in range(8)]
    fox.edit("game.yaml", "theme:", f"tables: [{', '.join(f'{name}.yaml' for name in names)}]\ntheme:")
    for name in names:
        fox.write(f"data/fox/{name}.yaml", data)
        fox.write(f"schemas/fox/{name}.schema.json", json.dumps(tree))
    found = [line.split()[0] for line in fox.found()]
    assert found == ["schema/steps"] * 3


def test_defaults_that_hold_themselves(fox: Fox, wording: Wording) -> None:
    tree = {"properties": {"t": {"$ref": "#/$defs/t", "default": {}}}}
    fox.edit("game.yaml", "theme:", "tables: [tree.yaml]\ntheme:")
    fox.write("data/fox/tree.yaml", "a: 1\n")
    fox.write("schemas/fox/tree.schema.json", json.dumps({"$ref": "#/$defs/t", "$defs": {"t": tree}}))
    (line,) = fox.found()
    wording(line, "schema/depth", "tree.yaml:1:1")
