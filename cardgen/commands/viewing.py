"""A look at each side as it is laid out, for `cardgen check`, which then lets go of what lies on it.

Sides are looked at some at a time. What was seen of them is in their `Look`s; what is wrong with those that
can't be drawn waits until it is known which cards show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.commands.fonts import fontbook, taken_on
from cardgen.commands.garbage import collect_young
from cardgen.commands.looks import spelled
from cardgen.commands.shaped import texts_beyond, texts_off_panels, walls_of
from cardgen.commands.sides import problems_of
from cardgen.drawing.edges import short_edges, short_edges_of_parts
from cardgen.drawing.legibility import AT_ONCE, contrasts
from cardgen.drawing.shaped_edges import short_sides
from cardgen.drawing.store import ArtStore
from cardgen.findings import CardgenError, Finding, Location
from cardgen.geometry import Rect
from cardgen.model.artwork import Rendering, SetText, TextRun, leaves, word_boxes
from cardgen.rendering.covering import Covers, TooManyError
from cardgen.rendering.letters import Outlines
from cardgen.rendering.printed_texts import printed_texts

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.commands.looks import Look, Looks
    from cardgen.commands.press_looks import PressLooker
    from cardgen.drawing.edges import ShortEdge
    from cardgen.drawing.legibility import Contrast
    from cardgen.geometry import Shape
    from cardgen.model.artwork import Artwork
    from cardgen.model.boxes import Dieline
    from cardgen.model.game import Component, Game
    from cardgen.rendering.cards import CardSide
    from cardgen.rendering.laying_out import LaidOut, LayingOut


class Viewer:
    """Looks at the sides of a game. `outlines` are the shape and the corner of each component of cards,
    `undrawn` what is wrong with sides that can't be drawn, by their artworks' keys."""

    def __init__(
        self, game: Game, looks: Looks, laying_out: LayingOut, press: PressLooker | None = None
    ) -> None:
        of_cards = [each for each in game.components if each.book is None]
        self.outlines = {each.id: (_form(each), float(each.corner_radius)) for each in of_cards}
        self.undrawn: dict[str, list[Finding]] = {}
        self._game, self._looks, self._laying_out = game, looks, laying_out
        self._store = ArtStore.open(game.paths.roots[0], game.id)
        self._press = press
        self._covers = Covers()
        self._letters = Outlines(fontbook(game.paths))
        self._waiting: dict[str, tuple[Artwork, CardSide]] = {}
        self._failed: dict[str, CardgenError] = {}
        self._icons: set[str] = set()
        self._sides: dict[str, CardSide] = {}
        """Those that are looked at, by their artworks' keys."""
        self._edges: tuple[Image, Rect, float, Shape, list[ShortEdge]] | None = None
        self._shapes: dict[str, Shape] = {}
        self._boxes: dict[str, Dieline] = {}
        self._folded: dict[str, tuple[str, ...]] = {}  # edges that are not cut

    def look(self, side: CardSide, made: LaidOut) -> LaidOut:
        """Look at a side that was laid out, unless a part of its drawing is in error: text may stand on
        what isn't there. Gives the side with nothing on it."""
        artwork = made.artwork
        if artwork is None:
            return made
        look = self._looks.of(artwork.key)
        look.taken = taken_on(artwork)
        look.outline = self.outlines[side.card.component]
        look.texts = printed_texts(made)
        if not made.is_faulty:
            self._waiting[artwork.key] = artwork, side
            self._icons |= made.icons
            if len(self._waiting) >= AT_ONCE:
                self.finish()
                collect_young()
        return replace(made, artwork=replace(artwork, items=()))

    def finish(self) -> None:
        """Look at the sides that wait for it."""
        waiting, self._waiting = self._waiting, {}
        artworks = {key: artwork for key, (artwork, _) in waiting.items()}
        rendering = Rendering((), artworks, self._laying_out.documents(self._icons))
        self._icons = set()
        self._sides = {key: side for key, (_, side) in waiting.items()}
        for key, (artwork, side) in waiting.items():
            look = self._looks.of(key)
            _look_for_covered(artwork, self._covers, look)
            home = self._game.component(side.card.component)
            if home.box is not None:
                self._boxes[key] = home.box
                for text, words, area in texts_off_panels(artwork, home.box, home.safe, self._letters):
                    what = f"'{words[:40]}' leaves the safe zone of its panel"
                    look.covered.append((text.place, "text/safe-zone", what, spelled(area)))
                continue
            if home.standee is not None and side.card.back is None:
                for text, words, area in _worded(artwork):
                    what = f"'{words[:40]}' is printed as in a mirror on the back"
                    look.covered.append((text.place, "text/mirrored", what, spelled(area)))
            shape = self._shapes[key] = home.shape_of(side.side)
            self._folded[key] = ("top", "bottom") if home.standee is not None else ()
            for text, words, area in texts_beyond(artwork, shape, home.safe, self._letters):
                what = f"'{words[:40]}' leaves the safe zone of {_A[home.outline]}"
                look.covered.append((text.place, "text/safe-zone", what, spelled(area)))
        limit = self._game.limits.contrast
        for contrast in self._contrasts(rendering):
            least = limit * (2 / 3 if contrast.large else 1)
            if contrast.ratio < least - 0.005:
                told = (contrast.text.place, contrast.words, contrast.ratio, least)
                self._looks.of(contrast.artwork).faint.append((*told, spelled(contrast.area)))
        for key, error in self._failed.items():
            self.undrawn[key] = list(self._placed(waiting[key][1], error))
        self._failed, self._sides = {}, {}
        for key in artworks:
            self._looks.of(key).whole = key not in self.undrawn
        self._shapes, self._folded, self._boxes = {}, {}, {}

    def save(self) -> None:
        """Keep the pictures that were drawn."""
        self._store.save()

    def _contrasts(self, rendering: Rendering) -> Iterator[Contrast]:
        """The contrasts that may be too low, of all sides but those that can't be drawn."""
        fonts, enough = fontbook(self._game.paths), self._game.limits.contrast

        def of(artworks: Mapping[str, Artwork]) -> Iterable[Contrast]:
            some = replace(rendering, artworks=dict(artworks))
            return list(contrasts(some, fonts, self._store, self._look_at_edges, enough))

        try:
            yield from of(rendering.artworks)
        except CardgenError:
            for key, artwork in rendering.artworks.items():
                try:
                    yield from of({key: artwork})
                except CardgenError as error:
                    self._failed[key] = error

    def _placed(self, side: CardSide, error: CardgenError) -> Iterator[Finding]:
        """What is wrong with a side that can't be drawn, at its place."""
        assert side.source is not None
        assert side.rendered is not None
        for problem in self._laying_out.undrawn(side.source, problems_of(error)):
            file, line = problem.place or side.rendered.locate(problem.offset) or (side.template, 1)
            yield problem.at(Location(f"templates/{file}", line))

    def _look_at_edges(self, artwork: Artwork, image: Image, dpi: float) -> None:
        look = self._looks.of(artwork.key)
        if self._press is not None:
            told = self._press.look(artwork, image, dpi, self._sides[artwork.key])
            look.missed, look.heavy, look.most_ink = told
        kind, corner = look.outline or ("", 0.0)
        if not kind or artwork.bleed <= 0:
            return
        box = self._boxes.get(artwork.key)
        if box is not None:
            look.short = list(short_edges_of_parts(image, walls_of(box, artwork), artwork.bleed, dpi))
            return
        shape = self._shapes[artwork.key]
        known = self._edges
        if known is None or known[0] is not image or known[1:4] != (artwork.trim, corner, shape):
            rectangle = shape == "rectangle"
            found = list(
                short_edges(image, artwork.trim, corner, dpi)
                if rectangle
                else short_sides(image, artwork.trim, shape, dpi)
            )
            known = self._edges = (image, artwork.trim, corner, shape, found)
        look.short = [edge for edge in known[4] if edge.edge not in self._folded[artwork.key]]


