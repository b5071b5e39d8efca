"""The schemas of a game's cards, for those who describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.loading.sources import Sources, load_checked
from cardgen.model.game import Game

RULES_SCHEMA = "schemas/rules.schema.json"


@dataclass(frozen=True, slots=True)
class CardSchema:
    """The schema of one card of a component, references resolved, the file that it stands in, and
    that file's description."""

    file: str
    description: str
    schema: Any


def load_card_schemas(game: Game) -> dict[str, CardSchema]:
    """The schema of each component that has cards. Raises CardgenError for a schema in error."""
    findings = Findings()
    sources = Sources(game.paths, findings)
    manifest = sources.read(f"data/{game.id}/game.yaml")
    found: dict[str, CardSchema] = {}
    entries = manifest.data["components"] if manifest is not None else {}
    for id, entry in entries.items():
        if "schema" not in entry:
            continue
        file = f"schemas/{game.id}/{entry['schema']}"
        prepared = sources.schemas.schema(file)
        if prepared is not None:
            whole = prepared.schema if isinstance(prepared.schema, Mapping) else {}
            found[id] = CardSchema(file, str(whole.get("description", "")), prepared.of_items(id))
    findings.raise_if_errors()
    return found


def load_rules(game: Game) -> Mapping[str, Any]:
    """The content of a game's rules file, validated; nothing for a game without one. Raises
    CardgenError with all findings."""
    if game.rules is None:
        return {}
    findings = Findings()
    document = load_checked(game.paths, game.rules, RULES_SCHEMA, findings)
    findings.raise_if_errors()
    return document.data if document is not None else {}
