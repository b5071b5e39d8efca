"""Laying out and drawing spread over processes, through any executor of `concurrent.futures`.

The building process renders templates and sends the results, some sides at a time; a worker lays them out
and draws them. So the bytes are those of a build in one process. The sender does the sides with findings
and the chunks that a worker can't draw.

Workers read fonts, icons and images from the project's path. A worker with other files, other code or other
libraries would draw differently, and stops the build.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import zlib
from _blake2 import blake2b
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.core.game import Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.files.cache import code_digest, digest, digest_of
from cardgen.files.listing import ProjectFolders, walk
from cardgen.files.project import DRAWN_FROM, Project
from cardgen.files.reading import PICTURE, ReadingError, read_file

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from cardgen.art.cards import CardSide
    from cardgen.art.sources import LayoutSettings, Source
    from cardgen.core.artwork import Artwork
    from cardgen.pdf.objects import PdfObject
    from cardgen.pdf.store import DrawnSide


CHUNK = 60
"""Sides sent at a time: some tenths of a second of work, some 0.5 MB of SVG."""

IN_FLIGHT = 16
"""Most chunks that were sent but not returned, which limits the parent's memory. The parent has its own
work, and keeps at most some four workers busy."""

LEAST = 120
"""Fewer new sides than these aren't worth a process: its start takes as long."""

_LIBRARIES = (
    "budoux",
    "cairocffi",
    "cairosvg",
    "cssselect2",
    "pikepdf",
    "pillow",
    "pyphen",
    "tinycss2",
    "typst",
    "uharfbuzz",
    "uniseg",
)
_one_at_a_time = threading.Lock()
"""Threads of one process share its caches, and take turns."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some sides to draw: each source, without its SVG, with its digest. `svgs` are these, packed: sides of
    one template are nearly the same, and an executor may keep its messages for a long time (Dask keeps its
    last thousand). `likeness` is the digest of files that the worker must match, and `environment` its
    versions."""

    roots: tuple[str, ...]
    settings: LayoutSettings
    sources: tuple[tuple[Source, str], ...]
    svgs: bytes
    likeness: str
    environment: tuple[str, ...]

    @classmethod
    def of(
        cls,
        roots: tuple[str, ...],
        settings: LayoutSettings,
        sources: Iterable[tuple[Source, str]],
        likeness: str,
    ) -> Chunk:
        whole = list(sources)
        svgs = zlib.compress(json.dumps([source.svg for source, _ in whole]).encode("ascii"), 1)
        bare = tuple([(replace(source, svg=""), made_from) for source, made_from in whole])
        return cls(roots, settings, bare, svgs, likeness, environment())

    def __dask_tokenize__(self) -> str:
        """Return the same text for equal chunks alone. Dask asks for it, and doesn't know our records."""
        return digest_of(self)

    def whole(self) -> Iterator[tuple[Source, str]]:
        """Yield the sources with their SVG."""
        for (source, made_from), svg in zip(self.sources, json.loads(zlib.decompress(self.svgs))):
            yield replace(source, svg=svg), made_from


@dataclass(frozen=True, slots=True)
class DrawnChunk:
    """The answer of a worker: drawn sides (digest of the source, the side) and the pictures on them
    (key, name of the form, objects)."""

    sides: tuple[tuple[str, DrawnSide], ...]
    art: tuple[tuple[str, str, tuple[PdfObject, ...]], ...]


Waiting = Mapping[str, "list[CardSide]"]
"""Sides to be made by their inputs, each with all equal ones."""


