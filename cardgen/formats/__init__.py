"""Findings as text for people and as files for other programs: findings in, text out.

One reporter a file, its name in REPORTERS. A reporter is a function `report(findings, passed)`;
`passed` are the codes of checks that found nothing, for formats that list those too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import cast

from cardgen.findings import Finding, Severity
from cardgen.formats.capping import HINT, bounded, capped

REPORTERS: tuple[str, ...] = ("text", "json", "github", "sarif", "junit")

Reporter = Callable[[Sequence[Finding], Sequence[str]], str]


def reporter(name: str) -> Reporter:
    """The `report` function of a format. KeyError for a name that is not in REPORTERS."""
    if name not in REPORTERS:
        raise KeyError(name)
    return cast("Reporter", import_module(f"cardgen.formats.{name}").report)


def report_findings(
    findings: Sequence[Finding],
    format: str = "text",
    *,
    passed: Sequence[str] = (),
    folder: str = ".",
    every: bool = False,
    coloured: bool = False,
) -> str:
    """Findings in one of the formats of REPORTERS, without a last newline. Unless `every` asks for all, of
    very many the first are shown and the others counted; in text those that are alike are told together.

    `folder` is the project as seen from the current folder: annotations on GitHub name files of the
    whole repository, so they get it in front. `coloured` text is for a terminal that shows colours; other
    formats have none. KeyError for an unknown format.
    """
    if not every:
        findings = (capped if format == "text" else bounded)(findings)
    if format == "github" and folder != ".":
        findings = [_below(folder, finding) for finding in findings]
    if format == "text" and coloured:
        from cardgen.formats import text

        return text.report(findings, passed, coloured=True)
    return reporter(format)(findings, passed).rstrip("\n")


def summary(findings: Sequence[Finding], *, every: bool = False) -> str:
    """One line on how many there are: `3 errors, 2 warnings in 4 files`; and how to see those that text
    leaves out unless it shows `every` one."""
    if not findings:
        return "no findings"
    counts = {level: sum(each.count for each in findings if each.severity is level) for level in Severity}
    said = [
        f"{count:,} {level.value}{'' if count == 1 else 's'}" for level, count in counts.items() if count
    ]
    files = len({each.location.file for each in findings if each.location})
    where = f" in {files:,} file{'' if files == 1 else 's'}" if files else ""
    more = "" if every or len(capped(findings)) == len(findings) else f"; {HINT}"
    return f"{', '.join(said)}{where}{more}"


def _below(folder: str, finding: Finding) -> Finding:
    place = finding.location
    if place is None:
        return finding
    return replace(finding, location=replace(place, file=f"{folder.replace(chr(92), '/')}/{place.file}"))
