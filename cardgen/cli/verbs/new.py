"""`cardgen new`: start a project with a small working game."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.saying import OK, complain, exit_code, say, stand_in
from cardgen.core.findings import plural


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.new import list_starters

    if given.refresh:
        return _refresh(given)
    if given.list:
        for starter in list_starters():
            say(f"{starter.name:<14} {starter.about}")
        return OK
    if given.name is None:
        raise cardgen.UsageError(
            "a new project needs a name",
            "list the starters: cardgen new --list, or begin with a plain deck: cardgen new NAME",
        )
    if given.table is not None:
        return _from_table(given)
    if given.trim is not None:
        hint = f"remove it, or give a table: cardgen new {given.name} --from FILE --trim {given.trim}"
        raise cardgen.UsageError("--trim is for cards of a table", hint)
    folder = cardgen.new_project(given.name, Path(given.project or "."), template=given.template)
    say(f"{folder}: a new project; next:")
    say(f"  cd {folder.name} && cardgen build")
    return OK


def _refresh(given: argparse.Namespace) -> int:
    from cardgen.commands.production.editor_files import refresh_project

    if given.name is not None:
        raise cardgen.UsageError(
            "--refresh updates this project and accepts no name", "omit the name: cardgen new --refresh"
        )
    project = cardgen.Project.open(given.project)
    written = refresh_project(project)
    for file in written:
        say(f"{project.seen_from_here(file)}: written")
    if not written:
        print("up to date")
    return OK


def _from_table(given: argparse.Namespace) -> int:
    from cardgen.commands.check.preflight import unprinted

    if given.template is not None:
        raise cardgen.UsageError(
            "--from and --template are two ways to begin",
            f"choose one: cardgen new {given.name} --from {given.table}",
        )
    new = cardgen.new_from_table(given.name, Path(given.project or "."), given.table, trim=given.trim)
    say(f"{new.folder}: a new project, {plural(new.cards, 'card')} from {given.table}")
    for what, headers in new.shown.items():
        say(f"  {what + ':':<17} {', '.join(headers)}")
    if new.left_out:
        say(f"  {'not on the card:':<17} {', '.join(new.left_out)}")
    if new.pictures:
        say(f"  {plural(new.pictures, 'picture')} copied to {new.art}")
    if new.missing:
        missing = f"{plural(len(new.missing), 'picture')} not found, such as {new.missing[0]}"
        say(f"  {missing}: gray placeholders are in {new.art}")
    project = cardgen.Project.open(new.folder)
    stand_in(lambda: project)
    result = cardgen.build(cardgen.BuildOptions(given.name, keep_going=True), project=project)
    complain((*new.findings, *result.findings, *unprinted(given.name, project=project)))
    for file in result.files:
        say(f"{file.shown}: {plural(file.pages, 'page')} to print")
    if any(finding.severity is cardgen.Severity.ERROR for finding in result.findings):
        say("cards with errors are hatched boxes there: fix the errors above in the table, then build")
    where = "a text editor" if new.data.endswith(".json") else "your spreadsheet program"
    say(f"edit {new.folder / new.data} in {where}; next:")
    say(f"  cd {new.folder.name} && cardgen check")
    return exit_code(result.findings, "error")
