"""What a report holds, in order and in words; the formats only set it.

A `Report` is made of the game and its judged rules and is all that the page and the book read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.checking.bounds import Bounds
from cardgen.checking.results import Measure, RuleResult, Table, Verdict, counted, number, percent
from cardgen.findings import Finding, Severity
from cardgen.model.deck_lists import DeckList
from cardgen.model.game import Card, Component, Game
from cardgen.reports.compared import Compared, Earlier, compared
from cardgen.reports.crossed import Crossed, crossed
from cardgen.reports.fields import COPIES, Field, FieldKind, fields_of, label, values_of, word
from cardgen.reports.judged import Judged, judged, place_of
from cardgen.reports.press import PressPage

VERDICTS = {
    Verdict.PASS: "passed",
    Verdict.FAIL: "failed",
    Verdict.REPORT: "reported",
    Verdict.UNDECIDED: "undecided",
    Verdict.BROKEN: "broken",
}
"""The word on each verdict's badge."""

_FIRST = (Verdict.BROKEN, Verdict.FAIL, Verdict.UNDECIDED)
"""What the overview begins with."""

MOST_COLUMNS = 5
"""Most fields that the deck list shows beside a card's name and copies."""

CELL = 60
"""Most characters of a cell in the deck list."""

MANY_MEASURES = 7
"""Measures that are as many as this stand as rows of a table."""

MOST_ROWS = 150
"""Most rows printed of a rule's table; `cardgen check --explain` prints them all."""


@dataclass(frozen=True, slots=True)
class Section:
    """One component: `drawn` are the fields with a histogram, `undrawn` says which have none and why,
    `deck` lists its cards, `crossed` are the cross-tables asked for."""

    component: Component
    drawn: tuple[Field, ...]
    undrawn: tuple[str, ...]
    deck: Table
    crossed: tuple[Crossed, ...] = ()

    def anchor(self, index: int) -> str:
        """The anchor of a field's chart."""
        return f"chart-{self.component.id}-{index + 1}"


