"""What is wrong with a value that does not fit its schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cardgen.schema.applicators import contained, others_of
from cardgen.schema.node import Node
from cardgen.schema.steps import Steps
from cardgen.schema.unevaluated import unevaluated_names, unevaluated_places

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that does not fit a schema.

    `keyword` is the schema keyword that it breaks and `wanted` that keyword's value ("false" and False
    for the schema `false`). `path` leads from the checked value to it. `forms` holds the misfits of each
    form of an `anyOf` or `oneOf` that fits none, and nothing where it fits several. `of_key` says that
    `value` is a key of the mapping at `path`. `names` are the keys that `additionalProperties` or
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
    def types(self) -> list[str]:
        """The types that a misfit of `type` asks for."""
        return [self.wanted] if isinstance(self.wanted, str) else list(self.wanted)


def misfits_of(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    """All that is wrong with a value, which stands at `path`, in the schema's order. Raises
    TooManyStepsError."""
    for keyword, check in node.named_checks(value):
        explain = _EXPLAINED.get(keyword)
        if explain is not None:
            yield from explain(node, value, path, steps)
        elif not check(value, steps):
            steps.take(_EACH, value, node.schema)
            if keyword == "false":
                yield Misfit("false", False, value, {}, path)
            else:
                yield Misfit(keyword, node.schema[keyword], value, node.schema, path)


def _inner(part: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    """As `misfits_of`, for one of many values, most of which fit."""
    if not part.fits(value, steps):
        yield from misfits_of(part, value, path, steps)


_EACH = 5
"""Steps that a misfit counts for: what it takes to hold and to word it."""

Explain = Callable[[Node, Any, Path, Steps], Iterator[Misfit]]


def _why_ref(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    return _inner(node.target(), value, path, steps)


def _why_all_of(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    for part in node.parts("allOf"):
        yield from _inner(part, value, path, steps)


def _why_forms(keyword: str, node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    parts = node.parts(keyword)
    fitting = sum(part.fits(value, steps) for part in parts)
    if fitting == 0:
        forms = tuple(tuple(misfits_of(part, value, (), steps)) for part in parts)
        yield Misfit(keyword, node.schema[keyword], value, node.schema, path, forms)
    elif fitting > 1 and keyword == "oneOf":
        yield Misfit(keyword, node.schema[keyword], value, node.schema, path)


def _why_if(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    branch = "then" if node.part("if").fits(value, steps) else "else"
    if branch in node.schema:
        yield from _inner(node.part(branch), value, path, steps)


def _why_dependent(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    for name, part in node.named_parts("dependentSchemas").items():
        if name in value:
            yield from _inner(part, value, path, steps)


def _why_properties(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    parts = node.schema["properties"]
    for name in parts if len(parts) <= len(value) else value:
        if name in parts and name in value:
            yield from _inner(node.below(parts[name]), value[name], (*path, name), steps)


def _why_pattern_properties(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    for pattern, part in node.patterns():
        for name, item in value.items():
            if steps.search(pattern, name, node.schema):
                yield from _inner(part, item, (*path, name), steps)


def _why_additional(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    part, others = node.part("additionalProperties"), others_of(node)(value, steps)
    if part.schema is not False:
        for name in others:
            yield from _inner(part, value[name], (*path, name), steps)
    elif others:
        yield _refused(node, "additionalProperties", others, value, path, steps)


def _refused(node: Node, keyword: str, names: list[str], value: Any, path: Path, steps: Steps) -> Misfit:
    steps.take(_EACH + len(names), value, node.schema)
    return Misfit(keyword, node.schema[keyword], value, node.schema, path, names=tuple(names))


def _why_property_names(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    part = node.part("propertyNames")
    for name in value:
        for misfit in _inner(part, name, path, steps):
            yield replace(misfit, of_key=True)


def _why_items(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    part, first = node.part("items"), len(node.schema.get("prefixItems", ()))
    for index in range(first, len(value)):
        yield from _inner(part, value[index], (*path, index), steps)


def _why_prefix_items(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    for index, (part, item) in enumerate(zip(node.parts("prefixItems"), value, strict=False)):
        yield from _inner(part, item, (*path, index), steps)


def _why_contains(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    keyword = contained(node, value, steps)
    if keyword is not None:
        yield Misfit(keyword, node.schema[keyword], value, node.schema, path)


def _why_unevaluated_properties(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    if names := unevaluated_names(node, value, steps):
        yield _refused(node, "unevaluatedProperties", names, value, path, steps)


def _why_unevaluated_items(node: Node, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
    for index in unevaluated_places(node, value, steps):
        yield from _inner(node.part("unevaluatedItems"), value[index], (*path, index), steps)


_EXPLAINED: dict[str, Explain] = {
    "$ref": _why_ref,
    "allOf": _why_all_of,
    "anyOf": partial(_why_forms, "anyOf"),
    "oneOf": partial(_why_forms, "oneOf"),
    "if": _why_if,
    "dependentSchemas": _why_dependent,
    "properties": _why_properties,
    "patternProperties": _why_pattern_properties,
    "additionalProperties": _why_additional,
    "propertyNames": _why_property_names,
    "unevaluatedProperties": _why_unevaluated_properties,
    "items": _why_items,
    "prefixItems": _why_prefix_items,
    "contains": _why_contains,
    "unevaluatedItems": _why_unevaluated_items,
}
