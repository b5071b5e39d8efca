"""Pages about the project's files, made from the engine's own schemas: a table of keys for each mapping."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Schema = Mapping[str, Any]

PAGES = {
    "game": ("game.yaml", "What stands in a game's main file, `data/GAME/game.yaml`."),
    "card": ("A card's own keys", "What every card, board or token may say, whatever its game."),
    "box": (
        "What a box says",
        "What the kit of `templates/_shared/box.svg` prints. How boxes work: [Boxes](../boxes.md).",
    ),
    "sheet": ("Sheet layouts", "How cards lie on paper: a file a layout, `data/sheets/NAME.yaml`."),
    "rules": (
        "rules.yaml",
        "What stands in `data/GAME/rules.yaml`. How rules are written: [Rules](../rules.md).",
    ),
    "keywords": (
        "Keyword tables",
        "The words that effects are written in. How they work: [Effects](../effects.md).",
    ),
    "table": (
        "table.yaml",
        "Where everything lies when a game begins. How it works: [The table](../table.md).",
    ),
    "deck-list": ("Deck lists", "A deck as YAML. How deck lists work: [Deck lists](../decks.md)."),
    "sizes": ("Card sizes", "Finished sizes by name, `data/sizes.yaml`."),
    "papers": ("Papers", "Papers by the name that `--paper` takes, `data/papers.yaml`."),
    "project": (
        "cardgen.yaml",
        "Defaults of a project, `cardgen.yaml` in its folder. "
        "See [projects](../projects.md#defaults) and [strangers' games](../ci.md#games-of-strangers).",
    ),
    "fonts": ("fonts.yaml", "The families that templates may name, `fonts/fonts.yaml`."),
    "service": (
        "Print services",
        "What a service prints, `data/services/NAME.yaml`. See [Exports](../exports.md).",
    ),
}
"""The schemas that have a page, `schemas/NAME.schema.json`, each with its heading and what the file is."""

_SPOKEN = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "nothing",
    "object": "a mapping",
    "array": "a list",
}
_SPOKEN_MESSAGES = {
    "text that can be seen": "text",
    "an id: lower-case words or numbers joined by -": "an id such as `night-owl`",
    "a length such as 63.5mm, 2.5in or 8pt": "a length such as `63.5mm`",
}
"""What messages about wrong values say at length, and is said too often on a page."""
_MOST_WORDS = 10
"""Named values of a list that stand in a table's cell; more would make it unreadable."""


@dataclass(slots=True)
class Section:
    """One mapping: where it stands, as `components.ID`, its keys, and what they are."""

    path: str
    about: str
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    """Key, value, meaning, as cells of a table."""


@dataclass(frozen=True, slots=True)
class Place:
    """A schema and the file it stands in, which its references start from."""

    schema: Schema
    file: str


class Reader:
    """Reads the schemas of a folder, whatever refers to whatever."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Schema] = {}

    def root(self, file: str) -> Place:
        if file not in self._files:
            self._files[file] = json.loads((self._folder / file).read_text(encoding="utf-8"))
        return Place(self._files[file], file)

    def followed(self, place: Place) -> Place:
        """The place with what it refers to; its own words come before those of what it refers to."""
        schema = place.schema
        parts = [schema["$ref"]] if "$ref" in schema else []
        parts += [
            part["$ref"]
            for part in schema.get("allOf", ())
            if set(part) == {"$ref"} and "$ref" not in schema
        ]
        if len(parts) != 1:
            return place
        file, _, pointer = parts[0].partition("#")
        target = self.root(file or place.file)
        inner: Any = target.schema
        for step in filter(None, pointer.split("/")):
            inner = inner[step.replace("~1", "/").replace("~0", "~")]
        found = self.followed(Place(inner, target.file))
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        return Place({**found.schema, **own}, found.file)

    def parts(self, place: Place) -> Iterator[Place]:
        """The schemas that a mapping must fit together: itself, and those of its `allOf`."""
        yield place
        for part in place.schema.get("allOf", ()):
            if "if" not in part:
                yield from self.parts(self.followed(Place(part, place.file)))


def page(reader: Reader, name: str, project: Path) -> str:
    """The page of one schema, as Markdown, with what cardgen brings of it in the project's `data/`."""
    title, about = PAGES[name]
    root = reader.root(f"{name}.schema.json")
    lines = [f"# {title}", "", about, ""]
    sections = list(_sections(reader, root))
    for section in sections:
        if section.path:
            lines += [f"## {section.path} {{ #{_anchor(section.path)} }}", ""]
            if section.about:
                lines += [section.about, ""]
        lines += ["| key | value | what it is |", "|---|---|---|"]
        lines += [f"| {key} | {value} | {meaning} |" for key, value, meaning in section.rows]
        lines.append("")
    brought = {"sizes": _measures, "papers": _measures, "sheet": _layouts}.get(name)
    return "\n".join([*lines, *(brought(project / "data", name) if brought else [])])


