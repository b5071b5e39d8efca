"""Findings as one JSON object, for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cardgen.findings import Finding, Severity
from cardgen.terminal import shown_json


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """`{"findings": [{"severity", "code", "message", "file", "line", "column", "path", "cell", "hint"}],
    "counts": {"error", "warning", "note"}, "left_out"}`; what a finding has not is null. `counts` has
    those that are left out too."""
    counts = {
        level.value: sum(finding.count for finding in findings if finding.severity is level)
        for level in Severity
    }
    left_out = sum(finding.left_out for finding in findings)
    entries = [finding.as_json() for finding in findings]
    content = {"findings": entries, "counts": counts, "left_out": left_out}
    return shown_json(json.dumps(content, ensure_ascii=False, indent=2))
