"""Findings as text for people and as files for other programs: findings in, text out.

One reporter a file, its name in REPORTERS. A reporter is a function `report(findings, passed)`;
`passed` are the codes of checks that found nothing, for formats that list those too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import cast

from cardgen.findings import Finding
from cardgen.formats.capping import bounded, capped

REPORTERS: tuple[str, ...] = ("text", "json", "github", "sarif", "junit")
_FOR_PEOPLE = frozenset({"text", "github"})

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
) -> str:
    """Findings in one of the formats of REPORTERS, without a last newline. Unless `every` asks for all, of
    very many the first are shown and the others counted; people are shown fewer of those that are alike.

    `folder` is the project as seen from the current folder: annotations on GitHub name files of the
    whole repository, so they get it in front. KeyError for an unknown format.
    """
    if not every:
        findings = (capped if format in _FOR_PEOPLE else bounded)(findings)
    if format == "github" and folder != ".":
        findings = [_below(folder, finding) for finding in findings]
    return reporter(format)(findings, passed).rstrip("\n")


def _below(folder: str, finding: Finding) -> Finding:
    place = finding.location
    if place is None:
        return finding
    return replace(finding, location=replace(place, file=f"{folder.replace(chr(92), '/')}/{place.file}"))
