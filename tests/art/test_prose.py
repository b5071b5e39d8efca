"""Texts of rulebooks and of screens with the game's figures in them."""

from __future__ import annotations

import pytest

from cardgen.art import prose
from cardgen.art import prose as phrases
from cardgen.art.prose import Phrases, Prose, render_prose
from cardgen.core.findings import Findings
from tests.for_each import for_each

from .support import Workshop

FILE = "data/demo/rulebook.md"
LOOP = "{% for a in range(99999) %}"


def fill(shop: Workshop, source: str) -> tuple[Prose | None, list[tuple[str, str, int | None, str]]]:
    findings = Findings()
    made = render_prose(shop.game([{"cost": 2}, {}]), source, FILE, findings=findings)
    return made, [
        (each.code, each.location.file, each.location.line, each.message)
        for each in findings
        if each.location is not None
    ]


def test_figures_are_filled_in_and_lines_remembered(shop: Workshop) -> None:
    made, said = fill(
        shop,
        "# {{ game.title }}\n{% for card in components.cards.cards.values() %}\n- {{ card.number }} *x*\n"
        "{% endfor %}\n{{ components.cards.copies }} of {{ components.cards.title }}, {{ 2.50|f }} <b>",
    )
    assert said == []
    assert made is not None
    assert made.text == "# Demo\n- 1 *x*\n- 2 *x*\n2 of Cards, 2.5 <b>"
    assert made.lines() == (1, 3, 3, 5)
    assert [made.line(index) for index in (-5, 0, 2, 3, 99)] == [1, 1, 3, 5, 5]
    assert Prose("text", tuple).line(7) == 1


def test_numbers_are_spelled_in_the_language_of_the_game(shop: Workshop) -> None:
    made, said = fill(
        shop, "# {{ 3|in_words|capitalize }} of {{ 21|in_words }}, {{ 1|in_words }}, {{ 640|in_words }}"
    )
    assert not said
    assert made is not None
    assert made.text == "# Three of twenty-one, one, 640"
    made, ((code, _, line, _),) = fill(shop, "# A\n{{ 'x'|in_words }}")
    assert (made, code, line) == (None, "template/value", 2)


def test_lines_are_those_of_the_text_itself(shop: Workshop) -> None:
    """What another file says is at the line where it is printed; no mark adds to a length."""
    shop.write("demo/part.md", "\n\n{% macro m() %}\n\n\nlong\nword{% endmacro %}")
    made, said = fill(
        shop,
        '{% import "demo/part.md" as part %}\na\n{{ part.m()|trim }}\n{{ "" }}b\n'
        "{% set v %}\nc\n{% endset %}\n{{ v|trim }}\n{{ v|length }}\nd",
    )
    assert not said
    assert made is not None
    assert (made.text, made.lines()) == ("a\nlong\nword\nb\nc\n2\nd", (2, 3, 3, 4, 6, 9, 10))


def test_mistakes_are_said_at_their_line(shop: Workshop) -> None:
    made, ((code, file, line, message),) = fill(shop, "a\n\n{{ game.titel }}")
    assert made is None
    assert (code.partition("/")[0], file, line) == ("template", FILE, 3)
    assert "titel" in message
    shop.write("demo/part.md", "\n{{ nothing }}")
    made, ((_, file, line, _),) = fill(shop, 'a\n{% include "demo/part.md" %}')
    assert (made, file, line) == (None, "templates/demo/part.md", 2)


def test_a_book_is_of_bounded_length(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "MAX_CHARACTERS", 10)
    assert fill(shop, "x" * 10)[1] == []
    made, ((code, _, _, message),) = fill(shop, "x" * 11)
    assert (made, code, message) == (None, "book/length", "the text has more than 10 characters")


# ---- phrases


def spoken(shop: Workshop, source: str) -> tuple[str, list[tuple[str, int | None, str]]]:
    """The text about the second card, and what is said of it twice over."""
    game, findings = shop.game([{}, {"title": "Paw & Co"}]), Findings()
    words = Phrases(game, "data/demo/table.yaml", findings)
    component = game.components[0]
    text = ""
    for _ in range(2):
        text = words.of_card(source, ("notes", 4), component, component.cards[1], 3)
    return text, [(each.code, each.location.line, each.message) for each in findings if each.location]


@for_each(
    ("source", "text"),
    [
        ("plain words", "plain words"),
        (
            "{{ card.title }}, {{ copies }}×, no. {{ number }} of {{ component.title }}",
            "Paw & Co, 3×, no. 2 of Cards",
        ),
        ("{{ component.variables.tint }} {{ theme.ink }} {{ tables.actions.cut }}", "#abcdef #112233 3"),
        ("{{ '**Pay** 1 :gold-coin: & go'|plain }}", "Pay 1 gold coin & go"),
        ("{{ 'one\\n\\ntwo'|plain }}", "one\ntwo"),
    ],
)
def test_what_is_said_of_a_card(shop: Workshop, source: str, text: str) -> None:
    assert spoken(shop, source) == (text, [])


def test_what_is_said_of_the_game(shop: Workshop) -> None:
    words = Phrases(shop.game([{}, {}]), "data/demo/table.yaml", Findings())
    text = words.of_game(
        "{{ game.title }}: {{ components.cards.count }} {{ components.cards.cards|length }}", ()
    )
    assert text == "Demo: 2 2"


@for_each(
    ("source", "code", "said"),
    [
        ("{{ card.titel }}", "template/", "titel"),
        ("{{ card.title", "template/", ""),
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "template/budget",
            "",
        ),
    ],
)
def test_a_wrong_text_is_empty_and_said_once_at_its_place(
    shop: Workshop, source: str, code: str, said: str
) -> None:
    text, ((found, line, message),) = spoken(shop, source)
    assert (text, line) == ("", 50)
    assert found.startswith(code)
    assert said in message


def test_a_text_is_of_bounded_length(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "MAX_PHRASE_CHARACTERS", 10)
    assert spoken(shop, "{{ 'x' * 10 }}") == ("x" * 10, [])
    text, ((code, _, message),) = spoken(shop, "{{ 'x' * 11 }}")
    assert (text, code, message) == ("", "template/budget", "the text has more than 10 characters")
