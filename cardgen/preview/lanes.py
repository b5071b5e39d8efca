"""Long work, one thing after the other in a process of its own, which stays for the next."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from cardgen.findings import Finding, Severity
from cardgen.workbench.states import FindingState

Progress = Callable[[str, int, int], None]

MOST_LINE = 64 * 1024 * 1024
"""Bytes of an answer: a report of a large game has some MB."""
REST_S = 60.0
"""Seconds without work after which a process is let go, with its memory."""


class FailedError(Exception):
    """A task that came to nothing; `findings` say why, as plain data."""

    def __init__(self, findings: list[dict[str, Any]]) -> None:
        super().__init__("; ".join(each["message"] for each in findings))
        self.findings = findings


def died() -> FailedError:
    """What is said of a process that ended without an answer."""
    message = "the work was ended before it was done"
    finding = Finding(Severity.ERROR, "preview/ended", message, None, "see whether there is memory for it")
    return FailedError([vars_of(finding)])


def vars_of(finding: Finding) -> dict[str, Any]:
    """A finding as plain data."""
    state = FindingState.of(finding, ())
    return {name: getattr(state, name) for name in state.__slots__}


class Lane:
    """Does one task at a time in a process of its own."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._resting: asyncio.TimerHandle | None = None
        self._ending: list[Process] = []

    async def do(
        self, kind: str, order: Mapping[str, Any], progress: Progress = lambda step, done, total: None
    ) -> dict[str, Any]:
        """Do a task when it is its turn. Raises FailedError; cancelled, it ends the process."""
        async with self._turn:
            if self._resting is not None:
                self._resting.cancel()
            done = False
            try:
                answer = await self._ask(kind, order, progress)
                done = True
            finally:
                if not done:
                    self.stop()
                self._resting = asyncio.get_running_loop().call_later(REST_S, self._rest)
        if "findings" in answer:
            raise FailedError(answer["findings"])
        result: dict[str, Any] = answer["result"]
        return result

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._resting is not None:
            self._resting.cancel()
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            self._ending = [each for each in self._ending if each.returncode is None] + [process]

    async def close(self) -> None:
        """End the process, and wait until it has, and all that were stopped before it."""
        self.stop()
        for process in self._ending:
            await process.wait()
        await asyncio.sleep(0)  # their pipes are closed in the loop's next turn

    def _rest(self) -> None:
        if not self._turn.locked():
            self.stop()

    async def _ask(self, kind: str, order: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"kind": kind, "order": dict(order)}).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                answer: dict[str, Any] = json.loads(line)
                if "progress" not in answer:
                    return answer
                progress(*answer["progress"])
        except (ConnectionError, ValueError):
            pass
        raise died()


async def _start() -> Process:
    # -P: a module that lies in the current folder, a stranger's perhaps, is none of ours.
    command = (sys.executable, "-P", "-m", "cardgen.preview.child")
    return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=MOST_LINE)
