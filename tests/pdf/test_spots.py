"""Spot colours: plates by name, overprint, and what becomes of them where there is no press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from cardgen.pdf.flattening import SeeThroughSpotError, flatten
from cardgen.pdf.ink_conversion import Conversion
from cardgen.pdf.ink_operators import InkPalette, SpotInk, SpotInks
from tests.book.conftest import add_book
from tests.pdf.presses import coated
from tests.pdf.test_conversion import page
from tests.pdf_grammar import judge
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

FOIL = SpotInk("Gold Foil", (0xC9, 0xA2, 0x27))
CUT = SpotInk("CutContour", (255, 0, 255), overprint=True)
GOLD = b"0.7882 0.6353 0.1529"


def inked(content: bytes) -> tuple[bytes, pikepdf.Object]:
    """A page's content in inks with both spot colours, and its resources."""
    pdf = page(content)
    Conversion(pdf, InkPalette(coated()), SpotInks((FOIL, CUT))).run()
    _KEPT.append(pdf)
    return b" ".join(pdf.pages[0].obj.Contents.read_bytes().split()), pdf.pages[0].obj.Resources


_KEPT: list[pikepdf.Pdf] = []


def test_a_colour_that_stands_for_a_spot_is_one() -> None:
    content, resources = inked(
        GOLD + b" rg 0 0 9 9 re f " + GOLD + b" RG 0 0 m 9 9 l S 1 0 0 rg 0 0 9 9 re f"
    )
    key = FOIL.key.encode()
    assert content.startswith(b"/%s cs 1 scn 0 0 9 9 re f /%s CS 1 SCN 0 0 m 9 9 l S" % (key, key))
    assert content.endswith(b"k 0 0 9 9 re f")
    space = resources.ColorSpace[f"/{FOIL.key}"]
    assert [str(each) for each in list(space)[:3]] == ["/Separation", "/Gold Foil", "/DeviceCMYK"]
    assert [float(ink) for ink in space[3].C1] == pytest.approx(
        coated().area([channel / 255 for channel in FOIL.shows]), abs=1e-4
    )
    assert "/ExtGState" not in resources


def test_a_colour_beside_it_is_none() -> None:
    content, resources = inked(b"0.7882 0.6353 0.1569 rg 0 0 9 9 re f")
    assert b"scn" not in content
    assert "/ColorSpace" not in resources


def test_overprint_holds_for_what_is_painted_and_no_longer() -> None:
    content, resources = inked(
        b"1 0 1 RG 0 0 m 9 9 l S BT (a) Tj ET 1 0 1 rg 0 0 9 9 re f 0 g 0 0 50 50 re b"
    )
    key = CUT.key.encode()
    black = b"0.6 0.4 0.4 1 k"
    assert content == (
        b"/%s CS 1 SCN /cg-over-line gs 0 0 m 9 9 l S "
        b"BT (a) Tj ET "
        b"/%s cs 1 scn /cg-over-fill gs 0 0 9 9 re f "
        b"%s /cg-over-line gs 0 0 50 50 re b" % (key, key, black)
    )
    states = resources.ExtGState
    found = {name: (bool(states[name].op), bool(states[name].OP)) for name, _ in states.items()}
    assert found == {
        "/cg-over": (True, True),
        "/cg-over-fill": (True, False),
        "/cg-over-line": (False, True),
        "/cg-knock": (False, False),
    }


def test_nothing_see_through_may_be_a_spot_in_x1a() -> None:
    for content in (
        b"/h gs " + GOLD + b" rg 0 0 9 9 re f",
        b"/h gs BT " + GOLD + b" rg (a) Tj ET",
        b"/h gs /f Do",
    ):
        pdf = page(
            content,
            ExtGState=pikepdf.Dictionary({"/h": pikepdf.Dictionary(ca=0.5)}),
        )
        form = pdf.make_stream(GOLD + b" RG 0 0 m 9 9 l S", Subtype=pikepdf.Name.Form)
        pdf.pages[0].obj.Resources.XObject = pikepdf.Dictionary(f=form)
        with pytest.raises(SeeThroughSpotError, match="'Gold Foil' is transparent"):
            flatten(pdf, [FOIL])


def test_nothing_see_through_may_lie_on_a_spot_in_x1a(wording: Wording) -> None:
    """Unless something opaque lies between."""
    half = pikepdf.Dictionary({"/h": pikepdf.Dictionary(ca=0.5)})
    shade = b" /h gs 1 g 20 20 30 30 re f"
    with pytest.raises(SeeThroughSpotError) as caught:
        flatten(page(GOLD + b" rg 0 0 40 40 re f" + shade, ExtGState=half), [FOIL])
    wording(caught.value)
    flatten(page(GOLD + b" rg 0 0 40 40 re f 1 0 0 rg 9 9 50 50 re f" + shade, ExtGState=half), [FOIL])


# ---------------------------------------------------------------- a game

SPOTS = """spots:
  foil: {name: Gold Foil, shows: '#c9a227'}
  cut: {name: CutContour, shows: '#FF00FF', overprint: true, screen: false}

components:
"""
CARD = """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm"
 viewBox="0 0 {{ width }} {{ height }}"><rect width="{{ width }}" height="{{ height }}" fill="#204060"/>
<rect x="9" y="9" width="9" height="9" fill="{{ spots.foil }}" stroke="{{ spots.cut }}"/>
<text x="9" y="40" font-family="IBM Plex Sans" font-size="4" fill="{{ spots.foil }}">gold</text></svg>"""


