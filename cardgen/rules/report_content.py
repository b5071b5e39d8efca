"""A report's content in words, tables and charts, for its page and its PDF."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.game import Card, Component, DeckList, Game
from cardgen.core.records import dataclass, field
from cardgen.rules.charts import Chart, Faces, histogram_chart, matrix_charts
from cardgen.rules.report_fields import (
    COPIES,
    Crossed,
    Field,
    FieldKind,
    fields_of,
    label,
    values_of,
    word,
)
from cardgen.rules.results import (
    Bounds,
    Histogram,
    Matrix,
    Measure,
    RuleResult,
    Table,
    Verdict,
    counted,
    listed,
    number,
    percent,
)

VERDICTS = {
    Verdict.PASS: "passed",
    Verdict.FAIL: "failed",
    Verdict.REPORT: "reported",
    Verdict.UNDECIDED: "undecided",
    Verdict.BROKEN: "broken",
}
"""The word on each verdict's badge."""

_FIRST = (Verdict.BROKEN, Verdict.FAIL, Verdict.UNDECIDED)
"""The verdicts at the start of a report."""

MOST_COLUMNS = 5
"""Most fields that the deck list shows beside a card's name and copies."""

CELL = 60
"""Most characters of a cell in the deck list."""

SHORT, LONGEST_ID = 16, 40
"""Most characters of cells, and of single words, that are kept on one line."""

MANY_MEASURES = 7
"""From this number on, measures are rows of a table."""

MOST_FOUND = 2
"""Most measures of a passed rule that are listed; more are summed up."""

MOST_ROWS = 150
"""Most rows printed of a rule's table; `cardgen check --explain` prints them all."""


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report: a game, the results of its rules, cross-tables of its components by their
    ids, the differences from an earlier revision, PNG files of cards by the findings at them, a press, and
    PNG files of some cards of each component."""

    game: Game
    results: Sequence[RuleResult]
    crossed: Mapping[str, Sequence[Crossed]]
    compared: Compared | None
    pictures: Mapping[Finding, bytes]
    press: PressPage | None
    playtests: Table | None = None
    thumbnails: Mapping[str, Sequence[bytes]] = field(default_factory=dict)


def urgent(results: Sequence[RuleResult]) -> list[RuleResult]:
    """Return the results that need attention: broken, failed, undecided."""
    return [result for verdict in _FIRST for result in results if result.verdict is verdict]


def tally(results: Sequence[RuleResult]) -> str:
    """Return the results of the rules in one line."""
    if not results:
        return "This game has no rules."
    return f"{counted(len(results), 'rule')}: {', '.join(_parts([each.verdict for each in results]))}."


def _parts(verdicts: Sequence[Verdict]) -> list[str]:
    return [f"{verdicts.count(each)} {VERDICTS[each]}" for each in Verdict if each in verdicts]


def players(game: Game) -> str:
    """Return the number of players in words, with the number that the copies are for."""
    low, high = game.players
    words = counted(high, "player") if low == high else f"{low} to {high} players"
    return words if game.player_count is None else f"{words}, copies for {game.player_count}"


def deck_verdict(deck: DeckList, results: Sequence[RuleResult]) -> tuple[Verdict, str]:
    """Return the verdict of a deck list, and a sentence about it."""
    own = [result for result in results if result.rule.deck == deck.id]
    # A deck with only warnings or notes is legal.
    minor = [each for each in own if each.verdict is Verdict.FAIL and each.rule.severity != Severity.ERROR]
    verdicts = [result.verdict for result in own if result not in minor]
    worst = next((verdict for verdict in _FIRST if verdict in verdicts), Verdict.PASS)
    parts = _parts(verdicts)
    for severity in (Severity.WARNING, Severity.NOTE):
        if count := sum(result.rule.severity is severity for result in minor):
            parts.append(counted(count, severity.value))
    judged_by = f"; {counted(len(own), 'rule')}: {', '.join(parts)}" if own else ", judged by no rule"
    return worst, f"{counted(deck.copies, 'card')}, {deck.unique} distinct{judged_by}."


def deck_cards(game: Game, deck: DeckList) -> Table:
    """Return the cards of a deck list."""
    cards = {card.id: card for card in game.component(deck.component).cards}
    field = game.deck_source.name if game.deck_source else ""
    rows = tuple(
        (cell_text(str(cards[entry.card].fields.get(field) or entry.card), CELL), entry.card, entry.copies)
        for entry in deck.entries
    )
    return Table(deck.title, ("card", "id", COPIES), rows)


def spans(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a sentence, each with True if it is code between backquotes."""
    pieces = re.split(r"`([^`]+)`", text)
    return [(piece, index % 2 == 1) for index, piece in enumerate(pieces) if piece]


