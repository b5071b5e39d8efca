"""Keywords that judge a value by itself, without schemas within them: type, limits, enum, pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.schema.ecma_patterns import compiled
from cardgen.schema.equality import key, repeated
from cardgen.schema.node import ANY, ARRAY, NUMBER, OBJECT, STRING, Check, Keywords, Make, Node
from cardgen.schema.steps import Steps

_CLASSES: dict[str, tuple[type, ...]] = {
    "string": STRING,
    "integer": (int,),
    "number": NUMBER,
    "boolean": (bool,),
    "array": ARRAY,
    "object": OBJECT,
    "null": (type(None),),
}


def _type(node: Node, wanted: Any, kind: type) -> Check | None:
    names = [wanted] if isinstance(wanted, str) else wanted
    if any(kind in _CLASSES[name] for name in names):
        return None
    if kind is float and "integer" in names:
        return lambda value, steps: value.is_integer()  # 2.0 is a whole number
    return lambda value, steps: False


def _enum(node: Node, wanted: Any, kind: type) -> Check | None:
    numbers = kind in NUMBER
    same = [value for value in wanted if value.__class__ is kind or (numbers and value.__class__ in NUMBER)]
    keys = frozenset(map(key, same))
    if kind not in (dict, list):
        return lambda value, steps: key(value) in keys

    def is_one(value: Any, steps: Steps) -> bool:
        if not keys:
            return False
        name = key(value)
        steps.take(len(name) >> 4, value, node.schema)
        return name in keys

    return is_one


def _const(node: Node, wanted: Any, kind: type) -> Check | None:
    return _enum(node, [wanted], kind)


def _pattern(node: Node, wanted: Any, kind: type) -> Check | None:
    pattern = compiled(wanted)
    return lambda value, steps: steps.search(pattern, value, node.schema)


def _unique(node: Node, wanted: Any, kind: type) -> Check | None:
    if not wanted:
        return None

    def is_unique(value: Any, steps: Steps) -> bool:
        steps.take(len(value), value, node.schema)
        return repeated(value) is None

    return is_unique


def _multiple(node: Node, wanted: Any, kind: type) -> Check | None:
    if kind is int and isinstance(wanted, int):
        return lambda value, steps: value % wanted == 0
    # By what is written, so that 0.3 is a multiple of 0.1.
    from fractions import Fraction  # few schemas have such numbers

    unit = Fraction(repr(wanted))
    return lambda value, steps: (Fraction(repr(value)) / unit).denominator == 1


def _required(node: Node, wanted: Any, kind: type) -> Check | None:
    names = frozenset(wanted)

    def has_all(value: Any, steps: Steps) -> bool:
        steps.take(len(names) >> 4, value, node.schema)
        return bool(names <= value.keys())

    return has_all


def _dependent(node: Node, wanted: Any, kind: type) -> Check | None:
    count = sum(1 + len(others) for others in wanted.values())

    def has_all(value: Any, steps: Steps) -> bool:
        steps.take(count >> 4, value, node.schema)
        return all(other in value for name, others in wanted.items() if name in value for other in others)

    return has_all


def _limit(passes: Callable[[Any, Any], bool]) -> Make:
    def make(node: Node, wanted: Any, kind: type) -> Check | None:
        return lambda value, steps: passes(value, wanted)

    return make


def _size(passes: Callable[[int, Any], bool]) -> Make:
    def make(node: Node, wanted: Any, kind: type) -> Check | None:
        return lambda value, steps: passes(len(value), wanted)

    return make


ASSERTIONS: Keywords = {
    "type": (ANY, _type),
    "enum": (ANY, _enum),
    "const": (ANY, _const),
    "pattern": (STRING, _pattern),
    "uniqueItems": (ARRAY, _unique),
    "multipleOf": (NUMBER, _multiple),
    "required": (OBJECT, _required),
    "dependentRequired": (OBJECT, _dependent),
    "minimum": (NUMBER, _limit(lambda value, least: value >= least)),
    "maximum": (NUMBER, _limit(lambda value, most: value <= most)),
    "exclusiveMinimum": (NUMBER, _limit(lambda value, bound: value > bound)),
    "exclusiveMaximum": (NUMBER, _limit(lambda value, bound: value < bound)),
    "minLength": (STRING, _size(lambda count, least: count >= least)),
    "maxLength": (STRING, _size(lambda count, most: count <= most)),
    "minItems": (ARRAY, _size(lambda count, least: count >= least)),
    "maxItems": (ARRAY, _size(lambda count, most: count <= most)),
    "minProperties": (OBJECT, _size(lambda count, least: count >= least)),
    "maxProperties": (OBJECT, _size(lambda count, most: count <= most)),
}
