"""A deck with the statistics of a real one: a living card game of 2,000 cards, all different.

    python benchmarks/saga.py FOLDER [--cards 2000] [--photographs 500] [--language de]

writes a project with the game `saga`: seven types of cards, each with a template of its own (25 to 40 drawn
elements, an include and macros), rules text of 3 to 130 words (the median 24, with a long tail) with bold,
italic and up to nine icons in the line, half of it shrinking to fit, traits, subtitles, numbers, flavour,
and 400 icons and emblems. All of it is made here, the same for the same numbers.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFilter

HERE = Path(__file__).resolve().parent / "saga"
SIGNS = ("sword", "shield", "eye", "heart", "coin", "key", "moon", "sun", "wave", "flame", "leaf", "skull")
"""Icons in the line; emblems are `emblem-000` and on."""
EMBLEMS = 400 - len(SIGNS)
PHOTOGRAPH = (750, 1050)

WORDS = {
    language: (HERE / f"words.{language}.txt").read_text(encoding="utf-8").split()
    for language in ("en", "de")
}
KEYWORDS = ("Action", "Response", "Forced", "Ambush", "Guarded", "Ranged", "Sentinel", "Doomed")
TRAITS = (
    "Scout",
    "Noble",
    "Beast",
    "Relic",
    "Ruin",
    "Storm",
    "Guild",
    "Outlaw",
    "Spirit",
    "Forge",
    "River",
)

TYPES: dict[str, dict[str, Any]] = {
    # bar: the title's top; art: the picture's box; rules: the text's box; stats: how many numbers, and down
    # which side; tone: the frame's hue; share: how many of 100 cards are of it; most: words.
    "ally": {
        "bar": 4,
        "art": (4, 12, 56, 34),
        "rules": (8, 52, 48, 26),
        "stats": 4,
        "tone": 205,
        "most": 130,
        "share": 26,
    },
    "event": {
        "bar": 40,
        "art": (0, 0, 64, 42),
        "rules": (7, 52, 50, 30),
        "stats": 1,
        "tone": 18,
        "most": 130,
        "share": 22,
    },
    "item": {
        "bar": 5,
        "art": (10, 14, 44, 30),
        "rules": (7, 50, 50, 28),
        "stats": 2,
        "tone": 42,
        "most": 130,
        "share": 16,
    },
    "site": {
        "bar": 46,
        "art": (4, 4, 56, 40),
        "rules": (6, 57, 52, 24),
        "stats": 3,
        "tone": 130,
        "most": 100,
        "share": 12,
    },
    "foe": {
        "bar": 4,
        "art": (14, 13, 46, 32),
        "rules": (14, 51, 44, 28),
        "stats": 5,
        "tone": 350,
        "most": 100,
        "share": 14,
    },
    "quest": {
        "bar": 6,
        "art": (6, 16, 52, 22),
        "rules": (6, 44, 52, 36),
        "stats": 2,
        "tone": 270,
        "most": 130,
        "share": 6,
    },
    "boon": {
        "bar": 72,
        "art": (5, 5, 54, 44),
        "rules": (8, 50, 48, 20),
        "stats": 1,
        "tone": 175,
        "most": 60,
        "share": 4,
    },
}
"""Places in mm from the corner of the trimmed card, 64 × 88 with 3 mm of bleed around."""
BLEED = 3


def length_of_rules(dice: random.Random) -> int:
    """How many words a rules text has."""
    return max(3, min(130, round(math.exp(dice.gauss(math.log(24), 0.62)))))


def card(number: int, language: str = "en") -> dict[str, Any]:
    """Card `number`; its rules are paragraphs of (kind, word) with kind plain, bold, italic or icon."""
    dice = random.Random(f"saga {number}")
    kind = dice.choices(list(TYPES), [type["share"] for type in TYPES.values()])[0]
    words = WORDS[language]
    entry: dict[str, Any] = {
        "id": f"s{number:04d}",
        "type": kind,
        "title": " ".join(word.capitalize() for word in dice.sample(words, dice.choice((1, 2, 2, 3))))[:26],
        "unique": dice.random() < 0.3,
        "emblem": f"emblem-{dice.randrange(EMBLEMS):03d}",
        "traits": dice.sample(TRAITS, dice.choice((0, 1, 2, 2, 3))),
        "stats": [dice.randint(0, 9) for _ in range(TYPES[kind]["stats"])],
        "rules": _rules(dice, words, min(length_of_rules(dice), TYPES[kind]["most"])),
    }
    if dice.random() < 0.4:
        entry["subtitle"] = " ".join(dice.sample(words, 2)).capitalize()[:30]
    if dice.random() < 0.45 and sum(map(len, entry["rules"])) < 45:
        entry["flavour"] = (
            " ".join(dice.choice(words) for _ in range(dice.randint(5, 14))).capitalize() + "."
        )
    return entry


def _rules(dice: random.Random, words: list[str], length: int) -> list[list[list[str]]]:
    icons = min(9, dice.choice((0, 0, 1, 1, 2, 2, 3, 4, 6, 9)), length // 3)
    text = [["plain", dice.choice(words)] for _ in range(length)]
    for place in dice.sample(range(1, length), min(icons, length - 1)):
        text[place] = ["icon", dice.choice(SIGNS)]
    for place in dice.sample(range(length), length // 14):
        if text[place][0] == "plain":
            text[place][0] = dice.choice(("bold", "bold", "italic"))
    paragraphs: list[list[list[str]]] = []
    while text:
        count = len(text) if len(text) < 20 else dice.randint(9, len(text))
        paragraph, text = text[:count], text[count:]
        if dice.random() < 0.7:
            paragraph.insert(0, ["bold", dice.choice(KEYWORDS) + ":"])
        paragraph[-1][1] += "." if paragraph[-1][0] != "icon" else ""
        paragraphs.append(paragraph)
    return paragraphs


def cards(count: int, language: str = "en") -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield card(number, language)


# ---------------------------------------------------------------- drawings


def icon(number: int) -> str:
    """A drawing on a 24 × 24 grid, another for each number."""
    dice = random.Random(f"icon {number}")
    shapes = []
    for _ in range(dice.randint(3, 7)):
        kind = dice.choice(("circle", "path", "path", "polygon"))
        if kind == "circle":
            r = dice.randint(2, 6)
            shapes.append(f'<circle cx="{dice.randint(7, 17)}" cy="{dice.randint(7, 17)}" r="{r}"/>')
        elif kind == "polygon":
            turn, rays, r = dice.random() * 6, dice.randint(3, 8), dice.randint(5, 10)
            points = " ".join(
                f"{12 + r * math.cos(turn + k * math.tau / rays):.2f},"
                f"{12 + r * math.sin(turn + k * math.tau / rays):.2f}"
                for k in range(rays)
            )
            shapes.append(f'<polygon points="{points}"/>')
        else:
            at = [f"{dice.randint(2, 22)} {dice.randint(2, 22)}" for _ in range(4)]
            shapes.append(f'<path d="M{at[0]}C{at[1]} {at[2]} {at[3]}"/>')
    style = 'fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"'
    drawn = f"<g {style}>{''.join(shapes)}</g>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{drawn}</svg>\n'


def template(kind: str, photographs: bool) -> str:
    """The drawing of a type: everything at its place."""
    type = TYPES[kind]
    dx, dy, dw, dh = type["art"]
    x, y, w, h = type["rules"]
    art = f'x="{dx + BLEED}" y="{dy + BLEED}" width="{dw}" height="{dh}"'
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="{{ width }}mm" '
        'height="{{ height }}mm" viewBox="0 0 {{ width }} {{ height }}">',
        "{% import './parts.svg' as parts %}",
        f"{{% set tone = 'hsl({type['tone']}, 45%, 30%)' %}}",
        f'<defs><rect id="rules" x="{x + BLEED + 1.5}" y="{y + BLEED + 1.2}" width="{w - 3}" '
        f'height="{h - 2.4}"/>',
        '<linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">'
        '<stop stop-color="{{ tone|lighten(0.7) }}"/><stop offset="1" stop-color="{{ tone }}"/>'
        "</linearGradient></defs>",
        '<rect width="{{ width }}" height="{{ height }}" fill="url(#ground)"/>',
    ]
    if photographs:
        lines.append(
            f'{{% if card.photograph is defined %}}<image {art} preserveAspectRatio="xMidYMid slice" '
            f'href="art/{{{{ card.photograph }}}}"/>{{% endif %}}'
        )
    lines += [
        f'<rect {art} fill="{{{{ tone|darken(0.2) }}}}" fill-opacity="0.2"/>',
        f"{{{{ icon(card.emblem, {dx + BLEED + dw / 2 - 11}, {dy + BLEED + dh / 2 - 11}, 22, "
        "fill=tone|darken(0.5)) }}",
        "{% include './corners.svg' %}",
        f"{{{{ parts.panel({x + BLEED}, {y + BLEED}, {w}, {h}, tone) }}}}",
        f"{{{{ parts.title({9 + BLEED}, {type['bar'] + BLEED}, 46, card, tone|darken(0.25)) }}}}",
    ]
    places = [(BLEED + 6, BLEED + 14 + 9.4 * row) for row in range(type["stats"])]
    if kind in ("event", "site", "boon"):
        places = [(BLEED + 8 + 24 * row, BLEED + 8) for row in range(type["stats"])]
    for row, (at, down) in enumerate(places):
        lines.append(f"{{{{ parts.stat({at}, {down:g}, card.stats[{row}], tone|darken(0.3)) }}}}")
    lines += [
        "{% if card.subtitle is defined %}"
        f'<text x="{x + BLEED + w / 2}" y="{y + BLEED - 1.4}" text-anchor="middle" '
        'font-family="IBM Plex Sans" font-style="italic" font-size="{{ 7|pt }}" fill="#000">'
        "{{ card.subtitle }}</text>{% endif %}",
        '<text font-family="IBM Plex Sans" font-size="{{ 9.5|pt }}" line-height="1.2" '
        'shape-inside="url(#rules)" cg:valign="middle" fill="#181818" '
        'cg:fit="shrink" cg:min-size="{{ 3.5|pt }}">{{ card.rules|md }}{% if card.flavour is defined %}'
        '<tspan cg:block="paragraph" font-style="italic">{{ card.flavour }}</tspan>{% endif %}</text>',
        f'<text x="{BLEED + 32}" y="{BLEED + 84.4}" text-anchor="middle" font-family="IBM Plex Sans" '
        'font-size="{{ 6.5|pt }}" fill="#fff" stroke="{{ tone|darken(0.6) }}" stroke-width="0.4" '
        "paint-order=\"stroke\">{{ card.traits|join(' · ') }}</text>",
        f'<text x="{BLEED + 60}" y="{BLEED + 84.4}" text-anchor="end" font-family="IBM Plex Mono" '
        'font-size="{{ 6.5|pt }}" fill="#fff">{{ card.id }}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- the project

MARKS = {"plain": "{}", "bold": "**{}**", "italic": "*{}*", "icon": ":{}:"}


def as_markdown(rules: list[list[list[str]]]) -> str:
    return "\n\n".join(" ".join(MARKS[kind].format(word) for kind, word in each) for each in rules)


def schema() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    fields: dict[str, Any] = {
        "type": {"enum": list(TYPES)},
        "title": text,
        "subtitle": text,
        "unique": {"type": "boolean", "default": False},
        "emblem": {"type": "string", "pattern": "^emblem-[0-9]{3}$"},
        "traits": {"type": "array", "items": {"enum": list(TRAITS)}, "uniqueItems": True},
        "stats": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}},
        "rules": text,
        "flavour": text,
        "photograph": {"type": "string", "pattern": "^[0-9]+[.]jpg$"},
    }
    item = {
        "allOf": [{"$ref": "../card.schema.json"}],
        "required": ["type", "title", "emblem", "stats", "rules"],
        "unevaluatedProperties": False,
        "properties": fields,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["cards"],
        "additionalProperties": False,
        "properties": {"cards": {"type": "array", "items": item}},
    }


def write_photograph(path: Path, number: int) -> None:
    dice = random.Random(f"photograph {number}")
    image = Image.new("RGB", PHOTOGRAPH, tuple(dice.randint(40, 200) for _ in range(3)))
    draw = ImageDraw.Draw(image)
    for _ in range(120):
        x, y, r = dice.randint(0, 750), dice.randint(0, 1050), dice.randint(6, 120)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(dice.randint(0, 255) for _ in range(3)))
    image.filter(ImageFilter.GaussianBlur(2)).save(path, quality=82, dpi=(300, 300))


def write_project(root: Path, count: int, *, photographs: int = 0, language: str = "en") -> None:
    """A project whose game `saga` holds the cards."""
    data, templates, schemas = (root / part / "saga" for part in ("data", "templates", "schemas"))
    for folder in (data, templates / "icons", schemas):
        folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate((*SIGNS, *(f"emblem-{index:03d}" for index in range(EMBLEMS)))):
        (templates / "icons" / f"{name}.svg").write_text(icon(number), encoding="utf-8")
    for name in ("parts.svg", "corners.svg"):
        (templates / name).write_bytes((HERE / name).read_bytes())
    for kind in TYPES:
        (templates / f"{kind}.svg").write_text(template(kind, photographs > 0), encoding="utf-8")
    if photographs:
        (templates / "art").mkdir(exist_ok=True)
        for number in range(photographs):
            write_photograph(templates / "art" / f"{number}.jpg", number)
    (schemas / "cards.schema.json").write_text(json.dumps(schema()), encoding="utf-8")
    game = (HERE / "game.yaml").read_text(encoding="utf-8")
    (data / "game.yaml").write_text(game.replace("language: en", f"language: {language}"), encoding="utf-8")
    with (data / "cards.yaml").open("w", encoding="utf-8") as out:
        out.write("cards:\n")
        for number, entry in enumerate(cards(count, language)):
            entry["rules"] = as_markdown(entry["rules"])
            entry["face"] = f"{entry['type']}.svg"
            if number < photographs:
                entry["photograph"] = f"{number}.jpg"
            for index, (name, value) in enumerate(entry.items()):
                said = (
                    value
                    if name in ("id", "type", "face", "emblem")
                    else json.dumps(value, ensure_ascii=False)
                )
                out.write(f"  {'- ' if not index else '  '}{name}: {said}\n")


def write_json(path: Path, count: int, *, photographs: int = 0, language: str = "en") -> None:
    """The same cards, and where the parts of each type stand, for another tool."""
    entries = []
    for number, entry in enumerate(cards(count, language)):
        if number < photographs:
            entry["photograph"] = f"{number}.jpg"
        entries.append(entry)
    deck = {"language": language, "types": TYPES, "cards": entries}
    path.write_text(json.dumps(deck, ensure_ascii=False), encoding="utf-8")


def change_one(root: Path) -> None:
    """Edit the rules of one card in the middle of the deck."""
    path = root / "data" / "saga" / "cards.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith("    rules:")]
    place = places[len(places) // 2]
    lines[place] = lines[place].replace('rules: "', 'rules: "Changed: ', 1)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--photographs", type=int, default=0)
    parser.add_argument("--language", choices=sorted(WORDS), default="en")
    options = parser.parse_args()
    write_project(options.folder, options.cards, photographs=options.photographs, language=options.language)


if __name__ == "__main__":
    main()
