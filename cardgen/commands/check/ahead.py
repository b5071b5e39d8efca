"""A second process that works ahead of this one, and leaves its results in the caches."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cardgen.core.budget import WATCHER
from cardgen.pdf.typst_process import end as end_drawing

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide
    from cardgen.art.outlining import LaidOut

    Looking = Callable[[CardSide, LaidOut], LaidOut]

LEAST = 8
"""Fewer new sides than these aren't worth a process."""
PATIENCE_S = 60.0
"""Seconds that are waited at least, or as long as the process has worked: one that hangs is given up."""


@contextmanager
def working_ahead(work: Callable[[], None], look: Looking) -> Iterator[tuple[Looking, Callable[[], None]]]:
    """Yield `look`, which at the LEAST-th new side starts the work in another process, and a function that
    waits until that is done. The work's results go to the caches and its findings nowhere; without a second
    core, or where a process can't be forked safely, it isn't done."""
    children: list[int] = []
    new = 0
    begun = time.monotonic()

    def looking(side: CardSide, made: LaidOut) -> LaidOut:
        nonlocal new
        new += 1
        if new == LEAST and _can_fork():
            with suppress(OSError):
                children.append(_forked(work))
        return look(side, made)

    def wait() -> None:
        nonlocal new
        new = LEAST  # from now on it is too late to work ahead
        with suppress(OSError):  # a system without it does the work itself
            for child in children:
                ending = os.pidfd_open(child)
                try:
                    select.select([ending], [], [], max(PATIENCE_S, time.monotonic() - begun))
                finally:
                    os.close(ending)
        end()

    def end() -> None:
        while children:
            os.kill(children[-1], signal.SIGKILL)
            os.waitpid(children.pop(), 0)

    try:
        yield looking, wait
    finally:
        end()


def _can_fork() -> bool:
    """Return True if there is a second core, and no thread that may hold a lock but the budget's."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    main = threading.main_thread()
    return all(thread is main or thread.name == WATCHER for thread in threading.enumerate())


def _forked(work: Callable[[], None]) -> int:
    """Return the process that does the work, silently, without cleaning up this one's resources."""
    child = os.fork()
    if child:
        return child
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(silence, stream)
        work()
        end_drawing()
    finally:
        os._exit(0)
