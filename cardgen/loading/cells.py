"""Cards as the cells of a table, which `columns` and `spreadsheets` read back: fields with dotted names,
lists with a separator, what has no shape of its own in YAML's short form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.loading.card_lists import CardList
from cardgen.loading.columns import SEPARATOR, TYPES, Kind, Schema, Shapes
from cardgen.loading.spreadsheets import Recording, field_path
from cardgen.tables.grid import MOST_NAME, is_comment
from cardgen.tables.meter import COLUMNS
from cardgen.tables.sheets import Heading, Out, Sheet
from cardgen.tables.values import unified
from cardgen.yaml.aligning import same
from cardgen.yaml.writing import Manner, inline

FieldPath = tuple[str, ...]
_DEEPEST = 4
"""Most steps of a dotted name."""
_WIDEST = 16
"""Most columns that one field may be taken apart into."""
_EXACT = 10**15
"""Whole numbers from here on lose digits in spreadsheets; they are written as text."""
_PLAIN_TYPES = {str: "string", bool: "boolean", list: "array", dict: "object"}
_LONG = 60
"""Characters from which on a list stands in a cell line by line."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column: the path of its values in a card, and what they may be."""

    path: FieldPath
    kind: Kind
    heading: Heading

    def of(self, card: Mapping[str, Any]) -> Out | None:
        """What a card has in this column's cell."""
        found = value_at(card, self.path)
        return None if found is ABSENT else cell_of(found, self.kind)


class _Absent:
    """Stands for a value that is not there."""


ABSENT: Any = _Absent()


def parts_at(path: Iterable[str], how: Recording) -> Sequence[Schema]:
    """The schemas that judge the value at a path of a card."""
    parts = how.parts
    for step in path:
        parts = how.shapes.below(parts, step)
    return parts


def kind_at(path: FieldPath, cards: CardList) -> Kind:
    """What the cells of a column may be: what the schema says, or without one, what the cards have."""
    how = cards.how
    kind = Kind(parts_at(path, how), how.shapes, how.separator, how.numbers)
    if not kind.is_open:
        return kind
    had = {type(found) for card in cards.cards if (found := value_at(card, path)) is not ABSENT}
    name = _PLAIN_TYPES.get(had.pop(), "") if len(had) == 1 else ""
    return Kind([{"type": name}], how.shapes, how.separator, how.numbers) if name else kind


def value_at(card: Any, path: Iterable[str]) -> Any:
    """The value at a path of a card, or ABSENT."""
    for step in path:
        if not isinstance(card, Mapping) or step not in card:
            return ABSENT
        card = card[step]
    return card


def sheet_of(cards: CardList, findings: Findings) -> Sheet:
    """The sheet of a list of cards."""
    fields = fields_of(cards, findings)
    rows = tuple(tuple(field.of(card) for field in fields) for card in cards.cards)
    return Sheet(cards.sheet, tuple(field.heading for field in fields), rows)


def fields_of(cards: CardList, findings: Findings) -> list[Field]:
    """The columns of a list of cards: the id, what cards have in their order, then what the schema names
    besides. A finding for each key that can't be the name of a column."""
    how = cards.how
    shapes, parts = how.shapes, how.parts
    names = _in_order(cards.cards)
    own = shapes.names(parts[-1:])  # those of any card
    spare = [name for name in shapes.names(parts) if name not in own]
    spare += [name for name in own if name == "copies"]
    paths: list[FieldPath] = []
    for name in dict.fromkeys(("id", *names, *(each for each in spare if _is_simple(each, shapes, parts)))):
        if not _is_name((name,), how):
            message = f"the field '{name}' can't be the name of a column"
            at = next(index for index, card in enumerate(cards.cards) if name in card)
            place = cards.document.locate((cards.component, at, name), key=True)
            findings.error("tables/column", message, place, "leave signs and spaces out of it")
            continue
        values = [card[name] for card in cards.cards if name in card]
        paths += _apart((name,), values, how) or [(name,)]
    if len(paths) > COLUMNS.most:
        message = f"the cards have {len(paths)} fields, more than the {COLUMNS.most} columns of a table"
        findings.error("tables/size", message, cards.document.locate((cards.component,)))
    return [_field(path, cards) for path in paths]


