"""What a press makes of a game's colours, in the report: as a page, a PDF and JSON."""

from __future__ import annotations

import io
import json
import re

import pikepdf
import pypdfium2

from cardgen.core.findings import Location
from cardgen.rules.report_content import PressColor, PressPage
from cardgen.rules.reports import report
from tests.pdf_grammar import judge
from tests.rules.samples import FACES, RESULTS, SUITS

PAGE = PressPage(
    "Shop <coated>",
    "PDF/X-4",
    240,
    238.6,
    "fox",
    12,
    False,
    ("Gold Foil",),
    (PressColor("#00ff5a", "#5bc26b", 17.4, 410.0, ("fox", "owl"), Location("data/demo/game.yaml", 9)),),
    (PressColor("#07110c", None, 310.2, 90.0, ("owl",), Location("templates/demo/card.svg", 4)),),
)


def test_the_page_shows_screen_and_print_beside_each_other() -> None:
    page = report(SUITS, RESULTS, "html", FACES, press=PAGE).decode("utf-8")
    section = page[page.index('<section id="press">') :]
    assert re.findall(r'fill="(#\w{6})"', section) == ["#00ff5a", "#5bc26b", "#07110c"]
    words = " ".join(re.sub("<[^>]+>", " ", section).split())
    assert "Shop &lt;coated&gt;" in words
    assert "most ink on a side 239 %, card fox" in words
    assert "#00ff5a #5bc26b 17 410 data/demo/game.yaml:9 fox and 1 more" in words
    assert "#07110c 310 90 templates/demo/card.svg:4 owl" in words
    assert "in error" not in words


def test_the_book_shows_the_same() -> None:
    book = report(SUITS, RESULTS, "pdf", FACES, press=PAGE)
    assert judge(book).faults == ()
    with pypdfium2.PdfDocument(book) as document:
        said = "".join(sheet.get_textpage().get_text_range() for sheet in document)
    for words in (
        "\u2206E",
        "#00ff5a",
        "#5bc26b",
        "17",
        "410",
        "data/demo/game.yaml:9",
        "Gold Foil",
        "310",
    ):
        assert words in said
    with pikepdf.open(io.BytesIO(book)) as pdf:
        fills = [
            tuple(round(float(value) * 255) for value in each.operands)
            for each in pikepdf.parse_content_stream(pdf.pages[-1])
            if str(each.operator) in ("rg", "scn")
        ]
    screen, printed = fills.index((0, 255, 90)), fills.index((0x5B, 0xC2, 0x6B))
    assert printed == screen + 1


def test_programs_get_the_figures() -> None:
    told = json.loads(report(SUITS, RESULTS, "json", FACES, press=PAGE))["press"]
    assert (told["ink_limit"], told["most_ink"], told["most_ink_card"]) == (240, 239, "fox")
    assert told["missed"] == [
        {
            "screen": "#00ff5a",
            "print": "#5bc26b",
            "delta_e": 17.4,
            "area_mm2": 410.0,
            "cards": ["fox", "owl"],
            "place": {"file": "data/demo/game.yaml", "line": 9},
        }
    ]
    assert told["heavy"][0]["ink"] == 310


def test_without_a_press_nothing_is_said_of_one() -> None:
    assert "press" not in json.loads(report(SUITS, RESULTS, "json", FACES))
    assert 'id="press"' not in report(SUITS, RESULTS, "html", FACES).decode("utf-8")
