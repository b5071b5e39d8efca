"""The names that a command line accepts: of games, of parts of a game, of everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cardgen.core.game import Game
from cardgen.files.project import Project


def names(kind: str, project: Project | None = None, game: str | None = None) -> list[str]:
    """Return the names of a kind of KINDS, each once. Names in a game are from the given one, or else the
    default one.

    Raises UsageError for an unknown game, or if the game is ambiguous; CardgenError if files can't be read.
    """
    project = project or Project.open()
    if kind in _IN_PROJECT:
        return list(dict.fromkeys(_IN_PROJECT[kind](project)))
    from cardgen.commands.production.stages import load

    loaded = load(game or project.game_here(), project=project, partial=True)
    return list(dict.fromkeys(_IN_GAME[kind](loaded)))


def _games(project: Project) -> Iterable[str]:
    return project.own_games() or project.games()


def _listed(kind: str) -> Callable[[Project], Iterable[str]]:
    def found(project: Project) -> Iterable[str]:
        from cardgen.commands.data.list import catalogue

        return (entry["name"] for entry in catalogue(kind, project))

    return found


def _targets(project: Project) -> list[str]:
    from cardgen.exports.exporters import EXPORTERS
    from cardgen.files.plugins import names as plugin_names

    return [*EXPORTERS, *project.services(), *plugin_names("exporters")]


def _printers(project: Project) -> Iterable[str]:
    from cardgen.game.facts import profile_names

    return profile_names()


def _sheets(game: Game) -> Iterable[str]:
    from cardgen.commands.production.choices import SINGLE

    return (*(sheet.name for sheet in game.sheets), SINGLE)


def _rules(game: Game) -> Iterable[str]:
    from cardgen.game.rule_kinds import load_rules

    stated = load_rules(game)
    return (rule["id"] for key in ("rules", "deck_rules") for rule in stated.get(key) or ())


_IN_PROJECT: dict[str, Callable[[Project], Iterable[str]]] = {
    "games": _games,
    "papers": _listed("papers"),
    "sizes": _listed("sizes"),
    "starters": _listed("starters"),
    "targets": _targets,
    "printers": _printers,
}
_IN_GAME: dict[str, Callable[[Game], Iterable[str]]] = {
    "components": lambda game: (component.id for component in game.components),
    "sheets": _sheets,
    "cards": lambda game: (card.id for card in game.cards()),
    "decks": lambda game: (deck.id for deck in game.decks),
    "languages": lambda game: game.languages,
    "rules": _rules,
}
KINDS = (*_IN_PROJECT, *_IN_GAME)
