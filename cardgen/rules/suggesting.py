"""Find the values of cards to change so that a rule holds: as few as can be found in so many tries.

The rule is judged of the game with one value changed, for every value that may stand there instead; then
with two, and so on. A try is one such judging, so that a search ends after the same work on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.game import Card, Game
from cardgen.core.progress import tell
from cardgen.rules.judging import RuleRun, VerdictStore, check_rules, judge_rule
from cardgen.rules.kinds import traits_of
from cardgen.rules.pool import spelled
from cardgen.rules.results import RuleResult, Verdict

Path = tuple[str, ...]
CardKey = tuple[str, str]
"""A component and a card."""

MAX_CHANGES = 8
"""Most values that are changed together."""
MOST_CANDIDATES = 20_000
"""Most changes of one value that are looked at."""
MOST_PAIRS = 200_000
"""Most pairs of changes, some of which the rule can't tell apart, that are gone through."""
MOST_FOUND = 200
"""Most ways to the rule that are compared."""
MOST_VERIFIED = 12
"""Most ways that all rules are judged of."""
_NAMING = frozenset({"id", "component", "number"})
"""The names that a card is known by, which are not changed."""


class _Nothing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING: Any = _Nothing()


@dataclass(frozen=True, slots=True)
class Change:
    """A value of a card, by its keys, that becomes another. `old` is NOTHING where the card has none, `new`
    where it is to have none. `size` is by how much a number changes, or 1."""

    card: Card
    path: Path
    old: Any
    new: Any

    @property
    def key(self) -> CardKey:
        return self.card.component, self.card.id

    @property
    def size(self) -> float:
        numbers = (int, float)
        if isinstance(self.old, numbers) and isinstance(self.new, numbers):
            return abs(self.new - self.old) or 1
        return 1


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Changes with which the rule holds. `breaks` are the other rules that then no longer do, `mends` those
    that then do as well."""

    changes: Changes
    breaks: tuple[str, ...] = ()
    mends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggested:
    """The suggestions for the rule that came to `result`, in so many `tries`. `fewest` says that no
    fewer changes, of those that there were to try, do."""

    result: RuleResult
    suggestions: tuple[Suggestion, ...] = ()
    tries: int = 0
    fewest: bool = True


Values = Callable[[Card, str, RuleResult], Iterable[Change]]
"""Gives the changes there may be of a field of a card."""


def suggest(
    game: Game,
    rules: Mapping[str, Any],
    rules_file: str,
    id: str,
    values: Values,
    *,
    limit: int,
    tries: int,
    kept: VerdictStore | None = None,
) -> Suggested:
    """Up to `limit` ways to change the cards so that rule `id` holds, those that break no other rule first,
    then the smallest; none where it holds. `values` says what may stand where.

    Raises UsageError for a rule that is none, is asked of deck lists, only reports, or is of a kind that is
    not tried; CardgenError with its findings for one that can't be judged.
    """
    failing = judge_rule(game, rules, rules_file, id)
    result = failing.result
    see = f"show its result: cardgen check {game.id} --explain {id}"
    if result.verdict is Verdict.REPORT:
        raise UsageError(f"“{id}” only measures, so there is nothing to fix", see)
    if not traits_of(result.rule.kind).is_tried:
        raise UsageError(f"“{id}” is of the kind {result.rule.kind}, which suggestions don't support", see)
    if result.verdict in (Verdict.BROKEN, Verdict.UNDECIDED):
        raise CardgenError(*result.findings)
    if result.ok:
        return Suggested(result)
    search = _Search(game, rules, rules_file, failing, values, tries)
    found = search.run()
    chosen = _verified(game, rules, rules_file, id, _mixed(found), limit, kept)
    return Suggested(result, chosen, search.tries, search.fewest)


def changed_game(game: Game, changes: Iterable[Change]) -> Game:
    """Return the game with these values of its cards."""
    by_card: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        by_card.setdefault(change.key, []).append(change)
    touched = {component for component, _ in by_card}
    return replace(
        game,
        components=tuple(
            replace(
                component,
                cards=tuple(
                    _changed(card, by_card.get((component.id, card.id), ())) for card in component.cards
                ),
            )
            if component.id in touched
            else component
            for component in game.components
        ),
    )


def _changed(card: Card, changes: Sequence[Change]) -> Card:
    if not changes:
        return card
    fields = card.fields
    for change in changes:
        fields = put(fields, change.path, change.new)
    counted = next((each.new for each in changes if each.path == ("copies",)), card.copies)
    return replace(card, fields=fields, copies=1 if counted is NOTHING else counted)


def put(fields: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return a copy of a mapping with another value at a path of keys; without it for NOTHING."""
    key, *rest = path
    if rest:
        below = fields.get(key)
        value = put(below if isinstance(below, Mapping) else {}, tuple(rest), value)
    changed = {**fields, key: value}
    if value is NOTHING:
        del changed[key]
    return changed


