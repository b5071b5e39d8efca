"""A game loaded in one of its languages, again after each edit."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import Finding, Findings, Location, Severity
from cardgen.core.game import Card, Game
from cardgen.core.records import replace
from cardgen.files.project import Project
from cardgen.game.schema_file import name_hint
from cardgen.game.sources import KeptFiles

if TYPE_CHECKING:
    from cardgen.core.paths import ProjectPaths


class Reloading:
    """Loads one game of a project, in any of its languages, partly if it has errors.

    Only changed files are read and checked again. Unchanged cards are the same objects as before. In a
    translated game this requires equal text, size and all other values.
    """

    def __init__(self, project: Project, game: str) -> None:
        self._project, self._game = project, game
        self._kept = KeptFiles()
        self._translated: dict[tuple[str, str, str], tuple[Card, bytes]] = {}

    @property
    def good(self) -> dict[str, str]:
        """Return the last texts without mistakes of files that can't be read now."""
        return self._kept.beside.good | self._kept.good

    def load(self, language: str | None = None) -> Game:
        """Return the current game. Raises CardgenError if nothing of it is valid."""
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

    def made_with(self, component: str) -> Any:
        """Return the values that a component's loaded cards were made with; None if it has none."""
        return self._kept.made_with(component)

    def _same(self, language: str, card: Card) -> Card:
        """Return the previous card if it is unchanged, else the new one."""
        place = (language, card.component, card.id)
        try:
            spelled = marshal.dumps(dict(card.fields), 0)
        except ValueError:  # effects aren't plain data
            return card
        known = self._translated.get(place)
        if known is not None and known[1] == spelled and known[0] == card:
            return known[0]
        self._translated[place] = card, spelled
        return card


def load_in(
    paths: ProjectPaths,
    game: str,
    language: str | None,
    *,
    players: int | None = None,
    partial: bool = False,
    like: Game | None = None,
    kept: KeptFiles | None = None,
) -> tuple[Game, Findings]:
    """Return a game in a language with its findings, like `loading.load_game`."""
    from cardgen.game.loading import load_game

    loaded, findings = load_game(
        paths, game, players=players, language=language, partial=partial, like=like, kept=kept
    )
    if loaded.words is not None:
        _check_words(loaded, findings)
        _check_fonts(loaded, findings)
        if not partial:
            findings.raise_if_errors()
    return loaded, findings


def _check_fonts(game: Game, findings: Findings) -> None:
    """Add a finding for each missing substitute family, and a note for each one that lacks styles."""
    from cardgen.commands.production.fonts import fontbook

    known = fontbook(game.paths).families if game.fonts else {}
    for family, other in game.fonts:
        path = ("languages", game.language, "fonts", family)
        place = game.locator.locate(f"data/{game.id}/game.yaml", path)
        if other in known and family in known:
            lacking = [
                face.style for key, face in known[family].faces.items() if key not in known[other].faces
            ]
            if lacking:
                message = f"{other} has no {', '.join(lacking)}, which {family} has; the nearest is used"
                hint = f"add the missing style: cardgen font add FILE --family '{other}'"
                findings.note("font/style", message, place, hint)
        elif other not in known:
            hint = name_hint(other, known, "families", "cardgen list --fonts")
            findings.error("font/family", f"there is no font family '{other}'", place, hint)


def _check_words(game: Game, findings: Findings) -> None:
    """Report untranslated words of templates, and translations of words that no template uses."""
    from cardgen.art.templates import template_words

    words = game.words
    assert words is not None
    said = template_words(game.paths, game.id)
    severity = Severity.ERROR if words.must else Severity.WARNING
    command = f"cardgen translate {game.id} --language {words.language}"
    hint = f"update the translation file, then translate its open texts: {command}"
    if words.absent:
        count = words.missing + len(said)
        message = f"none of {count:,} texts is translated into {words.language}"
        place = game.locator.locate(f"data/{game.id}/game.yaml", ("languages", words.language))
        hint = f"write a file of texts, then translate them: {command}"
        findings.extend([Finding(severity, "translation/missing", message, place, hint)])
        return
    for word, places in said.items():
        if word not in words.words:
            message = f"'{word}' is not translated into {words.language}"
            place = Location(*places[0])
            findings.extend([Finding(severity, "translation/missing", message, place, hint)])
    for word, (_, line) in words.words.items():
        if word not in said:
            message = f"no template contains '{word}'"
            findings.warning("translation/unknown", message, Location(words.file, line), hint)
