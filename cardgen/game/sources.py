"""The files of a project during loading: each read once, validated, and kept for its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from json import dumps
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast

from cardgen.core.findings import Findings, Location, did_you_mean
from cardgen.core.game import Card, Effects, Locator, PrintedText
from cardgen.core.paths import ProjectPaths, composed
from cardgen.core.records import dataclass, field
from cardgen.files.listing import folded, names_in
from cardgen.files.reading import TABLE, YAML, Kind, ReadingError, is_folder, is_regular, read_file
from cardgen.files.table_formats import is_table, parted
from cardgen.files.tables import unused_sheets
from cardgen.files.yaml import (
    Document,
    Pieces,
    Records,
    load_yaml,
    path_text,
    read_records,
    read_text,
)
from cardgen.files.yaml_text import WrittenNumbers
from cardgen.game.languages import Texts, address_in
from cardgen.game.plugged_tables import schema_for
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_file import name_hint
from cardgen.game.schema_findings import Parts, fits, marked, set_aside, wrong_parts
from cardgen.game.schema_store import SchemaStore

if TYPE_CHECKING:
    from cardgen.game.columns import Shapes
    from cardgen.game.spreadsheets import Recording, TableDocument


_CASE_HINT = "write the name exactly as the file's; Linux distinguishes upper and lower case"


@dataclass(frozen=True, slots=True)
class Subject:
    """A value at a path in a document, and the findings for its problems."""

    document: Document
    findings: Findings
    path: tuple[str | int, ...] = ()

    def below(self, *steps: str | int) -> Subject:
        """Return a value within this one."""
        return Subject(self.document, self.findings, (*self.path, *steps))

    def error(self, code: str, message: str, hint: str | None = None, *, key: bool = False) -> None:
        """Add an error about the value, or about its key."""
        self.findings.error(code, message, self.document.locate(self.path, key=key), hint)

    def warning(self, code: str, message: str, hint: str | None = None, *, key: bool = False) -> None:
        """Add a warning about the value, or about its key."""
        self.findings.warning(code, message, self.document.locate(self.path, key=key), hint)

    def refuse_unknown(
        self, code: str, name: str, known: Iterable[str], kind: str, kinds: str, command: str = ""
    ) -> None:
        """Add an error about the name of something that doesn't exist, with a hint about the names that
        do."""
        self.error(code, f"there is no {kind} '{name}'", name_hint(name, known, kinds, command))


@dataclass(slots=True)
class SourceLocator:
    """A finder of values' lines for later stages. Files are parsed again when first requested, unless
    loading has read them. A default value is located at its parent."""

    paths: ProjectPaths
    _documents: dict[str, Document | None] = field(default_factory=dict)
    sources: Sources | None = field(default=None, repr=False)
    """The files that loading read."""
    _lists: dict[tuple[str, str], Document] = field(default_factory=dict)
    """The files of tables, by the list that each is."""
    _numbers: dict[str, WrittenNumbers] = field(default_factory=dict, repr=False)

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        document = self._document(file, path)
        return document.locate(path) if document else Location(file, None, None, path_text(path))

    def _document(self, file: str, path: tuple[str | int, ...]) -> Document | None:
        if path and (found := self._lists.get((file, str(path[0])))) is not None:
            return found
        if file not in self._documents:
            readable = None if is_table(file) else self.paths.find(file)
            self._documents[file] = (
                load_yaml(readable, file, Findings(), within=self.paths.roots) if readable else None
            )
        return self._documents[file]

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        """Return the line of a record in a list of the file, and those of the values of its keys."""
        kept = None if self.sources is None else self.sources.kept
        if kept is not None and len(path) == 2:
            found = kept.lines(file, str(path[0]), int(path[1]))
            if found is not None:
                return found
        document = self._document(file, path)
        return (None, {}) if document is None else document.lines(path)

    def shown(self, file: str, path: tuple[str | int, ...], value: object) -> str | None:
        """Return the file's text for a value; None if the value itself has it."""
        if (table := self._lists.get((file, str(path[0])))) is not None:
            return cast("TableDocument", table).shown(path)
        document = self._documents.get(file)
        if document is None or isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if file not in self._numbers:
            self._numbers[file] = WrittenNumbers(str(document.text))
        written = self._numbers[file]
        if value not in written.odd or path in document.translated:
            return None
        place = document.locate(path)
        return written.at(place.line or 0, place.column or 0, value)

    def documents(self) -> list[Document]:
        """Return the game's files that were read so far."""
        return [each for each in (*self._documents.values(), *self._lists.values()) if each is not None]

    def texts(self) -> list[PrintedText]:
        """Return the texts that schemas mark for translation, in the order of the files."""
        return [] if self.sources is None else list(self.sources.printed())

    def sets(self) -> dict[str, set[tuple[str | int, ...]]]:
        """Return the lists in the game's files whose order has no meaning."""
        return {} if self.sources is None else self.sources.sets()

    def remember(self, document: Document) -> None:
        """Keep the text as read, so that a file edited in the meantime does not shift lines."""
        if document.name == document.relative:
            self._documents[document.relative] = document
        else:
            self._lists[document.relative, document.name.rpartition("#")[2]] = document