def measured(measure: Measure) -> str:
    """Return a measure's value with its unit and interval, or its own words."""
    words = measure.words
    if measure.text:
        return words
    if measure.exact and measure.exact != words:
        words += f" = {measure.exact}"
    if measure.interval:
        words += f" (between {number(measure.interval[0])} and {number(measure.interval[1])})"
    return words


def bounds_words(measure: Measure) -> str:
    """Return a measure's bounds in words: "8", "2 to 4", "at least 0.5"; empty without any."""
    if not measure.bounds:
        return ""
    return Bounds(**dict(measure.bounds)).in_words(percent if "%" in measure.text else number)


def in_matrix(result: RuleResult) -> bool:
    """Return True if a matrix has a cell for each of a rule's measures, so that they need no list."""
    sizes = [len(each.rows) * len(each.columns) for each in result.matrices]
    return len(result.measures) > 1 and len(result.measures) in sizes


def common_bounds(result: RuleResult) -> str:
    """Return the common bounds of a rule's measures in words; empty if they differ, or there are none."""
    words = {bounds_words(measure) for measure in result.measures}
    return words.pop() if len(words) == 1 else ""


def measure_rows(measures: Sequence[Measure]) -> Table | None:
    """Return the measures as rows of a table, with their bounds; None for one measure, or a few without
    bounds, which fit side by side."""
    held = any(measure.bounds for measure in measures)
    if len(measures) < 2 or (len(measures) < MANY_MEASURES and not held):
        return None
    rows = [(each.name, _figure(each), bounds_words(each)) for each in measures]
    if held:
        return Table("", ("of", "found", "should be"), tuple(rows))
    return Table("", ("of", "found"), tuple(row[:2] for row in rows))


def found(result: RuleResult) -> str:
    """Return a rule's measures in a few words: each with its bounds, or the number of many."""
    measures = result.measures
    if len(measures) <= MOST_FOUND:
        names = [f"{each.name} " if len(measures) > 1 else "" for each in measures]
        bounds = [f" (should be {held})" if (held := bounds_words(each)) else "" for each in measures]
        words = (name + measured(each) + held for name, each, held in zip(names, measures, bounds))
        return "; ".join(words)
    held = common_bounds(result)
    return counted(len(measures), "figure") + (f", each should be {held}" if held else "")


def _figure(measure: Measure) -> str | int | float:
    """Return a measure for a column of figures: only its number, unless it has a text of its own."""
    plain = not (measure.text or measure.unit or measure.interval or measure.exact)
    value = measure.value
    return value if plain and isinstance(value, int | float) else measured(measure)


