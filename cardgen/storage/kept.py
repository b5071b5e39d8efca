"""Small results kept under keys in one entry of the user's cache, each as long as it is of use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from cardgen.storage.cache import Cache

KEEP = 8
"""Times that something new is kept before what was not used in any of them is forgotten: builds of other
variants and languages lie between."""


class Kept:
    """Values, as JSON knows them, by key, kept in `cache` under `name`, or nowhere.

    `made_with` gives a digest of all that they depend on besides their keys; None where that can't be told
    from a later state: then nothing is kept. Our code and libraries are part of any cache.
    """

    def __init__(self, cache: Cache | None, name: str, made_with: Callable[[], str | None]) -> None:
        self._name = name
        self._made_with = made_with() if cache is not None else None
        self._cache = cache if self._made_with is not None else None
        self._kept: dict[str, tuple[Any, int]] = {}
        """With how often others were kept since it was used."""
        self._used: dict[str, Any] = {}
        self._new = False
        content = None if self._cache is None else self._cache.get(name, made_of=self._made_with or "")
        if content is not None:
            self._kept = {key: (value, age) for key, value, age in json.loads(content)}

    def items(self) -> Iterator[tuple[str, Any]]:
        """All that was kept before, which is not used by that."""
        return ((key, value) for key, (value, _) in self._kept.items())

    def get(self, key: str) -> Any | None:
        """What was kept under a key before."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._used[key] = found[0]
        self._new = self._new or found[1] >= KEEP // 2  # it is still of use, and may be the only such
        return found[0]

    def put(self, key: str, value: Any) -> None:
        """Keep a value."""
        if self._cache is not None:
            self._used[key] = value
            self._new = self._new or key not in self._kept

    def forget(self) -> None:
        """Have nothing that was kept before."""
        self._kept, self._used, self._new = {}, {}, True

    def close(self) -> None:
        """Save, and hold nothing any more: what is put from now on is not kept."""
        self.save()
        self._cache = None
        self._kept, self._used = {}, {}

    def save(self) -> None:
        """Write what there is if some of it is new."""
        if self._cache is None or not self._new:
            return
        entries = [(key, value, 0) for key, value in self._used.items()]
        entries += [
            (key, value, age + 1)
            for key, (value, age) in self._kept.items()
            if key not in self._used and age + 1 < KEEP
        ]
        content = json.dumps(sorted(entries, key=itemgetter(0)), separators=(",", ":")).encode()
        self._cache.put(self._name, content, made_of=self._made_with or "")
        self._new = False
