"""`cardgen preview`: show a game in the browser as you edit it."""

from __future__ import annotations

import argparse
import os
import sys

import cardgen
from cardgen.cli.arguments import chosen
from cardgen.cli.saying import OK, say
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.workbench.server.serving import PreviewOptions, serve

    progress = ProgressBar()

    def started(game: str, address: str) -> None:
        progress.close()
        say(f"{game}: {address}")
        print("it follows your edits; Ctrl-C ends it", flush=True)

    with progress:
        progress("starting", 0, 0)
        serve(chosen(given, PreviewOptions), project=cardgen.Project.open(given.project), started=started)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(OK)  # threads may still be laying out or drawing for nobody
