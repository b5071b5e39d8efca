"""One schema: does a value fit, and if not, why.

A keyword either judges a value by itself (`minimum`, `anyOf`) or hands it, or parts of it, on to schemas
within (`properties`, `$ref`). Validity, findings, defaults and the texts to translate all follow the same
keywords.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardgen.game.patterns import Pattern, Steps, compiled

Path = tuple[str | int, ...]

Check = Callable[[Any, Steps], bool]
"""Tells if a value passes a keyword."""

OBJECT: tuple[type, ...] = (dict,)
ARRAY: tuple[type, ...] = (list,)
STRING: tuple[type, ...] = (str,)
NUMBER: tuple[type, ...] = (int, float)
ANY: tuple[type, ...] = (dict, list, str, int, float, bool, type(None))
"""Python's classes of JSON's types. A bool is no int here: classes are compared as they are."""


class UnresolvedError(LookupError):
    """A schema that contains itself is not ready yet."""


class Evaluator:
    """Judges values by a self-contained schema and the schemas in it. Each is compiled when a value first
    reaches it."""

    def __init__(self, schema: Any) -> None:
        self.definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
        self._nodes: dict[int, Node] = {}
        self.root = self.node(schema)

    def node(self, schema: Any) -> Node:
        """A schema within the whole one."""
        known = self._nodes.get(id(schema))
        if known is None:
            known = self._nodes[id(schema)] = Node(schema, self)
        return known


class Node:
    """A schema. Raises TooManyStepsError from all that takes steps."""

    __slots__ = ("_checks", "_evaluator", "_inner", "_named", "schema")

    def __init__(self, schema: Any, evaluator: Evaluator) -> None:
        self.schema = schema
        self._evaluator = evaluator
        self._checks: dict[type, tuple[Check, ...]] = {}
        self._named: dict[type, dict[str, Check]] = {}
        self._inner: dict[type, dict[str, HandOn]] = {}

    def fits(self, value: Any, steps: Steps) -> bool:
        """Tell if a value fits."""
        steps.left -= 1
        if steps.left < 0:
            steps.more(value, self.schema)
        checks = self._checks.get(value.__class__)
        if checks is None:
            checks = self._compile(value.__class__)
        for check in checks:  # noqa: SIM110, a loop takes half the time
            if not check(value, steps):
                return False
        return True

    def misfits(self, value: Any, path: Path, steps: Steps) -> Iterator[Misfit]:
        """All that is wrong with a value, which stands at `path`, in the schema's order."""
        if value.__class__ not in self._checks:
            self._compile(value.__class__)
        inner = self._inner[value.__class__]
        for keyword, check in self._named[value.__class__].items():
            if keyword in inner:
                for part, item, step in inner[keyword](value, steps):
                    if part.fits(item, steps):
                        continue
                    if step is OF_KEY:
                        found = part.misfits(item, path, steps)
                        yield from (replace(misfit, of_key=True) for misfit in found)
                    else:
                        yield from part.misfits(item, (*path, *step), steps)
            elif not check(value, steps):
                yield _misfit(self, keyword, value, path, steps)

    def inner(self, value: Any, steps: Steps) -> Iterator[Inner]:
        """The schemas within that judge a value or a part of it; of the forms of a choice, the first that
        the value fits."""
        if value.__class__ not in self._checks:
            self._compile(value.__class__)
        handing_on = self._inner[value.__class__]
        for keyword in HANDING_ON:
            if keyword in handing_on:
                yield from handing_on[keyword](value, steps)
        for keyword in ("anyOf", "oneOf"):
            form = next((part for part in self.parts(keyword) if part.fits(value, steps)), None)
            if form is not None:
                yield form, value, ()

    def _compile(self, kind: type) -> tuple[Check, ...]:
        """Make the checks of values of a class."""
        named: dict[str, Check] = {}
        inner: dict[str, HandOn] = {}
        if self.schema is False:
            named["false"] = _refuse
        for keyword, wanted in self.schema.items() if isinstance(self.schema, dict) else ():
            kinds, make = CHECKING.get(keyword, NOTHING)
            check = make(self, wanted, kind) if kind in kinds else None
            if check is not None:
                named[keyword] = check
            elif keyword in HANDING_ON and kind in HANDING_ON[keyword][0]:
                inner[keyword] = HANDING_ON[keyword][1](self)
                named[keyword] = _all_fit(inner[keyword])
        self._named[kind], self._inner[kind] = named, inner
        self._checks[kind] = checks = tuple(named.values())
        return checks

    # ---- the schemas within it

    def part(self, keyword: str) -> Node:
        """The schema below a keyword."""
        return self._evaluator.node(self.schema[keyword])

    def parts(self, keyword: str) -> list[Node]:
        """The schemas in the list below a keyword; none without it."""
        return [self._evaluator.node(schema) for schema in self.schema.get(keyword, ())]

    def named_parts(self, keyword: str) -> dict[str, Node]:
        """The schemas by name below a keyword; none without it."""
        return {name: self._evaluator.node(part) for name, part in self.schema.get(keyword, {}).items()}

    def patterns(self) -> list[tuple[Pattern, Node]]:
        """The patterns of `patternProperties` and their schemas."""
        return [(compiled(name), part) for name, part in self.named_parts("patternProperties").items()]

    def target(self) -> Node:
        """The schema that `$ref` leads to, a reference of ours: `#/$defs/NAME`. Raises UnresolvedError."""
        name = self.schema["$ref"].rpartition("/")[2]
        if name not in self._evaluator.definitions:
            raise UnresolvedError(name)
        return self._evaluator.node(self._evaluator.definitions[name])


