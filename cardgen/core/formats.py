"""Format findings as text for people; `report_formats` has the formats for other programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence

from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.records import replace
from cardgen.core.report_formats import REPORTS, Tool, text_report


def report_findings(
    findings: Sequence[Finding],
    format: str = "text",
    *,
    passed: Sequence[str] = (),
    folder: str = ".",
    every: bool = False,
    coloured: bool = False,
    tool: Tool | None = None,
) -> str:
    """Return findings in one of the formats of `report_formats.REPORTS`, without a last newline. Unless
    `every` is set, only the first of very many are shown and the others counted; text groups similar ones.

    `folder` is the project's path from the current folder: annotations on GitHub need the paths of the
    whole repository. `coloured` text is for a terminal with colors; other formats have none. `tool`
    is named by formats that name one. Raises KeyError for an unknown format.
    """
    if not every:
        findings = (capped if format == "text" else bounded)(findings)
    if format == "github" and folder != ".":
        findings = [_in_folder(folder, finding) for finding in findings]
    if format == "text":
        return text_report(findings, coloured=coloured)
    return REPORTS[format](findings, passed, tool or Tool()).rstrip("\n")


def summary(findings: Sequence[Finding], *, every: bool = False) -> str:
    """Return one line with the counts: `3 errors, 2 warnings in 4 files`; and the command to see those that
    text omits unless it shows `every` one."""
    if not findings:
        return "no findings"
    counts = {level: sum(each.count for each in findings if each.severity is level) for level in Severity}
    parts = [
        f"{count:,} {level.value}{'' if count == 1 else 's'}" for level, count in counts.items() if count
    ]
    files = len({each.location.file for each in findings if each.location})
    where = f" in {files:,} file{'' if files == 1 else 's'}" if files else ""
    more = "" if every or len(capped(findings)) == len(findings) else f"; {HINT}"
    return f"{', '.join(parts)}{where}{more}"


def _in_folder(folder: str, finding: Finding) -> Finding:
    place = finding.location
    if place is None:
        return finding
    return replace(finding, location=replace(place, file=f"{folder.replace(chr(92), '/')}/{place.file}"))


FIRST = 3
"""How many findings are shown that differ only in names and figures."""
ALIKE = 6
"""From this number on, they are not all shown."""
MOST_ALIKE = 20
"""Most findings of one severity and code that are shown for one file."""
MOST = 500
"""Most findings in all that people are shown."""
MOST_LISTED = 5_000
"""Most findings in all for programs: the limit of code hosts."""
GATHERED = 4
"""From this number of places on, equal findings are grouped."""
_NAMED = 5
_CARD = re.compile(r"card '([^']{1,80})': ")
_INDEX = re.compile(r"\[[0-9]+\]")
_VALUE = re.compile(r"'[^']*'|“[^”]*”|[0-9]+(?:[.,][0-9]+)*")
"""The parts that differ between findings of one kind: quoted text and figures."""
HINT = "list each: cardgen check --all"


def capped(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings to show, in their order. The others are counted after the last shown one of their
    kind, and at the end if there are too many kinds. Errors are dropped last."""
    return bounded(_first_of_each(_first_of_each(gathered(findings), _form_key, FIRST, ALIKE), _kind), MOST)


