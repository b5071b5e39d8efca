"""What a build remembers of its files, and when it may not rely on that."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cardgen.files import cache as stamps
from cardgen.files.cache import Stamp, at_rest, digest, is_fresh, stat_files, stat_outputs
from tests.sharing import SHIPPED_RACY_NS

INPUTS = [("cards.yaml", 12, 1_000), ("card.svg.j2", 34, 2_000)]
NOW = 1_000_000_000_000


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only sleeping moves on, from `NOW`; the seconds slept."""
    naps: list[float] = []
    monkeypatch.setattr(stamps, "RACY_NS", SHIPPED_RACY_NS)
    monkeypatch.setattr(time, "time_ns", lambda: NOW + round(sum(naps) * 1e9))
    monkeypatch.setattr(time, "sleep", naps.append)
    return naps


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(b"made")
    return path


def test_what_is_known_of_files(tmp_path: Path, sheet: Path) -> None:
    state = sheet.stat()
    changed = max(state.st_mtime_ns, state.st_ctime_ns)
    gone = tmp_path / "gone.pdf"
    assert stat_files([sheet, gone]) == [(str(sheet), 4, changed), (str(gone), -1, 0)]
    assert stat_outputs([sheet, gone]) == [(str(sheet), 4, changed, state.st_ino), (str(gone), -1, 0, 0)]


def test_a_build_is_remembered(sheet: Path) -> None:
    Stamp("project", "demo").write(INPUTS, stat_outputs([sheet]), {"pages": 3})
    assert Stamp("project", "demo").read(INPUTS) == {"pages": 3}


@pytest.mark.parametrize(
    "inputs",
    [INPUTS[:1], INPUTS[::-1], [*INPUTS, ("more.yaml", 1, 1)], [("cards.yaml", 12, 1_001), INPUTS[1]]],
    ids=["removed", "order", "added", "edited"],
)
def test_other_inputs_are_another_build(sheet: Path, inputs: list[tuple[str, int, int]]) -> None:
    Stamp("demo").write(INPUTS, stat_outputs([sheet]), 1)
    assert digest(inputs) != digest(INPUTS)
    assert Stamp("demo").read(inputs) is None


@pytest.mark.parametrize("identity", [("demo", "x"), ("d", "emo"), ()])
def test_other_options_are_another_build(sheet: Path, identity: tuple[str, ...]) -> None:
    Stamp("demo").write(INPUTS, stat_outputs([sheet]), 1)
    assert Stamp(*identity).read(INPUTS) is None


@pytest.mark.parametrize("how", ["removed", "longer", "edited", "replaced"])
def test_outputs_that_are_not_as_they_were_left(tmp_path: Path, sheet: Path, how: str) -> None:
    outputs = stat_outputs([sheet])
    if how == "replaced":  # by a file as long, and taken for one of the same time
        other = tmp_path / "other.pdf"
        other.write_bytes(b"MADE")
        state = other.stat()
        outputs = [(*outputs[0][:2], max(state.st_mtime_ns, state.st_ctime_ns), outputs[0][3])]
    Stamp("demo").write(INPUTS, outputs, 1)
    if how == "removed":
        sheet.unlink()
    elif how == "longer":
        sheet.write_bytes(b"made anew")
    elif how == "edited":
        os.utime(sheet, ns=(0, sheet.stat().st_mtime_ns + 1_000_000_000))
    else:
        os.replace(other, sheet)
    assert Stamp("demo").read(INPUTS) is None


def test_inputs_that_did_not_rest_are_not_remembered(sheet: Path) -> None:
    Stamp("demo").write(None, stat_outputs([sheet]), 1)
    assert Stamp("demo").read(INPUTS) is None


def test_a_cache_that_cannot_be_written_is_no_harm(tmp_path: Path, sheet: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file")
    Stamp("demo").write(INPUTS, stat_outputs([sheet]), 1)
    assert Stamp("demo").read(INPUTS) is None


def test_files_at_rest_are_not_waited_for(slept: list[float]) -> None:
    entries = [("a", 1, NOW - SHIPPED_RACY_NS - 1), ("b", 1, 0)]
    assert at_rest(entries, lambda: pytest.fail("taken again")) is entries
    assert at_rest([], lambda: pytest.fail("taken again")) == []
    assert slept == []
    assert not is_fresh(entries)
    assert not is_fresh([])


def test_a_file_just_edited_is_waited_for_and_looked_at_again(slept: list[float]) -> None:
    before, after = [("a", 1, NOW - 10_000_000)], [("a", 2, NOW - 10_000_000)]
    assert is_fresh(before)
    assert at_rest(before, lambda: after) == after
    assert slept == [pytest.approx(0.04, abs=1e-6)]


def test_a_file_of_a_time_to_come_never_rests(slept: list[float]) -> None:
    entries = [("a", 1, NOW + 1)]
    assert at_rest(entries, lambda: pytest.fail("taken again")) is None
    assert slept == []
    assert is_fresh(entries)


def test_files_that_are_edited_all_the_time_are_not_waited_for_for_ever(slept: list[float]) -> None:
    assert at_rest([("a", 1, NOW)], lambda: [("a", 1, time.time_ns())]) is None
    assert sum(slept) < 0.5
