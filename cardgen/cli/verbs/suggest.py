"""`cardgen suggest`: find the smallest card edits that meet a rule."""

from __future__ import annotations

import argparse
from dataclasses import replace

import cardgen
from cardgen.cli.saying import FINDINGS, OK, print_json, say


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    with cardgen.ProgressBar():
        game = cardgen.load(given.game, project=project)
        found = cardgen.suggest(game, given.rule, limit=given.limit, tries=given.tries)
    if given.format == "json":
        print_json(found.plain())
    else:
        for line in cardgen.suggestion_lines(_from_here(found, project)):
            say(line)
    return OK if found.holds or found.sets else FINDINGS


def _from_here(found: cardgen.Suggestions, project: cardgen.Project) -> cardgen.Suggestions:
    """The same with files by their names in the current folder, as terminals open them."""

    def seen(change: cardgen.SuggestedChange) -> cardgen.SuggestedChange:
        file = project.seen_from_here(change.location.file)
        return replace(change, location=replace(change.location, file=file))

    sets = tuple(replace(each, changes=tuple(map(seen, each.changes))) for each in found.sets)
    return replace(found, sets=sets)
