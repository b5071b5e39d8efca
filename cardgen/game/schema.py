"""One schema: checks values, explains misfits, and marks defaults and texts.

The keywords are jsonschema's. Ours replace those that would search patterns without a limit, compare
everything with everything, or not name the wrong keys. A `Judge` is the validator that the keywords use: it
counts steps, and each schema has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from cardgen.core.records import dataclass
from cardgen.files.cache import digest_of
from cardgen.game.json_values import Path, Steps, UnresolvedError, json_key, repeated
from cardgen.game.patterns import PatternError, compiled

Errors = Iterator[ValidationError]
Keyword = Callable[["Judge", Any, Any, Any], Iterable[ValidationError] | None]
"""A keyword in jsonschema's form: from its value, a value and the schema to all errors."""

Mark = tuple[list[str | int], Any]
"""A place that a schema marks in a value: the path, and the default to put there."""

Seen = dict[tuple[int, int], Any]
"""Records by the ids of a schema that judged them and of the object itself."""

FITS, MISFITS, DEFAULT = "fits", "misfits", "default"
"""Modes of a judge: check if a value fits, list all misfits, or list missing keys that have a default."""

KEY: Any = ("key",)
"""The step of a path from a mapping to a key of it, which is a value of its own for `propertyNames`."""


class Evaluator:
    """Checks values against a self-contained schema. All methods that read a value raise TooManyStepsError
    if that would take too long."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
        self.steps = Steps(None)
        self.records: dict[str, list[Mark]] = {}
        """The marks in records of lists that fit, by a digest of the record and its schema."""
        self.used: dict[str, list[Mark]] = {}
        """The marks that were used."""
        self.seen: Seen = {}
        """The very records that fitted before, or whose defaults were put in."""
        self.seen_now: Seen = {}
        """Those of the value that is being checked."""
        self._digests: dict[int, str] = {}
        self._judges: dict[tuple[int, str], Judge] = {}
        self._choices: dict[int, frozenset[str]] = {}
        self._marking: dict[int, bool] = {}
        self._cases: dict[int, tuple[str | None, str]] = {}

    def forget(self) -> None:
        """Free the value and its records, which may be many."""
        self.steps = Steps(None)
        self.records, self.used, self.seen, self.seen_now = {}, {}, {}, {}

    def fits(self, value: Any, steps: Steps | None = None) -> bool:
        """Return True if a value fits."""
        self.steps, self.seen = steps or Steps(value), {}
        return self.judge(self.schema, FITS).is_valid(value)

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """Yield all misfits of a value, in the schema's order."""
        self.steps, self.seen = Steps(value), {}
        return map(_misfit, self.judge(self.schema, MISFITS).iter_errors(value))

    def marks(self, value: Any, mode: str) -> Iterator[Mark]:
        """Yield the path of each place in a value that a judge of a mode finds. FITS: the misfits. In a
        value that fits, "default": the missing keys that have a default, with the default; "translate": the
        texts; "uniqueItems": the lists of distinct entries. A default that is put in at once is searched
        too."""
        self.steps = Steps(value)
        for mark in self.judge(self.schema, mode).iter_errors(value):
            yield list(mark.path), mark.validator_value

    def judge(self, schema: Any, mode: str) -> Judge:
        """Return the judge of a schema within the whole one."""
        known = self._judges.get((id(schema), mode))
        if known is None:
            keywords = KEYWORDS
            if mode in _MARKING:
                keywords = _MARKING[mode] if self._is_marking(schema) else {}
            known = self._judges[id(schema), mode] = Judge(schema, self, keywords, mode)
        return known

    def of_record(self, judge: Judge, schema: Any, record: Any, index: int) -> Errors:
        """Yield the misfits or marks of an item of a list. A record equal to one that fits is not checked
        again."""
        digest = None
        place = (id(schema), id(record))
        if place in self.seen and self.seen[place] is record:
            self.seen_now[place] = record
            return
        if isinstance(record, dict):
            if id(schema) not in self._digests:
                self._digests[id(schema)] = digest_of(schema, self._definitions)
            digest = digest_of(self._digests[id(schema)], judge.mode, record)
        known = self.records.get(digest) if digest else None
        found: list[Mark] = [] if known is None else known
        if known is None:
            for error in judge.descend(record, schema, path=index):
                found.append((list(error.path)[1:], error.validator_value))
                yield error
            if digest is not None and (judge.mode in _MARKING or not found):
                self.records[digest] = self.used[digest] = found
        elif digest is not None:
            self.used[digest] = found
            for path, value in found:
                yield ValidationError("", judge.mode, validator_value=value, path=(index, *path))
        if digest is not None and (judge.mode == DEFAULT or not found):
            self.seen_now[place] = record

    def _is_marking(self, schema: Any) -> bool:
        """Return True if a schema marks anything or refers to one that may."""
        if isinstance(schema, dict | list) and id(schema) not in self._marking:
            parts = schema.values() if isinstance(schema, dict) else schema
            self._marking[id(schema)] = any(map(self._is_marking, parts)) or (
                isinstance(schema, dict) and not _MARKS.isdisjoint(schema)
            )
        return self._marking.get(id(schema), False)

    def says_nothing(self, part: Any, value: Any) -> bool:
        """Return True if a part of `allOf` is surely for mappings with another text at some key than this
        one has: of a long list of forms by kind, only one need be judged."""
        if id(part) not in self._cases:
            self._cases[id(part)] = _case(part)
        name, text = self._cases[id(part)]
        return name is not None and isinstance(value, dict) and value.get(name, text) != text

    def choices(self, values: list[Any]) -> frozenset[str]:
        """Return the keys of an enumeration's values."""
        known = self._choices.get(id(values))
        if known is None:
            known = self._choices[id(values)] = frozenset(map(json_key, values))
        return known

    def target(self, reference: str) -> Any:
        """Return the schema of a reference of ours, `#/$defs/NAME`. Raises UnresolvedError."""
        name = reference.rpartition("/")[2]
        if name not in self._definitions:
            raise UnresolvedError(name)
        return self._definitions[name]


