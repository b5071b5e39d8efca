"""Edits of single cards, saved to the files that they came from."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cardgen.commands.production.choices import own_folder
from cardgen.core.findings import Finding, Findings, Location, Severity, UsageError
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.files.changes import Changes
from cardgen.files.listing import names_in
from cardgen.files.project import Project
from cardgen.files.reading import PICTURE, RASTERS, TABLE, is_there, read_file
from cardgen.files.yaml import Document, copied, path_text
from cardgen.files.yaml_editing import same
from cardgen.files.yaml_text import DataPath
from cardgen.game.cards import is_choice
from cardgen.game.edited_files import (
    ABSENT,
    CardList,
    Field,
    Returned,
    card_lists,
    component_entries,
    fields_of,
    judge_records,
    new_contents,
    put_in,
    take_out,
    value_at,
)
from cardgen.game.markup import Markup
from cardgen.game.sources import KeptFiles, Sources
from cardgen.game.spreadsheets import id_of

if TYPE_CHECKING:
    from cardgen.core.game import Card
    from cardgen.game.spreadsheets import TableDocument


Plain = dict[str, Any]
_MOST_EDITS = 20_000
_MOST_DEPTH = 8
PICTURES = (".svg", *RASTERS)
"""Endings of pictures that cards can show."""
_COLOR = re.compile("#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
_KINDS = ("set", "add", "remove", "copy")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A change to a card of a component.

    Args:
        kind: "set" a value, "add" a card, "remove" one, or "copy" one.
        path: The keys of the value within the card.
        value: The new value; ABSENT removes it.
        text: The new value as a spreadsheet's cell shows it, instead of `value`.
        was: The value that the designer saw, if any.
    """

    kind: str
    component: str
    card: str
    path: tuple[str, ...] = ()
    value: Any = ABSENT
    text: str | None = None
    was: Any = ABSENT
    checks_was: bool = False

    @classmethod
    def of(cls, given: Any) -> CardChange:
        """Return a change from plain data. Raises UsageError."""
        if not isinstance(given, dict) or given.get("kind", "set") not in _KINDS:
            raise UsageError(f"an edit's kind is one of {', '.join(_KINDS)}")
        path, text = given.get("path", []), given.get("text")
        names = (given.get("component"), given.get("card"))
        if not isinstance(path, list) or len(path) > _MOST_DEPTH:
            raise UsageError("an edit's path is a list of keys")
        if not all(isinstance(each, str) for each in (*path, *names)) or not isinstance(text, str | None):
            raise UsageError("an edit names a component, a card and the keys of its value")
        kind = given.get("kind", "set")
        if kind == "set" and not path:
            raise UsageError("an edit of a value names its key")
        return cls(
            kind,
            str(names[0]),
            str(names[1]),
            tuple(path),
            given.get("value", ABSENT),
            text,
            given.get("was", ABSENT),
            "was" in given or given.get("absent") is True,
        )


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that changed elsewhere: the one in the file, and the designer's."""

    change: CardChange
    theirs: Any

    def plain(self) -> Plain:
        """Return the conflict as plain data."""
        change = self.change
        found = {"component": change.component, "card": change.card, "path": list(change.path)}
        mine = change.text if change.text is not None else change.value
        for name, value in (("mine", mine), ("theirs", self.theirs)):
            if value is not ABSENT:
                found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class CardFinding:
    """A problem of a card's value; the path of its finding begins within the card."""

    component: str
    card: str
    finding: Finding

    def plain(self) -> Plain:
        """Return the problem as plain data."""
        return {"cards": [[self.component, self.card]], **self.finding.as_json()}


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of changes: new contents of files as old and new bytes, problems of values at their
    fields, and values that changed elsewhere."""

    contents: Mapping[str, tuple[bytes, bytes]]
    findings: tuple[CardFinding, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    cards: tuple[tuple[str, str], ...] = ()


class _Placeless(Document):
    """Records without a text."""

    @property
    def name(self) -> str:
        """Return no name: results for these records must not replace those kept for the whole file."""
        return ""

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        return Location(self.relative, None, None, path_text(path))


class CardEditor:
    """Reads a game's cards as they are in their files, and makes the new contents of these files.

    Only changed records are read again. Raises UsageError for unknown names, CardgenError for unreadable
    files and files outside of the project.
    """

    def __init__(self, project: Project, game: str) -> None:
        self._project, self._game = project, game
        self._kept = KeptFiles()
        self._places: dict[tuple[str, str], tuple[str, int]] = {}
        """File and place of cards that were edited: ids made from a column change with it."""

    def lists(self, *components: str) -> tuple[Sources, list[CardList]]:
        """Return the lists of cards of components, without defaults."""
        own_folder(self._project, self._game, "cards")
        findings = Findings()
        sources = Sources(self._project.paths, findings, kept=self._kept)
        entries = component_entries(sources.read(f"data/{self._game}/game.yaml"))
        findings.raise_if_errors()
        if unknown := [name for name in components if name not in entries]:
            raise UsageError(f"there is no component '{unknown[0]}' with cards in data files")
        found = card_lists(sources, self._game, {name: entries[name] for name in components})
        self._kept.keep_unchecked()
        findings.raise_if_errors()
        return sources, found

    def form(self, component: str, card: str | None = None) -> Plain:
        """Return the fields of a component's cards with their kinds, and the cards, or one of them, as they
        are in their files."""
        _, lists = self.lists(component)
        fields: dict[tuple[str, ...], Plain] = {}
        cards: list[Plain] = []
        for each in lists:
            found = fields_of(each, Findings())
            for field in found:
                fields.setdefault(field.path, _field(field, each))
            others = [field for field in found if fields[field.path]["kind"] in ("other", "list")]
            cards += [
                {
                    "id": record["id"],
                    "file": each.file,
                    "fields": record,
                    "texts": {".".join(field.path): _shown(field, record) for field in others},
                }
                for record in each.cards
                if card is None or record["id"] == card
            ]
        files = {each.file: {"table": each.is_table} for each in lists}
        return {
            "component": component,
            "fields": list(fields.values()),
            "cards": cards,
            "files": files,
            "icons": self._icons(),
            "complete": card is None,
        }

    def _icons(self) -> list[str]:
        """Return the names of the icons that texts can show."""
        paths, folders = self._project.paths, ("_shared", self._game)
        return sorted({name for folder in folders for name in _icons_in(paths, folder)})

    def put_art(self, component: str, name: str, content: bytes) -> tuple[str, str]:
        """Return the value of a card's field for a new picture, and the picture's file, which no other
        picture has. Raises UsageError for a name that isn't a picture's."""
        stem, ending = _picture_name(name)
        _, lists = self.lists(component)
        values = {v for each in lists for card in each.cards for v in card.values() if isinstance(v, str)}
        folder = self._art_folder(values)
        for number in range(1, _MOST_EDITS):
            value = f"{stem}{'' if number == 1 else f'-{number}'}{ending}"
            place = f"{folder}/{value}"
            path = self._project.root / place
            if not is_there(path) or read_file(path, PICTURE, place, (self._project.root,)) == content:
                break
        with Changes(self._project.root) as changes:
            changes.write_bytes(place, content)
            changes.commit()
        prefix = "art/" if any(v.startswith("art/") and _is_picture(v) for v in values) else ""
        return f"{prefix}{value}", place

    def _art_folder(self, values: Collection[str]) -> str:
        """Return the folder that contains the pictures named by values."""
        base = f"templates/{self._game}"
        names = {value.rpartition("/")[2] for value in values if _is_picture(value)}
        roots = (self._project.root,)
        for folder in (f"{base}/art", base, f"art/{self._game}", "art"):
            path = self._project.root / folder
            if path.is_dir() and names & set(names_in(path, folder, roots, "")):
                return folder
        return f"{base}/art"

    def _as_named_now(self, lists: Sequence[CardList]) -> Callable[[CardChange], CardChange]:
        """Return a function that gives a change the current id of its card, if an edit changed it."""
        known = {(each.component, card["id"]) for each in lists for card in each.cards}
        cards = {(each.component, each.file): each.cards for each in lists if each.is_table}

        def named(change: CardChange) -> CardChange:
            key = (change.component, change.card)
            file, at = self._places.get(key, ("", 0))
            found = cards.get((change.component, file), [])
            if change.kind == "add" or key in known or at >= len(found):
                return change
            return replace(change, card=found[at]["id"])

        return named

    def edit(self, changes: Sequence[CardChange], *, anyway: bool = False) -> Edited:
        """Return the new contents of files with some changes. Without `anyway`, invalid values give
        findings and no contents."""
        if not changes or len(changes) > _MOST_EDITS:
            raise UsageError(f"make 1 to {_MOST_EDITS:,} edits at a time")
        sources, lists = self.lists(*dict.fromkeys(each.component for each in changes))
        drafts = [_Draft(each) for each in lists]
        conflicts, touched = [], []
        for change in map(self._as_named_now(lists), changes):
            draft = _draft_of(change, drafts)
            theirs = draft.value(change)
            if change.checks_was and change.kind == "set" and not _is_same(theirs, change.was):
                if not _is_same(theirs, draft.wanted(change)):
                    conflicts.append(Conflict(change, theirs))
                continue
            touched.append((change.component, draft.apply(change, drafts)))
        if conflicts:
            return Edited({}, (), tuple(conflicts))
        changed = [each for each in drafts if each.is_changed]
        problems = [problem for each in changed for problem in each.problems(sources, drafts)]
        cards = tuple(dict.fromkeys(touched))
        if problems and not anyway:
            return Edited({}, tuple(problems), (), cards)
        findings = Findings()
        contents = new_contents([each.returned() for each in changed], sources, findings)
        findings.raise_if_errors()
        contents = {file: pair for file, pair in contents.items() if pair[0] != pair[1]}
        self._places |= {
            (each.source.component, id): (each.source.file, at)
            for each in changed
            if each.source.is_table
            for at, id in enumerate(each.ids(each.source.component))
        }
        return Edited(contents, tuple(problems), (), cards)


_SETTINGS = ("id", "copies", "trim", "turned", "face", "back")
"""Fields that set more than a card's print."""