@dataclass(frozen=True, slots=True)
class DeckSection:
    """One of the game's own deck lists: how it came out as a whole, in a word and in a sentence."""

    deck: DeckList
    verdict: Verdict
    summary: str
    table: Table


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `tally` counts the rules of each verdict that occurs; `rules` are the results
    with what is shown of them."""

    game: Game
    results: tuple[RuleResult, ...]
    tally: tuple[tuple[Verdict, int], ...]
    sections: tuple[Section, ...]
    rules: tuple[Judged, ...]
    decks: tuple[DeckSection, ...] = ()
    compared: Compared | None = None
    pictures: Mapping[Finding, bytes] = field(default_factory=dict)
    press: PressPage | None = None

    @property
    def overview(self) -> list[RuleResult]:
        """The results with those first that somebody must look at: broken, failed, undecided."""
        return sorted(
            self.results,
            key=lambda one: _FIRST.index(one.verdict) if one.verdict in _FIRST else len(_FIRST),
        )

    @property
    def summary(self) -> str:
        """One line: how the rules came out."""
        if not self.results:
            return "This game states no rules."
        parts = [f"{count} {VERDICTS[verdict]}" for verdict, count in self.tally]
        return f"{counted(len(self.results), 'rule')}: {', '.join(parts)}."

    @property
    def players(self) -> str:
        """The number of players in words, with the one that copies were worked out for."""
        low, high = self.game.players
        words = counted(high, "player") if low == high else f"{low} to {high} players"
        chosen = self.game.player_count
        return words if chosen is None else f"{words}, copies for {chosen}"


def collect(
    game: Game,
    results: Sequence[RuleResult],
    cross: Sequence[tuple[str, str]] = (),
    earlier: Earlier | None = None,
    pictures: Mapping[Finding, bytes] | None = None,
) -> Report:
    """Everything that a report says about a game, `cross` being pairs of fields, `earlier` the same game
    before. UsageError for a pair that no component has."""
    tables = crossed(game, cross)
    tally = [(verdict, sum(result.verdict is verdict for result in results)) for verdict in Verdict]
    sections = tuple(
        replace(
            _section(component), crossed=tuple(each for each in tables if each.component == component.id)
        )
        for component in game.components
        if component.cards and component.box is None
    )
    fields = [
        (field, place_of(field, section.component.title, section.anchor(index)))
        for section in sections
        for index, field in enumerate(section.drawn)
    ]
    return Report(
        game,
        tuple(results),
        tuple((verdict, count) for verdict, count in tally if count),
        sections,
        tuple(judged(results, fields)),
        tuple(_deck_section(game, deck, results) for deck in game.decks),
        compared(game, results, earlier) if earlier else None,
        pictures or {},
    )


def _is_error(result: RuleResult) -> bool:
    return result.rule.severity is Severity.ERROR


def _of(results: Sequence[RuleResult], severity: str) -> list[RuleResult]:
    return [result for result in results if result.rule.severity.value == severity]


def _deck_section(game: Game, deck: DeckList, results: Sequence[RuleResult]) -> DeckSection:
    own = [result for result in results if result.rule.deck == deck.id]
    # A deck that only a warning or a note was made of is a legal deck.
    mild = [result for result in own if result.verdict is Verdict.FAIL and not _is_error(result)]
    verdicts = [result.verdict for result in own if result not in mild]
    worst = next((verdict for verdict in _FIRST if verdict in verdicts), Verdict.PASS)
    parts = [f"{verdicts.count(each)} {VERDICTS[each]}" for each in Verdict if each in verdicts]
    parts += [counted(len(found), each) for each in ("warning", "note") if (found := _of(mild, each))]
    judged_by = f"; {counted(len(own), 'rule')}: {', '.join(parts)}" if own else ", judged by no rule"
    summary = f"{counted(deck.copies, 'card')}, {deck.unique} distinct{judged_by}."
    cards = {card.id: card for card in game.component(deck.component).cards}
    field = game.deck_source.name if game.deck_source else ""
    rows = tuple(
        (cell_text(str(cards[entry.card].fields.get(field) or entry.card), CELL), entry.card, entry.copies)
        for entry in deck.entries
    )
    return DeckSection(deck, worst, summary, Table(deck.title, ("card", "id", COPIES), rows))


def spans(text: str) -> list[tuple[str, bool]]:
    """A sentence in pieces, with whether each is code: what stood between backquotes."""
    pieces = re.split(r"`([^`]+)`", text)
    return [(piece, index % 2 == 1) for index, piece in enumerate(pieces) if piece]


def measured(measure: Measure) -> str:
    """A measure's value with its unit and interval, or its own words."""
    words = measure.words
    if measure.text:
        return words
    if measure.exact and measure.exact != words:
        words += f" = {measure.exact}"
    if measure.interval:
        words += f" (between {number(measure.interval[0])} and {number(measure.interval[1])})"
    return words


def bounds_words(measure: Measure) -> str:
    """The bounds that a measure is held to, in words: "8", "2 to 4", "at least 0.5"; empty without any."""
    if not measure.bounds:
        return ""
    return Bounds(**dict(measure.bounds)).said(percent if "%" in measure.text else number)


def in_matrix(result: RuleResult) -> bool:
    """Whether a matrix has a cell for each of a rule's measures, which would else be listed twice."""
    sizes = [len(each.rows) * len(each.columns) for each in result.matrices]
    return len(result.measures) > 1 and len(result.measures) in sizes


def common_bounds(result: RuleResult) -> str:
    """What all of a rule's measures should be, in words; empty if they differ, or have no bounds."""
    words = {bounds_words(measure) for measure in result.measures}
    return words.pop() if len(words) == 1 else ""


def measure_rows(measures: Sequence[Measure]) -> Table | None:
    """Measures as rows of a table, with what each should be; None where they are few and have no bounds, or
    there is one, and stand better side by side."""
    held = any(measure.bounds for measure in measures)
    if len(measures) < 2 or (len(measures) < MANY_MEASURES and not held):
        return None
    rows = [(each.name, _figure(each), bounds_words(each)) for each in measures]
    if held:
        return Table("", ("of", "found", "should be"), tuple(rows))
    return Table("", ("of", "found"), tuple(row[:2] for row in rows))


