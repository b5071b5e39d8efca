"""A game's cards as its data files have them, list by list, before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from cardgen.loading.cards import CARD_SCHEMA
from cardgen.loading.sources import Sources
from cardgen.loading.spreadsheets import Recording
from cardgen.loading.table_files import TableUse, by_file, recording
from cardgen.tables.names import is_table
from cardgen.tables.sheets import sheet_name
from cardgen.yaml.reader import Document


@dataclass(frozen=True, slots=True)
class CardList:
    """The cards of a component in one data file, as they stand there: without defaults. `sheet` is what
    their sheet is called, `how` are the schemas that judge a card."""

    component: str
    file: str
    sheet: str
    use: TableUse
    document: Document
    cards: Sequence[Mapping[str, Any]]
    how: Recording

    @property
    def is_table(self) -> bool:
        """Whether the file is a spreadsheet."""
        return is_table(self.file)


def component_entries(manifest: Document | None) -> dict[str, Mapping[str, Any]]:
    """The entries of game.yaml for components that have cards, by their ids; game.yaml need not be valid in
    all else."""
    data = manifest.data if manifest is not None else None
    entries = data.get("components") if isinstance(data, dict) else None
    return {
        id: entry
        for id, entry in (entries.items() if isinstance(entries, dict) else ())
        if isinstance(entry, dict) and entry.get("kind") != "book" and entry.get("data")
    }


def card_lists(sources: Sources, game: str, entries: Mapping[str, Mapping[str, Any]]) -> list[CardList]:
    """The lists of cards of some components, in the order of game.yaml. What can't be read, or has no list
    of cards, is left out after findings."""
    found: list[CardList] = []
    taken: list[str] = []
    for id, entry in entries.items():
        listed = entry["data"]
        listed = [listed] if isinstance(listed, str) else listed
        names = [each for each in listed if isinstance(each, str)]
        schema = f"schemas/{game}/{entry['schema']}" if isinstance(entry.get("schema"), str) else None
        files = by_file(names)
        for name, sheets in files.items():
            taken.append(sheet_name(id if len(files) == 1 else f"{id} {PurePosixPath(name).stem}", taken))
            file = f"data/{game}/{name}"
            columns = entry.get("columns")
            named = tuple(columns.items()) if isinstance(columns, dict) else ()
            stated = entry.get("separator"), named, entry.get("numbers")
            use = TableUse(sheets, id, schema, CARD_SCHEMA, *stated)
            document = sources.table(file, use) if is_table(name) else sources.read(file)
            data = document.data if document is not None else None
            cards = data.get(id) if isinstance(data, dict) else None
            if document is None or cards is None or not _are_cards(cards):
                if document is not None:
                    message = f"the file has no list '{id}' of cards"
                    sources.findings.error("data/list", message, document.locate((id,)))
                continue
            how = replace(recording(use, sources), schemed=True)  # names are as they are
            found.append(CardList(id, file, taken[-1], use, document, cards, how))
    return found


def _are_cards(cards: Any) -> bool:
    return isinstance(cards, list) and all(
        isinstance(card, dict) and isinstance(card.get("id"), str) for card in cards
    )
