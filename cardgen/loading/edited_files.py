"""Data files whose lists of cards were edited elsewhere: does what came back fit, and the files' new
texts."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence

from cardgen.findings import Finding, Findings, Location
from cardgen.loading.cards import CARD_SCHEMA
from cardgen.loading.edited_tables import edited_csv
from cardgen.loading.returning import Returned
from cardgen.loading.sources import Sources
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import fits
from cardgen.storage.reading import TABLE, YAML, read_file
from cardgen.yaml.editing import edited
from cardgen.yaml.problems import SourceError, decode
from cardgen.yaml.reader import Document, is_json

_INDEX = re.compile(r"\[(\d+)\]")
_MISSING = "schema/required"
_Key = tuple[str, str, str, str]


def judge(found: Returned, sources: Sources, findings: Findings) -> None:
    """Add what is wrong with cards that came back, each at its cell; but for what was so before."""
    now, before = Findings(), Findings()
    _judge(found.document, found, sources, now)
    if not now.items:
        return
    _judge(found.source.document, found, sources, before)
    component = found.source.component
    old = {_key(each, component, list(found.before)) for each in before}
    # What is wrong with a key is said at the heading, of no card.
    old |= {(code, message, "", "") for code, message, _, _ in old}
    ids = [card["id"] for card in found.cards]
    findings.extend(each for each in now if _key(each, component, ids) not in old)


def _judge(document: Document, found: Returned, sources: Sources, findings: Findings) -> None:
    component, use = found.source.component, found.source.use
    own = None if use.schema is None else sources.schemas.schema(use.schema)
    if own is not None and not fits(document, own, findings):
        return
    card = sources.schemas.schema(CARD_SCHEMA)
    if card is not None:
        lists = {"properties": {component: {"items": card.schema}}}
        fits(document, PreparedSchema(lists, card.name, card.place), findings)


def _key(finding: Finding, component: str, ids: Sequence[str]) -> _Key:
    """A finding by what it says of which card, wherever that stands."""
    path = finding.location.path if finding.location else ""
    index = _INDEX.search(path)
    if index is None or not path.startswith(f"{component}[") or int(index[1]) >= len(ids):
        return finding.code, finding.message, "", ""
    # What is missing is said at the mapping that lacks it, or at the cell that is empty.
    inside = "" if finding.code == _MISSING else path[index.end() :]
    return finding.code, finding.message, ids[int(index[1])], inside


def new_contents(
    found: Sequence[Returned], sources: Sources, findings: Findings
) -> dict[str, tuple[bytes, bytes]]:
    """The bytes that the files of changed lists of cards have, and those that they are to have, by file. A
    finding for each that can't be changed in its place, or has changed meanwhile."""
    contents: dict[str, tuple[bytes, bytes]] = {}
    changed = [each for each in found if each.is_changed]
    for each in changed:
        file = each.source.file
        path = sources.paths.find(file)
        if path is None or file in contents:
            continue
        raw = read_file(path, TABLE if each.source.is_table else YAML, file, sources.paths.roots)
        if each.source.is_table:
            new = edited_csv(each, raw, sources, findings)
        else:
            lists = {one.source.component: one.cards for one in changed if one.source.file == file}
            new = _edited_yaml(each.source.document, lists, raw, findings)
        if new is not None:
            contents[file] = (raw, new)
    return contents


def _edited_yaml(
    document: Document, lists: Mapping[str, object], raw: bytes, findings: Findings
) -> bytes | None:
    file, text = document.relative, str(document.text)
    try:
        if decode(raw) != text:
            findings.error("file/changed", "the file has changed meanwhile", Location(file), "run it again")
            return None
        mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        new = edited(text, {**document.data, **lists}, is_json=is_json(file))
        return mark + new.encode("utf-8")
    except SourceError as problem:
        place = Location(file, problem.line, problem.column)
        findings.error(problem.code, problem.message, place, problem.hint)
        return None