def cell_text(cell: str | int | float | None, most: int = 300) -> str:
    """Return the text of a table's cell, at most `most` characters."""
    if cell is None:
        return ""
    text = number(cell) if isinstance(cell, int | float) else " ".join(str(cell).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def figure_columns(table: Table) -> list[bool]:
    """Return True for each column of numbers only, which is aligned to the right."""
    columns = [[cell for cell in column if cell not in (None, "")] for column in zip(*table.rows)]
    found = [bool(cells) and all(isinstance(cell, int | float) for cell in cells) for cells in columns]
    return found or [False] * len(table.columns)


def whole_columns(table: Table) -> list[bool]:
    """Return True for each column that is never wrapped: short cells, and single words such as ids."""
    columns = [[cell_text(cell) for cell in column] for column in zip(*table.rows)]
    found = [
        all(len(text) <= (SHORT if " " in text else LONGEST_ID) for text in column) for column in columns
    ]
    return found or [True] * len(table.columns)


def shortened_table(table: Table) -> Table:
    """Return the first MOST_ROWS rows; a last one counts the others."""
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


def charted(component: Component, fields: Sequence[Field]) -> list[tuple[Field, Histogram]]:
    """Return the fields with charts, except those with bars of one height; a component of a single card
    has nothing to compare."""
    if component.unique == 1:
        return []
    return [
        (field, field.histogram)
        for field in fields
        if field.histogram is not None and not _level(field.histogram)
    ]


def _level(histogram: Histogram) -> bool:
    return len({size for _, size in histogram.bins}) < 2


def uncharted(component: Component, fields: Sequence[Field]) -> str:
    """Return a sentence about the fields without charts."""
    if component.unique == 1:
        return ""
    parts = [
        f"{label(field.name)} ({field.summary})" for field in fields if field.kind is FieldKind.CONSTANT
    ]
    parts += [
        f"{label(field.name)} ({field.summary}, {number(field.histogram.bins[0][1])} of each)"
        for field in fields
        if field.histogram is not None and field.histogram.bins and _level(field.histogram)
    ]
    for kind, words in _UNDRAWN:
        names = dict.fromkeys(label(field.name) for field in fields if field.kind is kind)
        if names:
            parts.append(f"{', '.join(names)} ({words})")
    return "; ".join(parts)


def card_list(component: Component, fields: Sequence[Field]) -> Table:
    """Return the cards with the fields that distinguish them: a name, the copies, then the fields that have
    histograms and, if these are few, short names."""
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
    """Return the field with the card's name: `title` or `name` if there is one, else the first that differs
    on every card."""
    kinds = (FieldKind.NAME, FieldKind.CATEGORICAL, FieldKind.CONSTANT)
    names = [field.name for field in fields if field.kind in kinds]
    for name in ("title", "name"):
        if name in names:
            return name
    unique = [field.name for field in fields if field.kind is FieldKind.NAME and field.absent == 0]
    return next((name for name in unique if "[]" not in name), None)


def says_nothing(histogram: Histogram, measures: int) -> bool:
    """Return True for a single bar, or for bars of one height that the measures list already."""
    return len(histogram.bins) < 2 or (_level(histogram) and measures >= len(histogram.bins))


def is_of(histogram: Histogram, field: Field) -> bool:
    """Return True if a rule's histogram repeats a field's: it has the field's name and the same bars."""
    if field.histogram is None:
        return False
    source = field.name.replace("[]", "")
    named = histogram.title in (f"copies by {source}", f"cards by {source}")
    if not named and not histogram.title.startswith(f"{source} of "):
        return False
    mine, theirs = dict(histogram.bins), dict(field.histogram.bins)
    return all(theirs.get(bar) == size for bar, size in mine.items()) and all(
        bar in mine for bar, size in theirs.items() if size
    )


MOST_FIGURES = 6
"""Most changed figures of a rule that are listed; the others are counted."""
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A game at a revision, and the results of its rules."""

    name: str
    game: Game
    results: tuple[RuleResult, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences from the revision called `name`: components by size, rules by verdict and figures.
    The tables only have rows for differences."""

    name: str
    sizes: Table
    rules: Table

    @property
    def summary(self) -> str:
        if not self.sizes.rows and not self.rules.rows:
            return f"Sizes, verdicts and figures are those of {self.name}."
        return f"What is not as it was at {self.name}."


def compared(game: Game, results: Sequence[RuleResult], earlier: Earlier) -> Compared:
    """Return the differences between a game and the same game earlier."""
    return Compared(
        earlier.name,
        Table(
            "Components",
            ("component", "distinct, then", "distinct, now", "in all, then", "in all, now"),
            tuple(_sizes(game, earlier.game)),
        ),
        Table("Rules", ("rule", "then", "now", "figures"), tuple(_rules(results, earlier.results))),
    )


def _sizes(game: Game, before: Game) -> list[tuple[str | int, ...]]:
    now = {component.id: component for component in game.components}
    then = {component.id: component for component in before.components}
    rows: list[tuple[str | int, ...]] = []
    for id in dict.fromkeys((*now, *then)):
        old, new = then.get(id), now.get(id)
        sizes = [ABSENT if one is None else one.unique for one in (old, new)]
        sizes += [ABSENT if one is None else one.copies for one in (old, new)]
        if sizes[0] != sizes[1] or sizes[2] != sizes[3]:
            title = new.title if new else old.title if old else id
            rows.append((title, *sizes))
    return rows


def _rules(results: Sequence[RuleResult], before: Sequence[RuleResult]) -> list[tuple[str, ...]]:
    now = {result.rule.name: result for result in results}
    then = {result.rule.name: result for result in before}
    rows = []
    for name in dict.fromkeys((*now, *then)):
        old, new = then.get(name), now.get(name)
        verdicts = tuple(ABSENT if one is None else one.verdict.value for one in (old, new))
        figures = _figures(old.measures, new.measures) if old and new else []
        if verdicts[0] != verdicts[1] or figures:
            rows.append((name, *verdicts, listed(figures, MOST_FIGURES)))
    return rows


def _figures(before: Sequence[Measure], after: Sequence[Measure]) -> list[str]:
    old = {measure.name: measure.words for measure in before}
    new = {measure.name: measure.words for measure in after}
    return [
        f"{name}: {old.get(name, ABSENT)} → {new.get(name, ABSENT)}"
        for name in dict.fromkeys((*new, *old))
        if old.get(name) != new.get(name)
    ]


@dataclass(frozen=True, slots=True)
class PressColor:
    """A color (`#rrggbb`) that a press prints differently. One that it can't mix is `printed` instead,
    `much` away in ΔE2000; one over the ink limit has `much` ink, in percent. `area` is its largest area on
    a side in mm²; `cards` are those that use it, the one with that side first."""

    asked: str
    printed: str | None
    much: float
    area: float
    cards: tuple[str, ...]
    place: Location

    def as_json(self) -> dict[str, Any]:
        """Return the color for programs."""
        mixed = {"print": self.printed, "delta_e": round(self.much, 1)}
        return {
            "screen": self.asked,
            **(mixed if self.printed else {"ink": round(self.much)}),
            "area_mm2": self.area,
            "cards": list(self.cards),
            "place": {"file": self.place.file, "line": self.place.line},
        }


@dataclass(frozen=True, slots=True)
class PressPage:
    """A press, and how a game's sides print on it. `profile` is the name in its profile, `standard` the
    standard of its files in words, `ink_limit` and `most_ink` (on the side of the card `inkiest`, without
    text) are percentages of all four inks together; `spots` are the names of further inks. `sides` counts
    the sides checked; `faulty` is True if some couldn't be."""

    profile: str
    standard: str
    ink_limit: int
    most_ink: float
    inkiest: str | None
    sides: int
    faulty: bool
    spots: tuple[str, ...] = ()
    missed: tuple[PressColor, ...] = ()
    heavy: tuple[PressColor, ...] = ()

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Return the press and its ink in words, each with its name."""
        found = [
            ("profile", self.profile),
            ("files", self.standard),
            ("ink limit", f"{self.ink_limit} %"),
        ]
        if self.inkiest is not None:
            found.append(("most ink on a side", f"{self.most_ink:.0f} %, card {self.inkiest}"))
        if self.spots:
            found.append(("spot colors", ", ".join(self.spots)))
        return found

    @property
    def summary(self) -> str:
        """Return a sentence that counts the colors that print differently."""
        sides = counted(self.sides, "distinct side")
        if not self.missed:
            return f"The press can mix every color of {sides}."
        return f"{counted(len(self.missed), 'color')} of {sides} can't be mixed and will look duller."

    def as_json(self) -> dict[str, Any]:
        """Return the page for programs."""
        return {
            "profile": self.profile,
            "standard": self.standard,
            "ink_limit": self.ink_limit,
            "most_ink": round(self.most_ink),
            "most_ink_card": self.inkiest,
            "sides": self.sides,
            "faulty": self.faulty,
            "spots": list(self.spots),
            "missed": [each.as_json() for each in self.missed],
            "heavy": [each.as_json() for each in self.heavy],
        }


FAULTY = "Sides in error were not looked at: cardgen check names them."
ABOUT = (
    "Left as on a screen, right as this press prints it, both as your screen or printer shows them. "
    "From ΔE 10 on people call it another color. Areas are the most on one side; text counts as "
    "a fifth of its space."
)
HEAVY = (
    "These would take more ink than the press does. Black takes over from the colors, so the limit holds; "
    "a lighter color stays as it is."
)


def of_cards(cards: tuple[str, ...]) -> str:
    """Return a list of the cards that use a color."""
    more = len(cards) - 1
    return cards[0] + (f" and {more} more" if more else "")


View = dict[str, Any]
"""Values of JSON types."""

WIDTH, HALF, THIRD = 174.0, 84.0, 54.0
"""Width of the text, which fits A4 and letter paper, and of each of two or three charts in a row; mm."""
FEW_BARS = 12
"""Most bars of a chart in a third of the width."""
FULL = 100
"""Characters of a line of a table: long texts share the room that the others leave."""


def report_view(report: Report, faces: Faces) -> View:
    """Return a report in words, tables and charts."""
    return _Viewer(report, faces).view()


class _Viewer:
    def __init__(self, report: Report, faces: Faces) -> None:
        self.report, self.faces = report, faces
        self._anchors: set[str] = set()
        self._sections = [
            (component, fields_of(component))
            for component in report.game.components
            if component.cards and component.box is None
        ]
        self._fields = [
            (field, {"anchor": _anchor(home, index), "words": f"{label(field.name)}, under {home.title}"})
            for home, fields in self._sections
            for index, (field, _) in enumerate(charted(home, fields))
        ]
        self._drawn: dict[Histogram, View] = {}
        """The rules' charts, each with its first place."""

    def view(self) -> View:
        report, game = self.report, self.report.game
        about = [f"Version {game.version}", players(game), game.author]
        return {
            "title": game.title,
            "version": game.version,
            "author": game.author,
            "description": game.description,
            "about": " · ".join(filter(None, about)),
            "summary": tally(report.results),
            "sizes": [
                {
                    "anchor": f"deck-{each.id}" if each.cards else "",
                    "cells": [each.title, each.kind, str(each.unique), str(each.copies)],
                }
                for each in game.components
            ],
            "compared": _comparison(report.compared) if report.compared else None,
            "urgent": list(map(self._rule, urgent(report.results))),
            "passed": [self._passed(each) for each in report.results if each.verdict is Verdict.PASS],
            "passed_note": spans(f"`cardgen check {game.id} --explain RULE` prints all figures of a rule."),
            "reported": [self._rule(each) for each in report.results if each.verdict is Verdict.REPORT],
            "charts": self._passed_charts(),
            "sections": [self._section(*each) for each in self._sections],
            "decks": [self._deck(deck) for deck in game.decks],
            "playtests": _table(shortened_table(report.playtests)) if report.playtests else None,
            "press": _press(report.press) if report.press else None,
        }

    def _rule(self, result: RuleResult) -> View:
        rule = result.rule
        rows = measure_rows(result.measures)
        crossed = in_matrix(result)
        alone = () if rows or crossed else result.measures
        charts, elsewhere = self._charts(result)
        titles = {each.title for each in result.matrices} | {each.title for each in result.histograms}
        return {
            **_badge(result.verdict),
            "anchor": self._anchor(result),
            "heading": rule.heading,
            "name": rule.name,
            "kind": rule.kind + ("" if rule.severity.value == "error" else f" · {rule.severity.value}"),
            "why": rule.why,
            "findings": [self._finding(finding, rule.question) for finding in result.findings],
            "should_be": common_bounds(result) if crossed else "",
            "measures": list(map(_measure, alone)),
            "rows": _table(shortened_table(rows)) if rows and not crossed else None,
            "looked_at": spans("; ".join(result.looked_at)),
            "elsewhere": elsewhere,
            "charts": [
                *(chart for matrix in result.matrices for chart in self._matrix(matrix)),
                *(self._histogram(each, each.title) for each in charts),
            ],
            "tables": [
                _table(shortened_table(each))
                for each in result.tables
                if each.rows and each.title not in titles
            ],
        }

    def _anchor(self, result: RuleResult) -> str:
        anchor = result.rule.anchor
        known = anchor in self._anchors  # two rules may have one id
        self._anchors.add(anchor)
        return "" if known else anchor

    def _passed(self, result: RuleResult) -> View:
        return {
            "anchor": self._anchor(result),
            "name": result.rule.name,
            "question": result.rule.heading,
            "found": found(result),
        }

    def _passed_charts(self) -> list[View]:
        """Return the charts of the passed rules, each with its rule's name."""
        charts: list[View] = []
        for result in self.report.results:
            if result.verdict is Verdict.PASS:
                name = result.rule.name
                charts += [one for each in result.matrices for one in self._matrix(each, name)]
                own, _ = self._charts(result)
                charts += [self._histogram(each, each.title, name) for each in own]
        return _tallest_first(charts)

    def _charts(self, result: RuleResult) -> tuple[list[Histogram], list[View]]:
        """Return the charts to draw with a rule, and the links to those that a component or an earlier rule
        has."""
        own: list[Histogram] = []
        elsewhere: list[View] = []
        for histogram in result.histograms:
            if says_nothing(histogram, len(result.measures)):
                continue
            same = [place for field, place in self._fields if is_of(histogram, field)]
            place = same[0] if len(same) == 1 else self._drawn.get(histogram)
            if place is None:
                own.append(histogram)
                self._drawn[histogram] = {"anchor": result.rule.anchor, "words": result.rule.name}
            else:
                elsewhere.append({"title": histogram.title, **place})
        return own, elsewhere

    def _finding(self, finding: Finding, question: str) -> View:
        picture = self.report.pictures.get(finding)
        hint = finding.hint if finding.hint != question else None
        return {
            "place": str(finding.location or ""),
            "message": spans(finding.message),
            "hint": spans(hint or ""),
            "picture": _data_url(picture) if picture else "",
        }

    def _section(self, component: Component, fields: Sequence[Field]) -> View:
        crossed = self.report.crossed.get(component.id, ())
        return {
            "anchor": f"deck-{component.id}",
            "title": component.title,
            "size": f"{counted(component.unique, 'distinct card')}, {component.copies} printed.",
            "charts": _tallest_first(
                [
                    self._histogram(chart, field.summary, label(field.name), _anchor(component, index))
                    for index, (field, chart) in enumerate(charted(component, fields))
                ]
                + [chart for each in crossed for chart in self._matrix(each.matrix)]
            ),
            "thumbnails": [_thumbnail(png) for png in self.report.thumbnails.get(component.id, ())],
            "undrawn": uncharted(component, fields),
            "cards": _table(card_list(component, fields)),
        }

    def _deck(self, deck: DeckList) -> View:
        verdict, summary = deck_verdict(deck, self.report.results)
        return {
            **_badge(verdict),
            "anchor": f"deck-list-{deck.id}",
            "title": deck.title,
            "summary": summary,
            "description": deck.description,
            "cards": _table(deck_cards(self.report.game, deck)),
        }

    def _matrix(self, matrix: Matrix, name: str = "") -> list[View]:
        return [
            _chart(chart, matrix.title + (", continued" if part else ""), name)
            for part, chart in enumerate(matrix_charts(matrix, WIDTH, self.faces))
        ]

    def _histogram(self, histogram: Histogram, caption: str, name: str = "", anchor: str = "") -> View:
        width = THIRD if len(histogram.bins) <= FEW_BARS else HALF
        return _chart(histogram_chart(histogram, width, self.faces), caption, name, anchor)


def _tallest_first(charts: Sequence[View]) -> list[View]:
    """Return charts in an order that leaves little of a row empty."""
    return sorted(charts, key=lambda one: -float(one["height"]))


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"


def _thumbnail(png: bytes) -> View:
    """Return a picture as an address for pages, and as SVG for Typst, which reads no base64."""
    width, height = struct.unpack(">II", png[16:24])  # the head of each PNG file
    url = _data_url(png)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image href="{url}" width="{width}" height="{height}"/></svg>'
    )
    return {"src": url, "svg": svg, "shape": width / height}