def drafted(card: Card, path: tuple[str, ...], value: Any, made_with: Any) -> Card | None:
    """Return a loaded card with another value, as it is once that is saved; None if the value sets more
    than the card's print, or its kind differs from the value before.

    `made_with` are the values that the component's cards were made with (`KeptFiles.made_cards`).
    """
    before = value_at(card.fields, path)
    if not made_with or not path or path[0] in _SETTINGS or _plain_type(before) is not _plain_type(value):
        return None
    size, entry = made_with[:2]
    choices = filter(is_choice, (size, *map(entry.get, ("face", "back", "turned"))))
    if path[0] in [each["by"] for each in choices]:
        return None
    if isinstance(before, str) and before.endswith("\n"):
        value = f"{value.removesuffix(chr(10))}\n"
    fields = copied(dict(card.fields))
    put_in(fields, path, value)
    if "markup" in entry:
        fields |= Markup.of(entry["markup"]).card({path[0]: fields[path[0]]})
    return replace(card, fields=fields)


def _plain_type(value: Any) -> type:
    return float if type(value) is int else type(value)


def _shown(field: Field, record: Mapping[str, Any]) -> str:
    found = field.of(record)
    return "" if found is None else str(found)


def _is_picture(value: str) -> bool:
    return value.lower().endswith(PICTURES)


