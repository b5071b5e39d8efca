"""Findings as JUnit XML, for build servers: a test case for each check, with its findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardgen.findings import Finding, Severity
from cardgen.terminal import shown

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold."""


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """One suite. Errors and warnings are failures of their case; notes stand in its output."""
    by_code: dict[str, list[Finding]] = {code: [] for code in sorted(passed)}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    suite = Element("testsuite", name="cardgen")
    failures = 0
    for code, found in by_code.items():
        case = SubElement(suite, "testcase", classname="cardgen", name=_clean(code))
        wrong = [finding for finding in found if finding.severity is not Severity.NOTE]
        failures += bool(wrong)
        if wrong:
            first = wrong[0]
            failure = SubElement(case, "failure", type=first.severity.value, message=_clean(first.message))
            failure.text = "\n".join(_said(finding) for finding in wrong)
        notes = [finding for finding in found if finding.severity is Severity.NOTE]
        if notes:
            SubElement(case, "system-out").text = "\n".join(_said(finding) for finding in notes)
    suite.set("tests", str(len(by_code)))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    indent(suite)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(suite, encoding='unicode')}\n"


def _said(finding: Finding) -> str:
    said = _clean(str(finding))
    return f"{said}\nhint: {_clean(finding.hint.strip())}" if finding.hint else said


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", shown(text))
