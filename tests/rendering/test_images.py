"""Images that can't be shown, each with what is wrong with it; and those that only look like it."""

from __future__ import annotations

import struct

import pytest

from .support import Workshop
from .test_pictures import image, jpeg, png

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
FAT = b"\x00" * 16


def kind(width: int, height: int, depth: int, colours: int, interlaced: int, chunk: bytes = b"") -> bytes:
    """The start of a PNG of this kind."""
    head = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + head + b"crc." + chunk + b"\x00\x00\x00\x00IDAT"


TRNS = struct.pack(">I", 2) + b"tRNS" + b"\x00\x00crc."
TEXT = struct.pack(">I", 2) + b"tEXt" + b"\x00\x00crc."


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (png(0, 300), "image/format", "is damaged"),
        (b"\xff\xd8\x00\x01" + FAT, "image/format", "is damaged"),
        (b"\xff\xd8\xff\xda" + FAT, "image/format", "is damaged"),
        (kind(8600, 8600, 16, 2, 0), "image/pixels", "transparency, 16 bits or interlacing"),
        (kind(8600, 8600, 8, 6, 0), "image/pixels", "transparency, 16 bits or interlacing"),
        (kind(8600, 8600, 8, 2, 1), "image/pixels", "transparency, 16 bits or interlacing"),
        (kind(8600, 8600, 8, 2, 0, TRNS), "image/pixels", "transparency, 16 bits or interlacing"),
        (b"<svg", "image/svg", "is not well-formed XML"),
        (b"<g><svg/></g>", "image/svg", "<g> is not a drawing"),
        (b'<svg viewBox="0 0 0 9"/>', "svg/viewport", "the drawing can't be placed: its viewBox is"),
        (f"{SVG}<g><tspan/></g></svg>".encode(), "image/svg", "holds text"),
        (f'{SVG}<image href="b.png"/></svg>'.encode(), "image/svg", "holds an image of its own"),
        (f"{SVG}<mask/></svg>".encode(), "svg/mask", "a mask is not drawn"),
    ],
)
def test_what_is_wrong_is_said(shop: Workshop, content: bytes, code: str, message: str) -> None:
    shop.write("demo/art/a.png", content)
    result = shop.render(image())
    (finding,) = result.findings
    assert finding.code == code
    assert message in finding.message
    assert result.pictures == []
    if b"svg" in content:  # said in the drawing's own file
        assert finding.location is not None
        assert (finding.location.file, finding.location.line) == ("templates/demo/art/a.png", 1)


@pytest.mark.parametrize(
    "content", [kind(8600, 8600, 8, 2, 0), kind(8600, 8600, 8, 2, 0, TEXT), kind(300, 300, 8, 6, 1, TRNS)]
)
def test_large_plain_pictures_and_small_ones_of_any_kind_pass(shop: Workshop, content: bytes) -> None:
    shop.write("demo/art/a.png", content)
    assert not [code for code in shop.render(image()).codes if code != "image/resolution"]


def test_bytes_that_fill_up_a_jpeg_are_read_past(shop: Workshop) -> None:
    whole = jpeg(300, 300)
    shop.write("demo/art/a.png", whole[:2] + b"\xff\xff" + whole[2:])
    assert "image/format" not in shop.render(image()).codes


def test_an_image_has_a_size(shop: Workshop) -> None:
    shop.write("demo/art/a.png", png(300, 300))
    (finding,) = shop.render('<image href="art/a.png" x="9" y="9" width="9"/>').findings
    assert (finding.code, finding.hint) == ("image/size", "say its size in mm: width and height")
    assert "art/a.png" in finding.message
