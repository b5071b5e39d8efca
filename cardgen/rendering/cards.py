"""A game's cards to artwork."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cardgen.findings import Findings
from cardgen.model.artwork import Artwork, CardArt, Rendering
from cardgen.model.game import Card, Component, Game, ProjectPaths
from cardgen.rendering.environment import Rendered, RenderError, Templates
from cardgen.rendering.laying_out import LaidOut, LayingOut, Manner, Source
from cardgen.rendering.side_findings import Reporter
from cardgen.rendering.splitting import Measures
from cardgen.typesetting import FontBook

Log = Callable[[str, int, int], None]
"""Called with the name of the step, how many cards are done, and how many there are."""


Kept = Callable[[str], Artwork | None]
"""The artwork, items left out, of a side that was laid out in an earlier build, by a digest of what it
was made from. The digest covers neither fonts, icons and images nor our own code."""


Place = tuple[str, str, str]
"""A component, a card of it and "face" or "back"."""

Drain = Callable[[Sequence[tuple[str, Artwork]], Mapping[str, str]], None]
"""Called with finished sides (the digest of what each was made from, its artwork) and the documents of
the icons that they show, as often as there are some. What it has got it has drawn, or reported: its
artworks are without items from then on."""

AT_ONCE = 200
"""How many finished sides are drained at a time: few enough to hold, enough to draw their pictures
together."""


def render_cards(
    game: Game,
    cards: Iterable[Card],
    paths: ProjectPaths,
    fontbook: FontBook,
    *,
    low_ink: bool = False,
    findings: Findings,
    sides: Sequence[str] = ("face", "back"),
    kept: Kept | None = None,
    known: Mapping[Place, str] | None = None,
    drain: Drain | None = None,
    log: Log | None = None,
) -> Rendering:
    """The sides of the cards, laid out.

    Everything wrong with templates, drawings and texts goes to `findings`; a side that can't be drawn is
    left out, and so is its card. With errors among the findings, the rendering is good for looking
    at, not for printing. Never raises for bad input. `kept` may know the artworks of sides that were
    laid out before, `known` the digests of what sides are made from. With a `drain` no more than
    AT_ONCE sides are held with all that is on them.
    """
    renderer = _Renderer(game, paths, fontbook, kept, low_ink=low_ink, known=known, drain=drain)
    todo = list(cards)
    artworks: dict[str, Artwork] = {}
    done: list[CardArt] = []
    icons: set[str] = set()
    for index, card in enumerate(todo, 1):
        component = game.component(card.component)
        face = renderer.side(component, card, "face", card.face) if "face" in sides else None
        back = None
        if "back" in sides and card.back is not None:
            back = renderer.side(component, card, "back", card.back)
        for side in (face, back):
            if side is not None and side.artwork is not None:
                artworks.setdefault(side.artwork.key, side.artwork)
                icons |= side.icons
        shown = face if face is not None else back
        if shown is not None and shown.artwork is not None:
            back_key = back.artwork.key if back is not None and back.artwork is not None else None
            done.append(CardArt(card.component, card.id, card.copies, shown.artwork.key, back_key))
        if log is not None:
            log("render", index, len(todo))
    renderer.drain_all()
    renderer.reporter.finish(findings)
    documents = {name: renderer.icons.get(name).svg for name in sorted(icons)}
    # A side without problems may show an icon that has some; then none is to be kept.
    sources = {} if renderer.icons.problems else renderer.sources
    return Rendering(tuple(done), artworks, documents, sources)


def sources(
    game: Game,
    cards: Iterable[Card],
    paths: ProjectPaths,
    fontbook: FontBook,
    *,
    low_ink: bool = False,
    sides: Sequence[str] = ("face", "back"),
) -> Iterator[tuple[Place, Source, str]]:
    """What the sides of the cards are laid out from, with its digest: `render_cards` up to where other
    processes can go on. A side whose template fails, or that is that of a card before, is left out."""
    templates = Templates(game, paths, fontbook, low_ink=low_ink)
    manner = Manner(game.id, game.language, game.limits)
    alike: set[tuple[object, ...]] = set()
    for card in cards:
        component = game.component(card.component)
        for side in sides:
            template = card.face if side == "face" else card.back
            if template is None:
                continue
            if templates.alike(template):
                same = (template, component.id, card.trim, side)
                if same in alike:
                    continue
                alike.add(same)
            try:
                rendered = templates.render(component, card, side, template)
            except RenderError:
                continue
            source = source_of(component, card, template, rendered)
            yield (component.id, card.id, side), source, source.digest(manner).hex()


class _Renderer:
    """Renders sides, each distinct source once."""

    def __init__(
        self,
        game: Game,
        paths: ProjectPaths,
        fonts: FontBook,
        kept: Kept | None,
        *,
        low_ink: bool,
        known: Mapping[Place, str] | None,
        drain: Drain | None,
    ) -> None:
        self.reporter = Reporter(game)
        self._manner = Manner(game.id, game.language, game.limits)
        self._laying_out = LayingOut(paths, fonts, self._manner)
        self.icons = self._laying_out.icons
        self._templates = Templates(game, paths, fonts, low_ink=low_ink)
        self._alike: dict[tuple[object, ...], tuple[LaidOut, Rendered | None]] = {}
        self._sides: dict[bytes, LaidOut] = {}
        self._file_problems = 0
        self._kept = kept
        self._known = known or {}
        self._drain = drain
        self._full: list[tuple[str, Artwork]] = []
        self._full_icons: set[str] = set()
        self.sources: dict[str, str] = {}

    def side(self, component: Component, card: Card, side: str, template: str) -> LaidOut:
        """One side of a card."""
        same: tuple[object, ...] | None = None
        if self._templates.alike(template):
            same = (template, component.id, card.trim, side)
            known = self._alike.get(same)
            if known is not None:
                made, rendered = known
                self._report(made, card, side, template, rendered)
                return made
        rendered = None
        source = self._known.get((component.id, card.id, side))
        found = self._kept(source) if source is not None and self._kept is not None else None
        if found is not None:
            made = LaidOut(found, (), frozenset())
        else:
            try:
                rendered = self._templates.render(component, card, side, template)
            except RenderError as error:
                self.reporter.template(error, card)
                made = LaidOut(None, (), frozenset())
            else:
                made = self._made(source_of(component, card, template, rendered))
                self._report(made, card, side, template, rendered)
        if same is not None:
            self._alike[same] = (made, rendered)
        return made

    def drain_all(self) -> None:
        """Hand the finished sides on that are held."""
        if self._full and self._drain is not None:
            self._drain(self._full, self._laying_out.documents(self._full_icons))
            self._full = []
            self._full_icons = set()

    def _made(self, source: Source) -> LaidOut:
        made_from = source.digest(self._manner)
        known = self._sides.get(made_from)
        if known is not None:
            return known
        if self._kept is not None and (kept := self._kept(made_from.hex())) is not None:
            made = LaidOut(kept, (), frozenset())
        else:
            made = self._new(source, made_from)
        self._sides[made_from] = made
        return made

    def _new(self, source: Source, made_from: bytes) -> LaidOut:
        made = self._laying_out.lay_out(source, made_from)
        if made.artwork is None or made.problems:
            return made
        self.sources[made_from.hex()] = made.artwork.key
        # A side without problems may show an icon that has some; then none is to be kept.
        if self._drain is None or self.icons.problems:
            return made
        self._full.append((made_from.hex(), made.artwork))
        self._full_icons |= made.icons
        if len(self._full) >= AT_ONCE:
            self.drain_all()
        return LaidOut(replace(made.artwork, items=()), (), made.icons)

    def _report(
        self, made: LaidOut, card: Card, side: str, template: str, rendered: Rendered | None
    ) -> None:
        if made.problems and rendered is not None:
            for problem in made.problems:
                self.reporter.problem(problem, card, side, template, rendered.locate)
        new = self.icons.problems[self._file_problems :]
        if new:
            self._file_problems = len(self.icons.problems)
            for file, problem, data in new:
                self.reporter.file(file, problem, data, card)


def source_of(component: Component, card: Card, template: str, rendered: Rendered) -> Source:
    """What a side is laid out from."""
    measures = Measures(card.trim.grown(component.bleed), component.bleed, component.safe)
    return Source(rendered.source, measures, template.rpartition("/")[0])
