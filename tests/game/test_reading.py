"""What designers write, what is made of it, and what is said when it is wrong."""

from __future__ import annotations

import re
from typing import Any

import yaml

from cardgen.game.effect_language import read_effect, read_language
from cardgen.game.effects import effect_prose, effect_text, print_effect
from tests.for_each import for_each
from tests.wording import Wording

from .languages import GARDEN, LANGUAGES, ROOT, language

GAME = LANGUAGES["blockminers"]
MONEY = {"do": "money", "amount": 2}
OFFICE = {"do": "draw", "count": 2, "deck": "office"}


@for_each(
    ("written", "structure"),
    [
        (["+2 money"], [MONEY]),
        (["  +2   Money "], [MONEY]),
        (["-1 block"], [{"do": "blocks", "amount": -1}]),
        (["−3 blocks"], [{"do": "blocks", "amount": -3}]),
        (["draw 2 office"], [OFFICE]),
        (["Draw 2 Office cards"], [OFFICE]),
        ([{"do": "draw", "count": 2, "deck": "Office"}], [OFFICE]),
        ([{"do": "money", "amount": "+2"}], [MONEY]),
        (["+2 money or draw 2 office"], [{"choose": [[MONEY], [OFFICE]]}]),
        (["+2 money and draw 2 office or +2 money"], [{"choose": [[MONEY, OFFICE], [MONEY]]}]),
        ([{"choose": ["+2 money", ["+2 money", OFFICE]]}], [{"choose": [[MONEY], [MONEY, OFFICE]]}]),
        (
            [{"if": "manager+", "then": ["+2 money"]}],
            [{"if": {"test": "level", "level": "manager"}, "then": [MONEY]}],
        ),
        (
            [{"if": "you are Manager or higher", "then": "+2 money"}],
            [{"if": {"test": "level", "level": "manager"}, "then": [MONEY]}],
        ),
        (
            [{"if": "first", "then": [{"if": "mind 9", "then": ["+2 money"]}]}],
            [
                {
                    "if": {"test": "first"},
                    "then": [{"if": {"test": "check", "stat": "mind", "at": 9}, "then": [MONEY]}],
                }
            ],
        ),
    ],
)
def test_forms(written: list[Any], structure: list[Any]) -> None:
    assert read_effect(GAME, written) == (structure, [])


@for_each(
    ("written", "path", "code"),
    [
        (["drow 2 office"], (0,), "effect/keyword"),
        (["+2 money", "infiltrat"], (1,), "effect/keyword"),
        (["sing"], (0,), "effect/keyword"),
        ([{"do": "drwa", "count": 1}], (0, "do"), "effect/keyword"),
        ([{"do": 3}], (0, "do"), "effect/keyword"),
        (["draw office"], (0,), "effect/parameter"),
        (["draw 2"], (0,), "effect/parameter"),
        (["escape"], (0,), "effect/parameter"),
        (["+1 infiltrating"], (0,), "effect/parameter"),
        ([{"do": "draw", "deck": "office"}], (0,), "effect/parameter"),
        (["draw 2 offise"], (0,), "effect/value"),
        ([{"do": "draw", "count": 1, "deck": "offise"}], (0, "deck"), "effect/value"),
        (["draw two office"], (0,), "effect/value"),
        ([{"do": "escape", "count": 1.5}], (0, "count"), "effect/value"),
        ([{"do": "escape", "count": True}], (0, "count"), "effect/value"),
        (["escape 9"], (0,), "effect/value"),
        (["escape 0"], (0,), "effect/value"),
        (["2 money"], (0,), "effect/value"),
        (["escape +2"], (0,), "effect/value"),
        (["+0 money"], (0,), "effect/value"),
        ([{"do": "escape", "count": 1, "cuont": 2}], (0, "cuont"), "effect/key"),
        (["+1 money or -1 money or browse"], (0,), "effect/choice"),
        ([{"choose": ["browse", "demote", "browse"]}], (0, "choose"), "effect/choice"),
        ([{"choose": ["browse"]}], (0, "choose"), "effect/choice"),
        ([{"choose": "browse"}], (0, "choose"), "effect/choice"),
        ([{"choose": ["browse", ["drow 1 office"]]}], (0, "choose", 1, 0), "effect/keyword"),
        ([{"choose": ["browse", {"if": "first", "then": []}]}], (0, "choose", 1), "effect/shape"),
        (["browse and demote"], (0,), "effect/shape"),
        (["if first: browse"], (0,), "effect/shape"),
        ([{"if": "managr+", "then": ["browse"]}], (0, "if"), "effect/value"),
        ([{"if": "frist", "then": ["browse"]}], (0, "if"), "effect/condition"),
        ([{"if": {"test": "levle"}, "then": ["browse"]}], (0, "if", "test"), "effect/condition"),
        ([{"if": "first"}], (0,), "effect/condition"),
        ([{"then": ["browse"]}], (0,), "effect/condition"),
        ([{"if": "first", "then": []}], (0, "then"), "effect/condition"),
        ([{"if": "first", "then": ["drow"]}], (0, "then", 0), "effect/keyword"),
        ([{"if": "first", "then": ["browse"], "else": []}], (0, "else"), "effect/key"),
        ([7], (0,), "effect/shape"),
        ([{}], (0,), "effect/shape"),
        ([""], (0,), "effect/shape"),
        (["x" * 301], (0,), "effect/shape"),
        ([], (), "effect/shape"),
        ("browse", (), "effect/shape"),
    ],
)
def test_mistakes(written: Any, path: tuple[Any, ...], code: str, wording: Wording) -> None:
    _, problems = read_effect(GAME, written)
    assert [(problem.path, problem.code) for problem in problems] == [(path, code)]
    wording(problems[0])


