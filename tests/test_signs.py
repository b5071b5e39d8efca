"""Signs of the five games: what a sign means in one game it means in every other that has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

from cardgen.art.prose import render_prose
from cardgen.core.findings import Findings
from tests.shipped import ROOT, plain_yaml, shipped

#: Signs that several games have, and what they mean in each of them.
SHARED = {
    "bin": "what is thrown away goes there",
    "building": "a place",
    "card": "one card",
    "cards": "draw cards",
    "coin": "money",
    "eye": "see what lies there",
    "heart": "does good",
    "home": "where somebody lives",
    "key": "opens what is locked",
    "network": "the whole net",
    "swap": "this for that",
    "terminal": "type it in: programs and hacks",
}


def words(game: str, table: str) -> Iterator[str]:
    """The icons of a keyword table: of keywords and of terms that stand on cards."""
    for word in plain_yaml(f"data/{game}/{table}.yaml")["keywords"].values():
        yield word["icon"]


def theme(game: str) -> dict[str, Any]:
    return plain_yaml(f"data/{game}/game.yaml")["theme"]


def mindnet() -> Iterator[str]:
    """What MindNet's rules have a sign for; figures on cards have those of their keywords."""
    look = theme("mindnet")
    yield from words("mindnet", "keywords")
    yield look["stats"]["health"]
    yield from (one["icon"] for one in look["kinds"].values())
    yield from look["icons"].values()
    yield from (look["types"][name]["icon"] for name in ("individual", "item", "possession", "event"))


def access_denied() -> Iterator[str]:
    look = theme("access-denied")
    yield from look["symbols"].values()
    yield from look["sectors"].values()


def ptsd() -> Iterator[str]:
    look, design = theme("ptsd"), plain_yaml("data/ptsd/design.yaml")
    yield from (one["icon"] for one in chain(design["types"], design["suits"]))
    yield from (one["icon"] for one in look["tags"].values())
    yield from look["timings"].values()
    yield from look["touches"].values()
    yield from (one["icon"] for one in plain_yaml("data/ptsd/actions.yaml").values())


def blockminers() -> Iterator[str]:
    yield from words("blockminers", "keywords")
    yield from theme("blockminers")["stats"].values()
    yield "home"  # the basement board's rent


def test_no_two_meanings_in_mindnet_share_a_sign() -> None:
    signs = list(mindnet())
    assert sorted(signs) == sorted(set(signs))
    stats = theme("mindnet")["stats"]
    words = plain_yaml("data/mindnet/keywords.yaml")["keywords"]
    for name in ("motivation", "aggression"):
        assert stats[name] == words[name]["icon"]


def test_a_sign_means_the_same_in_every_game() -> None:
    games = [set(game()) for game in (mindnet, access_denied, ptsd, blockminers)]
    both = set().union(*(one & other for one, other in combinations(games, 2)))
    assert both == set(SHARED)


def test_mindnets_rulebook_has_every_sign_beside_its_meaning() -> None:
    game = shipped("mindnet")
    source = (ROOT / "data/mindnet/rulebook.md").read_text(encoding="utf-8")
    book = render_prose(game, source, "rulebook.md", findings=Findings())
    assert book
    shown = set(re.findall(r":([a-z-]+)(?:@[\d.]+)?:", book.text))
    look = theme("mindnet")
    kinds = {one["icon"] for one in look["kinds"].values()} | set(look["icons"].values())
    words = plain_yaml("data/mindnet/keywords.yaml")["keywords"]
    assert kinds | {word["icon"] for word in words.values()} <= shown
