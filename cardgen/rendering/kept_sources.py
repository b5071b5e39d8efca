"""What templates rendered before, by all that they saw: a side that did not change isn't rendered again.

Only the digest of its SVG is kept, which says whether the side is drawn already. Where the SVG itself is
wanted after all, the template renders it.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from cardgen.model.game import Game
from cardgen.storage.cache import Cache

KEEP = 8
"""Times that something new is kept before a side that none of them had is forgotten: builds of other
variants and languages lie between."""


@dataclass(frozen=True, slots=True)
class KeptSource:
    """The digest of a side's SVG, and whether it has groups of texts with one size."""

    digest: bytes
    grouped: bool


class SourceStore:
    """What the sides of a game rendered to, kept in `cache` under `name`, or nowhere.

    A template sees its variables, its filters and functions, and other templates; it has neither clock nor
    chance of its own. So a side's key is a digest of its variables (`SideKeys`), and `made_with` gives one
    of all files below templates/ and fonts/, whose letters it can measure; None where these can't be told
    from a later state: then nothing is kept. Our code and libraries are part of any cache.
    """

    def __init__(self, cache: Cache | None, name: str, made_with: Callable[[], str | None]) -> None:
        self._name = name
        self._made_with = made_with() if cache is not None else None
        self._cache = cache if self._made_with is not None else None
        self._kept: dict[str, tuple[str, bool, int]] = {}
        """By key: the digest, whether there are groups, and its age."""
        self._used: dict[str, tuple[str, bool]] = {}
        self._new = False
        content = None if self._cache is None else self._cache.get(name, made_of=self._made_with or "")
        if content is not None:
            self._kept = {key: (digest, grouped, age) for key, digest, grouped, age in json.loads(content)}

    @classmethod
    def nowhere(cls) -> SourceStore:
        return cls(None, "", lambda: None)

    def get(self, key: str | None) -> KeptSource | None:
        """What was kept of a side."""
        found = self._kept.get(key) if key is not None else None
        if found is None or key is None:
            return None
        digest, grouped, _ = found
        self._used[key] = digest, grouped
        return KeptSource(bytes.fromhex(digest), grouped)

    def put(self, key: str | None, source: KeptSource) -> None:
        """Keep what a side rendered to; None is the key of one that can't be told from others."""
        if key is not None and self._cache is not None:
            self._used[key] = source.digest.hex(), source.grouped
            self._new = self._new or key not in self._kept

    def save(self) -> None:
        """Write the store if there is something new."""
        if self._cache is None or not self._new:
            return
        entries = [(key, *source, 0) for key, source in self._used.items()]
        entries += [
            (key, digest, grouped, age + 1)
            for key, (digest, grouped, age) in self._kept.items()
            if key not in self._used and age + 1 < KEEP
        ]
        self._cache.put(self._name, json.dumps(sorted(entries)).encode(), made_of=self._made_with or "")
        self._new = False


class SideKeys:
    """Keys of a game's sides: digests of what their templates see. `shared` are the variables that are the
    same for all sides; the game's words, effects and fonts are what its filters and functions go by."""

    def __init__(self, game: Game, shared: dict[str, Any]) -> None:
        words = game.words
        said = None if words is None else (words.language, words.must, {**words.words})
        plain = _plain((shared, said, game.fonts, game.fallback, game.language))
        self._shared = None if plain is None else _digest(plain, repr(game.effects).encode())
        self._components: dict[str, bytes | None] = {}

    def of(self, component: str, variables: dict[str, Any], own: tuple[Any, ...]) -> str | None:
        """The key of a side with the `component`'s `variables` and what it has of its `own`; None where a
        value is of a type that isn't known to be told from others."""
        if component not in self._components:
            plain = _plain(variables)
            self._components[component] = None if plain is None else _digest(plain)
        about, plain = self._components[component], _plain(own)
        if self._shared is None or about is None or plain is None:
            return None
        return _digest(self._shared, about, plain).hex()


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
