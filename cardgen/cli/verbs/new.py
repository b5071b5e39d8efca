"""`cardgen new`: start a project with one small working game, or list what one can start with."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="lower-case words joined by '-'")
    parser.add_argument(
        "--template",
        metavar="STARTER",
        help="begin with this starter, such as tarot, instead of a plain deck",
    )
    parser.add_argument("--list", action="store_true", help="list the starters and make nothing")
    about = "instead, bring a project's copies of cardgen's schemas up to date, after a new version"
    parser.add_argument("--refresh", action="store_true", help=about)


def run(given: argparse.Namespace) -> int:
    if given.refresh:
        return _refresh(given)
    if given.list:
        for starter in cardgen.list_starters():
            say(f"{starter.name:<14} {starter.about}")
        return OK
    if given.name is None:
        raise cardgen.UsageError(
            "a new project needs a name", "write: cardgen new NAME, or cardgen new --list"
        )
    folder = cardgen.new_project(given.name, Path(given.project or "."), template=given.template)
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
