"""The texts of a document that its schema marks with `"translate": true`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cardgen.schema.ecma_patterns import compiled
from cardgen.schema.merge import Schema
from cardgen.schema.node import Evaluator
from cardgen.schema.steps import Steps

KEYWORD = "translate"
Path = tuple[str | int, ...]
Seek = Callable[[Any, Path, Steps], Iterator[Path]]
"""Gives the paths of the marked texts in a value that is valid against a schema. Raises
TooManyStepsError."""


def seeker(schema: Any, evaluator: Evaluator) -> Seek | None:
    """What finds the texts that a prepared schema marks, or None where it marks none. `evaluator` is the
    schema's. It goes the ways that defaults are filled in."""
    return _Compiler(schema, evaluator).compile(schema) if _has_marks(schema) else None


def _has_marks(schema: Any) -> bool:
    pending = [schema]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            if each.get(KEYWORD) is True:
                return True
            pending += each.values()
        elif isinstance(each, list):
            pending += each
    return False


class _Compiler:
    """Compiles schemas to functions, leaving out all parts without marks."""

    def __init__(self, root: Any, evaluator: Evaluator) -> None:
        self._definitions = root.get("$defs", {}) if isinstance(root, dict) else {}
        self._evaluator = evaluator
        self._references: dict[str, list[Seek]] = {}

    def compile(self, schema: Any) -> Seek | None:
        if not isinstance(schema, dict):
            return None
        parts = [
            _itself if schema.get(KEYWORD) is True else None,
            self._reference(schema),
            self._mapping(schema),
            self._items(schema),
            *[self.compile(part) for part in schema.get("allOf", ())],
            self._condition(schema),
            *[self._branches(schema[keyword]) for keyword in ("anyOf", "oneOf") if keyword in schema],
        ]
        seeks = [part for part in parts if part is not None]
        if len(seeks) < 2:
            return seeks[0] if seeks else None

        def seek_all(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            for seek in seeks:
                yield from seek(value, path, steps)

        return seek_all

    def _reference(self, schema: Schema) -> Seek | None:
        """A recursive schema: compiled once, called by name."""
        ref = schema.get("$ref")
        if ref is None:
            return None
        if ref not in self._references:
            self._references[ref] = seeks = []
            seek = self.compile(self._definitions[ref.rpartition("/")[2]])
            if seek is not None:
                seeks.append(seek)
        seeks = self._references[ref]

        def follow(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            steps.take(1, value, schema)
            for seek in seeks:
                yield from seek(value, path, steps)

        return follow

    def _mapping(self, schema: Schema) -> Seek | None:
        """The values of a mapping: by its keys' names, by patterns, and all others."""
        parts = schema.get("properties", {})
        named = {name: seek for name, part in parts.items() if (seek := self.compile(part))}
        patterns = schema.get("patternProperties", {})
        matched = [(compiled(pattern), self.compile(part)) for pattern, part in patterns.items()]
        rest = self.compile(schema.get("additionalProperties", schema.get("unevaluatedProperties")))
        if not named and rest is None and not any(seek for _, seek in matched):
            return None

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

        return seek_values

    def _items(self, schema: Schema) -> Seek | None:
        rest = self.compile(schema.get("items"))
        prefix = [self.compile(part) for part in schema.get("prefixItems", ())]
        if rest is None and not any(prefix):
            return None

        def seek_items(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            if isinstance(value, list):
                steps.take(1 + (len(value) >> 3), value, schema)
                for index, item in enumerate(value):
                    seek = prefix[index] if index < len(prefix) else rest
                    if seek:
                        yield from seek(item, (*path, index), steps)

        return seek_items

    def _condition(self, schema: Schema) -> Seek | None:
        if "if" not in schema:
            return None
        condition = self._evaluator.node(schema["if"])
        then, otherwise = self.compile(schema.get("then")), self.compile(schema.get("else"))
        if then is None and otherwise is None:
            return None

        def seek_branch(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            seek = then if condition.fits(value, steps) else otherwise
            if seek:
                yield from seek(value, path, steps)

        return seek_branch

    def _branches(self, branches: list[Any]) -> Seek | None:
        seeking = [(self._evaluator.node(branch), self.compile(branch)) for branch in branches]
        if not any(seek for _, seek in seeking):
            return None

        def seek_branch(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
            for branch, seek in seeking:
                if branch.fits(value, steps):
                    if seek:
                        yield from seek(value, path, steps)
                    return

        return seek_branch


def _itself(value: Any, path: Path, steps: Steps) -> Iterator[Path]:
    if isinstance(value, str):
        yield path
