"""Verdicts that were kept are those of judging anew, whatever was edited in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgen.commands.production.stages import load
from cardgen.core.findings import Findings, Location
from cardgen.core.game import DeckEntry, DeckList, DeckSource, Game
from cardgen.files.cache import Cache
from cardgen.files.project import Project
from cardgen.game.sources import load_checked
from cardgen.rules import judging as judge
from cardgen.rules.judging import VerdictStore, check_rules
from cardgen.rules.results import RuleResult, Verdict
from tests.sampling import one_in

from .decks import EXAMPLES, ROOT, game_of

FILES = sorted(EXAMPLES.glob("*/*.yaml"))
GAMES = ["access-denied", "blockminers", "hackers", "mindnet", "ptsd"]

Edit = tuple[str, dict[str, Any]]


class Shelf:
    """A store of verdicts that is written and read again before each use."""

    def __init__(self) -> None:
        self.opened = 0

    def open(self) -> VerdictStore:
        self.opened += 1
        return VerdictStore(Cache("verdicts", "game"))


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path))
    return Shelf()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the rules that were judged, not taken from what was kept."""
    ids: list[str] = []
    judge_of = judge.judge_of

    def noted(kind: str) -> Callable[[Any], None]:
        def judged(case: Any) -> None:
            ids.append(case.info.id)
            judge_of(kind)(case)

        return judged

    monkeypatch.setattr(judge, "judge_of", noted)
    return ids


def judged(shelf: Shelf | None, game: Game, rules: dict[str, Any], **options: Any) -> list[RuleResult]:
    store = None if shelf is None else shelf.open()
    results = check_rules(game, rules, "deck.yaml", kept=store, **options)
    if store is not None:
        store.save()
    return results


def results_of(shelf: Shelf | None, data: dict[str, Any]) -> list[RuleResult]:
    """What the rules of a document of everything come to."""
    rules = {key: data[key] for key in ("define", "rules", "deck_rules") if key in data}
    game = game_of(data)
    if "deck" in data:
        game = replace(
            game, decks=(deck_of(data["deck"]),), deck_source=DeckSource("cards", "title", "decks")
        )
    return judged(shelf, game, rules)


def deck_of(copies: dict[str, int]) -> DeckList:
    entries = tuple(
        DeckEntry(id, count, Location("deck.yaml", line, 1, id))
        for line, (id, count) in enumerate(copies.items(), 2)
    )
    return DeckList(
        "deck", "Deck", "", "", "cards", entries, "deck.yaml", Location("deck.yaml", 1, 1, ""), True
    )


def edits(data: dict[str, Any], part: str) -> Iterator[Edit]:
    """The document with one thing of that part changed, all there is to change in turn."""

    def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        items = (
            value.items()
            if isinstance(value, dict)
            else enumerate(value)
            if isinstance(value, list)
            else ()
        )
        for key, member in items:
            yield (*path, key)
            yield from places(member, (*path, key))

    for path in places(data.get(part) or {}, (part,)):
        for name, change in (
            ("changed", _changed),
            ("gone", _gone),
            ("twice", _twice),
            ("turned", _turned),
        ):
            edited = deepcopy(data)
            holder = edited
            for key in path[:-1]:
                holder = holder[key]
            if change(holder, path[-1]):
                yield f"{'/'.join(map(str, path))} {name}", edited


def _changed(holder: Any, key: Any) -> bool:
    value = holder[key]
    if isinstance(value, bool) or value is None:
        holder[key] = not value
    elif isinstance(value, (int, float)):
        holder[key] = value + 1
    elif isinstance(value, str):
        holder[key] = f"{value}s"
    elif isinstance(value, dict):
        holder[key] = {**value, "more": 1}
    else:
        return False
    return True


def _gone(holder: Any, key: Any) -> bool:
    del holder[key]
    return True


def _twice(holder: Any, key: Any) -> bool:
    if isinstance(holder, list):
        holder.insert(key, deepcopy(holder[key]))
    return isinstance(holder, list)


