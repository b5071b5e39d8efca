"""Laying out and drawing spread over processes, through any executor of `concurrent.futures`.

The parent renders templates and sends what came out, some sides at a time; a worker lays them out and
draws them; the parent keeps the drawn sides in its stores. Then it builds as ever, and finds there what
an earlier build would have left. So the bytes are those of a build by itself, and whatever a worker
leaves undone (sides with something to report, chunks that cannot be drawn) the parent does.

Workers read fonts, icons and images from the project's path. A worker that sees other files, other code
or other libraries would draw otherwise, and stops the build.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.findings import CardgenError, Finding, Severity
from cardgen.model.game import Card, Game, ProjectPaths
from cardgen.project import Project
from cardgen.storage.reading import PICTURE, ReadingError, read_file
from cardgen.storage.walking import walk

if TYPE_CHECKING:
    from cardgen.drawing import ArtStore, PdfObject, SideStore
    from cardgen.drawing.sides import DrawnSide
    from cardgen.rendering import LayingOut, Manner, Place, Source
    from cardgen.typesetting import FontBook

CHUNK = 60
"""Sides sent at a time: some tenths of a second of work, some 0.5 MB of SVG."""

IN_FLIGHT = 32
"""Most chunks that are sent and not yet back: what bounds the parent's memory."""

LEAST = 120
"""Fewer new sides than these are not worth a process: starting one takes as long."""

_READ = ("templates", "fonts")
_LIBRARIES = ("cairocffi", "cairosvg", "pikepdf", "pillow", "pyphen", "tinycss2", "uharfbuzz", "uniseg")
_ROOMS = ("model", "sandbox", "storage", "svg", "typesetting", "rendering", "drawing")
_CODE = (*(f"{room}/*.py" for room in _ROOMS), "commands/workers.py")
"""The part of this package that workers use."""

_one_at_a_time = threading.Lock()
"""Threads of one process share its caches, and take turns."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some sides to draw: each source with its digest. `likeness` is what the worker must have too."""

    roots: tuple[str, ...]
    manner: Manner
    sources: tuple[tuple[Source, str], ...]
    likeness: str


@dataclass(frozen=True, slots=True)
class DrawnChunk:
    """What a worker sends back: drawn sides (digest of the source, key of the artwork, the side), the
    pictures on them (key, name of the form, objects) and the cairo library that drew these."""

    sides: tuple[tuple[str, str, DrawnSide], ...]
    art: tuple[tuple[str, str, tuple[PdfObject, ...]], ...]
    drawn_by: list[Any]


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """An executor of so many processes of this machine; None for one, which is this process itself.

    The processes are started when there is work for them.
    """
    if jobs == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
        yield executor


def draw_spread(
    executor: Executor,
    game: Game,
    cards: Sequence[Card],
    art: ArtStore,
    sides: SideStore,
    fontbook: FontBook,
    *,
    low_ink: bool,
    backs: bool,
) -> dict[Place, str]:
    """Have the cards' sides drawn into `art` and `sides`; the digests of what they are made from.

    Raises CardgenError if the executor fails or a worker is not like this process.
    """
    from cardgen.rendering import Manner, sources

    manner = Manner(game.id, game.language, game.limits)
    roots = tuple(str(root) for root in game.paths.roots)
    known: dict[Place, str] = {}
    sent: set[str] = set()

    def new() -> Iterator[tuple[Source, str]]:
        found = sources(
            game,
            cards,
            game.paths,
            fontbook,
            low_ink=low_ink,
            sides=("face", "back") if backs else ("face",),
        )
        for place, source, made_from in found:
            known[place] = made_from
            if made_from not in sent and sides.get(made_from) is None:
                sent.add(made_from)
                yield source, made_from

    todo = new()
    first = list(islice(todo, LEAST))
    if len(first) < LEAST:
        return known
    likeness = _likeness(game.paths, game.id)
    waiting: deque[Future[DrawnChunk]] = deque()
    try:
        for part in _parts(first, todo):
            if len(waiting) >= IN_FLIGHT:
                _keep(waiting.popleft(), art, sides)
            waiting.append(executor.submit(draw_chunk, Chunk(roots, manner, part, likeness)))
        while waiting:
            _keep(waiting.popleft(), art, sides)
    except CardgenError:
        raise
    except Exception as error:  # whatever an executor raises: a process that died, a value it cannot send
        message = f"the executor failed: {type(error).__name__}: {error}"
        hint = "build without an executor (without --jobs) to see whether it is to blame"
        raise CardgenError(Finding(Severity.ERROR, "build/executor", message, None, hint)) from error
    finally:
        for future in waiting:
            future.cancel()
    return known


def _parts(
    first: list[tuple[Source, str]], rest: Iterator[tuple[Source, str]]
) -> Iterator[tuple[tuple[Source, str], ...]]:
    for start in range(0, len(first), CHUNK):
        yield tuple(first[start : start + CHUNK])
    while part := tuple(islice(rest, CHUNK)):
        yield part


