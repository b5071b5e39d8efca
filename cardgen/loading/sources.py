"""The files of a project as loading sees them: each read once, validated, remembered for its lines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from cardgen.findings import Findings, Location
from cardgen.loading.kept import KeptFiles
from cardgen.loading.languages import Texts
from cardgen.loading.table_files import TableUse, load_table
from cardgen.model.game import Locator, ProjectPaths
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import Parts, fits, wrong_parts
from cardgen.schema.store import SchemaStore
from cardgen.schema.wording import did_you_mean
from cardgen.storage.reading import YAML, Kind, ReadingError, is_regular
from cardgen.storage.walking import names_in
from cardgen.tables.names import is_table, unused_sheets
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document, load_yaml, path_text
from cardgen.yaml.records import load_records
from cardgen.yaml.scalars import WrittenNumbers

if TYPE_CHECKING:
    from cardgen.loading.spreadsheets import TableDocument


@dataclass(slots=True)
class SourceLocator:
    """Finds the line of a value for later stages. Files are parsed again when first asked for, unless
    loading has read them. A value that a default put there is located at what surrounds it."""

    paths: ProjectPaths
    _documents: dict[str, Document | None] = field(default_factory=dict)
    sources: Sources | None = field(default=None, repr=False)
    """What loading read."""
    _lists: dict[tuple[str, str], Document] = field(default_factory=dict)
    """Those of tables, by the list that each is."""
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
        """The line of a record in a list of the file's, and those of the values of its keys."""
        kept = None if self.sources is None else self.sources.kept
        if kept is not None and len(path) == 2:
            found = kept.lines(file, str(path[0]), int(path[1]))
            if found is not None:
                return found
        document = self._document(file, path)
        return (None, {}) if document is None else document.lines(path)

    def shown(self, file: str, path: tuple[str | int, ...], value: object) -> str | None:
        """What a file shows for a value; None where that is what the value says itself."""
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
        """What was read of the game's files so far."""
        return [each for each in (*self._documents.values(), *self._lists.values()) if each is not None]

    def remember(self, document: Document) -> None:
        """Keep the text as it was read, so that a file edited meanwhile does not shift lines."""
        if document.name == document.relative:
            self._documents[document.relative] = document
        else:
            self._lists[document.relative, document.name.rpartition("#")[2]] = document


