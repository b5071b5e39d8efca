"""Schema defaults put into data, once, so that no later stage needs to know them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from cardgen.schema.ecma_patterns import compiled
from cardgen.schema.merge import Schema
from cardgen.schema.node import Evaluator, Node
from cardgen.schema.steps import Steps, size
from cardgen.schema.ways import Ways, is_anywhere

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
