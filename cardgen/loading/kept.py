"""What loading read of a game before, for the next time that it is loaded in the same process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from json import dumps
from pathlib import Path
from typing import Any

from cardgen.findings import Findings
from cardgen.model.effects import Effects
from cardgen.model.game import Card, ProjectPaths
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import fits
from cardgen.schema.store import SchemaStore
from cardgen.storage.cache import Cache
from cardgen.storage.reading import Kind
from cardgen.yaml.reader import Document, parse_yaml, read_text
from cardgen.yaml.records import LEAST, Kept, Pieces, RecordLines, parse_records, read_records

_OF_FILES = frozenset(
    [
        "$schema",
        "$id",
        "$comment",
        "$defs",
        "title",
        "description",
        "type",
        "properties",
        "required",
        "additionalProperties",
    ]
)
_OF_LISTS = frozenset(["$comment", "title", "description", "type", "items", "minItems", "maxItems"])
"""The keywords of a schema that judges the items of a list each by itself."""


@dataclass(slots=True)
class _File:
    """A file as it was read: it fits the `schema`, whose defaults are in its document. `records` are those
    of its list, the document's very values, by the digests of their text."""

    path: Path
    text: str
    document: Document
    pieces: Pieces | None
    records: Kept
    said: int
    schema: str | None = None


