"""How much a confined program may take: memory, processor time, the size and number of files."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.findings import UsageError

GIGABYTE = 1_000_000_000
MEMORY, SECONDS = "CARDGEN_SANDBOXED_MEMORY", "CARDGEN_SANDBOXED_SECONDS"

_GRACE = 5
"""Seconds from the signal that ends a program to the one that ends it whatever it does."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory` in bytes of address space, `seconds` of processor time, `file_size` in bytes. The
    largest shipped game takes a tenth of either."""

    memory: int = 2 * GIGABYTE
    seconds: int = 300
    file_size: int = GIGABYTE
    open_files: int = 256

    @classmethod
    def stated(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """The usual limits, or what $CARDGEN_SANDBOXED_MEMORY (GB) and $CARDGEN_SANDBOXED_SECONDS say.
        Raises UsageError for what is no such number."""
        memory = _number(environment, MEMORY, cls().memory / GIGABYTE, 0.1, 1000)
        seconds = _number(environment, SECONDS, cls().seconds, 1, 1_000_000)
        return cls(memory=round(memory * GIGABYTE), seconds=round(seconds))

    @property
    def memory_shown(self) -> str:
        return f"{self.memory / GIGABYTE:g} GB"


def _number(environment: Mapping[str, str], name: str, usual: float, least: float, most: float) -> float:
    text = environment.get(name)
    if not text:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise UsageError(f"{name} is no number from {least:g} to {most:g}")
    return value


def limit(limits: Limits) -> None:
    """Put these limits on this process, for good. A limit that the system does not know is left out."""
    if sys.platform == "win32":
        return
    import resource

    wished = {
        "RLIMIT_AS": (limits.memory, limits.memory),
        "RLIMIT_CPU": (limits.seconds, limits.seconds + _GRACE),
        "RLIMIT_FSIZE": (limits.file_size, limits.file_size),
        "RLIMIT_NOFILE": (limits.open_files, limits.open_files),
        "RLIMIT_CORE": (0, 0),
    }
    for name, (soft, hard) in wished.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        _, most = resource.getrlimit(number)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        with contextlib.suppress(OSError, ValueError):
            # macOS refuses some of them; the trial then finds that they are not held.
            resource.setrlimit(number, (soft, hard))