def _figure(measure: Measure) -> str | int | float:
    """A measure in a column of figures: its number alone where there is no more to say."""
    plain = not (measure.text or measure.unit or measure.interval or measure.exact)
    value = measure.value
    return value if plain and isinstance(value, int | float) else measured(measure)


def cell_text(cell: str | int | float | None, most: int = 300) -> str:
    """A table's cell in words, at most `most` characters of it."""
    if cell is None:
        return ""
    text = number(cell) if isinstance(cell, int | float) else " ".join(str(cell).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def figure_columns(table: Table) -> list[bool]:
    """Which columns hold numbers only, to be set flush right."""
    columns = [[cell for cell in column if cell not in (None, "")] for column in zip(*table.rows)]
    found = [bool(cells) and all(isinstance(cell, int | float) for cell in cells) for cells in columns]
    return found or [False] * len(table.columns)


def shortened_table(table: Table) -> Table:
    """The first MOST_ROWS rows; a last one counts what is left out."""
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return table
    last = (f"and {counted(left, 'more row')}", *(None for _ in table.columns[1:]))
    return Table(table.title, table.columns, (*table.rows[:MOST_ROWS], last))


_UNDRAWN = (
    (FieldKind.NAME, "all or nearly all different"),
    (FieldKind.PROSE, "prose"),
    (FieldKind.NESTED, "in lists within lists"),
)


def _section(component: Component) -> Section:
    fields = fields_of(component)
    undrawn = [
        f"{label(field.name)} ({field.summary})" for field in fields if field.kind is FieldKind.CONSTANT
    ]
    for kind, words in _UNDRAWN:
        names = dict.fromkeys(label(field.name) for field in fields if field.kind is kind)
        if names:
            undrawn.append(f"{', '.join(names)} ({words})")
    if component.unique == 1:
        return Section(component, (), (), _deck(component, fields))  # nothing to compare
    drawn = tuple(field for field in fields if field.histogram is not None)
    return Section(component, drawn, tuple(undrawn), _deck(component, fields))


def _deck(component: Component, fields: Sequence[Field]) -> Table:
    """The cards with what tells them apart: a name, the copies, then the fields that have histograms
    and, where these are few, short names."""
    title = _title(fields)
    others = [field for field in fields if field.name not in (COPIES, title)]
    main = [field.name for field in others if field.histogram is not None][:MOST_COLUMNS]
    names = [field.name for field in others if field.kind is FieldKind.NAME]
    main += names[: max(0, 2 - len(main))]
    rows = [_row(card, title, main) for card in component.cards]
    heads = ("card", *(("id",) if title else ()), COPIES, *(label(name) for name in main))
    return Table(component.title, heads, tuple(rows))


def _row(card: Card, title: str | None, main: Sequence[str]) -> tuple[str | int | float | None, ...]:
    values: dict[str, list[str | int | float | bool]] = {}
    for name, value in values_of(card):
        values.setdefault(name, []).append(value)
    cells: list[str | int | float | None] = []
    for name in main:
        found = values.get(name, [])
        single = found[0] if len(found) == 1 else None
        if isinstance(single, int | float) and not isinstance(single, bool) and "[]" not in name:
            cells.append(single)
        else:
            cells.append(cell_text(", ".join(word(value) for value in found), CELL))
    if not title:
        return (card.id, card.copies, *cells)
    name = cell_text(", ".join(word(value) for value in values.get(title, [])), CELL)
    return (name or card.id, card.id, card.copies, *cells)


def _title(fields: Sequence[Field]) -> str | None:
    """The field that names a card to people: `title` or `name` if there is one, else the first that
    differs on every card."""
    kinds = (FieldKind.NAME, FieldKind.CATEGORICAL, FieldKind.CONSTANT)
    names = [field.name for field in fields if field.kind in kinds]
    for name in ("title", "name"):
        if name in names:
            return name
    unique = [field.name for field in fields if field.kind is FieldKind.NAME and field.absent == 0]
    return next((name for name in unique if "[]" not in name), None)
