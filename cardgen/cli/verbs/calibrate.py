"""`cardgen calibrate`: measure how far a printer's backs are off, and remember it."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import output_option
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--paper", default="letter", metavar="NAME")
    parser.add_argument("--duplex", choices=("long-edge", "short-edge"), default="long-edge")
    parser.add_argument("--landscape", action="store_true", help="for landscape pages")
    parser.add_argument("--printer", metavar="NAME", help="store readings under this name")
    parser.add_argument(
        "--read",
        nargs=4,
        type=float,
        metavar=("X1", "Y1", "X2", "Y2"),
        help="the millimetres read at the two crosses of the printed page",
    )
    output_option(parser)


def run(given: argparse.Namespace) -> int:
    if given.read:
        if not given.printer:
            raise cardgen.UsageError("--read needs --printer NAME to store the readings under")
        profile = cardgen.store_calibration(
            given.printer, tuple(given.read), paper=given.paper, landscape=given.landscape
        )
        say(f"stored: {profile}")
        return OK
    project = cardgen.Project.open(given.project)
    path = cardgen.calibrate(
        paper=given.paper,
        duplex=given.duplex,
        landscape=given.landscape,
        project=project,
        output=Path(given.output) if given.output else None,
    )
    say(project.show(path))
    print("Print it on both sides at 100 %, hold it against the light, then type what you read:")
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2")
    return OK
