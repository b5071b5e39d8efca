"""The cached findings of a check about each side: only changed sides are laid out and examined.

A side's key is the digest of its inputs (`CardSide.made_from`: its SVG, its groups' sizes, its measures,
language, limits and substitute fonts); its cache describes all files below templates/ and fonts/, so its
icons, pictures and letters. The checks of its bleed depend on the component too, which is stored with it
and compared. Only sides without errors are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.art.outlining import LaidOut, printed_texts
from cardgen.art.text import Outlines
from cardgen.commands.production.fonts import LettersTaken, fontbook, taken_on
from cardgen.commands.production.sides import problems_of
from cardgen.core.artwork import Artwork, Rendering, SetText, TextRun
from cardgen.core.findings import CardgenError, Finding, Location, Problem, Severity
from cardgen.core.geometry import Point, Rect, Shape, Size, corners_of, moved_out
from cardgen.core.records import astuple, dataclass, field, replace
from cardgen.core.sheets import Dieline, near
from cardgen.files.cache import Cache, digest_of
from cardgen.pdf.covering import Covers, TooManyError
from cardgen.pdf.drift import CutEdges, cut_edges, of_plain, plain
from cardgen.pdf.edges import Edge, ShortEdge, short_edges, short_edges_of_parts, short_sides
from cardgen.pdf.legibility import AT_ONCE, contrasts
from cardgen.pdf.store import ArtStore, problem_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.art.cards import CardSide
    from cardgen.art.laying_out import LayingOut
    from cardgen.art.outlining import PrintedText
    from cardgen.commands.check.press_looks import PressLooker, Told
    from cardgen.core.game import Component, Game
    from cardgen.pdf.inks import Ink, Rgb
    from cardgen.pdf.legibility import Contrast
    from cardgen.pdf.pdfx import Press


@dataclass(slots=True)
class Look:
    """The findings of a check about a side, before its cards are known. A side is `whole` if all of it
    could be examined. `missed` are colors that a given press can't mix, `heavy` those that take too much
    ink. `most_ink` is its maximum of ink (3.0 is 300 %)."""

    seen: list[tuple[Problem, str, float]] = field(default_factory=list)
    """Problems, each with its group and its weight. For each place only the heaviest of a group is
    reported."""
    taken: LettersTaken | None = None
    whole: bool = False
    missed: list[Told] = field(default_factory=list)
    heavy: list[Told] = field(default_factory=list)
    most_ink: float = 0.0
    texts: list[PrintedText] | None = None
    """The printed words; None if an error hides some of them."""
    edges: CutEdges | None = None
    """The colors at its cut edges, if it is a rectangle."""

    def add(
        self,
        code: str,
        message: str,
        hint: str | None,
        *,
        severity: Severity = Severity.WARNING,
        place: tuple[str, int] | None = None,
        group: str = "",
        weight: float = 0.0,
    ) -> None:
        """Add a problem; without a place, it is the side's template."""
        self.seen.append((Problem(code, message, hint, severity, place=place), group, weight))

    def add_text(self, text: SetText, words: str, code: str, what: str) -> None:
        """Add a text that is covered or may be cut off."""
        hint = f'{_REMEDIES.get(code, "make room for both;")} mark decoration with cg:decor="true"'
        self.add(code, f"'{words[:40]}' {what}", hint, place=text.place)

    def add_faint(self, found: Contrast, least: float) -> None:
        """Add a text with too little contrast."""
        self.add(
            "text/contrast",
            f"'{found.words}' has a contrast of {found.ratio:.1f} to its background; "
            f"the minimum is {least:.1f}",
            'change a color; mark decoration with cg:decor="true"',
            severity=Severity.ERROR,
            place=found.text.place,
            weight=-found.ratio,
        )

    def add_small_text(self, text: SetText, size: float, color: Rgb, inks: Ink) -> None:
        """Add a text whose small letters are of many inks."""
        from cardgen.pdf.painted import SMALL_TEXT

        shares = "/".join(f"{ink * 100:.0f}" for ink in inks)
        shown = "#{:02x}{:02x}{:02x}".format(*color)
        self.add(
            "press/small-text",
            f"text of {size:.1f} pt in {shown} takes {shares} % of the four inks, "
            "so plates that are off give it colored edges",
            f"use black, a color of one ink or two, or {SMALL_TEXT:g} pt",
            severity=Severity.NOTE,
            place=text.place,
            group=shown,
            weight=-size,
        )

    def add_edge(self, found: ShortEdge) -> None:
        """Add an edge that lacks bleed."""
        self.add(
            "side/bleed",
            f"what is printed at the {found.edge} edge stops {found.missing:.1f} mm "
            "before the edge of the bleed",
            "extend it to the edge of the bleed, so a cut that is slightly off shows no white",
            group=found.edge,
            weight=found.length,
        )

    def plain(self) -> list[Any]:
        """Return the look in JSON's types."""
        seen = [[astuple(problem), group, weight] for problem, group, weight in self.seen]
        taken = [[*fonts, list(letters)] for fonts, letters in (self.taken or {}).items()]
        edges = None if self.edges is None else plain(self.edges)
        return [seen, taken, self.missed, self.heavy, self.most_ink, self.texts or [], edges]

    @classmethod
    def of(cls, seen: list[Any], taken: list[Any], *rest: Any) -> Look:
        """Return the look that was spelled by `plain`."""
        problems = [(problem_of(entry), group, weight) for entry, group, weight in seen]
        *others, edges = rest
        look = cls(
            problems,
            {(font, asked): dict.fromkeys(letters) for font, asked, letters in taken},
            True,
            *others,
        )
        look.edges = None if edges is None else of_plain(edges)
        return look


