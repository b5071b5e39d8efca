"""What the command line takes: commands, their options and their help. It does nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from typing import NoReturn

import cardgen

SANDBOXED = frozenset({"build", "check", "report", "export", "list", "proof", "reference", "translate"})
"""The commands that read a game and so take --sandboxed; those that need git or go on for ever don't."""


class _Parser(argparse.ArgumentParser):
    """argparse repeats what was typed in its complaints."""

    def error(self, message: str) -> NoReturn:
        super().error(cardgen.shown(message))


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options that a command line states, with the command's name as `command`. Ends the process where
    argparse does: for help, the version, or what is wrong."""
    return _parser(frozenset(COMMANDS.keys() & set(words))).parse_args(words)


@cache
def _parser(named: frozenset[str]) -> argparse.ArgumentParser:
    """All commands, of which those `named` know their options: only one is asked for, and those of `export`
    are its targets', each in a module."""
    parser = _Parser(
        prog="cardgen", description="Tabletop games from YAML: checked, drawn and laid out for print."
    )
    parser.add_argument("--version", action="version", version=f"cardgen {cardgen.__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_Command
    )
    for name, (help, options) in COMMANDS.items():
        form = argparse.RawDescriptionHelpFormatter
        command = commands.add_parser(name, help=help, description=help, formatter_class=form)
        command.set_defaults(command=name)
        if name in named:
            _common_options(command, name)
            options(command)
    return parser


def _targets() -> str:
    entries = cardgen.exporters().items()
    lines = (cardgen.shown(f"  {name:<15} {each.summary}") for name, each in entries)
    text = "\n".join(("targets of --to:", *lines))
    # argparse fills in its `%(prog)s`, and chokes on whatever else has a % beside it.
    return text.replace("%", "%%") if "%(prog)" in text else text


class _Command(_Parser):
    """A command's parser. What its help says at the end is found out when it is asked for: that reads
    files of a project, and nothing of it is read before a command is known."""

    more: Callable[[], str] | None = None

    def format_help(self) -> str:
        if self.more is not None:
            self.epilog = self.more()
        return super().format_help()


def _common_options(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the current one)")
    if name in SANDBOXED:
        parser.add_argument(
            "--sandboxed",
            action="store_const",
            const="plain",
            help="for games of strangers: a process without network, other files or much memory, as far as "
            "the system can hold it; --sandboxed=strict: or not at all",
        )
        # A second option by its whole name, for one whose value is optional would take the next word.
        parser.add_argument(
            "--sandboxed=strict",
            dest="sandboxed",
            action="store_const",
            const="strict",
            help=argparse.SUPPRESS,
        )


def _repeatable(parser: argparse.ArgumentParser, name: str, metavar: str, help: str) -> None:
    parser.add_argument(name, action="append", default=[], metavar=metavar, help=help)


def _language_option(parser: argparse.ArgumentParser) -> None:
    about = "in this language, one of the game's languages: (files go to a folder of that name)"
    parser.add_argument("--language", metavar="LANG", help=about)


def _output_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", help="where files go (default: the project's output/)")


def _selection_options(parser: argparse.ArgumentParser, *, cards: bool = True) -> None:
    _repeatable(parser, "--component", "ID", "only this component; repeatable")
    if cards:
        _repeatable(parser, "--card", "ID", "only this card; repeatable")
    parser.add_argument("--players", type=int, metavar="N", help="copies for this many players")


# ---------------------------------------------------------------- commands


def _build(build: argparse.ArgumentParser) -> None:
    build.add_argument("game", metavar="GAME")
    _repeatable(build, "--sheet", "NAME", "only this sheet; may be given again")
    _selection_options(build)
    build.add_argument("--paper", default="letter", metavar="NAME", help="letter (default), a4, …")
    build.add_argument(
        "--duplex",
        choices=("long-edge", "short-edge", "fold", "none"),
        help="how backs meet faces (default: what the sheet says)",
    )
    build.add_argument("--no-backs", action="store_true", help="faces only")
    build.add_argument("--low-ink", action="store_true", help="the game's light variant")
    build.add_argument(
        "--image-dpi",
        type=int,
        metavar="N",
        help="bring images with half as many pixels again or more down to N an inch (default: leave them)",
    )
    build.add_argument(
        "--keep-going",
        action="store_true",
        help="print what is in order, with a box in the place of each card that is not",
    )
    build.add_argument("--printer", metavar="NAME", help="shift backs as measured by `cardgen calibrate`")
    build.add_argument(
        "--deck", metavar="FILE", help="print just this deck list: a file, or one of the game's"
    )
    build.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="draw in so many processes (default 1): for thousands of new cards and idle cores",
    )
    about = "only cards that are new or look different since this git revision, on sheets of their own"
    build.add_argument("--changed-since", metavar="REV", help=about)
    _language_option(build)
    _output_option(build)
    build.add_argument("--quiet", action="store_true", help="print errors only")


