"""Colours of a picture that a press can't mix, or that take too much of its ink."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from cardgen.pdf.inks import FAR, Inks, judged, most_ink

from .presses import coated

GREEN, DARK, TAN = (0, 255, 90), (7, 17, 12), (200, 180, 150)


@pytest.fixture(scope="module")
def inks() -> Inks:
    return coated(240)


def _halves(one: tuple[int, int, int], other: tuple[int, int, int]) -> Image.Image:
    image = Image.new("RGB", (40, 20), one)
    image.paste(other, (20, 0, 40, 20))
    return image


def test_what_is_out_of_reach_is_told_with_what_is_printed(inks: Inks) -> None:
    missed, heavy = judged(_halves(GREEN, TAN), 0.1, inks)
    assert heavy == []
    (only,) = missed
    assert (only.asked, only.area) == (GREEN, 40.0)
    assert only.apart == pytest.approx(inks.missed([GREEN])[0])
    assert only.apart > FAR > inks.missed([TAN])[0]
    assert inks.missed([only.printed])[0] < 3  # so it is of use as a hint


def test_what_is_too_heavy_is_told_and_black_is_not(inks: Inks) -> None:
    missed, (only,) = judged(_halves(DARK, (0, 0, 0)), 0.1, inks)
    assert missed == []
    assert (only.asked, only.area) == (DARK, 40.0)
    assert 2.4 < only.ink <= 3.0
    assert judged(_halves(DARK, TAN), 0.1, coated())[1] == []


def test_little_of_it_is_not_worth_a_word(inks: Inks) -> None:
    assert judged(_halves(GREEN, TAN), 0.049, inks)[0] == []
    assert [each.area for each in judged(_halves(GREEN, TAN), 0.04, inks, [(GREEN, 5.0)])[0]] == [21.0]


def test_a_gradient_is_one_colour(inks: Inks) -> None:
    ramp = np.zeros((20, 40, 3), np.uint8)
    ramp[..., 1] = 255
    ramp[..., 2] = np.arange(40)
    (only,) = judged(Image.fromarray(ramp), 1.0, inks)[0]
    assert only.area == 800.0


def test_of_large_boards_some_pixels_do(inks: Inks) -> None:
    (only,) = judged(_halves(GREEN, TAN).resize((4000, 2000), Image.Resampling.NEAREST), 0.001, inks)[0]
    assert only.asked == GREEN
    assert only.area == pytest.approx(4000, rel=0.01)


def test_the_most_ink_is_that_of_the_heaviest_pixel(inks: Inks) -> None:
    image = _halves(TAN, TAN)
    tan = sum(inks.area([channel / 255 for channel in TAN]))
    assert most_ink(image, inks) == pytest.approx(tan)
    image.putpixel((3, 3), (0, 0, 0))
    assert most_ink(image, inks) == pytest.approx(2.4, abs=0.02)
