"""Colours as inks: within the limit everywhere, in their hue, text and paper as one would have them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.pdf.ink_conversion import peak
from cardgen.pdf.inks import RICH_BLACK
from tests.for_each import for_each

from .presses import coated

LIMITS = (200, 240, 300)
channels = st.integers(0, 255)


@for_each("limit", LIMITS)
def test_no_colour_takes_more_ink_than_the_limit(limit: int) -> None:
    """Every seventh colour of each channel, and all dark ones in steps of three."""
    for step, most in ((7, 256), (3, 96)):
        values = np.arange(0, most, step, dtype=np.uint8)
        cube = np.stack(np.meshgrid(values, values, values, indexing="ij"), axis=-1)
        image = Image.fromarray(cube.reshape(len(values), -1, 3), "RGB")
        assert peak(coated(limit).image(image)) <= limit / 100


def test_the_limit_is_of_use() -> None:
    """Without a limit, the profile puts more on paper than the strictest one allows."""
    dark = Image.new("RGB", (1, 1), (8, 8, 8))
    assert peak(coated(300).image(dark)) > 2.4 >= peak(coated(240).image(dark)) > 2.2


@for_each("limit", LIMITS)
@for_each(
    "color",
    [(20, 20, 40), (12, 35, 12), (45, 12, 12), (12, 34, 40), (40, 30, 12), (7, 17, 12), (24, 24, 24)],
)
def test_dark_grounds_keep_their_hue(limit: int, color: tuple[int, int, int]) -> None:
    press = coated(limit)
    shown = press.on_screen(press.image(Image.new("RGB", (1, 1), color))).getpixel((0, 0))
    assert isinstance(shown, tuple)
    excess = [channel - sum(color) / 3 for channel in color]
    got = [channel - sum(shown) / 3 for channel in shown]
    assert math.dist(excess, got) < 9, shown
    if max(excess) > 8:  # a colour, not a gray: the channel that leads still leads
        assert got.index(max(got)) == excess.index(max(excess))


def test_paper_is_paper_and_black_is_rich() -> None:
    press = coated(240)
    assert press.area((1, 1, 1)) == press.fine((1, 1, 1)) == (0, 0, 0, 0)
    assert press.area((0, 0, 0)) == pytest.approx(RICH_BLACK, abs=0.01)
    assert sum(coated(200).area((0, 0, 0))) <= 2.0
    assert coated(200).area((0, 0, 0))[3] == 1


@given(channels)
def test_gray_text_has_black_ink_alone(gray: int) -> None:
    c, m, y, k = coated(300).fine([gray / 255] * 3)
    assert (c, m, y) == (0, 0, 0)
    lighter = coated(300).fine([min(gray + 20, 255) / 255] * 3)
    assert lighter[3] <= k


def test_black_text_is_all_black_and_coloured_text_is_coloured() -> None:
    press = coated(300)
    assert press.fine((0, 0, 0)) == press.fine((0.05, 0.06, 0.05)) == (0, 0, 0, 1)
    assert press.fine((1, 0, 0)) == press.area((1, 0, 0))
    assert press.fine((1, 0, 0))[2] > 0.8


def test_text_that_is_nearly_black_is_black() -> None:
    """Dark inks of a hue that no letter shows; what one does see stays as it is."""
    press = coated(300)
    for color in ((0x17, 0x14, 0x3F), (0x2C, 0x18, 0x10), (0x1D, 0x33, 0x26), (0x1B, 0x2A, 0x4A)):
        assert press.fine([channel / 255 for channel in color]) == (0, 0, 0, 1)
    for color in ((0x40, 0, 0), (0, 0, 0x40), (0x12, 0x30, 0x5C), (0, 0x40, 0)):
        share = [channel / 255 for channel in color]
        assert press.fine(share) == press.area(share)


def test_gray_text_is_as_light_as_the_same_gray_of_four_inks() -> None:
    press = coated(300)
    for gray in (90, 128, 170, 210):
        inks = [
            tuple(round(ink * 255) for ink in use([gray / 255] * 3)) for use in (press.fine, press.area)
        ]
        shown = [press.on_screen(Image.new("CMYK", (1, 1), each)).getpixel((0, 0)) for each in inks]
        assert math.dist(*shown) < 16, (gray, shown)  # type: ignore[arg-type]


def test_colours_that_no_press_has_are_missed_by_much() -> None:
    far, near = coated(300).missed([(0, 255, 60), (200, 180, 150)])
    assert far > 15 > 2 > near
    assert coated(300).missed([]) == []
