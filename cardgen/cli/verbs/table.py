"""`cardgen table`: edit cards in a spreadsheet and read them back."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, complain, print_json, say
from cardgen.core.findings import plural


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.spreadsheets import edit_lines

    project = cardgen.Project.open(given.project)
    if given.to is not None:
        if given.dry_run or given.format != "text":
            hint = f"remove them, or read a file: cardgen table {given.game} --from FILE"
            raise cardgen.UsageError("--dry-run and --format are for --from", hint)
        output = given.output
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
        hint = f"remove them, or write a file: cardgen table {given.game} --to xlsx"
        raise cardgen.UsageError("--output and --replace are for --to", hint)
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
    for line in edit_lines(back.edits):
        say(line)
    if not back.edits:
        say("nothing has changed")
    elif given.dry_run:
        say("nothing was written (--dry-run)")
    else:
        say(f"{plural(len(back.files), 'file')} written")
    return OK
