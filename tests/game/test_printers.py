"""Printer profiles: from readings to a correction that undoes what the printer does."""

from __future__ import annotations

import math
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.geometry import Size
from cardgen.core.sheets import BackCorrection, Paper, PrinterProfile
from cardgen.files.writing import config_folder
from cardgen.game.facts import correction_from, load_profile, profile_names, profile_path, store_profile
from cardgen.sheets.calibration import targets
from cardgen.sheets.grid import Axis, flip_axis, from_behind
from tests.wording import Wording

LETTER = Paper("letter", Size(215.9, 279.4))
CENTRE = (107.95, 139.7)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDGEN_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


def test_a_plain_shift() -> None:
    first, second, _ = targets(LETTER.size)
    found = correction_from((first, second), [(1.5, -0.5)] * 2, CENTRE)
    assert found == BackCorrection(dx=-1.5, dy=0.5)


def test_a_plain_scaling() -> None:
    """A printer that enlarges by 1 % moves points 67.95 mm from the centre by 0.68 mm."""
    found = correction_from(((40, 40), (175.9, 239.4)), ((-0.6795, 0), (0.6795, 0)), CENTRE)
    assert found.scale_x == pytest.approx(1 / 1.01, abs=1e-5)
    assert (found.dx, found.dy, found.scale_y) == (pytest.approx(0), 0, 1)


@given(
    st.floats(-4, 4), st.floats(-4, 4), st.floats(0.985, 1.015), st.floats(0.985, 1.015),
    st.floats(-1, 1), st.booleans(), st.sampled_from(["long-edge", "short-edge"]), st.booleans(),
)  # fmt: skip
def test_corrected_backs_land_behind_their_faces(
    shift_x: float, shift_y: float, scale_x: float, scale_y: float,
    rotation: float, known: bool, edge: str, landscape: bool,
) -> None:  # fmt: skip
    """A printer that scales, turns and shifts the back, simulated; what it prints of a corrected page. The
    rotation is known from elsewhere, or read at the third target."""
    page = LETTER.size.turned if landscape else LETTER.size
    axis: Axis = flip_axis(page, edge)  # type: ignore[arg-type]
    centre = (page.width / 2, page.height / 2)

    def behind(x: float, y: float) -> tuple[float, float]:
        return (page.width - x, y) if axis == "vertical" else (x, page.height - y)

    def prints(x: float, y: float) -> tuple[float, float]:
        angle = math.radians(-rotation)  # seen from the back
        right, down = scale_x * (x - centre[0]), scale_y * (y - centre[1])
        return (
            centre[0] + math.cos(angle) * right - math.sin(angle) * down + shift_x,
            centre[1] + math.sin(angle) * right + math.cos(angle) * down + shift_y,
        )

    readings = []
    for x, y in targets(page):
        seen = behind(*prints(*behind(x, y)))
        readings.append((seen[0] - x, seen[1] - y))
    if known:
        correction = correction_from(targets(page)[:2], readings[:2], centre, rotation)
    else:
        correction = correction_from(targets(page), readings, centre)
    matrix = from_behind(correction, axis).matrix(page)
    for x, y in ((12.7, 6.35), (76.2, 184.0), (203.2, 95.0)):
        back = behind(x, y)
        assert behind(*prints(*matrix.apply(*back))) == pytest.approx((x, y), abs=2e-3)


@pytest.mark.parametrize(
    ("first", "second"),
    [((20.0, 0.0), (20.0, 0.0)), ((10.0, 0.0), (-10.0, 0.0))],
)
def test_readings_that_no_printer_produces(
    first: tuple[float, float], second: tuple[float, float], wording: Wording
) -> None:
    with pytest.raises(UsageError) as caught:
        correction_from(targets(LETTER.size)[:2], (first, second), CENTRE)
    (finding,) = caught.value.findings
    assert finding.code == "printer/reading"
    wording(finding)


def test_three_readings_that_do_not_go_together(wording: Wording) -> None:
    """x and y of target 3 in the wrong order: level lines would be turned, upright ones not."""
    with pytest.raises(UsageError) as caught:
        correction_from(targets(LETTER.size), ((0, 0), (0, 0), (0, 3)), CENTRE)
    wording(caught.value)
    with pytest.raises(UsageError) as caught:
        correction_from(targets(LETTER.size), ((0, 0), (-9, 6), (0, 6)), CENTRE)
    wording(caught.value)


def test_a_profile_comes_back_as_it_was_stored() -> None:
    profile = PrinterProfile(
        "Office HP 4200", BackCorrection(-1.25, 0.3, 0.998, 1.0001, -0.12), BackCorrection(0.1, 0.0), 4.2
    )
    path = store_profile(profile)
    assert path.name == "Office HP 4200.toml"
    assert load_profile("Office HP 4200") == profile
    upright_only = PrinterProfile("b", BackCorrection(), None)
    store_profile(upright_only)
    assert load_profile("b") == upright_only
    assert profile_names() == ["Office HP 4200", "b"]


def test_a_profile_may_have_letters_of_any_script() -> None:
    for name in ("Büro Süd", "Кабинет 2"):
        store_profile(PrinterProfile(name, BackCorrection(0.5, 0.0), None))
        assert load_profile(unicodedata.normalize("NFD", name)).portrait == BackCorrection(0.5, 0.0)
    assert profile_names() == ["Büro Süd", "Кабинет 2"]


def test_an_unknown_profile_names_the_known_ones() -> None:
    store_profile(PrinterProfile("inky", BackCorrection(), None))
    with pytest.raises(UsageError) as caught:
        load_profile("ink")
    assert caught.value.findings[0].hint == "use one of: inky"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x\\y", "dot."])
def test_names_that_are_no_file_names(name: str) -> None:
    with pytest.raises(UsageError):
        profile_path(name)


@pytest.mark.parametrize(
    "text",
    [
        "portrait = 3", "[portrait]\ndx = 'far'", "[portrait]\nshift = 1.0", "[portrait",
        "margin = 'wide'", "margin = -1.0", "margin = nan", "[portrait]\nrotation = 90.0",
        "[portrait]\ndx = nan", "[portrait]\nscale_x = 0.0", "[landscape]\ndy = 99.0",
    ],
)  # fmt: skip
def test_a_damaged_profile_is_a_finding(text: str) -> None:
    path = profile_path("inky")
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        load_profile("inky")
    (finding,) = caught.value.findings
    assert finding.code == "printer/profile"
    assert finding.location is not None
    assert finding.location.file.endswith("inky.toml")


def test_without_the_variable_the_system_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDGEN_CONFIG")
    assert config_folder().name == "cardgen"
