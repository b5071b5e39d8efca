"""The texts of a document that its schema marks with `"translate": true`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cardgen.schema.ecma_patterns import compiled
from cardgen.schema.merge import Schema
from cardgen.schema.node import Evaluator, Node
from cardgen.schema.steps import Steps
from cardgen.schema.ways import Ways, is_anywhere

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