@dataclass(slots=True)
class Sources:
    """Reads a project's YAML files for loading. Problems go to `findings`."""

    paths: ProjectPaths
    findings: Findings
    schemas: SchemaStore = field(init=False)
    locator: SourceLocator = field(init=False)
    texts: Texts | None = None
    """Texts in another language, put over those of files that fit their schemas."""
    before: InitVar[Locator | None] = None
    """That of the game in its own language, whose files were read and checked already."""
    kept: KeptFiles | None = None
    """What was read before, and not changed since."""
    _documents: dict[str, Document | None] = field(default_factory=dict)
    _tables: dict[tuple[str, TableUse], TableDocument | None] = field(default_factory=dict)
    _valid: dict[tuple[str, str], bool] = field(default_factory=dict)
    _wrong: dict[tuple[str, str], Parts | None] = field(default_factory=dict)
    _there: set[tuple[str, str]] = field(default_factory=set)

    others: set[str] = field(default_factory=set)
    """Further files that were read, relative to the project."""

    _first: Sources | None = None

    def __post_init__(self, before: Locator | None) -> None:
        self._first = before.sources if isinstance(before, SourceLocator) else None
        if self._first:
            self.schemas = self._first.schemas
        elif self.kept is not None:
            self.schemas = self.kept.schema_store(self.paths, self.findings)
        else:
            self.schemas = SchemaStore(self.paths, self.findings)
        self.locator = SourceLocator(self.paths, sources=self)

    def aside(self) -> Sources:
        """Reads on with findings of its own: for a file that the game can do without."""
        kept = None if self.kept is None else self.kept.beside
        other = Sources(self.paths, Findings(), kept=kept)
        other.locator, other.texts = self.locator, self.texts
        return other

    def plain(self) -> Sources:
        """Reads the same files in the words of the source, with findings of its own."""
        return Sources(self.paths, Findings(), before=self._first.locator if self._first else None)

    @property
    def files(self) -> tuple[str, ...]:
        """All files read so far, relative to the project, sorted."""
        tables = (file for file, _ in self._tables)
        return tuple(sorted({*self._documents, *tables, *self.others, *self.schemas.files}))

    def read(self, relative: str, kind: Kind = YAML) -> Document | None:
        """A YAML file by its name relative to the project, or None after a finding."""
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
                load = load_records if self.kept is None else self.kept.read
                document = load(path, relative, self.findings, kind, within=self.paths.roots)
                self._documents[relative] = document
                if document is not None:
                    self.locator.remember(document)
        return self._documents[relative]

    def table(self, relative: str, use: TableUse) -> TableDocument | None:
        """The records of a spreadsheet by its name relative to the project, or None after findings."""
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
        """Say once a workbook which of its sheets nothing reads."""
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
        """Whether a document fits a schema file such as "schemas/game.schema.json"; its findings are
        added, and where it fits, the schema's defaults are filled into its data."""
        pair = (document.name, schema)
        if pair not in self._valid:
            before = len(self.findings)
            prepared = self.schemas.schema(schema)
            known = self._first._valid.get(pair) if self._first else None
            if self.kept is not None and self.kept.fits(document, schema):
                known = True
            self._valid[pair] = (
                prepared is not None
                and (fits(document, prepared, self.findings, fill=True) if known is None else known)
                and self._translated(document, prepared)
            )
            if self.kept is not None and self._valid[pair]:
                self.kept.keep(document, schema, self.findings)
            self.findings.items[before:] = document.new(self.findings.items[before:])
        return self._valid[pair]

    def translate(self, document: Document, schema: str) -> bool:
        """Put texts in another language over those of a document that was checked; whether it still
        fits."""
        prepared = self.schemas.schema(schema)
        assert prepared is not None  # the document was checked with it
        return self._translated(document, prepared)

    def _translated(self, document: Document, schema: PreparedSchema) -> bool:
        if self.texts is None or not self.texts.take(document, schema):
            return True
        return fits(document, schema, self.findings)

    def wrong_parts(self, document: Document, schema: str) -> Parts | None:
        """After `check`: which entries of the document's lists and mappings don't fit the schema file, as
        the outer key and the entry's own; None where nothing can be made of the rest either."""
        pair = (document.name, schema)
        if self._valid.get(pair):
            return frozenset()
        if pair not in self._wrong:
            prepared = self.schemas.schema(schema)
            known = self._first._wrong.get(pair) if self._first else None
            self._wrong[pair] = known or (
                None if prepared is None else wrong_parts(document.data, prepared, self.findings)
            )
        return self._wrong[pair]

    def checked(self, relative: str, schema: str, kind: Kind = YAML) -> Document | None:
        """A YAML file that fits its schema, or None after findings."""
        document = self.read(relative, kind)
        return document if document is not None and self.check(document, schema) else None

    def has(self, relative: str) -> bool:
        """Whether there is something of that name in the project; reading it says if it is no file."""
        return self.paths.find(relative) is not None

    def is_file(self, relative: str) -> bool:
        """Whether there is a file of that name in the project."""
        found = self.paths.find(relative)
        return found is not None and is_regular(found)

    def file(self, document: Document, path: DataPath, folder: str, name: str, code: str) -> bool:
        """Whether the file that a document names at `path` exists in a folder; else a finding there.
        One that was found is not looked for again."""
        if (folder, name) in self._there:
            return True
        found = self.paths.find(f"{folder}/{name}")
        if found is not None and not os.path.isdir(found):
            self._there.add((folder, name))
            return True
        if found is not None:
            message = f"'{name}' in {folder}/ is a folder, not a file"
            self.findings.error(code, message, document.locate(path))
            return False
        # Names in a folder are alike by their endings alone.
        hint = did_you_mean(name, self.names(folder), 0.75) or f"it would be {folder}/{name}"
        self.findings.error(code, f"there is no file '{name}' in {folder}/", document.locate(path), hint)
        return False

    def names(self, folder: str, ending: str = "") -> list[str]:
        """Names with that ending in a folder of the project, the user's own and the bundled, sorted; a
        folder that can't be listed is a finding."""
        found: set[str] = set()
        for root in self.paths.roots:
            try:
                found.update(names_in(root / folder, folder, self.paths.roots, ending))
            except ReadingError as error:
                self.findings.extend(error.findings)
        return sorted(found)


def load_checked(paths: ProjectPaths, relative: str, schema: str, findings: Findings) -> Document | None:
    """One YAML file of a project, validated, its schema's defaults filled in.

    `relative` and `schema` are relative to the project: "data/fox/rules.yaml",
    "schemas/rules.schema.json". The result is None after findings.
    """
    sources = Sources(paths, findings)
    if paths.find(schema) is None:
        findings.error("file/missing", "the file does not exist", Location(schema))
        return None
    return sources.checked(relative, schema)
