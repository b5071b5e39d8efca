"""How parts of a text look: lines in their colours, small capitals, spaces, opacity, fonts by lists."""

from __future__ import annotations

import pytest

from cardgen.core.artwork import SetText, TextRun
from tests.art.support import FONT, Workshop
from tests.for_each import for_each


def one(shop: Workshop, body: str) -> SetText:
    result = shop.render(body)
    assert result.findings == []
    (text,) = result.texts
    return text


def runs(text: SetText) -> list[TextRun]:
    return [run for run in text.runs if isinstance(run, TextRun)]


def plain(shop: Workshop, attributes: str, inner: str) -> list[TextRun]:
    return runs(one(shop, f'<text x="9" y="20" {FONT} {attributes}>{inner}</text>'))


# ---- lines


def test_a_line_has_the_colour_of_who_asks_for_it(shop: Workshop) -> None:
    inner = 'a<tspan fill="#00f">b<tspan text-decoration="line-through">c</tspan></tspan>'
    text = one(shop, f'<text x="9" y="20" fill="#f00" text-decoration="underline" {FONT}>{inner}</text>')
    assert [bar.fill for bar in text.bars] == [(1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1)]


@for_each(
    "said", ["underline #0f0", "underline solid rgb(0, 255, 0)", "underline; text-decoration-color: #0f0"]
)
def test_a_line_has_a_colour_of_its_own(shop: Workshop, said: str) -> None:
    text = one(shop, f'<text x="9" y="20" {FONT} style="text-decoration: {said}">a</text>')
    assert [bar.fill for bar in text.bars] == [(0, 1, 0)]


@for_each("said", ["underline wavy", "underline; text-decoration-thickness: 3px"])
def test_lines_of_other_kinds_are_refused(shop: Workshop, said: str) -> None:
    body = f'<text x="9" y="20" {FONT} style="text-decoration: {said}">a</text>'
    assert shop.render(body).codes == ["text/unset"]


def test_none_takes_no_line_away_from_those_around(shop: Workshop) -> None:
    inner = 'a<tspan text-decoration="none">b</tspan>'
    text = one(shop, f'<text x="9" y="20" text-decoration="underline" {FONT}>{inner}</text>')
    assert len(text.bars) == 1 or len(text.bars) == 2
    assert max(bar.area.right for bar in text.bars) == pytest.approx(
        runs(text)[-1].x + runs(text)[-1].advance
    )


# ---- hidden, see-through


def test_a_hidden_part_takes_its_room(shop: Workshop) -> None:
    (shown,) = plain(shop, "", "abcd")
    first, last = plain(shop, "", 'a<tspan visibility="hidden">bc</tspan>d')
    assert (first.text, last.text) == ("a", "d")
    assert last.x + last.advance == pytest.approx(shown.x + shown.advance, abs=0.1)


def test_a_part_of_a_hidden_text_may_be_shown(shop: Workshop) -> None:
    inner = 'a<tspan visibility="visible">b</tspan>'
    assert [run.text for run in plain(shop, 'visibility="hidden"', inner)] == ["b"]
    assert shop.render(f'<text x="9" y="20" visibility="hidden" {FONT}>a</text>').texts == []


def test_parts_are_more_or_less_opaque(shop: Workshop) -> None:
    inner = (
        'a<tspan fill-opacity="0.2">b</tspan><tspan fill="#ff000080">c</tspan><tspan fill="none">d</tspan>'
    )
    text = one(shop, f'<text x="9" y="20" fill-opacity="0.5" {FONT}>{inner}e</text>')
    assert text.opacity == 0.5
    found = {run.text: run.opacity for run in runs(text)}
    assert found == pytest.approx({"a": 1, "b": 0.4, "c": 128 / 255, "e": 1})


# ---- letters


