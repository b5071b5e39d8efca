"""The commands in their groups, and the parser of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import cardgen
from cardgen.cli.options import Command, Parser

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "make": {
        "new": ("new demo", "start a project with a small working game"),
        "build": ("build demo", "write print-ready PDF sheets"),
        "watch": ("watch demo", "build again whenever you save a file"),
        "table": ("table demo --to xlsx", "edit cards in a spreadsheet and read them back"),
        "pull": ("pull demo", "download a game's published spreadsheets"),
        "schema": ("schema demo", "write schemas that match the card data"),
        "translate": ("translate demo", "write or update a game's texts for translators"),
        "font": ("font add Lora.ttf", "add fonts to the project"),
        "completion": ("completion bash", "print a tab-completion script for your shell"),
    },
    "look": {
        "preview": ("preview demo", "show a game in the browser as you edit it"),
        "proof": ("proof demo old-oak", "draw both sides of a card as PNG"),
        "list": ("list demo", "list games, sheets, sizes, icons and more"),
        "diff": ("diff demo --since v1", "show changes since a git revision"),
        "report": ("report demo", "write rule results and statistics as HTML, PDF"),
    },
    "check": {
        "check": ("check demo", "check data, templates, text fit and rules"),
        "explain": ("explain schema/enum", "explain a finding's code and how to fix it"),
        "suggest": ("suggest demo suits", "find the smallest card edits that meet a rule"),
        "doctor": ("doctor", "check that this machine has what cardgen needs"),
    },
    "ship": {
        "export": ("export demo --to tts", "write files for other programs and services"),
        "reference": ("reference demo", "write a game's card reference, GAME_CARDS.md"),
        "calibrate": ("calibrate --paper a4", "measure and store a printer's back offset"),
    },
}
"""The commands in the order of the help: an example's words and a summary. The module of a command in
`verbs/` defines its options."""
COMMANDS = {name: about for group in GROUPS.values() for name, (_, about) in group.items()}
UNCONFINED = frozenset({"watch", "preview", "pull"})
"""Commands that read a game but can't run sandboxed: they don't end, or use the network."""
SANDBOXED = frozenset(
    {
        *("build", "check", "diff", "export", "list", "proof"),
        *("reference", "report", "schema", "suggest", "table", "translate"),
    }
)
"""Commands that read a game and can run sandboxed."""
LONG_LIVED = frozenset({"preview", "watch"})
"""Commands whose budget limits each job or build instead of the whole run."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line, with the command's name as `command`. Exits as argparse does:
    for help, the version and errors."""
    parser = parser_for(words)
    if not words:
        parser.print_help(sys.stderr)
        sys.exit(2)
    return parser.parse_args(words)


def parser_for(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for these words."""
    helped = tuple(words) if {"-h", "--help"} & set(words) else ()
    return _parser(frozenset(COMMANDS.keys() & set(words)), helped)


@cache
def _parser(named: frozenset[str], words: tuple[str, ...] = ()) -> argparse.ArgumentParser:
    """Return a parser of all commands that knows only the options of the `named` ones, because each imports
    a module. `words` are the command line if it asks for help."""
    parser = Parser(
        prog="cardgen",
        usage="cardgen COMMAND [OPTIONS]",
        description="Turn card data and SVG templates into checked, print-ready tabletop games.",
        epilog=_overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    about = "print the version and exit"
    parser.add_argument("--version", action="version", version=f"cardgen {cardgen.__version__}", help=about)
    # The epilog lists the commands in groups, which argparse can't.
    commands = parser.add_subparsers(
        prog="cardgen", metavar="COMMAND", help=argparse.SUPPRESS, required=True, parser_class=Command
    )
    for group in GROUPS.values():
        for name, (example, about) in group.items():
            command = commands.add_parser(
                name,
                help=about,
                description=f"{about}\n\nexample: cardgen {example}",
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
            command.words = words
            command.set_defaults(command=name)
            if name in named:
                import_module(f"cardgen.cli.verbs.{name}").options(command)
                _general_options(command, name)
    return parser


def _overview() -> str:
    """Return the commands in their groups, and where the documentation is."""
    lines = []
    for title, group in GROUPS.items():
        lines += [f"{title}:"]
        lines += [f"  cardgen {example:<22} {about}" for example, about in group.values()]
        lines += [""]
    lines += ["options of a command: cardgen COMMAND --help", f"documentation: {_documentation()}"]
    return "\n".join(lines)


def _documentation() -> Path:
    """Return the README in the metadata of an installed package, or the documentation of a clone."""
    root = Path(cardgen.__file__).parent.parent
    readme = root / f"cardgen-{cardgen.__version__}.dist-info/METADATA"
    return readme if readme.is_file() else root / "docs/index.md"


def _general_options(parser: argparse.ArgumentParser, name: str) -> None:
    general = parser.add_argument_group("general options")
    about = (
        "create it in this folder (default: the current folder)"
        if name == "new"
        else "use this project (default: the current folder's project)"
    )
    general.add_argument("--project", metavar="DIR", help=about)
    about = "limit time, memory and written files (default: 10min,4GB,files=2GB)"
    general.add_argument("--budget", metavar="BUDGET", help=about)
    if name in SANDBOXED | UNCONFINED:
        about = "trust this game (default: games of others run sandboxed)"
        general.add_argument("--no-sandbox", action="store_true", help=about)
    if name in SANDBOXED:
        about = "run in a sandbox, or stop if the system lacks one"
        general.add_argument("--sandboxed", action="store_true", help=about)
        # An option with an optional value would take the next word, so the long form is an option too.
        general.add_argument(
            "--sandboxed=strict", dest="sandboxed", action="store_true", help=argparse.SUPPRESS
        )
