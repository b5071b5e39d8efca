"""Measure files for presses, cutters and orders with outside programs: `press_rows.py FOLDER`.

Prints a row a property: what is measured, the program that measures it, the value. Pictures of separations
are written to FOLDER/plates.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import cairosvg
import numpy as np
import pikepdf
import pymupdf
import typst
from matplotlib import pyplot
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

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
<text x="6" y="50" font-family="IBM Plex Sans" font-size="9" fill="#000000">Knockout</text></svg>
"""
LEAST_DECK = 20
"""Pieces of one kind that are a deck of cards, not loose tokens."""
Row = tuple[str, str, str]


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
    """Count pixels of black without yellow on the yellow ground of a card."""
    top, bottom, left, right = (round(mm / 25.4 * 300) for mm in (130, 150, 15, 70))
    card = inks[top:bottom, left:right]
    return int(((card[..., 3] > 90) & (card[..., 2] < 5)).sum())


def inks_rows(root: Path) -> Iterator[Row]:
    pictures = root / "plates"
    over = plates(built(root, "--sheet", "poker", "--inks", "cmyk"), pictures)
    trapped = plates(built(root, "--sheet", "poker", "--inks", "cmyk", "--no-overprint"), pictures)
    yield "black text on a tint: bare pixels", "Ghostscript", f"{bare_letters(over):,}"
    yield "the same with --no-overprint", "Ghostscript", f"{bare_letters(trapped):,}"
    x1a = built(root, "--sheet", "poker", "--inks", "cmyk", "--standard", "x1a")
    flat = plates(x1a, pictures)
    left, top = (round((edge + 12) / 25.4 * 300) for edge in (12.7, 6.35))
    for name, inks in (("PDF/X-4", over), ("PDF/X-1a", flat)):
        yield f"50 % of #008080 in {name}", "Ghostscript", "/".join(f"{ink:.0f}" for ink in inks[top, left])
    across = round((12.7 + 40) / 25.4 * 300)
    yield "a gray picture", "Ghostscript", "/".join(f"{ink:.0f}" for ink in over[top, across])
    limited = built(root, "--sheet", "poker", "--inks", "cmyk", "--ink-limit", "240")
    yield "files of three presses", "the folder", f"{x1a.name}, {limited.name}, poker.cmyk.pdf"


def sheet_rows(root: Path) -> Iterator[Row]:
    with pymupdf.open(built(root, "--sheet", "silhouette", "--paper", "a4")) as pdf:
        marks = [drawing["rect"] for drawing in pdf[0].get_drawings()]
        places = sorted({round(box[0] / 72 * 25.4, 2) for box in marks if box[2] - box[0] > 20})
        yield "A4 marks and cards of a published template: x in mm", "MuPDF", f"{places[:6]}"
    for name in ("apart", "nested"):
        with pikepdf.open(built(root, "--sheet", name, "--paper", "tabloid")) as pages:
            page = pages.pages[0].mediabox
            paper = float(page[2]) * float(page[3]) / 72**2 * 25.4**2 * len(pages.pages)
            waste = 1 - 2 * (9 * 63.5 * 88.9 + 69.85 * 120.65) / paper  # faces and backs
            yield f"9 poker and 1 tarot, {name}", "pikepdf", f"{len(pages.pages)} pages, {waste:.0%} waste"
    (root / "data/sheets/wide.yaml").write_text(
        "title: W\nplaces: {grid: [4, 2], size: [64mm, 89mm], pitch: [66mm, 92mm], paper: a4}\n"
    )
    said = next(line for line in run("check", "rows", folder=root).splitlines() if "places" in line)
    yield "places beyond the paper", "cardgen", said
    (root / "data/sheets/wide.yaml").unlink()


def order_rows(root: Path) -> Iterator[Row]:
    run("export", "rows", "--to", "mpc", "--component", "cards", folder=root)
    orders = sorted(root.glob("output/rows/**/cards.xml"))
    text = orders[0].read_text(encoding="utf-8") if orders else ""
    yield "cards.xml", "its text", f"sourceType: {'<sourceType>' in text}, bracket: {'bracket' in text}"
    shipped = Path(__file__).resolve().parent.parent
    for game in ("blockminers", "hackers"):
        out = root / f"tts-{game}"
        run("export", game, "--to", "tts", "--output", str(out), folder=shipped)
        found = [
            path for path in out.rglob("*.json") if '"ObjectStates"' in path.read_text(encoding="utf-8")
        ]
        objects = [each for path in found for each in walk(json.loads(path.read_text(encoding="utf-8")))]
        plain = [each for each in objects if str(each.get("Name", "")).startswith(("Die_", "PlayerPawn"))]
        stated = sum("MaterialIndex" in each for each in plain)
        yield f"{game}: dice and pawns with MaterialIndex", "JSON", f"{stated} of {len(plain)}"
    for game in ("ptsd", "access-denied", "blockminers", "mindnet"):
        out = root / f"pcio-{game}"
        run("export", game, "--to", "pcio", "--output", str(out), folder=shipped)
        for room in out.rglob("*.pcio"):
            with ZipFile(room) as packed:
                widgets = json.loads(packed.read("widgets.json"))
            decks = {each["id"]: each for each in widgets if each.get("type") == "cardDeck"}
            cards = Counter(each["deck"] for each in widgets if each.get("type") == "card")
            widths = [decks[id]["cardWidth"] for id, count in cards.items() if count >= LEAST_DECK]
            yield f"{game}: least card in decks", "JSON", f"{min(widths, default=0):.0f} px"


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
        yield (
            f"preflight of {name}",
            "cardgen",
            f"{found['pages']} page, {', '.join(codes) or 'no findings'}",
        )


def main(folder: Path) -> None:
    root = project(folder.resolve())
    for part in (inks_rows, sheet_rows, order_rows, preflight_rows):
        for row in part(root):
            print("{:<52} {:<12} {}".format(*row), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "press-rows"))
