"""Measure files for presses, cutters and orders with outside programs: `press_rows.py FOLDER`.

Prints a row a property: what is measured, the program that measures it, the value, and `ok` or the wanted
value. Ends with 1 if a value is wrong. Pictures of separations are written to FOLDER/plates.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import cairosvg
import numpy as np
import pikepdf
import pymupdf
import typst
from matplotlib import pyplot
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import cardgen

CARDGEN = [sys.executable, "-m", "cardgen"]
GAME = """\
id: rows
title: Rows
version: "1"
author: Nobody
description: Cards to measure
language: en
players: {min: 1, max: 2}
components:
  cards:
    {title: Cards, kind: card, trim: poker, safe: 3mm, data: cards.yaml, face: face.svg, back: face.svg,
     products: {mpc: poker}}
  tall: {title: Tall, kind: card, trim: tarot, safe: 3mm, data: tall.yaml, face: tall.svg, back: tall.svg}
sheets:
  poker: {layout: poker, components: [cards]}
  silhouette: {layout: silhouette-a4-poker, components: [cards]}
  apart: {layout: apart, components: [cards, tall]}
  nested: {layout: nested, components: [cards, tall]}
"""
FACE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">
<rect x="-4" y="-4" width="72" height="97" fill="#e8c070"/>
<rect x="5" y="5" width="20" height="20" fill="#ffffff"/>
<rect x="5" y="5" width="20" height="20" fill="#008080" fill-opacity="0.5"/>
<image x="30" y="5" width="20" height="20" href="gray.png"/>
<text x="6" y="50" font-family="IBM Plex Sans" font-size="9" fill="#000000">Knockout</text>
<path d="M6 56h50" stroke="#000000" stroke-width="0.2"/></svg>
"""
TABLE = """\
size: [1000mm, 700mm]
items:
  - {piece: cards/c0, states: [c1, c2], at: [0mm, 0mm]}
  - {dice: d6, count: 2, at: [200mm, 0mm]}
  - {pawn: Ann, color: '#dd2211', at: [-200mm, 0mm]}
seats:
  - {color: White, at: [0mm, 400mm]}
  - {color: Red, at: [0mm, -400mm], turn: 180}
"""
CUTTER = """\
id: {0}
title: Cutter
version: "1"
author: Nobody
description: Cards to cut
language: en
players: {{min: 1, max: 2}}
components:
"""
MATTE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{0}mm" height="{1}mm" viewBox="0 0 {0} {1}">
<rect x="-4" y="-4" width="200" height="200" fill="#e8c070"/>
<rect width="{0}" height="{1}" fill="#00aa66"/></svg>
"""
"""A card whose trim is a rectangle of one color."""
GREEN = (0.0, 2 / 3, 0.4)
PUBLISHED = json.loads((Path(__file__).parent / "cutting_templates.json").read_text(encoding="utf-8"))
"""The figures of Silhouette Card Maker's cutting templates in mm; of each, the page's orientation, columns,
rows, and the length of marks, which are strokes around their inset."""
NEAR = 0.1
"""mm by which a sheet may differ from a cutting template: about one pixel of its 300 an inch."""
CARD_PX = 90
"""The minimum width of upright cards at playingcards.io, in pixels."""
Row = tuple[str, str, str, bool | str]
"""What is measured, by which program, the value, and True if it is right, else the wanted value."""


def judge(right: bool, wanted: str) -> bool | str:
    return right or wanted


def run(*words: str, folder: Path) -> str:
    """Return what a cardgen command prints, errors included."""
    done = subprocess.run([*CARDGEN, *words], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def project(root: Path) -> Path:
    gray = BytesIO()
    Image.new("L", (240, 240), 40).save(gray, "PNG")
    files: dict[str, str | bytes] = {
        "data/rows/game.yaml": GAME,
        "data/rows/cards.yaml": "cards:\n" + "".join(f"  - {{id: c{n}}}\n" for n in range(9)),
        "data/rows/table.yaml": TABLE,
        "data/rows/tall.yaml": "tall: [{id: t}]\n",
        "data/sheets/apart.yaml": "title: Apart\n",
        "data/sheets/nested.yaml": "title: Nested\nnest: true\n",
        "templates/rows/face.svg": FACE,
        "templates/rows/tall.svg": FACE.replace("63.5", "69.85").replace("88.9", "120.65"),
        "templates/rows/gray.png": gray.getvalue(),
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def plates(pdf: Path, folder: Path, dpi: int = 300) -> np.ndarray:
    """Return the first page's four inks in percent, by Ghostscript; keep the plates as pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    device = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=tiffsep", f"-r{dpi}", "-dLastPage=1"]
    subprocess.run([*device, f"-sOutputFile={folder / (pdf.stem + '.tif')}", str(pdf)], check=True)
    inks = []
    for name in ("Cyan", "Magenta", "Yellow", "Black"):
        picture = Image.open(folder / f"{pdf.stem}({name}).tif")
        picture.save(folder / f"{pdf.stem}-{name.lower()}.png")
        inks.append(100 - np.asarray(picture, dtype=float) / 2.55)
    return np.stack(inks, axis=-1)