def _refuse(value: Any, steps: Steps) -> bool:
    return False


Make = Callable[[Node, Any, type], Check | None]
"""Makes the check of a keyword of a schema, from the keyword's value, for values of a class; None where all
of them pass."""

Inner = tuple[Node, Any, Path]
"""A schema, a value that it judges, and the step from the outer value to that one: a key or an index, ()
for the outer value itself, OF_KEY for a key of it."""
OF_KEY: Path = ("",)

HandOn = Callable[[Any, Steps], Iterator[Inner]]
"""Gives the schemas that a keyword hands a value or parts of it on to, all of which must fit."""


def _all_fit(hand_on: HandOn) -> Check:
    def fits(value: Any, steps: Steps) -> bool:
        for part, item, _ in hand_on(value, steps):  # noqa: SIM110, a loop takes half the time
            if not part.fits(item, steps):
                return False
        return True

    return fits


_CLASSES: dict[str, tuple[type, ...]] = {
    "string": STRING,
    "integer": (int,),
    "number": NUMBER,
    "boolean": (bool,),
    "array": ARRAY,
    "object": OBJECT,
    "null": (type(None),),
}


# ---- the equality of JSON


def key(value: Any) -> str:
    """A text that is the same for two values of JSON's types exactly if these are the same.

    Texts, unlike the numbers themselves, are hashed with a secret: no choice of values makes a set of
    them slow.
    """
    if isinstance(value, str):
        return f'"{value}'
    if isinstance(value, bool) or value is None:
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """The value with every whole number written as an integer."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def repeated(items: list[Any]) -> int | None:
    """The place of the first item that is the same as one before it; None where all differ."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        name = key(item)
        if name in seen:
            return index
        seen.add(name)
    return None


def distinct(values: list[Any]) -> list[Any]:
    """The values without repeats, in their order."""
    return list({key(value): value for value in reversed(values)}.values())[::-1]


# ---- keywords that judge a value by itself


def _type(node: Node, wanted: Any, kind: type) -> Check | None:
    names = [wanted] if isinstance(wanted, str) else wanted
    if any(kind in _CLASSES[name] for name in names):
        return None
    if kind is float and "integer" in names:
        return lambda value, steps: value.is_integer()  # 2.0 is a whole number
    return _refuse


def _enum(node: Node, wanted: Any, kind: type) -> Check | None:
    numbers = kind in NUMBER
    same = [value for value in wanted if value.__class__ is kind or (numbers and value.__class__ in NUMBER)]
    keys = frozenset(map(key, same))
    if not keys:
        return _refuse
    if kind not in (dict, list):
        return lambda value, steps: key(value) in keys

    def is_one(value: Any, steps: Steps) -> bool:
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


def _contains(node: Node, wanted: Any, kind: type) -> Check:
    return lambda value, steps: _broken_count(node, value, steps) is None


def _broken_count(node: Node, value: list[Any], steps: Steps) -> str | None:
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


def _no_additional(node: Node, wanted: Any, kind: type) -> Check | None:
    if wanted is not False:
        return None
    if node.schema.get("patternProperties"):
        others = _others_of(node)
        return lambda value, steps: not others(value, steps)
    named = node.schema.get("properties", {}).keys()

    def has_no_others(value: Any, steps: Steps) -> bool:
        steps.take(len(value) >> 4, value, node.schema)
        return bool(value.keys() <= named)

    return has_no_others


def _no_unevaluated(node: Node, wanted: Any, kind: type) -> Check | None:
    if wanted is not False:
        return None
    return lambda value, steps: _evaluated(node, value, steps, own=False) >= value.keys()


CHECKING: Mapping[str, tuple[tuple[type, ...], Make]] = {
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
    "anyOf": (ANY, _any_of),
    "oneOf": (ANY, _one_of),
    "not": (ANY, _not),
    "contains": (ARRAY, _contains),
    "additionalProperties": (OBJECT, _no_additional),
    "unevaluatedProperties": (OBJECT, _no_unevaluated),
}
"""By keyword: the classes of values that it judges, and the maker of its check."""
NOTHING: tuple[tuple[type, ...], Make] = ((), lambda node, wanted, kind: None)


