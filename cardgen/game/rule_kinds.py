"""Rules files, whose kinds may be those of plug-ins: each brings a schema for its keys."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from cardgen.core.findings import CardgenError, Findings, Location
from cardgen.core.game import Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import replace
from cardgen.files import plugins
from cardgen.files.listing import ProjectFolders
from cardgen.files.plugins import Plugin
from cardgen.files.project import bundled_root
from cardgen.files.yaml import Document
from cardgen.game.schema_file import Pointer, SchemaFile
from cardgen.game.schema_store import SchemaStore, schema_of_schemas
from cardgen.game.sources import Sources

SCHEMA_OF_RULES = "schemas/rules.schema.json"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def load_rules(game: Game) -> Mapping[str, Any]:
    """Return the content of a game's rules file, validated; empty for a game without one. Raises
    CardgenError with all findings."""
    if game.rules is None:
        return {}
    findings = Findings()
    document = load_rules_file(game.paths, game.rules, findings)
    findings.raise_if_errors()
    return document.data if document is not None else {}


def load_rules_file(paths: ProjectPaths, file: str, findings: Findings) -> Document | None:
    """Return a game's rules file, validated; None after findings."""
    sources = Sources(paths, findings)
    schema = sources.schemas.file(SCHEMA_OF_RULES)
    if schema is None:
        findings.error("file/missing", "the file does not exist", Location(SCHEMA_OF_RULES))
        return None
    document = sources.read(file)
    if document is None:
        return None
    name = SCHEMA_OF_RULES
    if schema.data is not None and (others := _others(document, schema.data["$defs"]["kind"]["enum"])):
        name = _with_plugins(sources, document, others)
    return document if sources.check(document, name) else None


def _others(document: Document, own: list[str]) -> dict[str, Pointer]:
    """Return the kinds in a file, not yet validated, that aren't our own, with the first place of each."""
    found: dict[str, Pointer] = {}
    for key in ("rules", "deck_rules"):
        entries = document.data.get(key) if isinstance(document.data, dict) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            kind = entry.get("kind") if isinstance(entry, dict) else None
            if isinstance(kind, str) and kind not in own:
                found.setdefault(kind, (key, index, "kind"))
    return found


def _with_plugins(sources: Sources, document: Document, others: Mapping[str, Pointer]) -> str:
    """Return the name of the schema with the plug-ins among other kinds; problems of these are findings."""
    parts: dict[str, Any] = {}
    used: dict[str, Plugin] = {}
    for kind, place in others.items():
        try:
            plugin = plugins.find("rule_kinds", kind)
            if plugin is not None:
                parts[kind], used[kind] = keys_of(plugin_kind(plugin)), plugin
        except CardgenError as error:
            parts[kind] = {"additionalProperties": True}  # one finding is enough
            where = document.locate(place)
            found = (replace(each, location=each.location or where) for each in error.findings)
            sources.findings.extend(found)

    try:
        return _extend(sources.schemas, parts, used)
    except CardgenError as error:
        sources.findings.extend(error.findings)
        return _extend(sources.schemas, {kind: {"additionalProperties": True} for kind in parts}, used)


def _extend(schemas: SchemaStore, parts: Mapping[str, Any], used: Mapping[str, Plugin]) -> str:
    """Return the name of the schema with the keys of further kinds. Raises CardgenError plugin/broken if
    those of a plug-in, one of the `used`, can't be used."""

    def report(file: SchemaFile, path: Pointer, message: str, hint: str | None = None) -> None:
        if len(path) > 1 and path[1] in used:
            plugins.broken(used[str(path[1])], f"has a SCHEMA that can't be used: {message}")
        schemas.problem(file, path, message, hint)

    about = [f"{kind} {'any' if len(part) == 1 else ''}" for kind, part in sorted(parts.items())]
    return schemas.extended(SCHEMA_OF_RULES, about, lambda data: _extended(data, parts), report)


def with_plugin_kinds(schema: bytes) -> bytes:
    """Return our schema of rules, a file, with the keys of all rule kinds that plug-ins add, for editors.
    Broken plug-ins are skipped: `cardgen doctor` names them."""
    parts: dict[str, Any] = {}
    for kind in plugins.names("rule_kinds"):
        with suppress(CardgenError):
            plugin = plugins.find("rule_kinds", kind)
            if plugin is not None:
                check_schema(plugin)
                parts[kind] = keys_of(plugin_kind(plugin))
    if not parts:
        return schema
    return json.dumps(_extended(json.loads(schema), parts), indent=2, ensure_ascii=False).encode() + b"\n"


def check_schema(plugin: Plugin) -> None:
    """Raise CardgenError plugin/broken if the schema of a plug-in's kind can't be used."""
    schemas = SchemaStore(ProjectFolders((bundled_root(),)), Findings())
    _extend(schemas, {plugin.name: keys_of(plugin_kind(plugin))}, {plugin.name: plugin})


def _extended(data: Any, parts: Mapping[str, Any]) -> Any:
    """Return the content of our schema with the keys of further kinds."""
    found = data["$defs"]
    report = found["count"]["properties"]["report"]
    keys = {
        kind: {**part, "properties": {"report": report, **part.get("properties", {})}}
        for kind, part in parts.items()
    }
    choices = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"$ref": f"#/$defs/{kind}"},
        }
        for kind in parts
    ]
    rule = {**found["rule"], "allOf": [*found["rule"]["allOf"], *choices]}
    kinds = {"enum": [*found["kind"]["enum"], *parts]}
    return {**data, "$defs": {**found, **keys, "rule": rule, "kind": kinds}}


def plugin_kind(plugin: Plugin) -> Any:
    """Return the module of a plug-in's rule kind: with documentation, a function `judge` and a SCHEMA of
    its keys. Raises CardgenError plugin/broken."""
    module = plugins.load(plugin)
    if not _NAME.fullmatch(plugin.name):
        plugins.broken(plugin, "has a name that isn't lower-case words joined by '-'")
    if not inspect.ismodule(module) or not inspect.getdoc(module):
        plugins.broken(plugin, f"is no module with a docstring, which documents it: {plugin.value}")
    if not callable(getattr(module, "judge", None)):
        plugins.broken(plugin, "has no function judge(case)")
    schema = getattr(module, "SCHEMA", None)
    if not isinstance(schema, dict) or not schema_of_schemas().is_valid(schema):
        plugins.broken(plugin, "has no JSON Schema of its keys in SCHEMA")
    return module


def keys_of(module: Any) -> dict[str, Any]:
    """Return the schema of a kind's keys, with its documentation's first line as the description."""
    about = (inspect.getdoc(module) or "").partition("\n")[0]
    return {"description": about, "type": "object", **module.SCHEMA}