def _measures(data: Path, name: str) -> Iterator[str]:
    """The table of the sizes, or papers, that come with cardgen."""
    yield from ("## What comes with cardgen", "", "| name | | width × height |", "|---|---|---|")
    entries = yaml.safe_load((data / f"{name}.yaml").read_text(encoding="utf-8"))[name]
    for key, entry in entries.items():
        yield f"| `{key}` | {_escaped(entry['title'])} | {entry['width']} × {entry['height']} |"


def _layouts(data: Path, _: str) -> Iterator[str]:
    """The table of the layouts that come with cardgen, with all that each of them says."""
    yield from ("## What comes with cardgen", "", "| name | what it is for | it says |", "|---|---|---|")
    for path in sorted((data / "sheets").glob("*.yaml")):
        entry = yaml.safe_load(path.read_text(encoding="utf-8"))
        title = _escaped(entry.pop("title"))
        said = ", ".join(f"`{key}: {_yaml(value)}`" for key, value in entry.items())
        yield f"| `{path.stem}` | {title} | {said} |"


def _sections(reader: Reader, root: Place) -> Iterator[Section]:
    """Every mapping with stated keys, the outermost first; one that several keys share comes once."""
    waiting = [("", root), *_kinds(reader, root)]
    seen: dict[int, str] = {}
    while waiting:
        path, place = waiting.pop(0)
        section = Section(path, _prose(place.schema.get("description", "")) if path else "")
        inner: list[tuple[str, Place]] = []
        for part in reader.parts(place):
            required = {*part.schema.get("required", ()), *place.schema.get("required", ())}
            for key, value in part.schema.get("properties", {}).items():
                found = reader.followed(Place(value, part.file))
                links = []
                for where, mapping in _mappings(reader, f"{path}.{key}".removeprefix("."), found):
                    keys = id(mapping.schema["properties"])
                    if keys not in seen:
                        seen[keys] = where
                        inner.append((where, mapping))
                    links.append(f"[{_escaped(seen[keys])}](#{_anchor(seen[keys])})")
                section.rows.append(_row(reader, key, found, key in required, links))
        waiting[:0] = inner
        if section.rows:
            yield section


def _kinds(reader: Reader, root: Place) -> Iterator[tuple[str, Place]]:
    """The keys that go with each kind of rule, which the schema chooses by conditions."""
    rule = root.schema.get("$defs", {}).get("rule", {})
    for part in rule.get("allOf", ()):
        kind = part["if"].get("properties", {}).get("kind", {}).get("const")
        if kind:
            yield f"kind {kind}", reader.followed(Place(part["then"], root.file))


