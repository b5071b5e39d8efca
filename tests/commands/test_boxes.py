"""Boxes from game.yaml to files: what is said of wrong ones, what stands in PDF and cuts of right ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

import cardgen
from cardgen.commands.production.stages import Imposer
from cardgen.core.artwork import Artwork, CardArt, Rendering
from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, corners_of
from cardgen.core.sheets import CasedLine, Room
from cardgen.game.facts import load_layouts
from cardgen.sheets.boxes import SEAM, box_lines, inside, surface
from cardgen.sheets.dielines import tuck_box
from cardgen.sheets.marks import keeps_clear, registration_marks
from tests.for_each import for_each
from tests.wording import Wording

GAME = """
id: demo
title: Demo
version: "1"
author: Nobody
players: {min: 1, max: 2}
components:
  cards: {title: Cards, kind: card, trim: poker, data: cards.yaml, face: card.svg}
  box:
    title: Box
    kind: box
    safe: 1.5mm
    box: {holds: [cards]}
    data: box.yaml
    face: box.svg
sheets:
  box: {components: [box]}
  cards: {layout: poker, components: [cards]}
"""
CARD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="69.85mm" height="95.25mm" viewBox="0 0 69.85 95.25"/>'
)
BOX = """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width|f }}mm" height="{{ height|f }}mm"
 viewBox="0 0 {{ width|f }} {{ height|f }}">
