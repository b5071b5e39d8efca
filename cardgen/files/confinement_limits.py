"""Limits of a confined process, and the proof that they work."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.core.budget import GIGABYTE, WRITTEN, Budget, set_limits
from cardgen.core.findings import UsageError
from cardgen.core.records import dataclass

NEEDED = ("network", "local sockets", "writing of files", "reading of files")
"""Protections without which a stranger's game isn't run."""


@dataclass(frozen=True, slots=True)
class Held:
    """The proven restrictions of a confined process, and the means of each.

    `lacking` are the rights (NEEDED, and some that not every system takes) that it kept. `network_by` and
    `files_by` name the means, such as "seccomp" and "landlock 7".
    """

    lacking: tuple[str, ...]
    network_by: str = ""
    files_by: str = ""

    @property
    def is_enough(self) -> bool:
        """Return True if nothing gets in or out: over the network, to services, by files elsewhere."""
        return not set(NEEDED) & set(self.lacking)

    def line(self, limits: Limits) -> str:
        """Return one line that names the limits that apply and those that don't."""
        files = "writing of files" if "reading of files" in self.lacking else "files"
        said = {
            "network": f"no network ({self.network_by})",
            "writing of files": f"{files} ({self.files_by})",
            "processes": "one process",
            "memory": f"{limits.memory_shown} memory",
            "processor time": f"{limits.seconds} s processor time",
        }
        parts = [text for right, text in said.items() if right not in self.lacking]
        line = "sandboxed: " + ", ".join(parts)
        return f"{line}; not limited here: {', '.join(self.lacking)}" if self.lacking else line


_CONFINED: list[bool] = []
"""Only the confined process fills it, and nothing empties it."""


def is_confined() -> bool:
    return bool(_CONFINED)


def now_confined() -> None:
    _CONFINED.append(True)


MEMORY, SECONDS = "CARDGEN_SANDBOXED_MEMORY", "CARDGEN_SANDBOXED_SECONDS"

_GRACE = 5
"""Seconds between the signal that asks a program to end and the one that kills it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a process: `memory` in bytes of address space, `seconds` of processor time, `file_size` in
    bytes. The largest shipped game takes a tenth of either. `written` is in bytes of all files that it
    writes."""

    memory: int = 2 * GIGABYTE
    seconds: int = 300
    file_size: int = GIGABYTE
    open_files: int = 256
    written: int = WRITTEN

    @classmethod
    def stated(cls, environment: Mapping[str, str] = os.environ, budget: str | None = None) -> Limits:
        """Return the usual limits, or those of $CARDGEN_SANDBOXED_MEMORY (GB) and
        $CARDGEN_SANDBOXED_SECONDS, or of a stated `budget`. Raises UsageError for invalid numbers."""
        memory = _number(environment, MEMORY, cls().memory / GIGABYTE, 0.1, 1000)
        seconds = _number(environment, SECONDS, cls().seconds, 1, 1_000_000)
        usual = Budget(round(seconds), round(memory * GIGABYTE), WRITTEN)
        asked = Budget.stated(budget or "", usual)
        return cls(memory=asked.memory, seconds=round(asked.seconds), written=asked.written)

    @property
    def as_budget(self) -> str:
        """Return these limits for `--budget`."""
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
        raise UsageError(f"{name} is not a number from {least:g} to {most:g}")
    return value


def limit(limits: Limits) -> None:
    """Put these limits on this process, for good. Skip limits that the system does not know."""
    set_limits(
        {
            "RLIMIT_AS": (limits.memory, limits.memory),
            "RLIMIT_CPU": (limits.seconds, limits.seconds + _GRACE),
            "RLIMIT_FSIZE": (limits.file_size, limits.file_size),
            "RLIMIT_NOFILE": (limits.open_files, limits.open_files),
            "RLIMIT_CORE": (0, 0),
        }
    )


_SYSTEM = (
    # Libraries, and the loader's lists of them.
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ssl/openssl.cnf",
    # The local language and time.
    "/usr/share/locale",
    "/usr/share/zoneinfo",
    "/etc/localtime",
    # The memory and libraries of this process itself, and the number of processors.
    *(f"/proc/self/{name}" for name in ("status", "stat", "statm", "maps", "fd")),
    "/sys/devices/system/cpu",
    "/dev/urandom",
    "/dev/random",
)


@dataclass(frozen=True, slots=True)
class Places:
    """Files and folders that a confined program may read, and folders that it may write to as well. It sees
    nothing else below the root of the file system, except the files that Python itself needs."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def system_files(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return files of the system that programs with libraries read."""
    return _there([*_SYSTEM, *environment.get("LD_LIBRARY_PATH", "").split(os.pathsep)])


def python_files(private: Iterable[Path], path: Iterable[str] = sys.path) -> tuple[str, ...]:
    """Return the folders of this Python's modules: its own, installed ones, and those on its `path`. Skip
    those on the path that contain a `private` folder, as a checkout contains its data."""
    places = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places += [str(Path(prefix) / "lib") for prefix in (sys.base_prefix, sys.prefix)]
    places += [sys.pycache_prefix or "", *site.getsitepackages()]
    kept_out = [folder.resolve() for folder in private]
    for entry in path:
        folder = Path(entry).resolve()
        if entry and not any(place == folder or folder in place.parents for place in kept_out):
            places.append(entry)
    return _there(places)


def _there(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the existing ones, without repeats."""
    there = (path for path in paths if os.path.isabs(path) and os.path.exists(path))
    return tuple(dict.fromkeys(there))
