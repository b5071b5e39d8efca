"""One command: its arguments, its work, its exit code."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module

import cardgen
from cardgen.cli import arguments
from cardgen.cli.saying import FINDINGS, MISUSE, complain, held_to, silence, stand_in, utf8_streams

SELDOM = 100_000
"""New objects after which Python searches for cyclic garbage. Commands keep nearly all that they make, so
the usual 700 take a tenth of their time."""


atexit.register(gc.freeze)  # otherwise Python searches all objects once more before it ends


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    gc.set_threshold(SELDOM)
    utf8_streams()
    if "_ARGCOMPLETE" in os.environ:  # the shell requests completions
        import_module("cardgen.cli.completing").complete()
    words, renamed = arguments.with_new_names(sys.argv[1:] if argv is None else list(argv))
    try:
        with _plugins(words):
            given = arguments.parse(words)
            stand_in(partial(cardgen.Project.open, given.project))
            for old, new in renamed.items():
                hint = f"write {new}: the next release doesn't know the old name"
                message = f"{old} is called {new} now"
                complain([cardgen.Finding(cardgen.Severity.WARNING, "usage/renamed", message, None, hint)])
            with _budget(given):
                return _run(words, given)
    except cardgen.UsageError as error:
        complain(error.findings)
        return MISUSE
    except cardgen.CardgenError as error:
        complain(error.findings)
        return FINDINGS
    except BrokenPipeError:  # the reader closed the pipe (`cardgen list | head`)
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


def _run(words: Sequence[str], given: argparse.Namespace) -> int:
    from cardgen.files.confinement_limits import is_confined

    if getattr(given, "finds_game", False):
        _find_game(given)
    missing = [name for name in arguments.DEFAULTS[given.command] if getattr(given, name) is None]
    usual: Mapping[str, object] = {}
    if missing:
        from cardgen.commands.production.choices import default_choices

        usual = default_choices(cardgen.Project.open(given.project), missing)
        vars(given).update(usual)
    if not is_confined():
        from cardgen.commands.production.trust import sandbox_of

        sandbox = sandbox_of(words, vars(given))
        if sandbox is not None:
            from cardgen.commands.production.sandboxed import run_confined

            return run_confined(words, vars(given), sandbox)
    run = arguments.function_of(given.command)
    assert run is not None
    try:
        code: int = run(given)
    except cardgen.UsageError as error:
        if not usual:
            raise
        from cardgen.commands.production.choices import at_defaults

        raise at_defaults(error, cardgen.Project.open(given.project).paths, usual) from error
    sys.stdout.flush()
    return code


@contextmanager
def _plugins(words: Sequence[str]) -> Iterator[None]:
    """Load only the plug-ins that `--plugins` names. Other processes read them from the environment. The
    options of a command may be those of a plug-in, so this comes before they are parsed."""
    if not any(word.startswith("--plugins") for word in words):
        yield
        return
    from cardgen.files.plugins import VARIABLE, choose

    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--plugins", nargs="?")
    before = os.environ.get(VARIABLE)
    try:
        stated = parser.parse_known_args(words)[0].plugins
        if stated is not None:
            choose(stated)
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


@contextmanager
def _budget(given: argparse.Namespace) -> Iterator[None]:
    """Hold the command to its budget. Long-lived commands and other processes read it from the
    environment."""
    from cardgen.core.budget import BUDGET_VARIABLE, Budget

    before = os.environ.get(BUDGET_VARIABLE)
    budget = Budget.stated(given.budget)
    if given.budget is not None:
        os.environ[BUDGET_VARIABLE] = given.budget
    try:
        if given.command in arguments.LONG_LIVED:
            yield
        else:
            with held_to(budget):
                yield
    finally:
        if given.budget is not None:
            os.environ.pop(BUDGET_VARIABLE)
            if before is not None:
                os.environ[BUDGET_VARIABLE] = before


def _find_game(given: argparse.Namespace) -> None:
    """Fill in a game that was not named. Raises UsageError if it is ambiguous."""
    if getattr(given, "games", None) == []:
        given.games = cardgen.Project.open(given.project).games_here()
    elif getattr(given, "game", "") is None and not getattr(given, "all", False):
        given.game = cardgen.Project.open(given.project).game_here()
