"""A side in which things are wrong, laid out to be looked at: what is shown, and where the marks lie."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from cardgen.art.cards import CardSide, SideRenderer
from cardgen.art.marks import RED_INK, Mark, Marked, Places
from cardgen.art.side_findings import Reporter
from cardgen.core.artwork import Group, IconRun, Picture, SetText, TextRun, leaves
from cardgen.core.findings import Findings, Severity
from cardgen.core.geometry import IDENTITY, Rect
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from cardgen.svg.tree import parse
from tests.art.support import FONT, HEAD, Workshop, book
from tests.for_each import for_each

COIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor">'
    '<circle cx="12" cy="12" r="9"/></svg>'
)
EVERYTHING = f"""<defs>
  <rect id="low" x="8" y="8" width="24" height="10"/><rect id="thin" x="36" y="8" width="10" height="10"/>
  <circle id="round" cx="54" cy="16" r="7"/>
  <linearGradient id="fade"><stop offset="0" stop-color="#fff"/><stop stop-color="blau"/></linearGradient>
</defs>
<text shape-inside="url(#low)" {FONT}>A text that is far too long for the box that it is to fill</text>
<text shape-inside="url(#thin)" {FONT}>An Unfathomably wide word</text>
<text shape-inside="url(#round)" {FONT}>Round and round it goes until nothing more finds room in it</text>
<text x="8" y="34" {FONT}>Pay 2 :coin: and :nope@1.5: or :torn: now</text>
<text x="48" y="40" {FONT}>leaves the whole card</text>
<text x="1.5" y="46" {FONT}>near the edge</text>
<text x="33" y="50" text-anchor="middle" cg:max-width="20" {FONT}>middle much too wide for it</text>
<text x="8" y="55" {FONT}>has a \U00012345 and \u4e2d letter</text>
<text x="8" y="60" {FONT}>has {{{{ "<b>bold</b>"|e }}}} tags</text>
<text x="8" y="64" font-family="Nonsuch" font-size="3" cg:max-width="20">no font</text>
<use href="#icon-nowhere" x="34" y="56" width="6" height="5"/>
<use href="#icon-torn" x="42" y="56" width="6" height="6"/>
<image href="art/missing.png" x="50" y="56" width="9" height="6"/>
<image href="art/small.png" x="8" y="67" width="12" height="8"/>
<image href="art/torn.png" x="22" y="67" width="6" height="8"/>
<g transform="translate(30 66) scale(2)"><rect width="3" height="3" fill="tomatoe"/>
  <rect x="4" width="3" height="3" fill="#22aa66"/><foreignObject x="8" width="3" height="2"/></g>
