"""A second process that works ahead: when it starts, and that it never outlives the check."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from cardgen.commands.check import ahead
from cardgen.commands.check.ahead import LEAST, working_ahead

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system can't fork")


@pytest.fixture(autouse=True)
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_can_fork", lambda: True)


def looked(work: Callable[[], None], sides: int) -> None:
    """Look at so many sides, then wait for the work."""
    with working_ahead(work, lambda side, made: made) as (look, wait):
        for number in range(sides):
            made = cast(Any, number)
            assert look(cast(Any, None), made) is made
        wait()


@pytest.mark.parametrize(("sides", "expected"), [(LEAST - 1, 0), (LEAST, 1), (3 * LEAST, 1)])
def test_it_is_started_once_for_enough_new_sides(tmp_path: Path, sides: int, expected: int) -> None:
    def work() -> None:
        (tmp_path / str(os.getpid())).touch()

    looked(work, sides)
    found = [file.name for file in tmp_path.iterdir()]
    assert len(found) == expected
    assert str(os.getpid()) not in found


def test_it_is_not_started_after_it_was_waited_for(tmp_path: Path) -> None:
    with working_ahead((tmp_path / "begun").touch, lambda side, made: made) as (look, wait):
        wait()
        for number in range(LEAST):
            look(cast(Any, None), cast(Any, number))
    assert not (tmp_path / "begun").exists()


def test_its_failure_is_nobodys(capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise ValueError("in the other process")

    looked(work, LEAST)
    assert capfd.readouterr() == ("", "")


def test_one_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "PATIENCE_S", 0.05)

    def work() -> None:
        time.sleep(600)

    looked(work, LEAST)


def test_it_ends_with_the_check(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "begun").write_text(str(os.getpid()))
        while True:
            time.sleep(1)

    def interrupted() -> None:
        with working_ahead(work, lambda side, made: made) as (look, _):
            for number in range(LEAST):
                look(cast(Any, None), cast(Any, number))
            while not (tmp_path / "begun").exists() or not (tmp_path / "begun").read_text():
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "begun").read_text()), 0)
