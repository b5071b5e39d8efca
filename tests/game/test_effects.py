"""Effects from file to structure: the keyword table, the cards that use it, the lines of findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.game.effects import effect_data
from cardgen.game.loading import load_game
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]

GAME = """\
id: pond
title: Pond
version: 1.0.0
author: Nobody
players: {min: 2, max: 4}
effects: {keywords: words.yaml, fields: [does]}
components:
  frogs: {title: Frogs, kind: card, trim: mini, data: frogs.yaml, schema: frogs.schema.json, face: card.svg}
sheets: {poker: {components: [frogs]}}
"""
WORDS = """\
keywords:
  hop: {print: '**Hop** {far}', parameters: {far: {type: number, max: 3}}}
  croak: {print: '**Croak**'}
conditions:
  wet: {print: it rains}
"""
FROGS = """\
frogs:
  - id: green
    does:
      - Hop 2
      - if: it rains
        then: [croak or hop 1]
  - id: brown
"""
SCHEMA = """\
{"type": "object", "properties": {"frogs": {"type": "array", "items": {
  "allOf": [{"$ref": "../card.schema.json"}],
  "properties": {"does": {"$ref": "../effect.schema.json"}}, "unevaluatedProperties": false}}}}
"""


def load(
    tmp_path: Path,
    *,
    game: str = GAME,
    words: str | None = WORDS,
    frogs: str = FROGS,
    schema: str = SCHEMA,
) -> Game:
    files = {"data/pond/game.yaml": game, "data/pond/frogs.yaml": frogs}
    files |= {"schemas/pond/frogs.schema.json": schema, "templates/pond/card.svg": "<svg/>"}
    if words is not None:
        files["data/pond/words.yaml"] = words
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_game(ProjectFolders((tmp_path, ROOT)), "pond")[0]


def problems(tmp_path: Path, **files: str | None) -> list[tuple[str, int | None, str]]:
    with pytest.raises(CardgenError) as caught:
        load(tmp_path, **files)  # type: ignore[arg-type]
    found = [finding for finding in caught.value.findings if finding.location is not None]
    return [(finding.code, finding.location.line, finding.location.file) for finding in found]  # type: ignore[union-attr]


def test_cards_hold_the_long_form(tmp_path: Path) -> None:
    green, brown = load(tmp_path).component("frogs").cards
    assert green.fields["does"] == [
        {"do": "hop", "far": 2},
        {"if": {"test": "wet"}, "then": [{"choose": [[{"do": "croak"}], [{"do": "hop", "far": 1}]]}]},
    ]
    assert "does" not in brown.fields


def test_the_table_is_a_source_of_the_game(tmp_path: Path) -> None:
    game = load(tmp_path)
    assert "data/pond/words.yaml" in game.sources
    assert game.effects is not None
    assert sorted(game.effects.language.keywords) == ["croak", "hop"]


def test_findings_stand_at_their_lines(tmp_path: Path) -> None:
    frogs = FROGS.replace("Hop 2", "Hop 4").replace("[croak or hop 1]", "[croak, hob 1]")
    assert problems(tmp_path, frogs=frogs) == [
        ("effect/value", 4, "data/pond/frogs.yaml"),
        ("effect/keyword", 6, "data/pond/frogs.yaml"),
    ]


def test_a_field_that_no_card_has(tmp_path: Path) -> None:
    game = GAME.replace("[does]", "[does, dose]")
    assert problems(tmp_path, game=game) == [("effect/field", 6, "data/pond/game.yaml")]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    assert problems(tmp_path, words=None) == [("reference/keywords", 6, "data/pond/game.yaml")]


def test_a_table_with_faults(tmp_path: Path) -> None:
    words = WORDS.replace("{far}'", "{fra}'")
    found = problems(tmp_path, words=words)
    assert set(found) == {("keywords/wording", 2, "data/pond/words.yaml")}
    shape = WORDS.replace("type: number", "type: numbers")
    assert problems(tmp_path, words=shape) == [("schema/enum", 2, "data/pond/words.yaml")]


def test_without_a_table_cards_hold_what_their_file_says(tmp_path: Path) -> None:
    game = load(tmp_path, game=GAME.replace("effects: {keywords: words.yaml, fields: [does]}\n", ""))
    assert game.component("frogs").cards[0].fields["does"][0] == "Hop 2"
    assert game.effects is None


PROSE = GAME.replace("fields: [does]}", "fields: [does], text: text}")
SENTENCES = """\
words:
  who: {all: everybody *else*, you: you}
  numbers: {'1': one, '2': two}
keywords:
  hop:
    print: '{who} may hop **{far}** {far:step|steps} and rest'
    parameters: {who: {type: word}, far: {type: number, max: 3}}
  draw-more:
    print: 'draw {count} :fly: {count:fly|flies}'
    parameters: {count: {type: number, of: numbers, min: 1, max: 2}}
  sink: {print: only *Frog* sinks}
conditions:
  wet: {print: When it rains, bare: true}
  deep: {print: 'the pond is {count} deep', parameters: {count: {type: number}}}
