"""Define the results of rules: verdicts, measures, bounds and figures, and a result in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from cardgen.core.findings import Finding, Severity
from cardgen.core.records import dataclass
from cardgen.core.terminal import shown


class Verdict(StrEnum):
    """The outcome of a rule. `PASS` and `REPORT` have no findings; the other three do."""

    PASS = "pass"
    FAIL = "fail"
    REPORT = "report"
    """The rule only measures, without bounds."""
    UNDECIDED = "undecided"
    """The rule reached a limit (solver nodes, steps, runs) before it had an answer."""
    BROKEN = "broken"
    """The rule itself is wrong, or it found no cards."""


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as its author wrote it. `path` is its address in `file`, such as ("rules", 3)."""

    id: str
    kind: str
    question: str
    why: str
    severity: Severity
    file: str
    path: tuple[str | int, ...]
    deck: str = ""
    """The id of its deck list; empty for a rule of the game."""
    deck_title: str = ""

    @property
    def name(self) -> str:
        """Return its unique name among judged rules: its id, with the deck's in brackets."""
        return f"{self.id} ({self.deck})" if self.deck else self.id

    @property
    def heading(self) -> str:
        """Return the question with its deck."""
        question = self.question or self.id
        return f"{question} ({self.deck_title})" if self.deck else question

    @property
    def anchor(self) -> str:
        """Return the name as the target of a link."""
        return f"rule-{self.id}-of-{self.deck}" if self.deck else f"rule-{self.id}"


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure a rule found. `value` is a number, a word, or None if there is none.

    `text` puts it in words; `interval` contains the ends of a confidence interval if the figure was
    estimated from random runs; `exact` is a fraction such as "1/3", if there is one. `bounds` are its
    limits, such as (("min", 2), ("max", 4)).
    """

    name: str
    value: float | int | str | None
    unit: str = ""
    text: str = ""
    interval: tuple[float, float] | None = None
    exact: str = ""
    bounds: tuple[tuple[str, float], ...] = ()

    @property
    def words(self) -> str:
        """Return the value with its unit, as in "1 copy", or the measure's own words."""
        if self.text:
            return self.text
        if self.value is None:
            return "none"
        return self.value if isinstance(self.value, str) else amount(self.value, self.unit)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of words and numbers under column headings."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """A count of each value. `numeric` is True if the labels are ordered numbers."""

    title: str
    bins: tuple[tuple[str, float], ...]
    numeric: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """A coverage matrix: `values[row][column]`, for a heat map."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A judged rule. `looked_at` describes its input: components, filters, counts."""

    rule: RuleInfo
    verdict: Verdict
    measures: tuple[Measure, ...] = ()
    findings: tuple[Finding, ...] = ()
    looked_at: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    histograms: tuple[Histogram, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    off: float = 0
    """The distance of a failed rule from its bounds, in its own measure; infinite without a verdict."""

    @property
    def ok(self) -> bool:
        return self.verdict in (Verdict.PASS, Verdict.REPORT)

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain JSON values: `{"id", "verdict", "measures", …}`."""
        return {
            "id": self.rule.id,
            **({"deck": self.rule.deck} if self.rule.deck else {}),
            "kind": self.rule.kind,
            "question": self.rule.question,
            "verdict": self.verdict.value,
            "measures": [
                {
                    "name": measure.name,
                    "value": measure.value,
                    **{key: item for key in ("unit", "text", "exact") if (item := getattr(measure, key))},
                    **({"interval": list(measure.interval)} if measure.interval else {}),
                    **({"bounds": dict(measure.bounds)} if measure.bounds else {}),
                }
                for measure in self.measures
            ],
            "severity": self.rule.severity.value,
            "why": self.rule.why,
            "looked_at": list(self.looked_at),
            "findings": [finding.as_json() for finding in self.findings],
            "tables": [
                {"title": each.title, "columns": list(each.columns), "rows": list(map(list, each.rows))}
                for each in self.tables
            ],
        }


def number(value: float | int) -> str:
    """Return a number for a sentence: whole numbers without decimals, others with up to four significant
    digits."""
    if isinstance(value, int) or value == int(value):
        return str(int(value))
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.001 else f"{value:.3g}"


def counted(count: int, what: str, many: str = "") -> str:
    """Return a count with its noun: "1 card", "3 cards", "2 copies"."""
    return f"{count:,} {what if count == 1 else many or what + 's'}"


UNITS = {
    "cards": "card",
    "cards to spare": "card to spare",
    "copies": "copy",
    "demands": "demand",
    "items": "item",
    "values": "value",
}
"""The units of measures, with their singular forms; other units (a rule's own) don't change."""


def amount(value: float | int, unit: str) -> str:
    """Return a figure with its unit: "1 copy", "3 copies", "2.5 mm"."""
    return f"{number(value)} {UNITS.get(unit, unit) if value == 1 else unit}".rstrip()


def percent(share: float) -> str:
    """Return a probability or share as a percentage: 0.985664 is "98.566 %"."""
    return f"{share * 100:.3f}".rstrip("0").rstrip(".") + " %"


def listed(words: list[str], most: int = 6) -> str:
    """Return a list for a sentence: "a, b and c"; beyond `most` words the rest is counted."""
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


BOUND_KEYS = ("equals", "min", "max")

_TOLERANCE = 1e-9
"""Relative tolerance for sums of decimals; whole numbers are compared exactly."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a value: `equals`, or a range from `min` to `max`, both included."""

    equals: float | None = None
    min: float | None = None
    max: float | None = None

    @property
    def stated(self) -> bool:
        return not (self.equals is None and self.min is None and self.max is None)

    def __contains__(self, value: float) -> bool:
        if not math.isfinite(value):
            return False
        if self.equals is not None:
            return _same(value, self.equals)
        above = self.min is None or value >= self.min or _same(value, self.min)
        return above and (self.max is None or value <= self.max or _same(value, self.max))

    def holds_for(self, low: float, high: float) -> bool | None:
        """Return True if a value between `low` and `high` is within bounds, False if it isn't, None if it
        may be."""
        if low in self and high in self:
            return True
        least = self.equals if self.equals is not None else self.min
        most = self.equals if self.equals is not None else self.max
        if (most is not None and low > most) or (least is not None and high < least):
            return False
        return None

    def distance(self, value: float) -> float:
        """Return a value's distance from the bounds; 0 within them."""
        if value in self:
            return 0
        least = self.equals if self.equals is not None else self.min
        most = self.equals if self.equals is not None else self.max
        return max(
            least - value if least is not None else 0, value - most if most is not None else 0, _TOLERANCE
        )

    @property
    def pairs(self) -> tuple[tuple[str, float], ...]:
        """Return the given bounds, as `(("min", 2), ("max", 4))`."""
        read = ((key, getattr(self, key)) for key in BOUND_KEYS)
        return tuple((key, value) for key, value in read if value is not None)

    @property
    def allows_none(self) -> bool:
        """Return True if the bounds allow zero explicitly: `equals: 0`, or only a `max`."""
        return 0 in self and (self.equals is not None or self.max is not None)

    def in_words(self, words: Callable[[float], str] = number) -> str:
        """Return the bounds for a sentence; `words` formats figures."""
        if self.equals is not None:
            return words(self.equals)
        if self.min is not None and self.max is not None:
            return f"{words(self.min)} to {words(self.max)}"
        if self.min is not None:
            return f"at least {words(self.min)}"
        return f"at most {words(self.max)}" if self.max is not None else "anything"

    def __str__(self) -> str:
        return self.in_words()


def _same(left: float, right: float) -> bool:
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


_WORDS = {
    Verdict.PASS: "holds",
    Verdict.FAIL: "does not hold",
    Verdict.REPORT: "is reported, without a verdict",
    Verdict.UNDECIDED: "could not be decided",
    Verdict.BROKEN: "can't be checked",
}


def explain(result: RuleResult) -> str:
    """Return several lines of text, the last without a newline."""
    rule = result.rule
    deck = f" of the deck “{rule.deck_title}”" if rule.deck else ""
    lines = [f"{rule.id} ({rule.kind}, {rule.severity.value}){deck}", f"  {rule.question.strip()}"]
    if rule.why:
        lines += ["", "why", *(f"  {line}" for line in rule.why.strip().splitlines())]
    if result.looked_at:
        lines += ["", "looked at", *(f"  {line}" for line in dict.fromkeys(result.looked_at))]
    if result.measures:
        lines += ["", "measured"]
        for measure in result.measures:
            words = measure.words
            interval = measure.interval
            if interval and not measure.text:  # the text has it
                words += f" (between {number(interval[0])} and {number(interval[1])})"
            lines.append(f"  {measure.name}: {words}")
    for table in result.tables:
        lines += ["", table.title, *(f"  {line}" for line in _columns(table.columns, table.rows))]
    lines += ["", f"verdict: the rule {_WORDS[result.verdict]}"]
    for finding in result.findings:
        lines.append(f"  {finding}")
        if finding.hint and finding.hint != rule.question:
            lines.append(f"    hint: {finding.hint}")
    return "\n".join(map(shown, lines))


def _columns(heads: tuple[str, ...], rows: tuple[tuple[str | int | float | None, ...], ...]) -> list[str]:
    cells = [list(heads)]
    for row in rows:
        cells.append([number(cell) if isinstance(cell, (int, float)) else str(cell or "") for cell in row])
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
