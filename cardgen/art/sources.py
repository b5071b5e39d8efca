"""The source of a side: the input of layout, and a store for the result."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from cardgen.art.splitting import Measures
from cardgen.core.game import Limits
from cardgen.core.records import dataclass
from cardgen.files.cache import Cache

MOST_SHARED = 60_000_000
"""Most characters of SVG that are kept for the next user; others are rendered again."""

MOST_RECENT = 4_000_000
"""Most characters of SVG that are kept because they were rendered last."""


@dataclass(frozen=True, slots=True)
class KeptSource:
    """The digest of a side's SVG, and whether it has groups of texts with one size."""

    digest: bytes
    grouped: bool


class SourceStore:
    """A store of a game's rendered sides.

    A template sees the variables that it mentions, its filters and functions, and other templates; it has
    neither a clock nor random numbers of its own. A side's key is a digest of all these except the tables;
    of these, only the values that it read count.
    """

    def __init__(self, cache: Cache, macros: Cache | None = None) -> None:
        self._cache = cache
        self.macros = macros
        """The results of templates' macros; None to keep none."""
        self._shared: dict[bytes, str] = {}
        self._recent: dict[bytes, str] = {}
        self.environments: dict[object, Any] | None = {}
        """The environments of its users' templates; None if these may change while it lasts."""
        self._room = MOST_SHARED

    def share(self, digest: bytes, source: str, *, promised: bool) -> None:
        """Keep the SVG of a digest for its next user in this process: if that is `promised`, for as long as
        there is room, otherwise for a while."""
        self._recent[digest] = source
        while sum(map(len, self._recent.values())) > MOST_RECENT:
            del self._recent[next(iter(self._recent))]
        if promised and digest not in self._shared and len(source) <= self._room:
            self._shared[digest] = source
            self._room -= len(source)

    def take_shared(self, digest: bytes) -> str | None:
        """Return the SVG of a digest, released if it was promised; None if it isn't kept."""
        source = self._shared.pop(digest, None)
        if source is not None:
            self._room += len(source)
        return self._recent.get(digest) if source is None else source

    def key(self, key: str, used: Callable[[], frozenset[str] | None]) -> str:
        """Return the key under which a side made by the templates `used` is kept."""
        return key

    def recall(self, key: str, look_up: Callable[[Any], str]) -> KeptSource | None:
        """Return the kept side whose template read the same from the tables as they contain now."""
        found = self._cache.recall(key, look_up)
        return None if found is None else KeptSource(bytes.fromhex(found[0]), found[1])

    def remember(self, key: str, reads: Any, found: str, source: KeptSource) -> None:
        """Keep a rendered side, and everything that its template read from the tables."""
        self._cache.remember(key, reads, found, [source.digest.hex(), source.grouped])

    def save(self) -> None:
        """Write new results."""
        self._cache.save()
        if self.macros is not None:
            self.macros.save()


@dataclass(frozen=True, slots=True)
class LayoutSettings:
    """The layout settings of a game's sides: `game` names the folder of its icons and images, `fallback`
    the families for letters that fonts lack."""

    game: str
    language: str
    limits: Limits
    image_dpi: int | None = None
    """The resolution to which finer images are reduced."""
    fallback: tuple[str, ...] = ()
    fonts: tuple[tuple[str, str], ...] = ()
    stand_ins: tuple[tuple[str, str], ...] = ()
    """Icons without files, each with its letters."""


@dataclass(frozen=True, slots=True)
class Source:
    """A side as its template rendered it. `folder` is the template's, below `templates/`."""

    svg: str
    measures: Measures
    folder: str
    groups: tuple[tuple[str, float], ...] = ()
    """The groups of texts on it, each with its size in mm."""

    def digest(self, settings: LayoutSettings) -> bytes:
        """Return the digest that identifies the source in this or another layout."""
        return self.digest_of(svg_digest(self.svg), self.measures, self.folder, self.groups, settings)

    @staticmethod
    def digest_of(
        svg: bytes,
        measures: Measures,
        folder: str,
        groups: tuple[tuple[str, float], ...],
        settings: LayoutSettings,
    ) -> bytes:
        """Return the same of a source that need not be loaded: `svg` is the digest of its SVG."""
        made_from = hashlib.blake2b(svg, digest_size=16)
        made_from.update(_circumstances(measures, folder, settings))
        if groups:
            made_from.update(f"\0{groups!r}".encode())
        return made_from.digest()


def svg_digest(svg: str) -> bytes:
    """Return a digest of a side's SVG."""
    return hashlib.blake2b(svg.encode(), digest_size=16).digest()


@lru_cache(maxsize=256)
def _circumstances(measures: Measures, folder: str, settings: LayoutSettings) -> bytes:
    """Return the dependencies of a side besides its SVG as bytes: the same for most sides of a component.
    They name the PDF's forms, so the measures are spelled out: renaming a class must not change the printed
    result."""
    spelled = f"Sheet(size={measures.size!r}, bleed={measures.bleed!r}, safe={measures.safe!r})"
    stated = (settings.language, settings.limits, *settings.fallback)
    finest = f"\0{settings.image_dpi} dpi" if settings.image_dpi is not None else ""
    fonts = f"\0{settings.fonts!r}" if settings.fonts else ""
    icons = f"\0{settings.stand_ins!r}" if settings.stand_ins else ""
    return f"\0{spelled}\0{folder}\0{stated!r}{finest}{fonts}{icons}".encode()
