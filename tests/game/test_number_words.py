"""Numbers in texts, and those that a translation has lost or changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import Findings
from cardgen.files.listing import ProjectFolders
from cardgen.game.facts import read_number_words
from cardgen.game.languages import Entry, read_translation
from cardgen.game.loading import load_game
from cardgen.game.number_words import NumberWords
from cardgen.game.sources import Sources
from cardgen.game.translation_slips import Comparison
from tests.for_each import for_each
from tests.game.test_languages import ROOT, TEXTS, pond


def words(language: str) -> NumberWords:
    findings = Findings()
    found = read_number_words(Sources(ProjectFolders((ROOT,)), findings), language)
    assert not findings.items
    return found


EN, DE = words("en"), words("de")


@for_each(
    ("language", "text", "values"),
    [
        (EN, "Draw 3 cards, then twenty-five more.", ["3", "25"]),
        (EN, "a two-player game, twice", ["2", "2"]),
        (EN, "-2 or −2, but 1-2 and [3]-4", ["-2", "-2", "1", "2", "3", "4"]),
        (EN, "1,000 points, d6, 2x", ["1.000", "6", "2"]),
        (EN, "{{ hand + 1 }} of {deck:3} [here](card:a/7 '34mm') :die-6: :die 5:", ["3", "5"]),
        (EN, "the one; a card; someone often", []),
        (DE, "einundzwanzig Karten, dreimal, zu zweit", ["21", "3", "2"]),
        (DE, "Zweifel, Achtung, vielleicht", []),
        (NumberWords({}), "two and 2", ["2"]),
    ],
)
def test_numbers_are_found_as_digits_and_words(language: NumberWords, text: str, values: list[str]) -> None:
    assert [figure.value for figure in language.find(text) if figure.is_clear] == values


def test_a_region_has_the_words_of_its_language() -> None:
    assert [figure.value for figure in words("de-AT").find("zwei")] == ["2"]
    assert words("tlh").find("wa'") == []


COMPARISON = Comparison(EN, DE, {"Night Owl": "Nachteule", "2nd Line": "Zweitanschluss"})


@for_each(
    ("source", "text", "kinds"),
    [
        ("Draw 2 cards.", "Ziehe zwei Karten.", []),
        ("Draw a card.", "Ziehe 1 Karte.", []),
        ("Draw a card.", "Ziehe zwei Karten.", ["number"]),
        ("Draw two cards.", "Ziehe drei Karten.", ["number"]),
        ("Draw two cards.", "Ziehe Karten.", ["number"]),
        ("Draw three cards, keep two.", "Ziehe drei Karten, behalte drei.", ["number"]),
        ("+2 Will", "−2 Wille", ["number"]),
        ("**Out** at once", "Sofort raus", ["bold"]),
        ("Pay :coin:", "Zahle :card:", ["marks", "marks"]),
        ("Take {{ n }}", "Nimm {{ m }}", ["marks", "marks"]),
        ("Play Night Owl", "Spiele Nachteule", []),
        ("Play Night Owl", "Spiele Nachtfalter", ["name"]),
        ("A 2nd Line helps", "Ein Zweitanschluss hilft", []),
        ("See [](card:a/fox)", "Siehe [](card:a/owl)", ["name", "name"]),
    ],
)
def test_slips_of_a_translation(source: str, text: str, kinds: list[str]) -> None:
    assert [slip.kind for slip in COMPARISON.slips(source, text)] == kinds
    for kind in set(kinds):
        assert not COMPARISON.slips(source, text, f"differs: marks, {kind}: both are right")
        assert COMPARISON.slips(source, text, f"differs: {kind}"), "a reason is needed"


def test_a_slip_is_at_the_entry_unless_marked(tmp_path: Path) -> None:
    texts = {**TEXTS, "words.yaml: keywords/croak/print": ("**Croak**", "**Quak** 2")}
    paths = pond(tmp_path, texts=texts)
    _, findings = load_game(paths, "pond", language="de")
    lines = (tmp_path / "data/pond/de/texts.po").read_text(encoding="utf-8").split("\n")
    (finding,) = findings
    assert finding.code == "text/translation-number"
    assert finding.location is not None
    assert finding.hint is not None
    assert "source: data/pond/words.yaml:" in finding.hint
    line = finding.location.line or 0
    assert lines[line - 1] == 'msgctxt "words.yaml: keywords/croak/print"'
    lines.insert(line - 1, "# differs: number: frogs count aloud in German")
    (tmp_path / "data/pond/de/texts.po").write_text("\n".join(lines), encoding="utf-8")
    assert not load_game(paths, "pond", language="de")[1].items


def test_words_of_templates_are_compared(tmp_path: Path) -> None:
    paths = pond(tmp_path, texts={**TEXTS, "template": ("{n} of 2 left", "{m} von 3 übrig")})
    _, findings = load_game(paths, "pond", language="de")
    assert sorted(each.code for each in findings) == ["text/translation-number", *["translation/marks"] * 2]


@pytest.mark.parametrize("game", ["hackers", "access-denied"])
def test_each_changed_number_of_a_shipped_translation_is_found(game: str) -> None:
    findings = Findings()
    entries = read_translation(ProjectFolders((ROOT,)), f"data/{game}/de/texts.po", findings).entries
    comparison = Comparison(EN, DE, {})
    tried = 0
    for entry in entries.values():
        for figure in DE.find(entry.text):
            if not figure.is_clear or comparison.slips(entry.source, entry.text, entry.notes):
                continue
            other = "sieben" if figure.value != "7" else "neun"
            tried += 1
            changed = f"{entry.text[: figure.start]}{other}{entry.text[figure.end :]}"
            assert _numbers(comparison, entry, changed), changed
    assert tried > 10


def _numbers(comparison: Comparison, entry: Entry, text: str) -> bool:
    return any(slip.kind == "number" for slip in comparison.slips(entry.source, text))
