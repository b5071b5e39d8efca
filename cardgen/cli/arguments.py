"""Which commands there are, and what the command line takes for one. It does nothing else."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module

import cardgen
from cardgen.cli.options import Command, Parser

COMMANDS: dict[str, str] = {
    "build": "write a game's sheets as PDF",
    "watch": "build, and build again whenever a file is saved",
    "check": "judge data, templates, text fit and rules",
    "explain": "what a finding's code means, and how to mend it: cardgen explain schema/enum",
    "suggest": "the fewest changes of cards with which a failing rule holds: cardgen suggest GAME RULE",
    "report": "rules, figures and the deck list as a page (HTML) and a PDF",
    "export": "write a game's pieces for other programs and services",
    "list": "what a game, or every game, consists of",
    "diff": "what changed since a git revision: cards, fields, looks and settings",
    "proof": "one card, both sides, as PNG",
    "preview": "see a game in the browser while its files are edited",
    "reference": "write a game's card reference, GAME_CARDS.md, beside its data",
    "translate": (
        "write a game's texts for translators, data/GAME/LANGUAGE/texts.po, or bring them up to date"
    ),
    "pull": "fetch a game's spreadsheets from where they are published",
    "schema": "write schemas that fit the data, or add to them what the data have besides",
    "table": "write a game's cards as a spreadsheet, and bring back what was edited there",
    "new": "start a project with one small working game",
    "font": "put a font file into the project: cardgen font add FILE",
    "calibrate": "measure how far a printer's backs are off, and remember it",
    "completion": "have your shell propose commands, options and names: bash, zsh or fish",
    "doctor": "whether this machine has what cardgen needs",
}
"""What each is for. What it takes and does stands in a module of its name in `verbs/`."""
UNCONFINED = frozenset({"watch", "preview", "pull"})
"""The commands that read a game and can't run sandboxed: they go on for ever or use the network."""
SANDBOXED = frozenset(
    {
        *("build", "check", "diff", "export", "list", "proof"),
        *("reference", "report", "schema", "suggest", "table", "translate"),
    }
)
"""The other commands that read a game."""
LONG_LIVED = frozenset({"preview", "watch"})
"""The commands that hold each job or build to the budget, not their own life."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options that a command line states, with the command's name as `command`. Ends the process where
    argparse does: for help, the version, or what is wrong."""
    parser = parser_for(words)
    if not words:  # who types the name alone wants to know what there is
        parser.print_help(sys.stderr)
        sys.exit(2)
    return parser.parse_args(words)


def parser_for(words: Sequence[str]) -> argparse.ArgumentParser:
    """What parses these words."""
    return _parser(frozenset(COMMANDS.keys() & set(words)))


@cache
def _parser(named: frozenset[str]) -> argparse.ArgumentParser:
    """All commands, of which those `named` know their options: only one is asked for, and those of `export`
    are its targets', each in a module."""
    parser = Parser(
        prog="cardgen", description="Tabletop games from YAML: checked, drawn and laid out for print."
    )
    parser.add_argument("--version", action="version", version=f"cardgen {cardgen.__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=Command
    )
    for name, about in COMMANDS.items():
        form = argparse.RawDescriptionHelpFormatter
        command = commands.add_parser(name, help=about, description=about, formatter_class=form)
        command.set_defaults(command=name)
        if name in named:
            _common_options(command, name)
            import_module(f"cardgen.cli.verbs.{name}").options(command)
    return parser


def _common_options(parser: argparse.ArgumentParser, name: str) -> None:
    about = (
        "where to make it (default: the current folder)"
        if name == "new"
        else "the project folder (default: the one that the current folder lies in)"
    )
    parser.add_argument("--project", metavar="DIR", help=about)
    about = "most time, memory and written files: 20min,8GB,files=5GB (default: 10min,4GB,files=2GB)"
    parser.add_argument("--budget", metavar="BUDGET", help=about)
    if name in SANDBOXED | UNCONFINED:
        about = "trust this game, whoever it is from (default: games of others are sandboxed)"
        parser.add_argument("--no-sandbox", action="store_true", help=about)
    if name in SANDBOXED:
        parser.add_argument(
            "--sandboxed",
            action="store_true",
            help="for games of strangers: a process without network, other files or much memory; refused "
            "where the system can't hold that",
        )
        # A second option by its whole name, for one whose value is optional would take the next word.
        parser.add_argument(
            "--sandboxed=strict",
            dest="sandboxed",
            action="store_true",
            help=argparse.SUPPRESS,
        )
