"""`cardgen report`: write rule results and statistics as HTML, PDF."""

from __future__ import annotations

import argparse
from typing import Any

import cardgen
from cardgen.cli.arguments import press_asked
from cardgen.cli.saying import OK, say
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.check.check import write_report

    project = cardgen.Project.open(given.project)
    cross = [_fields(text) for text in given.cross]
    game = cardgen.load(given.game, project=project, language=given.language)
    shared: dict[str, Any] = {
        "cross": cross,
        "since": given.since,
        "project": project,
        "press": press_asked(given),
        "stated_press": given.inks != "rgb",
    }
    if given.format == "json":
        with ProgressBar():
            report = cardgen.make_report(game, "json", **shared)
        print(report.decode("utf-8"), end="")
        return OK
    formats = (given.format,) if given.format else ("html", "pdf")
    output = given.output
    with ProgressBar():
        paths = write_report(game, formats, output=output, **shared)
    for path in paths:
        say(project.show(path))
    return OK


def _fields(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise cardgen.UsageError(
            f"--cross takes two fields, this is “{text}”", "name two fields: --cross cost,type"
        )
    return names[0], names[1]
