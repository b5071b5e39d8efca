"""What to change in a game's cards so that a rule holds, with the lines where that stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cardgen.findings import Location, UsageError

if TYPE_CHECKING:
    from cardgen.model.game import Game

LIMIT, TRIES = 3, 2_000
MOST_TRIES = 100_000
_LEAST_TRIES, MOST_JUDGED = 20, 300_000
"""Of a large deck as many tries as judge so many cards in all, which takes seconds, not minutes."""
_NAMING = ("groups", "are", "list")
"""Where rules name values that cards are to have."""


@dataclass(frozen=True, slots=True)
class SuggestedChange:
    """A value that becomes another, at its line in the data file. A value that is not there is None, with
    `is_new` or `is_removed`."""

    location: Location
    component: str
    card: str
    old: Any
    new: Any
    is_new: bool = False
    is_removed: bool = False

    def __str__(self) -> str:
        from cardgen.commands.value_changes import spelled

        old = "nothing" if self.is_new else spelled(self.old)
        new = "nothing" if self.is_removed else spelled(self.new)
        return f"{self.location}: {old} → {new} ({self.card})"

    def plain(self) -> dict[str, Any]:
        """It as plain values."""
        from cardgen.commands.value_changes import plain

        place = self.location
        return {
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "path": place.path,
            **({"cell": place.cell} if place.cell else {}),
            "component": self.component,
            "card": self.card,
            **({} if self.is_new else {"old": plain(self.old)}),
            **({} if self.is_removed else {"new": plain(self.new)}),
        }


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes that together make a rule hold. `breaks` are the names of rules that then no longer do,
    `mends` those of others that then do as well."""

    changes: tuple[SuggestedChange, ...]
    breaks: tuple[str, ...]
    mends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What was found for a rule that came to `verdict`, in so many `tries`. `fewest` says that no fewer
    changes do, of those that there were to try."""

    rule: str
    question: str
    verdict: str
    sets: tuple[ChangeSet, ...]
    tries: int
    fewest: bool

    @property
    def holds(self) -> bool:
        """Whether the rule holds as it is."""
        return self.verdict == "pass"

    def plain(self) -> dict[str, Any]:
        """It as plain values."""
        sets = [
            {
                "changes": [each.plain() for each in found.changes],
                "breaks": list(found.breaks),
                "mends": list(found.mends),
            }
            for found in self.sets
        ]
        about = {"rule": self.rule, "question": self.question, "verdict": self.verdict}
        return {**about, "tries": self.tries, "fewest": self.fewest, "suggestions": sets}


def suggest(game: Game, rule: str, *, limit: int = LIMIT, tries: int | None = None) -> Suggestions:
    """Up to `limit` ways to change single values of a game's cards (copies, numbers, words, entries of
    lists; as its schemas allow) so that a rule holds, with the fewest changes that `tries` judgings find:
    TRIES if left out, fewer of a large deck. All rules were judged with each. Nothing is written.

    Raises UsageError for a rule that does not exist or can't be mended so, CardgenError for files in
    error and for a rule that can't be judged.
    """
    from cardgen.checking.suggesting import suggest as look
    from cardgen.commands.card_values import CardValues
    from cardgen.commands.kept_verdicts import judged, verdicts_of
    from cardgen.loading.card_schemas import load_rules

    if tries is None:
        tries = max(_LEAST_TRIES, min(TRIES, MOST_JUDGED // max(1, sum(1 for _ in game.cards()))))
    if not 1 <= limit <= 100 or not 1 <= tries <= MOST_TRIES:
        raise UsageError(f"limit is 1 to 100, tries are 1 to {MOST_TRIES:,}")
    if game.rules is None:
        hint = "name a file of them in game.yaml: rules: rules.yaml"
        raise UsageError(f"{game.title} states no rules", hint)
    rules = load_rules(game)
    entries = [entry for entry in rules.get("rules") or () if entry["id"] == rule]
    values = CardValues(game, _named(entries[0]) if entries else ())
    judged(game, rules)  # rules that read nothing of a change need no judging then
    found = look(game, rules, game.rules, rule, values, limit=limit, tries=tries, kept=verdicts_of(game))
    sets = tuple(
        ChangeSet(tuple(_placed(game, change) for change in each.changes), each.breaks, each.mends)
        for each in found.suggestions
    )
    about = found.result.rule
    return Suggestions(
        about.id, about.question, found.result.verdict.value, sets, found.tries, found.fewest
    )


def suggestion_lines(found: Suggestions) -> Iterator[str]:
    """Suggestions as text for people, a paragraph each."""
    yield f"{found.rule}: {found.question}"
    if found.holds:
        yield "  it holds: there is nothing to change"
        return
    for number, each in enumerate(found.sets, 1):
        yield ""
        count = len(each.changes)
        yield f"{number}. {count} change{'s' if count > 1 else ''}"
        yield from (f"  {change}" for change in each.changes)
        if each.mends:
            yield f"  mends as well: {', '.join(each.mends)}"
        yield f"  breaks: {', '.join(each.breaks)}" if each.breaks else "  breaks no other rule"
    yield ""
    judged = f"{found.tries:,} {'try' if found.tries == 1 else 'tries'}"
    if not found.tries:
        yield "the rule reads no value of a card that could be another, so there is nothing to try"
    elif not found.sets:
        yield f"none found in {judged}"
    elif found.fewest:
        yield f"found in {judged}; no fewer changes of single values were found to do"
    else:
        yield f"found in {judged}; not all were tried, fewer changes may do"


def _named(entry: Mapping[str, Any]) -> Iterator[Any]:
    """The values that a rule names, numbers among the keys of mappings as numbers."""
    stated = [entry.get(key) for key in _NAMING]
    for side in ("demanded", "supplied"):
        if isinstance(part := entry.get(side), Mapping):
            stated.append(part.get("list"))
    for given in stated:
        for each in given if isinstance(given, (list, Mapping)) else ():
            whole = isinstance(given, Mapping) and isinstance(each, str) and each.lstrip("-").isdecimal()
            yield int(each) if whole else each


def _placed(game: Game, change: Any) -> SuggestedChange:
    from cardgen.checking.suggesting import NOTHING
    from cardgen.commands.value_changes import ValueChange

    card = change.card
    location = game.where(card, *change.path)
    if not location.cell:
        path = (*card.path, *change.path)
        location = replace(location, path=ValueChange(path, None, None).name)
    missing, gone = change.old is NOTHING, change.new is NOTHING
    old, new = None if missing else change.old, None if gone else change.new
    return SuggestedChange(location, card.component, card.id, old, new, missing, gone)
