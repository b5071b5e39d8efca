"""Which files a confined program may use, and which every Python program needs."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = (
    # Libraries, and how the loader finds them.
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/opt/homebrew/lib",
    "/opt/homebrew/Cellar",
    "/opt/homebrew/opt",
    "/nix/store",
    "/gnu/store",
    "/System/Library",
    "/etc/ld.so.cache",
    "/etc/ssl/openssl.cnf",
    # The words and the time of where one is.
    "/usr/share/locale",
    "/usr/share/zoneinfo",
    "/etc/localtime",
    # What this process itself has loaded, and how many processors there are.
    *(f"/proc/self/{name}" for name in ("status", "stat", "statm", "maps", "fd")),
    "/sys/devices/system/cpu",
    "/dev/urandom",
    "/dev/random",
)
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")


@dataclass(frozen=True, slots=True)
class Places:
    """Files and folders that a confined program may read, and folders that it may write to as well.
    Nothing else below the root of the file system, but for what Python itself needs."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def system_files(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Files of the system that programs with libraries read."""
    paths = [path for name in _LIBRARY_PATHS for path in environment.get(name, "").split(os.pathsep)]
    return _there([*_SYSTEM, *paths])


def python_files(private: Iterable[Path], path: Iterable[str] = sys.path) -> tuple[str, ...]:
    """The folders of this Python's modules: its own, installed ones, and those on its `path` that do
    not hold one of the `private` folders, as a checkout on the path holds what lies in it."""
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
    """Those that exist, once each."""
    there = (path for path in paths if os.path.isabs(path) and os.path.exists(path))
    return tuple(dict.fromkeys(there))
