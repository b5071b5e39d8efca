"""What is shown of a judged rule beside its findings: each chart once, no table that repeats a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.checking.results import Histogram, RuleResult, Table
from cardgen.reports.fields import Field, label


@dataclass(frozen=True, slots=True)
class Place:
    """A chart that is in the report: of what, in words, and the anchor it has there."""

    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule's result, the histograms and tables drawn with it, and by their titles the histograms
    that stand elsewhere."""

    result: RuleResult
    histograms: tuple[Histogram, ...]
    elsewhere: tuple[tuple[str, Place], ...]
    tables: tuple[Table, ...]


def judged(results: Sequence[RuleResult], fields: Sequence[tuple[Field, Place]]) -> Iterator[Judged]:
    """Every rule, in order. `fields` are the charts that the components have; a rule's chart that is
    among them, or that an earlier rule has, is not drawn again."""
    drawn: dict[Histogram, Place] = {}
    for result in results:
        own: list[Histogram] = []
        elsewhere: list[tuple[str, Place]] = []
        said = {matrix.title for matrix in result.matrices}
        for histogram in result.histograms:
            said.add(histogram.title)
            if _says_nothing(histogram, len(result.measures)):
                continue
            same = [place for field, place in fields if _is_of(histogram, field)]
            place = same[0] if len(same) == 1 else drawn.get(histogram)
            if place is None:
                own.append(histogram)
                drawn[histogram] = Place(result.rule.name, result.rule.anchor)
            else:
                elsewhere.append((histogram.title, place))
        tables = [table for table in result.tables if table.rows and table.title not in said]
        yield Judged(result, tuple(own), tuple(elsewhere), tuple(tables))


def _says_nothing(histogram: Histogram, measures: int) -> bool:
    """Whether it is a single bar, or bars of one height that the measures name one by one."""
    level = len({size for _, size in histogram.bins}) < 2
    return len(histogram.bins) < 2 or (level and measures >= len(histogram.bins))


def _is_of(histogram: Histogram, field: Field) -> bool:
    """Whether a rule's histogram says the same as a field's: it is named for it, and no bar differs."""
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


def place_of(field: Field, title: str, anchor: str) -> Place:
    """Where a component called `title` shows the chart of a field."""
    return Place(f"{label(field.name)}, under {title}", anchor)
