"""Letters in colors of their own, from the font to the pixels; letters that draw nothing."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pypdfium2.raw
import pytest
from fontTools.ttLib.tables.otTables import PaintFormat

from cardgen.art.cards import render_cards
from cardgen.core.artwork import IconRun, TextRun
from cardgen.core.findings import Findings, Severity
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.drawing import draw
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from cardgen.text.fonts import FontBook
from tests.art.support import BUNDLED, HEAD, Result, Workshop
from tests.for_each import for_each
from tests.pdf.samples import pdf
from tests.text.color_fonts import (
    BLUE,
    GREEN,
    INK,
    RED,
    changed,
    colored,
    declare,
    drawn,
    glyph,
    layers,
    line,
    pixelated,
    plain,
    saved,
    solid,
)

BOX = 'font-family="Color Box" font-size="10" fill="#008040"'
INKED, SEEN = (0, 128, 64), {RED: (255, 0, 0), BLUE: (0, 0, 255), GREEN: (0, 255, 0)}
WHITE = (255, 255, 255)
GROUND = '<rect width="66" height="86" fill="#fff"/>'


FROM_RED = line((0, RED), (1, BLUE))


def linear(*places: int, **said: Any) -> dict[str, Any]:
    names = dict(zip(("x0", "y0", "x1", "y1", "x2", "y2"), places))
    return {
        "Format": PaintFormat.PaintLinearGradient,
        "ColorLine": FROM_RED,
        **names,
        **said,
    }


def radial(r0: int, r1: int) -> dict[str, Any]:
    places = {"x0": 450, "y0": 350, "r0": r0, "x1": 450, "y1": 350, "r1": r1}
    return {"Format": PaintFormat.PaintRadialGradient, "ColorLine": FROM_RED, **places}


def composed(mode: str, source: object, backdrop: object) -> dict[str, Any]:
    parts = {"SourcePaint": source, "CompositeMode": mode, "BackdropPaint": backdrop}
    return {"Format": PaintFormat.PaintComposite, **parts}


HALF = glyph("right", solid())
HALVES = layers(glyph("left", solid(RED)), glyph("right", solid(BLUE)))
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"><stop stop-color="#f00"/>'
    '<stop offset="1" stop-color="#f00"/></linearGradient></defs><g id="glyph{}">'
    '<path d="M100 0V-700H450V0Z" fill="url(#g)"/><path d="M450 0V-700H800V0Z" fill="#00f"/></g>'
    '<g id="glyph999"><path d="M0 0H999V-999z" fill="#0f0"/></g></svg>'
)
# What the letter A shows in the middle of its left and its right half.
PAINTED: dict[str, tuple[bytes, tuple[int, ...], tuple[int, ...]]] = {
    "COLR v0": (colored([("left", RED), ("right", BLUE)], version=0), SEEN[RED], SEEN[BLUE]),
    "COLR v0 over an outline": (
        colored([("left", INK), ("right", GREEN)], version=0, empty=False),
        INKED,
        SEEN[GREEN],
    ),
    "COLR v1": (colored(HALVES), SEEN[RED], SEEN[BLUE]),
    "half opaque": (colored(glyph("square", solid(RED, 0.5))), (255, 128, 128), (255, 128, 128)),
    "linear": (colored(glyph("square", linear(100, 0, 800, 0, 100, 100))), (191, 0, 64), (64, 0, 191)),
    "linear, skewed": (
        # Lines of one color go up to the right: both middles lie on the way, the left one behind.
        colored(glyph("square", linear(100, 0, 800, 0, 800, 700))),
        SEEN[RED],
        (191, 0, 64),
    ),
    "stops beyond the ends": (
        colored(
            glyph("square", linear(100, 0, 450, 0, 100, 100, ColorLine=line((-1.0, RED), (1.5, BLUE))))
        ),
        (102, 0, 153),
        SEEN[BLUE],
    ),
    "repeated": (
        colored(
            glyph(
                "square",
                linear(100, 0, 450, 0, 100, 9, ColorLine=line((0, RED), (1, BLUE), extend="repeat")),
            )
        ),
        (128, 0, 128),
        (128, 0, 128),
    ),
    "radial": (colored(glyph("square", radial(0, 350))), (128, 0, 128), (128, 0, 128)),
    "radial from outside": (colored(glyph("square", radial(350, 0))), (128, 0, 128), (128, 0, 128)),
    "sweep": (
        colored(
            glyph(
                "square",
                {
                    "Format": PaintFormat.PaintSweepGradient,
                    "ColorLine": line((0, RED), (0.5, RED), (0.5, BLUE), (1, BLUE)),
                    "centerX": 450,
                    "centerY": 350,
                    "startAngle": 90,
                    "endAngle": 450,
                },
            )
        ),
        SEEN[RED],
        SEEN[BLUE],
    ),
    "moved": (
        colored(
            {"Format": PaintFormat.PaintTranslate, "dx": -350, "dy": 0, "Paint": glyph("right", solid())}
        ),
        SEEN[RED],
        WHITE,
    ),
    "a clip within a clip": (colored(glyph("left", glyph("square", solid(BLUE)))), SEEN[BLUE], WHITE),
    "multiplied": (
        colored(composed("multiply", glyph("left", solid(RED)), glyph("square", solid(GREEN)))),
        (0, 0, 0),
        SEEN[GREEN],
    ),
    "a share of a group": (
        colored(composed("src_in", HALVES, solid(RED, 0.4))),
        (255, 153, 153),
        (153, 153, 255),
    ),
    "table SVG": (drawn(DRAWING), SEEN[RED], SEEN[BLUE]),
    "table SVG with the color of the text": (
        drawn(DRAWING.replace("url(#g)", "context-fill")),
        INKED,
        SEEN[BLUE],
    ),
}


def rendered(shop: Workshop, body: str, **said: Any) -> tuple[Result, FontBook]:
    shop.write("demo/card.svg", f"{HEAD}\n{GROUND}{body}\n</svg>\n")
    paths = ProjectFolders((shop.root, BUNDLED))
    fonts, findings = FontBook(paths), Findings()
    game = shop.game([{}])
    rendering = render_cards(game, game.cards(), paths, fonts, low_ink=False, findings=findings)
    return Result(rendering, findings.sorted()), fonts


def pixels(result: Result, fonts: FontBook, *places: tuple[float, float]) -> list[tuple[int, ...]]:
    art = draw(result.rendering, fonts, ArtStore.memory())
    options = RasterOptions(dpi=254, area="bleed")
    (image,) = (image for _, image in rasterise(art, [result.art.key], options))
    image = image.convert("RGB")
    return [image.getpixel((round(10 * x), round(10 * y))) for x, y in places]  # type: ignore[misc]


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 8 for a, b in zip(one, other))


@for_each("name", PAINTED)
def test_letter_is_drawn_in_its_colors(name: str, shop: Workshop) -> None:
    data, left, right = PAINTED[name]
    declare(shop.root, "Color Box", data)
    result, fonts = rendered(shop, f'<text x="10" y="40" {BOX}>xAx</text>')
    assert result.codes == []
    # A begins at 19, and is 7 wide and high from 20 on; x is 4 wide.
    found = pixels(result, fonts, (21.75, 36.5), (25.25, 36.5), (12, 38), (30, 38))
    assert near(found[0], left)
    assert near(found[1], right)
    assert found[2:] == [INKED, INKED]


def test_letters_in_colors_can_be_searched_for_and_stay_vectors(shop: Workshop) -> None:
    letters = colored([("left", RED), ("right", BLUE)], version=0, empty=False)
    declare(shop.root, "Color Box", letters)
    result, fonts = rendered(shop, f'<text x="10" y="40" {BOX}>xAx AA</text>')
    content = pdf(draw(result.rendering, fonts, ArtStore.memory()), result.art.key)
    document = pypdfium2.PdfDocument(content)
    assert document[0].get_textpage().get_text_range().split() == ["xAx", "AA"]
    kinds = [each.type for each in document[0].get_objects()]
    assert pypdfium2.raw.FPDF_PAGEOBJ_TEXT in kinds
    assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in kinds


def test_color_letter_takes_the_room_of_its_letter(shop: Workshop) -> None:
    declare(shop.root, "Color Box", colored(HALVES))
    result, _ = rendered(shop, f'<text x="10" y="40" {BOX}>xAx</text>')
    runs = result.texts[0].runs
    (picture,) = (run for run in runs if isinstance(run, IconRun))
    assert (picture.x, picture.y, picture.size) == pytest.approx((20.0, 33.0, 7.0))
    assert [run.x for run in runs if isinstance(run, TextRun)] == pytest.approx([10.0, 19.0, 28.0])


def test_color_letters_are_taken_from_another_family(shop: Workshop) -> None:
    """As any letter that the first family lacks; the note tells which."""
    declare(shop.root, "Color Box", colored(HALVES))
    body = '<text x="10" y="40" font-family="Bebas Neue, Color Box" font-size="10">x A</text>'
    plain_runs = rendered(shop, body)[0].texts[0].runs
    assert not any(isinstance(run, IconRun) for run in plain_runs)
    other = saved(plain("xH", blank="A"))
    declare(shop.root, "Color Box", colored(HALVES))
    (shop.root / "fonts/Blank.ttf").write_bytes(other)
    with (shop.root / "fonts/fonts.yaml").open("a", encoding="utf-8") as file:
        file.write("  Blank:\n    faces:\n      - {file: Blank.ttf, weight: 400}\n")
    result, fonts = rendered(
        shop, f'<text x="10" y="40" {BOX.replace("Color", "Blank, Color", 1)}>xA</text>'
    )
    assert result.codes == []
    assert near(pixels(result, fonts, (21.75, 36.5))[0], SEEN[RED])


@for_each(
    ("body", "code"),
    [
        (f'<text x="10 30" y="40" {BOX}>AA</text>', "text/positions"),
        (f'<text x="10" y="40" rotate="9" {BOX}>A</text>', "text/positions"),
        (
            f'<linearGradient id="g"><stop stop-color="#f00"/></linearGradient>'
            f'<text x="10" y="40" {BOX.replace("#008040", "url(#g)")}>A</text>',
            "text/outline",
        ),
    ],
)
def test_color_letter_that_cannot_be_set_so_is_an_error(body: str, code: str, shop: Workshop) -> None:
    declare(shop.root, "Color Box", colored(HALVES))
    result, _ = rendered(shop, body)
    assert result.codes == [code]


BLANK = {
    "plain": (saved(plain("xH", blank="A")), ""),
    "pixels": (pixelated(drawn="xH"), "sbix"),
    "pixels in another table": (pixelated("CBDT", drawn="xH"), "CBDT"),
    "a mode that SVG lacks": (
        colored(composed("xor", glyph("left", solid()), glyph("square", solid()))),
        "XOR",
    ),
    "a plane without an outline": (colored(solid(RED)), ""),
    "transparent": (colored(glyph("square", solid(RED, 0.0))), ""),
    "no palette": (
        changed(colored([("square", RED)], version=0), lambda font: font.__delitem__("CPAL")),
        "",
    ),
}


@for_each("name", BLANK)
@for_each("text", ["xAx", "A", "H A"])
def test_letter_that_draws_nothing_is_an_error_with_its_name(name: str, text: str, shop: Workshop) -> None:
    data, why = BLANK[name]
    declare(shop.root, "Color Box", data)
    result, _ = rendered(shop, f'<text x="10" y="40" {BOX}>{text}</text>')
    (found,) = [each for each in result.findings if each.severity is Severity.ERROR]
    assert found.code == "text/glyph"
    assert "'A' (U+0041)" in found.message
    assert "ColorBox" in found.message
    assert why in found.message


def test_white_space_and_signs_that_steer_draw_nothing_by_nature(shop: Workshop) -> None:
    blank = "\u00a0\u2003\u3000\u2800\u3164\u200b\u200d\ufe0f\u00ad"
    declare(shop.root, "Color Box", saved(plain("xH", blank=blank)))
    result, _ = rendered(shop, f'<text x="2" y="40" {BOX}>x{"x".join(blank)}x</text>')
    assert "text/glyph" not in result.codes


@for_each("table", ["CBDT", "EBDT", "sbix"])
def test_font_of_pixels_only_is_refused_with_its_table(table: str, shop: Workshop) -> None:
    declare(shop.root, "Color Box", pixelated(table))
    result, _ = rendered(shop, f'<text x="10" y="40" {BOX}>x</text>')
    (found,) = result.findings
    assert found.code == "text/font"
    assert "fonts/f/ColorBox.ttf" in found.message
    assert f"(table {table})" in found.message


def test_letters_in_colors_in_a_drawing_are_an_error(shop: Workshop) -> None:
    declare(shop.root, "Color Box", colored(HALVES))
    shop.write(
        "demo/art.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">'
        '<text x="0" y="15" font-family="Color Box" font-size="10">xA</text></svg>',
    )
    result, _ = rendered(shop, '<image href="art.svg" x="10" y="20" width="40" height="20"/>')
    assert result.codes == ["text/in-drawing"]
