"""Schemas by file: read, checked, references followed, ready to validate."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from cardgen.core.findings import Findings, Location
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, field, replace
from cardgen.files.reading import SCHEMA, read_bundled
from cardgen.files.yaml import parse_yaml, read_text
from cardgen.game.json_values import TooManyStepsError, UnresolvedError, parse_json, size
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_file import (
    SUBSCHEMA,
    SUBSCHEMA_LISTS,
    SUBSCHEMA_MAPS,
    Pointer,
    SchemaFile,
    leads_to_schema,
    named,
    words,
)
from cardgen.game.schema_findings import fits
from cardgen.game.schema_merge import Schema, closed, merged

MOST_PROBLEMS = 100
"""Most problems of a schema file that are reported."""

Find = Callable[[str], SchemaFile | None]
"""The schema file of that name relative to the project; None if there is none."""
Report = Callable[[SchemaFile, Pointer, str, str | None], None]
"""Takes a problem: file, place, message, hint."""


@cache
def schema_of_schemas() -> PreparedSchema:
    """Return the schema that every schema must fit."""
    return PreparedSchema(json.loads(read_bundled("game", "schema_keywords.json")), "JSON Schema")


@dataclass(slots=True)
class SchemaStore:
    """The schemas of a project. Each file is read once; each schema is prepared once.

    Problems in schema files go to `findings`, at their line in the schema.
    """

    paths: ProjectPaths
    findings: Findings
    _files: dict[str, SchemaFile] = field(default_factory=dict)
    _prepared: dict[str, PreparedSchema | None] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """Return the schema files read so far, relative to the project."""
        return sorted(self._files)

    def is_as_read(self, paths: ProjectPaths) -> bool:
        """Return True if all requested schemas exist in these folders, with the same text."""
        if None in self._prepared.values() or paths.roots[-1] != self.paths.roots[-1]:
            return False
        self.paths = paths
        for relative, file in self._files.items():
            path = self._find(relative)
            if (
                path is None
                or read_text(path, relative, Findings(), SCHEMA, within=self.paths.roots) != file.text
            ):
                return False
        return True

    def schema(self, relative: str) -> PreparedSchema | None:
        """Return the schema of a file such as "schemas/game.schema.json"; None if the file or one that it
        refers to cannot be used. `findings` gives the reason, except for a missing file."""
        if relative not in self._prepared:
            self._prepared[relative] = self._prepare(relative)
        return self._prepared[relative]

    def of_lists(self, relative: str, name: str) -> str:
        """Return the name under which `schema` has the schema of files with a list `name`, whose items fit
        the one in a file. Such files can contain anything else."""
        own = f"{relative}#{name}"
        if own not in self._prepared:
            item = self.schema(relative)
            listed = {"type": "array", "items": None if item is None else item.schema}
            whole = {"type": "object", "properties": {name: listed}}
            self._prepared[own] = None if item is None else PreparedSchema(whole, item.name, item.place)
        return own

    def extended(
        self,
        relative: str,
        parts: Sequence[str],
        extend: Callable[[Any], Any],
        report: Report,
        changed: str | None = None,
    ) -> str:
        """Return the name under which `schema` has the schema of a file with more `parts`: the content of
        the file, or of another that is `changed`, is what `extend` makes of it. `report` takes problems."""
        own, changed = f"{relative}#{' '.join(parts)}", changed or relative
        file = self.file(changed)
        if own not in self._prepared and file is not None:
            larger = SchemaFile(changed, extend(file.data), file.text)

            def find(name: str) -> SchemaFile | None:
                return larger if name == changed else self.file(name)

            self._prepared[own] = _prepared_by(Preparation(find, report), relative)
        return own

    def _prepare(self, relative: str) -> PreparedSchema | None:
        return _prepared_by(Preparation(self.file, self.problem), relative)

    def file(self, relative: str) -> SchemaFile | None:
        """Return a schema file's content, checked; None if there is no such file."""
        if relative in self._files:
            return self._files[relative]
        path = self._find(relative)
        if path is None:
            return None
        text = read_text(path, relative, self.findings, SCHEMA, within=self.paths.roots)
        file = self._files[relative] = SchemaFile(relative, None, text or "")
        if text is not None:
            self._parse(file)
        return file

    def _find(self, relative: str) -> Path | None:
        return self._own(relative) or self.paths.find(relative)

    def _own(self, relative: str) -> Path | None:
        """Return one of cardgen's own schemas, which replace a project's copies of them."""
        own = self.paths.roots[-1] / relative
        return own if relative.count("/") == 1 and own.is_file() else None

    def _parse(self, file: SchemaFile) -> None:
        try:
            content = parse_json(file.text)
        except ValueError as error:
            found = Findings()
            parse_yaml(file.text, file.relative, found)  # JSON is YAML too, and its reader knows the place
            if not found.errors:
                found.error("schema/json", f"not JSON: {error}", Location(file.relative))
            self.findings.extend(replace(each, code="schema/json", hint=None) for each in found)
            return
        file.data, found = content, Findings()
        is_ours = len(self.paths.roots) > 1 and self._own(file.relative) is not None
        if not is_ours and not fits(file, schema_of_schemas(), found):
            problems = found.items[:MOST_PROBLEMS]
            self.findings.extend(replace(each, code="schema/schema") for each in problems)
            file.data = None

    def problem(self, file: SchemaFile, path: Pointer, message: str, hint: str | None = None) -> None:
        """Report a problem at a place in a schema file."""
        self.findings.error("schema/schema", message, file.locate(path), hint)