def _anchor(component: Component, index: int) -> str:
    """Return the anchor of a field's chart."""
    return f"chart-{component.id}-{index + 1}"


def _chart(chart: Chart, caption: str, name: str = "", anchor: str = "") -> View:
    return {
        "caption": caption,
        "name": name,
        "anchor": anchor,
        "svg": chart.svg(),
        "words": chart.words,
        "width": max(chart.width, THIRD),
        "drawn": chart.width,
        "height": chart.height,
    }


def _badge(verdict: Verdict) -> View:
    return {"verdict": verdict.value, "word": VERDICTS[verdict]}


def _measure(measure: Measure) -> View:
    return {"name": spans(measure.name), "value": measured(measure), "bounds": bounds_words(measure)}


def _comparison(known: Compared) -> View:
    tables = [_table(shortened_table(each)) for each in (known.sizes, known.rules) if each.rows]
    return {"title": f"Compared with {known.name}", "summary": known.summary, "tables": tables}


def _table(table: Table) -> View:
    """Return the texts of a table's cells. `figures` are the columns aligned to the right, `whole` those
    never wrapped, `long` those that share the remaining width."""
    rows = [[cell_text(cell) for cell in row] for row in table.rows]
    whole = whole_columns(table)
    longest = [max(map(len, column)) for column in zip(table.columns, *rows)]
    full = sum(longest) > FULL
    return {
        "title": table.title,
        "heads": list(table.columns),
        "rows": rows,
        "figures": figure_columns(table),
        "whole": whole,
        "long": [full and not each for each in whole],
    }


def _press(press: PressPage) -> View:
    groups = (
        ("Colors that it can't mix", ABOUT, ("screen, print", "", "ΔE", "mm²"), press.missed),
        ("Colors over the ink limit", HEAVY, ("screen", "", "ink, %", "mm²"), press.heavy),
    )
    return {
        "summary": press.summary,
        "faulty": FAULTY if press.faulty else "",
        "facts": [{"name": spans(name), "value": value, "bounds": ""} for name, value in press.facts],
        "groups": [
            {
                "title": title,
                "about": about,
                "heads": [*heads, "where", "cards"],
                "rows": list(map(_color, colors)),
            }
            for title, about, heads, colors in groups
            if colors
        ],
    }


def _color(one: PressColor) -> View:
    return {
        "colors": [one.asked, *([one.printed] if one.printed else [])],
        "much": f"{one.much:.0f}",
        "area": f"{one.area:.0f}",
        "place": str(one.place),
        "cards": of_cards(one.cards),
    }
