"""Find the fewest changes of cards' values that satisfy a rule, within a number of tries.

The rule is judged with one value changed, for every possible value, then with two values, and so on.
Each judgment is a try, so that a search does the same work on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import process_time
from typing import Any

from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.game import Card, Game
from cardgen.core.progress import tell
from cardgen.core.records import dataclass, field, replace
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
"""Most changes of one value that are tried."""
MOST_PAIRS = 200_000
"""Most pairs of changes that are tried; the rule can't distinguish some of them."""
MOST_FOUND = 200
"""Most solutions that are compared."""
MOST_VERIFIED = 12
"""Most solutions that are checked against all rules."""
SEARCHED = 0.7
"""The part of the time for finding changes; the rest is for judging the other rules."""
_SPREAD = 0.6180339887
"""Multiples of this without their whole parts are spread evenly: the first tries are of all of a deck."""
MOST_SLOW = 3
"""Most solutions that are looked for if a try takes seconds."""
_NAMING = frozenset({"id", "component", "number"})
"""The fields with a card's name, which are never changed."""


class _Nothing:
    """A value that doesn't exist."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING: Any = _Nothing()


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a card's value, given by its keys. `old` is NOTHING if the card has no value, `new` if
    the value is removed. `printed` are the fields that are printed from it. `size` is the change of a
    number, or 1."""

    card: Card
    path: Path
    old: Any
    new: Any
    printed: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> CardKey:
        return self.card.component, self.card.id

    @property
    def size(self) -> float:
        return _step(self.old, self.new) or 1


