"""The set-up button of every game that ships, for the fewest and the most players: what lies in hands and
zones afterwards is what the game's own figures say."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

from cardgen.commands.production.books import snaps_of, tabletop_of
from cardgen.commands.production.results import GameResults
from cardgen.core.findings import Findings
from cardgen.core.game import Game
from cardgen.core.table import SnapRef, Words
from cardgen.exports.cells import parts, plan_grid
from cardgen.exports.job import Piece, PlannedFile
from cardgen.exports.tts_objects import (
    MM_PER_UNIT,
    Atlas,
    Guids,
    Stock,
    Tile,
    memo_of,
    remember,
    table_objects,
)
from cardgen.exports.tts_saves import setup_button
from tests.for_each import for_each
from tests.shipped import GAMES, plain_yaml, shipped

from .tts_lua import Mock

PICTURE = PlannedFile.of("picture.png", b"")
SIDES = (PICTURE, PICTURE, False)


@cache
def objects_of(id: str) -> list[dict[str, Any]]:
    """The table of a game with its button, as its export has it but for pictures, which no script sees."""
    game = shipped(id)
    findings = Findings()
    assert game.table is not None
    scenes = [item for scene in game.table.scenes.values() for item in scene.items]
    refs = [item.at for item in (*game.table.items, *scenes) if isinstance(item.at, SnapRef)]
    where = {(ref.component, ref.card) for ref in refs}
    marked = [card for card in game.cards() if (card.component, card.id) in where]
    snaps = snaps_of(game, marked, findings, GameResults(game))
    tabletop = replace(
        tabletop_of(game, (), findings, snaps=snaps), words=defaultdict(lambda: Words("", "", (), ""))
    )
    assert not findings.errors
    atlases, tiles, books = {}, {}, {}
    piled = {name for item in tabletop.table.items if item.kind == "deck" for name, _ in item.parts}
    for component in game.components:
        pieces = [Piece(card, "face", None, card.copies) for card in component.cards]
        if component.book is not None:
            books[component.id] = PICTURE
        elif component.kind in ("card", "aid") or component.id in piled:
            atlases[component.id] = tuple(
                Atlas(1, component, trim, some, plan_grid(len(some), trim, 20, 4096), *SIDES)
                for trim, some in parts(pieces)
            )
        else:
            tiles.update({(component.id, piece.card.id): Tile(piece, PICTURE, None) for piece in pieces})
    job: Any = SimpleNamespace(
        game=game, screen_table=tabletop, exports=lambda _: True, text={"scale": "true"}.get
    )
    guids = Guids(id, "table")
    made = table_objects(Stock(job, str, atlases, tiles, books), tabletop.table, guids)
    remember(id, made, guids)
    button = setup_button(job, tabletop.table, made, guids)
    remember(id, button, guids)
    return made + button


def figures(game: Game, players: int) -> tuple[int, dict[str, int]]:
    """Cards in each hand, and in each zone of a name, as the game's tables have them."""
    tables = game.tables
    if game.id == "ptsd":
        (row,) = (row["row"] for row in tables["design"]["setup"] if row["players"] == players)
        rows = {f"{hat} hat's row": row for hat in ("Black", "Grey", "White")}
        return tables["design"]["limits"]["deal"], rows | {"Player card": 1}
    if game.id == "mindnet":
        turn = tables["turn"]["figures"]
        return turn["hand"], {"Genie area": turn["start_genies"]}
    if game.id == "hackers":
        (aside,) = (row["removed"] for row in tables["setup"]["setup"] if row["players"] == players)
        return tables["setup"]["hand"], {"Set aside": aside}
    if game.id == "access-denied":
        turn = next(card for card in game.component("aids").cards if card.id == "turn")
        (limits,) = (part for part in turn.fields["sections"] if part["title"] == "Limits")
        return int(dict(limits["table"])["Hand"]) + (3 if players == 2 else 0), {}
    assert game.id == "blockminers", "say here what its set-up deals"
    return 0, {}


def player_counts(id: str) -> set[int]:
    """Read the fewest and the most players without loading the game."""
    return set(plain_yaml(f"data/{id}/game.yaml")["players"].values())


@for_each(
    ("id", "players"),
    [(id, count) for id in GAMES for count in sorted(player_counts(id))],
)
def test_after_the_button_hands_and_zones_are_as_the_rules_have_them(id: str, players: int) -> None:
    game, objects = shipped(id), objects_of(id)
    colors = [each["FogColor"] for each in objects if each["Name"] == "HandTrigger"][:players]
    mock = Mock({"ObjectStates": objects}, *colors)
    before = {name: thing.getQuantity() for name, thing in mock.things.items()}
    mock.press()
    assert mock.said == []
    hand, zones = figures(game, players)
    assert mock.hands == (dict.fromkeys(colors, hand) if hand else {})
    laid = [dict(wish.position) for thing in mock.things.values() for wish in (thing.taken or {}).values()]
    inside: Counter[tuple[str, str]] = Counter()
    for at in laid:
        homes = [each for each in objects if each["Name"] == "ScriptingTrigger" and is_in(each, at)]
        assert homes, f"a card is laid out at {at}, where no zone is"
        memo = memo_of(homes[0])
        assert memo is not None
        _, name, seat = memo.identity.split("/")
        inside[name, seat] += 1
    assert {name for name, _ in inside} == set(zones)
    for (name, seat), count in inside.items():
        assert count == zones[name]
        assert seat in ("", *colors)
    given = sum(mock.hands.values()) + len(laid)
    after = {name: thing.getQuantity() for name, thing in mock.things.items()}
    assert sum(before.values()) - sum(after.values()) == given
    free = {memo_seat(name) for name, thing in mock.things.items() if thing.gone}
    assert not free & set(colors), "what belongs to players stays"
    assert len(free) == len({each["FogColor"] for each in objects if "FogColor" in each}) - players


def is_in(zone: dict[str, Any], at: dict[int, float]) -> bool:
    """Whether a place is in a zone that lies square, as all of the shipped games do, with the width of a
    card to spare."""
    where = zone["Transform"]
    spare = 55 / MM_PER_UNIT / 2
    return (
        abs(at[1] - where["posX"]) <= where["scaleX"] / 2 - spare
        and abs(at[3] - where["posZ"]) <= where["scaleZ"] / 2 - spare
    )


def memo_seat(identity: str) -> str:
    return identity.rpartition("/")[2]