# ---- keywords that hand on to schemas within


def _ref(node: Node) -> HandOn:
    target = node.target()
    return lambda value, steps: iter(((target, value, ()),))


def _all_of(node: Node) -> HandOn:
    parts = node.parts("allOf")
    return lambda value, steps: ((part, value, ()) for part in parts)


def _if(node: Node) -> HandOn:
    condition = node.part("if")

    def branch(value: Any, steps: Steps) -> Iterator[Inner]:
        name = "then" if condition.fits(value, steps) else "else"
        if name in node.schema:
            yield node.part(name), value, ()

    return branch


def _dependent_schemas(node: Node) -> HandOn:
    parts = node.named_parts("dependentSchemas")

    def of_keys(value: Any, steps: Steps) -> Iterator[Inner]:
        steps.take(len(parts) >> 4, value, node.schema)
        for name, part in parts.items():
            if name in value:
                yield part, value, ()

    return of_keys


def _properties(node: Node) -> HandOn:
    parts = node.named_parts("properties")

    def values(value: Any, steps: Steps) -> Iterator[Inner]:
        steps.take(len(value) >> 4, value, node.schema)
        for name, item in value.items():
            if name in parts:
                yield parts[name], item, (name,)

    return values


def _pattern_properties(node: Node) -> HandOn:
    patterns = node.patterns()

    def values(value: Any, steps: Steps) -> Iterator[Inner]:
        steps.take(len(value) * len(patterns), value, node.schema)
        for pattern, part in patterns:
            for name, item in value.items():
                if steps.search(pattern, name, node.schema):
                    yield part, item, (name,)

    return values


def _additional(node: Node) -> HandOn:
    part, others = node.part("additionalProperties"), _others_of(node)
    return lambda value, steps: ((part, value[name], (name,)) for name in others(value, steps))


def _others_of(node: Node) -> Callable[[dict[str, Any], Steps], list[str]]:
    """Make the function that lists the keys that neither `properties` nor `patternProperties` names."""
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


def _property_names(node: Node) -> HandOn:
    part = node.part("propertyNames")
    return lambda value, steps: ((part, name, OF_KEY) for name in value)


def _items(node: Node) -> HandOn:
    part, first = node.part("items"), len(node.schema.get("prefixItems", ()))

    def rest(value: Any, steps: Steps) -> Iterator[Inner]:
        for index in range(first, len(value)):
            yield part, value[index], (index,)

    return rest


def _prefix_items(node: Node) -> HandOn:
    parts = node.parts("prefixItems")
    return lambda value, steps: (
        (part, item, (index,)) for index, (part, item) in enumerate(zip(parts, value, strict=False))
    )


def _unevaluated_properties(node: Node) -> HandOn:
    part = node.part("unevaluatedProperties")

    def unevaluated(value: Any, steps: Steps) -> Iterator[Inner]:
        seen = _evaluated(node, value, steps, own=False)
        return ((part, item, (name,)) for name, item in value.items() if name not in seen)

    return unevaluated


def _unevaluated_items(node: Node) -> HandOn:
    part = node.part("unevaluatedItems")

    def unevaluated(value: Any, steps: Steps) -> Iterator[Inner]:
        seen = _evaluated(node, value, steps, own=False)
        return ((part, item, (index,)) for index, item in enumerate(value) if index not in seen)

    return unevaluated


HANDING_ON: Mapping[str, tuple[tuple[type, ...], Callable[[Node], HandOn]]] = {
    "$ref": (ANY, _ref),
    "properties": (OBJECT, _properties),
    "patternProperties": (OBJECT, _pattern_properties),
    "additionalProperties": (OBJECT, _additional),
    "unevaluatedProperties": (OBJECT, _unevaluated_properties),
    "propertyNames": (OBJECT, _property_names),
    "prefixItems": (ARRAY, _prefix_items),
    "items": (ARRAY, _items),
    "unevaluatedItems": (ARRAY, _unevaluated_items),
    "allOf": (ANY, _all_of),
    "if": (ANY, _if),
    "dependentSchemas": (OBJECT, _dependent_schemas),
}


