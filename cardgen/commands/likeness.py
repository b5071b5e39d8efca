"""Do two sides look the same? Each is described by what lies on it, whatever it was made from.

Sides that were made from the same look the same as long as no other file differs (icons, pictures, fonts).
The others are laid out, and what lies on them is compared: so a template may be written anew, or a file
moved, and nothing has changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from cardgen.commands.fonts import fonts_of
from cardgen.commands.grouping import kept_likeness, kept_needs, kept_sources
from cardgen.findings import CardgenError, Finding, Findings, Severity
from cardgen.model.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.project import DRAWN_FROM
from cardgen.storage.reading import PICTURE, ReadingError, read_file
from cardgen.storage.walking import walk

if TYPE_CHECKING:
    from cardgen.model.artwork import Artwork
    from cardgen.model.game import Card, Game
    from cardgen.rendering.cards import CardSide, SideName, SideRenderer
    from cardgen.typesetting.fonts import FontBook

BROKEN = b"broken"
"""The look of a side that can't be drawn."""


class Likeness:
    """The sides of one state of a game, for comparing, and what is wrong with those that were looked at."""

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
        from cardgen.rendering.cards import SideRenderer

        self._kept, self._sources = kept_likeness(game), kept_sources(game)
        self._renderer = SideRenderer(
            game, game.paths, self._fonts, low_ink=low_ink, needs=kept_needs(game), sources=self._sources
        )

    def sides(self, card: Card) -> Mapping[SideName, CardSide]:
        """A card's sides by name; one that it has not is not there."""
        if self._renderer is None:
            return {}
        return {side.side: side for side in self._renderer.sides([card], self._names)}

    def look(self, side: CardSide) -> bytes:
        """A digest of what lies on a side."""
        if not side.made_from or self._renderer is None:
            return BROKEN
        if (known := self._looks.get(side.made_from)) is not None:
            return known
        if (kept := self._kept.get(side.made_from)) is not None:
            self._looks[side.made_from] = bytes.fromhex(kept)
            return self._looks[side.made_from]
        found = BROKEN
        whole = self._renderer.ready(side)
        if whole is not None:
            made = self._renderer.lay_out(whole)
            self._renderer.say(side, made)
            if made.artwork is not None and made.can_be_drawn:
                found = self._described(made.artwork)
                self._kept.put(side.made_from, found.hex())
        self._looks[side.made_from] = found
        return found

    def finish(self) -> list[Finding]:
        """What makes sides impossible to draw, each thing once. Keeps what was found out."""
        if self._renderer is not None:
            self._renderer.finish(self._findings)
            self._kept.save()
            self._sources.save()
        return [each for each in self._findings.sorted() if each.severity is Severity.ERROR]

    def _described(self, artwork: Artwork) -> bytes:
        state = blake2b(digest_size=16)
        state.update(repr((artwork.size, artwork.bleed)).encode())
        for part in self._parts(artwork.items):
            state.update(part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass"))
            state.update(b"\0")
        return state.digest()

    def _parts(self, items: Iterable[Item]) -> Iterator[Any]:
        """All that can be seen of items, in paint order."""
        for item in items:
            if isinstance(item, Picture):
                yield item.key
            elif isinstance(item, Group):
                yield "group", item.opacity
                yield from self._parts(item.items)
                yield "end"
            elif isinstance(item, SetText):
                yield item.matrix, item.opacity, item.stroke, item.bars
                for run in item.runs:
                    yield from self._run(run)

    def _run(self, run: TextRun | IconRun) -> Iterator[Any]:
        if isinstance(run, IconRun):
            assert self._renderer is not None
            key = f"icon {run.icon}"
            if key not in self._files:
                svg = self._renderer.documents([run.icon])[run.icon]
                self._files[key] = blake2b(svg.encode(), digest_size=16).digest()
            yield self._files[key]
            yield run.x, run.y, run.size, run.fill, run.aspect
            return
        if run.font not in self._files:
            self._files[run.font] = blake2b(self._fonts.by_key(run.font).blob.data, digest_size=16).digest()
        yield self._files[run.font]
        yield run.size, run.x, run.y, run.fill, run.gaps, run.opacity, run.turn
        for word in run.words:
            yield word.advance, [glyph[:3] for glyph in word.glyphs]


def sides_that_differ(
    old: Likeness, new: Likeness, cards: tuple[Card, Card], *, files_differ: bool
) -> tuple[SideName, ...]:
    """The sides of a card, as it was and as it is, that look different. `files_differ` says that icons,
    pictures or fonts may. A side that can't be drawn looks like no other, unless both were made from the
    same."""
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
    """Whether files that sides may show or are set in differ: all below templates/ and fonts/ but the
    templates of the cards, whose SVG is compared as they rendered it."""
    templates = {
        f"templates/{name}"
        for game in (old, new)
        for card in game.cards()
        for name in (card.face, card.back)
    }
    files = [_files_of(game, templates) for game in (old, new)]
    if {name: size for name, (_, size) in files[0].items()} != {
        name: size for name, (_, size) in files[1].items()
    }:
        return True
    return any(
        _content(path, old) != _content(files[1][name][0], new) for name, (path, _) in files[0].items()
    )


def _files_of(game: Game, but: set[str]) -> Mapping[str, tuple[str, int]]:
    """Paths and sizes of a project's own files, by their names in it."""
    root = os.path.realpath(game.paths.roots[0])
    found = {}
    for folder in DRAWN_FROM:
        for path, size, _ in walk(os.path.join(root, folder), folder, game.paths.roots).files:
            name = os.path.relpath(path, root).replace(os.sep, "/")
            if name not in but:
                found[name] = path, size
    return found


def _content(path: str, game: Game) -> bytes | str:
    try:
        return read_file(path, PICTURE, path, game.paths.roots)
    except ReadingError as error:
        return error.code
