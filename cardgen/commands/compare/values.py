"""Differences between plain values, and between the settings of two states of a game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from cardgen.core.findings import CardgenError, Findings
from cardgen.core.game import Component, Game
from cardgen.files.reading import MARKDOWN, SCHEMA, ReadingError, read_file

Path = tuple[str | int, ...]
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 300
"""Most words of a text whose changes are looked for one by one: that takes their square."""
_PLAIN_KEY = re.compile(r"[\w$-]+")


class _Absent:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Any = _Absent()


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that differs, at a path; `ABSENT` where it was not, or is no more."""

    path: Path
    old: Any
    new: Any

    @property
    def name(self) -> str:
        """The path as findings write it, `reward.dice[2]`."""
        text = ""
        for step in self.path:
            if isinstance(step, int) or not _PLAIN_KEY.fullmatch(step):
                text += f"[{step!r}]"
            else:
                text += f".{step}" if text else step
        return text

    @property
    def kind(self) -> Literal["new", "removed", "changed"]:
        if self.old is ABSENT:
            return "new"
        return "removed" if self.new is ABSENT else "changed"

    def plain(self) -> dict[str, Any]:
        """It as plain values; what is absent is left out."""
        values = {"old": self.old, "new": self.new}
        there = {name: plain(value) for name, value in values.items() if value is not ABSENT}
        return {"path": self.name, "kind": self.kind, **there}


def value_changes(old: Any, new: Any, path: Path = ()) -> Iterator[ValueChange]:
    """The values that differ, in the order of the new; mappings and lists are gone through. In lists what
    is the same at both ends is set aside, and the rest compared one by one."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, value in new.items():
            yield from value_changes(old.get(key, ABSENT), value, (*path, str(key)))
        for key, value in old.items():
            if key not in new:
                yield ValueChange((*path, str(key)), value, ABSENT)
    elif _is_list(old) and _is_list(new):
        start, shortest = 0, min(len(old), len(new))
        while start < shortest and _same(old[start], new[start]):
            start += 1
        end = 0
        while end < shortest - start and _same(old[-1 - end], new[-1 - end]):
            end += 1
        before, after = old[start : len(old) - end], new[start : len(new) - end]
        for index in range(max(len(before), len(after))):
            was = before[index] if index < len(before) else ABSENT
            now = after[index] if index < len(after) else ABSENT
            yield from value_changes(was, now, (*path, start + index))
    elif not _same(old, new):
        yield ValueChange(path, old, new)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _same(old: Any, new: Any) -> bool:
    """Whether two values are equal; to Python, True is 1."""
    return bool(old == new) and (isinstance(old, bool) == isinstance(new, bool))


def plain(value: Any) -> Any:
    """A value as JSON knows values."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if _is_list(value) else str(value)


def spelled(value: Any) -> str:
    """A value in a line of text: texts as they are, others as JSON."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return value if value else '""'
    return json.dumps(plain(value), ensure_ascii=False)


def word_changes(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Two texts in pieces, (old, new), equal where nothing changed. Of very long texts only what differs
    between their beginnings and their ends is one piece."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start, shortest = 0, min(len(before), len(after))
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    head, tail = "".join(before[:start]), "".join(before[len(before) - end :])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if head:
        yield head, head
    if len(before) > _MOST_WORDS or len(after) > _MOST_WORDS:
        yield "".join(before), "".join(after)
    else:
        yield from _joined(before, after)
    if tail:
        yield tail, tail


def _joined(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Pieces of two lists of words; a space alone between two changes is part of them."""
    was = now = ""
    for old, new in _aligned(before, after):
        if old == new and (old.strip() or not (was or now)):
            if was or now:
                yield was, now
            was = now = ""
            yield old, new
        else:
            was, now = was + old, now + new
    if was or now:
        yield was, now


def _aligned(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """The words of two lists in pairs, "" where one has none: as many as can be are the same, words before
    spaces. Takes their product of steps, whatever they are."""
    rows, columns = len(before), len(after)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below, word = best[i], best[i + 1], before[i]
        weight = 1 if word.isspace() else 4
        for j in range(columns - 1, -1, -1):
            row[j] = below[j + 1] + weight if word == after[j] else max(below[j], row[j + 1])
    i = j = 0
    run = ""
    while i < rows and j < columns:
        if before[i] == after[j]:
            run += before[i]
            i, j = i + 1, j + 1
            continue
        if run:
            yield run, run
            run = ""
        if best[i + 1][j] >= best[i][j + 1]:
            yield before[i], ""
            i += 1
        else:
            yield "", after[j]
            j += 1
    if run:
        yield run, run
    if i < rows or j < columns:
        yield "".join(before[i:]), "".join(after[j:])


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


def setting_changes(
    old: Game, new: Game, components: Iterable[str] = (), *, findings: tuple[Findings, Findings]
) -> list[SettingChange]:
    """What differs besides cards, by what it is; with `components`, of these components alone. What one of
    the two lacks only because it is in error is left out; `findings` get what is wrong with files that
    loading a game does not read, of the old and of the new."""
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

    def may_have(self, key: tuple[str, str]) -> bool:
        """Whether something may be lacking only because it is in error."""
        return key in self._lacks or key[0] in self._lacks_any


def _reordered(old: Game, new: Game) -> Iterator[SettingChange]:
    """The components whose cards are in another order, whichever came and went."""
    before = {component.id: [card.id for card in component.cards] for component in old.components}
    for component in new.components:
        ids = [card.id for card in component.cards]
        was, there = before.get(component.id, []), set(ids)
        known = set(was)
        if [id for id in was if id in there] != [id for id in ids if id in known]:
            yield SettingChange("order of", component.id, "changed")


def _settings(game: Game, findings: Findings) -> Iterator[tuple[tuple[str, str], Any]]:
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


def _text(game: Game, file: str, kind: Any) -> list[str]:
    """The lines of a file; none if it can't be read."""
    path = game.paths.find(file)
    try:
        content = b"" if path is None else read_file(path, kind, file, game.paths.roots)
    except ReadingError:
        return []
    return content.decode("utf-8", "replace").splitlines()


def _layouts(game: Game, findings: Findings) -> Iterator[tuple[tuple[str, str], Any]]:
    from cardgen.game.facts import load_layouts

    try:
        layouts = load_layouts(game.paths)
    except CardgenError as error:
        findings.extend(error.findings)
        return
    for name in sorted({sheet.layout for sheet in game.sheets} & layouts.keys()):
        yield ("sheet layout", name), asdict(layouts[name])


def _rules(game: Game, findings: Findings) -> Iterator[tuple[tuple[str, str], Any]]:
    if game.rules is None:
        return
    content = _checked(game, game.rules, "schemas/rules.schema.json", findings) or {}
    for name, value in content.items():
        if name in ("rules", "deck_rules"):
            yield from ((("rule", rule["id"]), rule) for rule in value)
        else:
            yield ("rules", name), value


def _checked(game: Game, file: str, schema: str, findings: Findings) -> Any:
    """The content of a file of the game; None after findings."""
    from cardgen.game.sources import load_checked

    document = load_checked(game.paths, file, schema, findings)
    return None if document is None else document.data
