"""Write a game's card reference as Markdown: its fields, tables, cards and rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from cardgen.core.game import Card, Component, Game
from cardgen.core.records import dataclass

FILE_NAME = "GAME_CARDS.md"
_BASE = ("id", "copies", "trim", "turned", "face", "back")
"""Keys that every card may have; the reference lists those that some card of the component has."""
MOST_VALUES = 40
"""Most values of a field that are listed one by one if the cards don't repeat them."""
MOST_NAMED = 12
"""Most values of a field listed next to it; the section of identifiers in use lists all of them."""
LONGEST, WIDTH = 400, 120
"""Most characters of a table's line, and of a line of a list."""
_LIKE_AN_ENTRY = re.compile(r"^(\s*)([-+*#>]|\d+[.)])(?=\s)")
BESIDE, ROOM = 32, 120
"""Most characters of a value in a column of its own, and of all such columns. The other fields share a last
column, so that the table is narrow enough to read."""
MOST_FIELDS, MOST_LISTED, MOST_COLUMNS = 500, 1_000, 200
"""Most fields of a component, values of a field and columns of cards in a reference. Each takes a search of
every card, and nobody reads more; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The content of the game's files beyond the finished game: by component, the schema file, its
    description and the schema of one card; the content of the rules file, or nothing."""

    schema_files: Mapping[str, str]
    descriptions: Mapping[str, str]
    schemas: Mapping[str, Any]
    rules: Mapping[str, Any]
    results: Mapping[str, str]
    """The outcome of each rule, in words, by its id."""


def reference_document(game: Game, sources: Sources) -> str:
    """Return the reference of a game as Markdown, with a final newline."""
    command = f"cardgen reference {game.id}"
    command += f" --language {game.language}" if game.words is not None else ""
    parts = [
        f"# {game.title}: card reference",
        f"Version {game.version}. Made by `{command}` from the game's data, schemas and "
        "rules: change those, then run it again.",
        *_overview(game, sources),
        *_rules(game, sources),
    ]
    tables = list(data_tables(game.tables))
    if tables:
        parts += ["## Tables", *tables]
    for component in game.components:
        if component.cards:
            parts += _component(component, sources)
    return "\n\n".join(parts) + "\n"


def _overview(game: Game, sources: Sources) -> Iterator[str]:
    yield "## What there is"
    rows = []
    for component in game.components:
        if component.book is not None:
            files = code(component.book.file)
        else:
            files = ", ".join(code(file) for file in dict.fromkeys(card.file for card in component.cards))
        schema = sources.schema_files.get(component.id)
        rows.append(
            (
                code(component.id),
                component.title,
                component.kind,
                str(component.trim) if component.trim else "several sizes",
                component.unique,
                component.copies,
                files,
                code(schema) if schema else "",
            )
        )
    head = ("component", "title", "kind", "size", "distinct", "printed", "data", "schema")
    yield table(head, rows, ("distinct", "printed"))
    least, most = game.players
    players = f"{least} players" if least == most else f"{least} to {most} players"
    yield f"For {players}; *printed* counts enough for {game.player_count or most}."


def _rules(game: Game, sources: Sources) -> Iterator[str]:
    entries = sources.rules.get("rules") or ()
    if not entries:
        return
    yield "## Deck building and coverage"
    yield (
        f"What `cardgen check {game.id}` asks of the cards, from {code(game.rules)}: what there "
        "*should be*, and what there *is*."
    )
    rows = []
    for entry in entries:
        where = entry.get("component") or entry.get("components") or ""
        verdict = "measure" if entry.get("report") else entry.get("severity", "error")
        question = str(entry.get("question", ""))
        why = entry.get("why")
        of = shown(where)
        rows.append(
            (
                f"{code(entry.get('id', ''))}\n{entry.get('kind', '')}" + (f" of {of}" if of else ""),
                question + (f"\n*{' '.join(str(why).split())}*" if why else ""),
                demand(entry) + (f" ({verdict})" if verdict not in ("error", "measure") else ""),
                sources.results.get(str(entry.get("id", "")), ""),
            )
        )
    yield table(("rule", "question", "should be", "is"), rows)


