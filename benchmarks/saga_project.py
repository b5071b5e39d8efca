"""Writes the deck of `saga.py`: a project with the game `saga`, and the same cards for another tool.

    python benchmarks/saga_project.py FOLDER [--cards 2000] [--photos 500] [--language de|ja] [--font FILE]

FOLDER gets `project/` and `cards.json`. Each type of card has a template of its own, 25 to 40 drawn
elements, an include and macros. Photographs are JPEG files of 750 × 1050 pixels, another on each of the
first cards. In German the rules are hyphenated. Japanese needs a font: one of the system's, or `--font`.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from saga import EMBLEMS, HERE, LANGUAGES, SIGNS, TYPES, CardType, Rules, cards

BLEED = 3
PHOTOGRAPH = (750, 1050)
LATIN = "IBM Plex Sans"
JAPANESE = "Saga Japanese"
RULES_PT, LEAST_PT = 8.75, 3.5
"""How large rules are, and how small they may become."""
SYSTEM_FONTS = Path("/usr/share/fonts")
JAPANESE_FILES = (
    "NotoSansJP-Regular.?tf",
    "ipag.ttf",
    "VL-Gothic-Regular.ttf",
    "DroidSansFallbackFull.ttf",
)
"""Fonts with kana and kanji that systems have as a file of one face, the best first."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Which deck: how many cards, the first so many with a photograph; `font` has the letters that the
    shipped fonts lack."""

    count: int = 2000
    photos: int = 0
    language: str = "en"
    font: Path | None = None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Deck:
        """The deck that a command line asks for. Raises SystemExit where its language has no font."""
        font = options.font.resolve() if options.font else None
        if options.language == "ja" and font is None:
            font = next((file for name in JAPANESE_FILES for file in SYSTEM_FONTS.rglob(name)), None)
            if font is None:
                raise SystemExit(
                    f"no Japanese font below {SYSTEM_FONTS}: name a .ttf or .otf file with --font, "
                    "or install one (Debian's fonts-droid-fallback or fonts-ipafont-gothic)"
                )
        return cls(options.cards, min(options.photos, options.cards), options.language, font)

    def arguments(self) -> list[str]:
        """The command line that asks for this deck."""
        words = ["--cards", str(self.count), "--photos", str(self.photos), "--language", self.language]
        return words if self.font is None else [*words, "--font", str(self.font)]

    def __str__(self) -> str:
        font = f", {self.font.name}" if self.font else ""
        return f"{self.count} cards, {self.photos} photographs, {self.language}{font}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `Deck.of` reads."""
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--photos", type=int, default=0, help="how many cards have a photograph")
    parser.add_argument("--language", choices=sorted(LANGUAGES), default="en")
    parser.add_argument("--font", type=Path, help="a file with the letters that the shipped fonts lack")


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


