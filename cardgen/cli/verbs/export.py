"""`cardgen export`: write a game's pieces for other programs and services."""

from __future__ import annotations

import argparse
from pathlib import Path

import cardgen
from cardgen.cli.options import Command, game_argument, language_option, output_option, selection_options
from cardgen.cli.saying import OK, complain, plural, say, size


def options(parser: Command) -> None:
    parser.more = _targets
    game_argument(parser)
    parser.add_argument("--to", required=True, metavar="NAME", help="one of the targets below")
    selection_options(parser, cards=False)
    parser.add_argument("--low-ink", action="store_true", help="the game's light variant")
    language_option(parser)
    output_option(parser)
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    for name, option in cardgen.export_options().items():
        parser.add_argument(f"--{name}", **option.argument)


def _targets() -> str:
    entries = cardgen.exporters().items()
    lines = (cardgen.shown(f"  {name:<15} {each.summary}") for name, each in entries)
    text = "\n".join(("targets of --to:", *lines))
    # argparse fills in its `%(prog)s`, and chokes on whatever else has a % beside it.
    return text.replace("%", "%%") if "%(prog)" in text else text


def run(given: argparse.Namespace) -> int:
    settings = {name: getattr(given, name.replace("-", "_")) for name in cardgen.export_options()}
    with cardgen.ProgressBar(given.quiet) as progress:
        result = cardgen.export_to(
            cardgen.ExportOptions(
                game=given.game,
                to=given.to,
                components=tuple(given.component),
                players=given.players,
                low_ink=given.low_ink,
                settings={name: value for name, value in settings.items() if value is not None},
                language=given.language,
                output=Path(given.output) if given.output else None,
            ),
            project=cardgen.Project.open(given.project),
            progress=progress,
        )
    complain(result.findings)
    if not given.quiet:
        for file in result.changed:
            say(f"{file.shown}  {size(file.bytes)}")
        for name in result.removed:
            say(f"{name}  removed")
        same = len(result.files) - len(result.changed)
        print(f"{plural(len(result.changed), 'file')} written, {same} up to date, {result.seconds:.2f} s")
        say(f"contrast and rules are not judged here: cardgen check {given.game}")
    return OK
