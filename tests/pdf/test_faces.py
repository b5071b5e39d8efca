"""Sides as operators: what is written, where it lands, and that it can be read back."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from cardgen.core.artwork import Bar, Group, IconRun, SetText, TextRun, Word
from cardgen.core.geometry import PT_PER_MM, Matrix, Rect, Size, decimal
from cardgen.pdf.fonts import Forms, color_operator, draw_face
from cardgen.pdf.objects import DrawingError

from .samples import BEBAS, SANS, artwork, at, close, drawn, fonts, pdf, picture, pixels, text

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


def operators(*items: SetText | Group) -> str:
    """The content stream of a side."""
    art = drawn(artwork(*items))
    document = pikepdf.open(BytesIO(pdf(art, "side")))
    form = document.pages[0].Resources.XObject.x0
    assert isinstance(form, pikepdf.Stream)
    return form.read_bytes().decode("ascii")


def colors(image: Image.Image) -> set[object]:
    return {color for _, color in image.getcolors(1 << 18) or []}


def test_numbers_are_short_and_plain() -> None:
    assert [decimal(value) for value in (1.0, -0.0001, 0.1236, 1e-9, 1234567.0)] == [
        "1",
        "0",
        "0.124",
        "0",
        "1234567",
    ]


def test_grey_is_grey() -> None:
    assert color_operator((0, 0, 0)) == "0 g"
    assert color_operator((1, 0.5, 0)) == "1 0.5 0 rg"


def test_one_line_is_one_array() -> None:
    word = fonts().by_key(SANS).word("AV")
    run = TextRun(SANS, 3.0, 2.0, 10.0, (word, word), (0, 0, 0), (0.25,))
    found = operators(SetText((run,), Rect(0, 0, 9, 3), 3.0))
    inner = f"{word.tj}-250{word.tj}".replace("><", "")
    assert found == f"BT\n0 g\n/f0 3 Tf\n1 0 0 -1 2 10 Tm [{inner}]TJ\nET"


def test_numbers_of_one_array_stay_apart() -> None:
    font = fonts().by_key(SANS)
    wide, tight, indented = font.word("A", 0.0729), font.word("V", -0.05), Word("x", 1.0, (), "12<0005>")
    words = (wide, tight, indented, Word("\u00ad", 0.0, (), ""), wide)
    run = TextRun(SANS, 3.0, 2.0, 10.0, words, (0, 0, 0), (0.0729, -0.0729))
    found = operators(SetText((run,), Rect(0, 0, 9, 3), 3.0))
    letter, other = wide.tj.removesuffix("-72.9"), tight.tj.removesuffix("50")
    inside = f"{letter}-72.9 -72.9{other}50 72.9 12<0005>{letter}-72.9".replace("><", "")
    assert found.endswith(f"Tm [{inside}]TJ\nET")


def test_colour_and_font_are_set_when_they_change() -> None:
    found = operators(
        text("a"), text("b"), text("c", fill=(1, 0, 0)), text("d", font=BEBAS, fill=(1, 0, 0))
    )
    assert found.count(" g") == 1
    assert found.count(" rg") == 1
    assert found.count("Tf") == 4
    assert "/f1" in found


def test_colour_is_set_again_after_a_state_that_ended() -> None:
    found = operators(text("a"), text("b", fill=(1, 0, 0), opacity=0.5), text("c"))
    assert found.split("\n").count("0 g") == 1  # black was black again after Q
    assert found.index("q /g0 gs") < found.index("1 0 0 rg") < found.index("Q")


def test_raised_glyphs_stand_where_shaping_put_them() -> None:
    word = Word("x", 1.0, ((5, 0.0, 0.0, 0), (6, 0.5, 0.2, 0)), "", raised=True)
    after = fonts().by_key(SANS).word("a")
    run = TextRun(SANS, 10.0, 1.0, 20.0, (word, after), (0, 0, 0), (0.1,))
    found = operators(SetText((run,), Rect(0, 0, 9, 3), 10.0))
    assert "1 0 0 -1 1 20 Tm <0005>Tj" in found
    assert "1 0 0 -1 6 18 Tm <0006>Tj" in found
    assert f"1 0 0 -1 12 20 Tm [{after.tj}]TJ" in found


def test_actual_text_surrounds_the_word() -> None:
    word = fonts().by_key(SANS).word("ab")
    odd = Word(word.text, word.advance, word.glyphs, word.tj, False, "b\u05d0")
    run = TextRun(SANS, 3.0, 1.0, 5.0, (odd,), (0, 0, 0))
    found = operators(SetText((run,), Rect(0, 0, 9, 3), 3.0))
    assert "/Span<</ActualText<FEFF006205D0>>>BDC\n" in found
    assert found.endswith("EMC\nET")


def test_text_lands_on_its_baseline_under_its_matrix() -> None:
    run = text("H", x=10, y=20, size=10, font=BEBAS, fill=(1, 0, 0))
    image = pixels(run)
    left, top, right, bottom = image.point(lambda value: 255 - value).getbbox()
    assert (bottom, top) == pytest.approx((200, 130), abs=2)  # Bebas Neue's capitals are 0.7 em
    assert 100 <= left < right <= 140
    turned = pixels(text("H", x=10, y=20, size=10, font=BEBAS, matrix=Matrix(0, 1, -1, 0, 40, 0)))
    box = turned.point(lambda value: 255 - value).getbbox()
    assert box == pytest.approx((400 - bottom, left, 400 - top, right), abs=1)


def test_opacity_of_text_and_groups() -> None:
    bar = text("I", x=5, y=30, size=40, font=BEBAS, fill=(0, 0, 1), opacity=0.5)
    solid = text("I", x=5, y=30, size=40, font=BEBAS, fill=(1, 0, 0))
    place = next(x for x in range(50, 150) if pixels(solid).getpixel((x, 200)) == RED) / 10 + 1
    assert close(at(pixels(bar), place, 20), (127, 127, 255))
    both = Group((solid, text("I", x=5, y=30, size=40, font=BEBAS, fill=(0, 0, 1))), 0.5)
    assert close(at(pixels(both), place, 20), (127, 127, 255))
    nested = Group((Group((solid,), 0.5),), 0.5)
    assert close(at(pixels(nested), place, 20), (255, 191, 191))
    assert pixels(Group((), 0.5)).getcolors() == [(160000, WHITE)]


def test_icons_in_their_colour_and_place() -> None:
    icons = (IconRun("disc", 10, 20, 10, (1, 0, 0)), IconRun("ring", 30, 20, 10, (0, 0, 1)))
    image = pixels(text("a", icons=icons))
    assert [at(image, *place) for place in ((15, 25), (35, 25), (35, 21.7), (15, 31))] == [
        RED,
        WHITE,
        BLUE,
        WHITE,
    ]


def test_bars_lie_below_their_text_in_its_colour() -> None:
    line = text("x", x=2, y=8)
    under = replace(line, bars=(Bar(Rect(1, 9, 6, 0.5), (1, 0, 0)), Bar(Rect(1, 3, 6, 0.5), (0, 0, 0))))
    found = operators(under)
    assert found.index("1 9 6 0.5 re f") < found.index("1 3 6 0.5 re f") < found.index("BT")
    image = pixels(under)
    assert close(at(image, 6, 9.25), (255, 0, 0))
    assert close(at(image, 6, 3.25), (0, 0, 0))
    half = pixels(
        replace(
            under, bars=(Bar(Rect(1, 1, 8, 8), (1, 0, 0)), Bar(Rect(1, 1, 8, 8), (1, 0, 0))), opacity=0.5
        )
    )
    assert close(at(half, 8.5, 1.5), (255, 128, 128))


def test_a_wide_icon_fills_its_width_and_is_not_stretched() -> None:
    image = pixels(text("a", icons=(IconRun("wide", 10, 20, 10, (1, 0, 0), 2.0),)))
    assert [at(image, x, 25) for x in (10.5, 14.5, 15.5, 29.5)] == [RED, RED, WHITE, WHITE]
    assert [at(image, 12, y) for y in (19.5, 20.5, 29.5, 30.5)] == [WHITE, RED, RED, WHITE]


def test_an_icons_parts_do_not_shine_through_each_other() -> None:
    pair = (IconRun("disc", 10, 10, 10, (1, 0, 0)), IconRun("disc", 15, 10, 10, (1, 0, 0)))
    image = pixels(SetText(pair, Rect(0, 0, 1, 1), 3, opacity=0.5))
    assert close(at(image, 12, 15), (255, 127, 127))
    assert close(at(image, 17, 15), (255, 127, 127))


def test_an_unknown_icon_is_an_error() -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(text("a", icons=(IconRun("nix", 0, 0, 1, (0, 0, 0)),))))
    assert caught.value.findings[0].code == "icon/unknown"


def test_paint_order_is_kept() -> None:
    square = '<rect x="5" y="5" width="30" height="30" fill="{}"/>'
    top = text("I", x=15, y=30, size=30, font=BEBAS, fill=(0, 0, 1))
    above = pixels(picture(square.format("red")), top)
    below = pixels(top, picture(square.format("red")))
    assert BLUE in colors(above)
    assert BLUE not in colors(below)


def test_the_operators_depend_on_the_side_alone() -> None:
    side = artwork(picture("<g/>"), text("alone"), key="a")
    other = artwork(text("others", font=BEBAS), picture("<circle r='9'/>"), key="b")
    together = drawn(other, side)
    assert together[together.faces["a"].name].stream == drawn(side)[drawn(side).faces["a"].name].stream


def test_a_face_says_its_size() -> None:
    side = artwork(size=Size(69.85, 95.25), bleed=3.175)
    face, objects = draw_face(side, Forms({}, {}))
    assert (face.size.width * PT_PER_MM, face.size.height * PT_PER_MM) == pytest.approx((198, 270))
    assert face.trim == Rect(3.175, 3.175, 63.5, 88.9)
    assert objects[-1].name == face.name
    assert b"/BBox[0 0 69.85 95.25]" in objects[-1].head


WORDS = "Ärger über Öl – “office” fluffy ffi AVATAR Type 1½ € @"


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler is not installed")
@pytest.mark.parametrize("matrix", [Matrix(), Matrix(0.5, 0, 0, 0.5, 3, 3)])
def test_text_can_be_had_back(tmp_path: Path, matrix: Matrix) -> None:
    side = artwork(
        text(WORDS, size=2, matrix=matrix), text("BEBAS NEUE 12", y=20, font=BEBAS), size=Size(120, 40)
    )
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(drawn(side)))
    found = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True, check=True).stdout
    assert found.split() == [*WORDS.split(), *["BEBAS", "NEUE", "12"]]