def test_small_capitals_are_those_of_the_font(shop: Workshop) -> None:
    tag = 'font-family="Jura" font-weight="600" font-size="3"'
    (small,) = runs(one(shop, f'<text x="9" y="20" {tag} font-variant="small-caps">He</text>'))
    (usual,) = runs(one(shop, f'<text x="9" y="20" {tag}>He</text>'))
    (capital,) = runs(one(shop, f'<text x="9" y="20" {tag}>HE</text>'))
    gids = [[glyph[0] for glyph in run.words[0].glyphs] for run in (small, usual, capital)]
    assert gids[0][0] == gids[1][0]
    assert gids[0][1] not in (gids[1][1], gids[2][1])
    assert small.text == "He"


def test_small_capitals_are_made_where_the_font_has_none(shop: Workshop) -> None:
    tag = 'font-family="Loudmouth" font-size="3" font-variant="small-caps"'
    found = runs(one(shop, f'<text x="9" y="20" {tag}>Ab c</text>'))
    assert [(run.text.strip(), round(run.size, 3)) for run in found if run.text.strip()] == [
        ("A", 3),
        ("B", 2.4),
        ("C", 2.4),
    ]
    assert {run.y for run in found} == {20}


def test_words_are_moved_apart(shop: Workshop) -> None:
    (usual,) = plain(shop, "", "a b c")
    for said in ("2", "2px", ".66667em"):
        (wide,) = plain(shop, f'word-spacing="{said}"', "a b c")
        assert wide.advance - usual.advance == pytest.approx(4, abs=0.01)


def test_links_and_groups_are_parts_of_a_text(shop: Workshop) -> None:
    first, second = plain(shop, "", 'a<g fill="#f00">b</g>')
    assert (second.text, second.fill) == ("b", (1, 0, 0))
    assert second.x == pytest.approx(first.x + first.advance, abs=0.1)


# ---- fonts


@for_each(
    ("families", "wanted", "said"),
    [
        ("'No Such Font', 'Bebas Neue', serif", "BebasNeue-Regular", "Bebas Neue, is used"),
        ("No Such Font, monospace", "IBMPlexMono-Regular", "IBM Plex Mono, is used"),
        ("sans-serif", "IBMPlexSans-Regular", None),
        ("IBM Plex Sans, No Such Font", "IBMPlexSans-Regular", None),
    ],
)
def test_the_first_family_that_there_is_counts_and_another_is_said(
    shop: Workshop, families: str, wanted: str, said: str | None
) -> None:
    result = shop.render(f'<text x="9" y="20" font-size="3" font-family="{families}">A</text>')
    assert [run.font for text in result.texts for run in runs(text)] == [wanted]
    found = [(each.code, each.severity.value) for each in result.findings]
    assert found == ([] if said is None else [("text/font", "warning")])
    assert all("'No Such Font'" in each.message and str(said) in each.message for each in result.findings)


def test_a_list_of_families_that_there_are_not_is_refused(shop: Workshop) -> None:
    body = '<text x="9" y="20" font-size="3" font-family="No Such Font, \'serif\', cursive">A</text>'
    (finding,) = shop.render(body).findings
    assert finding.code == "text/font"
    assert "'No Such Font'" in finding.message


def test_the_short_form_says_all_of_a_font(shop: Workshop) -> None:
    text = one(shop, '<text x="9" y="20" style="font: italic bold 4px/2 \'IBM Plex Sans\', serif">A</text>')
    assert [(run.font, run.size) for run in runs(text)] == [("IBMPlexSans-BoldItalic", 4)]


# ---- baselines


def test_text_hangs_from_its_baselines(shop: Workshop) -> None:
    def drop(attributes: str) -> float:
        return plain(shop, attributes, "x")[0].y - 20

    (below,) = (drop('dominant-baseline="text-after-edge"'),)
    assert drop('dominant-baseline="hanging"') == pytest.approx(0.8 * drop('dominant-baseline="text-top"'))
    assert drop('dominant-baseline="mathematical"') == pytest.approx(
        drop('dominant-baseline="text-top"') / 2
    )
    assert drop('dominant-baseline="ideographic"') == pytest.approx(below)
    assert below < 0


