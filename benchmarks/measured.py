"""Whole processes, run to their ends: wall time, processor time and peak memory, their children's with it.

Every figure is a fresh process: start, imports, reading, checking, drawing, writing. Processor time is what
a busy machine changes least. Who measures must stay small: on Linux the peak of a process counts from
that of the one that started it, so decks are written by processes of their own.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

CARDGEN = (sys.executable, "-m", "cardgen")
EVERY_S = 0.05
"""How often children's memory is looked at."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a process took. Its peak is the most that it and its children held at a time, as far as they
    were seen, and no less than the largest of them; pages that several hold count for each."""

    seconds: float
    cpu: float
    peak_mb: float


def run(command: Sequence[str], env: Mapping[str, str] | None = None, codes: Sequence[int] = (0,)) -> Run:
    """Run a process to its end. Raises SystemExit with what it said if its exit code is none of `codes`."""
    with tempfile.TemporaryFile() as said:
        begun = perf_counter()
        process = subprocess.Popen(
            command, env={**os.environ, **(env or {})}, stdout=said, stderr=subprocess.STDOUT
        )
        watch = _Watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        watch.stop()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            said.seek(0)
            words = said.read().decode(errors="replace")
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{words}")
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
    peak = max(usage.ru_maxrss * scale, watch.most)
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak / 1e6)


class _Watch(threading.Thread):
    """Looks at a process and all below it now and then; `most` is the most bytes that they held."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self._pid, self._over = pid, threading.Event()
        self.start()

    def run(self) -> None:
        while not self._over.wait(EVERY_S):
            self.most = max(self.most, sum(map(_resident, _family(self._pid))))

    def stop(self) -> None:
        self._over.set()
        self.join()


def _family(pid: int) -> Iterator[int]:
    """A process and all below it, as far as the system says so (Linux does)."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in task.read_text().split():
                yield from _family(int(child))


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds now, of what it shares with others its part; 0 if it has
    ended."""
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        return int(found[1]) * 1024 if found else 0
    return 0


# ---------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: `before` brings about what the command is to find, `after` is the row whose
    outcome it goes on from. `codes` are exit codes that will do, `out` is the file whose size is said."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] = lambda: None
    after: str = ""
    codes: Sequence[int] = (0,)
    out: Path | None = None


def table(
    rows: Sequence[Row], *, only: Iterable[str] = (), rounds: int = 1, floor: str = "typst"
) -> dict[str, Run]:
    """Run the rows in turns, so that a busy machine is busy for all of them; print and return medians, and
    the largest peaks. `only` chooses rows, with those that they come after; ratios are to the `floor`."""
    chosen, done = wanted(rows, only), {}
    ratio = f"÷ {floor}" if floor in [row.name for row in chosen] else ""
    heads = ("seconds", ratio, "cpu", ratio, "peak MB", "file MB")
    print(f"{'':<18}", *(f"{head:>8}" for head in heads))
    taken: dict[str, list[Run]] = {row.name: [] for row in chosen}
    for turn in range(rounds):
        for row in chosen:
            row.before()
            taken[row.name].append(run(row.command, row.env, row.codes))
            if turn == rounds - 1:
                done[row.name] = middle(taken[row.name])
                show(row.name, done[row.name], done.get(floor), row.out)
    return done


def wanted(rows: Sequence[Row], only: Iterable[str]) -> list[Row]:
    """The rows of these names or patterns (none means all) and those that they come after, in order.

    Raises SystemExit for a name that is none."""
    known, names = {row.name: row for row in rows}, list(only)
    if strange := [name for name in names if not fnmatch.filter(known, name)]:
        raise SystemExit(f"there is no row {', '.join(strange)}: they are {', '.join(known)}")
    todo = [row for name in names for row in fnmatch.filter(known, name)] or list(known)
    found = set[str]()
    while todo:
        found.add(name := todo.pop())
        if known[name].after:
            todo.append(known[name].after)
    return [row for row in rows if row.name in found]


def middle(runs: Sequence[Run]) -> Run:
    """The medians of several runs, and their largest peak."""
    return Run(
        statistics.median(each.seconds for each in runs),
        statistics.median(each.cpu for each in runs),
        max(each.peak_mb for each in runs),
    )


def show(name: str, took: Run, floor: Run | None = None, out: Path | None = None) -> None:
    """Print a line of a table."""
    wall = f"{took.seconds / floor.seconds:.2f}" if floor else ""
    cpu = f"{took.cpu / floor.cpu:.2f}" if floor else ""
    size = f"{out.stat().st_size / 1e6:.2f}" if out else ""
    cells = (f"{took.seconds:.2f}", wall, f"{took.cpu:.2f}", cpu, f"{took.peak_mb:.0f}", size)
    print(f"{name:<18}", *(f"{cell:>8}" for cell in cells), flush=True)


# ---------------------------------------------------------------- command lines


def add_options(parser: argparse.ArgumentParser, rounds: int = 1) -> None:
    """What every table has: `--only`, `--rounds` and `--work`."""
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="ROW", help="these (as patterns), and those before"
    )
    parser.add_argument("--rounds", type=int, default=rounds, help="figures are medians of so many")
    parser.add_argument("--work", type=Path, help="where to work, and to leave what was made")


def in_a_folder(options: argparse.Namespace, work: Callable[[Path], None]) -> None:
    """Work in the folder that `--work` names, or in one that is gone afterwards."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package comes compiled
    if options.work is not None:
        options.work.mkdir(parents=True, exist_ok=True)
        return work(options.work.resolve())
    with tempfile.TemporaryDirectory(prefix="cardgen-bench-") as folder:
        return work(Path(folder))