@dataclass(slots=True)
class KeptFiles:
    """The schemas and YAML files of a game, in its own language and for any number of players.

    - The schemas, as long as the text of every schema file is the same, and none was wrong or missing.
    - A document with the defaults in its data, as long as its file's text and the schemas are the same, if
      it fits the one schema that it was checked with and there was nothing to say of it. It is handed on to
      the next game, the very same values, which nobody may change.
    - Records of a list, each by the digest of its own text and the schemas, if the schema judges the items
      of that list each by itself. One that doesn't fit has the file read and judged as a whole.
    - The records of tables, as long as the file's bytes, what they are used for and the schemas are the
      same; of a file that has changed, the records that are equal, as the very same objects.
    - Cards, as long as their fields are the very same object and all else of them is equal; effects of a
      card by its fields and the game's language of effects, and that by its document.
    """

    schemas: SchemaStore | None = None
    _files: dict[str, _File] = field(default_factory=dict)
    _new: dict[str, _File] = field(default_factory=dict)
    _tables: dict[str, list[Any]] = field(default_factory=dict)
    """The records of tables as they were before the file changed."""
    _lines: dict[str, RecordLines] = field(default_factory=dict)
    _judges: dict[tuple[str, str], tuple[PreparedSchema, PreparedSchema] | None] = field(
        default_factory=dict
    )
    _cards: dict[tuple[str, str], Card] = field(default_factory=dict)
    _fitting: dict[str, tuple[PreparedSchema, dict[int, Any]]] = field(default_factory=dict)
    _effects: tuple[Document, tuple[str, ...], Effects] | None = None
    _structured: dict[int, tuple[Mapping[str, Any], Effects, dict[str, Any]]] = field(default_factory=dict)
    _structured_before: dict[int, tuple[Mapping[str, Any], Effects, dict[str, Any]]] = field(
        default_factory=dict
    )
    _beside: KeptFiles | None = None

    @property
    def beside(self) -> KeptFiles:
        """Those of files that are read aside."""
        if self._beside is None:
            self._beside = KeptFiles()
        return self._beside

    def schema_store(self, paths: ProjectPaths, findings: Findings) -> SchemaStore:
        """The schemas as they are now."""
        store = self.schemas
        if store is None or store.paths != paths or not store.is_as_read():
            store = self.schemas = SchemaStore(paths, findings)
            self._files, self._judges, self._fitting = {}, {}, {}
        store.findings = findings
        self._new = {}
        self._structured_before, self._structured = self._structured, {}
        return store

    def read(
        self, path: Path, relative: str, findings: Findings, kind: Kind, within: Sequence[Path]
    ) -> Document | None:
        """As `records.load_records`."""
        before = len(findings)
        text = read_text(path, relative, findings, kind, within=within)
        known = self._files.pop(relative, None)
        if text is None:
            return None
        if known is not None and (known.path, known.text) == (path, text):
            self._files[relative] = known
            return known.document
        pieces = Pieces.of(text)
        if pieces is not None and known is not None and known.records:
            document = self._changed(known, text, pieces)
            if document is not None:
                return document
        file = self._read(path, text, relative, findings, pieces)
        if file is None or len(findings) > before:
            return None if file is None else file.document
        file.said = len(findings)
        self._new[relative] = file
        return file.document

    def table(self, path: Path, name: str, digest: str) -> Document | None:
        """The document of a table that was kept, if the digest of all that it comes from is the same."""
        known = self._files.pop(name, None)
        if known is None:
            return None
        if (known.path, known.text) == (path, digest):
            self._files[name] = known
            return known.document
        self._tables[name] = known.document.records
        return None

    def new_table(
        self, path: Path, digest: str, document: Document, findings: Findings, before: int
    ) -> None:
        """A table was read anew, and `before` there were so many findings."""
        if len(findings) == before:
            self._new[document.name] = _File(path, digest, document, None, {}, before)

    def _read(
        self, path: Path, text: str, relative: str, findings: Findings, pieces: Pieces | None
    ) -> _File | None:
        records: Kept = {}
        document: Document | None
        if pieces is None:
            document = parse_yaml(text, relative, findings)
        elif len(text) < LEAST:
            document, records = read_records(text, relative, findings, pieces, {})
        else:
            cache, key = Cache("records"), str(path.absolute())
            get, put = partial(cache.get, key), partial(cache.put, key)
            document = parse_records(text, relative, findings, get, put, records.update)
        return None if document is None else _File(path, text, document, pieces, records, 0)

    def _changed(self, known: _File, text: str, pieces: Pieces) -> Document | None:
        """A file of which records have changed, if all of them fit; None where the whole is to be looked
        at."""
        assert known.schema is not None
        judge = self._judge(known.schema, pieces.key)
        if judge is None:
            return None
        records = {name: known.records[name] for name in pieces.names if name in known.records}
        before = set(records)
        findings = Findings()
        data = pieces.read([at for at, name in enumerate(pieces.names) if name not in records], records)
        if data is None:
            return None
        head, items = judge
        document = Document(known.document.relative, data, text)
        new = [item for name, (_, item) in records.items() if name not in before]
        if not fits(Document(document.relative, new, ""), items, findings, fill=True):
            return None
        if not fits(document, head, findings, fill=True):
            return None
        self._files[document.relative] = _File(known.path, text, document, pieces, records, 0, known.schema)
        return document

    def _judge(self, schema: str, key: str) -> tuple[PreparedSchema, PreparedSchema] | None:
        """What judges a file of a schema but for the items of its list `key`, and what judges a list of
        such items; None where that can't be taken apart."""
        if (schema, key) not in self._judges:
            prepared = None if self.schemas is None else self.schemas.schema(schema)
            self._judges[schema, key] = None if prepared is None else _apart(prepared, key)
        return self._judges[schema, key]

    def fits(self, document: Document, schema: str) -> bool:
        """Whether it is known that a document fits a schema, whose defaults are in it."""
        known = self._files.get(document.name)
        if known is None or known.document is not document:
            return False
        if known.schema != schema:
            del self._files[document.name]  # what two schemas say of a file is not kept
            return False
        return True

    def keep(self, document: Document, schema: str, findings: Findings) -> None:
        """Keep a document that fits a schema, if there was nothing to say of it."""
        file = self._new.pop(document.name, None)
        if file is not None and file.document is document and file.said == len(findings):
            file.schema = schema
            self._files[document.name] = file
            if (before := self._tables.pop(document.name, None)) is not None:
                _take_over(document.records, before)

    # ---- what is made of documents

    def lines(self, relative: str, key: str, index: int) -> tuple[int, Mapping[str, int]] | None:
        """The lines of a record of a file, and of its keys' values; None where they are not known."""
        file = self._files.get(relative)
        if file is None or file.pieces is None or not file.records:
            return None
        lines = self._lines.setdefault(relative, RecordLines())
        lines.take(file.pieces)
        return lines.of(key, index)

    def fitting(self, relative: str, items: Sequence[Any], card: PreparedSchema) -> bool:
        """Whether all items, the very objects, are known to fit the schema of cards; else those that do are
        known from now on."""
        known = self._fitting.get(relative)
        good = known[1] if known is not None and known[0] is card else {}
        new = [item for item in items if id(item) not in good]
        if new:
            cards = PreparedSchema({"items": card.schema}, card.name, card.place)
            if not fits(Document("", new, ""), cards, Findings()):
                return False
        self._fitting[relative] = card, {id(item): item for item in items}
        return True

    def effects(self, document: Document, fields: tuple[str, ...]) -> Effects | None:
        """What was read of the language of effects."""
        known = self._effects
        return known[2] if known is not None and known[0] is document and known[1] == fields else None

    def keep_effects(self, document: Document, fields: tuple[str, ...], effects: Effects) -> None:
        self._effects = document, fields, effects

    def structured(self, fields: Mapping[str, Any], effects: Effects) -> dict[str, Any] | None:
        """A card's fields with its effects read."""
        known = self._structured.get(id(fields)) or self._structured_before.get(id(fields))
        if known is None or known[0] is not fields or known[1] is not effects:
            return None
        self._structured[id(fields)] = known
        return known[2]

    def keep_structured(self, fields: Mapping[str, Any], effects: Effects, read: dict[str, Any]) -> None:
        self._structured[id(fields)] = fields, effects, read

    def card(self, card: Card) -> Card:
        """The same card, as it was made before if nothing of it is other."""
        known = self._cards.get((card.component, card.id))
        if known is not None and known.fields is card.fields and known == card:
            return known
        self._cards[card.component, card.id] = card
        return card


def _take_over(records: list[Any], before: list[Any]) -> None:
    """Put the very objects from before into the place of records that are equal to them."""
    known = {dumps(record, default=str): record for record in before}
    records[:] = [known.pop(dumps(record, default=str), record) for record in records]


def _apart(prepared: PreparedSchema, key: str) -> tuple[PreparedSchema, PreparedSchema] | None:
    schema = prepared.schema
    if not isinstance(schema, dict) or not schema.keys() <= _OF_FILES:
        return None
    listed = schema.get("properties", {}).get(key)
    if not isinstance(listed, dict) or not listed.keys() <= _OF_LISTS or "items" not in listed:
        return None
    shared = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    head = {name: value for name, value in listed.items() if name != "items"}
    whole = {**schema, "properties": {**schema["properties"], key: head}}
    return (
        PreparedSchema(whole, prepared.name, prepared.place),
        PreparedSchema({**shared, "items": listed["items"]}, prepared.name, prepared.place),
    )