def _mixed(found: Sequence[Changes]) -> list[Changes]:
    """Ways to the rule, smallest of each sort first; those that change other fields are another sort."""
    ranks: dict[tuple[Path, ...], int] = {}
    ranked: list[tuple[int, float, int, Changes]] = []
    for changes in sorted(found, key=_size)[:MOST_FOUND]:
        sort = tuple(sorted(each.path for each in changes))
        ranks[sort] = ranks.get(sort, 0) + 1
        ranked.append((ranks[sort], _size(changes), len(ranked), changes))
    return [changes for *_, changes in sorted(ranked, key=lambda each: each[:3])]


def _size(changes: Changes) -> float:
    return sum(change.size for change in changes)


@dataclass(slots=True)
class _Search:
    """Looks for changes level by level: one value, two values, …"""

    game: Game
    rules: Mapping[str, Any]
    file: str
    failing: RuleRun
    values: Values
    most: int
    tries: int = 0
    fewest: bool = True
    _looks: dict[CardKey, Any] = field(default_factory=dict)
    """The values of each card that the rule reads."""
    _off: dict[Any, float] = field(default_factory=dict)
    """The rule's distance from holding, by the changes that were tried."""

    def run(self) -> list[Changes]:
        """Return the changes with which the rule holds, all of as many values. Where it finds single cards
        wrong, these are changed first."""
        candidates = self._candidates()
        blamed = [each for each in candidates if (each.card.file, each.card.path) in self.failing.blamed]
        found = self._levels(blamed, self.most // 2) if blamed else []
        if found:
            self.fewest = len(found[0]) == 1
            return found
        return self._levels(candidates, self.most)

    def _levels(self, candidates: list[Change], most: int) -> list[Changes]:
        level: list[Changes] = [()]
        for depth in range(MAX_CHANGES):
            if depth:
                level, candidates = self._narrowed(level, candidates, most)
            found, level = self._deeper(level, candidates, most)
            if found or self.tries >= most or not level:
                return found
        return []

    def _candidates(self) -> list[Change]:
        """Return every change of one value that the rule may notice, small ones first."""
        found: list[Change] = []
        for component in self.game.components:
            names = self._names(component.id)
            for card in component.cards if names else ():
                read = [card.fields.get(name, ...) for name in names]
                place = card.number if "number" in names else 0
                label = [component.id, place, card.copies, read]
                self._looks[component.id, card.id] = spelled(label) or (component.id, card.id)
                for name in names:
                    if name not in _NAMING and len(found) < MOST_CANDIDATES:
                        found += self.values(card, name, self.failing.result)
        self.fewest = len(found) < MOST_CANDIDATES
        return sorted(found, key=lambda each: each.size)

    def _names(self, component: str) -> list[str]:
        """Return the fields of a component's cards that the rule reads; copies count wherever cards do."""
        reads = self.failing.reads
        if component not in reads.sources:
            return []
        named = {name for source, names in reads.columns if source == component for name in names}
        if component in reads.whole:
            named.update(*(card.fields for card in self.game.component(component).cards))
        return ["copies", *sorted(named - {"copies"})]

    def _deeper(
        self, states: Sequence[Changes], candidates: Sequence[Change], most: int
    ) -> tuple[list[Changes], list[Changes]]:
        """Return each state with one more change: those with which the rule holds, and of the others one of
        all that are alike to the rule."""
        found: list[Changes] = []
        others: dict[Any, Changes] = {}
        seen: set[frozenset[tuple[CardKey, Path, str]]] = set()
        for state in states:
            for change in candidates:
                changes = (*state, change)
                which = frozenset((each.key, each.path, repr(each.new)) for each in changes)
                if which in seen or any(_overlap(each, change) for each in state):
                    continue
                seen.add(which)
                alike = self._alike(changes)
                if alike not in self._off:
                    if self.tries >= most:
                        return found, list(others.values())
                    self._try(alike, changes)
                if not self._off[alike]:
                    found.append(changes)
                else:
                    others.setdefault(alike, changes)
        return found, list(others.values())

    def _try(self, alike: Any, changes: Changes) -> None:
        tell("trying changes", self.tries, self.most)
        self.tries += 1
        game = changed_game(self.game, changes)
        run = judge_rule(game, self.rules, self.file, self.failing.result.rule.id)
        self._off[alike] = run.result.off

    def _alike(self, changes: Changes) -> Any:
        """Return what is the same for changes of cards in which the rule sees no difference."""
        by_card: dict[CardKey, list[tuple[Path, str]]] = {}
        for each in changes:
            by_card.setdefault(each.key, []).append((each.path, repr(each.new)))
        return tuple(sorted((repr(self._looks[card]), tuple(sorted(by_card[card]))) for card in by_card))

    def _narrowed(
        self, level: list[Changes], candidates: list[Change], most: int
    ) -> tuple[list[Changes], list[Change]]:
        """Return what to go on from, and with: all of it if there are tries enough; else what came
        closest, with what helps by itself."""
        left = most - self.tries
        sorts = len({self._alike((each,)) for each in candidates})
        if len(level) * sorts <= left and len(level) * len(candidates) <= MOST_PAIRS:
            return level, candidates
        self.fewest = False
        level = sorted(level, key=lambda changes: (self._off[self._alike(changes)], _size(changes)))
        off = self.failing.result.off
        helpful = [
            each for each in candidates if self._off.get(self._alike((each,)), 0) < off
        ] or candidates
        return level[: max(1, left // (3 * len(helpful)))], helpful


def _overlap(one: Change, other: Change) -> bool:
    """Tell whether two changes are of the same value, or of a part of it."""
    shortest = min(len(one.path), len(other.path))
    return one.key == other.key and one.path[:shortest] == other.path[:shortest]


def _verified(
    game: Game,
    rules: Mapping[str, Any],
    file: str,
    id: str,
    found: Sequence[Changes],
    limit: int,
    kept: VerdictStore | None,
) -> tuple[Suggestion, ...]:
    """Judge all rules of the game as each of these changes makes it, until so many break nothing."""

    def holding(game: Game) -> dict[str, bool]:
        return {result.rule.name: result.ok for result in check_rules(game, rules, file, kept=kept)}

    before = holding(game) if found else {}
    chosen: list[Suggestion] = []
    for changes in found[: max(MOST_VERIFIED, limit)]:
        now = holding(changed_game(game, changes))
        if not now.get(id):  # held by itself, and not among all: the steps of the file were used up
            continue
        breaks = tuple(name for name, ok in before.items() if ok and not now.get(name))
        mends = tuple(name for name, ok in before.items() if not ok and now.get(name) and name != id)
        chosen.append(Suggestion(changes, breaks, mends))
        if sum(not each.breaks for each in chosen) >= limit:
            break
    return tuple(sorted(chosen, key=lambda each: len(each.breaks))[:limit])
