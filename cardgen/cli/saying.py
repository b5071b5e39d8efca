"""Output of the command line and its exit codes.

The only module that prints. Text from a game's files goes through `say`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import cardgen
from cardgen.core.records import replace
from cardgen.core.terminal import has_colours, shown, shown_json

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import Any, TextIO

    from cardgen.core.budget import Budget

OK, FINDINGS, MISUSE = 0, 1, 2
"""Exit codes: done; findings or a failed output; misuse."""

_project: Callable[[], cardgen.Project] | None = None
"""Opens the project of the command."""


def utf8_streams() -> None:
    """Print UTF-8 in any locale, since card names aren't ASCII."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def silence() -> None:
    """Discard unprinted output, which would fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(line: str, file: TextIO | None = None, *, heading: bool = False) -> None:
    """Print one line of untrusted text; headings are bold if the stream shows colors."""
    text = shown(line)
    bold = heading and has_colours(file or sys.stdout)
    print(f"\x1b[1m{text}\x1b[0m" if bold else text, file=file)


def print_json(content: Any) -> None:
    print(shown_json(json.dumps(content, ensure_ascii=False, indent=2)))


def as_plain(findings: Sequence[cardgen.Finding]) -> Any:
    from cardgen.core.formats import report_findings

    return json.loads(report_findings(findings, "json", every=True))["findings"]


def stand_in(project: Callable[[], cardgen.Project]) -> None:
    """Report the files of this project's findings relative to the current folder from now on."""
    global _project
    _project = project


def from_here(findings: Sequence[cardgen.Finding]) -> list[cardgen.Finding]:
    """Return the findings with files relative to the current folder, which terminals can open."""
    try:
        project = _project() if _project is not None and findings else None
    except cardgen.CardgenError:  # an unknown project, which the findings report
        project = None
    if project is None:
        return list(findings)
    return [
        replace(each, location=replace(each.location, file=project.seen_from_here(each.location.file)))
        if each.location
        else each
        for each in findings
    ]


def held_to(budget: Budget) -> AbstractContextManager[None]:
    """Run work within a budget. Work that can't be interrupted ends the process after its finding."""
    from cardgen.core.budget import held

    def last_words(finding: cardgen.Finding) -> None:
        complain([finding])
        sys.stderr.flush()

    return held(budget, last_words)


def complain(findings: Sequence[cardgen.Finding]) -> None:
    """Print findings to standard error, with similar ones grouped, and their number."""
    if findings:
        print(told(findings, sys.stderr), file=sys.stderr)


def told(findings: Sequence[cardgen.Finding], stream: TextIO, *, every: bool = False) -> str:
    """Return findings as text for a stream, in colors if it shows them. A last line counts several, and on
    a terminal names the command that explains one."""
    from cardgen.core.formats import report_findings, summary

    coloured = has_colours(stream)
    text = report_findings(from_here(findings), "text", every=every, coloured=coloured)
    if sum(finding.count for finding in findings) < 2:
        return text
    line = summary(findings, every=every)
    if stream.isatty():
        line += f"; what one means: cardgen explain {shown(findings[0].code)}"
    return f"{text}\n\n{line}"


def size(count: int) -> str:
    if count < 100_000:
        return f"{count / 1000:.1f} kB"
    return f"{count / 1_000_000:.2f} MB"


def exit_code(findings: Sequence[cardgen.Finding], least: str) -> int:
    failing = {cardgen.Severity.ERROR, cardgen.Severity(least)}
    return FINDINGS if any(finding.severity in failing for finding in findings) else OK
