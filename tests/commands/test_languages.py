"""`check` in several languages: rules over translated texts, one language alone, and what is said once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.test_translate import PO, translated
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

RULES = """rules:
  - {id: titles, question: Is every title used once?, kind: unique, component: cards, value: title}
  - {id: words, question: Are texts finished?, kind: text, component: cards, value: text, must_not: [TODO]}
  - {id: short, question: Are values low?, kind: each, component: cards, holds: value <= 3}
"""


@pytest.fixture
def ruled(german: Path) -> Path:
    """The German demo with rules, one of which the game breaks whatever its language."""
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


def test_what_a_rule_says_of_no_single_text_names_the_language(run: Run, ruled: Path) -> None:
    owls = "  - {id: owls, question: Is there an owl?, kind: count, where: \"'Owl' in title\", equals: 2}\n"
    (ruled / "data/demo/rules.yaml").write_text(RULES + owls, encoding="utf-8")
    translated(ruled, night_owl_title="Nachteule")
    _, out, _ = run("check", "demo")
    [said] = [line for line in out.splitlines() if "[rule/owls]" in line]
    assert said.startswith("data/demo/rules.yaml:5:")
    assert ": in de: " in said
    assert "[rule/owls]" in out


@pytest.mark.long
def test_colors_are_judged_in_a_language_with_a_theme_of_its_own(run: Run, ruled: Path) -> None:
    seen = "  - {id: seen, question: Are suits seen?, kind: colors, colors: [hues.*], min: 5}\n"
    (ruled / "data/demo/rules.yaml").write_text(RULES + seen, encoding="utf-8")
    manifest = ruled / "data/demo/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    assert "rule/seen" not in run("check", "demo")[1]
    hues = "{de: {theme: {hues: {leaf: '#b35420'}}}}"
    assert "languages: {de: {}}" in text
    manifest.write_text(text.replace("languages: {de: {}}", f"languages: {hues}"), encoding="utf-8")
    [said] = [line for line in run("check", "demo")[1].splitlines() if "[rule/seen]" in line]
    assert said.startswith("data/demo/game.yaml:")
    assert "in de: hues.sun #b3541e and hues.leaf #b35420 are " in said


def test_one_language_alone(run: Run, ruled: Path, edit: Edit, wording: Wording) -> None:
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
    wording(err, "'fr'")


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
    assert "in de: skipped" in out


PANGRAM = "Zwölf **Boxkämpfer** jagen Viktor :moon: über den Sylter Deich. "


def test_the_state_of_translations_as_json(run: Run, german: Path) -> None:
    translated(german, night_owl_text=PANGRAM * 12, gardener_text="")
    code, out, _ = run("translate", "demo", "--check", "--format", "json")
    assert code == 1
    [state] = json.loads(out)
    counts = {key: state[key] for key in ("language", "texts", "done", "missing", "stale", "too_long")}
    assert counts == {"language": "de", "texts": 16, "done": 15, "missing": 1, "stale": 0, "too_long": 1}
    said = [(each["code"], each["file"], each["line"]) for each in state["findings"]]
    assert ("text/overflow", PO, line_of(german, "night-owl", "text")) in said
    assert ("translation/missing", PO, line_of(german, "gardener", "text")) in said


def test_a_report_in_a_language(run: Run, ruled: Path) -> None:
    translated(ruled, night_owl_title="Nachteule")
    code, out, _ = run("report", "demo", "--format", "html", "--language", "de")
    assert code == 0
    assert os.path.join("demo", "de", "report.html") in out
    page = (ruled / "output/demo/de/report.html").read_text(encoding="utf-8")
    assert "Nachteule" in page
    assert "Night Owl" not in page
    assert not (ruled / "output/demo/report.html").exists()


def test_a_card_reference_in_a_language(run: Run, german: Path) -> None:
    translated(german, night_owl_title="Nachteule")
    assert run("reference", "demo")[0] == 0
    code, out, _ = run("reference", "demo", "--language", "de")
    assert code == 0
    file = german / "data/demo/de/GAME_CARDS.md"
    assert str(file) in out
    text = file.read_text(encoding="utf-8")
    assert "Nachteule" in text
    assert "`cardgen reference demo --language de`" in text
    assert "Nachteule" not in (german / "data/demo/GAME_CARDS.md").read_text(encoding="utf-8")
    translated(german, night_owl_title="Uhu")
    code, _, err = run("reference", "demo", "--language", "de", "--check")
    assert code == 1
    assert "run: cardgen reference demo --language de" in err


def test_a_language_without_a_file_is_said_once(run: Run, demo: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "language: en\n", "language: en\nlanguages: {de: {}}\n")
    code, out, _ = run("check", "demo", "--format", "json")
    assert code == 1
    said = [each for each in json.loads(out)["findings"] if each["severity"] == "error"]
    assert [(each["code"], each["message"]) for each in said] == [
        ("translation/missing", "none of 16 texts is translated into de")
    ]
    assert (said[0]["file"], said[0]["path"]) == ("data/demo/game.yaml", "languages.de")
    assert (
        said[0]["hint"]
        == "write a file of texts, then translate them: cardgen translate demo --language de"
    )
    for command in (["check", "demo", "--language", "de"], ["build", "demo", "--language", "de"]):
        code, out, err = run(*command)
        assert code == 1
        assert (out + err).count("translation/missing") == 1


def test_cards_that_say_nothing_in_a_language_are_not_judged_in_it(
    run: Run, german: Path, edit: Edit
) -> None:
    """What they will say is not known. A card with one text in it is judged."""
    edit("data/demo/cards.yaml", "title: Night Owl", "title: Nachteulenvogelkundemuseumsdirektorin")
    run("translate", "demo")
    texts = json.loads(run("check", "demo", "--format", "json")[1])["findings"]
    assert [each["file"] for each in texts if each["code"] == "text/outside"] == ["data/demo/cards.yaml"]
    assert not [
        each for each in texts if each["message"].startswith("in de") and each["severity"] == "error"
    ]
    assert any("in de: skipped" in each["message"] for each in texts)


@pytest.mark.long
def test_a_family_without_italics_may_stand_in_for_one_with(run: Run, german: Path, edit: Edit) -> None:
    """Each slanted word is set in the style that is nearest, which is noted once."""
    fonts = "languages: {de: {fonts: {IBM Plex Sans: Cardgen Symbols}}}"
    edit("data/demo/game.yaml", "languages: {de: {}}", fonts)
    translated(german, gardener_text="Ziehe *zwei* **Karten**.", night_owl_text="*Eine*.")
    code, out, err = run("check", "demo", "--format", "json")
    assert code == 0, out + err
    notes = [each for each in json.loads(out)["findings"] if each["code"] == "font/style"]
    assert [each["severity"] for each in notes] == ["note"]
    assert "Cardgen Symbols has no " in notes[0]["message"]
    assert notes[0]["path"] == "languages.de.fonts['IBM Plex Sans']"
    assert run("build", "demo", "--language", "de")[0] == 0


def test_a_language_has_a_fallback_of_its_own(run: Run, german: Path, edit: Edit) -> None:
    fonts = "fonts: {fallback: [Bebas Neue]}\nlanguages: {de: {fallback: [Gone]}}"
    edit("data/demo/game.yaml", "languages: {de: {}}", fonts)
    translated(german)
    said = json.loads(run("check", "demo", "--language", "de", "--format", "json")[1])["findings"]
    assert [each["path"] for each in said if each["code"] == "font/family"] == ["languages.de.fallback[0]"]
