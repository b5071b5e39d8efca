"""`cardgen build`: write print-ready PDF sheets."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import game_argument, language_option, output_option, repeatable, selection_options
from cardgen.cli.press import press_asked, press_options
from cardgen.cli.saying import complain, exit_code, plural, say, size


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    repeatable(parser, "--sheet", "NAME", "build only this sheet; repeatable")
    selection_options(parser)
    about = "print only this deck list: a file, or a deck's id"
    parser.add_argument("--deck", metavar="FILE", help=about)
    about = "print only cards that changed since this git revision"
    parser.add_argument("--changed-since", metavar="REV", help=about)
    about = "choose paper, such as a4 or letter,a4 for both (default: letter)"
    parser.add_argument("--paper", default="letter", metavar="NAME", help=about)
    parser.add_argument(
        "--duplex",
        choices=("long-edge", "short-edge", "fold", "none"),
        help="align backs this way; none prints faces only (default: the sheet's)",
    )
    parser.add_argument("--no-backs", action="store_true", help="print faces only")
    parser.add_argument("--low-ink", action="store_true", help="use the game's light variant")
    about = "scale images of 1.5 N dpi or more to N (default: off)"
    parser.add_argument("--image-dpi", type=int, metavar="N", help=about)
    about = "apply the back offset and margin that `cardgen calibrate` stored"
    parser.add_argument("--printer", metavar="NAME", help=about)
    parser.add_argument(
        "--cut",
        action="append",
        default=[],
        choices=("svg", "dxf", "pdf", "png", "spot"),
        help="write cut lines too: a file, or a spot color; repeatable",
    )
    about = "print valid cards, and a hatched box for each invalid card"
    parser.add_argument("--keep-going", action="store_true", help=about)
    about = "draw in N processes, for thousands of new cards (default: 1)"
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help=about)
    language_option(parser)
    output_option(parser)
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    press_options(parser, standard=True)


def run(given: argparse.Namespace) -> int:
    order, project = asked(given), cardgen.Project.open(given.project)
    with cardgen.ProgressBar(given.quiet) as progress, cardgen.processes(given.jobs) as executor:
        result = cardgen.build(order, project=project, progress=progress, executor=executor)
    complain(result.findings)
    if not given.quiet:
        for file in result.files:
            say(_written(file))
        print(f"{outcome(result, 'done')}, {result.seconds:.2f} s")
        say(f"contrast and rules are not judged here: cardgen check {given.game}")
    return exit_code(result.findings, "error")


def asked(given: argparse.Namespace) -> cardgen.BuildOptions:
    """Return the options of a build. Raises UsageError."""
    if not 1 <= given.jobs <= 256:
        raise cardgen.UsageError(f"--jobs {given.jobs} is not between 1 and 256")
    if given.image_dpi is not None and not 72 <= given.image_dpi <= 2400:
        raise cardgen.UsageError(f"--image-dpi {given.image_dpi} is not between 72 and 2400")
    return cardgen.BuildOptions(
        game=given.game,
        sheets=tuple(given.sheet),
        components=tuple(given.component),
        cards=tuple(given.card),
        players=given.players,
        paper=given.paper,
        duplex=given.duplex,
        backs=not given.no_backs,
        low_ink=given.low_ink,
        keep_going=given.keep_going,
        printer=given.printer,
        deck=given.deck,
        image_dpi=given.image_dpi,
        language=given.language,
        output=Path(given.output) if given.output else None,
        changed_since=given.changed_since,
        press=press_asked(given),
        cut=tuple(dict.fromkeys(given.cut)),
    )


def outcome(result: cardgen.BuildResult, done: str) -> str:
    if not result.files:
        return "no card has changed since then, so nothing is written"
    return "up to date" if result.up_to_date else done


def _written(file: cardgen.OutputFile) -> str:
    cards = f"{plural(file.cards, 'card')}, " if file.cards else ""
    return f"{file.shown}  {plural(file.pages, 'page')}, {cards}{size(file.bytes)}, {file.seconds:.2f} s"
