"""After any edit, a build and a check that use what was kept give what they give with nothing kept."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from PIL import Image

import cardgen
from cardgen.art import templates
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.commands.data.translate import translate
from cardgen.commands.production.fonts import fontbook
from cardgen.expressions.macros import MacroResults
from tests.book.conftest import add_book
from tests.sampling import sampled

Settle = Callable[[Path], None]
Change = Callable[[Path], None]

GAME, CARDS, RULES = "data/demo/game.yaml", "data/demo/cards.yaml", "data/demo/rules.yaml"
FACE, BOOK, KEYWORDS = "templates/demo/card.svg", "data/demo/rulebook.md", "data/demo/keywords.yaml"
PICTURE, SHOWN = "templates/demo/owl.png", "art/demo/tree.svg"

MARKDOWN = """\
# Rules

There are {{ components.cards.count }} cards.

The first is worth {{ components.cards.cards['early-bird'].value }}.

## Cards

![The owl](card:cards/night-owl) Take [](card:cards/gardener) and a :leaf: card, then a ╔.

:::set-up card:cards/old-oak
1. `well` Here.
:::
"""
FAULTS = """\
<text x="8" y="30" font-family="IBM Plex Sans" font-size="4" fill="#eee">Pale {{ card.title[:1] }}</text>
<text x="8" y="62" font-family="IBM Plex Sans" font-size="4">Covered {{ card.id[:2] }}</text>
<rect x="8" y="57" width="40" height="8" fill="{{ '#fff' if low_ink else '#ccc' }}"/>
<text x="8" y="66" cg:max-width="30" cg:fit="shrink" cg:group="titles" font-family="IBM Plex Sans"
  font-size="3">{{ card.title }}</text>
