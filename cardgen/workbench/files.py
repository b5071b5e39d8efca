"""What the files of drawings and fonts hold, each read only when it changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path

from cardgen.findings import CardgenError
from cardgen.model.game import ProjectPaths
from cardgen.project import DRAWN_FROM
from cardgen.storage.files import changed_ns
from cardgen.storage.names import folded
from cardgen.storage.reading import PICTURE, read_blocks
from cardgen.storage.stamps import RACY_NS
from cardgen.storage.walking import walk

RASTERS = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")
DRAWN = (".svg", *RASTERS)
_ICONS = "/icons/"
_COMPILED = "__pycache__"

Stat = tuple[int, int]
"""A file's bytes and the time of its last change (ns)."""


class Files:
    """The files below templates/, art/ and fonts/ of a project and of the bundled one behind it.

    `look` says what lies there now; all else is told of that moment. A file's content is known by its
    digest, which is kept as long as its size and time are the same, but for one that was changed so lately
    that the next change may not show. `listing` is a digest of the names of drawings and pictures,
    `changed` grows with each change of anything.
    """

    def __init__(self, paths: ProjectPaths) -> None:
        self.paths = paths
        self.changed = 0
        self.is_plain = True
        """Whether no folder is a link: then a name is one file, and is found by it."""
        self.listing = b""
        self._there: dict[Path, dict[str, Stat]] = {}
        self._odd: dict[Path, object] = {}
        self._digests: dict[tuple[Path, str], tuple[Stat, bool, bytes]] = {}
        """With whether the file may have changed since without its time saying so."""
        self._wholes: dict[str, tuple[int, bytes]] = {}
        self._folded: tuple[int, dict[str, str]] = (-1, {})

    def look(self, changed: Iterable[Path] | None = None) -> None:
        """See what lies there now; of these paths alone, where it is known that others are as before."""
        before = (self._there, self._odd)
        there, odd = dict(self._there), dict(self._odd)
        hints = None if changed is None else [os.fspath(path) for path in changed]
        if not hints or not all(any(_below(path, root) for root in self.paths.roots) for path in hints):
            hints = None  # what lies elsewhere may be shown through a link
        fresh = set()
        for root in self.paths.roots:
            if root in there and hints is not None and not any(_below(path, root) for path in hints):
                continue
            there[root], odd[root] = self._walked(root)
            fresh.add(root)
        for (root, name), (stat, uncertain, _) in list(self._digests.items()):
            if root in fresh and (uncertain or there[root].get(name) != stat):
                del self._digests[root, name]
                self.changed += 1
        if (there, odd) != before:
            self.changed += 1
            self._there, self._odd = there, odd
            self.is_plain = not any(odd.values())
            names = sorted({name for each in there.values() for name in each if name.endswith(DRAWN)})
            self.listing = _digest("\0".join(names).encode(errors="surrogateescape"))

    def _walked(self, root: Path) -> tuple[dict[str, Stat], object]:
        """The files of a root by their names, and what is unusual about its folders."""
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

    def root_of(self, name: str) -> Path | None:
        """The first root that has a file of that name, such as `templates/fox/card.svg`."""
        return next((root for root in self.paths.roots if name in self._there.get(root, ())), None)

    def spelled(self, name: str) -> str | None:
        """Return what the disk calls a file: of that name, or else of one that differs in capitals or in
        how its letters are composed."""
        if self.root_of(name) is not None:
            return name
        if self._folded[0] != self.changed:
            self._folded = self.changed, {folded(each): each for each in reversed(self.names(""))}
        return self._folded[1].get(folded(name))

    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, or of all, sorted."""
        start = f"{folder}/" if folder else ""
        return sorted({name for each in self._there.values() for name in each if name.startswith(start)})

    def digest(self, name: str, root: Path | None = None) -> bytes:
        """A digest of the file of that name, in a root or in the first that has it; empty if there is
        none."""
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
        except CardgenError as error:  # who needs the file says so
            state.update(f"\0{error}".encode(errors="surrogateescape"))
        return state.digest()

    @property
    def fonts(self) -> bytes:
        """A digest of all files of fonts with their names."""
        return self._whole("fonts", "fonts", lambda name: True)

    @property
    def icons(self) -> bytes:
        """The same of all icons."""
        return self._whole("icons", "templates", lambda name: _ICONS in name)

    @property
    def drawings(self) -> bytes:
        """The same of all that may be a template, or a part of one: whatever is no picture of pixels."""
        return self._whole("drawings", "templates", lambda name: not name.endswith(RASTERS))

    @property
    def templates(self) -> bytes:
        """The same of whatever lies below templates/ and art/."""
        return self._whole("templates", "", lambda name: not name.startswith("fonts/"))

    def _whole(self, what: str, folder: str, wanted: Callable[[str], bool]) -> bytes:
        known = self._wholes.get(what)
        if known is None or known[0] != self.changed:
            state = blake2b(digest_size=16)
            if not self.is_plain:
                state.update(repr(sorted(self._odd.items())).encode(errors="surrogateescape"))
            for name in self.names(folder):
                if wanted(name):
                    state.update(f"{name}\0".encode(errors="surrogateescape"))
                    for root in self.paths.roots:
                        state.update(self.digest(name, root) + b";")
            known = self._wholes[what] = self.changed, state.digest()
        return known[1]

    def is_still(self, names: Iterable[str]) -> bool:
        """Whether these files are as they were when `look` saw them."""
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
