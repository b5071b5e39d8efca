"""Read a rule's parameters and cards, and collect its measures and failures."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Literal, TypeGuard

from cardgen.core.findings import Finding, Fix, Location, shortened
from cardgen.core.records import dataclass, field
from cardgen.rules.expressions import Expression, ExpressionError, short
from cardgen.rules.pool import RESERVED, Pool, Subject, SubjectError, UnknownNameError, evaluate, items_of
from cardgen.rules.results import (
    BOUND_KEYS,
    Bounds,
    Histogram,
    Matrix,
    Measure,
    RuleInfo,
    Table,
    counted,
    number,
)

Path = tuple[str | int, ...]

_FIELD = re.compile(r"[^\W\d]\w*(?:\.\w+)*")

_STATEMENTS = ("holds", "items", "part", "value")
"""Parameters that are expressions over the cards or the game."""

MAX_FACTS = 4
"""Most values of a card that a message quotes."""

MAX_FINDINGS = 50
"""Most findings of one rule; the rest is counted. Each line number needs another search of the file."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a rule kind beyond its parameters."""

    looks_at: Literal["game", "component", "theme"] = "game"
    """"component": the cards of its `component` alone, unless an expression reads others. "theme": values
    that exist even if all cards are invalid."""
    lists_words: bool = False
    """Its parameters list values of cards, so the rule depends on the game's own language."""
    is_tried: bool = True
    """`cardgen suggest` can try changes of cards to satisfy it."""
    is_slow: bool = False
    """A try takes seconds, so that likely changes come first."""
    reads_texts: bool = False
    """It reads texts and books, which are no values of cards, so that its verdict is never reused."""


Bot = Callable[..., Mapping[str, float]]
"""Plays one game from a seed, and returns its figures."""


class BrokenRuleError(Exception):
    """A rule that can't be checked: `path` is the wrong parameter, `subject` the card it failed on. A
    `finding` is reported as it is, such as one about a plug-in."""

    def __init__(
        self,
        message: str,
        path: Path = (),
        hint: str | None = None,
        subject: Subject | None = None,
        finding: Finding | None = None,
    ) -> None:
        super().__init__(shortened(message))  # a message may quote the rule, at any length
        self.path = path
        self.hint = None if hint is None else shortened(hint)
        self.subject = subject
        self.finding = finding


def must_be_share(bound: float, path: Path) -> None:
    """Raise BrokenRuleError for a bound above 1, which no share or chance can reach."""
    if not 0 <= bound <= 1:
        hint = f"{number(bound)} % is {number(bound / 100)}" if 1 < bound <= 100 else "a half is 0.5"
        raise BrokenRuleError(
            f"a share or a probability must be between 0 and 1, not {number(bound)}", path, hint
        )


