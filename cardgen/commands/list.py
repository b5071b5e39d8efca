"""What `cardgen list` tells: a game's components and sheets, as plain values for scripts."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from cardgen.commands.production import load
from cardgen.model.game import ComponentKind, Game
from cardgen.project import Project


class ComponentEntry(TypedDict):
    """`trim_mm` is [width, height], or None where cards differ in size; `unique` counts distinct
    cards, `copies` printed ones."""

    id: str
    kind: ComponentKind
    trim_mm: list[float] | None
    unique: int
    copies: int


class SheetEntry(TypedDict):
    name: str
    paper: str
    components: list[str]


class DeckListEntry(TypedDict):
    """A deck list of the game's own: `unique` counts distinct cards, `copies` all."""

    id: str
    title: str
    component: str
    unique: int
    copies: int


class LanguageEntry(TypedDict):
    """A language that the game is translated into, and how many of its `texts` are done."""

    language: str
    texts: int
    done: int
    missing: int
    stale: int


class GameEntry(TypedDict):
    """`decks` is only there in a game that has deck lists, `languages` in one that is translated."""

    game: str
    title: str
    version: str
    components: list[ComponentEntry]
    sheets: list[SheetEntry]
    decks: NotRequired[list[DeckListEntry]]
    languages: NotRequired[list[LanguageEntry]]


def list_game(game: Game, paper: str = "letter") -> GameEntry:
    """The entry of one loaded game; `paper` is what its sheets are printed on by default."""
    entry: GameEntry = {
        "game": game.id,
        "title": game.title,
        "version": game.version,
        "components": [
            {
                "id": component.id,
                "kind": component.kind,
                "trim_mm": None
                if component.trim is None
                else [round(component.trim.width, 3), round(component.trim.height, 3)],
                "unique": component.unique,
                "copies": component.copies,
            }
            for component in game.components
        ],
        "sheets": [
            {"name": sheet.name, "paper": paper, "components": list(sheet.components)}
            for sheet in game.sheets
        ],
    }
    if game.deck_source is not None:
        entry["decks"] = [
            {
                "id": deck.id,
                "title": deck.title,
                "component": deck.component,
                "unique": deck.unique,
                "copies": deck.copies,
            }
            for deck in game.decks
        ]
    if game.languages:
        from cardgen.commands.translate import translate

        states = translate(game.id, project=Project(game.paths.roots[0], game.paths), write=False)
        entry["languages"] = [
            {
                "language": state.language,
                "texts": state.texts,
                "done": state.done,
                "missing": state.missing,
                "stale": state.stale,
            }
            for state in states
        ]
    return entry


def list_games(project: Project | None = None) -> list[GameEntry]:
    """The entries of all games of a project, by id. CardgenError if one of them cannot be read."""
    project = project or Project.open()
    return [list_game(load(name, project=project)) for name in project.games()]