def _case(part: Any) -> tuple[str | None, str]:
    """Return the key and the text that a schema's condition asks for, if without them it says nothing."""
    if isinstance(part, dict) and isinstance(part.get("if"), dict) and part.keys() <= {"if", "then"}:
        for name, wanted in part["if"].get("properties", {}).items():
            if isinstance(wanted, dict) and isinstance(wanted.get("const"), str):
                return name, wanted["const"]
    return None, ""


_MARKS = frozenset(("default", "translate", "uniqueItems", "$ref"))


class Judge:
    """The validator of a schema: applies `keywords` to values. Its `mode` decides the result: if a value
    fits, all its misfits, or the schema's marks in it."""

    __slots__ = ("_cost", "_keywords", "evaluator", "mode", "schema")

    def __init__(
        self, schema: Any, evaluator: Evaluator, keywords: Mapping[str, Keyword], mode: str
    ) -> None:
        self.schema = schema
        self.evaluator = evaluator
        self.mode = mode
        stated = schema.items() if isinstance(schema, dict) else ()
        self._keywords = [(keywords[name], name, wanted) for name, wanted in stated if name in keywords]
        self._cost = 1 + sum(
            len(each) >> 4 for _, _, each in self._keywords if isinstance(each, dict | list)
        )

    def take(self, steps: int, value: Any) -> None:
        """Count steps for a value. Raises TooManyStepsError."""
        self.evaluator.steps.take(steps, value, self.schema)

    def finds(self, pattern: str, text: str) -> bool:
        """Return True if a pattern occurs in a text. Raises TooManyStepsError."""
        return self.evaluator.steps.search(compiled(pattern), text, self.schema)

    def is_type(self, value: Any, name: str) -> bool:
        """Return True if a value is of a type of JSON Schema."""
        if name == "integer" and value.__class__ is float:
            return bool(value.is_integer())
        return value.__class__ in CLASSES[name]

    def is_valid(self, value: Any) -> bool:
        """Return True if a value fits."""
        return next(self.iter_errors(value), None) is None

    def evolve(self, schema: Any) -> Judge:
        """Return the judge of a schema that checks if a value fits."""
        return self.evaluator.judge(schema, FITS)

    def iter_errors(self, value: Any) -> Errors:
        """Yield all misfits of a value."""
        self.take(self._cost + (len(value) >> 4 if isinstance(value, dict | list) else 0), value)
        if self.schema is False and self.mode not in _MARKING:
            yield ValidationError("", "false", validator_value=False, instance=value, schema={})
        for apply, name, wanted in self._keywords:
            for error in apply(self, wanted, value, self.schema) or ():
                if not isinstance(error.schema, dict):  # it belongs to this very schema
                    self.take(_EACH + (len(error.message) >> 6), value)
                    error.instance, error.schema = value, self.schema
                    if not isinstance(error.validator, str):
                        error.validator, error.validator_value = name, wanted
                yield error

    def descend(self, instance: Any, schema: Any, path: Any = None, schema_path: Any = None) -> Errors:
        """Yield all misfits of a value, or of the part of it at `path`, by a schema within."""
        found = () if schema is True else self.evaluator.judge(schema, self.mode).iter_errors(instance)
        for error in found:
            if path is not None:
                error.path.appendleft(path)
            if schema_path is not None:
                error.schema_path.appendleft(schema_path)
            yield error


