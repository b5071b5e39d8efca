"""Find the colors of sides that a press can't print, with their places, for `cardgen check`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.core.artwork import Artwork, Picture, SetText, TextRun, leaves
from cardgen.core.findings import Location, Problem, Severity
from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT
from cardgen.files.reading import RASTERS
from cardgen.pdf.inks import Ink, Rgb, judged, most_ink
from cardgen.pdf.painted import LEAST_INK, MANY_INKS, SMALL_TEXT
from cardgen.pdf.shapes import bytes_of, rounded, shown_colors, written_colors

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.art.cards import CardSide
    from cardgen.core.game import Game
    from cardgen.pdf.pdfx import Press


_COVERED = 0.2
"""The approximate share of ink in a line of type."""
_NEAR = 48
"""Channel steps within which a color counts as a template's: others are mixtures of it."""
_Place = tuple[str, int | None]

Told = tuple[str, str, float, float, _Place]
"""A color, its printed color, ΔE2000 or its ink, mm², and its place: a file and a line."""


class PressLooker:
    """Examines sides for colors that a press can't print."""

    def __init__(self, press: Press, game: Game) -> None:
        self.press = press
        self._game = game
        self._theme = dict(_colors_of(game.theme, ()))
        self._places: dict[tuple[str, Rgb], _Place] = {}

    def look(
        self, artwork: Artwork, image: Image, dpi: float, side: CardSide
    ) -> tuple[list[Told], list[Told], float]:
        """Return the colors of a side that the press can't mix, those that are too heavy for it, and the
        most ink that is printed (3.0 is 300 %), apart from text. `image` is its picture without readable
        text."""
        missed, heavy = judged(image, (MM_PER_INCH / dpi) ** 2, self.press.inks, _texts(artwork))
        own = {spot.shows for spot in self.press.spots}  # not a mix of the four inks

        def place(color: Rgb) -> _Place:
            return self._place(color, artwork, side)

        return (
            [
                (_hex(each.asked), _hex(each.printed), each.apart, each.area, place(each.asked))
                for each in missed
                if each.asked not in own
            ],
            [
                (_hex(each.asked), "", each.ink, each.area, place(each.asked))
                for each in heavy
                if each.asked not in own
            ],
            round(most_ink(image, self.press.inks), 4),
        )

    def small_texts(self, artwork: Artwork) -> Iterator[tuple[SetText, float, Rgb, Ink]]:
        """Yield texts of small letters in many inks: each with the size in pt, the color and the inks of
        its smallest such run."""
        own = {spot.shows for spot in self.press.spots}
        for text in artwork.texts():
            found = []
            for run in text.runs if not text.decor else ():
                size = run.size * text.matrix.scale / MM_PER_PT
                if isinstance(run, TextRun) and not run.hidden and size < SMALL_TEXT:
                    color = rounded(run.fill)
                    inks = self.press.inks.fine(run.fill)
                    if color not in own and sum(ink > LEAST_INK for ink in inks) >= MANY_INKS:
                        found.append((size, color, inks))
            if found:
                yield text, *min(found)

    def _place(self, color: Rgb, artwork: Artwork, side: CardSide) -> _Place:
        """Return the origin of a color of a side: the theme, a picture's file or a line of a template."""
        if color in self._theme:
            place = self._game.locator.locate(
                f"data/{self._game.id}/game.yaml", ("theme", *self._theme[color])
            )
            return place.file, place.line
        known = self._places.get((side.template, color))
        if known is not None:
            return known
        literal = self._literal(color, side)
        if literal is None or literal[0] > 2:
            for path, _ in dict.fromkeys(
                image
                for item in leaves(artwork.items)
                if isinstance(item, Picture)
                for image in item.images
            ):
                if any(
                    _apart(color, each) <= _NEAR // 3 for each in shown_colors(path, self._game.paths.roots)
                ):
                    return self._shown(path), None
        found: _Place = (f"templates/{side.template}", None)
        if literal is not None and literal[0] <= _NEAR:
            assert side.rendered is not None
            located = side.rendered.locate(literal[1])
            if located is not None:
                found = f"templates/{located[0]}", located[1]
        self._places[side.template, color] = found
        return found

    def _literal(self, color: Rgb, side: CardSide) -> tuple[int, int] | None:
        """Return the distance of the nearest color in a side's SVG, and its place in bytes."""
        if side.source is None:
            return None
        svg = side.source.svg
        found = [(_apart(color, written), at) for written, at in written_colors(svg)]
        if not found:
            return None
        far, at = min(found)
        return far, len(svg[:at].encode())

    def _shown(self, path: str) -> str:
        """Return a file of the project as findings name it."""
        for root in self._game.paths.roots:
            for base in (root, Path(os.path.realpath(root))):
                if Path(path).is_relative_to(base):
                    return Path(path).relative_to(base).as_posix()
        return path


def missed_problem(told: Told, limit: float) -> Problem:
    """Return the finding for a color that the press can't mix."""
    asked, printed, apart, area, _ = told
    message = (
        f"the press can't print {asked} on {area:.0f} mm² of a side: it prints {printed}, "
        f"a clearly different color (ΔE {apart:.0f})"
    )
    hint = f"use a color near {printed}; to see the difference: cardgen proof GAME CARD --inks cmyk"
    return Problem("press/gamut", message, hint, Severity.WARNING)


def heavy_problem(told: Told, limit: float) -> Problem:
    """Return the finding for a color that needs too much ink."""
    asked, _, ink, area, _ = told
    message = (
        f"{asked} needs {ink:.0%} ink, but the press allows {limit:.0%}, on {area:.0f} mm² of a side; "
        "black replaces part of the colors"
    ).replace("%", " %")
    return Problem("press/ink", message, "use a lighter color to keep it unchanged", Severity.NOTE)


def grouped(told: Iterable[tuple[Told, str]]) -> Iterator[tuple[Told, list[str], Location]]:
    """Yield each color of a place once, at the side with the most of it, with the ids of the cards."""
    alike: dict[tuple[_Place, str], list[tuple[Told, str]]] = {}
    for each, card in told:
        file, line = each[4]
        is_picture = (line is None and not file.startswith("templates/")) or _is_picture(file)
        alike.setdefault(((file, line), "" if is_picture else each[0]), []).append((each, card))
    for (place, _), those in alike.items():
        most, first = max(those, key=lambda pair: pair[0][3])
        cards = dict.fromkeys([first, *(card for _, card in those)])
        yield most, list(cards), Location(*place)


def _is_picture(file: str) -> bool:
    return file.lower().endswith(RASTERS)


def _texts(artwork: Artwork) -> Iterator[tuple[Rgb, float]]:
    """Yield the colors of a side's text, with the approximate mm² of each."""
    for text in artwork.texts():
        if text.decor:
            continue
        scale = text.matrix.scale**2
        for run in text.runs:
            if isinstance(run, TextRun):
                yield rounded(run.fill), max(0.0, run.advance) * run.size * scale * _COVERED


def _colors_of(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[Rgb, tuple[str | int, ...]]]:
    """Yield the colors among values, each with its path."""
    if isinstance(value, str):
        if (color := bytes_of(value)) is not None:
            yield color, path
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _colors_of(part, (*path, key))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _colors_of(part, (*path, number))


def _apart(one: Rgb, other: Rgb) -> int:
    return max(abs(a - b) for a, b in zip(one, other))


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
