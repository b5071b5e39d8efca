"""Runs cases and collects those that fail."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from tests.hostile.cases import COMMANDS, PROJECT, Case, Found, lay_out, run
from tests.hostile.confined import Commands, Outcome

from .making import make
from .oracle import faults, kind
from .shrinking import shrunk

AGAIN = 4
"""Every so many cases one is run twice, and must say the same."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A case and what is wrong with its answer."""

    case: Case
    fault: str

    @property
    def kind(self) -> str:
        return kind(self.fault)


class Fuzzer:
    """Cases, run one after the other by a server that is warm: it has done each command once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands = Commands(folder / "cache")
        self.processor_s = 0.0
        self.slowest: tuple[float, str] = (0.0, "")
        warm = folder / "warm"
        shutil.copytree(PROJECT, warm)
        for name in ("check", "build", "export", "list-game"):
            self.commands.rehearse(COMMANDS[name], warm)

    def close(self) -> None:
        self.commands.close()

    def failures(self, seed: int, number: int, role: str | None = None) -> list[Failure]:
        """What is wrong with the answer to one case of a run."""
        case = make(seed, number, role)
        outcome, found = self.answer(case)
        self.processor_s += outcome.processor_s
        self.slowest = max(self.slowest, (outcome.processor_s, case.name))
        wrong = faults(outcome, found, str(case.payload))
        if number % AGAIN == 0 and not wrong:
            again, _ = self.answer(case)
            self.processor_s += again.processor_s
            if (again.code, again.out, _steady(again.err)) != (
                outcome.code,
                outcome.out,
                _steady(outcome.err),
            ):
                wrong.append(f"another answer the second time: {outcome.out[:500]} … {again.out[:500]}")
        return [Failure(case, fault) for fault in wrong]

    def answer(self, case: Case) -> tuple[Outcome, list[Found]]:
        """What cardgen says to a case, which is laid out anew and always in the same folder."""
        place = self.folder / "project"
        shutil.rmtree(place, ignore_errors=True)
        lay_out(case, place)
        return run(case, place, self.commands)

    def smaller(self, failure: Failure) -> Failure:
        """The same fault from a smaller payload, if it is a text."""
        case = failure.case
        if not isinstance(case.payload, str):
            return failure

        def fails(text: str) -> bool:
            outcome, found = self.answer(replace(case, payload=text))
            return any(kind(fault) == failure.kind for fault in faults(outcome, found, text))

        return replace(failure, case=replace(case, payload=shrunk(case.payload, fails)))


def _steady(err: str) -> str:
    """Standard error without figures of time."""
    return "\n".join(line for line in err.splitlines() if " s" not in line)


@contextmanager
def fuzzer() -> Iterator[Fuzzer]:
    """A fuzzer in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        made = Fuzzer(Path(name))
        try:
            yield made
        finally:
            made.close()


def written(failure: Failure) -> str:
    """A failure as a file for tests/hostile/cases, but for what it must come to."""
    case = failure.case
    entry = {"about": f"{case.about} {failure.kind}", "role": case.role, "payload": case.payload}
    if case.command != "check":
        entry["command"] = case.command
    text = yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=100)
    told = "\n".join(f"# {line}" for line in failure.fault.splitlines())
    return f"{told}\n{text}passes: true  # or finds: CODE\n"