def _in_order(cards: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys of all cards, each behind the one that it follows where it is first met."""
    order: list[str] = []
    for card in cards:
        at = len(order)
        for name in card:
            if name in order:
                at = order.index(name) + 1
            else:
                order.insert(at, name)
                at += 1
    return order


def _is_name(path: FieldPath, how: Recording) -> bool:
    """Whether a column's name leads back to this very path."""
    name = ".".join(path)
    plain = name == name.strip() and len(name) <= MOST_NAME and not is_comment(name) and "\n" not in name
    return bool(name) and plain and name.isprintable() and field_path(name, how) == path


def _is_simple(name: str, shapes: Shapes, parts: Sequence[Schema]) -> bool:
    """Whether a field that no card has is worth a column."""
    types = Kind(shapes.below(parts, name), shapes).types
    return types != TYPES and bool(types - {"object", "null"})


def _apart(path: FieldPath, values: Sequence[Any], how: Recording) -> list[FieldPath]:
    """The columns that mappings at a path are taken apart into; none where they are better left whole:
    where some value is no mapping or an empty one, or where keys are no names of fields."""
    if not values or len(path) >= _DEEPEST or not all(isinstance(each, dict) and each for each in values):
        return []
    below = parts_at(path, how)
    named = how.shapes.names(below)
    names = _in_order(values)
    if below and any(name not in named for name in names):
        return []
    found: list[FieldPath] = []
    for name in names:
        inner = (*path, name)
        if "." in name or not _is_name(inner, how):
            return []
        found += _apart(inner, [each[name] for each in values if name in each], how) or [inner]
    return found if len(found) <= _WIDEST else []


def _field(path: FieldPath, cards: CardList) -> Field:
    kind = kind_at(path, cards)
    inside = cards.how.shapes.inside(kind.parts)
    said = [each["description"] for each in inside if isinstance(each.get("description"), str)]
    note = said[0] if said else ""
    if "array" in kind.types and not kind.is_open:
        sign = kind.parting
        how = f"Several: parted by {sign}" if sign else f"Several: parted by {SEPARATOR} or line by line"
        note = f"{note} {how}.".strip()
    choices = _choices(kind, inside)
    is_text = bool(kind.types & {"string", "array", "object"}) and not kind.is_open
    return Field(path, kind, Heading(".".join(path), note, choices, is_text and choices != _TRUTHS))


_TRUTHS = ("TRUE", "FALSE")


def _choices(kind: Kind, inside: Sequence[Schema]) -> tuple[str, ...]:
    """What the cells of a column may be, where that is a list of words."""
    if kind.types == {"boolean"}:
        return _TRUTHS
    if kind.types != {"string"}:
        return ()
    listed = [each["enum"] for each in inside if isinstance(each.get("enum"), list)]
    return tuple(word for word in listed[0] if isinstance(word, str)) if len(listed) == 1 else ()


def cell_of(value: Any, kind: Kind) -> Out | None:
    """What stands in a cell for a value: the plainest of what is read back as that very value, or else the
    plainest."""
    ways = list(_spellings(value, kind))
    for way in ways:
        shown = unified(way).strip() if isinstance(way, str) else way
        if shown != "" and same(kind.read(shown), value):
            return way
    return ways[0] if ways[0] != "" else None


def _spellings(value: Any, kind: Kind) -> Iterator[Out]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool):
        yield value
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield value if abs(value) < _EXACT else str(value)
    elif value is None:
        yield "null"
    else:
        if isinstance(value, list) and value and not any(isinstance(each, dict | list) for each in value):
            items = [str(cell_of(each, kind.item)) for each in value]
            sign = kind.parting or SEPARATOR
            line = (sign if sign.isspace() else f"{sign} ").join(items)
            yield from (line, "\n".join(items)) if len(line) <= _LONG else ("\n".join(items), line)
        yield inline(value, Manner())
