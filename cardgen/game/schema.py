"""One schema: does a value fit, and if not, why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cardgen.game.patterns import Pattern, Steps, compiled
from cardgen.game.schema_file import key, repeated

Check = Callable[[Any, Steps], bool]
"""Whether a value passes; of a class that the check is for."""

OBJECT: tuple[type, ...] = (dict,)
ARRAY: tuple[type, ...] = (list,)
STRING: tuple[type, ...] = (str,)
NUMBER: tuple[type, ...] = (int, float)
ANY: tuple[type, ...] = (dict, list, str, int, float, bool, type(None))
"""Python's classes of JSON's types. A bool is no int here: classes are compared as they are."""


class UnresolvedError(LookupError):
    """A schema that contains itself is not ready yet."""


class Evaluator:
    """Holds values against a self-contained schema and the schemas in it. Each is made ready when a
    value first reaches it. `keywords` says how a keyword's check is made."""

    def __init__(self, schema: Any, keywords: Keywords) -> None:
        self.keywords = keywords
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

    __slots__ = ("_checks", "_evaluator", "_named", "schema")

    def __init__(self, schema: Any, evaluator: Evaluator) -> None:
        self.schema = schema
        self._evaluator = evaluator
        self._checks: dict[type, tuple[Check, ...]] = {}
        self._named: dict[type, tuple[tuple[str, Check], ...]] = {}

    def fits(self, value: Any, steps: Steps) -> bool:
        """Whether a value fits."""
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

    def named_checks(self, value: Any) -> tuple[tuple[str, Check], ...]:
        """The checks of values of this one's class, by keyword, in the schema's order."""
        if value.__class__ not in self._checks:
            self._compile(value.__class__)
        return self._named[value.__class__]

    def _compile(self, kind: type) -> tuple[Check, ...]:
        """The checks of values of a class."""
        named: list[tuple[str, Check]] = []
        if self.schema is False:
            named.append(("false", _refuse))
        for keyword, wanted in self.schema.items() if isinstance(self.schema, dict) else ():
            if keyword in self._evaluator.keywords:
                kinds, make = self._evaluator.keywords[keyword]
                check = make(self, wanted, kind) if kind in kinds else None
                if check is not None:
                    named.append((keyword, check))
        self._named[kind] = tuple(named)
        self._checks[kind] = checks = tuple(check for _, check in named)
        return checks

    # ---- the schemas within it

    def below(self, schema: Any) -> Node:
        """A schema that stands within this one."""
        return self._evaluator.node(schema)

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
"""Makes the check of a keyword of a schema, from what stands below it, for values of a class; None where
all of them pass."""

Keywords = Mapping[str, tuple[tuple[type, ...], Make]]
"""By keyword: the classes of values that it judges, and what makes its check."""


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


def _dependent_schemas(node: Node, wanted: Any, kind: type) -> Check:
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
    "dependentSchemas": (OBJECT, _dependent_schemas),
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
