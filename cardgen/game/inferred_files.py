"""The files of a game inferred from a table, and schemas extended to fit new data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from cardgen.core.findings import did_you_mean, nearest
from cardgen.core.geometry import Size
from cardgen.core.records import dataclass, field
from cardgen.game.guessing import DEEPEST, Column, Roles, described, of_mappings, same_name
from cardgen.game.markup import Markup
from cardgen.game.spreadsheets import id_of
from cardgen.game.starter_look import (
    Design,
    Face,
    back_svg,
    face_svg,
    group_hues,
    group_scenes,
    group_words,
    height_of,
    is_safe_word,
    scenes_svg,
    starter_text,
    usual,
)

BLEED = 3.175
SIZES = {
    "poker": Size(63.5, 88.9),
    "tarot": Size(69.85, 120.65),
    "jumbo": Size(88.9, 139.7),
}
"""The sizes of a new deck, mm: the first one whose texts fit."""
ENGINE = frozenset(("id", "copies"))
MOST_BALANCED = 20
"""Most groups whose sizes become a rule."""


@dataclass(frozen=True, slots=True)
class TableDeck:
    """A component to create from a table: its id, which its files have, its title and kind; its table as
    game.yaml names it, and the columns in their order with their roles; its trim, a name or
    `[width, height]`, and that size upright in mm; its shape. `markup` is the markup of its texts, and
    `numbers` the style of its numbers, if that is not the usual one. Each word of the column `by` has a
    template of its own."""

    id: str
    title: str
    kind: str
    data: str
    columns: Sequence[Column]
    roles: Roles
    rows: int
    trim: str | list[str]
    size: Size
    shape: str = "rectangle"
    look: str = "poster"
    markup: Mapping[str, Any] = field(default_factory=dict)
    numbers: str | None = None
    by: Column | None = None

    @property
    def file(self) -> str:
        """Return the file of the table, without the sheet."""
        return self.data.partition("#")[0]

    @property
    def stem(self) -> str:
        """Return the name of its templates."""
        return "card" if self.id == "cards" else self.id

    @property
    def design(self) -> Design:
        return Design(self.look, self.size, BLEED, self.shape)

    @property
    def faces(self) -> dict[str, str]:
        """Return the templates of faces by the words of the column that chooses; of all cards by ''."""
        if self.by is None:
            return {"": f"{self.stem}.svg"}
        faces: dict[str, str] = {}
        for word in dict.fromkeys(self.by.texts):
            stem = plain = f"{self.stem}-{id_of(word)}"
            number = 1
            while f"{stem}.svg" in faces.values():
                number += 1
                stem = f"{plain}-{number}"
            faces[word] = f"{stem}.svg"
        return faces

    def roles_of(self, word: str) -> Roles:
        """Return the roles of the columns for the cards with a word in the column that chooses."""
        if self.by is None:
            return self.roles
        return self.roles.of_rows([row for row, value in enumerate(self.by.values) if value == word])

    @property
    def theme(self) -> dict[str, Any]:
        """Return the values for the game's theme: the colors and scenes of the words that group cards."""
        words = group_words(self.roles)
        printed = Markup(quotes=self.markup.get("quotes", "")).text
        kinds = {"hues": group_hues(words), "scenes": group_scenes(words)} if words else {}
        return {
            key: {printed(word): value for word, value in found.items()} for key, found in kinds.items()
        }

    @property
    def renamed(self) -> list[Column]:
        """Return the columns whose fields have other names."""
        return [column for column in self.columns if not same_name(column.header, column.field)]

    @property
    def has_unique_titles(self) -> bool:
        title = self.roles.title
        return title is not None and title.is_full and title.is_unique

    @property
    def has_unique_ranks(self) -> bool:
        """Return True if no rank is repeated in its group."""
        if not self.roles.is_index or self.roles.group is None:
            return False
        pairs = list(zip(self.roles.group.values, self.roles.corners[0].values, strict=True))
        return len(set(pairs)) == len(pairs)

    @property
    def shares(self) -> dict[str, int]:
        """Return the number of cards in each group; empty if there are too many, or a rule can't name
        one."""
        group, copies = self.roles.group, self.roles.copies
        if group is None or not all(map(is_safe_word, group.texts)):
            return {}
        shares: dict[str, int] = {}
        counts = (None,) * len(group.values) if copies is None else copies.values
        for word, count in zip(group.values, counts, strict=True):
            if count != 0:  # a card without copies is no part of the game
                shares[word] = shares.get(word, 0) + (1 if count is None else count)
        return shares if len(shares) <= MOST_BALANCED else {}

    @property
    def figure(self) -> Column | None:
        """Return the first column of numbers, if all cards have one."""
        figures = (each for each in (*self.roles.corners, *self.roles.stats) if each.is_figure)
        figure = next(figures, None)
        return figure if figure is not None and figure.is_full else None

    @property
    def copies(self) -> int:
        """Return all cards, each counted as often as it is printed."""
        copies = self.roles.copies
        return self.rows if copies is None else sum(1 if each is None else each for each in copies.values)


