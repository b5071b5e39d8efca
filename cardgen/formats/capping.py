"""The findings that a reader is shown: those of many cards as one, of very many alike the first, then how
many more there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.findings import Finding, Location, Severity

MOST_ALIKE = 20
"""Most findings of one severity and code that are shown for one file."""
MOST = 500
"""Most findings that people are shown in all."""
MOST_LISTED = 5_000
"""Most findings that programs are given in all: what code hosts take in."""
GATHERED = 4
"""So many entries of a list of which the same is said are said together."""
_NAMED = 5
_CARD = re.compile(r"card '([^']{1,80})': ")
_INDEX = re.compile(r"\[[0-9]+\]")
HINT = "`cardgen check --all` lists them"


def capped(findings: Sequence[Finding]) -> list[Finding]:
    """The findings to show, in their order. What is left out is counted: after the last one of a kind
    that is shown, and at the end where there are too many kinds. Errors are the last to be left out."""
    return bounded(_first_of_each_kind(gathered(findings)), MOST)


def gathered(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, in their order, with those that say the same of many entries of a list (cards, mostly)
    as one, at the first of these entries."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_same(finding), []).append(finding)
    many = {key for key, group in groups.items() if len(group) >= GATHERED}
    shown: list[Finding] = []
    for finding in findings:
        key = _same(finding)
        if key not in many:
            shown.append(finding)
        elif finding is groups[key][0]:
            shown.append(_together(groups[key]))
    return shown


def _same(finding: Finding) -> tuple[object, ...]:
    """What findings have in common that say the same of several entries of a list."""
    place = finding.location
    if finding.left_out or place is None or place.line is None or "[" not in place.path:
        return (id(finding),)
    message = _CARD.sub("", finding.message, count=1)
    return finding.severity, finding.code, message, finding.hint, place.file, _INDEX.sub("[]", place.path)


def _together(group: Sequence[Finding]) -> Finding:
    first, others = group[0], group[1:]
    cards = [match[1] for match in map(_CARD.match, (each.message for each in others)) if match]
    if len(cards) == len(others):
        more = f"cards: {_few(repr(card) for card in cards)}"
    else:
        places = [each.location for each in others if each.location is not None]
        if first.location is not None and first.location.cell:
            more = f"in cells {_few(dict.fromkeys(place.cell for place in places))}"
        else:
            more = f"in lines {_few(map(str, dict.fromkeys(place.line for place in places)))}"
    return replace(first, message=f"{first.message}; and {len(others):,} more {more}", left_out=len(group))


def _few(names: Iterable[str]) -> str:
    named = list(names)
    return ", ".join([*named[:_NAMED], "…"] if len(named) > _NAMED else named)


def _first_of_each_kind(findings: Sequence[Finding]) -> list[Finding]:
    left: Counter[tuple[Severity, str, str]] = Counter()
    for finding in findings:
        left[_kind(finding)] += finding.count
    seen: Counter[tuple[Severity, str, str]] = Counter()
    shown: list[Finding] = []
    for finding in findings:
        kind = _kind(finding)
        seen[kind] += 1
        if seen[kind] > MOST_ALIKE:
            continue
        shown.append(finding)
        left[kind] -= finding.count
        if seen[kind] == MOST_ALIKE and (more := left[kind]):
            severity, code, file = kind
            place = Location(file) if file else None
            shown.append(Finding(severity, code, f"and {more:,} more like this", place, HINT, more))
    return shown


def _kind(finding: Finding) -> tuple[Severity, str, str]:
    return finding.severity, finding.code, finding.location.file if finding.location else ""


def bounded(findings: Sequence[Finding], most: int = MOST_LISTED) -> list[Finding]:
    """So many of the findings, in their order; what is left out is counted at the end. Errors are the last
    to be left out."""
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
            message = f"and {count:,} more {noun} of {_kinds(left)}"
            shown.append(Finding(severity, "findings/more", message, None, HINT, count))
    return shown


def _kinds(findings: list[Finding]) -> str:
    number = len({finding.code for finding in findings})
    return "one kind" if number == 1 else f"{number} kinds"