<rect x="54" y="66" width="6" height="6" fill="url(#fade)"/>
<rect x="30" y="75" width="6" height="3" filter="url(#nowhere)"/>
loose words
"""


def png(width: int, height: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), (90, 140, 200)).save(out, "PNG")
    return out.getvalue()


def begun(shop: Workshop, body: str, **fields: object) -> tuple[SideRenderer, CardSide]:
    shop.write("demo/card.svg", body if body.startswith("<svg") else f"{HEAD}\n{body}\n</svg>\n")
    shop.write("demo/icons/coin.svg", COIN)
    shop.write("demo/icons/torn.svg", COIN[:60])
    shop.write("demo/icons/pale.svg", COIN.replace("currentColor", "#ffffff"))
    shop.write("demo/art/small.png", png(20, 20))
    shop.write("demo/art/torn.png", png(20, 20)[:40])
    game = shop.game([fields])
    renderer = SideRenderer(game, ProjectFolders((shop.root,)), book())
    (side,) = renderer.sides(game.cards(), ("face",))
    return renderer, side


def looked_at(renderer: SideRenderer, side: CardSide) -> Marked | None:
    whole = renderer.ready(side) if side.made_from else None
    if whole is None or whole.source is None:
        return None
    return renderer.laying_out.marked(whole.source, bytes.fromhex(whole.made_from))


def marked(shop: Workshop, body: str, **fields: object) -> Marked:
    renderer, side = begun(shop, body, **fields)
    found = looked_at(renderer, side)
    assert found is not None
    assert {mark.problem for mark in found.marks} == set(found.problems)
    return found


def marks(found: Marked, code: str) -> list[Mark]:
    return [mark for mark in found.marks if mark.problem.code == code]


def one(found: Marked, code: str) -> Mark:
    (mark,) = marks(found, code)
    return mark


def area(mark: Mark) -> tuple[float, ...]:
    each = mark.area
    return tuple(round(value, 3) for value in (each.x, each.y, each.width, each.height))


def runs(found: Marked) -> list[TextRun]:
    texts = (item for item in leaves(found.artwork.items) if isinstance(item, SetText))
    return [run for text in texts if not text.stroke for run in text.runs if isinstance(run, TextRun)]


def red(found: Marked) -> list[str]:
    return [run.text.strip() for run in runs(found) if run.fill == RED_INK]


def black(found: Marked) -> list[str]:
    return [run.text.strip() for run in runs(found) if run.fill != RED_INK]


# ---- all at once


def test_every_trouble_at_once_is_marked_where_it_stands(shop: Workshop) -> None:
    found = marked(shop, EVERYTHING)
    low, thin, round_, line = marks(found, "text/overflow")
    assert [area(low), area(thin), area(round_)] == [(8, 8, 24, 10), (36, 8, 10, 10), (47, 9, 14, 14)]
    assert (line.area.x, line.area.width) == pytest.approx((23, 20))
    assert {mark.kind for mark in (low, thin, round_, line)} == {"box"}
    in_text, by_use = marks(found, "icon/unknown")
    assert in_text.kind == by_use.kind == "missing"
    assert area(by_use) == (34, 56, 6, 5)
    assert (in_text.area.width, in_text.area.height) == pytest.approx((4.5, 4.5))
    inline, used = marks(found, "icon/file")
    assert (inline.kind, inline.area.width) == ("missing", pytest.approx(3))
    assert (used.kind, area(used)) == ("missing", (42, 56, 6, 6))
    assert [run.icon for run in icons(found)] == ["coin"]
    assert found.icons == {"coin"}
    missing, torn = one(found, "image/missing"), one(found, "image/format")
    assert (missing.kind, area(missing)) == ("missing", (50, 56, 9, 6))
    assert (torn.kind, area(torn)) == ("missing", (22, 67, 6, 8))
    coarse = one(found, "image/resolution")
    assert (coarse.kind, area(coarse)) == ("box", (8, 67, 12, 8))
    assert [area(mark) for mark in marks(found, "svg/color")] == [(30, 66, 6, 6), (54, 66, 6, 6)]
    assert area(one(found, "svg/foreignobject")) == (46, 66, 6, 4)
    assert area(one(found, "svg/reference")) == (30, 75, 6, 3)
    lacking = one(found, "text/font")
    assert (lacking.kind, lacking.area.x, lacking.area.width) == ("box", 8, 20)
    loose = one(found, "svg/loose-text")
    assert (loose.kind, area(loose)) == ("side", (0, 0, 66, 86))
    assert len(found.problems) == 20


def icons(found: Marked) -> list[IconRun]:
    texts = (item for item in leaves(found.artwork.items) if isinstance(item, SetText))
    return [run for text in texts for run in text.runs if isinstance(run, IconRun)]


def test_what_can_be_drawn_of_it_is_drawn(shop: Workshop, tmp_path: Path) -> None:
    renderer, side = begun(shop, EVERYTHING)
    found = looked_at(renderer, side)
    assert found is not None
    store = ArtStore.open(tmp_path / "project", "demo")
    drawn = draw_sides([found.artwork], renderer.laying_out.documents(found.icons), store)
    art = assemble({each.key: each for each in drawn}, book(), store)
    ((_, image),) = rasterise(art, [found.artwork.key], RasterOptions(254, "bleed"))

    def at(x: float, y: float) -> tuple[int, ...]:
        pixel = image.getpixel((round(x * 10), round(y * 10)))
        assert isinstance(pixel, tuple)
        return pixel

    assert at(7.8, 13) == at(20, 18.2) == at(35.8, 13) == at(29.8, 69) == (0xD6, 0, 0x2A)
    assert at(41, 69) == (0x22, 0xAA, 0x66)  # beside what was left out of its group
    assert at(33, 69) == (255, 255, 255)
    assert at(14, 71) == (90, 140, 200)  # few pixels, but there
    assert at(54.5, 59) == (0xD6, 0, 0x2A)  # the cross
    assert at(3.15, 40) == (0xD6, 0, 0x2A)  # the side's edge
    below = image.crop((85, 145, 310, 175)).getcolors(1 << 16)
    assert (0xD6, 0, 0x2A) in {color for _, color in below or []}  # the lines that don't fit


# ---- texts


def test_lines_that_do_not_fit_are_red_below_the_box(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="30" height="8"/></defs>'
    body = f'{box}<text shape-inside="url(#box)" cg:valign="bottom" {FONT}>{{{{ card.t }}}}</text>'
    fitting = marked(shop, body, t="one two three four five six")
    assert (fitting.marks, red(fitting)) == ((), [])
    found = marked(shop, body, t="one two three four five six seven eight nine ten eleven twelve")
    assert black(found)[0].startswith("one two")
    assert " ".join([*black(found), *red(found)]).split() == (
        "one two three four five six seven eight nine ten eleven twelve".split()
    )
    assert all(run.y < 28 for run in runs(found) if run.fill != RED_INK)
    assert all(run.y + 0.2 * run.size > 28 for run in runs(found) if run.fill == RED_INK)
    steps = sorted({round(run.y, 6) for run in runs(found)})
    assert {round(after - before, 3) for before, after in pairwise(steps)} == {3.6}


def test_a_text_that_shrinks_is_set_in_its_least_size(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="30" height="4"/></defs>'
    fit = 'cg:fit="shrink" cg:min-size="2.5"'
    found = marked(shop, f'{box}<text shape-inside="url(#box)" {fit} {FONT}>{"many words " * 9}</text>')
    assert {run.size for run in runs(found)} == {2.5}
    assert red(found)
    line = marked(shop, f'<text x="10" y="20" cg:max-width="9" {fit} {FONT}>rather a long line</text>')
    assert ({run.size for run in runs(line)}, red(line)) == ({2.5}, ["long line"])
    assert area(one(line, "text/overflow"))[0::2] == (10, 9)


def test_only_the_word_that_is_too_wide_is_red(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="12" height="30"/></defs>'
    body = f'{box}<text shape-inside="url(#box)" {FONT}>a few unfathomabilities here</text>'
    found = marked(shop, body)
    assert (red(found), black(found)) == (["unfathomabilities"], ["a few", "here"])
    ended = marked(shop, body.replace("shape-inside", 'text-align="center" shape-inside'))
    (word,) = (run for run in runs(ended) if run.fill == RED_INK)
    assert word.x < 10 < 22 < word.x + word.advance
    inline = f'<text x="10" y="20" inline-size="12" {FONT}>a few unfathomabilities here</text>'
    assert red(marked(shop, inline)) == ["unfathomabilities"]


def test_text_in_a_shape_goes_on_below_it(shop: Workshop) -> None:
    shape = '<defs><circle id="c" cx="33" cy="30" r="8"/></defs>'
    long = "an incomprehensibilities-of-everything word"
    for words in ("many words " * 12, long):
        found = marked(shop, f'{shape}<text shape-inside="url(#c)" {FONT}>{words}</text>')
        assert " ".join([*black(found), *red(found)]).split() == words.split()
        assert area(one(found, "text/overflow")) == (25, 22, 16, 16)


def test_words_off_the_card_or_its_safe_zone_are_red(shop: Workshop) -> None:
    off = marked(shop, f'<text x="50" y="40" {FONT}>some words run off it</text>')
    mark = one(off, "text/outside")
    assert (red(off), black(off), mark.kind) == (["words run off it"], ["some"], "words")
    (run,) = (run for run in runs(off) if run.fill == RED_INK)
    assert mark.area.x == pytest.approx(run.x, abs=0.4)
    assert mark.area.right == pytest.approx(run.x + run.advance, abs=0.4)
    near = marked(shop, f'<text x="5" y="40" {FONT}>near it</text>')
    mark = one(near, "text/safe-zone")
    assert (red(near), mark.kind, mark.problem.severity) == (["near"], "words", Severity.WARNING)
    turned = marked(
        shop, f'<text transform="rotate(90 20 70)" x="20" y="70" {FONT}>goes down off it</text>'
    )
    mark = one(turned, "text/outside")
    assert red(turned) == ["off it"] or red(turned)[-1].endswith("it")
    assert mark.area.height > mark.area.width
    assert mark.area.bottom > 86


def test_each_letter_that_no_font_has_is_boxed(shop: Workshop) -> None:
    found = marked(shop, f'<text x="8" y="55" {FONT}>a\u4e2db \U00012345</text>')
    first, second = marks(found, "text/glyph")
    (run,) = runs(found)
    a, _, b = run.words[0].glyphs
    assert first.area.x > 8 + a[1] * 3
    assert first.area.right == pytest.approx(8 + b[1] * 3)
    assert second.area.x > first.area.right
    assert {each.area.bottom for each in (first, second)} == {55}
    assert red(found) == []


def test_written_html_and_marks_are_boxed_at_their_words(shop: Workshop) -> None:
    found = marked(shop, f'<text x="8" y="20" {FONT}>{{{{ card.t }}}}</text>', t="say <b>this</b> now")
    mark = one(found, "text/html")
    (run,) = runs(found)
    assert run.text == "say <b>this</b> now"
    assert 8 + 4 < mark.area.x < mark.area.right < 8 + run.advance - 4
    body = f'<text x="8" y="20" {FONT}>a :coin@99: b :coin: c :coin#zz:</text>'
    found = marked(shop, body)
    size, ink = marks(found, "icon/mark")
    first, _, third = icons(found)
    assert (size.area.x, ink.area.x) == (first.x, third.x)


def test_a_text_that_cannot_be_set_is_boxed_where_it_would_stand(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="30" height="8"/></defs>'
    for said, expected in (
        ('shape-inside="url(#box)"', (10, 20, 30, 8)),
        ('x="40" y="30" text-anchor="end" cg:max-width="20"', (20, 27, 20, 3.6)),
        ('x="10" y="30" inline-size="20"', (10, 27, 20, 3.6)),
        ('transform="translate(5 5)" x="10" y="30" inline-size="20"', (15, 32, 20, 3.6)),
    ):
        found = marked(shop, f'{box}<text {said} font-family="Nonsuch" font-size="3">words</text>')
        assert area(one(found, "text/font")) == expected
        assert runs(found) == []
    found = marked(shop, f'{box}<text shape-inside="url(#box)" fill="nocolour" {FONT}>words</text>')
    assert area(one(found, "svg/color")) == (10, 20, 30, 8)


def test_strokes_and_gradients_give_way_to_red_words(shop: Workshop) -> None:
    halo = (
        f'<text x="8" y="20" cg:max-width="9" stroke="#fff" stroke-width="1" {FONT}>{{{{ card.t }}}}</text>'
    )
    found = marked(shop, halo, t="goes on and on")
    assert red(found) == ["on and on"]
    below, text, _ = found.artwork.items  # of the red words only
    assert isinstance(below, SetText)
    assert isinstance(text, SetText)
    assert below.stroke is not None
    assert (below.stroke.color, text.stroke) == ((1, 1, 1), None)
    assert below.runs == text.runs[1:]
    fade = '<defs><linearGradient id="f"><stop stop-color="#00f"/></linearGradient></defs>'
    body = f'{fade}<text x="8" y="20" fill="url(#f)" {FONT}>a \u4e2d</text>'
    kept = marked(shop, body)
    assert one(kept, "text/glyph")
    assert isinstance(kept.artwork.items[0], Picture)


def test_a_text_is_not_drawn_with_what_is_refused(shop: Workshop, tmp_path: Path) -> None:
    """A gradient in error is said where it is defined; the text is set without it."""
    fade = '<defs><linearGradient id="f"><stop stop-color="blau"/></linearGradient></defs>'
    body = fade + f'<text x="8" y="20" fill="url(#f)" {FONT}>plain</text>'
    for wrong in ("", f'<text x="8" y="30" stroke="rosa" {FONT}>bad</text>', "<use/>"):
        renderer, side = begun(shop, body + wrong)
        found = looked_at(renderer, side)
        assert found is not None
        assert next(run.text for run in runs(found)) == "plain"
        draw_sides([found.artwork], {}, ArtStore.open(tmp_path / "project", "demo"))


# ---- drawings


def test_the_parts_of_a_drawing_that_are_refused_are_left_out(shop: Workshop) -> None:
    body = """<defs><symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10" fill="rood"/>
      <circle cx="5" cy="5" r="3" fill="#00ff00"/></symbol></defs>
    <g fill="oops" transform="translate(5 5)"><rect id="kept" width="4" height="4"/></g>
    <use href="#s" x="32" y="20" width="9" height="9"/>
    <svg x="44" y="20" width="9" height="9" viewBox="0 0 90 90"><rect x="10" y="10" width="40" height="40"
      fill="x"/></svg>"""
    found = marked(shop, body)
    places = {mark.problem.message.split("'")[1]: area(mark) for mark in found.marks}
    assert places == {"oops": (5, 5, 4, 4), "rood": (32, 20, 9, 9), "x": (45, 21, 4, 4)}
    group, symbol, *_ = (item.svg for item in found.artwork.items if isinstance(item, Picture))
    assert 'width="4"' in group
    assert "oops" not in group
    assert "#00ff00" in symbol
    assert "rood" not in symbol


def test_a_group_that_is_not_read_is_boxed_as_a_whole(shop: Workshop) -> None:
    body = f"""<g transform="rotat(20)"><rect x="20" y="20" width="9" height="9"/>
      <text x="20" y="40" cg:max-width="15" {FONT}>in it</text></g>"""
    found = marked(shop, body)
    assert area(one(found, "svg/transform")) == (20, 20, 15, 20.75)
    pale = f'<g opacity="0.5"><text x="8" y="20" cg:max-width="9" {FONT}>goes on and on</text></g>'
    found = marked(shop, pale)
    assert isinstance(found.artwork.items[0], Group)
    assert one(found, "text/overflow").area.x == 8


def test_text_in_a_picture_is_all_there_as_outlines(shop: Workshop) -> None:
    body = f"""<defs><rect id="box" x="8" y="8" width="24" height="8"/>
      <clipPath id="cut"><rect x="6" y="6" width="30" height="12"/></clipPath></defs>
      <g clip-path="url(#cut)"><text shape-inside="url(#box)" {FONT}>{"many words " * 9}</text></g>"""
    found = marked(shop, body)
    assert area(one(found, "text/overflow")) == (8, 8, 24, 8)
    picture, _ = found.artwork.items
    assert isinstance(picture, Picture)
    assert 'fill="rgb(83.9216%' in picture.svg
    turned = f"""<g transform="translate(5 5)" style="mix-blend-mode:multiply"><text x="9" y="20" {FONT}
      cg:max-width="20">goes on and on, :nope: \u4e2d</text><text cg:decor="true" x="9" y="30" {FONT}
      cg:max-width="9">and on and on</text></g>"""
    found = marked(shop, turned)
    assert (one(found, "icon/unknown").kind, one(found, "icon/unknown").area.width) == ("missing", 3)
    assert one(found, "text/glyph").area.bottom == 25
    decor = one(found, "text/overflow").area  # of all its words
    assert (decor.x, decor.width) == pytest.approx((14.13, 18.61), abs=0.01)


def test_places_hold_in_a_drawing_of_another_size(shop: Workshop) -> None:
    """A unit is not a millimetre there; the drawing is fitted onto the card."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" viewBox="0 0 660 860">'
    body = f"""{head}<rect x="100" y="100" width="50" height="50" fill="rood"/>
      <text x="100" y="400" font-family="IBM Plex Sans" font-size="30" cg:max-width="100">goes on and
      on</text><g mask="url(#m)"><image href="no.png" x="300" y="300" width="60" height="30"/></g></svg>"""
    found = marked(shop, body)
    assert area(one(found, "svg/color")) == (10, 10, 5, 5)
    line = one(found, "text/overflow").area
    assert (line.x, line.width) == pytest.approx((10, 10))
    assert area(one(found, "image/missing")) == (30, 30, 6, 3)


