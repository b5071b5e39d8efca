"""After any edit a bench that was warm shows what a new one would: state, keys, pictures."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.sampling import one_in
from tests.workbench.support import at_rest, bench_of, seen

pytestmark = pytest.mark.usefixtures("drawn_here")
Edit = Callable[[str, str, str], Path]

CARDS, GAME = "data/demo/cards.yaml", "data/demo/game.yaml"
FACE, BACK = "templates/demo/card.svg", "templates/demo/back.svg"
SCHEMA = "schemas/demo/cards.schema.json"
STAR = "templates/demo/icons/star.svg"
PART = "templates/demo/part.svg"
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
    "<rect width='24' height='24' fill='currentColor'/></svg>"
)
MACRO = "{% macro spot(x) %}<circle cx='{{ x }}' cy='70' r='2' fill='#123456'/>{% endmacro %}"


def _written(file: str, text: str) -> Callable[[Path, Edit], None]:
    def write(demo: Path, edit: Edit) -> None:
        path = demo / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    return write


def _edited(file: str, old: str, new: str) -> Callable[[Path, Edit], None]:
    return lambda demo, edit: edit(file, old, new) and None


def _gone(file: str) -> Callable[[Path, Edit], None]:
    return lambda demo, edit: (demo / file).unlink()


def _painted(
    color: str, size: int = 40, folder: str = "templates/demo/art"
) -> Callable[[Path, Edit], None]:
    def paint(demo: Path, edit: Edit) -> None:
        (demo / folder).mkdir(exist_ok=True)
        Image.new("RGB", (size, size), color).save(demo / folder / "hill.png")

    return paint


def _font(face: str) -> Callable[[Path, Edit], None]:
    def put(demo: Path, edit: Edit) -> None:
        bundled = Path(__file__).resolve().parents[2] / "fonts"
        (demo / "fonts").mkdir(exist_ok=True)
        shutil.copy(next(bundled.rglob(f"IBMPlexSans-{face}.ttf")), demo / "fonts/Mine.ttf")
        _written(
            "fonts/fonts.yaml",
            "families:\n  IBM Plex Sans:\n    licence: OFL-1.1\n    faces:\n"
            "      - {file: Mine.ttf, weight: 400, style: normal}\n",
        )(demo, edit)

    return put


CHANGES = {
    "a picture of the project's art": [
        _edited(FACE, "</svg>", "<image href='hill.png' x='9' y='60' width='3' height='3'/></svg>"),
        _painted("red", folder="art"),
        _painted("blue", folder="art"),
        _gone("art/hill.png"),
    ],
    "a field that an object is named after": [
        _edited(FACE, "</svg>", "<circle cg:as='color' data-name='more' cx='9' cy='60' r='2'/></svg>"),
        _edited(SCHEMA, '"title": {', '"more": {}, "title": {'),
        _edited(CARDS, "    value: 5", "    value: 5\n    more: '#aa2200'"),
        _edited(CARDS, "more: '#aa2200'", "more: '#22aa00'"),
        _edited(SCHEMA, '"more": {}, "title": {', '"more": {"default": "#0022aa"}, "title": {'),
    ],
    "a text": [_edited(CARDS, "title: Early Bird", "title: Late Bird")],
    "a number that is equal": [
        _edited(FACE, "{{ card.value }}", "{{ card.value }}{{ card.more|default('') }}"),
        _edited(SCHEMA, '"title": {', '"more": {}, "title": {'),
        _edited(CARDS, "    value: 5", "    value: 5\n    more: 1"),
        _edited(CARDS, "more: 1", "more: true"),
        _edited(CARDS, "more: true", "more: 1.0"),
    ],
    "a default": [
        _edited(FACE, "{{ card.value }}", "{{ card.value }}{{ card.more }}"),
        _edited(SCHEMA, '"title": {', '"more": {"default": "a"}, "title": {'),
        _edited(CARDS, "title: Old Oak", "title: Older Oak"),
        _edited(SCHEMA, '"default": "a"', '"default": "b"'),
        _edited(CARDS, "    value: 5", "    value: 5\n    more: c"),
    ],
    "a card comes and goes": [
        _edited(
            CARDS,
            "  - id: gardener",
            "  - id: new\n    title: New\n    suit: sun\n    value: 9\n    text: New.\n  - id: gardener",
        ),
        _edited(CARDS, "  - id: new\n    title: New\n    suit: sun\n    value: 9\n    text: New.\n", ""),
    ],
    "lines move": [_edited(CARDS, "cards:\n", "# one\n# more\ncards:\n")],
    "cards change places": [
        _edited(CARDS, "  - id: full-moon\n    title: Full Moon", "  - id: swap\n    title: Swap"),
        _edited(CARDS, "  - id: night-owl", "  - id: full-moon"),
        _edited(CARDS, "  - id: swap", "  - id: night-owl"),
    ],
    "copies": [_edited(CARDS, "value: 5", "value: 5\n    copies: 3")],
    "a template": [_edited(FACE, 'r="4.6"', 'r="5"'), _edited(BACK, "</svg>", "<!-- more --></svg>")],
    "a macro": [
        _written(PART, MACRO),
        _edited(FACE, "</svg>", "{% import './part.svg' as part %}{{ part.spot(card.value * 5) }}</svg>"),
        _edited(PART, "#123456", "#654321"),
        _gone(PART),
        _written(PART, MACRO),
    ],
    "a template that another names by chance": [
        _edited(FACE, "</svg>", "{% include card.suit ~ '.svg' ignore missing %}</svg>"),
        _edited(FACE, "card.suit ~ '.svg'", "'demo/' ~ card.suit ~ '.svg'"),
        _written("templates/demo/moon.svg", "<rect x='1' y='1' width='9' height='9' fill='#ff0000'/>"),
        _edited("templates/demo/moon.svg", "#ff0000", "#00ff00"),
    ],
    "parts that are no templates by their names": [
        _written("templates/demo/part.txt", "<circle cx='9' cy='70' r='2' fill='#123456'/>"),
        _edited(FACE, "</svg>", "{% include 'demo/part.txt' %}{% include 'demo/icons/dot.svg' %}</svg>"),
        _written("templates/demo/icons/dot.svg", "<g><circle cx='9' cy='60' r='2' fill='#00f'/></g>"),
        _edited("templates/demo/part.txt", "#123456", "#654321"),
        _edited("templates/demo/icons/dot.svg", "#00f", "#0f0"),
    ],
    "an icon of an unusual name": [
        _written("templates/demo/icons/a(1).svg", ICON),
        _edited(FACE, "</svg>", "<use href='#icon-a(1)' x='9' y='60' width='5' height='5'/></svg>"),
        _edited("templates/demo/icons/a(1).svg", "height='24'", "height='12'"),
    ],
    "an icon that is nearly named": [
        _edited(CARDS, "text: This card", "text: :acorm: This card"),
        _written("templates/demo/icons/acorn.svg", ICON),
        _gone("templates/demo/icons/acorn.svg"),
    ],
    "an icon": [
        _edited(STAR, "</svg>", '<circle cx="3" cy="3" r="2" fill="currentColor"/></svg>'),
        _gone(STAR),
        _written(
            STAR,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
            "<rect width='24' height='12' fill='currentColor'/></svg>",
        ),
        _written(STAR, "<svg broken"),
    ],
    "an icon with a veiled name": [
        _edited(CARDS, "text: This card", "text: :&#x2606;sta"),
        _edited(FACE, "</svg>", "<use href='#icon-st&#97;r' x='9' y='60' width='5' height='5'/></svg>"),
        _edited(STAR, "</svg>", '<circle cx="3" cy="3" r="2" fill="currentColor"/></svg>'),
    ],
    "an icon that is meant": [
        _edited(CARDS, "text: This card", "text: :moom: This card"),
        _written(
            "templates/demo/icons/moom.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' "
            "viewBox='0 0 24 24'><rect width='24' height='24' fill='currentColor'/></svg>",
        ),
    ],
    "an icon of the game before the shared one": [
        _edited(CARDS, "text: This card", "text: :coin: This card"),
        _written(
            "templates/_shared/icons/coin.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' "
            "viewBox='0 0 24 24'><rect width='24' height='24' fill='currentColor'/></svg>",
        ),
        _written(
            "templates/demo/icons/coin.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' "
            "viewBox='0 0 24 24'><rect width='24' height='9' fill='currentColor'/></svg>",
        ),
    ],
    "an image": [
        _edited(FACE, "</svg>", "<image href='art/hill.png' x='9' y='60' width='3' height='3'/></svg>"),
        _painted("red"),
        _painted("blue"),
        _painted("blue", 41),
        _gone("templates/demo/art/hill.png"),
    ],
    "an image in a drawing": [
        _painted("red"),
        _written(
            "templates/demo/art/scene.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
            "<image href='hill.png' width='9' height='9'/></svg>",
        ),
        _edited(FACE, "</svg>", "<image href='art/scene.svg' x='9' y='60' width='3' height='3'/></svg>"),
        _painted("lime"),
        _edited("templates/demo/art/scene.svg", "width='9'", "width='5'"),
    ],
    "a font": [_font("Italic"), _font("Bold"), _gone("fonts/fonts.yaml")],
    "the theme": [_edited(GAME, "'#b3541e'", "'#b30000'"), _edited(GAME, "'#fbf7ee'", "'#ffffff'")],
    "a table": [
        _written("data/demo/words.yaml", "oak: Acorn\n"),
        _edited(GAME, "sheets:", "tables: [words.yaml]\nsheets:"),
        _edited(FACE, "{{ card.value }}", "{{ tables.words.oak }}"),
        _edited("data/demo/words.yaml", "Acorn", "Leaf"),
    ],
    "sizes": [
        _written("data/sizes.yaml", "sizes:\n  mine: {width: 60mm, height: 80mm, title: Mine}\n"),
        _edited(GAME, "trim: poker", "trim: mine"),
        _edited("data/sizes.yaml", "60mm", "61mm"),
    ],
    "a schema": [
        _edited(SCHEMA, '"maximum": 9', '"maximum": 4'),
        _edited(SCHEMA, '"maximum": 4', '"maximum": 5'),
    ],
    "half a file": [
        _edited(CARDS, "title: Old Oak", "title: 'Old"),
        _edited(CARDS, "title: 'Old", "title: Old"),
    ],
    "a game without its manifest": [
        _edited(GAME, "title: Demo", "title: ["),
        _edited(GAME, "title: [", "title: Demo"),
    ],
    "a broken template": [
        _edited(FACE, "{{ card.value }}", "{{ card.valu }}"),
        _edited(FACE, "card.valu ", "card.value "),
    ],
    "groups of texts": [
        _edited(FACE, 'id="effect"', 'id="effect" cg:group="rules"'),
        _edited(CARDS, "text: This card", "text: " + "Many words are on it. " * 22 + "This card"),
        _edited(CARDS, "text: Many words are on it. " + "Many words are on it. " * 15, "text: "),
        _edited(STAR, "0 0 24 24", "0 0 72 24"),
    ],
}


def _in_error(state: dict[str, Any]) -> bool:
    return bool(state["broken"]) or any(each["severity"] == "error" for each in state["findings"])


def _said(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings; without the cards that they are about, of which a new bench may know nothing."""
    return [{**each, "cards": ()} if _in_error(state) else each for each in state["findings"]]


@pytest.mark.parametrize("name", one_in(10, CHANGES))
def test_as_a_new_bench(demo: Path, edit: Edit, name: str) -> None:
    warm = bench_of(demo)
    seen(warm)
    for change in CHANGES[name]:
        change(demo, edit)
        warm.refresh()
        at_rest(warm)
        new, now = seen(bench_of(demo)), seen(warm)
        assert _said(now) == _said(new)
        if not _in_error(new):
            assert now == new
