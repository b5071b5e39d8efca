"""Values to the JSON Schema that they look like they were written by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.storage.names import spellings

MOST_CHOICES = 12
LONGEST_CHOICE = 24
"""Texts are choices if there are few, short ones, and each comes twice on average."""
MOST_FIELDS = 500
DEEPEST = 20
"""What is nested deeper, or has more fields, may be anything."""

PICTURE = re.compile(r"(?i)[^\\:*?\"<>|{}%#/.][^\\:*?\"<>|{}%#]{0,200}\.(png|jpe?g|svg|webp|tiff?)")
"""The name of a picture's file in a folder, or in one below it."""
_DATE = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
"""A day, as cells that hold one are read."""
TRUTHS = frozenset(
    "true false yes no y n on off ja nein wahr falsch oui non vrai faux si sí vero falso".split()  # noqa: SIM905
)
"""Words that say yes or no."""
_WORDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}

Shape = dict[str, Any]


def shape_of(values: Sequence[Any], depth: int = 0) -> Shape:
    """A schema that all values fit; {} where they have nothing in common."""
    kinds = {_WORDS.get(type(value), "null" if value is None else "") for value in values}
    if not kinds or "" in kinds or depth > DEEPEST:
        return {}
    if kinds == {"string"}:
        return _of_texts(values)
    if kinds <= {"integer", "number"}:
        return _of_numbers(values, kinds)
    if kinds == {"array"}:
        inside = shape_of([item for value in values for item in value], depth + 1)
        return {"type": "array", "items": inside} if inside else {"type": "array"}
    if kinds == {"object"}:
        return of_mappings(values, depth)
    if {"integer", "number"} <= kinds:
        kinds -= {"integer"}
    return {"type": sorted(kinds)} if len(kinds) > 1 else {"type": kinds.pop()}


def of_mappings(values: Sequence[Mapping[str, Any]], depth: int = 0) -> Shape:
    """As `shape_of`, for mappings: the keys that they have, required where all have them, and no others."""
    found: dict[str, list[Any]] = {}
    for value in values:
        for key, item in value.items():
            found.setdefault(str(key), []).append(item)
    if len(found) > MOST_FIELDS:
        return {"type": "object"}
    shape: Shape = {"type": "object"}
    required = [key for key, items in found.items() if len(items) == len(values)]
    if required:
        shape["required"] = required
    shape["additionalProperties"] = False
    shape["properties"] = {key: described(key, items, depth + 1) for key, items in found.items()}
    return shape


def described(key: str, values: Sequence[Any], depth: int = 0) -> Shape:
    """The shape of a field's values, with what editors show of it, and whether it is translated."""
    shape = shape_of(values, depth)
    if holds_persons(key):
        shape = _without_translation(shape)
    about: Shape = {"description": _about(key, values, shape)}
    if _is_prose(key, values, shape):
        about["translate"] = True
    return {**about, **shape}


def are_pictures(values: Sequence[Any]) -> bool:
    """Whether all values are names of files with pictures."""
    return bool(values) and all(isinstance(each, str) and is_picture(each) for each in values)


def is_picture(name: str) -> bool:
    """Whether a text is the name of a picture's file that leads nowhere else."""
    path = picture_path(name)
    return PICTURE.fullmatch(path) is not None and path.isprintable() and ".." not in path.split("/")


def picture_path(name: str) -> str:
    """Return the path that a link means: `./a%20b.png` and `.\\a b.png` are `a b.png`."""
    return spellings(name)[-1].removeprefix("./")


def are_choices(values: Sequence[Any]) -> bool:
    """Whether texts are a few words that come again and again."""
    distinct = dict.fromkeys(values)
    return (
        2 <= len(distinct) <= MOST_CHOICES
        and len(values) >= 2 * len(distinct)
        and all(
            isinstance(each, str) and 0 < len(each) <= LONGEST_CHOICE and each.isprintable()
            for each in distinct
        )
    )


def are_truths(values: Sequence[Any]) -> bool:
    """Whether texts say yes and no, in two words."""
    distinct = set(values)
    return len(distinct) == 2 and all(str(each).casefold() in TRUTHS for each in distinct)


def _of_texts(values: Sequence[str]) -> Shape:
    if all(map(_DATE.fullmatch, values)):
        return {"type": "string", "format": "date"}
    if (are_choices(values) and not are_pictures(values)) or are_truths(values):
        return {"enum": list(dict.fromkeys(values))}
    return {"type": "string", "minLength": 1} if all(values) else {"type": "string"}


def _of_numbers(values: Sequence[float], kinds: set[str]) -> Shape:
    shape: Shape = {"type": "integer" if kinds == {"integer"} else "number"}
    if all(value >= 0 for value in values):
        shape["minimum"] = 0
    return shape


PERSONS = frozenset(
    (
        *("artist", "artists", "author", "authors", "illustrator", "illustrators", "photographer"),
        *("designer", "painter", "credit", "credits", "copyright", "creator"),
        *("künstler", "künstlerin", "autor", "autorin", "zeichner", "zeichnerin", "illustratorin"),
        *("fotograf", "fotografin", "gestalter", "urheber"),
        *("artiste", "auteur", "illustrateur", "photographe", "artista", "autora", "ilustrador"),
    )
)
"""Words in the name of a field that holds names of persons."""


_MADE = frozenset(
    (
        *("art", "created", "designed", "drawn", "illustrated", "painted", "photo", "photographed"),
        *("written", "gezeichnet", "illustriert"),
    )
)
"""Words before "by" in the name of such a field."""
_WORD = re.compile(r"[^\W_]+?(?=[A-Z][a-z]|[\W_]|$)")


def holds_persons(key: str) -> bool:
    """Return whether a field's name says that it holds names of persons: `illustrator`, `art_credits`,
    `artistName`, `illustrated_by`."""
    words = [word.casefold() for word in _WORD.findall(key)]
    return not PERSONS.isdisjoint(words) or (
        words[-1:] in (["by"], ["von"]) and not _MADE.isdisjoint(words)
    )


def _without_translation(shape: Shape) -> Shape:
    """Return a shape of which nothing is translated."""
    return {
        key: _without_translation(value) if isinstance(value, dict) else value
        for key, value in shape.items()
        if key != "translate" or value is not True
    }


def _is_prose(key: str, values: Sequence[Any], shape: Shape) -> bool:
    """Return whether there are words to translate: not names of files or persons, codes, or choices."""
    if shape.get("type") != "string" or are_pictures(values) or holds_persons(key):
        return False
    return key in ("title", "name", "text") or any(" " in value.strip() for value in values)


def _about(key: str, values: Sequence[Any], shape: Shape) -> str:
    words = re.sub(r"[_\W]+", " ", key).strip() or key
    name = words[:1].upper() + words[1:80]
    if are_pictures(values):
        return f"{name}: a picture, by the name of its file."
    if "enum" in shape:
        return f"{name}: one of these."
    if "format" in shape:
        return f"{name}: a date, such as {values[0]}."
    if isinstance(shape.get("type"), str) and shape["type"] in _SAID:
        return f"{name}: {_SAID[shape['type']]}"
    if any(isinstance(each, str) and len(each) > 2 * LONGEST_CHOICE for each in values):
        return f"{name}. **bold**, *italic*, :icon:, lists."
    return f"{name}."


_SAID = {
    "integer": "a whole number.",
    "number": "a number.",
    "boolean": "yes or no.",
    "array": "a list.",
}