def test_warnings_are_noted_and_nothing_is_drawn_over_them(shop: Workshop) -> None:
    body = f'<text x="8" y="20" {FONT}>:pale: **odd</text>'
    body += '<use href="#icon-pale" x="9" y="30" width="4" height="4"/>'
    found = marked(shop, body)
    assert {mark.kind for mark in found.marks} == {"noted"}
    assert [area(mark) for mark in marks(found, "icon/unseen")][1] == (9, 30, 4, 4)
    assert len(found.artwork.items) == 2


# ---- beside what is printed


def test_nothing_that_is_printed_changes(shop: Workshop) -> None:
    plain, side = begun(shop, EVERYTHING)
    alone = plain.lay_out(side)
    renderer, side = begun(shop, EVERYTHING)
    first = looked_at(renderer, side)
    after = renderer.lay_out(side)
    assert first is not None
    assert (after.problems, after.icons) == (alone.problems, alone.icons)
    assert after.artwork is not None
    assert alone.artwork is not None
    assert after.artwork.key == alone.artwork.key != first.artwork.key
    assert [type(item) for item in after.artwork.items] == [type(item) for item in alone.artwork.items]
    assert set(after.problems) <= set(first.problems)
    again = looked_at(renderer, side)
    assert again is not None
    assert (again.artwork.key, again.marks) == (first.artwork.key, first.marks)


