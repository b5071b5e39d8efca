"""PTSD's types told apart by every eye, and a board that cards, cubes and tokens fit."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
GAME = yaml.safe_load((ROOT / "data/ptsd/game.yaml").read_text(encoding="utf-8"))
THEME = GAME["theme"]

Triple = tuple[float, float, float]

#: What linear RGB becomes for normal sight and without red, green or blue cones: Machado et al.,
#: "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), full severity.
SIGHT: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
#: Linear sRGB to XYZ (IEC 61966-2-1), each row divided by the white point D65.
XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505),
    (0.2126, 0.7152, 0.0722),
    (0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089),
)


def lab(color: str, sight: str) -> Triple:
    """CIELAB of #rrggbb as seen with that sight."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in SIGHT[sight]
    ]
    white = [sum(a * b for a, b in zip(row, seen, strict=True)) for row in XYZ]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("palette", ["full", "low_ink"])
@pytest.mark.parametrize("sight", list(SIGHT))
def test_types_differ_for_every_eye(palette: str, sight: str) -> None:
    colors = {name: hues[palette] for name, hues in THEME["types"].items()} | {
        "ground": THEME[palette]["ground"]
    }
    for (one, a), (other, b) in itertools.combinations(colors.items(), 2):
        apart = sum((p - q) ** 2 for p, q in zip(lab(a, sight), lab(b, sight), strict=True)) ** 0.5
        assert apart >= 25, f"{one} and {other}: {apart:.1f}"


@pytest.mark.parametrize("palette", ["full", "low_ink"])
def test_types_differ_in_grey(palette: str) -> None:
    greys = sorted(lab(hues[palette], "normal")[0] for hues in THEME["types"].values())
    assert min(b - a for a, b in itertools.pairwise(greys)) >= 4


def figure(template: str, name: str) -> float:
    """The number that a template sets as `name`."""
    found = re.search(
        rf"{{% set {name} = ([0-9.]+) %}}", (ROOT / "templates/ptsd" / template).read_text("utf-8")
    )
    assert found, f"{template} sets no {name}"
    return float(found[1])


@pytest.mark.parametrize("template", ["board.svg", "mat.svg"])
def test_slots_are_cards_with_two_millimetres_of_play(template: str) -> None:
    poker = yaml.safe_load((ROOT / "data/sizes.yaml").read_text(encoding="utf-8"))["sizes"]["poker"]
    wide, high = (float(poker[side].removesuffix("mm")) for side in ("width", "height"))
    assert figure(template, "sw") == pytest.approx(wide + 2)
    assert figure(template, "sh") == pytest.approx(high + 2)


def test_spaces_take_a_cube_and_a_token() -> None:
    token = max(float(side.removesuffix("mm")) for side in GAME["components"]["tokens"]["trim"])
    assert figure("board.svg", "cell") >= max(8 + 2, token)
    assert figure("board.svg", "pitch") > figure("board.svg", "cell")
