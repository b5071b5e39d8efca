"""The cards of a deck with the statistics of a real one: a living card game of 2,000, all different.

Seven types of cards; rules text of 3 to 130 words (the median 24, with a long tail) with bold, italic and
up to nine icons in the line, half of it shrinking to fit; titles, subtitles, traits, numbers, flavour; 400
icons and emblems. All of it is made here, the same for the same number and language. `saga_project.py`
writes them as a project, `saga_figures.py` says what their statistics are.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent / "saga"
SIGNS = ("sword", "shield", "eye", "heart", "coin", "key", "moon", "sun", "wave", "flame", "leaf", "skull")
"""Icons in the line; emblems are `emblem-000` and on."""
EMBLEMS = tuple(f"emblem-{number:03d}" for number in range(400 - len(SIGNS)))
MOST_WORDS = 130

Rules = list[list[list[str]]]
"""Paragraphs of (kind, word) with kind plain, bold, italic or icon."""


@dataclass(frozen=True, slots=True)
class Language:
    """What cards are written with: words, of which a text has `terse` times as many as in English; what
    stands between two, after a keyword and at the end; how many letters titles and subtitles may have."""

    keywords: tuple[str, ...]
    traits: tuple[str, ...]
    words: tuple[str, ...]
    terse: float
    gap: str
    colon: str
    stop: str
    title: int
    subtitle: int

    @classmethod
    def read(
        cls, name: str, terse: float, gap: str, colon: str, stop: str, title: int, subtitle: int
    ) -> Language:
        """The words of a file: keywords in the first line, traits in the second."""
        lines = (HERE / f"words.{name}.txt").read_text(encoding="utf-8").splitlines()
        keywords, traits, *words = (tuple(line.split()) for line in lines)
        return cls(keywords, traits, sum(words, ()), terse, gap, colon, stop, title, subtitle)

    def join(self, words: list[str]) -> str:
        return self.gap.join(words)


LANGUAGES = {
    "en": Language.read("en", 1, " ", ":", ".", title=26, subtitle=30),
    "de": Language.read("de", 0.75, " ", ":", ".", title=26, subtitle=30),
    "ja": Language.read("ja", 0.55, "", "：", "。", title=13, subtitle=15),
}
"""In Japanese a word is what a reader takes in one go, three to five letters."""


@dataclass(frozen=True, slots=True)
class CardType:
    """Places in mm from the corner of the trimmed card, 64 × 88 with 3 mm of bleed around: `bar` is the
    title's top, `art` and `rules` are the boxes (x, y, width, height) of picture and text. `stats` is how
    many numbers there are, in a row at the top or in a column; `tone` the frame's hue; `share` how many of
    100 cards are of it; `ornaments` how many dots its lower edge has."""

    bar: float
    art: tuple[float, float, float, float]
    rules: tuple[float, float, float, float]
    stats: int
    row: bool
    tone: int
    share: int
    ornaments: int


TYPES = {
    "ally": CardType(4, (4, 12, 56, 34), (8, 52, 48, 26), 4, False, 205, 26, 0),
    "event": CardType(40, (0.5, 0, 63, 42), (7, 52, 50, 30), 1, True, 18, 22, 5),
    "item": CardType(5, (10, 14, 44, 30), (7, 50, 50, 28), 2, False, 42, 16, 3),
    "site": CardType(46, (4, 4, 56, 40), (6, 57, 52, 24), 3, True, 130, 12, 4),
    "foe": CardType(4, (14, 13, 46, 32), (14, 51, 44, 28), 5, False, 350, 14, 0),
    "quest": CardType(6, (6, 16, 52, 22), (6, 44, 52, 36), 2, False, 270, 6, 7),
    "boon": CardType(72, (5, 5, 54, 38), (8, 50, 48, 20), 1, True, 175, 4, 5),
}


def card(number: int, language: str = "en") -> dict[str, Any]:
    """Card `number`, its rules as paragraphs of (kind, word)."""
    dice = random.Random(f"saga {number}")
    kind = dice.choices(list(TYPES), [type.share for type in TYPES.values()])[0]
    tongue = LANGUAGES[language]
    named = dice.sample(tongue.words, dice.choice((1, 2, 2, 3)))
    title = tongue.join([word.capitalize() for word in named])
    entry: dict[str, Any] = {
        "id": f"s{number:05d}",
        "type": kind,
        "title": title[: tongue.title].strip(),
        "unique": dice.random() < 0.3,
        "emblem": EMBLEMS[number * 101 % len(EMBLEMS)],
        "traits": dice.sample(tongue.traits, dice.choice((0, 1, 2, 2, 3))),
        "stats": [dice.randint(0, 9) for _ in range(TYPES[kind].stats)],
        "rules": _rules(dice, tongue),
    }
    if dice.random() < 0.4:
        subtitle = tongue.join(dice.sample(tongue.words, 2)).capitalize()
        entry["subtitle"] = subtitle[: tongue.subtitle].strip()
    if dice.random() < 0.45 and count_words(entry["rules"]) < 45:
        words = [dice.choice(tongue.words) for _ in range(dice.randint(5, 14))]
        entry["flavour"] = tongue.join(words).capitalize() + tongue.stop
    return entry


def _rules(dice: random.Random, tongue: Language) -> Rules:
    english = min(MOST_WORDS, math.exp(dice.gauss(math.log(24), 0.62)))
    length = max(3, round(english * tongue.terse))
    icons = min(dice.choice((0, 0, 1, 1, 2, 2, 3, 4, 6, 9)), length // 3)
    text = [["plain", dice.choice(tongue.words)] for _ in range(length)]
    for place in dice.sample(range(1, length), icons):
        text[place] = ["icon", dice.choice(SIGNS)]
    for place in dice.sample(range(length), length // 14):
        if all(kind == "plain" for kind, _ in text[max(place - 1, 0) : place + 2]):
            text[place][0] = dice.choice(("bold", "bold", "italic"))
    paragraphs: Rules = []
    while text:
        count = len(text) if len(text) < 20 else dice.randint(9, len(text))
        paragraph, text = text[:count], text[count:]
        if paragraph[-1][0] != "icon":
            paragraph[-1][1] += tongue.stop
        if dice.random() < 0.7 and count > 3:
            keyword = dice.choice(tongue.keywords)
            if tongue.gap:
                paragraph[0] = ["bold", keyword + tongue.colon]
            else:  # a mark that ends between a colon and a letter would not end
                paragraph[:2] = [["bold", keyword], ["plain", tongue.colon]]
        paragraphs.append(paragraph)
    return paragraphs


def count_words(rules: Rules) -> int:
    """How many words, icons among them."""
    return sum(map(len, rules))


def cards(count: int, language: str = "en") -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield card(number, language)
