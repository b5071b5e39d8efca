"""The fonts of a project, and the letters that a game takes from substitute fonts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardgen.core.artwork import Artwork, SetText, TextRun, leaves
from cardgen.core.findings import Findings
from cardgen.core.paths import ProjectPaths
from cardgen.files.project import fingerprint_of

if TYPE_CHECKING:
    from cardgen.core.game import Game
    from cardgen.core.sheets import ImposedSheet
    from cardgen.text.fonts import FontBook


LettersTaken = dict[tuple[str, str], dict[str, None]]
"""Letters by their substitute font and the font that lacks them."""

_SHOWN = 40
"""Letters of a font that a note lists."""


def fontbook(paths: ProjectPaths) -> FontBook:
    """Return the fonts of a project as currently on disk, loaded when they are used."""
    return _fontbook(paths, tuple(fingerprint_of(paths, ("fonts",))))


@lru_cache(maxsize=4)
def _fontbook(paths: ProjectPaths, files: tuple[tuple[str, int, int], ...]) -> FontBook:
    from cardgen.text.fonts import FontBook

    return FontBook(paths)


def fonts_of(game: Game, findings: Findings) -> FontBook:
    """Return the fonts of a game's project, with the game's substitutes. A missing family is a finding, and
    lends no letters."""
    from cardgen.text.shaping import FontError

    fonts = fontbook(game.paths)
    for index, name in enumerate(game.fallback):
        try:
            fonts.family(name)
        except FontError as error:
            said = error.findings[0]
            place = game.locator.locate(f"data/{game.id}/game.yaml", (*game.fallback_path, index))
            findings.error(said.code, said.message, place, said.hint)
    return fonts.with_others(game.fallback)


def say_missing_in_labels(game: Game, sheet: ImposedSheet, findings: Findings) -> None:
    """Add a warning for the letters of a sheet's labels that no font has, or an error for their font."""
    from cardgen.exports.labels import missing_letters
    from cardgen.text.shaping import FontError

    place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
    try:
        found = missing_letters(sheet.pages, fontbook(game.paths).with_others(game.fallback))
    except FontError as error:
        said = error.findings[0]
        findings.error(said.code, f"labels of the sheet '{sheet.name}': {said.message}", place, said.hint)
        return
    if found:
        letters, label = "".join(found), next(iter(found.values()))
        more = (
            f"{letters[:_SHOWN]} and {len(letters) - _SHOWN:,} more" if len(letters) > _SHOWN else letters
        )
        message = (
            f"no font has '{more}', which the label '{label}' of the sheet '{sheet.name}' needs: "
            "a question mark is printed instead"
        )
        hint = "name a family that has it under fonts: fallback; list families: cardgen list --fonts"
        findings.warning("label/glyph", message, place, hint)


def taken_on(artwork: Artwork) -> LettersTaken:
    """Return the letters of a side that come from substitute fonts."""
    from cardgen.text.spans import clusters

    taken: LettersTaken = {}
    for item in leaves(artwork.items):
        for run in item.runs if isinstance(item, SetText) else ():
            if isinstance(run, TextRun) and run.instead_of is not None:
                letters = taken.setdefault((run.font, run.instead_of), {})
                letters.update(dict.fromkeys(clusters("".join(run.text.split()))))
    return taken


def say_taken(taken: LettersTaken, fonts: FontBook, game: Game, findings: Findings) -> None:
    """Add a note for each substitute font, and report if it is less bold or slanted than the text around
    it."""
    by_font: dict[str, list[str]] = {}
    for font, asked in taken:
        by_font.setdefault(font, []).append(asked)
    place = game.locator.locate(f"data/{game.id}/game.yaml", game.fallback_path if game.fallback else ())
    for font, askers in sorted(by_font.items()):
        family, face = fonts.name_of(font)
        letters = list(dict.fromkeys(letter for asked in askers for letter in taken[font, asked]))
        more = f" and {len(letters) - _SHOWN:,} more" if len(letters) > _SHOWN else ""
        lacking = [fonts.name_of(asked) for asked in sorted(askers)]
        names = ", ".join(dict.fromkeys(name for name, _ in lacking))
        others = dict.fromkeys(other.style for _, other in lacking if other.style != face.style)
        instead = f" ({face.style} among {', '.join(others)})" if others else ""
        findings.note(
            "text/fallback",
            f"{' '.join(letters[:_SHOWN])}{more} from {family}{instead}, not in {names}",
            place,
            'if they look wrong, name the families: font-family="A, B"',
        )
