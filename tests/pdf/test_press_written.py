"""A sheet with a piece of every kind in inks, read back: what ISO 15930-7 (PDF/X-4) asks, and the limit."""

from __future__ import annotations

import re
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
from cardgen.pdf.inks import load_profile
from tests.pdf.conftest import asked, everything
from tests.pdf_grammar import judge
from tests.pdf_grammar.readers import READERS, text_differences

__all__ = ["everything"]
LIMIT = 240
BOXES = ("/TrimBox", "/BleedBox", "/MediaBox")
GHOSTSCRIPT = "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=tiff32nc -r40".split()


@pytest.fixture(scope="module")
def sheets(everything: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Each sheet of the game with everything, in RGB and in inks."""
    folder = tmp_path_factory.mktemp("press")
    project = cardgen.Project.open(everything)
    press = cardgen.PressOptions(ink_limit=LIMIT)
    both = [
        cardgen.build(cardgen.BuildOptions("all", output=folder, press=each), project=project).files
        for each in (None, press)
    ]
    return {one.sheet: (Path(one.path), Path(other.path)) for one, other in zip(*both)}


@pytest.mark.long
def test_they_are_as_valid_as_those_for_a_screen(sheets: dict[str, tuple[Path, Path]]) -> None:
    assert len(sheets) > 2
    for name, (_, path) in sheets.items():
        assert path.name == f"{name}.cmyk.{LIMIT}-ink.pdf"
        assert judge(path.read_bytes()).faults == ()


@pytest.mark.long
def test_other_programs_read_the_same_text_in_them(sheets: dict[str, tuple[Path, Path]]) -> None:
    for screen, path in sheets.values():
        with pikepdf.open(screen) as one, pikepdf.open(path) as other:
            assert len(one.pages) == len(other.pages)
        for reader in READERS.values():
            assert asked(reader, path) == []
        assert text_differences(path) == text_differences(screen)


def test_nothing_in_them_is_red_green_and_blue(sheets: dict[str, tuple[Path, Path]]) -> None:
    met: set[str] = set()
    for _, path in sheets.values():
        with pikepdf.open(path) as pdf:
            met |= {str(space) for space in _spaces(pdf)}
            for stream in _streams(pdf):
                operators = {str(each.operator) for each in pikepdf.parse_content_stream(stream)}
                assert not operators & {"rg", "RG"}
    assert met <= {"/DeviceCMYK", "/DeviceGray", "/Pattern"}
    assert "/DeviceCMYK" in met


def test_small_text_that_is_nearly_black_is_of_black_ink_alone(
    sheets: dict[str, tuple[Path, Path]],
) -> None:
    black = 0
    for _, path in sheets.values():
        with pikepdf.open(path) as pdf:
            for stream in _streams(pdf):
                inks, kept = [0.0, 0.0, 0.0, 1.0], list[list[float]]()
                for each in pikepdf.parse_content_stream(stream):
                    name = str(each.operator)
                    if name == "q":
                        kept.append(inks)
                    elif name == "Q":
                        inks = kept.pop()
                    elif name == "k":
                        inks = [float(value) for value in each.operands]
                    elif name in ("Tj", "TJ") and inks[3] > 0.9:
                        assert inks[:3] == [0, 0, 0]
                        black += 1
    assert black > 20


def test_what_the_standard_asks_for(sheets: dict[str, tuple[Path, Path]]) -> None:
    for _, path in sheets.values():
        assert path.read_bytes().startswith(b"%PDF-1.6")
        with pikepdf.open(path) as pdf:
            (intent,) = pdf.Root.OutputIntents
            assert intent.S == "/GTS_PDFX"
            assert str(intent.OutputConditionIdentifier) == "FOGRA39"
            assert str(intent.RegistryName) == "http://www.color.org"
            assert intent.DestOutputProfile.N == 4
            assert intent.DestOutputProfile.read_bytes() == load_profile("coated").content
            assert pdf.docinfo["/Trapped"] == "/False"
            for key in ("/Title", "/CreationDate", "/ModDate"):
                assert str(pdf.docinfo[key])
            assert len(pdf.trailer.ID) == 2
            packet = pdf.Root.Metadata.read_bytes().decode()
            assert "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in packet
            assert re.search("<xmpMM:DocumentID>uuid:[0-9a-f-]{36}</xmpMM:DocumentID>", packet)
            assert not set(pdf.Root.keys()) & {"/OpenAction", "/AA", "/AcroForm", "/OCProperties"}
            for page in pdf.pages:
                assert not set(page.obj.keys()) & {"/Annots", "/AA", "/ArtBox", "/Trans"}
                trim, bleed, media = ([float(value) for value in page.obj[key]] for key in BOXES)
                assert media[0] <= bleed[0] <= trim[0] < trim[2] <= bleed[2] <= media[2]
                assert media[1] <= bleed[1] <= trim[1] < trim[3] <= bleed[3] <= media[3]
            for object in pdf.objects:
                if isinstance(object, pikepdf.Dictionary) and object.get("/Type") == "/FontDescriptor":
                    assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(object.keys())
                if isinstance(object, (pikepdf.Dictionary, pikepdf.Stream)):
                    assert not {"/TR", "/TR2", "/HTP", "/OPI", "/JS"} & set(object.keys())
                    assert object.get("/Filter") not in ("/LZWDecode", "/JPXDecode", "/Crypt")


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
def test_the_paper_takes_no_more_ink_than_the_limit(
    sheets: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """Every pixel of every page, as Ghostscript puts the inks on it."""
    most = 0.0
    for name, (_, path) in sheets.items():
        out = tmp_path / f"{name}-%d.tif"
        subprocess.run([*GHOSTSCRIPT, f"-sOutputFile={out}", str(path)], check=True, capture_output=True)
        for page in tmp_path.glob(f"{name}-*.tif"):
            inks = np.asarray(Image.open(page), np.uint16)
            assert inks.shape[2] == 4
            most = max(most, float(inks.sum(axis=2).max()) / 255)
    assert 1.5 < most <= LIMIT / 100 + 0.02


def test_the_same_input_gives_the_same_bytes(everything: Path, tmp_path: Path) -> None:
    project = cardgen.Project.open(everything)
    found = []
    for name in ("one", "other"):
        options = cardgen.BuildOptions(
            "all", sheets=("tokens",), output=tmp_path / name, press=cardgen.PressOptions()
        )
        found.append(Path(cardgen.build(options, project=project).files[0].path).read_bytes())
    assert found[0] == found[1]


def _streams(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """Content streams: pages, forms and the cells of patterns."""
    yield from pdf.pages
    for object in pdf.objects:
        if isinstance(object, pikepdf.Stream) and (
            object.get("/Subtype") == "/Form" or object.get("/PatternType") == 1
        ):
            yield object


def _spaces(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """The colour spaces of all there is, those named in streams too."""
    stack: list[Any] = list(pdf.objects)
    while stack:
        each = stack.pop()
        if isinstance(each, (pikepdf.Dictionary, pikepdf.Stream)):
            for key, value in each.items():
                if key == "/ColorSpace" and not isinstance(value, pikepdf.Dictionary):
                    yield value
                elif key == "/ColorSpace":
                    yield from dict(value.items()).values()
                elif key == "/Group" and "/CS" in value:
                    yield value.CS
                elif isinstance(value, pikepdf.Object) and not value.is_indirect:
                    stack.append(value)
        elif isinstance(each, pikepdf.Array):
            stack += [
                value for value in each if isinstance(value, pikepdf.Object) and not value.is_indirect
            ]


def test_rulebooks_have_four_inks_alone(everything: Path, tmp_path: Path) -> None:
    """Cards that a rulebook shows are not foiled there."""
    folder = Path(shutil.copytree(everything, tmp_path / "project"))
    game, card = folder / "data/all/game.yaml", folder / "templates/all/card.svg"
    spots = "spots: {foil: {name: Gold Foil, shows: '#c9a227'}}\ncomponents:\n"
    game.write_text(game.read_text("utf-8").replace("components:\n", spots, 1), "utf-8")
    shape = '<rect x="9" y="9" width="9" height="9" fill="{{ spots.foil }}"/></svg>'
    card.write_text(card.read_text("utf-8").replace("</svg>", shape), "utf-8")
    options = cardgen.BuildOptions(
        "all", sheets=("poker", "rules"), output=tmp_path / "out", press=cardgen.PressOptions()
    )
    found = {}
    for file in cardgen.build(options, project=cardgen.Project.open(folder)).files:
        with pikepdf.open(file.path) as pdf:
            found[file.sheet] = any("/Separation" in str(space) for space in _spaces(pdf))
    assert found == {"poker": True, "rules": False}