class UnfitCardsError(BrokenRuleError):
    """The error of a rule that finds no cards, or too few. In a player's deck this is a failure of the
    deck; elsewhere the rule is broken."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault of the deck, at a card (a field of it: `path`) or at the rule's parameter."""

    message: str
    subject: Subject | None
    path: Path
    hint: str | None
    off: float = 1
    """The size of the fault, in the rule's own measure: surplus copies, or a mean's distance from its
    bound."""
    place: Location | None = None
    """Its place, if it isn't at a card or parameter."""
    fix: Fix | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """An expression at `path` of a rule, evaluated for each card or for other values. An evaluation error
    raises BrokenRuleError, at the card if it is the cause."""

    case: Case
    expression: Expression
    path: Path

    @property
    def source(self) -> str:
        return self.expression.source

    @property
    def names(self) -> tuple[str, ...]:
        return self.expression.names

    @property
    def title(self) -> str:
        """Return the name of a plain field, as `cost`, or "the value" for an expression."""
        return f"`{self.source}`" if _FIELD.fullmatch(self.source) else "the value"

    def facts(self, subject: Subject, **more: Any) -> str:
        """Return the values that the expression reads of a card, as "cost is 3, suit is “sun”", or ""."""
        subject.note(self.names)
        values = {**subject.values, **more}
        found = (_fact(chain, values, chain[0] in subject.fields) for chain in self.expression.chains)
        return ", ".join(list(dict.fromkeys(filter(None, found)))[:MAX_FACTS])

    def work_out(self, values: Mapping[str, Any]) -> Any:
        """Return the value for these values of the names, without a card."""
        return self.case.work_out(self.expression, self.path, {**self.case.pool.globals, **values})

    def of(self, subject: Subject, **more: Any) -> Any:
        """Return the value for a card, with further names."""
        try:
            return evaluate(self.expression, subject, **more)
        except SubjectError as error:
            raise BrokenRuleError(f"{error}", self.path, None, error.subject) from None

    def number(self, subject: Subject) -> float:
        """Return the number for a card. Raises BrokenRuleError for text or a missing field."""
        return self.finite(self.of(subject), subject.label, subject)

    def finite(self, value: Any, label: str, subject: Subject | None = None) -> float:
        """Return a value computed for the card that `label` names, if it is a number."""
        if not is_number(value):
            message = f"{self.title} must be a number, but is {show(value)} for “{label}”"
            raise BrokenRuleError(message, self.path, None, subject)
        return value

    def key(self, subject: Subject) -> Key:
        """Return the value for a card as a group's key."""
        return group_key(self.of(subject), subject, self.path)

    def keys(self, subject: Subject) -> list[Key]:
        """Return the value for a card, one or a list, as keys."""
        return [group_key(value, subject, self.path) for value in items_of(self.of(subject))]

    def place(self, subject: Subject) -> Path:
        """Return the card's only field that the expression reads, if there is exactly one."""
        subject.note(self.names)
        chains = [chain for chain in self.expression.chains if chain[0] in subject.fields]
        if len(chains) != 1:
            return ()
        value: Any = subject.fields
        path: list[str | int] = []
        for name in chains[0]:
            if not isinstance(value, Mapping) or name not in value:
                break
            path.append(name)
            value = value[name]
        return tuple(path)


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The subjects that a rule reads; `name` describes their source."""

    case: Case
    subjects: tuple[Subject, ...]
    sources: tuple[str, ...]
    name: str

    def __iter__(self) -> Iterator[Subject]:
        return iter(self.subjects)

    def __len__(self) -> int:
        return len(self.subjects)

    @property
    def copies(self) -> int:
        return sum(subject.copies for subject in self.subjects)

    def reading(
        self, *path: str | int, default: str = "", extra: Mapping[str, Sequence[Any]] | None = None
    ) -> Reading:
        """Return the expression at a path, over these cards."""
        return self.case.reading(*path, sources=self.sources, default=default, extra=extra)

    def optional(self, *path: str | int) -> Reading | None:
        """Return the expression at a path, if there is one."""
        return None if self.case.parameter(path) is None else self.reading(*path)

    def choosing(self, *path: str | int) -> Reading | None:
        """Return an expression that depends on the card, such as group_by, if there is one."""
        found = self.optional(*path)
        if found is not None:
            self.case.must_read_cards(found, self.sources)
        return found


@dataclass(slots=True)
class Case:
    """A rule, its parameters (`data`, valid against the schema) and its results."""

    pool: Pool
    info: RuleInfo
    data: Mapping[str, Any]
    measures: list[Measure] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    undecided: list[Failure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    histograms: list[Histogram] = field(default_factory=list)
    matrices: list[Matrix] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    is_put_off: bool = False
    """Not judged: it was only read."""
    patient: bool = False
    """A rule may take long."""
    bots: Mapping[str, Bot] = field(default_factory=dict)
    """Functions in Python that play games, by name. The user trusts them."""

    # -- reporting -------------------------------------------------------------------------------

    def measure(
        self,
        name: str,
        value: float | int | str | None,
        unit: str = "",
        text: str = "",
        interval: tuple[float, float] | None = None,
        exact: str = "",
        bounds: Bounds | None = None,
    ) -> None:
        """Record a measured figure, with its bounds."""
        held = bounds.pairs if bounds else ()
        self.measures.append(Measure(name, value, unit, text, interval, exact, held))

    def fail(
        self,
        message: str,
        subject: Subject | None = None,
        path: Path = (),
        hint: str | None = None,
        off: float = 1,
    ) -> None:
        """Record a failure of the deck: at the card if there is one, else at the parameter. `off` is its
        size."""
        self.failures.append(Failure(message, subject, path, hint, off))

    @property
    def statements(self) -> list[str]:
        """Return the rule's expressions, which messages don't quote, if it read any cards."""
        stated = {key: self.data[key] for key in _STATEMENTS if isinstance(self.data.get(key), str)}
        for pair in self.data.get("pairs", ()):
            stated[f"pair {len(stated) + 1}"] = f"{pair['this']} and {pair['that']}"
        return [f"{key}: {' '.join(source.split())}" for key, source in stated.items() if self.looked_at]

    @property
    def hints(self) -> bool:
        """Return True if the next failure's hint would be printed: finding the nearest name is slow."""
        return len(self.failures) < MAX_FINDINGS

    def leave_undecided(self, message: str, path: Path = (), hint: str | None = None) -> None:
        """Report that the question could not be answered within its counted bound: an error, never ok."""
        self.undecided.append(Failure(message, None, path, hint))

    def hold(
        self,
        what: str,
        value: float,
        bounds: Bounds | None,
        path: Path = (),
        *,
        subject: Subject | None = None,
        hint: str | None = None,
        found: str = "",
        words: Callable[[float], str] = number,
    ) -> None:
        """Fail if a value is out of bounds: "`what` is 7, it should be 8". `found` replaces the first part,
        `words` formats figures."""
        if not math.isfinite(value):
            raise BrokenRuleError(f"{what} is not a finite number", path)
        if bounds is not None and bounds.stated and value not in bounds:
            text = f"{found or f'{what} is {words(value)}'}, it should be {bounds.in_words(words)}"
            self.fail(text, subject, path, hint, bounds.distance(value))

    def hold_interval(
        self,
        what: str,
        found: str,
        ends: tuple[float, float],
        bounds: Bounds,
        words: Callable[[float], str],
        path: Path,
    ) -> None:
        """Fail if an interval from random runs is out of bounds; if a part of it is, leave it undecided.
        `found` describes the measure; `words` formats figures."""
        verdict = bounds.holds_for(*ends)
        if verdict is None and bounds.stated:
            low, high = map(words, ends)
            text = f"undecided: {what} is between {low} and {high}, and so is the bound"
            self.leave_undecided(text, path, "raise runs, or move the bound")
        elif not verdict and bounds.stated:
            off = min(map(bounds.distance, ends))
            self.fail(f"{what} is {found}, it should be {bounds.in_words(words)}", None, path, off=off)

    # -- parameters ------------------------------------------------------------------------------

    @property
    def reports(self) -> bool:
        return bool(self.data.get("report", False))

    @property
    def may_find_nothing(self) -> bool:
        """Return True if the rule allows an empty selection."""
        return bool(self.data.get("may_select_none", False))

    def parameter(self, path: Path) -> Any:
        """Return the value of a parameter, or None if it is not given."""
        value: Any = self.data
        for key in path:
            if isinstance(value, Mapping):
                value = value.get(key)
            else:
                value = value[key] if isinstance(key, int) and key < len(value) else None
            if value is None:
                return None
        return value

    def compile(
        self,
        source: Any,
        path: Path,
        sources: tuple[str, ...] = (),
        extra: Mapping[str, Sequence[Any]] | None = None,
    ) -> Reading:
        """Return an expression over the cards of `sources` and the names in `extra`, with its names
        checked. Raises BrokenRuleError."""
        text = source if isinstance(source, str) else json.dumps(source)  # `holds: true`, `value: 3`
        try:
            expression = self.pool.engine.compile(text)
            self.pool.check(expression, sources, extra)
        except UnknownNameError as problem:
            raise BrokenRuleError(problem.message, path, problem.hint) from None
        except ExpressionError as error:
            raise BrokenRuleError(str(error), path) from None
        return Reading(self, expression, path)

    def reading(
        self,
        *path: str | int,
        sources: tuple[str, ...] = (),
        default: str = "",
        extra: Mapping[str, Sequence[Any]] | None = None,
    ) -> Reading:
        """Return the expression of a parameter, or else `default`."""
        given = self.parameter(path)
        return self.compile(default if given is None else given, path, sources, extra)

    def work_out(self, expression: Expression, path: Path, values: Mapping[str, Any]) -> Any:
        """Return the value of an expression whose values already include the functions."""
        try:
            return expression(values)
        except ExpressionError as error:
            raise BrokenRuleError(str(error), path) from None

    def select(
        self, *path: str | int, may_be_empty: bool = False, given: Mapping[str, Any] | None = None
    ) -> Selection:
        """Return the cards that `component` (or `table`) and `where` choose. Raises BrokenRuleError if
        none.

        `given` are further names that `where` may read, with their values.
        """
        sources: list[str] = []
        words: list[str] = []
        for key, find in (("component", self.pool.components), ("table", self.pool.tables)):
            for name, place in self.texts((*path, key)):
                sources.extend(self._look_up(find, name, place))
                words.append(f"“{name}”")
        if not sources:
            sources, words = [*self.pool.everything], [self.pool.everything_name]
        chosen = tuple(dict.fromkeys(sources))
        where_path = (*path, "where")
        try:
            extra = {name: [value] for name, value in (given or {}).items()}
            stated = self.parameter(where_path) is not None
            where = self.reading(*where_path, sources=chosen, extra=extra) if stated else None
            subjects = self.pool.select(chosen, where.expression if where else None, given)
        except SubjectError as error:
            raise BrokenRuleError(f"{error}", where_path, None, error.subject) from None
        except UnknownNameError as problem:
            raise BrokenRuleError(problem.message, (*path, "table"), problem.hint) from None
        if where is not None:
            self.must_read_cards(where, chosen)
        whole = " and ".join(words)
        name = f"{whole} (filtered)" if where else whole
        selection = Selection(self, subjects, chosen, name)
        self.looked_at.append(
            f"{counted(len(subjects), 'card')} ({counted(selection.copies, 'copy', 'copies')}) of {whole}"
            + (f" where {where.source}" if where else "")
        )
        if not subjects and not may_be_empty and not self.may_find_nothing:
            none = f"{whole} contains none" if where is None else f"no card of {whole} passes `where`"
            hint = None if where is None else "compare the filter with the values in the data"
            raise UnfitCardsError(f"the rule checks no cards: {none}", where_path if where else path, hint)
        return selection

    def must_read_cards(self, reading: Reading, sources: tuple[str, ...]) -> None:
        """Raise BrokenRuleError for a filter that gives the same result for every card."""
        fields = self.pool.fields(sources)
        if not fields.intersection(reading.names):
            text = f"`{reading.source}` reads no field of the cards, so it is the same for all of them"
            raise BrokenRuleError(text, reading.path, f"use a field of the cards{_examples(fields)}")

    def texts(self, path: Path) -> list[tuple[str, Path]]:
        """Return the texts of a parameter, each with its path."""
        given = self.parameter(path)
        if given is None:
            return []
        if isinstance(given, str):
            return [(given, path)]
        return [(name, (*path, index)) for index, name in enumerate(given)]

    def _look_up(self, find: Callable[[str], tuple[str, ...]], name: str, path: Path) -> tuple[str, ...]:
        try:
            return find(name)
        except UnknownNameError as problem:
            raise BrokenRuleError(problem.message, path, problem.hint) from None

    def bounds(
        self,
        *path: str | int,
        values: Mapping[str, Any] | None = None,
        needed: bool = True,
        share: bool = False,
    ) -> Bounds:
        """Return the bounds at a path, as numbers or expressions; for a `share`, from 0 to 1.

        A bound is required if `needed`, except in a rule that only reports.
        """
        read: dict[str, float] = {}
        for key in BOUND_KEYS:
            given = self.parameter((*path, key))
            if given is not None:
                read[key] = self._bound(given, (*path, key), values or {})
        if read and self.reports:
            raise self.only_reports((*path, next(iter(read))))
        if not read and needed:
            self.must_ask("equals, min or max", False, path)
        if "equals" in read and len(read) > 1:
            raise BrokenRuleError("equals can't be combined with min or max", (*path, "equals"))
        if read.get("min", -math.inf) > read.get("max", math.inf):
            text = f"the bounds cross: min {number(read['min'])} is above max {number(read['max'])}"
            raise BrokenRuleError(text, (*path, "min"))
        for key, value in read.items() if share else ():
            must_be_share(value, (*path, key))
        return Bounds(**read)

    def only_reports(self, path: Path) -> BrokenRuleError:
        return BrokenRuleError("the rule only reports, so it can't have a bound", path, _REPORT_HINT)

    def must_ask(self, keys: str, asked: bool, path: Path = ()) -> None:
        """Raise BrokenRuleError unless the rule only reports or has one of these keys."""
        if not asked and not self.reports:
            hint = f"add {keys}, or report: true"
            raise BrokenRuleError("the rule has no bound, so it checks nothing", path, hint)

    def group_bounds(self, key: str, *, share: bool = False) -> dict[Any, Bounds]:
        """Return a parameter's bounds for single groups; a bare number means `equals`."""
        limits: dict[Any, Bounds] = {}
        for group, given in self.data.get(key, {}).items():
            if isinstance(given, Mapping):
                limits[group] = self.bounds(key, group, share=share)
                continue
            if self.reports:
                raise self.only_reports((key, group))
            if share:
                must_be_share(given, (key, group))
            limits[group] = Bounds(equals=given)
        return limits

    @property
    def bound_path(self) -> Path:
        """Return the path of the rule's first bound."""
        return next(((key,) for key in BOUND_KEYS if key in self.data), ())

    def _bound(self, given: Any, path: Path, values: Mapping[str, Any]) -> float:
        found = given
        if isinstance(given, str):
            extra = {name: [value] for name, value in values.items()}
            found = self.compile(given, path, extra=extra).work_out(values)
        if not is_number(found):
            raise BrokenRuleError(f"a bound must be a number, not {show(found)}", path)
        return found

    @property
    def counting(self) -> Literal["copies", "cards"]:
        return "cards" if self.data.get("counting") == "cards" else "copies"

    def weight(self, subject: Subject) -> int:
        return 1 if self.counting == "cards" else subject.copies


