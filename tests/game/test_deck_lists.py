"""Deck lists of a game and of its players: YAML, text and tables to one and the same deck."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import CardgenError, Finding, UsageError
from cardgen.core.game import DeckList
from cardgen.files.listing import ProjectFolders
from cardgen.game.deck_lists import load_deck
from cardgen.game.loading import load_game
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "examples" / "deck-lists"
EXPECTED: dict[str, list[str]] = yaml.safe_load((EXAMPLES / "expected.yaml").read_text(encoding="utf-8"))
POOL, _ = load_game(ProjectFolders((EXAMPLES / "game", ROOT)), "duel")


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A project folder of one's own with the game."""
    return Path(shutil.copytree(EXAMPLES / "game", tmp_path / "game"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def deck(file: Path) -> DeckList:
    return load_deck(POOL, file, file.name)


@for_each("name", sorted(EXPECTED))
def test_what_is_wrong_with_a_list_itself_is_said_at_its_line(name: str) -> None:
    """Rules for decks are judged later."""
    findings: tuple[Finding, ...]
    try:
        findings = deck(EXAMPLES / "invalid" / name).remarks
    except CardgenError as error:
        findings = error.findings
    said = [f"{each.code} {each.location.line}" for each in findings if each.location is not None]
    assert said == [each for each in EXPECTED[name] if not each.startswith("rule/")]
    assert {each.location.file for each in findings if each.location is not None} <= {name}


@for_each(
    "name",
    ["list.docx", "list"],
)
def test_files_of_another_kind_are_misuse(name: str, tmp_path: Path, wording: Wording) -> None:
    (tmp_path / name).write_text("3 Rope\n")
    with pytest.raises(UsageError) as caught:
        deck(tmp_path / name)
    wording(caught.value)
    assert ".yaml, .yml, .json, .csv, .tsv, .xlsx, .ods, .txt, .dec" in str(caught.value.findings[0].hint)


def test_a_game_without_deck_lists_takes_none(duel: Path, wording: Wording) -> None:
    edit(duel / "data/duel/game.yaml", "decks: {component: cards}\n", "")
    game, _ = load_game(ProjectFolders((duel, ROOT)), "duel")
    with pytest.raises(UsageError) as caught:
        load_deck(game, EXAMPLES / "valid" / "plain.txt", "plain.txt")
    wording(caught.value)


def test_a_list_of_the_game_is_named_like_an_id(duel: Path, wording: Wording) -> None:
    decks = duel / "data/duel/decks"
    shutil.copy(decks / "alley.yaml", decks / "Second Crew.yaml")
    with pytest.raises(CardgenError) as caught:
        load_game(ProjectFolders((duel, ROOT)), "duel")
    wording(caught.value)


def test_the_forms_of_one_list_are_one_deck() -> None:
    text, table = (deck(EXAMPLES / "valid" / f"plain.{end}") for end in ("txt", "csv"))
    held = [(entry.card, entry.copies) for entry in text.entries]
    assert held == [(entry.card, entry.copies) for entry in table.entries]
    assert held == [
        ("lookout", 3), ("courier", 3), ("fixer", 2), ("rope", 1), ("x-ray", 1), ("no-2", 1), ("lamp", 1),
    ]  # fmt: skip
    assert (text.title, text.author, table.title) == ("Plain Crew", "A Player", "plain")


def test_names_apart_from_case_and_accents_and_by_id() -> None:
    accents = deck(EXAMPLES / "valid" / "accents.dec")
    assert [entry.card for entry in accents.entries] == ["lookout", "courier", "fixer", "rope", "zoe"]
    ids = deck(EXAMPLES / "valid" / "ids-and-notes.tsv")
    assert [entry.card for entry in ids.entries] == ["lookout", "courier", "twin-left", "twin-right"]


# ---------------------------------------------------------------- one deck, three ways to write it

TITLES = {card.id: str(card.fields["title"]) for card in POOL.component("cards").cards}
SPOKEN = {id: id if title == "The Twin" else title for id, title in TITLES.items()}
DECKS = st.dictionaries(st.sampled_from(sorted(SPOKEN)), st.integers(1, 999), min_size=1)


def as_yaml(held: dict[str, int]) -> str:
    return yaml.safe_dump(
        {"title": "X", "cards": {SPOKEN[id]: n for id, n in held.items()}}, sort_keys=False
    )


def as_text(held: dict[str, int]) -> str:
    return "".join(f"{copies} {SPOKEN[id]}\n" for id, copies in held.items())


def as_csv(held: dict[str, int]) -> str:
    quoted = {id: '"' + name.replace('"', '""') + '"' for id, name in SPOKEN.items()}
    return "copies,name\n" + "".join(f"{copies},{quoted[id]}\n" for id, copies in held.items())


@given(held=DECKS, form=st.sampled_from(["NFC", "NFD"]), end=st.sampled_from(["\n", "\r\n"]))
def test_yaml_text_and_csv_read_back_as_the_same_deck(
    tmp_path_factory: pytest.TempPathFactory, held: dict[str, int], form: Any, end: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    for ending, write in ((".yaml", as_yaml), (".txt", as_text), (".csv", as_csv)):
        file = folder / f"deck{ending}"
        text = unicodedata.normalize(form, write(held)).replace("\n", end)
        file.write_bytes(text.encode("utf-8"))
        read = deck(file)
        assert [(entry.card, entry.copies) for entry in read.entries] == list(held.items())
        assert not read.remarks


@given(content=st.one_of(st.binary(max_size=80), st.text(max_size=80).map(lambda text: text.encode())))
@pytest.mark.parametrize("ending", [".yaml", ".txt", ".csv"])
def test_whatever_the_file_holds_there_is_a_deck_or_findings_in_it(
    tmp_path_factory: pytest.TempPathFactory, ending: str, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / f"any{ending}"
    file.write_bytes(content)
    findings: tuple[Finding, ...] = ()
    try:
        assert deck(file).entries
    except CardgenError as error:
        findings = error.findings
    assert all(finding.location is not None for finding in findings)


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("game.yaml", "decks: {component: cards}", "decks: {component: crads}", "reference/component"),
        ("game.yaml", "decks: {component: cards}", "decks: {component: cards, name: nom}", "game/decks"),
        (
            "game.yaml",
            "decks: {component: cards}",
            "decks: {component: cards, file: x}",
            "schema/unknown-key",
        ),
        ("decks/alley.yaml", "Courier: 3", "Curier: 3", "deck/unknown-card"),
        ("decks/alley.yaml", "title: Alley Crew", "tite: Alley Crew", "schema/unknown-key"),
    ],
)
def test_a_wrong_list_of_the_game_stops_loading(
    file: str, old: str, new: str, code: str, duel: Path
) -> None:
    edit(duel / "data/duel" / file, old, new)
    with pytest.raises(CardgenError) as caught:
        load_game(ProjectFolders((duel, ROOT)), "duel")
    assert code in [finding.code for finding in caught.value.findings]
    assert all(finding.location and finding.location.line for finding in caught.value.findings)


def test_a_component_cannot_be_called_deck(duel: Path, wording: Wording) -> None:
    path = duel / "data/duel/game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("markers", "deck"), encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        load_game(ProjectFolders((duel, ROOT)), "duel")
    wording(caught.value)


@for_each("head", ["id,name,copies", "card id,title,qty"])
def test_column_of_names_goes_before_one_of_ids(head: str, tmp_path: Path) -> None:
    """Other programs number cards in ways of their own."""
    (tmp_path / "list.csv").write_text(f"{head}\nrope,Lookout,3\ncourier,,2\n", encoding="utf-8")
    held = [(entry.card, entry.copies) for entry in deck(tmp_path / "list.csv").entries]
    assert held == [("lookout", 3), ("courier", 2)]