def deck_entry(deck: TableDeck) -> dict[str, Any]:
    """Return a component's entry in game.yaml."""
    entry: dict[str, Any] = {"title": deck.title, "kind": deck.kind}
    if deck.shape != "rectangle":
        entry["shape"] = deck.shape
    entry |= {"trim": deck.trim, "data": deck.data}
    if deck.renamed:
        entry["columns"] = {column.header: column.field for column in deck.renamed}
    if deck.numbers:
        entry["numbers"] = deck.numbers
    if deck.markup:
        entry["markup"] = dict(deck.markup)
    back = "back.svg" if deck.id == "cards" else f"{deck.stem}-back.svg"
    faces = deck.faces
    face = faces[""] if deck.by is None else {"by": deck.by.field, "of": faces}
    return {**entry, "schema": f"{deck.id}.schema.json", "face": face, "back": back}


def deck_files(game: str, title: str, deck: TableDeck) -> dict[str, str]:
    """Return the texts of a component's files by their places in the project of a game, except the table
    and its pictures."""
    entry = deck_entry(deck)
    return {
        f"schemas/{game}/{entry['schema']}": _schema(deck),
        **{
            f"templates/{game}/{file}": face_svg(deck.roles_of(word), deck.design, deck.roles)
            for word, file in deck.faces.items()
        },
        f"templates/{game}/{entry['back']}": back_svg(deck.design, title),
        f"templates/{game}/{deck.look}-scenes.svg": scenes_svg(deck.look),
    }


def game_files(name: str, title: str, decks: Sequence[TableDeck]) -> dict[str, str]:
    """Return the texts of a new game's files by their places in its project: without the components, and
    without their entries in game.yaml."""
    values = {"name": name, "title": title, "decks": decks}
    return {
        f"data/{name}/game.yaml": starter_text("game.yaml", **values),
        f"data/{name}/rules.yaml": starter_text("rules.yaml", **values),
        "README.md": starter_text("README.md", **values),
        "output/.gitignore": "*\n!.gitignore\n",
    }


def trim_name(roles: Roles, look: str) -> str:
    """Return the smallest size at which the texts of most cards fit in small type; the first size if there
    are no texts."""
    texts = [*roles.texts, *filter(None, (roles.flavour,))]
    if not texts:
        return next(iter(SIZES))
    for name, size in SIZES.items():
        face = Face(roles, Design(look, size, BLEED))
        want = [
            sum(height_of(str(text), face.width, 8) + 1.6 for text in card if text is not None)
            for card in zip(*(column.values for column in texts), strict=True)
        ]
        heads = 4.4 * len(roles.texts) if len(roles.texts) > 1 else 0
        if usual(want) + heads <= face.end - face.text_top:
            return name
    return name


def picture_size(deck: TableDeck) -> Size:
    """Return the size of pictures on a deck's cards, mm."""
    return Face(deck.roles, deck.design).picture.size


def _schema(deck: TableDeck) -> str:
    cards = [
        {column.field: column.values[row] for column in deck.columns if column.values[row] is not None}
        for row in range(deck.rows)
    ]
    listed = list_schema(cards, ENGINE)
    for column in deck.roles.rest:
        listed["items"]["properties"][column.field]["printed"] = False
    whole = file_schema(deck.title, {deck.id: listed}, False)
    return f"{written(whole)}\n"


CARD = {"$ref": "../card.schema.json"}
"""The keys that every card may have, as a game's schema in its own folder names them."""
OFTEN = 3
"""A new value that occurs this often is no slip."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def list_schema(cards: Sequence[Mapping[str, Any]], engine: Collection[str]) -> dict[str, Any]:
    """Return the schema of a list of cards: the `engine`'s own keys, and the other keys of the data."""
    own = [{key: value for key, value in card.items() if key not in engine} for card in cards]
    shape = of_mappings(own)
    item: dict[str, Any] = {"allOf": [CARD]}
    if "required" in shape:
        item["required"] = shape["required"]
    item["unevaluatedProperties"] = False
    item["properties"] = shape.get("properties", {})
    if "properties" not in shape:
        del item["unevaluatedProperties"]
    return {"type": "array", "items": item}


def file_schema(title: str, lists: Mapping[str, Any], others: bool) -> dict[str, Any]:
    """Return the schema of a data file with these lists, by their names; `others` is True if the file has
    more keys."""
    whole: dict[str, Any] = {"$schema": DIALECT, "title": title, "type": "object", "required": list(lists)}
    if not others:
        whole["additionalProperties"] = False
    return {**whole, "properties": dict(lists)}


