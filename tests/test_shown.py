"""Text that is fit to be printed: no control characters, no lines that we did not mean."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.terminal import has_colours, painted, shown, shown_json
from tests.for_each import for_each
from tests.printed import hidden


@for_each(
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


@given(st.text(st.characters(codec=None)))
def test_shown_is_one_line_that_can_be_printed(text: str) -> None:
    said = shown(text)
    assert not hidden(said) | ({"\n"} & set(said))
    assert shown(said) == said
    assert not said.lstrip().startswith("::")
    assert not re.search(r"##(\[|vso\[|teamcity\[)", said)


@given(st.lists(st.text(), max_size=4) | st.dictionaries(st.text(), st.text(), max_size=2))
def test_json_means_the_same(content: object) -> None:
    said = shown_json(json.dumps(content, ensure_ascii=False, indent=1))
    assert json.loads(said) == content
    assert not hidden(said)
    assert "##[" not in said


def test_json_of_half_a_character() -> None:
    assert shown_json('"\udcff"') == '"\\udcff"'


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: terminal  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("terminal", "variables", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "0"}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_who_is_shown_colours(
    terminal: bool, variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert has_colours(Stream(terminal)) is coloured


def test_painting() -> None:
    assert painted("a", "red", "bold") == "\x1b[31;1ma\x1b[0m"
    assert (painted("a"), painted("", "red")) == ("a", "")
