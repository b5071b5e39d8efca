"""Which sides are printed: what layouts, schemas and options say of it against the words in built PDFs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.data.list import catalogue
from cardgen.core.sheets import DUPLEX, Duplex
from tests.for_each import for_each

SHIPPED = {
    entry["name"]: entry["details"]
    for entry in catalogue("layouts", cardgen.Project.open(Path(__file__).parents[2]), None)
    if not entry["name"].startswith("silhouette-") or entry["name"] == "silhouette-a4-poker"
}
STATED: dict[str, Duplex] = {f"own-{grid}-{mode}": mode for grid in ("auto", "single") for mode in DUPLEX}
"""Layouts of the project's own, by what they say of backs."""
BOXES = ("box", "big-box")
OWN_GRIDS = ("booklet", "tiled")
WITH_PLACES = ("label-", "perforated", "silhouette-")
CARDS, BARE = 3, 2

GAME = """
id: sides
title: Sides
version: "1"
author: Nobody
players: {min: 1, max: 2}
components:
  cards: {title: Cards, kind: card, trim: [60mm, 24mm], bleed: 1mm, data: cards.yaml, face: face.svg,
    back: back.svg}
  bare: {title: Bare, kind: card, trim: [60mm, 24mm], bleed: 1mm, data: bare.yaml, face: face.svg}
  board: {title: Board, kind: board, trim: [300mm, 300mm], data: board.yaml, face: face.svg, back: back.svg}
  figures: {title: Figures, kind: standee, trim: [40mm, 50mm], data: figures.yaml, face: face.svg,
    back: back.svg, standee: {foot: tab}}
  book: {title: Book, kind: book, trim: [100mm, 150mm], book: rules.md}
sheets:
"""
SIDE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
    'viewBox="0 0 {{ width }} {{ height }}"><text x="{{ width / 2 - 8 }}" y="{{ height / 2 }}" '
    'font-family="IBM Plex Sans" font-size="3">WORD</text></svg>'
)


def pieces(layout: str) -> list[str]:
    """The components that a layout is for."""
    grid = SHIPPED[layout]["grid"] if layout in SHIPPED else layout.split("-")[1]
    if grid in ("tiled", "booklet"):
        return [{"tiled": "board", "booklet": "book"}[grid]]
    return {"standees": ["figures"]}.get(layout, ["cards", "bare"])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> cardgen.Project:
    root = tmp_path_factory.mktemp("sides")
    names = [*(name for name in SHIPPED if name not in BOXES), *STATED]
    names += [f"own-{grid}-{mode}" for grid in OWN_GRIDS for mode in DUPLEX]
    sheets = [f"  {name}: {{layout: {name}, components: [{', '.join(pieces(name))}]}}\n" for name in names]
    sheets.append("  reading: {layout: single, components: [book]}\n")
    files = {
        "data/sides/game.yaml": GAME.lstrip() + "".join(sheets),
        "data/sides/cards.yaml": f"cards: [{', '.join(f'{{id: c{n}}}' for n in range(CARDS))}]\n",
        "data/sides/bare.yaml": f"bare: [{', '.join(f'{{id: b{n}}}' for n in range(BARE))}]\n",
        "data/sides/board.yaml": "board: [{id: market}]\n",
        "data/sides/figures.yaml": "figures: [{id: toad}]\n",
        "data/sides/rules.md": "# Rules\n\nPlay.\n",
        "templates/sides/face.svg": SIDE.replace("WORD", "FACE"),
        "templates/sides/back.svg": SIDE.replace("WORD", "BACK"),
    }
    for grid in ("auto", "single", *OWN_GRIDS):
        for mode in DUPLEX:
            files[f"data/sheets/own-{grid}-{mode}.yaml"] = f"title: Own\ngrid: {grid}\nduplex: {mode}\n"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(root)


