"""Schemas by file: read, checked, their references followed, and made ready to validate with.

References are followed from file to file below `schemas/`; nothing is ever fetched. `$id` is therefore no
address here. A game's schemas are those of the user's project, or else bundled ones. The schemas beside
the games' folders are cardgen's own: the code relies on what they say, so that a copy in a project, which
editors want, changes nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.findings import Findings, Location
from cardgen.model.game import ProjectPaths
from cardgen.schema.ecma_patterns import PatternAllowance
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.resolving import Preparation
from cardgen.schema.schema_file import JsonError, Pointer, SchemaFile, parse_json
from cardgen.schema.vocabulary import check_schema, wrong
from cardgen.schema.wording import named
from cardgen.storage.reading import SCHEMA
from cardgen.yaml.reader import parse_yaml, read_text

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_PROBLEMS = 100
"""Most problems of a schema file that are reported."""


@dataclass(slots=True)
class SchemaStore:
    """The schemas of a project. Each file is read once; each schema is prepared once.

    Problems in schema files go to `findings`, at their line in the schema.
    """

    paths: ProjectPaths
    findings: Findings
    _files: dict[str, SchemaFile] = field(default_factory=dict)
    _prepared: dict[str, PreparedSchema | None] = field(default_factory=dict)
    _patterns: PatternAllowance = field(default_factory=PatternAllowance)

    @property
    def files(self) -> list[str]:
        """The schema files read so far, relative to the project."""
        return sorted(self._files)

    def is_as_read(self) -> bool:
        """Whether all schemas that were asked for are there, in the words in which they were read."""
        if None in self._prepared.values():
            return False
        for relative, file in self._files.items():
            path = self._find(relative)
            if (
                path is None
                or read_text(path, relative, Findings(), SCHEMA, within=self.paths.roots) != file.text
            ):
                return False
        return True

    def schema(self, relative: str) -> PreparedSchema | None:
        """The schema of a file such as "schemas/game.schema.json"; None where the file or
        one that it refers to cannot be used. `findings` says why, except for a missing file."""
        if relative not in self._prepared:
            self._prepared[relative] = self._prepare(relative)
        return self._prepared[relative]

    def of_lists(self, relative: str, name: str) -> str:
        """What `schema` takes for the schema of files with a list `name` whose items fit the one in a
        file, and in which there may be anything else."""
        own = f"{relative}#{name}"
        if own not in self._prepared:
            item = self.schema(relative)
            listed = {"type": "array", "items": None if item is None else item.schema}
            whole = {"type": "object", "properties": {name: listed}}
            self._prepared[own] = None if item is None else PreparedSchema(whole, item.name, item.place)
        return own

    def _prepare(self, relative: str) -> PreparedSchema | None:
        preparation = Preparation(self.file, self.problem)
        prepared = preparation.prepare(relative)
        if preparation.failed:
            return None

        def place(schema: Any) -> Location | None:
            file, pointer = preparation.origins.get(id(schema), (None, ()))
            return file.locate(pointer) if file is not None else None

        return PreparedSchema(prepared, relative, place)

    def file(self, relative: str) -> SchemaFile | None:
        """A schema file's content, checked; None if there is no such file."""
        if relative in self._files:
            return self._files[relative]
        path = self._find(relative)
        if path is None:
            return None
        text = read_text(path, relative, self.findings, SCHEMA, within=self.paths.roots)
        file = SchemaFile(relative, text or "")
        self._files[relative] = file
        if text is not None:
            self._parse(file)
        return file

    def _find(self, relative: str) -> Path | None:
        own = self.paths.roots[-1] / relative
        if relative.count("/") == 1 and own.is_file():
            return own
        return self.paths.find(relative)

    def _parse(self, file: SchemaFile) -> None:
        try:
            content = parse_json(file.text)
        except JsonError as error:
            self._report_json(file, error)
            return
        problems = list(itertools.islice(check_schema(content, patterns=self._patterns), MOST_PROBLEMS))
        dialect = content.get("$schema", DIALECT) if isinstance(content, dict) else DIALECT
        if isinstance(dialect, str) and dialect.rstrip("#") != DIALECT:
            message = f"'{named(dialect)}' is not used here"
            problems.append(wrong(("$schema",), message, f'write "$schema": "{DIALECT}"'))
        for problem in problems:
            self.problem(file, problem.path, problem.message, problem.hint, key=problem.key)
        if not problems:
            file.content = content

    def _report_json(self, file: SchemaFile, error: JsonError) -> None:
        if error.repeated is not None:
            # The YAML reader knows the line of the second one.
            found = Findings()
            parse_yaml(file.text, file.relative, found)
            if found.errors:
                self.findings.extend(found)
                return
        code = "yaml/duplicate-key" if error.repeated is not None else "schema/json"
        self.findings.error(code, error.message, Location(file.relative, error.line, error.column))

    def problem(
        self,
        file: SchemaFile,
        path: Pointer,
        message: str,
        hint: str | None = None,
        *,
        key: bool = False,
    ) -> None:
        """Report a problem at a place in a schema file."""
        self.findings.error("schema/schema", message, file.locate(path, key=key), hint)