def gathered(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, in their order, with equal ones at many places (entries of a list, lines, files)
    as one, at the first of these."""
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_text_key(finding), []).append(finding)
    many = {key for key, group in groups.items() if len(group) >= GATHERED}
    shown: list[Finding] = []
    for finding in findings:
        key = _text_key(finding)
        if key not in many:
            shown.append(finding)
        elif finding is groups[key][0]:
            shown.append(_grouped(groups[key]))
    return shown


def _text_key(finding: Finding) -> Hashable:
    """Return a key that is equal for findings that differ only in their place."""
    place = finding.location
    if finding.left_out or place is None or place.line is None:
        return id(finding)
    message = _CARD.sub("", finding.message, count=1)
    return finding.severity, finding.code, message, finding.hint, _INDEX.sub("[]", place.path)


def _form_key(finding: Finding) -> Hashable:
    """Return a key that is equal for findings that differ only in names and figures."""
    message = _VALUE.sub("'", _CARD.sub("", finding.message, count=1))
    path = _INDEX.sub("[]", finding.location.path) if finding.location else ""
    return finding.severity, finding.code, message, path


def _kind(finding: Finding) -> Hashable:
    return finding.severity, finding.code, finding.location.file if finding.location else ""


def _grouped(group: Sequence[Finding]) -> Finding:
    first, others = group[0], group[1:]
    cards = [match[1] for match in map(_CARD.match, (each.message for each in others)) if match]
    if len(cards) == len(others):
        more = f" cards: {_shorten(map(repr, cards))}"
    else:
        more = _places([first, *others])
    return replace(first, message=f"{first.message}; and {len(others):,} more{more}", left_out=len(group))


def _places(group: Sequence[Finding]) -> str:
    """Return the places of a group except the first: ` in lines 6, 9, …`, with the files if there are
    several; empty without places."""
    first, *others = (each.location for each in group)
    placed = [place for place in others if place is not None and place.line is not None]
    if not placed:
        return ""
    if all(place.cell and place.file == (first and first.file) for place in placed):
        cells = dict.fromkeys(place.cell for place in placed)
        return f" in cell{'s' if len(cells) > 1 else ''} {_shorten(cells)}"
    if all(place.file == placed[0].file for place in placed) and first and first.file == placed[0].file:
        lines = dict.fromkeys(f"{place.line}" for place in placed)
        return f" in line{'s' if len(lines) > 1 else ''} {_shorten(lines)}"
    return f" in {_shorten(dict.fromkeys(f'{place.file}:{place.cell or place.line}' for place in placed))}"


def _shorten(names: Iterable[str]) -> str:
    named = list(names)
    return ", ".join([*named[:_NAMED], "…"] if len(named) > _NAMED else named)


def _first_of_each(
    findings: Sequence[Finding],
    key: Callable[[Finding], Hashable],
    first: int = MOST_ALIKE,
    least: int = MOST_ALIKE + 1,
) -> list[Finding]:
    """Return the findings, in their order, but only the `first` of many with the same key; the last of them
    is followed by a count of the rest."""
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(key(finding), []).append(finding)
    seen: Counter[Hashable] = Counter()
    shown: list[Finding] = []
    for finding in findings:
        group = groups[key(finding)]
        seen[key(finding)] += 1
        if len(group) < least or seen[key(finding)] <= first:
            shown.append(finding)
        if len(group) >= least and seen[key(finding)] == first:
            shown.append(_rest_of(group[first - 1], group[first:]))
    return shown


def _rest_of(last: Finding, group: Sequence[Finding]) -> Finding:
    """Return the finding that represents the rest of a group, after its last shown one."""
    more = sum(finding.count for finding in group)
    where = _places([last, *group])
    message = f"and {more:,} more like this{',' if where else ''}{where}"
    files = {each.location.file if each.location else "" for each in (last, *group)}
    place = Location(last.location.file) if last.location and len(files) == 1 else None
    return Finding(last.severity, last.code, message, place, None, more)


def bounded(findings: Sequence[Finding], most: int = MOST_LISTED) -> list[Finding]:
    """Return at most `most` findings, in order, and a count of the rest. Errors are dropped last."""
    if len(findings) <= most:
        return list(findings)
    weights = list(Severity)
    chosen = sorted(range(len(findings)), key=lambda index: weights.index(findings[index].severity))[:most]
    kept = set(chosen)
    shown = [findings[index] for index in sorted(kept)]
    for severity in weights:
        left = [
            finding
            for index, finding in enumerate(findings)
            if index not in kept and finding.severity is severity
        ]
        if left:
            count = sum(finding.count for finding in left)
            noun = severity.value if count == 1 else f"{severity.value}s"
            message = f"and {count:,} more {noun} of {_count_kinds(left)}"
            shown.append(Finding(severity, "findings/more", message, None, HINT, count))
    return shown


def _count_kinds(findings: list[Finding]) -> str:
    number = len({finding.code for finding in findings})
    return "one kind" if number == 1 else f"{number} kinds"
