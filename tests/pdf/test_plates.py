"""The plates of a press as pixels: the inks that another program finds in the PDF that is printed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest
from PIL import Image

import cardgen
from cardgen.pdf.color_vision import difference
from cardgen.pdf.ink_conversion import Conversion, in_inks
from cardgen.pdf.ink_operators import InkPalette
from cardgen.pdf.inks import lab_of, load_profile
from cardgen.pdf.pdfx import Press
from tests.for_each import for_each
from tests.pdf.conftest import everything
from tests.wording import Wording

__all__ = ["everything"]
Run = Callable[..., tuple[int, str, str]]
DPI = 100
VIVID = b"0 1 0 rg 300 60 200 60 re f 0 1 1 rg 300 120 200 60 re f 1 0.2 0.9 rg 300 180 200 60 re f"
"""Grounds that no press prints as a screen shows them."""
GHOSTSCRIPT = f"gs -q -dSAFER -dBATCH -dNOPAUSE -r{DPI} -dGraphicsAlphaBits=4 -dTextAlphaBits=4".split()
PRINTED = "-dRenderIntent=1 -dBlackPtComp=1 -sDEVICE=png16m".split()


@pytest.fixture(scope="module")
def press() -> Press:
    return Press(load_profile("coated"), 240)


@pytest.fixture(scope="module")
def pages(press: Press, everything: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    """A sheet with pictures, gradients, masks and see-through shapes: in RGB, and in inks."""
    project = cardgen.Project.open(everything)
    folder = tmp_path_factory.mktemp("plates")
    order = cardgen.BuildOptions("all", sheets=("poker",), output=folder)
    with pikepdf.open(cardgen.build(order, project=project).files[0].path) as pdf:
        for page in pdf.pages:
            page.contents_add(VIVID)
        changed = BytesIO()
        pdf.save(changed)
    screen = changed.getvalue()
    path = folder / "inks.pdf"
    with path.open("wb") as out:
        press.write(lambda buffer: buffer.write(screen), out)
    return screen, path


@pytest.fixture(scope="module")
def inks(press: Press, pages: tuple[bytes, Path]) -> list[Image.Image]:
    """The inks of its pages."""
    both = [list(_pixels(document)) for document in press.plates(pages[0])]
    return [in_inks(*page) for page in zip(*both)]


def _pixels(document: bytes) -> Iterator[Image.Image]:
    with pypdfium2.PdfDocument(document) as pdf:
        for page in pdf:
            yield page.render(scale=DPI / 72).to_pil().convert("RGB")


def _ghostscript(path: Path, device: list[str], ending: str) -> list[Image.Image]:
    if shutil.which("gs") is None:
        pytest.skip("Ghostscript is not installed")
    stem = device[-1].partition("=")[2]
    out = path.with_name(f"{stem}-%d.{ending}")
    subprocess.run([*GHOSTSCRIPT, *device, f"-sOutputFile={out}", str(path)], check=True)
    found = sorted(path.parent.glob(f"{stem}-*.{ending}"), key=lambda page: (len(page.name), page.name))
    return [Image.open(BytesIO(page.read_bytes())) for page in found]


def _apart(one: Image.Image, other: Image.Image) -> npt.NDArray[np.float64]:
    """ΔE2000 of pictures in squares of 6 pixels, which programs smooth alike within."""
    small = (one.width // 6, one.height // 6)
    box = (0, 0, small[0] * 6, small[1] * 6)
    return difference(
        *(lab_of(each.crop(box).resize(small, Image.Resampling.BOX)) for each in (one, other))
    )


def test_the_inks_are_those_that_ghostscript_finds(
    press: Press, pages: tuple[bytes, Path], inks: list[Image.Image]
) -> None:
    found = _ghostscript(pages[1], ["-sDEVICE=tiff32nc"], "tif")
    assert len(found) == len(inks) > 1
    for mine, theirs in zip(inks, found):
        apart = _apart(press.inks.on_screen(mine), press.inks.on_screen(theirs))
        assert apart.mean() < 0.5
        assert np.percentile(apart, 99) < 5
        flat = np.asarray(mine)[140:144, 140:144], np.asarray(theirs)[140:144, 140:144]
        assert np.array_equal(*flat)
        assert flat[0].any()


def test_a_proof_is_what_ghostscript_shows_by_the_same_profile(
    press: Press, pages: tuple[bytes, Path], inks: list[Image.Image], tmp_path: Path
) -> None:
    """Through its own colour management, from the file that is printed."""
    profile = pages[1].with_name("press.icc")
    profile.write_bytes(press.profile.content)
    device = ["-dUsePDFX3Profile", f"-sDefaultCMYKProfile={profile}", *PRINTED]
    found = _ghostscript(pages[1], device, "png")
    for mine, theirs, screen in zip(inks, found, _pixels(pages[0])):
        apart = _apart(press.inks.on_screen(mine), theirs)
        assert apart.mean() < 0.8 < 1 < _apart(screen, theirs).mean()
        assert np.percentile(apart, 99) < 5


@for_each(
    ("bits", "black_images", "inks"),
    [(8, True, (0, 0, 0, 155)), (1, False, (0, 0, 0, 255)), (8, False, (96, 77, 75, 140))],
)
def test_gray_pictures_are_on_all_plates_unless_asked(
    bits: int, black_images: bool, inks: tuple[int, ...]
) -> None:
    """But one-bit pictures, which are line art; the file itself agrees."""
    press = Press(load_profile("coated"), 300, black_images=black_images)
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(36, 36))
    pixels = pdf.make_stream(bytes([100 if bits == 8 else 0] * 16))
    for key, value in {"Width": 4, "Height": 4, "BitsPerComponent": bits}.items():
        pixels[f"/{key}"] = value
    pixels.Type, pixels.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    pixels.ColorSpace = pikepdf.Name.DeviceGray
    page = pdf.pages[0]
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(x=pixels))
    page.obj.Contents = pdf.make_stream(b"36 0 0 36 0 0 cm /x Do")
    out = BytesIO()
    pdf.save(out)
    (colors,), (black,) = (list(_pixels(document)) for document in press.plates(out.getvalue()))
    assert in_inks(colors, black).getpixel((9, 9)) == inks
    for_inks = Conversion(pdf, InkPalette(press.inks, black_images=black_images))
    for_inks.run()
    image = pdf.pages[0].obj.Resources.XObject.x
    assert str(image.ColorSpace) == ("/DeviceCMYK" if any(inks[:3]) else "/DeviceGray")
    if any(inks[:3]):
        assert pikepdf.PdfImage(image).as_pil_image().getpixel((0, 0)) == inks


def test_paper_is_white_or_as_it_is(press: Press) -> None:
    paper = Image.new("CMYK", (1, 1), (0, 0, 0, 0))
    assert press.inks.on_screen(paper).getpixel((0, 0)) == (255, 255, 255)
    assert 225 < np.asarray(press.inks.on_screen(paper, paper=True)).min() < 250
    black = Image.new("CMYK", (1, 1), (153, 102, 102, 255))
    shown = [np.asarray(press.inks.on_screen(black, paper=each)).max() for each in (False, True)]
    assert shown[0] < shown[1]


def test_proofs_for_a_press_lie_beside_the_others(run: Run, demo: Path) -> None:
    id = "gardener"
    code, out, err = run("proof", "demo", id, "--dpi", "60")
    assert code == 0, err
    code, out, err = run("proof", "demo", id, "--dpi", "60", "--inks", "cmyk")
    assert code == 0, err
    folder = demo / "output/demo/proof"
    assert [Path(line).name for line in out.split()] == [
        f"{id}-{side}.cmyk.png" for side in ("face", "back")
    ]
    screen, printed = (Image.open(folder / f"{id}-face{end}.png") for end in ("", ".cmyk"))
    assert screen.size == printed.size
    assert screen.mode == printed.mode == "RGBA"
    assert screen.getpixel((0, 0))[3] == printed.getpixel((0, 0))[3]  # type: ignore[index]
    run("proof", "demo", id, "--dpi", "60", "--inks", "cmyk", "--paper-white")
    assert Image.open(folder / f"{id}-face.cmyk.png").getextrema()[0][1] < 250  # type: ignore[index]


@pytest.mark.parametrize(
    "words",
    [
        ("--paper-white",),
        ("--inks", "cmyk", "--profile", "glossy"),
    ],
)
def test_what_cannot_be_asked_for(run: Run, demo: Path, words: tuple[str, ...], wording: Wording) -> None:
    code, _, err = run("proof", "demo", "gardener", *words)
    assert code == 2
    wording(err)
