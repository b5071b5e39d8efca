"""How much a confined program may take: memory, processor time, the size and number of files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.budget import GIGABYTE, WRITTEN, Budget, set_limits
from cardgen.findings import UsageError

MEMORY, SECONDS = "CARDGEN_SANDBOXED_MEMORY", "CARDGEN_SANDBOXED_SECONDS"

_GRACE = 5
"""Seconds from the signal that ends a program to the one that ends it whatever it does."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory` in bytes of address space, `seconds` of processor time, `file_size` in bytes. The
    largest shipped game takes a tenth of either. `written` is in bytes of all files that it writes."""

    memory: int = 2 * GIGABYTE
    seconds: int = 300
    file_size: int = GIGABYTE
    open_files: int = 256
    written: int = WRITTEN

    @classmethod
    def stated(cls, environment: Mapping[str, str] = os.environ, budget: str | None = None) -> Limits:
        """The usual limits, or those of $CARDGEN_SANDBOXED_MEMORY (GB) and $CARDGEN_SANDBOXED_SECONDS, or
        of a stated `budget`. Raises UsageError for what is no such number."""
        memory = _number(environment, MEMORY, cls().memory / GIGABYTE, 0.1, 1000)
        seconds = _number(environment, SECONDS, cls().seconds, 1, 1_000_000)
        usual = Budget(round(seconds), round(memory * GIGABYTE), WRITTEN)
        asked = Budget.stated(budget or "", usual)
        return cls(memory=asked.memory, seconds=round(asked.seconds), written=asked.written)

    @property
    def as_budget(self) -> str:
        """The same for `--budget`."""
        megabytes = (f"{count / 1_000_000:.3f}MB" for count in (self.memory, self.written))
        return f"{self.seconds}s," + ",files=".join(megabytes)

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
    set_limits(
        {
            "RLIMIT_AS": (limits.memory, limits.memory),
            "RLIMIT_CPU": (limits.seconds, limits.seconds + _GRACE),
            "RLIMIT_FSIZE": (limits.file_size, limits.file_size),
            "RLIMIT_NOFILE": (limits.open_files, limits.open_files),
            "RLIMIT_CORE": (0, 0),
        }
    )
