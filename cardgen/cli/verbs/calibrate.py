"""`cardgen calibrate`: measure and store a printer's back offset."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.saying import OK, say


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.build.proofs import calibrate, store_calibration

    measured = {"--read": given.read, "--margin": given.margin, "--rotation": given.rotation}
    stated = [name for name, value in measured.items() if value is not None]
    if stated:
        if not given.printer:
            raise cardgen.UsageError(f"{stated[0]} needs a name to store it under", "add --printer NAME")
        if given.read is not None and len(given.read) not in (4, 6):
            raise cardgen.UsageError(
                f"--read takes four numbers or six, not {len(given.read)}",
                "enter x and y of targets 1 and 2, and optionally of 3: --read X1 Y1 X2 Y2 X3 Y3",
            )
        profile = store_calibration(
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
    path = calibrate(
        paper=given.paper,
        duplex=given.duplex,
        landscape=given.landscape,
        project=project,
        output=given.output,
    )
    say(project.show(path))
    print("Print it on both sides at 100 %, hold it against the light, then type what you read:")
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2 X3 Y3 --margin MM")
    return OK