@dataclass(slots=True)
class Growing:
    """A schema file that grows. `said` has a line for each addition, `unsure` one for each change that was
    skipped because it looks like a slip."""

    text: str
    content: Any
    said: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)

    def take(
        self, name: str, cards: Sequence[Mapping[str, Any]], known: Collection[str], engine: Collection[str]
    ) -> None:
        """Add all keys and choices of the cards in the file's list `name` to the schema. `known` are the
        keys that it already has anywhere, including the `engine`'s own."""
        item = self._resolved(("properties", name, "items"))
        if item is not None and isinstance(self._at(item), dict):
            self._extend(item, name, cards, known, 0)
        elif self._at(("properties",)) is None:
            self._add((), {"properties": {name: list_schema(cards, engine)}})
            self.said.append(f"{name}: a list of cards")
        elif self._at(("properties", name)) is None:
            self._add(("properties",), {name: list_schema(cards, engine)})
            self.said.append(f"{name}: a list of cards")

    def _extend(
        self,
        pointer: Pointer,
        name: str,
        values: Sequence[Mapping[str, Any]],
        known: Collection[str],
        depth: int,
    ) -> None:
        found: dict[str, list[Any]] = {}
        for value in values:
            for key, item in value.items():
                found.setdefault(str(key), []).append(item)
        own = self._properties(pointer)
        new = {}
        for key, items in found.items():
            path = f"{name}.{key}"
            if key in own:
                self._enter((*pointer, "properties", key), path, items, depth + 1)
            elif key not in known and (near := _slip(key, known, len(items), len(values))):
                self.unsure.append(f"{path}: not added, it looks like '{near}'")
            elif key not in known:
                new[key] = described(key, items)
                self.said.append(f"{path}: {_in_words(new[key])}")
        if not new:
            return
        if own or self._at((*pointer, "properties")) is not None:
            self._add((*pointer, "properties"), new)
        else:
            self._add(pointer, {"properties": new})
        must = [key for key in new if len(found[key]) == len(values)]
        if must and isinstance(self._at((*pointer, "required")), list):
            self._add((*pointer, "required"), must)
        elif must and self._at((*pointer, "required")) is None:
            self._add(pointer, {"required": must})

    def _enter(self, pointer: Pointer, path: str, values: Sequence[Any], depth: int) -> None:
        """Add the content of a field that the schema has: choices, and fields of its own."""
        place = self._resolved(pointer)
        schema = None if place is None or depth > DEEPEST else self._at(place)
        if place is None or not isinstance(schema, dict):
            return
        if isinstance(schema.get("enum"), list):
            self._choices(place, path, schema["enum"], values)
        mappings = [value for value in values if isinstance(value, dict)]
        if mappings and isinstance(schema.get("properties"), dict) and not _leads_elsewhere(schema):
            self._extend(place, path, mappings, (), depth)
        items = [item for value in values if isinstance(value, list) for item in value]
        if items and isinstance(schema.get("items"), dict):
            self._enter((*place, "items"), f"{path}[]", items, depth + 1)

    def _choices(self, place: Pointer, path: str, choices: Sequence[Any], values: Sequence[Any]) -> None:
        new = [
            value
            for value in dict.fromkeys(each for each in values if isinstance(each, str))
            if value and value not in choices
        ]
        texts = [each for each in choices if isinstance(each, str)]
        often = Counter(each for each in values if isinstance(each, str))
        slips = {
            value: near
            for value in new
            if often[value] < OFTEN and (near := did_you_mean(value, texts)) is not None
        }
        for value, near in slips.items():
            self.unsure.append(f"{path}: '{value}' not added, {near}")
        good = [value for value in new if value not in slips]
        if good:
            self._add((*place, "enum"), good)
            shown = ", ".join(f"'{value}'" for value in good)
            self.said.append(f"{path}: may be {shown}")

    def _properties(self, pointer: Pointer) -> Mapping[str, Any]:
        found = self._at((*pointer, "properties"))
        return found if isinstance(found, dict) else {}

    def _resolved(self, pointer: Pointer) -> Pointer | None:
        """Return the place itself, or the one in the file that it only refers to."""
        for _ in range(DEEPEST):
            schema = self._at(pointer)
            ref = schema.get("$ref") if isinstance(schema, dict) and "properties" not in schema else None
            if not isinstance(ref, str):
                return pointer
            if not ref.startswith("#/"):
                return None
            pointer = tuple(part.replace("~1", "/").replace("~0", "~") for part in ref[2:].split("/"))
        return None

    def _at(self, pointer: Pointer) -> Any:
        value = self.content
        for step in pointer:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def _add(self, pointer: Pointer, entries: dict[str, Any] | list[Any]) -> None:
        self.text = added(self.text, pointer, entries)
        value = self._at(pointer)
        if isinstance(entries, dict):
            value.update(entries)
        else:
            value.extend(entries)


