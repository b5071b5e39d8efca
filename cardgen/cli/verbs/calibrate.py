"""`cardgen calibrate`: measure and store a printer's back offset."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import output_option
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--paper", default="letter", metavar="NAME", help="choose the paper (default: letter)"
    )
    parser.add_argument(
        "--duplex",
        choices=("long-edge", "short-edge"),
        default="long-edge",
        help="flip pages on this edge (default: long-edge)",
    )
    parser.add_argument("--landscape", action="store_true", help="use landscape pages")
    parser.add_argument("--printer", metavar="NAME", help="store readings under this printer name")
    about = "enter millimeters at crosses 1, 2 and optionally 3: X1 Y1 …"
    parser.add_argument("--read", nargs="+", type=float, metavar="MM", help=about)
    about = "set the white margin that the printer leaves on each edge"
    parser.add_argument("--margin", type=float, metavar="MM", help=about)
    about = "set how far backs are turned clockwise, if known"
    parser.add_argument("--rotation", type=float, metavar="DEGREES", help=about)
    output_option(parser)


def run(given: argparse.Namespace) -> int:
    measured = {"--read": given.read, "--margin": given.margin, "--rotation": given.rotation}
    stated = [name for name, value in measured.items() if value is not None]
    if stated:
        if not given.printer:
            raise cardgen.UsageError(f"{stated[0]} needs --printer NAME to store it under")
        if given.read is not None and len(given.read) not in (4, 6):
            raise cardgen.UsageError(
                f"--read takes four numbers or six, not {len(given.read)}",
                "x and y of target 1, x and y of target 2, and perhaps x and y of target 3",
            )
        profile = cardgen.store_calibration(
            given.printer,
            None if given.read is None else tuple(given.read),
            margin=given.margin,
            rotation=given.rotation,
            paper=given.paper,
            landscape=given.landscape,
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
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2 X3 Y3 --margin MM")
    return OK
