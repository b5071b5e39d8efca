"""Provide the cards and tables that rules read, and record what each rule read."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, TypeVar

from cardgen.core.findings import Location, nearest
from cardgen.core.game import DECK, Card, DeckList, Game, fits
from cardgen.core.records import dataclass, field, replace
from cardgen.expressions.budget import Budget, BudgetError, Note, Watched, WrongValueError, shown
from cardgen.expressions.values import Function, whole
from cardgen.rules.expressions import (
    Absent,
    Chain,
    Engine,
    Expression,
    ExpressionError,
    UnfitExpressionError,
    gather,
    keys_below,
)

MAX_RANGE = 10_000
"""Most numbers that `range` gives."""

RESERVED = ("component", "copies", "number")
"""Names every card has beside its fields."""

_PATTERN = frozenset("*?[")
"""The signs that make a name a pattern of several."""

Made = TypeVar("Made")


class Pool:
    """All subjects of a game, found by component or table, filtered once for each filter.

    With a `deck`, its cards are a further component, DECK, the default of its rules. `reads` collects what
    is read of the game since the last `begin`.
    """

    def __init__(self, game: Game, defines: Mapping[str, str], deck: DeckList | None = None) -> None:
        self.game = game
        self.deck = deck
        self.engine = Engine(self._known_key, defines, game.effects)
        ids = (component.id for component in game.components)
        self._plain = frozenset(id for id in ids if not _PATTERN.intersection(id) and id != DECK)
        self._subjects: dict[str, tuple[Subject, ...]] = {}
        self._lists: dict[str, list[Mapping[str, Any]]] = {}
        self._made: dict[Hashable, tuple[Any, Reads, int]] = {}
        self._used: set[Hashable] = set()
        self._notes: dict[str, Note] = {}
        self.reads = Reads()
        self.globals: dict[str, Any] = {
            "game": {
                "id": game.id,
                "title": game.title,
                "version": game.version,
                "players": {"min": game.players[0], "max": game.players[1]},
            },
            "tables": Watched({**game.tables}, self._note_of(TABLES)),
            "theme": Watched({**game.theme}, self._note_of(THEME)),
            **({"decks": [_shown(each) for each in game.decks]} if game.deck_source else {}),
            **({"deck": _shown(deck)} if deck else {}),
            "cards": Function("cards", self._cards),
            "copies_in": Function("copies_in", self._copies_in),
            "lookup": Function("lookup", self._lookup),
            "range": Function("range", self._range),
        }

    @property
    def budget(self) -> Budget:
        return self.engine.budget

    # -- recording reads -------------------------------------------------------------------------

    def begin(self, steps: int) -> None:
        """Begin a rule, and limit the steps of its expressions."""
        self.engine.begin(steps)
        self.reads, self._used = Reads(), set()

    @cached_property
    def about(self) -> str | None:
        """Return a digest of what any rule may read unrecorded; None if there is no digest."""
        game, deck = self.game, self.deck
        values = [self.globals.get(name) for name in ("game", "decks", "deck")]
        components = [(component.id, sorted(component.declared)) for component in game.components]
        effects = None if game.effects is None else repr(game.effects)
        home = None if deck is None else deck.component
        return digest_of(
            [*values, components, list(game.tables), home, effects, list(self.engine.defines.items())]
        )

    @cached_property
    def digests(self) -> ReadDigests:
        """Digests of the game's data."""
        return ReadDigests(self)

    def place_of(self, subject: Subject) -> int:
        """Return the subject's index in its source. Raises LookupError if it isn't there."""
        for place, each in enumerate(self.subjects(subject.source)):
            if each is subject:
                return place
        raise LookupError(subject.label)

    def _note_of(self, source: str) -> Note:
        if source not in self._notes:
            self._notes[source] = lambda key: self.reads.note(source, key)
        return self._notes[source]

    def _once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return the result of `make`, computed once. Each rule that needs it is charged its steps and
        reads, so that rules don't depend on each other."""
        if key in self._used:
            return self._made[key][0]  # type: ignore[no-any-return]
        if key in self._made and self._made[key][2] <= self.budget.left:
            value, reads, steps = self._made[key]
            self.budget.step(steps)
        else:
            outer, self.reads = self.reads, Reads()
            used, self._used = self._used, set()
            before = self.budget.taken
            try:
                value = make()
            finally:
                reads, self.reads, self._used = self.reads, outer, used
                outer.add(reads)
            self._made[key] = value, reads, self.budget.taken - before
        self._used.add(key)
        self.reads.add(reads)
        return value  # type: ignore[no-any-return]

    # -- sources ---------------------------------------------------------------------------------

    @property
    def everything(self) -> tuple[str, ...]:
        """Return the component of a rule that names none."""
        if self.deck:
            return (DECK,)
        return tuple(each.id for each in self.game.components if each.box is None)

    @property
    def everything_name(self) -> str:
        return "the deck" if self.deck else "the whole game"

    def components(self, name: str) -> tuple[str, ...]:
        """Return that component, or all for "*". Raises UnknownNameError."""
        if name in self._plain:
            return (name,)
        known = [component.id for component in self.game.components if component.box is None]
        if self.deck is not None:
            if name == DECK:
                return (DECK,)
            known.append(DECK)
            if _PATTERN.intersection(name):  # every card once: the deck's are also in the pool
                known.pop()
        found = tuple(id for id in known if fits(id, name))
        if not found:
            raise UnknownNameError(f"the game has no component “{name}”", meant(name, known))
        return found

    def tables(self, address: str) -> tuple[str, ...]:
        """Return the addresses of lists in the data tables; a * in the first part means several tables."""
        stem, _, rest = address.partition(".")
        stems = sorted(name for name in self.game.tables if fits(name, stem))
        if not stems:
            raise UnknownNameError(f"the game has no data table “{stem}”", meant(stem, self.game.tables))
        return tuple(f"table:{name}{'.' if rest else ''}{rest}" for name in stems)

    def subjects(self, source: str) -> tuple[Subject, ...]:
        """Return all cards of a component, rows of a `table:` address or the THEME. Raises
        UnknownNameError."""
        self.reads.sources.add(source)
        if source not in self._subjects:
            if source.startswith("table:"):
                self._subjects[source] = tuple(self._rows(source))
            elif source == THEME:
                self._subjects[source] = (theme_of(self.game, self.globals, self._note_of(source)),)
            elif source == DECK and self.deck is not None:
                self._subjects[source] = tuple(self._entries(self.deck))
            else:
                cards = self.game.component(source).cards
                self._subjects[source] = tuple(self._card(card) for card in cards)
        return self._subjects[source]

    def _card(self, card: Card) -> Subject:
        fields = card.fields
        values = {
            **self.globals,
            "component": card.component,
            "number": card.number,
            **fields,
            "copies": card.copies,
        }
        label = str(fields.get("title") or card.id)
        note = self._note_of(card.component)
        return Subject(label, card.component, values, fields, card.copies, card.file, card.path, note)

    def _entries(self, deck: DeckList) -> Iterator[Subject]:
        cards = {card.id: card for card in self.game.component(deck.component).cards}
        for entry in deck.entries:
            subject = self._card(cards[entry.card])
            values = {**subject.values, "component": DECK, "copies": entry.copies}
            yield replace(
                subject,
                source=DECK,
                values=values,
                copies=entry.copies,
                location=entry.location,
                note=self._note_of(DECK),
            )

    def origin(self, source: str) -> str:
        """Return the source whose cards declare the fields: a deck may have no card with one."""
        return self.deck.component if self.deck is not None and source == DECK else source

    def _rows(self, source: str) -> Iterator[Subject]:
        stem, *path = source.removeprefix("table:").split(".")
        value: Any = self.game.tables[stem]
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                known = value if isinstance(value, Mapping) else ()
                raise UnknownNameError(
                    f"the data table “{stem}” has no list “{'.'.join(path)}”", meant(key, known)
                )
            value = value[key]
        # Entries of a list have numbers, those of a mapping keys.
        entries = (
            list(value.items() if isinstance(value, Mapping) else enumerate(value))
            if isinstance(value, (Mapping, list, tuple))
            else None
        )
        if entries is None or not all(isinstance(row, Mapping) for _, row in entries):
            raise UnknownNameError(
                f"“{source.removeprefix('table:')}” is not a list or mapping of entries with fields"
            )
        names = [f"/{stem}.yaml", f"/{stem}.yml", f"/{stem}.json"]
        file = next((file for file in self.game.sources if file.endswith(tuple(names))), "")
        for index, (key, row) in enumerate(entries):
            count = row.get("copies", 1)
            copies = count if isinstance(count, int) and not isinstance(count, bool) else 1
            values = {**self.globals, "component": source, "number": index + 1, **row, "copies": copies}
            label = str(row.get("title") or row.get("name") or row.get("id") or f"entry {index + 1}")
            yield Subject(label, source, values, row, copies, file, (*path, key), self._note_of(source))

    def bearer(self, value: Any) -> Subject | None:
        """Return the card or the row of a table that a value of `cards()` or `tables` stands for; None for
        other values."""
        if isinstance(value, Watched) and "component" in value.names():
            source, id = str(dict.get(value, "component")), dict.get(value, "id")
            return next((each for each in self.subjects(source) if each.fields.get("id") == id), None)
        if not isinstance(value, Mapping):
            return None
        for stem, table in self.game.tables.items():
            path = path_to(value, table)
            if path:
                rows = self.subjects(".".join((f"table:{stem}", *map(str, path[:-1]))))
                return next((each for each in rows if each.fields is value), None)
        return None

    # -- selections ------------------------------------------------------------------------------

    def select(
        self, sources: tuple[str, ...], where: Expression | None, given: Mapping[str, Any] | None = None
    ) -> tuple[Subject, ...]:
        """Return the subjects of those sources that match the filter, evaluated once for each filter (again
        if it reads the `given` names).

        Raises SubjectError if the filter can't be evaluated for one of them.
        """
        more = {name: value for name, value in (given or {}).items() if where and name in where.names}

        def select() -> tuple[Subject, ...]:
            return tuple(
                subject
                for source in sources
                for subject in self.subjects(source)
                if where is None or evaluate(where, subject, **more)
            )

        return (
            select() if more else self._once(("select", sources, where.source if where else None), select)
        )

    # -- names -----------------------------------------------------------------------------------

    def fields(self, sources: tuple[str, ...]) -> frozenset[str]:
        """Return every field that a subject of those sources has or its schema declares."""
        return self._once(("fields", sources), partial(self._fields, sources))

    def _fields(self, sources: tuple[str, ...]) -> frozenset[str]:
        names: set[str] = set(RESERVED)
        self.budget.step(sum(len(self.subjects(source)) for source in sources) // 5)
        for source in map(self.origin, sources):
            if not source.startswith("table:"):
                names.update(self.game.component(source).declared)
            for subject in self.subjects(source):
                names.update(subject.fields)
        return frozenset(name for name in names if isinstance(name, str))

    def check(
        self,
        expression: Expression,
        sources: tuple[str, ...],
        extra: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        """Raise UnknownNameError if the expression reads a name that does not exist.

        `extra` names further variables with samples of their values (none: nothing is known).
        """
        more = extra or {}
        for chain in expression.chains:
            name = chain[0]
            if name in more:
                self._check_below(chain, list(more[name]), f"“{name}”")
            elif name in self.fields(sources):
                self._check_fields(chain, sources)
            elif name in self.globals:
                self._check_below(chain, [self.globals[name]], f"“{name}”")
            else:
                known = {*more, *self.fields(sources), *self.globals, *self.engine.defines}
                raise UnknownNameError(
                    f"`{expression.source}` reads “{name}”, which {self._unknown_source(sources)}",
                    meant(name, known),
                )

    def _unknown_source(self, sources: tuple[str, ...]) -> str:
        if not sources:
            return "is not a name here"
        return f"no card of {' or '.join(f'“{source}”' for source in sources)} has"

    def _check_fields(self, chain: Chain, sources: tuple[str, ...]) -> None:
        for end in range(1, len(chain)):
            part = chain[:end]
            keys = self._once(("below", sources, part), partial(self._below, sources, part))
            _check_name(chain, end, keys, self._unknown_source(sources))

    def _below(self, sources: tuple[str, ...], chain: Chain) -> frozenset[str] | None:
        """Return the keys below a field, or below the entries of its value, as `keys_below` does."""
        origin = list(map(self.origin, sources))
        self.budget.step(sum(len(self.subjects(source)) for source in origin) // 5)
        for source in origin:
            self.reads.note(source, chain[:1])
        return keys_below((subject.values for source in origin for subject in self.subjects(source)), chain)

    def _check_below(self, chain: Chain, values: list[Any], owner: str) -> None:
        for end in range(1, len(chain)):
            keys = keys_below(({chain[0]: value} for value in values), chain[:end])
            _check_name(chain, end, keys, f"{owner} lacks")

    def _known_key(self, name: str) -> bool:
        known = self.reads.keys[name] = self.has_key(name)
        return known

    def has_key(self, name: str) -> bool:
        return name in self._keys or name in RESERVED

    @cached_property
    def _keys(self) -> frozenset[str]:
        keys: set[str] = set()
        for card in self.game.cards():
            gather(card.fields, keys)
        gather((self.game.tables, self.game.theme), keys)
        gather(self.globals.get("decks"), keys)
        for component in self.game.components:
            keys.update(component.declared)
        return frozenset(keys)

    # -- functions of the expressions ------------------------------------------------------------

    def _component(self, name: Any) -> tuple[str, ...]:
        if not isinstance(name, str):
            raise WrongValueError("a component is named by its id")
        try:
            return self.components(name)
        except UnknownNameError as problem:
            hint = f"; {problem.hint}" if problem.hint else ""
            raise WrongValueError(f"{problem.message}{hint}") from None

    def _cards(self, component: Any) -> list[Mapping[str, Any]]:
        found = [self._list(source) for source in self._component(component)]
        self.budget.step(sum(map(len, found)))
        return found[0] if len(found) == 1 else [card for cards in found for card in cards]

    def _list(self, source: str) -> list[Mapping[str, Any]]:
        """Return the cards for lists in expressions, made once since expressions can't change them."""
        self.reads.sources.add(source)
        if source not in self._lists:
            self._lists[source] = [subject.card for subject in self.subjects(source)]
        return self._lists[source]

    def _copies_in(self, component: Any, players: Any = None, card: Any = None) -> int:
        sources = self._component(component)
        subjects = [subject for source in sources for subject in self.subjects(source)]
        self.budget.step(len(subjects))
        for source in sources:
            self.reads.note(source, ("copies",) if card is None else ("copies", "id"))
        if card is not None:
            subjects = [subject for subject in subjects if subject.fields.get("id") == card]
            if not subjects:
                raise WrongValueError(f"no card of “{component}” has the id {shown(card)}")
        wanted = None if players is None or DECK in sources else whole(players)
        return sum(copies_of(subject.fields, wanted, subject.copies) for subject in subjects)

    def _lookup(self, component: Any, field: Any, value: Any) -> Mapping[str, Any] | Absent:
        sources = self._component(component)
        if not isinstance(field, str):
            raise WrongValueError("a field is named by text")

        def index() -> dict[Any, Mapping[str, Any]]:
            known = self.fields(sources)
            if field not in known:
                raise WrongValueError(f"no card of “{component}” has “{field}”; {meant(field, known)}")
            self.budget.step(sum(len(self.subjects(source)) for source in sources))
            first: dict[Any, Mapping[str, Any]] = {}
            for card in self._cards(component):
                if isinstance(found := card.get(field), (str, int, float)):
                    first.setdefault(found, card)
            return first

        cards = self._once(("lookup", sources, str(field)), index)
        if not isinstance(value, (str, int, float)):
            return Absent(name="")
        found_card = cards.get(value)
        return Absent(name="") if found_card is None else found_card

    def _range(self, *ends: Any) -> list[int]:
        if not 1 <= len(ends) <= 3:
            raise WrongValueError("range takes one to three whole numbers")
        numbers = range(*map(whole, ends))
        if numbers[MAX_RANGE : MAX_RANGE + 1]:
            raise BudgetError(f"`range` gives at most {MAX_RANGE:,} numbers")
        self.budget.step(len(numbers))
        return list(numbers)


def _shown(deck: DeckList) -> dict[str, Any]:
    """Return a deck list for expressions."""
    cards = [{"id": entry.card, "copies": entry.copies} for entry in deck.entries]
    return {"id": deck.id, "title": deck.title, "copies": deck.copies, "cards": cards}


_METHODS = frozenset({"get", "items", "keys", "values"})


def _check_name(chain: Chain, end: int, keys: frozenset[str] | None, owner: str) -> None:
    if keys is not None and chain[end] not in keys and chain[end] not in _METHODS:
        raise UnknownNameError(
            f"`{'.'.join(chain)}` reads “{chain[end]}”, which {owner}", meant(chain[end], keys)
        )


THEME = "theme:"
"""The source with one subject, the game's theme. Components can't have this name."""

_FUNCTIONS = ("cards", "copies_in", "lookup", "range")
_NO_CALL = "can't be called"


@dataclass(eq=False)
class UnknownNameError(Exception):
    """A component, table or field that doesn't exist. `hint` may contain the nearest name."""

    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A card, or a row of a table. `values` are for expressions: its fields by name, the reserved names and
    the functions. `location` is the line of a deck list that names a card; others are found by `file` and
    `path`. `note` is called with the names whose values are read."""

    label: str
    source: str
    values: Mapping[str, Any]
    fields: Mapping[str, Any]
    copies: int
    file: str
    path: tuple[str | int, ...]
    note: Note
    location: Location | None = None

    @property
    def card(self) -> Watched:
        """Return the card for expressions that read several."""
        return Watched({**self.fields, "copies": self.copies, "component": self.source}, self.note)

    @property
    def address(self) -> str:
        """Return its place for a sentence: `cards[3] in data/demo/cards.yaml`."""
        path = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path).lstrip(".")
        return f"{path} in {self.file}"


def theme_of(game: Game, values: Mapping[str, Any], note: Note) -> Subject:
    """Return the game's theme as a subject."""
    file = f"data/{game.id}/game.yaml"
    return Subject("the theme", THEME, {**values, "number": 1}, game.theme, 1, file, ("theme",), note)


def meant(word: str, words: Iterable[str]) -> str | None:
    """Return a hint with the nearest word, or some of the words."""
    known = sorted(words)
    close = nearest(word, known)
    if close is not None:
        return f"did you mean “{close}”?"
    some = f"{', '.join(known[:12])}{', …' if len(known) > 12 else ''}"
    return f"use {'one of: ' if len(known) > 1 else ''}{some}" if known else None


def path_to(wanted: Mapping[str, Any], value: Any) -> tuple[str | int, ...]:
    """Return the path of a mapping in lists and mappings; empty if it isn't there."""
    entries = (
        value.items()
        if isinstance(value, Mapping)
        else enumerate(value if isinstance(value, list | tuple) else ())
    )
    for key, entry in entries:
        if entry is wanted:
            return (key,)
        if isinstance(entry, (Mapping, list, tuple)) and (below := path_to(wanted, entry)):
            return (key, *below)
    return ()


def items_of(value: Any) -> list[Any]:
    """Return the members of a list (or of a filter's result); of another value itself; none of null."""
    if value is None or isinstance(value, Absent):
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def copies_of(fields: Mapping[str, Any], players: int | None, otherwise: int) -> int:
    """Count how many copies of a card are printed for that many players; `otherwise` if it doesn't depend
    on them."""
    copies = fields.get("copies")
    if players is None or not isinstance(copies, Mapping):
        return otherwise
    if isinstance(each := copies.get("per_player"), int):
        return each * players
    by_players = copies.get("by_players")
    found = (
        by_players.get(players, by_players.get(str(players))) if isinstance(by_players, Mapping) else None
    )
    return found if isinstance(found, int) else otherwise


class SubjectError(Exception):
    """An expression that couldn't be evaluated for one subject; None if it could for none."""

    def __init__(self, subject: Subject | None, message: str) -> None:
        super().__init__(message)
        self.subject = subject


def evaluate(expression: Expression, subject: Subject, **more: Any) -> Any:
    """Return the expression's value for a subject, with further variables. Raises SubjectError."""
    subject.note(expression.names)
    try:
        return expression({**subject.values, **more} if more else subject.values)
    except ExpressionError as error:
        blamed = None if isinstance(error, UnfitExpressionError) else subject
        hidden = [name for name in _FUNCTIONS if name in expression.names and name in subject.fields]
        why = f": the field “{hidden[0]}” hides the function" if hidden and _NO_CALL in str(error) else ""
        raise SubjectError(blamed, f"{error}{why}") from None


TABLES = "tables"
"""The source of the game's data tables, whose columns are whole tables. It has no entries."""

Source = str
"""A component, the deck or the address of a table, as in `Pool.subjects`."""


@dataclass(slots=True)
class Reads:
    """A record of everything that was read.

    Of `sources`, the list of cards was read: number, order, names, places, copies and fields. Of `columns`,
    fields of these cards were read; of `whole` sources all fields. `keys` records if anything in the game
    has a key.
    """

    sources: set[Source] = field(default_factory=set)
    columns: set[tuple[Source, tuple[str, ...]]] = field(default_factory=set)
    whole: set[Source] = field(default_factory=set)
    keys: dict[str, bool] = field(default_factory=dict)

    def add(self, other: Reads) -> None:
        """Add everything that another record contains."""
        self.sources |= other.sources
        self.columns |= other.columns
        self.whole |= other.whole
        self.keys.update(other.keys)

    def note(self, source: Source, key: Any) -> None:
        """Record that a key of a card (or of the tables) was requested, or all of these, or WHOLE."""
        if type(key) is tuple:
            self.columns.add((source, key))
        elif type(key) is str:
            self.columns.add((source, (key,)))
        else:  # WHOLE, or a key that only looks like one that could be
            self.whole.add(source)

    def plain(self) -> list[Any]:
        """Return the record as JSON, in a fixed order."""
        columns = {(source, name) for source, names in self.columns for name in names}
        # Reading a whole card includes reading its name.
        sources = self.sources | {source for source, _ in columns} | self.whole
        return [
            sorted(sources - {TABLES}),
            sorted([source, name] for source, name in columns),
            sorted(self.whole),
            sorted([key, answer] for key, answer in self.keys.items()),
        ]


class ReadDigests:
    """Digests of a game's data, each computed once."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: dict[tuple[Source, str | None, bool], bytes | None] = {}

    def of(self, reads: list[Any]) -> str | None:
        """Return the current digest of the data that `Reads.plain` names; None if there is none. Raises
        UnknownNameError for a source that is no longer there."""
        sources, columns, whole, keys = reads
        if any(self._pool.has_key(key) is not answer for key, answer in keys):
            return None
        parts = [self._digest(source, None, of_cards=True) for source in sources]
        parts += [self._digest(source, name) for source, name in columns]
        parts += [self._digest(source, None) for source in whole]
        return None if None in parts else digest_of([reads, *parts])

    def _digest(self, source: Source, name: str | None, *, of_cards: bool = False) -> bytes | None:
        """Return a digest of a source's field or all its fields (or tables), or of its cards' names."""
        key = (source, name, of_cards)
        if key not in self._known:
            read = self._cards(source) if of_cards else self._values(source, name)
            plain = spelled(read)
            self._known[key] = None if plain is None else blake2b(plain, digest_size=16).digest()
        return self._known[key]

    def _values(self, source: Source, name: str | None) -> Any:
        tables = self._pool.game.tables
        if source == TABLES:
            return tables if name is None else tables.get(name, ...)
        rows = (each.fields for each in self._pool.subjects(source))
        return [fields if name is None else fields.get(name, ...) for fields in rows]  # null is a value too

    def _cards(self, source: Source) -> list[Any]:
        return [
            ((each.label, each.copies, each.file, each.path, each.values["number"]), list(each.fields))
            for each in self._pool.subjects(source)
        ]


def spelled(value: Any) -> bytes | None:
    """Return a spelling of plain data with types, the order of keys and every digit; None for other data.
    Version 0 has no references, so equal data have the same spelling even if they share parts."""
    try:
        return marshal.dumps(value, 0)
    except ValueError:
        return None


def digest_of(value: Any) -> str | None:
    """Return a digest of plain data; None for other data."""
    plain = spelled(value)
    return None if plain is None else blake2b(plain, digest_size=16).hexdigest()
