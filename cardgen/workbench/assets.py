"""What a side can show besides its own drawing: icons and pictures by the digests of their files."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from sys import intern
from typing import NamedTuple

from cardgen.rendering.images import places_of
from cardgen.workbench.files import RASTERS, Files

_NAME = """[^\\s"'()<>#@:;,&\N{FULLWIDTH COLON}]+"""
_ICON = re.compile(f"(?:icon-|[:\N{FULLWIDTH COLON}])({_NAME})")
"""What may be an icon's name: it is referred to as `icon-NAME`, and written in texts as `:NAME:`."""
_USUAL = re.compile(_NAME)
"""An icon of another name is taken to be on every side."""
_SHOWN = re.compile("""href\\s*=\\s*(?:"([^"]*)"|'([^']*)')""")
_VEILED = ("&#", "<!", "<?")
"""In a source with one of these a name may be spelled in another way."""


class Names(NamedTuple):
    """What a side's source names: words that may be icons, hrefs of pictures; None for all there are."""

    icons: frozenset[str] | None
    hrefs: frozenset[str] | None


def names_in(svg: str) -> Names:
    """What a rendered side names."""
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
    """The same for very many sides is held once."""
    return names


class Assets:
    """The icons and pictures of a game's templates, as `IconSet` and `ImageStore` find them.

    What is told depends on the files as `Files.look` saw them last.
    """

    def __init__(self, files: Files, game: str) -> None:
        self._files, self._game = files, game
        self._seen = -1
        self._icons: dict[str, str] = {}
        self._unusual: set[str] = set()
        self._known: dict[tuple[Names, str], tuple[bytes, tuple[str, ...] | None]] = {}

    def digest(self, names: Names, folder: str) -> bytes:
        """A digest of all that a side shows which names these and whose template lies in `folder`, and of
        the fonts."""
        return self._of(names, folder)[0]

    def files(self, names: Names, folder: str) -> tuple[str, ...] | None:
        """The names of the files that it may show; None for any there are."""
        return self._of(names, folder)[1]

    def _of(self, names: Names, folder: str) -> tuple[bytes, tuple[str, ...] | None]:
        if self._seen != self._files.changed:
            self._seen = self._files.changed
            self._known = {}
            self._icons = self._named()
            self._unusual = {name for name in self._icons if not _USUAL.fullmatch(name)}
        known = self._known.get((names, folder))
        if known is None:
            known = self._known[names, folder] = self._made(names, folder)
        return known

    def _named(self) -> dict[str, str]:
        """The files of icons by their names: the game's own before the shared ones."""
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
        icons = self._icons.keys() & (names.icons | self._unusual)
        shown = [self._icons[name] for name in sorted(icons)]
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
