"""Raster files in pictures: bytes kept, alpha right, orientation obeyed, nothing else opened."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageCms, ImageOps

from cardgen.pdf.objects import DrawingError
from tests.for_each import for_each
from tests.svg.samples import HEIC, inks, noise, saved, swapped

from .samples import artwork, at, close, drawn, pdf, picture, pixels

OPEN: list[pikepdf.Pdf] = []
"""Streams live as long as their document."""


def quadrants(mode: str = "RGB") -> Image.Image:
    """Red, green; blue, white. 16 × 16 pixels."""
    image = Image.new("RGB", (16, 16))
    for place, color in (((0, 0), "red"), ((8, 0), "lime"), ((0, 8), "blue"), ((8, 8), "white")):
        image.paste(color, (*place, place[0] + 8, place[1] + 8))
    return image.convert(mode)


def show(path: Path, attributes: str = "", digest: str = "d") -> object:
    content = f'<image href="{path}" width="40" height="40" image-rendering="pixelated" {attributes}/>'
    return picture(content, images=[(str(path), digest)])


def images_of(data: bytes) -> list[pikepdf.Stream]:
    document = pikepdf.open(BytesIO(data))
    OPEN.append(document)
    return [
        obj
        for obj in document.objects
        if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Image"
    ]


def test_jpeg_bytes_reach_the_pdf_untouched_and_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    quadrants().save(path, quality=90)
    pair = [
        picture(f'<image href="{path}" width="{w}" height="9"/>', images=[(str(path), "d")])
        for w in (9, 20)
    ]
    (image,) = images_of(pdf(drawn(artwork(*pair))))
    assert image.read_raw_bytes() == path.read_bytes()
    assert image.Filter == "/DCTDecode"


def test_png_pixels_reach_the_pdf_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    quadrants().save(path)
    (image,) = images_of(pdf(drawn(artwork(show(path)))))
    assert image.read_raw_bytes() in path.read_bytes()
    assert image.DecodeParms.Predictor == 15


@for_each(
    ("kind", "mode"),
    [(kind, mode) for kind in ("png", "webp", "tiff") for mode in ("RGB", "P", "RGBA", "1", "L")]
    + [("jpg", "RGB"), ("jpg", "L")],
)
def test_modes_and_formats(tmp_path: Path, mode: str, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    options = (
        {"lossless": True} if kind == "webp" else {"quality": 95, "subsampling": 0} if kind == "jpg" else {}
    )
    quadrants(mode).save(path, **options)
    with Image.open(path) as file:
        expected = file.convert("RGB")
    image = pixels(show(path))
    for x, y in ((11, 11), (31, 11), (11, 31), (31, 31)):
        found, wanted = at(image, x, y), expected.getpixel((int(x * 0.4), int(y * 0.4)))
        assert isinstance(wanted, tuple)
        assert close(found, wanted, 4), (x, y, found, wanted)


def test_alpha(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGBA", (4, 4), (255, 0, 0, 128)).save(path)
    ground = picture('<rect width="40" height="40" fill="#00f"/>')
    image = pixels(ground, show(path))
    assert close(at(image, 20, 20), (128, 0, 127))


def test_palette_transparency(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    image = Image.new("P", (2, 2), 0)
    image.putpalette([255, 0, 0, 0, 255, 0])
    image.save(path, transparency=0)
    assert at(pixels(show(path)), 20, 20) == (255, 255, 255)


def test_sixteen_bits(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("I;16", (2, 2), 32768).save(path)
    assert close(at(pixels(show(path)), 20, 20), (128, 128, 128))


def sixteen(colours: int, key: tuple[int, ...], other: int) -> bytes:
    """A PNG of 16 bits, 16 × 16 pixels: the upper half is of the colour that it says is see-through."""

    def chunk(name: bytes, content: bytes) -> bytes:
        ends = struct.pack(">I", len(content)), struct.pack(">I", zlib.crc32(name + content))
        return ends[0] + name + content + ends[1]

    see_through = struct.pack(f">{len(key)}H", *key)
    rows = [see_through * 16] * 8 + [struct.pack(f">{len(key)}H", *[other] * len(key)) * 16] * 8
    head = struct.pack(">IIBBBBB", 16, 16, 16, colours, 0, 0, 0)
    content = zlib.compress(b"".join(b"\0" + row for row in rows))
    parts = chunk(b"IHDR", head) + chunk(b"tRNS", see_through) + chunk(b"IDAT", content)
    return b"\x89PNG\r\n\x1a\n" + parts + chunk(b"IEND", b"")


@for_each(("colours", "key"), [(0, (0x1234,)), (2, (0x1234, 0x5678, 0x9ABC))])
def test_a_colour_of_sixteen_bits_is_see_through(
    tmp_path: Path, colours: int, key: tuple[int, ...]
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(sixteen(colours, key, 0x8000))
    image = pixels(show(path))
    assert at(image, 20, 5) == (255, 255, 255)
    assert close(at(image, 20, 35), (128, 128, 128))


@for_each("mode", ["RGB", "L"])
def test_a_see_through_colour_does_not_run_into_others(tmp_path: Path, mode: str) -> None:
    """Where a picture is brought down: what is seen is as bright as all of it."""
    path = tmp_path / "a.png"
    image = Image.new(mode, (30, 30), "black")
    image.paste("red" if mode == "RGB" else 200, (0, 11, 30, 30))
    image.save(path, transparency=(0, 0, 0) if mode == "RGB" else 0)
    content = f'<image href="{path}//10x10" width="40" height="40"/>'
    colours, mask = images_of(pdf(drawn(artwork(picture(content, images=[(str(path), "d")])))))
    if colours.ColorSpace == "/DeviceGray":
        colours, mask = mask, colours
    shown = zip(*[iter(colours.read_bytes())] * 3)
    seen = {pixel for pixel, share in zip(shown, mask.read_bytes(), strict=True) if share > 60}
    wanted = (255, 0, 0) if mode == "RGB" else (200, 200, 200)
    assert all(close(pixel, wanted, 15) for pixel in seen), seen


def test_adobe_cmyk_is_not_inverted(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    Image.new("CMYK", (16, 16), (0, 0, 0, 0)).save(path)  # white paper
    assert close(at(pixels(show(path)), 20, 20), (255, 255, 255))


@for_each("orientation", range(1, 9))
def test_cameras_orientation(tmp_path: Path, orientation: int) -> None:
    path = tmp_path / "a.jpg"
    exif = Image.Exif()
    exif[0x0112] = orientation
    quadrants().resize((32, 16)).save(path, exif=exif, quality=95, subsampling=0)
    with Image.open(path) as file:
        upright = ImageOps.exif_transpose(file).convert("RGB").resize((400, 400))
    image = pixels(show(path, 'preserveAspectRatio="none"'))
    for place in ((10, 10), (30, 10), (10, 30), (30, 30)):
        assert close(at(image, *place), at(upright, *place), 8), place


@for_each("form", ["PNG", "WEBP", "TIFF", "AVIF"])
def test_other_formats_are_turned_as_well(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a"
    exif = Image.Exif()
    exif[0x0112] = 6
    path.write_bytes(saved(form, quadrants(), exif=exif))
    image = pixels(show(path))
    wanted = {(10, 10): (0, 0, 255), (30, 10): (255, 0, 0), (10, 30): (255, 255, 255)}
    for place, color in wanted.items():
        assert close(at(image, *place), color, 4 if form == "AVIF" else 0), place


def test_a_heic_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.heic"
    path.write_bytes(HEIC)
    image = pixels(show(path))
    assert close(at(image, 10, 20), (200, 30, 30), 12)
    assert close(at(image, 30, 20), (20, 60, 200), 12)


@for_each("mode", ["P", "RGB"])
@for_each("around", ["{}", '<g opacity="0.999" style="mix-blend-mode:normal">{}</g>'])
def test_a_gif_is_shown_and_what_it_leaves_open_is_not_painted(
    tmp_path: Path, mode: str, around: str
) -> None:
    path = tmp_path / "a.gif"
    image = quadrants().quantize(4)
    white = min(range(4), key=lambda index: -sum(image.getpalette()[3 * index : 3 * index + 3]))
    more = {"transparency": white} if mode == "P" else {}
    path.write_bytes(saved("GIF", image, **more))
    shown = f'<image href="{path}" width="40" height="40" image-rendering="pixelated"/>'
    ground = '<rect width="40" height="40" fill="#ffff00"/>'
    found = pixels(picture(ground + around.format(shown), images=[(str(path), "d")]))
    last = (255, 255, 0) if mode == "P" else (255, 255, 255)
    wanted = {(10, 10): (255, 0, 0), (30, 10): (0, 255, 0), (10, 30): (0, 0, 255), (30, 30): last}
    for place, colour in wanted.items():
        assert close(at(found, *place), colour), place


@for_each("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_a_profile_is_obeyed(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(saved(form, Image.new("RGB", (16, 16), (0, 200, 0)), icc_profile=swapped()))
    found = drawn(artwork(show(path)))
    assert close(at(pixels(show(path)), 20, 20), (200, 0, 0), 4)
    (image,) = images_of(pdf(found))
    assert (image.ColorSpace, image.Filter) == ("/DeviceRGB", "/FlateDecode")


def test_a_jpeg_in_srgb_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    path.write_bytes(saved("JPEG", quadrants(), icc_profile=profile))
    (image,) = images_of(pdf(drawn(artwork(show(path)))))
    assert image.read_raw_bytes() == path.read_bytes()


def test_a_profile_that_is_none_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(saved("JPEG", quadrants(), icc_profile=b"none" * 50))
    (image,) = images_of(pdf(drawn(artwork(show(path)))))
    assert image.read_raw_bytes() == path.read_bytes()


def test_inks_with_a_profile_become_light(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(saved("JPEG", Image.new("CMYK", (16, 16)), icc_profile=inks()))
    (image,) = images_of(pdf(drawn(artwork(show(path)))))
    assert image.ColorSpace == "/DeviceRGB"
    assert at(pixels(show(path)), 20, 20) == (255, 255, 255)


@for_each("form", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "AVIF", "BMP"])
@for_each("mode", ["RGB", "L"])
def test_what_is_cut_off_is_an_error(tmp_path: Path, form: str, mode: str) -> None:
    path = tmp_path / "a"
    whole = saved(form, noise().convert(mode))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(show(path)))
    assert "is damaged" in caught.value.findings[0].message


@for_each(
    ("form", "mode", "filter_", "channels"),
    [
        ("JPEG", "RGB", "/DCTDecode", 3),
        ("JPEG", "L", "/DCTDecode", 1),
        ("PNG", "RGB", "/FlateDecode", 3),
        ("PNG", "1", "/FlateDecode", 1),
        ("PNG", "P", "/FlateDecode", 3),
        ("PNG", "RGBA", "/FlateDecode", 3),
        ("WEBP", "RGB", "/FlateDecode", 3),
        ("BMP", "RGB", "/FlateDecode", 3),
    ],
)
def test_pixels_are_brought_down_to_those_wanted(
    tmp_path: Path, form: str, mode: str, filter_: str, channels: int
) -> None:
    path = tmp_path / "a"
    image = quadrants().convert("1", dither=Image.Dither.NONE) if mode == "1" else quadrants(mode)
    path.write_bytes(saved(form, image.resize((160, 160), Image.Resampling.NEAREST)))
    content = f'<image href="{path}//40x40" width="40" height="40"/>'
    small = picture(content, images=[(str(path), "d")])
    found = images_of(pdf(drawn(artwork(small))))
    assert images_of(pdf(drawn(artwork(small))))[0].read_raw_bytes() == found[0].read_raw_bytes()
    assert {(int(image.Width), int(image.Height)) for image in found} == {(40, 40)}
    last = found[-1]
    assert (last.Filter, last.ColorSpace) == (filter_, "/DeviceRGB" if channels == 3 else "/DeviceGray")
    shown = pixels(small)
    with Image.open(path) as file:
        wanted = file.convert("RGB").resize((40, 40))
    for place in ((10, 10), (30, 10), (10, 30), (30, 30)):
        assert close(at(shown, *place), wanted.getpixel(place), 6)  # type: ignore[arg-type]


def test_a_turned_picture_is_brought_down_as_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a"
    exif = Image.Exif()
    exif[0x0112] = 6
    path.write_bytes(saved("JPEG", Image.new("RGB", (160, 80)), exif=exif))
    small = picture(f'<image href="{path}//20x40" width="20" height="40"/>', images=[(str(path), "d")])
    (image,) = images_of(pdf(drawn(artwork(small))))
    assert (image.Width, image.Height) == (40, 20)


def test_opacity_and_slice(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    quadrants().save(path)
    image = pixels(show(path, 'opacity=".5"'))
    assert close(at(image, 10, 10), (255, 127, 127))
    content = (
        f'<image href="{path}" x="10" width="20" height="40" '
        f'preserveAspectRatio="xMidYMid slice" image-rendering="pixelated"/>'
    )
    image = pixels(picture(content, images=[(str(path), "d")]))
    assert [at(image, x, 10) for x in (5, 15, 25, 35)] == [
        (255, 255, 255),
        (255, 0, 0),
        (0, 255, 0),
        (255, 255, 255),
    ]


def test_a_data_url() -> None:
    buffer = BytesIO()
    quadrants().save(buffer, "PNG")
    url = "data:image/png;base64," + b64encode(buffer.getvalue()).decode()
    assert at(pixels(picture(f'<image href="{url}" width="40" height="40"/>')), 10, 10) == (255, 0, 0)


@for_each("content", [b"", b"not an image", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_broken_files_are_errors(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(show(path)))
    assert caught.value.findings[0].code == "picture/image"


def test_a_cut_off_png_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    quadrants().resize((64, 64), Image.Resampling.BICUBIC).save(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(show(path)))
    assert caught.value.findings[0].code == "picture/image"


@for_each(
    ("kind", "depth", "pixels"),
    [
        (2, 8, b"\0" * 8_000_000),  # unpacks to more than ten by ten pixels
        (2, 8, b"\0" * 30),
        (2, 4, b"\0" * 310),  # no such PNG
        (3, 8, b"\0" * 110),  # colours of a palette that is not there
    ],
)
def test_pngs_that_hold_other_than_they_say_are_errors(
    tmp_path: Path, kind: int, depth: int, pixels: bytes
) -> None:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 10, 10, depth, kind, 0, 0, 0))
    path = tmp_path / "templates" / "demo" / "a.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    )
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(show(path)))
    (finding,) = caught.value.findings
    assert (finding.code, str(finding.location)) == ("picture/image", "templates/demo/a.png")


def test_files_that_are_not_on_the_list_are_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    quadrants().save(path)
    for href in (str(path), path.as_uri(), "https://example.org/a.png"):
        with pytest.raises(DrawingError) as caught:
            drawn(artwork(picture(f'<image href="{href}" width="9" height="9"/>')))
        assert caught.value.findings[0].code == "picture/image"