def built(root: Path, *words: str) -> Path:
    """Return the PDF that a build writes."""
    folder = root / "output/rows"
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.pdf")} if folder.exists() else {}
    said = run("build", "rows", *words, folder=root)
    new = [path for path in folder.glob("*.pdf") if before.get(path) != path.stat().st_mtime_ns]
    if len(new) != 1:
        raise SystemExit(said)
    return new[0]


def bare_letters(inks: np.ndarray) -> int:
    """Count pixels of black letters and lines without yellow on the yellow ground of a card."""
    top, bottom, left, right = (round(mm / 25.4 * 300) for mm in (130, 153, 15, 70))
    card = inks[top:bottom, left:right]
    return int(((card[..., 3] > 90) & (card[..., 2] < 5)).sum())


def inks_rows(root: Path) -> Iterator[Row]:
    pictures = root / "plates"
    over = plates(built(root, "--sheet", "poker", "--inks", "cmyk"), pictures)
    trapped = plates(built(root, "--sheet", "poker", "--inks", "cmyk", "--no-overprint"), pictures)
    bare, cut = bare_letters(over), bare_letters(trapped)
    yield "1 black text and lines on a tint: bare pixels", "Ghostscript", f"{bare:,}", judge(bare == 0, "0")
    yield "1 the same with --no-overprint", "Ghostscript", f"{cut:,}", judge(cut > 1000, "thousands")
    x1a = built(root, "--sheet", "poker", "--inks", "cmyk", "--standard", "x1a")
    flat = plates(x1a, pictures)
    left, top = (round((edge + 12) / 25.4 * 300) for edge in (12.7, 6.35))
    tints = [inks[top, left] for inks in (over, flat)]
    same = judge(bool(np.abs(tints[0] - tints[1]).max() <= 1), "equal within 1 %")
    for name, tint in zip(("PDF/X-4", "PDF/X-1a"), tints):
        yield f"2 50 % of #008080 in {name}", "Ghostscript", "/".join(f"{ink:.0f}" for ink in tint), same
    limited = built(root, "--sheet", "poker", "--inks", "cmyk", "--ink-limit", "240")
    names = [x1a.name, limited.name, "poker.cmyk.pdf"]
    there = len(set(names)) == 3 and all((x1a.parent / name).exists() for name in names)
    yield "3 files of three presses", "the folder", ", ".join(names), judge(there, "three files")
    across = round((12.7 + 40) / 25.4 * 300)
    black = plates(built(root, "--sheet", "poker", "--inks", "cmyk", "--black-images"), pictures)
    for name, inks in (("a gray picture", over), ("the same with --black-images", black)):
        ink = inks[top, across]
        right = min(ink[:3]) > 5 if inks is over else max(ink[:3]) < 1 < ink[3]
        text = "/".join(f"{each:.0f}" for each in ink)
        yield f"5 {name}", "Ghostscript", text, judge(bool(right), "four inks, or black alone if asked")
    kept = sorted(path.name for path in pictures.glob("*.png"))
    yield (
        "separations as pictures",
        "the folder",
        f"{len(kept)} in {pictures.name}",
        judge(len(kept) >= 16, "16"),
    )


def published_size(paper: str, template: str) -> tuple[str, tuple[float, float]]:
    """Return the name and the size in mm of a template's pieces."""
    size, sizes = template.removesuffix("-borderless"), PUBLISHED["sizes"]
    name = f"{paper}-{size}" if f"{paper}-{size}" in sizes else size
    return name, sizes[name]


