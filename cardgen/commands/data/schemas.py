"""`cardgen schema`: infer schemas from a game's data, and keep them up to date."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.choices import own_folder
from cardgen.core.findings import Findings, plural
from cardgen.core.records import dataclass, field
from cardgen.files.project import Project
from cardgen.files.reading import SCHEMA, is_there, read_file

if TYPE_CHECKING:
    from cardgen.files.yaml import Document
    from cardgen.game.prepared_schema import PreparedSchema
    from cardgen.game.sources import Sources


_CARD = "schemas/card.schema.json"


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """A change to a schema file, named from the project's folder: if it `is_new`, a line for each addition,
    and a line for each value that was skipped as a likely typo."""

    file: str
    is_new: bool
    added: tuple[str, ...]
    unsure: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        return self.is_new or bool(self.added)


@dataclass(slots=True)
class _Part:
    """A component with cards: its entry in game.yaml, its cards as in its files, and other keys of these
    files."""

    id: str
    entry: Mapping[str, Any]
    cards: list[Mapping[str, Any]] = field(default_factory=list)
    others: set[str] = field(default_factory=set)

    @property
    def schema(self) -> str:
        """Return the name of its schema's file, stated or default."""
        stated = self.entry.get("schema")
        return stated if isinstance(stated, str) else f"{self.id}.schema.json"


def write_schemas(
    game: str, *, project: Project | None = None, write: bool = True, components: Collection[str] = ()
) -> list[SchemaChange]:
    """Write schemas for the data of components without one, by default of all, name them in game.yaml, and
    add the data's new keys and choices to existing schemas; or only report.

    No entry of a schema is changed or removed. Raises UsageError for a game that is not the project's own,
    CardgenError for unreadable files and invalid schemas.
    """
    from cardgen.files.changes import Changes
    from cardgen.game.edited_files import with_schemas
    from cardgen.game.schema_merge import known_keys
    from cardgen.game.sources import Sources

    project = project or Project.open()
    own_folder(project, game, "schemas")
    findings = Findings()
    sources = Sources(project.paths, findings)
    manifest = sources.read(f"data/{game}/game.yaml")
    parts = [part for part in _parts(sources, game, manifest) if not components or part.id in components]
    findings.raise_if_errors()
    assert manifest is not None
    card = sources.schemas.schema(_CARD)
    engine = frozenset(known_keys(card.schema)) if card is not None else frozenset()
    changes, contents = [], {}
    by_file: dict[str, list[_Part]] = {}
    for part in parts:
        by_file.setdefault(part.schema, []).append(part)
    for name, sharing in by_file.items():
        file = f"schemas/{game}/{name}"
        change, text = _changed(
            sources, project, file, sharing, engine, str(manifest.data.get("title", game))
        )
        changes.append(change)
        if change.is_changed:
            contents[file] = text
    findings.raise_if_errors()
    nameless = {part.id: part.schema for part in parts if "schema" not in part.entry}
    if nameless:
        contents[manifest.relative] = with_schemas(manifest, nameless)
    if write and contents:
        with Changes(project.root) as stored:
            for file, text in contents.items():
                stored.write_bytes(file, text.encode("utf-8"))
            stored.commit()
    return changes


def _parts(sources: Sources, game: str, manifest: Document | None) -> list[_Part]:
    """Return the components with cards of a game.yaml, which may not match its schema completely."""
    from cardgen.game.edited_files import component_entries

    parts = []
    for id, entry in component_entries(manifest).items():
        part = _Part(id, entry)
        for document in _documents(sources, game, part):
            content = document.data if isinstance(document.data, dict) else {}
            items = content.get(id)
            cards = items if isinstance(items, list) else []
            part.cards += [card for card in cards if isinstance(card, dict)]
            part.others |= content.keys() - {id}
        parts.append(part)
    return parts


def _documents(sources: Sources, game: str, part: _Part) -> Iterator[Document]:
    """Yield a component's readable data files. In tables, fields that the schema lacks get names that
    templates can use, and values of one type."""
    from cardgen.files.table_formats import is_table_of
    from cardgen.game.cards import cards_use
    from cardgen.game.sources import by_file

    stated = part.entry["data"]
    names = [each for each in (stated if isinstance(stated, list) else [stated]) if isinstance(each, str)]
    for name, sheets in by_file(names).items():
        file = f"data/{game}/{name}"
        if not is_table_of(name, sheets[0]):
            document = sources.read(file)
        else:
            use = cards_use(game, part.id, part.entry, sheets)
            document = sources.table(file, use)
            schema = None if use.schema is None else sources.schemas.schema(use.schema)
            if document is not None:
                _settle(document.data[part.id], () if schema is None else known_fields(schema, part.id))
        if document is not None:
            yield document


def _settle(cards: list[dict[str, Any]], known: Collection[str]) -> None:
    """Give fields without a schema names for templates, and values of one type each."""
    from cardgen.game.guessing import field_name, same_name

    taken = set(known)
    strange = list(dict.fromkeys(key for card in cards for key in card if key not in taken and key != "id"))
    for key in strange:
        name = field_name(key, taken)
        name = name if same_name(key, name) else key
        values = [card[key] for card in cards if key in card]
        mixed = any(isinstance(value, str) for value in values)
        for card in cards:
            if key in card:
                value = card.pop(key)
                card[name] = str(value) if mixed and isinstance(value, int | float) else value


def known_fields(schema: PreparedSchema, component: str) -> frozenset[str]:
    """Return the keys that a schema knows for a component's cards."""
    from cardgen.game.schema_merge import known_keys

    return frozenset(known_keys(schema.of_items(component)))


def _changed(
    sources: Sources,
    project: Project,
    file: str,
    parts: Sequence[_Part],
    engine: frozenset[str],
    title: str,
) -> tuple[SchemaChange, str]:
    """Return the change of one schema file, which these components share, and its new text."""
    from cardgen.game.inferred_files import Growing, file_schema, list_schema, written

    place = project.root / file
    if not is_there(place):
        names = " and ".join(part.id for part in parts)
        lists = {part.id: list_schema(part.cards, engine) for part in parts}
        others = set().union(*(part.others for part in parts)) - lists.keys()
        whole = file_schema(f"{title}: {names}", lists, bool(others))
        said = tuple(
            f"{part.id}: {_fields(lists[part.id])}, from {plural(len(part.cards), 'card')}"
            for part in parts
        )
        return SchemaChange(file, True, said), f"{written(whole)}\n"
    prepared = sources.schemas.schema(file)
    known_file = sources.schemas.file(file)
    if prepared is None or known_file is None:
        return SchemaChange(file, False, ()), ""
    text = read_file(place, SCHEMA, file, project.paths.roots).decode("utf-8")
    growing = Growing(text, known_file.data)
    for part in parts:
        growing.take(part.id, part.cards, known_fields(prepared, part.id) | engine, engine)
    return SchemaChange(file, False, tuple(growing.said), tuple(growing.unsure)), growing.text


def _fields(schema: Mapping[str, Any]) -> str:
    names = list(schema["items"].get("properties", ()))
    shown = ", ".join(names[:12])
    return (f"{shown}, …" if len(names) > 12 else shown) or "no fields of its own"
