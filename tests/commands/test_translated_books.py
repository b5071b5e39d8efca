"""A rulebook's translation is compared with its source, paragraph by paragraph."""

from __future__ import annotations

from pathlib import Path

from cardgen.commands.check import translated_books
from cardgen.commands.check.translated_books import compare_books, paragraphs
from cardgen.commands.production.languages import load_in
from cardgen.core.findings import Finding, Findings
from cardgen.files.project import Project
from cardgen.game.loading import load_game

ROOT = Path(__file__).resolve().parents[2]


def compared(change: tuple[str, str] | None, monkeypatch) -> list[Finding]:  # type: ignore[no-untyped-def]
    paths = Project.open(ROOT).paths
    source, _ = load_game(paths, "hackers")
    german, _ = load_in(paths, "hackers", "de", partial=True, like=source)
    read = translated_books.read_markdown

    def edited(game, file, said):  # type: ignore[no-untyped-def]
        text = read(game, file, said)
        if change is not None and "/de/" in file:
            assert change[0] in text
            text = text.replace(*change)
        return text

    monkeypatch.setattr(translated_books, "read_markdown", edited)
    findings = Findings()
    compare_books(source, german, findings)
    return list(findings)


def test_paragraphs_of_a_shipped_book_are_compared(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    for change, code in (
        (None, []),
        (("etwa 15 Minuten", "etwa 50 Minuten"), ["text/translation-number"]),
        (("**Rivale**", "Rivale"), ["text/translation-bold"]),
        (("[](card:cards/firewall)** und", "[](card:cards/rat)** und"), ["text/translation-name"] * 2),
        (("## :hand: Dein Zug", "Dein Zug"), ["text/translation-structure"]),
    ):
        with monkeypatch.context() as patch:
            found = compared(change, patch)
        assert [each.code for each in found] == code, change
        for finding in found:
            assert finding.location is not None
            assert finding.location.file == "data/hackers/de/rulebook.md"
            assert (finding.location.line or 0) > 1 or code[0] == "text/translation-structure"


def test_paragraphs_have_kinds_and_lines() -> None:
    text = "# A\n\none\ntwo\n- b\n  c\n1. d\n\n> [!e]\n> f\n\n| g |\n|:--|\n| h |\n:::strip\n"
    found = [(each.kind, each.text, each.first) for each in paragraphs(text)]
    assert found == [
        ("#", "A", 0),
        ("text", "one\ntwo", 2),
        ("item", "b\n  c", 4),
        ("item", "d", 6),
        ("text", "[!e]\nf", 8),
        ("row", "| g |"[1:].strip(), 11),
        ("row", "h |", 13),
        ("fence", ":::strip", 14),
    ]
