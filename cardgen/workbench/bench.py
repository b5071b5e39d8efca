"""A game that is kept loaded while its files are edited."""

from __future__ import annotations

from io import BytesIO

from cardgen.commands.fonts import fonts_of
from cardgen.commands.grouping import kept_needs, kept_sources
from cardgen.commands.production import load
from cardgen.drawing.draw import assemble, draw_sides
from cardgen.drawing.raster import RasterOptions, rasterise
from cardgen.drawing.store import ArtStore
from cardgen.findings import CardgenError, Finding, Findings
from cardgen.model.game import Card, Component, Game
from cardgen.project import Project
from cardgen.rendering.cards import CardSide, SideRenderer
from cardgen.units import MM_PER_INCH
from cardgen.workbench.states import (
    CardState,
    Change,
    ComponentState,
    FindingState,
    SheetState,
    SideState,
    State,
)

LEAST_WIDTH, MOST_WIDTH = 16, 4096
"""px, of a picture of a side."""


class Bench:
    """One game of a project, in one language and in full or in low ink.

    `refresh` reads what changed on disk; `state` is what there is to be seen; `picture` draws. To be used
    by one thread at a time. Bad input never raises: it is among the state's findings.
    """

    def __init__(
        self, project: Project, game: str, *, language: str | None = None, low_ink: bool = False
    ) -> None:
        self._project, self._id, self._language, self._low_ink = project, game, language, low_ink
        self._game: Game | None = None
        self._renderer: SideRenderer | None = None
        self._sides: dict[str, tuple[SideRenderer, CardSide]] = {}
        self.state = State(0, {"id": game, "title": game}, (), (), (), (), True)

    def refresh(self) -> Change | None:
        """Look at the project's files again; None where nothing that is seen changed."""
        before = self.state
        findings = Findings()
        try:
            game = load(self._id, project=self._project, language=self._language, partial=True)
        except CardgenError as error:
            found = tuple(_finding_state(each) for each in error.findings)
            self.state = State(
                before.epoch + 1, before.game, before.components, before.cards, before.sheets, found, True
            )
        else:
            findings.extend(game.remarks)
            self._game = game
            cards = self._cards(game, findings)
            self.state = State(
                before.epoch + 1,
                _about(game),
                tuple(map(_component_state, game.components)),
                cards,
                tuple(
                    SheetState(each.name, each.components, _is_book(game, each.components))
                    for each in game.sheets
                ),
                tuple(map(_finding_state, findings.sorted())),
                False,
            )
        return _change(before, self.state)

    def picture(self, key: str, width: int) -> bytes | None:
        """The picture of a side with its bleed, so many px wide, as PNG; None for a key that was never
        given out, or a side that can't be drawn."""
        found = self._sides.get(key)
        if found is None or self._game is None:
            return None
        renderer, side = found
        ready = renderer.ready(side)
        made = None if ready is None else renderer.lay_out(ready)
        if made is None or made.artwork is None:
            return None
        store = ArtStore.open(self._project.root, self._id)
        drawn = draw_sides([made.artwork], renderer.documents(made.icons), store)
        art = assemble(drawn, fonts_of(self._game, Findings()), store)
        dpi = max(LEAST_WIDTH, min(width, MOST_WIDTH)) / made.artwork.size.width * MM_PER_INCH
        [(_, image)] = rasterise(art, [made.artwork.key], RasterOptions(dpi, "bleed"))
        out = BytesIO()
        image.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _cards(self, game: Game, findings: Findings) -> tuple[CardState, ...]:
        renderer = SideRenderer(
            game,
            game.paths,
            fonts_of(game, findings),
            low_ink=self._low_ink,
            needs=kept_needs(game),
            sources=kept_sources(game),
        )
        cards = [card for component in game.components for card in component.cards]
        keys: dict[tuple[str, str, str], SideState] = {}
        for side in renderer.sides(cards):
            if side.made_from:
                self._sides[side.made_from] = renderer, side
                keys[side.place] = SideState(side.made_from, "good")
            else:
                keys[side.place] = SideState("", "none")
        renderer.finish(findings)
        return tuple(
            _card_state(
                game,
                card,
                keys[card.component, card.id, "face"],
                keys.get((card.component, card.id, "back")),
            )
            for card in cards
        )


def _about(game: Game) -> dict[str, object]:
    return {
        "id": game.id,
        "title": game.title,
        "version": game.version,
        "language": game.language,
        "languages": list(game.languages),
        "players": list(game.players),
    }


def _is_book(game: Game, components: tuple[str, ...]) -> bool:
    return any(game.component(id).book is not None for id in components)


def _component_state(component: Component) -> ComponentState:
    fields = dict.fromkeys(name for card in component.cards for name in card.fields)
    return ComponentState(
        component.id,
        component.title,
        component.kind,
        component.shape,
        component.corner_radius,
        component.bleed,
        component.safe,
        tuple(fields),
    )


def _card_state(game: Game, card: Card, face: SideState, back: SideState | None) -> CardState:
    lines = {name: line for name in card.fields if (line := game.where(card, name).line) is not None}
    place = game.where(card)
    trim = (card.trim.width, card.trim.height)
    return CardState(
        card.component,
        card.id,
        card.number,
        card.copies,
        trim,
        dict(card.fields),
        card.file,
        place.line,
        lines,
        face,
        back,
    )


def _finding_state(finding: Finding) -> FindingState:
    return FindingState.of(finding, ())


def _change(before: State, after: State) -> Change | None:
    """What tells one state from the one before; None if nothing does."""
    old = {card.place: card for card in before.cards}
    new = {card.place: card for card in after.cards}
    cards = tuple(card for card in after.cards if old.get(card.place) != card)
    gone = tuple(place for place in old if place not in new)
    whole = (before.game, before.components, before.sheets) != (after.game, after.components, after.sheets)
    if not (cards or gone or whole or before.findings != after.findings or before.broken != after.broken):
        return None
    order = [place for place in old if place in new] != [place for place in new if place in old]
    return Change(after.epoch, cards, gone, after.findings, after.broken, whole or order)
