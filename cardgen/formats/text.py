"""Findings for people: the place and what is wrong, then what to do."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.findings import Finding, Severity
from cardgen.terminal import shown


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """`file:line:col: path: message`, the severity unless it is an error, then the hint. A finding has a
    line, its hint another, whatever their words are."""
    lines = []
    for finding in findings:
        label = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
        place = f"{finding.location}: " if finding.location else ""
        lines.append(shown(f"{place}{label}{finding.message} [{finding.code}]"))
        if finding.hint:
            lines.append(f"  hint: {shown(finding.hint.strip())}")
    return "\n".join(lines)
