"""Text elements: where the words come to stand, and what is said when they can't."""

from __future__ import annotations

import re

import pytest

from cardgen.core.artwork import Group, IconRun, Item, Picture, SetText, Stroke, TextRun
from cardgen.core.findings import Severity
from cardgen.core.game import Limits
from tests.art.support import FONT, HEAD, Result, Workshop
from tests.for_each import for_each
from tests.wording import Wording

COIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" stroke="currentColor">'
    '<circle cx="12" cy="12" r="9"/></svg>'
)
BOX = '<defs><rect id="box" x="10" y="20" width="40" height="30"/></defs>'


def clean(shop: Workshop, body: str, **fields: object) -> Result:
    result = shop.render(body, [fields])
    assert result.findings == []
    return result


def runs(text: SetText) -> list[TextRun]:
    return [run for run in text.runs if isinstance(run, TextRun)]


def one(shop: Workshop, body: str, **fields: object) -> SetText:
    (text,) = clean(shop, body, **fields).texts
    return text


# ---- lines along a text, and across its box


def test_a_text_is_underlined_and_struck_out_where_it_says_so(shop: Workshop) -> None:
    body = f'<text x="9" y="20" {FONT}>a <tspan text-decoration="underline">bc</tspan> d</text>'
    text = one(shop, body)
    _, under, _ = runs(text)
    (bar,) = text.bars
    assert (bar.area.x, bar.area.width) == pytest.approx((under.x, under.advance))
    assert 20 < bar.area.y < bar.area.bottom < 20 + 3 * 0.25
    both = '<g text-decoration="underline"><g style="text-decoration-line: underline line-through">'
    struck = one(shop, f'{both}<text x="9" y="20" {FONT} fill="#ff0000">abc</text></g></g>')
    below, through = struck.bars
    assert through.area.bottom < 20 < below.area.y
    assert {bar.fill for bar in struck.bars} == {(0, 0, 0)}  # of the groups, which ask for them


def test_lines_follow_justified_and_shrunk_text(shop: Workshop) -> None:
    body = f"""{BOX}<text shape-inside="url(#box)" text-align="justify" cg:fit="shrink" {FONT}
      text-decoration="underline">{"some words " * 27}</text>"""
    text = one(shop, body)
    assert text.size < 3
    rows = sorted({bar.area.y for bar in text.bars})
    assert len(rows) == len({run.y for run in runs(text)})
    first = [bar for bar in text.bars if bar.area.y == rows[0]]
    assert max(bar.area.right for bar in first) == pytest.approx(50)


def test_a_rule_lies_between_paragraphs(shop: Workshop) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" {FONT}>{{{{ card.t|md }}}}</text>'
    text = one(shop, body, t="One.\n\n---\n\nTwo.")
    first, second = runs(text)
    (bar,) = text.bars
    assert (bar.area.x, bar.area.width) == pytest.approx((10, 40))
    assert first.y < bar.area.y < bar.area.bottom < second.y - 3 * 0.7
    alone = one(shop, body, t="---")
    assert alone.bars == ()
    assert [run.text for run in runs(alone)] == ["---"]


def test_what_can_have_no_lines_says_so(shop: Workshop) -> None:
    for attributes, code in (
        ('text-decoration="overline"', "text/unset"),
        ('text-decoration="underline" stroke="#000"', "text/outline"),
    ):
        (finding,) = shop.render(f'<text x="9" y="20" {FONT} {attributes}>abc</text>').findings
        assert finding.code == code


@for_each(
    "text",
    [
        "a <b>b</b>",
        'a <br class="x"> b',
        '<span class="x">',
        "a&nbsp;b",
        "a &mdash; b",
        "&#x2660;",
    ],
)
def test_html_in_a_text_is_named(shop: Workshop, text: str, wording: Wording) -> None:
    for filter_ in ("", "|md"):
        body = f'{BOX}<text shape-inside="url(#box)" {FONT}>{{{{ card.t{filter_} }}}}</text>'
        (finding,) = shop.render(body, [{"t": text}]).findings
        assert finding.code == "text/html"
        assert finding.location is not None
        assert finding.location.file == "data/demo/cards.yaml"
        wording(finding)


def test_html_hides_nothing_else_that_is_wrong_with_a_text(shop: Workshop) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" {FONT}>{{{{ card.t|md }}}}</text>'
    found = shop.render(body, [{"t": "<i>one</i> <u>two</u> 2:nope: 漢"}]).findings
    assert [finding.code for finding in found] == ["icon/unknown", "text/glyph", "text/html", "text/html"]


