"""A game's cards to artwork, a side at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from cardgen.art.laying_out import LayingOut
from cardgen.art.outlining import LaidOut
from cardgen.art.side_findings import Reporter
from cardgen.art.sources import LayoutSettings, Source, SourceStore
from cardgen.art.splitting import Measures
from cardgen.art.templates import Rendered, RenderError, Templates
from cardgen.art.text import Groups, Need, Needs, NeedStore
from cardgen.core.artwork import Artwork, CardArt, Rendering
from cardgen.core.findings import Findings
from cardgen.core.game import Card, Component, Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.progress import counted
from cardgen.core.records import dataclass, replace
from cardgen.files.cache import Cache
from cardgen.text.fonts import FontBook

if TYPE_CHECKING:
    from cardgen.core.book import NamedPlaces


SideName = Literal["face", "back"]
BOTH: tuple[SideName, ...] = ("face", "back")

Place = tuple[str, str, SideName]
"""A component, one of its cards and the side."""


@dataclass(frozen=True, slots=True)
class CardSide:
    """A side of a card as its template rendered it. `made_from` is a digest of its source, which covers
    neither fonts, icons and images nor cardgen's code; sides of the same digest look the same. It is empty
    if the template failed, which is reported. `source` is None until `SideRenderer.ready` sets it; `groups`
    are its groups of texts with their sizes."""

    card: Card
    side: SideName
    template: str
    rendered: Rendered | None
    source: Source | None
    made_from: str
    groups: tuple[tuple[str, float], ...] = ()

    @property
    def place(self) -> Place:
        return self.card.component, self.card.id, self.side


def layout_settings_of(game: Game) -> LayoutSettings:
    """Return the layout settings of a game's sides in every ink."""
    stated = game.image_dpi, game.fallback, game.fonts, game.stand_ins
    return LayoutSettings(game.id, game.language, game.limits, *stated)


