"""Sides laid out and drawn, with their shared inputs kept from edit to edit."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from subprocess import DEVNULL, PIPE
from threading import Lock
from typing import Any

from PIL import Image, ImageFile  # noqa: F401  # loaded here, not again in each child

from cardgen.art.cards import CardSide, SideRenderer
from cardgen.art.laying_out import LayingOut
from cardgen.art.marks import Mark, Marked
from cardgen.art.outlining import LaidOut
from cardgen.art.sources import LayoutSettings, Source
from cardgen.art.splitting import Measures
from cardgen.art.text import NeedStore
from cardgen.commands.production.fonts import fontbook
from cardgen.core.artwork import Artwork
from cardgen.core.findings import CardgenError, Problem
from cardgen.core.geometry import MM_PER_INCH, Rect
from cardgen.core.records import dataclass, replace
from cardgen.files.project import Project
from cardgen.pdf.drawing import are_drawn, assemble, draw_sides, glyphs
from cardgen.pdf.fonts import Font, font_objects
from cardgen.pdf.objects import PdfObject, View, write_views
from cardgen.pdf.pixels import ANSWER, ORDER, encode_png, render, shown_area
from cardgen.pdf.store import LENGTH, ArtStore
from cardgen.svg.tree import SvgError
from cardgen.workbench.files import Assets, Files, MemoryCache, MemorySources, Names, Recent
from cardgen.workbench.states import MarkState

MOST_GLYPHS = 500
"""Glyphs of a font that are kept together. A font with more, such as a Chinese one, is cut for each
side."""


class Letters:
    """Cuts fonts to the glyphs of all sides drawn so far, so that the next side seldom needs new ones.
    Additional glyphs in a font are invisible."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Font, frozenset[int], list[PdfObject]]] = {}

    def objects(self, font: Font, gids: Set[int]) -> list[PdfObject]:
        """Return `font_objects` with at least these glyphs. Raises DrawingError for a damaged font."""
        known = self._known.get(font.key)
        before: frozenset[int] = frozenset()
        if known is not None and known[0] is font:
            if gids <= known[1]:
                return known[2]
            before = known[1]
        together = before | gids
        if len(together) > MOST_GLYPHS:
            together = frozenset(gids)
        found = font_objects(font, together)
        self._known[font.key] = font, together, found
        return found


MOST_SECONDS = 5
"""Processor time that one picture may take. Drawings within their limits take about three."""
MOST_MEMORY = 500_000_000
"""Bytes that one picture may take on top of the workbench's memory."""

_running: set[int] = set()


class LimitError(Exception):
    """The work exceeded a child process's limits, or ended without an answer."""


def limited(work: Callable[[], bytes]) -> bytes:
    """Return the result of the work, run in a child process if the system can fork. Raises LimitError."""
    if sys.platform == "win32":
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, reading, writing)
    _running.add(child)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as answers:
            made = answers.read()
        _, status = os.waitpid(child, 0)
    finally:
        _running.discard(child)
    if status != 0:
        raise LimitError
    return made


def stop() -> None:
    """End all children, even busy ones."""
    for child in list(_running):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    pictures.stop()


if sys.platform != "win32":
    import resource

    def _work(work: Callable[[], bytes], reading: int, writing: int) -> None:
        """Work under limits, answer and exit, without cleaning up the parent's resources."""
        code = 1
        try:
            os.close(reading)
            gc.disable()  # a collection would copy all memory that is shared with the parent
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_DFL)
            limits = {resource.RLIMIT_CPU: MOST_SECONDS, resource.RLIMIT_CORE: 0}
            if held := _held():
                limits[resource.RLIMIT_AS] = held + MOST_MEMORY
            for kind, most in limits.items():
                hard = resource.getrlimit(kind)[1]
                least = most if hard == resource.RLIM_INFINITY else min(most, hard)
                with suppress(OSError, ValueError):
                    resource.setrlimit(kind, (least, least))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            made = memoryview(work())
            while made:
                made = made[os.write(writing, made) :]
            code = 0
        finally:
            os._exit(code)

    def _held() -> int:
        """Return the bytes of address space of this process; 0 if the system doesn't report it."""
        with suppress(OSError, ValueError):
            return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        return 0