def _picture_name(name: str) -> tuple[str, str]:
    """Return the stem and the ending of a picture's file, as plain as ids are. Raises UsageError."""
    stem, ending = posixpath.splitext(name.replace("\\", "/").rpartition("/")[2])
    if ending.lower() not in PICTURES:
        raise UsageError(f"'{name[:60]}' is not a picture", f"use one of {', '.join(PICTURES)}")
    return id_of(stem)[:60] or "picture", ending.lower()


def _icons_in(paths: ProjectPaths, folder: str) -> list[str]:
    found: list[str] = []
    for root in paths.roots:
        place = f"templates/{folder}/icons"
        found += names_in(root / place, place, paths.roots, ".svg")
    return [name.removesuffix(".svg") for name in found]


def _field(field: Field, cards: CardList) -> Plain:
    kind, inside = field.kind, cards.how.shapes.inside(field.kind.parts)
    types = set() if kind.is_open else set(kind.types) - {"null"}
    said: Plain = {
        "path": list(field.path),
        "name": ".".join(field.path),
        "note": next((each["description"] for each in inside if "description" in each), ""),
        "kind": _kind_of(types, field, cards, inside),
        "choices": [] if types == {"boolean"} else list(field.heading.choices),
    }
    for name in ("minimum", "maximum", "maxLength", "format", "default"):
        found = [each[name] for each in inside if name in each]
        if found:
            said[name] = found[0]
    if types == {"array"}:
        item = kind.item
        of_item = cards.how.shapes.inside(item.parts)
        listed = [each["enum"] for each in of_item if isinstance(each.get("enum"), list)]
        said["choices"] = [word for word in listed[0] if isinstance(word, str)] if listed else []
        said["items"] = "other" if item.is_open else _item_kind(set(item.types) - {"null"})
    return said


