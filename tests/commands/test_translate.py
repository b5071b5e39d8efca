"""One game in several languages: PO files for translators, builds and checks in each language."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pikepdf
import polib
import pytest

import cardgen
from cardgen.commands.data.list import list_game
from cardgen.commands.data.translate import translate
from tests.for_each import for_each
from tests.shipped import shipped
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
PO = "data/demo/de/texts.po"
CARDS = "data/demo/cards.yaml"


def translated(demo: Path, **texts: str) -> None:
    """Give every entry of the demo's German a text: what `texts` say of a card's id and key, else its
    source."""
    po = polib.pofile(str(demo / PO), encoding="utf-8")
    for entry in po:
        name = entry.msgctxt.removeprefix("cards.yaml: cards/").replace("/", "_").replace("-", "_")
        entry.msgstr = texts.get(name, entry.msgstr or f"{entry.msgid}")
        entry.flags = []
        entry.previous_msgid = None
    po.save()


def words_of(path: Path) -> str:
    """The texts of a PDF, as they can be copied."""
    import pypdfium2

    with pypdfium2.PdfDocument(str(path)) as document:
        return " ".join(page.get_textpage().get_text_range() for page in document)


def test_a_po_file_has_an_entry_for_each_marked_text(german: Path) -> None:
    po = polib.pofile(str(german / PO), encoding="utf-8")
    by_place = {entry.msgctxt: entry for entry in po}
    entry = by_place["cards.yaml: cards/night-owl/title"]
    assert (entry.msgid, entry.msgstr) == ("Night Owl", "")
    line = (german / CARDS).read_text(encoding="utf-8").splitlines().index("    title: Night Owl") + 1
    assert entry.occurrences == [(CARDS, str(line))]
    assert {"game.yaml: title", "game.yaml: components/cards/title"} <= set(by_place)
    assert po.metadata["Language"] == "de"


def test_what_is_not_translated_is_never_printed(run: Run, german: Path) -> None:
    code, _, err = run("build", "demo", "--language", "de")
    assert code == 1
    assert f"{PO}:" in err
    assert "[translation/missing]" in err
    assert "'Night Owl'" in err
    assert not (german / "output").exists() or not list((german / "output").rglob("*.pdf"))
    assert run("build", "demo")[0] == 0


def test_unfinished_texts_may_stay_in_the_source(run: Run, german: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "languages: {de: {}}", "languages: {de: {missing: source}}")
    code, _, err = run("build", "demo", "--language", "de")
    assert code == 0
    assert "[translation/missing]" in err
    assert "'Night Owl'" in err
    assert "Night Owl" in words_of(german / "output/demo/de/poker.pdf")


def test_a_build_has_the_words_the_language_and_a_folder_of_its_own(run: Run, german: Path) -> None:
    translated(german, night_owl_title="Nachteule", night_owl_text="Noch eine Karte, wenn es :moon: ist.")
    assert run("build", "demo")[0] == 0
    english = (german / "output/demo/poker.pdf").read_bytes()
    code, _, err = run("build", "demo", "--language", "de")
    assert code == 0, err
    path = german / "output/demo/de/poker.pdf"
    assert "Nachteule" in words_of(path)
    assert "Night Owl" not in words_of(path)
    with pikepdf.open(path) as pdf:
        assert str(pdf.Root.Lang) == "de"
    assert (german / "output/demo/poker.pdf").read_bytes() == english


def test_a_build_knows_when_a_translation_changes(
    run: Run, german: Path, settle: Callable[[Path], None]
) -> None:
    translated(german)
    settle(german)
    for _ in range(2):
        code, out, _ = run("build", "demo", "--language", "de")
    assert code == 0
    assert "up to date" in out
    translated(german, night_owl_title="Uhu")
    code, out, _ = run("build", "demo", "--language", "de")
    assert "up to date" not in out
    assert "Uhu" in words_of(german / "output/demo/de/poker.pdf")


def test_proofs_and_exports_speak_it_too(run: Run, german: Path) -> None:
    translated(german, night_owl_title="Nachteule")
    code, out, _ = run("proof", "demo", "night-owl", "--language", "de", "--dpi", "40")
    assert code == 0
    assert os.path.join("demo", "de", "proof", "night-owl-face.png") in out
    code, _, err = run("export", "demo", "--to", "png", "--language", "de", "--dpi", "40")
    assert code == 0, err
    assert (german / "output/demo/de/png/export.json").is_file()
    assert not (german / "output/demo/png").exists()


def test_a_changed_source_needs_a_look(run: Run, german: Path, edit: Edit) -> None:
    translated(german, night_owl_title="Nachteule")
    edit(CARDS, "title: Night Owl", "title: Late Owl")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "the translation of 'Night Owl' needs review: the source is now 'Late Owl'" in out
    line = (german / PO).read_text(encoding="utf-8").splitlines().index('msgid "Night Owl"')
    assert f"{PO}:{line}: " in out  # where the entry begins
    assert run("translate", "demo")[0] == 0
    [entry] = [each for each in polib.pofile(str(german / PO)) if each.msgid == "Late Owl"]
    assert entry.fuzzy
    assert (entry.msgstr, entry.previous_msgid) == ("Nachteule", "Night Owl")
    assert run("build", "demo", "--language", "de")[0] == 1
    translated(german, night_owl_title="Spätkauz")
    assert run("check", "demo")[0] == 0


def test_translating_again_writes_the_same_bytes(run: Run, german: Path) -> None:
    translated(german, night_owl_title="Nachteule")
    assert run("translate", "demo")[0] == 0
    before = (german / PO).read_bytes()
    code, out, _ = run("translate", "demo")
    assert code == 0
    assert f"{PO}: up to date, 16 of 16 texts done" in out
    assert (german / PO).read_bytes() == before


@pytest.mark.long
def test_what_is_gone_is_kept_and_comes_back(run: Run, german: Path) -> None:
    translated(german, old_oak_title="Alte Eiche")
    cards = german / CARDS
    whole = cards.read_text(encoding="utf-8")
    cards.write_text(whole[: whole.index("  - id: old-oak")], encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 0
    assert "[translation/unknown]" in out
    assert "'cards.yaml: cards/old-oak/title'" in out
    assert run("translate", "demo")[0] == 0
    assert '#~ msgid "Old Oak"' in (german / PO).read_text(encoding="utf-8")
    assert "translation/unknown" not in run("check", "demo")[1]
    cards.write_text(whole, encoding="utf-8")
    code, out, _ = run("translate", "demo", "--check")
    assert code == 0
    assert "16 of 16 texts done" in out


def test_a_card_of_another_id_keeps_its_words_to_be_looked_at(run: Run, german: Path, edit: Edit) -> None:
    translated(german, old_oak_title="Alte Eiche")
    edit(CARDS, "id: old-oak", "id: oak")
    assert run("translate", "demo")[0] == 0
    found = {each.msgctxt: each for each in polib.pofile(str(german / PO)) if not each.obsolete}
    entry = found["cards.yaml: cards/oak/title"]
    assert (entry.msgstr, entry.fuzzy) == ("Alte Eiche", True)


def test_check_says_what_a_translation_lost(run: Run, german: Path) -> None:
    translated(german, night_owl_text="**Letzter Zug:** spiele noch eine Karte.")
    code, out, _ = run("check", "demo")
    assert code == 0
    assert "[translation/marks]" in out
    assert ":moon:" in out


def test_words_of_templates_are_translated(run: Run, german: Path, edit: Edit) -> None:
    edit("templates/demo/card.svg", "{{ number }} · ", "{{ t('Card {number}', number=number) }} · ")
    translated(german)
    code, _, err = run("build", "demo", "--language", "de")
    assert code == 1
    assert "[translation/missing]" in err
    assert "'Card {number}'" in err
    assert run("translate", "demo")[0] == 0
    translated(german)
    po = polib.pofile(str(german / PO))
    [entry] = [each for each in po if each.msgctxt == "template"]
    [(file, line)] = entry.occurrences
    template = (german / "templates/demo/card.svg").read_text(encoding="utf-8").splitlines()
    assert "t('Card {number}'" in template[int(line) - 1]
    assert file == "templates/demo/card.svg"
    entry.msgstr = "Karte {number}"
    po.save()
    assert run("build", "demo", "--language", "de")[0] == 0
    assert "Karte 2" in words_of(german / "output/demo/de/poker.pdf")
    assert run("build", "demo")[0] == 0
    assert "Card 2" in words_of(german / "output/demo/poker.pdf")


def test_a_rulebook_is_translated_as_a_whole(run: Run, german: Path, edit: Edit) -> None:
    book = "  rules: {title: Rules, kind: book, trim: a6, book: rules.md}"
    edit(
        "data/demo/game.yaml",
        "\nsheets:",
        f"{book}\n\nsheets:\n  rules: {{layout: single, components: [rules]}}",
    )
    source = german / "data/demo/rules.md"
    source.write_text("# Rules\n\nPlay a card.\n", encoding="utf-8")
    assert run("translate", "demo")[0] == 0
    translated(german)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[translation/missing]" in out
    assert "data/demo/rules.md" in out
    assert "data/demo/de/rules.md" in out
    own = german / "data/demo/de/rules.md"
    own.write_text("# Regeln\n\nSpiel eine Karte.\n", encoding="utf-8")
    assert run("translate", "demo")[0] == 0
    assert run("check", "demo")[0] == 0
    assert run("build", "demo", "--language", "de", "--sheet", "rules")[0] == 0
    assert "Spiel eine Karte" in words_of(german / "output/demo/de/rules.pdf")
    source.write_text("# Rules\n\nPlay two cards.\n", encoding="utf-8")
    assert run("translate", "demo")[0] == 0
    code, out, _ = run("check", "demo")
    assert "[translation/stale]" in out
    assert "data/demo/de/rules.md" in out
    assert "data/demo/rules.md" in out
    own.write_text("# Regeln\n\nSpiel zwei Karten.\n", encoding="utf-8")
    assert run("translate", "demo")[0] == 0
    assert "has changed since" not in run("check", "demo")[1]


def test_a_broken_po_file_is_a_finding_at_its_line(run: Run, german: Path) -> None:
    path = german / PO
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgid "Night Owl"', 'msgid Night Owl"'), encoding="utf-8")
    line = text.splitlines().index('msgid "Night Owl"') + 1
    for words in (("check", "demo"), ("translate", "demo"), ("build", "demo", "--language", "de")):
        code, out, err = run(*words)
        assert code == 1
        assert f"{PO}:{line}: " in out + err
        assert "[translation/syntax]" in out + err
        assert "[translation/missing]" not in out + err


def test_two_entries_for_one_text(run: Run, german: Path) -> None:
    path = german / PO
    entry = path.read_text(encoding="utf-8").rpartition("\n\n")[2]
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{entry}", encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[translation/twice]" in out
    assert "[translation/twice]" in out


def test_a_po_file_is_its_text_whatever_it_says(
    run: Run, german: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(german / "data/demo")
    for content in ("/etc/passwd", "\0", 'msgid "a\u2028b"\n'):
        (german / PO).write_text(content, encoding="utf-8")
        code, out, _ = run("check", "demo")
        assert code == 1
        assert "\nde/texts.po:1:" in f"\n{out}"


def test_only_languages_that_the_game_states(run: Run, german: Path, wording: Wording) -> None:
    for language in ("fr", "../x"):
        code, _, err = run("build", "demo", "--language", language)
        assert code == 2
        wording(err)
    assert run("build", "demo", "--language", "en")[0] == 0
    assert (german / "output/demo/poker.pdf").is_file()


def test_list_says_how_far_each_language_is(run: Run, german: Path) -> None:
    translated(german)
    code, out, _ = run("list", "demo")
    assert code == 0
    assert "--language de        16 of 16 texts done, 0 missing, 0 stale" in out
    [entry] = list_game("demo", project=cardgen.Project.open(german))["languages"]
    assert entry == {"language": "de", "texts": 16, "done": 16, "missing": 0, "stale": 0}


@pytest.mark.long
def test_list_again_follows_each_edit(run: Run, german: Path, edit: Edit) -> None:
    translated(german)
    first = run("list")
    assert run("list") == first
    edit("data/demo/game.yaml", "{de: {}}", "{de: {}, fr: {}}")
    assert "--language fr        0 of 16 texts done" in run("list")[1]
    assert "--language fr        0 of 16 texts done" in run("list", "demo")[1]
    edit("data/demo/game.yaml", "{de: {}, fr: {}}", "[broken")
    for words in (("list",), ("list", "demo"), ("list",)):
        assert run(*words)[0] == 1
    edit("data/demo/game.yaml", "[broken", "{de: {}}")
    assert run("list") == first


def test_another_font_may_stand_in(run: Run, german: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "{de: {}}", "{de: {fonts: {IBM Plex Sans: IBM Plex Mono}}}")
    translated(german)
    for language in ("en", "de"):
        assert run("build", "demo", "--language", language)[0] == 0
    fonts = {path: fonts_of(german / "output/demo" / path) for path in ("poker.pdf", "de/poker.pdf")}
    assert any("PlexSans" in name for name in fonts["poker.pdf"])
    assert any("PlexMono" in name for name in fonts["de/poker.pdf"])
    assert not any("PlexMono" in name for name in fonts["poker.pdf"])


ROOT = Path(__file__).resolve().parents[2]
PROJECT = cardgen.Project.open(ROOT)
SHIPPED = [file.parent for file in sorted(ROOT.glob("data/*/*/texts.po"))]


@for_each("folder", SHIPPED, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_shipped_translations_are_whole(folder: Path) -> None:
    game, language = folder.parent.name, folder.name
    [state] = translate(game, [language], project=PROJECT, write=False)
    assert (state.missing, state.stale) == (0, 0)
    assert state.done == state.texts > 50
    translated = shipped(game, language)
    assert not translated.remarks
    assert translated.language == language
    books = [component.book.file for component in translated.components if component.book is not None]
    assert books
    assert all(file.startswith(f"data/{game}/{language}/") for file in books)


def fonts_of(path: Path) -> set[str]:
    """The names of all fonts in a PDF."""
    with pikepdf.open(path) as pdf:
        fonts = [
            each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/BaseFont" in each
        ]
        return {str(each["/BaseFont"]) for each in fonts}