_REMEDIES = {
    "text/safe-zone": "move it inwards;",
    "text/mirrored": "name a template for the back: back: back.svg; or",
}


class Looks:
    """The looks of a game's sides by their artworks' keys, those in `cache` and new ones."""

    def __init__(self, game: Game, cache: Cache) -> None:
        self._cache = cache
        of_cards = [each for each in game.components if each.book is None]
        self.outlines = {each.id: (_form(each), float(each.corner_radius)) for each in of_cards}
        """The shape and the corner of each component of cards."""
        self._looks: dict[str, Look] = {}
        self._places: dict[str, str] = {}
        """The keys of new looks: the inputs of their sides."""

    def recall(self, side: CardSide) -> LaidOut | None:
        """Return a side that an earlier check examined: its empty artwork and its problems."""
        # The checks of its bleed depend on the component too.
        place = digest_of(side.made_from, side.side, self.outlines[side.card.component])
        value = self._cache.get_value(place)
        if value is None:
            self._places[side.made_from] = place
            return None
        key, width, height, bleed, problems, look = value
        self._looks[key] = Look.of(*look)
        artwork = Artwork(key, Size(width, height), bleed, ())
        return LaidOut(artwork, tuple(map(problem_of, problems)), frozenset())

    def of(self, key: str) -> Look:
        """Return the look of a side, an empty one if it is new."""
        return self._looks.setdefault(key, Look())

    def add_taken(self, artworks: Mapping[str, Artwork], taken: LettersTaken) -> None:
        """Collect the letters of sides that come from substitute fonts."""
        for key, artwork in artworks.items():
            look = self.of(key)
            if look.taken is None:
                look.taken = taken_on(artwork)
            for fonts, letters in look.taken.items():
                taken.setdefault(fonts, {}).update(letters)

    def keep(self, keys: Iterable[str], laid_out: Mapping[str, LaidOut]) -> None:
        """Store these sides' complete looks."""
        wanted = set(keys)
        for made_from, made in laid_out.items():
            if made_from not in self._places or made.artwork is None or made.artwork.key not in wanted:
                continue
            artwork, look = made.artwork, self.of(made.artwork.key)
            if made.can_be_drawn and look.whole:
                size = artwork.size
                value = [artwork.key, size.width, size.height, artwork.bleed]
                value += [list(map(astuple, made.problems)), look.plain()]
                self._cache.put_value(self._places.pop(made_from), value)


