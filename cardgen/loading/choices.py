"""What a component states for its cards, the same for all of them or chosen by a field of each:

face: {by: type, unit: unit.svg, event: event.svg}
face: {by: type, of: {unit: unit.svg, event: event.svg}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.loading.context import GameContext
from cardgen.schema.wording import listed, name_hint
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

_LONGEST = 60
_MOST_HINTED = 200
"""Findings up to which what was meant is looked for, which takes a while among many names."""


def is_choice(stated: Any) -> bool:
    """Whether what a valid game.yaml states is chosen by a field."""
    return isinstance(stated, dict)


def options(path: DataPath, stated: Any) -> Iterator[tuple[DataPath, Any]]:
    """All that may be chosen, each with its place."""
    if is_choice(stated):
        base = (*path, "of") if "of" in stated else path
        yield from (((*base, name), value) for name, value in in_full(stated)["of"].items())
    else:
        yield path, stated


def in_full(stated: Any) -> Any:
    """What a valid game.yaml states, a choice in its long form."""
    if not is_choice(stated) or "of" in stated:
        return stated
    return {"by": stated["by"], "of": {name: value for name, value in stated.items() if name != "by"}}


def chosen(
    context: GameContext,
    document: Document,
    path: DataPath,
    fields: Mapping[str, Any],
    stated: Mapping[str, Any],
) -> dict[str, Any] | None:
    """What a component's keys, in full, come to for the card at `path`; None after findings at its lines,
    one for each field."""
    found: dict[str, Any] = {}
    lacking: dict[str, list[str]] = {}
    for key, value in stated.items():
        if not is_choice(value):
            found[key] = value
        elif value["by"] in fields and (name := _name(fields[value["by"]])) in value["of"]:
            found[key] = value["of"][name]
        else:
            lacking.setdefault(value["by"], []).append(key)
    for field, keys in lacking.items():
        what, of = " or ".join(keys), stated[keys[0]]["of"]
        if field in fields:
            name = _name(fields[field])
            message = f"game.yaml states no {what} for the {field} '{name}'"
            hinted = len(context.findings) < _MOST_HINTED
            hint = name_hint(name, of, f"those with a {keys[0]}") if hinted else None
            context.findings.error("choice/unknown", message, document.locate((*path, field)), hint)
        else:
            message = f"the card has no '{field}', by which its {what} is chosen"
            hint = f"give it one of {listed(sorted(of))}"
            context.findings.error("choice/missing", message, document.locate(path), hint)
    return None if lacking else found


def picked(stated: Any, fields: Mapping[str, Any]) -> Any:
    """What a component's key, in full, comes to for a card of any shape; None where it can't be told."""
    return stated["of"].get(_name(fields.get(stated["by"]))) if is_choice(stated) else stated


def _name(value: Any) -> str:
    """A value as a key of game.yaml spells it; long ones are none."""
    if isinstance(value, (dict, list)):
        return "…"
    name = str(value).lower() if isinstance(value, bool) else str(value)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