def template(type: CardType, deck: Deck) -> str:
    """The drawing of a type: everything at its place."""
    dx, dy, dw, dh = type.art
    x, y, w, h = type.rules
    art = f'x="{dx + BLEED}" y="{dy + BLEED}" width="{dw}" height="{dh}"'
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="{{ width }}mm" '
        'height="{{ height }}mm" viewBox="0 0 {{ width }} {{ height }}">',
        "{% import './parts.svg' as parts %}",
        f"{{% set tone = 'hsl({type.tone}, 45%, 30%)' %}}",
        f'<defs><rect id="rules" x="{x + BLEED + 1.5}" y="{y + BLEED + 1.2}" width="{w - 3}" '
        f'height="{h - 2.4}"/>',
        '<linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">'
        '<stop stop-color="{{ tone|lighten(0.7) }}"/><stop offset="1" stop-color="{{ tone }}"/>'
        "</linearGradient></defs>",
        '<rect width="{{ width }}" height="{{ height }}" fill="url(#ground)"/>',
    ]
    if deck.photos:
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
        f"{{{{ parts.title({9 + BLEED}, {type.bar + BLEED}, 46, card, tone|darken(0.25)) }}}}",
    ]
    places = [(BLEED + 6, BLEED + 14 + 9.4 * row) for row in range(type.stats)]
    if type.row:
        places = [(BLEED + 8 + 24 * row, BLEED + 8) for row in range(type.stats)]
    for row, (at, down) in enumerate(places):
        lines.append(f"{{{{ parts.stat({at}, {down:g}, card.stats[{row}], tone|darken(0.3)) }}}}")
    if type.ornaments:
        lines.append(f"{{{{ parts.ornaments(32 + {BLEED}, 86.4 + {BLEED}, {type.ornaments}, tone) }}}}")
    hyphens = ' cg:hyphens="auto"' if deck.language == "de" else ""
    lines += [
        "{% if card.subtitle is defined %}"
        f'<text x="{x + BLEED + w / 2}" y="{y + BLEED - 1.4}" text-anchor="middle" '
        'font-family="IBM Plex Sans" font-style="italic" font-size="{{ 7|pt }}" fill="#000">'
        "{{ card.subtitle }}</text>{% endif %}",
        f'<text font-family="IBM Plex Sans" font-size="{{{{ {RULES_PT}|pt }}}}" line-height="1.2" '
        f'shape-inside="url(#rules)" cg:valign="middle" fill="#181818"{hyphens} '
        f'cg:fit="shrink" cg:min-size="{{{{ {LEAST_PT}|pt }}}}">'
        "{{ card.rules|md }}{% if card.flavour is defined %}"
        '<tspan cg:block="paragraph" font-style="italic">{{ card.flavour }}</tspan>{% endif %}</text>',
        f'<text x="{BLEED + 32}" y="{BLEED + 84.4}" text-anchor="middle" font-family="IBM Plex Sans" '
        'font-size="{{ 6.5|pt }}" fill="#fff" stroke="{{ tone|darken(0.6) }}" stroke-width="0.4" '
        "paint-order=\"stroke\">{{ card.traits|join(' · ') }}</text>",
        f'<text x="{BLEED + 60}" y="{BLEED + 84.4}" text-anchor="end" font-family="IBM Plex Mono" '
        'font-size="{{ 6.5|pt }}" fill="#fff">{{ card.id }}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def write_photograph(path: Path, number: int) -> None:
    """Soft shapes of many colours with the grain of film, some 100 kB."""
    from PIL import Image, ImageChops, ImageDraw, ImageFilter

    dice = random.Random(f"photograph {number}")
    image = Image.new("RGB", PHOTOGRAPH, tuple(dice.randint(40, 200) for _ in range(3)))
    draw = ImageDraw.Draw(image)
    for _ in range(120):
        x, y, r = dice.randint(0, 750), dice.randint(0, 1050), dice.randint(6, 120)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(dice.randint(0, 255) for _ in range(3)))
    blurred = image.filter(ImageFilter.GaussianBlur(2))
    grain = Image.frombytes("L", PHOTOGRAPH, dice.randbytes(PHOTOGRAPH[0] * PHOTOGRAPH[1]))
    grain = grain.point([value // 16 for value in range(256)])
    ImageChops.add(blurred, grain.convert("RGB")).save(path, quality=82, dpi=(300, 300))


# ---------------------------------------------------------------- the project

MARKS = {"plain": "{}", "bold": "**{}**", "italic": "*{}*", "icon": ":{}:"}


def as_markdown(rules: Rules, gap: str) -> str:
    return "\n\n".join(gap.join([MARKS[kind].format(word) for kind, word in each]) for each in rules)


def schema(deck: Deck) -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    fields: dict[str, Any] = {
        "type": {"enum": list(TYPES)},
        "title": text,
        "subtitle": text,
        "unique": {"type": "boolean", "default": False},
        "emblem": {"type": "string", "pattern": "^emblem-[0-9]{3}$"},
        "traits": {
            "type": "array",
            "items": {"enum": list(LANGUAGES[deck.language].traits)},
            "uniqueItems": True,
        },
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


def entries(deck: Deck) -> Iterator[dict[str, Any]]:
    """The cards, with their photographs."""
    for number, entry in enumerate(cards(deck.count, deck.language)):
        if number < deck.photos:
            entry["photograph"] = f"{number}.jpg"
        yield entry


def write_project(root: Path, deck: Deck) -> None:
    """A project whose game `saga` holds the cards."""
    data, templates, schemas = (root / part / "saga" for part in ("data", "templates", "schemas"))
    for folder in (data, templates / "icons", schemas):
        folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate((*SIGNS, *EMBLEMS)):
        (templates / "icons" / f"{name}.svg").write_text(icon(number), encoding="utf-8")
    drawings = {name: (HERE / name).read_text(encoding="utf-8") for name in ("parts.svg", "corners.svg")}
    drawings |= {f"{name}.svg": template(type, deck) for name, type in TYPES.items()}
    families = LATIN if deck.font is None else f"{JAPANESE}, {LATIN}"
    for name, drawing in drawings.items():
        (templates / name).write_text(drawing.replace(LATIN, families), encoding="utf-8")
    if deck.font is not None:
        write_font(root / "fonts", deck.font)
    if deck.photos:
        (templates / "art").mkdir(exist_ok=True)
        for number in range(deck.photos):
            write_photograph(templates / "art" / f"{number}.jpg", number)
    (schemas / "cards.schema.json").write_text(json.dumps(schema(deck)), encoding="utf-8")
    game = (HERE / "game.yaml").read_text(encoding="utf-8")
    game = game.replace("language: en", f"language: {deck.language}")
    (data / "game.yaml").write_text(game, encoding="utf-8")
    with (data / "cards.yaml").open("w", encoding="utf-8") as out:
        out.write("cards:\n")
        for entry in entries(deck):
            entry["rules"] = as_markdown(entry["rules"], LANGUAGES[deck.language].gap)
            entry["face"] = f"{entry['type']}.svg"
            for index, (name, value) in enumerate(entry.items()):
                plain = name in ("id", "type", "face", "emblem")
                said = value if plain else json.dumps(value, ensure_ascii=False)
                out.write(f"  {'  ' if index else '- '}{name}: {said}\n")


def write_font(folder: Path, font: Path) -> None:
    """One file as all the faces that the templates ask for."""
    folder.mkdir(exist_ok=True)
    shutil.copyfile(font, folder / font.name)
    styles = [(weight, style) for weight in (400, 700) for style in ("normal", "italic")]
    faces = [{"file": font.name, "weight": weight, "style": style} for weight, style in styles]
    listed = {"families": {JAPANESE: {"licence": "LicenseRef-System", "faces": faces}}}
    (folder / "fonts.yaml").write_text(json.dumps(listed, indent=2), encoding="utf-8")


def write_json(path: Path, deck: Deck) -> None:
    """The same cards, the fonts and where the parts of each type stand, for another tool."""
    fonts = [LATIN] if deck.font is None else [family_of(deck.font), LATIN]
    said = {
        "language": deck.language,
        "gap": LANGUAGES[deck.language].gap,
        "fonts": fonts,
        "sizes": [RULES_PT, LEAST_PT],
        "types": {name: asdict(type) for name, type in TYPES.items()},
        "cards": list(entries(deck)),
    }
    path.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")


def family_of(font: Path) -> str:
    """What a font file calls its family."""
    from fontTools.ttLib import TTFont

    with TTFont(font, lazy=True) as opened:
        return str(opened["name"].getBestFamilyName())


def change_one(root: Path) -> None:
    """Edit the rules of one card in the middle of the deck."""
    path = root / "data" / "saga" / "cards.yaml"
    start = '    rules: "'
    with path.open(encoding="utf-8") as lines:
        middle = sum(line.startswith(start) for line in lines) // 2
    edited, seen = path.with_suffix(".edited"), 0
    with path.open(encoding="utf-8") as lines, edited.open("w", encoding="utf-8") as out:
        for line in lines:
            is_one = line.startswith(start)
            out.write(line.replace(start, start + "Changed: ", 1) if is_one and seen == middle else line)
            seen += is_one
    edited.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    add_options(parser)
    options = parser.parse_args()
    deck = Deck.of(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    write_project(options.folder / "project", deck)
    write_json(options.folder / "cards.json", deck)


if __name__ == "__main__":
    main()
