"""Findings as one JSON object, for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cardgen.findings import Finding, Severity


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """`{"findings": [{"severity", "code", "message", "file", "line", "column", "path", "hint"}],
    "counts": {"error", "warning", "note"}}`; what a finding has not is null."""
    entries = []
    for finding in findings:
        place = finding.location
        entries.append(
            {
                "severity": finding.severity.value,
                "code": finding.code,
                "message": finding.message,
                "file": place.file if place else None,
                "line": place.line if place else None,
                "column": place.column if place else None,
                "path": (place.path or None) if place else None,
                "hint": finding.hint,
            }
        )
    counts = {level.value: sum(finding.severity is level for finding in findings) for level in Severity}
    return json.dumps({"findings": entries, "counts": counts}, ensure_ascii=False, indent=2)
