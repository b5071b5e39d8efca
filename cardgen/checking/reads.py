"""What judging a rule reads of a game: its verdict holds as long as all that it read is the same."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

TABLES = "tables"
"""What stands for the game's data tables where others have a component or a table's address: its columns
are whole tables. No source is called so, for this one has no entries of its own."""

Source = str
"""A component, the deck or the address of a table, as `Pool.subjects` takes it."""


@dataclass(slots=True)
class Reads:
    """What was read.

    Of the `sources` it was asked which cards there are: how many, in which order, what they are called,
    where they stand, in how many copies, and which fields each has. Of `columns` the fields were read of
    any of these cards; of `whole` sources all of every card. `keys` are answers to whether anything in the
    game has a key.
    """

    sources: set[Source] = field(default_factory=set)
    columns: set[tuple[Source, tuple[str, ...]]] = field(default_factory=set)
    whole: set[Source] = field(default_factory=set)
    keys: dict[str, bool] = field(default_factory=dict)

    def add(self, other: Reads) -> None:
        """All that another one read as well."""
        self.sources |= other.sources
        self.columns |= other.columns
        self.whole |= other.whole
        self.keys.update(other.keys)

    def note(self, source: Source, key: Any) -> None:
        """That a key of a card (or of the tables) was asked for, or all of these, or WHOLE."""
        if type(key) is tuple:
            self.columns.add((source, key))
        elif type(key) is str:
            self.columns.add((source, (key,)))
        else:  # WHOLE, or a key that only looks like one that could be
            self.whole.add(source)

    def plain(self) -> list[Any]:
        """The same as JSON knows it, in one order."""
        columns = {(source, name) for source, names in self.columns for name in names}
        # Who read all of a card has read what it is called as well.
        sources = self.sources | {source for source, _ in columns} | self.whole
        return [
            sorted(sources - {TABLES}),
            sorted([source, name] for source, name in columns),
            sorted(self.whole),
            sorted([key, answer] for key, answer in self.keys.items()),
        ]


class ReadDigests:
    """Digests of what there is to read, each worked out once.

    `cards_of` gives of a source's cards what they are known by, and their fields; it raises where there is
    no such source. `tables` are the data tables, `has_key` tells whether anything in the game has a key.
    """

    def __init__(
        self,
        cards_of: Callable[[Source], Iterable[tuple[Any, Mapping[str, Any]]]],
        tables: Mapping[str, Any],
        has_key: Callable[[str], bool],
    ) -> None:
        self._cards_of, self._tables, self._has_key = cards_of, tables, has_key
        self._cards: dict[Source, list[tuple[Any, Mapping[str, Any]]]] = {}
        self._known: dict[tuple[Source, str | None, bool], bytes | None] = {}

    def of(self, reads: list[Any]) -> str | None:
        """The digest of what `Reads.plain` names, as it is now; None where that can't be told. Raises what
        `cards_of` raises."""
        sources, columns, whole, keys = reads
        if any(self._has_key(key) is not answer for key, answer in keys):
            return None
        parts = [self._known_cards(source) for source in sources]
        parts += [self._column(source, name) for source, name in columns]
        parts += [self._column(source, None) for source in whole]
        if None in parts:
            return None
        return digest_of([reads, *parts])

    def _of(self, source: Source) -> list[tuple[Any, Mapping[str, Any]]]:
        if source not in self._cards:
            self._cards[source] = list(self._cards_of(source))
        return self._cards[source]

    def _known_cards(self, source: Source) -> bytes | None:
        return self._once(
            (source, None, True), lambda: [(by, list(fields)) for by, fields in self._of(source)]
        )

    def _column(self, source: Source, name: str | None) -> bytes | None:
        """The values of a field, or all fields, of a source's cards; a table, or all of them."""
        if source == TABLES:
            return self._once(
                (source, name, False), lambda: self._tables if name is None else self._tables.get(name, ...)
            )
        return self._once(
            (source, name, False),
            lambda: [
                fields if name is None else fields.get(name, ...)  # a field that is null is there
                for _, fields in self._of(source)
            ],
        )

    def _once(self, key: tuple[Source, str | None, bool], value: Callable[[], Any]) -> bytes | None:
        if key not in self._known:
            plain = spelled(value())
            self._known[key] = None if plain is None else blake2b(plain, digest_size=16).digest()
        return self._known[key]


def spelled(value: Any) -> bytes | None:
    """A spelling of plain data that tells types, the order of keys and every digit; None for data that hold
    anything else. Version 0 has no references: equal data are spelled alike, whatever they share."""
    try:
        return marshal.dumps(value, 0)
    except ValueError:
        return None


def digest_of(value: Any) -> str | None:
    """A digest of plain data; None for other data."""
    plain = spelled(value)
    return None if plain is None else blake2b(plain, digest_size=16).hexdigest()
