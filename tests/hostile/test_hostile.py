"""Every case under `cases/`: what a stranger's game pack may try, and what it gets for it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sampling
from tests.printed import hidden
from tests.sampling import one_in

from .cases import CASES, Case, Found, all_cases, has_fewer, is_large, lay_out, read, rehearse, run
from .confined import Commands, Outcome

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="each case runs in a forked process")

MOST_MEMORY_MB = 500
MOST_PROCESSOR_S = 20
"""Ten times what a case may take on an idle machine of today; `benchmarks/hostile.py` has the figures."""

OUR_INSIDES = re.compile(
    r"Traceback|object at 0x|NoneType|<class '|<function |<built-in|<generator|'str' object"
)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    served = Commands(tmp_path_factory.mktemp("cache"))
    rehearse(served, tmp_path_factory.mktemp("rehearsal") / "project")
    yield served
    served.close()


def cases() -> Iterator[object]:
    """Each case, and whether it is tried with fewer repetitions; one in 26 of them in every run."""
    for number, path in enumerate(all_cases()):
        if number % 26 and sampling.short_run:
            continue
        name = path.relative_to(CASES).with_suffix("").as_posix()
        less = has_fewer(path)
        long = [pytest.mark.long]
        some = long if number % 26 else []
        yield pytest.param(path, False, id=name, marks=long if less or is_large(path) else some)
        if less:
            yield pytest.param(path, True, id=f"{name}-fewer", marks=some)


@pytest.mark.parametrize(("path", "fewer"), list(cases()))
def test_a_hostile_pack_is_answered(path: Path, fewer: bool, tmp_path: Path, commands: Commands) -> None:
    case = read(path, fewer=fewer)
    folder = tmp_path / "project"
    lay_out(case, folder)
    outcome, found = run(case, folder, commands)
    assert faults(case, outcome, found) == []


SANDBOXED = (
    "files/cards-of-the-system",
    "rules/find-all-rescans",
    "svg/bombs/use-tenfold-icon",
    "files/output-elsewhere",
    "fonts/substitutions-without-end",
    "schema/ref-on-the-network",
    "tables/shared-text",
    "templates/import-dunder",
    "terminal/icon-name",
    "yaml/tag-of-python",
)


@pytest.mark.parametrize("name", one_in(10, SANDBOXED))
def test_a_sandboxed_command_finds_the_same(name: str, tmp_path: Path, commands: Commands) -> None:
    case = read(CASES / f"{name}.yaml")
    folder = tmp_path / "project"
    lay_out(case, folder)
    outcome, found = run(case, folder, commands, "--sandboxed")
    assert faults(case, outcome, found) == []
    assert "sandboxed: " in outcome.err or "output/outside" in case.finds  # which is found before it starts


def faults(case: Case, outcome: Outcome, found: list[Found]) -> list[str]:
    """What is wrong with the answer to a case, in words; nothing if it is as it should be."""
    said = outcome.out + outcome.err
    wrong = []
    if outcome.signal:
        wrong.append(f"ended by signal {outcome.signal}")
    if outcome.code not in (0, 1, 2):
        wrong.append(f"exit code {outcome.code}: {outcome.err[-2000:]}")
    if inside := OUR_INSIDES.search(said):
        wrong.append(f"shows its insides: {inside[0]}")
    if control := hidden(said):
        wrong.append(f"prints {sorted(control)[:5]!r}")
    if outcome.peak_mb > MOST_MEMORY_MB:
        wrong.append(f"took {outcome.peak_mb:.0f} MB")
    if outcome.processor_s > MOST_PROCESSOR_S:
        wrong.append(f"took {outcome.processor_s:.1f} s")
    codes = [each.code for each in found]
    if not case.finds:
        if outcome.code:
            wrong.append(f"exit code {outcome.code}, {codes}: {said[:2000]}")
        return wrong
    for code in case.finds:
        if code not in codes:
            wrong.append(f"no {code} among {sorted(set(codes))}: {said[:2000]}")
    first = next((each for each in found if each.code == case.finds[0]), None)
    if first is not None:
        for name in ("line", "file"):
            wished, got = getattr(case, name), getattr(first, name)
            if wished is not None and wished != got:
                wrong.append(f"{name} {got}, not {wished}: {first.message}")
        if case.says is not None and case.says not in first.message:
            wrong.append(f"says “{first.message}”")
    return wrong
