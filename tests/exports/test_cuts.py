"""Cut files, held against the sheets that they belong to: both as pixels, and read back."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import cairosvg
import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

import cardgen
from tests.for_each import for_each
from tests.pdf_grammar import judge

DPI = 127  # 5 px a mm
SHAPES = {
    "rectangle": "shape: rectangle",
    "ellipse": "shape: ellipse",
    "hexagon": "shape: hexagon",
    "polygon": "shape: polygon\n    "
    "corners: [[50, 0], [100, 40], [60, 40], [60, 100], [40, 100], [40, 40], [0, 40]]",
}


def project(root: Path, shape: str, gutter: float) -> Path:
    """A game with seven black pieces without bleed."""
    files = {
        "data/demo/game.yaml": f"""
id: demo
title: Demo
version: "1"
author: Nobody
description: Pieces
language: en
players: {{min: 1, max: 2}}
components:
  pieces:
    title: Pieces
    kind: token
    trim: [52mm, 45mm]
    {shape}
    bleed: 0mm
    data: pieces.yaml
    face: piece.svg
sheets:
  pieces: {{layout: apart, components: [pieces]}}
""",
        "data/demo/pieces.yaml": "pieces: [{id: one, copies: 7}]\n",
        "data/sheets/apart.yaml": f"title: A\ngutter: {gutter}mm\nbleed: 0mm\nmarks: none\nduplex: none\n",
        "templates/demo/piece.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="52mm" height="45mm" '
        'viewBox="0 0 52 45"><rect width="52" height="45" fill="#000000"/></svg>',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.lstrip(), encoding="utf-8")
    return root


def built(root: Path, *formats: str) -> dict[str, Path]:
    options = cardgen.BuildOptions("demo", paper="a4", cut=formats)  # type: ignore[arg-type]
    result = cardgen.build(options, project=cardgen.Project.open(root))
    return {Path(file.path).name: Path(file.path) for file in result.files}


def printed(pdf: Path) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    return document[0].render(scale=DPI / 72).to_pil().convert("L")


def filled(svg: Path) -> Image.Image:
    """What lies within closed cuts, in black."""
    text = svg.read_text(encoding="utf-8")
    text = text.replace('fill="none" stroke="#ff0000" stroke-width="0.1"', 'fill="#000000"')
    data = cairosvg.svg2png(bytestring=text.encode(), dpi=DPI, background_color="white")
    assert data is not None
    return Image.open(BytesIO(data)).convert("L")


@for_each("shape", SHAPES)
def test_a_cut_file_lies_exactly_over_its_sheet(tmp_path: Path, shape: str) -> None:
    files = built(project(tmp_path, SHAPES[shape], 6), "svg")
    sheet, cut = printed(files["pieces.a4.pdf"]), filled(files["pieces.a4.cut-1.svg"])
    assert abs(sheet.width - cut.width) <= 1
    assert abs(sheet.height - cut.height) <= 1
    box = ImageChops.invert(cut).point(lambda value: 255 if value > 128 else 0).getbbox()
    assert box is not None
    near = (box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3)  # rulers and labels lie outside
    apart = ImageChops.difference(sheet.crop(near), cut.crop(near))
    thick = apart.point(lambda value: 255 if value > 128 else 0).filter(ImageFilter.MinFilter(3))
    assert thick.getbbox() is None, "they differ by pixels along the edges, and nowhere by 0.4 mm or more"
    assert sheet.crop(near).histogram()[0] > 0.1 * apart.width * apart.height


def test_the_cuts_of_a_pdf_are_an_overprinting_spot_colour(tmp_path: Path) -> None:
    files = built(project(tmp_path, SHAPES["hexagon"], 0), "pdf")
    with pikepdf.open(files["pieces.a4.cut.pdf"]) as pdf, pikepdf.open(files["pieces.a4.pdf"]) as sheet:
        assert [float(value) for value in pdf.pages[0].MediaBox] == pytest.approx(
            [float(value) for value in sheet.pages[0].MediaBox], abs=0.01
        )
        resources = pdf.pages[0].Resources
        [space] = resources.ColorSpace.values()
        assert space[0] == "/Separation"
        assert space[1] == "/CutContour"
        assert any(state.get("/OP") is True for state in resources.ExtGState.values())
        assert "Font" not in str(resources.keys()) or not resources.get("/XObject")


def entities(dxf: Path) -> list[tuple[str, dict[int, float]]]:
    """The entities of a DXF file with their numbers."""
    lines = dxf.read_text(encoding="ascii").splitlines()
    assert len(lines) % 2 == 0
    pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2])]
    start = pairs.index((2, "ENTITIES"))
    found: list[tuple[str, dict[int, float]]] = []
    for code, value in pairs[start + 1 :]:
        if code == 0 and value == "ENDSEC":
            break
        if code == 0:
            found.append((value, {}))
        elif code != 8:
            found[-1][1][code] = float(value)
    assert pairs[-1] == (0, "EOF")
    return found


def test_dxf_has_the_lines_of_svg_with_y_up(tmp_path: Path) -> None:
    files = built(project(tmp_path, SHAPES["hexagon"], 0), "svg", "dxf")
    found = entities(files["pieces.a4.cut-1.dxf"])
    assert {kind for kind, _ in found} == {"LINE"}
    drawing = files["pieces.a4.cut-1.svg"].read_text(encoding="utf-8")
    [height] = [float(value) for value in re.findall(r'height="([\d.]+)mm"', drawing)]
    there = {
        frozenset(
            ((round(at[10], 2), round(height - at[20], 2)), (round(at[11], 2), round(height - at[21], 2)))
        )
        for _, at in found
    }
    expected = set()
    for path in re.findall(r' d="([^"]*)"', drawing):
        places = [tuple(map(float, place.split())) for place in re.findall(r"[ML]([\d.]+ [\d.]+)", path)]
        expected |= {
            frozenset((tuple(round(v, 2) for v in a), tuple(round(v, 2) for v in b)))
            for a, b in pairwise(places)
        }
    assert len(there) == len(expected)
    assert max(min(_far(one, other) for other in expected) for one in there) < 0.02


def _far(one: frozenset[tuple[float, ...]], other: frozenset[tuple[float, ...]]) -> float:
    """How far the further end of one line is from that of another, whichever way they run."""
    start, end = one
    return min(
        max(abs(a - b) for a, b in zip((*start, *end), (*first, *second)))
        for first, second in (tuple(other), tuple(other)[::-1])
    )


def test_round_pieces_are_lines_or_arcs_in_dxf(tmp_path: Path) -> None:
    ellipse = built(project(tmp_path / "a", SHAPES["ellipse"], 6), "dxf")
    kinds = {kind for kind, _ in entities(ellipse["pieces.a4.cut-1.dxf"])}
    assert kinds == {"LINE"}
    rounded = built(project(tmp_path / "b", "shape: rectangle\n    corner_radius: 3mm", 6), "dxf")
    arcs = [at for kind, at in entities(rounded["pieces.a4.cut-1.dxf"]) if kind == "ARC"]
    assert len(arcs) == 4 * 7
    assert {at[40] for at in arcs} == {3.0}
    assert {(at[50], at[51]) for at in arcs} == {(0, 90), (90, 180), (180, 270), (270, 0)}


def test_sheets_are_the_same_with_and_without_cut_files(tmp_path: Path) -> None:
    root = project(tmp_path, SHAPES["hexagon"], 0)
    plain = built(root)["pieces.a4.pdf"].read_bytes()
    files = built(root, "svg")
    assert files["pieces.a4.pdf"].read_bytes() == plain
    assert sorted(files) == ["pieces.a4.cut-1.svg", "pieces.a4.pdf"]


def test_opos_marks_of_cut_files_lie_exactly_over_those_of_the_sheet(tmp_path: Path) -> None:
    root = project(tmp_path, SHAPES["rectangle"], 6)
    layout = root / "data/sheets/apart.yaml"
    layout.write_text(layout.read_text().replace("marks: none", "marks: opos"), encoding="utf-8")
    files = built(root, "svg", "pdf", "dxf")
    sheet = printed(files["pieces.a4.pdf"])
    cuts = printed(files["pieces.a4.cut.pdf"])
    drawing = files["pieces.a4.cut-1.svg"].read_text(encoding="utf-8")
    boxes = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>', drawing)
    assert len(boxes) == 4
    for box in boxes:
        x, y, width, height = (float(value) * 5 for value in box)
        assert (width, height) == (15, 15)
        around = (round(x) - 20, round(y) - 20, round(x) + 35, round(y) + 35)
        for picture in (sheet, cuts):
            dark = picture.crop(around).point(lambda value: 255 if value < 128 else 0)
            assert dark.getbbox() == pytest.approx((20, 20, 35, 35), abs=1)
    marks = files["pieces.a4.cut-1.dxf"].read_text(encoding="ascii").count("  8\nREGMARK\n")
    assert marks == 4 * 4
    with pikepdf.open(files["pieces.a4.cut.pdf"]) as pdf:
        names = {str(space[1]) for space in pdf.pages[0].Resources.ColorSpace.values()}
    assert names == {"/CutContour", "/Regmark"}


@pytest.mark.long
@for_each("shape", ["ellipse", "polygon"])
def test_pictures_of_pieces_are_transparent_beside_their_cuts(tmp_path: Path, shape: str) -> None:
    files = built(project(tmp_path, SHAPES[shape], 6), "png", "svg")
    with Image.open(files["pieces.a4.cut-1.png"]) as picture:
        assert (picture.mode, picture.info["dpi"]) == ("RGBA", pytest.approx((300, 300), abs=0.1))
        alpha = picture.getchannel("A")
    cut = filled(files["pieces.a4.cut-1.svg"])
    box = ImageChops.invert(cut).point(lambda value: 255 if value > 128 else 0).getbbox()
    assert box is not None
    inside = ImageChops.invert(cut.crop(box)).resize(alpha.size)
    apart = ImageChops.difference(alpha, inside).point(lambda value: 255 if value > 128 else 0)
    assert apart.filter(ImageFilter.MinFilter(9)).getbbox() is None, "nowhere by more than 0.7 mm"
    assert alpha.histogram()[255] / (alpha.width * alpha.height) > 0.1


def test_pictures_show_no_lines_and_keep_what_is_beyond_the_cut(tmp_path: Path) -> None:
    root = project(tmp_path, SHAPES["ellipse"], 6)
    layout = root / "data/sheets/apart.yaml"
    layout.write_text(layout.read_text().replace("marks: none", "marks: outline"), encoding="utf-8")
    with Image.open(built(root, "png")["pieces.a4.cut-1.png"]) as picture:
        bands = picture.getchannel("R").getextrema(), picture.getchannel("A").getextrema()
    assert bands[1] == (0, 255)
    shown = picture_of_first(tmp_path)
    assert shown.getpixel((shown.width // 2, 1)) == (0, 0, 0, 255), "no white dashes along the edge"


def picture_of_first(root: Path) -> Image.Image:
    """The first piece of a picture, by its place."""
    [file] = root.rglob("pieces.a4.cut-1.png")
    with Image.open(file) as picture:
        return picture.crop((0, 0, round(52 / 25.4 * 300), round(45 / 25.4 * 300)))


@for_each(("gutter", "said"), [(0, ["larger", "touch"]), (6, ["larger"])])
def test_what_print_then_cut_would_not_do_is_said(tmp_path: Path, gutter: int, said: list[str]) -> None:
    options = cardgen.BuildOptions("demo", paper="a4", cut=("png",))
    root = project(tmp_path, SHAPES["rectangle"], gutter)
    result = cardgen.build(options, project=cardgen.Project.open(root))
    found = [each.message for each in result.findings if each.code == "sheet/print-then-cut"]
    assert len(found) == len(said)
    assert all(word in message for word, message in zip(said, found))


# ---------------------------------------------------------------- in the sheet itself


def plates(page: pikepdf.Page) -> list[str]:
    """The spot colours that a page names."""
    spaces: Any = page.obj.Resources.get("/ColorSpace") or {}
    return [str(space[1]) for _, space in spaces.items() if space[0] == "/Separation"]


def pdf_is_true(path: str, state: pikepdf.Object, key: str) -> bool:
    """Whether a graphics state of the first page says so."""
    with pikepdf.open(path) as pdf:
        return pdf.pages[0].obj.Resources.ExtGState[state][key] is True


@for_each(
    ("shape", "press"),
    [
        ("ellipse", None),
        ("polygon", cardgen.PressOptions()),
        ("ellipse", cardgen.PressOptions(standard="x1a")),
    ],
)
def test_cut_lines_in_the_sheet_are_a_plate_that_overprints(
    tmp_path: Path, shape: str, press: cardgen.PressOptions | None
) -> None:
    root = project(tmp_path, SHAPES[shape], 3)
    options = cardgen.BuildOptions("demo", paper="a4", cut=("spot",), press=press)
    (file,) = cardgen.build(options, project=cardgen.Project.open(root)).files
    inks = ".".join(("", *press.name_parts)) if press else ""
    assert Path(file.path).name == f"pieces.a4{inks}.cuts.pdf"
    with pikepdf.open(file.path) as pdf:
        page = pdf.pages[0]
        assert plates(page) == ["/CutContour"]
        found = [(str(each.operator), list(each.operands)) for each in pikepdf.parse_content_stream(page)]
    names = [name for name, _ in found]
    start = names.index("SCN")
    end = names.index("Q", start)
    before = dict(found[names.index("gs", start - 8) : start])
    assert pdf_is_true(file.path, before["gs"][0], "/OP")
    assert float(before["w"][0]) == pytest.approx(0.25 * 25.4 / 72, abs=0.001)
    assert names[start:end].count("S") == 7
    assert names[start:end].count("c") == (28 if shape == "ellipse" else 0)
    assert names[:start].count("Do") == 7  # they lie over the pieces
    assert judge(Path(file.path).read_bytes()).faults == ()


def test_they_lie_where_the_cut_file_has_them(tmp_path: Path) -> None:
    root = project(tmp_path, SHAPES["polygon"], 3)
    files = built(root, "spot", "pdf")
    assert set(files) == {"pieces.a4.cuts.pdf", "pieces.a4.cuts.cut.pdf"}
    document = pypdfium2.PdfDocument(files["pieces.a4.cuts.pdf"])
    shown = document[0].render(scale=DPI / 72).to_pil().convert("RGB")
    alone = pypdfium2.PdfDocument(files["pieces.a4.cuts.cut.pdf"])[0]
    lines = alone.render(scale=DPI / 72).to_pil().convert("L").point(lambda light: 255 * (light < 200))
    magenta = shown.getchannel("G").point(lambda light: 255 * (light < 200))
    red = shown.getchannel("R").point(lambda light: 255 * (light > 60))
    seen = ImageChops.multiply(magenta, red).filter(ImageFilter.MaxFilter(3))
    assert ImageChops.subtract(lines, seen).getbbox() is None


def test_outlines_are_not_printed_under_them(tmp_path: Path) -> None:
    root = project(tmp_path, SHAPES["ellipse"], 3)
    layout = root / "data/sheets/apart.yaml"
    layout.write_text(layout.read_text().replace("marks: none", "marks: outline"))
    dashed = {}
    for formats in ((), ("spot",)):
        (path,) = built(root, *formats).values()
        with pikepdf.open(path) as pdf:
            dashed[formats] = b"[1 1] 0 d" in pdf.pages[0].Contents.read_bytes()
    assert dashed == {(): True, ("spot",): False}
