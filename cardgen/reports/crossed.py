"""Two fields of a component's cards against each other: how many printed cards have each pair of values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from cardgen.checking.results import Matrix, number
from cardgen.findings import UsageError, did_you_mean
from cardgen.model.game import Component, Game
from cardgen.reports.fields import COPIES, MOST_BARS, Value, is_number, label, round_up, values_of, word

NONE = "none"
"""The row or column of cards without the field."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """The cross-table of a component: cards in rows by the field `down`, in columns by `across`."""

    component: str
    down: str
    across: str
    matrix: Matrix


def crossed(game: Game, pairs: Sequence[tuple[str, str]]) -> list[Crossed]:
    """The cross-tables of pairs of fields, of every component that has both; fields are named as in the
    report, `cost` or `reward.die`, a list of values by its name alone.

    Raises UsageError for a pair that no component has.
    """
    found: list[Crossed] = []
    for down, across in pairs:
        tables = [_crossed(component, down, across) for component in game.components]
        some = [table for table in tables if table is not None]
        if not some:
            known = dict.fromkeys(name for each in game.components for name in _names(each))
            lacking = next((name for name in (down, across) if name not in known), None)
            if lacking is None:
                raise UsageError(f"no component has both “{down}” and “{across}”")
            hint = did_you_mean(lacking, list(known)) or f"there are {', '.join([*known][:12])}"
            raise UsageError(f"no card has a field “{lacking}”", hint)
        found += some
    return found


def _names(component: Component) -> Iterator[str]:
    for card in component.cards:
        yield from (_bare(name) for name, _ in values_of(card))
        yield COPIES


def _bare(name: str) -> str:
    return name.replace("[]", "")


def _crossed(component: Component, down: str, across: str) -> Crossed | None:
    rows: list[list[Value | None]] = []
    columns: list[list[Value | None]] = []
    for card in component.cards:
        values: dict[str, list[Value | None]] = {COPIES: [card.copies]}
        for name, value in values_of(card):
            values.setdefault(_bare(name), []).append(value)
        rows.append(values.get(down, []))
        columns.append(values.get(across, []))
    if not any(rows) or not any(columns):
        return None
    row_of, row_names = _axis(rows)
    column_of, column_names = _axis(columns)
    sizes: dict[tuple[str, str], float] = {}
    for card, these, those in zip(component.cards, rows, columns, strict=True):
        down_of, across_of = map(row_of, these or [None]), map(column_of, those or [None])
        places = dict.fromkeys(product(down_of, across_of))
        for place in places:
            sizes[place] = sizes.get(place, 0.0) + card.copies
    shown = tuple(tuple(sizes.get((row, column), 0.0) for column in column_names) for row in row_names)
    title = f"{label(down)} (rows) and {label(across)} (columns): printed cards"
    return Crossed(component.id, down, across, Matrix(title, tuple(row_names), tuple(column_names), shown))


def _axis(cards: Sequence[Sequence[Value | None]]) -> tuple[Callable[[Value | None], str], list[str]]:
    """What a value is called on an axis, and all that are there in order: numbers rise, and very many of
    them are taken together; words stand as the cards first use them, the seldom ones as one."""
    values = [value for each in cards for value in each if value is not None]
    last = [NONE] if any(not each for each in cards) else []
    if all(map(is_number, values)):
        figures = sorted({float(value) for value in values})
        if len(figures) <= MOST_BARS:
            return _named(number), [*map(number, figures), *last]
        whole = all(value == int(value) for value in figures)
        width = round_up((figures[-1] - figures[0]) / 12)
        width = max(1.0, width) if whole else width

        def in_bin(value: float) -> str:
            low = math.floor(value / width) * width
            return f"{number(low)}–{number(low + width - (1 if whole else 0))}"

        return _named(in_bin), [*dict.fromkeys(map(in_bin, figures)), *last]
    counts: dict[str, int] = {}
    for value in values:
        counts[word(value)] = counts.get(word(value), 0) + 1
    if len(counts) <= MOST_BARS:
        return _worded({name: name for name in counts}), [*counts, *last]
    kept = set(sorted(counts, key=lambda name: -counts[name])[: MOST_BARS - 1])
    others = f"{len(counts) - len(kept)} others"
    names = {name: name if name in kept else others for name in counts}
    return _worded(names), [*(name for name in counts if name in kept), others, *last]


def _named(words: Callable[[float], str]) -> Callable[[Value | None], str]:
    return lambda value: NONE if value is None else words(float(value))


def _worded(names: dict[str, str]) -> Callable[[Value | None], str]:
    return lambda value: NONE if value is None else names[word(value)]
