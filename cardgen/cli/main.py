"""One command: its arguments, its work, its exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

import cardgen
from cardgen.cli import arguments
from cardgen.cli.saying import FINDINGS, MISUSE, complain, silence, stand_in, utf8_streams


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    utf8_streams()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        import_module("cardgen.cli.completing").complete()
    words = sys.argv[1:] if argv is None else list(argv)
    given = arguments.parse(words)
    stand_in(partial(cardgen.Project.open, given.project))
    try:
        if getattr(given, "finds_game", False):
            _find_game(given)
        if getattr(given, "sandboxed", None) and not cardgen.is_confined():
            return cardgen.run_confined(words, vars(given))
        code: int = import_module(f"cardgen.cli.verbs.{given.command}").run(given)
        sys.stdout.flush()
        return code
    except cardgen.UsageError as error:
        complain(error.findings)
        return MISUSE
    except cardgen.CardgenError as error:
        complain(error.findings)
        return FINDINGS
    except BrokenPipeError:  # the reader went away (`cardgen list | head`), as it may
        silence()
        return FINDINGS
    except OSError as error:
        complain([cardgen.Finding.of_system(error)])
        if error.filename is None:
            silence()
        return FINDINGS
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _find_game(given: argparse.Namespace) -> None:
    """Fill in the game that was left out. UsageError where it is not known which is meant."""
    if getattr(given, "games", None) == []:
        given.games = cardgen.Project.open(given.project).games_here()
    elif getattr(given, "game", "") is None:
        given.game = cardgen.Project.open(given.project).game_here()
