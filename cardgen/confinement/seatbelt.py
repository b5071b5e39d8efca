"""macOS's own confinement, by the program sandbox-exec that comes with it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from cardgen.confinement.reach import Places

_ALWAYS = """\
(version 1)
(allow default)
(deny network*)
(deny process-fork)
(deny signal (target others))
(deny file-write*)
(allow file-write* (literal "/dev/null") (literal "/dev/stdout") (literal "/dev/stderr"))
(deny file-read-data (subpath "/Users") (subpath "/Volumes") (subpath "/private/var"))
(deny file-read-data (subpath "/private/tmp") (subpath "/private/etc"))
"""


def program() -> str | None:
    """sandbox-exec's file, or None."""
    return shutil.which("sandbox-exec") if sys.platform == "darwin" else None


def wrapped(program: str, command: Sequence[str], places: Places) -> list[str]:
    """The command line that runs a command with these places alone."""
    return [program, "-p", profile(places), *command]


def profile(places: Places) -> str:
    """The rules, of which the last that fits holds."""
    prefixes = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))]
    reads = "".join(f"(allow file-read* {_below(path)})\n" for path in (*places.reads, *prefixes))
    writes = "".join(f"(allow file-read* file-write* {_below(path)})\n" for path in places.writes)
    return _ALWAYS + reads + writes


def _below(path: str) -> str:
    """A path and all below it, in the language of the rules, which sees paths without links."""
    real = os.path.realpath(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'(subpath "{real}")'