def _kind_of(types: set[str], field: Field, cards: CardList, inside: Sequence[Mapping[str, Any]]) -> str:
    if types == {"boolean"}:
        return "flag"
    if field.heading.choices:
        return "choice"
    if types == {"string"}:
        return _text_kind(field, cards, inside)
    if types and types <= {"integer", "number"}:
        return "number"
    return "list" if types == {"array"} else "other"


def _text_kind(field: Field, cards: CardList, inside: Sequence[Mapping[str, Any]]) -> str:
    """Return the kind of a text by its schema, or else by its values."""
    if any(each.get("format") == "color" for each in inside):
        return "color"
    if any("svg|" in str(each.get("pattern")) for each in inside):
        return "art"
    values = [value for card in cards.cards if isinstance(value := value_at(card, field.path), str)]
    if values and all(map(_COLOR.fullmatch, values)):
        return "color"
    return "art" if values and all(map(_is_picture, values)) else "text"


def _item_kind(types: set[str]) -> str:
    if types == {"string"}:
        return "text"
    return "number" if types and types <= {"integer", "number"} else "other"


def _is_same(one: Any, other: Any) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    if isinstance(one, float) and isinstance(other, int) and not isinstance(other, bool):
        return one == other  # the page has one kind of number
    if isinstance(one, str) and isinstance(other, str):
        return one.removesuffix("\n") == other.removesuffix("\n")  # a field shows no last line end
    return same(one, other)


class _Draft:
    """A list of cards that is being changed."""

    def __init__(self, source: CardList) -> None:
        self.source = source
        self._before = {card["id"]: card for card in source.cards}
        self._now: dict[str, Any] = dict(self._before)
        self._fields: dict[tuple[str, ...], Field] | None = None
        self._renamed: dict[str, str] = {}

    @property
    def is_changed(self) -> bool:
        before, now = list(self._before.values()), list(self._now.values())
        return len(before) != len(now) or any(a is not b for a, b in zip(before, now, strict=True))

    def has(self, card: str) -> bool:
        """Return True if there is such a card."""
        return self._renamed.get(card, card) in self._now

    def value(self, change: CardChange) -> Any:
        """Return the current value at a change's place."""
        return value_at(self._now.get(self._renamed.get(change.card, change.card), {}), change.path)

    def wanted(self, change: CardChange) -> Any:
        """Return the value that a change sets."""
        if change.text is None:
            return change.value
        if self._fields is None:
            self._fields = {field.path: field for field in fields_of(self.source, Findings())}
        if change.text == "":
            return ABSENT
        field = self._fields.get(change.path)
        return change.text if field is None else field.kind.read(change.text)

    def apply(self, change: CardChange, drafts: Sequence[_Draft]) -> str:
        """Make a change; return the id of its card."""
        id = self._renamed.get(change.card, change.card)
        if change.kind == "remove":
            del self._now[id]
            if not self._now:
                message = f"{self.source.component} would have no cards in {self.source.file}"
                raise UsageError(message, "remove the component from game.yaml instead")
            return id
        if change.kind in ("add", "copy"):
            taken = [*self._now, *(name for each in drafts for name in each.ids(change.component))]
            new = _unused(id, taken)
            if change.kind == "add":
                given = copied(change.value) if isinstance(change.value, dict) else {}
                self._now[new] = {"id": new, **{k: v for k, v in given.items() if k != "id"}}
            else:
                card = {**copied(self._now[id]), "id": new}
                self._now = _with(self._now, new, card, id if not self.source.is_table else None)
            return new
        card, wanted = copied(self._now[id]), self.wanted(change)
        was = value_at(card, change.path)
        if isinstance(was, str) and was.endswith("\n") and isinstance(wanted, str):
            wanted = f"{wanted.removesuffix(chr(10))}\n"
        if wanted is ABSENT:
            take_out(card, change.path)
        else:
            put_in(card, change.path, wanted)
        if change.path == ("id",) and isinstance(wanted, str) and wanted != id and wanted not in self._now:
            self._now = {wanted if name == id else name: each for name, each in self._now.items()}
            self._renamed[change.card] = wanted
            id = wanted
        self._now[id] = card
        return id

    def ids(self, component: str) -> list[str]:
        """Return the ids of the cards of a component."""
        return list(self._now) if self.source.component == component else []

    def problems(self, sources: Sources, drafts: Sequence[_Draft]) -> Iterator[CardFinding]:
        """Yield the new problems of changed cards."""
        changed = [(id, card) for id, card in self._now.items() if card is not self._before.get(id)]
        before = [card for id, _ in changed if (card := self._before.get(id)) is not None]
        old = Counter(_key(found) for found in self._judged(before, sources))
        for found in self._judged([card for _, card in changed], sources):
            if old[_key(found)] <= 0:
                yield found
        component = self.source.component
        ids = Counter(id for each in drafts for id in each.written_ids(component))
        for _, card in changed:
            if ids[str(card.get("id"))] > 1:
                message = f"the id '{card['id']}' is taken by another card"
                hint = "give every card its own id; to print it more often, use copies"
                place = Location(self.source.file, None, None, "id")
                finding = Finding(Severity.ERROR, "data/duplicate-id", message, place, hint)
                yield CardFinding(component, str(card["id"]), finding)

    def written_ids(self, component: str) -> list[str]:
        """Return the ids as the cards' records have them."""
        return [str(c.get("id")) for c in self._now.values()] if self.source.component == component else []

    def _judged(self, cards: Sequence[Mapping[str, Any]], sources: Sources) -> list[CardFinding]:
        if not cards:
            return []
        source, findings = self.source, Findings()
        others = source.document.data if isinstance(source.document.data, dict) else {}
        data = {**others, source.component: [copied(dict(card)) for card in cards]}
        judge_records(_Placeless(source.file, data, ""), source, sources, findings)
        return [found for each in findings if (found := _of_card(each, source.component, cards))]

    def returned(self) -> Returned:
        """Return the list as it is to be written."""
        source, cards = self.source, list(self._now.values())
        document = cast("TableDocument", source.document)
        old = {new: old for old, new in self._renamed.items()}
        return Returned(source, cards, document, dict(self._before), old)