class PictureProcess:
    """A process that turns PDFs into pictures under the same limits, kept from one to the next: to fork
    this one takes longer than to paint."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def paint(self, document: bytes, area: Rect, dpi: float) -> bytes:
        """Return an area of a PDF's page as PNG. Raises LimitError."""
        order = ORDER.pack(len(document), area.x, area.y, area.width, area.height, dpi) + document
        with self._lock:
            is_new = self._process is None
            made = self._answer(order)
            if made is None and not is_new:  # it may have ended after a rest
                made = self._answer(order)
        if not made:
            raise LimitError
        return made

    def begin(self) -> None:
        """Start the process if there is none."""
        if self._process is None:
            limits = f"{MOST_SECONDS}, {_PICTURE_MEMORY}"
            code = f"from cardgen.pdf.pixels import paint_orders; paint_orders({limits})"
            command = (sys.executable, "-P", "-c", code)
            self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)

    def _answer(self, order: bytes) -> bytes | None:
        self.begin()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.write(order)
            process.stdin.flush()
            if len(head := process.stdout.read(ANSWER.size)) == ANSWER.size:
                [size] = ANSWER.unpack(head)
                if len(made := process.stdout.read(size)) == size:
                    return made
        self.close()
        return None

    def close(self) -> None:
        """End the process and free what belongs to it. Only while nothing is painted."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError), process:  # which waits for it and closes its pipes
                pass

    def stop(self) -> None:
        """End the process, even a busy one, from any thread."""
        if (process := self._process) is not None:
            process.kill()


_PICTURE_MEMORY = MOST_MEMORY + 400_000_000
"""Bytes of address space of the process for pictures: what one may take, and Python with pdfium."""
pictures = PictureProcess()

LEAST_WIDTH, MOST_WIDTH = 16, 4096
"""px, of a picture of a side."""
MOST_PICTURES = 10_000_000
"""Bytes of pictures in memory, the recently used ones."""
MOST_ASKED = 60
"""Pictures that count as on the screen."""
Layout = LaidOut | Marked

_MOST_SIDES = 20_000
"""Sides in memory."""
_MOST_LAID_OUT = 24
_MOST_DRAWN = 3_000
"""Sides drawn before their inputs are dropped: each edit may add to them."""


@dataclass(frozen=True, slots=True)
class KnownSide:
    """The inputs of a side's picture: the digest of its SVG, which is in `MemorySources`, and its layout
    settings. `names` are its icons and pictures."""

    svg: bytes
    measures: Measures
    folder: str
    groups: tuple[tuple[str, float], ...]
    settings: LayoutSettings
    made_from: str
    names: Names


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of laying a side out: the problems, offsets in its SVG, whether there is a picture, and
    the marks on one of a side in error. `listing` is the digest of all names at that time, since
    suggestions of similar names depend on it."""

    problems: tuple[Problem, ...]
    is_there: bool
    marks: tuple[Mark, ...]
    listing: bytes

    @property
    def is_good(self) -> bool:
        return self.is_there and not any(problem.is_error for problem in self.problems)


