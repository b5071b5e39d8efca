"""Remembering what a build read and wrote, so that a build with nothing to do ends at once.

A stamp is an entry in the user's cache. It is made of the fingerprint of all inputs, and holds the
outputs as they were left; when both still agree, nothing is loaded, not even the libraries.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from cardgen.storage.cache import Cache
from cardgen.storage.files import changed_ns

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
