"""How evenly paragraphs are set: cardgen beside Typst, Chromium and Pango.

    python benchmarks/even_lines.py [--width 58] [--size 8.5]

Twelve paragraphs of the shipped rulebooks, in IBM Plex Sans, without hyphens. Each program breaks the
lines; widths are measured here, so that all are judged alike. Programs that are missing are skipped.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import json
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cardgen.core.geometry import MM_PER_PT, Rect  # noqa: E402
from cardgen.text.setting import compose  # noqa: E402
from cardgen.text.shaping import Font  # noqa: E402
from cardgen.text.spans import Align, Options, Paragraph, Span, Style  # noqa: E402

FONTS = ROOT / "fonts/ibm-plex-sans"
FAMILY = "IBM Plex Sans"
TEXTS, LEAST_WORDS, MOST_WORDS = 12, 35, 120
LOOSE = 1.5
"""Times its own width beyond which a space is counted as wide, the limit of TeX's fonts."""


def paragraphs() -> list[str]:
    """Return the longest paragraphs of the rulebooks that contain plain words."""
    found: list[str] = []
    for path in sorted(ROOT.glob("data/*/rulebook.md")):
        for part in path.read_text(encoding="utf-8").split("\n\n"):
            text = " ".join(re.sub(r"\{\{.*?\}\}", "three", part, flags=re.DOTALL).split())
            text = re.sub(r"[*_]", "", text)
            words = len(text.split())
            if (
                text[:1].isalpha()
                and LEAST_WORDS <= words <= MOST_WORDS
                and not re.search(r"[:|{}\[\]<>@]", text)
            ):
                found.append(text)
    return sorted(found, key=lambda text: (-len(text), text))[:TEXTS]


Breaker = Callable[[Sequence[str], float, float, bool], list[list[str]]]
"""A program: texts, width in mm, size in pt, and True for justified ones; the lines of each."""


def by_cardgen(texts: Sequence[str], width: float, size: float, justify: bool) -> list[list[str]]:
    font = Font("plex", FONTS / "IBMPlexSans-Regular.ttf")
    style = Style(font, size * MM_PER_PT, (0.0, 0.0, 0.0))
    align: Align = "justify" if justify else "start"
    made: list[list[str]] = []
    for text in texts:
        composed = compose([Paragraph((Span(text, style),))], Rect(0, 0, width, 900), Options(align=align))
        lines: dict[float, str] = {}
        for run in composed.runs:
            lines[run.y] = lines.get(run.y, "") + getattr(run, "text", "")
        made.append([line.strip() for _, line in sorted(lines.items())])
    return made


def by_typst(texts: Sequence[str], width: float, size: float, justify: bool) -> list[list[str]]:
    import pymupdf
    import typst

    pages = "\n#pagebreak()\n".join(f"#text({json.dumps(text, ensure_ascii=False)})" for text in texts)
    source = (
        f"#set page(width: {width + 20}mm, height: 300mm, margin: 10mm)\n"
        f'#set text(font: "{FAMILY}", size: {size}pt, hyphenate: false, overhang: false)\n'
        f'#set par(justify: {str(justify).lower()}, linebreaks: "optimized")\n{pages}'
    )
    with pymupdf.open("pdf", typst.compile(source.encode(), font_paths=[str(FONTS)])) as document:
        return [_rows(page.get_text("words")) for page in document]


def _rows(words: Sequence[tuple[float, float, float, float, str, int, int, int]]) -> list[str]:
    rows: dict[int, list[tuple[float, str]]] = {}
    for x, _, _, bottom, word, *_ in words:
        rows.setdefault(round(bottom), []).append((x, word))
    return [" ".join(word for _, word in sorted(row)) for _, row in sorted(rows.items())]


_ROWS = """(node) => {
  const words = [], range = document.createRange(), text = node.firstChild;
  for (const match of text.data.matchAll(/\\S+/g)) {
    range.setStart(text, match.index);
    range.setEnd(text, match.index + match[0].length);
    words.push([Math.round(range.getClientRects()[0].bottom), match[0]]);
  }
  return words;
}"""