@for_each("text", [r"a \<b> c", "1 < 2 > 0", "a <- b", "<x>", "x <briefly> y", r"\&amp;", "R&D; &notit;"])
def test_what_only_looks_like_html_is_text(shop: Workshop, text: str) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" {FONT}>{{{{ card.t|md }}}}</text>'
    assert clean(shop, body, t=text).words() == text.replace("\\", "")


# ---- lines at points


def test_a_text_that_runs_right_to_left_starts_on_the_right(shop: Workshop) -> None:
    (line,) = runs(one(shop, f'<text x="30" y="20" direction="rtl" {FONT}>Words</text>'))
    assert line.x + line.advance == pytest.approx(30)
    body = f'{BOX}<text shape-inside="url(#box)" style="direction: rtl" {FONT}>One, two!</text>'
    wrapped = one(shop, body)
    assert wrapped.box.right == pytest.approx(50)
    assert "".join(run.text for run in sorted(runs(wrapped), key=lambda run: run.x)) == "!One, two"


def test_a_direction_is_one_of_three(shop: Workshop, wording: Wording) -> None:
    body = f'<text x="9" y="20" direction="up" {FONT}>Words</text>'
    (finding,) = shop.render(body).findings
    assert (finding.code, finding.message) == ("text/direction", "direction can't be 'up' (card 'card-1')")
    wording(finding)