def _check(check: argparse.ArgumentParser) -> None:
    check.add_argument("games", nargs="+", metavar="GAME")
    check.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif", "junit"),
        default="text",
        help="github: annotations in a workflow; sarif, junit: files for code hosts and build servers",
    )
    check.add_argument(
        "--all", action="store_true", help="list every finding; without it, some of each kind"
    )
    check.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="the least severity that fails"
    )
    about = "judge just this deck list (.yaml, .csv, .txt, or one of the game's by its id); repeatable"
    _repeatable(check, "--deck", "FILE", about)
    _repeatable(check, "--rule", "ID", "only this composition rule; repeatable")
    about = "only the game in this language, or source, its own (default: all of them); repeatable"
    _repeatable(check, "--language", "LANG", about)
    check.add_argument(
        "--explain", metavar="RULE", help="say what a rule asks, why, what it looked at and what came out"
    )


def _report(report: argparse.ArgumentParser) -> None:
    report.add_argument("game", metavar="GAME")
    report.add_argument(
        "--format", choices=("html", "pdf", "json"), help="only this one; json goes to standard output"
    )
    _language_option(report)
    _output_option(report)


def _export(export: _Command) -> None:
    export.more = _targets
    export.add_argument("game", metavar="GAME")
    export.add_argument("--to", required=True, metavar="NAME", help="one of the targets below")
    _selection_options(export, cards=False)
    export.add_argument("--low-ink", action="store_true", help="the game's light variant")
    _language_option(export)
    _output_option(export)
    export.add_argument("--quiet", action="store_true", help="print errors only")
    for name, option in cardgen.export_options().items():
        export.add_argument(f"--{name}", **option.argument)


def _list(listing: argparse.ArgumentParser) -> None:
    listing.add_argument("game", nargs="?", metavar="GAME")
    listing.add_argument("--language", metavar="LANG", help="its titles in this language")
    listing.add_argument("--format", choices=("text", "json"), default="text")


def _diff(diff: argparse.ArgumentParser) -> None:
    diff.add_argument("game", metavar="GAME")
    about = "the git revision to compare with (default: HEAD, the last commit)"
    diff.add_argument("--since", default="HEAD", metavar="REV", help=about)
    _repeatable(diff, "--component", "ID", "only this component; repeatable")
    diff.add_argument("--language", metavar="LANG", help="in this language, one of the game's languages:")
    diff.add_argument("--format", choices=("text", "json"), default="text")
    diff.add_argument("--html", metavar="FILE", help="write a page with old and new pictures, too")
    diff.add_argument("--exit-code", action="store_true", help="end with 1 if anything changed")


def _proof(proof: argparse.ArgumentParser) -> None:
    proof.add_argument("game", metavar="GAME")
    proof.add_argument("card", metavar="CARD")
    proof.add_argument("--component", metavar="ID", help="where two components share the card's id")
    proof.add_argument("--dpi", type=int, default=300, metavar="N")
    proof.add_argument("--bleed", action="store_true", help="show the bleed too")
    proof.add_argument("--low-ink", action="store_true")
    _language_option(proof)
    _output_option(proof)