@dataclass(slots=True)
class Sources:
    """A reader of a project's YAML files for loading. Problems go to `findings`."""

    paths: ProjectPaths
    findings: Findings
    schemas: SchemaStore = field(init=False)
    locator: SourceLocator = field(init=False)
    texts: Texts | None = None
    """Texts in another language, which replace those of files that fit their schemas."""
    before: Locator | None = None
    """The reader of the game in its own language, whose files were read and checked already."""
    kept: KeptFiles | None = None
    """The files that were read before and didn't change since."""
    _documents: dict[str, Document | None] = field(default_factory=dict)
    _tables: dict[tuple[str, TableUse], TableDocument | None] = field(default_factory=dict)
    _valid: dict[tuple[str, str], bool] = field(default_factory=dict)
    _wrong: dict[tuple[str, str], Parts | None] = field(default_factory=dict)
    _fitting: list[tuple[Document, str]] = field(default_factory=list)
    """The documents that fit a schema."""
    _there: set[tuple[str, str]] = field(default_factory=set)
    _spelled: dict[str, str] = field(default_factory=dict)

    others: set[str] = field(default_factory=set)
    """Further files that were read, relative to the project."""

    _first: Sources | None = None

    def __post_init__(self) -> None:
        self._first = self.before.sources if isinstance(self.before, SourceLocator) else None
        if self._first:
            self.schemas = self._first.schemas
        elif self.kept is not None:
            self.schemas = self.kept.schema_store(self.paths, self.findings)
        else:
            self.schemas = SchemaStore(self.paths, self.findings)
        self.locator = SourceLocator(self.paths, sources=self)

    def aside(self) -> Sources:
        """Return a reader with findings of its own: for an optional file."""
        kept = None if self.kept is None else self.kept.beside
        other = Sources(self.paths, Findings(), kept=kept)
        other.locator, other.texts, other._fitting = self.locator, self.texts, self._fitting
        return other

    def plain(self) -> Sources:
        """Return a reader of the same files in the source language, with findings of its own."""
        return Sources(self.paths, Findings(), before=self._first.locator if self._first else None)

    @property
    def files(self) -> tuple[str, ...]:
        """Return all files read so far, relative to the project, sorted."""
        tables = (file for file, _ in self._tables)
        return tuple(sorted({*self._documents, *tables, *self.others, *self.schemas.files}))

    def read(self, relative: str, kind: Kind = YAML) -> Document | None:
        """Return a YAML file by its name relative to the project, or None after a finding."""
        if relative not in self._documents and self._first and relative in self._first._documents:
            known = self._first._documents[relative]
            self._documents[relative] = document = None if known is None else known.copy()
            if document is not None:
                self.locator.remember(document)
        elif relative not in self._documents:
            path = self.paths.find(relative)
            if path is None:
                self.findings.error("file/missing", "the file does not exist", Location(relative))
                self._documents[relative] = None
            else:
                load = load_yaml if self.kept is None else self.kept.read
                document = load(path, relative, self.findings, kind, within=self.paths.roots)
                self._documents[relative] = document
                if document is not None:
                    self.locator.remember(document)
        return self._documents[relative]

    def table(self, relative: str, use: TableUse) -> TableDocument | None:
        """Return the records of a spreadsheet by its name relative to the project, or None after
        findings."""
        key = (relative, use)
        if key not in self._tables:
            known = self._first._tables.get(key) if self._first else None
            path = self.paths.find(relative)
            document = None
            if known is not None:
                document = known.copy()
            elif path is not None and not (self._first and key in self._first._tables):
                document = load_table(path, relative, use, self)
            self._tables[key] = document
            if document is not None:
                self.locator.remember(document)
        return self._tables[key]

    def warn_of_unused_sheets(self) -> None:
        """Report the unused sheets of each workbook once."""
        found: dict[str, tuple[set[str], set[str]]] = {}
        for (file, _), document in self._tables.items():
            if document is not None and self._first is None:
                used, others = found.setdefault(file, (set(), set()))
                used |= document.sheets
                others |= document.others
        for file, (used, others) in found.items():
            if unused := sorted(others - used):
                name = f"{PurePosixPath(file).name}#{unused[0]}"
                how = f"name it in game.yaml, under data: of a component or under tables:, as '{name}'"
                self.findings.warning(*unused_sheets(file, unused, how))

    def check(self, document: Document, schema: str) -> bool:
        """Return True if a document fits a schema file such as "schemas/game.schema.json"; add its
        findings, or else the schema's defaults to its data."""
        pair = (document.name, schema)
        if pair not in self._valid:
            before = len(self.findings)
            prepared = self._schema(document, schema)
            known = self._first._valid.get(pair) if self._first else None
            if self.kept is not None and self.kept.fits(document, schema):
                known = True
            self._valid[pair] = (
                prepared is not None
                and (self.fits(document, prepared, fill=True) if known is None else known)
                and self._translated(document, prepared)
            )
            if self._valid[pair]:
                self._fitting.append((document, schema))
            if self.kept is not None and self._valid[pair]:
                self.kept.keep(document, schema, self.findings)
            self.findings.items[before:] = document.new(self.findings.items[before:])
        return self._valid[pair]

    def fits(self, document: Document, schema: PreparedSchema, *, fill: bool = False) -> bool:
        """Return True if a document fits a schema; add its findings, or with `fill` its defaults."""
        return fits(document, schema, self.findings, fill=fill, kept=self.kept is not None)

    def printed(self) -> Iterator[PrintedText]:
        """Yield the marked texts of the game's files that fit their schemas."""
        for document, schema in self._fitting:
            prepared = self._schema(document, schema)
            _, _, file = document.relative.removeprefix("data/").partition("/")
            data = document.data
            for path in () if prepared is None or not file else marked(document, prepared, Findings()):
                value = data
                for key in path:
                    value = value[key]
                if isinstance(value, str):
                    address = address_in(file, data, path)
                    yield PrintedText(address, document.relative, path, value)

    def sets(self) -> dict[str, set[tuple[str | int, ...]]]:
        """Return the paths of the lists of distinct entries in each of the game's files that fits its
        schema. Their order has no meaning."""
        found: dict[str, set[tuple[str | int, ...]]] = {}
        for document, schema in self._fitting:
            if (prepared := self._schema(document, schema)) is not None:
                found.setdefault(document.relative, set()).update(
                    prepared.sets(document.data, document.name)
                )
        return found

    def _schema(self, document: Document, schema: str) -> PreparedSchema | None:
        return self.schemas.schema(schema_for(self.schemas, document, schema))

    def translate(self, document: Document, schema: str) -> bool:
        """Replace the texts of a checked document by those in another language; return True if it still
        fits."""
        prepared = self._schema(document, schema)
        assert prepared is not None  # the document was checked with it
        return self._translated(document, prepared)

    def _translated(self, document: Document, schema: PreparedSchema) -> bool:
        if self.texts is None or not self.texts.take(document, schema):
            return True
        return fits(document, schema, self.findings)

    def wrong_parts(self, document: Document, schema: str) -> Parts | None:
        """Return, after `check`, the entries of the document's lists and mappings that don't fit the schema
        file, as the outer key and the entry's own; None if the rest can't be used either. Rows of tables
        are judged without unknown columns."""
        pair = (document.name, schema)
        if self._valid.get(pair):
            return frozenset()
        if pair not in self._wrong:
            prepared = self._schema(document, schema)
            known = self._first._wrong.get(pair) if self._first else None
            if known or prepared is None:
                self._wrong[pair] = known
            else:
                put_back = set_aside(document, prepared)
                wrong = wrong_parts(document.data, prepared, self.findings)
                if wrong == frozenset() and not self._translated(document, prepared):
                    wrong = wrong_parts(document.data, prepared, self.findings)
                put_back()
                self._wrong[pair] = wrong
        return self._wrong[pair]

    def checked(self, relative: str, schema: str, kind: Kind = YAML) -> Document | None:
        """Return a YAML file that fits its schema, or None after findings."""
        document = self.read(relative, kind)
        return document if document is not None and self.check(document, schema) else None

    def has(self, relative: str) -> bool:
        """Return True if something has that name in the project; reading it fails if it is no file."""
        return self.paths.find(relative) is not None

    def is_file(self, relative: str) -> bool:
        """Return True if there is a file of that name in the project."""
        found = self.paths.find(relative)
        return found is not None and is_regular(found)

    def file(self, named: Subject, folder: str, name: str, code: str) -> bool:
        """Return True if the file that a document names exists in a folder; else add a finding where it is
        named. A found file is not searched again."""
        if (folder, name) in self._there:
            return True
        place = f"{folder}/{name}"
        found = self.paths.find(place)
        if found is not None and not is_folder(found):
            self._there.add((folder, name))
            spelled = self.spelled(folder, name)
            if folded(spelled) == folded(place) and composed(spelled) != composed(place):
                message = f"'{name}' is only found on this disk: the file is called '{spelled}'"
                named.warning("file/case", message, _CASE_HINT)
            return True
        if found is not None:
            named.error(code, f"'{name}' in {folder}/ is a folder, not a file")
            return False
        if (other := self.paths.other_case(name, [folder], [folder])) is not None:
            named.error(code, f"there is no file '{name}' in {folder}/: it is called '{other}'", _CASE_HINT)
            return False
        # Names in a folder differ only in their endings.
        hint = did_you_mean(name, self.names(folder), 0.75) or f"add the file {folder}/{name}"
        named.error(code, f"there is no file '{name}' in {folder}/", hint)
        return False

    def spelled(self, folder: str, name: str) -> str:
        """Return the disk's name for a named file in a folder, relative to the project; the place itself if
        there is none."""
        place = f"{folder}/{name}"
        if place not in self._spelled:
            found = self.paths.find(place)
            roots = self.paths.roots if found is not None else ()
            root = next((each for each in roots if found is not None and found.is_relative_to(each)), None)
            self._spelled[place] = (
                place if root is None or found is None else found.relative_to(root).as_posix()
            )
        return self._spelled[place]

    def names(self, folder: str, ending: str = "") -> list[str]:
        """Return names with that ending in a folder of the project, the user's own and the bundled, sorted;
        a folder that can't be listed is a finding."""
        return sorted({name for root in self.paths.roots for name in self.names_of(root, folder, ending)})

    def names_of(self, root: Path, folder: str, ending: str = "") -> list[str]:
        """Return those of `names` that stand in one of the project's roots."""
        try:
            return names_in(root / folder, folder, self.paths.roots, ending)
        except ReadingError as error:
            self.findings.extend(error.findings)
            return []


