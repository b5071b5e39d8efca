"""Card text as other programs export it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cardgen.game.markup import MANY, Markup, icon_name, icon_words
from tests.for_each import for_each

HTML = Markup(("text",), True, {"[credit]": "credit", "<x>": "x", "[sic]": False})


@for_each(
    ("typed", "markdown", "plain"),
    [
        (
            "<b>Action:</b> pay 2<br>trash &amp; draw",
            "**Action:** pay 2\ntrash & draw",
            "Action: pay 2\ntrash & draw",
        ),
        ("<strong>A</strong> <em>b</em>", "**A** *b*", "A b"),
        ("<b>Action:</b>Pay", "**Action**:Pay", "Action:Pay"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo", "One\n\nTwo"),
        ("<ul><li>a</li><li>b</li></ul>c", "- a\n- b\n\nc", "- a\n- b\n\nc"),
        ("10<sup>6</sup> H<sub>2</sub>O", "10^6^ H~2~O", "106 H2O"),
        ("<b>2*3*4</b>", "**2\\*3\\*4**", "2*3*4"),
        ("<b>open", "**open**", "open"),
        ("A<BR/>B", "A\nB", "A\nB"),
        ("a&nbsp;b &#8217;", "a\u00a0b ’", "a\u00a0b ’"),
        ("<b>a</b><br>\n<br/>\nb", "**a**\n\nb", "a\n\nb"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b", "1. a\n2. b"),
        (
            "&lt;b&gt; is bold &amp;nbsp; 2 &lt; 3",
            "\\<b> is bold \\&nbsp; 2 < 3",
            "<b> is bold &nbsp; 2 < 3",
        ),
        ("x <y <n> <errata>z</errata> &nope; AT&T<b></b>", "x <y <n> z &nope; AT&T", None),
        (
            '<span class="icon icon-credit"></span> <img src="x.png" alt="credit">',
            ":credit: :credit:",
            None,
        ),
        ("<!-- note -->a<span>b</span>", "ab", "ab"),
        ("no *HTML* here, 3 < 4 & 5", "no *HTML* here, 3 < 4 & 5", "no *HTML* here, 3 < 4 & 5"),
        ("[credit][sic]<x><n>", ":credit:[sic]:x:<n>", None),
    ],
)
def test_html_becomes_markdown_or_plain_text(typed: str, markdown: str, plain: str | None) -> None:
    plain = markdown if plain is None else plain
    card = HTML.card({"id": "<b>a</b>", "text": typed, "title": typed, "list": [typed], "n": 3})
    assert card == {"id": "<b>a</b>", "text": markdown, "title": plain, "list": [plain], "n": 3}


def test_without_html_tags_stay() -> None:
    card = {"text": "<b>a</b> [credit]"}
    assert Markup(("text",), icons={"[credit]": "coin"}).card(card) == {"text": "<b>a</b> :coin:"}


@given(st.text(alphabet="ab <>/&;#*_[]{}\n\\'\"=-", max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = HTML.card({"text": text, "title": text})
    assert isinstance(found["text"], str)
    assert [each for each in found["title"] if each in "ab"] == [
        each for each in text if each in "ab"
    ] or "<" in text


def test_words_in_brackets_on_many_cards_may_be_icons() -> None:
    text = "[credit] {T} {2} <n> [1] <b>x</b> [link](url) [[Trait]] {{ x }} [once per turn] <br/> <e>x</e>"
    many = icon_words([[text]] * MANY)
    assert [(use.word, use.cards, use.first) for use in many] == [
        ("<n>", MANY, 0),
        ("[credit]", MANY, 0),
        ("{2}", MANY, 0),
        ("{T}", MANY, 0),
    ]
    assert icon_words([[text]] * (MANY - 1)) == []
    assert [icon_name(use.word) for use in many] == ["n", "credit", "number-2", "t"]
    words = "[Recurring Credit] {2/U} [+1] [-1] [Münze] [elder_sign] [月]"
    assert [icon_name(word) for word in re.findall(r"[\[{].*?[\]}]", words)] == [
        *("recurring-credit", "number-2-u", "plus-1", "minus-1", "munze", "elder-sign", "")
    ]


@for_each(
    ("typed", "english", "german"),
    [
        ("Smuggler's Cove", "Smuggler’s Cove", "Smuggler’s Cove"),
        ("\"It's 'fine',\" he said.", "“It’s ‘fine’,” he said.", "„It’s ‚fine‘,“ he said."),
        ("**\"Bold\"** and *'x'*", "**“Bold”** and *‘x’*", "**„Bold“** and *‚x‘*"),
        ('("a") "no."', "(“a”) “no.”", "(„a“) „no.“"),
        ("the '90s, the dogs' bone, take 'em", "the ’90s, the dogs’ bone, take ’em", None),
        ("6\" of 5' rope `a'b`", "6\" of 5' rope `a'b`", None),
        ("art's/owl.png", "art's/owl.png", "art's/owl.png"),
    ],
)
def test_straight_quotation_marks_become_typographic(typed: str, english: str, german: str | None) -> None:
    assert Markup(quotes="“”‘’").text(typed) == english
    assert Markup(quotes="„“‚‘").text(typed) == (english if german is None else german)
