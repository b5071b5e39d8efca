"""A game that is kept loaded while its files are edited."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cardgen.art.cards import Place, SideName, SideRenderer, layout_settings_of
from cardgen.art.outlining import LaidOut
from cardgen.art.side_findings import Reporter
from cardgen.art.templates import RenderError
from cardgen.commands.production.fonts import fonts_of
from cardgen.commands.production.languages import Reloading
from cardgen.core.findings import CardgenError, Finding, Findings, Problem
from cardgen.core.game import Card, Game
from cardgen.core.records import replace
from cardgen.files.project import Project
from cardgen.workbench.files import Recent
from cardgen.workbench.states import (
    NOTHING,
    CardPlace,
    CardState,
    Change,
    FindingState,
    MarkState,
    Record,
    SideState,
    State,
    Told,
    about,
    card_state,
    change,
    components_of,
    deck_states,
    record_of,
    sheet_states,
    stale,
    with_left_out,
)
from cardgen.workbench.studio import Studio

SOON_S = 0.03
"""Seconds in which a refresh renders sides that are off the screen, before it reports."""
_AT_ONCE = 8
"""Sides that are rendered in any case."""

_MOST_PLACED = 5_000

Side = tuple[str, str, SideName]


class Bench:
    """One game of a project, in one language and in full or in low ink.

    `refresh` reads changed files; `state` is the visible state; `picture` draws; `idle` continues the work
    that a refresh queued, and lays sides out to find their problems. Only one thread at a time may use it,
    with all benches `beside` each other, which share results. Bad input never raises: it is among the
    state's findings.
    """

    def __init__(
        self,
        project: Project,
        game: str,
        *,
        language: str | None = None,
        low_ink: bool = False,
        beside: Bench | None = None,
    ) -> None:
        self._project, self._id, self._language = project, game, language
        self._studio: Studio = Studio(project, game) if beside is None else beside._studio
        self._loader: Reloading = Reloading(project, game) if beside is None else beside._loader
        self._low_ink = low_ink
        self._renderer: SideRenderer | None = None
        self._made_with = b""
        self._placed: Recent[tuple[str, bytes], tuple[Problem, ...]] = Recent(_MOST_PLACED)
        """Problems of sides with their lines in the templates, which are slow to find."""
        self._said: set[Place] = set()
        self._game: Game | None = None
        self._remarks: list[Finding] = []
        self._shown: dict[CardPlace, tuple[Card, CardState]] = {}
        self._good: dict[Side, str] = {}

        self._keys: dict[Side, str] = {}
        """The current ones, empty if a template fails."""
        self._cards: dict[CardPlace, Card] = {}
        self._edited: list[Side] = []
        """Sides of cards that the latest refresh changed."""
        self._waiting: dict[Side, None] = {}
        """Sides to render."""
        self._unseen: dict[Side, None] = {}
        """Sides to lay out."""
        self._told_at = 0
        self._of_sides: list[FindingState] = []
        """Findings reported by sides."""
        self._behind = False
        """True if lines of cards in the state are outdated."""
        self._news = False
        """True if a side's key differs from the state's."""
        self.state = State(0, {"id": game, "title": game}, (), (), (), (), True)

    # ---- the current state

    def refresh(self, changed: Iterable[Path] | None = None, *, whole: bool = False) -> Change | None:
        """Read the project's files again, or only these if the others are unchanged; None if nothing
        visible changed. A `whole` refresh renders all templates, however long it takes; otherwise `idle`
        continues with sides that are off the screen."""
        before = self.state
        self._remember()
        try:
            self._studio.files.look(changed)
            findings = Findings()
            game = self._loader.load(self._language)
            self._begin(game, findings)
            self._game = game
            self._remarks = [*game.remarks, *findings]
            self._take(game)
            if whole or not 0 < len(self._edited) <= _AT_ONCE:
                shown = sum(self._keys[side] in self._studio.asked for side in self._waiting)
                least = len(self._waiting) if whole else max(shown, _AT_ONCE)
                self._ask(time.monotonic() + SOON_S, at_least=least)
            else:  # somebody types: other sides are rarely affected, and follow at once
                self._ask(0, at_least=len(self._edited))
            self._tell(before.epoch + 1, with_lines=False)
        except CardgenError as error:
            self._break(error.findings)
        return self._changed(before)

    def idle(self, budget_s: float = 0.05) -> Change | None:
        """Continue the queued work for about so long; None if nothing visible changed. `is_idle` is true
        when all is done."""
        before = self.state
        if self.is_idle:
            return None
        until = time.monotonic() + budget_s
        waited = bool(self._waiting)
        try:
            self._ask(until, at_least=1)
            self._look(until, 0 if waited else 1)
            is_asked = waited and not self._waiting
            if self._news or is_asked or self._behind or self._told_at != self._studio.revision:
                self._tell(before.epoch + 1, with_lines=True)
        except CardgenError as error:  # a file that has just changed
            self._break(error.findings)
        return self._changed(before)

    @property
    def is_idle(self) -> bool:
        """Return True if all sides are laid out or the game can't be loaded."""
        if self.state.broken or self._game is None:
            return True
        told = self._told_at == self._studio.revision and not self._behind
        return told and not (self._waiting or self._unseen)

    @property
    def good(self) -> dict[str, str]:
        """Return the last texts without mistakes of files that can't be read now."""
        return self._loader.good

    def picture(self, key: str, width: int) -> bytes | None:
        """Return the picture of a side with its bleed, so many px wide, as PNG; None for an unknown key, or
        a side that can't be drawn any more."""
        try:
            return self._studio.picture(key, width)
        except CardgenError:  # a file that has just changed
            return None

    def sketch(self, place: CardPlace, path: tuple[str, ...], value: Any) -> dict[SideName, SideState]:
        """Return the sides of a card as they will be once a value is saved; empty if that takes more than
        drawing them again, or they can't be drawn. The state and its findings stay as they are."""
        card = self._cards.get(place)
        if card is None or self.state.broken or self._game is None:
            return {}
        from cardgen.commands.data.card_edits import drafted  # only needed once somebody types

        draft = drafted(card, path, value, self._loader.made_with(card.component))
        if draft is None:
            return {}
        renderer = self._templates()
        kept, renderer.reporter = renderer.reporter, Reporter(self._game)
        try:
            keys = {name: self._key(draft, name) for name in _names(draft)}
            laid = [bool(self._studio.lay_out(key)) for key in keys.values()]
            outcomes = {name: self._studio.outcome(key) for name, key in keys.items()}
        except CardgenError:  # a file that has just changed
            return {}
        finally:
            renderer.reporter = kept
        if not all(laid) or not all(each and each.is_there for each in outcomes.values()):
            return {}
        return {
            name: SideState(keys[name], "good" if each and each.is_good else "marked")
            for name, each in outcomes.items()
        }

    def marks(self, key: str) -> tuple[MarkState, ...] | None:
        """Return the marks on the picture of a side, or None if there are none."""
        return self._studio.marks(key)

    # ---- the steps in order

    def _changed(self, before: State) -> Change | None:
        found = change(before, self.state)
        if found is None:
            self.state = before
        return found

    def _break(self, findings: Sequence[Finding]) -> None:
        """Mark the old state stale, since the game can't be loaded."""
        before = self.state
        cards = tuple(map(stale, before.cards))
        told = Told(cards, lambda: self._records(cards))
        self._waiting, self._unseen = {}, {}
        self._told_at, self._behind = self._studio.revision, False
        self.state = replace(
            before,
            epoch=before.epoch + 1,
            cards=cards,
            findings=tuple(map(told.state, findings)),
            broken=True,
        )

    def _remember(self) -> None:
        """Note the last good pictures, to be shown if there are no newer ones."""
        for side, key in self._keys.items():
            if key and ((outcome := self._studio.outcome(key)) is None or outcome.is_there):
                self._good[side] = key

    def _begin(self, game: Game, findings: Findings) -> None:
        """Read the state of the game's templates. Raises CardgenError for invalid fonts."""
        studio = self._studio
        made_with = studio.files.drawings + studio.files.fonts
        self._renderer = SideRenderer(
            game,
            game.paths,
            fonts_of(game, findings),
            low_ink=self._low_ink,
            needs=studio.needs,
            sources=studio.sources,
            laying_out=studio.laying_out(layout_settings_of(game)),
            like=self._renderer if made_with == self._made_with else None,
        )
        self._made_with = made_with
        self._said = set()

    def _take(self, game: Game) -> None:
        """Adopt a state of the game: its known sides, and a queue of the others."""
        sides = [
            (component.id, card.id, name)
            for component in game.components
            for card in component.cards
            for name in _names(card)
        ]
        self._keys = {side: self._keys.get(side, "") for side in sides}
        self._unseen = {}
        self._cards = cards = {(card.component, card.id): card for card in game.cards()}
        now = set(self._studio.asked)
        self._edited = [
            side
            for side in sides
            if (known := self._shown.get(side[:2])) is None or known[0] is not cards[side[:2]]
        ]
        shown = [side for side in sides if self._keys[side] in now]
        edited = set(self._edited)
        if len(edited) <= _AT_ONCE:
            first = [*self._edited, *shown]
        else:
            first = [*sorted(shown, key=lambda side: side not in edited), *self._edited]
        self._waiting = dict.fromkeys((*first, *sides))

    def _ask(self, until: float, at_least: int) -> None:
        """Render the queued sides, for so long."""
        done = 0
        while self._waiting and (done < at_least or time.monotonic() < until):
            side = next(iter(self._waiting))
            del self._waiting[side]
            key = self._key(self._cards[side[:2]], side[2])
            self._news |= key != self._keys[side]
            self._keys[side] = key
            if key and self._studio.outcome(key) is None:
                self._unseen[side] = None
            done += 1
        self._studio.sources.save()

    def _look(self, until: float, at_least: int) -> None:
        """Lay sides out, for so long."""
        now = set(self._studio.asked)
        first = [side for side in self._unseen if self._keys[side] in now]
        for side in dict.fromkeys((*first, *self._unseen)):
            if at_least <= 0 and time.monotonic() >= until:
                break
            if self._studio.outcome(self._keys[side]) is None:
                self._studio.lay_out(self._keys[side])
                at_least -= 1
            # If this fails, its files have changed, and a refresh follows.
            del self._unseen[side]

    def _tell(self, epoch: int, *, with_lines: bool) -> None:
        """Collect the visible state. It skips cards with only a new line number: another line in a long
        file moves very many, and nobody sees it."""
        game = self._game
        assert game is not None
        self._told_at, self._behind, self._news = self._studio.revision, False, False
        cards = [
            self._card(game, card, with_lines) for component in game.components for card in component.cards
        ]
        before = {card.place for card in self.state.cards} if game.left_out else set()
        stood = {place: record_of(self._shown[place][0]) for place in before if place in self._shown}
        shown = with_left_out(game, cards, self.state.cards, stood)
        told = Told(shown, lambda: self._records(shown, game.missing))
        of_sides = [told.state(finding, cards) for finding, cards in self._templates().reporter.told()]
        found = sorted((*map(told.state, self._remarks), *of_sides), key=FindingState.sort_key)
        # Earlier findings of queued sides stay valid until then.
        waiting = {side[:2] for side in self._waiting} if self._of_sides else set()
        held = [each for each in self._of_sides if waiting.issuperset(each.cards)]
        self._of_sides = [*held, *of_sides]
        self.state = State(
            epoch,
            about(game),
            components_of(game, shown, self.state.components),
            shown,
            sheet_states(game),
            (*found, *held),
            False,
            deck_states(game, self.state.decks),
        )

    def _records(self, cards: Iterable[CardState], missing: Iterable[Card] = ()) -> dict[Record, CardPlace]:
        """Return the card at each place, current or previous."""
        known = [self._shown[card.place][0] for card in cards if card.place in self._shown]
        now = set(map(id, self._game.cards())) if self._game is not None else set()
        known.sort(key=lambda card: id(card) not in now)
        found: dict[Record, CardPlace] = {}
        for card in (*known, *missing):
            found.setdefault(record_of(card), (card.component, card.id))
        return found

    def _card(self, game: Game, card: Card, with_lines: bool) -> CardState:
        face = self._side(card, "face")
        back = None if card.back is None else self._side(card, "back")
        place = (card.component, card.id)
        known = self._shown.get(place)
        is_same = known is not None and known[0] is card and (known[1].face, known[1].back) == (face, back)
        if is_same and not with_lines:
            assert known is not None
            self._behind = True
            return known[1]
        line, lines = game.locator.lines(card.file, card.path)
        if is_same and known is not None and known[1].lines is lines:
            return known[1]
        state = card_state(card, line, lines, face, back)
        self._shown[place] = card, state
        return state

    def _side(self, card: Card, name: SideName) -> SideState:
        side = (card.component, card.id, name)
        key = self._keys.get(side, "")
        outcome = self._studio.outcome(key) if key else None
        if key and side not in self._waiting:
            self._say(card, name, key)
        if key and (outcome is None or outcome.is_there):
            return SideState(key, "good" if outcome is None or outcome.is_good else "marked")
        last = self._good.get(side, "")
        return SideState(last, "stale") if last else NOTHING

    def _key(self, card: Card, name: SideName) -> str:
        """Return the key of a side, empty if its template fails."""
        renderer = self._templates()
        side = next(renderer.sides([card], [name]))
        if not side.made_from:
            return ""
        try:
            return self._studio.key_of(self._studio.known(renderer, side))
        except RenderError:  # a template that has just changed
            return ""

    def _say(self, card: Card, name: SideName, key: str) -> None:
        """Collect the problems of a laid out side, once."""
        place = (card.component, card.id, name)
        outcome = self._studio.outcome(key)
        if outcome is None or not outcome.problems or place in self._said:
            return
        self._said.add(place)
        renderer = self._templates()
        side = next(renderer.sides([card], [name]))
        if side.rendered is None:
            return
        made_by = self._studio.sources.made_by(renderer.templates.used(side.template))
        problems = self._placed.get((key, made_by))
        if problems is None:
            locate = side.rendered.locate
            problems = tuple(
                replace(each, place=each.place or locate(each.offset) or (side.template, 1))
                for each in outcome.problems
            )
            self._placed.put((key, made_by), problems)
        renderer.say(side, LaidOut(None, problems, frozenset()))

    def _templates(self) -> SideRenderer:
        """Return the renderer of the sides of the latest state."""
        assert self._renderer is not None
        return self._renderer


def _names(card: Card) -> tuple[SideName, ...]:
    return ("face",) if card.back is None else ("face", "back")