_A = {"hexagon": "a hexagon", "polygon": "a polygon", "ellipse": "an ellipse"}


def _form(component: Component) -> str:
    """The shape of a component in a word; one that is no rectangle in full."""
    if component.standee is not None:
        # It is not cut at its head and its feet, and without a back shows its face there.
        bare = [card.id for card in component.cards if card.back is None]
        return f"standee, {component.shape}, {component.safe:g}, {bare}"
    if component.shape == "rectangle":
        return "rectangle"
    box = "" if component.box is None else f", {component.box.panels!r}"
    return f"{component.shape}, {component.safe:g}{box}"  # what lies within depends on all of it


def _worded(artwork: Artwork) -> Iterator[tuple[SetText, str, Rect]]:
    """The texts of a side that are to be read, what each says and where it is."""
    for text in leaves(artwork.items):
        if isinstance(text, SetText) and not text.decor and text.place is not None:
            named = [pair for run in text.runs if isinstance(run, TextRun) for pair in word_boxes(run)]
            if named:
                words, boxes = zip(*named)
                yield text, " ".join(words), _around([text.matrix.around(box) for box in boxes])


def _around(boxes: Sequence[Rect]) -> Rect:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Rect(left, top, right - left, bottom - top)


def _look_for_covered(artwork: Artwork, covers: Covers, look: Look) -> None:
    """Add to a look what lies on the texts of a side."""
    try:
        for found in covers.find(artwork):
            code, what = "text/covered", "is covered by a shape that is painted after it"
            if found.by is not None:
                code, what = "text/overlap", f"runs into '{found.by_words}'"
                if found.by.place is not None and found.by.place != found.text.place:
                    what += " of line {1} in templates/{0}".format(*found.by.place)
            told = (found.text.place, code, f"'{found.words}' {what}")
            look.covered.append((*told, spelled(found.area)))
    except TooManyError:
        look.crowded = True
