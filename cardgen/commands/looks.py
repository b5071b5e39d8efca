"""What a check saw of each side, kept for the next: only sides that changed are laid out and looked at.

A side's key is the digest of what it is made from (`CardSide.made_from`: its SVG, its groups' sizes, its
measures, language, limits and fonts that stand in); what it is kept with describes all files below
templates/ and fonts/, so its icons, pictures and letters. How its bleed is judged depends on the component,
too, which is kept with it and compared. Only sides without errors are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any

from cardgen.commands.fonts import LettersTaken, taken_on
from cardgen.drawing.sides import problem_of
from cardgen.findings import Problem, Severity
from cardgen.geometry import Rect, Size
from cardgen.model.artwork import Artwork
from cardgen.rendering.laying_out import LaidOut

if TYPE_CHECKING:
    from cardgen.commands.press_looks import Told
    from cardgen.drawing.edges import ShortEdge
    from cardgen.rendering.marks import Mark
    from cardgen.rendering.printed_texts import PrintedText
    from cardgen.storage.kept import Kept

Place = tuple[str, int]
"""Template and line."""
Area = tuple[float, float, float, float]
"""Left, top, width and height of a rectangle on the side, mm from the corner of its bleed."""


class OutdatedError(Exception):
    """A side was looked at as one of another kind of component."""


@dataclass(slots=True)
class Look:
    """What there is to say of a side, before it is known which card shows it: texts that something lies on
    (place, code, in words, area), whether these are too many to look at, texts that are too faint (place,
    word, contrast, least contrast, the word's area), edges that lack their bleed, letters taken from other
    fonts. `outline` are the shape and corner of the component; it is `whole` if nothing could not be looked
    at."""

    covered: list[tuple[Place | None, str, str, Area]] = field(default_factory=list)
    crowded: bool = False
    faint: list[tuple[Place | None, str, float, float, Area]] = field(default_factory=list)
    short: list[ShortEdge] = field(default_factory=list)
    taken: LettersTaken | None = None
    outline: tuple[str, float] | None = None
    whole: bool = False
    missed: list[Told] = field(default_factory=list)
    heavy: list[Told] = field(default_factory=list)
    """What a press, if one is asked about, can't mix of it, and what takes too much ink."""
    most_ink: float = 0.0
    """The most ink that such a press prints on it: 3.0 is 300 %."""
    texts: list[PrintedText] | None = None
    """What its texts say; None where an error leaves out some of them."""

    def marks(self, size: Size) -> Iterator[Mark]:
        """Where on a side of `size` (trim and bleed) there is something to say, and what. A check says
        each once for all cards that a template has, at the worst of them."""
        from cardgen.rendering.marks import Mark

        for place, code, what, area in self.covered:
            yield Mark(covered_problem(place, code, what), Rect(*area), "noted")
        for place, words, ratio, least, area in self.faint:
            yield Mark(faint_problem(place, words, ratio, least), Rect(*area), "noted")
        for edge in self.short:
            yield Mark(bleed_problem(edge), edge.area(size), "noted")
        if self.crowded:
            yield Mark(crowded_problem(), Rect(0.0, 0.0, size.width, size.height), "noted")


def covered_problem(place: Place | None, code: str, what: str) -> Problem:
    """A text that something lies on, or that a cut may take off."""
    if code == "text/safe-zone":
        hint = 'move it inwards; mark mere texture with cg:decor="true"'
        return Problem(code, what, hint, Severity.WARNING, place=place)
    if code == "text/mirrored":
        hint = 'name a template for the back: back: back.svg; or mark mere texture with cg:decor="true"'
        return Problem(code, what, hint, Severity.WARNING, place=place)
    hint = 'make room for both; mark mere texture with cg:decor="true"'
    return Problem(code, what, hint, Severity.WARNING, place=place)


def crowded_problem() -> Problem:
    """A side of which that can't be told."""
    message = "so much text lies in one place that it is not judged whether it can be read"
    return Problem("text/crowded", message, severity=Severity.WARNING)


def faint_problem(place: Place | None, words: str, ratio: float, least: float) -> Problem:
    """A text that can't be told from its ground."""
    message = f"'{words}' has a contrast of {ratio:.1f} to its ground, less than {least:.1f}"
    hint = 'change a colour; mark mere texture with cg:decor="true"'
    return Problem("text/contrast", message, hint, place=place)


def bleed_problem(edge: ShortEdge) -> Problem:
    """An edge that lacks its bleed."""
    message = (
        f"what is printed at the {edge.edge} edge stops {edge.missing:.1f} mm before the edge of the bleed"
    )
    hint = "draw it on to the edge of the bleed: a cut that is a little off shows white there"
    return Problem("side/bleed", message, hint, Severity.WARNING)


def spelled(area: Rect) -> Area:
    """A rectangle as it is kept, to a tenth of a µm."""
    return round(area.x, 4), round(area.y, 4), round(area.width, 4), round(area.height, 4)


class Looks:
    """The looks of a game's sides by their artworks' keys, those in `kept` and new ones."""

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept = kept
        self._looks: dict[str, Look] = {}
        self._old: dict[str, str] = {}
        """What sides were made from that need not be looked at, by their artworks' keys."""
        self.used = False
        """Whether any kept one was used."""

    def laid_out(self) -> dict[str, LaidOut]:
        """The kept sides by what they were made from: artworks with nothing on them, and problems."""
        found = {}
        for made_from, value in self._kept.items() if self._kept is not None else ():
            key, width, height, bleed, problems, *rest = value
            self._looks[key] = _unpacked(rest)
            self._old[key] = made_from
            artwork = Artwork(key, Size(width, height), bleed, ())
            found[made_from] = LaidOut(artwork, tuple(map(problem_of, problems)), frozenset())
        return found

    def forget(self) -> None:
        """Have nothing that was kept before."""
        self._looks, self._old, self.used = {}, {}, False
        if self._kept is not None:
            self._kept.forget()

    def is_kept(self, key: str) -> bool:
        """Whether a side was looked at by an earlier check."""
        return key in self._old

    def of(self, key: str) -> Look:
        """The look of a side, one with nothing to say if it is new."""
        return self._looks.setdefault(key, Look())

    def add_taken(self, artworks: Mapping[str, Artwork], taken: LettersTaken) -> None:
        """Collect the letters of sides that are not set in the font that was asked for."""
        for key, artwork in artworks.items():
            look = self.of(key)
            if look.taken is None:
                look.taken = taken_on(artwork)
            for fonts, letters in look.taken.items():
                taken.setdefault(fonts, {}).update(letters)

    def keep(self, keys: Iterable[str], laid_out: Mapping[str, LaidOut]) -> None:
        """Keep these sides' looks as far as they are whole, and those that were used."""
        if self._kept is None:
            return
        wanted = set(keys)
        for made_from, made in laid_out.items():
            if made.artwork is None or made.artwork.key not in wanted:
                continue
            if self.is_kept(made.artwork.key):
                self._kept.get(made_from)
            elif made.can_be_drawn and (look := self.of(made.artwork.key)).whole:
                self._kept.put(made_from, _packed(made.artwork, made, look))

    def save(self) -> None:
        """Write what is new."""
        if self._kept is not None:
            self._kept.save()


def _packed(artwork: Artwork, made: LaidOut, look: Look) -> list[Any]:
    taken = [[*fonts, list(letters)] for fonts, letters in (look.taken or {}).items()]
    return [
        artwork.key,
        artwork.size.width,
        artwork.size.height,
        artwork.bleed,
        list(map(astuple, made.problems)),
        look.covered,
        look.crowded,
        look.faint,
        list(map(astuple, look.short)),
        taken,
        look.outline,
        look.missed,
        look.heavy,
        look.most_ink,
        look.texts,
    ]


def _unpacked(values: list[Any]) -> Look:
    covered, crowded, faint, short, taken, outline, missed, heavy, most_ink, texts = values
    return Look(
        [(_place(place), code, what, _area(area)) for place, code, what, area in covered],
        crowded,
        [(_place(place), word, ratio, least, _area(area)) for place, word, ratio, least, area in faint],
        [_edge(*edge) for edge in short],
        {(font, asked): dict.fromkeys(letters) for font, asked, letters in taken},
        None if outline is None else (outline[0], outline[1]),
        True,
        [_told(each) for each in missed],
        [_told(each) for each in heavy],
        most_ink,
        [(file, line, words) for file, line, words in texts or ()],
    )


def _told(value: list[Any]) -> Told:
    asked, printed, much, area, (file, line) = value
    return asked, printed, much, area, (file, line)


def _edge(edge: str, missing: float, length: float, end: float, box: list[float] | None) -> ShortEdge:
    from cardgen.drawing.edges import ShortEdge

    return ShortEdge(edge, missing, length, end, None if box is None else _area(box))


def _area(value: list[float]) -> Area:
    left, top, width, height = value
    return left, top, width, height


def _place(value: list[Any] | None) -> Place | None:
    return None if value is None else (value[0], value[1])
