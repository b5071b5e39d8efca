"""`cardgen font`: put a font file into the project: cardgen font add FILE."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("add",), metavar="add")
    parser.add_argument("file", metavar="FILE", help="a .ttf or .otf file, or a collection (.ttc, .otc)")
    parser.add_argument("--family", metavar="NAME", help="what templates call it (default: its own name)")
    parser.add_argument("--licence", metavar="ID", help="its licence, such as OFL-1.1 (default: its own)")
    parser.add_argument("--face", metavar="N|NAME", help="which face of a collection")
    parser.add_argument("--weight", type=int, metavar="N", help="which weight of a variable font")


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    font = cardgen.add_font(
        Path(given.file),
        project,
        family=given.family,
        licence=given.licence,
        face=given.face,
        weight=given.weight,
    )
    file, style = project.seen_from_here(font.file), "italic" if font.italic else "upright"
    say(f"{file}: {font.family}, {font.weight} {style}, {font.licence or 'licence not known'}")
    say("put the text of its licence beside it; templates name it so: " + f'font-family="{font.family}"')
    return OK
