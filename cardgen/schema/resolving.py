"""A schema with all its references put in place.

A reference becomes the schema it names, merged with its neighbours; one that contains itself is moved to
`$defs` of the result, under a name of ours. What comes of it is bounded: a few references that each name
another twice would be more than memory holds.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from cardgen.schema.defaults import LARGEST
from cardgen.schema.merge import Schema, closed, merged
from cardgen.schema.node import UnresolvedError
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_file import Pointer, SchemaFile
from cardgen.schema.steps import TooManyStepsError, size
from cardgen.schema.vocabulary import MAX_SCHEMAS, SUBSCHEMA, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, words
from cardgen.schema.wording import named

MAX_PARTS = MAX_SCHEMAS
"""Most schemas that a schema consists of, those that it refers to counted at every place."""
MAX_LEVELS = 100
"""Deepest nesting of schemas, references followed."""

_DESCENDING = words(
    "properties patternProperties additionalProperties unevaluatedProperties items prefixItems "
    "unevaluatedItems contains propertyNames"
)
"""Keywords whose schemas see a part of the value, not the value itself."""

_LEFT_OUT = frozenset(("$ref", "allOf", "$defs", "$id", "$anchor", "$schema", "$comment"))
"""Keywords that a prepared schema has no use for, or that are put in place of."""

Find = Callable[[str], SchemaFile | None]
"""The schema file of that name relative to the project; None if there is none."""
Report = Callable[[SchemaFile, Pointer, str, str | None], None]
"""Takes a problem: file, place, message, hint."""


@dataclass(slots=True)
class _Open:
    """A reference being followed: how far into the value it lies, and its name if it came again."""

    depth: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class _Done:
    """A schema that is ready: of how many schemas it consists, how deeply they are nested."""

    schema: Any
    parts: int
    levels: int


class _TooLargeError(Exception):
    pass


class Preparation:
    """Prepares one schema. `failed` says whether it cannot be used; `origins` holds, by the identity of
    each schema within the result, where it comes from."""

    def __init__(self, find: Find, report: Report) -> None:
        self._find = find
        self._report = report
        self._done: dict[tuple[str, Pointer], _Done] = {}
        self._open: dict[tuple[str, Pointer], _Open] = {}
        self._recursive: dict[str, Any] = {}
        self._parts = 0
        self._deepest = 0
        self._names = 0
        self._defaults = True
        self.failed = False
        self.origins: dict[int, tuple[SchemaFile, Pointer]] = {}

    def prepare(self, relative: str) -> Any:
        """The schema of a file; of no use if the preparation has failed."""
        file = self._find(relative)
        if file is None or file.content is None:
            self.failed = True
            return False
        try:
            prepared = self._target(file, (), 0, 0)
        except _TooLargeError as error:
            if not self.failed:
                self._refuse(file, (), str(error))
            return False
        if not self._recursive:
            return prepared
        return {**prepared, "$defs": self._recursive}

    def _target(self, file: SchemaFile, pointer: Pointer, depth: int, level: int) -> Any:
        """The prepared schema at a place in a file. `depth` counts the steps into the value, `level` the
        schemas around it."""
        address = (file.relative, pointer)
        done = self._done.get(address)
        if done is not None:
            self._count(done.parts, level + done.levels)
            return done.schema
        again = self._open.get(address)
        if again is not None:
            if again.depth == depth:
                return self._refuse(file, pointer, "this schema refers to itself without end")
            if again.name is None:
                self._names += 1
                again.name = f"recursive-{self._names}"
            return {"$ref": f"#/$defs/{again.name}"}
        self._open[address] = entry = _Open(depth)
        parts, deepest, self._deepest = self._parts, self._deepest, level
        result = self._node(file, pointer, file.at(pointer), depth, level)
        del self._open[address]
        if entry.name is not None:
            self._recursive[entry.name] = result
        self._done[address] = _Done(result, self._parts - parts, self._deepest - level)
        self._deepest = max(deepest, self._deepest)
        return result

    def _count(self, parts: int, level: int) -> None:
        self._parts += parts
        self._deepest = max(self._deepest, level)
        if self._parts > MAX_PARTS:
            raise _TooLargeError(
                f"with all that it refers to, the schema has more than {MAX_PARTS:,} parts"
            )
        if level > MAX_LEVELS:
            raise _TooLargeError(f"schemas are nested more than {MAX_LEVELS} deep, references followed")

    def _node(self, file: SchemaFile, pointer: Pointer, schema: Any, depth: int, level: int) -> Any:
        self._count(1, level)
        if isinstance(schema, bool):
            return schema
        own: Schema = {}
        for keyword, value in schema.items():
            below = depth + 1 if keyword in _DESCENDING else depth
            here = (*pointer, keyword)
            if keyword in _LEFT_OUT:
                continue
            if keyword in SUBSCHEMA:
                own[keyword] = self._node(file, here, value, below, level + 1)
            elif keyword in SUBSCHEMA_LISTS:
                own[keyword] = [
                    self._node(file, (*here, index), item, below, level + 1)
                    for index, item in enumerate(value)
                ]
            elif keyword in SUBSCHEMA_MAPS:
                own[keyword] = {
                    name: self._node(file, (*here, name), part, below, level + 1)
                    for name, part in value.items()
                }
            else:
                own[keyword] = value
        others = [
            self._node(file, (*pointer, "allOf", index), item, depth, level + 1)
            for index, item in enumerate(schema.get("allOf", ()))
        ]
        if "$ref" in schema:
            others.insert(0, self._reference(file, pointer, schema["$ref"], depth, level + 1))
        result = closed(merged(own, others)) if others else closed(own)
        self.origins[id(result)] = (file, pointer)
        if "default" in schema:
            self._check_default(file, (*pointer, "default"), schema["default"], result)
        return result

    def _reference(self, file: SchemaFile, pointer: Pointer, ref: str, depth: int, level: int) -> Any:
        here = (*pointer, "$ref")
        address, _, fragment = ref.partition("#")
        if _is_elsewhere(address):
            hint = "schemas are never fetched; name a file below schemas/"
            return self._refuse(file, here, f"'{named(ref)}' is not a file", hint)
        target: SchemaFile | None = file
        if address:
            relative = posixpath.normpath(
                posixpath.join(posixpath.dirname(file.relative), unquote(address))
            )
            target = self._find(relative) if relative.startswith("schemas/") else None
            if target is None:
                hint = f"it would be {named(relative)}"
                return self._refuse(file, here, f"the schema '{named(address)}' does not exist", hint)
        assert target is not None
        if target.content is None:
            self.failed = True
            return True
        steps = target.find(unquote(fragment))
        if steps is None:
            return self._refuse(file, here, f"'{named(ref)}' names nothing in {target.relative}")
        if not target.is_schema(steps):
            return self._refuse(file, here, f"'{named(ref)}' names no schema in {target.relative}")
        try:
            return self._target(target, steps, depth, level)
        except _TooLargeError as error:
            if not self.failed:
                self._refuse(file, here, str(error), "refer to fewer schemas that refer to others")
            raise

    def _check_default(self, file: SchemaFile, place: Pointer, default: Any, schema: Any) -> None:
        """Report a default that does not fit; taken for granted within schemas that contain themselves."""
        if size(default, LARGEST) > LARGEST:
            self._refuse(file, place, f"the default has more than {LARGEST:,} values")
        elif self._defaults:
            try:
                if not PreparedSchema(schema).is_valid(default):
                    self._refuse(file, place, "the default does not fit this schema")
            except TooManyStepsError:
                self._defaults = False  # once is enough: each costs as much
                self._refuse(file, place, "checking the default against this schema takes too long")
            except (UnresolvedError, RecursionError):
                pass

    def _refuse(self, file: SchemaFile, pointer: Pointer, message: str, hint: str | None = None) -> bool:
        self._report(file, pointer, message, hint)
        self.failed = True
        return True


def _is_elsewhere(address: str) -> bool:
    """Whether a reference names something on the network."""
    try:
        return bool(urlsplit(address).scheme)
    except ValueError:
        return True
