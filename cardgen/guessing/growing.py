"""A schema that is there, and data that have outgrown it: what is to be added to its text, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.findings import did_you_mean, nearest
from cardgen.guessing.json_text import Pointer, added
from cardgen.guessing.shapes import DEEPEST, described, of_mappings

CARD = {"$ref": "../card.schema.json"}
"""The keys that every card may have, as a game's schema in its own folder names them."""
OFTEN = 3
"""A choice that is not there, but so often, is no slip."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def list_schema(cards: Sequence[Mapping[str, Any]], engine: Collection[str]) -> dict[str, Any]:
    """The schema of a list of cards: the `engine`'s own keys, and those that the data have besides."""
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
    """The schema of a data file with these lists, by their names; `others` says that it has more in it."""
    whole: dict[str, Any] = {"$schema": DIALECT, "title": title, "type": "object", "required": list(lists)}
    if not others:
        whole["additionalProperties"] = False
    return {**whole, "properties": dict(lists)}


@dataclass(slots=True)
class Growing:
    """The text of a schema file that is added to. `said` tells each addition in a line, `unsure` what was
    left as it is because it looks like a slip."""

    text: str
    content: Any
    said: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)

    def take(
        self, name: str, cards: Sequence[Mapping[str, Any]], known: Collection[str], engine: Collection[str]
    ) -> None:
        """Have the schema know all keys and choices of the cards in the file's list `name`. `known` are the
        keys that it knows already, wherever it says so; the `engine`'s own are among them."""
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
        """What is inside a field that the schema has: choices, and fields of its own."""
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
        """The place itself, or the one in the file that it only refers to."""
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
    """A known key that a rare unknown one is probably meant to be."""
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