class Studio:
    """Draws the sides of a game of one project, in any language and ink. Only one thread at a time may use
    it.

    A side's key is a digest of everything on its picture: its inputs (its SVG and layout settings), the
    icons and pictures that it names, all fonts. The files are those of the last `files.look`.
    """

    def __init__(self, project: Project, game: str) -> None:
        self.project, self.game = project, game
        self.files = Files(project.paths)
        self.assets = Assets(self.files, game)
        self.sources = MemorySources(self.files)
        self.needs = NeedStore(MemoryCache(lambda: self.files.fonts + self.files.icons))
        self._layouts: dict[LayoutSettings, LayingOut] = {}
        self._laid_with: tuple[int, object] | None = None
        """The state of the files and the fonts that these layouts read."""
        self._store = ArtStore.open(project.root, game)
        self._drawn = 0
        self._letters = Letters()
        self._sides: Recent[str, KnownSide] = Recent(_MOST_SIDES)
        self._laid_out: Recent[str, Layout] = Recent(_MOST_LAID_OUT)
        self._outcomes: Recent[str, Outcome] = Recent(_MOST_SIDES)
        self.revision = 0
        """Grows with each visible outcome; sides without problems aren't reported."""
        self.asked: Recent[str, bool] = Recent(MOST_ASKED)
        """The keys of recently requested pictures, the last one last."""
        self._pictures: Recent[tuple[str, int], bytes] = Recent(MOST_PICTURES, len)
        self._too_much: set[str] = set()
        """The keys of sides whose pictures exceeded the limits: they are not tried again."""

    @property
    def _fonts(self) -> Any:
        return self.files.derive("fontbook", lambda: fontbook(self.project.paths))

    def laying_out(self, settings: LayoutSettings) -> LayingOut:
        """Return the layout for these settings. It reads each icon, picture and font once, so it is made
        again if any file has changed."""
        state = (self.files.changed, self._fonts)
        if state != self._laid_with:
            self._layouts, self._laid_with = {}, state
        if settings not in self._layouts:
            self._layouts[settings] = LayingOut(self.project.paths, self._fonts, settings)
        return self._layouts[settings]

    # ---- sides

    def known(self, renderer: SideRenderer, side: CardSide) -> KnownSide:
        """Return a side rendered from its template. Raises RenderError if that fails now."""
        assert side.rendered is not None
        digest = side.rendered.digest
        packed = self.sources.of(digest) or self.sources.pack(digest, side.rendered.whole())
        measures, folder = renderer.circumstances(side)
        return KnownSide(
            digest, measures, folder, side.groups, renderer.settings, side.made_from, packed.names
        )

    def key_of(self, known: KnownSide) -> str:
        """Return the key of a side with the current files; from then on it has a picture."""
        state = blake2b(bytes.fromhex(known.made_from), digest_size=16)
        state.update(self.assets.digest(known.names, known.folder))
        key = state.hexdigest()
        self._sides.put(key, known)
        return key

    def lay_out(self, key: str) -> Layout | None:
        """Return a side laid out; None for an unknown one, one whose icons or pictures have changed since,
        or whose source was dropped."""
        known = self._sides.get(key)
        if known is None or self.key_of(known) != key:
            return None
        before = self._laid_out.get(key)
        if before is not None and self.outcome(key) is not None:
            return before
        packed = self.sources.of(known.svg)
        if packed is None:
            return None
        source = Source(packed.svg, known.measures, known.folder, known.groups)
        layout = self.laying_out(known.settings)
        made_from = bytes.fromhex(known.made_from)
        laid = layout.lay_out(source, made_from)
        made: Layout = laid
        marks: tuple[Mark, ...] = ()
        if laid.artwork is not None and not laid.can_be_drawn:
            marked = layout.marked(source, made_from)
            if marked is not None:
                made, marks = marked, marked.marks
        if self._is_still(known):
            self._laid_out.put(key, made)
        # If a file has just changed, this belongs to the next state, which is read in a moment.
        self._note(key, Outcome(laid.problems, made.artwork is not None, marks, self.files.listing))
        return made

    def _is_still(self, known: KnownSide) -> bool:
        """Return True if all files that a side shows are unchanged."""
        shown = self.assets.files(known.names, known.folder)
        return self.files.is_still(self.files.names("") if shown is None else shown)

    def _note(self, key: str, outcome: Outcome) -> None:
        before = self._outcomes.get(key)
        if before != outcome and (before is not None or outcome.problems or not outcome.is_there):
            self.revision += 1
        self._outcomes.put(key, outcome)

    def outcome(self, key: str) -> Outcome | None:
        """Return the result of laying a side out; None before that, or if a file with a name similar to one
        on it appeared or disappeared since."""
        found = self._outcomes.get(key)
        if found is None or (found.problems and found.listing != self.files.listing):
            return None
        return found

    def marks(self, key: str) -> tuple[MarkState, ...] | None:
        """Return the marks on the picture of a side in error; None for any other."""
        outcome = self._outcomes.get(key)
        return None if outcome is None else tuple(map(_mark_state, outcome.marks)) or None

    # ---- pictures

    def picture(self, key: str, width: int) -> bytes | None:
        """Return the picture of a side with its bleed, so many px wide, as PNG, or None."""
        width = max(LEAST_WIDTH, min(width, MOST_WIDTH))
        self.asked.put(key, True)
        found = self._pictures.get((key, width))
        if found is not None:
            return found
        made, known = self.lay_out(key), self._sides.get(key)
        if made is None or made.artwork is None or known is None:
            return None
        try:
            found = self._limited(key, known, made, made.artwork, width)
        except (CardgenError, SvgError):  # a drawing error that nothing reported before
            if (outcome := self._outcomes.get(key)) is not None:
                self._note(key, replace(outcome, is_there=False))
            return None
        if key in self._laid_out and self._is_still(known):
            self._pictures.put((key, width), found)
        return found

    def _limited(self, key: str, known: KnownSide, made: Layout, artwork: Artwork, width: int) -> bytes:
        """Draw a side in a child with limits; beyond them it becomes a gray picture and a finding, once.
        Raises CardgenError for a side that can't be drawn."""
        if key not in self._too_much:
            fonts = self._fonts.with_others(known.settings.fallback)
            for font, gids in glyphs(artwork).items():  # here, so that the next picture has them too
                self._letters.objects(fonts.by_key(font), set(gids))

            try:
                return self._painted(known, made, artwork, width)
            except LimitError:
                self._too_much.add(key)
                outcome = self._outcomes.get(key)
                if outcome is not None:
                    self._note(key, replace(outcome, problems=(*outcome.problems, _TOO_MUCH)))
        size = (width, max(1, round(width * artwork.size.height / artwork.size.width)))
        return encode_png(Image.new("RGB", size, _GRAY))

    def _painted(self, known: KnownSide, made: Layout, artwork: Artwork, width: int) -> bytes:
        """Return the picture of a side: painted at once if its drawings are at hand, else by a child that
        also draws these. Raises LimitError."""
        documents = self.laying_out(known.settings).documents(made.icons)
        if sys.platform != "win32" and are_drawn(artwork, documents, self._store):
            document, view, dpi = self._document(known, artwork, documents, width)
            return pictures.paint(document, view.area, dpi)
        if sys.platform != "win32":
            pictures.begin()  # the next picture needs it
        self._drawn += 1
        if self._drawn > _MOST_DRAWN:
            self._drawn, self._store = 0, ArtStore.open(self.project.root, self.game)
        kept = self._store.count

        def draw() -> bytes:
            try:
                document, view, dpi = self._document(known, artwork, documents, width)
                [image] = render(document, [view], [dpi])
                picture = encode_png(image, dpi)
            except (CardgenError, SvgError):
                return b""
            forms = self._store.packed(kept)
            return len(forms).to_bytes(LENGTH, "big") + forms + picture

        answer = limited(draw)
        if not answer:
            raise SvgError("it can't be drawn", 0)
        end = LENGTH + int.from_bytes(answer[:LENGTH], "big")
        self._store.take(answer[LENGTH:end])  # so that the next picture needn't draw them
        return answer[end:]

    def _document(
        self, known: KnownSide, artwork: Artwork, documents: Mapping[str, str], width: int
    ) -> tuple[bytes, View, float]:
        """Return a side as a PDF, with its view and its pixels an inch."""
        drawn = draw_sides([artwork], documents, self._store)
        fonts = self._fonts.with_others(known.settings.fallback)
        art = assemble({side.key: side for side in drawn}, fonts, self._store, cut=self._letters.objects)
        view = View(artwork.key, shown_area(art.faces[artwork.key], "bleed"))
        return write_views(art, [view]), view, width / artwork.size.width * MM_PER_INCH


_GRAY = "#b0b0b0"
_TOO_MUCH = Problem(
    "preview/limit",
    f"its picture takes more than {MOST_SECONDS} s or {MOST_MEMORY // 1_000_000} MB: a gray one is shown",
    "draw less, or save the drawing as a PNG",
)


def _mark_state(mark: Mark) -> MarkState:
    area, problem = mark.area, mark.problem
    return MarkState(
        area.x, area.y, area.width, area.height, problem.code, problem.message, problem.severity.value
    )
