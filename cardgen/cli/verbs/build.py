"""`cardgen build`: write print-ready PDF sheets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import cardgen
from cardgen.cli.arguments import chosen, press_asked
from cardgen.cli.saying import complain, exit_code, say, size
from cardgen.core.findings import plural
from cardgen.core.progress import ProgressBar

if TYPE_CHECKING:
    from cardgen.commands.production.choices import OutputFile


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.production.stamping import processes

    order, project = asked(given), cardgen.Project.open(given.project)
    with ProgressBar(given.quiet) as progress, processes(given.jobs) as executor:
        result = cardgen.build(order, project=project, progress=progress, executor=executor)
    complain(result.findings)
    if not given.quiet:
        for file in result.files:
            say(_written(file))
        print(f"{outcome(result, 'done')}, {result.seconds:.2f} s")
        say(f"contrast and rules are not checked here: run cardgen check {given.game}")
    return exit_code(result.findings, "error")


def asked(given: argparse.Namespace) -> cardgen.BuildOptions:
    """Return the options of a build. Raises UsageError."""
    if not 1 <= given.jobs <= 256:
        raise cardgen.UsageError(f"--jobs {given.jobs} is not between 1 and 256")
    if given.image_dpi is not None and not 72 <= given.image_dpi <= 2400:
        raise cardgen.UsageError(f"--image-dpi {given.image_dpi} is not between 72 and 2400")
    return chosen(
        given,
        cardgen.BuildOptions,
        sheets=tuple(given.sheet),
        components=tuple(given.component),
        cards=tuple(given.card),
        backs=not given.no_backs,
        press=press_asked(given),
        cut=tuple(dict.fromkeys(given.cut)),
    )


def outcome(result: cardgen.BuildResult, done: str) -> str:
    if not result.files:
        return "no card has changed since then, so nothing is written"
    return "up to date" if result.up_to_date else done


def _written(file: OutputFile) -> str:
    cards = f"{plural(file.cards, 'card')}, " if file.cards else ""
    return f"{file.shown}  {plural(file.pages, 'page')}, {cards}{size(file.bytes)}, {file.seconds:.2f} s"
