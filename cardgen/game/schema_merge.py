"""Several schemas as one, with the defaults and translation marks of a value."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from cardgen.game.patterns import Steps, compiled, size
from cardgen.game.schema import Evaluator, Node
from cardgen.game.schema_file import ANNOTATIONS, words

Schema = dict[str, Any]

_FREE = words(
    "type enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength "
    "maxLength minItems maxItems uniqueItems minProperties maxProperties dependentRequired anyOf oneOf not"
)
"""Keywords whose meaning does not depend on their neighbours, so that they may move."""
_JOINED = frozenset(("properties", "patternProperties", "required", "allOf"))
"""Keywords of two schemas that can be said as one."""
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("if", "then", "else")

_UNLISTED = words("$ref patternProperties additionalProperties unevaluatedProperties")
"""Keywords by which a schema evaluates keys that it does not name."""
_ALIKE = 500
"""Largest parts of two schemas, in values, that are compared to see whether they say the same."""


def merged(outer: Schema, others: Iterable[Any]) -> Schema:
    """The schema that holds where `outer` and all of `others` hold. `others` that cannot be merged
    stay in `allOf`. No input is changed."""
    sum_ = _Sum()
    rest: list[Any] = []
    for other in others:
        if other is True:
            continue
        if _may_merge(other, outer) and _may_merge(other, sum_.schema):
            sum_.add(other)
        else:
            rest.append(other)
    sum_.add(outer)
    if rest:
        sum_.add({"allOf": rest})
    return sum_.whole()


def _may_merge(schema: Any, target: Schema) -> bool:
    """Whether the keywords of `schema` mean the same within `target`."""
    if not isinstance(schema, dict) or "additionalProperties" in target:
        return False
    return all(
        keyword in _JOINED
        or keyword in ANNOTATIONS
        or keyword.startswith("x-")
        or (keyword in _FREE and (keyword not in target or _same(target[keyword], value)))
        for keyword, value in schema.items()
    )


def _same(one: Any, other: Any) -> bool:
    """Whether two parts say the same. Large ones that are not one and the same count as different,
    which is never wrong here: comparing them again and again could take for ever."""
    if one is other:
        return True
    return bool(size(one, _ALIKE) <= _ALIKE and size(other, _ALIKE) <= _ALIKE and one == other)


class _Sum:
    """A schema that others are added to. What it joins it joins in copies of its own."""

    def __init__(self) -> None:
        self.schema: Schema = {}
        self._required: dict[str, None] | None = None
        self._owned: set[str] = set()

    def add(self, schema: Schema) -> None:
        """Add the keywords of a schema; its annotations win."""
        for keyword, value in schema.items():
            if keyword not in self.schema or keyword not in _JOINED:
                self.schema[keyword] = value
                self._owned.discard(keyword)
            elif keyword == "required":
                if self._required is None:
                    self._required = dict.fromkeys(self.schema[keyword])
                self._required.update(dict.fromkeys(value))
            elif keyword == "allOf":
                self._own(keyword, list).extend(value)
            else:
                both = self._own(keyword, dict)
                for name, part in value.items():
                    both[name] = _both(both[name], part) if name in both else part

    def whole(self) -> Schema:
        if self._required is not None:
            self.schema["required"] = list(self._required)
        return self.schema

    def _own(self, keyword: str, copied: Callable[[Any], Any]) -> Any:
        if keyword not in self._owned:
            self.schema[keyword] = copied(self.schema[keyword])
            self._owned.add(keyword)
        return self.schema[keyword]


def _both(first: Any, second: Any) -> Any:
    if first is True or _same(first, second):
        return second
    if second is True:
        return first
    if first is False or second is False:
        return False
    return merged(second, [first])


def closed(schema: Schema) -> Schema:
    """The schema with `unevaluatedProperties: false` said as `additionalProperties: false`, where
    that means the same: where no other part of it that sees the same object names further keys."""
    if schema.get("unevaluatedProperties") is not False or "additionalProperties" in schema:
        return schema
    properties = schema.get("properties", {})
    for part in _in_place(schema):
        names = _names(part)
        if names is None or not names <= properties.keys():
            return schema
    result = {keyword: value for keyword, value in schema.items() if keyword != "unevaluatedProperties"}
    result["additionalProperties"] = False
    return result


def _in_place(schema: Schema) -> list[Any]:
    """The schemas within `schema` that see the same value as it does and can evaluate its keys."""
    parts = [part for keyword in _IN_PLACE_LISTS for part in schema.get(keyword, ())]
    parts += [schema[keyword] for keyword in _IN_PLACE if keyword in schema]
    parts += schema.get("dependentSchemas", {}).values()
    return parts


def _names(schema: Any) -> set[str] | None:
    """The keys that a schema evaluates, or None if they cannot be listed."""
    if isinstance(schema, bool):
        return set()
    if not _UNLISTED.isdisjoint(schema):
        return None
    names = set(schema.get("properties", ()))
    for part in _in_place(schema):
        further = _names(part)
        if further is None:
            return None
        names |= further
    return names


def known_keys(schema: Any) -> list[str]:
    """All keys that a schema names for the mapping it stands at, in any of its branches."""
    names: dict[str, None] = {}
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            names.update(dict.fromkeys(part.get("properties", ())))
            pending += reversed(_in_place(part))
    return list(names)


T = TypeVar("T")


def is_anywhere(schema: Any, wanted: Callable[[Schema], bool]) -> bool:
    """Whether a mapping of this kind stands anywhere in a schema; told without following its references."""
    pending = [schema]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            if wanted(each):
                return True
            pending += each.values()
        elif isinstance(each, list):
            pending += each
    return False


class Ways(ABC, Generic[T]):
    """Compiles schemas to functions, leaving out all parts where nothing is done.

    It follows `properties`, `items`, `prefixItems`, `additionalProperties`, `patternProperties`,
    `allOf`, `if`/`then`/`else` and the first branch of `anyOf`/`oneOf` that a value fits. `evaluator` is
    the schema's.
    """

    def __init__(self, root: Any, evaluator: Evaluator) -> None:
        self._definitions = root.get("$defs", {}) if isinstance(root, dict) else {}
        self._evaluator = evaluator
        self._references: dict[str, list[T]] = {}

    def compile(self, schema: Any) -> T | None:
        """What is done with a value of this schema; None where nothing is."""
        if not isinstance(schema, dict):
            return None
        parts = [
            *self.own(schema),
            self.follow(schema, self._behind(schema["$ref"])) if schema.get("$ref") is not None else None,
            *self.mapping(schema),
            self._items(schema),
            *[self.compile(part) for part in schema.get("allOf", ())],
            self._condition(schema),
            *[self._branches(schema[keyword]) for keyword in ("anyOf", "oneOf") if keyword in schema],
        ]
        found = [part for part in parts if part is not None]
        return self.every(found) if len(found) > 1 else found[0] if found else None

    def _behind(self, ref: str) -> list[T]:
        """What a reference leads to, compiled once: it may lead to itself."""
        if ref not in self._references:
            self._references[ref] = found = []
            part = self.compile(self._definitions[ref.rpartition("/")[2]])
            if part is not None:
                found.append(part)
        return self._references[ref]

    def _items(self, schema: Schema) -> T | None:
        rest = self.compile(schema.get("items"))
        prefix = [self.compile(part) for part in schema.get("prefixItems", ())]
        return self.items(schema, prefix, rest) if rest is not None or any(prefix) else None

    def _condition(self, schema: Schema) -> T | None:
        then, otherwise = (
            self.compile(schema.get(key)) if "if" in schema else None for key in ("then", "else")
        )
        if then is None and otherwise is None:
            return None
        return self.condition(self._evaluator.node(schema["if"]), then, otherwise)

    def _branches(self, branches: Sequence[Any]) -> T | None:
        found = [(self._evaluator.node(branch), self.compile(branch)) for branch in branches]
        return self.branches(found) if any(part for _, part in found) else None

    def own(self, schema: Schema) -> Sequence[T | None]:
        """What is done with the value itself."""
        return ()

    @abstractmethod
    def every(self, parts: Sequence[T]) -> T:
        """All of these, one after the other."""

    @abstractmethod
    def follow(self, schema: Schema, parts: Sequence[T]) -> T:
        """What lies behind the schema's reference, a step away; `parts` may still be filled."""

    @abstractmethod
    def mapping(self, schema: Schema) -> Sequence[T | None]:
        """What is done with the values of a mapping."""

    @abstractmethod
    def items(self, schema: Schema, prefix: Sequence[T | None], rest: T | None) -> T:
        """What is done with the items of a list."""

    @abstractmethod
    def condition(self, condition: Node, then: T | None, otherwise: T | None) -> T:
        """One of two, as the value fits the condition or not."""

    @abstractmethod
    def branches(self, branches: Sequence[tuple[Node, T | None]]) -> T:
        """That of the first branch that the value fits."""


