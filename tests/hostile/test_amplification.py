"""No reader of a stranger's bytes costs more than in proportion to what it is given."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import rehearse
from .confined import Commands
from .families import FAMILIES, Cost, Family, costs_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="each command runs in a forked process"),
]

DOUBLINGS = 3
MOST_RATIO = 2.5**DOUBLINGS
"""Cost of eight times the input: 8 if it is linear, 64 if it is quadratic, so noise changes no verdict."""
LEAST_S, LEAST_MB = 0.05, 10
"""A cost below these counts as these: it is too small to be compared."""


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    base = tmp_path_factory.mktemp("amplification")
    commands = Commands(base / "cache")
    rehearse(commands, base / "rehearsal")
    yield commands
    commands.close()


def _is_in_proportion(one: Cost, more: Cost) -> bool:
    return more.seconds < MOST_RATIO * max(LEAST_S, one.seconds) and more.mb < MOST_RATIO * max(
        LEAST_MB, one.mb
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: f"{family.reader}-{family.name}")
def test_eight_times_the_input_costs_about_eight_times_as_much(
    family: Family, commands: Commands, tmp_path: Path
) -> None:
    one, more = costs_of(family, 2**DOUBLINGS, tmp_path / "game", commands, _is_in_proportion)
    assert _is_in_proportion(one, more), (one, more)


@pytest.mark.parametrize(("reader", "fits"), [("work_linearly", True), ("work_quadratically", False)])
def test_the_measure_tells_a_quadratic_reader_from_a_linear_one(
    reader: str, fits: bool, commands: Commands, tmp_path: Path
) -> None:
    words = ("read", f"tests.hostile.growing_files:{reader}", "file")
    family = Family("planted", reader, "files", 1_000, lambda n: {"file": "x" * n}, words)
    one, more = costs_of(family, 2**DOUBLINGS, tmp_path / "game", commands, _is_in_proportion)
    assert _is_in_proportion(one, more) is fits
