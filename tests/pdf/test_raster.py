"""Sides as pixels: exact sizes, corners, transparency, and files that don't change."""

from __future__ import annotations

from io import BytesIO

import pypdfium2
import pytest
from PIL import Image

from cardgen.core.artwork import Artwork, Picture
from cardgen.core.findings import CardgenError
from cardgen.core.geometry import Size
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import Pixels, RasterOptions, encode_jpeg, encode_png, rasterise
from tests.for_each import for_each
from tests.wording import Wording

from .samples import artwork, drawn, picture

POKER = Size(69.85, 95.25)
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="69.85mm" height="95.25mm" viewBox="0 0 69.85 95.25">'
)


def card(content: str = '<rect width="69.85" height="95.25" fill="red"/>') -> Artwork:
    return artwork(Picture(content, f"{FRAME}{content}</svg>"), size=POKER, bleed=3.175)


def one(options: RasterOptions, content: str | None = None) -> Image.Image:
    side = card() if content is None else card(content)
    return next(iter(rasterise(drawn(side), ["side"], options)))[1]


@for_each(
    ("area", "dpi", "expected"),
    [
        ("trim", 300, (750, 1050)),
        ("bleed", 300, (825, 1125)),
        ("trim", 72, (180, 252)),
        ("trim", 96, (240, 336)),
    ],
)
def test_the_size_is_exact(area: str, dpi: float, expected: tuple[int, int]) -> None:
    image = one(RasterOptions(dpi, area))  # type: ignore[arg-type]
    assert image.size == expected
    assert image.mode == "RGB"
    assert image.getcolors() == [(expected[0] * expected[1], (255, 0, 0))]


def test_the_trim_is_cut_where_it_lies() -> None:
    inside = '<rect x="3.175" y="3.175" width="63.5" height="88.9" fill="blue"/>'
    image = one(RasterOptions(300), inside)
    assert image.getcolors() == [(750 * 1050, (0, 0, 255))]


def test_rounded_corners() -> None:
    image = one(RasterOptions(254, corner_radius=5))
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.getpixel((13, 13)) == (255, 255, 255)  # 5 mm · (1 − √½) = 1.46 mm
    assert image.getpixel((16, 16)) == (255, 0, 0)
    assert image.getpixel((50, 0)) == (255, 0, 0)
    clear = one(RasterOptions(254, corner_radius=5, transparent=True))
    assert clear.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert clear.getpixel((300, 300)) == (255, 0, 0, 255)


def test_round_tokens() -> None:
    image = one(RasterOptions(100, shape="ellipse"))
    width, height = image.size
    assert image.getpixel((width // 2, 0)) == (255, 0, 0)
    assert image.getpixel((width // 8, height // 8)) == (255, 255, 255)


def test_see_through_art() -> None:
    image = one(
        RasterOptions(100, transparent=True), '<rect width="69.85" height="40" fill="red" opacity=".5"/>'
    )
    assert image.mode == "RGBA"
    red, _, _, alpha = image.getpixel((100, 50))  # type: ignore[misc]
    assert (red, alpha) == (255, pytest.approx(128, abs=1))
    assert image.getpixel((100, 300))[3] == 0  # type: ignore[index]


def test_sides_come_in_the_order_asked_for() -> None:
    art = drawn(
        *(artwork(picture(f'<rect width="40" height="40" fill="{c}"/>'), key=c) for c in ("red", "blue"))
    )
    found = list(rasterise(art, ["blue", "red", "blue"], RasterOptions(30)))
    assert [(key, image.getpixel((9, 9))) for key, image in found] == [
        ("blue", (0, 0, 255)),
        ("red", (255, 0, 0)),
        ("blue", (0, 0, 255)),
    ]


def test_files_are_the_same_every_time_and_say_their_resolution() -> None:
    image = one(RasterOptions(150))
    data = encode_png(image, 150)
    assert data == encode_png(one(RasterOptions(150)), 150)
    with Image.open(BytesIO(data)) as again:
        assert again.info["dpi"] == pytest.approx((150, 150), abs=0.02)  # whole pixels a metre
        assert again.tobytes() == image.tobytes()


def test_a_jpeg_shows_white_where_nothing_is() -> None:
    image = Image.new("RGBA", (16, 16), (255, 0, 0, 0))
    with Image.open(BytesIO(encode_jpeg(image, dpi=300))) as again:
        assert again.info["dpi"] == (300, 300)
        assert again.getpixel((8, 8)) == (255, 255, 255)


def test_a_picture_has_no_more_pixels_than_memory_holds(wording: Wording) -> None:
    side = artwork(size=Size(2000, 2000))
    with pytest.raises(CardgenError) as caught:
        list(rasterise(drawn(side), ["side"], RasterOptions(300)))
    wording(caught.value)
    (small,) = rasterise(drawn(side), ["side"], RasterOptions(20))
    assert small[1].size == (1575, 1575)


def test_a_page_is_painted_into_its_rectangle_only() -> None:
    red = card('<rect width="69.85" height="95.25" fill="#c03020"/>')
    pdf = pypdfium2.PdfDocument(write_views(drawn(red), [View("side", red.trim)]))
    pixels = Pixels((50, 60), "#102030")
    pixels.paint(pdf[0], (10, 15), (30, 40))
    image = pixels.image()
    assert image.crop((10, 15, 40, 55)).getcolors() == [(1200, (0xC0, 0x30, 0x20))]
    assert image.tobytes().count(bytes((0x10, 0x20, 0x30))) == 50 * 60 - 1200
    with pytest.raises(ValueError, match="not within"):
        pixels.paint(pdf[0], (21, 0), (30, 40))
