"""What rules look at: cards and rows of data tables, as the values that expressions read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from cardgen.checking.expressions import Chain, Engine, Expression, ExpressionError, UnfitExpressionError
from cardgen.checking.language import Absent
from cardgen.findings import Location, nearest
from cardgen.model.deck_lists import DECK, DeckList
from cardgen.model.game import Card, Game
from cardgen.sandbox import Budget, BudgetError, Function, WrongValueError
from cardgen.sandbox.texts import whole

MAX_RANGE = 10_000
"""Most numbers that `range` gives."""

RESERVED = ("component", "copies", "number")
"""Names every card has beside its fields."""


@dataclass(eq=False)
class UnknownNameError(Exception):
    """A component, table or field that does not exist. `hint` may name the one that was meant."""

    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A card, or a row of a table. `values` is what expressions read: its fields by their names,
    the reserved names and the functions. `location` is the line of a deck list that names a card;
    others are found by `file` and `path`."""

    label: str
    source: str
    values: Mapping[str, Any]
    fields: Mapping[str, Any]
    copies: int
    file: str
    path: tuple[str | int, ...]
    location: Location | None = None

    @property
    def card(self) -> dict[str, Any]:
        """The card as expressions see it that read several."""
        return {**self.fields, "copies": self.copies, "component": self.source}


def meant(word: str, words: Iterable[str]) -> str | None:
    """A hint naming the close words, or what there is."""
    known = sorted(words)
    close = nearest(word, known)
    if close is not None:
        return f"did you mean “{close}”?"
    return f"there is: {', '.join(known[:12])}{', …' if len(known) > 12 else ''}" if known else None


_PATTERN = frozenset("*?[")
"""What makes a name a pattern of several."""


def items_of(value: Any) -> list[Any]:
    """The members of a list (or of what a filter gives); of anything else itself; none of nothing."""
    if value is None or isinstance(value, Absent):
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def copies_of(fields: Mapping[str, Any], players: int | None, otherwise: int) -> int:
    """How many of a card are printed for that many players; `otherwise` where it does not depend."""
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