def by_chromium(
    texts: Sequence[str], width: float, size: float, justify: bool, wrap: str = "pretty"
) -> list[list[str]]:
    from playwright.sync_api import sync_playwright

    face = (FONTS / "IBMPlexSans-Regular.ttf").as_uri()
    style = (
        f"@font-face {{font-family: P; src: url({face})}} p {{font: {size}pt P; width: {width}mm; "
        f"text-align: {'justify' if justify else 'start'}; text-wrap: {wrap}; margin: 0}}"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page_file = Path(folder) / "page.html"
        body = "".join(f"<p>{text}</p>" for text in texts)
        page_file.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{body}", "utf-8")
        with play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser:
            page = browser.new_page()
            page.goto(page_file.as_uri())
            page.evaluate("document.fonts.ready")
            made: list[list[str]] = []
            for node in page.query_selector_all("p"):
                rows: dict[int, list[str]] = {}
                for bottom, word in node.evaluate(_ROWS):
                    rows.setdefault(bottom, []).append(word)
                made.append([" ".join(row) for _, row in sorted(rows.items())])
            return made


def by_chromium_plain(texts: Sequence[str], width: float, size: float, justify: bool) -> list[list[str]]:
    return by_chromium(texts, width, size, justify, "wrap")


def by_pango(texts: Sequence[str], width: float, size: float, justify: bool) -> list[list[str]]:
    import os

    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "fonts.conf"
        listing.write_text(
            f"<?xml version='1.0'?><fontconfig><dir>{FONTS}</dir><cachedir>{folder}</cachedir></fontconfig>"
        )
        os.environ["FONTCONFIG_FILE"] = str(listing)
        names = [ctypes.util.find_library(name) for name in ("pango-1.0", "pangocairo-1.0")]
        if None in names:
            raise ImportError("no Pango")
        pango, cairo = (ctypes.CDLL(name) for name in names)
        pointer = ctypes.c_void_p
        for library, name in ((cairo, "pango_cairo_font_map_get_default"), (pango, "pango_layout_new")):
            getattr(library, name).restype = pointer
        pango.pango_font_map_create_context.restype = pointer
        pango.pango_font_description_from_string.restype = pointer
        pango.pango_layout_get_line_readonly.restype = ctypes.POINTER(_PangoLine)
        context = pointer(
            pango.pango_font_map_create_context(pointer(cairo.pango_cairo_font_map_get_default()))
        )
        pango.pango_context_set_round_glyph_positions(context, 0)
        cairo.pango_cairo_context_set_resolution(context, ctypes.c_double(72.0))
        face = pointer(pango.pango_font_description_from_string(f"{FAMILY} {size}".encode()))
        made: list[list[str]] = []
        for text in texts:
            layout, data = pointer(pango.pango_layout_new(context)), text.encode()
            pango.pango_layout_set_font_description(layout, face)
            pango.pango_layout_set_width(layout, round(width / MM_PER_PT * 1024))
            pango.pango_layout_set_justify(layout, int(justify))
            pango.pango_layout_set_text(layout, data, len(data))
            lines = []
            for number in range(pango.pango_layout_get_line_count(layout)):
                line = pango.pango_layout_get_line_readonly(layout, number).contents
                lines.append(data[line.start : line.start + line.length].decode().strip())
            made.append(lines)
        return made


class _PangoLine(ctypes.Structure):
    _fields_ = (("layout", ctypes.c_void_p), ("start", ctypes.c_int), ("length", ctypes.c_int))


PROGRAMS: dict[str, Breaker] = {
    "cardgen": by_cardgen,
    "Typst": by_typst,
    "Chromium, pretty": by_chromium,
    "Chromium": by_chromium_plain,
    "Pango": by_pango,
}


def figures(
    texts: Sequence[Sequence[str]], width: float, size: float
) -> tuple[float, float, float, int, int]:
    """Return, of all lines but the last ones: the root mean square of what spaces are wider or narrower
    than their own width if justified, the widest space, the same mean of unused widths as shares of the
    width, how many lines have wide spaces, and all lines."""
    font = Font("plex", FONTS / "IBMPlexSans-Regular.ttf")
    em, space = size * MM_PER_PT, font.word(" ").advance
    spaces: list[float] = []
    ends: list[float] = []
    for lines in texts:
        for line in lines[:-1]:
            words = line.split()
            own = sum(font.word(word).advance for word in words) + (len(words) - 1) * space
            ends.append(1 - own * em / width)
            if len(words) > 1:
                spaces.append(1 + (width / em - own) / (len(words) - 1) / space)
    uneven = mean((each - 1) ** 2 for each in spaces) ** 0.5
    middle = mean(ends)
    ragged = mean((each - middle) ** 2 for each in ends) ** 0.5
    return uneven, max(spaces), ragged, sum(each > LOOSE for each in spaces), sum(map(len, texts))


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--width", type=float, default=58.0, help="mm of a line")
    reader.add_argument("--size", type=float, default=8.5, help="pt of the type")
    asked = reader.parse_args()
    texts = paragraphs()
    counts = [len(text.split()) for text in texts]
    print(
        f"{len(texts)} texts of {min(counts)} to {max(counts)} words, {asked.width:g} mm, {asked.size:g} pt"
    )
    for justify in (True, False):
        print(
            "justified: spaces vary by, the widest, wider than 150 %, lines"
            if justify
            else "ragged: ends vary by, lines"
        )
        for name, program in PROGRAMS.items():
            try:
                made = program(texts, asked.width, asked.size, justify)
            except ImportError as error:
                print(f"  {name:18} is not here ({error})")
                continue
            for text, lines in zip(texts, made, strict=True):
                assert "".join(lines).replace(" ", "") == text.replace(" ", ""), (name, text, lines)
            uneven, widest, ragged, loose, count = figures(made, asked.width, asked.size)
            print(
                f"  {name:18} "
                + (
                    f"{uneven:6.1%} {widest:6.0%} {loose:4} {count:4}"
                    if justify
                    else f"{ragged:6.1%} {count:4}"
                )
            )


if __name__ == "__main__":
    main()
