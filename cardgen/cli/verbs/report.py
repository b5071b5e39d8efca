"""`cardgen report`: write rule results and statistics as HTML, PDF."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cardgen
from cardgen.cli.options import game_argument, language_option, output_option, repeatable
from cardgen.cli.press import press_asked, press_options
from cardgen.cli.saying import OK, say


def options(parser: argparse.ArgumentParser) -> None:
    game_argument(parser)
    about = "write only this format; json is printed (default: html and pdf)"
    parser.add_argument("--format", choices=("html", "pdf", "json"), help=about)
    about = "count cards by two fields, such as cost,type; repeatable"
    repeatable(parser, "--cross", "FIELD,FIELD", about)
    about = "compare sizes, rule results and statistics with this git revision"
    parser.add_argument("--against", metavar="REV", help=about)
    language_option(parser)
    output_option(parser)
    press_options(parser, "the game's")


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    cross = [_fields(text) for text in given.cross]
    game = cardgen.load(given.game, project=project, language=given.language)
    shared: dict[str, Any] = {
        "cross": cross,
        "against": given.against,
        "project": project,
        "press": press_asked(given),
        "stated_press": given.color != "rgb",
    }
    if given.format == "json":
        with cardgen.ProgressBar():
            report = cardgen.make_report(game, "json", **shared)
        print(report.decode("utf-8"), end="")
        return OK
    formats = (given.format,) if given.format else ("html", "pdf")
    output = Path(given.output) if given.output else None
    with cardgen.ProgressBar():
        paths = cardgen.write_report(game, formats, output=output, **shared)
    for path in paths:
        say(project.show(path))
    return OK


def _fields(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise cardgen.UsageError(f"--cross takes two fields, this is “{text}”", "such as --cross cost,type")
    return names[0], names[1]
