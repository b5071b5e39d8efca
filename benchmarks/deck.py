"""The benchmark's cards: the same for every tool, any number of them, always the same for a number.

A card has a name, a cost, a background colour, six icons and about 60 words of text with bold, italic
and icons in the line; with pictures, one of 40 photographs as well.

    python benchmarks/deck.py FOLDER [--cards 1000] [--pictures] [--change-one]

writes `project/`, with the game `bench`, and `cards.json`, or edits a card of the project that is there.
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
PICTURES = 40
WORDS = (
    "when this unit enters play you may search your deck for a matching relic reveal it and put it into "
    "your hand then shuffle choose another player who must discard a card at random or lose two influence "
    "until the end of the round each allied scout gains stealth and cannot be targeted by opposing spells "
    "unless its controller pays an additional cost"
).split()
KEYWORDS = ("Ambush", "Forced", "Action", "Reaction", "Haste")
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
        "picture": f"{number % PICTURES:02d}.jpg",
    }


def cards(count: int) -> list[dict[str, object]]:
    return [card(number) for number in range(count)]


def write_pictures(folder: Path) -> None:
    """Forty photograph-like JPEGs of 675×510 pixels (2.25×0.83 in at 300 dpi, cropped by the frame)."""
    from PIL import Image, ImageDraw, ImageFilter

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES):
        dice = random.Random(f"picture {number}")
        image = Image.new("RGB", (675, 510), tuple(dice.randint(40, 200) for _ in range(3)))
        draw = ImageDraw.Draw(image)
        for _ in range(160):
            x, y, r = dice.randint(0, 675), dice.randint(0, 510), dice.randint(6, 90)
            draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(dice.randint(0, 255) for _ in range(3)))
        image.filter(ImageFilter.GaussianBlur(2)).save(folder / f"{number:02d}.jpg", quality=80)


def write_json(path: Path, count: int) -> None:
    path.write_text(json.dumps(cards(count)), encoding="utf-8")


MARKS = {"plain": "{}", "bold": "**{}**", "italic": "*{}*", "icon": ":{}:"}
HTML = {"plain": "{}", "bold": "<b>{}</b>", "italic": "<i>{}</i>"}


def as_markdown(entry: dict[str, object]) -> str:
    return " ".join(MARKS[kind].format(word) for kind, word in entry["text"])  # type: ignore[attr-defined]


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
                    "picture": {"type": "string"},
                },
            },
        }
    },
}


def write_project(root: Path, count: int, pictures: bool) -> None:
    """A cardgen project whose game `bench` holds the cards."""
    data, templates, schemas = (root / part / "bench" for part in ("data", "templates", "schemas"))
    for folder in (data, templates / "icons", schemas):
        folder.mkdir(parents=True, exist_ok=True)
    for icon in (HERE / "icons").glob("*.svg"):
        (templates / "icons" / icon.name).write_bytes(icon.read_bytes())
    (templates / "card.svg").write_bytes((HERE / "card.svg").read_bytes())
    if pictures:
        write_pictures(templates / "art")
    (schemas / "cards.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    files = {f"cards{first // IN_A_FILE or ''}.yaml": first for first in range(0, count, IN_A_FILE)}
    game = (HERE / "game.yaml").read_text(encoding="utf-8")
    if len(files) > 1:
        game = game.replace("data: cards.yaml", f"data: [{', '.join(files)}]")
    (data / "game.yaml").write_text(game, encoding="utf-8")
    for name, first in files.items():
        numbers = range(first, min(first + IN_A_FILE, count))
        (data / name).write_text(as_yaml(map(card, numbers), pictures), encoding="utf-8")


def as_yaml(entries: Iterable[dict[str, object]], pictures: bool) -> str:
    lines = ["cards:"]
    for entry in entries:
        lines += [
            f"  - id: {entry['id']}",
            f"    name: {json.dumps(entry['name'])}",
            f"    cost: {entry['cost']}",
            f"    bg: '{entry['bg']}'",
            f"    icons: [{', '.join(entry['icons'])}]",  # type: ignore[arg-type]
            f"    text: {json.dumps(as_markdown(entry))}",
        ]
        if pictures:
            lines.append(f"    picture: {entry['picture']}")
    return "\n".join(lines) + "\n"


def change_one(root: Path) -> None:
    """Edit the text of one card in the middle of the deck."""
    path = root / "data" / "bench" / "cards.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith("    text:")]
    place = places[len(places) // 2]
    lines[place] = lines[place].replace('text: "', 'text: "Changed: ', 1)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=1000)
    parser.add_argument("--pictures", action="store_true", help="a photograph on every card")
    parser.add_argument(
        "--change-one", action="store_true", help="edit a card of the project that is there"
    )
    options = parser.parse_args()
    project = options.folder / "project"
    if options.change_one:
        return change_one(project)
    write_project(project, options.cards, options.pictures)
    return write_json(options.folder / "cards.json", options.cards)


if __name__ == "__main__":
    main()