def _preview(preview: argparse.ArgumentParser) -> None:
    preview.add_argument("game", nargs="?", metavar="GAME", help="(default: the project's only one)")
    preview.add_argument("--port", type=int, default=0, metavar="N", help="(default: one that is free)")
    preview.add_argument("--open", action="store_true", help="open it in the browser")
    preview.add_argument("--low-ink", action="store_true", help="begin with the game's light variant")
    preview.add_argument("--language", metavar="LANG", help="begin with this language of the game's")
    preview.add_argument(
        "--poll", action="store_true", help="look for saves again and again, where a drive tells of none"
    )


def _reference(reference: argparse.ArgumentParser) -> None:
    reference.add_argument("games", nargs="+", metavar="GAME")
    reference.add_argument(
        "--check", action="store_true", help="write nothing; fail if the file is missing or out of date"
    )
    reference.add_argument("--output", metavar="FILE", help="another place for the reference of one game")
    about = "in this language, one of the game's languages:, in data/GAME/LANG/"
    reference.add_argument("--language", metavar="LANG", help=about)


def _translate(translate: argparse.ArgumentParser) -> None:
    translate.add_argument("game", metavar="GAME")
    _repeatable(translate, "--language", "LANG", "only this language; repeatable")
    translate.add_argument(
        "--check",
        action="store_true",
        help="write nothing; say how far each is and which texts don't fit; fail if one is not done or too "
        "long",
    )
    translate.add_argument("--format", choices=("text", "json"), default="text")


def _new(new: argparse.ArgumentParser) -> None:
    new.add_argument("name", metavar="NAME", help="lower-case words joined by '-'")


def _font(font: argparse.ArgumentParser) -> None:
    font.add_argument("action", choices=("add",), metavar="add")
    font.add_argument("file", metavar="FILE", help="a .ttf or .otf file, or a collection (.ttc, .otc)")
    font.add_argument("--family", metavar="NAME", help="what templates call it (default: its own name)")
    font.add_argument("--licence", metavar="ID", help="its licence, such as OFL-1.1 (default: its own)")
    font.add_argument("--face", metavar="N|NAME", help="which face of a collection")
    font.add_argument("--weight", type=int, metavar="N", help="which weight of a variable font")


def _calibrate(calibrate: argparse.ArgumentParser) -> None:
    calibrate.add_argument("--paper", default="letter", metavar="NAME")
    calibrate.add_argument("--duplex", choices=("long-edge", "short-edge"), default="long-edge")
    calibrate.add_argument("--landscape", action="store_true", help="for landscape pages")
    calibrate.add_argument("--printer", metavar="NAME", help="store readings under this name")
    calibrate.add_argument(
        "--read",
        nargs=4,
        type=float,
        metavar=("X1", "Y1", "X2", "Y2"),
        help="the millimetres read at the two crosses of the printed page",
    )
    _output_option(calibrate)


COMMANDS: dict[str, tuple[str, Callable[[_Command], None]]] = {
    "build": ("write a game's sheets as PDF", _build),
    "watch": ("build, and build again whenever a file is saved", _build),
    "check": ("judge data, templates, text fit and rules", _check),
    "report": ("rules, figures and the deck list as a page (HTML) and a PDF", _report),
    "export": ("write a game's pieces for other programs and services", _export),
    "list": ("what a game, or every game, consists of", _list),
    "diff": ("what changed since a git revision: cards, fields, looks and settings", _diff),
    "proof": ("one card, both sides, as PNG", _proof),
    "preview": ("see a game in the browser while its files are edited", _preview),
    "reference": ("write a game's card reference, GAME_CARDS.md, beside its data", _reference),
    "translate": (
        "write a game's texts for translators, data/GAME/LANGUAGE/texts.po, or bring them up to date",
        _translate,
    ),
    "new": ("start a project with one small working game", _new),
    "font": ("put a font file into the project: cardgen font add FILE", _font),
    "calibrate": ("measure how far a printer's backs are off, and remember it", _calibrate),
    "doctor": ("whether this machine has what cardgen needs", lambda _: None),
}
"""What each is for, and what adds its options."""
