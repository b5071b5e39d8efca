"""No reader of a stranger's bytes costs more than in proportion to what it is given."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import rehearse
from .confined import Commands
from .families import FAMILIES, Cost, Family, cost_of, plain

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="each command runs in a forked process"),
]

MOST_RATIO = 2.5
LEAST_S = 0.3
"""Shorter runs tell nothing of how time grows."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Commands, Cost]]:
    base = tmp_path_factory.mktemp("amplification")
    commands = Commands(base / "cache")
    rehearse(commands, base / "rehearsal")
    yield commands, plain(base / "plain", commands)
    commands.close()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: f"{family.reader}-{family.name}")
def test_twice_the_input_takes_about_twice_the_time(
    family: Family, served: tuple[Commands, Cost], tmp_path: Path
) -> None:
    commands, least = served
    one, two = (cost_of(family, family.n * times, tmp_path / str(times), commands) for times in (1, 2))
    first, second = (each.seconds - least.seconds for each in (one, two))
    assert second < max(LEAST_S, MOST_RATIO * first)
    assert two.mb - least.mb < max(50, MOST_RATIO * (one.mb - least.mb))
