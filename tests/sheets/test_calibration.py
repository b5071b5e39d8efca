"""The test page that a printer profile is measured on."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Size
from cardgen.core.sheets import Paper
from cardgen.sheets.calibration import BESIDE, REACH, STAIRS, calibration_sheet, targets
from tests.for_each import for_each

LETTER = Paper("letter", Size(215.9, 279.4))


@for_each("edge", ["long-edge", "short-edge"])
@for_each("landscape", [False, True])
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
    level = [line for line in face.lines if line.y2 == y + BESIDE and line.x1 == line.x2 < 100]
    halves = [step / 2 for step in range(-2 * REACH, 2 * REACH + 1)]
    assert sorted(round(line.x1 - x, 3) for line in level) == halves
    upright = [line for line in face.lines if line.x2 == x + BESIDE and line.y1 == line.y2 < 100]
    assert sorted(round(line.y1 - y, 3) for line in upright) == halves
    ticks = [0.8, 1.6, 2.4]
    assert sorted({round(line.y2 - line.y1, 3) for line in level}) == ticks
    assert sorted({round(line.x2 - line.x1, 3) for line in upright}) == ticks
    numbers = {
        label.text: label for label in face.labels if y + BESIDE < label.y < y + 20 and label.x < 100
    }
    assert list(numbers) == ["−10", "−5", "0", "5", "10"]
    middles = [label.x + 0.5 * label.size * len(text) / 2 for text, label in numbers.items()]
    assert middles == pytest.approx([x + value for value in (-10, -5, 0, 5, 10)])
    beside = [label for label in face.labels if label.x == x + BESIDE + 1 and label.y < y + 20]
    middles = [label.y - 0.35 * label.size for label in beside]
    assert middles == pytest.approx([y + value for value in (-10, -5, 0, 5, 10)])
    for line in face.lines[: -4 * 2 * STAIRS]:
        assert min(line.x1, line.x2, line.y1, line.y2) > 10


def test_stairs_at_each_edge_show_the_margin_and_their_numbers_lie_inside() -> None:
    face, _ = calibration_sheet(LETTER).pages
    width, height = face.size.width, face.size.height
    stairs = face.lines[-4 * 2 * STAIRS :]
    depths: dict[str, list[float]] = {"left": [], "right": [], "top": [], "bottom": []}
    for line in stairs:
        if line.x1 == line.x2:
            depths["left" if line.x1 < width / 2 else "right"].append(min(line.x1, width - line.x1))
        else:
            depths["top" if line.y1 < height / 2 else "bottom"].append(min(line.y1, height - line.y1))
    halves = [step / 2 for step in range(1, 2 * STAIRS + 1)]
    assert all([round(depth, 6) for depth in found] == halves for found in depths.values())
    for label in face.labels:
        wide = 0.5 * label.size * len(label.text) if len(label.text) < 4 else width / 2
        room = min(label.x, label.y - label.size, width - label.x - wide, height - label.y)
        assert room > STAIRS, label