def _evaluated(node: Node, value: Any, steps: Steps, own: bool = True) -> set[Any]:
    """The keys of a mapping, or the indexes of a list, that a schema which it fits has judged, or one in it
    that sees the same value. Without `own`, `unevaluated…` of this very schema doesn't count."""
    schema, is_mapping = node.schema, isinstance(value, dict)
    steps.take(6 + len(value), value, schema)
    if isinstance(schema, bool):
        return set()
    rest, unevaluated = ("additionalProperties", "unevaluatedProperties")
    if not is_mapping:
        rest, unevaluated = ("items", "unevaluatedItems")
    if rest in schema or (own and unevaluated in schema):
        return set(value) if is_mapping else set(range(len(value)))
    seen: set[Any]
    if is_mapping:
        seen = set(value.keys() & schema.get("properties", {}).keys())
        for pattern, _ in node.patterns():
            steps.take(len(value), value, schema)
            seen.update(name for name in value if steps.search(pattern, name, schema))
    else:
        seen = set(range(min(len(value), len(schema.get("prefixItems", ())))))
        if "contains" in schema:
            wanted = node.part("contains")
            seen.update(index for index, item in enumerate(value) if wanted.fits(item, steps))
    for part in _in_place(node, value, steps):
        seen |= _evaluated(part, value, steps)
    return seen


def _in_place(node: Node, value: Any, steps: Steps) -> Iterator[Node]:
    """The schemas within a schema that see the same value and that it fits."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (part for part in node.parts(keyword) if part.fits(value, steps))
    if "if" in node.schema and (condition := node.part("if")).fits(value, steps):
        yield condition
    for keyword in ("$ref", "if", "dependentSchemas"):
        kinds, make = HANDING_ON[keyword]
        if keyword in node.schema and value.__class__ in kinds:
            yield from (part for part, _, _ in make(node)(value, steps))


# ---- misfits


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
    def places(self) -> list[Path]:
        """The paths of what is wrong: the value, or keys that are missing or should not be there."""
        keys: Sequence[str] = self.names
        if self.of_key:
            keys = (self.value,)
        elif self.keyword == "required":
            keys = [name for name in self.wanted if name not in self.value]
        return [(*self.path, key) for key in keys] or [self.path]

    @property
    def types(self) -> list[str]:
        """The types that a misfit of `type` asks for."""
        return [self.wanted] if isinstance(self.wanted, str) else list(self.wanted)


_EACH = 5
"""Steps that a misfit counts for: what it takes to hold and to word it."""


def _misfit(node: Node, keyword: str, value: Any, path: Path, steps: Steps) -> Misfit:
    """The misfit of a value that breaks a keyword of a schema."""
    steps.take(_EACH, value, node.schema)
    if keyword == "false":
        return Misfit("false", False, value, {}, path)
    forms: tuple[tuple[Misfit, ...], ...] = ()
    names: list[str] = []
    if keyword == "contains":
        keyword = _broken_count(node, value, steps) or keyword
    elif keyword == "additionalProperties":
        names = _others_of(node)(value, steps)
    elif keyword == "unevaluatedProperties":
        seen = _evaluated(node, value, steps, own=False)
        names = [name for name in value if name not in seen]
    elif keyword in ("anyOf", "oneOf"):
        parts = node.parts(keyword)
        if not any(part.fits(value, steps) for part in parts):
            forms = tuple(tuple(part.misfits(value, (), steps)) for part in parts)
    steps.take(len(names), value, node.schema)
    return Misfit(keyword, node.schema[keyword], value, node.schema, path, forms, names=tuple(names))


# ---- all that a value's schemas say of it


class Walk:
    """Follows values that fit through the schemas that judge them and their parts, to those schemas that
    are wanted."""

    def __init__(self, evaluator: Evaluator, is_wanted: Callable[[dict[str, Any]], bool]) -> None:
        self._root = evaluator.root
        self._is_wanted = is_wanted
        self._wanted: set[int] = set()
        self._below: dict[int, bool] = {}
        self._note(evaluator.root.schema)

    def _note(self, schema: Any) -> bool:
        """Note which schemas are wanted or lead to such a one. References are followed always."""
        if not isinstance(schema, dict | list):
            return False
        if id(schema) not in self._below:
            parts = schema.values() if isinstance(schema, dict) else schema
            leading = [self._note(part) for part in parts]
            self._below[id(schema)] = any(leading) or (isinstance(schema, dict) and "$ref" in schema)
            if isinstance(schema, dict) and self._is_wanted(schema):
                self._wanted.add(id(schema))
        return id(schema) in self._wanted or self._below[id(schema)]

    def through(self, value: Any, steps: Steps) -> Iterator[tuple[dict[str, Any], Any, Path]]:
        """Each wanted schema with a value that it judges and the path of that. Raises TooManyStepsError."""
        return self._follow(self._root, value, (), steps)

    def _follow(
        self, node: Node, value: Any, path: Path, steps: Steps
    ) -> Iterator[tuple[dict[str, Any], Any, Path]]:
        schema = node.schema
        steps.take(1, value, schema)
        if id(schema) in self._wanted:
            yield schema, value, path
        if not self._below.get(id(schema)):
            return
        for part, item, step in node.inner(value, steps):
            below = id(part.schema)
            if step is not OF_KEY and (below in self._wanted or self._below.get(below)):
                yield from self._follow(part, item, (*path, *step), steps)
