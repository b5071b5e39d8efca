"""The statistics of the deck of `saga.py`, counted on the cards and on what cardgen makes of them.

    python benchmarks/saga_figures.py [--cards 2000] [--photos 0] [--language en] [--font FILE]

Drawn elements are those of a card's SVG: shapes, pictures and texts, an icon as one. A text shrinks if it
is set smaller than its template says.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from saga import TYPES, cards, count_words
from saga_project import RULES_PT, Deck, add_options, template, write_project

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {SVG + name for name in ("rect", "circle", "path", "polygon", "image", "text", "use", "svg")}


@dataclass(frozen=True, slots=True)
class Spread:
    """Least, median, a tenth's and a hundredth's least, and most of some numbers."""

    least: float
    median: float
    tenth: float
    hundredth: float
    most: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread:
        found = sorted(numbers)
        tenth, hundredth = (found[-max(len(found) // part, 1)] for part in (10, 100))
        return cls(found[0], statistics.median(found), tenth, hundredth, found[-1])

    def __str__(self) -> str:
        return (
            f"{self.least:g} to {self.most:g}, median {self.median:g}, "
            f"a tenth from {self.tenth:g}, a hundredth from {self.hundredth:g}"
        )


@dataclass(frozen=True, slots=True)
class OfCards:
    """What the cards say, before any is drawn."""

    words: Spread
    icons: Spread
    symbols: int
    """How many different icons and emblems they show."""
    shares: dict[str, float]
    """How many of 100 cards have it, or are of that type."""

    @classmethod
    def count(cls, found: list[dict[str, Any]]) -> OfCards:
        kinds = [Counter(kind for paragraph in each["rules"] for kind, _ in paragraph) for each in found]
        symbols = {each["emblem"] for each in found}
        symbols |= {it for each in found for line in each["rules"] for kind, it in line if kind == "icon"}
        have = Counter(each["type"] for each in found)
        for name in ("subtitle", "flavour", "traits", "unique"):
            have[name] = sum(bool(each.get(name)) for each in found)
        for name in ("bold", "italic", "icon"):
            have[name] = sum(name in each for each in kinds)
        return cls(
            Spread.of(count_words(each["rules"]) for each in found),
            Spread.of(each["icon"] for each in kinds),
            len(symbols),
            {name: 100 * number / len(found) for name, number in have.items()},
        )


@dataclass(frozen=True, slots=True)
class OfSides:
    """What cardgen draws: elements by the card's type, and how many of 100 rules texts shrink."""

    elements: dict[str, Spread]
    shrinking: float
    sizes_pt: Spread

    @classmethod
    def count(cls, deck: Deck) -> OfSides:
        import cardgen
        from cardgen.art.cards import SideRenderer
        from cardgen.commands.production.fonts import fonts_of
        from cardgen.core.findings import Findings

        elements: defaultdict[str, list[int]] = defaultdict(list)
        sizes: list[float] = []
        lines = {name: rules_line(template(type, deck)) for name, type in TYPES.items()}
        with tempfile.TemporaryDirectory(prefix="cardgen-saga-") as folder:
            write_project(Path(folder), deck)
            game = cardgen.load("saga", project=cardgen.Project.open(Path(folder)))
            renderer = SideRenderer(game, game.paths, fonts_of(game, Findings()))
            for side in renderer.sides(game.cards(), ("face",)):
                assert side.source is not None, side.place
                artwork = renderer.lay_out(side).artwork
                assert artwork is not None, side.place
                kind = side.card.fields["type"]
                elements[kind].append(len(list(drawn(ET.fromstring(side.source.svg)))))
                (rules,) = (text for text in artwork.texts() if text.place and text.place[1] == lines[kind])
                sizes.append(round(rules.size / 25.4 * 72, 3))
        return cls(
            {name: Spread.of(found) for name, found in elements.items()},
            100 * sum(size < RULES_PT for size in sizes) / len(sizes),
            Spread.of(sizes),
        )


def rules_line(template: str) -> int:
    """The line of a template that the rules stand in, from 1."""
    return next(number for number, line in enumerate(template.splitlines(), 1) if "shape-inside" in line)


def drawn(element: ET.Element) -> Iterator[ET.Element]:
    """The elements below one that are drawn; what is within an icon or a text belongs to it."""
    for child in element:
        if child.tag in DRAWN:
            yield child
        elif child.tag != SVG + "defs":
            yield from drawn(child)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_options(parser)
    deck = Deck.of(parser.parse_args())
    print(deck)
    said, made = OfCards.count(list(cards(deck.count, deck.language))), OfSides.count(deck)
    print(f"words of rules     {said.words}")
    print(f"icons in the line  {said.icons}")
    print(f"icons and emblems  {said.symbols}")
    print(f"type size in pt    {made.sizes_pt}")
    print(f"shrinking          {made.shrinking:.0f} %")
    for name, spread in sorted(made.elements.items()):
        print(f"elements of {name:<6} {spread}")
    for name, share in said.shares.items():
        print(f"{name:<18} {share:.0f} %")


if __name__ == "__main__":
    main()
