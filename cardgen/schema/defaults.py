"""Schema defaults put into data, once, so that no later stage needs to know them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from cardgen.schema.ecma_patterns import compiled
from cardgen.schema.merge import Schema
from cardgen.schema.node import Evaluator
from cardgen.schema.steps import Steps, size

Fill = Callable[[Any, Steps], None]
"""Fills the defaults of one schema into a value that is valid against it. Raises TooManyStepsError."""

LARGEST = 1_000
"""Most values in a default: it is copied for each mapping that lacks it."""


def filler(schema: Any, evaluator: Evaluator) -> Fill | None:
    """What fills in the defaults of a prepared schema, or None where it has none. `evaluator` is the
    schema's.

    It follows `properties`, `items`, `prefixItems`, `additionalProperties`, `patternProperties`,
    `allOf`, `if`/`then`/`else` and the first branch of `anyOf`/`oneOf` that the value fits.
    """
    return _Compiler(schema, evaluator).compile(schema) if _has_defaults(schema) else None


def _has_defaults(schema: Any) -> bool:
    """Whether a default may stand anywhere in a schema; told without following its references."""
    pending = [schema]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            if "default" in each:
                return True
            pending += each.values()
        elif isinstance(each, list):
            pending += each
    return False


class _Compiler:
    """Compiles schemas to functions, leaving out all parts without defaults."""

    def __init__(self, root: Any, evaluator: Evaluator) -> None:
        self._definitions = root.get("$defs", {}) if isinstance(root, dict) else {}
        self._evaluator = evaluator
        self._references: dict[str, list[Fill]] = {}

    def compile(self, schema: Any) -> Fill | None:
        if not isinstance(schema, dict):
            return None
        parts = [
            self._reference(schema),
            self._properties(schema),
            self._rest(schema),
            self._items(schema),
            *[self.compile(part) for part in schema.get("allOf", ())],
            self._condition(schema),
            *[self._branches(schema[keyword]) for keyword in ("anyOf", "oneOf") if keyword in schema],
        ]
        return _all([part for part in parts if part is not None])

    def _reference(self, schema: Schema) -> Fill | None:
        """A recursive schema: compiled once, called by name."""
        ref = schema.get("$ref")
        if ref is None:
            return None
        if ref not in self._references:
            self._references[ref] = fills = []
            fill = self.compile(self._definitions[ref.rpartition("/")[2]])
            if fill is not None:
                fills.append(fill)
        fills = self._references[ref]

        def follow(value: Any, steps: Steps) -> None:
            steps.take(1, value, schema)
            for fill in fills:
                fill(value, steps)

        return follow

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

    def _items(self, schema: Schema) -> Fill | None:
        fill = self.compile(schema.get("items"))
        prefix = [self.compile(part) for part in schema.get("prefixItems", ())]
        if fill is None and not any(prefix):
            return None

        def fill_items(value: Any, steps: Steps) -> None:
            if isinstance(value, list):
                steps.take(1 + (len(value) >> 3), value, schema)
                for item, part in zip(value, prefix, strict=False):
                    if part:
                        part(item, steps)
                if fill:
                    for item in value[len(prefix) :]:
                        fill(item, steps)

        return fill_items

    def _condition(self, schema: Schema) -> Fill | None:
        if "if" not in schema:
            return None
        then, otherwise = self.compile(schema.get("then")), self.compile(schema.get("else"))
        if then is None and otherwise is None:
            return None
        condition = self._evaluator.node(schema["if"])

        def fill_condition(value: Any, steps: Steps) -> None:
            fill = then if condition.fits(value, steps) else otherwise
            if fill:
                fill(value, steps)

        return fill_condition

    def _branches(self, branches: list[Any]) -> Fill | None:
        filling = [(self._evaluator.node(branch), self.compile(branch)) for branch in branches]
        if not any(fill for _, fill in filling):
            return None

        def fill_branch(value: Any, steps: Steps) -> None:
            for branch, fill in filling:
                if branch.fits(value, steps):
                    if fill:
                        fill(value, steps)
                    return

        return fill_branch


def _all(fills: list[Fill]) -> Fill | None:
    if len(fills) < 2:
        return fills[0] if fills else None

    def fill_all(value: Any, steps: Steps) -> None:
        for fill in fills:
            fill(value, steps)

    return fill_all