def _keep(future: Future[DrawnChunk], art: ArtStore, sides: SideStore) -> None:
    """Put what a worker drew into the stores."""
    done = future.result()
    if done.art and art.drawn_by != done.drawn_by:
        art.clear()
        art.drawn_by = done.drawn_by
    for key, root, objects in done.art:
        art.put(key, root, objects)
    for made_from, key, side in done.sides:
        sides.put(made_from, key, side)


# ---------------------------------------------------------------- in a worker


def draw_chunk(chunk: Chunk) -> DrawnChunk:
    """Lay out and draw some sides. Those with anything to report are left to the parent.

    Raises CardgenError where files, code or libraries are not the parent's.
    """
    paths = ProjectPaths(tuple(Path(root) for root in chunk.roots))
    if _likeness(paths, chunk.manner.game) != chunk.likeness:
        message = "a worker has other files, other code or other libraries than the process that builds"
        hint = "give every worker the same project folder and the same installation of cardgen"
        raise CardgenError(Finding(Severity.ERROR, "build/worker", message, None, hint))
    with _one_at_a_time:
        return _bench(paths, chunk.manner, chunk.likeness).draw(chunk.sources)


class _Bench:
    """What a worker keeps from chunk to chunk."""

    def __init__(self, paths: ProjectPaths, manner: Manner) -> None:
        from cardgen.drawing import ArtStore
        from cardgen.rendering import LayingOut
        from cardgen.typesetting import FontBook

        self.fonts = FontBook(paths)
        self.laying_out: LayingOut = LayingOut(paths, self.fonts, manner)
        self.art = ArtStore.memory()
        self.used: dict[str, str] = {}
        """The pictures of the last chunk: most are of the next one too."""

    def draw(self, sources: Iterable[tuple[Source, str]]) -> DrawnChunk:
        from cardgen.drawing import ArtStore, SideStore, draw_ahead

        art = ArtStore.memory()
        art.drawn_by = self.art.drawn_by
        for key, root in self.used.items():
            art.put(key, root, self.art.objects([root]))
        finished = []
        icons: set[str] = set()
        for source, digest in sources:
            made = self.laying_out.lay_out(source, bytes.fromhex(digest))
            if made.artwork is not None and not made.problems and not self.laying_out.icons.problems:
                finished.append((digest, made.artwork))
                icons |= made.icons
        sides = SideStore(None, None, art)
        try:
            draw_ahead(finished, self.laying_out.documents(icons), self.fonts, art, sides)
        except CardgenError:
            return DrawnChunk((), (), art.drawn_by)
        drawn = [(digest, artwork.key, sides.drawn(artwork.key)) for digest, artwork in finished]
        whole = tuple((digest, key, side) for digest, key, side in drawn if side is not None)
        self.art = art
        self.used = {key: root for _, _, side in whole for key, root in side.art}
        shown = tuple((key, root, tuple(art.objects([root]))) for key, root in self.used.items())
        return DrawnChunk(whole, shown, art.drawn_by)


@lru_cache(maxsize=2)
def _bench(paths: ProjectPaths, manner: Manner, likeness: str) -> _Bench:
    return _Bench(paths, manner)


# ---------------------------------------------------------------- are we alike?


def _likeness(paths: ProjectPaths, game: str) -> str:
    """A digest of all that drawing depends on besides the sources: the same on every machine that has
    the same files, code and libraries."""
    stamp = Project(paths.roots[0], paths).fingerprint(game, _READ)
    return _content(paths, game, hash(tuple(stamp)))


@lru_cache(maxsize=2)
def _content(paths: ProjectPaths, game: str, stamp: int) -> str:
    state = hashlib.blake2b(_libraries().encode(), digest_size=16)
    for number, root in enumerate(paths.roots):
        for folder in (f"templates/{game}", "templates/_shared", "fonts"):
            found = walk(root / folder, folder, paths.roots)
            for path in sorted(file for file, _, _ in found.files):
                name = os.path.relpath(path, os.path.realpath(root)).replace(os.sep, "/")
                state.update(b"\0%d\0%s\0" % (number, os.fsencode(name)))
                try:
                    content = read_file(path, PICTURE, path, paths.roots)
                except ReadingError as error:  # what is not read for this is not read for drawing either
                    content = error.code.encode()
                state.update(hashlib.blake2b(content, digest_size=16).digest())
    return state.hexdigest()


@cache
def _libraries() -> str:
    """The code that lays out and draws, as it was when this process first asked, and its libraries."""
    import importlib.metadata  # slow to import, and only builds that are spread need it

    from cardgen.drawing.cairo import version

    code = hashlib.blake2b(digest_size=16)
    package = Path(__file__).parent.parent
    for path in sorted(path for part in _CODE for path in package.glob(part)):
        code.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    versions = [f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES]
    return "\0".join([code.hexdigest(), f"cairo {version()}", *versions])
