"""`cardgen suggest`: find the smallest card edits that meet a rule."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.saying import FINDINGS, OK, print_json, say
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.check.suggest import suggest, suggestion_lines

    project = cardgen.Project.open(given.project)
    with ProgressBar():
        game = cardgen.load(given.game, project=project)
        found = suggest(game, given.rule, limit=given.limit, tries=given.tries)
    if given.format == "json":
        print_json(found.plain())
    else:
        for line in suggestion_lines(found, project.seen_from_here):
            say(line)
    return OK if found.holds or found.sets else FINDINGS