class Viewer:
    """Examines the sides of a game. `undrawn` contains the errors of sides that can't be drawn, by their
    artworks' keys."""

    def __init__(self, game: Game, looks: Looks, laying_out: LayingOut, press: Press | None = None) -> None:
        self.undrawn: dict[str, list[Finding]] = {}
        self._game, self._looks, self._laying_out = game, looks, laying_out
        self._store = ArtStore.open(game.paths.roots[0], game.id)
        self._press: PressLooker | None = None
        if press is not None:
            from cardgen.commands.check.press_looks import PressLooker

            self._press = PressLooker(press, game)
        self._covers = Covers(fontbook(game.paths), self._store)
        self._letters = Outlines(fontbook(game.paths))
        self._waiting: dict[str, tuple[Artwork, CardSide]] = {}
        self._failed: dict[str, CardgenError] = {}
        self._icons: set[str] = set()
        self._sides: dict[str, CardSide] = {}
        """The examined sides, by their artworks' keys."""
        self._edges: tuple[Image, Rect, float, Shape, list[ShortEdge]] | None = None

    def look(self, side: CardSide, made: LaidOut) -> LaidOut:
        """Examine a laid out side, unless a part of its drawing is in error: text may be on top of the
        missing part. Returns the side without its drawing."""
        artwork = made.artwork
        if artwork is None:
            return made
        look = self._looks.of(artwork.key)
        look.taken = taken_on(artwork)
        look.texts = printed_texts(made)
        if not made.is_faulty:
            self._waiting[artwork.key] = artwork, side
            self._icons |= made.icons
            if len(self._waiting) >= AT_ONCE:
                self.finish()
        return replace(made, artwork=replace(artwork, items=()))

    def finish(self) -> None:
        """Examine the queued sides."""
        waiting, self._waiting = self._waiting, {}
        artworks = {key: artwork for key, (artwork, _) in waiting.items()}
        rendering = Rendering((), artworks, self._laying_out.documents(self._icons))
        self._icons = set()
        self._sides = {key: side for key, (_, side) in waiting.items()}
        limit = self._game.limits.contrast
        for contrast in self._contrasts(rendering):
            least = limit * (2 / 3 if contrast.large else 1)
            if contrast.ratio < least - 0.005:
                self._looks.of(contrast.artwork).add_faint(contrast, least)
        for key, (artwork, side) in waiting.items():
            look = self._looks.of(key)
            if key not in self._failed:
                _look_for_covered(artwork, self._covers, look)
            self._look_for_cut(artwork, side, look)
        for key, error in self._failed.items():
            self.undrawn[key] = list(self._placed(waiting[key][1], error))
        self._failed, self._sides = {}, {}
        for key in artworks:
            self._looks.of(key).whole = key not in self.undrawn

    def _look_for_cut(self, artwork: Artwork, side: CardSide, look: Look) -> None:
        """Add the texts of a side that may be cut off, or are printed mirrored."""
        home = self._game.component(side.card.component)
        if home.box is not None:
            for text, words in texts_off_panels(artwork, home.box, home.safe, self._letters):
                look.add_text(text, words, "text/safe-zone", "leaves the safe zone of its panel")
            return
        if home.standee is not None and side.card.back is None:
            for text in artwork.texts():
                words = _words(text)
                if words.strip() and not text.decor and text.place is not None:
                    look.add_text(text, words, "text/mirrored", "is printed mirrored on the back")
        for text, words in texts_beyond(artwork, home.shape_of(side.side), home.safe, self._letters):
            what = f"leaves the safe zone of {_A.get(home.outline)}"
            look.add_text(text, words, "text/safe-zone", what)

    def save(self) -> None:
        """Keep the pictures that were drawn."""
        self._store.save()

    def _contrasts(self, rendering: Rendering) -> Iterator[Contrast]:
        """Yield the contrasts that may be too low, of all sides that can be drawn."""
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
        """Yield findings for a side that can't be drawn."""
        assert side.source is not None
        assert side.rendered is not None
        for problem in self._laying_out.undrawn(side.source, problems_of(error)):
            file, line = problem.place or side.rendered.locate(problem.offset) or (side.template, 1)
            yield problem.at(Location(f"templates/{file}", line))

    def _look_at_edges(self, artwork: Artwork, image: Image, dpi: float) -> None:
        look, side = self._looks.of(artwork.key), self._sides[artwork.key]
        if self._press is not None:
            look.missed, look.heavy, look.most_ink = self._press.look(artwork, image, dpi, side)
            for small in self._press.small_texts(artwork):
                look.add_small_text(*small)
        home = self._game.component(side.card.component)
        if home.shape == "rectangle" and home.box is None and home.standee is None:
            look.edges = cut_edges(image, artwork.trim, float(home.corner_radius), dpi)
        if artwork.bleed <= 0:
            return
        edges: Iterable[ShortEdge]
        if home.box is not None:
            edges = short_edges_of_parts(image, walls_of(home.box, artwork), artwork.bleed, dpi)
        else:
            folded = ("top", "bottom") if home.standee is not None else ()
            shape, corner = home.shape_of(side.side), float(home.corner_radius)
            edges = (
                edge
                for edge in self._short_edges(artwork.trim, shape, corner, image, dpi)
                if edge.edge not in folded
            )
        for edge in edges:
            look.add_edge(edge)

    def _short_edges(
        self, trim: Rect, shape: Shape, corner: float, image: Image, dpi: float
    ) -> list[ShortEdge]:
        """Return the edges of a picture that lack bleed. Sides with the same picture are consecutive."""
        known = self._edges
        if known is None or known[0] is not image or known[1:4] != (trim, corner, shape):
            found = (
                short_edges(image, trim, corner, dpi)
                if shape == "rectangle"
                else short_sides(image, trim, shape, dpi)
            )
            known = self._edges = (image, trim, corner, shape, list(found))
        return known[4]


