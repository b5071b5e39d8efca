"""Results in the user's cache folder, each with everything it depends on."""

from __future__ import annotations

import atexit
import contextlib
import glob
import json
import marshal
import os
import sqlite3
import stat
import sys
import time
from _blake2 import blake2b  # what `hashlib` gives, without OpenSSL, which takes long to import
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path, PurePath
from sqlite3 import Connection
from threading import Lock
from typing import IO, Any, TypeVar
from weakref import WeakSet

from cardgen.core import budget
from cardgen.core.records import fields, is_dataclass
from cardgen.files import plugins
from cardgen.files.writing import cache_folder, changed_ns

Given = TypeVar("Given")
Result = TypeVar("Result")

FILE = "results.sqlite"
"""The name of the file that all results are kept in."""
MOST_BYTES = 2_000_000_000
"""Most bytes of results. Beyond that, those unused for longest are deleted, down to half of it."""
_MOST_UNSAVED = 4_000_000
_MOST_VARIANTS = 4
"""Most values under one key that were made from different reads."""
_DAY = 86_400
_WAIT_S = 5.0
_DIGEST = 16
_TABLE = (
    "CREATE TABLE IF NOT EXISTS results (place BLOB PRIMARY KEY, proof BLOB, content BLOB, used INTEGER)"
)


