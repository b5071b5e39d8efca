"""`cardgen pull`: download a game's published spreadsheets."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.saying import FINDINGS, OK, complain, say
from cardgen.core.findings import plural


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.pull import pull

    project = cardgen.Project.open(given.project)
    pulled = pull(given.game, project=project, write=not given.dry_run)
    for each in pulled:
        place = project.show(project.root / each.file)
        rows = plural(each.rows, "row")
        if each.is_changed:
            say(f"{place}: {'new' if each.is_new else 'changed'}, {rows}")
            for line in each.lines:
                say(f"  {line}")
        elif not each.findings:
            say(f"{place}: as it was, {rows}")
        else:
            say(f"{place}: left as it was")
    if given.dry_run and any(each.is_changed for each in pulled):
        say("nothing was written (--dry-run)")
    findings = [finding for each in pulled for finding in each.findings]
    complain(findings)
    return FINDINGS if any(each.findings and not each.is_changed for each in pulled) else OK
