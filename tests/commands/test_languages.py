"""`check` in several languages: rules over translated texts, one language alone, and what is said once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.test_translate import PO, translated

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

RULES = """rules:
  - {id: titles, question: Is every title used once?, kind: unique, component: cards, value: title}
  - {id: words, question: Are texts finished?, kind: text, component: cards, value: text, must_not: [TODO]}
  - {id: short, question: Are values low?, kind: each, component: cards, holds: value <= 3}
"""


@pytest.fixture
def ruled(german: Path, edit: Edit) -> Path:
    """The German demo with rules, one of which the game breaks whatever its language."""
    edit("data/demo/game.yaml", "languages: {de: {}}\n", "languages: {de: {}}\nrules: rules.yaml\n")
    (german / "data/demo/rules.yaml").write_text(RULES, encoding="utf-8")
    return german


def line_of(project: Path, card: str, key: str) -> int:
    lines = (project / PO).read_text(encoding="utf-8").splitlines()
    return lines.index(f'msgctxt "cards.yaml: cards/{card}/{key}"') + 1


def test_rules_are_judged_in_each_language(run: Run, ruled: Path) -> None:
    translated(ruled, early_bird_title="Eule", night_owl_title="Eule", gardener_text="TODO")
    code, out, _ = run("check", "demo", "--all")
    assert code == 1
    [twice] = [line for line in out.splitlines() if "[rule/titles]" in line]
    assert twice.startswith(
        f"{PO}:{line_of(ruled, 'night-owl', 'title')}: cards[1].title: `title` is “Eule”"
    )
    [unfinished] = [line for line in out.splitlines() if "[rule/words]" in line]
    assert unfinished.startswith(f"{PO}:{line_of(ruled, 'gardener', 'text')}: ")


def test_a_rule_that_reads_no_translated_text_is_judged_once(run: Run, ruled: Path) -> None:
    translated(ruled, old_oak_title="Alte Eiche", full_moon_title="Vollmond")
    _, out, _ = run("check", "demo", "--all")
    said = [line for line in out.splitlines() if "[rule/short]" in line]
    assert len(said) == 2
    assert all("data/demo/cards.yaml:" in line and "in de" not in line for line in said)


def test_what_a_rule_says_of_no_single_text_names_the_language(run: Run, ruled: Path) -> None:
    owls = "  - {id: owls, question: Is there an owl?, kind: count, where: \"'Owl' in title\", equals: 2}\n"
    (ruled / "data/demo/rules.yaml").write_text(RULES + owls, encoding="utf-8")
    translated(ruled, night_owl_title="Nachteule")
    _, out, _ = run("check", "demo")
    [said] = [line for line in out.splitlines() if "[rule/owls]" in line]
    assert said.startswith("data/demo/rules.yaml:5:")
    assert ": in de: " in said
    assert "say languages: source in the rule if it is about words of the game's own language" in out


def test_a_rule_may_be_about_the_source(run: Run, ruled: Path) -> None:
    owls = (
        "  - {id: owls, question: Is there an owl?, languages: source, kind: count, "
        "where: \"'Owl' in title\", equals: 2}\n"
    )
    (ruled / "data/demo/rules.yaml").write_text(RULES + owls, encoding="utf-8")
    translated(ruled, night_owl_title="Nachteule")
    assert "rule/owls" not in run("check", "demo")[1]
    assert "rule/owls" not in run("check", "demo", "--language", "de")[1]


def test_names_of_expressions_lead_to_translated_texts(run: Run, ruled: Path) -> None:
    rules = "define: {named: title}\n" + RULES.replace("value: title", "value: named")
    (ruled / "data/demo/rules.yaml").write_text(rules, encoding="utf-8")
    translated(ruled, early_bird_title="Eule", night_owl_title="Eule")
    assert "[rule/titles]" in run("check", "demo")[1]


def test_one_language_alone(run: Run, ruled: Path, edit: Edit) -> None:
    translated(ruled, early_bird_title="Eule", night_owl_title="Eule")
    _, out, _ = run("check", "demo", "--language", "de", "--rule", "titles")
    assert "[rule/titles]" in out
    assert run("check", "demo", "--language", "en", "--rule", "titles")[0] == 0
    assert run("check", "demo", "--language", "source", "--rule", "titles")[0] == 0
    edit("data/demo/cards.yaml", "title: Night Owl", "title: Early Bird")
    _, out, _ = run("check", "demo", "--language", "source")
    assert "[rule/titles]" in out
    assert PO not in out
    code, _, err = run("check", "demo", "--language", "fr")
    assert code == 2
    assert "is not translated into 'fr'" in err


def test_what_is_wrong_in_every_language_is_said_once(run: Run, german: Path, edit: Edit) -> None:
    translated(german)
    edit("templates/demo/card.svg", '13|pt }}" fill="{{ theme.ink }}', '13|pt }}" fill="{{ theme.paper }}')
    _, out, _ = run("check", "demo", "--all")
    lines = [line for line in out.splitlines() if "[text/contrast]" in line]
    assert lines
    assert not [line for line in lines if "in de" in line]


def test_one_text_in_error_hides_no_other_of_its_language(run: Run, ruled: Path, edit: Edit) -> None:
    short = '"description": "The card\'s name.", "maxLength": 12,'
    edit("schemas/demo/cards.schema.json", '"description": "The card\'s name.",', short)
    pangram = "Zwölf **Boxkämpfer** jagen Viktor :moon: über den Sylter Deich. "
    translated(ruled, old_oak_title="Eine sehr alte Eiche", night_owl_text=pangram * 12)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[schema/max-length]" in out
    assert f"{PO}:{line_of(ruled, 'night-owl', 'text')}: " in out
    assert "in de: not judged" in out


def test_several_languages_are_judged_by_themselves(run: Run, ruled: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "languages: {de: {}}", "languages: {de: {}, fr: {missing: source}}")
    assert run("translate", "demo")[0] == 0
    translated(ruled, early_bird_title="Eule", night_owl_title="Eule")
    _, out, _ = run("check", "demo", "--language", "fr", "--language", "de")
    assert "data/demo/de/texts.po" in out
    assert "translated into fr" in out
