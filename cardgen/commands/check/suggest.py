"""Changes to a game's cards that satisfy a rule, with their lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import CardgenError, Findings, Location, UsageError, plural
from cardgen.core.paths import ProjectPaths
from cardgen.core.progress import tell
from cardgen.core.records import dataclass, field, replace
from cardgen.core.sheets import MAX_PIECES
from cardgen.files.listing import ProjectFolders
from cardgen.files.memory import hold
from cardgen.files.project import Project
from cardgen.files.table_formats import is_table
from cardgen.files.yaml import read_text
from cardgen.game.cards import CARD_SCHEMA
from cardgen.game.edited_files import CardList, card_lists, component_entries
from cardgen.game.effects import effect_data, effect_line, effect_prose
from cardgen.game.json_values import TooManyStepsError
from cardgen.game.sources import KeptFiles, Sources
from cardgen.rules.suggesting import NOTHING, SEARCHED, Change, Deadline, put, value_at

if TYPE_CHECKING:
    from cardgen.core.game import Card, Effects, Game, Language, Parameter
    from cardgen.game.prepared_schema import PreparedSchema
    from cardgen.rules.results import RuleResult


Path = tuple[str, ...]
LIMIT, TRIES = 3, 2_000
SECONDS = 10
"""The longest search of the command."""
MOST_TRIES = 100_000
_LEAST_TRIES, MOST_JUDGED = 20, 300_000
"""Large decks get as many tries as judge so many cards in all, which takes seconds, not minutes."""
_NAMING = ("groups", "are", "list")
"""The keys of rules that name values of cards."""


@dataclass(frozen=True, slots=True)
class SuggestedChange:
    """A change of a value, at its line in the data file. A missing value is None, with `is_new` or
    `is_removed`. Without a `card`, it is a change of lines of a file."""

    location: Location
    component: str
    card: str
    old: Any
    new: Any
    is_new: bool = False
    is_removed: bool = False

    def __str__(self) -> str:
        from cardgen.commands.compare.signing import changed_words
        from cardgen.commands.compare.values import ValueChange, spelled

        if not self.card:
            return f"{self.location}: {changed_words(ValueChange((), self.old, self.new))}"
        old = "nothing" if self.is_new else spelled(self.old)
        new = "nothing" if self.is_removed else spelled(self.new)
        return f"{self.location}: {old} → {new} ({self.card})"

    def plain(self) -> dict[str, Any]:
        """Return the change as plain values."""
        from cardgen.commands.compare.values import plain

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
    """Changes that together satisfy a rule and break no other. `mends` are the names of other rules that
    they satisfy too; `undoes` is True if they put back the values of the last commit."""

    changes: tuple[SuggestedChange, ...]
    mends: tuple[str, ...]
    undoes: bool = False


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Edits that would make a rule with this `verdict` pass, found in so many `tries`. `fewest` is True if
    no smaller set of the tested edits is enough. `broken` are the rules that other edits would break."""

    rule: str
    question: str
    verdict: str
    sets: tuple[ChangeSet, ...]
    tries: int
    fewest: bool
    broken: tuple[str, ...] = ()
    is_stopped: bool = False
    """True if the time was over before all changes were tried."""

    @property
    def holds(self) -> bool:
        """Return True if the rule is satisfied without changes."""
        return self.verdict == "pass"

    def plain(self) -> dict[str, Any]:
        """Return the suggestions as plain values."""
        sets = [
            {
                "changes": [each.plain() for each in found.changes],
                "mends": list(found.mends),
                "undoes": found.undoes,
            }
            for found in self.sets
        ]
        about = {"rule": self.rule, "question": self.question, "verdict": self.verdict}
        return {
            **about,
            "tries": self.tries,
            "fewest": self.fewest,
            "broken": list(self.broken),
            "suggestions": sets,
        }


