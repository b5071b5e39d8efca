"""Effects of a game: its keyword table, and the cards' effects in the table's words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.effects import read_effect, read_language
from cardgen.findings import Findings, Problem
from cardgen.loading.context import GameContext
from cardgen.loading.sources import Sources
from cardgen.model.effects import Effects
from cardgen.model.game import Component
from cardgen.schema.wording import name_hint
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

KEYWORDS_SCHEMA = "schemas/keywords.schema.json"


def load_effects(sources: Sources, game_id: str, manifest: Document) -> Effects | None:
    """What `effects:` in game.yaml says; None where it says nothing, or after findings."""
    stated = manifest.data.get("effects")
    if stated is None:
        return None
    folder, name = f"data/{game_id}", stated["keywords"]
    if not sources.file(manifest, ("effects", "keywords"), folder, name, "reference/keywords"):
        return None
    document = sources.checked(f"{folder}/{name}", KEYWORDS_SCHEMA)
    if document is None:
        return None
    fields, kept = tuple(stated["fields"]), sources.kept
    if kept is not None and (known := kept.effects(document, fields)) is not None:
        return known
    language, problems = read_language(document.data)
    _report(sources.findings, document, (), problems)
    if problems:
        return None
    reading = language
    if sources.texts is not None:  # data are written in the words of the source
        plain = sources.plain().checked(f"{folder}/{name}", KEYWORDS_SCHEMA)
        reading = language if plain is None else read_language(plain.data)[0]
    effects = Effects(language, fields, reading)
    if kept is not None:
        kept.keep_effects(document, fields, effects)
    return effects


def structured(
    context: GameContext, document: Document, path: DataPath, component: str, fields: dict[str, Any]
) -> dict[str, Any] | None:
    """A card's fields with the structure of its effects in place of what its file says; None where one
    can't be read. Problems are added to the context's findings."""
    if context.effects is None:  # none stated, or a table in error, by which nothing can be read
        stated = context.manifest.data.get("effects", {"fields": ()})
        return None if any(name in fields for name in stated["fields"]) else fields
    kept = context.sources.kept
    if kept is not None and (known := kept.structured(fields, context.effects)) is not None:
        return known
    complete = True
    read: dict[str, Any] = {}
    for name in context.effects.of(fields):
        read[name], problems = read_effect(context.effects.read_in, fields[name], component)
        _report(context.findings, document, (*path, name), problems)
        complete = complete and not problems
    whole = fields | read if read else fields
    if kept is not None and complete:
        kept.keep_structured(fields, context.effects, whole)
    return whole if complete else None


def check_fields(context: GameContext, components: Iterable[Component]) -> None:
    """Report fields in `effects:` that no card has: most often they are misspelt."""
    if context.effects is None:
        return
    used = {key for component in components for card in component.cards for key in card.fields}
    for index, name in enumerate(context.effects.fields):
        if name not in used:
            place = context.manifest.locate(("effects", "fields", index))
            hint = name_hint(name, used, "fields")
            context.findings.error("effect/field", f"no card has a field '{name}'", place, hint)


def _report(findings: Findings, document: Document, path: DataPath, problems: list[Problem]) -> None:
    findings.extend(problem.at(document.locate((*path, *problem.path))) for problem in problems)
