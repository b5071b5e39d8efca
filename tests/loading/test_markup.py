"""Card text as other programs export it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.loading.markup import MANY, Markup, icon_name, icon_words

HTML = Markup(("text",), True, {"[credit]": "credit", "<x>": "x", "[sic]": False})


@pytest.mark.parametrize(
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
        ("a&nbsp;b &#8217;", "a b ’", "a b ’"),
        ("<script>x</script><b>y</b>", "**y**", "y"),
        ("no *HTML* here, 3 < 4 & 5", "no *HTML* here, 3 < 4 & 5", "no *HTML* here, 3 < 4 & 5"),
        ("[credit][sic]<x><n>", ":credit:[sic]:x:<n>", "[credit][sic]<x><n>"),
    ],
)
def test_html_becomes_markdown_or_plain_text(typed: str, markdown: str, plain: str) -> None:
    card = HTML.card({"id": "<b>a</b>", "text": typed, "title": typed, "list": [typed], "n": 3})
    assert card == {"id": "<b>a</b>", "text": markdown, "title": plain, "list": [plain], "n": 3}


def test_without_html_tags_stay() -> None:
    card = {"text": "<b>a</b> [credit]"}
    assert Markup(icons={"[credit]": "credit"}).card(card) == {"text": "<b>a</b> [credit]"}
    assert Markup(("text",), icons={"[credit]": "coin"}).card(card) == {"text": "<b>a</b> :coin:"}


@given(st.text(alphabet="ab <>/&;#*_[]{}\n\\'\"=-", max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = HTML.card({"text": text, "title": text})
    assert isinstance(found["text"], str)
    assert [each for each in found["title"] if each in "ab"] == [
        each for each in text if each in "ab"
    ] or "<" in text


def test_words_in_brackets_on_many_cards_may_be_icons() -> None:
    text = "[credit] {T} {2} <n> [1] <b>x</b> [link](url) [a sentence that is far too long to be an icon]"
    many = icon_words([[text]] * MANY)
    assert [(use.word, use.cards, use.first) for use in many] == [
        ("<n>", MANY, 0),
        ("[credit]", MANY, 0),
        ("{2}", MANY, 0),
        ("{T}", MANY, 0),
    ]
    assert icon_words([[text]] * (MANY - 1)) == []
    assert [icon_name(use.word) for use in many] == ["n", "credit", "2", "t"]
    assert icon_name("[Recurring Credit]") == "recurring-credit"
