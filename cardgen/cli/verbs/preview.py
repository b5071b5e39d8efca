"""`cardgen preview`: see a game in the browser while its files are edited."""

from __future__ import annotations

import argparse
import os
import sys

import cardgen
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="(default: the project's only one, or the one whose folder this is)",
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="(default: one that is free)")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    parser.add_argument("--low-ink", action="store_true", help="begin with the game's light variant")
    parser.add_argument("--language", metavar="LANG", help="begin with this language of the game's")
    parser.add_argument(
        "--poll", action="store_true", help="look for saves again and again, where a drive tells of none"
    )


def run(given: argparse.Namespace) -> int:
    progress = cardgen.ProgressBar()

    def started(game: str, address: str) -> None:
        progress.close()
        say(f"{game}: {address}")
        print("it follows your edits; Ctrl-C ends it", flush=True)

    names = ("game", "port", "language", "low_ink", "poll", "open")
    asked = cardgen.PreviewOptions(**{name: getattr(given, name) for name in names})
    with progress:
        progress("starting", 0, 0)
        cardgen.serve(asked, project=cardgen.Project.open(given.project), started=started)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(OK)  # not waiting for a thread that still lays out or draws for nobody
