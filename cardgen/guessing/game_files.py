"""The files of a game whose cards stand in a table: what is inferred, for a person to go on with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.geometry import Rect, Size
from cardgen.guessing.columns import Column, same_name
from cardgen.guessing.drawing import HAIR, MUTED, PAPER, Drawing, is_safe_word
from cardgen.guessing.faces import EDGE, Face, height_of, usual
from cardgen.guessing.growing import file_schema, list_schema
from cardgen.guessing.json_text import written
from cardgen.guessing.roles import Roles

BLEED = 3.175
SIZES = {
    "poker": Size(63.5, 88.9),
    "tarot": Size(69.85, 120.65),
    "jumbo": Size(88.9, 139.7),
}
"""The sizes that a deck may come in, mm: the first whose texts fit."""
_EDITION = "0.1.0"
"""That of a game which has just begun."""
ENGINE = frozenset(("id", "copies"))
MOST_BALANCED = 20
"""Most groups whose sizes become a rule."""
_PLAIN = re.compile(r"[^\W\d_][\w-]*( [\w-]+)*")
_YAML_WORDS = frozenset("yes no on off true false null y n".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game to be: its id and title, its table as game.yaml names it, and the columns in their order with
    their roles; the name of its cards' size, upright in mm. `sheet` is the layout that it names for them;
    without one its sheets are the usual ones. `markup` is how its texts are written,
    and `numbers` how its numbers are, where that is not the usual way."""

    name: str
    title: str
    data: str
    columns: Sequence[Column]
    roles: Roles
    rows: int
    trim: str
    size: Size
    sheet: str = ""
    markup: Mapping[str, Any] = field(default_factory=dict)
    numbers: str | None = None

    @property
    def copies(self) -> int:
        """All cards, each counted as often as it is printed."""
        copies = self.roles.copies
        return self.rows if copies is None else sum(1 if each is None else each for each in copies.values)


def game_files(game: TableGame) -> dict[str, str]:
    """The texts of the game's files by their places in its project, but for the table and its pictures."""
    id = game.name
    return {
        f"data/{id}/game.yaml": _game_yaml(game),
        f"data/{id}/rules.yaml": _rules_yaml(game),
        f"schemas/{id}/cards.schema.json": _schema(game),
        f"templates/{id}/card.svg": Face(game.roles, game.size, BLEED).drawn(),
        f"templates/{id}/back.svg": _back(game.size),
        "README.md": _readme(game),
        "output/.gitignore": "*\n!.gitignore\n",
    }


def trim_name(roles: Roles) -> str:
    """Return the smallest size at which the texts of most cards have room in small type; the first without
    texts."""
    texts = [*roles.texts, *filter(None, (roles.flavour,))]
    if not texts:
        return next(iter(SIZES))
    for name, size in SIZES.items():
        face = Face(roles, size, BLEED)
        want = [
            sum(height_of(str(text), face.width, 8) + 1.6 for text in card if text is not None)
            for card in zip(*(column.values for column in texts), strict=True)
        ]
        heads = 4.4 * len(roles.texts) if len(roles.texts) > 1 else 0
        if usual(want) + heads <= face.end - face.text_top:
            return name
    return name


def picture_size(roles: Roles, trim: Size) -> Size:
    """The size in which pictures are shown on cards of a size, mm."""
    return Face(roles, trim, BLEED).picture.size


def scalar(text: str) -> str:
    """A text as YAML writes it: bare where that is safe, or else in quotes."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _YAML_WORDS and len(text) < 60:
        return text
    if text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    return '"' + "".join(_escaped(each) for each in text) + '"'


def _escaped(character: str) -> str:
    if character.isprintable() and character not in '"\\':
        return character
    return f"\\U{ord(character):08x}"


def _game_yaml(game: TableGame) -> str:
    named = {
        column.header: column.field for column in game.columns if not same_name(column.header, column.field)
    }
    columns = ", ".join(f"{scalar(header)}: {field}" for header, field in named.items())
    said = f"\n    columns: {{{columns}}}" if named else ""
    said += f'\n    numbers: "{game.numbers}"' if game.numbers else ""
    said += _markup(game.markup) if game.markup else ""
    sheets = (
        f"sheets:\n  {game.sheet}: {{layout: {game.sheet}, components: [cards]}}\n\n" if game.sheet else ""
    )
    return f"""\
# yaml-language-server: $schema=../../schemas/game.schema.json
id: {game.name}
title: {scalar(game.title)}
version: {_EDITION}
author: Your name
description: A deck from a spreadsheet.
language: {"de" if game.roles.is_german else "en"}
players: {{min: 2, max: 4}}

components:
  cards:
    title: Cards
    kind: card
    trim: {game.trim}
    data: {scalar(game.data)}{said}
    schema: cards.schema.json
    face: card.svg
    back: back.svg

