"""Results kept in the user's cache folder, each with all that it depends on."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from hashlib import blake2b
from io import BufferedReader
from operator import itemgetter
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, BinaryIO

from cardgen.core import budget
from cardgen.files.writing import (
    Draft,
    cache_folder,
    changed_ns,
    new_file,
    open_regular,
    read_regular,
    remove_left_behind,
)

MAGIC = b"cardgen cache 2\n"
DIGEST = 16
_LENGTH = 8
_HEADER = len(MAGIC) + DIGEST + _LENGTH + DIGEST

_PIECE = 1 << 18

_swept: set[Path] = set()
"""Folders from which this process has removed what killed ones left."""


class Cache:
    """Entries of one kind. Those kept in another `environment` (code, libraries, …; this process's own
    unless it is given) do not count. `folder` is the user's cache folder unless it is given."""

    def __init__(self, kind: str, environment: str | None = None, folder: Path | None = None) -> None:
        self.kind = kind
        self.environment = our_environment() if environment is None else environment
        base = cache_folder() if folder is None else folder
        self.folder = None if base is None else base / kind

    def path(self, key: str) -> Path | None:
        """Where the entry of that key is kept; None if there is no cache folder."""
        if self.folder is None:
            return None
        return self.folder / f"{_digest(key).hex()}.kept"

    def get(self, key: str, made_of: str = "") -> bytes | None:
        """The content that was put under this key, made of the same; None if there is none, or it is
        not whole."""
        found = self._open(key, made_of)
        if found is None:
            return None
        try:
            with found[0] as file:
                content = file.read()
        except OSError:
            return None
        return content if found[1] == self._header(key, made_of, content) else None

    def unread(self, key: str, made_of: str = "") -> Aside | None:
        """The same content to read parts of while it is kept open. Proved before, a piece at a time."""
        found = self._open(key, made_of)
        if found is None:
            return None
        try:
            with found[0] as file:
                state = blake2b(found[1][:-DIGEST], digest_size=DIGEST)
                while piece := file.read(_PIECE):
                    state.update(piece)
                if state.digest() != found[1][-DIGEST:]:
                    return None
                if os.name != "nt" or self.folder is None:
                    return Aside(file, _HEADER)
                file.seek(_HEADER)  # Windows puts nothing in the place of an open file
                copy = Aside.scratch(self.folder)
                while piece := file.read(_PIECE):
                    copy.add(piece)
                return copy
        except OSError:
            return None

    def _open(self, key: str, made_of: str) -> tuple[BufferedReader, bytes] | None:
        """An entry's file, read up to its content, and its header, if that is of this key and of a content
        of such a length."""
        path = self.path(key)
        if path is None:
            return None
        try:
            with ExitStack() as trouble:
                file = trouble.enter_context(open_regular(path))
                header = file.read(_HEADER)
                length = int.from_bytes(header[-DIGEST - _LENGTH : -DIGEST], "big")
                if os.fstat(file.fileno()).st_size != _HEADER + length:
                    return None
                if not header.startswith(self._head(key, made_of)):
                    return None
                trouble.pop_all()
                return file, header
        except OSError:
            return None

    def put(self, key: str, *parts: bytes | Part, made_of: str = "") -> None:
        """Keep a content, given in one or more parts, in place of what was kept under this key. Parts that
        were put aside are read as they are written."""
        path = self.path(key)
        if path is None:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent not in _swept:
                _swept.add(path.parent)
                remove_left_behind(path.parent)
            with Draft(path) as draft:
                draft.file.write(self._header(key, made_of, *parts))
                draft.file.writelines(map(bytes, parts))
                budget.wrote(draft.file.tell())
                draft.place()

    def _head(self, key: str, made_of: str) -> bytes:
        return MAGIC + _digest(self.kind, self.environment, key, made_of)

    def _header(self, key: str, made_of: str, *parts: bytes | Part) -> bytes:
        head = self._head(key, made_of) + sum(map(len, parts)).to_bytes(_LENGTH, "big")
        state = blake2b(head, digest_size=DIGEST)
        for part in parts:
            state.update(bytes(part))
        return head + state.digest()