def cut_paths(paper: str, template: str) -> tuple[list[pymupdf.Rect], list[pymupdf.Rect]]:
    """Return a published template's cuts and marks in mm, computed by its rules: a centered grid in whole
    pixels of 1/300 in."""
    orientation, columns, rows, length = PUBLISHED["layouts"][paper][template]
    page = PUBLISHED["papers"][paper] if orientation == "landscape" else PUBLISHED["papers"][paper][::-1]
    marked, dots = PUBLISHED["marks"], PUBLISHED["resolution"]
    wide, high, apart = (
        round(mm / 25.4 * dots) for mm in (*published_size(paper, template)[1], PUBLISHED["apart"])
    )
    starts = []
    for mm, card, count in zip(page, (wide, high), (columns, rows)):
        pixels, grid = round(mm / 25.4 * dots), count * card + (count - 1) * apart
        first = round((pixels - grid) / 2)
        starts.append([(first + number * (card + apart)) / dots * 25.4 for number in range(count)])
    cuts = [
        pymupdf.Rect(x, y, x + wide / dots * 25.4, y + high / dots * 25.4)
        for y in starts[1]
        for x in starts[0]
    ]
    arm, thick, (width, height) = min(length, marked["most"]), marked["thickness"], page
    half = thick / 2
    inset = marked["borderless" if template.endswith("-borderless") else "inset"]
    near, right, low = inset - half, width - inset + half, height - inset + half
    end = near + marked["square"] + thick
    marks = [
        pymupdf.Rect(near, near, end, end),
        pymupdf.Rect(right - half - arm, near, right, near + thick),
        pymupdf.Rect(right - thick, near, right, near + half + arm),
        pymupdf.Rect(near, low - thick, near + half + arm, low),
        pymupdf.Rect(near, low - half - arm, near + thick, low),
    ]
    return cuts, marks


def template_rows(root: Path) -> Iterator[Row]:
    """Lay the published cuts and marks over the pages of our layouts."""
    for paper, templates in PUBLISHED["layouts"].items():
        sheets, pieces = ["sheets:"], dict[str, int]()
        for template, (_, columns, rows, _) in templates.items():
            size, _ = published_size(paper, template)
            pieces[size] = max(pieces.get(size, 0), columns * rows)
            layout = f"silhouette-{paper}-{template}"
            sheets.append(f"  {template}: {{layout: {layout}, components: [p-{size}]}}")
        game = f"cutter-{paper}"
        for folder in ("data", "templates"):
            (root / folder / game).mkdir(exist_ok=True)
        components = []
        for size, count in pieces.items():
            width, height = PUBLISHED["sizes"][size]
            shape = ", shape: ellipse" if "circle" in size else ""
            components.append(
                f"  p-{size}: {{title: {size}, kind: token, trim: [{width}mm, {height}mm]{shape}, "
                f"data: {size}.yaml, face: {size}.svg}}"
            )
            (root / f"data/{game}/{size}.yaml").write_text(f"p-{size}: [{{id: a, copies: {count}}}]\n")
            (root / f"templates/{game}/{size}.svg").write_text(MATTE.format(width, height))
        text = CUTTER.format(game) + "\n".join([*components, *sheets]) + "\n"
        (root / f"data/{game}/game.yaml").write_text(text)
        said = run("build", game, folder=root)
        for size in templates:
            path = root / f"output/{game}/{size}.pdf"
            if not path.exists():
                raise SystemExit(said)
            cuts, marks = cut_paths(paper, size)
            with pymupdf.open(path) as pdf:
                drawn = pdf[0].get_drawings()
            green = [each["rect"] for each in drawn if each["fill"] and near(each["fill"], GREEN)]
            lines = [each for each in drawn if each["color"] and near(each["color"], (0.0, 0.0, 0.0))]
            trims = [rect * (25.4 / 72) for rect in green]
            black = [rect * (25.4 / 72) for each in lines for rect in strokes(each)]
            off = max(distance(cut, trims) for cut in cuts)
            marked = max(distance(mark, black) for mark in marks)
            under = any(mark.intersects(trim) for mark in marks for trim in trims)
            value = f"{len(cuts)} cuts {off:.2f} mm off, marks {marked:.2f} mm" + (
                ", cards under marks" if under else ""
            )
            right = max(off, marked) <= NEAR and len(trims) % len(cuts) == 0 and not under
            yield f"4 {paper}-{size}: published cuts over ours", "MuPDF", value, judge(right, f"{NEAR} mm")


