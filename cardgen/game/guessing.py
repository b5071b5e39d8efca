"""Columns of a table: their schema, their names and their role on a card."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from cardgen.core.records import dataclass, fields, replace
from cardgen.files.listing import spellings
from cardgen.files.reading import RASTERS, read_bundled
from cardgen.files.tables import (
    Fault,
    Moment,
    NumberStyle,
    Rich,
    Table,
    Value,
    bad_character,
    is_numberlike,
    number_of,
    plain_figure,
    style_of,
    text_of,
)

Kind = Literal["whole", "number", "text"]

_WORDS: dict[str, Any] = json.loads(read_bundled("game", "column_words.json"))


def _words(key: str) -> frozenset[str]:
    """Return the words of all languages below a key of `column_words.json`."""
    return frozenset(" ".join(_WORDS[key].values()).split())


TABS: dict[str, frozenset[str]] = {
    kind: frozenset(" ".join(words.values()).split()) for kind, words in _WORDS["tabs"].items()
}
"""The usual names of sheets by the kind of component that they contain."""
_APART = re.compile(r"[\W_]+")
_LONGEST_NAME = 60
TAKEN = _words("taken")
"""Names that mean something else to cardgen or to its templates."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `header` is its name there, `field` the name of the field in a card's data;
    `values` has a value for each row, None if the cell is empty. `counts` are the whole numbers in its
    cells, whatever they show; None if some contain others. `style` is the number style of a column that is
    text because templates would print its numbers in another way."""

    header: str
    field: str
    kind: Kind
    values: tuple[Any, ...]
    counts: tuple[int | None, ...] | None = None
    style: NumberStyle | None = None

    @property
    def filled(self) -> list[Any]:
        """Return the values that exist."""
        return [value for value in self.values if value is not None]

    @property
    def texts(self) -> list[str]:
        """Return the existing values, as they are printed."""
        return [str(value) for value in self.filled]

    @property
    def longest(self) -> int:
        """Return the number of characters of the longest value."""
        return max(map(len, self.texts), default=0)

    @property
    def usual(self) -> float:
        """Return the average number of characters."""
        texts = self.texts
        return sum(map(len, texts)) / len(texts) if texts else 0.0

    @property
    def is_full(self) -> bool:
        """Return True if no cell is empty."""
        return bool(self.values) and None not in self.values

    @property
    def is_unique(self) -> bool:
        """Return True if all cells differ."""
        return len(set(self.texts)) == len(self.texts)

    @property
    def is_truth(self) -> bool:
        """Return True if it contains yes or no, in words that are printed as in the cells."""
        return self.kind == "text" and all(text.casefold() in TRUTHS for text in self.texts)

    @property
    def is_choice(self) -> bool:
        return (
            self.kind == "text" and are_choices(self.filled) and not self.is_picture and not self.is_truth
        )

    @property
    def is_picture(self) -> bool:
        return are_pictures(self.filled)

    @property
    def is_figure(self) -> bool:
        return self.kind in ("whole", "number")


def columns_of(table: Table) -> list[Column]:
    """Return the nonempty columns of a table, in its order, each with a field of its own."""
    taken: set[str] = set()
    columns = []
    for at, each in enumerate(table.columns):
        cells = [row.cells[at] for row in table.rows]
        if any(cell is not None for cell in cells):
            kind, values = _values(cells)
            name = field_name(each.name, taken)
            style = _style(cells, table) if kind == "text" else None
            columns.append(Column(each.name, name, kind, tuple(values), _counts(cells), style))
    return columns


def table_numbers(table: Table) -> str | None:
    """Return the number style of all of a table's numbers, by example; None if that is the usual one, or
    there are several."""
    texts: list[str] = []
    for cells in zip(*(row.cells for row in table.rows), strict=True):
        texts += _numbers_typed(cells) or ()
    style = style_of(texts, comma_first=table.has_comma)
    return None if style.unfit or style == NumberStyle() else style.way


def field_name(header: str, taken: set[str]) -> str:
    """Return the name of a field for a column: lower-case words joined by `_`, valid in templates and
    rules. It is added to the taken names."""
    word = _APART.sub("_", unicodedata.normalize("NFC", header).casefold()).strip("_")[:_LONGEST_NAME]
    word = word.strip("_")
    if word in TAKEN:
        word = f"card_{word}"
    if not word.isidentifier():
        word = f"field_{word}".rstrip("_")
        word = word if word.isidentifier() else "field"
    name, number = word, 2
    while name in taken:
        name, number = f"{word}_{number}", number + 1
    taken.add(name)
    return name


def same_name(header: str, field: str) -> bool:
    """Return True if a column's name is read as a field automatically: they are equal except for signs,
    spaces and capitals. A point in a header means a part of a field."""
    return "." not in header and _APART.sub("_", header.casefold()).strip("_") == field


def _values(cells: Sequence[Value | None]) -> tuple[Kind, list[Any]]:
    """Return the content of a column: numbers if a template prints all of them as the cells show them, or
    else the cells' shown text."""
    if (days := _days(cells)) is not None:
        return "text", days
    texts = [None if cell is None else _shown(cell) for cell in cells]
    figures = [None if text is None else plain_figure(text) for text in texts]
    if all(figure is not None or text is None for figure, text in zip(figures, texts, strict=True)):
        whole = all(isinstance(figure, int) for figure in figures if figure is not None)
        return "whole" if whole else "number", figures
    return "text", texts


