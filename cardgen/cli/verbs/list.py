"""`cardgen list`: what a game, or every game, consists of."""

from __future__ import annotations

import argparse
from typing import Any

import cardgen
from cardgen.cli.saying import OK, print_json, say


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME")
    parser.add_argument("--language", metavar="LANG", help="its titles in this language")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(given: argparse.Namespace) -> int:
    project = cardgen.Project.open(given.project)
    if given.language and not given.game:
        raise cardgen.UsageError("--language is for one game")
    if given.game:
        entry = cardgen.list_game(cardgen.load(given.game, project=project, language=given.language))
        entries = [entry]
        content: Any = entry
    else:
        content = entries = cardgen.list_games(project)
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
            say(f"  --language {state['language']:<9} {cardgen.LanguageState.in_words(state)}")
        for deck in entry.get("decks", ()):
            say(
                f"  --deck {deck['id']:<13} {deck['title']}: {deck['unique']} distinct, "
                f"{deck['copies']} in all"
            )
    return OK