def near(color: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(color, other)) < 0.01


def strokes(drawing: dict[str, Any]) -> Iterator[pymupdf.Rect]:
    """Yield the places of level and upright lines, with their width, in points."""
    half = (drawing["width"] or 0.0) / 2
    for kind, *points in drawing["items"]:
        if kind == "l":
            one, other = points
            across, down = (half, 0.0) if abs(one.x - other.x) < 0.01 else (0.0, half)
            yield pymupdf.Rect(
                min(one.x, other.x) - across,
                min(one.y, other.y) - down,
                max(one.x, other.x) + across,
                max(one.y, other.y) + down,
            )


def distance(wanted: pymupdf.Rect, found: list[pymupdf.Rect]) -> float:
    """Return the largest distance in mm of an edge from that of the nearest of the others."""
    return min((max(abs(a - b) for a, b in zip(wanted, each)) for each in found), default=1000.0)


def sheet_rows(root: Path) -> Iterator[Row]:
    waste: list[float] = []
    for name in ("apart", "nested"):
        with pikepdf.open(built(root, "--sheet", name, "--paper", "tabloid")) as pages:
            page = pages.pages[0].mediabox
            paper = float(page[2]) * float(page[3]) / 72**2 * 25.4**2 * len(pages.pages)
            waste.append(1 - 2 * (9 * 63.5 * 88.9 + 69.85 * 120.65) / paper)  # faces and backs
            text = f"{len(pages.pages)} pages, {waste[-1]:.0%} waste"
            yield (
                f"9 poker and 1 tarot, {name}",
                "pikepdf",
                text,
                judge(waste[-1] == min(waste), "less waste"),
            )
    (root / "data/sheets/wide.yaml").write_text(
        "title: W\nplaces: {grid: [4, 2], size: [64mm, 89mm], pitch: [66mm, 92mm], paper: a4}\n"
    )
    said = next(
        (line for line in run("check", "rows", folder=root).splitlines() if "sheet/places" in line), ""
    )
    right = "4×2 places" in said and "mm over the" in said
    yield "9 places beyond the paper", "cardgen", said, judge(right, "names the places and the overrun")
    (root / "data/sheets/wide.yaml").unlink()


def order_rows(root: Path) -> Iterator[Row]:
    run("export", "rows", "--to", "mpc", "--component", "cards", folder=root)
    orders = sorted(root.glob("output/rows/**/cards.xml"))
    text = orders[0].read_text(encoding="utf-8") if orders else ""
    stated = f"sourceType: {'<sourceType>' in text}, bracket: {'bracket' in text}"
    yield (
        "7 cards.xml",
        "its text",
        stated,
        judge(stated == "sourceType: True, bracket: False", "today's form"),
    )
    shipped = Path(__file__).resolve().parent.parent
    for game, folder in (("rows", root), ("blockminers", shipped), ("mindnet", shipped)):
        out = root / f"tts-{game}"
        run("export", game, "--to", "tts", "--output", str(out), folder=folder)
        found = [
            path for path in out.rglob("*.json") if '"ObjectStates"' in path.read_text(encoding="utf-8")
        ]
        objects = [each for path in found for each in walk(json.loads(path.read_text(encoding="utf-8")))]
        plain = [each for each in objects if str(each.get("Name", "")).startswith(("Die_", "PlayerPawn"))]
        count = sum("MaterialIndex" in each for each in plain)
        right = 0 < count == len(plain)
        yield (
            f"6 {game}: dice and pawns with MaterialIndex",
            "JSON",
            f"{count} of {len(plain)}",
            judge(right, "all"),
        )
        if game == "rows":
            states = [sorted(each["States"]) for each in objects if "States" in each]
            yield (
                "6 a piece with two more states",
                "JSON",
                f"{states}",
                judge(states == [["2", "3"]], "2 and 3"),
            )
    for game in ("ptsd", "access-denied", "blockminers", "mindnet", "hackers"):
        kinds = {each.id: each.kind for each in cardgen.load(game).components}
        out = root / f"pcio-{game}"
        run("export", game, "--to", "pcio", "--output", str(out), folder=shipped)
        for room in out.rglob("*.pcio"):
            with ZipFile(room) as packed:
                widgets = json.loads(packed.read("widgets.json"))
            widths = [least_width(each) for each in widgets if deck_kind(each, kinds) in ("card", "aid")]
            least = min(widths, default=0)
            yield (
                f"8 {game}: narrowest of all cards",
                "JSON",
                f"{least:.0f} px",
                judge(least >= CARD_PX, "90 px"),
            )


