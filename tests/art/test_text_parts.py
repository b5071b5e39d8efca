"""What stands in a text, part by part: what is set, and what can't be."""

from __future__ import annotations

import pytest

from cardgen.art import text_flow
from tests.for_each import for_each
from tests.wording import Wording

from .support import FONT, Workshop

TEXT = f'<text x="9" y="19" {FONT}{{0}}>{{1}}</text>'
BOXED = '<defs><rect id="b" x="9" y="9" width="40" height="40"/></defs>' + TEXT.replace(
    'x="9" y="19"', 'style="shape-inside: url(#b); white-space: {2}"'
)


@for_each(
    ("inner", "code"),
    [
        ("a<rect/>", "text/element"),
        ('a<tspan opacity="0.5">b</tspan>', "text/part"),
        ('a<tspan fill-opacity="0.5" text-decoration="underline">b</tspan>', "text/part"),
        ('a<tspan cg:block="box">b</tspan>', "text/block"),
        ('a<tspan text-transform="full-width">b</tspan>', "text/unset"),
    ],
)
def test_parts_that_can_not_be_set(shop: Workshop, inner: str, code: str, wording: Wording) -> None:
    (finding,) = shop.render(TEXT.format("", inner)).findings
    assert finding.code == code
    wording(finding)
    assert finding.location is not None
    assert finding.location.line == 2


@for_each(
    ("attributes", "inner", "words"),
    [
        (' text-transform="uppercase"', "straße", "STRASSE"),
        ("", 'a<tspan text-transform="lowercase">BC</tspan>', "abc"),
        ("", 'a<tspan display="none">b</tspan><tspan visibility="hidden">c</tspan>d', "ad"),
        ("", "a<title>b</title><inkscape:x>c</inkscape:x>d", "ad"),
        ("", "a\n  b", "a b"),
        (' xml:space="preserve"', "a   b", "a\u00a0\u00a0\u00a0b"),
    ],
)
def test_what_is_set(shop: Workshop, attributes: str, inner: str, words: str) -> None:
    result = shop.render(TEXT.format(attributes, inner))
    assert (result.codes, result.words()) == ([], words)


@for_each(
    ("space", "words"),
    [("normal", "a b c"), ("pre-line", "a b\nc"), ("pre-wrap", "a\u00a0\u00a0b\nc")],
)
def test_line_ends_count_where_white_space_says_so(shop: Workshop, space: str, words: str) -> None:
    result = shop.render(BOXED.format("", "a  b\nc", space))
    assert (result.codes, result.words()) == ([], words)


def test_texts_are_bounded_at_the_card(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_flow, "MOST_TEXT", 40)
    monkeypatch.setattr(text_flow, "MOST_WORD", 10)
    monkeypatch.setattr(text_flow, "MOST_SPANS", 5)
    for inner, message in (
        ("a " * 30, "characters, more than 40"),
        ("a abcdefgh<tspan>ijkl</tspan> b", "'abcdefghijkl' has more than 10 characters"),
        ("<tspan>a</tspan>" * 9, "more than 5 styled pieces"),
    ):
        (finding,) = shop.render(TEXT.format("", inner)).findings
        assert finding.code == "text/bounds"
        assert message in finding.message
        assert finding.location is not None
        assert finding.location.file == "data/demo/cards.yaml"
