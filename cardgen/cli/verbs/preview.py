"""`cardgen preview`: show a game in the browser as you edit it."""

from __future__ import annotations

import argparse
import os
import sys

import cardgen
from cardgen.cli.options import game_argument
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    about = "serve on this port (default: a free one)"
    parser.add_argument("--port", type=int, default=0, metavar="N", help=about)
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument("--low-ink", action="store_true", help="start with the game's light variant")
    parser.add_argument("--language", metavar="LANG", help="start with this language")
    about = "poll for saved files, for drives that don't report changes"
    parser.add_argument("--poll", action="store_true", help=about)


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
