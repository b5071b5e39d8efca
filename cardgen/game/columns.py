"""The value of each cell of a column: the schema sets its type.

Text is the cell's shown text, a number its value. So `007` is the text 007, or the number 7 if the schema
requires one; `yes` and `TRUE` are true if it requires that. The number style is decided for the whole
column. A list's items are separated by the schema's `separator`, or else by line breaks or semicolons; a
cell that begins with `[` or `{` is YAML's short form. A value that fits no type is kept, and the schema
reports it.
"""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.core.records import dataclass, field
from cardgen.files.number_formats import shown_in
from cardgen.files.tables import (
    DELETE,
    ITEMS,
    WAYS,
    Fault,
    Formatted,
    Meter,
    Moment,
    NumberStyle,
    Rich,
    Table,
    Value,
    forbidden,
    is_numberlike,
    number_in,
    number_of,
    number_text,
    plain_figure,
    style_of,
    text_of,
)
from cardgen.files.yaml import Reading
from cardgen.game.json_values import TooManyStepsError
from cardgen.game.patterns import compiled
from cardgen.game.prepared_schema import PreparedSchema

TYPES = frozenset(("null", "boolean", "integer", "number", "string", "array", "object"))
SEPARATOR = ";"
_FOLD = re.compile(r"[\W_]+")
TRUE = frozenset("true yes y x on 1 ja wahr j oui vrai sí si sim verdadero vero ✓ ✔".split())  # noqa: SIM905
FALSE = frozenset("false no n off 0 nein falsch non faux não falso - ✗ ✘".split())  # noqa: SIM905
_WITHIN = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("if", "then", "else")
_DEEPEST = 20
_STATED = frozenset(("date", "time", "date-time"))

Schema = Any


def folded(name: str) -> str:
    """Return a name as names are compared: `Rules text` and `rules_text` are one."""
    return _FOLD.sub("_", name.casefold()).strip("_")


class Shapes:
    """A finder of the parts of self-contained schemas that check a value; `definitions` are those
    schemas'."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions = definitions

    def inside(self, schemas: Iterable[Schema]) -> list[Schema]:
        """Return these schemas and all within them that apply to the same value."""
        found: dict[int, Schema] = {}
        pending = deque(schemas)
        while pending:
            schema = pending.popleft()
            if not isinstance(schema, dict) or id(schema) in found:
                continue
            found[id(schema)] = schema
            for word in _WITHIN:
                pending += schema.get(word, ())
            pending += [schema[word] for word in _BRANCHES if word in schema]
            if "$ref" in schema:
                pending.append(self.definitions.get(str(schema["$ref"]).rpartition("/")[2]))
        return list(found.values())

    def names(self, schemas: Sequence[Schema]) -> list[str]:
        """Return the keys that schemas of one mapping name."""
        return list(
            dict.fromkeys(name for each in self.inside(schemas) for name in each.get("properties", ()))
        )

    def below(self, schemas: Sequence[Schema], name: str) -> list[Schema]:
        """Return the schemas for the value of a key of a mapping."""
        found: list[Schema] = []
        for schema in self.inside(schemas):
            named = schema.get("properties", {})
            if name in named:
                found.append(named[name])
                continue
            matching = [
                part
                for pattern, part in schema.get("patternProperties", {}).items()
                if compiled(pattern).found_in(name)
            ]
            found += matching or [schema.get("additionalProperties")]
        return [each for each in found if isinstance(each, dict)]

    def items(self, schemas: Sequence[Schema]) -> list[Schema]:
        """Return the schemas for the items of a list."""
        return [each["items"] for each in self.inside(schemas) if isinstance(each.get("items"), dict)]

    def types(self, schema: Schema, depth: int = 0) -> frozenset[str]:
        """Return the types that a value may be of."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return TYPES
        found = TYPES
        if "type" in schema:
            stated = schema["type"]
            found = frozenset(stated if isinstance(stated, list) else [stated])
            found |= {"integer"} if "number" in found else set()
        for values in (schema.get("enum"), [schema["const"]] if "const" in schema else None):
            if isinstance(values, list):
                found &= {kind for value in values for kind in _types_of(value)}
        if "$ref" in schema:
            found &= self.types(self.definitions.get(str(schema["$ref"]).rpartition("/")[2]), depth + 1)
        for part in schema.get("allOf", ()):
            found &= self.types(part, depth + 1)
        for word in ("anyOf", "oneOf"):
            if word in schema:
                found &= frozenset[str]().union(*(self.types(part, depth + 1) for part in schema[word]))
        if "then" in schema or "else" in schema:
            ways = (self.types(schema.get(word), depth + 1) for word in ("then", "else"))
            found &= frozenset[str]().union(*ways)
        return found


