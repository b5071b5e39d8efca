"""What a component states for its cards, the same for all of them or chosen by a field of each:

face: {by: type, unit: unit.svg, event: event.svg}
face: {by: type, of: {unit: unit.svg, event: event.svg}}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cardgen.loading.context import GameContext
from cardgen.schema.wording import listed, name_hint
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

_LONGEST = 60
_MOST_HINTED = 200
"""Values of a component's cards for which what was meant is looked for."""


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


class Chooser:
    """Chooses what a component's keys, in full, come to for each of its cards; `finish` says what is wrong,
    and so what is wrong with all cards only once."""

    def __init__(self, context: GameContext, component: str) -> None:
        self._context = context
        self._component = component
        self._lacking: list[tuple[Document, DataPath, str, tuple[str, ...], tuple[str, ...]]] = []
        """Cards without a field: it, the keys chosen by it, the values for which these state something."""
        self._hints: dict[tuple[str, str, str], str | None] = {}
        """Of a field's value, by a key: a search takes a while among many names, so few are sought."""

    def choose(
        self, document: Document, path: DataPath, fields: Mapping[str, Any], stated: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """What the `stated` keys come to for the card at `path`; None where something is wrong, of which
        there is one finding for each field."""
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
            of = stated[keys[0]]["of"]
            if field not in fields:
                self._lacking.append((document, path, field, tuple(keys), tuple(of)))
                continue
            name = _name(fields[field])
            message = f"game.yaml states no {' or '.join(keys)} for the {field} '{name}'"
            hint = self._hint(field, name, keys[0], of)
            self._context.findings.error("choice/unknown", message, document.locate((*path, field)), hint)
        return None if lacking else found

    def _hint(self, field: str, name: str, key: str, of: Mapping[str, Any]) -> str | None:
        asked = (field, name, key)
        if asked not in self._hints and len(self._hints) < _MOST_HINTED:
            self._hints[asked] = name_hint(name, of, f"those with a {key}")
        return self._hints.get(asked)

    def finish(self, fields: Collection[str]) -> None:
        """Report cards that lack a field, and fields that are not among `fields`, those of all cards, where
        game.yaml names them."""
        findings, manifest = self._context.findings, self._context.manifest
        strange: dict[tuple[str, str], None] = {}
        for document, path, field, keys, of in self._lacking:
            if field in fields:
                message = f"the card has no '{field}', by which its {' or '.join(keys)} is chosen"
                hint = f"give it one of {listed(sorted(of))}"
                findings.error("choice/missing", message, document.locate(path), hint)
            else:
                strange.update(((key, field), None) for key in keys)
        for key, field in strange:
            message = (
                f"no card of '{self._component}' has a field '{field}', by which its {key} is to be chosen"
            )
            place = manifest.locate(("components", self._component, key, "by"))
            findings.error("choice/field", message, place, name_hint(field, fields, "fields"))


def picked(stated: Any, fields: Mapping[str, Any]) -> Any:
    """What a component's key, in full, comes to for a card of any shape; None where it can't be told."""
    return stated["of"].get(_name(fields.get(stated["by"]))) if is_choice(stated) else stated


def _name(value: Any) -> str:
    """A value as a key of game.yaml spells it; long ones are none."""
    if isinstance(value, (dict, list)):
        return "…"
    name = str(value).lower() if isinstance(value, bool) else str(value)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
