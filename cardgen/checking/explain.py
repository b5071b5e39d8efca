"""A judged rule in words: the question, the reasoning, what it looked at and what came out."""

from __future__ import annotations

from cardgen.checking.results import RuleResult, Verdict, number
from cardgen.terminal import shown

_WORDS = {
    Verdict.PASS: "holds",
    Verdict.FAIL: "does not hold",
    Verdict.REPORT: "is reported, without a verdict",
    Verdict.UNDECIDED: "could not be decided",
    Verdict.BROKEN: "cannot be judged",
}


def explain(result: RuleResult) -> str:
    """Several lines of text, the last without a newline."""
    rule = result.rule
    deck = f" of the deck “{rule.deck_title}”" if rule.deck else ""
    lines = [f"{rule.id} ({rule.kind}, {rule.severity.value}){deck}", f"  {rule.question.strip()}"]
    if rule.why:
        lines += ["", "why", *(f"  {line}" for line in rule.why.strip().splitlines())]
    if result.looked_at:
        lines += ["", "looked at", *(f"  {line}" for line in result.looked_at)]
    if result.measures:
        lines += ["", "measured"]
        for measure in result.measures:
            words = measure.words
            interval = measure.interval
            if interval:
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
