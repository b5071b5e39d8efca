"""Summarize the fields of a component's cards, and compare two fields."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any

from cardgen.core.findings import UsageError, did_you_mean
from cardgen.core.game import Card, Component, Game
from cardgen.core.records import dataclass
from cardgen.rules.results import Histogram, Matrix, counted, number

COPIES = "copies"

MOST_BARS = 24
"""Most bars of a categorical field; the last one sums up the rest."""

MOST_STEPS = 30
"""Most whole numbers with a bar each, including missing ones between them."""

PROSE_LENGTH = 40
"""Text is prose if half of its values have more characters than this."""

OF_PRINTING = frozenset({"id", COPIES, "trim", "turned", "face", "back"})
"""The engine's own keys, which describe the printing of a card, not its content."""

_STEPS = (1, 2, 5)

_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,2})(?=[^\s*])(.+?)(?<=[^\s*])\1(?![\w*])")
"""**Bold** and *italic* in texts on cards."""


class FieldKind(StrEnum):
    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    NAME = "name"
    PROSE = "prose"
    CONSTANT = "constant"
    """One value on every card with the field."""
    NESTED = "nested"
    """In a list within a list, such as the cells of a table."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `name` is its address in a card, `reward.die`; `tags[]` are the items of a list.

    `histogram` is only there for numeric and categorical fields. `absent` counts the printed cards
    without the field. `remark` sums it up in words, such as "1 to 8, mean 3.4".
    """

    name: str
    kind: FieldKind
    histogram: Histogram | None
    absent: int
    remark: str = ""

    @property
    def summary(self) -> str:
        """Return the remark, with the number of printed cards without the field."""
        without = f"{self.absent} without" if self.absent else ""
        return "; ".join(filter(None, (self.remark, without)))


Value = str | int | float | bool
_Weighted = list[tuple[Value, int]]


def fields_of(component: Component) -> tuple[Field, ...]:
    """Return the fields of a component, in the order in which its cards first use them, `copies` first."""
    entries: dict[str, _Weighted] = {}
    present: dict[str, int] = {}
    for card in component.cards:
        own: set[str] = set()
        for name, value in values_of(card):
            entries.setdefault(name, []).append((value, card.copies))
            own.add(name)
        for name in own:
            present[name] = present.get(name, 0) + card.copies
    total = component.copies
    alone = component.unique == 1
    found = [_field(name, values, total - present[name], alone) for name, values in entries.items()]
    return (_copies(component), *found)


def values_of(card: Card) -> Iterator[tuple[str, Value]]:
    """Yield every scalar of a card with its field's name, without printing keys and empty values."""
    for key, value in card.fields.items():
        if key not in OF_PRINTING:
            yield from _flat(str(key), value)