def _mappings(reader: Reader, path: str, place: Place) -> Iterator[tuple[str, Place]]:
    """The mappings with stated keys that a value is, or holds, each with the path it stands at."""
    schema = place.schema
    if "properties" in schema or any("properties" in part.schema for part in reader.parts(place)):
        if "properties" not in schema:
            schema = next(part.schema for part in reader.parts(place) if "properties" in part.schema)
            place = Place(schema, place.file)
        yield path, place
        return
    more = schema.get("additionalProperties")
    if isinstance(more, Mapping):
        yield from _mappings(reader, f"{path}.NAME", reader.followed(Place(more, place.file)))
    if isinstance(items := schema.get("items"), Mapping):
        yield from _mappings(reader, f"{path}[]", reader.followed(Place(items, place.file)))
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _mappings(reader, path, reader.followed(Place(choice, place.file)))


def _row(reader: Reader, key: str, place: Place, required: bool, links: list[str]) -> tuple[str, str, str]:
    value = _value(reader, place)
    if "default" in place.schema:
        value += f"<br>left out: `{_yaml(place.schema['default'])}`"
    meaning = _prose(place.schema.get("description", ""))
    if links:
        meaning = f"{meaning} Keys: {', '.join(dict.fromkeys(links))}.".strip()
    return f"`{key}`" + ("<br>**needed**" if required else ""), value, meaning


def _value(reader: Reader, place: Place) -> str:
    """What may stand there, in words."""
    schema = place.schema
    if "const" in schema:
        return f"`{_yaml(schema['const'])}`"
    if "enum" in schema:
        values = [f"`{_yaml(value)}`" for value in schema["enum"]]
        return ", ".join(values[:_MOST_WORDS]) + (", …" if len(values) > _MOST_WORDS else "")
    if "if" in schema and "else" in schema and "type" not in schema:
        return _value(reader, reader.followed(Place(schema["else"], place.file))) + ", or chosen by a field"
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices and "properties" not in schema:
        told = [_value(reader, reader.followed(Place(choice, place.file))) for choice in choices]
        return " or ".join(dict.fromkeys(told))
    if message := schema.get("patternErrorMessage"):
        return _SPOKEN_MESSAGES.get(message, _escaped(message))
    kinds = schema.get("type", "object" if "properties" in schema else "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds == ["array"] and isinstance(schema.get("items"), Mapping):
        inner = _value(reader, reader.followed(Place(schema["items"], place.file)))
        exact = schema.get("minItems") == schema.get("maxItems") and schema.get("minItems")
        return f"a list of {exact}, each {inner}" if exact else f"a list, each {inner}"
    if kinds == ["object"] and isinstance(schema.get("additionalProperties"), Mapping):
        inner = _value(reader, reader.followed(Place(schema["additionalProperties"], place.file)))
        return f"a mapping, each value {inner}"
    if {"string", "number", "boolean"} == set(kinds):
        return "an [expression](../rules.md#expressions)"
    return " or ".join(_SPOKEN[kind] for kind in kinds) + (_bounds(schema) if len(kinds) == 1 else "")


def _bounds(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    if least is not None:
        return f", at least {least:,}"
    if most is not None:
        return f", at most {most:,}"
    return f" of at most {schema['maxLength']:,} letters" if "maxLength" in schema else ""


def _yaml(value: Any) -> str:
    """A value as a YAML file would have it on one line."""
    if isinstance(value, str):
        return value or "''"
    return json.dumps(value, ensure_ascii=False)


def _prose(text: str) -> str:
    """A description with its mentions of documents as links."""
    text = re.sub(r"\bdocs/([\w-]+)\.md\b", r"\0\1\0", text)
    return re.sub("\0([^\0]*)\0", r"[\1](../\1.md)", _escaped(text))


def _escaped(text: str) -> str:
    """Text in a cell of a table, where no sign of it means anything but itself; code stays code."""
    pieces = text.split("`")
    plain = [
        re.sub(r"[\\*_<>|\[\]#~]", lambda match: f"&#{ord(match[0])};", piece) for piece in pieces[::2]
    ]
    code = [piece.replace("|", "&#124;") for piece in pieces[1::2]]
    whole = [plain[0]]
    for inner, after in zip(code, plain[1:]):
        whole += [f"`{inner}`", after]
    return "".join(whole).replace("\n", " ")


def _anchor(path: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")
