"""`cardgen new`: start a project with one small working game."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="lower-case words joined by '-'")


def run(given: argparse.Namespace) -> int:
    folder = cardgen.new_project(given.name, Path(given.project or "."))
    say(f"{folder}: a new project; next:")
    say(f"  cd {folder.name} && cardgen build")
    return OK