def _types_of(value: Any) -> tuple[str, ...]:
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int):
        return ("integer", "number")
    kinds: tuple[tuple[type, str], ...] = ((float, "number"), (str, "string"), (list, "array"))
    return (next((name for kind, name in kinds if isinstance(value, kind)), "object"),)


@dataclass
class Kind:
    """The allowed values of a column's cells, or of the items in one. `parts` are the schemas that check
    them; if there are none, a value is the cell's shown text. `numbers` is the stated number style."""

    parts: Sequence[Schema]
    shapes: Shapes
    separator: str | None = None
    numbers: str | None = None
    as_text: bool = False
    """True if numbers are text, in a column that allows text as well."""
    style: NumberStyle = field(default_factory=NumberStyle)
    meter: Meter | None = None
    """The meter of the table, which counts the items of lists."""
    has_stray_dates: bool = False
    """True if some of the column's cells are dates, and others are not."""
    _types: frozenset[str] = field(init=False)
    _typed: list[Schema] = field(init=False)

    def __post_init__(self) -> None:
        # Several parts are alternatives for a record, or add to a type stated elsewhere.
        found = [(part, types) for part in self.parts if (types := self.shapes.types(part)) != TYPES]
        self._typed = [part for part, _ in found]
        self._types = frozenset[str]().union(*(types for _, types in found)) if found else TYPES

    @cached_property
    def _words(self) -> frozenset[str]:
        """Return the texts that the value may be one of."""
        listed = [each.get("enum", [each.get("const")]) for each in self.shapes.inside(self.parts)]
        return frozenset(word for words in listed for word in words if isinstance(word, str))

    @cached_property
    def is_date(self) -> bool:
        """Return True if a date or a time is required."""
        return any(each.get("format") in _STATED for each in self.shapes.inside(self.parts))

    @property
    def is_open(self) -> bool:
        """Return True if any value is allowed."""
        return self._types == TYPES

    @property
    def types(self) -> frozenset[str]:
        """Return the types that the value may be of."""
        return self._types

    @property
    def takes_text(self) -> bool:
        return "string" in self._types

    @cached_property
    def parting(self) -> str | None:
        """Return the separator of a list's items in a cell; None for line breaks or semicolons."""
        stated = [each.get("separator") for each in self.shapes.inside(self.parts)]
        return next((sign for sign in stated if isinstance(sign, str) and sign), self.separator)

    @cached_property
    def item(self) -> Kind:
        return Kind(
            self.shapes.items(self.parts),
            self.shapes,
            None,
            self.numbers,
            style=self.style,
            meter=self.meter,
        )

    @cached_property
    def stated_numbers(self) -> str | None:
        """Return how numbers are written, by the schema or else by game.yaml."""
        stated = [each.get("numbers") for each in self.shapes.inside(self.parts)]
        return next((way for way in stated if way in WAYS), self.numbers)

    @property
    def asks_for_number(self) -> bool:
        """Return True if a number is allowed, and text is not."""
        return not self.is_open and not self.takes_text and bool(self._types & {"number", "integer"})

    @cached_property
    def _schema(self) -> PreparedSchema:
        return PreparedSchema({"anyOf": self._typed or [True], "$defs": dict(self.shapes.definitions)})

    def settle(self, values: Iterable[Value | None], has_comma: Callable[[], bool] = lambda: False) -> None:
        """Decide for a whole column how its numbers are written, and whether they are text. If text fits
        too, they are text unless templates print each of them as its cell shows it. `has_comma` is True if
        the file has decimal commas."""
        cells = [value for value in values if value is not None]
        dates = sum(isinstance(value, Moment) and "-" in value.text for value in cells)
        self.has_stray_dates = 0 < dates < len(cells)
        texts = [self._shown(value) for value in cells if not isinstance(value, Fault)]
        if self.is_open or self.takes_text:
            figures = texts if self.is_open else filter(is_numberlike, texts)
            self.as_text = any(plain_figure(text) is None for text in figures)
            return
        typed = [text_of(value) for value in cells if isinstance(value, str | Rich)]
        if "array" in self._types and self.item.asks_for_number:
            typed = [each for text in typed for each in self.items(text)]
        elif not self.asks_for_number:
            return
        if (way := self.stated_numbers) is not None:
            unfit = [text for text in typed if number_in(text, way) is None and is_numberlike(text)]
            self.style = NumberStyle(way, unfit=tuple(unfit))
        else:
            self.style = style_of(typed, comma_first=False)
            if self.style.other or self.style.unfit:
                self.style = style_of(typed, comma_first=has_comma())
        self.__dict__.pop("item", None)

    def read(self, value: Value) -> Any:
        """Return the value of a cell; its shown text if that fits none of the types."""
        if isinstance(value, str):
            return self._of_text(value)
        if isinstance(value, Fault):
            return value.text
        if isinstance(value, Rich):
            marked = self.is_open or self.takes_text or ("array" in self._types and self.item.takes_text)
            return self._of_text(
                value.markdown if marked and value.plain not in self._words else value.plain
            )
        if isinstance(value, Moment):
            return value.text if self.is_date or not self.takes_text else text_of(value)
        held = value.number if isinstance(value, Formatted) else value
        if isinstance(held, bool):
            return (
                held if "boolean" in self._types and not self.is_open else self._of_text(self._shown(value))
            )
        number = number_of(value)
        assert number is not None  # all others are numbers
        return self._of_number(number, self._shown(value))

    def _shown(self, value: Value) -> str:
        """Return the text that a cell shows."""
        return shown_in(value, self.stated_numbers)

    def _of_number(self, number: int | float, shown: str) -> Any:
        """Return a number of a workbook, and the text that its cell shows."""
        if self.is_open or (self.takes_text and (self.as_text or plain_figure(shown) is None)):
            return self._of_text(shown)
        if "integer" in self._types and float(round(number, 9)).is_integer():
            number = int(round(number, 9))
        elif "number" not in self._types:
            return self._of_text(shown if self.takes_text else number_text(number))
        return number if not self.takes_text or self._fits(number) else self._of_text(shown)

    def _of_text(self, text: str) -> Any:
        if self.is_open:
            figure = None if self.as_text else plain_figure(text)
            return text if figure is None else figure
        if text in self._words:
            return text
        ways = list(self._readings(text))
        if len(ways) > 1:
            return next((way for way in ways if self._fits(way)), text if self.takes_text else ways[0])
        return ways[0] if ways else text

    def _readings(self, text: str) -> Iterable[Any]:
        """Yield the values that a text may be, of the requested types."""
        types = self._types
        number = self._number(text) if "number" in types or "integer" in types else None
        as_text = number is not None and "string" in types and (self.as_text or plain_figure(text) is None)
        if number is not None and not as_text:
            yield number
        low = text.casefold()
        if "boolean" in types and (low in ("true", "false") if self.takes_text else low in TRUE | FALSE):
            yield low in TRUE
        if "null" in types and low == "null":
            yield None
        if ("array" in types and text[0] == "[") or ("object" in types and text[0] == "{"):
            short = short_form(text)
            if short is not None:
                yield short
                return
        if "array" in types and (len(types) == 1 or not self._scalar_fits(text)):
            yield [self.item.read(each) for each in self.items(text)]
        if "string" in types:
            yield text
        if number is not None and as_text:
            yield number

    def items(self, text: str) -> list[str]:
        """Return the items of a list in a cell, and charge for them. Raises TooLargeError."""
        if self.meter is not None:
            self.meter.charge(ITEMS, text.count(_sign(text, self.parting)) + 1)
        return parted_list(text, self.parting)

    def _scalar_fits(self, text: str) -> bool:
        return "string" in self._types and self._fits(text)

    def _number(self, text: str) -> int | float | None:
        number = number_in(text, self.style.way)
        return None if isinstance(number, float) and "number" not in self._types else number

    def _fits(self, value: Any) -> bool:
        try:
            return self._schema.is_valid(value)
        except (TooManyStepsError, RecursionError):
            return False


