"""Letters with places of their own: lists, turned ones, stretched lines and text along paths."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from cardgen.art.text_positions import Track
from cardgen.art.text_style import TextError
from cardgen.core.artwork import SetText, TextRun
from cardgen.svg.tree import Node
from tests.art.support import FONT, Workshop
from tests.for_each import for_each

BIG = 'font-family="IBM Plex Sans" font-size="4"'


def one(shop: Workshop, body: str) -> SetText:
    result = shop.render(body)
    assert result.findings == []
    (text,) = result.texts
    return text


def runs(text: SetText) -> list[TextRun]:
    return [run for run in text.runs if isinstance(run, TextRun)]


def shown(text: SetText) -> list[tuple[str, float, float]]:
    return [(run.text, run.x, run.y) for run in runs(text)]


def near(found: Sequence[tuple[str, float, float]], wanted: Sequence[tuple[str, float, float]]) -> bool:
    return [each[0] for each in found] == [each[0] for each in wanted] and all(
        one[1:] == pytest.approx(other[1:]) for one, other in zip(found, wanted)
    )


def test_letters_stand_where_lists_say(shop: Workshop) -> None:
    text = one(shop, f'<text x="9 20 30" y="20 25" {FONT}>abc</text>')
    assert near(shown(text), [("a", 9, 20), ("b", 20, 25), ("c", 30, 25)])


def test_moves_of_lists_go_on_and_letters_that_need_none_stay_together(shop: Workshop) -> None:
    plain = one(shop, f'<text x="9" y="20" {FONT}>abcd</text>')
    (whole,) = runs(plain)
    moved = runs(one(shop, f'<text x="9" y="20" dx="0 0 5" {FONT}>abcd</text>'))
    assert [run.text for run in moved] == ["ab", "cd"]
    assert moved[1].x + moved[1].advance == pytest.approx(9 + whole.advance + 5)


def test_inner_lists_win_over_outer_ones(shop: Workshop) -> None:
    body = f'<text x="9 14 19 24" y="20" {FONT}>a<tspan x="40">b</tspan>c</text>'
    assert near(shown(one(shop, body)), [("a", 9, 20), ("b", 40, 20), ("c", 19, 20)])


def test_blanks_count_once(shop: Workshop) -> None:
    body = f'<text x="9 14 19 24" y="20" {FONT}>  a \n <tspan>b</tspan> </text>'
    assert [each for each in shown(one(shop, body)) if each[0] != " "] == [("a", 9, 20), ("b", 19, 20)]


def test_letters_are_turned_the_last_angle_for_the_rest(shop: Workshop) -> None:
    first, second, third = runs(one(shop, f'<text x="20" y="20" rotate="0 90" {FONT}>abc</text>'))
    assert first.turn is None
    assert second.turn == pytest.approx((0, 1, -1, 0))
    assert third.turn == second.turn
    assert third.x > second.x > first.x


def test_a_line_is_as_long_as_it_says(shop: Workshop) -> None:
    found = runs(one(shop, f'<text x="9" y="20" textLength="30" {FONT}>word</text>'))
    assert found[-1].x + found[-1].advance == pytest.approx(39)
    assert all(run.turn is None for run in found)
    tag = 'x="39" text-anchor="end" textLength="30" lengthAdjust="spacingAndGlyphs"'
    letters = runs(one(shop, f'<text {tag} y="20" {FONT}>word</text>'))
    assert letters[0].x == pytest.approx(9)
    assert all(run.turn is not None and run.turn[0] > 3 and run.turn[3] == 1 for run in letters)


def test_a_part_is_as_long_as_it_says_and_what_follows_moves(shop: Workshop) -> None:
    text = one(shop, f'<text x="9" y="20" {FONT}><tspan textLength="30">word</tspan>: s</text>')
    last = runs(text)[-1]
    assert last.text == "d: s"
    assert last.x + last.words[0].advance * last.size == pytest.approx(39)


def test_each_place_is_anchored_by_itself(shop: Workshop) -> None:
    body = f'<text x="20 40" y="20" text-anchor="end" {FONT}>ab</text>'
    assert [run.x + run.advance for run in runs(one(shop, body))] == pytest.approx([20, 40])


def test_lines_go_with_letters_that_move(shop: Workshop) -> None:
    text = one(shop, f'<text x="9 30" y="20 25" text-decoration="underline" {FONT}>abc</text>')
    first, second = text.bars
    assert (first.area.x, second.area.x) == pytest.approx((9, 30))
    assert second.area.y - first.area.y == pytest.approx(5)


def test_text_runs_along_a_path(shop: Workshop) -> None:
    path = '<defs><path id="p" d="M30 20V70"/></defs>'
    found = runs(one(shop, f'{path}<text {BIG}><textPath href="#p" startOffset="10">abc</textPath></text>'))
    assert [run.x for run in found] == pytest.approx([30, 30, 30])
    assert found[0].y == pytest.approx(30)
    assert all(run.turn == pytest.approx((0, 1, -1, 0)) for run in found)


def test_text_is_anchored_along_a_path(shop: Workshop) -> None:
    path = '<defs><path id="p" d="M10 20H50"/></defs>'
    along = '<textPath href="#p" startOffset="50%">oo</textPath>'
    (run,) = runs(one(shop, f'{path}<text text-anchor="middle" {BIG}>{along}</text>'))
    assert (run.x + run.advance / 2, run.y) == pytest.approx((30, 20))


def test_a_path_has_places_and_a_length_that_may_be_stated() -> None:
    track = Track(Node("path", {"d": "M0 0H10V10M50 50h10", "pathLength": "100"}))
    assert track.length == 30
    assert track.at(5) == (5, 0, 0)
    assert track.at(15) == pytest.approx((10, 5, math.pi / 2))
    assert track.at(25) == pytest.approx((55, 50, 0))
    assert track.at(31) is None
    assert track.at(-1) is None
    assert track.offset("50", 1) == track.offset("50%", 1) == 15
    moved = Track(Node("path", {"d": "M0 0H10", "transform": "translate(3 4) scale(2)"}))
    assert moved.at(20) == (23, 4, 0)
    assert Track(Node("path", {"d": ""})).at(0) is None
    with pytest.raises(TextError):
        Track(Node("path", {"d": "M0 0" + "h1 " * 5_000}))


def test_letters_beyond_a_path_are_not_shown(shop: Workshop) -> None:
    path = '<defs><path id="p" d="M10 20h6"/></defs>'
    text = one(shop, f'{path}<text {BIG}><textPath href="#p">abcdef</textPath></text>')
    assert "".join(run.text for run in runs(text)) == "abc"


def test_curves_are_followed(shop: Workshop) -> None:
    path = '<defs><circle id="p" cx="33" cy="43" r="20"/></defs>'
    body = f'<text {BIG}><textPath href="#p">around and around it goes</textPath></text>'
    found = runs(one(shop, path + body))
    away = [math.dist((run.x, run.y), (33, 43)) for run in found]
    assert min(away) > 19.9
    assert max(away) < 20.2


@for_each(
    ("body", "code"),
    [
        (f'<text x="9 12" y="20" {FONT}>a<tspan cg:block="break"/>b</text>', "text/positions"),
        (f'<text x="9 12" y="20" {FONT}>\u05d0\u05d1\u05d2</text>', "text/positions"),
        (f'<text x="9" y="20" rotate="9" cg:max-width="30" {FONT}>ab</text>', "text/fit"),
        (f'<text x="9" y="20" rotate="9" text-decoration="underline" {FONT}>ab</text>', "text/positions"),
        (f'<text x="9" y="20" rotate="left" {FONT}>ab</text>', "svg/number"),
        (f'<text x="9" y="20" textLength="-3" {FONT}>ab</text>', "text/positions"),
        (
            f'<path id="p" d="M9 20H40"/><text {FONT}><textPath href="#p">ab</textPath> c</text>',
            "text/path",
        ),
        (f'<g id="p"/><text {FONT}><textPath href="#p">ab</textPath></text>', "text/path"),
        (
            f'<path id="p" d="M9 20H9"/><text {FONT}><textPath href="#p" side="right">a</textPath></text>',
            "text/path",
        ),
    ],
)
def test_what_can_not_be_set_so_is_said(shop: Workshop, body: str, code: str) -> None:
    assert code in shop.render(body).codes


def test_turned_letters_off_the_card_are_found(shop: Workshop) -> None:
    body = (
        f'<text x="60" y="20" rotate="180" {FONT}>a</text><text x="3.5" y="20" rotate="180" {FONT}>a</text>'
    )
    (finding,) = shop.render(body).findings
    assert finding.code in ("text/safe-zone", "text/outside")


def test_an_x_goes_along_a_path_and_a_baseline_lies_on_it(shop: Workshop) -> None:
    path = '<defs><path id="p" d="M10 20H50"/></defs>'
    tag = f'<text x="10" y="70" dominant-baseline="middle" {BIG}>'
    (run,) = runs(one(shop, f'{path}{tag}<textPath href="#p">x</textPath>\n</text>'))
    assert run.x == pytest.approx(20)
    assert 20.5 < run.y < 22
