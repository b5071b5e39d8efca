"""`cardgen schema`: write schemas that match the card data."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.saying import OK, say


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.schemas import write_schemas

    project = cardgen.Project.open(given.project)
    changes = write_schemas(given.game, project=project, write=not given.dry_run)
    for change in changes:
        place = project.show(project.root / change.file)
        say(f"{place}: {'new' if change.is_new else 'added' if change.added else 'as it should be'}")
        for line in change.added:
            say(f"  + {line}")
        for line in change.unsure:
            say(f"  ? {line}")
    if given.dry_run and any(change.is_changed for change in changes):
        say("nothing was written (--dry-run)")
    return OK
