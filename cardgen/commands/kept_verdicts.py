"""Verdicts of rules, kept from check to check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.model.game import Game
from cardgen.storage.cache import Cache
from cardgen.storage.kept import Kept

if TYPE_CHECKING:
    from cardgen.checking import RuleResult
    from cardgen.checking.verdicts import VerdictStore
    from cardgen.model.deck_lists import DeckList


def judged(
    game: Game,
    rules: Mapping[str, Any],
    *,
    only: Collection[str] | None = None,
    decks: Sequence[DeckList] | None = None,
) -> list[RuleResult]:
    """What `check_rules` says of a game by the content of its file of rules. Rules that would read what
    they read before are not judged again. Raises as `check_rules` does."""
    from cardgen.checking import check_rules

    assert game.rules is not None
    kept = verdicts_of(game)
    results = check_rules(game, rules, game.rules, only=only, decks=decks, kept=kept)
    kept.save()
    return results


def verdicts_of(game: Game) -> VerdictStore:
    """What is kept of a game's verdicts."""
    from cardgen.checking.verdicts import VerdictStore

    # What is kept of other languages makes nothing in this one older.
    name = f"{game.paths.roots[0].resolve()}\0{game.id}\0{game.language}"
    return VerdictStore(Kept(Cache("verdicts"), name, lambda: ""))
