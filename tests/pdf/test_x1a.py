"""PDF/X-1a:2003 of a game with opacity, gradients, patterns and soft masks: what ISO 15930-4 asks, and that
it looks as PDF/X-4 does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image

import cardgen
from cardgen.pdf import flattening
from cardgen.pdf.flattening import SeeThroughError, flatten
from cardgen.pdf.ink_conversion import Conversion, InkMixer
from cardgen.pdf.ink_operators import InkPalette
from tests.pdf.conftest import everything
from tests.pdf.presses import coated
from tests.pdf.test_conversion import page
from tests.pdf.test_press_written import _spaces, _streams
from tests.pdf_grammar import judge
from tests.pdf_grammar.readers import text_differences

__all__ = ["everything"]


@pytest.fixture(scope="module")
def pair(everything: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The cards as PDF/X-4 and as PDF/X-1a."""
    project = cardgen.Project.open(everything)
    found = []
    for standard in ("x4", "x1a"):
        press = cardgen.PressOptions(ink_limit=240, standard=standard)  # type: ignore[arg-type]
        options = cardgen.BuildOptions(
            "all", sheets=("poker",), output=tmp_path_factory.mktemp(standard), press=press
        )
        found.append(Path(cardgen.build(options, project=project).files[0].path))
    return found[0], found[1]


def test_what_the_standard_asks_for(pair: tuple[Path, Path]) -> None:
    path = pair[1]
    assert path.read_bytes().startswith(b"%PDF-1.4")
    assert judge(path.read_bytes()).faults == ()
    with pikepdf.open(path) as pdf:
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"
        assert pdf.docinfo["/Trapped"] == "/False"
        for key in ("/Title", "/CreationDate", "/ModDate", "/Producer"):
            assert str(pdf.docinfo[key])
        (intent,) = pdf.Root.OutputIntents
        assert (intent.S, intent.DestOutputProfile.N) == ("/GTS_PDFX", 4)
        assert str(intent.OutputConditionIdentifier) == "FOGRA39"
        assert "PDF/X-1a:2003</pdfxid:GTS_PDFXVersion>" in pdf.Root.Metadata.read_bytes().decode()
        for each in pdf.pages:
            assert "/TrimBox" in each.obj
            assert not set(each.obj.keys()) & {"/Annots", "/Group", "/ArtBox"}
        spaces = {str(space) for space in _spaces(pdf)}
        assert spaces <= {"/DeviceCMYK", "/DeviceGray", "/Pattern"}
        for each in _mappings(pdf):
            assert each.get("/Type") not in ("/ObjStm", "/XRef")
            assert each.get("/S") != "/Transparency"
            assert not isinstance(each.get("/SMask"), (pikepdf.Dictionary, pikepdf.Stream))
            assert float(each.get("/ca", 1)) == float(each.get("/CA", 1)) == 1
            assert each.get("/BM", "/Normal") in ("/Normal", "/Compatible")
            if each.get("/Type") == "/FontDescriptor":
                assert {"/FontFile2", "/FontFile3"} & set(each.keys())
            assert each.get("/Subtype") != "/OpenType"  # PDF 1.6


def test_the_cards_of_this_test_have_what_is_to_go(pair: tuple[Path, Path]) -> None:
    with pikepdf.open(pair[0]) as pdf:
        found = list(_mappings(pdf))
        assert any("/SMask" in each for each in found)
        assert any(float(each.get("/ca", 1)) < 1 for each in found if not isinstance(each, pikepdf.Stream))
        assert any(each.get("/S") == "/Transparency" for each in found)