def test_a_side_without_trouble_has_a_key_of_its_own(shop: Workshop) -> None:
    renderer, side = begun(shop, f'<text x="9" y="20" {FONT}>plain</text>')
    found, made = looked_at(renderer, side), renderer.lay_out(side)
    assert found is not None
    assert made.artwork is not None
    assert found.artwork == replace(made.artwork, key=found.artwork.key)
    assert (found.marks, found.problems) == ((), ())
    assert found.artwork.key != made.artwork.key


def test_what_cannot_be_read_has_no_picture(shop: Workshop) -> None:
    for body in (f"{HEAD}<g></svg>", "<html/>", f"{HEAD}{{{{ nothing.such }}}}</svg>"):
        renderer, side = begun(shop, body.replace("<html/>", "<svg:g xmlns:svg='urn:x'/>"))
        assert looked_at(renderer, side) is None


def test_a_mark_leads_to_the_finding_that_a_check_has(shop: Workshop) -> None:
    body = (
        f'<text x="9" y="20" {FONT} cg:max-width="9">{{{{ card.t }}}}</text><rect fill="rood" width="3"/>'
    )
    renderer, side = begun(shop, body, t="goes on and on")
    found = looked_at(renderer, side)
    assert found is not None
    assert side.rendered is not None
    reporter, said, collected = Reporter(shop.game([{"t": "goes on and on"}])), Findings(), Findings()
    for mark in found.marks:
        reporter.problem(mark.problem, side.card, side.side, side.template, side.rendered.locate)
    reporter.finish(said)
    renderer.say(side, renderer.lay_out(side))
    renderer.reporter.finish(collected)
    assert sorted(said, key=str) == sorted(collected, key=str)
    assert {str(finding.location) for finding in said} == {
        "data/demo/cards.yaml:10: [cards][0]",
        "templates/demo/card.svg:2",
    }