class Workers:
    """Sends sides to an executor, as many at a time as it can take, and returns them in order."""

    chunk = CHUNK
    Done = Iterator[tuple[Waiting, DrawnChunk]]
    """Sent sides, and their drawings."""

    def __init__(self, executor: Executor, game: Game, settings: LayoutSettings) -> None:
        self._executor, self._paths, self._settings = executor, game.paths, settings
        self._likeness = ""
        self._sent: deque[tuple[Waiting, Future[DrawnChunk]]] = deque()

    def are_worth(self, count: int) -> bool:
        """Return True if so many sides, and those sent before, are worth starting processes."""
        return bool(self._likeness) or count >= LEAST

    def send(self, sides: Waiting) -> Done:
        """Send sides, and yield earlier ones that had to come back first. Raises CardgenError if the
        executor fails or a worker differs from this process."""
        self._likeness = self._likeness or _likeness(self._paths, self._settings.game)
        roots = tuple(str(root) for root in self._paths.roots)
        todo = iter(sides.items())
        while part := dict(islice(todo, CHUNK)):
            if len(self._sent) >= IN_FLIGHT:
                yield self._next()
            sources = ((alike[0].source, source) for source, alike in part.items() if alike[0].source)
            chunk = Chunk.of(roots, self._settings, sources, self._likeness)
            with self._told():
                self._sent.append((part, self._executor.submit(draw_chunk, chunk)))

    def rest(self) -> Done:
        """Yield the sides that have not come back yet. Raises as `send` does."""
        while self._sent:
            yield self._next()

    def _next(self) -> tuple[Waiting, DrawnChunk]:
        with self._told():
            sides, future = self._sent.popleft()
            return sides, future.result()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Report errors of an executor, and cancel its work."""
        try:
            yield
        except (
            Exception
        ) as error:  # an executor can raise anything: a process that died, a value it can't send
            for _, future in self._sent:
                future.cancel()
            if isinstance(error, CardgenError):
                raise
            # An executor's message is for programmers or empty, so name the cause instead.
            message = "drawing in parallel failed"
            if isinstance(error, OSError) and error.strerror:
                message += f": {error.strerror}"
            hint = "build without --jobs (in Python: without an executor), which needs less memory"
            raise CardgenError(Finding(Severity.ERROR, "build/executor", message, None, hint)) from error


# ---------------------------------------------------------------- in a worker


def draw_chunk(chunk: Chunk) -> DrawnChunk:
    """Lay out and draw some sides. Those with findings are left to the parent.

    Raises CardgenError if files, code or libraries differ from the parent's.
    """
    return draw_from(ProjectFolders(tuple(Path(root) for root in chunk.roots)), chunk)


def draw_from(paths: ProjectFolders, chunk: Chunk) -> DrawnChunk:
    """Draw a chunk as `draw_chunk`, with the files in these folders."""
    if differing := differences(chunk.environment):
        raise unlike("", differing)
    if _likeness(paths, chunk.settings.game) != chunk.likeness:
        message = "a worker's files differ from those of the building process"
        hint = "give every worker the same project folder and the same installation of cardgen"
        raise CardgenError(Finding(Severity.ERROR, "build/worker", message, None, hint))
    with _one_at_a_time:
        return _bench(paths, chunk.settings, chunk.likeness).draw(chunk.whole())


def unlike(worker: str, differing: Sequence[str]) -> CardgenError:
    """Return the refusal of a worker whose `differences` are these; it has an address or none."""
    message = f"{f'the worker {worker}' if worker else 'a worker'} differs: {', '.join(differing)}"
    hint = "install the same release of cardgen and of its libraries for every worker, then restart them"
    return CardgenError(Finding(Severity.ERROR, "build/worker", message, None, hint))


class _Bench:
    """The state that a worker keeps from chunk to chunk."""

    def __init__(self, paths: ProjectPaths, settings: LayoutSettings) -> None:
        from cardgen.art.laying_out import LayingOut
        from cardgen.pdf.store import ArtStore
        from cardgen.text.fonts import FontBook

        self.laying_out: LayingOut = LayingOut(paths, FontBook(paths), settings)
        self.art = ArtStore.memory()
        self.used: dict[str, str] = {}
        """The pictures of the last chunk: most are also in the next one."""

    def draw(self, sources: Iterable[tuple[Source, str]]) -> DrawnChunk:
        from cardgen.pdf.drawing import draw_sides
        from cardgen.pdf.store import ArtStore

        art = ArtStore.memory()
        for key, root in self.used.items():
            art.put(key, root, self.art.objects([root]))
        finished: list[tuple[str, Artwork]] = []
        icons: set[str] = set()
        for source, made_from in sources:
            made = self.laying_out.lay_out(source, bytes.fromhex(made_from))
            if made.artwork is not None and not made.problems:
                finished.append((made_from, made.artwork))
                icons |= made.icons
        try:
            drawn = draw_sides((made for _, made in finished), self.laying_out.documents(icons), art)
        except CardgenError:
            return DrawnChunk((), ())
        self.art = art
        self.used = {key: root for side in drawn for key, root in side.art}
        shown = tuple((key, root, tuple(art.objects([root]))) for key, root in self.used.items())
        return DrawnChunk(tuple((made_from, side) for (made_from, _), side in zip(finished, drawn)), shown)


@lru_cache(maxsize=2)
def _bench(paths: ProjectPaths, settings: LayoutSettings, likeness: str) -> _Bench:
    return _Bench(paths, settings)


# ---------------------------------------------------------------- equal inputs


class Content(NamedTuple):
    """A file that drawing may read: the number of its root, its name in it, and its content's digest."""

    root: int
    name: str
    digest: str


def _likeness(paths: ProjectPaths, game: str) -> str:
    """Return a digest of the files besides the sources that affect drawing."""
    return digest_of([tuple(each) for each in contents_of(paths, game)])


def contents_of(paths: ProjectPaths, game: str) -> tuple[Content, ...]:
    """Return the files besides the sources that affect drawing, in order."""
    stamp = Project(paths.roots[0], paths).fingerprint(game, DRAWN_FROM)
    return _contents(paths, digest(stamp))


@lru_cache(maxsize=2)
def _contents(paths: ProjectPaths, stamp: str) -> tuple[Content, ...]:
    contents = []
    for number, root in enumerate(paths.roots):
        for folder in DRAWN_FROM:
            found = walk(root / folder, folder, paths.roots)
            for path in sorted(file for file, _, _ in found.files):
                name = os.path.relpath(path, os.path.realpath(root)).replace(os.sep, "/")
                with suppress(ReadingError):  # drawing doesn't read files that this doesn't read
                    content = read_file(path, PICTURE, path, paths.roots)
                    contents.append(Content(number, name, blake2b(content, digest_size=16).hexdigest()))
    return tuple(contents)


@cache
def environment() -> tuple[str, ...]:
    """Return our code, as first read by this process, its libraries, and all else that decides bytes: each
    a name and a version."""
    import importlib.metadata  # slow to import, and only parallel builds need it

    from cardgen.pdf.cairosvg_pages import cairo_version

    versions = [f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES]
    return (
        f"cardgen {sys.modules['cardgen'].__version__}",
        f"cardgen's-code {code_digest()}",
        f"python {sys.version_info.major}.{sys.version_info.minor}",
        f"zlib {zlib.ZLIB_RUNTIME_VERSION}",
        f"cairo {cairo_version()}",
        *versions,
    )


def differences(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Return what this process has other than `expected`, the `environment` of the building process."""
    own, theirs = (dict(each.split(" ", 1) for each in listed) for listed in (environment(), expected))
    if own == theirs:
        return ()
    found = [
        f"{name} {own.get(name, 'missing')} instead of {theirs.get(name, 'none')}"
        for name in dict.fromkeys([*theirs, *own])
        if own.get(name) != theirs.get(name) and name != "cardgen's-code"
    ]
    return tuple(found) or ("other code or plug-ins of the same version of cardgen",)