class SideRenderer:
    """Renders the sides of one game's cards and lays them out; collects their problems.

    `needs` has the needs of groups of texts, `sources` earlier renderings; `groups` are those of the
    rendered components. `laying_out` uses these fonts and the game's settings (`layout_settings_of`);
    several renderers can share it. `like` is a renderer of an earlier state of the game with the same files
    of templates and fonts, whose templates are reused.
    """

    def __init__(
        self,
        game: Game,
        paths: ProjectPaths,
        fonts: FontBook,
        *,
        low_ink: bool = False,
        needs: NeedStore | None = None,
        sources: SourceStore | None = None,
        laying_out: LayingOut | None = None,
        like: SideRenderer | None = None,
    ) -> None:
        self.settings = layout_settings_of(game)
        self._game = game
        templates = None if like is None else like.templates
        self.templates: Templates = Templates(
            game, paths, fonts, low_ink=low_ink, kept=sources, like=templates
        )
        self.laying_out = laying_out or LayingOut(paths, fonts, self.settings)
        self.reporter = Reporter(game)
        self._alike: dict[tuple[object, ...], CardSide] = {}
        self.groups: dict[str, Groups] = {}
        self._needs = needs or NeedStore(Cache.nowhere())

    def sides(self, cards: Iterable[Card], names: Sequence[SideName] = BOTH) -> Iterator[CardSide]:
        """Yield the sides of the cards, in order; a card without a back has one."""
        for card in cards:
            component = self._game.component(card.component)
            for name in names:
                template = card.face if name == "face" else card.back
                if template is not None:
                    yield self._side(component, card, name, template)

    def ready(self, side: CardSide) -> CardSide | None:
        """Return a side with its source, which may not have been rendered yet; None after a problem."""
        if side.source is not None:
            return side
        assert side.rendered is not None
        component = self._game.component(side.card.component)
        try:
            source = _source(component, side.card, side.template, side.rendered.whole())
        except RenderError as error:
            self._failed(error, side.card, side.side)
            return None
        return replace(side, source=replace(source, groups=side.groups))

    def circumstances(self, side: CardSide) -> tuple[Measures, str]:
        """Return everything that a side's layout depends on besides its SVG: its measures, and the folder
        of its template."""
        return _circumstances(self._game.component(side.card.component), side.card, side.template)

    def lay_out(self, side: CardSide) -> LaidOut:
        """Return the artwork of a side that has a source."""
        assert side.source is not None
        return self.laying_out.lay_out(side.source, bytes.fromhex(side.made_from))

    def named(
        self, side: CardSide, names: Iterable[str], lines: Callable[[str, int, int], str]
    ) -> NamedPlaces | None:
        """Return the places of these named things on a side; None if the side has no source. `lines`
        returns a template's lines from one to another, counting from 1."""
        whole = self.ready(side) if side.made_from else None
        if whole is None or whole.source is None or side.rendered is None:
            return None
        locate = side.rendered.locate

        def written(start: int, end: int) -> str:
            first, last = locate(start), locate(end)
            if first is None:
                return ""
            same = last is not None and last[0] == first[0] and last[1] >= first[1]
            return lines(first[0], first[1], last[1] if same and last is not None else first[1])

        return self.laying_out.pointer(whole.source).named(names, side.card.fields, written)

    def say(self, side: CardSide, made: LaidOut) -> None:
        """Collect the problems of a side that is laid out, and of the files that it shows."""
        if side.rendered is not None:
            for problem in made.problems:
                self.reporter.problem(problem, side.card, side.side, side.template, side.rendered.locate)

    def _side(self, component: Component, card: Card, name: SideName, template: str) -> CardSide:
        alike = None
        if self.templates.is_same_for_all_cards(template):
            alike = (template, component.id, card.trim, name)
            if (known := self._alike.get(alike)) is not None:
                return replace(known, card=card)
        try:
            rendered = self.templates.render(component, card, name, template)
        except RenderError as error:
            self._failed(error, card, name)
            side = CardSide(card, name, template, None, None, "")
        else:
            groups: tuple[tuple[str, float], ...] = ()
            made_from = self._made_from(component, card, template, rendered, groups)
            if rendered.grouped:
                groups = self._groups_of(component).on(made_from)
                made_from = self._made_from(component, card, template, rendered, groups)
            source = None
            if rendered.source is not None:
                source = replace(_source(component, card, template, rendered.source), groups=groups)
            side = CardSide(card, name, template, rendered, source, made_from, groups)
        if alike is not None:
            self._alike[alike] = side
        return side

    def _failed(self, error: RenderError, card: Card, name: SideName) -> None:
        for problem in error.problems:
            self.reporter.template(problem, card, name)

    def _groups_of(self, component: Component) -> Groups:
        """Return the groups of a component; the first time, all its sides are measured."""
        groups = self.groups.get(component.id)
        if groups is None:
            groups = Groups(self._needs.needs(self._grouped(component)))
            self.groups[component.id] = groups
        return groups

    def _grouped(self, component: Component) -> Iterator[tuple[str, str, Callable[[], Needs]]]:
        """Yield the sides of a component that have groups of texts: the card, the digest of the side's
        source, and a function that measures it. A side's problems are reported later, with the side."""
        seen: set[tuple[object, ...]] = set()
        for card in component.cards:
            for name, template in zip(BOTH, (card.face, card.back)):
                if not template:
                    continue
                if self.templates.is_same_for_all_cards(template):
                    alike = (template, card.trim, name)
                    if alike in seen:
                        continue
                    seen.add(alike)
                try:
                    rendered = self.templates.render(component, card, name, template, share=True)
                except RenderError:
                    continue
                if rendered.grouped:
                    made_from = self._made_from(component, card, template, rendered, ())
                    yield card.id, made_from, partial(self._needs_of, component, card, template, rendered)

    def _needs_of(
        self, component: Component, card: Card, template: str, rendered: Rendered
    ) -> tuple[Need, ...]:
        try:
            return self.laying_out.needs(_source(component, card, template, rendered.whole()))
        except RenderError:
            return ()

    def _made_from(
        self,
        component: Component,
        card: Card,
        template: str,
        rendered: Rendered,
        groups: tuple[tuple[str, float], ...],
    ) -> str:
        measures, folder = _circumstances(component, card, template)
        return Source.digest_of(rendered.digest, measures, folder, groups, self.settings).hex()


