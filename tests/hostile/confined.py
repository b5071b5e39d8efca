"""Runs commands of cardgen one after the other, each in a forked child with limits.

    python confined.py        a server: a line of JSON in, a line of JSON out

The server imports cardgen once and forks for each command, so that a command costs milliseconds, starts
from the same state as all others, can crash or be killed alone, and its memory and processor time are the
operating system's own figures. `Commands` starts such a server and talks to it.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

if sys.platform != "win32":  # where no case is run
    import resource

PROCESSOR_SECONDS = 10
"""When a command is ended. Far above what any case may take, for machines differ."""

ADDRESS_SPACE = 1_500_000_000
"""Bytes that a command may add to what the server has; it protects the machine, `peak_mb` is judged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command. `peak_mb` is what it added to the server's memory, in MB of 10⁶ bytes;
    `signal` what ended it, 0 if it ended by itself."""

    code: int
    out: str
    err: str
    processor_s: float
    peak_mb: float
    signal: int


class Commands:
    """A server of one's own; `close` ends it."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("SOURCE_DATE_EPOCH", "COLUMNS")
        }
        environment["CARDGEN_CACHE"] = str(cache)
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self._server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def run(self, words: Sequence[str], folder: Path) -> Outcome:
        """Run `cardgen WORDS` in that folder, or a function of the tests: `read MODULE:FUNCTION FILE`."""
        return Outcome(**self._ask({"words": list(words), "folder": str(folder)}))

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(question) + "\n")
        self._server.stdin.flush()
        answer = self._server.stdout.readline()
        assert answer, "the server ended"
        answered: dict[str, Any] = json.loads(answer)
        return answered

    def rehearse(self, words: Sequence[str], folder: Path) -> None:
        """Run a command in the server itself, so that later ones find done what is done only once.
        For trusted projects: nothing holds it."""
        self._ask({"words": list(words), "folder": str(folder), "rehearsal": True})

    def close(self) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait()
        self._server.stdout.close()


def serve() -> None:
    """Answer commands until there are no more."""
    _warm()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing but answers goes there
    for line in sys.stdin:
        question = json.loads(line)
        rehearsal = question.pop("rehearsal", False)
        answers.write(json.dumps(_rehearsed(**question) if rehearsal else _forked(**question)) + "\n")
        answers.flush()


def _warm() -> None:
    """Import what commands import, and have none of them wait: not for the disk, as no case can see a power
    cut, nor for files to come to rest, as each project is given one command and never edited."""
    import cardgen.art.cards
    import cardgen.pdf.drawing
    import cardgen.pdf.typst_pages
    import cardgen.rules.kinds.each
    import cardgen.svg.cascade  # noqa: F401
    from tests.sharing import share, wait_at_most

    os.fsync = lambda _: None
    share()
    wait_at_most(0)


def _rehearsed(words: list[str], folder: str) -> dict[str, Any]:
    from cardgen.cli.main import main

    os.chdir(folder)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        code = main(words)
    gc.collect()
    gc.freeze()  # children would look through all of it again and again, and copy it by that
    return {"code": code}


def _forked(words: list[str], folder: str) -> dict[str, Any]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = _resident()
        child = os.fork()
        if child == 0:
            os._exit(_command(words, folder, out.fileno(), err.fileno()))
        _, status, usage = os.wait4(child, 0)
        out.seek(0)
        err.seek(0)
        return {
            "code": os.waitstatus_to_exitcode(status),
            "out": out.read(4_000_000).decode("utf-8", "replace"),
            "err": err.read(4_000_000).decode("utf-8", "replace"),
            "processor_s": usage.ru_utime + usage.ru_stime,
            "peak_mb": max(0.0, usage.ru_maxrss * 1024 / 1e6 - before),
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        }


def _command(words: list[str], folder: str, out: int, err: int) -> int:
    """In the child: the command, its output into files; 70 after an exception that got out."""
    import traceback

    from cardgen.cli.main import main

    os.dup2(out, 1)
    os.dup2(err, 2)
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    room = _pages(0) + ADDRESS_SPACE
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    code = 70
    try:
        code = _read(*words[1:]) if words[0] == "read" else main(words)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 70
    return code


def _read(reader: str, file: str) -> int:
    module, _, name = reader.partition(":")
    getattr(import_module(module), name)(Path(file))
    return 0


def _pages(field: int) -> int:
    """Bytes of address space (0) or of resident memory (1) of this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[field])
    except OSError:
        return 0 if field else 4_000_000_000
    return pages * resource.getpagesize()


def _resident() -> float:
    return _pages(1) / 1e6


if __name__ == "__main__":
    serve()
