"""bubblewrap: a small program on many Linux systems that starts another one with few files and no
network. Used where the kernel has no Landlock."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from cardgen.confinement.reach import Places

_MADE = ("/proc/", "/dev/")
"""Folders of the system that bubblewrap makes anew."""


def program() -> str | None:
    """bubblewrap's file, or None where there is none or the system does not let it do its work."""
    import subprocess

    file = shutil.which("bwrap") if sys.platform == "linux" else None
    if file is None:
        return None
    attempt = [file, "--unshare-all", "--ro-bind", "/", "/", sys.executable, "-I", "-S", "-c", ""]
    done = subprocess.run(attempt, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return file if done.returncode == 0 else None


def wrapped(program: str, command: Sequence[str], places: Places, folder: str) -> list[str]:
    """The command line that runs a Python command in `folder` with these places alone.

    Everything is bound where it really lies, and the links on the way to it are made again.
    """
    words = [program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    words += ["--proc", "/proc", "--dev", "/dev"]
    reads, links = _followed([*places.reads, *_interpreter()])
    writes, more = _followed(places.writes)
    for path in reads:
        words += ["--ro-bind-try", path, path]
    for path in writes:
        words += ["--bind", path, path]
    for link, target in {**links, **more}.items():
        if not any(Path(link).is_relative_to(path) for path in (*reads, *writes)):
            words += ["--symlink", target, link]
    # The current folder is where paths are seen from, and need not be readable.
    return [*words, "--dir", folder, "--chdir", folder, "--", *command]


def _interpreter() -> list[str]:
    """What the system itself must find to start Python."""
    places = [sys.executable, str(Path(sys.prefix) / "pyvenv.cfg")]
    return [place for place in places if os.path.exists(place)]


def _followed(paths: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Where paths really lie, the outer before the inner, without the system's own folders, which are
    made; and the links that led there, each with what it says."""
    found: set[str] = set()
    links: dict[str, str] = {}
    for path in paths:
        if path.startswith(_MADE):
            continue
        here, ahead = "/", [part for part in path.split("/") if part]
        while ahead:
            part = ahead.pop(0)
            there = os.path.dirname(here) if part == ".." else os.path.join(here, part)
            if not os.path.islink(there):
                here = there
                continue
            links[there] = os.readlink(there)
            here = "/" if links[there].startswith("/") else here
            ahead = [part for part in links[there].split("/") if part not in ("", ".")] + ahead
        found.add(here)
    return sorted(found), links
