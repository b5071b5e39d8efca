"""The stores of a game's results between commands."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.files.cache import Cache, digest, is_fresh, stat_files
from cardgen.files.project import DRAWN_FROM, Project

if TYPE_CHECKING:
    from cardgen.art.sources import SourceStore
    from cardgen.art.text import NeedStore
    from cardgen.core.game import Game


class GameResults:
    """The caches of a game, made with its templates, pictures and fonts as they are now. To be asked for
    before any of these is read: where one has just changed, come or gone, nothing is kept."""

    def __init__(self, game: Game) -> None:
        self._project = str(game.paths.roots[0].resolve())
        self._game = game.id
        self._made_with = _made_with(game)

    def of(self, kind: str, *more: str) -> Cache:
        """Return the results of one kind, and of what tells them from others of the kind."""
        return Cache(kind, self._project, self._game, self._made_with, *more)

    def sources(self) -> SourceStore:
        """Return what the game's templates rendered."""
        from cardgen.art.sources import SourceStore

        return SourceStore(self.of("sources"))

    def needs(self) -> NeedStore:
        """Return what the texts of groups need."""
        from cardgen.art.text import NeedStore

        return NeedStore(self.of("groups"))


def _made_with(game: Game) -> str | None:
    """Return a digest of the files that the sides of a game may show; None if one may yet change unseen."""
    roots = {place for root in game.paths.roots for place in (root, Path(os.path.realpath(root)))}
    inputs = Project(game.paths.roots[0], game.paths).fingerprint(game.id, DRAWN_FROM)
    folders = {
        folder for file in {os.path.dirname(name) for name, _, _ in inputs} for folder in _up(file, roots)
    }
    return None if is_fresh([*inputs, *stat_files(folders)]) else digest(inputs)


def _up(folder: str, roots: Collection[Path]) -> Iterator[Path]:
    """Yield a folder and those that it lies in, up to the one that is read."""
    for path in (Path(folder), *Path(folder).parents):
        yield path
        if path.name in DRAWN_FROM and (path.name != "art" or path.parent in roots):
            return
