"""The source of a side: what layout reads, and how the result is kept."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from cardgen.art.splitting import Measures
from cardgen.core.game import Game, Limits
from cardgen.files.cache import Kept

MOST_LENT = 4_000_000
"""Most characters of SVG that are held for the next one to ask."""
_GROUPED = "g"
"""What follows the digest of a side with groups of texts."""
_READS = "reads "
"""What stands before the key of a side for what it read of the tables."""


@dataclass(frozen=True, slots=True)
class KeptSource:
    """The digest of a side's SVG, and whether it has groups of texts with one size."""

    digest: bytes
    grouped: bool


class SourceStore:
    """What the sides of a game rendered to.

    A template sees the variables that it mentions, its filters and functions, and other templates; it has
    neither clock nor chance of its own. So a side's key is a digest of these (`SideKeys`), and what it is
    `kept` with describes all files below templates/ and fonts/, whose letters it can measure. Of the tables
    counts what was read of them (`TableReads`), which is kept as well: while that and all else that is seen
    are the same, a template reads the same again.
    """

    holds = False
    """Whether all that is rendered is lent to it."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._lent: dict[str, str] = {}
        self._room = MOST_LENT

    def lend(self, key: str | None, source: str) -> None:
        """Hold the SVG itself for the one who asks for it next in this process, if there is room."""
        if key is not None and key not in self._lent and len(source) <= self._room:
            self._lent[key] = source
            self._room -= len(source)

    def borrowed(self, key: str | None) -> str | None:
        """The SVG that was lent, which is held no longer; None if there is none."""
        source = None if key is None else self._lent.pop(key, None)
        if source is not None:
            self._room += len(source)
        return source

    def key(self, key: str | None, used: Callable[[], frozenset[str] | None]) -> str | None:
        """What a side is kept under, whose variables have a `key` and which is made by the templates
        `used`; None for those where that can't be told."""
        return key

    def reads(self, key: str | None) -> list[Any] | None:
        """What the template of a side read of the tables when it was rendered with all that is in `key`."""
        found: list[Any] | None = None if key is None else self._kept.get(f"{_READS}{key}")
        return found

    def put_reads(self, key: str | None, reads: list[Any]) -> None:
        """Keep that."""
        if key is not None:
            self._kept.put(f"{_READS}{key}", reads)

    def get(self, key: str | None) -> KeptSource | None:
        """What was kept of a side."""
        found = None if key is None else self._kept.get(key)
        return (
            None if found is None else KeptSource(bytes.fromhex(found.rstrip(_GROUPED)), _GROUPED in found)
        )

    def put(self, key: str | None, source: KeptSource) -> None:
        """Keep what a side rendered to; None is the key of one that can't be told from others."""
        if key is not None:
            self._kept.put(key, source.digest.hex() + _GROUPED * source.grouped)

    def save(self) -> None:
        """Write the store if there is something new."""
        self._kept.save()

    def close(self) -> None:
        """Write it, and hold nothing any more."""
        self._kept.close()


class SideKeys:
    """Keys of a game's sides: digests of what their templates see. `shared` are the variables that are the
    same for all sides; the game's words, effects and fonts are what its filters and functions go by, and
    `naming` says what objects of drawings may be named after."""

    def __init__(self, game: Game, shared: dict[str, Any], naming: tuple[Any, ...] = ()) -> None:
        words = game.words
        said = None if words is None else (words.language, words.must, {**words.words})
        plain = _plain((said, game.fonts, game.fallback, game.language, naming))
        self._game = None if plain is None else _digest(plain, repr(game.effects).encode())
        self._variables = shared
        self._seen: dict[frozenset[str] | None, bytes | None] = {}
        self._components: dict[str, bytes | None] = {}

    def of(
        self,
        component: str,
        variables: dict[str, Any],
        own: tuple[Any, ...],
        mentioned: frozenset[str] | None = None,
    ) -> str | None:
        """The key of a side with the `component`'s `variables` and what it has of its `own`; None where a
        value is of a type that isn't known to be told from others. Of the shared variables a template sees
        those that it and all it includes `mentioned`, None for all."""
        about, plain = self.about(component, variables, mentioned), _plain(own)
        return None if about is None or plain is None else _digest(about, plain).hex()

    def about(
        self, component: str, variables: dict[str, Any], mentioned: frozenset[str] | None = None
    ) -> bytes | None:
        """A digest of what all sides of the `component` see, as `of` takes it."""
        if component not in self._components:
            plain = _plain(variables)
            self._components[component] = None if plain is None else _digest(plain)
        if mentioned not in self._seen:
            seen = {
                name: value
                for name, value in self._variables.items()
                if mentioned is None or name in mentioned
            }
            plain = _plain(seen)
            self._seen[mentioned] = None if plain is None else _digest(plain)
        shared, about = self._seen[mentioned], self._components[component]
        if self._game is None or shared is None or about is None:
            return None
        return _digest(self._game, shared, about)


def with_reads(key: str | None, reads: list[Any], values: list[Any]) -> str | None:
    """The key of a side that has this key apart from the tables, and whose template read these values."""
    plain = None if key is None else _plain((key, reads, values))
    return None if plain is None else _digest(plain).hex()


def _plain(value: Any) -> bytes | None:
    """A spelling of plain data that tells types (1 from 1.0 from True, a list from a tuple), the order of
    keys and every digit; None for data that hold anything else. Version 0 has no references, so that
    equal data are spelled alike, whatever objects they share."""
    try:
        return marshal.dumps(value, 0)
    except ValueError:
        return None


def _digest(*parts: bytes) -> bytes:
    state = blake2b(digest_size=16)
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.digest()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a game's sides are laid out: `game` names the folder of its icons and images, `fallback` the
    families for letters that fonts lack."""

    game: str
    language: str
    limits: Limits
    image_dpi: int | None = None
    """What finer images are brought down to."""
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

    def digest(self, manner: Manner) -> bytes:
        """What tells it from other sources, laid out in this or in another manner."""
        return self.digest_of(svg_digest(self.svg), self.measures, self.folder, self.groups, manner)

    @staticmethod
    def digest_of(
        svg: bytes,
        measures: Measures,
        folder: str,
        groups: tuple[tuple[str, float], ...],
        manner: Manner,
    ) -> bytes:
        """The same of a source that need not be at hand: `svg` is the digest of its SVG."""
        made_from = hashlib.blake2b(svg, digest_size=16)
        made_from.update(_circumstances(measures, folder, manner))
        if groups:
            made_from.update(f"\0{groups!r}".encode())
        return made_from.digest()


def svg_digest(svg: str) -> bytes:
    """A digest of a side's SVG."""
    return hashlib.blake2b(svg.encode(), digest_size=16).digest()


@lru_cache(maxsize=256)
def _circumstances(measures: Measures, folder: str, manner: Manner) -> bytes:
    """What a side depends on besides its SVG: the same for most sides of a component. The PDF's forms are
    named by it, so the measures are spelled out: no renaming of a class may change what is printed."""
    spelled = f"Sheet(size={measures.size!r}, bleed={measures.bleed!r}, safe={measures.safe!r})"
    manners = (manner.language, manner.limits, *manner.fallback)
    finest = f"\0{manner.image_dpi} dpi" if manner.image_dpi is not None else ""
    fonts = f"\0{manner.fonts!r}" if manner.fonts else ""
    icons = f"\0{manner.stand_ins!r}" if manner.stand_ins else ""
    return f"\0{spelled}\0{folder}\0{manners!r}{finest}{fonts}{icons}".encode()
