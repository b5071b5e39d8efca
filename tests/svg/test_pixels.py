"""Whether all pixels of a file are there, found without holding them."""

from __future__ import annotations

import pytest
from PIL import Image

from cardgen.svg.raster_files import RasterError, check_whole, open_pixels, read_header
from tests.for_each import for_each

from .samples import noise, saved

KINDS = [
    ("PNG", {}),
    ("JPEG", {}),
    ("JPEG", {"progressive": True}),
    ("WEBP", {}),
    ("WEBP", {"lossless": False}),
    ("TIFF", {}),
    ("TIFF", {"compression": "tiff_lzw"}),
    ("TIFF", {"compression": "tiff_adobe_deflate"}),
    ("TIFF", {"compression": "jpeg"}),
    ("GIF", {}),
]


@pytest.mark.long
@for_each(("form", "options"), KINDS)
@for_each("part", [0.25, 0.5, 0.97])
def test_what_is_cut_off_is_found(
    form: str, options: dict[str, object], part: float, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = saved(form, noise(), **options)
    check_whole(whole, read_header(whole))
    cut = whole[: round(len(whole) * part)]
    with pytest.raises(RasterError, match="is damaged"):
        check_whole(cut, read_header(cut))
    assert capfd.readouterr() == ("", "")


@for_each("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pngs_of_any_kind_are_whole(mode: str) -> None:
    whole = saved("PNG", Image.new(mode, (13, 7)))
    check_whole(whole, read_header(whole))


def test_no_picture_behind_the_head() -> None:
    with pytest.raises(RasterError):
        open_pixels(b"nothing", read_header(saved("PNG", noise())))
