"""What `check` says about objects that are named after fields, and about fields that no object shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from cardgen.findings import CardgenError, Findings
from cardgen.loading.spreadsheets import TITLES
from cardgen.model.game import Game
from cardgen.storage.reading import YAML, ReadingError, read_file
from cardgen.tables.names import is_table

if TYPE_CHECKING:
    from cardgen.rendering.templates import Templates


def say_named(game: Game, templates: Templates, findings: Findings) -> None:
    """Add what there is to say about the named objects of a game's templates, and the fields that nothing
    shows. A field is not missed if its schema says `"printed": false`, if game.yaml chooses templates or
    sizes by it, or, in a spreadsheet, if another file of the game names it."""
    from cardgen.rendering.named.listing import Listing

    listing = Listing(game, game.paths, templates)
    listing.say(findings)
    tables = {each.id for each in game.components if any(is_table(card.file) for card in each.cards)}
    unread = list(listing.unread(tables))
    if not unread:
        return
    silent = unprinted_fields(game)
    for each in unread:
        unneeded = silent.get(each.component.id, set())
        if each.component.id in tables:
            unneeded = unneeded | _named_elsewhere(game, each.fields)
        fields = [field for field in each.fields if field not in unneeded]
        if fields:
            names = ", ".join(f"'{field}'" for field in fields)
            message = f"nothing on the cards '{each.component.id}' shows {names}"
            hint = f"name an object '{fields[0]}', or say \"printed\": false beside it in the schema"
            findings.note("template/unread", message, each.place, hint)


def _named_elsewhere(game: Game, fields: Iterable[str]) -> set[str]:
    """The fields that rules, or other files of a game that hold no cards, name."""
    cards = {card.file for card in game.cards()}
    files = {file for file in game.sources if file.startswith(f"data/{game.id}/") and not is_table(file)}
    found = {*TITLES}
    for file in sorted((files | {game.rules or ""}) - cards):
        path = game.paths.find(file) if file else None
        try:
            raw = b"" if path is None else read_file(path, YAML, file, game.paths.roots)
        except ReadingError:  # what reads it says so
            continue
        words = set(re.findall(r"\w+", raw.decode("utf-8", "ignore")))
        found |= {field for field in fields if field in words}
    return found


def unprinted_fields(game: Game) -> dict[str, set[str]]:
    """The fields of each component that need not be printed."""
    from cardgen.loading import load_checked
    from cardgen.loading.card_schemas import load_card_schemas

    found: dict[str, set[str]] = {}
    try:
        for id, stated in load_card_schemas(game).items():
            found[id] = _unprinted(stated.schema)
        manifest = load_checked(
            game.paths, f"data/{game.id}/game.yaml", "schemas/game.schema.json", Findings()
        )
    except CardgenError:  # what is wrong with them is said where they are read
        return found
    entries = manifest.data.get("components", {}) if manifest is not None else {}
    for id, entry in entries.items():
        for value in entry.values():
            if isinstance(value, dict) and isinstance(value.get("by"), str):
                found.setdefault(id, set()).add(value["by"])
    return found


def _unprinted(schema: Any) -> set[str]:
    """The keys of a card whose schema says that they are not for print, wherever it says so."""
    if not isinstance(schema, Mapping):
        return set()
    properties = schema.get("properties", {})
    found = {
        key
        for key, part in properties.items()
        if isinstance(part, Mapping) and part.get("printed") is False
    }
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()):
            found |= _unprinted(part)
    for keyword in ("if", "then", "else"):
        found |= _unprinted(schema.get(keyword))
    return found
