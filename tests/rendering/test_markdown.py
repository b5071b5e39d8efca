"""Card text in Markdown to tspans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.findings import Severity
from cardgen.rendering import markdown
from cardgen.rendering.markdown import Markdown
from tests.rendering.support import Workshop

UNDER = '<tspan text-decoration="underline">'
PARAGRAPH, RULE = '<tspan cg:block="paragraph">', '<tspan cg:block="rule">'
BOLD, ITALIC, END = '<tspan font-weight="bold">', '<tspan font-style="italic">', "</tspan>"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("plain & simple <b>", "plain &amp; simple &lt;b&gt;"),
        ("++a **b**++ c", f"{UNDER}a {BOLD}b{END}{END} c"),
        ("**a ++b** c++", f"{BOLD}a ++b{END} c++"),
        ("C++ and D++, 3 ++ 4", "C++ and D++, 3 ++ 4"),
        ("~~a~~ b", f'<tspan text-decoration="line-through">a{END} b'),
        ("x^2^ and a^b", f'x<tspan baseline-shift="super" font-size="80%">2{END} and a^b'),
        (r"x\^2^", "x^2^"),
        ("10^**6**^", f'10<tspan baseline-shift="super" font-size="80%">{BOLD}6{END}{END}'),
        (r"a^\*^", f'a<tspan baseline-shift="super" font-size="80%">*{END}'),
        ("H~2~O", f'H<tspan baseline-shift="sub" font-size="80%">2{END}O'),
        ("~~a~~", f'<tspan text-decoration="line-through">a{END}'),
        ("2~3個、4~5 or 2~3 and 4~5", "2~3個、4~5 or 2~3 and 4~5"),
        (r"a \< b \\:", "a <tspan>&lt;</tspan> b <tspan>\\</tspan>:"),
        ("a **b** c", f"a {BOLD}b{END} c"),
        ("a *b* c", f"a {ITALIC}b{END} c"),
        ("**a *b* c**", f"{BOLD}a {ITALIC}b{END} c{END}"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("snake_case_name", "snake_case_name"),
        (r"\*not\*", "*not*"),
        ("gain :coin:", "gain :coin:"),
        (r"\:coin:", "<tspan>:</tspan>coin:"),
        ("one\ntwo", "one two"),
        ("**最初のターン：**それが*「鳥」*なら", f"{BOLD}最初のターン：{END}それが{ITALIC}「鳥」{END}なら"),
        ("이것은 **스크립트(script)**라고", f"이것은 {BOLD}스크립트(script){END}라고"),
        ("引く。\nカード\n2枚", "引く。カード 2枚"),
        ("**引く。**\n次", f"{BOLD}引く。{END}次"),
        ("카드\n두 장", "카드 두 장"),
        ("one\\\ntwo", 'one<tspan cg:block="break"/>two'),
        ("one  \ntwo", 'one<tspan cg:block="break"/>two'),
        ("one\n\ntwo\n", '<tspan cg:block="paragraph">one</tspan><tspan cg:block="paragraph">two</tspan>'),
        ("one\n\n---\n\ntwo", f"{PARAGRAPH}one{END}{RULE}{END}{PARAGRAPH}two{END}"),
        (
            "- a\n- **b**",
            '<tspan cg:block="item" cg:level="1" cg:bullet="•">a</tspan>'
            f'<tspan cg:block="item" cg:level="1" cg:bullet="•">{BOLD}b{END}</tspan>',
        ),
        (
            "3. a\n4. b",
            '<tspan cg:block="item" cg:level="1" cg:bullet="3.">a</tspan>'
            '<tspan cg:block="item" cg:level="1" cg:bullet="4.">b</tspan>',
        ),
        (
            "- a\n  - b",
            '<tspan cg:block="item" cg:level="1" cg:bullet="•">a</tspan>'
            '<tspan cg:block="item" cg:level="2" cg:bullet="•">b</tspan>',
        ),
        ("# no heading", "# no heading"),
        ("[no](link) `no code`", "[no](link) `no code`"),
        ("", ""),
    ],
)
def test_markup(text: str, markup: str) -> None:
    assert str(Markdown()(text, inline=True)) == markup
    blocks = markup if "cg:block" in markup.replace('cg:block="break"', "") else f"{PARAGRAPH}{markup}{END}"
    assert str(Markdown()(text)) == (blocks if text else "")


def test_a_text_of_one_paragraph_keeps_off_what_follows(shop: Workshop) -> None:
    box = '<defs><rect id="box" x="5" y="9" width="50" height="40"/></defs>'
    head = f'{box}<text shape-inside="url(#box)" font-family="IBM Plex Sans" font-size="3">'
    flavour = '<tspan cg:block="paragraph">Flavour.</tspan></text>'
    for text, lines in (("One.", 2), ("One.\n\nTwo.", 3)):
        words = shop.render(head + "{{ card.t|md }}" + flavour, [{"t": text}]).words()
        assert len(words.splitlines()) == lines
    joined = shop.render(head + "Act: {{ card.t|md(inline=true) }}</text>", [{"t": "one"}]).words()
    assert joined == "Act: one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**Haste:**draw a card", "**Haste:**draw a card"),
        ("do it ** now", "do it ** now"),
        ("**now", "**now"),
        ("***both", "***both"),
        ("a **b** and **c", "and **c"),
    ],
)
def test_stars_that_are_no_marks_are_said(shop: Workshop, text: str, said: str) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.t|md }}</text>'
    result = shop.render(line, [{"t": text}])
    assert result.codes == ["text/markdown"]
    (finding,) = result.findings
    assert finding.severity is Severity.WARNING
    assert f"in '{said}' would be printed as they stand" in finding.message
    assert finding.location is not None
    assert finding.location.file.endswith(".yaml")
    assert "*" in result.words()  # it is set


@pytest.mark.parametrize(
    "text", ["2 * 3", "a * b", "5* a", "*only", r"\*\*two", "_a", "a **b** c", "**** C"]
)
def test_stars_that_are_meant_are_not(shop: Workshop, text: str) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.t|md }}</text>'
    assert shop.render(line, [{"t": text}]).codes == []


def test_the_same_text_is_turned_once() -> None:
    turn = Markdown()
    assert turn("a **b**") is turn("a **b**")


@pytest.mark.parametrize(
    ("value", "code", "says"),
    [(None, "template/value", "md was given an empty value"), ([7], "template/value", "a whole list")],
)
def test_null_and_lists_are_refused(shop: Workshop, value: object, code: str, says: str) -> None:
    (finding,) = shop.render("<text>{{ card.value|md }}</text>", [{"value": value}]).findings
    assert (finding.code, says in finding.message) == (code, True)


def test_numbers_are_text(shop: Workshop) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.value|md }}</text>'
    assert shop.render(line, [{"value": 7}]).words() == "7"


@given(st.text(st.sampled_from("ab 1*.,-—(“é&<:、鳥」"), max_size=24))
def test_the_short_way_agrees_with_the_parser(text: str) -> None:
    short = Markdown()(text)
    slow = Markdown()
    original = markdown._COMPLEX
    markdown._COMPLEX = markdown._MARKED  # everything marked is complex: the parser does it all
    try:
        assert slow(text) == short
    finally:
        markdown._COMPLEX = original


@given(st.lists(st.text(st.sampled_from("ab 1*.,-(é&<:、鳥」\t"), max_size=9), max_size=4), st.data())
def test_paragraphs_are_parted_as_by_the_parser(parts: list[str], data: st.DataObject) -> None:
    gaps = st.sampled_from(["\n\n", "\n", "\n \t\n", "\n\n\n", "\n\n    "])
    text = "".join(part + data.draw(gaps) for part in parts)
    parsed = Markdown()._parse(text)
    assert str(Markdown()(text)) == markdown._joined(markdown._blocks(parsed), False)
