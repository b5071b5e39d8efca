"""Deck lists: a game's own and a player's, from YAML, plain text or CSV to cards of the pool."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen.core.findings import Finding, Findings, Location, UsageError
from cardgen.core.game import DECK, Component, DeckEntry, DeckList, DeckSource, Game
from cardgen.core.records import replace
from cardgen.files.reading import DECK_LIST, ReadingError, read_file
from cardgen.files.table_formats import ENDINGS
from cardgen.files.yaml import Document, load_yaml, read_text
from cardgen.game.deck_text import (
    MAX_COPIES,
    CardNames,
    DeckLine,
    DeckText,
    UnknownCardError,
    read_deck_text,
)
from cardgen.game.sources import Sources, Subject

DECK_SCHEMA = "schemas/deck-list.schema.json"
YAML_ENDINGS = (".yaml", ".yml", ".json")
TEXT_ENDINGS = (".txt", ".dec")
OWN_ENDINGS = (".yaml", ".json", *ENDINGS)
"""The endings of the game's own lists."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def deck_source(game: str, manifest: Document, findings: Findings) -> DeckSource | None:
    """Return the deck settings in game.yaml; None if there are none, or after a finding."""
    stated = manifest.data.get("decks")
    if stated is None:
        return None
    components: dict[str, Any] = manifest.data["components"]
    id = stated["component"]
    if DECK in components:
        message = f"the component name '{DECK}' is reserved: rules use it for the deck they check"
        subject = Subject(manifest, findings, ("components", DECK))
        subject.error("game/decks", message, "rename it", key=True)
        return None
    subject = Subject(manifest, findings, ("decks", "component"))
    if id not in components:
        subject.refuse_unknown("reference/component", id, components, "component", "components")
        return None
    if components[id].get("kind") == "book":
        subject.error(
            "game/decks", f"'{id}' is a book, but decks contain cards", "name a component of cards"
        )
        return None
    return DeckSource(id, stated["name"], f"data/{game}/{stated['folder']}")


def load_decks(
    sources: Sources, manifest: Document, source: DeckSource, pool: Component
) -> tuple[DeckList, ...]:
    """Return the game's own deck lists, by id. Problems go to the findings of `sources`."""
    if pool.cards and not any(isinstance(card.fields.get(source.name), str) for card in pool.cards):
        path = ("decks", "name") if "name" in manifest.data["decks"] else ("decks",)
        message = f"no card of '{pool.id}' has a text field '{source.name}' to use as its name"
        hint = "name the field that contains it: decks: {component: …, name: FIELD}"
        Subject(manifest, sources.findings, path).error("game/decks", message, hint)
        return ()
    names = CardNames(pool.cards, source.name)
    decks = []
    own: dict[str, str] = {}
    for file in sorted(name for name in sources.names(source.folder) if name.endswith(OWN_ENDINGS)):
        relative = f"{source.folder}/{file}"
        id = PurePosixPath(file).stem
        if id in own:
            message = f"the deck '{id}' is already in {own[id]}"
            sources.findings.error("deck/id", message, Location(relative), "rename or delete one of them")
            continue
        own[id] = file
        if not _ID.fullmatch(id):
            message = f"'{id}' is not a valid deck id"
            hint = "name the file in lower-case words joined by -"
            sources.findings.error("deck/id", message, Location(relative), hint)
            continue
        before = len(sources.findings.errors)
        said: DeckText | None
        if file.endswith(YAML_ENDINGS):
            document = sources.read(relative, DECK_LIST)
            said = None if document is None else _from_yaml(document, sources)
        else:
            sources.others.add(relative)
            listed = sources.paths.find(relative)
            assert listed is not None
            said = _from_table(listed, relative, sources.findings, sources.paths.roots)
        if said is not None:
            deck = _resolved(said, id, source, names, relative, sources.findings, before)
            if deck is not None:
                decks.append(replace(deck, shipped=True))
    return tuple(decks)


