"""Card text in Markdown to tspans."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from cardgen.art.markdown import Markdown, plain_blocks, plain_line_ends
from cardgen.art.markdown_blocks import blocks_of, card_text
from cardgen.core.findings import Severity
from tests.art.support import Workshop
from tests.for_each import for_each
from tests.wording import Wording

BREAK = '<tspan cg:block="break"/>'
UNDER = '<tspan text-decoration="underline">'
PARAGRAPH, RULE = '<tspan cg:block="paragraph">', '<tspan cg:block="rule">'
BOLD, ITALIC, END = '<tspan font-weight="bold">', '<tspan font-style="italic">', "</tspan>"


def _item(bullet: str) -> str:
    return f'<tspan cg:block="item" cg:level="1" cg:bullet="{bullet}">'


ITEM = _item("•")
STARS = 3 * "<tspan>*</tspan>"


@for_each(
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
        (r"a^\*^", f'a<tspan baseline-shift="super" font-size="80%"><tspan>*{END}{END}'),
        ("H~2~O", f'H<tspan baseline-shift="sub" font-size="80%">2{END}O'),
        ("~~a~~", f'<tspan text-decoration="line-through">a{END}'),
        ("2~3個、4~5 or 2~3 and 4~5", "2~3個、4~5 or 2~3 and 4~5"),
        (r"a \< b \\:", "a <tspan>&lt;</tspan> b <tspan>\\</tspan>:"),
        ("a **b** c", f"a {BOLD}b{END} c"),
        ("a *b* c", f"a {ITALIC}b{END} c"),
        ("**a *b* c**", f"{BOLD}a {ITALIC}b{END} c{END}"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("snake_case_name", "snake_case_name"),
        (r"\*not\*", "<tspan>*</tspan>not<tspan>*</tspan>"),
        ("gain :coin:", "gain :coin:"),
        (r"\:coin:", "<tspan>:</tspan>coin:"),
        ("one\ntwo", f"one{BREAK}two"),
        ("**最初のターン：**それが*「鳥」*なら", f"{BOLD}最初のターン：{END}それが{ITALIC}「鳥」{END}なら"),
        ("이것은 **스크립트(script)**라고", f"이것은 {BOLD}스크립트(script){END}라고"),
        ("引く。\nカード", f"引く。{BREAK}カード"),
        ("one\\\ntwo", 'one<tspan cg:block="break"/>two'),
        ("one  \ntwo", 'one<tspan cg:block="break"/>two'),
        ("one\n\ntwo\n", '<tspan cg:block="paragraph">one</tspan><tspan cg:block="paragraph">two</tspan>'),
        ("one\n\n---\n\ntwo", f"{PARAGRAPH}one{END}{RULE}{END}{PARAGRAPH}two{END}"),
        (
            "- a\n- **b**",
            f"{ITEM}a{END}{ITEM}{BOLD}b{END}{END}",
        ),
        (
            "3. a\n4. b",
            f"{_item('3.')}a{END}{_item('4.')}b{END}",
        ),
        (
            "- a\n  - b",
            '<tspan cg:block="item" cg:level="1" cg:bullet="•">a</tspan>'
            '<tspan cg:block="item" cg:level="2" cg:bullet="•">b</tspan>',
        ),
        ("- a\n  more\n- b", f"{ITEM}a{BREAK}more{END}{ITEM}b{END}"),
        ("- a\n\n- 2 b", f"{ITEM}a{END}{ITEM}2 b{END}"),
        ("* a\n* b", f"{ITEM}a{END}{ITEM}b{END}"),
        ("1) a\n7) b", f"{_item('1)')}a{END}{_item('7)')}b{END}"),
        ("1. a\n1. b", f"{_item('1.')}a{END}{_item('1.')}b{END}"),
        ("# no heading", "# no heading"),
        ("2*3*4", "2*3*4"),
        ("Draw 2*X cards and pay 3*Y gold", "Draw 2*X cards and pay 3*Y gold"),
        ("*Deal 2*X damage*", f"{ITALIC}Deal 2*X damage{END}"),
        ("x**2 + y**2, i++2 + j++2, 2~~3~~4", "x**2 + y**2, i++2 + j++2, 2~~3~~4"),
        ("**H**it **P**oints", f"{BOLD}H{END}it {BOLD}P{END}oints"),
        ("Roll (*) and add 3*", "Roll (*) and add 3*"),
        ("(____) beats (____)", "(____) beats (____)"),
        (
            "2^3^4 and ^_^ and H^+^",
            '2^3^4 and ^_^ and H<tspan baseline-shift="super" font-size="80%">+</tspan>',
        ),
        ("- 2 health", "− 2 health"),
        ("- **2** health", f"− {BOLD}2{END} health"),
        ("Effect:\n- 2 health", f"Effect:{BREAK}− 2 health"),
        ("+ 1 health", "+ 1 health"),
        ("+ a\n+ b", f"+ a{BREAK}+ b"),
        ("- one item", f"{ITEM}one item{END}"),
        ("* a footnote", "<tspan>*</tspan> a footnote"),
        ("-", "-"),
        ("1.", "1."),
        ("3)", "3)"),
        ("---", "---"),
        ("___\n\n*** ", f"{PARAGRAPH}___{END}{PARAGRAPH}{STARS}{END}"),
        ("- - a", f"{ITEM}- a{END}"),
        ("- ***\n- 2. b", f"{ITEM}{STARS}{END}{ITEM}2. b{END}"),
        ("One.\n- H. P. Lovecraft", f"One.{BREAK}— H. P. Lovecraft"),
        (
            "One.\n\n- *H. P. Lovecraft*",
            f"{PARAGRAPH}One.{END}{PARAGRAPH}— {ITALIC}H. P. Lovecraft{END}{END}",
        ),
        ("1. Pay\n   - gold", f"{ITEM.replace('•', '1.')}Pay{END}{ITEM.replace('1', '2')}gold{END}"),
        ("(2)*(3)*(4)", "(2)*(3)*(4)"),
        ("２*３*４", "２*３*４"),
        ("*(a)* [b]*2*{c}", f"{ITALIC}(a){END} [b]*2*{{c}}"),
        ("Choose one:\n- Draw", f"{PARAGRAPH}Choose one:{END}{ITEM}Draw{END}"),
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


@for_each(
    ("text", "said"),
    [
        ("**Haste:**draw a card", "**Haste:**draw a card"),
        ("do it ** now", "do it ** now"),
        ("**now", "**now"),
        ("***both", "***both"),
        ("a **b** and **c", "and **c"),
        ("see *W*ater", "see *W*ater"),
    ],
)
def test_stars_that_are_no_marks_are_said(shop: Workshop, text: str, said: str, wording: Wording) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.t|md }}</text>'
    result = shop.render(line, [{"t": text}])
    assert result.codes == ["text/markdown"]
    (finding,) = result.findings
    assert finding.severity is Severity.WARNING
    wording(finding)
    assert finding.location is not None
    assert finding.location.file.endswith(".yaml")
    assert "*" in result.words()  # it is set


@for_each(
    "text",
    [
        "2*3*4",
        "2*X and 3*Y",
        r"\*W\*ater",
        "2 * 3",
        "a * b",
        "5* a",
        "*only",
        r"\*\*two",
        "_a",
        "a **b** c",
        "**** C",
    ],
)
def test_stars_that_are_meant_are_not(shop: Workshop, text: str) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.t|md }}</text>'
    assert shop.render(line, [{"t": text}]).codes == []


@for_each(
    ("text", "codes"),
    [
        ("- 2 health\n- 1 mana", ["text/markdown"]),
        ("Gain one.\n\n- 2 health", ["text/markdown"]),
        ("Take:\n- 2 dice\n- 1 board", []),
        ("Take:\n\n- 2 dice", []),
        ("- 2 health", []),
        ("− 2 health\n− 1 mana", []),
        ("- 2 dice\n- a board", []),
    ],
)
def test_dashes_before_figures_are_said_where_doubtful(shop: Workshop, text: str, codes: list[str]) -> None:
    box = '<defs><rect id="box" x="9" y="9" width="48" height="40"/></defs>'
    head = f'{box}<text shape-inside="url(#box)" font-family="IBM Plex Sans" font-size="3">'
    result = shop.render(head + "{{ card.t|md }}</text>", [{"t": text}])
    assert result.codes == codes
    assert all(finding.severity is Severity.WARNING for finding in result.findings)
    assert result.words()


@given(
    st.lists(
        st.lists(
            st.sampled_from(
                [
                    *"-+*_~^\\#>`|[]().,:;!?/=&<$%…—•",
                    *("**", "++", "~~", "***", "____", "---", "1.", "2)", "- 2", " "),
                    *("Draw", "X", "2", "15", "card", "é", "3*4", "2*X", "*Fly*", "x^2^", ":coin:"),
                ]
            ),
            max_size=6,
        ),
        max_size=4,
    ),
    st.data(),
)
def test_no_sign_is_lost_but_those_of_marks(lines: list[list[str]], data: st.DataObject) -> None:
    between = st.sampled_from(["", " ", " "])
    source = "\n".join("".join(part + data.draw(between) for part in line) for line in lines)
    markup = str(Markdown()(source))
    bullets = re.findall(r'cg:bullet="(.*?)"', markup)
    printed = html.unescape(re.sub(r"<[^>]*>", "", markup)) + "".join(bullets)
    bold, italic = markup.count(BOLD), markup.count(ITALIC)
    dashes = printed.count("−") + printed.count("—") - source.count("—")
    rules, points = markup.count('cg:block="rule"'), bullets.count("•")
    assert _signs(printed, str.isalnum) == _signs(source, str.isalnum)
    for sign in set(source) - set(" \n*_-•—\\"):
        marks = {"+": 4 * markup.count(UNDER), "~": 4 * markup.count("line-through")}
        marks["^"] = 2 * markup.count("super")
        assert source.count(sign) == printed.count(sign) + marks.get(sign, 0), sign
    gone = sum(source.count(sign) - printed.count(sign) for sign in "*_-")
    expected = 4 * bold + 2 * italic + dashes + points
    assert gone == expected if not rules else gone >= expected + 3 * rules


def _signs(text: str, kind: Callable[[str], bool]) -> Counter[str]:
    return Counter(filter(kind, text))


@for_each(
    ("value", "code"),
    [(None, "template/value"), ([7], "template/value")],
)
def test_null_and_lists_are_refused(shop: Workshop, value: object, code: str, wording: Wording) -> None:
    (finding,) = shop.render("<text>{{ card.value|md }}</text>", [{"value": value}]).findings
    assert finding.code == code
    wording(finding)


def test_numbers_are_text(shop: Workshop) -> None:
    line = '<text x="9" y="20" font-family="IBM Plex Sans" font-size="3">{{ card.value|md }}</text>'
    assert shop.render(line, [{"value": 7}]).words() == "7"


SIGNS = "a é 2 ½ * ** * ** . , : ( ) [ } - + 1. ’ “ — \" ' & < ! ? ; / א".split()


@given(st.lists(st.sampled_from([*SIGNS, " ", "  ", "\n", "\n\n"]), max_size=14))
def test_plain_text_becomes_the_same_with_and_without_the_parser(parts: list[str]) -> None:
    source = plain_line_ends("".join(parts))
    blocks = plain_blocks(source)
    assert blocks is None or blocks == blocks_of(card_text(), source)
