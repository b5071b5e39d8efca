"""Python's search for cyclic garbage, put off, and left out at the end of the process."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# The last thing that Python does is to search all that is alive: a tenth of a build's time, for memory that
# the system takes back anyway. What has been frozen is not searched.
atexit.register(gc.freeze)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Leave cyclic garbage alone for a while.

    The search goes through all that is alive again and again, and a build keeps nearly all that it
    makes: a tenth of its time, for a MB or two. What was made meanwhile counts as old afterwards, or the
    first search would go through all of it at once.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:  # else it would also thaw what others froze
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def collect_young() -> None:
    """Free what refers to itself of all that was made since the last time, while the collector is paused:
    trees of SVG, and what templates ran in."""
    gc.collect(0)