class Cache:
    """Results of one kind, kept in the user's cache folder. Each is under a digest of everything that it
    was made from: its key, the `made_with` of its kind, cardgen's code and every library.

    Results that can't be read or written are not kept, but made again. None in `made_with` means that the
    files may still change unnoticed: then nothing is kept. `environment` is this process's own by default.
    """

    def __init__(self, kind: str, *made_with: str | None, environment: str | None = None) -> None:
        self.folder = None if None in made_with else cache_folder()
        self._table = None if self.folder is None else _table_of(self.folder)
        self._head = digest_of(kind, our_environment() if environment is None else environment, made_with)
        self._new: dict[bytes, bytes] = {}
        self._size = 0

    @classmethod
    def nowhere(cls) -> Cache:
        """Return a cache that keeps nothing."""
        return cls("", None, environment="")

    def get(self, key: str) -> bytes | None:
        """Return the content stored under this key, None if it is missing or incomplete."""
        if self._table is None:
            return None
        place = self._place(key)
        found = self._new.get(place)
        return self._table.get(place) if found is None else found

    def put(self, key: str, content: bytes) -> None:
        """Keep a content from the next `save` on."""
        if self._table is None:
            return
        self._new[self._place(key)] = content
        self._size += len(content)
        if self._size > _MOST_UNSAVED:
            self.save()

    def save(self) -> None:
        """Write new results."""
        if self._table is not None:
            self._table.put(self._new)
        self._new, self._size = {}, 0

    def get_value(self, key: str) -> Any | None:
        """Return the value, as JSON, stored under this key."""
        content = self.get(key)
        return None if content is None else json.loads(content.decode())

    def put_value(self, key: str, value: Any) -> None:
        """Keep such a value."""
        self.put(key, json.dumps(value, separators=(",", ":")).encode())

    def recall(self, key: str, look_up: Callable[[Any], str | None]) -> Any | None:
        """Return the value that was remembered under this key when the same was read.

        `look_up` is given the names of everything read while a value was made, and returns a digest of its
        current state; None if that is unknown.
        """
        for reads, found, value in self.get_value(key) or ():
            if look_up(reads) == found:
                return value
        return None

    def remember(self, key: str, reads: Any, found: str | None, value: Any) -> None:
        """Keep a value with the names of everything read while it was made, and a digest of that."""
        if found is not None:
            others = [each for each in self.get_value(key) or () if each[:2] != [reads, found]]
            self.put_value(key, [[reads, found, value], *others[: _MOST_VARIANTS - 1]])

    def _place(self, key: str) -> bytes:
        return blake2b(f"{self._head}{key}".encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


_TABLES: WeakSet[_Table] = WeakSet()


class _Table:
    """The table of all results, in one file. A damaged one is removed and made again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._connection: Connection | None = None
        self._process = os.getpid()
        self._inherited: Connection | None = None
        """The parent's, which a forked process may neither use nor close."""
        self._tries = 2
        self._touched: set[bytes] = set()
        """Results that were used now, and not before on the same day."""
        _TABLES.add(self)

    def __del__(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._close()

    def get(self, place: bytes) -> bytes | None:
        """Return the content of a place, None if it is missing or incomplete."""
        found = self._run(_find, place)
        if found is None:
            return None
        proof, content, used = found
        if not isinstance(content, bytes) or proof != _proof(place, content):
            return None
        if not isinstance(used, int) or used < time.time() - _DAY:
            self._touched.add(place)
        return content

    def put(self, results: Mapping[bytes, bytes]) -> None:
        """Write results in their places, and record the use of others."""
        if not results and not self._touched:
            return
        now = int(time.time())
        rows = [(place, _proof(place, content), content, now) for place, content in results.items()]
        touched, self._touched = self._touched, set()
        budget.wrote(sum(map(len, results.values())))
        self._run(_write, (rows, [(now, each) for each in touched]))
        with self._lock:
            self._close()  # keeps everything in one file

    def _run(self, work: Callable[[Connection, Given], Result], given: Given) -> Result | None:
        """Return the result of some work with the table, None if the table can't be used."""
        with self._lock:
            if self._process != os.getpid():
                self._process, self._inherited, self._connection = os.getpid(), self._connection, None
            if self._tries == 0:
                return None
            try:
                if self._connection is None:
                    self._connection = _connect(self._file)
                return work(self._connection, given)
            except _TROUBLE as error:
                code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
                if code in _NOT_OURS:
                    self._tries = 0
                elif code not in _BUSY:
                    self._tries -= 1
                    self._remove()
        return None

    def close(self) -> None:
        """Close the file until it is used again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def _remove(self) -> None:
        self._close()
        for name in _files(self._file):
            with contextlib.suppress(OSError):
                os.unlink(name)


_TROUBLE = (sqlite3.Error, OSError, UnicodeError)
"""Errors from files that are unreadable or damaged."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Another process is writing, which is no damage."""
_NOT_OURS = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL)
"""The file can't be read or written, which is no damage either."""


def _find(db: Connection, place: bytes) -> Any:
    return db.execute("SELECT proof, content, used FROM results WHERE place = ?", (place,)).fetchone()


def _write(db: Connection, given: tuple[Sequence[Any], Sequence[Any]]) -> None:
    rows, touched = given
    with db:
        db.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", rows)
        db.executemany("UPDATE results SET used = ? WHERE place = ?", touched)
        _evict(db)


def _proof(place: bytes, content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST, key=place).digest()


def _evict(db: Connection) -> None:
    """Delete the results that were not used for longest if there are too many."""
    pages, free, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    if (pages - free) * size <= MOST_BYTES:
        return
    kept = 0
    found = db.execute("SELECT place, length(content) FROM results ORDER BY used DESC").fetchall()
    for place, length in found:
        kept += length
        if kept > MOST_BYTES // 2:
            db.execute("DELETE FROM results WHERE place = ?", (place,))


def _files(file: Path) -> tuple[str, ...]:
    return str(file), f"{file}-wal", f"{file}-shm"


def _connect(file: Path) -> Connection:
    """Open the table, or create it. Raises OSError, sqlite3.Error."""
    file.parent.mkdir(parents=True, exist_ok=True)
    for name in _files(file):
        if os.path.lexists(name) and not stat.S_ISREG(os.lstat(name).st_mode):
            raise OSError(f"{name} is not a regular file")
    connection = sqlite3.connect(file, timeout=_WAIT_S, check_same_thread=False)
    try:
        for setting in ("trusted_schema = OFF", "journal_mode = WAL", "synchronous = OFF"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute(_TABLE)
    except _TROUBLE:
        connection.close()
        raise
    return connection


@lru_cache(maxsize=8)
def _table_of(folder: Path) -> _Table:
    return _Table(folder / FILE)


atexit.register(_table_of.cache_clear)  # which closes them


def _close_all() -> None:
    for table in tuple(_TABLES):
        table.close()


if hasattr(os, "register_at_fork"):
    # SQLite would take the locks of this process for the new one's, and damage the file.
    os.register_at_fork(before=_close_all)


def digest_of(*values: Any) -> str:
    """Return a digest of everything in values: each field of a dataclass, each entry of a collection, in
    order, with its type. Values that can't be compared have a new one each time."""
    try:
        spelled = b"marshalled" + marshal.dumps(values, 0)  # version 0 has no references to equal objects
    except ValueError:
        try:
            spelled = marshal.dumps(_plain(values), 0)
        except (TypeError, ValueError, RecursionError):
            spelled = os.urandom(_DIGEST)
    return blake2b(spelled, digest_size=_DIGEST).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value as tuples alone, different for different values."""
    if value is None or type(value) in (str, int, float, bool, bytes):
        return value
    name = type(value).__qualname__
    if is_dataclass(value):
        return name, [(field.name, _plain(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, Enum):
        return name, value.name
    if isinstance(value, Mapping):
        return "mapping", [(_plain(key), _plain(each)) for key, each in value.items()]
    if isinstance(value, (set, frozenset)):
        return "set", sorted(marshal.dumps(_plain(each), 0) for each in value)
    if isinstance(value, (list, tuple)):
        return "list" if isinstance(value, list) else "tuple", [_plain(each) for each in value]
    if isinstance(value, (str, PurePath)):
        return name, str(value)
    raise TypeError(f"a {name} can't be compared")


RACY_NS = 50_000_000
"""A file modified within this time may be modified again without its time changing (file systems keep time
in steps of up to some 10 ms), so results remembered for it may be outdated."""

_TRIES = 4

Fingerprint = Sequence[tuple[str, int, int]]
"""Name, bytes and time (ns) of files."""

Outputs = Sequence[tuple[str, int, int, int]]
"""The same of written files, and the number of the file itself: it identifies another build's file even if
that has the same length and time."""


def stat_files(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Return the fingerprint of files; a missing one counts as -1 bytes."""
    return [entry[:3] for entry in stat_outputs(paths)]


def stat_outputs(paths: Iterable[Path]) -> list[tuple[str, int, int, int]]:
    """Return the state of written files; a missing one counts as -1 bytes."""
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
        """Return the result given to `write`, if inputs and outputs are still the same; else None."""
        stored = self._cache.get_value(f"{self._key}\0{digest(inputs)}")
        if stored is None:
            return None
        outputs = [Path(entry[0]) for entry in stored["outputs"]]
        if [list(entry) for entry in stat_outputs(outputs)] != stored["outputs"]:
            return None
        return stored["result"]

    def write(self, inputs: Fingerprint | None, outputs: Outputs, result: Any) -> None:
        """Remember a finished build. `inputs` comes from `at_rest`, before the build began; None is not
        remembered. `outputs` was taken while no other build could replace them. A stamp that can't be
        written does no harm: the next build just does its work again."""
        if inputs is not None:
            self._cache.put_value(f"{self._key}\0{digest(inputs)}", {"outputs": outputs, "result": result})
            self._cache.save()


def at_rest(entries: Fingerprint, take: Callable[[], Fingerprint]) -> Fingerprint | None:
    """Return a fingerprint that every later edit changes: `entries`, just taken, or one that `take` takes.
    Wait some hundredths of a second for it after an edit. None if files keep changing, or have a time in
    the future, which may be the present of another computer's disk."""
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
    """Return True if a file was changed so recently that the next change may not show."""
    return newest(entries) + RACY_NS >= time.time_ns()


def newest(entries: Fingerprint) -> int:
    """Return the latest time (ns) among files."""
    return max((entry[2] for entry in entries), default=0)


def digest(entries: Fingerprint) -> str:
    """Return a digest of a fingerprint."""
    return blake2b(repr(list(entries)).encode(), digest_size=16).hexdigest()


class SpillFile:
    """A nameless file in `folder`, which keeps contents out of memory, from any thread. It is deleted with
    this object. Without a folder, or room on the disk, the contents are held in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._size = 0
        self._lock = Lock()

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, content: bytes) -> bytes | Part:
        """Return a content in the file."""
        if self._folder is None:
            return content
        budget.wrote(len(content))
        with self._lock:
            try:
                if self._file is None:
                    import tempfile

                    self._folder.mkdir(parents=True, exist_ok=True)
                    self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115
                self._file.seek(self._size)
                left = memoryview(content)
                while left:
                    left = left[self._file.write(left) :]
            except OSError:
                return content
            part = Part(self, self._size, len(content))
            self._size += len(content)
        return part

    def read(self, start: int, size: int) -> bytes:
        """Return bytes of the file. Raises OSError if there are fewer."""
        assert self._file is not None
        content = bytearray()
        with self._lock:
            self._file.seek(start)
            while len(content) < size:
                piece = self._file.read(size - len(content))
                if not piece:
                    raise OSError(f"a temporary file lost {size} bytes; run the command again")
                content += piece
        return bytes(content)


class Part:
    """Bytes in a file: `len(part)` returns their number, `bytes(part)` reads them."""

    __slots__ = ("_file", "_size", "_start")

    def __init__(self, file: SpillFile, start: int, size: int) -> None:
        self._file, self._start, self._size = file, start, size

    def __len__(self) -> int:
        return self._size

    def __bytes__(self) -> bytes:
        return self._file.read(self._start, self._size)


_PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = (".dist-info", ".egg-info")
_SEARCHED = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
_CAIRO = (
    # Package managers rewrite ld.so's own list of libraries whenever a package adds one.
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
    """Return a digest of this process's environment: cardgen's code, Python, every installed distribution
    with its version, plug-ins' code, the files of the cairo library. Results from another environment don't
    count."""
    state = blake2b(digest_size=16)
    for line in (
        sys.version,
        sys.executable,
        *map(_described, _modules()),
        *_distributions(),
        *_libraries(),
    ):
        state.update(os.fsencode(line) + b"\0")
    for line in _plugin_code(state.hexdigest()):
        state.update(os.fsencode(line) + b"\0")
    return state.hexdigest()


def _plugin_code(installed: str) -> Iterator[str]:
    """Yield the plug-ins and the files of their code, which need not be where they are installed. The list
    of plug-ins is kept for the digest of all that is `installed`, since to make it takes longer."""
    chosen = os.environ.get(plugins.VARIABLE)
    if chosen == "":  # none is loaded
        return
    kept = Cache("plugins", environment=installed)
    found = kept.get_value("")
    if found is None:
        found = [[repr(each), each.top] for each in plugins.installed()]
        kept.put_value("", found)
        kept.save()
    if found:
        yield repr(chosen)
    for line, top in found:
        yield line
        yield from map(_described, plugins.code_files(top))


@cache
def code_digest() -> str:
    """Return a digest of cardgen's code and of plug-ins': the same on every machine with the same code."""
    state = blake2b(digest_size=16)
    for path in _modules():
        name = os.path.relpath(path, _PACKAGE).replace(os.sep, "/")
        state.update(name.encode() + b"\0" + Path(path).read_bytes())
    for plugin in plugins.usable():
        state.update(repr(plugin).encode() + b"\0")
        for path in plugins.code_files(plugin.top):
            state.update(os.path.basename(path).encode() + b"\0" + Path(path).read_bytes())
    return state.hexdigest()


def _modules() -> list[str]:
    """Return the files of the package itself, without bundled ones."""
    found = []
    for folder, names, files in os.walk(_PACKAGE):
        names[:] = [
            name for name in names if name not in ("__pycache__", "_bundled", "scaffold", "starters")
        ]
        found += [os.path.join(folder, name) for name in files if not name.endswith((".pyc", ".pyo"))]
    return sorted(found)


def _distributions() -> Iterator[str]:
    """Yield every importable distribution: its name, its version, its time of installation."""
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(_INSTALLED):
                yield _described(os.path.join(folder, name))
            if name.endswith(".egg-info"):  # its files may change in place
                yield _described(os.path.join(folder, name, "entry_points.txt"))


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
