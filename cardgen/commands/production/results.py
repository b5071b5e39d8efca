"""The stores of a game's results between commands."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.files.cache import Cache, digest, is_fresh, stat_files
from cardgen.files.memory import name_for_results
from cardgen.files.project import DRAWN_FROM, Project

if TYPE_CHECKING:
    from cardgen.art.sources import SourceStore
    from cardgen.art.text import NeedStore
    from cardgen.core.game import Game


class GameResults:
    """The caches of a game, in each of its languages, whose keys include its current templates, pictures
    and fonts. Create it before reading any of these: if one has just changed, appeared or gone, nothing is
    stored."""

    def __init__(self, game: Game) -> None:
        self._project = name_for_results(game.paths.roots[0])
        self._game = game.id
        self._made_with = _made_with(game)
        self._caches: dict[tuple[str, ...], Cache] = {}
        self._sources: SourceStore | None = None

    def of(self, kind: str, *more: str) -> Cache:
        """Return the cache of one kind of result, with the inputs that identify it."""
        if (kind, *more) not in self._caches:
            self._caches[kind, *more] = Cache(kind, self._project, self._game, self._made_with, *more)
        return self._caches[kind, *more]

    def save(self) -> None:
        """Write new results of all kinds."""
        for each in self._caches.values():
            each.save()

    def sources(self) -> SourceStore:
        """Return the cache of the game's rendered templates."""
        from cardgen.art.sources import SourceStore

        self._sources = self._sources or SourceStore(self.of("sources"), self.of("macros"))
        return self._sources

    def needs(self) -> NeedStore:
        """Return the cache of the sizes that texts of groups need."""
        from cardgen.art.text import NeedStore

        return NeedStore(self.of("groups"))


def _made_with(game: Game) -> str | None:
    """Return a digest of the files that a game's sides may show; None if one may change unnoticed."""
    roots = {place for root in game.paths.roots for place in (root, Path(os.path.realpath(root)))}
    inputs = Project(game.paths.roots[0], game.paths).fingerprint(game.id, DRAWN_FROM)
    folders = {
        folder for file in {os.path.dirname(name) for name, _, _ in inputs} for folder in _up(file, roots)
    }
    return None if is_fresh([*inputs, *stat_files(folders)]) else digest(inputs)


def _up(folder: str, roots: Collection[Path]) -> Iterator[Path]:
    """Yield a folder and its parents, up to the one that is read."""
    for path in (Path(folder), *Path(folder).parents):
        yield path
        if path.name in DRAWN_FROM and (path.name != "art" or path.parent in roots):
            return
