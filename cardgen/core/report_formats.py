"""Format findings as text, JSON, JUnit XML, SARIF and GitHub annotations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgen.core.findings import Finding, Severity
from cardgen.core.records import dataclass
from cardgen.core.terminal import painted, shown, shown_json

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True, slots=True)
class Tool:
    """The program that a report names: its version, and the address of the page of all explanations. Each
    may be empty."""

    version: str = ""
    page: str = ""


_UNKNOWN = Tool()


def text_report(
    findings: Sequence[Finding],
    passed: Sequence[str] = (),
    tool: Tool = _UNKNOWN,
    *,
    coloured: bool = False,
) -> str:
    """Return `file:line:col: path: message [code]`, the severity unless it is an error, then the hint. A
    finding takes a line, its hint another. Colors only repeat information of the text."""
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


def json_report(findings: Sequence[Finding], passed: Sequence[str], tool: Tool = _UNKNOWN) -> str:
    """Return `{"findings": [{"severity", "code", "message", "file", "line", "column", "path", "cell",
    "hint"}], "counts": {"error", "warning", "note"}, "left_out"}`, with null for missing values. `counts`
    includes the findings left out."""
    counts = {
        level.value: sum(finding.count for finding in findings if finding.severity is level)
        for level in Severity
    }
    left_out = sum(finding.left_out for finding in findings)
    entries = [finding.as_json() for finding in findings]
    content = {"findings": entries, "counts": counts, "left_out": left_out}
    return shown_json(json.dumps(content, ensure_ascii=False, indent=2))


_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_report(findings: Sequence[Finding], passed: Sequence[str], tool: Tool = _UNKNOWN) -> str:
    """Return one command a line: `::error file=…,line=…,col=…,title=…::message`."""
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    place = finding.location
    properties: list[tuple[str, object]] = []
    if place:
        properties = [("file", place.file)]
        if place.is_text:
            properties += [("line", place.line), ("col", place.column)]
    properties.append(("title", finding.code))
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties if value is not None)
    path = f"{place.within}: " if place and place.within else ""
    text = shown(path + finding.message)
    if finding.hint:
        text += f"\nhint: {shown(finding.hint.strip())}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """Return a command's message, escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return a command's property, escaped, including its separators."""
    return _data(shown(text)).replace(":", "%3A").replace(",", "%2C")


_NOT_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML 1.0 documents may not contain."""


def junit_report(findings: Sequence[Finding], passed: Sequence[str], tool: Tool = _UNKNOWN) -> str:
    """Return one suite. Errors and warnings are failures of their case; notes are its output."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

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
            failure.text = "\n".join(_text_of(finding) for finding in wrong)
        notes = [finding for finding in found if finding.severity is Severity.NOTE]
        if notes:
            SubElement(case, "system-out").text = "\n".join(_text_of(finding) for finding in notes)
    suite.set("tests", str(len(by_code)))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    indent(suite)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(suite, encoding='unicode')}\n"


def _text_of(finding: Finding) -> str:
    text = _clean(str(finding))
    return f"{text}\nhint: {_clean(finding.hint.strip())}" if finding.hint else text


def _clean(text: str) -> str:
    return re.sub(_NOT_XML, "\ufffd", shown(text))


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif_report(findings: Sequence[Finding], passed: Sequence[str], tool: Tool = _UNKNOWN) -> str:
    """Return one run; a rule with its explanation for each code; places in the project's folder."""
    codes = sorted({finding.code for finding in findings})
    driver: dict[str, Any] = {"name": "cardgen"}
    if tool.version:
        driver["version"] = driver["semanticVersion"] = tool.version
    if tool.page:
        driver["informationUri"] = tool.page
    driver["rules"] = [_rule(code, tool.page) for code in codes]
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"PROJECT": {"description": {"text": "The folder of the project."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in findings],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return shown_json(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _rule(code: str, page: str) -> dict[str, Any]:
    """Return a code with what `cardgen explain` prints of it. Codes of plug-ins have no explanation."""
    from cardgen.core.explanations import OWN, explanations

    known = explanations().get(OWN if code.startswith("rule/") else code)
    if known is None:
        return {"id": code}
    rule: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": known.first_sentence},
        "fullDescription": {"text": known.plain_text.partition("\n\n")[0]},
        "help": {"text": known.plain_text, "markdown": known.markdown(page)},
    }
    if page:
        rule["helpUri"] = f"{page}#{known.anchor}"
    return rule


def _result(finding: Finding, index: int) -> dict[str, Any]:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
    }
    if finding.location and finding.location.cell:
        # People see only the text of a result.
        result["message"]["text"] = f"{finding.location.within}: {text}"
    if finding.left_out:
        result["properties"] = {"leftOut": finding.left_out}
    if place := finding.location:
        from urllib.parse import quote

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


REPORTS: Mapping[str, Callable[..., str]] = {
    "text": text_report,
    "json": json_report,
    "github": github_report,
    "sarif": sarif_report,
    "junit": junit_report,
}
"""The report function of each format; it takes findings, the codes of rules that passed and a `Tool`."""
