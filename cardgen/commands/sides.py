"""From cards to drawn sides, each distinct one once.

    sources -> kept? -> lay out and draw, here or by an executor's workers -> keep

A side that an earlier build kept is taken as it is. The others are laid out and drawn some at a time, so
that no more than these are held with all that is on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.commands.workers import LEAST, Workers
from cardgen.drawing.draw import draw_sides
from cardgen.drawing.objects import DrawingError, DrawnFace
from cardgen.drawing.sides import DrawnSide, SideStore
from cardgen.drawing.store import ArtStore
from cardgen.findings import CardgenError, Findings, Problem
from cardgen.model.artwork import CardArt
from cardgen.rendering.cards import BOTH, card_art
from cardgen.rendering.laying_out import LaidOut

if TYPE_CHECKING:
    from cardgen.commands.stand_ins import StandIns
    from cardgen.model.game import Card
    from cardgen.rendering.cards import CardSide, Place, SideName, SideRenderer

AT_ONCE = 200
"""Sides laid out and drawn at a time: few enough to hold, enough to draw their pictures together."""

MOST_WAITING = 1000
"""Most sides held until others that look the same are drawn."""


@dataclass(frozen=True, slots=True)
class DrawnSides:
    """Cards in printing order whose sides are drawn; `sides` and how large they are by `Artwork.key`."""

    cards: tuple[CardArt, ...]
    sides: Mapping[str, DrawnSide]
    artworks: Mapping[str, DrawnFace]

    @classmethod
    def of(cls, cards: tuple[CardArt, ...], sides: Iterable[DrawnSide]) -> DrawnSides:
        """These cards and sides, each side once."""
        found = {side.key: side for side in sides}
        return cls(cards, found, {key: side.face for key, side in found.items()})


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
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> DrawnSides:
    """The sides of the cards, taken from `kept` or laid out, drawn and put there.

    What is wrong goes to `findings`; with an error among them, sides are left out, and so are their cards,
    or `stand_ins` has boxes for them. Only then there may be cards without templates.
    `progress` is called with how many cards are done and how many there are. Raises CardgenError where
    `workers` fail.
    """
    todo = list(cards)
    made_from = {}
    desk = _Desk(renderer, pictures, kept, workers)
    done = 0
    for side in renderer.sides((card for card in todo if card.face), names):
        if side.side == names[0]:
            progress(done, len(todo))
            done += 1
        if side.made_from:
            made_from[side.place] = side.made_from
            desk.take(side)
    desk.finish()
    renderer.finish(findings)
    made = {place: desk.done[source] for place, source in made_from.items() if source in desk.done}
    if stand_ins is not None:
        made |= _boxes(stand_ins, renderer, todo, names, made, pictures)
    keys = {place: side.key for place, side in made.items()}
    return DrawnSides.of(card_art(todo, keys, names), made.values())


def _boxes(
    stand_ins: StandIns,
    renderer: SideRenderer,
    cards: Iterable[Card],
    names: Sequence[SideName],
    made: Mapping[Place, DrawnSide],
    pictures: ArtStore,
) -> dict[Place, DrawnSide]:
    """Boxes in the places of the sides that are not `made`, drawn."""
    laid_out: dict[Place, LaidOut] = {}
    for card in cards:
        for name in names:
            place: Place = (card.component, card.id, name)
            if place not in made and (card.face if name == "face" else card.back) is not None:
                laid_out[place] = stand_ins.side(card, renderer.trouble(place))
    artworks = [each.artwork for each in laid_out.values() if each.artwork is not None]
    return dict(zip(laid_out, draw_sides(artworks, {}, pictures), strict=True))


def problems_of(error: CardgenError) -> Iterator[tuple[str, Problem]]:
    """What is wrong with a side that can't be drawn, each with what it is about: see DrawingError."""
    about = error.about if isinstance(error, DrawingError) else ("",) * len(error.findings)
    for name, each in zip(about, error.findings, strict=True):
        yield name, Problem(each.code, each.message, each.hint, each.severity)


