"""The budget of a command: what it says, what it stops, what it leaves as it was."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from cardgen.cli import arguments
from cardgen.core import budget, progress
from cardgen.core.budget import GIGABYTE, Budget
from cardgen.core.findings import CardgenError, Finding, UsageError
from cardgen.files.writing import write_bytes
from tests.for_each import for_each


def never(finding: Finding) -> None:
    pytest.fail(f"the process would end: {finding}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", Budget()),
        ("10min,8GB", Budget(600, 8 * GIGABYTE)),
        ("8GB, 90s", Budget(90, 8 * GIGABYTE)),
        ("2h,files=500MB", Budget(7200, written=500_000_000)),
    ],
)
def test_a_budget_is_read(text: str, found: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Budget.stated(text) == found
    monkeypatch.setenv(budget.BUDGET_VARIABLE, text)
    assert Budget.stated() == found


@for_each("text", ["x", "10", "0s", "8TB", "files=3min", "1MB", "9999999GB", "-1s", "nan s"])
def test_a_wrong_budget_is_misuse(text: str) -> None:
    with pytest.raises(UsageError):
        Budget.stated(text)


@budget.held(Budget(seconds=0.1), never)
def _draw_for_ever() -> None:
    progress.tell("drawing", 812, 20_000)
    while True:
        try:
            while True:
                pass
        except Exception:  # what takes all errors for bad input
            continue


@budget.held(Budget(written=2_500_000), never)
def _write(folder: Path, files: int) -> None:
    for number in range(files):
        write_bytes(folder / str(number), b"0" * 1_000_000)


def test_every_command_but_those_that_last_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """`preview` and `watch` hold each of their jobs and builds."""
    main = import_module("cardgen.cli.main")
    held: list[str] = []
    ran: list[str] = []

    @contextmanager
    def noted(_: Budget) -> Iterator[None]:
        held.append(name)
        yield

    monkeypatch.setattr(main, "held_to", noted)
    monkeypatch.setattr(main, "stand_in", lambda _: None)
    monkeypatch.setattr(main, "_run", lambda words, given: ran.append(given.command) or 0)
    for name in arguments.COMMANDS:
        given = Namespace(command=name, budget=None, project=None)
        monkeypatch.setattr(arguments, "parse", lambda _, given=given: given)
        assert main.main([name]) == 0
    assert ran == [*arguments.COMMANDS]
    assert arguments.COMMANDS.keys() - held == arguments.LONG_LIVED == {"preview", "watch"}


def test_too_much_time_is_a_finding_that_names_the_step() -> None:
    with pytest.raises(CardgenError) as caught:
        _draw_for_ever()
    (finding,) = caught.value.findings
    assert finding.code == "budget/time"
    assert "drawing, 812 of 20,000" in finding.message


@pytest.mark.skipif(sys.platform != "linux", reason="needs the limit of the address space")
def test_too_much_memory_at_once_is_a_finding() -> None:
    with pytest.raises(CardgenError) as caught, budget.held(Budget(memory=100_000_000), never):
        bytearray(5 * GIGABYTE)
    assert [each.code for each in caught.value.findings] == ["budget/memory"]


def test_files_are_counted_together_and_none_is_half_written(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        _write(tmp_path, 30)
    assert [each.code for each in caught.value.findings] == ["budget/files"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_one_file_is_bounded_while_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught, budget.held(Budget(written=1_000_000), never):
        write_bytes(tmp_path / "one", b"0" * 3_000_000)
    assert [each.code for each in caught.value.findings] == ["budget/files"]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_limits_and_threads_are_as_before() -> None:
    names = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)
    before = [resource.getrlimit(name) for name in names]
    with budget.held(Budget(), never):
        assert [resource.getrlimit(name) for name in names] != before
        with budget.held(Budget(seconds=0.001), never):  # inside another one
            pass
    assert [resource.getrlimit(name) for name in names] == before
    for each in threading.enumerate():
        if each.name == "budget":
            each.join(60)
            assert not each.is_alive()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signal")
def test_the_watchers_signal_stops_nothing_within_the_budget() -> None:
    stopped = True
    with budget.held(Budget(), never):
        signal.raise_signal(signal.SIGUSR2)
        stopped = False
    assert not stopped


def test_work_that_takes_the_interruption_ends_the_process() -> None:
    code = """
import signal
from cardgen.core import budget
budget.GRACE_S = 0.1
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
with budget.held(budget.Budget(seconds=0.1), lambda finding: print(finding.code, flush=True)):
    while True: pass
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "budget/time\n")
