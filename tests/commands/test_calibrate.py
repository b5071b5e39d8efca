"""`cardgen calibrate`: a test page is written, and what was read off it is kept for builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from cardgen.core.sheets import BackCorrection
from cardgen.game.facts import load_profile
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDGEN_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


def test_the_test_page(run: Run, demo: Path) -> None:
    code, out, err = run("calibrate", "--paper", "a4", "--landscape")
    assert (code, err) == (0, "")
    path = demo / "output/calibration.pdf"
    assert str(path.name) in out
    with pikepdf.open(path) as pdf:
        boxes = [[float(value) for value in page.mediabox] for page in pdf.pages]
    assert boxes == [pytest.approx([0, 0, 841.89, 595.28], abs=0.01)] * 2


def test_readings_become_a_profile_that_builds_use(run: Run, demo: Path) -> None:
    assert run("calibrate", "--printer", "inky", "--read", "1.5", "-0.5", "1.5", "-0.5")[0] == 0
    assert load_profile("inky").portrait == BackCorrection(dx=-1.5, dy=0.5)
    assert load_profile("inky").landscape is None
    words = ("calibrate", "--printer", "inky", "--landscape", "--read", "0", "1", "0", "1")
    assert run(*words)[0] == 0
    profile = load_profile("inky")
    assert (profile.portrait, profile.landscape) == (BackCorrection(-1.5, 0.5), BackCorrection(0.0, -1.0))
    assert run("build", "demo", "--printer", "inky")[0] == 0
    assert (demo / "output/demo/poker.printer-inky.pdf").is_file()
    code, out, _ = run("build", "demo", "--printer", "inky")
    assert code == 0
    assert "nothing has changed" in out or "up to date" in out or "unchanged" in out


def test_a_margin_and_a_rotation_are_kept_beside_what_is_known(run: Run, demo: Path) -> None:
    assert run("calibrate", "--printer", "inky", "--read", "1", "1", "1", "1")[0] == 0
    assert run("calibrate", "--printer", "inky", "--margin", "4.2", "--rotation", "0.1")[0] == 0
    profile = load_profile("inky")
    assert profile.margin == 4.2
    assert profile.portrait == BackCorrection(dx=-1.0, dy=-1.0, rotation=-0.1)
    assert run("calibrate", "--printer", "inky", "--read", "1", "1", "1", "1", "1", "1")[0] == 0
    assert load_profile("inky").portrait == BackCorrection(dx=-1.0, dy=-1.0)
    assert load_profile("inky").margin == 4.2


def test_readings_that_say_nothing_are_misuse(run: Run, config: Path, wording: Wording) -> None:
    for words in (
        ("--read", "1", "2", "3"),
        ("--margin", "nan"),
        ("--rotation", "9"),
        ("--read", "20", "0", "20", "0"),
        ("--read", "0", "0", "0", "0", "--paper", "leter"),
    ):
        ended, _, err = run("calibrate", "--printer", "inky", *words)
        assert ended == 2
        wording(err)
    assert not config.exists()
