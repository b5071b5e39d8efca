"""Findings for people: the place and what is wrong, then what to do."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.findings import Finding, Severity


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """`file:line:col: path: message`, the severity unless it is an error, then the hint."""
    lines = []
    for finding in findings:
        label = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
        place = f"{finding.location}: " if finding.location else ""
        lines.append(f"{place}{label}{finding.message} [{finding.code}]")
        if finding.hint:
            lines.append(f"  hint: {finding.hint}")
    return "\n".join(lines)
