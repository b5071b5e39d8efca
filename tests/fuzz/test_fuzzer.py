"""The fuzzer itself: it makes the same cases each time, it sees what is wrong, it makes it small."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml

from tests.for_each import for_each
from tests.hostile.cases import Case, Found, read
from tests.hostile.confined import Outcome
from tests.sampling import one_in

from . import making
from .making import WEIGHTS, make, seeds
from .oracle import faults, kind
from .running import Failure, fuzzer, written
from .shrinking import shrunk


def outcome(code: int = 0, out: str = "", err: str = "", **more: float) -> Outcome:
    figures = {"processor_s": 0.1, "peak_mb": 10.0, "signal": 0, **more}
    return Outcome(code, out, err, figures["processor_s"], figures["peak_mb"], int(figures["signal"]))


@pytest.mark.parametrize("role", one_in(4, WEIGHTS))
def test_cases_are_the_same_each_time_and_differ(role: str) -> None:
    cases = [make(7, number, role) for number in range(40)]
    making.seeds.cache_clear()
    assert cases == [make(7, number, role) for number in range(40)]
    assert len({str(case.payload) for case in cases}) > 30
    assert make(8, 0, role) != cases[0]


@pytest.mark.parametrize("role", one_in(4, sorted(set(WEIGHTS) - {"image", "font"})))
def test_most_cases_are_not_what_they_came_from(role: str) -> None:
    made = [make(1, number, role).payload for number in range(60)]
    assert sum(payload not in seeds(role) for payload in made) >= 45


@pytest.mark.long
def test_every_role_comes_by_itself() -> None:
    names = {make(1, number).name.rpartition("-1-")[0] for number in range(400)}
    assert names == set(WEIGHTS)


@for_each(
    ("answer", "found", "fault"),
    [
        (
            outcome(70, err='Traceback:\n  File "/x/cardgen/a.py", line 3, in f\nKeyError: 1'),
            [],
            "exit code 70",
        ),
        (outcome(-11, signal=11), [], "ended by signal 11"),
        (outcome(peak_mb=900), [], "memory"),
        (outcome(processor_s=25), [], "processor time"),
        (outcome(1, "a\x1b[31m"), [], "control characters"),
        (outcome(1, "'str' object has no attribute 'x'"), [], "Python's words: 'str' object"),
        (outcome(1, "f() missing 1 required positional argument: 'a'"), [], "Python's words: f() missing"),
        (outcome(1, "<built-in method>"), [], "Python's words: <built-in "),
        (outcome(2), [], "misuse"),
        (outcome(1), [Found("a/b", "Oh", None, None)], "no file for a/b"),
        (outcome(1), [Found("a/b", "Oh", "data/x.yaml", None)], "no line for a/b"),
    ],
)
def test_the_oracle_sees(answer: Outcome, found: list[Found], fault: str) -> None:
    wrong = faults(answer, found)
    assert wrong
    assert wrong[0].startswith(fault)


def test_the_oracle_lets_findings_be() -> None:
    found = [Found("a/b", "Oh", "data/x.yaml", 3), Found("a/c", "Oh", "templates/x/y.png", None)]
    assert faults(outcome(1, "data/x.yaml:3: Oh, a list of 'str' [a/b]"), found) == []
    assert faults(outcome(1, "no NoneType"), [], "{{ NoneType }}") == []


def test_faults_of_one_kind_are_one_kind() -> None:
    one = outcome(70, err='Traceback:\n  File "/x/cardgen/a.py", line 3, in f\nKeyError: 1')
    two = outcome(70, err='Traceback:\n  File "/y/cardgen/a.py", line 9, in f\nKeyError: 2')
    assert (
        kind(faults(one, [])[0]) == kind(faults(two, [])[0]) == "exit code 70: KeyError from cardgen/a.py/f"
    )


def test_a_failing_text_is_made_small() -> None:
    text = "".join(f"line {number}\n" for number in range(200)) + "here {{ bad }} it is\n" + "more\n" * 50
    assert shrunk(text, lambda candidate: "bad" in candidate) == "bad"
    asked = []
    shrunk(text, lambda candidate: not asked.append(candidate), tries=10)
    assert len(asked) <= 10


def test_a_failure_is_written_as_a_case(tmp_path: Path) -> None:
    case = Case("x", "What it is.", "files", {"a": {"base64": "AA=="}}, "build", (), None, None, None)
    path = tmp_path / "x.yaml"
    path.write_text(written(Failure(case, "memory: 900 MB\nand more")), "utf-8")
    assert path.read_text("utf-8").startswith("# memory: 900 MB\n# and more\nabout: ")
    again = read(path)
    assert (again.role, again.payload, again.command) == (case.role, case.payload, case.command)


@pytest.mark.skipif(sys.platform == "win32", reason="each case runs in a forked process")
@pytest.mark.long
def test_cases_are_run() -> None:
    """A pack that is in order passes, whatever ran before; one that is not is answered."""
    with fuzzer() as running:
        good = Case("x", "x", "expression", "{{ card.title }}", "check", (), None, None, None)
        bad = Case("x", "x", "expression", "{{ card.titel }}", "check", (), None, None, None)
        for case, code in ((good, 0), (bad, 1), (good, 0)):
            answer, found = running.answer(case)
            assert answer.code == code
            assert faults(answer, found) == []
            assert json.loads(answer.out)["counts"]["error"] == code
        small = running.smaller(Failure(bad, "no such fault"))
        assert yaml.safe_load(written(small))["payload"] == bad.payload
