"""Tab completion. Loaded only when a shell asks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any, TextIO

import argcomplete
from argcomplete.completers import DirectoriesCompleter, FilesCompleter

import cardgen
from cardgen.cli import arguments
from cardgen.cli.arguments import Command

KINDS = {
    "game": "games",
    "games": "games",
    "component": "components",
    "sheet": "sheets",
    "card": "cards",
    "deck": "decks",
    "rule": "rules",
    "explain": "rules",
    "language": "languages",
    "paper": "papers",
    "printer": "printers",
    "to": "targets",
    "template": "starters",
    "trim": "sizes",
}
"""The kind of names that an option or argument takes, by its `dest`."""


def complete(output: TextIO | None = None, leave: Callable[[int], Any] = os._exit) -> None:
    """Write the completions of the command line in the environment, then call `leave`."""
    parser = arguments.parser_for(os.environ.get("COMP_LINE", "").split())
    _prepare(parser)
    argcomplete.autocomplete(
        parser, always_complete_options="long", exit_method=leave, output_stream=output
    )


def _prepare(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.help = None  # argcomplete skips actions with suppressed help
            for command in action.choices.values():
                _prepare(command)
        elif action.choices is None:
            action.completer = _completer(action)  # type: ignore[attr-defined]
    if isinstance(parser, Command):
        parser.mixing = True  # argcomplete observes words as they are consumed, in order


def _completer(action: argparse.Action) -> Callable[..., Any]:
    if action.dest == "code":
        return _codes
    kind = KINDS.get(action.dest)
    metavar = str(action.metavar)
    files: Callable[..., Any] = _nothing
    if "DIR" in metavar or "FILE" in metavar:
        files = DirectoriesCompleter() if "DIR" in metavar else FilesCompleter()
    if kind is None:
        return files

    def found(prefix: str, parsed_args: argparse.Namespace, **more: Any) -> list[str]:
        return [*_names(kind, parsed_args), *files(prefix=prefix)]

    return found


def _nothing(prefix: str, **more: Any) -> list[str]:
    """Return no proposals: for numbers and free text."""
    return []


def _codes(prefix: str, **more: Any) -> list[str]:
    """Return the codes of findings that can be explained."""
    from cardgen.core.explanations import families

    return sorted(code for family in families() for each in family.sections for code in each.codes)


def _names(kind: str, given: argparse.Namespace) -> list[str]:
    """Return the names of a kind in the project and game typed so far; none if they can't be read."""
    from cardgen.commands.data.naming import names

    games = getattr(given, "games", None) or [getattr(given, "game", None)]
    try:
        project = cardgen.Project.open(getattr(given, "project", None))
        return names(kind, project, games[-1])
    except (cardgen.CardgenError, OSError):
        return []
