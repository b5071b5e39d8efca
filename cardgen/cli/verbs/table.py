"""`cardgen table`: edit cards in a spreadsheet and read them back."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import game_argument, repeatable
from cardgen.cli.saying import OK, complain, plural, print_json, say


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    way = parser.add_mutually_exclusive_group(required=True)
    about = "write the cards as a workbook or CSV files"
    way.add_argument("--to", choices=cardgen.TABLE_FORMATS, help=about)
    about = "read edits back from a workbook, CSV file or folder"
    way.add_argument("--from", dest="source", metavar="FILE", help=about)
    repeatable(parser, "--component", "ID", "use only this component; repeatable")
    group = parser.add_argument_group("options with --to")
    about = "write this file or folder (default: GAME.xlsx, GAME.ods or GAME-csv)"
    group.add_argument("-o", "--output", metavar="FILE", help=about)
    group.add_argument("--replace", action="store_true", help="overwrite an existing table")
    group = parser.add_argument_group("options with --from")
    group.add_argument("--dry-run", action="store_true", help="report edits without writing them")
    about = "choose the output format (default: text)"
    group.add_argument("--format", choices=("text", "json"), default="text", help=about)


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    if given.to is not None:
        if given.dry_run or given.format != "text":
            raise cardgen.UsageError("--dry-run and --format are for --from")
        output = Path(given.output) if given.output else None
        for place in cardgen.to_spreadsheet(
            given.game,
            given.to,
            project=project,
            output=output,
            components=given.component,
            replace=given.replace,
        ):
            say(str(place))
        return OK
    if given.output or given.replace:
        raise cardgen.UsageError("--output and --replace are for --to")
    back = cardgen.from_spreadsheet(
        given.game,
        Path(given.source),
        project=project,
        components=given.component,
        write=not given.dry_run,
    )
    complain(back.findings)
    if given.format == "json":
        print_json({"edits": [edit.plain() for edit in back.edits], "files": list(back.files)})
        return OK
    for line in cardgen.edit_lines(back.edits):
        say(line)
    if not back.edits:
        say("nothing has changed")
    elif given.dry_run:
        say("nothing was written (--dry-run)")
    else:
        say(f"{plural(len(back.files), 'file')} written")
    return OK