def deck_kind(widget: dict[str, Any], kinds: dict[str, str]) -> str | None:
    """Return the kind of component that a deck of a room shows, by the names of its pictures."""
    if widget["type"] != "cardDeck":
        return None
    face = next(iter(widget["cardTypes"].values()))["face"].rpartition("/")[2]
    return kinds.get(max((id for id in kinds if face.startswith(f"{id}-")), key=len, default=""))


def least_width(deck: dict[str, Any]) -> float:
    """Return the width of a deck's cards in pixels, of landscape ones that of upright ones as large."""
    width, height = deck["cardWidth"], deck["cardHeight"]
    return float(width if width <= height else width / 1.4)


def walk(value: object) -> Iterator[dict[str, object]]:
    if isinstance(value, dict):
        if "GUID" in value or "Name" in value:
            yield value
        for each in value.values():
            yield from walk(each)
    elif isinstance(value, list):
        for each in value:
            yield from walk(each)


def others(folder: Path) -> dict[str, Callable[[Path], object]]:
    """Programs that write a PDF, each with a function that has it write one."""
    source = folder / "reportlab.pdf"
    page = folder / "page.html"
    page.write_text("<h1 style='color:#00f'>Card</h1><p style='opacity:.5'>Text")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" fill="red"/></svg>'

    def reportlab(path: Path) -> None:
        canvas = Canvas(str(path))
        canvas.drawString(50, 50, "Card")
        canvas.save()

    def matplotlib(path: Path) -> None:
        pyplot.plot([1, 2])
        pyplot.savefig(path)

    def mupdf(path: Path) -> None:
        with pymupdf.open() as made:
            made.new_page().insert_text((50, 50), "Card")
            made.save(path)

    def call(*words: str) -> Callable[[Path], object]:
        return lambda path: subprocess.run(
            [word.replace("OUT", str(path)) for word in words], check=True, capture_output=True
        )

    chromium = shutil.which("chromium-headless-shell") or "chromium"
    return {
        "reportlab": reportlab,
        "cairosvg": lambda path: cairosvg.svg2pdf(bytestring=svg.encode(), write_to=str(path)),
        "typst": lambda path: path.write_bytes(typst.compile(b"= Card\nText")),
        "matplotlib": matplotlib,
        "pillow": lambda path: Image.new("RGB", (90, 90), "red").save(path),
        "pymupdf": mupdf,
        "ghostscript": call("gs", "-q", "-sDEVICE=pdfwrite", "-o", "OUT", str(source)),
        "qpdf": call("qpdf", "--linearize", str(source), "OUT"),
        "mutool": call("mutool", "clean", "-gg", str(source), "OUT"),
        "chromium": call(chromium, "--headless", "--no-sandbox", "--print-to-pdf=OUT", page.as_uri()),
    }


def preflight_rows(root: Path) -> Iterator[Row]:
    folder = root / "others"
    folder.mkdir(exist_ok=True)
    for name, write in others(folder).items():
        path = folder / f"{name}.pdf"
        write(path)
        found = json.loads(run("preflight", str(path), "--format", "json", folder=root))
        codes = sorted({each["code"] for each in found["findings"]})
        text = f"{found['pages']} page, {', '.join(codes) or 'no findings'}"
        yield (
            f"preflight of {name}",
            "cardgen",
            text,
            judge(found["pages"] == 1 and bool(codes), "findings"),
        )


def main(folder: Path) -> int:
    root, wrong = project(folder.resolve()), 0
    for part in (inks_rows, template_rows, sheet_rows, order_rows, preflight_rows):
        for what, program, value, right in part(root):
            verdict = "ok" if right is True else f"WRONG, wanted: {right}"
            print(f"{what:<52} {program:<12} {value}  {verdict}", flush=True)
            wrong += right is not True
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "press-rows")))