def _component(component: Component, sources: Sources) -> Iterator[str]:
    cards = component.cards
    used = {key for card in cards for key in card.fields}
    every = [
        field
        for field in fields_of(sources.schemas.get(component.id))
        if field.path[0] not in _BASE or field.path[0] in used
    ]
    fields = every[:MOST_FIELDS]
    yield f"## {component.title}"
    count = f"{component.unique} distinct, {component.copies} printed"
    description = sources.descriptions.get(component.id, "")
    yield f"{description} {count}.".strip() if description else f"{count}."
    if fields:
        yield f"### {component.title}: fields"
        yield table(("field", "kind", "meaning", "limits"), map(_field_row, fields))
        if len(every) > len(fields):
            yield f"{len(every) - len(fields):,} more fields are left out."
        yield from _identifiers(component, fields)
    yield f"### {component.title}: cards"
    yield _cards(cards, fields)


def _field_row(field: Field) -> Sequence[Any]:
    limits = list(field.limits)
    if field.values:
        limits.insert(0, ", ".join(code(value) for value in _listed(field)))
    kind = field.kind if field.required else f"{field.kind}, may be left out"
    return (code(field.name), kind, field.description, "; ".join(limits))


def _listed(field: Field) -> list[str]:
    """Return the values of a field in words, the first of very many."""
    values = [shown(value) for value in field.values[:MOST_NAMED]]
    more = len(field.values) - len(values)
    return [*values, f"… {more:,} more"] if more else values


def _identifiers(component: Component, fields: Sequence[Field]) -> Iterator[str]:
    """Return the number of cards with each value, for each field with a list of values."""
    blocks = []
    for field in fields:
        if not field.values:
            continue
        distinct: Counter[str] = Counter()
        printed: Counter[str] = Counter()
        for card in component.cards:
            for value in {shown(each) for each in values_at(card.fields, field.path)}:
                distinct[value] += 1
                printed[value] += card.copies
        values = [shown(value) for value in field.values]
        if len(values) > MOST_VALUES and max(distinct.values(), default=0) <= 1:
            unused = [value for value in values if not distinct[value]]
            text = f"{len(values)} values, no two cards alike"
            more = f" and {len(unused) - MOST_LISTED:,} more" if len(unused) > MOST_LISTED else ""
            listed = ", ".join(map(code, unused[:MOST_LISTED]))
            text += f"; unused: {listed}{more}." if unused else ", all in use."
            blocks.append(f"{code(field.name)}: {text}")
            continue
        rows = [(code(value), distinct[value], printed[value]) for value in values[:MOST_LISTED]]
        blocks.append(table((field.name, "cards", "printed"), rows, ("cards", "printed")))
        if len(values) > MOST_LISTED:
            blocks.append(f"{len(values) - MOST_LISTED:,} more values are left out.")
    if blocks:
        yield f"### {component.title}: identifiers in use"
        yield from blocks


def _columns(cards: Sequence[Card], keys: Sequence[str]) -> list[str]:
    """Return the fields that have columns of their own: short ones that fit."""
    found, room = [], ROOM
    for key in keys:
        texts = [shown(card.fields.get(key)) for card in cards]
        width = max(len(key), *map(len, texts))
        if width <= min(BESIDE, room) and not any("\n" in text for text in texts):
            found.append(key)
            room -= width
    return found