def _shown(cell: Value) -> str | None:
    """Return the text of a cell, in Markdown and without unprintable characters; None if it shows
    nothing."""
    if isinstance(cell, Fault):
        return "".join(each for each in cell.text if not bad_character(each)) or None
    return (cell.markdown if isinstance(cell, Rich) else text_of(cell)) or None


def _days(cells: Sequence[Value | None]) -> list[Any] | None:
    """Return the days in a column, as YYYY-MM-DD, if its cells show days or nobody knows what they show;
    None for any other column."""
    days = [cell.text for cell in cells if isinstance(cell, Moment) and cell.shown in (None, cell.text)]
    if len(days) < sum(cell is not None for cell in cells):
        return None
    return [cell.text if isinstance(cell, Moment) else None for cell in cells]


def _counts(cells: Sequence[Value | None]) -> tuple[int | None, ...] | None:
    """Return the whole numbers in the cells of a column; None if there are others."""
    found = [_count(cell) for cell in cells]
    is_whole = all(number is not None or cell is None for number, cell in zip(found, cells, strict=True))
    return tuple(found) if is_whole else None


def _count(cell: Value | None) -> int | None:
    if cell is None:
        return None
    number = plain_figure(cell) if isinstance(cell, str) else number_of(cell)
    return number if isinstance(number, int) else None


def _style(cells: Sequence[Value | None], table: Table) -> NumberStyle | None:
    """Return the style of a column's numbers; None for a column that contains anything else."""
    texts = _numbers_typed(cells)
    return None if texts is None else style_of(texts, comma_first=table.has_comma)


def _numbers_typed(cells: Sequence[Value | None]) -> list[str] | None:
    """Return the texts of a column whose cells all contain numbers as typed; None for any other."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    is_whole = len(texts) == sum(cell is not None for cell in cells) and all(map(is_numberlike, texts))
    return texts if is_whole else None


MOST_CHOICES = 12
LONGEST_CHOICE = 24
"""Texts are choices if they are few and short, and each occurs twice on average."""
MOST_FIELDS = 500
DEEPEST = 20
"""The deepest nesting, and the most fields, that are described; deeper ones may be anything."""

PICTURE = re.compile(
    r"(?i)[^\\:*?\"<>|{}%#/.][^\\:*?\"<>|{}%#]{0,200}\.(svg|" + "|".join(end[1:] for end in RASTERS) + ")"
)
"""The name of a picture's file in a folder, or in one below it."""
_DATE = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
"""A day, as it is read from a cell."""
TRUTHS = _words("truths")
"""Words for yes and no."""
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}

