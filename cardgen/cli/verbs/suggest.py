"""`cardgen suggest`: the fewest changes of cards with which a rule holds."""

from __future__ import annotations

import argparse
from dataclasses import replace

import cardgen
from cardgen.cli.options import game_argument
from cardgen.cli.saying import FINDINGS, OK, print_json, say


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("rule", metavar="RULE", help="the id of a composition rule")
    about = "show so many ways at most (default: 3)"
    parser.add_argument("--limit", type=int, default=3, metavar="N", help=about)
    about = "judge the rule so often at most (default: 2000, fewer if there are over 150 cards)"
    parser.add_argument("--tries", type=int, metavar="N", help=about)
    parser.add_argument("--format", choices=("text", "json"), default="text")


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
