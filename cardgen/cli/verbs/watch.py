"""`cardgen watch`: build again whenever you save a file."""

from __future__ import annotations

import argparse
import sys
from functools import partial

import cardgen
from cardgen.cli.saying import OK, complain, held_to, say
from cardgen.cli.verbs.build import asked, outcome
from cardgen.core.budget import Budget
from cardgen.core.findings import plural
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.build.watch import watch
    from cardgen.commands.production.stamping import processes

    order, project = asked(given), cardgen.Project.open(given.project)
    held = partial(held_to, Budget.stated(given.budget))
    said: set[cardgen.Finding] = set()
    with ProgressBar(quiet=True) as progress, processes(given.jobs) as executor:
        for each in watch(order, project=project, progress=progress, executor=executor, held=held):
            # Errors are repeated each time; warnings and notes are printed once.
            complain([one for one in each.findings if one.severity == "error" or one not in said])
            said = set(each.findings)
            if each.result is None:
                say(f"{given.game}: not built, {each.seconds:.2f} s; waiting for the next save")
            elif not given.quiet:
                pages = sum(file.pages for file in each.result.files)
                done = f"{plural(len(each.result.files), 'file')}, {plural(pages, 'page')}"
                say(f"{given.game}: {outcome(each.result, done)}, {each.seconds:.2f} s")
            sys.stdout.flush()
    return OK