@pytest.fixture
def foiled(demo: Path, edit: Edit) -> Path:
    edit("data/demo/game.yaml", "components:\n", SPOTS)
    for name in ("card", "back"):
        (demo / f"templates/demo/{name}.svg").write_text(CARD, encoding="utf-8")
    return demo


def plates(path: Path) -> set[str]:
    with pikepdf.open(path) as pdf:
        return {
            str(each[1])
            for each in pdf.objects
            if isinstance(each, pikepdf.Array) and len(each) == 4 and each[0] == "/Separation"
        }


def strokes(path: Path) -> set[tuple[float, ...]]:
    """The inks of all lines in forms."""
    with pikepdf.open(path) as pdf:
        return {
            tuple(map(float, each.operands))
            for form in pdf.objects
            if isinstance(form, pikepdf.Stream) and form.get("/Subtype") == "/Form"
            for each in pikepdf.parse_content_stream(form)
            if str(each.operator) == "K"
        }


@pytest.mark.parametrize("standard", ["x4", "x1a"])
def test_a_game_with_foil(run: Run, foiled: Path, standard: str) -> None:
    code, _, err = run("build", "demo", "--inks", "cmyk", "--standard", standard)
    assert code == 0, err
    path = foiled / f"output/demo/poker.cmyk.{standard}.pdf"
    assert plates(path) == {"/Gold Foil", "/CutContour"}
    assert judge(path.read_bytes()).faults == ()


def test_where_there_is_no_press_the_stand_in_shows_and_what_no_screen_shows_is_gone(
    run: Run, foiled: Path
) -> None:
    assert run("build", "demo")[0] == 0
    path = foiled / "output/demo/poker.pdf"
    assert plates(path) == set()
    with pikepdf.open(path) as pdf:
        text = b"".join(
            each.read_bytes()
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"
        )
    assert GOLD in text
    assert b"1 0 1 RG" not in text


def test_orders_have_the_plates(run: Run, foiled: Path) -> None:
    code, _, err = run("export", "demo", "--to", "printshop", "--pdf", "deck", "--inks", "cmyk")
    assert code == 0, err
    folder = foiled / "output/demo/printshop"
    assert plates(folder / "cards.pdf") == {"/Gold Foil", "/CutContour"}
    assert "Gold Foil" in (folder / "ORDER.txt").read_text()


FAINT = '<rect x="30" y="9" width="9" height="9" fill="none" stroke="{{ spots.cut }}" opacity="0.5"/>'


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('stroke="{{ spots.cut }}"/>', "/>\n" + FAINT, "card.svg:4"),  # which no screen shows
        ('font-size="4"', 'font-size="4" opacity="0.5"', "card.svg"),  # one of two in this color
        ("</svg>", '<rect width="30" height="30" opacity="0.5"/></svg>', "card.svg"),
    ],
)
def test_a_check_says_what_a_build_for_x1a_says(
    run: Run, foiled: Path, edit: Edit, old: str, new: str, place: str
) -> None:
    edit("data/demo/game.yaml", "spots:\n", "press: {standard: x1a}\nspots:\n")
    (foiled / "templates/demo/card.svg").write_text(CARD.replace(old, new), encoding="utf-8")
    said = run("build", "demo", "--inks", "cmyk")[2].partition(" [press/spot]")[0].splitlines()[-1]
    assert "PDF/X-1a" in said
    for _ in range(2):  # the second time it is kept
        code, out, _ = run("check", "demo")
        assert code == 1
        assert f"templates/demo/{place}: {said} (card " in out
    edit("data/demo/game.yaml", "x1a", "x4")
    assert "[press/spot]" not in run("check", "demo")[1]


@pytest.mark.long
def test_a_rulebook_shows_foiled_cards_in_four_inks(run: Run, foiled: Path) -> None:
    """Even beside something transparent, and without what no screen shows."""
    shade = '<rect x="30" y="9" width="9" height="9" opacity="0.5"/></svg>'
    card = CARD.replace("</svg>", shade)
    (foiled / "templates/demo/card.svg").write_text(card, encoding="utf-8")
    add_book(foiled, '# Rules\n\n![A card](card:cards/night-owl "30mm")\n')
    press = ("--inks", "cmyk", "--standard", "x1a")
    for words in (("build", "demo", "--sheet", "rules"), ("export", "demo", "--to", "printshop")):
        code, _, err = run(*words, *press)
        assert code == 0, err
    built, ordered = (foiled / f"output/demo/{name}.pdf" for name in ("rules.cmyk.x1a", "printshop/rules"))
    assert plates(built) == plates(ordered) == set()
    assert strokes(built) == strokes(ordered)


def test_a_misspelt_spot_is_a_finding(run: Run, foiled: Path) -> None:
    template = foiled / "templates/demo/card.svg"
    template.write_text(CARD.replace("spots.foil", "spots.fiol", 1), encoding="utf-8")
    code, _, err = run("build", "demo")
    assert code == 1
    assert "templates/demo/card.svg:3" in err
    assert "fiol" in err
    assert "did you mean 'foil'" in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'#FF00FF'", "'#C9A227'", "the spot color 'foil' has the color '#C9A227'"),
        ("CutContour", "Gold Foil", "the spot color 'foil' has the name 'Gold Foil'"),
        ("CutContour", "All", "spots.cut.name"),
        ("'#FF00FF'", "magenta", "spots.cut.shows"),
    ],
)
def test_what_spots_cannot_be(run: Run, foiled: Path, edit: Edit, old: str, new: str, said: str) -> None:
    edit("data/demo/game.yaml", old, new)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert said in out