def suggest(
    game: Game,
    rule: str,
    *,
    limit: int = LIMIT,
    tries: int | None = None,
    project: Project | None = None,
    seconds: float | None = None,
) -> Suggestions:
    """Return up to `limit` ways to change single values of a game's cards (copies, numbers, words, entries
    of lists; as its schemas allow) that satisfy a rule, with the fewest changes found in `tries` runs: by
    default TRIES, fewer for a large deck. None breaks another rule. If putting back values of the last
    commit is enough, nothing else is tried. The search stops after so many `seconds`. Nothing is written.

    Raises UsageError for a rule that does not exist or can't be satisfied this way, CardgenError for files
    in error and for a rule that can't be judged.
    """
    from cardgen.commands.check.check import judged, verdicts_of
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.suggesting import suggest as look

    deadline = Deadline(seconds)
    if tries is None:
        tries = max(_LEAST_TRIES, min(TRIES, MOST_JUDGED // max(1, sum(1 for _ in game.cards()))))
    if not 1 <= limit <= 100 or not 1 <= tries <= MOST_TRIES:
        raise UsageError(f"limit must be 1 to 100, and tries 1 to {MOST_TRIES:,}")
    if game.rules is None:
        hint = f"write rules to data/{game.id}/rules.yaml, and add rules: rules.yaml to game.yaml"
        raise UsageError(f"{game.title} has no rules", hint)
    rules = load_rules(game)
    entries = [entry for entry in rules.get("rules") or () if entry["id"] == rule]
    values = CardValues(game, _named(entries[0]) if entries else ())
    judged(game, rules)  # rules that don't read a changed value need no new run
    committed = _last_commit(project or Project.open())
    undone: list[ChangeSet] = []

    def undo_lines() -> bool:
        undone.extend(_undone_lines(game, rule, committed, deadline))
        return bool(undone)

    found = look(
        game,
        rules,
        game.rules,
        rule,
        values,
        limit=limit,
        tries=tries,
        undo=_edits(game, committed),
        undo_lines=undo_lines,
        deadline=deadline,
        kept=verdicts_of(game),
    )
    sets = tuple(
        ChangeSet(tuple(_placed(game, change) for change in each.changes), each.mends, each.undoes)
        for each in found.suggestions
    ) or tuple(undone[:limit])
    about = found.result.rule
    return Suggestions(
        about.id,
        about.question,
        found.result.verdict.value,
        sets,
        found.tries,
        found.fewest,
        found.broken,
        found.is_stopped,
    )


def suggestion_lines(found: Suggestions, seen: Callable[[str], str]) -> Iterator[str]:
    """Yield suggestions as text for people, a paragraph each; `seen` formats file names so that terminals
    can open them."""
    yield f"{found.rule}: {found.question}"
    if found.holds:
        yield "  the rule passes: nothing needs to change"
        return
    for number, each in enumerate(found.sets, 1):
        yield ""
        changes = plural(len(each.changes), "change")
        yield f"{number}. undo {changes} since the last commit" if each.undoes else f"{number}. {changes}"
        for change in each.changes:
            place = replace(change.location, file=seen(change.location.file))
            yield f"  {replace(change, location=place)}"
        if each.mends:
            yield f"  also fixes: {', '.join(each.mends)}"
        yield "  breaks no other rule"
    yield ""
    if found.broken:
        yield f"other changes would break: {', '.join(found.broken)}"
    judged = f"{found.tries:,} {'try' if found.tries == 1 else 'tries'}"
    if found.is_stopped:
        yield f"{judged} in {SECONDS} s; to search longer, add --tries {TRIES}"
    elif not found.tries:
        yield "the rule reads no value of a card that could change, so there is nothing to try"
    elif not found.sets:
        yield f"none found in {judged}"
    elif found.fewest:
        yield f"found in {judged}; no smaller set of changes was found"
    else:
        yield f"found in {judged}; not all were tried, so fewer changes may be enough"


MOST_EDITS = 200
"""Most edited values, and parts of files, that are put back one by one."""


def _last_commit(project: Project) -> ProjectPaths | None:
    """Return the project at the last commit; None if there is none or a sandbox hides it."""
    from cardgen.commands.production.git import at_revision
    from cardgen.files.confinement_limits import is_confined

    if is_confined():
        return None
    try:
        return at_revision(project).project.paths
    except CardgenError:
        return None


def _edits(game: Game, committed: ProjectPaths | None) -> list[Change]:
    """Return the changes that put back the values of cards at the last commit; none without one, or if the
    game can't be read there."""
    from cardgen.commands.production.languages import load_in

    if committed is None:
        return []
    try:
        old, _ = load_in(committed, game.id, None, players=game.player_count)
    except CardgenError:
        return []
    before = {(card.component, card.id): card for card in old.cards()}
    found: list[Change] = []
    for card in game.cards():
        known = before.get((card.component, card.id))
        if known is not None and known.fields is not card.fields:
            found += _put_back(card, card.fields, known.fields, ())
    return found[:MOST_EDITS]


def _undone_lines(
    game: Game, rule: str, committed: ProjectPaths | None, deadline: Deadline
) -> list[ChangeSet]:
    """Return the edits of text files since the last commit without which a rule passes and no other fails:
    single parts, or else all of a file, or else all of the game."""
    from cardgen.commands.check.check import judged, verdicts_of
    from cardgen.commands.production.languages import load_in
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.judging import check_rules

    edits = [] if committed is None else _edited_lines(game, committed)[:MOST_EDITS]
    if not edits:
        return []
    levels = [[[each] for each in edits], [*_by_file(edits).values()], [edits]]
    before = {each.rule.name: each.ok for each in judged(game, load_rules(game))}
    kept, verdicts = KeptFiles(), verdicts_of(game)
    for level in levels:
        found: list[ChangeSet] = []
        for number, undone in enumerate(level):
            if deadline.is_over(SEARCHED):
                return found
            tell("undoing edits", number, len(level))
            held = hold({file: _put_back_lines(each) for file, each in _by_file(undone).items()})
            folders = ProjectFolders((held.root, *game.paths.roots), held)
            try:
                new = load_in(folders, game.id, None, players=game.player_count, kept=kept)[0]
                rules = load_rules(new)
                now = {
                    each.rule.name: each.ok
                    for each in check_rules(new, rules, game.rules or "", kept=verdicts)
                }
            except CardgenError:
                continue
            if now.get(rule) and not any(ok and not now.get(name, True) for name, ok in before.items()):
                mends = (name for name, ok in before.items() if not ok and now.get(name) and name != rule)
                found.append(ChangeSet(tuple(each.change for each in undone), tuple(mends), undoes=True))
        if found:
            return found
    return []


@dataclass(frozen=True, slots=True)
class _LineEdit:
    """An edit of a file: its lines from `start` to before `end` replaced those `before`."""

    file: str
    lines: Sequence[str] = field(repr=False)
    start: int
    end: int
    before: Sequence[str]

    @property
    def change(self) -> SuggestedChange:
        """Return the change that undoes it."""
        at = Location(self.file, min(self.start + 1, len(self.lines)))
        old, new = ("".join(each).strip() for each in (self.lines[self.start : self.end], self.before))
        return SuggestedChange(at, "", "", old, new, not old, not new)


def _by_file(edits: Iterable[_LineEdit]) -> dict[str, list[_LineEdit]]:
    found: dict[str, list[_LineEdit]] = {}
    for edit in edits:
        found.setdefault(edit.file, []).append(edit)
    return found


def _put_back_lines(edits: Sequence[_LineEdit]) -> str:
    """Return a file's text without some of its edits."""
    lines = list(edits[0].lines)
    for each in sorted(edits, key=lambda edit: edit.start, reverse=True):
        lines[each.start : each.end] = each.before
    return "".join(lines)


def _edited_lines(game: Game, before: ProjectPaths) -> list[_LineEdit]:
    """Return the edits of a game's data, books and translations since another state of the project."""
    from cardgen.commands.compare.signing import signed_parts

    home = f"data/{game.id}/"
    files = {f"{home}{name.partition('#')[0]}": None for name in signed_parts(game)} | {
        game.rules or "": None
    }
    found: list[_LineEdit] = []
    for file in files:
        texts = []
        for paths in (before, game.paths):
            path = paths.find(file) if not is_table(file) else None
            texts.append(None if path is None else read_text(path, file, Findings(), within=paths.roots))
        if texts[0] is None or texts[1] is None or texts[0] == texts[1]:
            continue
        old, new = (text.splitlines(keepends=True) for text in texts if text is not None)
        for _, *span in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            first, last, start, end = span
            if old[first:last] == new[start:end]:
                continue
            if last - first == end - start:  # line by line
                pairs = zip(range(first, last), range(start, end))
                found += [_LineEdit(file, new, at, at + 1, old[was : was + 1]) for was, at in pairs]
            else:
                found.append(_LineEdit(file, new, start, end, old[first:last]))
    return found


def _put_back(card: Card, now: Mapping[str, Any], then: Mapping[str, Any], path: Path) -> Iterator[Change]:
    """Yield the changes from one mapping of values to another, those of nested mappings separately."""
    for key in dict.fromkeys((*now, *then)):
        new, old = now.get(key, NOTHING), then.get(key, NOTHING)
        if isinstance(new, Mapping) and isinstance(old, Mapping):
            yield from _put_back(card, new, old, (*path, key))
        elif not _same(new, old):
            yield Change(card, (*path, key), new, old)


def _named(entry: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values that a rule names, numeric keys of mappings as numbers."""
    stated = [entry.get(key) for key in _NAMING]
    for side in ("demanded", "supplied"):
        if isinstance(part := entry.get(side), Mapping):
            stated.append(part.get("list"))
    for given in stated:
        for each in given if isinstance(given, (list, Mapping)) else ():
            whole = isinstance(given, Mapping) and isinstance(each, str) and each.lstrip("-").isdecimal()
            yield int(each) if whole else each


def _placed(game: Game, change: Any) -> SuggestedChange:
    from cardgen.commands.compare.values import ValueChange
    from cardgen.rules.suggesting import NOTHING

    card = change.card
    if game.effects is not None and change.path[0] in game.effects.of(card.fields):
        return _placed_in_effect(game, game.effects, change)
    location = game.where(card, *change.path)
    if not location.cell:
        path = (*card.path, *change.path)
        location = replace(location, path=ValueChange(path, None, None).name)
    missing, gone = change.old is NOTHING, change.new is NOTHING
    old, new = None if missing else change.old, None if gone else change.new
    return SuggestedChange(location, card.component, card.id, old, new, missing, gone)


def _placed_in_effect(game: Game, effects: Effects, change: Change) -> SuggestedChange:
    """Return a change of an effect as that of its first sentence that differs, in the words of the data."""
    at = next((at for at, (old, new) in enumerate(zip(change.old, change.new)) if old != new), 0)
    where = game.where(change.card, *change.path, at)
    words = effect_data if effects.text else effect_line
    old, new = (words(effects.read_in, each[at : at + 1]) for each in (change.old, change.new))
    return SuggestedChange(where, change.card.component, change.card.id, old, new, not old, not new)


MOST_VALUES = 40
"""Most values that are tried at one path."""
NEAR = 5
"""The minimum range of whole numbers beyond those of other cards."""
DEEPEST = 4
"""The maximum depth of nested mappings."""
_LOOK = frozenset({"trim", "turned", "face", "back"})
"""Fields of a card's look: changing them makes no rule pass."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The values of a component's cards at one path: words and numbers, or those in the lists there, in
    their order and counted; whether some cards have none; the least and greatest whole numbers."""

    used: Counter[Any]
    is_missing: bool
    whole_numbers: tuple[int, int] | None


class CardValues:
    """Yields the possible changes of a card's field that match the game's schemas. `named` are values that
    the rule itself names. Raises CardgenError for files that can't be read."""

    def __init__(self, game: Game, named: Iterable[Any]) -> None:
        findings = Findings()
        self._sources = Sources(game.paths, findings)
        entries = component_entries(self._sources.read(f"data/{game.id}/game.yaml"))
        lists = card_lists(self._sources, game.id, entries)
        findings.raise_if_errors()
        self._lists = {(each.component, each.file): each for each in lists}
        self._cards = {component.id: component.cards for component in game.components}
        self._effects = game.effects
        self._named = [each for each in named if isinstance(each, (str, int, float))]
        # Cached, since each is called for every card and searches all cards.
        self._places = cache(self._find_places)
        self._place = cache(self._look_at)

    def __call__(self, card: Card, name: str, result: RuleResult) -> Iterator[Change]:
        """Yield the changes of one field, those of nested values separately."""
        stated = self._lists.get((card.component, card.file))
        if stated is None or name in _LOOK:
            return
        effects = self._effects
        if effects is not None and name in effects.of(card.fields):
            yield from _effect_changes(effects, card, name)
            return
        for path in self._places(card.component, name):
            old = value_at(card.fields, path)
            raw = value_at(stated.cards[int(card.path[-1])], path)
            if raw is not NOTHING and not _same(raw, old):  # read from their words, as effects are
                continue
            if path == ("copies",):
                values: Iterable[Any] = self._copies(card, result)
            else:
                values = self._values(card, path, old, stated)
            for value in values:
                if not _same(value, old) and self._fits(card, stated, path, value):
                    yield Change(card, path, old, value)

    def _find_places(self, component: str, name: str) -> list[Path]:
        """Return the paths of a field, or of the values in its mappings, in any card."""
        found: dict[Path, None] = {}
        for card in self._cards[component]:
            pending: list[Path] = [(name,)]
            while pending:
                path = pending.pop()
                value = value_at(card.fields, path)
                if isinstance(value, Mapping) and name != "copies":
                    inside = [(*path, key) for key in value if isinstance(key, str)]
                    pending += inside if len(path) < DEEPEST else []
                else:
                    found[path] = None
        return sorted(
            path for path in found if not any(path == each[: len(path)] != each for each in found)
        )

    def _copies(self, card: Card, result: RuleResult) -> Iterable[int]:
        if isinstance(card.fields.get("copies", 1), Mapping):
            return ()
        most = max(each.copies for each in self._cards[card.component])
        far = max(NEAR, math.ceil(min(result.off, MOST_VALUES)))
        top = min(max(most, card.copies + far), MAX_PIECES)
        return _nearest(card.copies, 1, top, MOST_VALUES + 1)

    def _values(self, card: Card, path: Path, old: Any, stated: CardList) -> Iterator[Any]:
        place = self._place(card.component, path)
        used, listed = place.used, self._listed(stated, path)
        if isinstance(old, (list, tuple)):
            yield from _lists(old, used, [*listed, *self._named])
            return
        if isinstance(old, bool) or any(isinstance(each, bool) for each in used):
            yield from (True, False)
        elif place.whole_numbers:
            low, high = place.whole_numbers
            centre = int(old) if _is_number(old) else low
            near = _nearest(centre, low - NEAR, high + NEAR, MOST_VALUES)
            if high - low > MOST_VALUES:  # an outlier may be a typo of a used value
                near = list(dict.fromkeys((*near[: MOST_VALUES // 2], *islice(used, MOST_VALUES // 2))))
            yield from near
        else:
            repeated = len(used) < sum(used.values())  # otherwise it is a name or text of each card
            texts = not all(map(_is_number, used))
            if listed or repeated or not texts:
                own = [each for each in self._named if isinstance(each, str) == texts]
                yield from list(dict.fromkeys([*listed, *used, *own]))[:MOST_VALUES]
        if old is not NOTHING and place.is_missing:
            yield NOTHING

    def _look_at(self, component: str, path: Path) -> _Place:
        values = [value_at(card.fields, path) for card in self._cards[component]]
        used: Counter[Any] = Counter()
        for value in values:
            members = value if isinstance(value, (list, tuple)) else [value]
            used.update(each for each in members if isinstance(each, (str, int, float)))
        whole = bool(used) and all(_is_number(each) and float(each).is_integer() for each in used)
        numbers = (int(min(used)), int(max(used))) if whole else None
        return _Place(used, any(value is NOTHING for value in values), numbers)

    def _listed(self, stated: CardList, path: Path) -> list[Any]:
        """Return the values that a schema lists for a place, or for the members of a list there."""
        shapes, schemas = stated.how.shapes, [*stated.how.parts]
        for name in path:
            schemas = shapes.below(schemas, name)
        found: list[Any] = []
        for schema in shapes.inside(schemas):
            items = schema.get("items")
            for each in (schema, *(shapes.inside([items]) if isinstance(items, dict) else ())):
                found += [*each.get("enum", ()), *([each["const"]] if "const" in each else ())]
        return list(dict.fromkeys(each for each in found if isinstance(each, (str, int, float))))

    def _fits(self, card: Card, stated: CardList, path: Path, value: Any) -> bool:
        """Return True if the changed card matches its schemas."""
        raw = stated.cards[int(card.path[-1])]
        base = self._sources.schemas.schema(CARD_SCHEMA)
        own = None if stated.use.schema is None else self._sources.schemas.schema(stated.use.schema)
        changed = put(raw, path, value)
        try:
            return (base is None or base.is_valid(changed)) and (
                own is None or _valid_among(own, stated, raw, changed)
            )
        except TooManyStepsError:
            return False


def _effect_changes(effects: Effects, card: Card, name: str) -> Iterator[Change]:
    """Yield the changes of one number or word in an effect, with the text that is printed from it. A card
    with its own wording has none."""
    old = card.fields[name]
    is_printed = bool(effects.text)
    if is_printed and card.fields.get(effects.text) != effect_prose(effects.language, old):
        return
    for new in _variants(effects.language, old):
        printed = {effects.text: effect_prose(effects.language, new)} if is_printed else {}
        yield Change(card, (name,), old, new, printed)


def _variants(language: Language, value: Any) -> Iterator[Any]:
    """Yield an effect, or a part of one, with another value of one of its parameters."""
    if isinstance(value, Mapping):
        key = "do" if "do" in value else "test"
        phrases = language.keywords if key == "do" else language.conditions
        for name, inside in value.items():
            if key not in value:
                yield from ({**value, name: each} for each in _variants(language, inside))
            elif name in (parameters := phrases[value[key]].parameters):
                yield from ({**value, name: each} for each in _other_values(parameters[name], inside))
    elif isinstance(value, (list, tuple)):
        for index, inside in enumerate(value):
            for each in _variants(language, inside):
                yield [*value[:index], each, *value[index + 1 :]]


def _other_values(parameter: Parameter, value: Any) -> Iterator[Any]:
    if parameter.type == "word":
        yield from (word for word in parameter.words if word != value)
        return
    low = value - NEAR if parameter.least is None else parameter.least
    high = value + NEAR if parameter.most is None else parameter.most
    for number in _nearest(value, low, high, MOST_VALUES):
        if number != value and (number or parameter.type == "number"):
            yield number


def _valid_among(own: PreparedSchema, stated: CardList, raw: Any, changed: Any) -> bool:
    """Return True if the file is valid with a changed card. A card that doesn't depend on others is
    validated alone."""
    data = stated.document.data
    if own.is_valid({**data, stated.component: [raw]}):
        return own.is_valid({**data, stated.component: [changed]})
    cards = [changed if each is raw else each for each in stated.cards]
    return own.is_valid({**data, stated.component: cards})


def _lists(old: Sequence[Any], used: Iterable[Any], named: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield a list with one member removed, added or changed."""
    members = list(dict.fromkeys(each for each in (*used, *named) if isinstance(each, (str, int, float))))
    members = members[:MOST_VALUES]
    for index in range(len(old)):
        yield [*old[:index], *old[index + 1 :]]
    for member in members:
        if member not in old:
            yield [*old, member]
            for index in range(len(old)):
                yield [*old[:index], member, *old[index + 1 :]]


def _nearest(centre: int, low: int, high: int, most: int) -> list[int]:
    """Return the whole numbers from `low` to `high` that are nearest to one of them, that one first."""
    near = range(max(low, centre - most), min(high, centre + most) + 1)
    return sorted(near, key=lambda each: (abs(each - centre), each))[:most]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """Return True if two values are equal, though to Python True equals 1."""
    if one is NOTHING or other is NOTHING:
        return one is other
    plain = [list(each) if isinstance(each, tuple) else each for each in (one, other)]
    return bool(plain[0] == plain[1]) and isinstance(one, bool) == isinstance(other, bool)