{sheets}rules: rules.yaml
"""


def _markup(markup: Mapping[str, Any]) -> str:
    """Return the lines of game.yaml that state how texts are written."""
    lines = ["", "    markup:"]
    if markup.get("html"):
        lines.append("      html: true")
    if markup.get("fields"):
        lines.append(f"      fields: [{', '.join(markup['fields'])}]")
    if markup.get("icons"):
        lines += [
            "      icons:",
            *(f"        {scalar(word)}: {name}" for word, name in markup["icons"].items()),
        ]
    return "\n".join(lines)


def _schema(game: TableGame) -> str:
    cards = [
        {column.field: column.values[row] for column in game.columns if column.values[row] is not None}
        for row in range(game.rows)
    ]
    listed = list_schema(cards, ENGINE)
    for column in game.roles.rest:
        listed["items"]["properties"][column.field]["printed"] = False
    whole = file_schema(f"The cards of {game.title}", {"cards": listed}, False)
    return f"{written(whole)}\n"


def _rules_yaml(game: TableGame) -> str:
    roles, total = game.roles, game.copies
    rules: list[dict[str, Any]] = [
        {
            "id": "deck-size",
            "question": f"Are there {total} cards in the deck?",
            "kind": "count",
            "severity": "warning",
            "component": "cards",
            "equals": total,
        }
    ]
    title, group = roles.title, roles.group
    if title is not None and title.is_full and title.is_unique:
        rules.append(
            {
                "id": "titles",
                "question": "Is every title used once?",
                "kind": "unique",
                "component": "cards",
                "value": title.field,
            }
        )
    if group is not None and len(set(group.texts)) <= MOST_BALANCED and all(map(is_safe_word, group.texts)):
        rules.append(
            {
                "id": "groups",
                "question": f"Are there enough cards of each {group.field.replace('_', ' ')}, and no more?",
                "kind": "count",
                "severity": "warning",
                "component": "cards",
                "group_by": group.field,
                "groups": _shares(group, roles.copies),
            }
        )
    if roles.is_index and group is not None and _ranks_are_unique(group, roles.corners[0]):
        rules.append(
            {
                "id": "ranks",
                "question": "Is every rank there once in its group?",
                "kind": "unique",
                "component": "cards",
                "value": f"{group.field} ~ ' ' ~ {roles.corners[0].field}",
            }
        )
    figure = next((column for column in (*roles.corners, *roles.stats) if column.is_figure), None)
    if figure is not None and figure.is_full:
        rules.append(
            {
                "id": "spread",
                "question": f"How is {figure.field.replace('_', ' ')} spread over the deck?",
                "kind": "distribution",
                "report": True,
                "component": "cards",
                "value": figure.field,
            }
        )
    head = (
        "# yaml-language-server: $schema=../../schemas/rules.schema.json\n"
        "# What is so of the deck now. `cardgen check` says when a change ends that; then\n"
        "# put the change right, or the rule.\n"
    )
    return f"{head}rules:\n" + "\n".join(_entry(rule) for rule in rules)


def _shares(group: Column, copies: Column | None) -> dict[str, int]:
    """How many cards are of each word."""
    shares: dict[str, int] = {}
    counts = [1] * len(group.values) if copies is None else [each or 1 for each in copies.values]
    for word, count in zip(group.values, counts, strict=True):
        shares[word] = shares.get(word, 0) + count
    return shares


def _ranks_are_unique(group: Column, rank: Column) -> bool:
    pairs = list(zip(group.values, rank.values, strict=True))
    return len(set(pairs)) == len(pairs)


def _entry(rule: Mapping[str, Any]) -> str:
    lines = []
    for key, value in rule.items():
        if isinstance(value, dict):
            inside = ", ".join(f"{scalar(word)}: {count}" for word, count in value.items())
            said = f"{{{inside}}}"
        elif isinstance(value, bool):
            said = str(value).lower()
        else:
            said = str(value) if isinstance(value, int) else scalar(value)
        lines.append(f"{key}: {said}\n")
    return "  - " + "    ".join(lines)


def _back(size: Size) -> str:
    """A back that is the same either way up and tells nothing: a frame, and lines within."""
    drawing = Drawing(size.width + 2 * BLEED, size.height + 2 * BLEED)
    drawing.ground(PAPER)
    frame = Rect(BLEED, BLEED, size.width, size.height).inset(EDGE)
    inner = frame.inset(1.4)
    drawing.rect(frame, stroke=MUTED, weight=0.5, radius=2.2)
    across, down = 7, round(7 * inner.height / inner.width)
    wide, high = inner.width / across, inner.height / down
    lines = "".join(
        f"M{inner.x + wide * column:.3f} {inner.y + high * (row + 0.5):.3f}l{wide / 2:.3f} {-high / 2:.3f} "
        f"{wide / 2:.3f} {high / 2:.3f}-{wide / 2:.3f} {high / 2:.3f}z"
        for row in range(down)
        for column in range(across)
    )
    drawing.put(f'<path d="{lines}" fill="none" stroke="{HAIR}" stroke-width="0.3"/>')
    drawing.rect(inner, stroke=MUTED, weight=0.25, radius=1.2)
    return drawing.text()


def _readme(game: TableGame) -> str:
    file = game.data.partition("#")[0]
    return f"""\
# {game.title}

    cardgen build       # output/{game.name}/
    cardgen check       # data, look, text fit, rules
    cardgen preview     # the cards in the browser, as you edit

The cards are in `data/{game.name}/{file}`: edit it in your spreadsheet program, save, build again. What
they look like is in `templates/{game.name}/card.svg`, a drawing whose objects are called like the columns.
Which columns there are is in `schemas/{game.name}/cards.schema.json`; `cardgen schema` adds new ones.
"""