_A = {"hexagon": "a hexagon", "polygon": "a polygon", "ellipse": "an ellipse"}


class SpotViewer(Viewer):
    """Examines the sides of a game as press files contain them, without transparency."""

    def __init__(self, game: Game, looks: Looks, laying_out: LayingOut, press: Press) -> None:
        super().__init__(game, looks, laying_out)
        self._flatten = press.flatten

    def look(self, side: CardSide, made: LaidOut) -> LaidOut:
        from cardgen.pdf.flattening import SeeThroughSpotError

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
        from cardgen.pdf.drawing import assemble, draw_sides
        from cardgen.pdf.objects import View, write_views
        from cardgen.pdf.pixels import shown_area

        sides = draw_sides([artwork], self._laying_out.documents(made.icons), self._store)
        art = assemble({each.key: each for each in sides}, fontbook(self._game.paths), self._store)
        return write_views(art, [View(artwork.key, shown_area(art.faces[artwork.key], "bleed"))])


def _place(color: Rgb, side: CardSide) -> tuple[str, int] | None:
    """Return the one line of a template that writes a color; None if several do."""
    from cardgen.pdf.shapes import written_colors

    if side.source is None or side.rendered is None:
        return None
    svg = side.source.svg
    offsets = [len(svg[:at].encode()) for written, at in written_colors(svg) if written == color]
    places = {side.rendered.locate(offset) for offset in offsets}
    return places.pop() if len(places) == 1 else None


def _form(component: Component) -> str:
    """Return the shape of a component in a word, or in full if it isn't a rectangle."""
    if component.standee is not None:
        # Its head and feet are not cut, and without a back they show its face.
        bare = [card.id for card in component.cards if card.back is None]
        return f"standee, {component.shape}, {component.safe:g}, {bare}"
    if component.shape == "rectangle":
        return "rectangle"
    box = "" if component.box is None else f", {component.box.panels!r}"
    return f"{component.shape}, {component.safe:g}{box}"  # the content depends on all of it


def _look_for_covered(artwork: Artwork, covers: Covers, look: Look) -> None:
    """Add the objects that cover a side's texts to its look."""
    try:
        for found in covers.find(artwork):
            code, what = "text/covered", "is covered by a shape that is painted after it"
            if found.by is not None:
                code, what = "text/overlap", f"runs into '{found.by_words}'"
                if found.by.place is not None and found.by.place != found.text.place:
                    what += " of line {1} in templates/{0}".format(*found.by.place)
            look.add_text(found.text, found.words, code, what)
    except TooManyError:
        message = "too much text overlaps in one place to check whether it can be read"
        look.add("text/crowded", message, None)


TOLERANCE = 0.05
"""mm that ink may extend beyond a line."""


