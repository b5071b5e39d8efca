"""Render a report as words, tables and charts, for its page and its PDF."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from cardgen.core.findings import Finding
from cardgen.core.game import Component, DeckList
from cardgen.rules.charts import Chart, histogram_chart, matrix_charts
from cardgen.rules.report_content import (
    ABOUT,
    FAULTY,
    HEAVY,
    VERDICTS,
    Compared,
    PressColor,
    PressPage,
    Report,
    bounds_words,
    card_list,
    cell_text,
    charted,
    common_bounds,
    deck_cards,
    deck_verdict,
    figure_columns,
    in_matrix,
    is_of,
    measure_rows,
    measured,
    of_cards,
    overview,
    players,
    says_nothing,
    shortened_table,
    spans,
    tally,
    uncharted,
    whole_columns,
)
from cardgen.rules.report_fields import Field, fields_of, label
from cardgen.rules.report_fonts import Faces
from cardgen.rules.results import Histogram, Matrix, Measure, RuleResult, Table, Verdict, counted

View = dict[str, Any]
"""Values of JSON types."""

WIDTH, HALF = 174.0, 84.0
"""Width of the text, which fits both A4 and letter paper, and of one of two charts side by side; mm."""
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
            "overview": list(map(_overview_row, overview(report.results))),
            "sizes": [
                {
                    "anchor": f"deck-{each.id}" if each.cards else "",
                    "cells": [each.title, each.kind, str(each.unique), str(each.copies)],
                }
                for each in game.components
            ],
            "compared": _comparison(report.compared) if report.compared else None,
            "rules": list(map(self._rule, report.results)),
            "sections": [self._section(*each) for each in self._sections],
            "decks": [self._deck(deck) for deck in game.decks],
            "press": _press(report.press) if report.press else None,
        }

    def _rule(self, result: RuleResult) -> View:
        rule = result.rule
        anchor = "" if rule.anchor in self._anchors else rule.anchor  # two may have one id
        self._anchors.add(rule.anchor)
        rows = measure_rows(result.measures)
        crossed = in_matrix(result)
        alone = () if rows or crossed else result.measures
        charts, elsewhere = self._charts(result)
        titles = {each.title for each in result.matrices} | {each.title for each in result.histograms}
        return {
            **_badge(result.verdict),
            "anchor": anchor,
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
            "charts": [chart for matrix in result.matrices for chart in self._matrix(matrix)],
            "pairs": [self._histogram(each, each.title) for each in charts],
            "tables": [
                _table(shortened_table(each))
                for each in result.tables
                if each.rows and each.title not in titles
            ],
        }

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
            "picture": f"data:image/png;base64,{b64encode(picture).decode()}" if picture else "",
        }

    def _section(self, component: Component, fields: Sequence[Field]) -> View:
        crossed = self.report.crossed.get(component.id, ())
        return {
            "anchor": f"deck-{component.id}",
            "title": component.title,
            "size": f"{counted(component.unique, 'distinct card')}, {component.copies} printed.",
            "pairs": [
                self._histogram(chart, field.summary, label(field.name), _anchor(component, index))
                for index, (field, chart) in enumerate(charted(component, fields))
            ],
            "charts": [chart for each in crossed for chart in self._matrix(each.matrix)],
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

    def _matrix(self, matrix: Matrix) -> list[View]:
        return [
            _chart(chart, matrix.title + (", continued" if part else ""))
            for part, chart in enumerate(matrix_charts(matrix, WIDTH, self.faces))
        ]

    def _histogram(self, histogram: Histogram, caption: str, name: str = "", anchor: str = "") -> View:
        return _chart(histogram_chart(histogram, HALF, self.faces), caption, name, anchor)


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
        "width": chart.width,
    }


def _badge(verdict: Verdict) -> View:
    return {"verdict": verdict.value, "word": VERDICTS[verdict]}


def _overview_row(result: RuleResult) -> View:
    return {
        **_badge(result.verdict),
        "ok": result.ok,
        "anchor": result.rule.anchor,
        "name": result.rule.name,
        "question": result.rule.question,
    }


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