@for_each(("anchor", "part"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_anchors(shop: Workshop, anchor: str, part: float) -> None:
    (run,) = runs(one(shop, f'<text x="30" y="20" text-anchor="{anchor}" {FONT}>Words</text>'))
    assert run.y == 20
    assert run.x == pytest.approx(30 - part * run.advance)


def test_styles_come_from_attributes_rules_and_style(shop: Workshop) -> None:
    body = f"""<style>
      text {{ fill: #ff0000; }} .loud {{ font-weight: bold; }} #id1 {{ letter-spacing: 0.3; }}
    </style>
    <g font-family="IBM Plex Mono" font-size="4">
      <text x="9" y="20" class="loud" fill="#00ff00">a</text>
      <text x="9" y="30" id="id1" style="font-size:3px; font-family:'IBM Plex Sans', sans-serif">b</text>
    </g><text x="9" y="40" {FONT}>c</text>"""
    first, second, third = (runs(text)[0] for text in clean(shop, body).texts)
    assert (first.font, first.size, first.fill) == ("IBMPlexMono-Bold", 4, (1, 0, 0))
    assert (second.font, second.size) == ("IBMPlexSans-Regular", 3)
    assert second.words[0].advance > 0.3 / 3
    assert third.fill == (1, 0, 0)


@for_each("form", ["attribute", "style", "rule"])
def test_groups_pass_properties_on(shop: Workshop, form: str) -> None:
    properties = {"text-align": "end", "line-height": "2", "letter-spacing": "0.3", "fill": "#ff0000"}
    if form == "attribute":
        group = "<g " + " ".join(f'{name}="{value}"' for name, value in properties.items()) + ">"
    else:
        declared = ";".join(f"{name}:{value}" for name, value in properties.items())
        group = f'<g style="{declared}">' if form == "style" else f"<style>g {{ {declared} }}</style><g>"
    body = f'{BOX}{group}<text shape-inside="url(#box)" {FONT}>one<tspan cg:block="break"/>two</text></g>'
    first, second = runs(one(shop, body))
    assert second.y - first.y == pytest.approx(6)
    assert first.x + first.advance == pytest.approx(50, abs=0.4)
    assert first.fill == (1, 0, 0)
    assert first.words[0].advance > 3 * 0.5 + 0.3


def test_spans_flow_on_one_line(shop: Workshop) -> None:
    body = f'<text x="9" y="20" {FONT}>Draw <tspan font-weight="bold" fill="#f00">two</tspan> cards</text>'
    first, second, third = runs(one(shop, body))
    assert [run.text for run in (first, second, third)] == ["Draw ", "two", " cards"]
    assert second.font == "IBMPlexSans-Bold"
    assert second.x == pytest.approx(first.x + first.advance)
    assert third.x == pytest.approx(second.x + second.advance)


def test_spans_with_places_begin_new_lines(shop: Workshop) -> None:
    body = (
        f'<text x="9" y="20" {FONT}>a<tspan x="9" dy="4">b</tspan>'
        '<tspan x="30" y="40" text-anchor="end">c</tspan></text>'
    )
    result = clean(shop, body)
    (text,) = result.texts
    places = [
        (run.text, round(run.x + (run.advance if run.text == "c" else 0), 6), run.y) for run in runs(text)
    ]
    assert places == [("a", 9, 20), ("b", 9, 24), ("c", 30, 40)]


def test_dx_and_dy_move_and_the_anchor_holds_for_all(shop: Workshop) -> None:
    body = f'<text x="30" y="20" text-anchor="middle" {FONT}>ab <tspan dx="2" dy="-1">cd</tspan></text>'
    first, second = runs(one(shop, body))
    assert second.y == pytest.approx(19)
    end = second.x + second.advance
    assert (first.x + end) / 2 == pytest.approx(30)
    space = 2 + runs(one(shop, f'<text x="9" y="20" {FONT}>ab&#160;</text>'))[0].advance
    assert second.x - first.x == pytest.approx(space)


def test_superscripts_are_raised(shop: Workshop) -> None:
    body = f'<text x="9" y="20" {FONT}>2<tspan baseline-shift="super" font-size="2.4">nd</tspan></text>'
    first, second = runs(one(shop, body))
    assert (first.y, second.y, second.size) == (20, pytest.approx(20 - 0.4 * 2.4), 2.4)


@for_each(
    ("attribute", "em"),
    [('cg:valign="middle"', 0.349), ('cg:valign="top"', 0.698), ('dominant-baseline="middle"', 0.258)],
)
def test_vertical_alignment_of_lines(shop: Workshop, attribute: str, em: float) -> None:
    (run,) = runs(one(shop, f'<text x="9" y="20" {attribute} {FONT}>H</text>'))
    assert run.y == pytest.approx(20 + 3 * em, abs=0.003)


def test_a_line_shrinks_to_its_width(shop: Workshop) -> None:
    place = 'x="33" y="20" text-anchor="middle"'
    body = f'<text {place} cg:max-width="20" cg:fit="shrink" {FONT}>{{{{ card.t }}}}</text>'
    text = one(shop, body, t="A title that is wide")
    (run,) = runs(text)
    assert 19.8 < run.advance <= 20.0001
    assert run.size == text.size < 3
    assert runs(one(shop, body, t="Short"))[0].size == 3


def test_a_line_that_can_not_shrink_enough(shop: Workshop) -> None:
    fit = 'cg:max-width="20" cg:fit="shrink" cg:min-size="2.9"'
    body = f'<text x="9" y="20" {fit} {FONT}>A title that is wide</text>'
    (finding,) = shop.render(body).findings
    assert finding.code == "text/overflow"
    assert "lost: “wide”" in finding.message


def test_white_space(shop: Workshop) -> None:
    assert clean(shop, f'<text x="9" y="20" {FONT}>\n  a\n  b  </text>').words() == "a b"
    kept = clean(shop, f'<text x="9" y="20" xml:space="preserve" {FONT}>  a  b c</text>').words()
    assert kept == "\u00a0\u00a0a\u00a0\u00a0b c"


def test_text_transform(shop: Workshop) -> None:
    body = f'<text x="9" y="20" text-transform="uppercase" {FONT}>straße</text>'
    assert clean(shop, body).words() == "STRASSE"


# ---- boxes


def test_words_fill_their_box(shop: Workshop) -> None:
    text = one(shop, f'{BOX}<text shape-inside="url(#box)" {FONT}>{"word " * 30}</text>')
    assert text.box.x == pytest.approx(10)
    assert text.box.y >= 20
    assert text.box.right <= 50
    assert len({run.y for run in runs(text)}) > 3


def test_padding_and_alignment(shop: Workshop) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" shape-padding="5" text-align="end" {FONT}>word</text>'
    (run,) = runs(one(shop, body))
    assert run.x + run.advance == pytest.approx(45)
    assert run.y > 25


def test_a_moved_and_scaled_box(shop: Workshop) -> None:
    rect = '<rect id="box" x="5" y="5" width="20" height="10" transform="translate(5 10) scale(2 1)"/>'
    box = f"<defs>{rect}</defs>"
    (run,) = runs(one(shop, f'{box}<text shape-inside="url(#box)" text-align="end" {FONT}>word</text>'))
    assert run.x + run.advance == pytest.approx(55)
    assert 15 < run.y < 25


@for_each(("value", "gap"), [("1.5", 4.5), ("150%", 4.5), ("5px", 5), ("2em", 6)])
def test_line_height(shop: Workshop, value: str, gap: float) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" line-height="{value}" {FONT}>{"word " * 12}</text>'
    rows = sorted({run.y for run in runs(one(shop, body))})
    assert rows[1] - rows[0] == pytest.approx(gap)


def test_inline_size_wraps_from_the_first_baseline(shop: Workshop) -> None:
    body = f'<text x="33" y="20" inline-size="20" text-anchor="middle" {FONT}>{"word " * 8}</text>'
    text = one(shop, body)
    rows = sorted({run.y for run in runs(text)})
    assert rows[0] == pytest.approx(20)
    assert len(rows) > 1
    assert text.box.x + text.box.width / 2 == pytest.approx(33)
    assert text.box.width <= 20


def test_vertical_alignment_in_a_box(shop: Workshop) -> None:
    rows = {}
    for valign in ("top", "middle", "bottom"):
        body = f'{BOX}<text shape-inside="url(#box)" cg:valign="{valign}" {FONT}>word</text>'
        rows[valign] = runs(one(shop, body))[0].y
    assert rows["top"] < rows["middle"] < rows["bottom"] < 50
    assert rows["middle"] == pytest.approx((rows["top"] + rows["bottom"]) / 2, abs=0.5)


def test_paragraphs_lists_and_breaks(shop: Workshop) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" {FONT}>{{{{ card.t|md }}}}</text>'
    result = clean(shop, body, t="One.\n\n- two\n- three  \n  four")
    assert result.words() == "One.\n•two\n•three\nfour"
    rows = runs(result.texts[0])
    one_, bullet, two = rows[0], rows[1], rows[2]
    assert bullet.x == one_.x == 10
    assert two.x == pytest.approx(10 + 3)
    assert two.y - one_.y > 1.2 * 3


def test_a_list_within_a_list_is_indented_with_its_bullets(shop: Workshop) -> None:
    body = f'{BOX}<text shape-inside="url(#box)" {FONT} cg:list-indent="2">{{{{ card.t|md }}}}</text>'
    outer, two, inner, three = runs(clean(shop, body, t="- two\n  - three").texts[0])
    assert (outer.x, two.x) == (10, pytest.approx(10 + 2 * 3))
    assert (inner.x, three.x) == (pytest.approx(10 + 2 * 3), pytest.approx(10 + 4 * 3))


def test_shrinking(shop: Workshop) -> None:
    fit = 'cg:fit="shrink" cg:min-size="2.3"'
    body = f'{BOX}<text shape-inside="url(#box)" {fit} {FONT}>{"word " * 55}</text>'
    text = one(shop, body)
    assert 2.3 <= text.size < 3


def test_overflow_names_everything(shop: Workshop) -> None:
    fit = 'cg:fit="shrink" cg:min-size="2.5"'
    body = f'{BOX}\n<text shape-inside="url(#box)" {fit} {FONT}>{{{{ card.t }}}}</text>'
    long = "word " * 120 + "gone"
    first, second = shop.render(body, [{"t": "ok"}, {"t": long}, {"t": long + "!"}]).findings
    assert (first.code, first.severity) == ("text/overflow", Severity.ERROR)
    assert first.location is not None
    assert (first.location.file, first.location.line) == ("data/demo/cards.yaml", 20)
    assert first.message.startswith(
        "card 'card-2': the text 'box' does not fit even at 7.09 pt; lost: “word"
    )
    assert first.hint is not None
    assert "templates/demo/card.svg:3" in first.hint
    one, two = (re.search(r"by (\d+) characters", each.hint or "") for each in (first, second))
    assert one is not None
    assert two is not None
    assert 0 < int(one[1]) == int(two[1]) - 1 < len(long)
    assert second.location is not None
    assert second.location.line == 30


def test_hyphens(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="14" height="30"/></defs>'
    body = f'{box}<text shape-inside="url(#box)" cg:hyphens="auto" {FONT}>responsibility</text>'
    assert "-" in clean(shop, body).words().replace("\u2010", "-")


@for_each(
    ("words", "size"),
    [("one", 3), ("one two", 2.5), ("one two six", 2.0), ("one two three", 1.2)],
)
def test_a_text_is_shrunk_to_one_of_its_steps(words: str, size: float, shop: Workshop) -> None:
    shop.limits = Limits(type_pt=1)
    fit = 'cg:fit="shrink" cg:steps="3, 2.5 2 1.2"'
    box = '<defs><rect id="box" x="10" y="20" width="10.5" height="9"/></defs>'
    wrapped = f'{box}<text shape-inside="url(#box)" line-height="1" {fit} {FONT}>'
    line = f'<text x="9" y="20" cg:max-width="10.5" {fit} {FONT}>'
    assert one(shop, f"{line}{words}</text>").size == pytest.approx(size)
    text = one(shop, f"{wrapped}{words.replace(' ', '&#160;')}</text>")
    assert text.size == pytest.approx(size)


def test_text_that_fits_at_no_step_is_reported_at_the_least(shop: Workshop) -> None:
    fit = 'cg:fit="shrink" cg:steps="2.9 2.5" cg:max-width="5"'
    (finding,) = shop.render(f'<text x="9" y="20" {fit} {FONT}>far too much</text>').findings
    assert finding.code == "text/overflow"
    assert "even at 7.09 pt" in finding.message


@for_each(
    "attributes",
    [
        'cg:steps="3 2"',
        'cg:fit="shrink" cg:steps="3 2" cg:min-size="2"',
        'cg:fit="shrink" cg:steps="2 2.5"',
        'cg:fit="shrink" cg:steps=""',
        'cg:fit="shrink" cg:steps="2 0"',
        'cg:fit="shrink" cg:steps="4 2"',
        'cg:fit="shrink" cg:steps="two"',
    ],
)
def test_wrong_steps_are_reported(attributes: str, shop: Workshop, wording: Wording) -> None:
    (finding,) = shop.render(f'<text x="9" y="20" cg:max-width="9" {attributes} {FONT}>a</text>').findings
    wording(finding)


def test_limits_of_hyphens_and_whole_words(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="10" y="20" width="14" height="30"/></defs>'

    body = f'{box}<text shape-inside="url(#box)" cg:hyphens="auto 6 2 3" {FONT}>responsibility</text>'
    assert "-" in clean(shop, body).words()
    codes = []
    for attributes in ('cg:hyphens="auto 6 2"', 'word-break="break-all"', 'word-break="auto-phrase"'):
        body = f'{box}<text shape-inside="url(#box)" {attributes} {FONT}>immediately unreliable</text>'
        codes.append([finding.code for finding in shop.render(body).findings])
    assert codes == [["text/hyphens"], ["text/unset"], ["text/unset"]]


# ---- icons


def test_icons_in_text(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    body = f'<text x="9" y="20" fill="#ff0000" {FONT}>Gain 2:coin::coin:, <tspan cg:icon="coin"/></text>'
    result = clean(shop, body)
    icons = [run for run in result.texts[0].runs if isinstance(run, IconRun)]
    assert [(icon.icon, icon.size, icon.fill) for icon in icons] == [("coin", 3, (1, 0, 0))] * 3
    assert icons[1].x == pytest.approx(icons[0].x + 3)
    assert list(result.rendering.icons) == ["coin"]
    assert 'viewBox="0 0 24 24"' in result.rendering.icons["coin"]
    assert "currentColor" in result.rendering.icons["coin"]


def test_a_wide_icon_takes_its_width(shop: Workshop) -> None:
    shop.write("demo/icons/wide.svg", COIN.replace("0 0 24 24", "-6 0 36 24"))
    shop.write("demo/icons/coin.svg", COIN)
    result = clean(shop, f'<text x="9" y="20" {FONT}>:wide::coin:</text>')
    wide, coin = (run for run in result.texts[0].runs if isinstance(run, IconRun))
    assert (wide.x, wide.size, wide.width) == (9, 3, 4.5)
    assert coin.x == pytest.approx(13.5)
    assert 'viewBox="-6 0 36 24"' in result.rendering.icons["wide"]


def test_an_icons_size_and_colour_in_the_line(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    text = one(
        shop, f'<text x="9" y="20" {FONT}>:coin@1.4#c00::coin#0000ff@.5:<tspan cg:icon="coin@2"/></text>'
    )
    icons = [run for run in text.runs if isinstance(run, IconRun)]
    assert [(icon.size, icon.fill) for icon in icons] == [
        (pytest.approx(4.2), (0.8, 0, 0)),
        (1.5, (0, 0, 1)),
        (6, (0, 0, 0)),
    ]
    middles = [icon.y + icon.size / 2 for icon in icons]
    assert middles == pytest.approx([middles[0]] * 3)


@for_each(
    "mark",
    [
        ":coin@9:",
        ":coin@0.1 3:",
        ":coin@big:",
        ":coin#c0:",
        ":coin#red@2:",
        ":coin@1@2:",
        ":cion@1.4#c00 3:",
    ],
)
def test_a_wrong_size_or_colour_of_an_icon_stands_at_the_card(
    mark: str, shop: Workshop, wording: Wording
) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    body = f'<text x="9" y="20" {FONT}>{{{{ card.t|md(inline=true) }}}}</text>'
    (finding,) = shop.render(body, [{"t": "ok"}, {"t": f"Gain {mark} now"}]).findings
    wording(finding)
    assert finding.location is not None
    assert finding.location.line == 20


@for_each(
    ("paint", "ink"),
    [
        ('fill="none"', (0.8, 0, 0)),
        ('fill="currentColor"', (1, 1, 1)),
        ('fill="#ff0"', (0, 0, 0)),
        ('fill="#003"', (1, 1, 1)),
    ],
)
def test_a_figure_is_set_in_an_ink_that_its_icon_lets_read(
    paint: str, ink: tuple[float, float, float], shop: Workshop
) -> None:
    shop.write("demo/icons/coin.svg", COIN.replace("<circle", f"<circle {paint}"))
    text = one(shop, f'<text x="9" y="20" fill="#cc0000" {FONT}>a :coin@1.4 12: b</text>')
    before, icon, figure, after = text.runs
    assert isinstance(icon, IconRun)
    assert isinstance(figure, TextRun)
    assert (figure.text, figure.fill, figure.within) == ("12", ink, "coin")
    assert figure.x + figure.advance / 2 == pytest.approx(icon.x + icon.size / 2)
    assert figure.advance == pytest.approx(0.66 * icon.size)
    assert before.x < icon.x < figure.x < after.x


def test_a_figure_that_is_too_small_to_be_printed_stands_at_the_card(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    body = f'<text x="9" y="20" {FONT}>{{{{ card.t }}}}</text>'
    (finding,) = shop.render(body, [{"t": ":coin 8:"}, {"t": ":coin@1.4 12:"}, {"t": ":coin 12:"}]).findings
    assert finding.code == "text/size"
    assert "the number '12' in the icon ':coin:' prints at 4.68 pt" in finding.message
    assert "make the icon 1.4 times as large" in (finding.hint or "")
    assert finding.location is not None
    assert finding.location.line == 30


def test_an_unknown_icon_in_texture_is_reported(shop: Workshop) -> None:
    body = f'<text x="9" y="20" cg:decor="true" {FONT}>:x: <tspan cg:icon="nix"/></text>'
    assert shop.render(body).codes == ["icon/unknown"]


def test_a_figure_that_the_font_lacks_is_reported(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    assert shop.render(f'<text x="9" y="20" {FONT}>:coin@2 龍:</text>').codes == ["text/glyph"]


@for_each("text", ["12:30:15", "std::vector::x", "a: b: c", "http://x"])
def test_colons_that_are_no_icons(shop: Workshop, text: str) -> None:
    assert clean(shop, f'<text x="9" y="20" {FONT}>{text}</text>').words() == text


def test_an_escaped_colon_is_no_icon(shop: Workshop) -> None:
    body = f'<text x="9" y="20" {FONT}>{{{{ card.t|md }}}}</text>'
    assert clean(shop, body, t=r"\:coin:").words() == ":coin:"


def test_an_icon_between_wide_colons_is_said(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    (finding,) = shop.render(f'<text x="9" y="20" {FONT}>take：coin：</text>').findings
    assert finding.hint == "write ':coin:', with plain colons"


def test_an_unknown_icon_stands_at_the_card(shop: Workshop) -> None:
    shop.write("demo/icons/coin.svg", COIN)
    body = f'<text x="9" y="20" {FONT}>{{{{ card.t }}}}</text>'
    (finding,) = shop.render(body, [{"t": "ok"}, {"t": ":cion:"}]).findings
    assert finding.code == "icon/unknown"
    assert finding.location is not None
    assert finding.location.line == 20
    assert finding.hint is not None
    assert finding.hint.startswith("did you mean ':coin:'?")


# ---- groups, matrices, opacity


def test_transforms_add_up(shop: Workshop) -> None:
    body = (
        f'<g transform="translate(10 10)"><g transform="rotate(90)">'
        f'<text x="5" y="-5" transform="scale(2)" {FONT}>ab</text></g></g>'
    )
    text = one(shop, body)
    assert text.matrix.apply(5, -5) == pytest.approx((20, 20))
    assert text.matrix.scale == pytest.approx(2)
    assert runs(text)[0].x == 5


def test_type_size_counts_scaling(shop: Workshop) -> None:
    body = f'<g transform="scale(0.5)"><text x="50" y="50" {FONT}>ab</text></g>'
    (finding,) = shop.render(body).findings
    assert (finding.code, finding.message) == (
        "text/size",
        "the text at (50, 50) prints at 4.25 pt; the minimum is 6.5 pt (card 'card-1')",
    )


def test_text_under_opacity_is_a_group(shop: Workshop) -> None:
    body = f'<g opacity="0.4"><rect width="9" height="9"/><text x="9" y="20" {FONT}>a</text></g>'
    (group,) = clean(shop, body).art.items
    assert isinstance(group, Group)
    assert group.opacity == 0.4
    picture, text = group.items
    assert isinstance(picture, Picture)
    assert isinstance(text, SetText)
    assert "opacity" not in picture.svg


def test_opacity_of_the_text_itself(shop: Workshop) -> None:
    body = f'<text x="9" y="20" opacity="0.5" fill-opacity="50%" {FONT}>a</text>'
    assert one(shop, body).opacity == 0.25


@for_each("style", ['display="none"', 'visibility="hidden"', 'fill="none"'])
def test_hidden_text(shop: Workshop, style: str) -> None:
    assert clean(shop, f'<text x="9" y="20" {style} {FONT}>a</text>').art.items == ()


def test_paint_order_of_elements_is_kept(shop: Workshop) -> None:
    body = f'<rect width="3" height="3"/><g><text x="9" y="20" {FONT}>a</text></g><circle r="3"/>'
    kinds = [type(item).__name__ for item in clean(shop, body).art.items]
    assert kinds == ["Picture", "SetText", "Picture"]


def one_group(shop: Workshop, body: str) -> tuple[Item, ...]:
    """What a text that is see-through as a whole is drawn by."""
    (group,) = clean(shop, body).art.items
    assert isinstance(group, Group)
    assert group.opacity == 0.5
    return group.items


def test_a_stroke_in_one_colour_is_set_as_text(shop: Workshop) -> None:
    body = (
        f'<text x="9" y="20" stroke="#f00" stroke-width="0.4" stroke-opacity=".5" opacity=".5" '
        f'stroke-linejoin="round" stroke-linecap="square" stroke-miterlimit="2" {{}} {FONT}>I</text>'
    )
    above, below, alone = (
        one_group(shop, body.replace("{}", more)) for more in ("", 'paint-order="stroke"', 'fill="none"')
    )
    for (outlines, text), again in ((above[::-1], True), (below, True), ((*alone, below[1]), False)):
        assert isinstance(outlines, SetText)
        assert isinstance(text, SetText)
        assert outlines.stroke == Stroke((1, 0, 0), 0.4, cap=2, join=1, miter=2, again=again)
        assert (outlines.runs, outlines.matrix) == (text.runs, text.matrix)
        assert (outlines.opacity, text.opacity) == (0.5, 1)
        assert outlines.decor
        assert text.stroke is None
        assert not text.decor
    for none in ('stroke-width="0"', 'stroke-opacity="0"'):
        (text,) = clean(shop, f'<text x="9" y="20" stroke="#f00" {none} {FONT}>I</text>').art.items
        assert isinstance(text, SetText)
        assert text.stroke is None


def test_a_dashed_stroke_is_drawn_as_outlines(shop: Workshop) -> None:
    body = f'<text x="9" y="20" stroke="#f00" stroke-width="0.4" stroke-dasharray="1" {{}} {FONT}>I</text>'
    above = clean(shop, body.replace("{}", "")).art.items
    below = clean(shop, body.replace("{}", 'paint-order="stroke"')).art.items
    assert [type(item).__name__ for item in above] == ["SetText", "Picture"]
    assert [type(item).__name__ for item in below] == ["Picture", "SetText"]
    picture = above[1]
    assert isinstance(picture, Picture)
    assert 'fill="none"' in picture.svg
    assert 'stroke="#f00"' in picture.svg
    # The I of this font stands on the baseline and is as high as its capitals.
    numbers = [float(n) for n in picture.svg.split('d="M')[1].split("Z")[0].replace("L", " ").split()]
    assert (max(numbers[1::2]), min(numbers[1::2])) == (20, pytest.approx(20 - 3 * 0.698, abs=0.002))


def test_a_gradient_fills_outlines(shop: Workshop) -> None:
    body = (
        '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>'
        f'<text x="9" y="20" fill="url(#g)" {FONT}>I</text>'
    )
    (picture,) = clean(shop, body).art.items
    assert isinstance(picture, Picture)
    assert '<linearGradient id="g">' in picture.svg
    assert 'fill="url(#g)"' in picture.svg


def test_missing_letters(shop: Workshop) -> None:
    body = f'<text x="9" y="20" {FONT}>{{{{ card.t }}}}</text>'
    findings = shop.render(body, [{"t": "漢"}, {"t": "שלום"}]).findings
    message = "card 'card-1': the font IBMPlexSans-Regular has no '漢' (U+6F22)"
    assert findings[0].message == f"{message} (face drawn by templates/demo/card.svg:2)"
    assert [finding.code for finding in findings] == ["text/glyph", "text/glyph"]


@for_each(
    ("text", "fields", "line"),
    [
        ("{{ card.t|default('漢') }}", {}, None),
        ("漢 {{ card.t }}", {"t": "a"}, None),
        ("{{ card.t|upper }}", {"t": "ꙁ", "n": ["x"]}, 10),
        ("{{ card.t.n[0] }}", {"t": {"n": ["漢"]}}, 10),
        (":nothing:", {"t": "a"}, None),
        ("{{ card.t }}", {"t": ":Nothing: :nothing:"}, 10),
    ],
)
def test_what_the_template_wrote_itself_is_said_at_its_line(
    text: str, fields: dict[str, object], line: int | None, shop: Workshop
) -> None:
    body = f'\n<text x="9" y="20" font-family="Bebas Neue" font-size="3">{text}</text>'
    (finding,) = shop.render(body, [fields]).findings
    assert finding.code in ("text/glyph", "icon/unknown")
    assert finding.location is not None
    place = (finding.location.file, finding.location.line)
    assert place == (("templates/demo/card.svg", 3) if line is None else ("data/demo/cards.yaml", line))


def test_a_letter_typed_in_a_template_is_said_once_there_whatever_the_cards_hold(shop: Workshop) -> None:
    bebas = 'font-family="Bebas Neue" font-size="3"'
    body = f'\n<text x="9" y="20" {bebas}>&#28450;字 {{{{ card.t }}}}</text>\n'
    body += f'<text x="9" y="30" {bebas}>語</text>'
    cards = [{"t": f"{number}{letter}", "n": "漢 字"} for number, letter in enumerate("猫abc")]
    findings = shop.render(body, cards).findings
    assert [(finding.location.file, finding.location.line) for finding in findings if finding.location] == [
        ("data/demo/cards.yaml", 10),
        ("templates/demo/card.svg", 3),
        ("templates/demo/card.svg", 4),
    ]
    assert "'猫' (U+732B)" in findings[0].message
    assert "漢" not in findings[0].message
    assert "'漢' (U+6F22) '字' (U+5B57) (card 'card-1' and 3 more)" in findings[1].message


def test_a_letter_in_a_part_of_both_sides_is_said_once(shop: Workshop) -> None:
    shop.write("demo/part.svg", f'<text x="9" y="20" {FONT}>漢</text>')
    shop.write("demo/back.svg", f"{HEAD}{{% include './part.svg' %}}</svg>")
    (finding,) = shop.render("{% include './part.svg' %}", [{}, {}], back="demo/back.svg").findings
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("templates/demo/part.svg", 1)


def test_the_template_line_goes_with_the_text(shop: Workshop) -> None:
    texts = clean(shop, f'\n\n<text x="9" y="20" {FONT}>a</text><text x="9" y="30" {FONT}>b</text>').texts
    assert [text.place for text in texts] == [("demo/card.svg", 4)] * 2


def test_safe_zone_goes_by_ink(shop: Workshop) -> None:
    # The box of the line reserves room for descenders, which figures do not have.
    fine = f'<text x="9" y="79.9" {FONT}>1234</text>'
    assert shop.render(fine).findings == []
    (finding,) = shop.render(fine.replace("1234", "gyp")).findings
    assert (finding.code, finding.severity) == ("text/safe-zone", Severity.WARNING)
    assert finding.hint is not None
    assert "at the bottom" in finding.hint


def test_a_turned_text_is_held_to_the_safe_zone(shop: Workshop) -> None:
    body = f'<text x="0" y="0" transform="translate(33 {86 - 6 - 5}) rotate(90)" {FONT}>long words</text>'
    assert shop.render(body).codes == ["text/outside"]