def _cards(cards: Sequence[Card], fields: Sequence[Field]) -> str:
    known = dict.fromkeys(field.path[0] for field in fields)
    used = dict.fromkeys(key for card in cards for key in card.fields)
    every = [key for key in known if key in used] + [key for key in used if key not in known]
    every = [key for key in every if key not in ("id", "copies")]
    keys = every[:MOST_COLUMNS]
    beside = _columns(cards, keys)
    below = [key for key in keys if key not in beside]
    rows = []
    for card in cards:
        more_of = [f"*{key}:* {shown(card.fields[key])}" for key in below if shown(card.fields.get(key))]
        last = ("\n".join(more_of),) if below else ()
        rows.append((card.number, code(card.id), card.copies, *map(card.fields.get, beside), *last))
    head = ("#", "id", "printed", *beside, *(("further",) if below else ()))
    text = table(head, rows, ("#", "printed"))
    more = len(every) - len(keys)
    return f"{text}\n\n{more:,} more columns are left out." if more else text


_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "mapping",
    "null": "empty",
}
MOST_DEPTH = 4
"""The depth to which mappings within mappings are followed."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field by its path, such as ("requires", "type"); `listed` is True if a card has a list of such
    values. `values` are those allowed, in the schema's order, if it lists them."""

    path: tuple[str, ...]
    kind: str
    description: str
    required: bool
    limits: tuple[str, ...]
    values: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        return ".".join(self.path).replace(".[]", "[]")


def fields_of(schema: Any) -> list[Field]:
    """Return the fields of a card, in the schema's order."""
    return list(_fields(schema, (), 0))


def _fields(schema: Any, path: tuple[str, ...], depth: int) -> Iterator[Field]:
    if not isinstance(schema, Mapping):
        return
    required: set[str] = set()
    properties: dict[str, Any] = {}
    for part in _parts(schema):
        required.update(part.get("required", ()))
        for name, value in (part.get("properties") or {}).items():
            properties.setdefault(name, value)
    for name, value in properties.items():
        if not isinstance(value, Mapping):
            continue
        here = (*path, name)
        items = _items(value)
        yield Field(
            here,
            _kind(value),
            str(value.get("description", "")),
            name in required,
            tuple(_limits(value)),
            _values(items if items is not None else value),
        )
        inner = items if items is not None else value
        if depth < MOST_DEPTH and any("properties" in part for part in _parts(inner)):
            below = (*here, "[]") if items is not None else here
            yield from _fields(inner, below, depth + 1)


def _parts(schema: Any) -> list[Mapping[str, Any]]:
    """Return the schema and all that it includes by `allOf` or by conditions, since their fields belong to
    it."""
    if not isinstance(schema, Mapping):
        return []
    found: list[Mapping[str, Any]] = [schema]
    for part in schema.get("allOf", ()):
        found += _parts(part)
    return found


