"""Texts put over a game's data: which, where they stand, and what goes on in the source's words."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError, Finding, Findings, Location, UsageError
from cardgen.core.game import Game
from cardgen.core.paths import ProjectPaths
from cardgen.files.listing import ProjectFolders
from cardgen.game import sources
from cardgen.game.effects import print_effect
from cardgen.game.languages import MOST_UNTRANSLATED, Texts, read_po
from cardgen.game.loading import load_game
from tests.for_each import for_each
from tests.game.test_effects import FROGS, GAME, SCHEMA, WORDS
from tests.wording import Wording

ROOT = Path(__file__).resolve().parents[2]
POND = GAME.replace("version:", "languages: {de: {}}\nversion:")
TEXTS = {
    "game.yaml: title": ("Pond", "Teich"),
    "game.yaml: author": ("Nobody", "Niemand"),
    "game.yaml: components/frogs/title": ("Frogs", "Frösche"),
    "words.yaml: keywords/hop/print": ("**Hop** {far}", "**Hüpf** {far}"),
    "words.yaml: keywords/croak/print": ("**Croak**", "**Quak**"),
    "words.yaml: conditions/wet/print": ("it rains", "es regnet"),
}


def po(texts: dict[str, tuple[str, str]]) -> str:
    head = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n'
    entries = [f'\nmsgctxt "{at}"\nmsgid "{old}"\nmsgstr "{new}"\n' for at, (old, new) in texts.items()]
    return head + "".join(entries)


def pond(
    tmp_path: Path, *, game: str = POND, texts: dict[str, tuple[str, str]] | None = None
) -> ProjectPaths:
    files = {
        "data/pond/game.yaml": game,
        "data/pond/frogs.yaml": FROGS,
        "data/pond/words.yaml": WORDS,
        "data/pond/de/texts.po": po(TEXTS if texts is None else texts),
        "schemas/pond/frogs.schema.json": SCHEMA,
        "templates/pond/card.svg": "<svg/>",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return ProjectFolders((tmp_path, ROOT))


def effects_of(game: Game) -> str:
    assert game.effects is not None
    effect = game.component("frogs").cards[0].fields["does"]
    return " ".join(line.text for line in print_effect(game.effects.language, effect))


def test_effects_are_read_in_the_source_and_printed_in_the_language(tmp_path: Path) -> None:
    paths = pond(tmp_path)
    source, _ = load_game(paths, "pond")
    game, findings = load_game(paths, "pond", language="de")
    assert not findings.items
    assert (game.title, game.language, game.component("frogs").title) == ("Teich", "de", "Frösche")
    assert source.component("frogs").cards[0].fields == game.component("frogs").cards[0].fields
    assert "Hop 2" in effects_of(source)
    assert "Hüpf 2" in effects_of(game)
    assert "es regnet" in effects_of(game)
    assert "data/pond/de" not in "".join(source.sources)


def test_a_text_stands_in_its_translation(tmp_path: Path) -> None:
    game, _ = load_game(pond(tmp_path), "pond", language="de")
    place = game.locator.locate("data/pond/game.yaml", ("title",))
    assert place == Location("data/pond/de/texts.po", 5, None, "title")
    assert game.locator.locate("data/pond/game.yaml", ("version",)).file == "data/pond/game.yaml"


@for_each(
    ("change", "code"),
    [
        (("Pond", ""), "translation/missing"),
        (("Lake", "See"), "translation/stale"),
        (None, "translation/missing"),
    ],
)
def test_what_is_not_translated_is_an_error_or_stays(
    tmp_path: Path, change: tuple[str, str] | None, code: str
) -> None:
    texts = {key: each for key, each in TEXTS.items() if key != "game.yaml: title"}
    if change is not None:
        texts["game.yaml: title"] = change
    with pytest.raises(CardgenError) as caught:
        load_game(pond(tmp_path, texts=texts), "pond", language="de")
    assert [finding.code for finding in caught.value.findings] == [code]
    lenient = POND.replace("de: {}", "de: {missing: source}")
    game, findings = load_game(pond(tmp_path, game=lenient, texts=texts), "pond", language="de")
    assert game.title == "Pond"
    assert [(finding.code, str(finding.severity)) for finding in findings] == [(code, "warning")]
    assert game.words is not None
    assert game.words.missing + game.words.stale == 1


def many(tmp_path: Path, words: list[str]) -> list[Finding]:
    """What is said of a game whose frogs' titles are these words and not translated."""
    frogs = "frogs:\n" + "".join(
        f"  - {{id: frog-{at}, title: {word}, does: [Hop 2]}}\n" for at, word in enumerate(words)
    )
    lenient = POND.replace("de: {}", "de: {missing: source}")
    paths = pond(tmp_path, game=lenient)
    (tmp_path / "data/pond/frogs.yaml").write_text(frogs, encoding="utf-8")
    schema = tmp_path / "schemas/pond/frogs.schema.json"
    content = json.loads(schema.read_text(encoding="utf-8"))
    content["properties"]["frogs"]["items"]["properties"]["title"] = {"type": "string", "translate": True}
    schema.write_text(json.dumps(content), encoding="utf-8")
    return [
        each for each in load_game(paths, "pond", language="de")[1] if each.code == "translation/missing"
    ]