def texts_beyond(
    artwork: Artwork, shape: Shape, safe: float, outlines: Outlines
) -> Iterator[tuple[SetText, str]]:
    """Yield the texts of a side with ink outside of the safe zone of a hexagon, polygon or ellipse, with
    their words. A rectangle yields none."""
    within = _zone(shape, artwork.trim, safe)
    if within is None:
        return
    for text, ink in _inked(artwork, outlines):
        area = text.matrix.around(ink)
        if not artwork.trim.inset(safe).contains(area, TOLERANCE):
            continue  # reported for any shape
        places = [text.matrix.apply(x, y) for x in (ink.x, ink.right) for y in (ink.y, ink.bottom)]
        if not all(map(within, places)):
            yield text, _words(text)


def _inked(artwork: Artwork, outlines: Outlines) -> Iterator[tuple[SetText, Rect]]:
    """Yield the readable texts of a side, each with the box of its ink, before rotation."""
    for text in artwork.texts():
        ink = None if text.decor or text.place is None else outlines.ink(text.runs)
        if ink is not None:
            yield text, ink


def _words(text: SetText) -> str:
    return " ".join(run.text for run in text.runs if isinstance(run, TextRun))


def _zone(shape: Shape, trim: Rect, safe: float) -> Callable[[Point], bool] | None:
    """Return a test of whether a place is in the safe zone of a shape, or None for a rectangle."""
    corners = corners_of(shape, trim)
    if corners is not None:
        zone = moved_out(corners, [TOLERANCE - safe] * len(corners))
        return lambda place: _within(place, zone)
    if shape != "ellipse":
        return None
    across, down = (side / 2 - safe + TOLERANCE for side in (trim.width, trim.height))
    x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
    return lambda place: ((place[0] - x) / across) ** 2 + ((place[1] - y) / down) ** 2 <= 1


def texts_off_panels(
    artwork: Artwork, box: Dieline, safe: float, outlines: Outlines
) -> Iterator[tuple[SetText, str]]:
    """Yield the texts of a box, with their words, whose ink isn't `safe` mm inside a panel: over a fold, in
    a bleed, or on a glue area."""
    bleed = artwork.trim.x
    zones = [
        Rect(panel.rect.x + bleed, panel.rect.y + bleed, panel.rect.width, panel.rect.height).inset(safe)
        for panel in box.panels
        if not panel.glued
    ]
    for text, ink in _inked(artwork, outlines):
        area = text.matrix.around(ink)
        if not any(zone.contains(area, TOLERANCE) for zone in zones):
            yield text, _words(text)


def walls_of(box: Dieline, artwork: Artwork) -> Iterator[tuple[str, Rect, tuple[Edge, ...]]]:
    """Yield the printed panels of a box, mm from the corner of the bleed, each with its edges that have a
    straight cut."""
    bleed = artwork.trim.x
    for panel in box.panels:
        if panel.glued:
            continue
        rect = panel.rect
        sides: dict[Edge, tuple[Point, Point]] = {
            "left": ((rect.x, rect.bottom), (rect.x, rect.y)),
            "top": ((rect.x, rect.y), (rect.right, rect.y)),
            "right": ((rect.right, rect.y), (rect.right, rect.bottom)),
            "bottom": ((rect.right, rect.bottom), (rect.x, rect.bottom)),
        }
        corners = panel.corners
        cut = {
            (near(corner), near(corners[(index + 1) % len(corners)]))
            for index, corner in enumerate(corners)
            if panel.edges[index] == "cut"
        }
        found = tuple(name for name, (start, end) in sides.items() if (near(start), near(end)) in cut)
        yield panel.name, Rect(rect.x + bleed, rect.y + bleed, rect.width, rect.height), found


def _within(place: Point, corners: Sequence[Point]) -> bool:
    """Return True if a place is in a polygon: a line from it to the right crosses an odd number of
    sides."""
    x, y = place
    inside = False
    for index, (from_x, from_y) in enumerate(corners):
        to_x, to_y = corners[index - 1]
        if (from_y > y) != (to_y > y) and x < (to_x - from_x) * (y - from_y) / (to_y - from_y) + from_x:
            inside = not inside
    return inside