def short_form(text: str) -> Any:
    """Return a list or a mapping as YAML's short form writes it; None if the text is none."""
    reading = Reading(text)
    return None if reading.failed or reading.problems or isinstance(reading.data, str) else reading.data


def _sign(text: str, separator: str | None) -> str:
    return separator or ("\n" if "\n" in text else SEPARATOR)


def parted_list(text: str, separator: str | None) -> list[str]:
    """Return the items in a cell, without spaces around them and empty ones. Without a separator they are
    in lines of their own, or in one line separated by semicolons."""
    return [item for part in text.split(_sign(text, separator)) if (item := part.strip())]


def settle(kind: Kind, table: Table, at: int, findings: Findings) -> None:
    """Decide how a column's numbers are written; warn if all of them can also be read in another way."""
    kind.settle((row.cells[at] for row in table.rows), lambda: table.has_comma)
    if kind.is_open:
        _note_truths(table, at, findings)
    style = kind.style
    if style.other is None:
        return
    one, two = (number_in(style.example, way) for way in (style.way, style.other))
    message = (
        f"the numbers of '{table.columns[at].name}' can be read in two ways: "
        f"'{style.example}' is read as {one}, not as {two}"
    )
    hint = f'choose one, next to data: in game.yaml or on the field in its schema: numbers: "{style.way}"'
    hint += f', or "{style.other}" for {two}'
    findings.warning("tables/numbers", message, table.place(table.header, at), hint)