def _fact(chain: Sequence[str], values: Mapping[str, Any], is_field: bool) -> str:
    """Return "cost is 3" for a chain of names with a value; nothing for functions and whole tables."""
    value: Any = values.get(chain[0])
    read = [chain[0]]
    for name in chain[1:]:
        if not isinstance(value, Mapping):
            break  # the name is a method, or the field above it is missing
        value = value.get(name)
        read.append(name)
    if isinstance(value, Mapping):
        return f"{'.'.join(read)} is given" if is_field else ""
    if value is not None and not isinstance(value, (str, int, float, list, tuple)):
        return ""  # a function
    return f"{'.'.join(read)} is {show(value)}"


def _examples(fields: Collection[str]) -> str:
    """Return some names of fields for a hint, those of every card last."""
    known = sorted(fields, key=lambda name: (name in RESERVED, name))
    return f": {', '.join(known[:8])}{', …' if len(known) > 8 else ''}" if known else ""


NOTHING_HINT = "if that is intended, set may_select_none: true"

_REPORT_HINT = "remove the bound, or report: true"


def is_number(value: Any) -> TypeGuard[float]:
    """Return True for a finite number; yes and no are not numbers."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def show(value: Any, depth: int = 3) -> str:
    """Return a value for a sentence, without lists nested deeper than `depth`."""
    if value is None or value == None:  # noqa: E711 (an absent field equals none)
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value) if math.isfinite(value) else "no finite number"
    if depth == 0 and isinstance(value, (list, tuple, Mapping)):
        return "…"
    if isinstance(value, (list, tuple)):
        return (
            f"[{', '.join(show(item, depth - 1) for item in value[:6])}{', …' if len(value) > 6 else ''}]"
        )
    if isinstance(value, Mapping) and ("do" in value or "test" in value):  # as data write a phrase
        return f"“{short(' '.join(str(each) for each in value.values()))}”"
    if isinstance(value, Mapping):
        entries = [f"{short(str(key))} {show(item, depth - 1)}" for key, item in islice(value.items(), 6)]
        return f"{', '.join(entries)}{', …' if len(value) > 6 else ''}"
    return f"“{short(str(value))}”"


MAX_ROWS = 10_000
"""Most combinations of values that a rule runs through."""


def axes(case: Case, most: int = MAX_ROWS) -> dict[str, list[Any]]:
    """Return the values of each name in `for`: a list, or an expression that gives one.

    Raises BrokenRuleError, also for more than `most` combinations.
    """
    given: Mapping[str, Any] = case.data.get("for", {})
    found: dict[str, list[Any]] = {}
    size = 1
    for name, values in given.items():
        path = ("for", name)
        if isinstance(values, str):
            values = case.compile(values, path).work_out({})
        found[name] = items_of(values)
        if not found[name]:
            raise BrokenRuleError(f"“{name}” has no values", path)
        size *= len(found[name])
    if size > most:
        raise BrokenRuleError(f"for has {size:,} combinations; the limit is {most:,}", ("for",))
    return found


def combinations(axes: Mapping[str, list[Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each combination of the values and its title, the last name varying fastest."""
    for values in product(*axes.values()):
        given = dict(zip(axes, values, strict=True))
        yield given, ", ".join(f"{name} {show(value)}" for name, value in given.items())


