"""What files of pixels say of themselves, and what they must not say."""

from __future__ import annotations

import struct
import sys
from io import BytesIO

import pytest
from PIL import Image

from cardgen.svg.raster_files import Header, RasterError, av1_pixels, read_header
from tests.for_each import for_each

from .samples import animated, noise, saved


@for_each(
    ("form", "mode", "options", "decoded"),
    [
        ("PNG", "RGB", {}, False),
        ("PNG", "RGBA", {}, True),
        ("PNG", "P", {"transparency": 0}, True),
        ("PNG", "I;16", {}, True),
        ("JPEG", "RGB", {}, False),
        ("JPEG", "L", {"progressive": True}, False),
        ("WEBP", "RGB", {}, True),
        ("WEBP", "RGB", {"lossless": False}, True),
        ("WEBP", "RGBA", {"lossless": False}, True),
        ("AVIF", "RGB", {}, True),
        ("AVIF", "RGBA", {"quality": 90}, True),
        ("BMP", "RGB", {}, True),
        ("BMP", "P", {}, True),
        ("TIFF", "RGB", {}, True),
        ("TIFF", "1", {"compression": "tiff_lzw"}, True),
        ("GIF", "P", {}, True),
        ("GIF", "L", {"transparency": 0, "interlace": True, "comment": b"a" * 600}, True),
    ],
)
def test_size(form: str, mode: str, options: dict[str, object], decoded: bool) -> None:
    data = saved(form, Image.new(mode, (300, 100)), **options)
    assert read_header(data) == Header(form, 300, 100, 1, decoded)  # type: ignore[arg-type]


@for_each("form", ["PNG", "JPEG", "WEBP", "AVIF"])
@for_each("order", ["<", ">"])
def test_orientation(form: str, order: str) -> None:
    exif = Image.Exif()
    exif.endian = order
    exif[0x0112] = 8
    exif[0x010F] = "a camera"
    header = read_header(saved(form, Image.new("RGB", (30, 10)), exif=exif))
    assert (header.width, header.height, header.orientation, header.shown) == (30, 10, 8, (10, 30))


@for_each(
    "exif",
    [
        b"",
        b"II*\0",
        b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 9),
        b"II*\0" + struct.pack("<I", 2**31),
        b"II*\0" + struct.pack("<IHHHIHH", 8, 1, 0x0112, 3, 1, 9, 0),
        b"MM\0*" + struct.pack(">IHHHII", 8, 1, 0x0112, 4, 1, 6),
        b"IIII" + bytes(30),
    ],
)
def test_notes_of_cameras_that_are_damaged_are_passed_over(exif: bytes) -> None:
    assert read_header(saved("JPEG", Image.new("RGB", (30, 10)), exif=b"Exif\0\0" + exif)).orientation == 1


def test_a_tiff_is_turned_as_it_is_read() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    header = read_header(saved("TIFF", Image.new("RGB", (30, 10)), exif=exif))
    assert (header.shown, header.orientation) == ((10, 30), 1)


@for_each("form", ["PNG", "WEBP", "TIFF", "GIF", "AVIF"])
def test_several_pictures_are_seen(form: str) -> None:
    assert not read_header(animated(form)).still


@pytest.mark.long
@for_each("form", ["PNG", "JPEG", "WEBP", "TIFF", "GIF", "AVIF", "BMP"])
@for_each("length", [4, 12, 16, 20, 24])
def test_a_head_that_is_cut_off(form: str, length: int) -> None:
    with pytest.raises(RasterError):
        read_header(saved(form, noise())[:length])


@for_each(
    "data",
    [
        b"GIF89a" + bytes(40),
        b"RIFF0000WEBPALPH" + bytes(40),
        b"RIFF0000WEBPVP8 " + bytes(40),
        b"\xff\xd8\x00\x00" + bytes(40),
        b"\xff\xd8\xff\xd9" + bytes(40),
        b"\x89PNG\r\n\x1a\n" + bytes(40),
        b"II*\0" + struct.pack("<IHI", 8, 0, 0),
    ],
)
def test_what_is_no_picture(data: bytes) -> None:
    with pytest.raises(RasterError):
        read_header(data)