<text x="9" y="70" font-family="IBM Plex Sans" font-size="3">{{ number }} of {{ component.count }}
  {{ text_width('abc', 4, 'IBM Plex Sans')|round(2) }} {{ game.title }}
  {{ tables.prices.axe.gold }} {{ [{'do': 'draw', 'count': 2}]|effect_text|safe }} {{ t('Yours') }}</text>
{% macro long(at) %}{% for i in range(600) %}{% if i == at %}<circle cx="30" cy="{{ i }}" r="2"/>{% endif %}
{% endfor %}{% endmacro %}{{ long(70) }}
<circle cg:snap="well" cx="20" cy="70" r="4" fill="none"/>
<image href="owl.png" x="40" y="60" width="9" height="9"/>
<image href="tree.svg" x="50" y="60" width="9" height="9"/>
{% include './part.svg' %}
</svg>"""
RECT = '<rect width="9" height="9" fill="red"/>'
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{RECT}</svg>'


def write(file: str, old: str, new: str) -> Change:
    def change(project: Path) -> None:
        text = (project / file).read_text("utf-8")
        assert old in text
        (project / file).write_text(text.replace(old, new, 1), "utf-8")

    return change


def state(key: str) -> Change:
    """Another line of game.yaml."""
    return write(GAME, "version:", f"{key}\nversion:")


def replace_font(project: Path) -> None:
    bundled = Path(fontbook(cardgen.Project.open(project).paths).face("IBM Plex Sans", 700).path)
    shutil.copy(bundled, project / "fonts/Mine.ttf")


def replace_picture(project: Path) -> None:
    Image.new("RGB", (120, 120), "blue").save(project / PICTURE)


def nothing(project: Path) -> None:
    pass


EDITS: dict[str, Change] = {
    "nothing": nothing,
    "a card's text": write(CARDS, "title: Early Bird", "title: Xylophone Bird"),
    "a card that a book names": write(CARDS, "title: Gardener", "title: The Gardener"),
    "a card that a book shows": write(CARDS, "title: Night Owl", "title: Owl of the Night"),
    "a card's value": write(CARDS, "    suit: sun\n    value: 1\n", "    suit: sun\n    value: 7\n"),
    "another card": write(
        CARDS, "cards:\n", "cards:\n  - {id: new, title: New, suit: sun, value: 1, text: New.}\n"
    ),
    "a comment": write(CARDS, "  - id: night-owl", "  # the owl\n  - id: night-owl"),
    "a letter that no font has": write(CARDS, "title: Early Bird", "title: 語 Bird"),
    "an icon that is not there": write(CARDS, "take :star: two", "take :no-such-icon: two"),
    "a template": write(FACE, 'r="4.6"', 'r="4.2"'),
    "a color of a template": write(FACE, "#eee", "#777"),
    "a snap point": write(FACE, 'cx="20" cy="70"', 'cx="21" cy="70"'),
    "the cover's template": write("templates/demo/back.svg", "<rect ", '<rect stroke="#123456" '),
    "an include": write("templates/demo/part.svg", "Old", "New"),
    "an icon": write("templates/demo/icons/leaf.svg", "<path ", '<path opacity="0.9" '),
    "a picture": replace_picture,
    "a drawing": write(SHOWN, "red", "blue"),
    "a font": replace_font,
    "a table": write("data/demo/prices.yaml", "gold: 3", "gold: 4"),
    "a field of a table that nobody reads": write("data/demo/prices.yaml", "silver: 1", "silver: 2"),
    "a keyword": write(KEYWORDS, "**Draw**", "**Take**"),
    "a rule": write(RULES, "rules:\n", "rules:\n  - {id: few, kind: count, question: Q?, max: 2}\n"),
    "a schema": write("schemas/demo/cards.schema.json", '"title": {', '"more": {}, "title": {'),
    "a book's text": write(BOOK, "There are", "Here are"),
    "a book's look": write(GAME, "accent: '#2d4f8e'", "accent: '#2d4f8f'"),
    "a book's page": write(GAME, "trim: a5", "trim: a6"),
    "a book's title": write(GAME, "title: Rules", "title: All rules"),
    "the game's title": write(GAME, "title: Demo", "title: Other"),
    "the version": write(GAME, "version: 0.1.0", "version: 0.1.1"),
    "the author": write(GAME, "author: Your name", "author: Another"),
    "the description": write(GAME, "A first deck", "A second deck"),
    "the language": write(GAME, "language: en\n", "language: fr\n"),
    "the theme": write(GAME, "ink: '#1d2433'", "ink: '#1d2434'"),
    "limits": state("limits: {contrast: 9, type: 3 pt}"),
    "fonts that stand in": write(GAME, "[IBM Plex Mono]", "[Jura, IBM Plex Mono]"),
    "the size of cards": write(GAME, "trim: poker", "trim: bridge"),
    "the corners of cards": write(GAME, "trim: poker", "trim: poker\n    corner_radius: 9mm"),
    "the shape of cards": write(GAME, "trim: poker", "trim: poker\n    shape: ellipse"),
    "the bleed": write(GAME, "trim: poker", "trim: poker\n    bleed: 2mm"),
    "the safe zone": write(GAME, "trim: poker", "trim: poker\n    safe: 9mm"),
    "the sheet": write(GAME, "poker: {layout: poker,", "poker: {layout: poker-gutterfold,"),
}


SILENT = ("nothing", "a field of a table that nobody reads", "a schema")
"""Edits after which all is as it was."""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, settle: Settle) -> Path:
    """A small project with a file of every kind, and a cache from a build and a check of it."""
    folder = tmp_path_factory.mktemp("warm")
    demo = cardgen.new_project("demo", folder)
    add_book(demo, MARKDOWN, "accent: '#2d4f8e'")
    part = '<text x="9" y="80" font-family="Mine" font-size="4">Old</text>'
    (demo / "templates/demo/part.svg").write_text(part, "utf-8")
    (demo / "art/demo").mkdir(parents=True)
    (demo / SHOWN).write_text(SVG, "utf-8")
    Image.new("RGB", (120, 120), "green").save(demo / PICTURE)
    (demo / "data/demo/prices.yaml").write_text("axe: {gold: 3, silver: 1}\n", "utf-8")
    (demo / KEYWORDS).write_text(
        "punctuation: {end: ., either: or, both: and, condition: If, then: ':', minus: '-'}\n"
        "keywords:\n  draw:\n    print: '**Draw** {count}'\n    short: ['draw {count}']\n"
        "    parameters: {count: {type: number, min: 1, max: 9}}\n",
        "utf-8",
    )
    (demo / "fonts").mkdir(exist_ok=True)
    bundled = Path(fontbook(cardgen.Project.open(demo).paths).face("IBM Plex Sans", 400).path)
    shutil.copy(bundled, demo / "fonts/Mine.ttf")
    (demo / "fonts/fonts.yaml").write_text(
        "families:\n  Mine:\n    licence: OFL-1.1\n    faces:\n"
        "      - {file: Mine.ttf, weight: 400, style: normal}\n",
        "utf-8",
    )
    write(FACE, "</svg>", FAULTS)(demo)
    state("fonts: {fallback: [IBM Plex Mono]}\ntables: [prices.yaml]")(demo)
    state("effects: {keywords: keywords.yaml, fields: [effect]}\nlanguages: {de: {}}")(demo)
    write("schemas/demo/cards.schema.json", '"title": {', '"effect": {}, "title": {')(demo)
    write(CARDS, "  - id: early-bird\n", "  - id: early-bird\n    effect: [draw 1]\n")(demo)
    project = cardgen.Project.open(demo)
    translate("demo", project=project)
    shutil.copy(demo / BOOK, demo / "data/demo/de/rulebook.md")
    file = polib.pofile(demo / "data/demo/de/texts.po")
    for entry in file:
        entry.msgstr = "Meins" if entry.msgid == "Yours" else entry.msgid
    file.save()
    settle(demo)
    return demo


def outcome(project: Path, cache: Path, output: Path, language: str | None = None) -> tuple[Any, ...]:
    """What a build and a check say, and digests of the files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(cache))
        patch.setattr(templates, "_RESULTS", MacroResults())  # as in another process
        opened = cardgen.Project.open(project)
        try:
            result = cardgen.build(
                cardgen.BuildOptions("demo", output=output, language=language), project=opened
            )
        except cardgen.CardgenError as error:
            built: tuple[Any, ...] = tuple(error.findings)
        else:
            files = [
                (each.sheet, hashlib.sha256(Path(each.path).read_bytes()).hexdigest())
                for each in result.files
            ]
            built = (files, result.findings)
        return built, check_game(CheckOptions("demo"), project=opened).findings


