"""The filters that print effects."""

from __future__ import annotations

import pytest

from cardgen.art.functions import effect_filters
from cardgen.art.markdown import Markdown
from cardgen.art.prose import plain_text
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.game import Effects
from cardgen.files.listing import ProjectFolders
from cardgen.game.effect_language import read_effect, read_language
from tests.for_each import for_each
from tests.wording import Wording

TABLE = {
    "keywords": {
        "hop": {
            "print": "**Hop** {far}",
            "parameters": {"far": {"type": "number"}},
            "icon": "wave",
        },
        "croak": {"print": "**Croak** & bow"},
    },
    "conditions": {"wet": {"print": "it rains"}},
}
LANGUAGE, _ = read_language(TABLE)
SANDBOX = TemplateEnvironment(ProjectFolders(()))
FILTERS = effect_filters(lambda: Effects(LANGUAGE, ("does",)), SANDBOX)
EFFECT, PROBLEMS = read_effect(LANGUAGE, ["hop 2", {"if": "it rains", "then": ["croak & bow or hop 1"]}])


def test_markup_is_escaped_and_indented() -> None:
    assert PROBLEMS == []
    assert str(FILTERS["effect"](EFFECT)) == (
        '<tspan cg:block="paragraph" cg:level="0"><tspan class="keyword">Hop</tspan> 2;</tspan>'
        '<tspan cg:block="paragraph" cg:level="0"><tspan class="condition">If </tspan>'
        '<tspan class="condition">it rains</tspan>:</tspan>'
        '<tspan cg:block="paragraph" cg:level="1"><tspan class="keyword">Croak</tspan> &amp; bow'
        '<tspan class="or"> or </tspan><tspan class="keyword">Hop</tspan> 1;</tspan>'
    )


def test_lines_for_layouts_of_ones_own() -> None:
    lines = FILTERS["effect_lines"](EFFECT)
    assert [(line["indent"], line["kind"], line["text"]) for line in lines] == [
        (0, "plain", "Hop 2;"),
        (0, "conditional", "If it rains:"),
        (1, "choice", "Croak & bow or Hop 1;"),
    ]
    assert lines[0]["parts"][0] == {"text": "Hop", "role": "keyword", "keyword": "hop", "icon": "wave"}


def test_icons_in_plain_text() -> None:
    said = plain_text(Markdown(), "**Take** :two-coins@1.4#c00 3: or :coin:")
    assert said == "Take two coins 3 or coin"


def test_plain_text() -> None:
    assert FILTERS["effect_text"](EFFECT) == "Hop 2; If it rains: Croak & bow or Hop 1;"


@for_each("value", ["Hop 2", None, 3, [{"do": "fly"}], ["hop 2"]])
def test_what_is_no_effect(value: object, wording: Wording) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        FILTERS["effect"](value)
    wording(caught.value)


def test_a_game_without_effects(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        effect_filters(lambda: None, SANDBOX)["effect"](EFFECT)
    wording(caught.value)
