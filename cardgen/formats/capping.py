"""The findings that a reader is shown: of very many alike the first, then how many more there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardgen.findings import Finding, Location, Severity

MOST_ALIKE = 20
"""Most findings of one severity and code that are shown for one file."""
MOST = 500
"""Most findings that are shown in all."""
HINT = "`cardgen check --all` lists them"


def capped(findings: Sequence[Finding]) -> list[Finding]:
    """The findings to show, in their order. What is left out is counted: after the last one of a kind
    that is shown, and at the end where there are too many kinds. Errors are the last to be left out."""
    return _first(_first_of_each_kind(findings))


def _first_of_each_kind(findings: Sequence[Finding]) -> list[Finding]:
    left: Counter[tuple[Severity, str, str]] = Counter()
    for finding in findings:
        left[_kind(finding)] += finding.count
    seen: Counter[tuple[Severity, str, str]] = Counter()
    shown: list[Finding] = []
    for finding in findings:
        kind = _kind(finding)
        seen[kind] += 1
        if seen[kind] > MOST_ALIKE:
            continue
        shown.append(finding)
        left[kind] -= finding.count
        if seen[kind] == MOST_ALIKE and (more := left[kind]):
            severity, code, file = kind
            place = Location(file) if file else None
            shown.append(Finding(severity, code, f"and {more:,} more like this", place, HINT, more))
    return shown


def _kind(finding: Finding) -> tuple[Severity, str, str]:
    return finding.severity, finding.code, finding.location.file if finding.location else ""


def _first(findings: list[Finding]) -> list[Finding]:
    if len(findings) <= MOST:
        return findings
    weights = list(Severity)
    chosen = sorted(range(len(findings)), key=lambda index: weights.index(findings[index].severity))[:MOST]
    kept = set(chosen)
    shown = [findings[index] for index in sorted(kept)]
    for severity in weights:
        left = [
            finding
            for index, finding in enumerate(findings)
            if index not in kept and finding.severity is severity
        ]
        if left:
            count = sum(finding.count for finding in left)
            noun = severity.value if count == 1 else f"{severity.value}s"
            message = f"and {count:,} more {noun} of {_kinds(left)}"
            shown.append(Finding(severity, "findings/more", message, None, HINT, count))
    return shown


def _kinds(findings: list[Finding]) -> str:
    number = len({finding.code for finding in findings})
    return "one kind" if number == 1 else f"{number} kinds"