class Warm:
    """The project in a folder of its own, with what a build and a check of it gave and kept."""

    def __init__(self, original: Path, folder: Path) -> None:
        self.original, self.folder = original, folder
        self.restore()
        self.before = self.outcome("cache")

    def restore(self) -> None:
        """Take all edits back."""
        shutil.rmtree(self.folder / "project", ignore_errors=True)
        shutil.copytree(self.original, self.folder / "project")

    def outcome(self, cache: str, language: str | None = None) -> tuple[Any, ...]:
        output = self.folder / f"output of {cache}"
        return outcome(self.folder / "project", self.folder / cache, output, language)


@pytest.fixture(scope="module")
def warm(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Warm:
    return Warm(original, tmp_path_factory.mktemp("kept"))


def test_the_project_has_something_to_say(warm: Warm) -> None:
    built, found = warm.before
    assert isinstance(built[0], list), built
    assert [name for name, _ in built[0]] == ["rules", "booklet", "poker"]
    codes = {finding.code for finding in found}
    assert codes >= {"text/contrast", "text/covered", "text/fallback", "text/group"}


@pytest.mark.parametrize("edit", sampled((edit, edit == "a book's text") for edit in EDITS))
def test_warm_equals_cold_after_any_edit(edit: str, warm: Warm) -> None:
    warm.restore()
    EDITS[edit](warm.folder / "project")
    after = warm.outcome("cache")
    assert after == warm.outcome(f"cache of {edit}")
    assert (after == warm.before) == (edit in SILENT)


@pytest.mark.long
def test_warm_equals_cold_after_an_edit_of_a_translation(warm: Warm) -> None:
    warm.restore()
    before = warm.outcome("cache", "de")
    write("data/demo/de/texts.po", 'msgstr "Meins"', 'msgstr "Deins"')(warm.folder / "project")
    after = warm.outcome("cache", "de")
    assert after == warm.outcome("cache of a translation", "de") != before
