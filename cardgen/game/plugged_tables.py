"""Files of game.yaml in the table formats of plug-ins, which our schemas don't know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.core.findings import CardgenError
from cardgen.core.records import replace
from cardgen.files import plugins
from cardgen.files.table_formats import FORMATS
from cardgen.files.yaml import Document
from cardgen.game.schema_file import Pointer
from cardgen.game.schema_store import SchemaStore

GAME, COMMON = "schemas/game.schema.json", "schemas/common.schema.json"
_KNOWN = frozenset((*FORMATS, ".yaml", ".yml"))


def schema_for(schemas: SchemaStore, document: Document, schema: str) -> str:
    """Return the name of the schema for a document: `schema`, or for a game.yaml with tables in the formats
    of plug-ins a schema that knows these. Raises CardgenError for a plug-in that can't be loaded."""
    if schema != GAME or not isinstance(document.data, dict):
        return schema
    found: set[str] = set()
    for path, name in _files(document.data):
        stem, _, ending = name.partition("#")[0].lower().rpartition(".")
        if stem and f".{ending}" not in _KNOWN:
            try:
                if plugins.find("table_formats", ending) is not None:
                    found.add(ending)
            except CardgenError as error:
                place = document.locate(path)
                raise CardgenError(*(replace(each, location=place) for each in error.findings)) from None
    if not found:
        return schema
    return schemas.extended(
        GAME, sorted(found), lambda data: _extended(data, found), schemas.problem, COMMON
    )


def _files(data: Any) -> Iterator[tuple[Pointer, str]]:
    """Yield the files that a game.yaml, not yet validated, names as data, each with its place."""
    components, tables = data.get("components"), data.get("tables")
    named: list[tuple[Pointer, Any]] = [(("tables",), tables)]
    for id, entry in components.items() if isinstance(components, dict) else ():
        named.append((("components", id, "data"), entry.get("data") if isinstance(entry, dict) else None))
    for path, value in named:
        if isinstance(value, str):
            yield path, value
        for index, each in enumerate(value if isinstance(value, list) else ()):
            if isinstance(each, str):
                yield (*path, index), each


def _extended(data: Any, endings: set[str]) -> Any:
    """Return our common schema with further endings of data files."""
    rule = data["$defs"]["data"]
    more = "|".join(sorted(endings))
    pattern = f"{rule['pattern'].removesuffix(')$')}|({more})(#.+)?)$"
    return {**data, "$defs": {**data["$defs"], "data": {**rule, "pattern": pattern}}}
