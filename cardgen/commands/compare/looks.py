"""The looks of a game's cards in two states of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from cardgen.commands.production.fonts import fonts_of
from cardgen.commands.production.results import GameResults
from cardgen.core.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.core.findings import CardgenError, Finding, Findings, Severity
from cardgen.core.game import Card, Game
from cardgen.files.listing import walk
from cardgen.files.project import DRAWN_FROM
from cardgen.files.reading import PICTURE, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide, SideName, SideRenderer
    from cardgen.text.fonts import FontBook


BROKEN = b"broken"
"""The look of a side that can't be drawn."""


class SideLooks:
    """The looks of sides of one state of a game, with the problems of those that were looked at."""

    def __init__(self, game: Game, names: Sequence[SideName], *, low_ink: bool = False) -> None:
        self._findings = Findings()
        self._names = names
        self._looks: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}
        self._renderer: SideRenderer | None = None
        try:
            self._fonts: FontBook = fonts_of(game, self._findings)
        except CardgenError as error:  # nothing can be set without fonts
            self._findings.extend(error.findings)
            return
        from cardgen.art.cards import SideRenderer

        results = GameResults(game)
        self._kept, self._sources = results.of("likeness"), results.sources()
        self._renderer = SideRenderer(
            game, game.paths, self._fonts, low_ink=low_ink, needs=results.needs(), sources=self._sources
        )

    def sides(self, card: Card) -> Mapping[SideName, CardSide]:
        """Give a card's sides by name; one that it has not is not there."""
        if self._renderer is None:
            return {}
        return {side.side: side for side in self._renderer.sides([card], self._names)}

    def look(self, side: CardSide) -> bytes:
        """Give a digest of what lies on a side."""
        if not side.made_from or self._renderer is None:
            return BROKEN
        known = self._looks.get(side.made_from)
        if known is None:
            kept = self._kept.get(side.made_from)
            known = self._describe(self._renderer, side) if kept is None else kept
            self._looks[side.made_from] = known
        return known

    def finish(self) -> list[Finding]:
        """Keep what was found out; give what makes sides impossible to draw, each thing once."""
        if self._renderer is not None:
            self._renderer.reporter.finish(self._findings)
            self._kept.save()
            self._sources.save()
        return [each for each in self._findings.sorted() if each.severity is Severity.ERROR]

    def _describe(self, renderer: SideRenderer, side: CardSide) -> bytes:
        whole = renderer.ready(side)
        if whole is None:
            return BROKEN
        made = renderer.lay_out(whole)
        renderer.say(side, made)
        if made.artwork is None or not made.can_be_drawn:
            return BROKEN
        seen = (made.artwork.size, made.artwork.bleed, *self._seen(renderer, made.artwork.items))
        found = blake2b(repr(seen).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._kept.put(side.made_from, found)
        return found

    def _seen(self, renderer: SideRenderer, items: Iterable[Item]) -> Iterator[object]:
        """Give all that can be seen of items, in paint order."""
        for item in items:
            if isinstance(item, Picture):
                yield item.key
            elif isinstance(item, Group):
                yield item.opacity, list(self._seen(renderer, item.items))
            elif isinstance(item, SetText):
                runs = [self._run(renderer, run) for run in item.runs]
                yield item.matrix, item.opacity, item.stroke, item.bars, runs

    def _run(self, renderer: SideRenderer, run: TextRun | IconRun) -> object:
        if isinstance(run, IconRun):
            key = f"icon {run.icon}"
            if key not in self._files:
                svg = renderer.laying_out.documents([run.icon])[run.icon]
                self._files[key] = blake2b(svg.encode(), digest_size=16).digest()
            return self._files[key], run.x, run.y, run.size, run.fill, run.aspect
        if run.font not in self._files:
            data = self._fonts.by_key(run.font).blob.data
            self._files[run.font] = blake2b(data, digest_size=16).digest()
        words = [(word.advance, [glyph[:3] for glyph in word.glyphs]) for word in run.words]
        place = run.size, run.x, run.y, run.fill, run.gaps, run.opacity, run.turn
        return self._files[run.font], place, words


def sides_that_differ(
    old: SideLooks, new: SideLooks, cards: tuple[Card, Card], *, files_differ: bool
) -> tuple[SideName, ...]:
    """Find the sides of a card, as it was and as it is, that look different. `files_differ` says that
    icons, pictures or fonts may. A side that can't be drawn looks like no other, unless both were made from
    the same."""
    before, after = old.sides(cards[0]), new.sides(cards[1])
    found = []
    for name in dict.fromkeys((*after, *before)):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            found.append(name)
        elif files_differ or not was.made_from or was.made_from != now.made_from:
            looks = old.look(was), new.look(now)
            if looks[0] != looks[1] or (looks[0] == BROKEN and was.made_from != now.made_from):
                found.append(name)
    return tuple(found)


def other_files_differ(old: Game, new: Game) -> bool:
    """Tell whether files that sides may show or are set in differ: all below templates/ and fonts/ but the
    templates of the cards, whose SVG is compared as they rendered it."""
    cards = (*old.cards(), *new.cards())
    templates = {f"templates/{name}" for card in cards for name in (card.face, card.back)}
    before, after = (_files_of(game, templates) for game in (old, new))
    return before.keys() != after.keys() or any(
        _content(path, old) != _content(after[name], new) for name, path in before.items()
    )


def _files_of(game: Game, but: set[str]) -> Mapping[str, str]:
    """Find the paths of a project's own files, by their names in it."""
    root = os.path.realpath(game.paths.roots[0])
    found = {}
    for folder in DRAWN_FROM:
        for path, _, _ in walk(os.path.join(root, folder), folder, game.paths.roots).files:
            name = os.path.relpath(path, root).replace(os.sep, "/")
            if name not in but:
                found[name] = path
    return found


def _content(path: str, game: Game) -> bytes | str:
    try:
        return read_file(path, PICTURE, path, game.paths.roots)
    except ReadingError as error:
        return error.code
