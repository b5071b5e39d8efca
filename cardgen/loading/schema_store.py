"""Schemas by file: read, checked, their references followed, and made ready to validate with.

References are followed from file to file below `schemas/`, in the user's project first and in the
bundled one after it; nothing is ever fetched. `$id` is therefore no address here.
"""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from cardgen.findings import Findings, Location
from cardgen.loading.prepared_schema import PreparedSchema
from cardgen.loading.schema_check import check_of
from cardgen.loading.schema_keywords import (
    SUBSCHEMA,
    SUBSCHEMA_LISTS,
    SUBSCHEMA_MAPS,
    KeywordProblem,
    check_schema,
    words,
)
from cardgen.loading.schema_merge import Schema, closed, merged
from cardgen.loading.yaml_source import MAX_DEPTH, parse_yaml, read_text
from cardgen.model.game import ProjectPaths

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DESCENDING = words(
    "properties patternProperties additionalProperties unevaluatedProperties items prefixItems "
    "unevaluatedItems contains propertyNames"
)
"""Keywords whose schemas see a part of the value, not the value itself."""

_LEFT_OUT = frozenset(("$ref", "allOf", "$defs", "$id", "$anchor", "$schema", "$comment"))
"""Keywords that a prepared schema has no use for, or that are put in place of."""

Pointer = tuple[str | int, ...]


@dataclass(slots=True)
class _File:
    """A schema file: its content (None if it cannot be used) and its text, for line numbers."""

    relative: str
    content: Any
    text: str

    def locate(self, path: Pointer, *, key: bool = False) -> Location:
        document = parse_yaml(self.text, self.relative, Findings())
        return document.locate(path, key=key) if document else Location(self.relative)


@dataclass(slots=True)
class _Open:
    """A reference being followed: how far into the value it lies, and its name if it came again."""

    depth: int
    name: str | None = None


