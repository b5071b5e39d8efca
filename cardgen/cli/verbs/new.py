"""`cardgen new`: start a project with one small working game."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="lower-case words joined by '-'")
    about = "instead, bring a project's copies of cardgen's schemas up to date, after a new version"
    parser.add_argument("--refresh", action="store_true", help=about)


def run(given: argparse.Namespace) -> int:
    if given.refresh:
        return _refresh(given)
    if given.name is None:
        raise cardgen.UsageError("a new project needs a name", "such as: cardgen new night-market")
    folder = cardgen.new_project(given.name, Path(given.project or "."))
    say(f"{folder}: a new project; next:")
    say(f"  cd {folder.name} && cardgen build")
    return OK


def _refresh(given: argparse.Namespace) -> int:
    if given.name is not None:
        raise cardgen.UsageError("--refresh makes no new project", "leave the name out")
    project = cardgen.Project.open(given.project)
    written = cardgen.refresh_project(project)
    for file in written:
        say(f"{project.seen_from_here(file)}: written")
    if not written:
        print("up to date")
    return OK