def load_deck(
    game: Game, path: Path, shown: str, within: Sequence[Path] | None = None, sheet: str | None = None
) -> DeckList:
    """Return a player's deck list; `shown` is its file's name in findings, `within` the folders that must
    contain it (None: any). `sheet` is that of a workbook, which names the deck; the default is the first
    one.

    The ending sets the format: .yaml, .yml, .json; a table's; .txt, .dec. Raises UsageError for another one
    and if the game has no deck lists, CardgenError with all findings for anything wrong in it.
    """
    source = game.deck_source
    if source is None:
        hint = "name their component in game.yaml: decks: {component: …}"
        raise UsageError(f"{game.title} has no deck lists", hint, "usage/deck")
    ending = path.suffix.lower()
    if ending not in (known := (*YAML_ENDINGS, *ENDINGS, *TEXT_ENDINGS)):
        message = f"'{shown}' has no file ending of a known kind of deck list"
        raise UsageError(message, f"use one of: {', '.join(known)}", "usage/deck")
    findings = Findings()
    found: DeckText | None
    if ending in YAML_ENDINGS:
        sources = Sources(game.paths, findings)
        document = load_yaml(path, shown, findings, DECK_LIST, within=within)
        found = None if document is None else _from_yaml(document, sources)
    elif ending in ENDINGS:
        found = _from_table(path, shown, findings, within, sheet)
    else:
        text = _read_plain(path, shown, findings, within)
        found = None if text is None else read_deck_text(text, shown, findings)
    deck = None
    if found is not None:
        names = CardNames(game.component(source.component).cards, source.name)
        id = deck_id(path.stem if sheet is None else f"{path.stem} {sheet}")
        if sheet is not None:
            found.fields.setdefault("title", sheet)
        deck = _resolved(found, id, source, names, shown, findings)
    findings.raise_if_errors()
    assert deck is not None
    return replace(deck, remarks=tuple(findings.sorted()))


def deck_id(name: str) -> str:
    """Return a name as the id of a deck: its words in lower case, joined by "-"."""
    return "-".join(re.findall(r"\w+", name.casefold().replace("_", " "))) or DECK


def _read_plain(path: Path, shown: str, findings: Findings, within: Sequence[Path] | None) -> str | None:
    """Return a text file's content, or None after a finding."""
    found = Findings()
    text = read_text(path, shown, found, DECK_LIST, within=within)
    for finding in found:
        hint = "delete it" if finding.code == "yaml/character" else finding.hint
        code = finding.code.replace("yaml/", "file/")
        findings.extend([Finding(finding.severity, code, finding.message, finding.location, hint)])
    return text


def _from_table(
    path: Path, shown: str, findings: Findings, within: Sequence[Path] | None, sheet: str | None = None
) -> DeckText | None:
    """Return the deck list in a table; None after a finding about the file."""
    from cardgen.game.spreadsheets import read_deck_table  # most games load without it

    try:
        raw = read_file(path, DECK_LIST, shown, within)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    return read_deck_table(raw, shown, findings, sheet)


def _from_yaml(document: Document, sources: Sources) -> DeckText:
    """Return the deck list in YAML; lines that its schema refuses are reported and skipped."""
    sources.check(document, DECK_SCHEMA)
    data = document.data if isinstance(document.data, dict) else {}
    cards = data.get("cards")
    deck = DeckText(location=document.locate(("title",), key=True))
    deck.fields = {name: str(data[name]) for name in ("title", "author", "description") if name in data}
    for name, copies in cards.items() if isinstance(cards, dict) else ():
        usable = isinstance(copies, int) and not isinstance(copies, bool) and 1 <= copies <= MAX_COPIES
        place = document.locate(("cards", name), key=True)
        deck.lines.append(DeckLine((name,), copies if usable else None, place))
    return deck


def _resolved(
    deck: DeckText,
    id: str,
    source: DeckSource,
    names: CardNames,
    file: str,
    findings: Findings,
    before: int = 0,
) -> DeckList | None:
    """Return the deck with its cards looked up; None if there are more errors than the `before` earlier
    ones."""
    entries: dict[str, DeckEntry] = {}
    for line in deck.lines:
        if not line.names:
            continue
        try:
            card = names.first(line.names)
        except UnknownCardError as error:
            findings.error(error.code, error.message, line.location, error.hint)
            continue
        if line.copies is None:
            continue
        entry = DeckEntry(card.id, line.copies, line.location)
        known = entries.get(card.id)
        if known is not None:
            total = known.copies + line.copies
            where = known.location.cell or f"line {known.location.line}"
            message = f"'{line.names[-1]}' is already in {where}"
            hint = f"both are counted, {known.copies} + {line.copies} = {total} copies; keep one line"
            findings.note("deck/repeated", message, line.location, hint)
            entry = DeckEntry(card.id, total, known.location)
        entries[card.id] = entry
    if not deck.lines and len(findings.errors) == before:
        hint = "write one card per line, such as 3 Card Name"
        findings.error("deck/empty", "the list names no card", deck.location, hint)
    if len(findings.errors) > before:
        return None
    fields = deck.fields
    title = fields.get("title") or PurePosixPath(file.replace("\\", "/")).stem
    return DeckList(
        id,
        title,
        fields.get("author", ""),
        fields.get("description", ""),
        source.component,
        tuple(entries.values()),
        file,
        deck.location,
        shipped=False,
    )
