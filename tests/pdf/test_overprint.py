"""Black text and thin lines print over the inks below: by operators and by separations."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image

from cardgen.pdf.ink_conversion import Conversion
from cardgen.pdf.ink_operators import InkPalette, SpotInk, SpotInks
from tests.for_each import for_each

from .presses import coated
from .test_conversion import page

FOIL = SpotInk("Gold Foil", (0xC9, 0xA2, 0x27))
FONT = pikepdf.Dictionary(
    Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
)
GROUND = b"0 0.6 0.8 rg 0 0 100 100 re f "
TEXT = b"BT /f 30 Tf 1 0 0 1 10 40 Tm (MW) Tj ET"
SEPARATIONS = "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=tiffsep -r72".split()


def inked(content: bytes, *, overprint: bool = True, spots: tuple[SpotInk, ...] = ()) -> pikepdf.Pdf:
    """A page with a font, a half transparent state and a form of the content `/x`."""
    pdf = page(
        content,
        Font=pikepdf.Dictionary(f=FONT),
        ExtGState=pikepdf.Dictionary(
            h=pikepdf.Dictionary(ca=0.5), n=pikepdf.Dictionary(ca=1), o=pikepdf.Dictionary(OP=True, op=True)
        ),
    )
    form = pdf.make_stream(b"0.7882 0.6353 0.1529 rg 0 0 9 9 re f", Subtype=pikepdf.Name.Form)
    form.BBox = [0, 0, 100, 100]
    pdf.pages[0].obj.Resources.XObject = pikepdf.Dictionary(x=form)
    Conversion(pdf, InkPalette(coated(), overprint), SpotInks(spots)).run()
    return pdf


def painted(pdf: pikepdf.Pdf) -> list[str]:
    """The operators of the page that paint or set a graphics state, as words."""
    found = [
        " ".join([*(str(each) for each in step.operands), str(step.operator)])
        for step in pikepdf.parse_content_stream(pdf.pages[0])
        if str(step.operator) in ("gs", "f", "S", "B", "Tj", "Do")
    ]
    return [each.replace("/cg-", "") for each in found]


@for_each(
    ("content", "found"),
    [
        (b"0 g 0 0 90 90 re f " + TEXT, ["f", "over-fill gs", "MW Tj"]),
        (b"0.5 g " + TEXT + b" 1 g " + TEXT, ["MW Tj", "MW Tj"]),
        (b"0.09 0.08 0.25 rg " + TEXT, ["over-fill gs", "MW Tj"]),
        (b"0 g " + TEXT + b" 1 0 0 rg " + TEXT, ["over-fill gs", "MW Tj", "knock gs", "MW Tj"]),
        (b"0 G 1 w 0 0 m 9 9 l S 0 0 m 8 8 l S", ["over-line gs", "S", "S"]),
        (b"0 G 9 w 0 0 m 9 9 l S", ["S"]),
        (b"0 G 1 0 0 rg 1 w 0 0 50 50 re B", ["over-line gs", "B"]),
        (b"0 g 0 0 90 1 re f", ["over-fill gs", "f"]),
        (b"q 0 g " + TEXT + b" Q /x Do", ["over-fill gs", "MW Tj", "/x Do"]),
        (b"0 g " + TEXT + b" /x Do", ["over-fill gs", "MW Tj", "knock gs", "/x Do"]),
        (b"0 g /h gs " + TEXT + b" /n gs " + TEXT, ["/h gs", "MW Tj", "/n gs", "over-fill gs", "MW Tj"]),
        (b"/o gs 0 g " + TEXT + b" 1 0 0 rg " + TEXT, ["/o gs", "MW Tj", "MW Tj"]),
    ],
)
def test_solid_black_overprints_where_it_is_fine_and_opaque(content: bytes, found: list[str]) -> None:
    assert painted(inked(content)) == found
    assert not any("over" in each for each in painted(inked(content, overprint=False)))


def test_the_states_say_that_an_ink_of_which_black_has_nothing_stays() -> None:
    pdf = inked(b"0 g " + TEXT)
    states = pdf.pages[0].obj.Resources.ExtGState
    names = ("cg-over", "cg-over-fill", "cg-over-line", "cg-knock")
    found = [tuple(int(states[f"/{name}"][key]) for key in ("/OP", "/op", "/OPM")) for name in names]
    assert found == [(1, 1, 1), (0, 1, 1), (1, 0, 1), (0, 0, 1)]


def test_black_on_a_side_with_foil_leaves_none_below() -> None:
    """Foil is put on after the inks, so that it would hide the text."""
    shown = b" 0 g " + TEXT + b" /x Do"
    assert "knock gs" not in painted(inked(shown, spots=(FOIL,)))
    varnish = SpotInk(FOIL.name, FOIL.shows, overprint=True)
    assert "knock gs" in painted(inked(shown, spots=(varnish,)))


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
def test_separations_have_no_holes_below_black_text_and_thin_lines(tmp_path: Path) -> None:
    black = GROUND + b"0 g " + TEXT + b" 0 G 1 w 5 20 m 95 20 l S"
    others = GROUND + b"1 g " + TEXT + b" 0.5 G 1 w 5 20 m 95 20 l S"
    found = {}
    for name, content, overprint in (
        ("over", black, True),
        ("knock", black, False),
        ("white", others, True),
    ):
        inked(content, overprint=overprint).save(tmp_path / f"{name}.pdf")
        out = f"-sOutputFile={tmp_path / name}-%d.tif"
        subprocess.run([*SEPARATIONS, out, str(tmp_path / f"{name}.pdf")], check=True)
        plates = [
            np.asarray(Image.open(tmp_path / f"{name}-1({ink}).tif").convert("L"))
            for ink in ("Cyan", "Magenta", "Yellow", "Black")
        ]
        found[name] = [len(np.unique(plate)) > 1 for plate in plates]
    assert found["over"] == [False, False, False, True]
    assert found["knock"] == [True, True, True, True]
    assert found["white"][0]