def _items(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    items = schema.get("items")
    return items if isinstance(items, Mapping) else None


def _values(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    for part in _parts(schema):
        if "enum" in part:
            return tuple(part["enum"])
        if "const" in part:
            return (part["const"],)
    return ()


def _kind(schema: Mapping[str, Any]) -> str:
    items = _items(schema)
    if items is not None:
        return f"list of {_plural(_kind(items))}"
    if _values(schema):
        return "one of a list"
    for part in _parts(schema):
        stated = part.get("type")
        if isinstance(stated, str):
            return _TYPES.get(stated, stated)
        if isinstance(stated, Sequence):
            return " or ".join(_TYPES.get(each, str(each)) for each in stated)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = dict.fromkeys(_kind(option) for option in schema[key] if isinstance(option, Mapping))
            return " or ".join(kinds)
    return "any"


def _plural(kind: str) -> str:
    if kind == "one of a list":
        return "values of a list"
    if kind == "text":
        return "texts"
    return kind if kind in ("any", "true or false") else f"{kind}s"


def _limits(schema: Mapping[str, Any]) -> Iterator[str]:
    for part in _parts(schema):
        if "minimum" in part and "maximum" in part:
            yield f"{part['minimum']} to {part['maximum']}"
        elif "minimum" in part:
            yield f"at least {part['minimum']}"
        elif "maximum" in part:
            yield f"at most {part['maximum']}"
        if "maxLength" in part:
            yield f"at most {part['maxLength']} characters"
        least, most = part.get("minItems"), part.get("maxItems")
        if least is not None and least == most:
            yield f"{least} of them"
        elif most is not None:
            yield f"{least or 0} to {most} of them"
        elif least:
            yield f"at least {least} of them"
        if part.get("uniqueItems"):
            yield "all different"
        if "patternErrorMessage" in part:
            yield str(part["patternErrorMessage"])
        if "default" in part:
            yield f"else {json.dumps(part['default'], ensure_ascii=False)}"


def values_at(data: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield the values of a card at a path, the items of a list one by one."""
    if not path:
        if isinstance(data, Sequence) and not isinstance(data, str):
            for item in data:
                yield from values_at(item, ())
        else:
            yield data
        return
    step, rest = path[0], path[1:]
    if step == "[]":
        for item in data if isinstance(data, Sequence) and not isinstance(data, str) else ():
            yield from values_at(item, rest)
    elif isinstance(data, Mapping) and step in data:
        yield from values_at(data[step], rest)


MOST_ROWS, MOST_DATA_COLUMNS, MOST_TABLES, MOST_WORDS = 100, 8, 60, 160
"""Most rows and columns of a table, tables in all, and characters of a cell; the rest is counted."""


def data_tables(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield a heading and a table for each list of records, and for the single values of each file."""
    parts = [(name, each) for name, content in tables.items() for each in _file_tables(name, content)]
    for _, text in parts[:MOST_TABLES]:
        yield text
    if len(parts) > MOST_TABLES:
        yield f"{len(parts) - MOST_TABLES:,} more tables are left out."


def _file_tables(name: str, content: Any) -> Iterator[str]:
    if _is_list(content):
        yield from _records(name, content)
    if not isinstance(content, Mapping):
        return
    if content and all(isinstance(value, Mapping) for value in content.values()):
        yield from _records(name, [{"": key, **value} for key, value in content.items()])
        return
    single = {key: value for key, value in content.items() if not _is_list(value)}
    if single:
        flat = list(_flat("", single))
        rows = [(code(key), _shortened(value)) for key, value in flat[:MOST_ROWS]]
        yield _titled_table(name, table(("figure", "is"), rows), len(flat))
    for key, value in content.items():
        if _is_list(value):
            yield from _records(f"{name}: {key}", value)


def _is_list(value: Any) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return listed and bool(value) and all(isinstance(item, Mapping) for item in value)


def _records(title: str, records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    keys = list(dict.fromkeys(str(key) for record in records for key in record))
    shown_keys = keys[:MOST_DATA_COLUMNS]
    numbers = [key for key in shown_keys if all(_is_number(record.get(key, 0)) for record in records)]
    rows = [[_shortened(record.get(key)) for key in shown_keys] for record in records[:MOST_ROWS]]
    text = table(shown_keys, rows, numbers)
    if len(keys) > len(shown_keys):
        also = f"Also: {', '.join(map(code, keys[MOST_DATA_COLUMNS:][:MOST_ROWS]))}."
        text += "\n\n" + "\n".join(_wrapped(also, ""))
    yield _titled_table(title, text, len(records))


def _titled_table(title: str, text: str, rows: int) -> str:
    more = f"\n\nRows that are left out: {rows - MOST_ROWS:,}." if rows > MOST_ROWS else ""
    return f"### {title}\n\n{text}{more}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flat(before: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and not before:
            yield from _flat(f"{key}.", value)
        else:
            yield f"{before}{key}", value


def _shortened(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= MOST_WORDS else text[: MOST_WORDS - 1].rstrip() + "…"


_BOUNDS = ("equals", "min", "max")
MOST_DEMANDS = 200
"""Groups or values of a rule that are listed; the others are counted."""


def demand(entry: Mapping[str, Any]) -> str:
    """Return a rule's bounds: "8", "at least 3", "range: at most 1", "A: 8, B: 9"; empty if it has none."""
    parts = [_bounds(entry)]
    for key, value in entry.items():
        if isinstance(value, Mapping) and any(bound in value for bound in _BOUNDS):
            parts.append(f"{key}: {_bounds(value)}")
    sights = entry.get("sights", {})
    parts += [f"{way}: at least {shown(least)}" for way, least in sights.items()]
    if "grey" in entry:
        parts.append(f"grey: at least {shown(entry['grey'])}")
    groups = entry.get("groups")
    if isinstance(groups, Mapping):
        parts.append(_first_of([f"{key}: {_group_bounds(value)}" for key, value in groups.items()]))
    measures = entry.get("measures")
    for measure in measures if isinstance(measures, list | tuple) else ():
        if words := _bounds(measure):
            parts.append(f"{measure.get('name', '')}: {words}")
    are = entry.get("are")
    if isinstance(are, Mapping):
        parts.append(_first_of([f"{key}: {shown(value)}" for key, value in are.items()]))
    elif isinstance(are, list | tuple):
        parts.append(_first_of([shown(value) for value in are]))
    return "; ".join(filter(None, parts))


def _group_bounds(value: Any) -> str:
    return _bounds(value) if isinstance(value, Mapping) else shown(value)


def _bounds(stated: Mapping[str, Any]) -> str:
    words = list(_demand_words(stated))
    return ", ".join(words)


def _demand_words(stated: Mapping[str, Any]) -> Iterator[str]:
    for key, words in zip(_BOUNDS, ("", "at least ", "at most "), strict=True):
        if key in stated:
            value = stated[key]
            yield words + (code(value) if isinstance(value, str) else shown(value))


def _first_of(words: list[str]) -> str:
    more = len(words) - MOST_DEMANDS
    return ", ".join(words[:MOST_DEMANDS]) + (f" and {more} more" if more > 0 else "")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Sequence[str] = ()) -> str:
    """Return a table, with columns in `numbers` aligned to the right; or a list of its rows if a line would
    be longer than LONGEST."""
    cells = [[cell(each) for each in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in (list(map(cell, head)), *cells)]
    if max(map(len, lines)) > LONGEST:
        return "\n".join(line for row in cells for line in _entry(head, row))
    lines.insert(1, "|" + "|".join("--:" if each in numbers else ":--" for each in head) + "|")
    return "\n".join(lines)


def _entry(head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    """Yield a row as an entry of a list: in one line up to a long cell, then each cell in its own."""
    named = [(name, text) for name, text in zip(head, row, strict=True) if text]
    first = [named[0][1].replace("<br>", ", ")]
    rest = named[1:]
    while rest and len(rest[0][1]) <= BESIDE and "<br>" not in rest[0][1]:
        first.append("*{}:* {}".format(*rest.pop(0)))
    yield from _wrapped(f"- {' · '.join(first)}", "  ")
    for name, text in rest:
        for number, part in enumerate(text.split("<br>")):
            yield from _wrapped(
                f"  - {part if number or part.startswith('*') else f'*{name}:* {part}'}", "    "
            )


def _wrapped(text: str, indent: str) -> Iterator[str]:
    lines = wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(lines):  # a line within a paragraph must not look like an entry
        yield _LIKE_AN_ENTRY.sub(r"\1\\\2", line) if number else line


def cell(value: Any) -> str:
    """Return a value for a table: text unchanged, lists with commas, mappings as `key: value`."""
    text = shown(value).strip()
    return text.replace("|", "\\|").replace("\r", "").replace("\n\n", "<br>").replace("\n", "<br>")


def shown(value: Any) -> str:
    """Return a value in words."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_in_brackets(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_in_brackets(item) for item in value)
    return str(value)


def _in_brackets(value: Any) -> str:
    text = shown(value)
    nested = isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str))
    return f"({text})" if nested and text else text


def code(text: Any) -> str:
    """Return text, unchanged, from a data file."""
    return f"`{text}`"
