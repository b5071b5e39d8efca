"""A game's cards to artwork."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cardgen.findings import Findings
from cardgen.model.artwork import (
    Artwork,
    CardArt,
    Group,
    Item,
    Picture,
    Placed,
    Rendering,
    SetText,
    TextRun,
)
from cardgen.model.game import Card, Component, Game, ProjectPaths
from cardgen.rendering.environment import Rendered, RenderError, Templates
from cardgen.rendering.icons import IconSet
from cardgen.rendering.images import ImageStore
from cardgen.rendering.problems import Problem
from cardgen.rendering.reporting import Reporter
from cardgen.rendering.splitting import Sheet, Split, Splitter
from cardgen.rendering.svg import SvgError
from cardgen.typesetting import FontBook

Log = Callable[[str, int, int], None]
"""Called with the name of the step, how many cards are done, and how many there are."""


Kept = Callable[[str], Artwork | None]
"""The artwork, items left out, of a side that was laid out in an earlier build, by a digest of what it
was made from. The digest covers neither fonts, icons and images nor our own code."""


@dataclass(frozen=True, slots=True)
class _Side:
    """A finished side; `artwork` is None where it could not be rendered."""

    artwork: Artwork | None
    problems: tuple[Problem, ...]
    icons: frozenset[str]


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
    log: Log | None = None,
) -> Rendering:
    """The sides of the cards, laid out.

    Everything wrong with templates, drawings and texts goes to `findings`; a side that can't be drawn is
    left out, and so is its card. With errors among the findings, the rendering is good for looking
    at, not for printing. Never raises for bad input. `kept` may know the artworks of sides that were
    laid out before.
    """
    renderer = _Renderer(game, paths, fontbook, kept, low_ink=low_ink)
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
    renderer.reporter.finish(findings)
    documents = {name: renderer.icons.get(name).svg for name in sorted(icons)}
    # A side without problems may show an icon that has some; then none is to be kept.
    sources = {} if renderer.icons.problems else renderer.sources
    return Rendering(tuple(done), artworks, documents, sources)


class _Renderer:
    """Renders sides, each distinct source once."""

    def __init__(
        self, game: Game, paths: ProjectPaths, fonts: FontBook, kept: Kept | None, *, low_ink: bool
    ) -> None:
        self.reporter = Reporter(game)
        self.icons = IconSet(paths, game.id)
        self._templates = Templates(game, paths, fonts, low_ink=low_ink)
        images = ImageStore(paths, game.id)
        self._splitter = Splitter(fonts, self.icons, images, game.language, game.limits)
        self._alike: dict[tuple[object, ...], tuple[_Side, Rendered | None]] = {}
        self._sides: dict[tuple[object, ...], _Side] = {}
        self._fonts = fonts
        self._font_digests: dict[str, bytes] = {}
        self._file_problems = 0
        self._kept = kept
        self._setting = repr((game.language, game.limits))
        self.sources: dict[str, str] = {}

    def side(self, component: Component, card: Card, side: str, template: str) -> _Side:
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
        try:
            rendered = self._templates.render(component, card, side, template)
        except RenderError as error:
            self.reporter.template(error, card)
            made = _Side(None, (), frozenset())
        else:
            measures = Sheet(card.trim.grown(component.bleed), component.bleed, component.safe)
            digest = hashlib.blake2b(rendered.source.encode(), digest_size=16).digest()
            key = (digest, measures, template)
            known_side = self._sides.get(key)
            if known_side is None:
                known_side = self._sides[key] = self._split(rendered, digest, measures, template)
            made = known_side
            self._report(made, card, side, template, rendered)
        if same is not None:
            self._alike[same] = (made, rendered)
        return made

    def _split(self, rendered: Rendered, digest: bytes, measures: Sheet, template: str) -> _Side:
        folder = template.rpartition("/")[0]
        made_from = hashlib.blake2b(digest, digest_size=16)
        made_from.update(f"\0{measures}\0{folder}\0{self._setting}".encode())
        source = made_from.hexdigest()
        if self._kept is not None and (kept := self._kept(source)) is not None:
            return _Side(kept, (), frozenset())
        try:
            split = self._splitter.split(rendered.source, measures, folder)
        except SvgError as error:
            problem = Problem("svg/syntax", str(error), error.hint, offset=error.offset)
            return _Side(None, (problem,), frozenset())
        key = self._key(made_from.digest(), split)
        artwork = Artwork(key, measures.size, measures.bleed, split.items)
        if not split.problems:
            self.sources[source] = key
        return _Side(artwork, split.problems, split.icons)

    def _key(self, made_from: bytes, split: Split) -> str:
        """A digest of all that the side's look depends on: what it was made from, images, icons, fonts."""
        state = hashlib.blake2b(made_from, digest_size=16)
        fonts: dict[str, None] = {}
        for item in _leaves(split.items):
            if isinstance(item, Picture):
                state.update(item.key.encode())
            else:
                fonts.update(dict.fromkeys(run.font for run in item.runs if isinstance(run, TextRun)))
        for font in sorted(fonts):
            state.update(self._font_digest(font))
        for name in sorted(split.icons):
            state.update(self.icons.get(name).svg.encode())
        return state.hexdigest()

    def _font_digest(self, key: str) -> bytes:
        digest = self._font_digests.get(key)
        if digest is None:
            data = self._fonts.by_key(key).blob.data
            digest = self._font_digests[key] = hashlib.blake2b(data, digest_size=16).digest()
        return digest

    def _report(self, made: _Side, card: Card, side: str, template: str, rendered: Rendered | None) -> None:
        if made.problems and rendered is not None:
            for problem in made.problems:
                self.reporter.problem(problem, card, side, template, rendered.locate)
        new = self.icons.problems[self._file_problems :]
        if new:
            self._file_problems = len(self.icons.problems)
            for file, problem, data in new:
                self.reporter.file(file, problem, data, card)


def _leaves(items: Iterable[Item]) -> Iterator[Picture | SetText]:
    for item in items:
        if isinstance(item, Group):
            yield from _leaves(item.items)
        elif not isinstance(item, Placed):
            yield item
