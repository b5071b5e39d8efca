"""Small games as values, without files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.core.game import BookSource, Card, Component, Game
from cardgen.core.geometry import Size
from tests.sheets.decks import POKER, game_of


def card(id: str, trim: Size = POKER, copies: int = 1, back: str | None = "t/b.svg") -> Card:
    return Card(id, "any", {"id": id}, copies, trim, "t/f.svg", back, "data/t/c.yaml", ("cards", 0), 1)


def component(id: str, *cards: Card, **changes: Any) -> Component:
    plain = Component(id, id.title(), "card", "rectangle", POKER, 3.0, 3.0, 3.0, cards, {})
    return replace(plain, **changes)


def book(id: str, trim: Size | None = None) -> Component:
    return component(id, kind="book", trim=trim, book=BookSource("data/t/rules.md", {}))


def game(*components: Component, **changes: Any) -> Game:
    return replace(game_of()[0], components=components, **changes)


def written(root: Path, *files: str) -> Path:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(str(root), encoding="utf-8")
    return root
