"""A file that Inkscape 1.2 saved: wrapped text is wrapped again, whatever lines Inkscape left in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.core.artwork import TextRun
from tests.art.support import Workshop

SAVED = (Path(__file__).parent / "files" / "inkscape-1.2.svg").read_text("utf-8")


@pytest.fixture
def drawing() -> str:
    """The file, in our test card's size."""
    text = SAVED.replace('width="69.85mm"', 'width="66mm"').replace('height="95.25mm"', 'height="86mm"')
    return text.replace('viewBox="0 0 69.85 95.25"', 'viewBox="0 0 66 86"')


def test_it_is_what_inkscape_writes() -> None:
    assert "sodipodi:namedview" in SAVED
    assert "shape-inside:url(#box1)" in SAVED
    assert re.search(r"<tspan\s+x=", SAVED)


def test_text_is_wrapped_again(shop: Workshop, drawing: str) -> None:
    shop.write("demo/card.svg", drawing)
    result = shop.render()
    assert [code for code in result.codes if code != "text/safe-zone"] == []
    boxed, inline = result.texts
    words = " ".join(result.words().split())
    assert "When you play this card, draw two cards and then discard one. Opponents" in words
    assert "wrapped by inline-size." in words
    bold = [run.text for run in boxed.runs if isinstance(run, TextRun) and run.font == "IBMPlexSans-Bold"]
    assert "".join(bold).split() == ["draw", "two", "cards"]
    # A line end in the file is a line end in print; where Inkscape wrapped is not.
    after = next(run for run in boxed.runs if isinstance(run, TextRun) and run.text.startswith("Opponents"))
    assert not any(
        isinstance(run, TextRun) and "one." in run.text and run.y == after.y for run in boxed.runs
    )
    assert boxed.box.x >= 10
    assert boxed.box.right <= 60
    first = min(run.y for run in inline.runs)
    assert first == pytest.approx(20)
    assert inline.box.width <= 40


def test_longer_text_needs_no_new_wrapping_by_hand(shop: Workshop, drawing: str) -> None:
    shop.write("demo/card.svg", drawing.replace("discard one.", "discard one. {{ card.more }}"))
    more = "And more words that Inkscape never saw in its life"
    result = shop.render(cards=[{"more": more}])
    assert more.split()[-1] in result.words()
    assert "text/overflow" not in result.codes


def test_what_inkscape_keeps_for_itself_is_not_drawn(shop: Workshop, drawing: str) -> None:
    shop.write("demo/card.svg", drawing)
    (ground,) = shop.render().pictures
    assert "inkscape" not in ground.svg
    assert "sodipodi" not in ground.svg
    assert 'fill="#f7f1e1"' in ground.svg


UNWRAPPED = """<g inkscape:groupmode="layer" inkscape:label="Type" style="display:inline">
<text xml:space="preserve" x="9" y="20" id="text1" style="font-style:normal;font-variant:normal;\
font-weight:normal;font-stretch:normal;font-size:3.5px;line-height:1.25;font-family:'IBM Plex Sans';\
-inkscape-font-specification:'IBM Plex Sans, Normal';font-variant-ligatures:normal;\
font-variant-caps:normal;letter-spacing:0px;word-spacing:0px;text-anchor:start;text-decoration:none;\
writing-mode:lr-tb;fill:#222222;fill-opacity:1;stroke:none;stroke-width:0.264583"><tspan
  sodipodi:role="line" id="tspan1" x="9" y="20" style="stroke-width:0.26">First line</tspan><tspan
  sodipodi:role="line" id="tspan2" x="9" y="24.375" style="font-weight:bold">second</tspan></text></g>"""


def test_lines_that_inkscape_placed_stay_where_they_are(shop: Workshop) -> None:
    result = shop.render(UNWRAPPED)
    assert (result.findings, result.words()) == ([], "First line\nsecond")
    assert [(run.x, run.y) for run in result.texts[0].runs] == [(9, 20), (9, 24.375)]
