"""`cardgen diff`: show changes since a git revision."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import game_argument, repeatable
from cardgen.cli.saying import FINDINGS, OK, as_plain, complain, print_json


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    about = "compare with this git revision (default: HEAD, the last commit)"
    parser.add_argument("--since", default="HEAD", metavar="REV", help=about)
    repeatable(parser, "--component", "ID", "compare only this component; repeatable")
    parser.add_argument("--language", metavar="LANG", help="compare the game in this language")
    about = "choose the output format (default: text)"
    parser.add_argument("--format", choices=("text", "json"), default="text", help=about)
    parser.add_argument("--html", metavar="FILE", help="also write a page with old and new pictures")
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if anything changed")


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    game = cardgen.load(given.game, project=project, language=given.language, partial=True)
    with cardgen.ProgressBar() as progress:
        found = cardgen.differences(
            game, project, given.since, components=given.component, progress=progress
        )
    if given.html:
        cardgen.write_difference_page(found, project, Path(given.html))
    findings = [*found.findings, *found.old_findings]
    if given.format == "json":
        print_json({**found.plain(), "findings": as_plain(findings)})
    else:
        print(*cardgen.difference_lines(found), sep="\n")
        complain(findings)
    return FINDINGS if given.exit_code and not found.is_same else OK