# ---- places


@for_each(
    ("element", "expected"),
    [
        ('<path d="M1 2L5 9z"/>', Rect(1, 2, 4, 7)),
        (
            '<g transform="scale(2)"><circle cx="5" cy="5" r="1"/><line x1="9" x2="9"/></g>',
            Rect(8, 0, 10, 12),
        ),
        ('<use href="#dot" x="10"/>', Rect(9, -1, 2, 2)),
        ('<text x="9" y="8" font-size="4">ab</text>', Rect(9, 4.8, 4, 4.2)),
        ('<use href="#self" id="self"/>', None),
        ("<defs><rect width='1' height='1'/></defs>", None),
    ],
)
def test_where_an_element_lies(element: str, expected: Rect | None) -> None:
    data = f'{HEAD}<defs><circle id="dot" r="1"/></defs>{element}</svg>'.encode()
    document = parse(data)
    *_, node = document.root.elements()
    found = Places(document.ids, lambda node: node.attrs).of(node, IDENTITY)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        for name in ("x", "y", "width", "height"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name))


def test_places_are_looked_for_in_so_many_steps(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.art.marks._MOST_STEPS", 150)
    shapes = "".join(f'<rect x="{index % 50}" y="9" width="1" height="1"/>' for index in range(100))
    found = marked(shop, f'<g fill="oops">{shapes}</g><g fill="oops">{2 * shapes}</g>')
    assert [(mark.kind, area(mark)) for mark in found.marks] == [
        ("box", (0, 9, 50, 1)),
        ("side", (0, 0, 66, 86)),
    ]