Shape = dict[str, Any]


def shape_of(values: Sequence[Any], depth: int = 0) -> Shape:
    """Return a schema that fits all values; {} if they have nothing in common."""
    kinds = {_TYPES.get(type(value), "null" if value is None else "") for value in values}
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
    """Return a schema as `shape_of`, for mappings: their keys, required if all have them, and no others."""
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
    """Return the shape of a field's values, with its description for editors and its translation."""
    shape = shape_of(values, depth)
    if holds_persons(key):
        shape = _without_translation(shape)
    about: Shape = {"description": _about(key, values, shape)}
    if _is_prose(key, values, shape):
        about["translate"] = True
    return {**about, **shape}


def are_pictures(values: Sequence[Any]) -> bool:
    """Return True if all values are names of files with pictures."""
    return bool(values) and all(isinstance(each, str) and is_picture(each) for each in values)


def is_picture(name: str) -> bool:
    """Return True if a text is the name of a picture's file inside the folder."""
    path = picture_path(name)
    return PICTURE.fullmatch(path) is not None and path.isprintable() and ".." not in path.split("/")


def picture_path(name: str) -> str:
    """Return the path that a link means: `./a%20b.png` and `.\\a b.png` are `a b.png`."""
    return spellings(name)[-1].removeprefix("./")


def are_choices(values: Sequence[Any]) -> bool:
    """Return True if texts are a few repeated words."""
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
    """Return True if texts are yes and no, in two words."""
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


PERSONS = _words("persons")
"""Words in the name of a field that contains names of persons."""


_MADE = _words("made_by")
"""Words before "by" in the name of such a field."""
_WORD = re.compile(r"[^\W_]+?(?=[A-Z][a-z]|[\W_]|$)")


def holds_persons(key: str) -> bool:
    """Return True if a field's name suggests names of persons: `illustrator`, `art_credits`, `artistName`,
    `illustrated_by`."""
    words = [word.casefold() for word in _WORD.findall(key)]
    return not PERSONS.isdisjoint(words) or (
        words[-1:] in (["by"], ["von"]) and not _MADE.isdisjoint(words)
    )


def _without_translation(shape: Shape) -> Shape:
    """Return a shape without translated texts."""
    return {
        key: _without_translation(value) if isinstance(value, dict) else value
        for key, value in shape.items()
        if key != "translate" or value is not True
    }


