"""Findings for people: the place and what is wrong, then what to do."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.findings import Finding, Severity
from cardgen.terminal import painted, shown

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def report(findings: Sequence[Finding], passed: Sequence[str] = (), *, coloured: bool = False) -> str:
    """`file:line:col: path: message [code]`, the severity unless it is an error, then the hint. A finding
    has a line, its hint another, whatever their words are. Colours repeat what the words say."""
    lines = []
    for finding in findings:
        label = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
        place = f"{finding.location}: " if finding.location else ""
        if coloured:
            mark = painted(f"{shown(place)}{label}", _COLOURS[finding.severity], "bold")
            lines.append(f"{mark}{shown(finding.message)}{painted(f' [{shown(finding.code)}]', 'dim')}")
        else:
            lines.append(shown(f"{place}{label}{finding.message} [{finding.code}]"))
        if finding.hint:
            name = painted("hint:", "green") if coloured else "hint:"
            lines.append(f"  {name} {shown(finding.hint.strip())}")
    return "\n".join(lines)
