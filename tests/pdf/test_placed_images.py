"""Images within plain pictures lie where cairo puts them, and each file is read once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.pdf import drawing as draw
from cardgen.pdf import images
from cardgen.pdf.plain import plain_form
from cardgen.pdf.shapes import Drawable
from cardgen.pdf.store import ArtStore
from tests.for_each import for_each

from .samples import UNPLAIN, artwork, at, close, drawn, pdf, picture, pixels
from .test_plain import DEFINED, apart

BOXES = (
    'x="6" y="8" width="22" height="14"',
    'x="6" y="8" width="14" height="22" preserveAspectRatio="xMidYMid slice"',
    'x="6" y="8" width="22" height="14" preserveAspectRatio="xMaxYMin slice"',
    'x="6" y="8" width="22" height="14" preserveAspectRatio="none"',
    'x="6" y="8" width="14" height="22" preserveAspectRatio="xMinYMax meet"',
)
AROUND = (
    "{}",
    '<g transform="rotate(20 20 20)">{}</g>',
    '<g transform="translate(4 9) scale(-.8 .5) skewX(12) translate(-30)">{}</g>',
    '<g opacity=".5"><rect width="20" height="40" fill="#226"/>{}</g>',
    '<g mix-blend-mode="multiply"><rect x="9" width="9" height="40" fill="#ff0"/>{}</g>',
    '<g clip-path="url(#clip)">{}</g>',
    '<defs><g id="shown">{}</g></defs><use href="#shown" x="3" y="2"/>',
)
PAINTS = ("", 'opacity=".4"', 'transform="rotate(-9)" mix-blend-mode="screen"', 'clip-path="url(#clip)"')


def photograph(folder: Path, name: str = "a.jpg", orientation: int = 1) -> Path:
    """24 × 18 pixels, no two quarters alike."""
    image = Image.new("RGB", (24, 18), "#222")
    for place, color in (((12, 0), "#e33"), ((0, 9), "#3c3"), ((12, 9), "#44f")):
        image.paste(color, (*place, place[0] + 12, place[1] + 9))
    exif = Image.Exif()
    exif[0x0112] = orientation
    image.save(folder / name, exif=exif, quality=95, subsampling=0)
    return folder / name


def by_cairo(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(draw, "plain_form", lambda *_: None)


def shown(path: Path, attributes: str, around: str = "{}") -> Any:
    image = f'<image href="{path}" image-rendering="pixelated" {attributes}/>'
    ground = '<rect width="40" height="40" fill="#eda"/>'
    return picture(DEFINED + ground + around.format(image), images=[(str(path), "d")])


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("paint", PAINTS)
def test_looks_as_cairo_draws_it(
    around: str, paint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = photograph(tmp_path)
    for box in BOXES:
        item = shown(path, f"{box} {paint}", around)
        assert plain_form(Drawable("key", item.svg, item.images)) is not None
        mine = pixels(item)
        with monkeypatch.context() as within:
            by_cairo(within)
            assert apart(mine, pixels(item)) < 0.001


@pytest.mark.parametrize("orientation", range(1, 9))
def test_is_turned_as_cairo_turns_it(
    orientation: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = shown(photograph(tmp_path, orientation=orientation), BOXES[1], AROUND[1])
    mine = pixels(item)
    by_cairo(monkeypatch)
    assert apart(mine, pixels(item)) < 0.001


def test_what_can_be_seen_through_shows_its_ground(tmp_path: Path) -> None:
    Image.new("RGBA", (4, 4), (0, 0, 255, 128)).save(tmp_path / "a.png")
    seen = pixels(shown(tmp_path / "a.png", 'width="40" height="40"'))
    assert close(at(seen, 20, 20), (0xEE * 127 // 255, 0xDD * 127 // 255, (0xAA * 127 + 255 * 128) // 255))


def test_a_file_is_read_once_for_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = photograph(tmp_path)
    read: list[str] = []
    real = images.read_file

    def noting(file: Any, *rest: Any) -> bytes:
        read.append(str(file))
        return real(file, *rest)

    monkeypatch.setattr(images, "read_file", noting)
    first, *others = (shown(path, box) for box in BOXES)
    odd = shown(path, BOXES[0], "{}" + UNPLAIN)  # read for it, then again for Typst
    sides = [artwork(item, key=str(number)) for number, item in enumerate((odd, first, *others))]
    store = ArtStore.memory()
    content = pdf(drawn(*sides, store=store))
    assert content.count(b"/DCTDecode") == 1
    assert len(read) == 3
    for side in sides:
        alone = pdf(drawn(side))
        assert pdf(drawn(side, store=store)) == alone


@for_each("attributes", ["", 'width="9"', 'width="9" height="0"', 'width="9%" height="9"'])
def test_an_image_without_a_size_of_its_own_is_left_to_others(attributes: str, tmp_path: Path) -> None:
    item = shown(photograph(tmp_path), attributes)
    assert plain_form(Drawable("key", item.svg, item.images)) is None