def _note_truths(table: Table, at: int, findings: Findings) -> None:
    """Note that a column of yes and no is text, which templates can't test with `if`."""
    words = dict.fromkeys(text_of(cell) for row in table.rows if (cell := row.cells[at]) is not None)
    low = [word.casefold() for word in itertools.islice(words, 3)]
    if len(words) > 2 or not set(low) & FALSE or not set(low) <= (TRUE | FALSE) - {"0", "1", "-"}:
        return
    yes = next((word for word in words if word.casefold() in TRUE), "TRUE")
    no = next(word for word in words if word.casefold() in FALSE)
    name = table.columns[at].name
    message = f"'{name}' is text, printed as typed: in {{% if %}}, '{no}' counts as true"
    hint = f"compare the text, == '{yes}', or write \"type\": \"boolean\" for '{name}' into a schema"
    findings.note("tables/truths", message, table.place(table.header, at), hint)


def is_blank(value: Value, kind: Kind) -> bool:
    """Return True if a cell with a number shows nothing, and the column uses shown text."""
    return isinstance(value, Formatted) and value.shown == "" and (kind.is_open or kind.takes_text)


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A problem of a value that can't be intended."""

    code: str
    message: str
    hint: str
    error: bool = True

    def __call__(self, findings: Findings, place: Location) -> None:
        say = findings.error if self.error else findings.warning
        say(self.code, self.message, place, self.hint)


def trouble(value: Value, kind: Kind) -> _Trouble | None:
    """Return the problem of a cell by itself; None if there is none."""
    if isinstance(value, str):
        return _unfit_number(value, kind) if kind.style.unfit else None
    if isinstance(value, Fault):
        return fault_trouble(value)
    if isinstance(value, Moment) and not kind.is_date:
        if not kind.is_open and not kind.takes_text:
            return _Trouble("tables/date", *_made_a_date(value))
        if _is_stray(value, kind):
            return _Trouble("tables/date", *_made_a_date(value), error=False)
    if isinstance(value, Moment | Formatted) and value.shown is None and _shows(kind):
        message = f"the cell's number format can't be applied; '{text_of(value)}' is printed"
        hint = "give the cell another number format, or type the text into a cell with the format Text"
        return _Trouble("tables/format", message, hint, error=False)
    return None


def _shows(kind: Kind) -> bool:
    """Return True if a column uses its cells' shown text."""
    return not kind.is_date and (kind.is_open or kind.takes_text)


def _made_a_date(value: Moment) -> tuple[str, str]:
    hint = "to keep it as typed, give the cell the format Text and type it again"
    return f"the spreadsheet converted this to a date: {text_of(value)}", hint


def _is_stray(value: Moment, kind: Kind) -> bool:
    """Return True if a date may be another thing that was typed, such as 3-4: it shows no year, or has
    other things around it."""
    if "-" not in value.text:
        return False
    year = value.text[:4]
    shows_year = value.shown is None or year in value.shown or year[2:] in value.shown
    return kind.has_stray_dates or not shows_year


def _unfit_number(text: str, kind: Kind) -> _Trouble | None:
    unfit = kind.style.unfit
    items = kind.items(text) if "array" in kind.types else [text]
    found = next((each for each in items if each in unfit), None)
    if found is None:
        return None
    message = f"'{found}' is not written as {kind.style.way}, like the other numbers of the column"
    return _Trouble("tables/numbers", message, "write all of them in the same way")


def fault_trouble(fault: Fault) -> _Trouble:
    """Return the problem of a cell without a usable value."""
    if fault.character:
        return _Trouble("tables/character", forbidden(fault.character), DELETE)
    if fault.text:
        return _Trouble("tables/formula", f"the formula's result is {fault.text}", "fix the formula")
    hint = "open the file in a spreadsheet program and save it again"
    return _Trouble("tables/formula", "the formula was never calculated", hint)