def _leads_elsewhere(schema: Mapping[str, Any]) -> bool:
    return any(word in schema for word in ("$ref", "allOf", "anyOf", "oneOf", "if"))


def _slip(key: str, known: Collection[str], times: int, of: int) -> str | None:
    """Return the known key that a rare unknown one probably misspells."""
    if 4 * times > of:
        return None
    return nearest(key, known, 0.75)


def _in_words(shape: Mapping[str, Any]) -> str:
    if "enum" in shape:
        return f"one of {', '.join(map(str, shape['enum']))}"
    words = {"integer": "a whole number", "number": "a number", "boolean": "yes or no", "string": "text"}
    words |= {"array": "a list", "object": "fields of its own"}
    kind = shape.get("type")
    return words.get(kind, "anything") if isinstance(kind, str) else "anything"


WIDTH = 108
"""Characters of a line beyond which a list or mapping is written one entry a line."""

Pointer = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")


def written(value: Any, indent: int = 0, taken: int = 0) -> str:
    """Return a value as JSON, lines after the first indented by `indent`; `taken` is the number of
    characters before it on its line."""
    line = _on_one_line(value)
    if not isinstance(value, dict | list) or not value or len(line) + indent + taken <= WIDTH:
        return line
    pad = " " * (indent + 2)
    entries = []
    if isinstance(value, dict):
        for key, item in value.items():
            name = json.dumps(str(key), ensure_ascii=False)
            entries.append(f"{pad}{name}: {written(item, indent + 2, len(name) + 3)}")
        return "{\n" + ",\n".join(entries) + "\n" + " " * indent + "}"
    entries = [f"{pad}{written(item, indent + 2, 1)}" for item in value]
    return "[\n" + ",\n".join(entries) + "\n" + " " * indent + "]"


def _on_one_line(value: Any) -> str:
    if isinstance(value, dict) and value:
        inside = ", ".join(
            f"{json.dumps(str(key), ensure_ascii=False)}: {_on_one_line(item)}"
            for key, item in value.items()
        )
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_on_one_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def added(text: str, pointer: Pointer, entries: Sequence[Any] | dict[str, Any]) -> str:
    """Return the text of a JSON file with entries added at the end of the mapping (or list) at a pointer,
    in the style of its others. The other bytes don't change."""
    start, end = _spans(text)[pointer]
    inside = text[start + 1 : end - 1]
    parts = (
        [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in entries.items()]
        if isinstance(entries, dict)
        else [("", item) for item in entries]
    )
    if not parts:
        return text
    empty = not inside.strip()
    newline = "\r\n" if "\r\n" in text else "\n"
    last = end - 1 - (len(inside) - len(inside.rstrip()))
    if "\n" in inside and not empty:
        line = text.rindex("\n", start, last) + 1
        head = text.find("\n", start, last) + 1
        pad = re.match(r"[ \t]*", text[head or line :])
        room = pad.group() if pad else ""
        depth = len(room.expandtabs(2))
        new = "".join(f",\n{room}{name}{written(item, depth, len(name) + 1)}" for name, item in parts)
        return text[:last] + new.replace("\n", newline) + text[last:]
    new = ", ".join(name + _on_one_line(item) for name, item in parts)
    if empty:
        new = f"{{ {new} }}" if text[start] == "{" else f"[{new}]"
        return text[:start] + new + text[end:]
    return f"{text[:last]}, {new}{text[last:]}"


def _spans(text: str) -> dict[Pointer, tuple[int, int]]:
    """Return the start and end of each value of a valid JSON text."""
    found: dict[Pointer, tuple[int, int]] = {}
    _span(text, _space(text, 1 if text.startswith("\ufeff") else 0), (), found)
    return found


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _span(text: str, at: int, pointer: Pointer, found: dict[Pointer, tuple[int, int]]) -> int:
    start = at
    if text[at] in "{[":
        mapping, index = text[at] == "{", 0
        at = _space(text, at + 1)
        while text[at] not in "}]":
            key: str | int = index
            if mapping:
                key, at = scanstring(text, at + 1)
                at = _space(text, _space(text, at) + 1)
            at = _space(text, _span(text, at, (*pointer, key), found))
            at, index = _space(text, at + 1) if text[at] == "," else at, index + 1
        at += 1
    elif text[at] == '"':
        at = scanstring(text, at + 1)[1]
    else:
        scalar = _SCALAR.match(text, at)
        assert scalar is not None
        at = scalar.end()
    found[pointer] = (start, at)
    return at
