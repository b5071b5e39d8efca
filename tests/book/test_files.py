"""Rulebooks as files: read back with other programs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.production import stages as production
from cardgen.core.findings import Findings
from cardgen.core.geometry import Size
from tests.sampling import one_in
from tests.shipped import shipped

from .conftest import Made, add_book, all_text

MARKDOWN = """# The Demo

What it is about.

## In the box

{{ components.cards.copies }} cards. See [the end](#the-end) or [more](https://example.org/).

![The owl](card:cards/night-owl) ![](card:cards/night-owl#back "20mm")

## The end

### Ties

Nobody wins :star: then.
"""
ROOT = Path(__file__).resolve().parents[2]


def pdf_text(path: Path, *options: str) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    return subprocess.run(
        ["pdftotext", *options, str(path), "-"], check=True, capture_output=True, text=True
    ).stdout


def outline(pdf: pikepdf.Pdf) -> list[tuple[int, str, int]]:
    """Level, title and page (from 1) of each entry."""
    pages = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    names = (
        {str(name): target for name, target in pikepdf.NameTree(pdf.Root.Names.Dests).items()}
        if "/Names" in pdf.Root
        else {}
    )
    found: list[tuple[int, str, int]] = []

    def walk(items: list[pikepdf.OutlineItem], level: int) -> None:
        for item in items:
            target = item.destination
            if target is None and item.action is not None:
                target = item.action.D
            if not isinstance(target, pikepdf.Array):
                name = str(target).lstrip("/")
                target = names[name] if name in names else pdf.Root.Dests[f"/{name}"]
            if isinstance(target, pikepdf.Dictionary):
                target = target.D
            found.append((level, item.title, pages[target[0].objgen]))
            walk(item.children, level + 1)

    with pdf.open_outline() as tree:
        walk(tree.root, 0)
    return found


@pytest.fixture(scope="module")
def built(_demo_original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the demo's files, to be read only."""
    demo = Path(shutil.copytree(_demo_original, tmp_path_factory.mktemp("built") / "demo"))
    add_book(demo, MARKDOWN)
    assert main(["build", "demo", "--project", str(demo)]) == 0
    return demo / "output/demo"


def test_the_pages_for_reading(built: Path) -> None:
    with pikepdf.open(built / "rules.pdf") as pdf:
        assert len(pdf.pages) == 4
        for page in pdf.pages:
            box = [float(value) for value in page.mediabox]
            assert box == pytest.approx([0, 0, 148 * 72 / 25.4, 210 * 72 / 25.4], abs=0.01)
        assert outline(pdf) == [
            (0, "The Demo", 1),
            (1, "In the box", 3),
            (1, "The end", 3),
            (2, "Ties", 3),
        ]
        assert pdf.Root.PageMode == "/UseOutlines"
        links = [annotation for page in pdf.pages for annotation in page.get("/Annots", ())]
        assert len(links) == 5  # three in the contents, two in the text
        addresses = [str(link.A.URI) for link in links if "/A" in link]
        assert addresses == ["https://example.org/"]


def test_the_text_can_be_read_back(built: Path) -> None:
    text = " ".join(pdf_text(built / "rules.pdf").split())
    assert "9 cards. See the end or more." in text
    assert "What it is about." in text
    third = pdf_text(built / "rules.pdf", "-f", "3", "-l", "3")
    assert "Nobody wins" in third
    assert third.strip().splitlines()[-1] == "3" or "\n3\n" in third


def test_fonts_are_embedded_and_subset(built: Path) -> None:
    for name in ("rules.pdf", "booklet.pdf"):
        with pikepdf.open(built / name) as pdf:
            fonts = [
                obj
                for obj in pdf.objects
                if isinstance(obj, pikepdf.Dictionary)
                and obj.get("/Type") == "/Font"
                and obj.get("/Subtype") != "/Type0"
            ]
            assert fonts
            for font in fonts:
                assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont)), font.BaseFont
                assert {"/FontFile2", "/FontFile3"} & set(font.FontDescriptor.keys())


def test_cards_are_forms_and_no_pixels(built: Path) -> None:
    with pikepdf.open(built / "rules.pdf") as pdf:
        assert not [
            obj
            for obj in pdf.objects
            if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Image"
        ]


def test_the_booklet_for_folding(built: Path) -> None:
    with pikepdf.open(built / "booklet.pdf") as pdf:
        assert len(pdf.pages) == 2
        for page in pdf.pages:
            assert [float(value) for value in page.mediabox] == pytest.approx([0, 0, 792, 612], abs=0.01)
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
    first, second = (pdf_text(built / "booklet.pdf", "-f", n, "-l", n, "-layout") for n in ("1", "2"))
    assert "Your name" in first
    assert "Rules" in first  # the title page, to the right of the back
    assert "What it is about." in second
    assert "Nobody wins" in second


def test_the_manifest_lists_both(built: Path) -> None:
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    entries = {entry["path"]: entry for entry in manifest["files"]}
    assert (entries["rules.pdf"]["pages"], entries["rules.pdf"]["cards"]) == (4, 0)
    assert entries["rules.pdf"]["page_mm"] == [148, 210]
    assert entries["booklet.pdf"]["pages"] == 2
    assert entries["booklet.pdf"]["paper"] == "letter"


def test_building_part_of_a_game(
    with_book: Callable[..., Path], run: Callable[..., tuple[int, str, str]]
) -> None:
    project = with_book(MARKDOWN)
    _, out, _ = run("build", "demo", "--component", "rules")
    assert re.findall(r"\S+\.pdf", out) == ["output/demo/rules.pdf", "output/demo/booklet.pdf"] or (
        "rules.pdf" in out and "booklet.pdf" in out and "poker.pdf" not in out
    )
    assert "0 cards" not in out
    code, out, _ = run("build", "demo", "--component", "cards")
    assert code == 0
    assert "poker.pdf" in out
    assert "rules.pdf" not in out
    code, _, err = run("build", "demo", "--sheet", "rules", "--card", "night-owl")
    assert code == 2
    assert "rules" in err
    assert project.is_dir()


def test_list_counts_a_book_as_one(
    with_book: Callable[..., Path], run: Callable[..., tuple[int, str, str]]
) -> None:
    with_book("# T")
    _, out, _ = run("list", "demo", "--format", "json")
    (entry,) = [entry for entry in json.loads(out)["components"] if entry["id"] == "rules"]
    assert entry == {"id": "rules", "kind": "book", "trim_mm": [148, 210], "unique": 1, "copies": 1}


def games_with_books() -> list[str]:
    return [game for game in cardgen.Project.open(ROOT).games() if "kind: book" in manifest_of(game)]


def manifest_of(game: str) -> str:
    return (ROOT / "data" / game / "game.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", one_in(5, games_with_books()))
def test_the_rulebooks_that_ship(game: str) -> None:
    """Their figures are the data's, and both sheets hold the same pages."""
    loaded, findings = shipped(game), Findings()
    rules = loaded.component("rules")
    assert [sheet.name for sheet in loaded.sheets if "rules" in sheet.components] == [
        "rules",
        "rules-booklet",
    ]
    made = Made(production.render_book(loaded, rules, findings), findings)
    assert len(made.pages) % 4 == 0
    assert rules.trim in (Size(139.7, 215.9), Size(148, 210))
    assert sum(len(page.headings) for page in made.pages) >= 6
    main = loaded.components[0]
    text = "".join(all_text(made).split())  # a table's cells follow each other without a space
    assert f"{main.copies}cards" in text or f"{main.copies}{main.title.lower()}" in text
