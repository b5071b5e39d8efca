"""Small games for tests of exports to tables: written into a project folder as a designer would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cardgen

SIZE = 'width="{{ width }}mm" height="{{ height }}mm" viewBox="0 0 {{ width }} {{ height }}"'
CARD = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" {SIZE}>
<rect width="{{{{ width }}}}" height="{{{{ height }}}}" fill="rgb({{{{ number }}}}, 60, 90)"/>
<rect x="30" y="40" width="{{{{ 3 + number % 7 }}}}" height="{{{{ 2 + number % 5 }}}}" fill="#fff"/>
</svg>
"""
BACK = f"""<svg xmlns="http://www.w3.org/2000/svg" {SIZE}>
<rect width="{{{{ width }}}}" height="{{{{ height }}}}" fill="rgb(90, 20, 60)"/>
<rect x="30" y="40" width="9" height="9" fill="#fff"/>
</svg>
"""
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "cards": {
            "type": "array",
            "items": {
                "allOf": [{"$ref": "../card.schema.json"}],
                "properties": {"name": {"type": "string"}},
                "unevaluatedProperties": False,
            },
        }
    },
    "required": ["cards"],
    "additionalProperties": False,
}


class Deck:
    """A game `tiny` of one component `cards`, to be changed and exported."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, relative: str, text: str) -> Path:
        path = self.root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def make(
        self,
        count: int,
        *,
        copies: int = 1,
        back: str | None = BACK,
        face: str = CARD,
        kind: str = "card",
        sizes: dict[int, str] | None = None,
        extra: str = "",
        table: str | None = None,
    ) -> Deck:
        """A deck of so many cards; `sizes` gives the trim of cards by number, `extra` is more of the
        component, `table` is its table.yaml."""
        lines = []
        for number in range(1, count + 1):
            trim = f", trim: {sizes[number]}" if sizes and number in sizes else ""
            lines.append(f"  - {{id: c{number}, name: Card {number}, copies: {copies}{trim}}}")
        self.write("data/tiny/cards.yaml", "cards:\n" + "\n".join(lines) + "\n")
        side = "\n    back: back.svg" if back is not None else ""
        self.write(
            "data/tiny/game.yaml",
            "id: tiny\ntitle: Tiny\nversion: 1.0.0\nauthor: A\ndescription: Small.\nlanguage: en\n"
            "players: {min: 1, max: 2}\ntheme: {}\ncomponents:\n  cards:\n    title: Cards\n"
            f"    kind: {kind}\n    trim: poker\n    data: cards.yaml\n    schema: cards.schema.json\n"
            f"    face: card.svg{side}\n{extra}sheets:\n  poker: {{layout: poker, components: [cards]}}\n",
        )
        self.write("schemas/tiny/cards.schema.json", json.dumps(SCHEMA))
        self.write("templates/tiny/card.svg", face)
        if back is not None:
            self.write("templates/tiny/back.svg", back)
        if table is not None:
            self.write("data/tiny/table.yaml", table)
        return self

    def export(self, **settings: Any) -> cardgen.ExportResult:
        chosen = {"dpi": 60} | settings
        wish = cardgen.ExportOptions(game="tiny", to="tts", settings=chosen)
        return cardgen.export_to(wish, project=cardgen.Project.open(self.root))

    @property
    def folder(self) -> Path:
        return self.root / "output/tiny/tts"

    def save(self, name: str = "table.json") -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        return content


def everything(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Objects and what is in them."""
    for each in objects:
        yield each
        yield from everything(each.get("ContainedObjects", []))
