"""What templates rendered, kept packed in memory, and what groups of texts need."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

from cardgen.rendering.groups import Needs, NeedStore
from cardgen.rendering.kept_sources import KeptSource, SourceStore
from cardgen.rendering.laying_out import svg_digest
from cardgen.storage.kept import Kept
from cardgen.workbench.assets import Names, names_in
from cardgen.workbench.files import Files

MOST_PACKED = 16_000_000
"""Bytes of packed sources that are held, those used last."""
_MOST_KEYS = 50_000


@dataclass(frozen=True, slots=True)
class Packed:
    """A rendered side, packed, and what it names."""

    data: bytes
    names: Names

    @property
    def svg(self) -> str:
        return zlib.decompress(self.data).decode()


class MemorySources(SourceStore):
    """What the sides of a project's games rendered to, by what their templates saw and by the content of
    the templates that they are made by, as `files` were seen last; of the fonts, too, whose letters
    templates can measure."""

    holds = True

    def __init__(self, files: Files) -> None:
        super().__init__(Kept(None, "", lambda: None))
        self._files = files
        self._found: OrderedDict[str, KeptSource] = OrderedDict()
        self._packed: OrderedDict[bytes, Packed] = OrderedDict()
        self._size = 0
        self._used: dict[frozenset[str] | None, tuple[int, bytes]] = {}
        self._new: list[str] = []
        self._by: set[frozenset[str] | None] = set()

    def made_by(self, used: frozenset[str] | None) -> bytes:
        """A digest of these templates, or of all, and of all fonts."""
        known = self._used.get(used)
        if known is None or known[0] != self._files.changed:
            state = blake2b(self._files.fonts, digest_size=16)
            if used is None or not self._files.is_plain:
                state.update(self._files.templates)
            else:
                for name in sorted(used):
                    state.update(f"\0{name}\0".encode(errors="surrogateescape"))
                    state.update(self._files.digest(f"templates/{name}"))
            known = self._used[used] = self._files.changed, state.digest()
        return known[1]

    def key(self, key: str | None, used: Callable[[], frozenset[str] | None]) -> str | None:
        if key is None:
            return None
        names = used()
        self._by.add(names)
        return f"{key}{self.made_by(names).hex()}"

    def get(self, key: str | None) -> KeptSource | None:
        found = None if key is None else self._found.get(key)
        return found if found is not None and found.digest in self._packed else None

    def put(self, key: str | None, source: KeptSource) -> None:
        if key is not None:
            self._found[key] = source
            self._new.append(key)
            while len(self._found) > _MOST_KEYS:
                self._found.popitem(last=False)

    def borrowed(self, key: str | None) -> str | None:
        found = self.get(key)
        return None if found is None else self._packed[found.digest].svg

    def lend(self, key: str | None, source: str) -> None:
        self.pack(svg_digest(source), source)

    def save(self) -> None:
        """Forget what was rendered since the last time, if a template that it is made by has changed since
        `files.look`: it may be made by a later one."""
        used = (
            set().union(
                *(
                    self._files.names("templates")
                    if each is None
                    else {f"templates/{name}" for name in each}
                    for each in self._by
                )
            )
            if self._new
            else set()
        )
        if not self._files.is_still(used):
            for key in self._new:
                self._found.pop(key, None)
        self._new, self._by = [], set()

    def pack(self, digest: bytes, svg: str) -> Packed:
        """A rendered side, held from now on."""
        known = self._packed.get(digest)
        if known is None:
            known = self._packed[digest] = Packed(zlib.compress(svg.encode(), 1), names_in(svg))
            self._size += len(known.data)
            while self._size > MOST_PACKED:
                self._size -= len(self._packed.popitem(last=False)[1].data)
        return known

    def of(self, digest: bytes) -> Packed | None:
        """The rendered side of that digest, if it is held."""
        known = self._packed.get(digest)
        if known is not None:
            self._packed.move_to_end(digest)
        return known


class MemoryNeeds(NeedStore):
    """What groups of texts need, by what their sides are made from, as long as fonts and icons are the
    same: `state` tells them apart."""

    def __init__(self, state: Callable[[], bytes]) -> None:
        super().__init__(None, "", lambda: None)
        self._state = state
        self._known: dict[tuple[bytes, str], Needs] = {}

    def needs(
        self, component: str, sides: Iterable[tuple[str, str, Callable[[], Needs]]]
    ) -> list[tuple[str, str, Needs]]:
        state = self._state()
        found = []
        used = {}
        for card, made_from, measure in sides:
            key = (state, made_from)
            if key not in used:
                used[key] = self._known[key] if key in self._known else measure()
            found.append((card, made_from, used[key]))
        self._known = {key: needs for key, needs in self._known.items() if key[0] == state} | used
        return found
