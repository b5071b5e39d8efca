"""The benchmark's cards: the same for every tool, any number of them, always the same for a number.

A card has a name, a cost, a background color, six icons and about 60 words of text with bold, italic
and icons in the line.

    python benchmarks/deck.py FOLDER [--cards 1000] [--figma]

writes `project/`, with the game `bench`, and `cards.json`. With `--figma` the face is the file of
docs/named-objects.md that Figma exported, and each card has a suit, stars and a picture too.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ICONS = sorted(path.stem for path in (HERE / "icons").glob("*.svg"))
TEXT_ICONS = ("sword", "shield", "heart", "coin", "fire", "water")
WORDS = (
    "when this unit enters play you may search your deck for a matching relic reveal it and put it into "
    "your hand then shuffle choose another player who must discard a card at random or lose two influence "
    "until the end of the round each allied scout gains stealth and cannot be targeted by opposing spells "
    "unless its controller pays an additional cost"
).split()
KEYWORDS = ("Ambush", "Forced", "Action", "Reaction", "Haste")
SHORT = 16
"""Words of a text, and letters of a name, that fit the boxes of the face with `--figma`."""
IN_A_FILE = 10_000
"""Most cards of a data file: 5 MB."""


def card(number: int) -> dict[str, object]:
    """Card `number`; its text is a list of (kind, word) with kind plain, bold, italic or icon."""
    dice = random.Random(number)
    words = [["plain", dice.choice(WORDS)] for _ in range(60)]
    for place in (7, 26, 45):
        words[place] = ["icon", dice.choice(TEXT_ICONS)]
    for place in (13, 33, 52):
        words[place][0] = "bold"
    for place in (19, 39):
        words[place] = ["italic", f"{words[place][1]} {dice.choice(WORDS)}"]
    for place in (14, 29, 44, 59):
        words[place][1] += "."
    for place in (0, 15, 30):
        words[place][1] = words[place][1].capitalize()
    words.insert(0, ["bold", dice.choice(KEYWORDS) + ":"])
    return {
        "id": f"c{number:04d}",
        "name": " ".join(word.capitalize() for word in dice.sample(WORDS, 3))[:24].strip(),
        "cost": dice.randint(0, 12),
        "bg": "#{:02x}{:02x}{:02x}".format(*(dice.randint(110, 230) for _ in range(3))),
        "icons": [dice.choice(ICONS) for _ in range(6)],
        "text": words,
    }


def cards(count: int) -> list[dict[str, object]]:
    return [card(number) for number in range(count)]


def write_json(path: Path, count: int) -> None:
    path.write_text(json.dumps(cards(count)), encoding="utf-8")


MARKS = {"plain": "{}", "bold": "**{}**", "italic": "*{}*", "icon": ":{}:"}


def as_markdown(entry: dict[str, object], most: int | None = None) -> str:
    words = entry["text"][:most]  # type: ignore[index]
    return " ".join(MARKS[kind].format(word) for kind, word in words)


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["cards"],
    "additionalProperties": False,
    "properties": {
        "cards": {
            "type": "array",
            "items": {
                "allOf": [{"$ref": "../card.schema.json"}],
                "required": ["name", "cost", "bg", "icons", "text"],
                "unevaluatedProperties": False,
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "cost": {"type": "integer", "minimum": 0, "maximum": 12},
                    "bg": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
                    "icons": {"type": "array", "items": {"enum": ICONS}, "minItems": 6, "maxItems": 6},
                    "text": {"type": "string", "minLength": 1},
                    "suit": {"enum": ICONS},
                    "stars": {"type": "integer"},
                    "art": {"type": "string"},
                },
            },
        }
    },
}


def write_project(root: Path, count: int, *, figma: bool = False) -> None:
    """A cardgen project whose game `bench` holds the cards."""
    data, templates, schemas = (root / part / "bench" for part in ("data", "templates", "schemas"))
    for folder in (data, templates / "icons", schemas):
        folder.mkdir(parents=True, exist_ok=True)
    for icon in (HERE / "icons").glob("*.svg"):
        (templates / "icons" / icon.name).write_bytes(icon.read_bytes())
    face = HERE.parent / "docs" / "named" / "figma.svg" if figma else HERE / "card.svg"
    drawing = face.read_text(encoding="utf-8").replace('id="title', 'id="name')
    (templates / "card.svg").write_text(drawing, encoding="utf-8")
    (schemas / "cards.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    files = {f"cards{first // IN_A_FILE or ''}.yaml": first for first in range(0, count, IN_A_FILE)}
    game = (HERE / "game.yaml").read_text(encoding="utf-8")
    if figma:
        game = game.replace("bleed: 0mm", "bleed: 3.175mm")
    if len(files) > 1:
        game = game.replace("data: cards.yaml", f"data: [{', '.join(files)}]")
    (data / "game.yaml").write_text(game, encoding="utf-8")
    for name, first in files.items():
        numbers = range(first, min(first + IN_A_FILE, count))
        (data / name).write_text(as_yaml(map(card, numbers), figma=figma), encoding="utf-8")


def as_yaml(entries: Iterable[dict[str, object]], *, figma: bool) -> str:
    lines = ["cards:"]
    for entry in entries:
        lines += [
            f"  - id: {entry['id']}",
            f"    name: {json.dumps(str(entry['name'])[: SHORT if figma else None])}",
            f"    cost: {entry['cost']}",
            f"    bg: '{entry['bg']}'",
            f"    icons: [{', '.join(entry['icons'])}]",  # type: ignore[arg-type]
            f"    text: {json.dumps(as_markdown(entry, SHORT if figma else None))}",
        ]
        if figma:
            suit, picture, *_ = entry["icons"]  # type: ignore[misc]
            stars = entry["cost"] % 5  # type: ignore[operator]
            lines += [f"    suit: {suit}", f"    art: icons/{picture}.svg", f"    stars: {stars}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=1000)
    parser.add_argument("--figma", action="store_true", help="a face that Figma exported")
    options = parser.parse_args()
    write_project(options.folder / "project", options.cards, figma=options.figma)
    write_json(options.folder / "cards.json", options.cards)


if __name__ == "__main__":
    main()
