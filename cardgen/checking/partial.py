"""Which rules can be judged of a game that lacks what is in error: those about components that are whole,
and about the theme.

Told from the rule's own words, carefully: a rule that may look elsewhere is not judged, for a verdict on
half of the cards would be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.checking.translated import names_in
from cardgen.model.game import Game

_KINDS = frozenset(("count", "distribution", "each", "exactly", "ladder", "share", "text", "unique"))
"""Kinds that look at the cards of their `component` alone, unless an expression looks elsewhere."""
_OF_THEME = frozenset(("colors",))
"""Kinds that look at the theme alone, which is there whatever cards are in error."""
_PLAIN = frozenset(("id", "kind", "question", "why", "severity", "counting"))
_ELSEWHERE = frozenset(("cards", "copies_in", "lookup", "tables", "game", "decks", "deck"))


def judgeable(game: Game, rules: Mapping[str, Any]) -> list[str]:
    """The ids of the rules in `rules`, a valid file's content, that what the `game` lacks can't change."""
    whole = {component.id for component in game.components} - game.incomplete
    defined: Mapping[str, str] = rules.get("define") or {}
    shut = {*_ELSEWHERE, *defined}
    found = []
    for entry in rules.get("rules") or ():
        if entry["kind"] in _OF_THEME:
            found.append(entry["id"])
            continue
        named = entry.get("component")
        components = [named] if isinstance(named, str) else named
        if entry["kind"] not in _KINDS or not components or not whole.issuperset(components):
            continue
        others = {key: value for key, value in entry.items() if key not in _PLAIN and key != "component"}
        if "table" not in others and shut.isdisjoint(names_in(others)):
            found.append(entry["id"])
    return found
