"""PNG written band by band."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from cardgen.pdf.pixels import PngWriter
from tests.for_each import for_each

MODES = {1: "L", 3: "RGB", 4: "RGBA"}


def written(size: tuple[int, int], channels: int, data: bytes, rows: int) -> bytes:
    out = BytesIO()
    writer = PngWriter(out, size, channels, 300)
    step = rows * size[0] * channels
    for start in range(0, len(data), step):
        writer.write(data[start : start + step])
    writer.finish()
    return out.getvalue()


@for_each("channels", MODES)
@for_each("size", [(1, 1), (7, 5), (300, 211), (5, 1000)])
def test_pixels_come_back_as_they_were(channels: int, size: tuple[int, int]) -> None:
    data = Random(7).randbytes(size[0] * size[1] * channels)
    with Image.open(BytesIO(written(size, channels, data, size[1]))) as again:
        assert (again.size, again.mode) == (size, MODES[channels])
        assert again.info["dpi"] == pytest.approx((300, 300), abs=0.02)
        assert again.tobytes() == data


def test_the_bytes_do_not_depend_on_the_bands() -> None:
    size = (2000, 150)  # more than is packed at a time
    data = Random(7).randbytes(size[0] * size[1] * 3)
    assert written(size, 3, data, 150) == written(size, 3, data, 1) == written(size, 3, data, 47)


def test_a_part_of_a_row_or_a_row_too_many_is_an_error() -> None:
    writer = PngWriter(BytesIO(), (2, 2), 3, 300)
    with pytest.raises(ValueError, match="7 bytes where 2 rows of 6 are left"):
        writer.write(bytes(7))
    with pytest.raises(ValueError, match="2 rows are missing"):
        writer.finish()
    writer.write(bytes(12))
    with pytest.raises(ValueError, match="6 bytes where 0 rows of 6 are left"):
        writer.write(bytes(6))
    writer.finish()