def _digest(*texts: str) -> bytes:
    """A digest that tells texts apart, and where one ends and the next begins. Paths may hold bytes
    that are no text."""
    state = blake2b(digest_size=DIGEST)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.digest()


KEPT_GENERATIONS = 8
"""Times that something new is kept before what was not used in any of them is forgotten: builds of other
variants and languages lie between."""


class Kept:
    """Values, as JSON knows them, by key, kept in `cache` under `name`, or nowhere.

    `made_with` gives a digest of all that they depend on besides their keys; None where that can't be told
    from a later state: then nothing is kept. Our code and libraries are part of any cache.
    """

    def __init__(self, cache: Cache | None, name: str, made_with: Callable[[], str | None]) -> None:
        self._name = name
        self._made_with = made_with() if cache is not None else None
        self._cache = cache if self._made_with is not None else None
        self._kept: dict[str, tuple[Any, int]] = {}
        """With how often others were kept since it was used."""
        self._used: dict[str, Any] = {}
        self._new = False
        content = None if self._cache is None else self._cache.get(name, made_of=self._made_with or "")
        if content is not None:
            self._kept = {key: (value, age) for key, value, age in json.loads(content)}

    def items(self) -> Iterator[tuple[str, Any]]:
        """All that was kept before, which is not used by that."""
        return ((key, value) for key, (value, _) in self._kept.items())

    def get(self, key: str) -> Any | None:
        """What was kept under a key before."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._used[key] = found[0]
        self._new = (
            self._new or found[1] >= KEPT_GENERATIONS // 2
        )  # it is still of use, and may be the only such
        return found[0]

    def put(self, key: str, value: Any) -> None:
        """Keep a value."""
        if self._cache is not None:
            self._used[key] = value
            self._new = self._new or key not in self._kept

    def forget(self) -> None:
        """Have nothing that was kept before."""
        self._kept, self._used, self._new = {}, {}, True

    def close(self) -> None:
        """Save, and hold nothing any more: what is put from now on is not kept."""
        self.save()
        self._cache = None
        self._kept, self._used = {}, {}

    def save(self) -> None:
        """Write what there is if some of it is new."""
        if self._cache is None or not self._new:
            return
        entries = [(key, value, 0) for key, value in self._used.items()]
        entries += [
            (key, value, age + 1)
            for key, (value, age) in self._kept.items()
            if key not in self._used and age + 1 < KEPT_GENERATIONS
        ]
        content = json.dumps(sorted(entries, key=itemgetter(0)), separators=(",", ":")).encode()
        self._cache.put(self._name, content, made_of=self._made_with or "")
        self._new = False


RACY_NS = 50_000_000
"""A file modified within this time may be modified again without its time changing (file systems keep
time in steps of up to some 10 ms), so what is remembered about it may not hold."""

_TRIES = 4

Fingerprint = Sequence[tuple[str, int, int]]
"""Name, bytes and time (ns) of files."""

Outputs = Sequence[tuple[str, int, int, int]]
"""The same of written files, and the number of the file itself: a file that another build puts in the
place of ours is another one even if it is as long and came in the same step of time."""


def stat_files(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """The fingerprint of files; a missing one counts as -1 bytes."""
    return [entry[:3] for entry in stat_outputs(paths)]


def stat_outputs(paths: Iterable[Path]) -> list[tuple[str, int, int, int]]:
    """How files were left; a missing one counts as -1 bytes."""
    entries = []
    for path in paths:
        try:
            stat = path.stat()
            entries.append((str(path), stat.st_size, changed_ns(stat), stat.st_ino))
        except OSError:
            entries.append((str(path), -1, 0, 0))
    return entries


class Stamp:
    """The stamp of one kind of build: a game in a project with certain options."""

    def __init__(self, *identity: str) -> None:
        self._cache = Cache("stamps")
        self._key = "\0".join(identity)

    def read(self, inputs: Fingerprint) -> Any | None:
        """What `write` was given as result, if inputs and outputs are still the same; else None."""
        content = self._cache.get(self._key, made_of=digest(inputs))
        if content is None:
            return None
        stored = json.loads(content)
        outputs = [Path(entry[0]) for entry in stored["outputs"]]
        if [list(entry) for entry in stat_outputs(outputs)] != stored["outputs"]:
            return None
        return stored["result"]

    def write(self, inputs: Fingerprint | None, outputs: Outputs, result: Any) -> None:
        """Remember a finished build. `inputs` comes from `at_rest`, before the build began; None is
        not remembered. `outputs` was taken while no other build could replace them. A stamp that can't
        be written is no harm: the next build just does its work again."""
        if inputs is not None:
            stored = json.dumps({"outputs": outputs, "result": result}).encode()
            self._cache.put(self._key, stored, made_of=digest(inputs))


def at_rest(entries: Fingerprint, take: Callable[[], Fingerprint]) -> Fingerprint | None:
    """A fingerprint that every later edit changes: `entries`, just taken, or one that `take` takes.
    Shortly after an edit, some hundredths of a second are waited for that. None where files do not
    come to rest, or are of a time to come, which may be the present of another computer's disk."""
    for _ in range(_TRIES):
        wait = newest(entries) + RACY_NS - time.time_ns()
        if wait < 0:
            return entries
        if wait > RACY_NS:
            return None
        time.sleep((wait + 1) / 1e9)
        entries = take()
    return None