def _turned(holder: Any, key: Any) -> bool:
    value = holder[key]
    if isinstance(value, list) and len(value) > 1:
        holder[key] = value[::-1]
    elif isinstance(value, dict) and len(value) > 1:
        holder[key] = dict(reversed(value.items()))
    else:
        return False
    return True


def same(data: dict[str, Any], shelf: Shelf, what: str) -> None:
    """Judging with what is kept and without comes to the same, errors among it."""
    outcomes = []
    for each in (None, shelf):
        try:
            outcomes.append(results_of(each, data))
        except Exception as error:  # what a schema would have refused
            outcomes.append([type(error)])
    assert outcomes[0] == outcomes[1], what


def sample(path: Path, everything: list[Edit], most: int) -> list[Edit]:
    """Some of the edits, fewer where judging takes long."""
    if path.parent.name in ("probability", "satisfiable", "simulate"):
        most //= 6
    return Random(4).sample(everything, min(len(everything), most))


def example(path: Path) -> dict[str, Any]:
    from cardgen.files.yaml import load_yaml

    document = load_yaml(path, path.name, Findings())
    assert document is not None
    return deepcopy(document.data)


@pytest.mark.parametrize("path", one_in(48, FILES), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_after_any_edit_of_an_example(path: Path, shelf: Shelf) -> None:
    data = example(path)
    same(data, shelf, "as it is")
    everything = [
        edit for part in ("components", "tables", "declared", "define") for edit in edits(data, part)
    ]
    for what, edited in sample(path, everything, 40):
        same(edited, shelf, what)
    same(data, shelf, "taken back")


@pytest.mark.parametrize("path", one_in(24, FILES), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_after_any_edit_of_its_rules(path: Path, shelf: Shelf) -> None:
    data = example(path)
    same(data, shelf, "as it is")
    everything = list(edits(data, "rules"))
    for what, edited in sample(path, everything, 30):
        same(edited, shelf, what)


@pytest.mark.parametrize("path", one_in(6, FILES), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_is_judged_again_without_need(path: Path, shelf: Shelf, asked: list[str]) -> None:
    """A word that no rule reads, on every card. Rules that can't be judged are always tried again, as those
    about all texts are, and those that come to whole cards read all words."""
    data = example(path)
    for cards in data.get("components", {}).values():
        for card in cards:
            card["unread"] = "word"
    first = results_of(shelf, data)
    whole = [each["id"] for each in data["rules"] if "cards(" in each.get("items", "")]
    whole += [each["id"] for each in data["rules"] if judge.traits_of(each["kind"]).reads_texts]
    again = [each.rule.id for each in first if each.verdict is Verdict.BROKEN or each.rule.id in whole]
    asked.clear()
    for cards in data.get("components", {}).values():
        for card in cards:
            card["unread"] = "words"
    found, judged_again = results_of(shelf, data), list(asked)
    assert judged_again == again
    assert found == (results_of(None, data) if whole else first)


WORLD: dict[str, Any] = {
    "players": (2, 4),
    "components": {
        "cards": [
            {"id": "axe", "title": "Axe", "cost": 3, "copies": 2, "text": "Hit.", "part": {"deep": 1}},
            {"id": "bow", "title": "Bow", "cost": 1, "copies": 1, "text": "Aim.", "ally": "axe"},
            {"id": "cap", "title": "Cap", "cost": 2, "copies": {"per_player": 1}, "text": "Wear."},
        ],
        "others": [{"id": "elf", "title": "Elf", "uses": ["axe"], "text": "Sings."}],
    },
    "tables": {"setup": {"hand": 3, "rows": [{"id": "one", "n": 1}]}, "words": {"list": ["Hit", "Aim"]}},
    "define": {"cheap": "cost < 3"},
    "rules": [
        {
            "id": "whole",
            "kind": "each",
            "component": "cards",
            "items": "cards('others')",
            "holds": "item.uses",
        },
        {
            "id": "alike",
            "kind": "formula",
            "value": "1 if (cards('cards')|first) != (cards('cards')|last) else 0",
            "min": 1,
        },
        {"id": "long", "kind": "formula", "value": "(cards('cards')|first)|length", "min": 1},
        {
            "id": "found",
            "kind": "each",
            "where": "ally is defined",
            "holds": "lookup('cards', 'id', ally).cost > 2",
        },
        {"id": "sum", "kind": "formula", "value": "cards('*')|sum(attribute='copies')", "report": True},
        {
            "id": "players",
            "kind": "formula",
            "value": "copies_in('cards', game.players.max)",
            "report": True,
        },
        {"id": "hand", "kind": "formula", "value": "tables.setup.hand", "equals": 3},
        {"id": "rows", "kind": "each", "table": "setup.rows", "holds": "n == number"},
        {"id": "tabled", "kind": "formula", "value": "tables|length", "report": True},
        {
            "id": "wordy",
            "kind": "formula",
            "for": {"word": "tables.words.list"},
            "value": "word|length",
            "min": 1,
        },
        {"id": "cheap", "kind": "count", "component": "cards", "where": "cheap", "min": 1},
        {
            "id": "cheaper",
            "kind": "share",
            "component": "cards",
            "where": "cheap",
            "part": "cost < 2",
            "min": 0,
        },
        {"id": "unique", "kind": "unique", "component": "cards", "value": "cost % 2"},
        {"id": "maybe", "kind": "each", "component": "cards", "holds": "cost < 3 or part.deep == 1"},
        {
            "id": "none",
            "kind": "each",
            "component": "cards",
            "holds": "part is not defined or part.deep is defined",
        },
        {"id": "written", "kind": "each", "component": "others", "holds": "(cards('cards')|last)|string"},
    ],
    "deck_rules": [
        {"id": "size", "kind": "count", "min": 2},
        {"id": "dear", "kind": "each", "holds": "cost < 3"},
        {"id": "named", "kind": "formula", "value": "deck.title|length + decks|length", "report": True},
    ],
    "deck": {"axe": 2, "bow": 1},
}
for _entry in (*WORLD["rules"], *WORLD["deck_rules"]):
    _entry["question"] = "Is it so?"


@pytest.mark.parametrize(
    "part", one_in(6, ["rules", "components", "tables", "deck", "define", "deck_rules"])
)
def test_after_any_edit_of_a_world(part: str, shelf: Shelf) -> None:
    same(WORLD, shelf, "as it is")
    for what, edited in sample(Path(part), list(edits(WORLD, part)), 40):
        same(edited, shelf, what)
    for players in ((2, 3), (2, 4), (1, 4)):
        same({**WORLD, "players": players}, shelf, "players")
    same({**WORLD, "declared": {"cards": ["other", "fresh"]}}, shelf, "declared")


@pytest.mark.long
def test_edits_on_edits(shelf: Shelf) -> None:
    """A day's work: edit after edit, some of them taken back, each judged with what all before left."""
    random = Random(7)
    history = [WORLD]
    for _ in range(200):
        data = random.choice(history[-3:])
        part = random.choice(["components", "tables", "rules", "define", "deck"])
        if possible := list(edits(data, part)):
            what, edited = random.choice(possible)
            same(edited, shelf, what)
            history.append(edited)


def rejudged(shelf: Shelf, asked: list[str], data: dict[str, Any]) -> set[str]:
    asked.clear()
    same(data, shelf, "")
    fresh = len(data["rules"]) + len(data["deck_rules"])
    return set(asked[fresh:])


def test_what_is_judged_again(shelf: Shelf, asked: list[str]) -> None:
    same(WORLD, shelf, "")
    assert rejudged(shelf, asked, WORLD) == set()
    edited = deepcopy(WORLD)
    edited["components"]["cards"][2]["text"] = "Worn."
    assert rejudged(shelf, asked, edited) == {"alike", "long", "written"}  # they go through whole cards
    edited["components"]["others"][0]["text"] = "Sang."
    assert rejudged(shelf, asked, edited) == {"whole"}
    edited["tables"]["words"]["list"].append("Sing")
    assert rejudged(shelf, asked, edited) == {"wordy", "tabled"}
    edited["rules"][6]["equals"] = 4
    assert rejudged(shelf, asked, edited) == {"hand"}
    edited["rules"] = edited["rules"][::-1]
    assert rejudged(shelf, asked, edited) == set()


def test_findings_stand_where_their_cards_are_now(shelf: Shelf) -> None:
    class Moved:
        def __init__(self, by: int) -> None:
            self.by = by

        def locate(self, file: str, path: tuple[Any, ...] = ()) -> Location:
            return Location(file, 10 * len(path) + self.by, 1, "/".join(map(str, path)))

        def lines(self, file: str, path: tuple[Any, ...]) -> tuple[int | None, dict[str, int]]:
            return None, {}

    rules = {"rules": [rule for rule in WORLD["rules"] if rule["id"] == "unique"]}
    for by in (0, 3):
        game = game_of(WORLD, Moved(by))
        kept, fresh = judged(shelf, game, rules), judged(None, game, rules)
        assert kept == fresh
        assert kept[0].findings[0].location == Location("deck.yaml", 40 + by, 1, "components/cards/1/cost")


def test_what_all_rules_share_is_spent_by_those_that_are_kept(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that would be one too many is one too many."""
    same(WORLD, shelf, "")
    monkeypatch.setattr(judge, "MAX_STEPS", 600)
    for steps in range(0, 4_000, 290):
        monkeypatch.setattr(
            judge._Allowance, "__init__", lambda self, steps=steps: setattr(self, "steps", steps)
        )
        same(WORLD, shelf, f"{steps} steps")


def test_some_rules_alone_and_all_together(shelf: Shelf) -> None:
    rules = {key: WORLD[key] for key in ("define", "rules")}
    game = game_of(WORLD)
    for only in (["cheaper"], ["cheap", "hand"], None, ["unique"]):
        assert judged(shelf, game, rules, only=only) == judged(None, game, rules, only=only)


@pytest.mark.parametrize("name", one_in(2, ["hackers", "access-denied"]))
def test_after_edits_of_a_game(name: str, shelf: Shelf) -> None:
    _edit_game(name, shelf, 12)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_after_many_edits_of_a_game(name: str, shelf: Shelf) -> None:
    _edit_game(name, shelf, 25)


def _edit_game(name: str, shelf: Shelf, rounds: int) -> None:
    """Edit one field of one card after the other."""
    game = load(name, project=Project.open(ROOT))
    assert game.rules is not None
    document = load_checked(game.paths, game.rules, "schemas/rules.schema.json", Findings())
    assert document is not None
    rules: dict[str, Any] = json.loads(json.dumps(document.data))
    random = Random(11)
    games = [game]
    for _ in range(rounds):
        games.append(_with_an_edit(games[-1], random))
    for before, after in pairwise(games):
        for each in (before, after) if after is games[1] else (after,):
            assert judged(shelf, each, rules) == judged(None, each, rules)
    assert judged(shelf, game, rules) == judged(None, game, rules)


def _with_an_edit(game: Game, random: Random) -> Game:
    components = list(game.components)
    place = random.randrange(len(components))
    cards = list(components[place].cards)
    if not cards:
        return game
    number = random.randrange(len(cards))
    data = {"card": deepcopy(dict(cards[number].fields))}
    everything = [
        edit for what, edit in edits(data, "card") if not what.startswith(("card/id", "card/copies"))
    ]
    if not everything:  # a card that says no more than its id
        return game
    fields = random.choice(everything)["card"]
    cards[number] = replace(cards[number], fields=fields)
    components[place] = replace(components[place], cards=tuple(cards))
    return replace(game, components=tuple(components))
