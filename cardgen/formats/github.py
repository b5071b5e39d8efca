"""Findings as GitHub workflow commands: annotations on file and line in a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.findings import Finding, Severity
from cardgen.terminal import shown

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def report(findings: Sequence[Finding], passed: Sequence[str] = ()) -> str:
    """One command a line: `::error file=…,line=…,col=…,title=…::message`."""
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
    said = shown(path + finding.message)
    if finding.hint:
        said += f"\nhint: {shown(finding.hint.strip())}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(said)}"


def _data(text: str) -> str:
    """The escapes of a command's message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The escapes of a command's property: also of what ends one."""
    return _data(shown(text)).replace(":", "%3A").replace(",", "%2C")
