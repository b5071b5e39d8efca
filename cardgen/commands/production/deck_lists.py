"""A game's deck lists and a player's own: find them, read them, turn them into the cards to print."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from cardgen.core.findings import CardgenError, Finding, Severity, UsageError, did_you_mean
from cardgen.core.game import Card, DeckList, Game, GameSheet
from cardgen.core.records import replace
from cardgen.core.terminal import shown
from cardgen.files.listing import names_in
from cardgen.files.project import Project
from cardgen.files.reading import ReadingError, is_there
from cardgen.files.table_formats import parted

if TYPE_CHECKING:
    from cardgen.rules.results import RuleResult


def load_deck(game: Game, deck: str | PurePath, *, project: Project | None = None) -> DeckList:
    """Return the deck list in a file, or the game's own of that id if there is no such file. A workbook's
    sheet may follow its name, `decks.xlsx#Night`.

    Raises UsageError for an unknown name and for a game without deck lists, CardgenError with all findings
    for errors in the file; its `remarks` contain warnings and notes.
    """
    from cardgen.game.deck_lists import load_deck as read_deck

    project = project or Project.open()
    path, sheet = Path(deck), None
    if not is_there(path):
        file, sheet = parted(str(deck))
        path = Path(file)
    own = {each.id: each for each in game.decks}
    if is_there(path) and not os.path.isdir(path):
        real = os.path.realpath(path)
        for each in game.decks if sheet is None else ():
            found = game.paths.find(each.file)
            if found is not None and os.path.realpath(found) == real:
                return each
        return read_deck(game, path, _shown(path, project), project.holders(path), sheet)
    if str(deck) in own:
        return own[str(deck)]
    if game.deck_source is None:
        return read_deck(game, path, str(deck))
    if os.path.isdir(path):
        raise UsageError(
            f"'{deck}' is a folder", "name one file, or give --deck again for each", "usage/deck"
        )
    hint = did_you_mean(str(deck), [*own, *_neighbours(path)])
    if hint is None and own:
        hint = f"use one of the decks: {', '.join(own)}"
    hint = hint or f"name a file: cardgen check {game.id} --deck mine.txt"
    raise UsageError(f"there is no deck list '{deck}'", hint, "usage/deck")


def load_decks(
    game: Game, names: Sequence[str], *, project: Project | None = None
) -> tuple[list[DeckList] | None, list[Finding]]:
    """Return the deck lists of these names, and the findings of invalid ones; None without a name. Raises
    UsageError as `load_deck` does."""
    if not names:
        return None, []
    decks: list[DeckList] = []
    findings: list[Finding] = []
    for name in names:
        try:
            decks.append(load_deck(game, name, project=project))
        except UsageError:
            raise
        except CardgenError as error:
            findings += error.findings
    return decks, findings


def _neighbours(path: Path) -> list[str]:
    """Return the files next to a path, written in the same style."""
    try:
        return [str(path.parent / name) for name in names_in(path.parent, str(path.parent), None)]
    except ReadingError:
        return []


def _shown(path: Path, project: Project) -> str:
    """Return the name of a file in findings: relative to the project if it is inside, or else as given."""
    try:
        return Path(os.path.abspath(path)).relative_to(project.root).as_posix()
    except ValueError:
        return path.as_posix()


def deck_cards(deck: DeckList, cards: Iterable[Card]) -> list[Card]:
    """Return the cards that are in the deck, with the deck's copies, in their given order."""
    copies = {entry.card: entry.copies for entry in deck.entries}
    return [
        replace(card, copies=copies[card.id])
        for card in cards
        if card.component == deck.component and card.id in copies
    ]


def deck_sheets(deck: DeckList, sheets: Iterable[GameSheet]) -> list[GameSheet]:
    """Return the deck component's sheets, limited to that component."""
    return [
        replace(sheet, components=(deck.component,), label=deck.title)
        for sheet in sheets
        if deck.component in sheet.components
    ]


def deck_figures(deck: DeckList, results: Iterable[RuleResult]) -> str:
    """Return a line for each rule with its measures of this deck; results of other decks are skipped."""
    lines = [f"{deck.title}: {deck.copies} cards, {deck.unique} distinct"]
    own = [result for result in results if result.rule.deck == deck.id]
    width = max((len(result.rule.id) for result in own), default=0)
    for result in own:
        mild = result.verdict.value == "fail" and result.rule.severity is not Severity.ERROR
        verdict = result.rule.severity.value if mild else result.verdict.value
        figures = "; ".join(f"{measure.name} {measure.words}" for measure in result.measures)
        lines.append(f"  {verdict:<9} {result.rule.id:<{width}}  {figures}".rstrip())
    return "\n".join(map(shown, lines))


def deck_folder(game_folder: Path, deck: DeckList) -> Path:
    """Return the folder of a deck's sheets, separate from the whole game's."""
    return game_folder / "decks" / deck.id
