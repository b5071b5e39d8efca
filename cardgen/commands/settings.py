"""What a game is besides its cards, as plain values, and what of that differs between two states of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cardgen.commands.value_changes import ValueChange, plain, spelled, value_changes
from cardgen.findings import CardgenError, Findings
from cardgen.model.game import Component, Game
from cardgen.storage.reading import MARKDOWN, SCHEMA, ReadingError, read_file

_MOST_VALUES = 4
"""Values that a line names."""
_LONGEST = 60
_OF_GAME = (
    *("title", "version", "author", "description", "language", "languages"),
    *("players", "fallback", "fonts", "rules"),
)
_OF_COMPONENT = ("title", "kind", "shape", "corner_radius", "bleed", "safe", "variables")
Settings = dict[tuple[str, str], Any]
"""What there is, by what it is ("sheet") and its name."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A sheet, a component, a rule, … that is new, removed or changed; `values` say what of it."""

    what: str
    name: str
    kind: str
    values: tuple[ValueChange, ...] = ()

    def __str__(self) -> str:
        """It in a line: "sheet poker: layout poker-9 → poker-8"."""
        named = f"{self.what} {self.name}".rstrip()
        if not self.values:
            return f"{named}: {self.kind}"
        values = [value for value in self.values if value.path[:1] != ("text",)]
        parts = [_in_words(change) for change in values[:_MOST_VALUES]]
        more = len(values) - len(parts)
        if lines := len(self.values) - len(values):
            parts.append(f"text differs in {lines} line{'s' if lines > 1 else ''}")
        return f"{named}: {'; '.join(parts)}{f'; and {more} more' if more > 0 else ''}"

    def plain(self) -> dict[str, Any]:
        """It as plain values."""
        return {
            "what": self.what,
            "name": self.name,
            "kind": self.kind,
            "values": [value.plain() for value in self.values],
        }


def _in_words(change: ValueChange) -> str:
    name = f"{change.name} " if change.name else ""
    if change.kind == "new":
        return f"{name}{_short(change.new)} new"
    if change.kind == "removed":
        return f"{name}{_short(change.old)} removed"
    return f"{name}{_short(change.old)} → {_short(change.new)}"


def _short(value: Any) -> str:
    text = spelled(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def setting_changes(old: Game, new: Game, components: Iterable[str] = ()) -> list[SettingChange]:
    """What differs besides cards, by what it is; with `components`, of these components alone."""
    wanted = set(components)
    before, after = settings_of(old), settings_of(new)
    if wanted:
        before, after = (
            {key: value for key, value in each.items() if key[0] == "component" and key[1] in wanted}
            for each in (before, after)
        )
    changes = [change for change in _reordered(old, new) if not wanted or change.name in wanted]
    for key in [*after, *(key for key in before if key not in after)]:
        if key not in before or key not in after:
            changes.append(SettingChange(*key, "new" if key in after else "removed"))
        elif values := tuple(value_changes(before[key], after[key])):
            changes.append(SettingChange(*key, "changed", values))
    order = list(dict.fromkeys(what for what, _ in (*after, *before, ("order of", ""))))
    return sorted(changes, key=lambda change: order.index(change.what))


def _reordered(old: Game, new: Game) -> Iterator[SettingChange]:
    """The components whose cards are in another order, whichever came and went."""
    before = {component.id: [card.id for card in component.cards] for component in old.components}
    for component in new.components:
        ids = [card.id for card in component.cards]
        was, there = before.get(component.id, []), set(ids)
        known = set(was)
        if [id for id in was if id in there] != [id for id in ids if id in known]:
            yield SettingChange("order of", component.id, "changed")


def settings_of(game: Game) -> Settings:
    """All of a game that is no card. What can't be read is left out: loading has said why."""
    return {key: plain(value) for key, value in _settings(game)}


def _settings(game: Game) -> Iterator[tuple[tuple[str, str], Any]]:
    values = {name: getattr(game, name) for name in _OF_GAME}
    yield ("game", ""), {**values, "limits": asdict(game.limits)}
    yield ("theme", ""), game.theme
    for component in game.components:
        yield ("component", component.id), _component(game, component)
    for sheet in game.sheets:
        yield (
            ("sheet", sheet.name),
            {
                "layout": sheet.layout,
                "components": sheet.components,
                "label": sheet.label,
            },
        )
    yield from _layouts(game)
    for name, content in game.tables.items():
        yield ("data", name), content
    for deck in game.decks:
        cards = {entry.card: entry.copies for entry in deck.entries}
        yield ("deck list", deck.id), {"title": deck.title, "component": deck.component, "cards": cards}
    yield from _rules(game)
    if game.table is not None and game.table.file is not None:
        content = _checked(game, game.table.file, "schemas/table.schema.json")
        if content is not None:
            yield ("table", ""), content
    for file in sorted(game.sources):
        if file.startswith(f"schemas/{game.id}/"):
            yield ("schema", file), {"text": _text(game, file, SCHEMA)}


def _component(game: Game, component: Component) -> Mapping[str, Any]:
    values = {name: getattr(component, name) for name in _OF_COMPONENT}
    if component.trim is not None:
        values["trim"] = f"{component.trim.width:g}×{component.trim.height:g} mm"
    if component.book is not None:
        text = _text(game, component.book.file, MARKDOWN)
        values |= {"look": component.book.look, "file": component.book.file, "text": text}
    return values


def _text(game: Game, file: str, kind: Any) -> list[str]:
    """The lines of a file; none if it can't be read."""
    path = game.paths.find(file)
    try:
        content = b"" if path is None else read_file(path, kind, file, game.paths.roots)
    except ReadingError:
        return []
    return content.decode("utf-8", "replace").splitlines()


def _layouts(game: Game) -> Iterator[tuple[tuple[str, str], Any]]:
    from cardgen.loading import load_layouts

    try:
        layouts = load_layouts(game.paths)
    except CardgenError:
        return
    for name in sorted({sheet.layout for sheet in game.sheets} & layouts.keys()):
        yield ("sheet layout", name), asdict(layouts[name])


def _rules(game: Game) -> Iterator[tuple[tuple[str, str], Any]]:
    if game.rules is None:
        return
    content = _checked(game, game.rules, "schemas/rules.schema.json")
    for name, value in (content or {}).items():
        if name != "rules":
            yield ("rules", name), value
    for rule in (content or {}).get("rules", ()):
        yield ("rule", rule["id"]), rule


def _checked(game: Game, file: str, schema: str) -> Any:
    """The content of a file of the game; None if it isn't valid, which `check` says."""
    from cardgen.loading import load_checked

    findings = Findings()
    try:
        document = load_checked(game.paths, file, schema, findings)
    except CardgenError:
        return None
    return None if document is None or findings.errors else document.data