<rect width="{{ width|f }}" height="{{ height|f }}" fill="#004080"/>
<g transform="{{ component.box.front.upright }}">
<text x="30" y="40" font-family="IBM Plex Sans" font-size="4" fill="#fff">{{ card.title }}</text></g></svg>
"""


def project(root: Path, game: str = GAME, copies: int = 54, template: str = BOX) -> cardgen.Project:
    files = {
        "data/demo/game.yaml": game.lstrip(),
        "data/demo/cards.yaml": f"cards: [{{id: one, copies: {copies - 4}}}, {{id: two, copies: 4}}]\n",
        "data/demo/box.yaml": "box: [{id: box, title: Demo}]\n",
        "templates/demo/card.svg": CARD,
        "templates/demo/box.svg": template,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(root)


def loaded(root: Path, game: str = GAME, copies: int = 54) -> cardgen.Game:
    return cardgen.load("demo", project=project(root, game, copies))


def said(root: Path, game: str, copies: int = 54) -> list[str]:
    """What is wrong with a game, in short."""
    with pytest.raises(cardgen.CardgenError) as caught:
        loaded(root, game, copies)
    return [
        f"{each.code} {each.location.line if each.location else 0}: {each.message}"
        for each in caught.value.findings
    ]


def imposed(
    game: cardgen.Game, paper: str, findings: Findings, layout: str = "box", copies: int = 1
) -> cardgen.ImposedSheet:
    box = game.component("box")
    assert box.box is not None
    art = Artwork("art", box.box.size.grown(box.bleed), box.bleed, ())
    rendering = Rendering((CardArt("box", "box", copies, "art", None),), {"art": art}, {})
    sheet = replace(game.sheets[0], layout=layout)
    return Imposer(replace(game, sheets=(sheet,)), paper).impose(sheet, rendering, findings)


def test_a_box_has_the_size_of_what_lies_in_it(tmp_path: Path) -> None:
    game = loaded(tmp_path)
    box = game.component("box")
    wanted = tuck_box(Room(64.5, 89.9, 54 * 0.3 + 1), 0.35)
    assert box.box == replace(wanted, cards=54, about={"holds": ["cards"], "sleeved": False})
    assert box.trim == wanted.size
    assert corners_of(box.shape, Rect(0, 0, wanted.size.width, wanted.size.height))[0] == pytest.approx(
        wanted.outline[0]
    )  # type: ignore[index]
    assert game.component("cards").box is None


def test_more_cards_and_sleeves_make_a_deeper_box(tmp_path: Path) -> None:
    few = loaded(tmp_path / "few", copies=20).component("box").box
    many = (
        loaded(
            tmp_path / "many", GAME.replace("[cards]}\n    data", "[cards], sleeved: true}\n    data"), 40
        )
        .component("box")
        .box
    )
    assert few is not None
    assert many is not None
    assert (few.room.depth, many.room.depth) == pytest.approx((7.0, 21.0))
    assert many.room.width > few.room.width


SLIPS = [
    (("holds: [cards]", "holds: [card]"), "reference/component 12: there is no component 'card'"),
    (("holds: [cards]", "holds: [box]"), "box/holds 12: 'box' is a box itself"),
    (("safe: 1.5mm", "trim: poker"), "component/key 11: a box has no 'trim'"),
    (("safe: 1.5mm", "shape: ellipse"), "component/key 11: a box has no 'shape'"),
    (("safe: 1.5mm", "back: box.svg"), "component/key 11: a box has no 'back'"),
    (("trim: poker", "box: {holds: [box]}, trim: poker"), "component/key 7: only a box has a 'box'"),
    (
        ("[cards]}\n    data", "[cards], form: wallet, bottom: glued}\n    data"),
        "component/key 12: a wallet has no 'bottom'",
    ),
    (
        ("[cards]}\n    data", "[cards], thickness: {cards: 1mm}}\n    data"),
        "component/key 12: a tuck has no ",
    ),
    (
        ("[cards]}\n    data", "[cards], form: tray, boxes: 2}\n    data"),
        "component/key 12: a tray has no ",
    ),
    (("[cards]}\n    data", "[cards], form: lid}\n    data"), "box/holds 12: a lid holds one tray"),
    (
        ("[cards]}\n    data", "[cards], form: tray, thickness: {card: 1mm}}\n    data"),
        "box/holds 12: 'card' is not in this box",
    ),
    (
        ("[cards]}\n    data", "[cards], play: 200mm}\n    data"),
        "schema/length 12: the length 200mm is above the maximum",
    ),
    (
        ("[cards]}\n    data", "[cards], stock: 0mm, play: 0mm}\n    data"),
        "box/size 12: 63.5×88.9 mm and 0 mm deep is too",
    ),
    (("    box: {holds: [cards]}\n", ""), "schema/required 9: "),
]


def test_slips_are_said(tmp_path: Path) -> None:
    for change, wanted in SLIPS:
        found = said(tmp_path, GAME.replace(*change))
        assert any(each.startswith(wanted) for each in found), found


def test_a_pile_without_end_is_no_box(tmp_path: Path, wording: Wording) -> None:
    thick = GAME.replace("{holds", "{stock: 3mm, holds")
    (found,) = [each for each in said(tmp_path, thick, 900) if each.startswith("box/")]
    wording(found, "box/size", "12", "900", "2,701")


def test_a_wallet_of_many_cards_is_warned_of(tmp_path: Path) -> None:
    game = loaded(tmp_path, GAME.replace("{holds", "{form: wallet, holds"))
    assert [each.code for each in game.remarks if each.code.startswith("box/")] == ["box/wallet"]
    assert not [
        each for each in loaded(tmp_path / "few", copies=18).remarks if each.code.startswith("box/")
    ]


def test_boxes_that_share_the_cards_are_as_deep_as_the_fullest(tmp_path: Path) -> None:
    shared = loaded(tmp_path, GAME.replace("{holds", "{boxes: 2, holds"), copies=145).component("box").box
    assert shared is not None
    assert shared.cards == 73
    assert shared.room.depth == pytest.approx(73 * 0.3 + 1)


def test_as_many_boxes_are_printed_as_share_the_cards(tmp_path: Path, wording: Wording) -> None:
    game = loaded(tmp_path, GAME.replace("{holds", "{boxes: 2, holds"))
    (found,) = [each for each in game.remarks if each.code == "box/copies"]
    wording(found)
    assert found.location is not None
    assert found.location.path == "components.box.box.boxes"


def test_a_box_that_is_too_large_says_by_how_much_and_which_paper_holds_it(
    tmp_path: Path, wording: Wording
) -> None:
    findings = Findings()
    game = loaded(tmp_path, copies=140)
    assert imposed(game, "a4", findings).pages == ()
    (found,) = findings.items
    assert found.code == "sheet/too-large"
    over = re.search(r"is ([\d.]+) mm too high for a4", found.message)
    box = game.component("box").box
    assert over is not None
    assert box is not None
    assert float(over[1]) == pytest.approx(box.size.height + 2 * 3.175 - 200, abs=0.06)
    wording(found, "215.9", "279.4")


def test_no_ink_lies_on_areas_for_glue(tmp_path: Path) -> None:
    for copies, form in ((54, "tuck"), (16, "wallet"), (34, "tuck")):
        game = loaded(
            tmp_path / f"{copies}{form}", GAME.replace("{holds", f"{{form: {form}, holds"), copies
        )
        box = game.component("box").box
        assert box is not None
        (page,) = imposed(game, "a4", Findings()).pages
        trim = page.slots[0].trim
        areas = [[(x + trim.x, y + trim.y) for x, y in area] for area in box.glue]
        assert len(page.slots) == sum(not panel.glued for panel in box.panels)
        for slot in page.slots:
            ink = corners_of(slot.shape, slot.clip)
            assert ink is not None
            for area in areas:
                assert abs(surface(inside(ink, area) or [(0, 0)] * 3)) <= SEAM
        hatched = [line for line in page.lines if line.weight < 0.06]
        assert len(hatched) > 10
        folds = [line for line in page.lines if isinstance(line, CasedLine) and line.dashed]
        cuts = [line for line in page.lines if isinstance(line, CasedLine) and not line.dashed]
        assert len(folds) == len(box.folds)
        assert len(cuts) == len(box.outline) + len(box.slits)


def test_a_sheet_holds_boxes_or_other_things(tmp_path: Path) -> None:
    game = loaded(tmp_path, GAME.replace("components: [box]}", "components: [box, cards]}"))
    findings = Findings()
    assert imposed(game, "a4", findings).pages == ()
    assert [each.code for each in findings.items] == ["sheet/box"]


def test_the_box_in_files(tmp_path: Path) -> None:
    made = project(tmp_path)
    options = cardgen.BuildOptions("demo", paper="a4", sheets=("box",), cut=("svg", "dxf", "pdf"))
    paths = {Path(file.path).name: Path(file.path) for file in cardgen.build(options, project=made).files}
    svg = paths["box.a4.cut-1.svg"].read_text(encoding="utf-8")
    cut, crease = svg.split('<g id="crease"')
    box = cardgen.load("demo", project=made).component("box").box
    assert box is not None
    assert cut.count("<path") == 1 + len(box.slits)
    assert crease.count("<path") == len(box.folds)
    dxf = paths["box.a4.cut-1.dxf"].read_text(encoding="ascii")
    assert len(re.findall(r"LINE\n  8\nCREASE\n", dxf)) == len(box.folds)
    assert len(re.findall(r"LINE\n  8\nCUT\n", dxf)) == len(box.outline) + len(box.slits)
    with pikepdf.open(paths["box.a4.cut.pdf"]) as pdf:
        spots = {str(space[1]) for space in pdf.pages[0].Resources.ColorSpace.values()}  # type: ignore[union-attr]
        assert spots == {"/CutContour", "/Crease"}
        width, height = (float(value) for value in pdf.pages[0].MediaBox[2:])  # type: ignore[index]
        assert (width, height) == pytest.approx((595.28, 841.89), abs=0.1)
    with pikepdf.open(paths["box.a4.pdf"]) as pdf:
        assert len(pdf.pages) == 1


def test_text_across_a_fold_leaves_the_safe_zone_of_its_panel(tmp_path: Path) -> None:
    def codes(template: str, name: str) -> list[str]:
        made = project(tmp_path / name, template=template)
        return [
            each.code
            for each in cardgen.check(cardgen.load("demo", project=made))
            if each.code == "text/safe-zone"
        ]

    assert codes(BOX, "good") == []
    assert codes(BOX.replace('x="30"', 'x="-4"'), "bad") == ["text/safe-zone"]


@for_each(("copies", "titles"), [(9, 1), (54, 5)])
def test_plain_box_too_thin_for_a_title_has_none_on_its_sides(
    copies: int, titles: int, tmp_path: Path
) -> None:
    palette = "'ground': '#000', 'ink': '#fff', 'accent': '#fff', 'on_accent': '#000', 'panel': '#fff', "
    plain = (
        "{% import '_shared/box.svg' as kit %}{% set look = {" + palette + "'type': '#000', "
        "'display': 'IBM Plex Sans', 'text': 'IBM Plex Sans'} %}"
        + BOX[: BOX.index("<rect")]
        + "{{ kit.plain(component.box, {'title': card.title, 'text': ''}, look, width, height) }}</svg>"
    )
    made = project(tmp_path, copies=copies, template=plain)
    game = cardgen.load("demo", project=made)
    assert [each.code for each in cardgen.check(game) if each.code == "text/safe-zone"] == []
    rendering = cardgen.render(game, components=["box"])
    (card,) = rendering.cards
    assert len(list(rendering.artworks[card.face].texts())) == titles


WHOLE = GAME.replace(
    """  box:
    title: Box
    kind: box
    safe: 1.5mm
    box: {holds: [cards]}
