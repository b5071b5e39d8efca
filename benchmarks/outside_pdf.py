"""What programs that are not cardgen read in its PDFs: where cards lie, marks, fonts, inks."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
from numpy.typing import NDArray
from PIL import Image

MM = 25.4 / 72
PAPERS = {
    "letter": (215.9, 279.4),
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
}
"""Width and height in mm: ANSI/ASME Y14.1, ISO 216."""
MARGIN = 4.2
"""mm along the paper's edges that most printers at home leave blank (1/6 in)."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in mm from the page's upper left corner."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A side on a page: the whole of it with its bleed, and what of it is shown."""

    name: str
    whole: Box
    shown: Box

    def trim(self, width: float, height: float) -> Box | None:
        """Its cut lines, if it is one of that size with an equal bleed all round, lying or standing."""
        left, top, right, bottom = self.whole
        for wide, high in ((width, height), (height, width)):
            across, down = (right - left - wide) / 2, (bottom - top - high) / 2
            if across > -0.01 and abs(across - down) < 0.01:
                return (left + across, top + across, right - across, bottom - across)
        return None

    @property
    def bleed(self) -> tuple[float, float]:
        return self.whole[2] - self.whole[0], self.whole[3] - self.whole[1]


class Page:
    """A page as pikepdf reads it and poppler draws it."""

    def __init__(self, path: Path, page: pikepdf.Page, number: int) -> None:
        self.path, self.page, self.number = path, page, number
        box = [float(value) for value in page.mediabox]
        self.width, self.height = (box[2] - box[0]) * MM, (box[3] - box[1]) * MM

    @cached_property
    def sides(self) -> list[Placed]:
        """The forms called after faces in the page's own content, where its operators put them."""
        found: list[Placed] = []
        matrix, clip = np.eye(3), (0.0, 0.0, self.width, self.height)
        stack: list[tuple[Any, Box]] = []
        pending: Box | None = None
        for operands, operator in pikepdf.parse_content_stream(self.page):
            word = str(operator)
            if word == "q":
                stack.append((matrix, clip))
            elif word == "Q":
                matrix, clip = stack.pop()
            elif word == "cm":
                matrix = _matrix(operands) @ matrix
            elif word == "re":
                x, y, wide, high = map(float, operands)
                pending = self._box(matrix, (x, y, x + wide, y + high))
            elif word in ("W", "W*") and pending is not None:
                clip = _both(clip, pending)
            elif word == "Do":
                form = self.page.Resources.XObject[str(operands[0])]
                if "face" in str(operands[0]) and form.get("/Subtype") == "/Form":
                    own = _matrix(form.get("/Matrix", [1, 0, 0, 1, 0, 0]))
                    whole = self._box(own @ matrix, tuple(map(float, form["/BBox"])))
                    found.append(Placed(str(operands[0]), whole, _both(clip, whole)))
        return found

    def _box(self, matrix: NDArray[Any], box: tuple[float, ...]) -> Box:
        corners = np.array([[x, y, 1] for x in box[::2] for y in box[1::2]]) @ matrix
        across, down = corners[:, 0] * MM, self.height - corners[:, 1] * MM
        return float(across.min()), float(down.min()), float(across.max()), float(down.max())

    def pixels(self, dpi: int) -> NDArray[np.uint8]:
        """The page in colour, drawn by poppler."""
        with tempfile.TemporaryDirectory() as folder:
            words = [
                "pdftoppm",
                "-r",
                str(dpi),
                "-f",
                str(self.number),
                "-l",
                str(self.number),
                "-singlefile",
            ]
            subprocess.run([*words, str(self.path), f"{folder}/page"], check=True, capture_output=True)
            return np.asarray(Image.open(f"{folder}/page.ppm").convert("RGB"))


def _matrix(values: Any) -> NDArray[Any]:
    a, b, c, d, e, f = map(float, values)
    return np.array([[a, b, 0], [c, d, 0], [e, f, 1]])


def _both(one: Box, other: Box) -> Box:
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def pages(path: Path) -> Iterator[Page]:
    with pikepdf.open(path) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            yield Page(path, page, number)


def labels(path: Path) -> list[str]:
    """What MuPDF calls the pages."""
    import pymupdf  # slow to start

    with pymupdf.open(path) as document:
        return [page.get_label() for page in document]


def letters(path: Path) -> Iterator[list[tuple[Box, float, str]]]:
    """Of each page: place, height in pt and words of each run of text that MuPDF finds."""
    import pymupdf  # slow to start

    with pymupdf.open(path) as document:
        for page in document:
            yield [
                (tuple(value * MM for value in span["bbox"]), span["size"], span["text"].strip())
                for block in page.get_text("dict")["blocks"]
                for line in block.get("lines", ())
                for span in line["spans"]
                if span["text"].strip()
            ]


def fonts(path: Path) -> list[tuple[str, bool, bool]]:
    """Name of each font, whether it is embedded, and whether as a subset, by poppler."""
    said = subprocess.run(["pdffonts", str(path)], check=True, capture_output=True, text=True).stdout
    found = []
    for line in said.splitlines()[2:]:
        match = re.search(r"\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$", line)
        assert match is not None, line
        found.append((line.split()[0], match[1] == "yes", match[2] == "yes"))
    return found