_EACH = 3
"""Steps that an error counts for, besides one for each 64 characters of jsonschema's message."""

CLASSES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
"""Python's classes of JSON's types. A bool is no int: subclasses don't count."""


# ---- keywords of ours


def _refer(judge: Judge, name: Any, value: Any, schema: Any) -> Errors:
    return judge.descend(value, judge.evaluator.target(name))


def _enum(judge: Judge, values: Any, value: Any, schema: Any) -> Errors:
    name = json_key(value)
    if isinstance(value, dict | list):
        judge.take(len(name) >> 4, value)
    if name not in judge.evaluator.choices(values):
        yield ValidationError("")


def _const(judge: Judge, wanted: Any, value: Any, schema: Any) -> Errors:
    if json_key(value) != json_key(wanted):
        yield ValidationError("")


def _pattern(judge: Judge, pattern: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, str) and not judge.finds(pattern, value):
        yield ValidationError("")


def _all_of(judge: Judge, parts: Any, value: Any, schema: Any) -> Errors:
    for index, part in enumerate(parts):
        if not judge.evaluator.says_nothing(part, value):
            yield from judge.descend(value, part, schema_path=index)


def _any_of(judge: Judge, forms: Any, value: Any, schema: Any) -> Errors:
    if not any(judge.evolve(form).is_valid(value) for form in forms):
        yield _of_forms(judge, forms, value)


def _one_of(judge: Judge, forms: Any, value: Any, schema: Any) -> Errors:
    fitting = 0
    for form in forms:
        fitting += judge.evolve(form).is_valid(value)
        if fitting > 1:
            yield ValidationError("")
            return
    if not fitting:
        yield _of_forms(judge, forms, value)


def _of_forms(judge: Judge, forms: Sequence[Any], value: Any) -> ValidationError:
    """Return the error of a value that fits no form, with those of each form if they are requested."""
    numbered = enumerate(forms if judge.mode == MISFITS else ())
    found = [error for index, form in numbered for error in judge.descend(value, form, schema_path=index)]
    return ValidationError("", context=found)


_REFUSED, _LEAST = 4_000, 400
"""Steps for a pattern that RE2 gave up, and the fewest for another, because its machine grows in use."""


