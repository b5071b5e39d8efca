"""The cards of a component: from its data files to finished values."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import TYPE_CHECKING, Any, cast

from cardgen.loading.bracketed_words import tell_words
from cardgen.loading.choices import Chooser, picked
from cardgen.loading.context import GameContext
from cardgen.loading.effects import structured
from cardgen.loading.lengths import copies, trim
from cardgen.loading.markup import Markup
from cardgen.loading.table_files import TableUse, by_file
from cardgen.model.extremes import MAX_PIECES
from cardgen.model.game import Card
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import fits, wrong_parts
from cardgen.schema.wording import name_hint
from cardgen.tables.names import is_table, is_table_of, parted
from cardgen.yaml.reader import Document

if TYPE_CHECKING:
    from cardgen.loading.spreadsheets import TableDocument

CARD_SCHEMA = "schemas/card.schema.json"

Path = tuple[str | int, ...]
Taken = dict[str, tuple[Document, Path]]
"""Where each id stands that a card has already."""


def load_cards(context: GameContext, id: str, entry: Mapping[str, Any], size: Any) -> list[Card]:
    """The cards of the component `id`, whose entry in game.yaml is `entry`.

    `size` is the component's own trim, before `turned`, or a choice of such; None if it is not known, and
    then only cards with a trim of their own come back. Problems are added to the context's findings.
    """
    cards: list[Card] = []
    missing = len(context.missing)
    taken: Taken = {}
    complete = True
    chooser = Chooser(context, id)
    named: set[str] = set()
    markup = Markup.of(entry["markup"]) if "markup" in entry else None
    for document in documents(context, id, entry):
        if document is None:
            complete = False
            context.leave_out("component", id)
            continue
        if hasattr(document, "markup"):  # of rows
            cast("TableDocument", document).markup = markup
        items = document.data.get(id) if isinstance(document.data, dict) else None
        if items is None and (table := _list_in(document)):
            message = f"the file has no list '{id}', but one that can be read as a table"
            place = document.locate(())
            context.findings.error("data/list", message, place, f"write in game.yaml: data: '{table}'")
            complete = False
            context.leave_out("file", document.relative)
            continue
        twins: set[int] = set()
        if isinstance(items, list):
            twins = _check_ids(context, document, id, items, taken)
        wrong = _wrong_cards(context, document, id, schema_of(context, id, entry))
        wrong = None if wrong is None else wrong | getattr(document, "spoilt", set())
        if wrong is None or not isinstance(items, list):
            if wrong is not None:
                place = document.locate((id,) if items is not None else ())
                context.findings.error("data/list", f"the file has no list '{id}'", place)
            complete = False
            context.leave_out("file", document.relative)
            continue
        for index, fields in enumerate(items):
            known = len(context.findings)
            named.update(fields if isinstance(fields, dict) else ())
            number = len(cards) + len(context.missing) - missing + 1
            card = None
            if index not in wrong and index not in twins:
                read = structured(context, document, (id, index), id, fields)
                if read is not None:
                    read = read if markup is None else markup.card(read)
                    card = _card(context, document, id, index, read, entry, size, number, chooser)
            if card is None or len(context.findings) > known:
                complete = False
                name = fields.get("id") if isinstance(fields, dict) else None
                name = name if isinstance(name, str) and index not in twins else f"{id}[{index}]"
                context.leave_out("card", name)
                kept = _place(context, document, (id, index), name, fields, entry, size, number)
                context.missing.extend([kept] if kept is not None else [])
            else:
                kept_files = context.sources.kept
                cards.append(card if kept_files is None else kept_files.card(card))
    chooser.finish(named)
    tell_words(context, id, cards, Markup() if markup is None else markup)
    if not complete:
        context.incomplete.add(id)
    elif not cards:
        place = context.manifest.locate(("components", id, "data"))
        context.findings.error(
            "deck/empty", f"{id} has no cards", place, "add a card, or leave the component out"
        )
    return cards


def documents(context: GameContext, id: str, entry: Mapping[str, Any]) -> list[Document | None]:
    """The data files of a component whose entry may lack keys; None for each that cannot be used. A missing
    schema is reported too."""
    sources, manifest = context.sources, context.manifest
    base: Path = ("components", id)
    if "schema" in entry:
        folder = f"schemas/{context.game}"
        sources.file(manifest, (*base, "schema"), folder, entry["schema"], "reference/schema")
    data = entry.get("data", [])
    named = [((*base, "data"), data)] if isinstance(data, str) else []
    if not isinstance(data, str):
        named = [((*base, "data", index), file) for index, file in enumerate(data)]
    folder = f"data/{context.game}"
    tables = by_file([file for _, file in named if is_table(file)])
    found: list[Document | None] = []
    for path, name in named:
        file, sheet = parted(name)
        if not sources.file(manifest, path, folder, file, "reference/data"):
            found.append(None)
        elif not is_table_of(file, sheet):
            found.append(sources.read(f"{folder}/{file}"))
        elif (sheets := tables.pop(file, None)) is not None:  # all of its sheets are read with the first
            schema = f"schemas/{context.game}/{entry['schema']}" if "schema" in entry else None
            columns = tuple(entry.get("columns", {}).items())
            stated = entry.get("separator"), columns, entry.get("numbers")
            use = TableUse(sheets, id, schema, CARD_SCHEMA, *stated)
            found.append(sources.table(f"{folder}/{file}", use))
    _check_columns(context, id, entry, found)
    return found


def _check_columns(
    context: GameContext, id: str, entry: Mapping[str, Any], found: list[Document | None]
) -> None:
    """Warn of columns that an entry gives fields to, and that none of its tables has."""
    stated = entry.get("columns", {})
    tables = (
        {part.table.name: part.table for document in found for part, _ in getattr(document, "rows", ())}
        if stated and None not in found
        else {}
    )
    names = {column.name for table in tables.values() for column in table.columns}
    for name in (each for each in stated if names and each not in names):
        place = context.manifest.locate(("components", id, "columns", name), key=True)
        hint = name_hint(name, names, "columns")
        context.findings.warning("tables/stated", f"no table of {id} has a column '{name}'", place, hint)


def schema_of(context: GameContext, id: str, entry: Mapping[str, Any]) -> str:
    """The schema that a component's data files are judged by, as `Sources.check` takes it: the file that
    its entry names, or else what every list of cards must be."""
    if "schema" in entry:
        return f"schemas/{context.game}/{entry['schema']}"
    return context.sources.schemas.of_lists(CARD_SCHEMA, id)


def _check_ids(
    context: GameContext, document: Document, id: str, items: list[Any], taken: Taken
) -> set[int]:
    """Report cards whose id is in `taken`, whose indexes come back, and add the others to it. Works on data
    of any shape."""
    twins: set[int] = set()
    for index, fields in enumerate(items):
        name = fields.get("id") if isinstance(fields, dict) else None
        if not isinstance(name, str):
            continue
        path: Path = (id, index, "id")
        if name not in taken:
            taken[name] = (document, path)
            continue
        other, at = taken[name]
        there = other.locate(at)
        where = f"line {there.line}" if other is document else f"{other.relative}:{there.line}"
        if there.cell:
            where = f"the cell {there.cell}" if other is document else f"{other.relative}: {there.cell}"
        message = f"the id '{name}' is taken by the card in {where}"
        hint = "give every card its own id; to print it more often, use copies"
        context.findings.error("data/duplicate-id", message, document.locate(path), hint)
        twins.add(index)
    return twins


def _list_in(document: Document) -> str | None:
    """Return how `data:` names the only list of a JSON file; None for other files."""
    name = document.relative.rpartition("/")[2]
    if not name.lower().endswith(".json"):
        return None
    if isinstance(document.data, list):
        return f"{name}#"
    data = document.data if isinstance(document.data, dict) else {}
    lists = [key for key, value in data.items() if isinstance(value, list)]
    return f"{name}#{lists[0]}" if len(lists) == 1 else None


def _wrong_cards(context: GameContext, document: Document, id: str, schema: str) -> set[str | int] | None:
    """The indexes of the list's cards that don't fit the game's schema, or else the engine's own, which
    the game's may have left out; None where nothing can be made of the file. Findings say why."""
    sources = context.sources
    card = sources.schemas.schema(CARD_SCHEMA)
    if card is None or sources.schemas.schema(schema) is None:
        return None
    if not sources.check(document, schema):
        wrong = sources.wrong_parts(document, schema)
    else:
        items = document.data.get(id) if isinstance(document.data, dict) else None
        kept = sources.kept
        if kept is not None and isinstance(items, list) and kept.fitting(document.name, items, card):
            return set()
        cards = PreparedSchema({"properties": {id: {"items": card.schema}}}, card.name, card.place)
        before = len(context.findings)
        good = fits(document, cards, context.findings)
        context.findings.items[before:] = document.new(context.findings.items[before:])
        wrong = frozenset() if good else wrong_parts(document.data, cards, context.findings)
    return None if wrong is None else {part for key, part in wrong if key == id}


