"""`cardgen list`: list games, sheets, sizes, icons and more."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import cardgen
from cardgen.cli.saying import OK, print_json, say


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.list import list_game, list_games

    project = cardgen.Project.open(given.project)
    if given.kind:
        return _catalogue(given, project)
    if given.language and not given.game:
        raise cardgen.UsageError(
            "--language needs a game", f"name the game: cardgen list GAME --language {given.language}"
        )
    if given.game:
        entry = list_game(given.game, project=project, language=given.language)
        entries = [entry]
        content: Any = entry
    else:
        content = entries = list_games(project)
    if given.format == "json":
        print_json(content)
        return OK
    for entry in entries:
        say(f"{entry['game']}  {entry['title']}, version {entry['version']}")
        for component in entry["components"]:
            trim = component["trim_mm"]
            size = f"{trim[0]:g}×{trim[1]:g} mm" if trim else "several sizes"
            say(
                f"  {component['id']:<16} {component['kind']:<6} {size:<18} "
                f"{component['unique']} distinct, {component['copies']} in all"
            )
        for sheet in entry["sheets"]:
            say(f"  --sheet {sheet['name']:<12} {', '.join(sheet['components'])}")
        for state in entry.get("languages", ()):
            say(f"  --language {state['language']:<9} {_in_words(state)}")
        for deck in entry.get("decks", ()):
            say(
                f"  --deck {deck['id']:<13} {deck['title']}: {deck['unique']} distinct, "
                f"{deck['copies']} in all"
            )
    return OK


def _in_words(state: Any) -> str:
    from cardgen.commands.data.translate import LanguageState

    return LanguageState.in_words(state)


# ---------------------------------------------------------------- the names


def _catalogue(given: argparse.Namespace, project: cardgen.Project) -> int:
    from cardgen.commands.data.list import catalogue

    if given.game and given.kind != "icons":
        raise cardgen.UsageError(
            f"--{given.kind} are the same for all games", f"omit the game: cardgen list --{given.kind}"
        )
    if given.language:
        raise cardgen.UsageError(
            f"--{given.kind} are the same in all languages",
            f"remove --language: cardgen list --{given.kind}",
        )
    entries = catalogue(given.kind, project, given.game)
    if given.format == "json":
        print_json(entries)
        return OK
    rows = []
    for entry in entries:
        cells = [entry["name"], *_CELLS[given.kind](entry["details"]), entry["title"]]
        rows.append([*cells, project.seen_from_here(entry["file"]) if entry["own"] else ""])
    for line in _aligned(rows):
        say(line)
    return OK


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with aligned columns, without empty columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths) if width).rstrip() for row in rows
    ]


def _size(details: Any) -> list[str]:
    width, height = details["size_mm"]
    return [f"{width:g}×{height:g} mm"]


def _layout(details: Any) -> list[str]:
    grid = details["grid"]
    return ["×".join(map(str, grid)) if isinstance(grid, list) else grid, details["duplex"]]


_CELLS: dict[str, Callable[[Any], list[str]]] = {
    "sizes": _size,
    "papers": _size,
    "layouts": _layout,
    "icons": lambda details: [details["game"] or "all games"],
    "fonts": lambda details: [", ".join([*details["styles"], *details["generic"]]), details["licence"]],
    "services": lambda details: [details["address"] or ""],
    "starters": lambda details: [],
}
"""The cells of an entry between its name and its title."""