Key = str | int | float | bool | None


@dataclass(slots=True)
class Group:
    """The cards with one value. `size` counts cards or copies, depending on the rule; `listed` groups are
    the required ones."""

    key: Key
    listed: bool
    subjects: list[Subject] = field(default_factory=list)
    size: int = 0

    @property
    def name(self) -> str:
        return group_name(self.key)


def grouped(case: Case, selection: Selection) -> dict[Key, Group]:
    """Return the groups by `group_by`: those in `groups` first and in their order, empty or not. A card in
    any other fails, unless the rule allows it.

    Without `group_by` all cards are one group, named None. If `groups` is a mapping, groups are matched by
    name, since the keys of a mapping in YAML are text.
    """
    listed = case.data.get("groups")
    given = case.data.get("group_by")
    if listed is not None and given is None:
        raise BrokenRuleError("groups are listed, but group_by is missing", ("groups",))
    groups = {key: Group(key, True) for key in listed or ()}
    reading = selection.choosing("group_by")
    for subject in selection:
        weight = case.weight(subject)
        value = None if reading is None else reading.of(subject)
        keys = items_of(value) if isinstance(value, (list, tuple)) else [value]
        for key in dict.fromkeys(group_key(key, subject, ("group_by",)) for key in keys):
            if isinstance(listed, Mapping):
                key = group_name(key)
            group = groups.setdefault(key, Group(key, listed is None))
            group.subjects.append(subject)
            group.size += weight
    if reading is not None and case.data.get("other_groups") != "allowed":
        names = ", ".join(group_name(key) for key in listed or ())
        for group in groups.values():
            for subject in () if group.listed else group.subjects:
                text = f"“{subject.label}” is in group {show(group.key)}, which is not one of {names}"
                case.fail(text, subject, reading.place(subject))
    return groups