"""
TALKING = SCHEMA.replace('"does":', '"text": {"type": "string", "translate": true}, "does":')
TEXTS = [
    ("[hop all 2, draw more 1]", "Everybody *else* may hop **2** steps and rest. Draw one :fly: fly."),
    ("[{if: wet, then: [hop all 1, sink]}, draw more 2]",
     "When it rains: everybody *else* may hop **1** step and rest. Only *Frog* sinks. Draw two :fly: "
     "flies."),
    ("[{if: deep 7, then: [sink]}]", "If the pond is 7 deep: only *Frog* sinks."),
    ("[draw more 2 or sink]", "Draw two :fly: flies or only *Frog* sinks."),
]  # fmt: skip


def talking(tmp_path: Path, frogs: str, *, words: str = SENTENCES, game: str = PROSE) -> Game:
    return load(tmp_path, game=game, words=words, frogs=frogs, schema=TALKING)


@for_each("does, printed", TEXTS)
def test_effects_are_printed_as_sentences(tmp_path: Path, does: str, printed: str) -> None:
    (green,) = talking(tmp_path, f"frogs:\n  - id: green\n    does: {does}\n").component("frogs").cards
    assert green.fields["text"] == printed


def test_a_printed_text_is_located_at_its_effect(tmp_path: Path) -> None:
    game = talking(tmp_path, "frogs:\n  - id: green\n    copies: 2\n    does: [sink]\n")
    (green,) = game.component("frogs").cards
    assert game.where(green, "text").line == 4


@for_each(
    "own, lines",
    [
        ("Everybody else hops 2 steps, says Frog.", []),
        ("Everybody else hops two steps.", []),
        ("Everybody else hops 3 steps.", [4, 4]),
        ("Everybody else hops.", [4]),
        ("You hop 2 steps.", [4]),
    ],
)
def test_own_words_are_compared_with_the_effect(tmp_path: Path, own: str, lines: list[int]) -> None:
    frogs = f"frogs:\n  - id: green\n    does: [hop all 2]\n    text: {own}\n"
    if not lines:
        (green,) = talking(tmp_path, frogs).component("frogs").cards
        assert green.fields["text"] == own
        return
    with pytest.raises(CardgenError) as caught:
        talking(tmp_path, frogs)
    found = [(each.code, each.location.line) for each in caught.value.findings if each.location]
    assert found == [("effect/wording", line) for line in lines]


def test_data_write_short_forms_of_prose(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        talking(tmp_path, "frogs:\n  - id: green\n    does: [only *Frog* sinks, hop all 9]\n")
    assert [each.code for each in caught.value.findings] == ["effect/keyword", "effect/value"]


def test_two_fields_are_not_printed_into_one_text(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        talking(tmp_path, FROGS, game=PROSE.replace("[does]", "[does, then]"))
    assert caught.value.findings[0].code == "effect/field"


def test_effects_are_shown_as_data_write_them(tmp_path: Path) -> None:
    frogs = (
        "frogs:\n  - id: green\n    does: [hop all 2, draw more 1 or sink, {if: deep 7, then: [sink]}]\n"
    )
    game = talking(tmp_path, frogs)
    assert game.effects is not None
    effect = game.component("frogs").cards[0].fields["does"]
    said = effect_data(game.effects.language, effect)
    assert said == "hop all 2; draw more 1 or sink; if deep 7: (sink)"


SHARED = PROSE.replace("\ncomponents:", "\ntables: [frogs.yaml]\ncomponents:")


def test_tables_of_cards_have_the_printed_text(tmp_path: Path) -> None:
    game = talking(tmp_path, "frogs:\n  - id: green\n    does: [sink]\n", game=SHARED)
    assert game.tables["frogs"]["frogs"][0]["text"] == "Only *Frog* sinks."
    assert game.component("frogs").cards[0].fields["text"] == "Only *Frog* sinks."


def test_effect_that_cannot_be_read_leaves_out_its_table(tmp_path: Path) -> None:
    """A template that reads the table would miss the printed text."""
    frogs = "frogs:\n  - id: green\n    does: [sinks]\n  - id: red\n    does: [sink]\n"
    with pytest.raises(CardgenError) as caught:
        talking(tmp_path, frogs, game=SHARED)
    assert {(each.code, each.location.line) for each in caught.value.findings if each.location} == {
        ("effect/keyword", 3)
    }
    game, _ = load_game(ProjectFolders((tmp_path, ROOT)), "pond", partial=True)
    assert ("table", "frogs") in game.left_out
    assert game.tables == {}


def test_unused_sentences_and_bounds_are_reported(tmp_path: Path) -> None:
    game = talking(
        tmp_path, "frogs:\n  - id: green\n    does: [hop all 2, draw more 1, {if: wet, then: [sink]}]\n"
    )
    found, lines = findings_of(tmp_path), SENTENCES.splitlines()
    assert game.effects is not None
    assert [(code, lines[line - 1].split(":")[0].strip()) for code, line in found] == [
        ("effect/bound", "parameters"),
        ("effect/bound", "parameters"),
        ("effect/unused", "deep"),
    ]


def test_numbers_have_their_own_words(tmp_path: Path) -> None:
    wrong = SENTENCES.replace("'2': two", "'2': three")
    talking(tmp_path, "frogs:\n  - id: green\n    does: [hop all 2, draw more 1]\n", words=wrong)
    assert ("effect/bound", 3) in findings_of(tmp_path)


def findings_of(tmp_path: Path) -> list[tuple[str, int]]:
    _, findings = load_game(ProjectFolders((tmp_path, ROOT)), "pond")
    return [(each.code, each.location.line or 0) for each in findings.sorted() if each.location]
