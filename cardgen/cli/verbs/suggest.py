"""`cardgen suggest`: find the smallest card edits that meet a rule."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import cardgen
from cardgen.cli.saying import FINDINGS, OK, print_json, say
from cardgen.core.progress import ProgressBar

if TYPE_CHECKING:
    from cardgen.commands.check.suggest import SuggestedChange, Suggestions


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.check.suggest import suggest, suggestion_lines

    project = cardgen.Project.open(given.project)
    with ProgressBar():
        game = cardgen.load(given.game, project=project)
        found = suggest(game, given.rule, limit=given.limit, tries=given.tries)
    if given.format == "json":
        print_json(found.plain())
    else:
        for line in suggestion_lines(_from_here(found, project)):
            say(line)
    return OK if found.holds or found.sets else FINDINGS


def _from_here(found: Suggestions, project: cardgen.Project) -> Suggestions:
    """The same with files by their names in the current folder, as terminals open them."""

    def seen(change: SuggestedChange) -> SuggestedChange:
        file = project.seen_from_here(change.location.file)
        return replace(change, location=replace(change.location, file=file))

    sets = tuple(replace(each, changes=tuple(map(seen, each.changes))) for each in found.sets)
    return replace(found, sets=sets)
