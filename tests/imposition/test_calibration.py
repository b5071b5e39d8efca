"""The test page that a printer profile is measured on."""

from __future__ import annotations

import pytest

from cardgen.geometry import Size
from cardgen.imposition.calibration import BESIDE, REACH, calibration_sheet, targets
from cardgen.model.sheets import Paper

LETTER = Paper("letter", Size(215.9, 279.4))


@pytest.mark.parametrize("edge", ["long-edge", "short-edge"])
@pytest.mark.parametrize("landscape", [False, True])
def test_the_crosses_lie_behind_the_scales(edge: str, landscape: bool) -> None:
    sheet = calibration_sheet(LETTER, edge, landscape=landscape)  # type: ignore[arg-type]
    face, back = sheet.pages
    assert face.size.landscape == landscape
    middles = [((a.x1 + a.x2) / 2, b.y1 / 2 + b.y2 / 2) for a, b in zip(back.lines[::2], back.lines[1::2])]
    width, height = face.size.width, face.size.height
    if (edge == "long-edge") != landscape:
        seen = [(width - x, y) for x, y in middles]
    else:
        seen = [(x, height - y) for x, y in middles]
    assert seen == [pytest.approx(target) for target in targets(face.size)]


def test_the_scales_have_a_tick_every_half_millimetre_and_numbers() -> None:
    face, _ = calibration_sheet(LETTER).pages
    x, y = targets(LETTER.size)[0]
    level = [line for line in face.lines if line.y2 == y + BESIDE and line.x1 == line.x2]
    halves = [step / 2 for step in range(-2 * REACH, 2 * REACH + 1)]
    assert sorted(round(line.x1 - x, 3) for line in level) == halves
    upright = [line for line in face.lines if line.x2 == x + BESIDE and line.y1 == line.y2]
    assert sorted(round(line.y1 - y, 3) for line in upright) == halves
    numbers = {label.text: label for label in face.labels if label.y > y + BESIDE and label.y < y + 20}
    assert list(numbers) == ["−10", "−5", "0", "5", "10"]
    for line in face.lines:
        assert min(line.x1, line.x2, line.y1, line.y2) > 10