""",
    """  board:
    {title: Board, kind: board, trim: [420mm, 297mm], lines: quad-fold, data: pieces.yaml, face: card.svg}
  mats: {title: Mats, kind: mat, trim: [262mm, 193mm], data: pieces.yaml, face: card.svg}
  tokens: {title: Tokens, kind: token, trim: [12mm, 12mm], data: pieces.yaml, face: card.svg}
  rules: {title: Rules, kind: book, trim: half-letter, book: rules.md}
  lid: {title: Lid, kind: box, safe: 1.5mm, box: {form: lid, holds: [box]}, data: box.yaml, face: box.svg}
  box:
    title: Tray
    kind: box
    safe: 1.5mm
    box:
      {form: tray, holds: [cards, board, mats, tokens, rules], thickness: {board: 1mm, mats: 0.5mm}}
""",
).replace("box: {components: [box]}", "big-box: {components: [box, lid]}")
PLAIN = (
    "{% import '_shared/box.svg' as kit %}{% set look = {'ground': '#000', 'ink': '#fff', 'accent': '#fff',"
    " 'on_accent': '#000', 'panel': '#fff', 'type': '#000', 'display': 'IBM Plex Sans', "
    "'text': 'IBM Plex Sans'} %}" + BOX[: BOX.index("<rect")] + "{{ kit.plain(component.box, {'title': "
    "card.title, 'text': 'Text'}, look, width, height) }}</svg>"
)


def whole(root: Path) -> cardgen.Project:
    files = {
        "data/demo/pieces.yaml": "board: [{id: b}]\nmats: [{id: m, copies: 2}]\n"
        "tokens: [{id: t, copies: 50}]\n",
        "data/demo/rules.md": "# Rules\n\nPlay.\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    made = project(root, WHOLE, template=PLAIN)
    (root / "data/demo/box.yaml").write_text(
        "box: [{id: box, title: Demo}]\nlid: [{id: lid, title: Demo}]\n", encoding="utf-8"
    )
    return made


def test_tray_holds_a_whole_game_and_a_lid_slides_over_it(tmp_path: Path) -> None:
    game = cardgen.load("demo", project=whole(tmp_path))
    tray, lid = (game.component(name).box for name in ("box", "lid"))
    assert tray is not None
    assert lid is not None
    assert (tray.form, tray.room.width, tray.room.height, tray.cards) == ("tray", 194, 263, 54)
    cards = 54 * 0.3 / 8 + 0.3  # two rows of four piles
    board, mats, rules = 4 * 1.0, 2 * 0.5, 3.0
    tokens = 50 * 4 / (16 * 21) + 4  # loose, so twice as thick
    assert tray.room.depth == pytest.approx(cards + board + mats + rules + tokens + 1)
    assert (lid.form, lid.cards, lid.room.depth) == ("lid", 54, tray.outer.depth)
    assert lid.room.width == pytest.approx(tray.outer.width + 1)


def test_trays_and_lids_are_printed_on_paper_of_double_size(tmp_path: Path) -> None:
    made = whole(tmp_path)
    for paper, name, width in (("letter", "tabloid", 279.4), ("a4", "a3", 297.0)):
        built = cardgen.build(cardgen.BuildOptions("demo", sheets=("big-box",), paper=paper), project=made)
        (file,) = built.files
        assert Path(file.path).name == f"big-box.{name}.pdf"
        with pikepdf.open(tmp_path / file.path) as pdf:
            assert len(pdf.pages) == 2
            assert float(pdf.pages[0].mediabox[2]) == pytest.approx(width / 25.4 * 72, abs=0.01)


def test_plain_tray_and_lid_have_their_texts_inside_their_panels(tmp_path: Path) -> None:
    game = cardgen.load("demo", project=whole(tmp_path))
    rendering = cardgen.render(game, components=["box", "lid"])
    words = {card.component: len(list(rendering.artworks[card.face].texts())) for card in rendering.cards}
    assert words == {"box": 5, "lid": 5}  # the text or the title, and the title on four walls
    assert [each.code for each in cardgen.check(game) if each.code == "text/safe-zone"] == []


def test_boxes_are_no_cards_of_the_game(tmp_path: Path) -> None:
    made = project(tmp_path)
    exported = cardgen.export_to(cardgen.ExportOptions("demo", to="vtt-kit"), project=made)
    assert not [file.path for file in exported.files if "box" in Path(file.path).name]
    ordered = cardgen.export_to(cardgen.ExportOptions("demo", to="printshop"), project=made)
    assert "service/box" in [each.code for each in ordered.findings]


@for_each("layout", ["silhouette", "opos"])
def test_a_box_keeps_clear_of_the_marks_of_a_machine(tmp_path: Path, layout: str) -> None:
    findings = Findings()
    game = loaded(tmp_path, copies=20)
    (page,) = imposed(game, "a4", findings, layout).pages
    marks = registration_marks(page.size, layout)  # type: ignore[arg-type]
    assert set(marks) <= set(page.lines)
    assert bool(page.marked) is (layout == "opos")
    found = load_layouts(game.paths)[layout]
    for slot in page.slots:
        assert keeps_clear(slot.clip, page.size, found)
    assert not findings.errors
    corner = Rect(12, 12, 180, 250)
    assert not keeps_clear(corner, page.size, found)


def test_one_box_a_page_has_no_ink_for_glue_either(tmp_path: Path) -> None:
    game = loaded(tmp_path)
    (page,) = imposed(game, "a4", Findings(), "single").pages
    box = game.component("box").box
    assert box is not None
    assert page.size.close_to(box.size.grown(3.175))
    assert len(page.slots) == sum(not panel.glued for panel in box.panels)
    lines = box_lines(page, {"box": box})
    cuts = [line for line in lines if line.tool == "cut"]
    folds = [line for line in lines if line.tool == "crease"]
    assert (len(cuts), len(folds)) == (1 + len(box.slits), len(box.folds))


def test_art_that_stops_at_a_cut_is_warned_of(tmp_path: Path) -> None:
    """The back's outer edge is cut; its other edges are folds, and art may stop there."""
    patch = (
        '<g transform="{{ component.box.back.upright }}">'
        '<rect width="{{ component.box.back.size.width%s }}" height="{{ component.box.back.size.height }}" '
        'fill="#40a060"/></g></svg>'
    )
    plain = BOX.replace('<rect width="{{ width|f }}" height="{{ height|f }}" fill="#004080"/>', "")
    plain = plain.replace('fill="#fff"', 'fill="#000"')

    def warned(end: str, name: str) -> list[str]:
        made = project(tmp_path / name, template=plain.replace("</svg>", patch % end))
        found = cardgen.check(cardgen.load("demo", project=made))
        return [each.message for each in found if each.code == "side/bleed"]

    (message,) = warned("", "short")
    assert "right (back)" in message
    assert re.search(r"stops 3\.\d mm before the edge of the bleed", message)
    assert warned(" + 4", "long") == []
