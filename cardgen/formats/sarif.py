"""Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from cardgen.findings import Finding, Severity
from cardgen.terminal import shown_json

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """One run; a rule for each code; places relative to the project's folder."""
    codes = sorted({finding.code for finding in findings})
    run = {
        "tool": {"driver": {"name": "cardgen", "rules": [{"id": code} for code in codes]}},
        "originalUriBaseIds": {"PROJECT": {"description": {"text": "The folder of the project."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in findings],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return shown_json(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _result(finding: Finding, index: int) -> dict[str, Any]:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
    }
    if finding.location and finding.location.cell:
        # What people are shown of a result is its text.
        result["message"]["text"] = f"{finding.location.within}: {text}"
    if finding.left_out:
        result["properties"] = {"leftOut": finding.left_out}
    if place := finding.location:
        physical: dict[str, Any] = {
            "artifactLocation": {"uri": quote(place.file, errors="surrogateescape"), "uriBaseId": "PROJECT"}
        }
        if place.is_text:
            physical["region"] = {"startLine": place.line}
            if place.column is not None:
                physical["region"]["startColumn"] = place.column
        location: dict[str, Any] = {"physicalLocation": physical}
        if place.path:
            location["logicalLocations"] = [{"fullyQualifiedName": place.path}]
        result["locations"] = [location]
    return result