def _key(found: CardFinding) -> tuple[str, str, str, str]:
    place = found.finding.location
    return found.card, found.finding.code, found.finding.message, place.path if place else ""


def _of_card(found: Finding, component: str, cards: Sequence[Mapping[str, Any]]) -> CardFinding | None:
    """Return a card's problem; None for a finding about the whole list."""
    place = found.location
    start = f"{component}["
    if place is None or not place.path.startswith(start):
        return None
    index, _, rest = place.path[len(start) :].partition("]")
    inside = replace(place, path=rest.removeprefix("."))
    return CardFinding(component, str(cards[int(index)].get("id")), replace(found, location=inside))


def _unused(wanted: str, taken: Sequence[str]) -> str:
    known = set(taken)
    name, number = wanted or "card", 1
    while name in known:
        number += 1
        name = f"{wanted or 'card'}-{number}"
    return name


def _with(cards: dict[str, Any], id: str, card: Any, after: str | None) -> dict[str, Any]:
    """Return cards with a new one, behind another or at the end."""
    if after is None:
        return {**cards, id: card}
    found: dict[str, Any] = {}
    for name, each in cards.items():
        found[name] = each
        if name == after:
            found[id] = card
    return found


def _draft_of(change: CardChange, drafts: Sequence[_Draft]) -> _Draft:
    own = [each for each in drafts if each.source.component == change.component]
    if change.kind == "add" and own:
        return own[-1]
    for each in own:
        if each.has(change.card):
            return each
    raise UsageError(f"there is no card '{change.card}' in {change.component}", "reload the page")


def current(project: Project, file: str) -> bytes:
    """Return the content of a data file of the project's own. Raises CardgenError."""
    return read_file(project.root / file, TABLE, file, project.paths.roots)


def write_contents(project: Project, contents: Mapping[str, tuple[bytes, bytes]]) -> str | None:
    """Replace files by new contents, all or none. Return the file that changed meanwhile, if any; then
    nothing is written."""
    with Changes(project.root) as changes:
        for file, (before, after) in contents.items():
            if current(project, file) != before:
                return file
            changes.write_bytes(file, after)
        changes.commit()
    return None
