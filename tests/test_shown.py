"""Text that is fit to be printed: no control characters, no lines that we did not mean."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.terminal import shown, shown_json
from tests.printed import hidden


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain text, “quotes”, 日本語, é́, 👩\u200d🚀, می\u200cخواهم", None),
        ("no\u00a0break and narrow\u202fspaces", None),
        ("C:\\cards\\new.yaml", None),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\r\tc\0", "a\\nb\\r\\tc\\x00"),
        ("\x7f\x85\x9b", "\\x7f\\x85\\x9b"),
        ("\u202e\u2066\u200f\u061c\ufeff\u00ad", "\\u202e\\u2066\\u200f\\u061c\\ufeff\\xad"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
        ("::error::x", "\\x3a:error::x"),
        (" \u00a0::add-mask::x", " \u00a0\\x3a:add-mask::x"),
        ("a ::error::x", None),
        ("##[group]", "#\\x23[group]"),
        ("##vso[x] ##teamcity[y] ## title", "#\\x23vso[x] #\\x23teamcity[y] ## title"),
    ],
)
def test_shown(text: str, said: str | None) -> None:
    assert shown(text) == (text if said is None else said)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec=None)))
def test_shown_is_one_line_that_can_be_printed(text: str) -> None:
    said = shown(text)
    assert not hidden(said) | ({"\n"} & set(said))
    assert shown(said) == said
    assert not said.lstrip().startswith("::")
    assert not re.search(r"##(\[|vso\[|teamcity\[)", said)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(), max_size=4) | st.dictionaries(st.text(), st.text(), max_size=2))
def test_json_means_the_same(content: object) -> None:
    said = shown_json(json.dumps(content, ensure_ascii=False, indent=1))
    assert json.loads(said) == content
    assert not hidden(said)
    assert "##[" not in said


def test_json_of_half_a_character() -> None:
    assert shown_json('"\udcff"') == '"\\udcff"'
