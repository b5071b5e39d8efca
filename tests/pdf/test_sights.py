"""What colours look like: figures that are known by other means."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from cardgen.pdf.color_vision import SIGHTS, lab
from tests.for_each import for_each

KNOWN = {
    (1.0, 0.0, 0.0): (53.24, 80.09, 67.20),
    (0.0, 1.0, 0.0): (87.73, -86.18, 83.18),
    (0.0, 0.0, 1.0): (32.30, 79.19, -107.86),
    (1.0, 1.0, 1.0): (100, 0, 0),
    (0.0, 0.0, 0.0): (0, 0, 0),
    (128 / 255, 128 / 255, 128 / 255): (53.59, 0, 0),
}
"""sRGB's own corners and its middle grey, as they are published for D65."""


def test_lab_of_known_colours() -> None:
    found = lab(np.array(list(KNOWN)))
    assert found == pytest.approx(np.array(list(KNOWN.values())), abs=0.03)


@for_each("sight", list(SIGHTS))
def test_greys_are_greys_to_every_eye(sight: str) -> None:
    greys = np.repeat(np.linspace(0, 1, 9)[:, None], 3, axis=1)
    assert lab(greys, sight) == pytest.approx(lab(greys), abs=0.01)


def test_what_confuses_whom() -> None:
    """Red and green without one of their cones, blue and green without blue ones."""
    red, green, blue, teal = np.array(
        [(0.75, 0.35, 0.1), (0.4, 0.55, 0.1), (0.1, 0.4, 0.8), (0.1, 0.5, 0.5)]
    )

    def near(one: np.ndarray, other: np.ndarray, sight: str) -> float:
        return float(np.abs(lab(one, sight) - lab(other, sight))[1:].max())

    assert near(red, green, "deutan") < 0.4 * near(red, green, "normal")
    assert near(red, green, "tritan") > 0.7 * near(red, green, "normal")
    assert near(blue, teal, "tritan") < 0.6 * near(blue, teal, "normal")


def test_the_preview_shows_what_rules_see() -> None:
    """Its filters have the same figures."""
    page = Path(__file__).parents[2] / "cardgen/workbench/server/page/vision.js"
    stated = re.findall(r"(\w+): \[\n((?:\s+\[.*\],\n)+)", page.read_text(encoding="utf-8"))
    assert [sight for sight, _ in stated] == ["protan", "deutan", "tritan"]
    for sight, rows in stated:
        found = [
            [float(each) for each in re.findall(r"-?\d\.\d+", row)] for row in rows.strip().splitlines()
        ]
        assert np.array(found) == pytest.approx(SIGHTS[sight]), sight
