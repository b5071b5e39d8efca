"""A rendered side to its artwork: everything that needs no card, no game and no template.

What a side is made from is a `Source`: a value of its own, so that other processes can lay it out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cardgen.findings import Problem
from cardgen.geometry import Rect
from cardgen.model.artwork import Artwork, Item, Picture, TextRun, leaves
from cardgen.model.game import Limits, ProjectPaths
from cardgen.rendering.icons import IconSet
from cardgen.rendering.images import ImageStore
from cardgen.rendering.outlining import TextOutliner
from cardgen.rendering.printed_texts import PrintedText
from cardgen.rendering.splits import Measures
from cardgen.rendering.splitting import Splitter
from cardgen.rendering.text import Need
from cardgen.rendering.undrawn import placed
from cardgen.svg.tree import SvgError
from cardgen.typesetting.fonts import FontBook

if TYPE_CHECKING:
    from cardgen.rendering.marked_sides import MarkingSplitter
    from cardgen.rendering.marks import Marked
    from cardgen.rendering.pointing import Pointer


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


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A side laid out; `artwork` is None where it could not be read. The `problems` are its own and those
    of the files that it shows."""

    artwork: Artwork | None
    problems: tuple[Problem, ...]
    icons: frozenset[str]
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are drawn as outlines."""

    @property
    def can_be_drawn(self) -> bool:
        """Whether nothing worse than a warning is among its problems."""
        return self.artwork is not None and not any(problem.is_error for problem in self.problems)

    @property
    def is_faulty(self) -> bool:
        """Whether a problem leaves out a part of the drawing, and not just a text."""
        return any(map(_of_drawing, self.problems))


def _of_drawing(problem: Problem) -> bool:
    return problem.is_error and not problem.code.startswith("text/") and problem.code != "icon/unknown"


class LayingOut:
    """Lays the sides of one game out. Remembers elements that several sides have."""

    def __init__(self, paths: ProjectPaths, fonts: FontBook, manner: Manner) -> None:
        fonts = fonts.standing_in(manner.fonts).with_others(manner.fallback)
        outlined = TextOutliner(fonts, manner.language, manner.limits).outlined
        self.icons = IconSet(paths, manner.game, outlined, fonts, manner.stand_ins)
        images = ImageStore(paths, manner.game, manner.image_dpi, outlined)
        self._splitter = Splitter(fonts, self.icons, images, manner.language, manner.limits)
        self._marking: MarkingSplitter | None = None
        self._limits = manner.limits
        self._fonts = fonts
        self._font_digests: dict[str, bytes] = {}

    def lay_out(self, source: Source, made_from: bytes) -> LaidOut:
        """The artwork of a source whose digest is `made_from`."""
        try:
            split = self._splitter.split(source.svg, source.measures, source.folder, source.groups)
        except SvgError as error:
            return LaidOut(None, (error.problem,), frozenset())
        key = self._key(made_from, split.items, split.icons)
        artwork = Artwork(key, source.measures.size, source.measures.bleed, split.items)
        flawed = set(split.flawed).union(*(self.icons.get(name).problems for name in split.icons))
        of_files = sorted(flawed, key=lambda problem: (problem.place, problem.code, problem.message))
        return LaidOut(artwork, (*split.problems, *of_files), split.icons, split.outlined)

    def marked(self, source: Source, made_from: bytes) -> Marked | None:
        """The same source laid out to be looked at, with what is wrong marked where it stands; None where
        it can't be read. Nothing that is printed changes by it."""
        from cardgen.rendering.marked_sides import MarkingSplitter, at_the_edge, rest_of
        from cardgen.rendering.marks import Marked, overlay

        laid = self.lay_out(source, made_from)
        if laid.artwork is None:
            return None
        if self._marking is None:
            self._marking = MarkingSplitter(self._splitter, self._fonts, self.icons, self._limits)
        split = self._marking.marked(source.svg, source.measures, source.folder, source.groups)
        if split is None:
            return None
        size, bleed = source.measures.size, source.measures.bleed
        known = {mark.problem for mark in split.marks}
        left = [problem for problem in laid.problems if problem not in known]
        own = [problem for problem in left if problem not in split.flawed]
        marks = [*split.marks, *rest_of(source.svg, source.measures, own)]
        side = Rect(0.0, 0.0, size.width, size.height)
        marks += (at_the_edge(problem, side, True) for problem in left if problem in split.flawed)
        over = overlay(marks, size, bleed)
        items = split.items if over is None else (*split.items, over)
        key = self._key(hashlib.blake2b(b"marked\0" + made_from).digest(), items, split.icons)
        problems = tuple(dict.fromkeys((*laid.problems, *(mark.problem for mark in marks))))
        return Marked(Artwork(key, size, bleed, items), tuple(marks), problems, split.icons)

    def needs(self, source: Source) -> tuple[Need, ...]:
        """What the texts of groups on a side need, each by itself; nothing where it can't be read."""
        try:
            return tuple(self._splitter.needs(source.svg, source.measures, source.folder))
        except SvgError:
            return ()

    def undrawn(self, source: Source, found: Iterable[tuple[str, Problem]]) -> tuple[Problem, ...]:
        """What was found wrong as a side was drawn, where it stands. Each comes with what it is about, as
        a DrawingError says that."""
        return placed(self._splitter, self.icons, source, found)

    def pointer(self) -> Pointer:
        """What finds named things on sides."""
        from cardgen.rendering.pointing import Pointer

        return Pointer(self._splitter)

    def documents(self, icons: Iterable[str]) -> dict[str, str]:
        """The SVG documents of icons, by name."""
        return {name: self.icons.get(name).svg for name in sorted(icons)}

    def _key(self, made_from: bytes, items: tuple[Item, ...], icons: Iterable[str]) -> str:
        """A digest of all that the side's look depends on: what it was made from, images, icons, fonts."""
        state = hashlib.blake2b(made_from, digest_size=16)
        fonts: dict[str, None] = {}
        for item in leaves(items):
            if isinstance(item, Picture):
                state.update(item.key.encode())
            else:
                fonts.update(dict.fromkeys(run.font for run in item.runs if isinstance(run, TextRun)))
        for font in sorted(fonts):
            state.update(self._font_digest(font))
        for name in sorted(icons):
            state.update(self.icons.get(name).svg.encode())
        return state.hexdigest()

    def _font_digest(self, key: str) -> bytes:
        digest = self._font_digests.get(key)
        if digest is None:
            data = self._fonts.by_key(key).blob.data
            digest = self._font_digests[key] = hashlib.blake2b(data, digest_size=16).digest()
        return digest
