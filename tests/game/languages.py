"""Languages to test with: those that ship, and one made up with other words, signs and order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.game import Language, Parameter, Phrase
from cardgen.files.yaml import load_yaml
from cardgen.game.effect_language import read_language

ROOT = Path(__file__).resolve().parents[2]

GARDEN = {
    "punctuation": {
        "end": ".",
        "either": "oder",
        "both": "und",
        "condition": "Falls",
        "then": ",",
        "minus": "-",
    },
    "words": {
        "crop": {"turnip": "Rübe", "pea": "Erbse", "peas": "Erbsen im Beet"},
        "season": {"spring": None, "autumn": None},
    },
    "keywords": {
        "sow": {
            "print": "**Säe** {count} × {crop}",
            "short": ["säe {count} {crop}"],
            "parameters": {"count": {"type": "number", "min": 1, "max": 12}, "crop": {"type": "word"}},
        },
        "water": {"print": "**Gieße**", "icon": "wave"},
        "coins": {
            "print": "{amount} {amount:Taler|Taler-Stücke}",
            "parameters": {"amount": {"type": "change", "min": -20, "max": 20, "unit": "Taler"}},
        },
        "swap": {
            "print": "Tausche **{give}** gegen **{take}**",
            "parameters": {"give": {"type": "word", "of": "crop"}, "take": {"type": "word", "of": "crop"}},
            "only": ["market"],
        },
    },
    "conditions": {
        "season": {
            "print": "{season} ist oder war",
            "short": ["{season}"],
            "parameters": {"season": {"type": "word"}},
        },
        "rich": {
            "print": "du {amount} oder mehr hast",
            "parameters": {"amount": {"type": "number", "max": 99}},
        },
        "pay": {
            "print": "Zahle {count}",
            "parameters": {"count": {"type": "number", "max": 9}},
            "bare": True,
        },
    },
}


def language(table: dict[str, Any]) -> Language:
    """The language of a table without faults."""
    made, problems = read_language(table)
    assert problems == []
    return made


def shipped(table: Path) -> Language:
    """The language of a game that brings a keyword table."""
    findings = Findings()
    document = load_yaml(table, table.name, findings)
    assert document is not None
    assert not findings.errors
    return language(document.data)


TABLES = {table.parent.name: table for table in sorted(ROOT.glob("data/*/keywords.yaml"))}
"""The keyword tables that ship, by game."""
LANGUAGES = {"garden": language(GARDEN)} | {name: shipped(table) for name, table in TABLES.items()}


def _value(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.type == "word":
        return st.sampled_from(sorted(parameter.words))
    least = parameter.least if parameter.least is not None else -9999
    most = parameter.most if parameter.most is not None else 9999
    numbers = st.integers(least, most)
    return numbers.filter(bool) if parameter.type == "change" else numbers


def _phrase(key: str, phrase: Phrase) -> st.SearchStrategy[dict[str, Any]]:
    values = {name: _value(parameter) for name, parameter in phrase.parameters.items()}
    return st.fixed_dictionaries({key: st.just(phrase.id), **values})


def effects(made: Language) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Any effect of a language, conditions within conditions among them."""
    actions = st.one_of([_phrase("do", phrase) for phrase in made.keywords.values()])
    tests = st.one_of([_phrase("test", phrase) for phrase in made.conditions.values()])
    option = st.lists(actions, min_size=1, max_size=3)
    choice = st.fixed_dictionaries({"choose": st.lists(option, min_size=2, max_size=2)})

    def conditional(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.fixed_dictionaries({"if": tests, "then": st.lists(inner, min_size=1, max_size=3)})

    paragraph = st.recursive(actions | choice, conditional, max_leaves=6)
    return st.lists(paragraph, min_size=1, max_size=4)
