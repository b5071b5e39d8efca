"""`cardgen proof`: draw both sides of a card as PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import game_argument, language_option, output_option
from cardgen.cli.press import press_asked, press_options
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    about = "draw this card, or all that match a pattern: 'king-*'"
    parser.add_argument("card", metavar="CARD", help=about)
    about = "choose the component if several contain the card's id"
    parser.add_argument("--component", metavar="ID", help=about)
    about = "set pixels per inch (default: 300)"
    parser.add_argument("--dpi", type=int, default=300, metavar="N", help=about)
    parser.add_argument("--bleed", action="store_true", help="show the bleed")
    parser.add_argument("--low-ink", action="store_true", help="use the game's light variant")
    language_option(parser)
    output_option(parser)
    press = press_options(parser)
    about = "show the paper's own white and its black"
    press.add_argument("--paper-white", action="store_true", help=about)


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    with cardgen.ProgressBar():
        paths = cardgen.proof(
            given.game,
            given.card,
            component=given.component,
            project=project,
            dpi=given.dpi,
            bleed=given.bleed,
            low_ink=given.low_ink,
            language=given.language,
            press=press_asked(given),
            paper_white=_paper_white(given),
            output=Path(given.output) if given.output else None,
        )
    for path in paths:
        say(project.show(path))
    return OK


def _paper_white(given: argparse.Namespace) -> bool:
    if given.paper_white and given.color != "cmyk":
        raise cardgen.UsageError("--paper-white is for inks", "add --color cmyk")
    return bool(given.paper_white)
