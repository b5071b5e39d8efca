"""One schema, made ready to judge values.

The rules are JSON Schema's, draft 2020-12, for the keywords that `keywords` knows and schemas whose
references are followed already (`store`). It is our own because what it judges comes from strangers:
steps are counted, patterns are RE2's, no message holds a whole document, and the cost of a value is in
proportion to its size. The tests compare it with the package jsonschema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.schema.ecma_patterns import Pattern, compiled
from cardgen.schema.steps import Steps

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