def load_checked(paths: ProjectPaths, relative: str, schema: str, findings: Findings) -> Document | None:
    """Return one YAML file of a project, validated, with its schema's defaults.

    `relative` and `schema` are relative to the project: "data/fox/rules.yaml",
    "schemas/rules.schema.json". The result is None after findings.
    """
    sources = Sources(paths, findings)
    if paths.find(schema) is None:
        findings.error("file/missing", "the file does not exist", Location(schema))
        return None
    return sources.checked(relative, schema)


@dataclass(frozen=True, slots=True)
class TableUse:
    """The use of a file's tables: cards, in a file of the list `key` by `schema`, that are like `base`; or
    else (no `base`) one further table of the game, called `key`. `separator` separates the items of lists
    in a cell if the schema has none; `columns` are fields by the names of differently named columns;
    `numbers` is the number style."""

    sheets: tuple[str | None, ...]
    key: str
    schema: str | None = None
    base: str | None = None
    separator: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    numbers: str | None = None


def by_file(names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
    """Return the named sheets of each file, in the order of the files' first names."""
    found: dict[str, tuple[str | None, ...]] = {}
    for name in names:
        file, sheet = parted(name)
        found[file] = (*found.get(file, ()), sheet)
    return found


def table_name(name: str) -> str:
    """Return a table's name in templates from its name in game.yaml: the file's without its ending, or the
    sheet's, in lower case and its words joined by `_`."""
    file, sheet = parted(name)
    stem = PurePosixPath(file).stem
    return stem if sheet is None else re.sub(r"\W+", "_", sheet.casefold()).strip("_") or stem


def load_table(path: Path, relative: str, use: TableUse, sources: Sources) -> TableDocument | None:
    """Return the records of a file, or None after findings; unchanged records come from the sources'
    cache."""
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
    from cardgen.game.spreadsheets import (
        read_lookup,  # a game of YAML files doesn't need it
        read_records,
    )

    if use.base is None:
        own, _ = _prepared(use, sources)
        schema, shapes = None if own is None else own.schema, _shapes(use, sources)
        return read_lookup(raw, relative, use.sheets[0], use.key, schema, shapes, sources.findings)
    return read_records(raw, relative, use.sheets, use.key, recording(use, sources), sources.findings)


def recording(use: TableUse, sources: Sources) -> Recording:
    """Return the rules for reading the records of a list."""
    from cardgen.game.spreadsheets import Recording

    own, base = _prepared(use, sources)
    parts = [] if own is None else [own.of_items(str(use.key))]
    parts += [] if base is None else [base.schema]
    shapes, columns = _shapes(use, sources), dict(use.columns)
    return Recording(shapes, parts, use.separator, own is not None, columns, use.numbers)


def _prepared(use: TableUse, sources: Sources) -> tuple[PreparedSchema | None, PreparedSchema | None]:
    """Return the schema of a table's own, and that of all cards."""
    own, base = (
        sources.schemas.schema(file) if file is not None and sources.has(file) else None
        for file in (use.schema, use.base)
    )
    return own, base


def _shapes(use: TableUse, sources: Sources) -> Shapes:
    from cardgen.game.columns import Shapes

    definitions: dict[str, Any] = {}
    for prepared in reversed(_prepared(use, sources)):
        if prepared is not None and isinstance(prepared.schema, dict):
            definitions.update(prepared.schema.get("$defs", {}))
    return Shapes(definitions)


@dataclass(slots=True)
class _File:
    """A file as read: it fits the `schema`, whose defaults are in its document. `records` are those of its
    list, the document's very values, by their text."""

    path: Path
    text: str
    document: Document
    pieces: Pieces | None
    records: Records
    said: int
    schema: str | None = None


MadeCards = dict[int, tuple[Mapping[str, Any], Card]]
"""Cards with the fields that they were made of, by the id of that object."""


@dataclass(slots=True)
class KeptFiles:
    """The schemas and YAML files of a game, in its own language and for any number of players.

    - The schemas, if the text of every schema file is the same, and none was wrong or missing.
    - A document with the defaults in its data, if its file's text and the schemas are the same, it fits the
      one schema that it was checked with, and it had no findings. The next game gets the very same values,
      so nobody may change them.
    - Records of a list that fits, each by its own text.
    - The records of tables, if the file's bytes, their use and the schemas are the same; of a changed file,
      the equal records, as the very same objects.
    - Cards, if their fields are the very same object and everything else of them is equal: places, and the
      values that they are made with, such as the entry of the component; effects of a card by its fields
      and the game's language of effects, and that by its document.
    """

    schemas: SchemaStore | None = None
    good: dict[str, str] = field(default_factory=dict)
    """The last texts without mistakes of files that can't be read now."""
    _files: dict[str, _File] = field(default_factory=dict)
    _new: dict[str, _File] = field(default_factory=dict)
    _tables: dict[str, list[Any]] = field(default_factory=dict)
    """The records of tables before the file changed."""
    _cards: dict[tuple[str, str], Card] = field(default_factory=dict)
    _made: dict[str, tuple[object, MadeCards]] = field(default_factory=dict)
    _effects: tuple[Document, tuple[str, ...], Effects] | None = None
    _structured: dict[int, tuple[Mapping[str, Any], Effects, dict[str, Any]]] = field(default_factory=dict)
    _structured_before: dict[int, tuple[Mapping[str, Any], Effects, dict[str, Any]]] = field(
        default_factory=dict
    )
    _words: dict[int, tuple[Mapping[str, Any], Any]] = field(default_factory=dict)
    _words_before: dict[int, tuple[Mapping[str, Any], Any]] = field(default_factory=dict)
    _beside: KeptFiles | None = None

    @property
    def beside(self) -> KeptFiles:
        """Return the kept files of readers with findings of their own."""
        if self._beside is None:
            self._beside = KeptFiles()
        return self._beside

    def schema_store(self, paths: ProjectPaths, findings: Findings) -> SchemaStore:
        """Return the current schemas."""
        store = self.schemas
        if store is None or not store.is_as_read(paths):
            store = self.schemas = SchemaStore(paths, findings)
            self._files = {}
        store.findings = findings
        self._new = {}
        self._structured_before, self._structured = self._structured, {}
        self._words_before, self._words = self._words, {}
        return store

    def read(
        self, path: Path, relative: str, findings: Findings, kind: Kind, within: Sequence[Path]
    ) -> Document | None:
        """Read a file as `load_yaml` does, but only its new parts."""
        before = len(findings)
        text = read_text(path, relative, findings, kind, within=within)
        known = self._files.pop(relative, None)
        if known is not None:
            self.good[relative] = known.text
        if text is None:
            return None
        if known is not None and (known.path, known.text) == (path, text):
            self._files[relative] = known
            self.good.pop(relative, None)
            return known.document
        records = {} if known is None else known.records
        document, pieces, records = read_records(text, relative, findings, records)
        if document is not None and len(findings) == before:
            self.good.pop(relative, None)
            self._new[relative] = _File(path, text, document, pieces, records, before)
        return document

    def table(self, path: Path, name: str, digest: str) -> Document | None:
        """Return the kept document of a table, if the digest of its sources is the same."""
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
        """Note a table that was read again; `before` is the number of findings until then."""
        if len(findings) == before:
            self._new[document.name] = _File(path, digest, document, None, {}, before)

    def fits(self, document: Document, schema: str) -> bool:
        """Return True if a document is known to fit a schema, with its defaults added."""
        known = self._files.get(document.name)
        if known is None or known.document is not document:
            return False
        if known.schema != schema:
            del self._files[document.name]  # a file checked with two schemas isn't kept
            return False
        return True

    def keep(self, document: Document, schema: str, findings: Findings) -> None:
        """Keep a document that fits a schema, if it had no findings."""
        file = self._new.pop(document.name, None)
        if file is not None and file.document is document and file.said == len(findings):
            file.schema = schema
            self._files[document.name] = file
            if (before := self._tables.pop(document.name, None)) is not None:
                _take_over(document.records, before)

    def keep_unchecked(self) -> None:
        """Keep the files that were read and not checked: as they are, without defaults."""
        self._files.update(self._new)
        self._new = {}

    # ---- results made from documents

    def lines(self, relative: str, key: str, index: int) -> tuple[int, Mapping[str, int]] | None:
        """Return the lines of a record of a file, and of its keys' values; None if they are not
        known."""
        file = self._files.get(relative)
        return None if file is None or file.pieces is None else file.pieces.lines(key, index)

    def effects(self, document: Document, fields: tuple[str, ...]) -> Effects | None:
        """Return the used part of the language of effects."""
        known = self._effects
        return known[2] if known is not None and known[0] is document and known[1] == fields else None

    def keep_effects(self, document: Document, fields: tuple[str, ...], effects: Effects) -> None:
        self._effects = document, fields, effects

    def structured(self, fields: Mapping[str, Any], effects: Effects) -> dict[str, Any] | None:
        """Return a card's fields with its effects read."""
        known = self._structured.get(id(fields)) or self._structured_before.get(id(fields))
        if known is None or known[0] is not fields or known[1] is not effects:
            return None
        self._structured[id(fields)] = known
        return known[2]

    def keep_structured(self, fields: Mapping[str, Any], effects: Effects, read: dict[str, Any]) -> None:
        self._structured[id(fields)] = fields, effects, read

    def words(self, fields: Mapping[str, Any], read: Callable[[Mapping[str, Any]], Any]) -> Any:
        """Return what `read` finds in the texts of a card's fields, which nobody changes."""
        known = self._words_before.get(id(fields))
        if known is None or known[0] is not fields:
            known = fields, read(fields)
        self._words[id(fields)] = known
        return known[1]

    def made_cards(self, component: str, made_with: object) -> tuple[MadeCards, MadeCards]:
        """Return the cards of a component that were made with equal values the last time, and an empty
        place for those of this time. Findings of cards are not kept: don't put such cards there."""
        before, known = self._made.get(component, (None, {}))
        now: MadeCards = {}
        self._made[component] = made_with, now
        return (known if before == made_with else {}), now

    def made_with(self, component: str) -> Any:
        """Return the values that a component's cards were made with the last time; None before that."""
        return self._made.get(component, (None, {}))[0]

    def card(self, card: Card) -> Card:
        """Return the same card, reusing the earlier object if nothing changed."""
        known = self._cards.get((card.component, card.id))
        if known is card:
            return card
        if known is not None and known.fields is card.fields and known == card:
            return known
        self._cards[card.component, card.id] = card
        return card


def _take_over(records: list[Any], before: list[Any]) -> None:
    """Replace records by the equal objects from before."""
    known = {dumps(record, default=str): record for record in before}
    records[:] = [known.pop(dumps(record, default=str), record) for record in records]