def test_a_baseline_is_taken_over_and_a_part_may_have_another(shop: Workshop) -> None:
    group = f'<g dominant-baseline="hanging"><text x="9" y="20" {FONT}>'
    (whole,) = runs(one(shop, f"{group}x</text></g>"))
    assert whole.y > 21
    first, second = plain(shop, "", 'x<tspan alignment-baseline="hanging">x</tspan>')
    assert first.y == 20
    assert second.y == pytest.approx(whole.y)


def test_parts_of_other_sizes_lie_on_the_same_baseline(shop: Workshop) -> None:
    inner = 'x<tspan font-size="6">x</tspan>'
    small, large = plain(shop, 'dominant-baseline="middle"', inner)
    assert (large.y - 20) == pytest.approx(2 * (small.y - 20))
    first, second = plain(shop, 'dominant-baseline="middle"', '<tspan font-size="6">x</tspan>x')
    assert (first.y, second.y) == pytest.approx((large.y, small.y))
    (whole,) = plain(shop, 'alignment-baseline="middle"', "x")
    assert whole.y == pytest.approx(small.y)


@for_each(
    "said",
    [
        "writing-mode: tb",
        "unicode-bidi: bidi-override",
        "font: caption",
        "font-variant-alternates: swash(fancy)",
        "font-variant: small-caps unicase",
        "font-variant-numeric: oldstyle-nums lining-nums",
        "font-feature-settings: 'onum' 1, zero",
        "font-feature-settings: 'numbers'",
    ],
)
def test_what_is_not_set_is_said(shop: Workshop, said: str) -> None:
    codes = shop.render(f'<text x="9" y="20" {FONT} style="{said}">x</text>').codes
    assert codes
    assert {"text/unset", "svg/writing-mode", "svg/font"}.issuperset(codes)


@for_each("said", ["text-indent:2em", "text-shadow:1px 1px red", "font-variant-numeric:tall"])
@for_each("beside", ["", '<g style="-webkit-transform:none"/>', "<style>.a > .b {fill:red}</style>"])
@for_each("body", ['<text {} style="{}">x</text>', '<g style="{1}"><text {0}>x</text></g>'])
def test_style_that_is_not_set_is_reported_in_any_drawing(
    shop: Workshop, body: str, beside: str, said: str
) -> None:
    codes = shop.render(beside + body.format(f'x="9" y="20" {FONT}', said)).codes
    assert codes == ["text/unset"]


@for_each("said", ["underline; text-decoration-thickness: 3px", "underline; text-decoration-style: wavy"])
def test_line_that_is_not_drawn_is_reported_in_any_drawing(shop: Workshop, said: str) -> None:
    beside = '<g style="-webkit-transform:none"/>'
    codes = shop.render(f'{beside}<text x="9" y="20" {FONT} style="text-decoration:{said}">x</text>').codes
    assert codes == ["text/unset"]


@for_each(
    ("said", "text"),
    [
        ("font-kerning: none", "AVATAR To"),
        ("font-variant-ligatures: none", "office fi"),
        ("font-variant: none", "office fi"),
        ("font-variant-ligatures: no-common-ligatures", "office fi"),
    ],
)
def test_kerning_and_ligatures_are_turned_off(shop: Workshop, said: str, text: str) -> None:
    font = 'font-family="IBM Plex Sans" font-size="3"'

    def glyphs(style: str) -> list[tuple[int, float]]:
        found = one(shop, f'<g style="{style}"><text x="9" y="20" {font}>{text}</text></g>')
        return [
            glyph[:2]
            for run in found.runs
            if isinstance(run, TextRun)
            for word in run.words
            for glyph in word.glyphs
        ]

    assert glyphs(said) != glyphs("")
    assert glyphs(said.partition(":")[0] + ": normal") == glyphs("")


def glyphs(shop: Workshop, style: str, text: str, family: str = "IBM Plex Sans") -> list[int]:
    weight = 700 if family == "Big Shoulders Display" else 600
    font = f'font-family="{family}" font-size="3" font-weight="{weight}"'
    found = runs(one(shop, f'<text x="9" y="20" {font} style="{style}">{text}</text>'))
    return [glyph[0] for run in found for word in run.words for glyph in word.glyphs]


