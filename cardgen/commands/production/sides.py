"""From cards to drawn sides, each distinct one once.

sources -> stored? -> lay out and draw, here or by an executor's workers -> store

Stored sides of an earlier build are reused. The others are laid out and drawn some at a time, so that only
these are in memory with their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cardgen.art.cards import BOTH, card_art
from cardgen.art.outlining import LaidOut
from cardgen.commands.production.workers import LEAST, Workers
from cardgen.core.artwork import Artwork, CardArt
from cardgen.core.findings import CardgenError, Findings, Problem
from cardgen.core.progress import tell
from cardgen.core.records import dataclass
from cardgen.pdf.drawing import draw_sides
from cardgen.pdf.objects import DrawingError, DrawnFace
from cardgen.pdf.store import ArtStore, DrawnSide, Faces, SideStore

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide, Place, SideName, SideRenderer
    from cardgen.commands.production.stand_ins import StandIns
    from cardgen.core.game import Card


AT_ONCE = 200
"""Sides laid out and drawn at a time: few enough for memory, enough to draw their pictures together."""

MOST_WAITING = 1000
"""Most sides in memory that wait for the drawing of an equal one."""

_RENDERED, _LAID_OUT = 0.2, 0.5
"""Shares of a side's work for progress: its template rendered, its texts set; then it is drawn."""


@dataclass(frozen=True, slots=True)
class DrawnSides:
    """Cards in printing order whose sides are drawn; `sides` by `Artwork.key`."""

    cards: tuple[CardArt, ...]
    sides: Mapping[str, DrawnSide]

    @property
    def artworks(self) -> Mapping[str, DrawnFace]:
        """Return the sizes of the sides."""
        return Faces(self.sides)


def draw_cards(
    renderer: SideRenderer,
    cards: Iterable[Card],
    pictures: ArtStore,
    kept: SideStore,
    findings: Findings,
    *,
    names: Sequence[SideName] = BOTH,
    workers: Workers | None = None,
    stand_ins: StandIns | None = None,
) -> DrawnSides:
    """Return the sides of the cards: read from `kept`, or laid out, drawn and stored there. Problems go to
    `findings`. Sides with errors are skipped with their cards, unless `stand_ins` draws boxes for them;
    only then may cards lack templates. Raises CardgenError if `workers` fail."""
    todo = list(cards)
    sources: list[str] = []
    batcher = _SideBatcher(renderer, pictures, kept, workers, _number(todo, names))
    for side in renderer.sides((card for card in todo if card.face), names):
        sources.append(side.made_from)
        if side.made_from:
            batcher.take(side)
    batcher.finish()
    renderer.reporter.finish(findings)
    made = map(batcher.made, sources)
    boxes = None if stand_ins is None else _StandIns(stand_ins, renderer)
    drawn: dict[str, DrawnSide] = {}
    art: list[CardArt] = []
    for card in todo:
        keys: dict[Place, str] = {}
        for name in names:
            if (card.face if name == "face" else card.back) is None:
                continue
            found = next(made) if card.face else None
            if found is not None:
                keys[card.component, card.id, name] = drawn.setdefault(found.key, found).key
            elif boxes is not None and (key := boxes.take(card, name)) is not None:
                keys[card.component, card.id, name] = key
        art += card_art([card], keys, names)
    if boxes is not None:
        drawn |= boxes.drawn(pictures)
    return DrawnSides(tuple(art), drawn)


def _number(cards: Iterable[Card], names: Sequence[SideName]) -> int:
    """Count the sides of these cards to draw."""
    faces = [card for card in cards if card.face]
    backs = sum(card.back is not None for card in faces)
    return sum(backs if name == "back" else len(faces) for name in names)


class _StandIns:
    """Boxes drawn instead of sides with errors."""

    def __init__(self, stand_ins: StandIns, renderer: SideRenderer) -> None:
        self._stand_ins, self._renderer = stand_ins, renderer
        self._artworks: dict[str, Artwork] = {}

    def take(self, card: Card, name: SideName) -> str | None:
        """Return the key of the box for a side."""
        trouble = self._renderer.reporter.first.get((card.component, card.id, name))
        artwork = self._stand_ins.side(card, trouble).artwork
        return None if artwork is None else self._artworks.setdefault(artwork.key, artwork).key

    def drawn(self, pictures: ArtStore) -> dict[str, DrawnSide]:
        """Return all boxes by their keys."""
        return {side.key: side for side in draw_sides(self._artworks.values(), {}, pictures)}


def problems_of(error: CardgenError) -> Iterator[tuple[str, Problem]]:
    """Yield the problems of a side that can't be drawn, each with its subject (see DrawingError)."""
    about = error.about if isinstance(error, DrawingError) else ("",) * len(error.findings)
    for name, each in zip(about, error.findings, strict=True):
        yield name, Problem(each.code, each.message, each.hint, each.severity)


