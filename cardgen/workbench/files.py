"""Contents of drawings, fonts and icons, read only when they changed."""

from __future__ import annotations

import os
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from sys import intern
from typing import Any, Generic, NamedTuple, TypeVar

from cardgen.art.icons import places_of
from cardgen.art.sources import KeptSource, SourceStore
from cardgen.core.findings import CardgenError
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass
from cardgen.files.cache import RACY_NS, Cache
from cardgen.files.listing import folded, walk
from cardgen.files.project import DRAWN_FROM
from cardgen.files.reading import PICTURE, RASTERS, read_blocks
from cardgen.files.writing import changed_ns

DRAWN = (".svg", *RASTERS)
_ICONS = "/icons/"
_COMPILED = "__pycache__"

Stat = tuple[int, int]
"""A file's bytes and its modification time (ns)."""
K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key, limited to a total weight of `most`; the least recently used go first."""

    def __init__(self, most: int, weigh: Callable[[V], int] = lambda value: 1) -> None:
        self._most, self._weigh = most, weigh
        self._values: dict[K, V] = {}
        self.weight = 0

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: K) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[K]:
        return iter(self._values)

    def get(self, key: K) -> V | None:
        """Return a value, now the most recently used."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def put(self, key: K, value: V) -> V:
        """Store a value, replacing the key's old one, and drop the least recently used."""
        self.pop(key)
        self._values[key] = value
        self.weight += self._weigh(value)
        while self.weight > self._most:
            self.pop(next(iter(self._values)))
        return value

    def pop(self, key: K) -> V | None:
        """Drop a value."""
        value = self._values.pop(key, None)
        if value is not None:
            self.weight -= self._weigh(value)
        return value

    def clear(self) -> None:
        """Drop all values."""
        self._values, self.weight = {}, 0