def _flat(name: str, value: Any) -> Iterator[tuple[str, Value]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(f"{name}[]", inner)
    elif value is not None:
        yield name, value if isinstance(value, str | int | float) else str(value)


def label(name: str) -> str:
    """Return a field's name for people: `sections[].table` is "sections › table"."""
    return name.replace("[]", "").replace(".", " › ")


def word(value: Value) -> str:
    """Return a value as a label: yes and no, whole numbers, text without emphasis marks, "(empty)"
    for an empty one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and is_number(value):
        return number(value)
    return _EMPHASIS.sub(r"\2", " ".join(str(value).split())) or "(empty)"


def is_number(value: Value) -> bool:
    """Return True if a value can be a bar's position: finite, and if whole, exact as a float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15


def _copies(component: Component) -> Field:
    values: _Weighted = [(card.copies, 1) for card in component.cards]
    if len(dict(values)) == 1:
        return Field(COPIES, FieldKind.CONSTANT, None, 0, f"always {values[0][0]}")
    remark = f"{component.unique} distinct, {component.copies} in all"
    return Field(COPIES, FieldKind.NUMERIC, _numeric("distinct cards", values), 0, remark)


def _field(name: str, values: _Weighted, absent: int, alone: bool) -> Field:
    """Return the field. `alone` is True for a single card, which can't be compared with others."""
    if name.count("[]") > 1:
        return Field(name, FieldKind.NESTED, None, absent)
    if all(is_number(value) for value, _ in values):
        if len({float(value) for value, _ in values}) == 1:
            return Field(name, FieldKind.CONSTANT, None, absent, f"always {word(values[0][0])}")
        return Field(name, FieldKind.NUMERIC, _numeric("cards", values), absent, _range_and_mean(values))
    if any(isinstance(value, str) and "\n" in value.strip() for value, _ in values) or (
        sum(isinstance(value, str) and len(value) > PROSE_LENGTH for value, _ in values) * 2 > len(values)
    ):
        return Field(name, FieldKind.PROSE, None, absent)
    counts: dict[str, float] = {}
    for value, weight in values:
        counts[word(value)] = counts.get(word(value), 0.0) + weight
    if len(counts) == 1 and not alone:
        return Field(name, FieldKind.CONSTANT, None, absent, f"always {next(iter(counts))}")
    crowd = len(counts) > MOST_BARS and len(counts) > len(values) / 2
    if crowd or alone or len(counts) == len(values):
        return Field(name, FieldKind.NAME, None, absent)
    histogram = shortened(Histogram("cards", tuple(counts.items()), False))
    return Field(name, FieldKind.CATEGORICAL, histogram, absent, counted(len(counts), "value"))


def shortened(histogram: Histogram, most: int = MOST_BARS) -> Histogram:
    """Return a categorical histogram of at most `most` bars: the tallest, in their order, and one for the
    rest."""
    bins = histogram.bins
    if histogram.numeric or len(bins) <= most:
        return histogram
    ranked = sorted(range(len(bins)), key=lambda index: (-bins[index][1], index))
    kept = sorted(ranked[: most - 1])
    rest = sum(bins[index][1] for index in ranked[most - 1 :])
    last = (f"{len(bins) - len(kept)} others", rest)
    return Histogram(histogram.title, (*(bins[index] for index in kept), last), False)


def _numeric(title: str, values: _Weighted) -> Histogram:
    counts: dict[float, float] = {}
    for value, weight in values:
        counts[float(value)] = counts.get(float(value), 0.0) + weight
    low, high = min(counts), max(counts)
    whole = all(value == int(value) for value in counts)
    if whole and high - low <= MOST_STEPS:
        steps = range(int(low), int(high) + 1)
        return Histogram(title, tuple((str(step), counts.get(float(step), 0.0)) for step in steps), True)
    if len(counts) <= 12:
        return Histogram(title, tuple((number(value), counts[value]) for value in sorted(counts)), True)
    return Histogram(title, _bins(counts, low, high, whole), True)


def _bins(
    counts: Mapping[float, float], low: float, high: float, whole: bool
) -> tuple[tuple[str, float], ...]:
    """Return about twelve bins of a round width; each contains its lower end but not its upper one."""
    width = round_up((high - low) / 12)
    if whole:
        width = max(1.0, width)
    first = math.floor(low / width)
    bins = [0.0] * (math.floor(high / width) - first + 1)
    for value, count in counts.items():
        bins[min(len(bins) - 1, math.floor(value / width) - first)] += count
    last = width if not whole else width - 1
    edges = [(first + index) * width for index in range(len(bins))]
    return tuple((f"{number(edge)}–{number(edge + last)}", size) for edge, size in zip(edges, bins))


def round_up(width: float) -> float:
    """Return the next number of 1, 2, 5, 10, 20, … times a power of ten."""
    power = 10.0 ** math.floor(math.log10(width))
    return next((step * power for step in _STEPS if step * power >= width), 10 * power)


def _range_and_mean(values: _Weighted) -> str:
    """Return the least, greatest and mean value, each card counted by its copies."""
    numbers = [float(value) for value, _ in values]
    low, high = min(numbers), max(numbers)
    weight = sum(weight for _, weight in values)
    mean = sum(float(value) * weight for value, weight in values) / weight if weight else None
    words = f"{number(low)} to {number(high)}"
    return words if mean is None else f"{words}, mean {number(round(mean, 2))}"


NONE = "none"
"""The row or column of cards without the field."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """A cross-table of a component: values of the field `down` in rows, of `across` in columns."""

    down: str
    across: str
    matrix: Matrix


def crossed(game: Game, pairs: Sequence[tuple[str, str]]) -> dict[str, list[Crossed]]:
    """Return the cross-tables of pairs of fields, for every component that has both. Fields have their
    names in the report, `cost` or `reward.die`; a list of values has its plain name.

    Raises UsageError for a pair that no component has.
    """
    found: dict[str, list[Crossed]] = {}
    for down, across in pairs:
        tables = {each.id: _cross_table(each, down, across) for each in game.components}
        if not any(tables.values()):
            known = dict.fromkeys(name for each in game.components for name in _names(each))
            missing = next((name for name in (down, across) if name not in known), None)
            if missing is None:
                raise UsageError(f"no component has both “{down}” and “{across}”")
            hint = did_you_mean(missing, list(known)) or f"use one of: {', '.join([*known][:12])}"
            raise UsageError(f"no card has a field “{missing}”", hint)
        for component, table in tables.items():
            if table is not None:
                found.setdefault(component, []).append(table)
    return found


def _names(component: Component) -> Iterator[str]:
    for card in component.cards:
        yield from (_plain_name(name) for name, _ in values_of(card))
        yield COPIES


def _plain_name(name: str) -> str:
    return name.replace("[]", "")


def _cross_table(component: Component, down: str, across: str) -> Crossed | None:
    rows: list[list[Value | None]] = []
    columns: list[list[Value | None]] = []
    for card in component.cards:
        values: dict[str, list[Value | None]] = {COPIES: [card.copies]}
        for name, value in values_of(card):
            values.setdefault(_plain_name(name), []).append(value)
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
    return Crossed(down, across, Matrix(title, tuple(row_names), tuple(column_names), shown))


def _axis(cards: Sequence[Sequence[Value | None]]) -> tuple[Callable[[Value | None], str], list[str]]:
    """Return a function from a value to its label on an axis, and all labels in order: numbers ascending,
    in bins if many; words in the cards' order, with one label for the rare ones."""
    values = [value for each in cards for value in each if value is not None]
    last = [NONE] if any(not each for each in cards) else []
    if all(map(is_number, values)):
        figures = sorted({float(value) for value in values})
        if len(figures) <= MOST_BARS:
            return _label_of_number(number), [*map(number, figures), *last]
        whole = all(value == int(value) for value in figures)
        width = round_up((figures[-1] - figures[0]) / 12)
        width = max(1.0, width) if whole else width

        def in_bin(value: float) -> str:
            low = math.floor(value / width) * width
            return f"{number(low)}–{number(low + width - (1 if whole else 0))}"

        return _label_of_number(in_bin), [*dict.fromkeys(map(in_bin, figures)), *last]
    counts: dict[str, int] = {}
    for value in values:
        counts[word(value)] = counts.get(word(value), 0) + 1
    if len(counts) <= MOST_BARS:
        return _label_of_word({name: name for name in counts}), [*counts, *last]
    kept = set(sorted(counts, key=lambda name: -counts[name])[: MOST_BARS - 1])
    others = f"{len(counts) - len(kept)} others"
    names = {name: name if name in kept else others for name in counts}
    return _label_of_word(names), [*(name for name in counts if name in kept), others, *last]


def _label_of_number(words: Callable[[float], str]) -> Callable[[Value | None], str]:
    return lambda value: NONE if value is None else words(float(value))


def _label_of_word(names: dict[str, str]) -> Callable[[Value | None], str]:
    return lambda value: NONE if value is None else names[word(value)]
