"""Work in a child process with limits: native code that draws can't be interrupted, but a process can."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MOST_SECONDS = 5
"""Of processor time that one picture may take. What passes the bounds of drawings takes about three."""
MOST_MEMORY = 500_000_000
"""Bytes that one picture may take on top of what the workbench holds."""

_running: set[int] = set()


class LimitError(Exception):
    """The work came to more than a child process may take, or ended without an answer."""


def limited(work: Callable[[], bytes]) -> bytes:
    """The bytes that the work makes, in a child where the system forks. Raises LimitError."""
    if sys.platform == "win32":
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, reading, writing)
    _running.add(child)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as answers:
            made = answers.read()
        _, status = os.waitpid(child, 0)
    finally:
        _running.discard(child)
    if status != 0:
        raise LimitError
    return made


def stop() -> None:
    """End all children, whatever they do."""
    for child in list(_running):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


if sys.platform != "win32":
    import resource

    def _work(work: Callable[[], bytes], reading: int, writing: int) -> None:
        """Work under limits, answer and end: nothing that the parent holds is cleaned up here."""
        code = 1
        try:
            os.close(reading)
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_DFL)
            limits = {resource.RLIMIT_CPU: MOST_SECONDS, resource.RLIMIT_CORE: 0}
            if held := _held():
                limits[resource.RLIMIT_AS] = held + MOST_MEMORY
            for kind, most in limits.items():
                hard = resource.getrlimit(kind)[1]
                least = most if hard == resource.RLIM_INFINITY else min(most, hard)
                with suppress(OSError, ValueError):
                    resource.setrlimit(kind, (least, least))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            made = memoryview(work())
            while made:
                made = made[os.write(writing, made) :]
            code = 0
        finally:
            os._exit(code)

    def _held() -> int:
        """Bytes of address space that this process has; 0 where the system doesn't tell."""
        with suppress(OSError, ValueError):
            return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        return 0