class Pool:
    """All subjects of a game, found by component or table, filtered once for each filter.

    With a `deck` its cards are one more component, DECK, and what a rule looks at that names none.
    """

    def __init__(self, game: Game, defines: Mapping[str, str], deck: DeckList | None = None) -> None:
        self.game = game
        self.deck = deck
        self.engine = Engine(self._known_key, defines, game.effects)
        ids = (component.id for component in game.components)
        self._plain = frozenset(id for id in ids if not _PATTERN.intersection(id) and id != DECK)
        self._subjects: dict[str, tuple[Subject, ...]] = {}
        self._selected: dict[tuple[tuple[str, ...], str | None], tuple[Subject, ...]] = {}
        self._keys: frozenset[str] | None = None
        self._fields: dict[tuple[str, ...], frozenset[str]] = {}
        self._lookups: dict[tuple[tuple[str, ...], str], dict[Any, Mapping[str, Any]]] = {}
        self._lists: dict[str, list[Mapping[str, Any]]] = {}
        self._below: dict[tuple[tuple[str, ...], Chain], frozenset[str] | None] = {}
        self.globals: dict[str, Any] = {
            "game": {
                "id": game.id,
                "title": game.title,
                "version": game.version,
                "players": {"min": game.players[0], "max": game.players[1]},
            },
            "tables": game.tables,
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

    # -- sources ---------------------------------------------------------------------------------

    @property
    def everything(self) -> tuple[str, ...]:
        """What a rule looks at that names no component."""
        return (DECK,) if self.deck else tuple(component.id for component in self.game.components)

    @property
    def everything_name(self) -> str:
        return "the deck" if self.deck else "the whole game"

    def components(self, name: str) -> tuple[str, ...]:
        """That component, or all for "*". Raises UnknownNameError."""
        if name in self._plain:
            return (name,)
        known = [component.id for component in self.game.components]
        if self.deck is not None:
            if name == DECK:
                return (DECK,)
            known.append(DECK)
            if _PATTERN.intersection(name):  # every card once: the deck's are of the pool
                known.pop()
        found = tuple(id for id in known if fnmatchcase(id, name))
        if not found:
            raise UnknownNameError(f"the game has no component “{name}”", meant(name, known))
        return found

    def tables(self, address: str) -> tuple[str, ...]:
        """The addresses of lists in the data tables; the first part may hold * for several tables."""
        stem, _, rest = address.partition(".")
        stems = sorted(name for name in self.game.tables if fnmatchcase(name, stem))
        if not stems:
            raise UnknownNameError(f"the game has no data table “{stem}”", meant(stem, self.game.tables))
        return tuple(f"table:{name}{'.' if rest else ''}{rest}" for name in stems)

    def subjects(self, source: str) -> tuple[Subject, ...]:
        """All cards of a component, or rows of a `table:` address. Raises UnknownNameError."""
        if source not in self._subjects:
            if source.startswith("table:"):
                self._subjects[source] = tuple(self._rows(source))
            elif source == DECK and self.deck is not None:
                self._subjects[source] = tuple(self._entries(self.deck))
            else:
                cards = self.game.component(source).cards
                self._subjects[source] = tuple(self._card(card) for card in cards)
        return self._subjects[source]

    def _card(self, card: Card) -> Subject:
        values = {
            **self.globals,
            "component": card.component,
            "number": card.number,
            **card.fields,
            "copies": card.copies,
        }
        label = str(card.fields.get("title") or card.id)
        return Subject(label, card.component, values, card.fields, card.copies, card.file, card.path)

    def _entries(self, deck: DeckList) -> Iterator[Subject]:
        cards = {card.id: card for card in self.game.component(deck.component).cards}
        for entry in deck.entries:
            subject = self._card(cards[entry.card])
            values = {**subject.values, "component": DECK, "copies": entry.copies}
            yield replace(subject, source=DECK, values=values, copies=entry.copies, location=entry.location)

    def kin(self, source: str) -> str:
        """The source whose cards tell which fields there are: a deck may have no card with one."""
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
        if not isinstance(value, (list, tuple)) or not all(isinstance(row, Mapping) for row in value):
            raise UnknownNameError(
                f"“{source.removeprefix('table:')}” is not a list of entries with fields"
            )
        names = [f"/{stem}.yaml", f"/{stem}.yml"]
        file = next((file for file in self.game.sources if file.endswith(tuple(names))), "")
        for index, row in enumerate(value):
            count = row.get("copies", 1)
            copies = count if isinstance(count, int) and not isinstance(count, bool) else 1
            values = {**self.globals, "component": source, "number": index + 1, **row, "copies": copies}
            label = str(row.get("title") or row.get("name") or row.get("id") or f"entry {index + 1}")
            yield Subject(label, source, values, row, copies, file, (*path, index))

    # -- selections ------------------------------------------------------------------------------

    def select(
        self, sources: tuple[str, ...], where: Expression | None, given: Mapping[str, Any] | None = None
    ) -> tuple[Subject, ...]:
        """The subjects of those sources that the filter holds for, worked out once for each filter
        (each time for one that reads the `given` names).

        Raises SubjectError where the filter cannot be worked out for one of them.
        """
        more = {name: value for name, value in (given or {}).items() if where and name in where.names}
        key = (sources, where.source if where else None)
        if key in self._selected and not more:
            return self._selected[key]
        found = tuple(
            subject
            for source in sources
            for subject in self.subjects(source)
            if where is None or evaluate(where, subject, **more)
        )
        if not more:
            self._selected[key] = found
        return found

    # -- names -----------------------------------------------------------------------------------

    def fields(self, sources: tuple[str, ...]) -> frozenset[str]:
        """Every field that a subject of those sources has, or its schema declares."""
        if sources not in self._fields:
            names: set[str] = set(RESERVED)
            self.budget.step(sum(len(self.subjects(source)) for source in sources) // 5)
            for source in map(self.kin, sources):
                if not source.startswith("table:"):
                    names.update(self.game.component(source).declared)
                for subject in self.subjects(source):
                    names.update(subject.fields)
            self._fields[sources] = frozenset(name for name in names if isinstance(name, str))
        return self._fields[sources]

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
                    f"`{expression.source}` reads “{name}”, which {self._nobody(sources)}",
                    meant(name, known),
                )

    def _nobody(self, sources: tuple[str, ...]) -> str:
        if not sources:
            return "is not a name here"
        return f"no card of {' or '.join(f'“{source}”' for source in sources)} has"

    def _check_fields(self, chain: Chain, sources: tuple[str, ...]) -> None:
        for end in range(1, len(chain)):
            key = (sources, chain[:end])
            if key not in self._below:
                kin = list(map(self.kin, sources))
                self.budget.step(sum(len(self.subjects(source)) for source in kin) // 5)
                values = (subject.values for source in kin for subject in self.subjects(source))
                self._below[key] = _keys_below(values, chain[:end])
            _must_know(chain, end, self._below[key], self._nobody(sources))

    def _check_below(self, chain: Chain, values: list[Any], owner: str) -> None:
        for end in range(1, len(chain)):
            keys = _keys_below(({chain[0]: value} for value in values), chain[:end])
            _must_know(chain, end, keys, f"{owner} has not")

    def _known_key(self, name: str) -> bool:
        if self._keys is None:
            keys: set[str] = set()
            for card in self.game.cards():
                _gather(card.fields, keys)
            _gather(self.game.tables, keys)
            _gather(self.globals.get("decks"), keys)
            for component in self.game.components:
                keys.update(component.declared)
            self._keys = frozenset(keys)
        return name in self._keys or name in RESERVED

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
        """The cards as expressions see them in a list; made once, for no expression can change it."""
        if source not in self._lists:
            self._lists[source] = [subject.card for subject in self.subjects(source)]
        return self._lists[source]

    def _copies_in(self, component: Any, players: Any = None) -> int:
        sources = self._component(component)
        self.budget.step(sum(len(self.subjects(source)) for source in sources))
        wanted = None if players is None else whole(players)
        return sum(
            copies_of(subject.fields, None if source == DECK else wanted, subject.copies)
            for source in sources
            for subject in self.subjects(source)
        )

    def _lookup(self, component: Any, field: Any, value: Any) -> Mapping[str, Any] | Absent:
        sources = self._component(component)
        if not isinstance(field, str):
            raise WrongValueError("a field is named by text")
        key = (sources, str(field))
        if key not in self._lookups:
            known = self.fields(sources)
            if field not in known:
                raise WrongValueError(f"no card of “{component}” has “{field}”; {meant(field, known)}")
            self.budget.step(sum(len(self.subjects(source)) for source in sources))
            self._lookups[key] = {}
            for card in self._cards(component):
                if isinstance(found := card.get(field), (str, int, float)):
                    self._lookups[key].setdefault(found, card)
        if not isinstance(value, (str, int, float)):
            return Absent(name="")
        found_card = self._lookups[key].get(value)
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
    """A deck list as expressions read it."""
    cards = [{"id": entry.card, "copies": entry.copies} for entry in deck.entries]
    return {"id": deck.id, "title": deck.title, "copies": deck.copies, "cards": cards}


class SubjectError(Exception):
    """An expression that could not be worked out for one subject; None if it could for none."""

    def __init__(self, subject: Subject | None, message: str) -> None:
        super().__init__(message)
        self.subject = subject


def evaluate(expression: Expression, subject: Subject, **more: Any) -> Any:
    """The expression's value for a subject, with further variables. Raises SubjectError."""
    try:
        return expression({**subject.values, **more} if more else subject.values)
    except ExpressionError as error:
        blamed = None if isinstance(error, UnfitExpressionError) else subject
        raise SubjectError(blamed, str(error)) from None


_METHODS = frozenset({"get", "items", "keys", "values"})


def _keys_below(values: Iterable[Any], chain: Chain) -> frozenset[str] | None:
    """The keys of all mappings found there; None where there is anything else, or nothing."""
    keys: set[str] = set()
    for value in values:
        for name in chain:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, Mapping):
            keys.update(str(key) for key in value)
        elif value is not None and not isinstance(value, Absent):
            return None
    return frozenset(keys) if keys else None


def _gather(value: Any, keys: set[str], depth: int = 0) -> None:
    """Add the keys of all mappings inside a value, however deep, to `keys`."""
    if depth > 40:
        return
    if isinstance(value, Mapping):
        keys.update(key for key in value if isinstance(key, str))
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            _gather(item, keys, depth + 1)


def _must_know(chain: Chain, end: int, keys: frozenset[str] | None, owner: str) -> None:
    if keys is not None and chain[end] not in keys and chain[end] not in _METHODS:
        raise UnknownNameError(
            f"`{'.'.join(chain)}` reads “{chain[end]}”, which {owner}", meant(chain[end], keys)
        )
