"""What everything that is kept depends on besides its own inputs: our code, Python, the libraries, cairo.

Described by names, sizes and times, not by content: it is asked for before anything else, by a build that
has nothing to do as well.
"""

from __future__ import annotations

import glob
import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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
def environment() -> str:
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