def side_of(case: Case, *path: str) -> tuple[str, list[tuple[Key, Subject | None]]]:
    """Return a side of a rule: its title and its values, each with its card, or None for a listed value.
    Raises BrokenRuleError."""
    listed = case.parameter((*path, "list"))
    if listed is not None:
        return "the list", [(key, None) for key in listed]
    selection = case.select(*path)
    values = selection.reading(*path, "values")
    return selection.name, [(key, subject) for subject in selection for key in values.keys(subject)]


def group_key(value: Any, subject: Subject | None, path: Path) -> Key:
    """Return a value as a group's key. Raises BrokenRuleError for lists and mappings."""
    if value is None or value == None:  # noqa: E711 (an absent field equals none)
        return None
    if isinstance(value, (str, bool, int, float)):
        return value
    raise BrokenRuleError(f"{show(value)} can't name a group; use a word or a number", path, None, subject)


def group_name(key: Key) -> str:
    """Return a group's name in a sentence or a chart."""
    return "none" if key is None else str(key).lower() if isinstance(key, bool) else str(key)


_VALUE = re.compile(r"\{([^{}]+)\}")
_PATH = ("message",)


def wording(
    case: Case, sources: tuple[str, ...], extra: Mapping[str, Sequence[Any]] | None = None
) -> Callable[[Callable[[Reading], Any]], str] | None:
    """Return a formatter of the rule's message, or None without one. It takes a function that evaluates
    expressions, which may read the cards of `sources` and the names in `extra`. Raises BrokenRuleError."""
    text = case.parameter(_PATH)
    if text is None:
        return None
    parts = _VALUE.split(text)  # text, expression, text, expression …
    found = [case.compile(source.strip(), _PATH, sources, extra) for source in parts[1::2]]

    def message(value_of: Callable[[Reading], Any]) -> str:
        values = [in_message(value_of(part)) for part in found]
        return "".join(part + value for part, value in zip(parts[::2], [*values, ""], strict=True))

    return message


def in_message(value: Any) -> str:
    """Return a value for an author's sentence: words without quotes, lists without brackets."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_message, value)) or "none"
    return show(value)