def test_all_mistakes_come_at_once() -> None:
    written = ["drow 1 office", {"choose": ["+9 money", "draw office"]}, {"if": "x", "then": ["sing"]}]
    _, problems = read_effect(GAME, written)
    assert [problem.path for problem in problems] == [
        (0,),
        (1, "choose", 0),
        (1, "choose", 1),
        (2, "if"),
        (2, "then", 0),
    ]


def test_a_keyword_keeps_to_its_components() -> None:
    garden = LANGUAGES["garden"]
    written = ["Tausche Rübe gegen Erbse"]
    assert read_effect(garden, written, "market")[1] == []
    assert read_effect(garden, written)[1] == []
    (problem,) = read_effect(garden, written, "field")[1]
    assert (problem.code, problem.hint) == ("effect/place", "use it on market")


def test_another_language_brings_words_signs_and_plurals() -> None:
    written = ["säe 3 pea", "-1 Taler oder +2 Taler und Gieße", {"if": "spring", "then": ["gieße"]}]
    effect, problems = read_effect(LANGUAGES["garden"], written)
    assert problems == []
    assert effect_text(LANGUAGES["garden"], effect).split("\n") == [
        "Säe 3 × Erbse.",
        "-1 Taler oder +2 Taler-Stücke und Gieße.",
        "Falls spring ist oder war,",
        "  Gieße.",
    ]


def test_parts_tell_keywords_from_other_words() -> None:
    effect, _ = read_effect(GAME, [{"if": "first", "then": ["draw 2 office or +1 block"]}])
    head, line = print_effect(GAME, effect)
    assert [(part.text, part.role) for part in head.parts] == [
        ("If ", "condition"),
        ("this is your first card today", "condition"),
        (":", "end"),
    ]
    assert [(part.text, part.role, part.keyword, part.icon) for part in line.parts] == [
        ("Draw", "keyword", "draw", "cards"),
        (" 2 Office cards", "text", "draw", "cards"),
        (" or ", "or", "", ""),
        ("+1 ", "text", "blocks", "block"),
        ("Block", "keyword", "blocks", "block"),
        (";", "end", "", ""),
    ]


def test_the_longest_word_wins() -> None:
    effect, problems = read_effect(language(GARDEN), ["Säe 2 × Erbsen im Beet"])
    assert (effect, problems) == ([{"do": "sow", "count": 2, "crop": "peas"}], [])


def test_the_example_of_the_documentation() -> None:
    text = (ROOT / "docs/effects.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(yaml|text)\n(.*?)```", text, re.DOTALL)
    data = [body for kind, body in blocks if kind == "yaml"]
    (example,) = [yaml.safe_load(body) for body in data if body.startswith("effect:")]
    (printed,) = [body for kind, body in blocks if kind == "text"]
    effect, problems = read_effect(GAME, example["effect"])
    assert problems == []
    assert effect_text(GAME, effect) == printed.rstrip()
    table, sentences = [yaml.safe_load(body) for body in data if "\nkeywords:" in body]
    written = ["draw 1 office", {"if": "manager+", "then": ["draw 2 basement"]}]
    assert read_effect(language(table), written)[1] == []
    prose, problems = read_language(sentences, prose=True)
    effect, more = read_effect(prose, ["draw more 3", "limit ignored"])
    assert problems + more == []
    assert f"“{effect_prose(prose, effect)}”" in text
