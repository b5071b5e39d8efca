"""What a game.yaml may leave to cardgen: schemas of its cards, and sheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError, Findings
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.game.loading import load_game
from cardgen.game.sources import KeptFiles
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parent.parent.parent
HEAD = "id: fox\ntitle: Fox\nversion: 1.0.0\nauthor: A\nplayers: {min: 2, max: 4}\ncomponents:\n"


def load(folder: Path, *entries: str, **files: str) -> tuple[Game, Findings]:
    """The game of components such as "cards: {kind: card, trim: poker}", and files by their stems."""
    data = folder / "data/fox"
    data.mkdir(parents=True, exist_ok=True)
    lines = []
    for entry in entries:
        id, _, rest = entry.partition(": ")
        own = "" if "book" in rest else f", data: {id}.yaml, face: card.svg"
        lines.append(f"  {id}: {rest[:-1]}, title: Some{own}}}\n")
        if "book" not in rest:
            text = files.get(id, f"{id}:\n  - {{id: one, title: One, cost: 3}}\n")
            (data / f"{id}.yaml").write_text(text, encoding="utf-8")
    (data / "game.yaml").write_text(HEAD + "".join(lines), encoding="utf-8")
    (data / "rules.md").write_text("# Rules\n", encoding="utf-8")
    (folder / "templates/fox").mkdir(parents=True, exist_ok=True)
    (folder / "templates/fox/card.svg").write_text("<svg/>", encoding="utf-8")
    return load_game(ProjectFolders((folder, ROOT)), "fox")


@for_each(
    ("entries", "sheets"),
    [
        (["cards: {kind: card, trim: poker}"], ["poker poker cards"]),
        (["cards: {kind: card, trim: tarot, turned: true}"], ["tarot tarot cards"]),
        (["cards: {kind: card, trim: bridge}"], ["poker poker cards"]),
        (
            ["cards: {kind: card, trim: poker}", "more: {kind: card, trim: [70mm, 70mm]}"],
            ["poker poker cards more"],
        ),
        (
            ["cards: {kind: card, trim: mini}", "chits: {kind: token, trim: [20mm, 20mm]}"],
            ["mini mini cards", "tokens tokens chits"],
        ),
        (["mats: {kind: mat, trim: [190mm, 120mm]}"], ["aids aids mats"]),
        (["map: {kind: board, trim: [420mm, 297mm]}"], ["board board map"]),
        (["big: {kind: card, trim: [200mm, 270mm]}"], ["board board big"]),
        (
            ["rules: {kind: book, trim: a5, book: rules.md}"],
            ["rules single rules", "rules-booklet booklet rules"],
        ),
        (
            ["cards: {kind: card, trim: poker}", "poker: {kind: book, trim: a5, book: rules.md}"],
            ["poker poker cards", "poker-book single poker", "poker-booklet booklet poker"],
        ),
    ],
)
def test_without_sheets_every_component_lies_on_the_usual_one(
    tmp_path: Path, entries: list[str], sheets: list[str]
) -> None:
    game, findings = load(tmp_path, *entries)
    assert [" ".join((each.name, each.layout, *each.components)) for each in game.sheets] == sheets
    assert not [each for each in findings if each.code != "game/no-schema"]


def test_without_a_schema_cards_have_what_they_have_and_one_note_says_so(
    tmp_path: Path, wording: Wording
) -> None:
    cards = "cards:\n  - {id: one, odd key: [1, {a: b}]}\n  - {id: two, title: Two, copies: 3}\n"
    game, findings = load(
        tmp_path, "cards: {kind: card, trim: poker}", "more: {kind: card, trim: poker}", cards=cards
    )
    assert [(card.id, card.copies) for card in game.cards()] == [("one", 1), ("two", 3), ("one", 1)]
    assert game.component("cards").cards[0].fields["copies"] == 1
    assert {"odd key", "title", "id", "copies"} <= set(game.component("cards").declared)
    (note,) = findings
    assert str(note).startswith(
        "data/fox/game.yaml:7:3: components.cards: cards and more: without a schema"
    )
    wording(note)


@for_each(
    ("cards", "said"),
    [
        ("cards:\n  - {title: One}\n", "cards.yaml:2:5: cards[0]"),
        ("cards:\n  - {id: one, copies: many}\n", "cards.yaml:2:23: cards[0].copies"),
        ("cards:\n  - {id: a}\n  - {id: a}\n", "cards.yaml:3:10: cards[1].id"),
        ("cards: {id: a}\n", "cards.yaml:1:8: cards"),
        ("- {id: a}\n", "cards.yaml:1:1"),
        ("others: []\n", "cards.yaml:1:1"),
        ("cards: []\n", "game.yaml:7:55: components.cards.data"),
    ],
)
def test_what_every_card_must_be_is_asked_without_a_schema_too(
    tmp_path: Path, cards: str, said: str, wording: Wording
) -> None:
    with pytest.raises(CardgenError) as caught:
        load(tmp_path, "cards: {kind: card, trim: poker}", cards=cards)
    (error,) = [each for each in caught.value.findings if each.code != "game/no-schema"]
    assert str(error.location) == f"data/fox/{said}"
    wording(error)


def test_a_game_without_a_schema_is_kept_between_loads(tmp_path: Path) -> None:
    load(tmp_path, "cards: {kind: card, trim: poker}")
    kept, paths = KeptFiles(), ProjectFolders((tmp_path, ROOT))
    first, _ = load_game(paths, "fox", kept=kept)
    again, _ = load_game(paths, "fox", kept=kept)
    assert next(first.cards()) is next(again.cards())
    file = tmp_path / "data/fox/cards.yaml"
    file.write_text(file.read_text().replace("cost: 3", "cost: 4"))
    edited, _ = load_game(paths, "fox", kept=kept)
    assert next(edited.cards()).fields["cost"] == 4
