"""The fonts of a project."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardgen.model.game import ProjectPaths
from cardgen.project import fingerprint_of

if TYPE_CHECKING:
    from cardgen.typesetting.fonts import FontBook


def fontbook(paths: ProjectPaths) -> FontBook:
    """The fonts of a project as they lie there now, loaded as they are used."""
    return _fontbook(paths, tuple(fingerprint_of(paths, ("fonts",))))


@lru_cache(maxsize=4)
def _fontbook(paths: ProjectPaths, files: tuple[tuple[str, int, int], ...]) -> FontBook:
    from cardgen.typesetting.fonts import FontBook

    return FontBook(paths)
