"""A game loaded again and again while its files are edited."""

from __future__ import annotations

import marshal
from dataclasses import replace

from cardgen.commands.translate import load_in
from cardgen.loading.kept import KeptFiles
from cardgen.model.game import Card, Game
from cardgen.project import Project


class Reloading:
    """Loads one game of a project, in any of its languages, in part where it has errors. Only those files
    are read and checked again that changed since the last time.

    Unchanged cards are the very same objects as before; those of a translated game are if their text, size
    and all else are equal to the digit.
    """

    def __init__(self, project: Project, game: str) -> None:
        self._project, self._game = project, game
        self._kept = KeptFiles()
        self._translated: dict[tuple[str, str, str], tuple[Card, bytes]] = {}

    def load(self, language: str | None = None) -> Game:
        """The game as it is now. Raises CardgenError where nothing is left of it."""
        paths = self._project.paths
        game, findings = load_in(paths, self._game, None, partial=True, kept=self._kept)
        if language is not None and language != game.language:
            like = game
            game, more = load_in(paths, self._game, language, partial=True, like=like)
            findings.extend(each for each in more if each not in findings.items)
            components = (
                replace(component, cards=tuple(self._same(language, card) for card in component.cards))
                for component in game.components
            )
            game = replace(game, components=tuple(components))
        return replace(game, remarks=tuple(findings.sorted()))

    def _same(self, language: str, card: Card) -> Card:
        """The card, or the one of the last time if nothing of it is other."""
        place = (language, card.component, card.id)
        try:
            spelled = marshal.dumps(dict(card.fields), 0)
        except ValueError:  # effects are more than plain data
            return card
        known = self._translated.get(place)
        if known is not None and known[1] == spelled and known[0] == card:
            return known[0]
        self._translated[place] = card, spelled
        return card