Fill = Callable[[Any, Steps], None]
"""Fills the defaults of one schema into a value that is valid against it. Raises TooManyStepsError."""

LARGEST = 1_000
"""Most values in a default: it is copied for each mapping that lacks it."""


def filler(schema: Any, evaluator: Evaluator) -> Fill | None:
    """What fills in the defaults of a prepared schema, or None where it has none. `evaluator` is the
    schema's."""
    has_defaults = is_anywhere(schema, lambda part: "default" in part)
    return _Filling(schema, evaluator).compile(schema) if has_defaults else None


class _Filling(Ways[Fill]):
    def every(self, parts: Sequence[Fill]) -> Fill:
        def fill_all(value: Any, steps: Steps) -> None:
            for fill in parts:
                fill(value, steps)

        return fill_all

    def follow(self, schema: Schema, parts: Sequence[Fill]) -> Fill:
        def follow(value: Any, steps: Steps) -> None:
            steps.take(1, value, schema)
            for fill in parts:
                fill(value, steps)

        return follow

    def mapping(self, schema: Schema) -> Sequence[Fill | None]:
        return self._properties(schema), self._rest(schema)

    def _properties(self, schema: Schema) -> Fill | None:
        properties = schema.get("properties", {})
        defaults = {
            name: part["default"]
            for name, part in properties.items()
            if isinstance(part, dict) and "default" in part
        }
        plain = [(name, v) for name, v in defaults.items() if not isinstance(v, dict | list)]
        nested = [(name, v, size(v)) for name, v in defaults.items() if isinstance(v, dict | list)]
        fills = [(name, fill) for name, part in properties.items() if (fill := self.compile(part))]
        if not defaults and not fills:
            return None

        count = 1 + 2 * len(plain) + (len(fills) >> 3)

        def fill_properties(value: Any, steps: Steps) -> None:
            if not isinstance(value, dict):
                return
            steps.take(count, value, schema)
            for name, default in plain:
                if name not in value:
                    value[name] = default
            for name, default, values in nested:
                if name not in value:
                    steps.take(2 * values, value, schema)
                    value[name] = copy.deepcopy(default)
            for name, fill in fills:
                if name in value:
                    fill(value[name], steps)

        return fill_properties

    def _rest(self, schema: Schema) -> Fill | None:
        """Keys that `properties` does not name."""
        fill = self.compile(schema.get("additionalProperties", schema.get("unevaluatedProperties")))
        patterns = [
            (p, f) for p, part in schema.get("patternProperties", {}).items() if (f := self.compile(part))
        ]
        if fill is None and not patterns:
            return None
        named = frozenset(schema.get("properties", ()))
        filling = [(compiled(pattern), part) for pattern, part in patterns]
        taken = [compiled(pattern) for pattern in schema.get("patternProperties", {})]

        def fill_rest(value: Any, steps: Steps) -> None:
            if not isinstance(value, dict):
                return
            steps.take(1 + len(value) * (len(filling) + len(taken)), value, schema)
            for name, item in value.items():
                for pattern, part in filling:
                    if steps.search(pattern, name, schema):
                        part(item, steps)
                if fill and name not in named and not any(steps.search(p, name, schema) for p in taken):
                    fill(item, steps)

        return fill_rest

    def items(self, schema: Schema, prefix: Sequence[Fill | None], rest: Fill | None) -> Fill:
        def fill_items(value: Any, steps: Steps) -> None:
            if isinstance(value, list):
                steps.take(1 + (len(value) >> 3), value, schema)
                for item, part in zip(value, prefix, strict=False):
                    if part:
                        part(item, steps)
                if rest:
                    for item in value[len(prefix) :]:
                        rest(item, steps)

        return fill_items

    def condition(self, condition: Node, then: Fill | None, otherwise: Fill | None) -> Fill:
        def fill_condition(value: Any, steps: Steps) -> None:
            fill = then if condition.fits(value, steps) else otherwise
            if fill:
                fill(value, steps)

        return fill_condition

    def branches(self, branches: Sequence[tuple[Node, Fill | None]]) -> Fill:
        def fill_branch(value: Any, steps: Steps) -> None:
            for branch, fill in branches:
                if branch.fits(value, steps):
                    if fill:
                        fill(value, steps)
                    return

        return fill_branch