def _card(
    context: GameContext,
    document: Document,
    id: str,
    index: int,
    fields: Mapping[str, Any],
    entry: Mapping[str, Any],
    size: Any,
    number: int,
    chooser: Chooser,
) -> Card | None:
    """One card, or None after findings."""
    path: Path = (id, index)
    stated = {"trim": size, "turned": entry["turned"], "face": entry["face"], "back": entry.get("back")}
    if "trim" in fields:
        stated["trim"] = trim(document, (*path, "trim"), fields["trim"], context.sizes, context.findings)
        stated["turned"] = False
    stated |= {key: fields[key] for key in ("turned", "face", "back") if key in fields}
    for key in ("face", "back"):
        if fields.get(key) is not None:
            context.template(document, (*path, key), fields[key])
    own = chooser.choose(document, path, fields, stated)
    count = copies(document, (*path, "copies"), fields.get("copies", 1), context.players, context.findings)
    if own is None or own["trim"] is None:
        return None
    back = own["back"]
    return Card(
        id=fields["id"],
        component=id,
        fields=fields,
        copies=count,
        trim=own["trim"].turned if own["turned"] else own["trim"],
        face=intern(context.template_file(own["face"])),
        back=None if back is None else intern(context.template_file(back)),
        file=document.relative,
        path=path,
        number=number,
    )


def _place(
    context: GameContext,
    document: Document,
    path: tuple[str, int],
    name: str,
    fields: Any,
    entry: Mapping[str, Any],
    size: Any,
    number: int,
) -> Card | None:
    """A card in error as a place for it; None where its size or its copies can't be told. Works on data of
    any shape."""
    found = fields if isinstance(fields, dict) else {}
    stated = found.get("copies", 1)
    named = found.get("trim")
    own = (
        context.sizes.get(named)
        if isinstance(named, str)
        else picked(size, found)
        if named is None
        else None
    )
    if (
        own is None
        or isinstance(stated, bool)
        or not isinstance(stated, int)
        or not 0 <= stated <= MAX_PIECES
    ):
        return None
    turned = found.get("turned", named is None and picked(entry["turned"], found)) is True
    back = found.get("back", picked(entry.get("back"), found))
    trimmed = own.turned if turned else own
    sides = ("", None if back is None else "")
    return Card(name, path[0], {}, stated, trimmed, *sides, document.relative, path, number)