class Files:
    """The files below templates/, art/ and fonts/ of a project and of the bundled one behind it.

    `look` reads the current files; all other methods answer for that moment. A file's content is identified
    by its digest, which is kept while its size and time are unchanged, except for a file changed so
    recently that the next change may have the same time. `listing` is a digest of the names of drawings and
    pictures; `changed` grows with each change.
    """

    def __init__(self, paths: ProjectPaths) -> None:
        self.paths = paths
        self.changed = 0
        self.is_plain = True
        """True if no folder is a link: then each name is one file, which can be found by it."""
        self.listing = b""
        self._there: dict[Path, dict[str, Stat]] = {}
        self._odd: dict[Path, object] = {}
        self._digests: dict[tuple[Path, str], tuple[Stat, bool, bytes]] = {}
        """Digests, and if the file may have changed since with the same modification time."""
        self._derived: dict[object, Any] = {}

    def look(self, changed: Iterable[Path] | None = None) -> None:
        """Read the current files, or only these paths if the others are known to be unchanged."""
        before = (self._there, self._odd)
        there, odd = dict(self._there), dict(self._odd)
        hints = None if changed is None else [os.fspath(path) for path in changed]
        if not hints or not all(any(_below(path, root) for root in self.paths.roots) for path in hints):
            hints = None  # links may lead to files elsewhere
        fresh = set()
        for root in self.paths.roots:
            if root in there and hints is not None and not any(_below(path, root) for path in hints):
                continue
            there[root], odd[root] = self._walked(root)
            fresh.add(root)
        lost = [
            (root, name)
            for (root, name), (stat, uncertain, _) in self._digests.items()
            if root in fresh and (uncertain or there[root].get(name) != stat)
        ]
        for place in lost:
            del self._digests[place]
        if lost or (there, odd) != before:
            self.changed += 1
            self._derived = {}
        if (there, odd) != before:
            self._there, self._odd = there, odd
            self.is_plain = not any(odd.values())
            names = sorted({name for each in there.values() for name in each if name.endswith(DRAWN)})
            self.listing = _digest("\0".join(names).encode(errors="surrogateescape"))

    def _walked(self, root: Path) -> tuple[dict[str, Stat], object]:
        """Return the files of a root by their names, and its unusual folders."""
        files: dict[str, Stat] = {}
        odd: list[object] = []
        for folder in DRAWN_FROM:
            try:
                found = walk(root / folder, folder, self.paths.roots, skip=_is_compiled)
            except CardgenError as error:
                odd.append(str(error))
                continue
            base = os.path.join(os.path.realpath(root), "")
            for path, size, changed in found.files:
                if path.startswith(base):
                    files[path[len(base) :].replace(os.sep, "/")] = size, changed
                else:
                    odd.append((path, size, changed))
            odd += sorted(found.links)
        return files, odd

    def derive(self, key: object, make: Callable[[], V]) -> V:
        """Return a value derived from the files, computed again only if one of them changed."""
        if key not in self._derived:
            self._derived[key] = make()
        found: V = self._derived[key]
        return found

    def root_of(self, name: str) -> Path | None:
        """Return the first root that has a file of that name, such as `templates/fox/card.svg`."""
        return next((root for root in self.paths.roots if name in self._there.get(root, ())), None)

    def spelled(self, name: str) -> str | None:
        """Return a file's name on disk: this name, or else one that differs in capitals or in Unicode
        composition."""
        if self.root_of(name) is not None:
            return name
        spellings = self.derive("spellings", self._spellings)
        return spellings.get(folded(name))

    def _spellings(self) -> dict[str, str]:
        return {folded(each): each for each in reversed(self.names(""))}

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, or of all, sorted."""
        start = f"{folder}/" if folder else ""
        return sorted({name for each in self._there.values() for name in each if name.startswith(start)})

    def digest(self, name: str, root: Path | None = None) -> bytes:
        """Return a digest of the file of that name, in a root or in the first that has it; empty if there
        is none."""
        if root is None:
            name = self.spelled(name) or name
        place = self.root_of(name) if root is None else root
        stat = None if place is None else self._there.get(place, {}).get(name)
        if place is None or stat is None:
            return b""
        known = self._digests.get((place, name))
        if known is None:
            uncertain = stat[1] + RACY_NS >= time.time_ns()
            known = self._digests[place, name] = stat, uncertain, self._read(place, name)
        return known[2]

    def _read(self, root: Path, name: str) -> bytes:
        state = blake2b(digest_size=16)
        try:
            for block in read_blocks(root / name, PICTURE, name, self.paths.roots):
                state.update(block)
        except CardgenError as error:  # the file's user reports it
            state.update(f"\0{error}".encode(errors="surrogateescape"))
        return state.digest()

    @property
    def fonts(self) -> bytes:
        """Return a digest of all files of fonts with their names."""
        return self._whole("fonts", "fonts", lambda name: True)

    @property
    def icons(self) -> bytes:
        """Return a digest of all icons with their names."""
        return self._whole("icons", "templates", lambda name: _ICONS in name)

    @property
    def drawings(self) -> bytes:
        """Return a digest of all files that can be a template, or a part of one: all but bitmaps."""
        return self._whole("drawings", "templates", lambda name: not name.endswith(RASTERS))

    @property
    def templates(self) -> bytes:
        """Return a digest of all files below templates/ and art/."""
        return self._whole("templates", "", lambda name: not name.startswith("fonts/"))

    def _whole(self, what: str, folder: str, wanted: Callable[[str], bool]) -> bytes:
        def make() -> bytes:
            state = blake2b(digest_size=16)
            if not self.is_plain:
                state.update(repr(sorted(self._odd.items())).encode(errors="surrogateescape"))
            for name in self.names(folder):
                if wanted(name):
                    state.update(f"{name}\0".encode(errors="surrogateescape"))
                    for root in self.paths.roots:
                        state.update(self.digest(name, root) + b";")
            return state.digest()

        return self.derive(what, make)

    def is_still(self, names: Iterable[str]) -> bool:
        """Return True if these files are unchanged since `look`."""
        for name in names:
            root = self.root_of(name)
            if root is None:
                continue
            try:
                stat = os.stat(f"{root}{os.sep}{name}")
            except OSError:
                return False
            if (stat.st_size, changed_ns(stat)) != self._there[root][name]:
                return False
        return True


def _is_compiled(path: str, name: str, depth: int) -> bool:
    return name == _COMPILED


def _below(path: str, root: Path) -> bool:
    return path.startswith(os.path.join(root, "")) or path == str(root)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


_NAME = """[^\\s"'()<>#@:;,&\N{FULLWIDTH COLON}]+"""
_ICON = re.compile(f"(?:icon-|[:\N{FULLWIDTH COLON}])({_NAME})")
"""The form of an icon's name: `icon-NAME` in references, `:NAME:` in texts."""
_USUAL = re.compile(_NAME)
"""An icon with another name counts as shown on every side."""
_SHOWN = re.compile("""href\\s*=\\s*(?:"([^"]*)"|'([^']*)')""")
_VEILED = ("&#", "<!", "<?")
"""In a source with one of these a name may be written differently."""


class Names(NamedTuple):
    """The names in a side's source: words that may be icons, hrefs of pictures; None for any."""

    icons: frozenset[str] | None
    hrefs: frozenset[str] | None


def names_in(svg: str) -> Names:
    """Return the names that a rendered side uses."""
    if any(sign in svg for sign in _VEILED):
        return Names(None, None)
    hrefs = {double or single for double, single in _SHOWN.findall(svg)}
    hrefs = {href for href in hrefs if not href.startswith(("#", "data:"))}
    icons = _alike(frozenset(map(intern, _ICON.findall(svg))))
    if any("&" in href for href in hrefs):
        return Names(icons, None)
    return Names(icons, _alike(frozenset(map(intern, hrefs))))


@lru_cache(maxsize=2_000)
def _alike(names: frozenset[str]) -> frozenset[str]:
    """Return one shared copy of an equal value, since very many sides have the same."""
    return names


class Assets:
    """The icons and pictures of a game's templates, as `IconSet` and `ImageStore` find them.

    Answers depend on the files at the last `Files.look`.
    """

    def __init__(self, files: Files, game: str) -> None:
        self._files, self._game = files, game

    def digest(self, names: Names, folder: str) -> bytes:
        """Return a digest of everything shown by a side with these names and a template in `folder`, and of
        the fonts."""
        return self._of(names, folder)[0]

    def files(self, names: Names, folder: str) -> tuple[str, ...] | None:
        """Return the names of the files that it may show; None if it may show any."""
        return self._of(names, folder)[1]

    def _of(self, names: Names, folder: str) -> tuple[bytes, tuple[str, ...] | None]:
        return self._files.derive((self, names, folder), lambda: self._made(names, folder))

    def _named(self) -> dict[str, str]:
        """Return the files of icons by their names: the game's own before the shared ones."""
        icons: dict[str, str] = {}
        for owner in ("_shared", self._game):
            place = f"templates/{owner}/icons/"
            for file in self._files.names(place[:-1]):
                name = file.removeprefix(place)
                if name.endswith(".svg") and "/" not in name:
                    icons[name.removesuffix(".svg")] = file
        return icons

    def _made(self, names: Names, folder: str) -> tuple[bytes, tuple[str, ...] | None]:
        files = self._files
        state = blake2b(files.fonts, digest_size=16)
        if names.icons is None or names.hrefs is None or not files.is_plain:
            state.update(files.templates)
            return state.digest(), None
        known = files.derive((self, "icons"), self._named)
        unusual = {name for name in known if not _USUAL.fullmatch(name)}
        shown = [known[name] for name in sorted(known.keys() & (names.icons | unusual))]
        for href in sorted(names.hrefs):
            for place in places_of(href, folder, self._game):
                file = files.spelled(place)
                if file is None:
                    continue
                shown.append(file)
                if not file.lower().endswith(RASTERS):  # a drawing may show pictures
                    shown += [name for name in files.names("") if name.lower().endswith(RASTERS)]
        for file in shown:
            state.update(f"\0{file}\0".encode(errors="surrogateescape") + files.digest(file))
        return state.digest(), tuple(shown)


MOST_PACKED = 16_000_000
"""Bytes of packed sources in memory, the recently used ones."""
_MOST_KEYS = 50_000


@dataclass(frozen=True, slots=True)
class Packed:
    """A rendered side, packed, and the names in it."""

    data: bytes
    names: Names

    @property
    def svg(self) -> str:
        return zlib.decompress(self.data).decode()


class MemoryCache(Cache):
    """Recently used results in memory, valid while `state` is the same."""

    def __init__(self, state: Callable[[], bytes] = bytes) -> None:
        super().__init__("", None, environment="")
        self._values: Recent[tuple[bytes, str], Any] = Recent(_MOST_KEYS)
        self._state = state

    def get_value(self, key: str) -> Any | None:
        return self._values.get((self._state(), key))

    def put_value(self, key: str, value: Any) -> None:
        self._values.put((self._state(), key), value)


class MemorySources(SourceStore):
    """The rendered sides of a project's games. Their keys are their templates' inputs and the content of
    these templates at the last `files.look`, and of the fonts, whose letters templates can measure."""

    def __init__(self, files: Files) -> None:
        super().__init__(MemoryCache())
        self.environments = None
        self._files = files
        self._packed: Recent[bytes, Packed] = Recent(MOST_PACKED, lambda packed: len(packed.data))
        self._new: list[str] = []
        self._by: set[frozenset[str] | None] = set()

    def made_by(self, used: frozenset[str] | None) -> bytes:
        """Return a digest of these templates, or of all, and of all fonts."""

        def make() -> bytes:
            state = blake2b(self._files.fonts, digest_size=16)
            if used is None or not self._files.is_plain:
                state.update(self._files.templates)
            else:
                for name in sorted(used):
                    state.update(f"\0{name}\0".encode(errors="surrogateescape"))
                    state.update(self._files.digest(f"templates/{name}"))
            return state.digest()

        return self._files.derive((self, used), make)

    def key(self, key: str, used: Callable[[], frozenset[str] | None]) -> str:
        names = used()
        self._by.add(names)
        return f"{key}{self.made_by(names).hex()}"

    def recall(self, key: str, look_up: Callable[[Any], str]) -> KeptSource | None:
        found = super().recall(key, look_up)
        return None if found is None or found.digest not in self._packed else found

    def remember(self, key: str, reads: Any, found: str, source: KeptSource) -> None:
        super().remember(key, reads, found, source)
        self._new.append(key)

    def take_shared(self, digest: bytes) -> str | None:
        packed = self._packed.get(digest)
        return None if packed is None else packed.svg

    def share(self, digest: bytes, source: str, *, promised: bool) -> None:
        self.pack(digest, source)

    def save(self) -> None:
        """Drop recently rendered sides if one of their templates has changed since `files.look`: a later
        version may have made them."""
        used: set[str] = set()
        for names in self._by if self._new else ():
            templates = self._files.names("templates")
            used.update(templates if names is None else (f"templates/{name}" for name in names))
        if not self._files.is_still(used):
            for key in self._new:
                self._cache.put_value(key, [])
        self._new, self._by = [], set()

    def pack(self, digest: bytes, svg: str) -> Packed:
        """Store a rendered side and return it."""
        known = self._packed.get(digest)
        if known is None:
            known = self._packed.put(digest, Packed(zlib.compress(svg.encode(), 1), names_in(svg)))
        return known

    def of(self, digest: bytes) -> Packed | None:
        """Return the stored rendered side of that digest, or None."""
        return self._packed.get(digest)
