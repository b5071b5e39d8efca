"""Find transparent artwork in spot colors, which PDF/X-1a can't have, for `cardgen check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.commands.check.looks import Looks, Viewer
from cardgen.commands.production.fonts import fontbook
from cardgen.core.findings import CardgenError
from cardgen.core.records import replace
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.flattening import SeeThroughSpotError
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import shown_area
from cardgen.pdf.shapes import written_colors

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide
    from cardgen.art.laying_out import LayingOut
    from cardgen.art.outlining import LaidOut
    from cardgen.core.artwork import Artwork
    from cardgen.core.game import Game
    from cardgen.pdf.inks import Rgb
    from cardgen.pdf.pdfx import Press


class SpotViewer(Viewer):
    """Examines the sides of a game as press files contain them, without transparency."""

    def __init__(self, game: Game, looks: Looks, laying_out: LayingOut, press: Press) -> None:
        super().__init__(game, looks, laying_out)
        self._flatten = press.flatten

    def look(self, side: CardSide, made: LaidOut) -> LaidOut:
        artwork = made.artwork
        if artwork is None or made.is_faulty:
            return made
        look = self._looks.of(artwork.key)
        try:
            content = self._written(artwork, made)
        except CardgenError:  # the other viewer reports those
            return made
        look.whole = True
        try:
            self._flatten(content)
        except CardgenError as error:
            cause = error.__cause__
            place = _place(cause.spot.shows, side) if isinstance(cause, SeeThroughSpotError) else None
            for each in error.findings:
                look.add(each.code, each.message, each.hint, severity=each.severity, place=place)
        return replace(made, artwork=replace(artwork, items=()))

    def _written(self, artwork: Artwork, made: LaidOut) -> bytes:
        """Return a PDF of a side. Raises CardgenError."""
        sides = draw_sides([artwork], self._laying_out.documents(made.icons), self._store)
        art = assemble({each.key: each for each in sides}, fontbook(self._game.paths), self._store)
        return write_views(art, [View(artwork.key, shown_area(art.faces[artwork.key], "bleed"))])


def _place(color: Rgb, side: CardSide) -> tuple[str, int] | None:
    """Return the one line of a template that writes a color; None if several do."""
    if side.source is None or side.rendered is None:
        return None
    svg = side.source.svg
    offsets = [len(svg[:at].encode()) for written, at in written_colors(svg) if written == color]
    places = {side.rendered.locate(offset) for offset in offsets}
    return places.pop() if len(places) == 1 else None