def test_text_stays_text(pair: tuple[Path, Path]) -> None:
    """All of it, the see-through title too, which lies on one colour."""
    assert text_differences(pair[1]) == text_differences(pair[0])
    counts = [
        sum(
            str(each.operator) == "TJ"
            for stream in _streams(pdf)
            for each in pikepdf.parse_content_stream(stream)
        )
        for pdf in map(pikepdf.open, pair)
    ]
    assert counts[0] == counts[1] > 10


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
def test_it_looks_the_same(pair: tuple[Path, Path], tmp_path: Path) -> None:
    found = []
    for number, path in enumerate(pair):
        out = tmp_path / f"{number}.png"
        command = "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=png16m -r60 -dLastPage=1".split()
        subprocess.run([*command, f"-sOutputFile={out}", str(path)], check=True, capture_output=True)
        found.append(np.asarray(Image.open(out).convert("RGB"), np.int16))
    apart = np.abs(found[0] - found[1])
    assert apart.mean() < 1
    assert (apart.max(axis=2) > 48).mean() < 0.005
    assert found[0].std() > 20


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
def test_transparent_parts_get_the_same_inks_by_both_standards(tmp_path: Path) -> None:
    """And those that the documentation states."""
    content = (
        b"q /h gs 0 0.502 0.502 rg 0 0 50 50 re f Q 1 0.8 0 rg 50 0 50 100 re f "
        b"q /h gs 0 0.502 0.502 rg 60 10 20 20 re f 0 g 60 40 20 20 re f 60 70 20 20 re f Q "
        b"q /h gs 0 g BT /f 60 Tf 5 50 Td (M) Tj ET BT /f 20 Tf 60 70 Td (M) Tj ET Q"
    )
    found = []
    for standard in ("x4", "x1a"):
        half = pikepdf.Dictionary(ca=0.5)
        pdf = page(content, ExtGState=pikepdf.Dictionary(h=half), Font=pikepdf.Dictionary(f=_font()))
        palette = InkPalette(coated())
        if standard == "x1a":
            flatten(pdf, mixer=InkMixer(palette))
        Conversion(pdf, palette).run()
        path = tmp_path / f"{standard}.pdf"
        pdf.save(path)
        out = tmp_path / f"{standard}.tif"
        command = "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=tiff32nc -r72".split()
        subprocess.run([*command, f"-sOutputFile={out}", str(path)], check=True)
        found.append(np.asarray(Image.open(out), np.int16))
    assert np.abs(found[0] - found[1]).max(axis=2).mean() < 1.5  # edges of letters
    for x, y in ((25, 75), (70, 80), (70, 50), (75, 22), (17, 30)):
        assert found[1][y, x].tolist() == pytest.approx(found[0][y, x].tolist(), abs=1), (x, y)
    inks = [round(ink / 2.55) for ink in found[1][75, 25]]
    assert inks == [38, 0, 17, 19]
    on_screen = [100 * ink for ink in coated().area((0.5, 0.751, 0.751))]
    assert on_screen == pytest.approx([47, 0, 22, 11.5], abs=0.6)


def test_flattened_parts_keep_the_ink_limit() -> None:
    multiply = pikepdf.Dictionary(BM=pikepdf.Name.Multiply)
    content = b"1 0 0 rg 0 0 100 100 re f q /m gs 0 0 1 rg 10 10 80 80 re f Q"
    pdf = page(content, ExtGState=pikepdf.Dictionary(m=multiply))
    flatten(pdf, mixer=InkMixer(InkPalette(coated(240))))
    (image,) = pdf.pages[0].obj.Resources.XObject.values()
    assert image.ColorSpace == "/DeviceCMYK"
    ink = np.frombuffer(image.read_bytes(), np.uint8).reshape(-1, 4).sum(axis=1, dtype=int)
    assert 2.3 < ink.max() / 255 <= 2.4


# ---------------------------------------------------------------- piece by piece


def flat(content: bytes, **states: pikepdf.Object) -> tuple[bytes, Any]:
    """A page of 100 pt through the flattener: its content and its resources."""
    pdf = page(content, ExtGState=pikepdf.Dictionary(**states), Font=pikepdf.Dictionary(f=_font()))
    flatten(pdf)
    holder = pdf.pages[0].obj
    holder.Kept = pdf.make_indirect(pikepdf.Dictionary())  # keeps the document
    _KEPT.append(pdf)
    return holder.Contents.read_bytes(), holder.Resources


_KEPT: list[pikepdf.Pdf] = []
HALF = pikepdf.Dictionary(ca=0.5)


def _font() -> pikepdf.Dictionary:
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
    )


def test_what_is_opaque_is_left_alone() -> None:
    content = b"1 0 0 rg 0 0 50 50 re f"
    assert flat(content)[0] == content


def test_a_picture_covers_what_changes_and_no_more() -> None:
    """Half black over a red square's right half and over paper: a picture of that bar, in place."""
    content, resources = flat(
        b"1 0 0 rg 20 20 40 40 re f q /h gs 0 g 40 30 40 10 re f Q 0 0 1 rg 0 0 5 5 re f", h=HALF
    )
    (name,) = resources.XObject.keys()
    image = resources.XObject[name]
    assert "/Mask" not in image
    width, height = int(image.Width), int(image.Height)
    assert (width, height) == (250, pytest.approx(63, abs=1))  # 40 × 10 pt at 450 dpi
    pixels = np.frombuffer(image.read_bytes(), np.uint8).reshape(height, width, 3)
    assert pixels[30, 60].tolist() == pytest.approx([128, 0, 0], abs=1)
    assert pixels[30, 200].tolist() == pytest.approx([128, 128, 128], abs=1)
    words = content.split()
    x, y = (float(words[words.index(b"Do") - k]) for k in (4, 3))
    assert (x, y) == pytest.approx((40, 30), abs=0.2)
    assert content.index(b"20 20 40 40 re") < content.index(b"Do") < content.index(b"0 0 5 5 re")
    assert b"40 30 40 10 re" not in content
    assert set(resources.ExtGState.keys()) == {"/cg-plain", "/h"}
    assert not any("/ca" in state for state in resources.ExtGState.values())


