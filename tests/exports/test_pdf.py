"""PDF facts, read back with pikepdf, pdfium and poppler."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core.artwork import Artwork, CardArt, Picture, Rendering, SetText, TextRun
from cardgen.core.findings import Findings, Location
from cardgen.core.game import Card, Component, Game, GameSheet, Limits
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import (
    BackCorrection,
    Heading,
    ImposedSheet,
    Label,
    Line,
    Page,
    Paper,
    PrinterProfile,
    SheetLayout,
    Slot,
)
from cardgen.exports.labels import missing_letters, set_labels
from cardgen.exports.pdf import in_words, page_names, write_pdf
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.drawing import draw
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.store import ArtStore
from cardgen.sheets.calibration import calibration_sheet
from cardgen.sheets.imposition import impose
from cardgen.text.fonts import FontBook
from tests.pdf_grammar import judge

ROOT = Path(__file__).resolve().parents[2]
BLEED = 3.175
POKER = Size(63.5, 88.9)
LETTER = Paper("letter", Size(215.9, 279.4))
MM = 72 / 25.4
COLOURS = {"face": ("#e00000", "#0000e0"), "back": ("#00a000", "#c0c000")}
"""Each side is filled with the first colour; its top left quarter, bleed and all, with the second."""


class Nowhere:
    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        return Location(file)

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        return None, {}


@pytest.fixture(scope="module")
def fontbook() -> FontBook:
    return FontBook(ProjectFolders((ROOT,)))


def side(name: str, text: str, trim: Size, book: FontBook) -> Artwork:
    fill, corner = COLOURS[name]
    size = trim.grown(BLEED)
    width, height = size.width, size.height
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="{fill}"/>'
        f'<rect width="{width / 2}" height="{height / 2}" fill="{corner}"/></svg>'
    )
    font = book.face("IBM Plex Sans", 400, False)
    word = font.word(text)
    run = TextRun(font.key, 4.0, 20.0, 30.0, (word,), (0.0, 0.0, 0.0))
    label = SetText((run,), Rect(20, 26, run.advance, 5), 4.0)
    return Artwork(
        f"{name}-{text}-{trim}", size, BLEED, (Picture(f"{name}{trim}".encode().hex(), svg), label)
    )


def build(
    book: FontBook, trims: list[Size], *, copies: int = 1, **options: object
) -> tuple[ImposedSheet, DrawnArt]:
    cards, artworks, data = [], {}, []
    for number, trim in enumerate(trims):
        face, back = side("face", f"Card{number}", trim, book), side("back", "Back", trim, book)
        artworks[face.key], artworks[back.key] = face, back
        cards.append(CardArt("deck", f"c{number}", copies, face.key, back.key))
        data.append(Card(f"c{number}", "deck", {}, copies, trim, "f", "b", "d", (), number + 1))
    component = Component("deck", "The Deck", "card", "rectangle", None, 3.0, BLEED, 3.2, tuple(data), {})
    sheet = GameSheet("cards", "cards", ("deck",))
    game = Game(
        id="demo",
        title="Demo & Söhne",
        version="1.0",
        author="A. Thor",
        description="",
        language="en",
        players=(1, 2),
        player_count=None,
        components=(component,),
        sheets=(sheet,),
        theme={},
        tables={},
        limits=Limits(),
        rules=None,
        sources=(),
        paths=ProjectFolders((ROOT,)),
        locator=Nowhere(),
    )
    rendering = Rendering(tuple(cards), artworks)
    grid = options.pop("grid", "auto")
    layout = SheetLayout("cards", "Cards", grid, 0.0, BLEED, 5.0, "crop", "long-edge")  # type: ignore[arg-type]
    findings = Findings()
    imposed = impose(game, sheet, layout, LETTER, rendering, findings=findings, **options)  # type: ignore[arg-type]
    assert not findings.errors
    return imposed, draw(rendering, book, ArtStore.memory())


def written(imposed: ImposedSheet, art: DrawnArt, book: FontBook, title: str = "Demo & Söhne") -> bytes:
    out = io.BytesIO()
    write_pdf(imposed, art, book, out, title=title, author="A. Thor", subject="cards")
    return out.getvalue()


@pytest.fixture(scope="module")
def sheet_pdf(fontbook: FontBook) -> bytes:
    imposed, art = build(fontbook, [POKER] * 4, copies=3)
    return written(imposed, art, fontbook)


def points(*lengths: float) -> list[float]:
    return [pytest.approx(length * MM, abs=0.01) for length in lengths]


def test_boxes_of_a_sheet(sheet_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(sheet_pdf)) as pdf:
        assert len(pdf.pages) == 4
        for page in pdf.pages:
            for box in (page.mediabox, page.trimbox, page.obj["/BleedBox"]):
                assert [float(value) for value in box] == points(0, 0, 215.9, 279.4)


def test_boxes_of_single_cards(fontbook: FontBook) -> None:
    imposed, art = build(fontbook, [POKER, POKER.turned], copies=3, grid="single")
    with pikepdf.open(io.BytesIO(written(imposed, art, fontbook))) as pdf:
        assert len(pdf.pages) == 4
        first, lying = pdf.pages[0], pdf.pages[2]
        assert [float(value) for value in first.mediabox] == points(0, 0, 69.85, 95.25)
        assert [float(value) for value in first.trimbox] == points(BLEED, BLEED, 66.675, 92.075)
        assert [float(value) for value in first.obj["/BleedBox"]] == points(0, 0, 69.85, 95.25)
        assert [float(value) for value in lying.mediabox] == points(0, 0, 95.25, 69.85)


def test_each_distinct_side_is_stored_once(sheet_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(sheet_pdf)) as pdf:
        forms = {
            (entry.objgen, name)
            for page in pdf.pages
            for name, entry in page.obj.Resources.XObject.items()
            if name.startswith("/FormXob.face-")
        }
        assert len(forms) == 4 + 1, "four faces and the common back"
        placed = sum(page.Contents.read_bytes().count(b"/FormXob.face-") for page in pdf.pages)
        assert placed == 2 * 12


def test_document_facts(sheet_pdf: bytes) -> None:
    assert sheet_pdf.startswith(b"%PDF-1.7")
    with pikepdf.open(io.BytesIO(sheet_pdf)) as pdf:
        assert str(pdf.docinfo["/Title"]) == "Demo & Söhne"
        assert str(pdf.docinfo["/Author"]) == "A. Thor"
        assert str(pdf.docinfo["/Creator"]) == "cardgen"
        assert str(pdf.Root.Lang) == "en"
        assert str(pdf.docinfo["/CreationDate"]) == "D:20000101000000+00'00'"
        preferences = pdf.Root.ViewerPreferences
        assert str(preferences.PrintScaling) == "/None"
        assert str(preferences.Duplex) == "/DuplexFlipLongEdge"
        with pdf.open_metadata() as metadata:
            assert metadata["dc:title"] == "Demo & Söhne"
            assert metadata["dc:creator"] == ["A. Thor"]
            assert metadata["xmp:CreateDate"] == "2000-01-01T00:00:00Z"
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["The Deck"]
        assert [page.label for page in pdf.pages] == [
            "c0, c1, c2",
            "c0, c1, c2 back",
            "c3",
            "c3 back",
        ]


def test_pages_are_called_after_their_cards(fontbook: FontBook) -> None:
    """Short, in letters of any script, and none twice."""
    whole = Rect(0, 0, 99, 99)

    def page(*cards: str, side: Literal["face", "back"] = "face", number: str | None = None) -> Page:
        slots = tuple(Slot(whole, 0, whole, "a", "deck", card) for card in cards)
        return Page(Size(99, 99), side, whole, whole, slots, number=number)

    pages = [page("fox", "fox"), page("fox"), page(side="back"), page("Žížala", "b", "紙", "ÿ")]
    pages += [page("a" * 99, number=None), page("fox", number="iv"), page("fox", "(b)", side="back")]
    names = ["fox", "fox (page 2)", "back 3", "Žížala … ÿ", "a" * 23 + "…", "iv", "fox, (b) back"]
    assert list(page_names(pages)) == names
    empty = [replace(page, slots=(), number=name) for page, name in zip(pages, names)]
    data = written(ImposedSheet("x", "square", "none", tuple(empty), 0), DrawnArt({}, ()), fontbook)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert [page.label for page in pdf.pages] == names
    assert judge(data).faults == ()


def test_the_date_may_come_from_outside(fontbook: FontBook, monkeypatch: pytest.MonkeyPatch) -> None:
    imposed, art = build(fontbook, [POKER])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime(2024, 5, 6, tzinfo=UTC).timestamp())))
    with pikepdf.open(io.BytesIO(written(imposed, art, fontbook))) as pdf:
        assert str(pdf.docinfo["/CreationDate"]).startswith("D:20240506")
        with pdf.open_metadata() as metadata:
            assert metadata["xmp:CreateDate"] == "2024-05-06T00:00:00Z"


def test_bytes_repeat_and_ids_differ(fontbook: FontBook, sheet_pdf: bytes) -> None:
    imposed, art = build(fontbook, [POKER] * 4, copies=3)
    assert written(imposed, art, fontbook) == sheet_pdf
    other, other_art = build(fontbook, [POKER] * 3)
    with (
        pikepdf.open(io.BytesIO(sheet_pdf)) as one,
        pikepdf.open(io.BytesIO(written(other, other_art, fontbook))) as two,
    ):
        assert bytes(one.trailer.ID[0]) != bytes(two.trailer.ID[0])


def test_an_outline_counts_its_entries(fontbook: FontBook) -> None:
    whole = Rect(0, 0, 100, 100)
    titles = (("Rules", 0), ("Setup", 1), ("Dice", 2), ("Turn", 1), ("End", 2), ("Words", 0))
    headings = tuple(Heading(title, title, level, 10.0) for title, level in titles)
    page = Page(Size(100, 100), "face", whole, whole, (), headings=headings)
    data = written(ImposedSheet("x", "square", "none", (page,), 0), DrawnArt({}, ()), fontbook)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        outlines = pdf.Root.Outlines
        assert outlines.Count == 6
        assert outlines.First.Count == 4
        assert outlines.First.First.Count == 1
    assert judge(data).faults == ()


def test_no_pages_no_file(fontbook: FontBook) -> None:
    out = io.BytesIO()
    with pytest.raises(ValueError, match="no pages"):
        write_pdf(
            ImposedSheet("x", "a4", "none", (), 0), DrawnArt({}, ()), fontbook, out, title="", author=""
        )
    assert out.getvalue() == b""


def test_letters_that_the_label_font_lacks_come_from_others(fontbook: FontBook) -> None:
    """In size and order as all text; where no font has them, as question marks."""
    labels = tuple(
        Label(text, 9, 9, 2.0, 0, room) for text, room in (("A ♠ B", None), ("A 紙 ♥" * 9, 20.0))
    )
    spade, odd = set_labels(labels, fontbook)
    assert [(run.font, run.text) for run in spade.runs if isinstance(run, TextRun)] == [
        ("IBMPlexSansCondensed-Regular", "A "),
        ("CardgenSymbols-Regular", "♠"),
        ("IBMPlexSansCondensed-Regular", " B"),
    ]
    assert "".join(run.text for run in odd.runs if isinstance(run, TextRun)) == "A ? ♥" * 9
    assert 19 < odd.box.width <= 20.001
    whole = Rect(0, 0, 99, 99)
    page = Page(Size(99, 99), "face", whole, whole, (), labels=labels)
    assert missing_letters([page, page], fontbook) == {"紙": labels[1].text}


# ---------------------------------------------------------------- what it looks like


class Pixels:
    """Pages at 2 px a mm."""

    def __init__(self, data: bytes) -> None:
        document = pypdfium2.PdfDocument(data)
        self.pages = [page.render(scale=2 / MM).to_pil().convert("RGB") for page in document]

    def at(self, page: int, x: float, y: float) -> str:
        red, green, blue = self.pages[page].getpixel((int(x * 2), int(y * 2)))
        known = {
            "face": (224, 0, 0), "face corner": (0, 0, 224),
            "back": (0, 160, 0), "back corner": (192, 192, 0), "paper": (255, 255, 255),
        }  # fmt: skip
        for name, colour in known.items():
            if max(abs(a - b) for a, b in zip(colour, (red, green, blue))) < 12:
                return name
        return f"{red},{green},{blue}"


def test_faces_and_backs_are_the_right_way_up(fontbook: FontBook) -> None:
    """One upright card, one landscape card turned a quarter, on letter: cells at 12.7, 6.35."""
    imposed, art = build(fontbook, [POKER, POKER.turned])
    pixels = Pixels(written(imposed, art, fontbook))
    assert pixels.at(0, 12.7 + 4, 6.35 + 4) == "face corner"
    assert pixels.at(0, 12.7 + 60, 6.35 + 4) == "face"
    assert pixels.at(0, 12.7 + 4, 6.35 + 85) == "face"
    second = 12.7 + 63.5  # its top lies to the right, its left end on top
    assert pixels.at(0, second + 60, 6.35 + 4) == "face corner"
    assert pixels.at(0, second + 4, 6.35 + 4) == "face"
    assert pixels.at(0, second + 60, 6.35 + 85) == "face"
    # the back, mirrored: the upright card at the right, its corner at its own top left
    right = 215.9 - 12.7 - 63.5
    assert pixels.at(1, right + 4, 6.35 + 4) == "back corner"
    assert pixels.at(1, right + 60, 6.35 + 4) == "back"
    # the turned card's top lies to the left behind its face's right; its left end at the bottom
    middle = right - 63.5
    assert pixels.at(1, middle + 4, 6.35 + 85) == "back corner"
    assert pixels.at(1, middle + 60, 6.35 + 85) == "back"
    assert pixels.at(1, middle + 4, 6.35 + 4) == "back"


def test_bleed_is_painted_outside_the_block_only(fontbook: FontBook) -> None:
    imposed, art = build(fontbook, [POKER] * 2)
    pixels = Pixels(written(imposed, art, fontbook))
    assert pixels.at(0, 12.7 - 2, 80) == "face"
    assert pixels.at(0, 12.7 - 4, 80) == "paper"
    assert pixels.at(0, 12.7 + 127 + 2, 80) == "face", "towards the empty third cell"
    assert pixels.at(0, 12.7 + 63.5 + 1, 20) == "face corner", "the neighbour's corner is not painted over"
    assert pixels.at(0, 12.7 + 63.5 - 1, 20) == "face"


def test_a_printer_profile_moves_what_is_printed(fontbook: FontBook) -> None:
    profile = PrinterProfile("p", BackCorrection(dx=5.0, dy=2.0), None)
    imposed, art = build(fontbook, [POKER] * 9, printer=profile)
    pixels = Pixels(written(imposed, art, fontbook))
    assert pixels.at(1, 7.7 - 2.5, 80) == "back", "moved 5 mm to the left, as seen from the back"
    assert pixels.at(1, 203.2 - 5 + 2.5, 80) == "back"
    assert pixels.at(1, 203.2 - 5 + 4.5, 80) == "paper", "unmoved, the bleed would reach it"


poppler = pytest.mark.skipif(shutil.which("pdffonts") is None, reason="poppler is not installed")


@poppler
def test_poppler_finds_only_embedded_fonts(sheet_pdf: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(sheet_pdf)
    run = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    fonts = [line.split() for line in run.stdout.splitlines()[2:]]
    assert sorted(line[0].split("+")[1] for line in fonts) == [
        "IBMPlexSans-Regular",
        "IBMPlexSansCondensed-Regular",
    ]
    for line in fonts:
        embedded, subset, unicode = line[-5:-2]
        assert (embedded, subset, unicode) == ("yes", "yes", "yes")


@poppler
def test_poppler_reads_the_text(sheet_pdf: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(sheet_pdf)
    run = subprocess.run(["pdftotext", "-raw", str(path), "-"], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    first, second = (" ".join(page.split()) for page in run.stdout.split("\f")[:2])
    assert first.count("Card0") == 3
    assert "Demo & Söhne 1.0 · cards · faces · page 1/4" in first
    assert "print at 100 %" in first
    assert "backs · page 2/4" in second


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_qpdf_has_no_complaint(sheet_pdf: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(sheet_pdf)
    run = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_calibration_page_is_a_pdf_like_any_other(fontbook: FontBook) -> None:
    data = written(calibration_sheet(LETTER), DrawnArt({}, ()), fontbook)
    text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    assert "against the light" in text


def test_a_long_label_is_set_smaller_to_fit_its_room(fontbook: FontBook) -> None:
    text, room = "An uncommonly long title of a game", 20.0
    whole = Rect(0, 0, 100, 100)
    page = Page(Size(100, 100), "face", whole, whole, (), labels=(Label(text, 10, 50, 3.0, 0, room),))
    sheet = ImposedSheet("x", "square", "none", (page,), 0)
    data = written(sheet, DrawnArt({}, ()), fontbook)
    textpage = pypdfium2.PdfDocument(data)[0].get_textpage()
    assert textpage.get_text_range() == text
    left, right = textpage.get_charbox(0)[0] / MM, textpage.get_charbox(len(text) - 1)[2] / MM
    assert 10 <= left < 11
    assert 28 < right <= 30


@given(st.integers(1, 3), st.booleans(), st.sampled_from(["", "Füchse\n'x'"]))
@settings(max_examples=10, deadline=None)
def test_a_sheet_in_words_is_its_repr(count: int, lined: bool, bookmark: str) -> None:
    rect, line = Rect(1, 2.5, 3, 4), Line(0, 1, 2.25, 3, 0.1)
    slot = Slot(rect, 90, rect.inset(-1), "key", "cards", "fox", "ellipse")
    lines = (line,) * count if lined else ()
    page = Page(Size(9, 9), "face", rect, rect, (slot,) * (count - 1), lines, bookmark=bookmark or None)
    for pages in ((), (page,), (page, page)):
        sheet = ImposedSheet("poker", "letter", "none", pages, count)
        assert "".join(in_words(sheet)) == repr(sheet)