def test_a_text_of_several_cards_is_said_once_at_the_first(tmp_path: Path) -> None:
    (found,) = many(tmp_path, ["Lily"] * 40)
    assert (found.location and found.location.file, found.location and found.location.line) == (
        "data/pond/frogs.yaml",
        2,
    )
    assert "40 places" in found.message


def test_of_many_texts_the_first_are_said_and_the_others_counted(tmp_path: Path) -> None:
    found = many(tmp_path, [f"Lily {chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(100)])
    assert len(found) == MOST_UNTRANSLATED + 1
    assert f"{100 - MOST_UNTRANSLATED} other texts" in found[-1].message


def test_a_language_may_have_limits_of_its_own(tmp_path: Path) -> None:
    limits = POND.replace("de: {}", "de: {limits: {type: 5pt}}").replace(
        "sheets:", "limits: {contrast: 7}\nsheets:"
    )
    paths = pond(tmp_path, game=limits)
    assert load_game(paths, "pond")[0].limits.type_pt == 6.5
    german = load_game(paths, "pond", language="de")[0].limits
    assert (german.type_pt, german.contrast) == (5, 7)


def test_a_language_that_is_not_stated(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        load_game(pond(tmp_path), "pond", language="fr")
    wording(caught.value)


def test_the_source_names_the_cards_of_deck_lists(tmp_path: Path) -> None:
    duel = Path(shutil.copytree(ROOT / "tests/examples/deck-lists/game", tmp_path / "game"))
    schema = next((duel / "schemas/duel").glob("*.json"))
    text = schema.read_text(encoding="utf-8")
    assert text.count('"title": {') == 1
    schema.write_text(text.replace('"title": {', '"title": {"translate": true, '), encoding="utf-8")
    manifest = duel / "data/duel/game.yaml"
    stated = manifest.read_text(encoding="utf-8") + "languages: {de: {missing: source}}\n"
    manifest.write_text(stated, encoding="utf-8")
    paths = ProjectFolders((duel, ROOT))
    texts = Texts("duel", "", paths, Findings())
    source, _ = load_game(paths, "duel", collect=texts)
    words = {at: text.source.replace('"', '\\"') for at, text in texts.found.items() if "cards/" in at}
    titles = {at: (text, f"X {text}") for at, text in words.items()}
    (duel / "data/duel/de").mkdir()
    (duel / "data/duel/de/texts.po").write_text(po(titles), encoding="utf-8")
    game, _ = load_game(paths, "duel", language="de")
    assert game.component("cards").cards[0].fields["title"].startswith("X ")
    assert source.decks
    assert [deck.entries for deck in game.decks] == [deck.entries for deck in source.decks]


def test_another_language_reads_no_file_of_the_game_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = pond(tmp_path)
    source, _ = load_game(paths, "pond")
    alone, _ = load_game(paths, "pond", language="de")
    read: list[str] = []
    real = sources.load_yaml
    monkeypatch.setattr(
        sources,
        "load_yaml",
        lambda path, name, *args, **named: (read.append(name), real(path, name, *args, **named))[1],
    )
    game, findings = load_game(paths, "pond", language="de", like=source)
    assert not [name for name in read if name.startswith("data/pond/")]
    assert not findings.items
    assert replace(game, locator=alone.locator) == alone
    assert effects_of(game) == effects_of(alone)
    assert source.title == "Pond"
    assert source.locator.locate("data/pond/game.yaml", ("title",)).file == "data/pond/game.yaml"
    assert game.locator.locate("data/pond/game.yaml", ("title",)).file == "data/pond/de/texts.po"


def test_what_is_wrong_in_the_source_is_not_found_again(tmp_path: Path) -> None:
    paths = pond(tmp_path)
    frogs = tmp_path / "data/pond/frogs.yaml"
    frogs.write_text(FROGS.replace("  - id: brown", "  - id: brown\n    copiez: 2"), encoding="utf-8")
    source, found = load_game(paths, "pond", partial=True)
    assert source.left_out
    assert found.errors
    game, findings = load_game(paths, "pond", language="de", partial=True, like=source)
    assert game.left_out == source.left_out
    assert not [
        finding for finding in findings if finding in found.items and finding.code.startswith("schema/")
    ]


CHANGES = "{body: 8, hues: {sun: red}}"
THEME = "theme: {body: 9, hyphens: none, hues: {sun: yellow, moon: blue}}\n"
THEMED = POND.replace("de: {}", f"de: {{theme: {CHANGES}}}").replace("version:", f"{THEME}version:")


def test_a_language_may_have_sizes_and_hyphens_of_its_own(tmp_path: Path) -> None:
    paths = pond(tmp_path, game=THEMED)
    source, _ = load_game(paths, "pond")
    game, _ = load_game(paths, "pond", language="de", like=source)
    assert source.theme == {"body": 9, "hyphens": "none", "hues": {"sun": "yellow", "moon": "blue"}}
    assert game.theme == {"body": 8, "hyphens": "none", "hues": {"sun": "red", "moon": "blue"}}


@for_each(
    ("theme", "path", "name"),
    [("{bdoy: 8}", "bdoy", "body"), ("{hues: {sum: red}}", "hues.sum", "sun")],
)
def test_a_language_changes_only_what_the_theme_has(
    tmp_path: Path, theme: str, path: str, name: str, wording: Wording
) -> None:
    paths = pond(tmp_path, game=THEMED.replace(CHANGES, theme))
    with pytest.raises(CardgenError) as caught:
        load_game(paths, "pond", language="de")
    (finding,) = caught.value.findings
    assert finding.code == "game/theme"
    assert finding.location is not None
    assert finding.location.path == f"languages.de.theme.{path}"
    wording(finding)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid ""\nmsgstr ""\n' + '"A: b\\n"\n' * 2_000, 2_002),
        ('msgid ""\nmsgstr "' + "A: b\\n" * 20_000 + '"\n', 2),
        ('msgid "a"\nmsgstr "b"\n\nmsgid ""\n' + '"a"\n' * 2_000 + 'msgstr ""\n', 2_004),
        ("# a\n" * 2_001 + 'msgid "a"\nmsgstr "b"\n', 2_001),
        ('#~ msgid "a"\n' + '#~ "a"\n' * 2_000 + '#~ msgstr "b"\n', 2_001),
        ('msgctxt "c"\nmsgid "a"\nmsgstr "b"\n' * 1_001, 3_002),
        ('#~ msgid "a"\n#~ msgstr "b"\n' * 1_001, 2_001),
    ],
    ids=["head", "head-in-a-line", "text", "notes", "old-text", "entries", "old-entries"],
)
def test_a_po_file_beyond_a_bound_is_a_finding_at_the_line(
    text: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.game.languages.MOST_ENTRIES", 1_000)
    paths, findings = pond(tmp_path), Findings()
    (tmp_path / "data/pond/de/texts.po").write_text(text, encoding="utf-8")
    assert read_po(paths, "data/pond/de/texts.po", findings) is None
    assert [(each.code, each.location and each.location.line) for each in findings] == [
        ("translation/size", line)
    ]


def test_a_po_file_at_the_bounds_is_read(tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n'
    long = 'msgctxt "c"\nmsgid ""\n' + '"a"\n' * 1_999 + 'msgstr ""\n' + '"a"\n' * 1_999
    text = head + "\n" + "#: a.yaml:3\n" * 5_000 + long + '\n#~ msgid "a"\n#~ msgstr "b"\n' * 3_000
    paths, findings = pond(tmp_path), Findings()
    (tmp_path / "data/pond/de/texts.po").write_text(text, encoding="utf-8")
    found = read_po(paths, "data/pond/de/texts.po", findings)
    assert found is not None
    assert len(found) == 3_001
    assert not list(findings)
