"""A project's spreadsheets as loading reads them: what a file is used for, and its records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast

from cardgen.storage.reading import TABLE, ReadingError, read_file
from cardgen.tables.names import parted

if TYPE_CHECKING:
    from cardgen.loading.columns import Shapes
    from cardgen.loading.sources import Sources
    from cardgen.loading.spreadsheets import Recording, TableDocument
    from cardgen.schema.prepared import PreparedSchema


@dataclass(frozen=True, slots=True)
class TableUse:
    """What a file's tables are: cards, which a file of the list `key` by `schema` holds and which are such
    as `base` says; or else (no `base`) one further table of the game, called `key`. `separator` parts the
    items of lists in a cell where the schema states none; `columns` are fields by the names of columns that
    are called otherwise; `numbers` is how numbers are written."""

    sheets: tuple[str | None, ...]
    key: str
    schema: str | None = None
    base: str | None = None
    separator: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    numbers: str | None = None


def by_file(names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
    """The sheets that are named of each file, in the order in which the files are first named."""
    found: dict[str, tuple[str | None, ...]] = {}
    for name in names:
        file, sheet = parted(name)
        found[file] = (*found.get(file, ()), sheet)
    return found


def table_name(name: str) -> str:
    """What templates call a table of the game by its name in game.yaml: the file's without its ending, or
    the sheet's, in lower case and its words joined by `_`."""
    file, sheet = parted(name)
    stem = PurePosixPath(file).stem
    return stem if sheet is None else re.sub(r"\W+", "_", sheet.casefold()).strip("_") or stem


def load_table(path: Path, relative: str, use: TableUse, sources: Sources) -> TableDocument | None:
    """The records of a file, or None after findings; what was read before and has not changed is taken from
    what the sources have kept."""
    findings = sources.findings
    try:
        raw = read_file(path, TABLE, relative, sources.paths.roots)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    digest = f"{blake2b(raw, digest_size=16).hexdigest()} {use!r}"
    name = f"{relative}#{use.key}" if use.base is not None else f"{relative}#table {use.key}"
    if sources.kept is not None and (known := sources.kept.table(path, name, digest)) is not None:
        return cast("TableDocument", known)
    before = len(findings)
    document = _read(raw, relative, use, sources)
    if document is not None and sources.kept is not None:
        sources.kept.new_table(path, digest, document, findings, before)
    return document


def _read(raw: bytes, relative: str, use: TableUse, sources: Sources) -> TableDocument | None:
    from cardgen.loading.lookups import read_lookup  # a game of YAML files loads without
    from cardgen.loading.spreadsheets import read_records

    if use.base is None:
        own, _ = _prepared(use, sources)
        schema, shapes = None if own is None else own.schema, _shapes(use, sources)
        return read_lookup(raw, relative, use.sheets[0], use.key, schema, shapes, sources.findings)
    return read_records(raw, relative, use.sheets, use.key, recording(use, sources), sources.findings)


def recording(use: TableUse, sources: Sources) -> Recording:
    """How the records of a list are read."""
    from cardgen.loading.spreadsheets import Recording

    own, base = _prepared(use, sources)
    parts = [] if own is None else [own.of_items(str(use.key))]
    parts += [] if base is None else [base.schema]
    shapes, columns = _shapes(use, sources), dict(use.columns)
    return Recording(shapes, parts, use.separator, own is not None, columns, use.numbers)


def _prepared(use: TableUse, sources: Sources) -> tuple[PreparedSchema | None, PreparedSchema | None]:
    """The schema of its own that a table has, and that of all cards."""
    own, base = (
        sources.schemas.schema(file) if file is not None and sources.has(file) else None
        for file in (use.schema, use.base)
    )
    return own, base


def _shapes(use: TableUse, sources: Sources) -> Shapes:
    from cardgen.loading.columns import Shapes

    definitions: dict[str, Any] = {}
    for prepared in reversed(_prepared(use, sources)):
        if prepared is not None and isinstance(prepared.schema, dict):
            definitions.update(prepared.schema.get("$defs", {}))
    return Shapes(definitions)
