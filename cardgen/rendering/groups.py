"""Groups of texts, each of which has one size on all cards of a component: the smallest that any needs.

What a text needs is measured once for each side, by itself, and kept from build to build; so a group's size
is known before the first side of its component is laid out, and is part of what its sides are made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.rendering.text import Need
from cardgen.storage.cache import Cache
from cardgen.typesetting.spans import SAME

KEEP = 8
"""Times that something new is kept before a side that none of them had is forgotten: builds of other
variants and languages lie between."""

Needs = tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class GroupSize:
    """The size of a group's texts in mm, whether that is less than their own, and the first card that
    needs it."""

    size: float
    shrunk: bool
    card: str


class Groups:
    """The groups of one component. `sides` are its sides that have any: the card, what the side is made
    from apart from its groups, and what its texts need."""

    def __init__(self, sides: Iterable[tuple[str, str, Needs]]) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        least: dict[str, GroupSize] = {}
        listed: dict[str, frozenset[float]] = {}
        for card, made_from, needs in sides:
            self._names[made_from] = tuple(sorted({need.group for need in needs}))
            for need in needs:
                so_far = least.get(need.group)
                if so_far is None or need.size < so_far.size:
                    least[need.group] = GroupSize(need.size, need.shrunk, card)
                if need.sizes:
                    both = listed.get(need.group)
                    sizes = frozenset(need.sizes)
                    listed[need.group] = sizes if both is None else both & sizes
        for name, sizes in listed.items():
            found = least[name]
            common = [size for size in sizes if size <= found.size + SAME]
            if common and max(common) < found.size - SAME:
                least[name] = GroupSize(max(common), True, found.card)
        self.sizes = least
        """By the groups' names."""

    def on(self, made_from: str) -> tuple[tuple[str, float], ...]:
        """The groups on a side, each with its size; all of them for a side that is not the component's."""
        names = self._names.get(made_from, tuple(sorted(self.sizes)))
        return tuple((name, self.sizes[name].size) for name in names)


class _Kept(NamedTuple):
    needs: Needs
    age: int


class NeedStore:
    """What the sides of a game's components need, by what they are made from, kept in `cache` under `name`
    and the component.

    `made_with` gives a digest of all that a side's source does not hold, fonts and icons; None where that
    can't be told from a later state: then nothing is kept.
    """

    def __init__(self, cache: Cache | None, name: str, made_with: Callable[[], str | None]) -> None:
        self._cache, self._name, self._made_with = cache, name, made_with

    @classmethod
    def nowhere(cls) -> NeedStore:
        return cls(None, "", lambda: None)

    def needs(
        self, component: str, sides: Iterable[tuple[str, str, Callable[[], Needs]]]
    ) -> list[tuple[str, str, Needs]]:
        """The sides of a component with what they need, measured where that is not kept."""
        made_with = None if self._cache is None else self._made_with()
        name = f"{self._name}\0{component}"
        kept = {} if made_with is None else self._load(name, made_with)
        found = []
        used: dict[str, Needs] = {}
        for card, made_from, measure in sides:
            if made_from not in used:
                used[made_from] = kept[made_from].needs if made_from in kept else measure()
            found.append((card, made_from, used[made_from]))
        if made_with is not None and not used.keys() <= kept.keys():
            self._save(name, made_with, kept, used)
        return found

    def _load(self, name: str, made_with: str) -> dict[str, _Kept]:
        assert self._cache is not None
        content = self._cache.get(name, made_of=made_with)
        if content is None:
            return {}
        return {
            made_from: _Kept(
                tuple(Need(group, size, shrunk, tuple(sizes)) for group, size, shrunk, sizes in needs), age
            )
            for made_from, age, needs in json.loads(content)
        }

    def _save(self, name: str, made_with: str, kept: dict[str, _Kept], used: dict[str, Needs]) -> None:
        assert self._cache is not None
        entries = [(made_from, 0, needs) for made_from, needs in used.items()]
        entries += [
            (made_from, side.age + 1, side.needs)
            for made_from, side in kept.items()
            if made_from not in used and side.age + 1 < KEEP
        ]
        self._cache.put(name, json.dumps(sorted(entries)).encode(), made_of=made_with)
