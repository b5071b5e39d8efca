"""A project's spreadsheets as loading reads them: what a file is used for, and its records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.storage.reading import TABLE, ReadingError, read_file
from cardgen.tables.names import parted
from cardgen.yaml.reader import Document

if TYPE_CHECKING:
    from cardgen.loading.sources import Sources


@dataclass(frozen=True, slots=True)
class TableUse:
    """What a file's tables are: the list `key` (None: the whole data) of records that schemas judge. Of the
    schema files in `schemas`, the first one that is there tells of the list's items, or of the data itself;
    in a list, so does that of all cards. `separator` parts the items of lists in a cell where the schema
    states none; `columns` are fields by the names of columns that are called otherwise."""

    sheets: tuple[str | None, ...]
    key: str | None = None
    schema: str | None = None
    base: str | None = None
    separator: str | None = None
    columns: tuple[tuple[str, str], ...] = ()


def by_file(names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
    """The sheets that are named of each file, in the order in which the files are first named."""
    found: dict[str, tuple[str | None, ...]] = {}
    for name in names:
        file, sheet = parted(name)
        found[file] = (*found.get(file, ()), sheet)
    return found


def load_table(path: Path, relative: str, use: TableUse, sources: Sources) -> Document | None:
    """The records of a file, or None after findings; what was read before and has not changed is taken from
    what the sources have kept."""
    findings = sources.findings
    try:
        raw = read_file(path, TABLE, relative, sources.paths.roots)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    digest = f"{blake2b(raw, digest_size=16).hexdigest()} {use!r}"
    name = f"{relative}#{use.key}"
    if sources.kept is not None and (known := sources.kept.table(path, name, digest)) is not None:
        return known
    from cardgen.loading.columns import Shapes  # a game of YAML files loads without
    from cardgen.loading.spreadsheets import read_records

    before = len(findings)
    parts: list[Any] = []
    definitions: dict[str, Any] = {}
    for file in (use.schema, use.base):
        prepared = sources.schemas.schema(file) if file is not None and sources.has(file) else None
        if prepared is None or not isinstance(prepared.schema, dict):
            continue
        definitions = {**prepared.schema.get("$defs", {}), **definitions}
        if file == use.base:
            parts.append(prepared.schema)
        else:
            parts.append(prepared.of_items(use.key) if use.key is not None else prepared.schema)
    shapes = Shapes(definitions)
    document = read_records(
        raw, relative, use.sheets, use.key, shapes, parts, findings,
        separator=use.separator, columns=dict(use.columns), identified=use.base is not None,
    )  # fmt: skip
    if document is not None and sources.kept is not None:
        sources.kept.new_table(path, digest, document, findings, before)
    return document
