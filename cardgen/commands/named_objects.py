"""What `check` says about objects that are named after fields, and about fields that no object shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cardgen.findings import CardgenError, Findings
from cardgen.model.game import Game

if TYPE_CHECKING:
    from cardgen.rendering.templates import Templates


def say_named(game: Game, templates: Templates, findings: Findings) -> None:
    """Add what there is to say about the named objects of a game's templates. A field whose schema says
    `"printed": false`, or by which game.yaml chooses templates or sizes, is not missed."""
    from cardgen.rendering.named.listing import Listing

    listing = Listing(game, game.paths, templates)
    listing.say(findings)
    unread = list(listing.unread())
    if not unread:
        return
    silent = unprinted_fields(game)
    for each in unread:
        fields = [field for field in each.fields if field not in silent.get(each.component.id, ())]
        if fields:
            names = ", ".join(f"'{field}'" for field in fields)
            message = f"nothing on the cards '{each.component.id}' shows {names}"
            hint = f"name an object '{fields[0]}', or say \"printed\": false beside it in the schema"
            findings.note("template/unread", message, each.place, hint)


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
