"""Runs of a command: skipped if its inputs are unchanged since the last one, or in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cardgen.core.findings import CardgenError, Finding, Findings, Fix, Location, Severity
from cardgen.core.records import asdict
from cardgen.files.cache import Fingerprint, Outputs, Stamp, at_rest
from cardgen.files.project import Project

if TYPE_CHECKING:
    from concurrent.futures import Executor

Result = TypeVar("Result")

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, the work done, and the total."""


class Run:
    """One run of a command that isn't up to date: its findings, its files and the time of its stages, from
    `start` on."""

    def __init__(self, project: Project, start: float) -> None:
        self.project = project
        self.findings = Findings()
        self.stages: dict[str, float] = {}
        self.outputs: Outputs = ()
        self.start = self._since = start

    def lap(self, stage: str) -> None:
        """End a stage."""
        now = time.perf_counter()
        self.stages[stage] = now - self._since
        self._since = now


def unless_done(
    stamp: Stamp,
    inputs: Callable[[], Fingerprint],
    make: Callable[[], tuple[Result, Outputs | None]],
    recall: Callable[[Any], Result],
    *,
    despite_limits: bool = False,
) -> Result:
    """Return the result of `make`, a frozen value with the files that it wrote, or None for a result that
    is not stored. If inputs and outputs are unchanged since an earlier run, return `recall` of its stored
    value instead. With `despite_limits`, too many inputs to compare are no error."""
    try:
        found = inputs()
    except CardgenError:
        if despite_limits:
            return make()[0]
        raise
    known = stamp.read(found)
    if known is not None:
        return recall(known)
    read = at_rest(found, inputs)
    result, outputs = make()
    if outputs is not None:
        stamp.write(read, outputs, asdict(result))  # type: ignore[call-overload]
    return result


def recalled(findings: Iterable[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """Return the findings stored in a stamp: warnings are repeated until they are fixed."""
    return tuple(
        Finding(
            Severity(entry["severity"]),
            entry["code"],
            entry["message"],
            Location(**entry["location"]) if entry["location"] else None,
            entry["hint"],
            entry["left_out"],
            Fix(**entry["fix"]) if entry["fix"] else None,
        )
        for entry in findings
    )


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """Yield an executor of so many processes of this machine; None for one, which is this process. The
    processes start when they get work."""
    if jobs == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
        yield executor