class _SideBatcher:
    """A queue of sides that are laid out and drawn in batches, then stored; reports progress of `total`
    sides."""

    def __init__(
        self,
        renderer: SideRenderer,
        pictures: ArtStore,
        kept: SideStore,
        workers: Workers | None,
        total: int,
    ) -> None:
        self._renderer, self._pictures, self._kept = renderer, pictures, kept
        self._done, self._total = 0.0, total
        self._workers = workers
        self._at_once = AT_ONCE if workers is None else LEAST
        self._flawed: dict[str, LaidOut] = {}
        self._waiting: dict[str, list[CardSide]] = {}
        """Queued sides, each with all equal ones."""
        self._away: dict[str, list[CardSide]] = {}
        """Sides that workers draw."""
        self._held = 0

    def take(self, side: CardSide) -> None:
        """Queue a side, unless an equal one is drawn or stored."""
        source = side.made_from
        self._tell(_RENDERED)
        if source in self._flawed:
            self._renderer.say(side, self._flawed[source])
            self._tell(1 - _RENDERED)
            return
        if (alike := self._waiting.get(source) or self._away.get(source)) is not None:
            alike.append(side)
        elif self._kept.get(source) is not None:
            self._say([side], LaidOut(None, self._kept.problems(source), frozenset()))
            self._tell(1 - _RENDERED)
            return
        elif (ready := self._renderer.ready(side)) is not None:
            self._waiting[source] = [ready]
        self._held += 1
        if len(self._waiting) >= self._at_once or self._held >= MOST_WAITING:
            self._make()

    def made(self, source: str) -> DrawnSide | None:
        """Return the side drawn from `source`, or None."""
        return self._kept.get(source) if source else None

    def finish(self) -> None:
        """Draw the queued sides."""
        self._make()
        if self._workers is not None:
            self._collect(self._workers.rest())

    def _tell(self, share: float) -> None:
        """Report progress by a share of one side's work."""
        self._done += share
        tell("drawing", int(self._done), self._total)

    def _make(self) -> None:
        todo, self._waiting, self._held = self._waiting, {}, 0
        if self._workers is None or not self._workers.are_worth(len(todo)):
            self._make_here(todo)
        else:
            self._away |= todo
            self._collect(self._workers.send(todo))
            self._at_once = self._workers.chunk

    def _make_here(self, todo: Mapping[str, list[CardSide]]) -> None:
        if not todo:
            return
        finished: list[tuple[str, LaidOut]] = []
        for source, sides in todo.items():
            made = self._renderer.lay_out(sides[0])
            self._tell(_LAID_OUT * len(sides))
            self._say(sides, made)
            if made.can_be_drawn:
                finished.append((source, made))
        try:
            self._draw(finished)
            self._tell((1 - _RENDERED - _LAID_OUT) * sum(map(len, todo.values())))
        except CardgenError:  # caused by one side: draw and store the others
            for source, made in finished:
                try:
                    self._draw([(source, made)])
                except CardgenError as error:
                    drawn = todo[source][0].source
                    assert drawn is not None
                    found = self._renderer.laying_out.undrawn(drawn, problems_of(error))
                    self._say(todo[source], LaidOut(None, found, frozenset()))

    def _say(self, sides: Iterable[CardSide], made: LaidOut) -> None:
        """Report the problems of sides that look the same, and of later ones like them."""
        if not made.problems:
            return
        for side in sides:
            self._renderer.say(side, made)
            self._flawed[side.made_from] = LaidOut(None, made.problems, frozenset())

    def _draw(self, finished: Sequence[tuple[str, LaidOut]]) -> None:
        """Draw sides and store them. Raises CardgenError, storing none."""
        artworks = [made.artwork for _, made in finished if made.artwork is not None]
        icons = self._renderer.laying_out.documents(
            frozenset().union(*(made.icons for _, made in finished))
        )
        drawn = draw_sides(artworks, icons, self._pictures)
        for (source, made), drawn_side in zip(finished, drawn, strict=True):
            self._kept.put(source, drawn_side, made.problems)

    def _collect(self, chunks: Workers.Done) -> None:
        """Store the sides that workers drew, and draw the rest here."""
        for sent, done in chunks:
            for key, root, objects in done.art:
                self._pictures.put(key, root, objects)
            drawn = dict(done.sides)
            left: dict[str, list[CardSide]] = {}
            for source in sent:
                alike = self._away.pop(source)
                if source in drawn:
                    self._kept.put(source, drawn[source])
                    self._tell((1 - _RENDERED) * len(alike))
                else:
                    left[source] = alike
            self._make_here(left)