def is_fresh(entries: Fingerprint) -> bool:
    """Whether a file was changed so lately that the next change may not show."""
    return newest(entries) + RACY_NS >= time.time_ns()


def newest(entries: Fingerprint) -> int:
    """The latest time (ns) among files."""
    return max((entry[2] for entry in entries), default=0)


def digest(entries: Fingerprint) -> str:
    """A digest of a fingerprint."""
    return hashlib.blake2b(repr(list(entries)).encode(), digest_size=16).hexdigest()


KEPT_TREES = 4
"""Trees of a kind that are kept, those used last; more only while somebody may be at work in one."""
AT_WORK = 24 * 3600.0
"""Seconds since its last use for which a tree may be in use."""
MOST = 16
MOST_LISTING = 64_000_000
MOST_DEPTH = 32
_LISTING = "files.json"
_PART = ".part-"
_FOREIGN = frozenset('\\:*?"<>|') if os.name == "nt" else frozenset()


def tree(kind: str, key: str, files: Callable[[], Iterable[tuple[str, bytes]]]) -> tuple[Path, object]:
    """The folder of a tree, made from `files` (name with forward slashes, content) if it is not there, and
    an object to hold while it is used: without a cache it is as `temporary` makes it.

    `key` is a name of letters and digits that stands for all that the files depend on. Two files of one
    name (on a disk that knows no capitals) are the first of them. Raises OSError, ValueError for a name
    that leads out of the folder, and whatever `files` raises; then there is no tree.
    """
    base = cache_folder()
    if base is None:
        return temporary(files)
    home = base / kind
    place = home / key
    if not _is_whole(place):
        try:
            home.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(prefix=_PART, dir=home))
        except OSError:  # a cache that can't be written is no reason to stop
            return temporary(files)
        try:
            _fill(part, files())
            _replace(part, place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.utime(place)
    _clear(home, place)
    return place / "tree", place


def temporary(files: Callable[[], Iterable[tuple[str, bytes]]]) -> tuple[Path, object]:
    """The same in a temporary folder, which goes with the object."""
    folder = Path(tempfile.mkdtemp(prefix="cardgen-"))
    holder = _Holder()
    weakref.finalize(holder, shutil.rmtree, folder, True)
    _fill(folder, files())
    return folder / "tree", holder


class _Holder:
    """Has a temporary folder for as long as it lives."""


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write the files and, beside them, a list of how they were left."""
    top = folder / "tree"
    top.mkdir()
    listed = {}
    for name, content in files:
        path = top.joinpath(*_parts(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with new_file(path, path) as file:
                file.write(content)
                budget.wrote(len(content))
        except FileExistsError:
            continue
        listed[name] = list(_state(path))
    with new_file(folder / _LISTING, folder / _LISTING) as file:
        file.write(json.dumps([our_environment(), listed]).encode("utf-8", "surrogateescape"))


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a file's name. Raises ValueError for one that leads elsewhere than into the folder."""
    parts = tuple(name.split("/"))
    path = PurePosixPath(name)
    wrong = any(part in ("", ".", "..") or "\0" in part or _FOREIGN & set(part) for part in parts)
    if wrong or path.is_absolute() or len(parts) > MOST_DEPTH:
        raise ValueError(f"no file of a project is called {name!r}")
    return parts


def _state(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_size, changed_ns(found)


def _is_whole(place: Path) -> bool:
    """Whether a tree is there as it was left. It has no more files than were listed: nobody but us knows
    of the folder, and who may write to it can run code as its user anyway."""
    try:
        made_in, listed = json.loads(read_regular(place / _LISTING, MOST_LISTING))
        return made_in == our_environment() and all(
            list(_state(place.joinpath("tree", *_parts(name)))) == state for name, state in listed.items()
        )
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _replace(part: Path, place: Path) -> None:
    """Put a finished tree in its place. Another process may have been faster: one is as good as the
    other."""
    try:
        part.rename(place)
    except OSError:
        if _is_whole(place):
            return
        shutil.rmtree(place)
        part.rename(place)


def _clear(home: Path, used: Path) -> None:
    """Remove the trees that were not used for longest, and what killed processes left."""
    now, ages = time.time(), []
    with contextlib.suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and Path(entry.path) != used:
                ages.append((now - entry.stat(follow_symlinks=False).st_mtime, entry.path))
    kept = 1
    for age, path in sorted(ages):
        if os.path.basename(path).startswith(_PART):
            gone = age > AT_WORK
        else:
            kept += 1
            gone = kept > MOST or (kept > KEPT_TREES and age > AT_WORK)
        if gone:
            shutil.rmtree(path, ignore_errors=True)


KEEP = 8
"""Times that a user of a store keeps something new before what it did not use in any of them is no longer
kept for it. Building one sheet today and another tomorrow must not throw away the first one's."""
MOST_USERS = 24
"""Users that a store knows: those that last kept something new."""

Ages = tuple[tuple[int, int], ...]
"""By which users an entry was used, as their numbers, and how often each kept something new since."""


class Generations:
    """The ages of a store's entries: `user` is who uses it now, such as a variant of a game, `users` are
    all that it had, the latest last. What others keep doesn't make an entry older for its own users."""

    def __init__(self, user: str, users: Sequence[str] = ()) -> None:
        self.users = [*[each for each in users if each != user][1 - MOST_USERS :], user]
        """All from now on; the numbers in `Ages` are places in this list."""
        places = {name: place for place, name in enumerate(self.users)}
        self._now = {number: places[name] for number, name in enumerate(users) if name in places}
        self._me = places[user]
        self._known: dict[tuple[Ages, bool], Ages] = {}

    def next(self, ages: Ages, *, used: bool) -> Ages:
        """Ages of an entry once something new is kept by this user, who may have used it; without any, it
        is to go. `ages` are numbered by the earlier users. Equal ages are one object."""
        found = self._known.get((ages, used))
        if found is None:
            kept = [(self._now[number], age) for number, age in ages if number in self._now]
            later = {place: age + (place == self._me) for place, age in kept}
            if used:
                later[self._me] = 0
            found = tuple((place, age) for place, age in sorted(later.items()) if age < KEEP)
            self._known[ages, used] = found
        return found


class Aside:
    """A file that is open for as long as somebody may need parts of it, from any thread. Nobody else writes
    to it: it has no name, or is an entry of the cache, which is replaced and never changed."""

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        """What is in an open file from `start` on. The file may be closed."""
        self._handle = os.dup(file.fileno())
        self._start, self._size = start, 0
        self._lock = Lock()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    @classmethod
    def scratch(cls, folder: Path) -> Aside:
        """A new file in `folder`, which is made; it is gone with this object. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            return cls(file)

    def part(self, start: int, size: int) -> Part:
        """Bytes of the file, unread."""
        return Part(self, start, size)

    def add(self, content: bytes) -> Part:
        """Put bytes at the end of a scratch file. Raises OSError."""
        budget.wrote(len(content))
        with self._lock:
            start, left = self._size, memoryview(content)
            os.lseek(self._handle, start, os.SEEK_SET)
            while left:
                left = left[os.write(self._handle, left) :]
            self._size += len(content)
        return Part(self, start, len(content))

    def read(self, start: int, size: int) -> bytes:
        """Bytes of the file. OSError if there are fewer."""
        pieces: list[bytes] = []
        with self._lock:
            os.lseek(self._handle, self._start + start, os.SEEK_SET)
            while size > 0:
                piece = os.read(self._handle, size)
                if not piece:
                    raise OSError(f"{size} bytes of what was put aside are gone")
                pieces.append(piece)
                size -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class Part:
    """Bytes in a file: `len(part)` says how many, `bytes(part)` reads them."""

    __slots__ = ("_aside", "_size", "_start")

    def __init__(self, aside: Aside, start: int, size: int) -> None:
        self._aside, self._start, self._size = aside, start, size

    def __len__(self) -> int:
        return self._size

    def __bytes__(self) -> bytes:
        return self._aside.read(self._start, self._size)


_PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = (".dist-info", ".egg-info")
_SEARCHED = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
_CAIRO = (
    # ld.so's own list of libraries is written anew whenever a package brings one.
    "/etc/ld.so.cache",
    *(
        f"{root}/{name}"
        for root in ("/usr/lib", "/usr/local/lib", "/lib64")
        for name in ("libcairo.*", "*/libcairo.*")
    ),
    "/opt/homebrew/lib/libcairo.*",
    "/opt/local/lib/libcairo.*",
)


@cache
def our_environment() -> str:
    """A digest of what this process works with: cardgen's code, Python, every installed distribution with
    its version, the files of the cairo library. What was kept in another environment does not count."""
    state = hashlib.blake2b(digest_size=16)
    for line in (
        sys.version,
        sys.executable,
        *map(_described, _modules()),
        *_distributions(),
        *_libraries(),
    ):
        state.update(os.fsencode(line) + b"\0")
    return state.hexdigest()


@cache
def code_digest() -> str:
    """A digest of the content of cardgen's code: the same on every machine that has the same code."""
    state = hashlib.blake2b(digest_size=16)
    for path in _modules():
        name = os.path.relpath(path, _PACKAGE).replace(os.sep, "/")
        state.update(name.encode() + b"\0" + Path(path).read_bytes())
    return state.hexdigest()


def _modules() -> list[str]:
    """The files of the package itself, without what is bundled with it."""
    found = []
    for folder, names, files in os.walk(_PACKAGE):
        names[:] = [
            name for name in names if name not in ("__pycache__", "_bundled", "scaffold", "starters")
        ]
        found += [os.path.join(folder, name) for name in files if not name.endswith((".pyc", ".pyo"))]
    return sorted(found)


def _distributions() -> Iterator[str]:
    """Every distribution that can be imported from: its name, its version, when it was installed."""
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(_INSTALLED):
                yield _described(os.path.join(folder, name))


def _libraries() -> Iterator[str]:
    folders = [os.environ.get(name, "") for name in _SEARCHED]
    yield from folders
    patterns = [
        os.path.join(folder, "libcairo*") for each in folders for folder in each.split(os.pathsep) if folder
    ]
    for pattern in (*_CAIRO, *patterns):
        for path in sorted(glob.glob(pattern)):
            yield _described(path)


def _described(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return path
    return f"{path} {found.st_size} {found.st_mtime_ns}"