KEYWORD = "translate"
Path = tuple[str | int, ...]
Seek = Callable[[Any, Path, Steps], Iterator[Path]]
"""Gives the paths of the marked texts in a value that is valid against a schema. Raises
TooManyStepsError."""


def seeker(schema: Any, evaluator: Evaluator) -> Seek | None:
    """What finds the texts that a prepared schema marks, or None where it marks none. `evaluator` is the
    schema's. It goes the ways that defaults are filled in."""
    has_marks = is_anywhere(schema, lambda part: part.get(KEYWORD) is True)
    return _Seeking(schema, evaluator).compile(schema) if has_marks else None


class _Seeking(Ways[Seek]):
    def own(self, schema: Schema) -> Sequence[Seek | None]:
        return (_itself,) if schema.get(KEYWORD) is True else ()

    def every(self, parts: Sequence[Seek]) -> Seek:
        def seek_all(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            for seek in parts:
                yield from seek(value, path, steps)

        return seek_all

    def follow(self, schema: Schema, parts: Sequence[Seek]) -> Seek:
        def follow(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            steps.take(1, value, schema)
            for seek in parts:
                yield from seek(value, path, steps)

        return follow

    def mapping(self, schema: Schema) -> Sequence[Seek | None]:
        """The values of a mapping: by its keys' names, by patterns, and all others."""
        parts = schema.get("properties", {})
        named = {name: seek for name, part in parts.items() if (seek := self.compile(part))}
        patterns = schema.get("patternProperties", {})
        matched = [(compiled(pattern), self.compile(part)) for pattern, part in patterns.items()]
        rest = self.compile(schema.get("additionalProperties", schema.get("unevaluatedProperties")))
        if not named and rest is None and not any(seek for _, seek in matched):
            return ()

        def seek_values(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            if not isinstance(value, dict):
                return
            steps.take(1 + (len(value) * (1 + len(matched)) >> 2), value, schema)
            for name, item in value.items():
                if (seek := named.get(name)) is not None:
                    yield from seek(item, (*path, name), steps)
                taken = name in parts
                for pattern, by_pattern in matched:
                    if steps.search(pattern, name, schema):
                        taken = True
                        if by_pattern:
                            yield from by_pattern(item, (*path, name), steps)
                if rest and not taken:
                    yield from rest(item, (*path, name), steps)

        return (seek_values,)

    def items(self, schema: Schema, prefix: Sequence[Seek | None], rest: Seek | None) -> Seek:
        def seek_items(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            if isinstance(value, list):
                steps.take(1 + (len(value) >> 3), value, schema)
                for index, item in enumerate(value):
                    seek = prefix[index] if index < len(prefix) else rest
                    if seek:
                        yield from seek(item, (*path, index), steps)

        return seek_items

    def condition(self, condition: Node, then: Seek | None, otherwise: Seek | None) -> Seek:
        def seek_either(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            seek = then if condition.fits(value, steps) else otherwise
            if seek:
                yield from seek(value, path, steps)

        return seek_either

    def branches(self, branches: Sequence[tuple[Node, Seek | None]]) -> Seek:
        def seek_branch(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            for branch, seek in branches:
                if branch.fits(value, steps):
                    if seek:
                        yield from seek(value, path, steps)
                    return

        return seek_branch


def _itself(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
    if isinstance(value, str):
        yield path