class _Desk:
    """Where sides are made. `done` are the drawn ones by what they were made from."""

    def __init__(
        self,
        renderer: SideRenderer,
        pictures: ArtStore,
        kept: SideStore,
        workers: Workers | None,
    ) -> None:
        self.done: dict[str, DrawnSide] = {}
        self._renderer, self._pictures, self._kept = renderer, pictures, kept
        self._workers = workers
        self._at_once = AT_ONCE if workers is None else LEAST
        self._flawed: dict[str, LaidOut] = {}
        self._waiting: dict[str, list[CardSide]] = {}
        """Sides to be made, each with all that look the same."""
        self._away: dict[str, list[CardSide]] = {}
        """Those that workers make."""
        self._held = 0

    def take(self, side: CardSide) -> None:
        """A side to make, unless one like it is made or kept."""
        source = side.made_from
        if source in self._flawed:
            self._renderer.say(side, self._flawed[source])
            return
        if source in self.done:
            return
        if (alike := self._waiting.get(source) or self._away.get(source)) is not None:
            alike.append(side)
        elif (kept := self._kept.get(source)) is not None:
            self.done[source] = kept
            self._say([side], LaidOut(None, self._kept.problems(source), frozenset()))
            return
        elif (ready := self._renderer.ready(side)) is not None:
            self._waiting[source] = [ready]
        self._held += 1
        if len(self._waiting) >= self._at_once or self._held >= MOST_WAITING:
            self._make()

    def finish(self) -> None:
        """Make what still waits."""
        self._make()
        if self._workers is not None:
            self._collect(self._workers.rest())

    def _make(self) -> None:
        todo, self._waiting, self._held = self._waiting, {}, 0
        if self._workers is None or not self._workers.are_worth(len(todo)):
            self._make_here(todo)
        else:
            self._away |= todo
            self._collect(self._workers.send(todo))
            self._at_once = self._workers.chunk

    def _make_here(self, todo: Mapping[str, list[CardSide]]) -> None:
        finished: list[tuple[str, LaidOut]] = []
        for source, sides in todo.items():
            made = self._renderer.lay_out(sides[0])
            self._say(sides, made)
            if made.can_be_drawn:
                finished.append((source, made))
        try:
            self._draw(finished)
        except CardgenError:  # one of them: the others are drawn and kept
            for source, made in finished:
                try:
                    self._draw([(source, made)])
                except CardgenError as error:
                    found = self._renderer.undrawn(todo[source][0], problems_of(error))
                    self._say(todo[source], LaidOut(None, found, frozenset()))

    def _say(self, sides: Iterable[CardSide], made: LaidOut) -> None:
        """Say what is wrong with sides that look the same, and with those that come later."""
        if not made.problems:
            return
        for side in sides:
            self._renderer.say(side, made)
            self._flawed[side.made_from] = LaidOut(None, made.problems, frozenset())

    def _draw(self, finished: Sequence[tuple[str, LaidOut]]) -> None:
        """Draw sides and keep them. Raises CardgenError, and then none is."""
        artworks = [made.artwork for _, made in finished if made.artwork is not None]
        icons = self._renderer.documents(frozenset().union(*(made.icons for _, made in finished)))
        drawn = draw_sides(artworks, icons, self._pictures)
        for (source, made), drawn_side in zip(finished, drawn, strict=True):
            self.done[source] = self._kept.put(source, drawn_side, made.problems)

    def _collect(self, chunks: Workers.Done) -> None:
        """Put what workers drew where it belongs, and make what they left undone."""
        for sent, done in chunks:
            for key, root, objects in done.art:
                self._pictures.put(key, root, objects)
            for source, side in done.sides:
                self.done[source] = self._kept.put(source, side)
            left = {source: self._away.pop(source) for source in sent}
            self._make_here({source: sides for source, sides in left.items() if source not in self.done})
