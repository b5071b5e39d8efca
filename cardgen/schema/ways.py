"""The ways that a schema leads through a value, for what is done at some of its parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from cardgen.schema.merge import Schema
from cardgen.schema.node import Evaluator, Node

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
