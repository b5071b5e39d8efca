"""Drawn sides kept from build to build, so that a build after an edit lays out what the edit touched.

A side is kept under a digest of all that it was made from, with what it was warned of. What a digest does
not cover (fonts, icons, images) is described once for the entry: where that has changed, nothing in it
counts.

One entry of the user's cache per game: the length of a header, the header (JSON), then bytes of glyph
sets and objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from cardgen.drawing.objects import DrawnFace, PdfObject
from cardgen.drawing.store import KEEP, ArtStore, listed, pack_header, pack_name, packed, unpack_header
from cardgen.findings import Problem, Severity
from cardgen.geometry import Size
from cardgen.storage.aside import Part
from cardgen.storage.cache import Cache

Glyphs = Mapping[str, Iterable[int]]
"""Glyph ids by font key."""


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """A side's form and what belongs to it: `key` is its artwork's, `objects` are its own, the form last,
    `glyphs` what its fonts must hold, `art` the pictures and icons that it shows: key in the store and
    name of the form."""

    key: str
    face: DrawnFace
    objects: tuple[PdfObject, ...]
    glyphs: Glyphs
    art: tuple[tuple[str, str], ...]


class SideStore:
    """Drawn sides by what they were made from, kept in `cache` under `name`, or nowhere.

    `made_with` describes all that a digest does not cover. None stands for a state of things that can't
    be told from a later one: then nothing is kept.
    """

    def __init__(self, cache: Cache | None, made_with: str | None, art: ArtStore, name: str = "") -> None:
        self._cache, self._name = cache if made_with is not None else None, name
        self._made_with = made_with or ""
        self._art = art
        self._sources: dict[str, tuple[str, int]] = {}
        """Digest of a source to the key of the artwork, and its age in builds that did not use it."""
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._sides: dict[str, DrawnSide] = {}
        self._packed: dict[str, list[Any]] = {}
        self._used: set[str] = set()
        self._new = False
        self._data = memoryview(b"")
        content = self._cache.get(name, made_of=self._made_with) if self._cache is not None else None
        if content is not None:
            self._load(content)

    @classmethod
    def open(cls, project: Path, game: str, made_with: str | None, art: ArtStore) -> SideStore:
        """The store of one game of one project folder, in $CARDGEN_CACHE or the user's cache folder."""
        return cls(Cache("sides"), made_with, art, pack_name(project, game))

    def get(self, source: str) -> DrawnSide | None:
        """The side made from `source`, if it and all pictures on it are at hand."""
        found = self._sources.get(source)
        if found is None:
            return None
        side = self._side(found[0])
        if any(self._art.get(picture) != name for picture, name in side.art):
            return None
        self._used.add(source)
        return side

    def problems(self, source: str) -> tuple[Problem, ...]:
        """What the kept side was warned of."""
        return self._problems.get(source, ())

    def put(self, source: str, side: DrawnSide, problems: tuple[Problem, ...] = ()) -> None:
        """Keep a side drawn in this build, with what it was warned of."""
        if source not in self._used:
            if problems:
                self._problems[source] = problems
            self._sides[side.key] = side
            self._sources[source] = (side.key, 0)
            self._used.add(source)
            self._new = True

    def save(self) -> None:
        """Write the store if there is something new."""
        if self._cache is None or not self._new:
            return
        ages = {
            source: 0 if source in self._used else age + 1 for source, (_, age) in self._sources.items()
        }
        kept = sorted(source for source, age in ages.items() if age < KEEP)
        numbers: dict[tuple[str, str], int] = {}
        sides: dict[str, list[Any]] = {}
        parts: list[bytes | Part] = []
        for key in dict.fromkeys(self._sources[source][0] for source in kept):
            side = self._side(key)
            entry = [side.face.size.width, side.face.size.height, side.face.bleed]
            glyphs = [(font, array("H", gids).tobytes()) for font, gids in side.glyphs.items()]
            parts += [gids for _, gids in glyphs]
            parts += packed(side.objects)
            sides[key] = [
                entry,
                [numbers.setdefault(art, len(numbers)) for art in side.art],
                [[font, len(gids)] for font, gids in glyphs],
                listed(side.objects),
            ]
        content = {
            "sources": [[source, self._sources[source][0], ages[source]] for source in kept],
            "problems": {
                source: list(map(astuple, self._problems[source]))
                for source in kept
                if source in self._problems
            },
            "art": list(numbers),
            "sides": sides,
        }
        self._cache.put(self._name, pack_header(content), *parts, made_of=self._made_with)
        self._new = False

    # ------------------------------------------------------------ reading

    def _load(self, data: bytes) -> None:
        content, end = unpack_header(data)
        self._data = memoryview(data)
        self._sources = {source: (key, age) for source, key, age in content["sources"]}
        self._problems = {
            source: tuple(map(problem_of, problems)) for source, problems in content["problems"].items()
        }
        art = [(picture, name) for picture, name in content["art"]]
        for key, (measures, shown, glyphs, objects) in content["sides"].items():
            self._packed[key] = [end, measures, [art[number] for number in shown], glyphs, objects]
            end += sum(size for _, size in glyphs)
            end += sum(head + max(stream, 0) for _, head, stream in objects)

    def _side(self, key: str) -> DrawnSide:
        side = self._sides.get(key)
        if side is not None:
            return side
        position, (width, height, bleed), art, sets, sizes = self._packed[key]

        def take(size: int) -> bytes:
            nonlocal position
            position += size
            return bytes(self._data[position - size : position])

        glyphs = {font: array("H", take(size)) for font, size in sets}
        objects = tuple(
            PdfObject(name, take(head), None if stream < 0 else take(stream))
            for name, head, stream in sizes
        )
        face = DrawnFace(objects[-1].name, Size(width, height), bleed)
        side = self._sides[key] = DrawnSide(key, face, objects, glyphs, tuple(art))
        return side


def problem_of(entry: list[Any]) -> Problem:
    """A problem as a header has it, the values of its fields as JSON knows them."""
    problem = Problem(*entry)
    return replace(
        problem,
        severity=Severity(problem.severity),
        path=tuple(problem.path),
        place=None if problem.place is None else (problem.place[0], problem.place[1]),
        about=tuple(problem.about),
    )
