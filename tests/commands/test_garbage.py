"""Cyclic garbage: not sought while a build goes on, sought as ever afterwards, not at the end."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from cardgen.commands.production.stamping import collect_young, collector_paused
from tests.sharing import count_frozen


@pytest.fixture(autouse=True)
def _counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is frozen is counted here each time; afterwards all is frozen again."""
    monkeypatch.setattr(gc, "get_freeze_count", count_frozen)
    yield
    gc.freeze()


class Node:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_found_after_a_pause() -> None:
    assert gc.isenabled()
    gc.unfreeze()
    with collector_paused():
        assert not gc.isenabled()
        made = [weakref.ref(Node()) for _ in range(10_000)]
        assert all(each() is not None for each in made)
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert all(each() is not None for each in made)  # they count as old, and were not gone through at once
    gc.collect()
    assert all(each() is None for each in made)


def test_what_is_young_may_be_freed_in_a_pause() -> None:
    with collector_paused():
        made = [weakref.ref(Node()) for _ in range(1000)]
        collect_young()
        assert all(each() is None for each in made)
        assert not gc.isenabled()


def test_nothing_is_searched_at_the_end_of_the_process() -> None:
    program = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 1000))\n"  # the first comes last
        "import cardgen.commands.production.stamping\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stdout == "True\n"