@dataclass(slots=True)
class SchemaStore:
    """The schemas of a project. Each file is read once; each schema is prepared once.

    Problems in schema files go to `findings`, at their line in the schema.
    """

    paths: ProjectPaths
    findings: Findings
    _files: dict[str, _File] = field(default_factory=dict)
    _prepared: dict[str, PreparedSchema | None] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """The schema files read so far, relative to the project."""
        return sorted(self._files)

    def schema(self, relative: str) -> PreparedSchema | None:
        """The schema of a file such as "schemas/game.schema.json"; None where the file or
        one that it refers to cannot be used. `findings` says why, except for a missing file."""
        if relative not in self._prepared:
            preparation = _Preparation(self)
            prepared = preparation.prepare(relative)
            self._prepared[relative] = None if preparation.failed else PreparedSchema(prepared)
        return self._prepared[relative]

    def file(self, relative: str) -> _File | None:
        """A schema file's content, checked; None if there is no such file."""
        if relative in self._files:
            return self._files[relative]
        path = self.paths.find(relative)
        if path is None:
            return None
        text = read_text(path, relative, self.findings)
        file = _File(relative, None, text or "")
        self._files[relative] = file
        if text is not None:
            self._parse(file)
        return file

    def _parse(self, file: _File) -> None:
        try:
            content = json.loads(file.text, object_pairs_hook=_without_repeats)
        except json.JSONDecodeError as error:
            place = Location(file.relative, error.lineno, error.colno)
            self.findings.error("schema/json", f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", place)
            return
        except _RepeatedKeyError as error:
            parse_yaml(file.text, file.relative, self.findings)
            if not self.findings.errors:
                place = Location(file.relative)
                self.findings.error("yaml/duplicate-key", f"the key '{error}' stands twice", place)
            return
        except (RecursionError, ValueError):
            place = Location(file.relative)
            self.findings.error("schema/json", "not JSON that can be read: too deep or too long", place)
            return
        if _is_deeper(content, MAX_DEPTH):
            place = Location(file.relative)
            self.findings.error("schema/json", f"the schema is nested more than {MAX_DEPTH} deep", place)
            return
        problems = list(check_schema(content))
        dialect = content.get("$schema", DIALECT) if isinstance(content, dict) else DIALECT
        if isinstance(dialect, str) and dialect.rstrip("#") != DIALECT:
            problems.append(
                KeywordProblem(
                    ("$schema",), f"'{dialect}' is not used here", f'write "$schema": "{DIALECT}"'
                )
            )
        for problem in problems:
            self.problem(file, problem.path, problem.message, problem.hint, key=problem.key)
        if not problems:
            file.content = content

    def problem(
        self, file: _File, path: Pointer, message: str, hint: str | None = None, *, key: bool = False
    ) -> None:
        self.findings.error("schema/schema", message, file.locate(path, key=key), hint)


class _RepeatedKeyError(ValueError):
    pass


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedKeyError(next(name for name in names if names.count(name) > 1))
    return result


class _Preparation:
    """One schema with all its references put in place.

    A reference becomes the schema it names, merged with its neighbours; one that contains itself is
    moved to `$defs` of the result, under a name of ours.
    """

    def __init__(self, store: SchemaStore) -> None:
        self._store = store
        self._done: dict[tuple[str, Pointer], Any] = {}
        self._open: dict[tuple[str, Pointer], _Open] = {}
        self._recursive: dict[str, Any] = {}
        self.failed = False

    def prepare(self, relative: str) -> Any:
        file = self._store.file(relative)
        if file is None or file.content is None:
            self.failed = True
            return False
        prepared = self._target(file, (), 0)
        if not self._recursive:
            return prepared
        return {**prepared, "$defs": self._recursive}

    def _target(self, file: _File, pointer: Pointer, depth: int) -> Any:
        """The prepared schema at a place in a file; `depth` counts the steps into the value."""
        address = (file.relative, pointer)
        if address in self._done:
            return self._done[address]
        again = self._open.get(address)
        if again is not None:
            if again.depth == depth:
                return self._refuse(file, pointer, "this schema refers to itself without end")
            again.name = again.name or f"recursive-{len(self._recursive) + len(self._open)}"
            return {"$ref": f"#/$defs/{again.name}"}
        self._open[address] = entry = _Open(depth)
        result = self._node(file, pointer, _at(file.content, pointer), depth)
        del self._open[address]
        if entry.name is not None:
            self._recursive[entry.name] = result
        else:
            self._done[address] = result
        return result

    def _node(self, file: _File, pointer: Pointer, schema: Any, depth: int) -> Any:
        if isinstance(schema, bool):
            return schema
        own: Schema = {}
        for keyword, value in schema.items():
            below = depth + 1 if keyword in _DESCENDING else depth
            here = (*pointer, keyword)
            if keyword in _LEFT_OUT:
                continue
            if keyword in SUBSCHEMA:
                own[keyword] = self._node(file, here, value, below)
            elif keyword in SUBSCHEMA_LISTS:
                own[keyword] = [self._node(file, (*here, i), item, below) for i, item in enumerate(value)]
            elif keyword in SUBSCHEMA_MAPS:
                own[keyword] = {
                    name: self._node(file, (*here, name), v, below) for name, v in value.items()
                }
            else:
                own[keyword] = value
        others = [
            self._node(file, (*pointer, "allOf", index), item, depth)
            for index, item in enumerate(schema.get("allOf", ()))
        ]
        if "$ref" in schema:
            others.insert(0, self._reference(file, pointer, schema["$ref"], depth))
        result = closed(merged(own, others)) if others else closed(own)
        if "default" in schema and not _fits(schema["default"], result):
            self._refuse(file, (*pointer, "default"), "the default does not fit this schema")
        return result

    def _reference(self, file: _File, pointer: Pointer, ref: str, depth: int) -> Any:
        here = (*pointer, "$ref")
        address, _, fragment = ref.partition("#")
        if urlsplit(address).scheme:
            hint = "schemas are never fetched; name a file below schemas/"
            return self._refuse(file, here, f"'{ref}' is not a file", hint)
        target: _File | None = file
        if address:
            relative = posixpath.normpath(
                posixpath.join(posixpath.dirname(file.relative), unquote(address))
            )
            target = self._store.file(relative) if relative.startswith("schemas/") else None
        if target is None:
            hint = f"it would be {relative}"
            return self._refuse(file, here, f"the schema '{address}' does not exist", hint)
        if target.content is None:
            self.failed = True
            return True
        steps = _steps(target.content, unquote(fragment))
        if steps is None:
            return self._refuse(file, here, f"'{ref}' names nothing in {target.relative}")
        if any(check_schema(_at(target.content, steps))):
            return self._refuse(file, here, f"'{ref}' names no schema in {target.relative}")
        return self._target(target, steps, depth)

    def _refuse(self, file: _File, pointer: Pointer, message: str, hint: str | None = None) -> bool:
        self._store.problem(file, pointer, message, hint)
        self.failed = True
        return True


def _fits(default: Any, schema: Any) -> bool:
    """Whether a default fits; taken for granted within schemas that contain themselves."""
    from referencing.exceptions import Unresolvable

    try:
        return check_of(schema)(default)
    except (Unresolvable, RecursionError):
        return True


def _is_deeper(content: Any, most: int) -> bool:
    """Whether objects and lists are nested deeper than `most`; itself without recursion."""
    level = [content]
    for _ in range(most + 1):
        level = [
            item
            for value in level
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


def _at(content: Any, pointer: Pointer) -> Any:
    for step in pointer:
        content = content[step]
    return content


def _steps(content: Any, fragment: str) -> Pointer | None:
    """The place that a JSON pointer or an `$anchor` names in a schema file, or None."""
    if not fragment:
        return ()
    if not fragment.startswith("/"):
        return next(_anchors(content, fragment, ()), None)
    steps: list[str | int] = []
    for part in fragment[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(content, dict) and name in content:
            steps.append(name)
            content = content[name]
        elif isinstance(content, list) and name.isdecimal() and int(name) < len(content):
            steps.append(int(name))
            content = content[int(name)]
        else:
            return None
    return tuple(steps) if isinstance(content, dict | bool) else None


def _anchors(content: Any, name: str, pointer: Pointer) -> Any:
    if isinstance(content, dict):
        if content.get("$anchor") == name:
            yield pointer
        for key, value in content.items():
            yield from _anchors(value, name, (*pointer, key))
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from _anchors(value, name, (*pointer, index))
