"""Keywords that hold schemas: whether a value passes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.schema.node import ANY, ARRAY, OBJECT, Check, Keywords, Node
from cardgen.schema.steps import Steps
from cardgen.schema.unevaluated import unevaluated_names, unevaluated_places


def _ref(node: Node, wanted: Any, kind: type) -> Check:
    target = node.target()
    return lambda value, steps: target.fits(value, steps)


def _all_of(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.parts("allOf")
    return lambda value, steps: all(part.fits(value, steps) for part in parts)


def _any_of(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.parts("anyOf")
    return lambda value, steps: any(part.fits(value, steps) for part in parts)


def _one_of(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.parts("oneOf")

    def fits_one(value: Any, steps: Steps) -> bool:
        fitting = False
        for part in parts:
            if part.fits(value, steps):
                if fitting:
                    return False
                fitting = True
        return fitting

    return fits_one


def _not(node: Node, wanted: Any, kind: type) -> Check:
    part = node.part("not")
    return lambda value, steps: not part.fits(value, steps)


def _if(node: Node, wanted: Any, kind: type) -> Check | None:
    if not node.schema.keys() & {"then", "else"}:
        return None
    condition, always = node.part("if"), node.below(True)
    then = node.part("then") if "then" in node.schema else always
    otherwise = node.part("else") if "else" in node.schema else always
    return lambda value, steps: (then if condition.fits(value, steps) else otherwise).fits(value, steps)


def _dependent(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.named_parts("dependentSchemas")

    def fits(value: Any, steps: Steps) -> bool:
        steps.take(len(parts) >> 4, value, node.schema)
        return all(part.fits(value, steps) for name, part in parts.items() if name in value)

    return fits


def _properties(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.named_parts("properties")

    def fits(value: Any, steps: Steps) -> bool:
        if len(value) < len(parts):
            for name, item in value.items():
                part = parts.get(name)
                if part is not None and not part.fits(item, steps):
                    return False
            return True
        for name, part in parts.items():
            if name in value and not part.fits(value[name], steps):
                return False
        return True

    return fits


def _pattern_properties(node: Node, wanted: Any, kind: type) -> Check:
    patterns = node.patterns()

    def fits(value: Any, steps: Steps) -> bool:
        steps.take(len(value) * len(patterns), value, node.schema)
        return all(
            part.fits(item, steps)
            for pattern, part in patterns
            for name, item in value.items()
            if steps.search(pattern, name, node.schema)
        )

    return fits


def others_of(node: Node) -> Callable[[dict[str, Any], Steps], list[str]]:
    """What tells the keys of a mapping that neither `properties` nor `patternProperties` names."""
    named = node.schema.get("properties", {})
    patterns = node.patterns()

    def others(value: dict[str, Any], steps: Steps) -> list[str]:
        steps.take((len(value) >> 4) + len(value) * len(patterns), value, node.schema)
        return [
            name
            for name in value
            if name not in named
            and not any(steps.search(pattern, name, node.schema) for pattern, _ in patterns)
        ]

    return others


def _additional(node: Node, wanted: Any, kind: type) -> Check:
    part, others = node.part("additionalProperties"), others_of(node)
    if part.schema is not False:
        return lambda value, steps: all(part.fits(value[name], steps) for name in others(value, steps))
    if node.schema.get("patternProperties"):
        return lambda value, steps: not others(value, steps)
    named = node.schema.get("properties", {}).keys()

    def has_no_others(value: Any, steps: Steps) -> bool:
        steps.take(len(value) >> 4, value, node.schema)
        return bool(value.keys() <= named)

    return has_no_others


def _property_names(node: Node, wanted: Any, kind: type) -> Check:
    part = node.part("propertyNames")
    return lambda value, steps: all(part.fits(name, steps) for name in value)


def _items(node: Node, wanted: Any, kind: type) -> Check:
    part, first = node.part("items"), len(node.schema.get("prefixItems", ()))

    def fits(value: Any, steps: Steps) -> bool:
        for item in value[first:] if first else value:  # noqa: SIM110, a loop takes half the time
            if not part.fits(item, steps):
                return False
        return True

    return fits


def _prefix_items(node: Node, wanted: Any, kind: type) -> Check:
    parts = node.parts("prefixItems")
    return lambda value, steps: all(
        part.fits(item, steps) for part, item in zip(parts, value, strict=False)
    )


def _contains(node: Node, wanted: Any, kind: type) -> Check:
    return lambda value, steps: contained(node, value, steps) is None


def contained(node: Node, value: list[Any], steps: Steps) -> str | None:
    """The keyword that a list breaks of `contains`, `minContains` and `maxContains`; None if none."""
    wanted, least = node.part("contains"), node.schema.get("minContains", 1)
    most = node.schema.get("maxContains")
    count = 0
    for item in value:
        if wanted.fits(item, steps):
            count += 1
            if most is not None and count > most:
                return "maxContains"
            if most is None and count >= least:
                return None
    if count >= least:
        return None
    return "minContains" if count else "contains"


def _unevaluated_properties(node: Node, wanted: Any, kind: type) -> Check:
    return lambda value, steps: not unevaluated_names(node, value, steps)


def _unevaluated_items(node: Node, wanted: Any, kind: type) -> Check:
    return lambda value, steps: not unevaluated_places(node, value, steps)


APPLICATORS: Keywords = {
    "$ref": (ANY, _ref),
    "allOf": (ANY, _all_of),
    "anyOf": (ANY, _any_of),
    "oneOf": (ANY, _one_of),
    "not": (ANY, _not),
    "if": (ANY, _if),
    "dependentSchemas": (OBJECT, _dependent),
    "properties": (OBJECT, _properties),
    "patternProperties": (OBJECT, _pattern_properties),
    "additionalProperties": (OBJECT, _additional),
    "propertyNames": (OBJECT, _property_names),
    "unevaluatedProperties": (OBJECT, _unevaluated_properties),
    "items": (ARRAY, _items),
    "prefixItems": (ARRAY, _prefix_items),
    "contains": (ARRAY, _contains),
    "unevaluatedItems": (ARRAY, _unevaluated_items),
}
