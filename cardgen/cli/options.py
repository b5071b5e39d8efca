"""Parsers, and the options that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

import cardgen


class Parser(argparse.ArgumentParser):
    """argparse repeats what was typed in its complaints."""

    def error(self, message: str) -> NoReturn:
        super().error(cardgen.shown(message))


class Command(Parser):
    """A command's parser. What its help says at the end is found out when it is asked for: that reads
    files of a project, and nothing of it is read before a command is known."""

    more: Callable[[], str] | None = None

    def format_help(self) -> str:
        if self.more is not None:
            self.epilog = self.more()
        return super().format_help()


def repeatable(parser: argparse.ArgumentParser, name: str, metavar: str, help: str) -> None:
    parser.add_argument(name, action="append", default=[], metavar=metavar, help=help)


def language_option(parser: argparse.ArgumentParser) -> None:
    about = "in this language, one of the game's languages: (files go to a folder of that name)"
    parser.add_argument("--language", metavar="LANG", help=about)


def output_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", help="where files go (default: the project's output/)")


def selection_options(parser: argparse.ArgumentParser, *, cards: bool = True) -> None:
    repeatable(parser, "--component", "ID", "only this component; repeatable")
    if cards:
        repeatable(parser, "--card", "ID", "only this card; repeatable")
    parser.add_argument("--players", type=int, metavar="N", help="copies for this many players")
