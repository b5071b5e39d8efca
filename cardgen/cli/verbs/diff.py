"""`cardgen diff`: show changes since a git revision."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.saying import FINDINGS, OK, as_plain, complain, print_json
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    game = cardgen.load(given.game, project=project, language=given.language, partial=True)
    with ProgressBar() as progress:
        found = cardgen.differences(
            game, project, given.since, components=given.component, progress=progress
        )
    if given.html:
        from cardgen.commands.compare.page import write_difference_page

        write_difference_page(found, given.html)
    findings = [*found.findings, *found.old_findings]
    if given.format == "json":
        print_json({**found.plain(), "findings": as_plain(findings)})
    else:
        from cardgen.commands.compare.differences import difference_lines

        print(*difference_lines(found), sep="\n")
        complain(findings)
    return FINDINGS if given.exit_code and not found.is_same else OK