def _is_prose(key: str, values: Sequence[Any], shape: Shape) -> bool:
    """Return True if there are words to translate: not names of files or persons, codes, or choices."""
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


ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAMES: dict[str, list[str]] = {
    role: " ".join(by_language.values()).split() for role, by_language in _WORDS["roles"].items()
}
"""The usual names of columns by their role."""
_GERMAN = frozenset(
    word
    for by_language in _WORDS["roles"].values()
    for word in by_language["de"].split()
    if word not in " ".join(each["en"] for each in _WORDS["roles"].values()).split()
) | {"angriff", "leben", "verteidigung"}
LONG = 34
"""Characters of a text, on average, from which it counts as reading text."""
SHORT = 8
"""Most characters that fit beside others in a row of figures."""
LONGEST_TITLE = 60
KIND_LINE, APART = 34, 3
"""Characters in the line with a card's type, beside a number, and between two of its words."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a table's columns on a card; each column has one at most.

    `corners` are up to two numbers that are read first. `group` is the cards' main group, which gives them
    a color; `kinds` are further words of that sort. `texts` are for reading, `stats` are short, `facts`
    longer. `rest` has the columns that don't fit on a card.
    """

    id: Column | None
    title: Column | None
    copies: Column | None
    art: Column | None
    group: Column | None
    kinds: tuple[Column, ...]
    corners: tuple[Column, ...]
    texts: tuple[Column, ...]
    flavour: Column | None
    stats: tuple[Column, ...]
    facts: tuple[Column, ...]
    rest: tuple[Column, ...]
    is_german: bool

    @property
    def columns(self) -> list[Column]:
        """Return all columns."""
        single = (self.id, self.title, self.copies, self.art, self.group, self.flavour)
        several = (*self.kinds, *self.corners, *self.texts, *self.stats, *self.facts, *self.rest)
        return [*(column for column in single if column is not None), *several]

    def of_rows(self, rows: Sequence[int]) -> Roles:
        """Return the roles of the columns for some rows, without columns that are empty there."""

        def narrowed(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(each for each in map(narrowed, value) if each is not None)
            if not isinstance(value, Column):
                return value
            column = replace(value, values=tuple(value.values[row] for row in rows), counts=None)
            return column if column.filled else None

        return replace(self, **{each.name: narrowed(getattr(self, each.name)) for each in fields(Roles)})

    def in_words(self) -> list[tuple[Column, str]]:
        """Return the use of each column that is shown or counted."""
        said: list[tuple[Column | None, str]] = [
            (self.id, "ids"),
            (self.title, "title"),
            *((column, "number") for column in self.corners),
            (self.art, "picture"),
            (self.group, "color and mark"),
            *((column, "word") for column in self.kinds),
            *((column, "text") for column in self.texts),
            (self.flavour, "flavour"),
            *((column, "line") for column in self.facts),
            *((column, "figure") for column in self.stats),
            (self.copies, "how many"),
        ]
        return [(column, what) for column, what in said if column is not None]

    @property
    def is_index(self) -> bool:
        """Return True if these are cards of suits and ranks, whose corners show everything."""
        return (
            self.group is not None
            and bool(self.corners)
            and self.art is None
            and not (self.texts or self.flavour or self.facts or self.kinds)
            and len(self.stats) <= 2
        )


class _Left:
    """The columns that have no role yet."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = list(columns)

    def take(self, column: Column | None) -> Column | None:
        if column is not None:
            self.columns.remove(column)
        return column

    def named(
        self, words: Collection[str], fits: Callable[[Column], bool] = lambda column: True
    ) -> Column | None:
        """Return the first column of one of these names that fits, taken."""
        return self.first(lambda column: column.field in words and fits(column))

    def first(self, fits: Callable[[Column], bool]) -> Column | None:
        return self.take(next((column for column in self.columns if fits(column)), None))

    def all(self, fits: Callable[[Column], bool], most: int) -> tuple[Column, ...]:
        found = [column for column in self.columns if fits(column)][:most]
        for column in found:
            self.columns.remove(column)
        return tuple(found)


def roles_of(columns: Sequence[Column]) -> Roles:
    """Return the role of each column whose field has a name of that role."""
    roles = _roles(columns)
    fixed: dict[int, str] = {}
    for name, column in (("id", roles.id), ("copies", roles.copies), ("title", roles.title)):
        if column is not None and not (name == "title" and column.field == "name"):
            fixed[id(column)] = name
    taken = {*fixed.values(), "id", "copies"}
    new: dict[int, Column] = {}
    for column in columns:
        field, number = fixed.get(id(column), column.field), 2
        if id(column) not in fixed:
            field = field if field not in taken else f"card_{field}"
            while field in taken:
                field, number = f"card_{column.field}_{number}", number + 1
        taken.add(field)
        new[id(column)] = replace(column, field=field)
        if column is roles.copies and column.counts is not None:
            new[id(column)] = replace(column, field=field, kind="whole", values=column.counts, style=None)

    def renamed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(new[id(each)] for each in value)
        return new[id(value)] if isinstance(value, Column) else value

    return replace(roles, **{each.name: renamed(getattr(roles, each.name)) for each in fields(Roles)})


def _roles(columns: Sequence[Column]) -> Roles:
    left = _Left(columns)
    german = any(column.field in _GERMAN for column in columns)
    addresses = left.all(_holds_addresses, len(columns))
    id = left.named({"id"}, _is_id)
    copies = left.named(_NAMES["copies"], _are_copies)
    art = left.named(_NAMES["art"], lambda column: column.is_picture) or left.first(
        lambda column: column.is_picture
    )
    flavour = left.named(_NAMES["flavour"], lambda column: column.kind == "text")
    title = left.named(_NAMES["title"], lambda column: 0 < column.longest <= 2 * LONGEST_TITLE)
    text = left.named(_NAMES["text"], lambda column: column.kind == "text" and column.usual > 12)
    if title is None:
        title = left.first(lambda column: _is_name(column) and not _is_long(column))
    cost = left.named(_NAMES["cost"], _is_corner)
    worth = left.named(_NAMES["worth"], lambda column: _is_corner(column) and not _is_count(column))
    texts = ((text,) if text else ()) + left.all(_is_long, 4)
    group = next((found for word in _NAMES["group"] if (found := left.named({word}, _is_group))), None)
    group = group or left.first(lambda column: _is_group(column) and not holds_persons(column.field))
    if title is None and group is None:
        title = left.first(lambda column: _may_be_title(column) and column.longest <= LONGEST_TITLE)
    corners = tuple(column for column in (cost, worth) if column is not None)
    if not corners:
        figure = left.first(lambda column: column.is_figure and column.is_full and column.longest <= 4)
        corners = (figure,) if figure is not None else ()
    if not corners and group is not None and title is None:
        rank = left.first(lambda column: column.is_full and column.longest <= 3)
        corners = (rank,) if rank is not None else ()
    stats = left.all(lambda column: column.is_figure or column.longest <= 4, 5)
    kinds = _kinds(left, group)
    if len(stats) < 4:
        stats += left.all(lambda column: column.longest <= SHORT, 4 - len(stats))
    facts = left.all(lambda column: column.longest <= LONGEST_TITLE, 4)
    return Roles(
        id,
        title,
        copies,
        art,
        group,
        kinds,
        corners,
        texts,
        flavour,
        stats,
        facts,
        (*left.columns, *addresses),
        german,
    )


def _kinds(left: _Left, group: Column | None) -> tuple[Column, ...]:
    """Return up to two columns of choices, taken, that fit beside the group's words."""
    room = KIND_LINE - (group.longest if group is not None else 0)
    kinds: list[Column] = []
    for column in tuple(left.columns):
        if len(kinds) == 2:
            break
        has_room = column.longest <= min(24, room - APART)
        if has_room and column.is_choice and column.is_full and not holds_persons(column.field):
            kinds.append(column)
            left.take(column)
            room -= column.longest + APART
    return tuple(kinds)


def _is_id(column: Column) -> bool:
    return column.is_full and column.is_unique and all(ID.fullmatch(text) for text in column.texts)


def _are_copies(column: Column) -> bool:
    return column.counts is not None and all(0 <= each <= 999 for each in column.counts if each is not None)


def _is_corner(column: Column) -> bool:
    return column.longest <= 4


def _is_count(column: Column) -> bool:
    """Return True if a column only numbers its rows."""
    return list(column.values) == list(range(1, len(column.values) + 1)) and column.field in (
        "no",
        "nr",
        "number",
    )


def _may_be_title(column: Column) -> bool:
    return (
        column.kind == "text"
        and column.field not in _NAMES["not_title"]
        and not holds_persons(column.field)
    )


def _holds_addresses(column: Column) -> bool:
    return bool(column.texts) and all(text.startswith(("https://", "http://")) for text in column.texts)


def _is_name(column: Column) -> bool:
    return (
        _may_be_title(column)
        and column.is_full
        and column.is_unique
        and column.longest <= LONGEST_TITLE
        and column.usual >= 3
        and not column.is_picture
    )


def _is_long(column: Column) -> bool:
    return column.kind == "text" and (column.usual > LONG or any("\n" in text for text in column.texts))


def _is_group(column: Column) -> bool:
    return column.is_choice and column.is_full and len(set(column.texts)) <= 8 and column.longest <= 24
