"""Remembering what a build read and wrote, so that a build with nothing to do ends at once.

A stamp is a small file in the user's cache folder. It holds the fingerprint of all inputs and of the
outputs as they were left; when both still agree, nothing is loaded, not even the libraries.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardgen.folders import cache_folder

RACY_NS = 50_000_000
"""A file modified within this time of the stamp may be modified again without its time changing
(file systems keep time in steps of up to some 10 ms), so such a stamp is not trusted."""

Fingerprint = Sequence[tuple[str, int, int]]


def stat_outputs(paths: Sequence[Path]) -> list[tuple[str, int, int]]:
    """Name, bytes and modification time (ns) of files; a missing one counts as -1 bytes."""
    entries = []
    for path in paths:
        try:
            stat = path.stat()
            entries.append((str(path), stat.st_size, stat.st_mtime_ns))
        except OSError:
            entries.append((str(path), -1, 0))
    return entries


class Stamp:
    """The stamp of one kind of build: a game in a project with certain options."""

    def __init__(self, *identity: str) -> None:
        name = hashlib.blake2b("\0".join(identity).encode(), digest_size=16).hexdigest()
        self.path = cache_folder() / "stamps" / f"{name}.json"

    def read(self, inputs: Fingerprint) -> Any | None:
        """What `write` was given as result, if inputs and outputs are still the same; else None."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            if stored["inputs"] != digest(inputs):
                return None
            outputs = [Path(entry[0]) for entry in stored["outputs"]]
            if [list(entry) for entry in stat_outputs(outputs)] != stored["outputs"]:
                return None
            return stored["result"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, inputs: Fingerprint, outputs: Sequence[Path], result: Any) -> None:
        """Remember a finished build. `inputs` is the fingerprint taken before it began. A stamp that
        can't be written is no harm: the next build just does its work again."""
        if is_fresh(inputs):
            return
        stored = {"inputs": digest(inputs), "outputs": stat_outputs(outputs), "result": result}
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(stored), encoding="utf-8")
            os.replace(temporary, self.path)
        except OSError:
            temporary.unlink(missing_ok=True)


def is_fresh(entries: Fingerprint) -> bool:
    """Whether a file was modified so lately that the next modification may not show."""
    return max((entry[2] for entry in entries), default=0) > time.time_ns() - RACY_NS


def digest(entries: Fingerprint) -> str:
    """A digest of a fingerprint."""
    return hashlib.blake2b(repr(list(entries)).encode(), digest_size=16).hexdigest()
