"""What of a mapping or list no schema has judged: for `unevaluatedProperties` and `unevaluatedItems`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.schema.node import Node
from cardgen.schema.steps import Steps


def unevaluated_names(node: Node, value: dict[str, Any], steps: Steps) -> list[str]:
    """The keys that `unevaluatedProperties` refuses."""
    part, seen = node.part("unevaluatedProperties"), _keys(node, value, steps, own=False)
    return [name for name, item in value.items() if name not in seen and not part.fits(item, steps)]


def unevaluated_places(node: Node, value: list[Any], steps: Steps) -> list[int]:
    """The places of a list that `unevaluatedItems` refuses."""
    part, seen = node.part("unevaluatedItems"), _places(node, value, steps, own=False)
    return [index for index, item in enumerate(value) if index not in seen and not part.fits(item, steps)]


def _keys(node: Node, value: dict[str, Any], steps: Steps, own: bool = True) -> set[str]:
    """The keys of a mapping that a schema which it fits, or one in it that sees the same mapping, has
    judged. Without `own`, `unevaluatedProperties` of this very schema does not count."""
    schema = node.schema
    steps.take(6 + len(value), value, schema)
    if isinstance(schema, bool):
        return set()
    if "additionalProperties" in schema or (own and "unevaluatedProperties" in schema):
        return set(value)
    seen = set(value.keys() & schema.get("properties", {}).keys())
    for pattern, _ in node.patterns():
        steps.take(len(value), value, schema)
        seen.update(name for name in value if steps.search(pattern, name, schema))
    for part in _judging(node, value, steps):
        seen |= _keys(part, value, steps)
    return seen


def _places(node: Node, value: list[Any], steps: Steps, own: bool = True) -> set[int]:
    """As `_keys`, for the places of a list and `unevaluatedItems`."""
    schema = node.schema
    steps.take(6 + len(value), value, schema)
    if isinstance(schema, bool):
        return set()
    if "items" in schema or (own and "unevaluatedItems" in schema):
        return set(range(len(value)))
    seen = set(range(min(len(value), len(schema.get("prefixItems", ())))))
    if "contains" in schema:
        wanted = node.part("contains")
        seen.update(index for index, item in enumerate(value) if wanted.fits(item, steps))
    for part in _judging(node, value, steps):
        seen |= _places(part, value, steps)
    return seen


def _judging(node: Node, value: Any, steps: Steps) -> Iterator[Node]:
    """The schemas within a schema that see the same value and that it fits."""
    schema = node.schema
    if "$ref" in schema:
        yield node.target()
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in node.parts(keyword):
            if part.fits(value, steps):
                yield part
    if "if" in schema:
        condition = node.part("if")
        met = condition.fits(value, steps)
        if met:
            yield condition
        if (branch := "then" if met else "else") in schema:
            yield node.part(branch)
    if isinstance(value, dict):
        for name, part in node.named_parts("dependentSchemas").items():
            if name in value:
                yield part
