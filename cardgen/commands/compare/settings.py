"""The differences between two states of a game besides its cards: sheets, rules, data, layouts, files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cardgen.commands.compare.values import ValueChange, plain, spelled, value_changes
from cardgen.core.findings import CardgenError, Findings
from cardgen.core.game import Component, Game
from cardgen.files.reading import MARKDOWN, SCHEMA, Kind, ReadingError, read_file

_MOST_VALUES = 4
"""Values that a line names."""
_LONGEST = 60
_OF_GAME = (
    *("title", "version", "author", "description", "language", "languages"),
    *("players", "fallback", "fonts", "rules"),
)
_OF_COMPONENT = ("title", "kind", "shape", "corner_radius", "bleed", "safe", "variables")
Key = tuple[str, str]
"""The kind of a thing ("sheet") and its name."""
Settings = dict[Key, Any]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A sheet, a component, a rule, … that is new, removed or changed; `values` say what of it."""

    what: str
    name: str
    kind: str
    values: tuple[ValueChange, ...] = ()

    def __str__(self) -> str:
        """Give it in a line: "sheet poker: layout poker-9 → poker-8"."""
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
        """Give it as plain values."""
        values = [value.plain() for value in self.values]
        return {"what": self.what, "name": self.name, "kind": self.kind, "values": values}


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


def setting_changes(
    old: Game, new: Game, components: Iterable[str] = (), *, findings: tuple[Findings, Findings]
) -> list[SettingChange]:
    """Find what differs besides cards, by what it is; with `components`, of these components alone. What
    one of the two lacks only because it is in error is left out; `findings` get what is wrong with files
    that loading a game does not read, of the old and of the new."""
    wanted = set(components)
    before, after = (_State(game, said) for game, said in zip((old, new), findings))
    keys = [*after.settings, *(key for key in before.settings if key not in after.settings)]
    changes = [change for change in _reordered(old, new) if not wanted or change.name in wanted]
    for key in keys:
        if wanted and (key[0] != "component" or key[1] not in wanted):
            continue
        if key not in before.settings:
            changes += [] if before.may_have(key) else [SettingChange(*key, "new")]
        elif key not in after.settings:
            changes += [] if after.may_have(key) else [SettingChange(*key, "removed")]
        elif values := tuple(value_changes(before.settings[key], after.settings[key])):
            changes.append(SettingChange(*key, "changed", values))
    order = list(dict.fromkeys(what for what, _ in (*keys, ("order of", ""))))
    return sorted(changes, key=lambda change: order.index(change.what))


class _State:
    """The settings of one state of a game, and what else it may have."""

    def __init__(self, game: Game, findings: Findings) -> None:
        known = len(findings.errors)
        self.settings: Settings = {key: plain(value) for key, value in _settings(game, findings)}
        called = {"table": "data", "list": "sheet"}
        self._lacks = {(called.get(kind, kind), name) for kind, name in game.left_out}
        self._lacks_any: set[str] = set()
        if {kind for kind, _ in self._lacks} & {"component", "sheet"}:  # sheets rest on components
            self._lacks_any |= {"sheet", "sheet layout"}
        if game.left_out:  # these rest on all cards
            self._lacks_any |= {"deck list", "table"}
        if len(findings.errors) > known:
            self._lacks_any |= {"rule", "rules", "table", "sheet layout"}

    def may_have(self, key: Key) -> bool:
        """Tell whether something may be lacking only because it is in error."""
        return key in self._lacks or key[0] in self._lacks_any


def _reordered(old: Game, new: Game) -> Iterator[SettingChange]:
    """Find the components whose cards are in another order, whichever came and went."""
    before = {component.id: [card.id for card in component.cards] for component in old.components}
    for component in new.components:
        ids = [card.id for card in component.cards]
        was, there = before.get(component.id, []), set(ids)
        known = set(was)
        if [id for id in was if id in there] != [id for id in ids if id in known]:
            yield SettingChange("order of", component.id, "changed")


def _settings(game: Game, findings: Findings) -> Iterator[tuple[Key, Any]]:
    values = {name: getattr(game, name) for name in _OF_GAME}
    yield ("game", ""), {**values, "limits": asdict(game.limits)}
    yield ("theme", ""), game.theme
    yield ("press", ""), asdict(game.press) if game.press is not None else {}
    yield ("spots", ""), {spot.id: asdict(spot) for spot in game.spots}
    for component in game.components:
        yield ("component", component.id), _component(game, component)
    for sheet in game.sheets:
        stated = {"layout": sheet.layout, "components": sheet.components, "label": sheet.label}
        yield ("sheet", sheet.name), stated
    yield from _layouts(game, findings)
    for name, content in game.tables.items():
        yield ("data", name), content
    for deck in game.decks:
        cards = {entry.card: entry.copies for entry in deck.entries}
        yield ("deck list", deck.id), {"title": deck.title, "component": deck.component, "cards": cards}
    yield from _rules(game, findings)
    if game.table is not None and game.table.file is not None:
        content = _checked(game, game.table.file, "schemas/table.schema.json", findings)
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


def _text(game: Game, file: str, kind: Kind) -> list[str]:
    """Read the lines of a file; none if it can't be read."""
    path = game.paths.find(file)
    try:
        content = b"" if path is None else read_file(path, kind, file, game.paths.roots)
    except ReadingError:
        return []
    return content.decode("utf-8", "replace").splitlines()


def _layouts(game: Game, findings: Findings) -> Iterator[tuple[Key, Any]]:
    from cardgen.game.facts import load_layouts

    try:
        layouts = load_layouts(game.paths)
    except CardgenError as error:
        findings.extend(error.findings)
        return
    for name in sorted({sheet.layout for sheet in game.sheets} & layouts.keys()):
        yield ("sheet layout", name), asdict(layouts[name])


def _rules(game: Game, findings: Findings) -> Iterator[tuple[Key, Any]]:
    if game.rules is None:
        return
    content = _checked(game, game.rules, "schemas/rules.schema.json", findings) or {}
    for name, value in content.items():
        if name in ("rules", "deck_rules"):
            yield from ((("rule", rule["id"]), rule) for rule in value)
        else:
            yield ("rules", name), value


def _checked(game: Game, file: str, schema: str, findings: Findings) -> Any:
    """Read the content of a file of the game; None after findings."""
    from cardgen.game.sources import load_checked

    document = load_checked(game.paths, file, schema, findings)
    return None if document is None else document.data