def test_only_what_a_shape_touches_is_covered() -> None:
    _, resources = flat(b"q /h gs 0 g 10 10 m 90 10 l 50 90 l f Q", h=HALF)
    (image,) = resources.XObject.values()
    stencil = image.Mask
    assert (stencil.ImageMask, stencil.BitsPerComponent) == (True, 1)
    assert (stencil.Width, stencil.Height) == (image.Width, image.Height)
    rows = np.unpackbits(
        np.frombuffer(stencil.read_bytes(), np.uint8).reshape(int(image.Height), -1), axis=1
    )
    assert 0.4 < 1 - rows[:, : int(image.Width)].mean() < 0.6  # a triangle in its box


def test_see_through_text_on_one_colour_is_text_in_another() -> None:
    content, resources = flat(
        b"0 0 1 rg 0 0 100 100 re f /h gs BT /f 9 Tf 1 g 9 9 Td (a) Tj 0 g (b) Tj ET", h=HALF
    )
    assert "/XObject" not in resources or not resources.XObject.keys()
    words = b" ".join(content.split())
    assert b"0.5 0.5 1 rg 9 9 Td (a) Tj 0 0 0.5 rg (b) Tj ET 0 g" in words


def test_see_through_text_on_two_colours_is_a_picture() -> None:
    content, resources = flat(b"0 0 1 rg 0 0 12 100 re f /h gs BT /f 9 Tf 0 g 9 9 Td (wide) Tj ET", h=HALF)
    assert len(resources.XObject.keys()) == 1
    assert b"Tj" not in content


def test_outlined_text_that_is_see_through_is_a_picture() -> None:
    content, resources = flat(
        b"1 0 0 RG /h gs BT /f 30 Tf 2 Tr 9 9 Td (a) Tj ET", h=pikepdf.Dictionary(ca=0.5, CA=0.5)
    )
    assert len(resources.XObject.keys()) == 1
    assert b"Tj" not in content


def test_what_changes_nothing_is_gone() -> None:
    content, resources = flat(b"1 0 0 rg q /h gs 10 10 5 5 re f Q", h=pikepdf.Dictionary(ca=0))
    assert b"re" not in content
    assert not resources.XObject.keys()


def test_blends_and_large_sides_are_looked_at_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flattening, "_BAND", 20_000)
    multiply = pikepdf.Dictionary(BM=pikepdf.Name.Multiply)
    _, resources = flat(b"1 1 0 rg 0 0 100 100 re f q /m gs 0 1 1 rg 10 10 80 80 re f Q", m=multiply)
    images = list(resources.XObject.values())
    assert len(images) > 5
    assert sum(int(image.Height) for image in images) == pytest.approx(500, abs=2)
    for image in images:
        assert np.frombuffer(image.read_bytes(), np.uint8).reshape(-1, 3)[1].tolist() == [0, 255, 0]


def test_very_large_sides_have_fewer_pixels_an_inch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flattening, "MOST_PIXELS", 10_000)
    content, resources = flat(b"/h gs 0 g 0 0 100 100 re f", h=HALF)
    (image,) = resources.XObject.values()
    assert (image.Width, image.Height) == (100, 100)
    assert b"100 0 0 100 0 0 cm" in content.replace(b".0", b"")


def test_too_many_parts_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flattening, "MOST", 2)
    with pytest.raises(SeeThroughError, match="3 transparent parts"):
        flat(b"/h gs 0 0 5 5 re f 1 g 0 0 5 5 re f 0 g 0 0 5 5 re f", h=HALF)


def _is_mapping(object: Any) -> bool:
    return isinstance(object, (pikepdf.Dictionary, pikepdf.Stream))


def _mappings(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """All dictionaries and streams of a document."""
    stack: list[Any] = list(pdf.objects)
    while stack:
        each = stack.pop()
        if _is_mapping(each):
            yield each
        if isinstance(each, (pikepdf.Array, pikepdf.Dictionary, pikepdf.Stream)):
            inner = list(each) if isinstance(each, pikepdf.Array) else [value for _, value in each.items()]
            stack += [
                value for value in inner if isinstance(value, pikepdf.Object) and not value.is_indirect
            ]
