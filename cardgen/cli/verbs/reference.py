"""`cardgen reference`: write a game's card reference, GAME_CARDS.md."""

from __future__ import annotations

import argparse
import sys

import cardgen
from cardgen.cli.saying import FINDINGS, OK, say


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.reference import reference_problem, write_reference

    if given.output and len(given.games) > 1:
        hint = f"name one game: cardgen reference {given.games[0]} --output {given.output}"
        raise cardgen.UsageError("--output FILE is for the reference of one game", hint)
    project = cardgen.Project.open(given.project)
    output = given.output
    code = OK
    for name in given.games:
        game = cardgen.load(name, project=project, language=given.language)
        if not given.check:
            say(project.show(write_reference(game, project, output)))
        elif problem := reference_problem(game, project, output):
            more = f" --language {given.language}" if given.language else ""
            say(f"{problem}; run: cardgen reference {name}{more}", sys.stderr)
            code = FINDINGS
        else:
            say(f"{name}: the card reference is up to date")
    return code