def _step(old: Any, new: Any) -> float:
    """Return the change of a number, or those of an effect's; 1 for other values that differ."""
    numbers = (int, float)
    if isinstance(old, numbers) and isinstance(new, numbers):
        return abs(new - old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return sum(_step(value, new.get(key)) for key, value in old.items())
    if isinstance(old, list) and isinstance(new, list) and any(isinstance(each, Mapping) for each in old):
        return sum(_step(*pair) for pair in zip(old, new))
    return float(bool(old != new))


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Changes that satisfy the rule and break no other. `mends` are other rules that then pass too.
    `undoes` is True if all values are those of the version before."""

    changes: Changes
    mends: tuple[str, ...] = ()
    undoes: bool = False


@dataclass(frozen=True, slots=True)
class Suggested:
    """The suggestions for the rule with this `result`, after `tries` tries. `fewest` is True if fewer of
    the available changes can't satisfy it. `broken` are the rules that other changes would break. The
    search `is_stopped` if its time was over."""

    result: RuleResult
    suggestions: tuple[Suggestion, ...] = ()
    tries: int = 0
    fewest: bool = True
    broken: tuple[str, ...] = ()
    is_stopped: bool = False


class Deadline:
    """The end of a search after so many seconds of the processor, None for one without an end."""

    def __init__(self, seconds: float | None) -> None:
        self._start, self._seconds = process_time(), seconds

    def is_over(self, part: float = 1) -> bool:
        """Return True after this part of the time."""
        return self._seconds is not None and process_time() - self._start > part * self._seconds


Values = Callable[[Card, str, RuleResult], Iterable[Change]]
"""A function that returns the possible changes of a card's field."""


def suggest(
    game: Game,
    rules: Mapping[str, Any],
    rules_file: str,
    id: str,
    values: Values,
    *,
    limit: int,
    tries: int,
    undo: Sequence[Change] = (),
    undo_lines: Callable[[], bool] = lambda: False,
    deadline: Deadline | None = None,
    kept: VerdictStore | None = None,
) -> Suggested:
    """Return up to `limit` sets of changes that satisfy rule `id` and break no other rule, the smallest
    first; none if it passes. `values` returns the possible changes. Those in `undo`, which put back an
    earlier version's values, are tried first, for every kind of rule, then `undo_lines`, which returns True
    if lines of other files can be put back; if one does, nothing else is tried.

    Raises UsageError for a rule that is unknown, for deck lists, without bounds, or of a kind that isn't
    tried and that no change in `undo` satisfies; CardgenError with its findings for one that can't be
    judged.
    """
    failing = judge_rule(game, rules, rules_file, id)
    result = failing.result
    see = f"show its result: cardgen check {game.id} --explain {id}"
    if result.verdict is Verdict.REPORT:
        raise UsageError(f"“{id}” only measures, so there is nothing to fix", see)
    if result.ok:
        return Suggested(result)
    if result.verdict in (Verdict.BROKEN, Verdict.UNDECIDED):
        if undo_lines():
            return Suggested(result)
        raise CardgenError(*result.findings)
    search = _Search(game, rules, rules_file, failing, values, tries, deadline or Deadline(None))
    found = search.undoing(undo)
    verified = _verify(game, rules, rules_file, id, found, limit, search.deadline, kept)
    if verified.chosen:
        undone = tuple(replace(each, undoes=True) for each in verified.chosen)
        return Suggested(result, undone, search.tries, len(found[0]) == 1, verified.broken)
    if undo_lines():
        return Suggested(result, (), search.tries)
    if not traits_of(result.rule.kind).is_tried:
        kind = result.rule.kind
        raise UsageError(
            f"“{id}” is of the kind {kind}, for which only edits since the last commit are tried", see
        )
    found = _best_of_each_sort(search.run())
    verified = _verify(game, rules, rules_file, id, found, limit, search.deadline, kept)
    fewest, stopped = search.fewest, search.is_stopped
    return Suggested(result, verified.chosen, search.tries, fewest, verified.broken, stopped)


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
        fields = {**put(fields, change.path, change.new), **change.printed}
    counted = next((each.new for each in changes if each.path == ("copies",)), card.copies)
    return replace(card, fields=fields, copies=1 if counted is NOTHING else counted)


def value_at(fields: Any, path: Path) -> Any:
    """Return the value at a path of keys, NOTHING if there is none."""
    for key in path:
        if not isinstance(fields, Mapping) or key not in fields:
            return NOTHING
        fields = fields[key]
    return fields


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


def _best_of_each_sort(found: Sequence[Changes]) -> list[Changes]:
    """Return the solutions, the smallest of each sort first; a sort changes the same fields."""
    ranks: dict[tuple[Path, ...], int] = {}
    ranked: list[tuple[int, float, int, Changes]] = []
    by_size = sorted(found, key=lambda changes: (_size(changes), [each.card.number for each in changes]))
    for changes in by_size[:MOST_FOUND]:
        sort = tuple(sorted(each.path for each in changes))
        ranks[sort] = ranks.get(sort, 0) + 1
        ranked.append((ranks[sort], _size(changes), len(ranked), changes))
    return [changes for *_, changes in sorted(ranked, key=lambda each: each[:3])]


def _size(changes: Changes) -> float:
    return sum(change.size for change in changes)


@dataclass(slots=True)
class _Search:
    """A search for changes level by level: one value, two values, …"""

    game: Game
    rules: Mapping[str, Any]
    file: str
    failing: RuleRun
    values: Values
    most: int
    deadline: Deadline
    tries: int = 0
    fewest: bool = True
    is_stopped: bool = False
    """True if the time was over before all changes were tried."""
    _inputs: dict[CardKey, Any] = field(default_factory=dict)
    """The values of each card that the rule reads."""
    _distance: dict[Any, float] = field(default_factory=dict)
    """The rule's distance from its bounds, by the changes tried."""
    _uses: dict[tuple[str, Path], Counter[str]] = field(default_factory=dict)

    def undoing(self, changes: Sequence[Change]) -> list[Changes]:
        """Return the sets of these changes that satisfy the rule: single ones, or else those of a card, or
        else all."""
        by_card: dict[CardKey, list[Change]] = {}
        for each in changes:
            by_card.setdefault(each.key, []).append(each)
        levels: list[list[Changes]] = [
            [(each,) for each in changes],
            [tuple(each) for each in by_card.values()],
            [tuple(changes)],
        ]
        for level in levels if changes else ():
            found: list[Changes] = []
            for undone in level:
                group = tuple((change.key, change.path) for change in undone)
                if group not in self._distance and not self._is_over(self.most):
                    self._try(group, undone)
                if self._distance.get(group) == 0:
                    found.append(undone)
            if found:
                return found
        return []

    def _is_over(self, most: int) -> bool:
        """Return True if there are no tries left, or no time."""
        if self.deadline.is_over(SEARCHED):
            self.fewest, self.is_stopped = False, True
        return self.tries >= most or self.is_stopped

    def run(self) -> list[Changes]:
        """Return the sets of changes, all of one size, that satisfy the rule. Cards that it reports are
        changed first."""
        candidates = self._candidates()
        blamed = [each for each in candidates if (each.card.file, each.card.path) in self.failing.blamed]
        found = self._search_levels(blamed, self.most // 2) if blamed else []
        if found:
            self.fewest = len(found[0]) == 1
            return found
        return self._search_levels(candidates, self.most)

    def _search_levels(self, candidates: list[Change], most: int) -> list[Changes]:
        level: list[Changes] = [()]
        for depth in range(MAX_CHANGES):
            if depth:
                level, candidates = self._narrow(level, candidates, most)
            found, level = self._extend(level, candidates, most)
            if found or self._is_over(most) or not level:
                return found
        return []

    def _candidates(self) -> list[Change]:
        """Return every change of one value that the rule may notice: small ones first, spread over fields
        and cards."""
        found: list[Change] = []
        for component in self.game.components:
            names = self._names(component.id)
            for card in component.cards if names else ():
                read = [card.fields.get(name, ...) for name in names]
                place = card.number if "number" in names else 0
                label = [component.id, place, card.copies, read]
                self._inputs[component.id, card.id] = spelled(label) or (component.id, card.id)
                for name in names:
                    if name not in _NAMING and len(found) < MOST_CANDIDATES:
                        found += self.values(card, name, self.failing.result)
        self.fewest = len(found) < MOST_CANDIDATES
        if self._is_slow:
            return sorted(found, key=self._unlikely)
        turns: Counter[tuple[float, str, Path]] = Counter()
        ranked: list[tuple[float, float, int, Change]] = []
        for each in found:
            sort = each.size, each.card.component, each.path
            turns[sort] += 1
            ranked.append((each.size, turns[sort] * _SPREAD % 1, len(ranked), each))
        return [each for *_, each in sorted(ranked, key=lambda entry: entry[:3])]

    @property
    def _is_slow(self) -> bool:
        return traits_of(self.failing.result.rule.kind).is_slow

    def _unlikely(self, change: Change) -> float:
        """Return the fewer the more cards of the component have the new value."""
        uses = self._uses.get((change.key[0], change.path))
        if uses is None:
            cards = self.game.component(change.key[0]).cards
            uses = Counter(repr(value_at(card.fields, change.path)) for card in cards)
            self._uses[change.key[0], change.path] = uses
        return -uses[repr(change.new)]

    def _names(self, component: str) -> list[str]:
        """Return the fields of a component's cards that the rule reads; copies count wherever cards do."""
        reads = self.failing.reads
        if component not in reads.sources:
            return []
        named = {name for source, names in reads.columns if source == component for name in names}
        if component in reads.whole:
            named.update(*(card.fields for card in self.game.component(component).cards))
        return ["copies", *sorted(named - {"copies"})]

    def _extend(
        self, states: Sequence[Changes], candidates: Sequence[Change], most: int
    ) -> tuple[list[Changes], list[Changes]]:
        """Return each state with one more change: those that satisfy the rule and, of the others, one of
        each group that the rule can't distinguish."""
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
                group = self._rule_key(changes)
                if group not in self._distance:
                    if self._is_over(most):
                        return found, list(others.values())
                    self._try(group, changes)
                if not self._distance[group]:
                    found.append(changes)
                    if self._is_slow and len(found) >= MOST_SLOW:
                        self.fewest = False
                        return found, []
                else:
                    others.setdefault(group, changes)
        return found, list(others.values())

    def _try(self, alike: Any, changes: Changes) -> None:
        tell("trying changes", self.tries, self.most)
        self.tries += 1
        game = changed_game(self.game, changes)
        run = judge_rule(game, self.rules, self.file, self.failing.result.rule.id)
        self._distance[alike] = run.result.off

    def _rule_key(self, changes: Changes) -> Any:
        """Return a key that is equal for changes that the rule can't distinguish."""
        by_card: dict[CardKey, list[tuple[Path, str]]] = {}
        for each in changes:
            by_card.setdefault(each.key, []).append((each.path, repr(each.new)))
        return tuple(sorted((repr(self._inputs[card]), tuple(sorted(by_card[card]))) for card in by_card))

    def _narrow(
        self, level: list[Changes], candidates: list[Change], most: int
    ) -> tuple[list[Changes], list[Change]]:
        """Return the states to continue from, and the changes to add: all if there are enough tries; else
        the closest states, and the changes that help by themselves."""
        left = most - self.tries
        sorts = len({self._rule_key((each,)) for each in candidates})
        if len(level) * sorts <= left and len(level) * len(candidates) <= MOST_PAIRS:
            return level, candidates
        self.fewest = False
        level = sorted(level, key=lambda changes: (self._distance[self._rule_key(changes)], _size(changes)))
        off = self.failing.result.off
        helpful = [
            each for each in candidates if self._distance.get(self._rule_key((each,)), 0) < off
        ] or candidates
        return level[: max(1, left // (3 * len(helpful)))], helpful


def _overlap(one: Change, other: Change) -> bool:
    """Return True if two changes are of the same value, or one of them of a part of it."""
    shortest = min(len(one.path), len(other.path))
    return one.key == other.key and one.path[:shortest] == other.path[:shortest]


@dataclass(frozen=True, slots=True)
class _Verified:
    """The suggestions that break no other rule, and the rules that other sets of changes break."""

    chosen: tuple[Suggestion, ...]
    broken: tuple[str, ...]


def _verify(
    game: Game,
    rules: Mapping[str, Any],
    file: str,
    id: str,
    found: Sequence[Changes],
    limit: int,
    deadline: Deadline,
    kept: VerdictStore | None,
) -> _Verified:
    """Judge all rules after each of these sets of changes, until enough of them break nothing."""

    def holding(game: Game) -> dict[str, bool]:
        return {result.rule.name: result.ok for result in check_rules(game, rules, file, kept=kept)}

    before = holding(game) if found else {}
    ids = {entry["id"] for entry in rules.get("rules") or ()}
    chosen: list[Suggestion] = []
    broken: dict[str, None] = {}
    most = verified = max(MOST_VERIFIED, limit)
    for changes in found:
        if not verified or len(chosen) >= limit or deadline.is_over(0.9):
            break
        tell("judging the other rules", most - verified, most)
        new = changed_game(game, changes)
        again = (name for name in broken if name in ids)  # most changes break the same rule
        if any(not judge_rule(new, rules, file, name).result.ok for name in again):
            continue
        verified -= 1
        now = holding(new)
        if not now.get(id):  # it passed alone but not among all rules, which used up the file's steps
            continue
        breaks = [name for name, ok in before.items() if ok and not now.get(name)]
        broken.update(dict.fromkeys(breaks))
        if not breaks:
            mends = (name for name, ok in before.items() if not ok and now.get(name) and name != id)
            chosen.append(Suggestion(changes, tuple(mends)))
    return _Verified(tuple(chosen), tuple(broken))