@for_each(
    ("said", "text"),
    [
        ("font-variant-numeric: oldstyle-nums", "2026"),
        ("font-variant-numeric: slashed-zero oldstyle-nums", "1057"),
        ("font-variant-numeric: diagonal-fractions", "1/2"),
        ("font-variant-numeric: ordinal", "2a"),
        ("font-variant-position: super", "x2"),
        ("font-variant: oldstyle-nums", "2026"),
        ("font-feature-settings: 'onum'", "2026"),
        ("font-feature-settings: 'ss01' on, 'zero' 1", "a0"),
    ],
)
def test_features_change_letters(shop: Workshop, said: str, text: str) -> None:
    assert glyphs(shop, said, text) != glyphs(shop, "", text)


@for_each(
    ("said", "same"),
    [
        ("font-variant: oldstyle-nums slashed-zero", "font-feature-settings: 'zero', 'onum'"),
        ("font-variant: ordinal; font-variant-numeric: slashed-zero", "font-feature-settings: 'zero'"),
        ("font-variant-numeric: oldstyle-nums; font-feature-settings: 'onum' off", ""),
        ("font-variant-numeric: lining-nums tabular-nums", ""),
        ("font-variant-ligatures: none", "font-feature-settings: 'liga' 0, 'clig' 0, 'calt' 0"),
    ],
)
def test_features_by_words_equal_those_by_tags(shop: Workshop, said: str, same: str) -> None:
    assert glyphs(shop, said, "office 1057") == glyphs(shop, same, "office 1057")


def test_font_variant_resets_inherited_features(shop: Workshop) -> None:
    outer = '<g style="font-variant-numeric: oldstyle-nums"><text x="9" y="20" {} style="{}">25</text></g>'
    found = [
        [run.words[0].glyphs for run in runs(one(shop, outer.format(FONT, style)))]
        for style in ("", "font-variant: normal", "font-variant-numeric: normal")
    ]
    assert found[0] != found[1] == found[2]


def test_all_small_capitals_take_capitals_too(shop: Workshop) -> None:
    font = "Big Shoulders Display"
    capital, small = glyphs(shop, "font-variant-caps: all-small-caps", "Hh", font)
    assert [capital] == [small] == glyphs(shop, "font-variant: small-caps", "h", font)
    assert glyphs(shop, "font-variant: small-caps", "H", font) == glyphs(shop, "", "H", font)
    tag = 'font-family="Loudmouth" font-size="3" font-variant-caps="all-small-caps"'
    found = runs(one(shop, f'<text x="9" y="20" {tag}>Ab4</text>'))
    assert [(run.text, round(run.size, 3)) for run in found] == [("AB", 2.4), ("4", 3)]


@for_each(
    ("said", "hint"),
    [
        ("font-variant-numeric: proportional-nums", "onum"),
        ("font-feature-settings: 'smcp'", "ss01"),
        ("font-variant-caps: titling-caps", "zero"),
    ],
)
def test_features_that_a_font_lacks_are_reported(shop: Workshop, said: str, hint: str) -> None:
    (finding,) = shop.render(f'<text x="9" y="20" {FONT} style="{said}">a1</text>').findings
    assert (finding.code, finding.severity.value) == ("text/feature", "warning")
    assert said.partition(":")[0] in finding.message
    assert hint in str(finding.hint)


def test_spaced_letters_join_only_if_the_style_names_ligatures(shop: Workshop) -> None:
    spaced = "letter-spacing: 0.1px"
    assert glyphs(shop, spaced, "fi") != glyphs(shop, "", "fi")
    assert glyphs(shop, f"{spaced}; font-feature-settings: 'liga'", "fi") == glyphs(shop, "", "fi")


def test_nowrap_in_a_box_is_said(shop: Workshop) -> None:
    box = '<defs><rect id="b" x="9" y="9" width="40" height="30"/></defs>'
    style = 'style="white-space: nowrap"'
    assert shop.render(f'{box}<g {style}><text shape-inside="url(#b)" {FONT}>a b</text></g>').codes == [
        "text/unset"
    ]
    assert shop.render(f'<text x="9" y="20" {FONT} {style}>a b</text>').codes == []
