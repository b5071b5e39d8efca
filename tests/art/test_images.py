"""Images that can't be shown, each with what is wrong with it; and those that only look like it."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable

import PIL.Image

from cardgen.core.findings import Severity
from tests.for_each import for_each
from tests.svg.samples import animated, noise, saved, swapped
from tests.wording import Wording

from .support import Workshop
from .test_pictures import UNSET, image, jpeg, png

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
FAT = b"\x00" * 16


PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name: bytes, content: bytes) -> bytes:
    body = name + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def kind(width: int, height: int, depth: int, colours: int, interlaced: int, more: bytes = b"") -> bytes:
    """A black PNG of this kind; of those that hold many pixels, only the start."""
    head = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, interlaced)
    rows = height * (1 + (width * depth * {0: 1, 2: 3, 6: 4}[colours] + 7) // 8)
    if interlaced:
        rows = sum(  # each row of each pass has a filter of its own
            len(range(y, height, dy)) * (1 + len(range(x, width, dx)) * 4) for x, y, dx, dy in PASSES
        )
    pixels = chunk(b"IDAT", zlib.compress(bytes(min(rows, 10_000_000)), 1))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + pixels + chunk(b"IEND", b"")


NAMED, AGAIN = 'id="a"', '<use href="#a" transform="scale(4)"/>'
TRNS = chunk(b"tRNS", b"\0\0")
TEXT = chunk(b"tEXt", b"a\0b")


@for_each(
    ("content", "code"),
    [
        (png(0, 300), "image/format"),
        (b"\xff\xd8\x00\x01" + FAT, "image/format"),
        (b"\xff\xd8\xff\xda" + FAT, "image/format"),
        (kind(8600, 8600, 16, 2, 0), "image/pixels"),
        (kind(8600, 8600, 8, 6, 0), "image/pixels"),
        (kind(8600, 8600, 8, 2, 1), "image/pixels"),
        (kind(8600, 8600, 1, 0, 0, TRNS), "image/pixels"),
        (b"<svg", "image/svg"),
        (b"<g><svg/></g>", "image/svg"),
        (b'<svg viewBox="0 0 0 9"/>', "svg/viewport"),
        (f"{SVG}{UNSET}</svg>".encode(), "text/glyph"),
        (f'{SVG}<image href="b.png"/></svg>'.encode(), "image/missing"),
        (f'{SVG}<image href="a.png"/></svg>'.encode(), "image/svg"),
        (f'{SVG}<image href="data:image/png;base64,AAAA"/></svg>'.encode(), "image/data"),
        (f"{SVG}<g mask='url(#m)'/></svg>".encode(), "svg/reference"),
        (f"{SVG}<foreignObject/></svg>".encode(), "svg/foreignobject"),
    ],
)
def test_what_is_wrong_is_said(shop: Workshop, content: bytes, code: str, wording: Wording) -> None:
    shop.write("demo/art/a.png", content)
    result = shop.render(image())
    (finding,) = result.findings
    assert finding.code == code
    wording(finding)
    assert result.pictures == []
    if b"svg" in content:  # said in the drawing's own file
        assert finding.location is not None
        assert (finding.location.file, finding.location.line) == ("templates/demo/art/a.png", 1)


@for_each("content", [kind(8600, 8600, 1, 0, 0), kind(8600, 8600, 1, 0, 0, TEXT), kind(300, 300, 8, 6, 1)])
def test_large_plain_pictures_and_small_ones_of_any_kind_pass(shop: Workshop, content: bytes) -> None:
    shop.write("demo/art/a.png", content)
    assert not [code for code in shop.render(image()).codes if code != "image/resolution"]


def test_bytes_that_fill_up_a_jpeg_are_read_past(shop: Workshop) -> None:
    whole = jpeg(300, 300)
    shop.write("demo/art/a.png", whole[:2] + b"\xff\xff" + whole[2:])
    assert "image/format" not in shop.render(image()).codes


def test_an_image_has_a_size(shop: Workshop, wording: Wording) -> None:
    shop.write("demo/art/a.png", png(300, 300))
    (finding,) = shop.render('<image href="art/a.png" x="9" y="9" width="9"/>').findings
    assert finding.code == "image/size"
    wording(finding)
    assert "art/a.png" in finding.message


@for_each("form", ["PNG", "JPEG", "WEBP", "TIFF", "GIF", "AVIF", "BMP"])
def test_a_file_that_was_cut_off_is_an_error(shop: Workshop, form: str) -> None:
    whole = saved(form, noise())
    shop.write("demo/art/a.png", whole)
    assert shop.render(image()).codes == []
    shop.write("demo/art/b.png", whole[: len(whole) * 2 // 3])
    result = shop.render(image(href="art/b.png"))
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("image/format", Severity.ERROR)
    assert "the image 'art/b.png' is damaged" in finding.message
    assert result.pictures == []


@for_each("form", ["PNG", "JPEG", "WEBP", "TIFF", "AVIF"])
def test_a_picture_that_is_turned_has_its_pixels_counted_as_it_is_shown(shop: Workshop, form: str) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    shop.write("demo/art/a.png", saved(form, noise().resize((300, 150)), exif=exif))
    (finding,) = shop.render(image(25.4, 25.4, 'preserveAspectRatio="none"')).findings
    assert "(150×300 pixels)" in finding.message


def webp_of(width: int, height: int) -> bytes:
    """Return the start of a WebP whose header states this size."""
    data = saved("WEBP", PIL.Image.new("RGB", (9, 9)), lossless=True)
    kind = int.from_bytes(data[21:25], "little") >> 28
    size = width - 1 | height - 1 << 14 | kind << 28
    return data[:21] + size.to_bytes(4, "little") + data[25:]


@for_each(
    ("content", "code"),
    [
        (lambda: animated("WEBP"), "image/format"),
        (lambda: animated("TIFF"), "image/format"),
        (lambda: animated("GIF"), "image/format"),
        (lambda: saved("TIFF", PIL.Image.new("LAB", (300, 300))), "image/format"),
        (lambda: saved("TIFF", PIL.Image.new("CMYK", (300, 300))), "image/cmyk"),
        (lambda: webp_of(7000, 7000), "image/pixels"),
        (lambda: animated("AVIF"), "image/format"),
        (lambda: saved("BMP", PIL.Image.new("1", (7000, 7000))), "image/pixels"),
        (lambda: saved("WEBP", PIL.Image.new("RGB", (9, 9)))[:22], "image/format"),
        (lambda: b"II*\0" + bytes(30), "image/format"),
    ],
)
def test_other_formats_are_bounded(
    shop: Workshop, content: Callable[[], bytes], code: str, wording: Wording
) -> None:
    shop.write("demo/art/a.png", content())
    (finding,) = shop.render(image()).findings
    assert finding.code == code
    wording(finding)


def test_a_profile_that_does_not_fit_is_said_to_be_ignored(shop: Workshop, wording: Wording) -> None:
    shop.write("demo/art/a.png", saved("JPEG", noise(), icc_profile=b"no profile" * 20))
    result = shop.render(image())
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("image/profile", Severity.WARNING)
    wording(finding, "art/a.png")
    assert len(result.pictures) == 1


def test_many_pixels_with_a_profile_are_too_many(shop: Workshop, wording: Wording) -> None:
    large = PIL.Image.new("RGB", (7000, 7000))
    shop.write("demo/art/a.jpg", saved("JPEG", large, icc_profile=swapped()))
    shop.write("demo/art/b.jpg", saved("JPEG", large))
    (finding,) = shop.render(image(href="art/a.jpg") + image(href="art/b.jpg")).findings
    assert finding.code == "image/pixels"
    wording(finding)


@for_each(
    ("body", "pixels"),
    [
        (image(50.8, 12.7), "//150x150"),  # the box is wider than the image
        (image(25.4, 25.4), "//300x300"),
        (image(36, 36), None),  # not markedly more
        (f'<g transform="scale(.5)">{image(50.8, 50.8)}</g>', "//300x300"),
        (image(25.4, 50.8, 'preserveAspectRatio="xMidYMid slice"'), None),
        (image(25.4, 25.4, 'style="image-rendering: pixelated"'), None),
        (f'<svg width="9" height="9" viewBox="0 0 1 1">{image()}</svg>', None),
        (f"<g>{image(extra=NAMED)}{AGAIN}</g>", None),
    ],
)
def test_finer_images_are_brought_down_where_that_is_asked_for(
    shop: Workshop, body: str, pixels: str | None
) -> None:
    shop.write("demo/art/a.png", saved("PNG", noise().resize((600, 600))))
    (plain,) = shop.render(body).pictures
    (brought,) = shop.render(body, image_dpi=300).pictures
    if pixels is None:
        assert brought == plain
    else:
        assert f'{pixels}"' in brought.svg
        assert brought.key != plain.key
    assert "//" not in plain.svg.replace("http://", "")


def test_drawings_that_show_one_another_end(shop: Workshop) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        shop.write(f"demo/art/{name}.svg", f'{SVG}<image href="{other}.svg" width="9" height="9"/></svg>')
    result = shop.render(image(href="art/a.svg") + image(href="art/b.svg"))
    assert {finding.code for finding in result.findings} == {"image/svg"}
    assert result.pictures == []


def test_a_packed_drawing_is_shown_as_the_same_that_is_not(shop: Workshop) -> None:
    drawing = f'{SVG}<path d="M1 1h7v7z" fill="#c03"/></svg>'.encode()
    shop.write("demo/art/a.svg", drawing)
    shop.write("demo/art/b.svgz", gzip.compress(drawing, mtime=0))
    plain, packed = (shop.render(image(href=f"art/{name}")) for name in ("a.svg", "b.svgz"))
    assert plain.codes == packed.codes == []
    assert len(packed.pictures) == len(plain.pictures) == 1
    assert "M1 1h7v7z" in str(packed.pictures[0])


def test_what_is_wrong_in_a_packed_drawing_is_said_at_its_own_line(shop: Workshop) -> None:
    shop.write("demo/art/a.svgz", gzip.compress(f"{SVG}\n\n<foreignObject/></svg>".encode()))
    (finding,) = shop.render(image(href="art/a.svgz")).findings
    assert str(finding.location) == "templates/demo/art/a.svgz:3"


@for_each(
    ("packed", "code"),
    [
        (lambda: b"\x1f\x8b", "image/format"),
        (lambda: b"\x1f\x8bnothing of the kind", "image/format"),
        (lambda: gzip.compress(SVG.encode() * 99)[:-12], "image/format"),
        (lambda: gzip.compress(bytes(65 * 1024 * 1024), 1), "file/size"),
        (lambda: gzip.compress(png(300, 300)), "image/format"),
        (lambda: gzip.compress(gzip.compress(SVG.encode())), "image/format"),
        (lambda: gzip.compress(b"words", mtime=0), "image/format"),
    ],
)
def test_packed_files_that_can_not_be_shown(
    shop: Workshop, packed: Callable[[], bytes], code: str, wording: Wording
) -> None:
    shop.write("demo/art/a.svgz", packed())
    result = shop.render(image(href="art/a.svgz"))
    (finding,) = result.findings
    assert finding.code == code
    wording(finding, "art/a.svgz")
    assert result.pictures == []
