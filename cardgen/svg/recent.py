"""A memory of bounded size for what has lately been worked out."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Holds at most twice `size` entries: when `size` are new or used anew, those of before are
    forgotten. What every card has stays; what only one has goes, so that memory does not grow with
    the cards. Cheaper than keeping the order of use. A large entry counts for several."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._more = 0
        self._new: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self._new | self._old)

    def get(self, key: K) -> V | None:
        found = self._new.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: K, value: V, weight: int = 1) -> None:
        if len(self._new) + self._more >= self._size:
            self._old = self._new
            self._new = {}
            self._more = 0
        self._new[key] = value
        self._more += weight - 1
