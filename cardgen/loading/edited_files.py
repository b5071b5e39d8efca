"""Data files whose lists of cards were edited elsewhere: does what came back fit, and the files' new
texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.findings import Finding, Findings, Location
from cardgen.loading.cards import CARD_SCHEMA
from cardgen.loading.returning import Returned
from cardgen.loading.sources import Sources
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import fits
from cardgen.yaml.editing import edited
from cardgen.yaml.problems import SourceError, decode
from cardgen.yaml.reader import Document

_INDEX = re.compile(r"\[(\d+)\]")
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
        return finding.code, finding.message, "", path
    return finding.code, finding.message, ids[int(index[1])], path[index.end() :]


def edited_texts(found: Sequence[Returned], findings: Findings) -> dict[str, str]:
    """The new texts of the YAML files that changed lists of cards stand in, by their files; a finding for
    each that can't be changed in its place."""
    data: dict[str, dict[str, object]] = {}
    documents: dict[str, Document] = {}
    for each in found:
        if each.is_changed:
            document = documents.setdefault(each.source.file, each.source.document)
            whole = data.setdefault(each.source.file, dict(document.data))
            whole[each.source.component] = each.cards
    texts = {}
    for file, document in documents.items():
        try:
            texts[file] = edited(str(document.text), data[file])
        except SourceError as problem:
            place = Location(file, problem.line, problem.column)
            findings.error(problem.code, problem.message, place, problem.hint)
    return texts


def is_still(raw: bytes, document: Document) -> bool:
    """Whether a file's bytes are those that a document was read from."""
    try:
        return decode(raw) == str(document.text)
    except SourceError:
        return False
