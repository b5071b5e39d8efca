"""Work that is killed, or whose disk fails, at its n-th step on the disk.

A step is whatever changes the disk: opening a file to write, writing to it, bringing it to the disk,
renaming, linking, removing, making a folder. Python tells of most of them by its audit events, so that
none is forgotten; work is done in a forked child, so that it can really be killed.
"""

from __future__ import annotations

import errno
import gc
import io
import mmap
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Literal

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files import writing as files

CHANGES = {
    "os.rename": "rename",
    "os.link": "link",
    "os.remove": "remove",
    "os.mkdir": "mkdir",
    "os.rmdir": "remove",
    "os.chmod": "chmod",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NEED_SPACE = frozenset({"open", "write", "fsync", "mkdir", "link", "rename"})

SOME_OR_ALL = pytest.mark.parametrize("every", [19, pytest.param(1, marks=pytest.mark.long)])
"""For tests that are killed at every nineteenth step, and at every one where there is time for that."""

Work = Callable[[], object]
End = Literal["done", "killed", "finding", "crashed"]


@dataclass
class Disk:
    """What happens to a child's steps on the disk: nothing, or something at the n-th (from 1)."""

    at: int
    does: Callable[[str], None]
    lasting: bool = False
    only: frozenset[str] | None = None
    steps: int = 0
    _shared: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 1))
    _writers: list[ModuleType] = field(default_factory=lambda: _writers())

    @property
    def happened(self) -> bool:
        """Whether the child got so far."""
        return self._shared[0] == 1

    def step(self, kind: str) -> bool:
        """Count a step; whether this one is the one to fail."""
        if self.only is not None and kind not in self.only:
            return False
        self.steps += 1
        if self.steps < self.at or (self.steps > self.at and not self.lasting):
            return False
        self._shared[0] = 1
        return True

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        kind = CHANGES.get(event)
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
            kind = "open"
        if kind is not None and self.step(kind):
            self.does(kind)

    def watch(self) -> None:
        """Have everything that this process does counted, for as long as it lives."""
        make = files.new_file
        disk = self

        class Written(io.FileIO):
            """What is written comes in the blocks that the disk gets."""

            def write(self, data: Any) -> int:
                if disk.step("write"):
                    super().write(bytes(data)[: len(data) // 2])
                    disk.does("write")
                return super().write(data)

        def fsync(handle: int) -> None:
            if self.step("fsync"):
                self.does("fsync")
            # No more than that: only a power cut would tell the difference, and disks are slow.

        def new_file(path: Path, like: Path) -> BinaryIO:
            made = make(path, like)
            handle = os.dup(made.fileno())
            made.close()
            return io.BufferedWriter(Written(handle, "wb"))  # type: ignore[return-value]

        os.fsync = fsync
        files.new_file = new_file
        for module in self._writers:
            module.new_file = new_file  # type: ignore[attr-defined]
        sys.addaudithook(self.audit)


def _writers() -> list[ModuleType]:
    """The modules that write files. Asked for before there is a child: that would copy a page a module."""
    return [
        module
        for name, module in sys.modules.items()
        if name.startswith("cardgen.") and getattr(module, "new_file", None) is files.new_file
    ]


def kill(kind: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failure(number: int) -> Callable[[str], None]:
    def fail(kind: str) -> None:
        raise OSError(number, os.strerror(number))

    return fail


full = failure(errno.ENOSPC)
denied = failure(errno.EACCES)


def end_of(work: Work, disk: Disk) -> End:
    """Do some work in a child with this disk; how it ended. What a crash said goes to standard error."""
    return ends_of([work], disk)[0]


def ends_of(works: Iterable[Work], disk: Disk | None = None) -> list[End]:
    """Do several works at once, each in a child; how each ended."""
    return [_end(child) for child in [_started(work, disk) for work in works]]


def _started(work: Work, disk: Disk | None) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        gc.disable()  # it would touch, and so copy, all that is there already
        code = 3
        try:
            if disk is not None:
                disk.watch()
            work()
            code = 0
        except CardgenError:
            code = 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    return child


def _end(child: int) -> End:
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "killed" if os.WTERMSIG(status) == signal.SIGKILL else "crashed"
    ends: dict[int, End] = {0: "done", 1: "finding"}
    return ends.get(os.waitstatus_to_exitcode(status), "crashed")


def killed_at_every_step(work: Work, prepare: Callable[[], object], every: int = 1) -> Iterator[int]:
    """Prepare, work and be killed at the first step, at the second, …, until the work gets done. With
    `every` 3, only at the first, the fourth, the seventh, …"""
    for disk in every_step(kill, every=every):
        prepare()
        end = end_of(work, disk)
        if disk.happened:
            assert end == "killed", end
            yield disk.at
        else:
            assert end == "done", end


def every_step(
    does: Callable[[str], None],
    *,
    lasting: bool = False,
    only: frozenset[str] | None = None,
    every: int = 1,
) -> Iterator[Disk]:
    """Disks that fail at the first step, at the second, …, until one is not made to fail any more."""
    for at in range(1, 10_000, every):
        disk = Disk(at, does, lasting, only)
        yield disk
        if not disk.happened:
            return
    raise AssertionError("no end")


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder by name, but for what is hidden while a change is made."""
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".cardgen-" not in (name := path.relative_to(folder).as_posix())
    }


def hidden(folder: Path) -> list[str]:
    """What changes left behind below a folder."""
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if ".cardgen-" in path.name]
