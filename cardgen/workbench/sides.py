"""Which side of which card is which picture, asked only where something has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import is_

from cardgen.commands.fonts import fonts_of
from cardgen.findings import Finding, Findings, Problem
from cardgen.model.game import Card, Component, Game
from cardgen.rendering.cards import CardSide, Place, SideName, SideRenderer, manner_of
from cardgen.rendering.laying_out import LaidOut
from cardgen.rendering.templates import RenderError
from cardgen.workbench.studio import KnownSide, Studio

_MOST_PLACED = 5_000


@dataclass(frozen=True, slots=True)
class _Asked:
    """A side that was asked for. It is the same as long as all these are: the card (the very object), what
    all sides of its component see, the content of the templates that it is made by and of the fonts, the
    manner that it is `known` with, and for one with groups of texts the component's other cards and the
    icons. `seen` is when the files were looked at for its `key`."""

    card: Card
    about: bytes
    made_by: bytes
    others: tuple[tuple[Card, ...], bytes] | None
    known: KnownSide
    seen: int
    key: str


class Sides:
    """The keys of all sides of a game's cards, in one language and ink, from one state of it to the next.

    `begin` takes a state; `key` gives a side's, empty where its template fails; `say` collects what is
    wrong with one that is laid out.
    """

    def __init__(self, studio: Studio, *, low_ink: bool) -> None:
        self._studio, self.low_ink = studio, low_ink
        self._renderer: SideRenderer | None = None
        self._made_with = b""
        self._game: Game | None = None
        self._asked: dict[Place, _Asked] = {}
        self._placed: dict[tuple[str, bytes], tuple[Problem, ...]] = {}
        self._said: set[Place] = set()
        self._makes: dict[tuple[str, str], tuple[bytes | None, bytes]] = {}

    def begin(self, game: Game, findings: Findings) -> None:
        """Take a state of the game; raises CardgenError for fonts in error."""
        studio = self._studio
        made_with = studio.files.drawings + studio.files.fonts
        self._manner = manner_of(game)
        like = self._renderer if made_with == self._made_with else None
        self._renderer = SideRenderer(
            game,
            game.paths,
            fonts_of(game, findings),
            low_ink=self.low_ink,
            needs=studio.needs,
            sources=studio.sources,
            laying_out=studio.laying_out(self._manner),
            like=like,
        )
        self._made_with = made_with
        self._game = game
        self._said, self._makes = set(), {}
        there = {(card.component, card.id) for card in game.cards()}
        self._asked = {place: asked for place, asked in self._asked.items() if place[:2] in there}

    @property
    def game(self) -> Game:
        """The state that was taken last."""
        assert self._game is not None
        return self._game

    @property
    def renderer(self) -> SideRenderer:
        """That of the state that was taken last."""
        assert self._renderer is not None
        return self._renderer

    def known(self, component: Component, card: Card, name: SideName) -> str | None:
        """The key of a side for which its template need not be asked; None where it must be."""
        asked = self._asked.get((card.component, card.id, name))
        if asked is None or asked.card is not card:
            return None
        template = card.face if name == "face" else card.back
        if (asked.about, asked.made_by) != self._made(component, template or ""):
            return None
        if asked.known.manner != self._manner:
            return None
        if asked.others is not None and not _same(asked.others, self._others(component)):
            return None
        studio = self._studio
        if asked.seen != studio.files.changed:
            key = studio.key_of(asked.known)
            self._asked[card.component, card.id, name] = replace(asked, seen=studio.files.changed, key=key)
            return key
        return asked.key

    def key(self, component: Component, card: Card, name: SideName) -> str:
        """The key of a side, empty where its template fails."""
        key = self.known(component, card, name)
        if key is not None:
            return key
        place = (card.component, card.id, name)
        self._asked.pop(place, None)
        side = self._side(card, name)
        if not side.made_from:
            return ""
        try:
            known = self._studio.known(self.renderer, side)
        except RenderError:  # a template that has just changed
            return ""
        key = self._studio.key_of(known)
        about, made_by = self._made(component, side.template)
        if about:
            assert side.rendered is not None
            others = self._others(component) if side.rendered.grouped else None
            seen = self._studio.files.changed
            self._asked[place] = _Asked(card, about, made_by, others, known, seen, key)
        return key

    def say(self, card: Card, name: SideName, key: str) -> None:
        """Collect what is wrong with a side that is laid out, once."""
        place = (card.component, card.id, name)
        outcome = self._studio.outcome(key)
        if outcome is None or not outcome.problems or place in self._said:
            return
        self._said.add(place)
        side = self._side(card, name)
        if side.rendered is None:
            return
        _, made_by = self._made(self.game.component(card.component), side.template)
        problems = self._placed.get((key, made_by))
        if problems is None:
            # With their lines in the templates, which are slow to find.
            locate = side.rendered.locate
            problems = tuple(
                replace(each, place=each.place or locate(each.offset) or (side.template, 1))
                for each in outcome.problems
            )
            if len(self._placed) > _MOST_PLACED:
                self._placed.clear()
            self._placed[key, made_by] = problems
        self.renderer.say(side, LaidOut(None, problems, frozenset()))

    def told(self) -> Iterator[tuple[Finding, Sequence[Card]]]:
        """What was collected since `begin`, of templates that fail as well, each with its cards."""
        return self.renderer.told()

    # ---- what a side depends on

    def _side(self, card: Card, name: SideName) -> CardSide:
        return next(self.renderer.sides([card], [name]))

    def _made(self, component: Component, template: str) -> tuple[bytes | None, bytes]:
        """Digests of what all sides of a component see, None where that can't be told, and of the content
        of a template, of all that it uses, and of the fonts."""
        known = self._makes.get((component.id, template))
        if known is None:
            templates = self.renderer.templates
            known = templates.sees(component), self._studio.sources.made_by(templates.used(template))
            self._makes[component.id, template] = known
        return known

    def _others(self, component: Component) -> tuple[tuple[Card, ...], bytes]:
        """What the sizes of groups of texts depend on besides a side's own."""
        return component.cards, self._studio.files.icons


def _same(old: tuple[tuple[Card, ...], bytes], new: tuple[tuple[Card, ...], bytes]) -> bool:
    """Whether these are the very same cards, and the same icons."""
    return old[1] == new[1] and len(old[0]) == len(new[0]) and all(map(is_, old[0], new[0]))