def test_tags_that_point_to_the_same_bytes_are_not_read_again_and_again() -> None:
    tags = b"".join(struct.pack("<HHII", 40_000 + number, 1, 60_000, 0) for number in range(1000))
    with pytest.raises(RasterError):
        read_header(b"II*\0" + struct.pack("<IH", 8, 1000) + tags + bytes(60_000))


def lying(width: int, height: int, **options: object) -> bytes:
    """An AVIF of 8,000 × 8,000 pixels that says it is smaller."""
    data = saved("AVIF", Image.new("L", (8000, 8000)), speed=10, **options)
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", width, height) + data[at + 8 :]


@pytest.mark.long
def test_an_avif_of_more_pixels_than_it_says_is_refused() -> None:
    assert list(av1_pixels(lying(8000, 8000))) == [64_000_000]
    assert read_header(lying(8000, 8000)).width == 8000
    with pytest.raises(RasterError, match="damaged"):
        read_header(lying(100, 100))


def test_a_heic_is_read_by_a_package_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40)
    with pytest.raises(RasterError, match="damaged"):
        read_header(data)
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(RasterError) as error:
        read_header(data)
    assert "cardgen[heic]" in str(error.value.hint)


@pytest.mark.long
def test_a_jpeg_of_endless_scans_is_refused() -> None:
    whole = saved("JPEG", Image.new("L", (8000, 8000)), progressive=True)
    scan = whole.rindex(b"\xff\xda")
    assert read_header(whole).width == 8000
    with pytest.raises(RasterError, match="scans"):
        read_header(whole[:-2] + whole[scan : scan + 40] * 30)


def gif(screen: tuple[int, int], *pictures: tuple[int, int, int, int], end: bytes = b";") -> bytes:
    """A GIF of black pictures (left, top, width, height) on a screen."""
    made = b"GIF89a" + struct.pack("<HHBBB", *screen, 0x80, 0, 0) + bytes(6)
    for left, top, width, height in pictures:
        whole = saved("GIF", Image.new("L", (width, height)), optimize=False)
        start = whole.index(struct.pack("<BHHHH", 0x2C, 0, 0, width, height))
        made += struct.pack("<BHHHH", 0x2C, left, top, width, height) + whole[start + 9 : -1]
    return made + end


@for_each(
    ("data", "size", "still"),
    [
        (gif((30, 10), (0, 0, 30, 10)), (30, 10), True),
        (gif((30, 10), (5, 5, 20, 5)), (30, 10), True),
        (gif((30, 10), (5, 5, 40, 5)), (45, 10), True),
        (gif((30, 10), (0, 0, 30, 10), end=b""), (30, 10), True),
        (gif((30, 10), (0, 0, 30, 10), (0, 0, 30, 10)), (30, 10), False),
    ],
)
def test_a_gif_is_as_large_as_it_is_shown(data: bytes, size: tuple[int, int], still: bool) -> None:
    header = read_header(data)
    assert (header.width, header.height) == size
    assert header.still == still
    with Image.open(BytesIO(data)) as file:
        file.load()
        assert file.size == size
        assert (getattr(file, "n_frames", 1) == 1) == still


@for_each(
    "data",
    [
        gif((30, 10)),
        gif((30, 10), end=b"x"),
        gif((30, 10), end=b"!"),
        gif((30, 10), end=b"!\xfe\x09ab"),
        gif((30, 10), end=b"!\xfe" + b"\x01a" * 1_000_001 + b"\0;"),
        gif((0, 0), end=b",\0\0\0\0\0\0\0\0\0\x02\0;"),
    ],
    ids=["no picture", "no block", "cut", "cut block", "endless", "no pixels"],
)
def test_gifs_that_are_none(data: bytes) -> None:
    with pytest.raises(RasterError, match="is damaged"):
        read_header(data)