def _circumstances(component: Component, card: Card, template: str) -> tuple[Measures, str]:
    measures = Measures(card.trim.grown(component.bleed), component.bleed, component.safe)
    return measures, template.rpartition("/")[0]


def _source(component: Component, card: Card, template: str, svg: str) -> Source:
    return Source(svg, *_circumstances(component, card, template))


def card_art(
    cards: Iterable[Card], keys: Mapping[Place, str], names: Sequence[SideName] = BOTH
) -> tuple[CardArt, ...]:
    """Return the cards with the artworks of their sides; `keys` are those of sides that can be drawn,
    `names` the requested sides. A card without a face (or a back, if only that is requested) is skipped."""
    done = []
    for card in cards:
        back = keys.get((card.component, card.id, "back"))
        shown = keys.get((card.component, card.id, "face")) if "face" in names else back
        if shown is not None:
            done.append(CardArt(card.component, card.id, card.copies, shown, back))
    return tuple(done)


def render_cards(
    game: Game,
    cards: Iterable[Card],
    paths: ProjectPaths,
    fontbook: FontBook,
    *,
    low_ink: bool = False,
    findings: Findings,
    sides: Sequence[SideName] = BOTH,
    laid_out: MutableMapping[str, LaidOut] | None = None,
    needs: NeedStore | None = None,
    sources: SourceStore | None = None,
    groups: MutableMapping[str, Groups] | None = None,
    laying_out: LayingOut | None = None,
    look: Callable[[CardSide, LaidOut], LaidOut] | None = None,
    recall: Callable[[CardSide], LaidOut | None] = lambda side: None,
) -> Rendering:
    """Return the sides of the cards, laid out.

    All problems of templates, drawings and texts go to `findings`; a side that can't be drawn is skipped,
    and so is its card. With errors among the findings, the rendering is good for viewing, not for printing.
    Never raises for bad input. `laid_out` contains sides that were laid out before, by the digest of their
    source, and gets the others. `needs` has the needs of groups of texts, `sources` earlier renderings, and
    `groups` gets those of each component. `laying_out` is as `SideRenderer` takes it. `look` sees each side
    that is laid out, and returns a result to keep for it. `recall` returns that result for a side that need
    not be laid out again.
    """
    renderer = SideRenderer(
        game, paths, fontbook, low_ink=low_ink, needs=needs, sources=sources, laying_out=laying_out
    )
    made = {} if laid_out is None else laid_out
    todo = list(cards)
    keys: dict[Place, str] = {}
    artworks: dict[str, Artwork] = {}
    icons: set[str] = set()
    faulty: set[str] = set()
    step = "laying out in low ink" if low_ink else "laying out"
    for side in renderer.sides(counted(step, todo), sides):
        if not side.made_from:
            continue
        if side.made_from not in made:
            known = recall(side)
            if known is None:
                whole = renderer.ready(side)
                if whole is None:
                    continue
                laid = renderer.lay_out(whole)
                known = laid if look is None else look(whole, laid)
            made[side.made_from] = known
        found = made[side.made_from]
        renderer.say(side, found)
        if found.artwork is not None:
            keys[side.place] = found.artwork.key
            artworks.setdefault(found.artwork.key, found.artwork)
            icons |= found.icons
            if found.is_faulty:
                faulty.add(found.artwork.key)
    renderer.reporter.finish(findings)
    if groups is not None:
        groups.update(renderer.groups)
    return Rendering(
        card_art(todo, keys, sides), artworks, renderer.laying_out.documents(icons), frozenset(faulty)
    )
