"""Card text in Markdown to tspans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rendering import markdown
from cardgen.rendering.markdown import Markdown
from tests.rendering.support import Workshop

BOLD, ITALIC, END = '<tspan font-weight="bold">', '<tspan font-style="italic">', "</tspan>"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("plain & simple <b>", "plain &amp; simple &lt;b&gt;"),
        ("a **b** c", f"a {BOLD}b{END} c"),
        ("a *b* c", f"a {ITALIC}b{END} c"),
        ("**a *b* c**", f"{BOLD}a {ITALIC}b{END} c{END}"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("snake_case_name", "snake_case_name"),
        (r"\*not\*", "*not*"),
        ("gain :coin:", "gain :coin:"),
        (r"\:coin:", "<tspan>:</tspan>coin:"),
        ("one\ntwo", "one two"),
        ("one\\\ntwo", 'one<tspan cg:block="break"/>two'),
        ("one  \ntwo", 'one<tspan cg:block="break"/>two'),
        ("one\n\ntwo\n", '<tspan cg:block="paragraph">one</tspan><tspan cg:block="paragraph">two</tspan>'),
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
    assert str(Markdown()(text)) == markup


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


@given(st.text(st.sampled_from("ab 1*.,-—(“é&<:"), max_size=24))
def test_the_short_way_agrees_with_the_parser(text: str) -> None:
    short = Markdown()(text)
    slow = Markdown()
    original = markdown._COMPLEX
    markdown._COMPLEX = markdown._MARKED  # everything marked is complex: the parser does it all
    try:
        assert slow(text) == short
    finally:
        markdown._COMPLEX = original