LARGEST = 1_000
"""Most values in a default: it is copied for each mapping that lacks it."""
MAX_PARTS = 50_000
"""Most schemas that a schema consists of, those that it refers to counted at every place."""
MAX_LEVELS = 100
"""Deepest nesting of schemas, references followed."""

_DESCENDING = words(
    "properties patternProperties additionalProperties unevaluatedProperties items prefixItems "
    "unevaluatedItems contains propertyNames"
)
"""Keywords whose schemas see a part of the value, not the value itself."""

_LEFT_OUT = frozenset(("$ref", "allOf", "$defs", "$id", "$anchor", "$schema", "$comment"))
"""Keywords that a prepared schema doesn't need, or that are replaced by their content."""


@dataclass(slots=True)
class _Open:
    """A reference being followed: its depth in the value, and its name if it repeats."""

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
    """A preparation of one schema. `failed` is True if it cannot be used; `origins` contains the source of
    each schema within the result, by the schema's identity."""

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
        """Return the schema of a file; not usable if the preparation has failed."""
        file = self._find(relative)
        if file is None or file.data is None:
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
        """Return the prepared schema at a place in a file. `depth` counts the steps into the value, `level`
        the schemas around it."""
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
        if target.data is None:
            self.failed = True
            return True
        steps = target.find(unquote(fragment))
        if steps is None:
            return self._refuse(file, here, f"'{named(ref)}' points to nothing in {target.relative}")
        if not leads_to_schema(steps) and not _is_schema(target.at(steps)):
            return self._refuse(file, here, f"'{named(ref)}' names no schema in {target.relative}")
        try:
            return self._target(target, steps, depth, level)
        except _TooLargeError as error:
            if not self.failed:
                self._refuse(file, here, str(error), "refer to fewer schemas that refer to others")
            raise

    def _check_default(self, file: SchemaFile, place: Pointer, default: Any, schema: Any) -> None:
        """Report a default that does not fit; unchecked within schemas that contain themselves."""
        if size(default, LARGEST) > LARGEST:
            self._refuse(file, place, f"the default has more than {LARGEST:,} values")
        elif self._defaults:
            try:
                if not PreparedSchema(schema).accepts(default, file.relative):
                    self._refuse(file, place, "the default does not fit this schema")
            except TooManyStepsError:
                self._defaults = False  # one is enough: each costs as much
                self._refuse(file, place, "checking the default against this schema takes too long")
            except (UnresolvedError, RecursionError):
                pass

    def _refuse(self, file: SchemaFile, pointer: Pointer, message: str, hint: str | None = None) -> bool:
        self._report(file, pointer, message, hint)
        self.failed = True
        return True


def _prepared_by(preparation: Preparation, relative: str) -> PreparedSchema | None:
    """Return the prepared schema of a file; None if it can't be used."""
    prepared = preparation.prepare(relative)
    if preparation.failed:
        return None

    def place(schema: Any) -> Location | None:
        file, pointer = preparation.origins.get(id(schema), (None, ()))
        return file.locate(pointer) if file is not None else None

    return PreparedSchema(prepared, relative, place)


def _is_schema(value: Any) -> bool:
    """Return True if an optional schema inside a schema file is one."""
    try:
        return schema_of_schemas().is_valid(value)
    except (TooManyStepsError, RecursionError):
        return False


def _is_elsewhere(address: str) -> bool:
    """Return True if a reference names something on the network."""
    try:
        return bool(urlsplit(address).scheme)
    except ValueError:
        return True