@cache
def built(
    project: cardgen.Project, duplex: Duplex | None, backs: bool
) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """The sides on each page, such as FFB, by file; and the sheets in findings, by their code."""
    options = cardgen.BuildOptions("sides", duplex=duplex, backs=backs)
    import pymupdf  # takes a second, so not for each collection

    result = cardgen.build(options, project=project)
    pages = {}
    for file in result.files:
        with pymupdf.open(project.root / file.path) as document:
            words = [page.get_text().split() for page in document]
        pages[Path(file.path).stem] = [
            "".join(w[0] for w in page if w in ("FACE", "BACK")) for page in words
        ]
    said: dict[str, set[str]] = {}
    for finding in result.findings:
        if finding.location is not None and (finding.location.path or "").startswith("sheets."):
            said.setdefault(finding.code, set()).add(str(finding.location.path).removeprefix("sheets."))
    return pages, said


def pages_of(files: dict[str, list[str]], sheet: str) -> list[str]:
    (name,) = [name for name in files if name.split(".")[0] == sheet]
    return files[name]


CHOICES = [(None, True), ("fold", True), ("none", True), ("fold", False)]


@for_each(("duplex", "backs"), CHOICES)
def test_cards_have_the_backs_that_option_and_layout_say(
    project: cardgen.Project, duplex: Duplex | None, backs: bool
) -> None:
    files, said = built(project, duplex, backs)
    for layout in (*SHIPPED, *STATED):
        if layout in BOXES or pieces(layout) != ["cards", "bare"]:
            continue
        stated = STATED.get(layout) or SHIPPED[layout]["duplex"]
        mode = (duplex or stated) if backs else "none"
        single = "single" in layout
        if mode == "fold" and layout.startswith(WITH_PLACES):
            assert layout in said["sheet/duplex"], layout
            mode = stated
        pages = pages_of(files, layout)
        sides = "".join(pages)
        assert sides.count("F") == CARDS + BARE, (layout, pages)
        assert sides.count("B") == (0 if mode == "none" else CARDS), (layout, pages)
        together = any("F" in page and "B" in page for page in pages)
        assert together is (mode == "fold" and not single), (layout, pages)
        if not layout.startswith(WITH_PLACES):
            assert (layout in said.get("sheet/duplex", ())) is (mode == "fold" and single), layout
        if mode in ("long-edge", "short-edge") or (mode == "fold" and single):
            assert all("B" not in page for page in pages[::2]), (layout, pages)


@for_each(("duplex", "backs"), CHOICES)
def test_boards_figures_and_books_keep_their_sides_and_say_so(
    project: cardgen.Project, duplex: Duplex | None, backs: bool
) -> None:
    files, said = built(project, duplex, backs)
    told = said.get("sheet/duplex", set())
    for layout in ("board", *(f"own-tiled-{mode}" for mode in DUPLEX)):
        assert set("".join(pages_of(files, layout))) == {"F"}, layout
        assert (layout in told) is (backs and duplex not in (None, "none")), layout
    assert "".join(sorted("".join(pages_of(files, "standees")))) == ("BF" if backs else "F")
    assert ("standees" in told) is (duplex == "none" and backs)
    for layout in ("booklet", *(f"own-booklet-{mode}" for mode in DUPLEX)):
        stated = "short-edge" if layout == "booklet" else layout.removeprefix("own-booklet-")
        assert len(pages_of(files, layout)) == 2, layout
        assert (layout in told) is ((duplex or stated) in ("fold", "none")), layout
    assert "reading" not in told


def test_a_file_is_called_after_the_duplex_that_changed_it(project: cardgen.Project) -> None:
    plain, _ = built(project, None, True)
    for duplex, _ in CHOICES[1:3]:
        files, _ = built(project, duplex, True)
        for name, pages in files.items():
            sheet, _, option = name.partition(".")
            assert option in ("", f"duplex-{duplex}")
            if not option:
                assert plain[sheet] == pages, sheet


def test_list_and_schema_say_what_is_printed() -> None:
    for name, details in SHIPPED.items():
        assert (details["duplex"] == "none") is name.startswith(
            ("board", *BOXES, "label-", "sleeves", "stickers")
        )
    schema = json.loads((Path(__file__).parents[2] / "schemas" / "sheet.schema.json").read_bytes())
    assert tuple(schema["properties"]["duplex"]["enum"]) == DUPLEX
    assert all(mode in schema["properties"]["duplex"]["description"] for mode in DUPLEX)