def _is_pattern(judge: Judge, wanted: Any, value: Any, schema: Any) -> Errors:
    """Check that a pattern compiles: our own keyword, for schemas of schemas."""
    if isinstance(value, str):
        judge.take(_REFUSED, value)
        try:
            ready = compiled(value)
        except PatternError:
            yield ValidationError("")
        else:
            judge.take(max(ready.size // 5 + 5 * len(value), _LEAST) - _REFUSED, value)


def _multiple(judge: Judge, unit: Any, value: Any, schema: Any) -> Errors:
    """Check the number as written, so that 0.3 is a multiple of 0.1."""
    if judge.is_type(value, "number") and (Fraction(repr(value)) / Fraction(repr(unit))).denominator != 1:
        yield ValidationError("")


def _unique(judge: Judge, wanted: Any, value: Any, schema: Any) -> Errors:
    if wanted and isinstance(value, list):
        judge.take(len(value), value)
        if repeated(value) is not None:
            yield ValidationError("")


def _required(judge: Judge, names: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, dict) and not all(name in value for name in names):
        yield ValidationError("")


def _items(judge: Judge, part: Any, value: Any, schema: Any) -> Errors:
    for index in range(len(schema.get("prefixItems", ())), len(value) if isinstance(value, list) else 0):
        yield from judge.evaluator.of_record(judge, part, value[index], index)


def _properties(judge: Judge, parts: Any, value: Any, schema: Any) -> Errors:
    """Check the keys in the value's order, not the schema's."""
    for name, item in value.items() if isinstance(value, dict) else ():
        if name in parts:
            yield from judge.descend(item, parts[name], path=name)


def _property_names(judge: Judge, part: Any, value: Any, schema: Any) -> Errors:
    for name in value if isinstance(value, dict) else ():
        yield from judge.descend(name, part, path=KEY)


def _pattern_properties(judge: Judge, parts: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, dict):
        judge.take(len(parts) * len(value), value)
        for pattern, part in parts.items():
            for name, item in value.items():
                if judge.finds(pattern, name):
                    yield from judge.descend(item, part, path=name)


def _additional(judge: Judge, part: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, dict) and part is not True:
        named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        judge.take(len(patterns) * len(value), value)
        others = (name for name in value if name not in named)
        yield from _others(
            judge, "additionalProperties", part, value,
            [name for name in others if not any(judge.finds(pattern, name) for pattern in patterns)],
        )  # fmt: skip


def _unevaluated_properties(judge: Judge, part: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, dict):
        seen = _evaluated(judge, value, own=False)
        others = [name for name in value if name not in seen]
        yield from _others(judge, "unevaluatedProperties", part, value, others)


def _others(judge: Judge, keyword: str, part: Any, value: Any, names: list[str]) -> Errors:
    """Yield the misfits of the keys that no other keyword checks."""
    if part is False and names and judge.mode not in _MARKING:
        judge.take(len(names), value)
        yield ValidationError("", keyword, validator_value=names)
    elif part is not False:
        for name in names:
            yield from judge.descend(value[name], part, path=name)


def _unevaluated_items(judge: Judge, part: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, list):
        seen = _evaluated(judge, value, own=False)
        for index, item in enumerate(value):
            if index not in seen:
                yield from judge.descend(item, part, path=index)


def _evaluated(judge: Judge, value: Any, *, own: bool = True) -> set[Any]:
    """Return the keys of a mapping, or the indexes of a list, that a schema which it fits has judged,
    or one in it that sees the same value. Without `own`, `unevaluated…` of this very schema doesn't
    count."""
    schema = judge.schema
    judge.take(6 + len(value), value)
    if isinstance(schema, bool):
        return set()
    rest, unevaluated = "items", "unevaluatedItems"
    if isinstance(value, dict):
        rest, unevaluated = "additionalProperties", "unevaluatedProperties"
    if rest in schema or (own and unevaluated in schema):
        return set(value) if isinstance(value, dict) else set(range(len(value)))
    if isinstance(value, dict):
        patterns = schema.get("patternProperties", ())
        judge.take(len(patterns) * len(value), value)
        seen: set[Any] = {name for name in value if any(judge.finds(each, name) for each in patterns)}
        seen |= value.keys() & schema.get("properties", {}).keys()
    else:
        seen = set(range(min(len(value), len(schema.get("prefixItems", ())))))
        if "contains" in schema:
            wanted = judge.evolve(schema["contains"])
            seen.update(index for index, item in enumerate(value) if wanted.is_valid(item))
    for part in _in_place(judge, value):
        seen |= _evaluated(part, value)
    return seen


def _in_place(judge: Judge, value: Any) -> Iterator[Judge]:
    """Yield the judges of schemas within a schema that see the same value and that it fits."""
    schema = judge.schema
    parts = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    if isinstance(value, dict):
        parts += [part for name, part in schema.get("dependentSchemas", {}).items() if name in value]
    if "$ref" in schema:
        parts.append(judge.evaluator.target(schema["$ref"]))
    if "if" in schema:
        branch = "then" if judge.evolve(schema["if"]).is_valid(value) else "else"
        parts += [schema["if"], schema.get(branch, True)]
    parts = [part for part in parts if not judge.evaluator.says_nothing(part, value)]
    return (part for part in map(judge.evolve, parts) if part.is_valid(value))


KEYWORDS: dict[str, Keyword] = {
    **Draft202012Validator.VALIDATORS,
    "$ref": _refer,
    "additionalProperties": _additional,
    "allOf": _all_of,
    "anyOf": _any_of,
    "const": _const,
    "enum": _enum,
    "isPattern": _is_pattern,
    "items": _items,
    "multipleOf": _multiple,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "propertyNames": _property_names,
    "required": _required,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique,
}
del KEYWORDS["format"]
"""The keywords that check, by name."""


# ---- a schema's marks in values that fit, passed on like errors


def _mark_defaults(judge: Judge, parts: Any, value: Any, schema: Any) -> Errors:
    if isinstance(value, dict):
        judge.take(2 * len(parts), value)
        for name, part in parts.items():
            if name not in value and isinstance(part, dict) and "default" in part:
                yield ValidationError("", "default", validator_value=part["default"], path=(name,))
        yield from _properties(judge, parts, value, schema)


def _mark_text(judge: Judge, wanted: Any, value: Any, schema: Any) -> Errors:
    if wanted is True and isinstance(value, str):
        yield ValidationError("")


def _mark_set(judge: Judge, wanted: Any, value: Any, schema: Any) -> Errors:
    if wanted is True and isinstance(value, list):
        yield ValidationError("")


def _mark_first_form(judge: Judge, forms: Any, value: Any, schema: Any) -> Errors:
    for form in forms:
        if judge.evolve(form).is_valid(value):
            yield from judge.descend(value, form)
            return


_HANDING_ON = (
    "$ref", "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
    "prefixItems", "items", "unevaluatedItems", "allOf", "if", "dependentSchemas",
)  # fmt: skip
_FOLLOWING: dict[str, Keyword] = {
    **{name: KEYWORDS[name] for name in _HANDING_ON},
    "anyOf": _mark_first_form,
    "oneOf": _mark_first_form,
}
"""The keywords that pass a value or parts of it to schemas that may mark it."""
_MARKING: dict[str, dict[str, Keyword]] = {
    "default": _FOLLOWING | {"properties": _mark_defaults},
    "translate": _FOLLOWING | {"translate": _mark_text},
    "uniqueItems": _FOLLOWING | {"uniqueItems": _mark_set},
}
"""By the kind of mark."""


# ---- misfits


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that does not fit a schema.

    `keyword` is the schema keyword that it breaks and `wanted` that keyword's value ("false" and False for
    the schema `false`). `path` leads from the checked value to it. `forms` contains the misfits of each
    form of an `anyOf` or `oneOf` if the value fits none, and nothing if it fits several. `of_key` is True
    if `value` is a key of the mapping at `path`. `names` are the keys that `additionalProperties` or
    `unevaluatedProperties` refuses.
    """

    keyword: str
    wanted: Any
    value: Any
    schema: dict[str, Any]
    path: Path
    forms: tuple[tuple[Misfit, ...], ...] = ()
    of_key: bool = False
    names: tuple[str, ...] = ()

    @property
    def places(self) -> list[Path]:
        """Return the paths of the misfit: the value, or keys that are missing or not allowed."""
        keys: Sequence[str] = self.names
        if self.of_key:
            keys = (self.value,)
        elif self.keyword == "required":
            keys = [name for name in self.wanted if name not in self.value]
        return [(*self.path, key) for key in keys] or [self.path]

    @property
    def types(self) -> list[str]:
        """Return the types that a misfit of `type` asks for."""
        return [self.wanted] if isinstance(self.wanted, str) else list(self.wanted)


def _misfit(error: ValidationError) -> Misfit:
    """Return the misfit of an error of jsonschema."""
    keyword, wanted, schema = str(error.validator), error.validator_value, error.schema
    names: Any = wanted if keyword in ("additionalProperties", "unevaluatedProperties") else ()
    forms: dict[Any, list[Misfit]] = {}
    for each in error.context or ():
        forms.setdefault(each.schema_path[0], []).append(_misfit(each))
    path = tuple(step for step in error.path if step is not KEY)
    of_key = len(path) < len(error.path)
    of_forms = tuple(map(tuple, forms.values()))
    return Misfit(keyword, wanted, error.instance, schema, path, of_forms, of_key, tuple(names))  # type: ignore[arg-type]
