"""Profiles of colours: what changes by them, what is left alone, and what is none."""

from __future__ import annotations

import pytest
from PIL import Image, ImageCms

from cardgen.svg.raster_files import (
    ProfileError,
    in_srgb,
    open_pixels,
    read_header,
    srgb_transform,
    transform,
)
from tests.for_each import for_each
from tests.wording import Wording

from .samples import grey, inks, saved, swapped

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def converted(form: str, image: Image.Image, profile: bytes) -> tuple[str, object] | None:
    """Mode and first pixel of a picture that has a profile; None where it is left alone."""
    data = saved(form, image, icc_profile=profile)
    file = open_pixels(data, read_header(data))
    made = srgb_transform(file)
    if made is None:
        return None
    result = in_srgb(file, made)
    return result.mode, result.getpixel((0, 0))


def test_srgb_is_left_alone() -> None:
    assert converted("PNG", Image.new("RGB", (9, 9)), SRGB) is None
    assert converted("PNG", Image.new("L", (9, 9)), grey(2.2)) is not None
    assert srgb_transform(Image.new("RGB", (9, 9))) is None


@for_each("form", ["PNG", "WEBP", "TIFF"])
def test_colours_are_brought_to_srgb(form: str) -> None:
    assert converted(form, Image.new("RGB", (9, 9), (0, 200, 0)), swapped()) == ("RGB", (200, 0, 0))


def test_alpha_stays() -> None:
    image = Image.new("RGBA", (9, 9), (0, 200, 0, 77))
    assert converted("PNG", image, swapped()) == ("RGBA", (200, 0, 0, 77))


def test_a_palette_is_read() -> None:
    image = Image.new("P", (9, 9), 0)
    image.putpalette([0, 200, 0])
    assert converted("PNG", image, swapped()) == ("RGB", (200, 0, 0))


@for_each("mode", ["L", "I;16"])
def test_grey_stays_grey(mode: str) -> None:
    value = 128 if mode == "L" else 128 * 256
    found = converted("PNG", Image.new(mode, (9, 9), value), grey(1.0))
    assert found == ("L", 188)  # half the light


@for_each("form", ["JPEG", "TIFF"])
def test_inks_become_light(form: str) -> None:
    white, dark = (converted(form, Image.new("CMYK", (16, 16), k), inks()) for k in (0, (0, 0, 0, 255)))
    assert white == ("RGB", (255, 255, 255))
    assert dark is not None
    assert dark[0] == "RGB"
    (red, green, blue) = dark[1]  # type: ignore[misc]
    assert max(red, green, blue) - min(red, green, blue) <= 4
    assert 80 < red < 140


@for_each(
    "profile",
    [
        b"none",
        grey(2.2),
        bytes(8_000_001),
    ],
)
def test_what_is_no_profile_for_these_pixels(profile: bytes, wording: Wording) -> None:
    with pytest.raises(ProfileError) as caught:
        transform(profile, "RGB")
    wording(caught.value)
