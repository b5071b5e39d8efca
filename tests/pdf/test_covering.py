"""What lies on texts: shapes painted after them, other texts; and what doesn't hide them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.core.artwork import TextRun
from cardgen.core.geometry import Rect
from cardgen.pdf import covering
from cardgen.pdf.covering import Covers, TooManyError
from cardgen.pdf.store import ArtStore
from tests.art.support import FONT, Workshop
from tests.for_each import for_each

from .samples import fonts


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """An empty project folder to write templates into."""
    return Workshop(tmp_path)


TITLE = f'<text x="10" y="20" {FONT}>Fireball</text>'
COVERS = Covers(fonts(), ArtStore.memory())
FADE = '<linearGradient id="f"><stop stop-opacity="0"/><stop offset="1"/></linearGradient>'
TILES = '<pattern id="p" width="9" height="9"><rect width="9" height="9"/></pattern>'
BELOW = '<mask id="m"><rect x="9" y="20.3" width="30" height="9" fill="#fff"/></mask>'
OVER = 'x="9" y="15" width="30" height="8"'


def found(shop: Workshop, body: str) -> list[tuple[str, str]]:
    """The words that something lies on, and the words that do, of a body."""
    result = shop.render(body)
    assert not [finding for finding in result.findings if finding.is_error]
    return [(each.words, each.by_words) for each in COVERS.find(result.art)]


@for_each(
    "shape",
    [
        f'<rect {OVER} fill="#fff"/>',
        f'<rect {OVER} fill="white" rx="1"/>',
        f"<rect {OVER}/>",
        f'<g fill="rgb(1 2 3)"><rect {OVER}/></g>',
        f'<rect {OVER} style="fill: #123456"/>',
        '<g transform="translate(9 15)"><rect width="30" height="8" fill="#fff"/></g>',
        '<g transform="rotate(90 20 20)"><rect x="15" y="5" width="9" height="30" fill="#fff"/></g>',
        '<circle cx="15" cy="19" r="12" fill="#fff"/>',
        '<ellipse cx="15" cy="19" rx="12" ry="7" fill="#fff"/>',
        '<rect x="14" y="15" width="30" height="8" fill="#fff"/>',  # a part of it
        '<path d="M9 15h30v8h-30z" fill="#fff"/>',
        '<g transform="rotate(5 20 20)"><rect x="9" y="15" width="30" height="8" fill="#fff"/></g>',
        f'<rect {OVER} fill="url(#f)"/>{FADE.replace("stop-opacity", "id")}',
        f'{TILES}<rect {OVER} fill="url(#p)"/>',
        f'<clipPath id="c"><circle cx="15" cy="19" r="5"/></clipPath><rect {OVER} clip-path="url(#c)"/>',
        f'<mask id="m"><circle cx="15" cy="19" r="5" fill="#fff"/></mask><rect {OVER} mask="url(#m)"/>',
        f'<g style="mix-blend-mode: multiply"><rect width="60" height="5"/></g><rect {OVER} fill="#fff"/>',
        '<path d="M12 16l3 3-3 3-3-3z" fill="#fff"/>',  # a letter or two of it
    ],
)
def test_a_shape_that_is_painted_after_a_text_covers_it(shop: Workshop, shape: str) -> None:
    assert found(shop, TITLE + shape) == [("Fireball", "")]
    assert found(shop, shape + TITLE) == []


def test_where_it_lies(shop: Workshop) -> None:
    result = shop.render(TITLE + f"<rect {OVER}/>")
    (covered,) = COVERS.find(result.art)
    (run,) = result.texts[0].runs
    assert isinstance(run, TextRun)
    assert covered.area == Rect(10, 20 - 0.7 * 3, run.advance, 0.75 * 3)
    result = shop.render(f'{TITLE}<text x="17" y="21" {FONT}>3 gold</text>')
    (both,) = COVERS.find(result.art)
    assert (both.area.x, both.area.y) == (10, pytest.approx(20 - 0.7 * 3))
    assert both.area.bottom == pytest.approx(21 + 0.05 * 3)
    assert both.area.right == pytest.approx(max(10 + run.advance, 18.8), abs=0.3)


@for_each(
    "shape",
    [
        f'<rect {OVER} fill="none" stroke="#000"/>',
        f'<rect {OVER} fill="#fff" opacity=".5"/>',
        f'<rect {OVER} fill="#fff" fill-opacity=".5"/>',
        f'<rect {OVER} fill="#ffffff80"/>',
        f'<rect {OVER} fill="rgb(9 9 9 / 20%)"/>',
        f'<rect {OVER} fill="#fff" visibility="hidden"/>',
        f'<rect {OVER} fill="#fff" display="none"/>',
        f'<g opacity=".9"><rect {OVER} fill="#fff"/></g>',
        f'<rect {OVER} fill="#123" style="mix-blend-mode: multiply"/>',
        '<rect x="9" y="18.6" width="30" height=".3" fill="#000"/>',  # strikes it out
        '<rect x="9" y="20.3" width="30" height="8" fill="#fff"/>',  # below its baseline
        '<rect x="40" y="15" width="10" height="8" fill="#fff"/>',
        '<svg x="9" y="21" width="30" height="9" viewBox="0 0 10 10" preserveAspectRatio="xMidYMid slice">'
        '<rect width="10" height="10"/></svg>',  # what would lie on the text is sliced off
        '<circle cx="12" cy="19" r="4" fill="none" stroke="#000" stroke-width=".3"/>',  # rings a letter
        f'{FADE}<rect {OVER} fill="url(#f)"/>',
        f'{BELOW}<rect {OVER} mask="url(#m)"/>',
        f'<g style="mix-blend-mode: screen"><rect {OVER} fill="#fed"/></g>',
    ],
)
def test_a_shape_that_hides_little_or_nothing(shop: Workshop, shape: str) -> None:
    assert found(shop, TITLE + shape) == []


@for_each(
    ("other", "said"),
    [
        (f'<text x="17" y="20" {FONT}>3 gold</text>', [("Fireball", "3")]),
        (f'<text x="17" y="21" {FONT}>3 gold</text>', [("Fireball", "3")]),
        (f'<text x="25" y="20" {FONT}>3 gold</text>', []),
        (f'<text x="10" y="22.4" {FONT}>below</text>', []),
        (f'<text x="10.2" y="20.2" {FONT}>Fireball</text>', []),  # a shadow
        (
            f'<text x="10.2" y="20.2" {FONT}><tspan fill="#111">Fire</tspan>ball</text>',
            [],
        ),  # in two colours
        (f'<text x="10.2" y="20.2" {FONT}>Fire<tspan fill="#111">ball</tspan>!</text>', []),
        (f'<text x="10" y="20" {FONT}>Firebal<tspan fill="#111">l</tspan></text>', []),
        (f'<text x="13" y="20" {FONT}>ball</text>', [("Fireball", "ball")]),  # in another place
        (f'<text x="10" y="21" {FONT}>Fire</text>', [("Fireball", "Fire")]),
        (f'<text x="12" y="20" cg:decor="true" {FONT}>texture</text>', []),
        (f'<text x="12" y="20" transform="rotate(30 12 20)" {FONT}>askew</text>', []),
    ],
)
def test_texts_that_run_into_each_other(shop: Workshop, other: str, said: list[tuple[str, str]]) -> None:
    assert found(shop, TITLE + other) == said


def test_an_icon_in_a_text_is_run_into(shop: Workshop) -> None:
    coin = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h9"/></svg>'
    shop.write("demo/icons/coin.svg", coin)
    assert found(shop, TITLE + f'<text x="17" y="20" {FONT}>:coin:</text>') == [("Fireball", ":coin:")]


def test_a_wide_icon_is_run_into_all_along(shop: Workshop) -> None:
    bar = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 24"><path d="M4 4h9"/></svg>'
    shop.write("demo/icons/bar.svg", bar)
    other = f'<text x="17" y="20" {FONT}>3</text>'
    assert found(shop, f'<text x="10" y="20" {FONT}>:bar:</text>{other}') == [(":bar:", "3")]


def test_each_pair_is_said_once(shop: Workshop) -> None:
    title = f'<text x="10" y="20" {FONT}>a long title of many words</text>'
    rect = '<rect x="9" y="15" width="50" height="8" fill="#fff"/>'
    assert len(found(shop, title + rect)) == 1
    assert len(found(shop, title + rect + f'<text x="10" y="20" {FONT}>other words on it</text>')) == 2


DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>'
RING = DISC.replace('r="9"', 'r="11" fill="none" stroke="#000"')
CORNER = DISC.replace("<circle", '<path d="M0 0h4v4z"/><circle display="none"')


@for_each(("icon", "covers"), [(DISC, True), (RING, False), (CORNER, False)])
def test_an_icon_over_a_letter_is_found_by_its_ink(shop: Workshop, icon: str, covers: bool) -> None:
    shop.write("demo/icons/mark.svg", icon)
    use = '<use href="#icon-mark" x="14" y="16.5" width="4" height="4" fill="#ffd400"/>'
    long = f'<text x="10" y="20" {FONT}>Incomprehensibilities</text>'
    assert found(shop, long + use) == ([("Incomprehensibilities", "")] if covers else [])
    assert found(shop, use + long) == []


def png(hole: bool) -> bytes:
    """A picture that is solid, or has a hole in its middle."""
    image = Image.new("RGBA", (600, 200), (200, 30, 30, 255))
    if hole:
        image.paste((0, 0, 0, 0), (20, 20, 580, 180))
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@for_each("aspect", ["none", "xMidYMid slice", "xMidYMid meet"])
@for_each("hole", [True, False])
def test_an_image_covers_a_text_where_its_pixels_are_solid(shop: Workshop, hole: bool, aspect: str) -> None:
    shop.write("demo/over.png", png(hole))
    image = f'<image href="over.png" x="5" y="12" width="30" height="12" preserveAspectRatio="{aspect}"/>'
    assert found(shop, TITLE + image) == ([] if hole else [("Fireball", "")])


def test_a_crowd_is_not_gone_through(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "MOST_COMPARED", 100)
    art = shop.render("".join(f'<text x="10" y="{20 + n / 100}" {FONT}>same</text>' for n in range(20))).art
    with pytest.raises(TooManyError):
        list(COVERS.find(art))