def page_boxes(path: Path) -> list[dict[str, tuple[float, float]]]:
    """Width and height in mm of each page's boxes, by poppler."""
    count = len(labels(path))
    words = ["pdfinfo", "-box", "-f", "1", "-l", str(count), str(path)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found: list[dict[str, tuple[float, float]]] = [{} for _ in range(count)]
    for number, name, box in re.findall(r"^Page\s+(\d+) (\w+)Box:\s+(.*)$", said, re.MULTILINE):
        left, bottom, right, top = map(float, box.split())
        found[int(number) - 1][name] = ((right - left) * MM, (top - bottom) * MM)
    return found


def most_ink(path: Path) -> float:
    """The most of all inks together on any pixel of 1/60 in, in per cent, by Ghostscript."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiff32nc", "-r60"]
        words += ["-dPDFSTOPONERROR", f"-sOutputFile={folder}/%d.tif", str(path)]
        subprocess.run(words, check=True, capture_output=True)
        sums = [np.asarray(Image.open(file)).sum(axis=2).max() for file in Path(folder).glob("*.tif")]
        return float(max(sums)) / 2.55


RGB = frozenset({"rg", "RG"})


def colour_operators(path: Path) -> set[str]:
    """Operators that paint in the screen's colours, anywhere in the pages' content and forms."""
    found: set[str] = set()
    with pikepdf.open(path) as pdf:
        for thing in pdf.objects:
            form = isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
            if form:
                found |= {str(word) for _, word in pikepdf.parse_content_stream(thing)} & RGB
        for page in pdf.pages:
            found |= {str(word) for _, word in pikepdf.parse_content_stream(page)} & RGB
    return found


def press_facts(path: Path) -> list[str]:
    """What of PDF/X is missing."""
    with pikepdf.open(path) as pdf:
        wrong = []
        intents = pdf.Root.get("/OutputIntents", [])
        if not any(intent.get("/S") == "/GTS_PDFX" for intent in intents):
            wrong.append("no output intent of PDF/X")
        if not any("/DestOutputProfile" in intent for intent in intents):
            wrong.append("no profile of the press")
        if "PDF/X" not in str(pdf.open_metadata().get("pdfxid:GTS_PDFXVersion", "")) and (
            "PDF/X" not in str(pdf.docinfo.get("/GTS_PDFXVersion", ""))
        ):
            wrong.append("does not say which PDF/X it is")
        if pdf.is_encrypted:
            wrong.append("encrypted")
        wrong += [
            f"page {number} has no trim box"
            for number, page in enumerate(pdf.pages, 1)
            if "/TrimBox" not in page
        ]
        return wrong


def unmarked(page: Page, trims: list[Box], dpi: int = 150) -> tuple[int, list[str]]:
    """How many cuts go through a page, and those of them without a mark that a printer reaches.

    A mark is a line, or a dash of one, of 0.7 mm or more, beyond all cuts or on them, that stands out
    from both of its sides.
    """
    gray = page.pixels(dpi).astype(np.int16).mean(axis=2)
    scale = dpi / 25.4
    outside = np.ones(gray.shape, dtype=bool)
    margin = round(MARGIN * scale)
    outside[:margin], outside[-margin:], outside[:, :margin], outside[:, -margin:] = (False,) * 4
    on = 0.4  # a dashed line lies on the cut itself
    for left, top, right, bottom in ((a + on, b + on, c - on, d - on) for a, b, c, d in trims):
        outside[round(top * scale) : round(bottom * scale), round(left * scale) : round(right * scale)] = (
            False
        )
    count, lacking = 0, []
    for name, lines, picture, free in (
        ("x", {round(edge, 2) for box in trims for edge in box[::2]}, gray, outside),
        ("y", {round(edge, 2) for box in trims for edge in box[1::2]}, gray.T, outside.T),
    ):
        for line in sorted(lines):
            count += 1
            if not _is_marked(picture, free, line * scale, scale):
                lacking.append(f"{page.path.name} page {page.number}: no mark at {name} = {line} mm")
    return count, lacking


def _is_marked(picture: NDArray[Any], free: NDArray[Any], at: float, scale: float) -> bool:
    """Whether a column has a line of 0.7 mm in it, darker or lighter than what is beside it."""
    beside = max(2, round(0.8 * scale))
    for column in (int(at) - 1, int(at), int(at) + 1):
        if not beside <= column < picture.shape[1] - beside:
            continue
        middle = picture[:, column]
        left, right = picture[:, column - beside], picture[:, column + beside]
        sign = np.where((middle < left - 25) & (middle < right - 25), -1, 0)
        sign = np.where((middle > left + 25) & (middle > right + 25), 1, sign)
        sign[~free[:, column]] = 0
        for kind in (-1, 1):
            runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[0], (sign == kind).astype(int), [0]]))))[
                ::2
            ]
            if runs.size and runs.max() >= round(0.7 * scale):
                return True
    return False
