"""The changes of a game since a git revision: cards, their looks, and everything else.

The same code loads, renders and describes both states, so only real changes differ. If one state has
errors, the rest is still compared.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from cardgen.commands.compare.values import (
    ValueChange,
    card_counts,
    cut,
    field_lines,
    plain,
    spelled,
    value_changes,
)
from cardgen.commands.production.choices import BuildOptions, chosen_components, select
from cardgen.commands.production.fonts import fonts_of
from cardgen.commands.production.git import HEAD, Revision, at_revision, commit_of
from cardgen.commands.production.results import GameResults
from cardgen.commands.production.stages import load
from cardgen.commands.production.stamping import Progress
from cardgen.core.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError, plural
from cardgen.core.game import Card, Component, Game
from cardgen.core.records import asdict, dataclass, field, replace
from cardgen.core.terminal import shown
from cardgen.files.listing import walk
from cardgen.files.project import DRAWN_FROM, Project
from cardgen.files.reading import MARKDOWN, PICTURE, SCHEMA, Kind, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide, SideName, SideRenderer
    from cardgen.game.playtests import Tally
    from cardgen.text.fonts import FontBook


VERSION = 1
"""The version of the JSON that `Differences.plain` returns."""
Place = tuple[str, str]
"""A component and a card of it."""
Cards = Mapping[Place, Card]
_COUNTED: tuple[Literal["copies", "number"], ...] = ("copies", "number")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card that is new, removed or changed: its changed fields, and its sides that look different.
    `renamed_from` is a removed card that was the same but for its id."""

    kind: Literal["new", "removed", "changed"]
    component: str
    id: str
    location: Location
    """Its current location; of a removed one the former location."""
    old: Card | None
    new: Card | None
    fields: tuple[ValueChange, ...] = ()
    looks: tuple[SideName, ...] = ()
    renamed_from: str | None = None

    def pair(self, name: Literal["copies", "number"]) -> dict[str, int | None]:
        """Return a card's copies or number, old and new; None for a missing card."""
        states = {"old": self.old, "new": self.new}
        return {state: None if card is None else getattr(card, name) for state, card in states.items()}

    @property
    def values(self) -> list[ValueChange]:
        """Return the fields that differ, including its copies and its number."""
        values = list(self.fields)
        named = {value.path[:1] for value in values}
        if self.kind == "changed":
            changes = [ValueChange((name,), **self.pair(name)) for name in _COUNTED]
            values += [each for each in changes if each.old != each.new and each.path not in named]
        return values

    @property
    def heading(self) -> str:
        """Return the change in words: "changed, looks different: face"."""
        words: str = self.kind
        if self.kind == "changed":
            looks = " and ".join(self.looks)
            return f"{words}, looks different: {looks}" if looks else f"{words}, looks the same"
        card = self.new or self.old
        if card is not None and card.copies != 1:
            words += f", {card.copies} copies"
        if self.renamed_from is not None:
            words += f", likely renamed from '{self.renamed_from}'"
        return words

    def plain(self) -> dict[str, Any]:
        """Return the change as plain values."""
        return {
            "component": self.component,
            "card": self.id,
            "kind": self.kind,
            "file": self.location.file,
            "line": self.location.line,
            "fields": [field.plain() for field in self.fields],
            "looks_different": list(self.looks),
            **{name: self.pair(name) for name in _COUNTED},
            "renamed_from": self.renamed_from,
        }


@dataclass(frozen=True, slots=True)
class Differences:
    """Changes in a game since a revision. `old` is the game of that revision, or None.
    `uncompared` are cards that one state lacks because of an error. `findings` are problems of the game
    today, `old_findings` those of the old state."""

    game: Game
    old: Game | None
    revision: Revision
    cards: tuple[CardChange, ...]
    settings: tuple[SettingChange, ...]
    uncompared: tuple[Place, ...]
    findings: tuple[Finding, ...]
    old_findings: tuple[Finding, ...] = ()
    played: Mapping[str, Mapping[Place, Tally]] = field(default_factory=dict)
    """The tallies of the playtests of each version."""

    @property
    def is_same(self) -> bool:
        """Return True if nothing changed in everything that could be compared."""
        return not (self.cards or self.settings or self.uncompared)

    def of(self, kind: str) -> list[CardChange]:
        """Return the cards that are new, removed or changed."""
        return [change for change in self.cards if change.kind == kind]

    def tallies(self, change: CardChange) -> dict[str, dict[str, int]]:
        """Return what playtests say of a card, by the version that was played."""
        place = (change.component, change.id)
        return {version: asdict(cards[place]) for version, cards in self.played.items() if place in cards}

    def plain(self) -> dict[str, Any]:
        """Return plain values for scripts. Keys may be added but never change their meaning."""
        return {
            "version": VERSION,
            "game": self.game.id,
            "language": self.game.language,
            "since": {"revision": self.revision.name, "commit": self.revision.commit},
            "counts": {kind: len(self.of(kind)) for kind in ("new", "removed", "changed")},
            "cards": [{**change.plain(), "playtests": self.tallies(change)} for change in self.cards],
            "settings": [change.plain() for change in self.settings],
            "uncompared": [{"component": component, "card": card} for component, card in self.uncompared],
        }


def differences(
    game: Game,
    project: Project,
    since: str | Revision = HEAD,
    *,
    components: Collection[str] = (),
    sides: Sequence[SideName] = ("face", "back"),
    low_ink: bool = False,
    cards_only: bool = False,
    progress: Progress = lambda step, done, total: None,
) -> Differences:
    """Find changes in a game, which may be partly loaded, since a revision of its project's repository, in
    these components (none meaning all) and on these sides. Unless `cards_only`, the rest of the game is
    compared too.

    Raises UsageError for unknown components, and as `at_revision` does; CardgenError if nothing of the old
    game could be loaded.
    """
    from cardgen.game.playtests import by_version, load_playtests

    revision = since if isinstance(since, Revision) else at_revision(project, since)
    old, old_findings = _as_it_was(game, revision)
    findings = [finding for finding in game.remarks if finding.severity is Severity.ERROR]
    if components:
        known = {component.id for component in old.components} if old is not None else set()
        chosen_components(game, [name for name in components if name not in known])
    before, after = _cards(old, components), _cards(game, components)
    uncompared = _in_doubt(old, game, before, after)
    looks: dict[Place, tuple[SideName, ...]] = {}
    settings: list[SettingChange] = []
    if old is not None:
        both = [place for place in after if place in before]
        if both:
            was, now = (SideLooks(each, sides, low_ink=low_ink) for each in (old, game))
            files_differ = other_files_differ(old, game)
            for number, place in enumerate(both):
                progress("comparing", number, len(both))
                pair = before[place], after[place]
                looks[place] = sides_that_differ(was, now, pair, files_differ=files_differ)
            old_findings += about_revision(revision, was.finish())
            findings += now.finish()
        if not cards_only:
            said = Findings(), Findings()
            settings = setting_changes(old, game, components, findings=said)
            old_findings += about_revision(revision, said[0].errors)
            findings += said[1].errors
    return Differences(
        game,
        old,
        revision,
        tuple(_changes(old, game, before, after, looks, uncompared)),
        tuple(settings),
        tuple(uncompared),
        tuple(dict.fromkeys(findings)),
        tuple(dict.fromkeys(old_findings)),
        by_version(load_playtests(game, Findings())),
    )


def card_changes(old: Game | None, new: Game) -> list[CardChange]:
    """Find the cards whose data differ in two states of a game, either of which may be partly loaded. Looks
    are not compared, nor are cards that one state may lack because of an error."""
    before, after = _cards(old, ()), _cards(new, ())
    return list(_changes(old, new, before, after, {}, _in_doubt(old, new, before, after)))


def _as_it_was(game: Game, revision: Revision) -> tuple[Game | None, list[Finding]]:
    """Load a game at a revision with the current options; None if it didn't exist. Add its findings."""
    findings = list(revision.findings)
    languages = [None] if game.words is None else [game.words.language, None]
    for language in languages:
        try:
            found = load(
                game.id,
                project=revision.project,
                players=game.player_count,
                language=language,
                partial=True,
            )
        except CardgenError as error:
            [said, *_] = error.findings
            if said.code == "usage/game":
                return None, findings
            if said.code != "usage/language" or language is None:
                raise CardgenError(*about_revision(revision, error.findings)) from None
            findings += about_revision(revision, [replace(said, severity=Severity.NOTE)])
        else:
            break
    findings += about_revision(
        revision, (each for each in found.remarks if each.severity is Severity.ERROR)
    )
    return replace(found, image_dpi=game.image_dpi), findings


def about_revision(revision: Revision, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings whose messages name their revision."""
    return [replace(each, message=f"at {revision.short}: {each.message}") for each in findings]


def _cards(game: Game | None, components: Collection[str]) -> dict[Place, Card]:
    if game is None:
        return {}
    wanted = (card for card in game.cards() if not components or card.component in components)
    return {(card.component, card.id): card for card in wanted}


def _in_doubt(old: Game | None, new: Game, before: Cards, after: Cards) -> list[Place]:
    """Find the cards in one state that the other may lack only because of an error."""
    added = [place for place in after if place not in before and old is not None and _may_have(old, place)]
    return added + [place for place in before if place not in after and _may_have(new, place)]


def _may_have(game: Game, place: Place) -> bool:
    """Return True if an error may hide a card of the game."""
    component, card = place
    if ("component", component) in game.left_out:
        return True
    has_lost_files = any(kind == "file" for kind, _ in game.left_out)
    return component in game.incomplete and (has_lost_files or ("card", card) in game.left_out)


def _changes(
    old: Game | None,
    new: Game,
    before: Cards,
    after: Cards,
    looks: Mapping[Place, tuple[SideName, ...]],
    uncompared: Collection[Place],
) -> Iterator[CardChange]:
    """Yield the cards that changed, by component in the current order: first the cards that each has, then
    those that it lost."""
    doubtful = set(uncompared)
    removed = {
        place: card for place, card in before.items() if place not in after and place not in doubtful
    }
    added = {place: card for place, card in after.items() if place not in before and place not in doubtful}
    renamed = _renamed(removed, added)
    for component in dict.fromkeys(place[0] for place in (*after, *before)):
        for place, card in after.items():
            if place[0] != component:
                continue
            was = before.get(place)
            if place in added:
                where = new.where(card)
                yield CardChange("new", *place, where, None, card, renamed_from=renamed.get(place))
            elif was is not None:
                fields = tuple(value_changes(plain(was.fields), plain(card.fields)))
                differ = looks.get(place, ())
                if fields or differ or was.copies != card.copies:
                    yield CardChange("changed", *place, new.where(card), was, card, fields, differ)
        for place, card in removed.items():
            if place[0] == component and old is not None:
                yield CardChange("removed", *place, old.where(card), card, None)


def _renamed(removed: Cards, added: Cards) -> dict[Place, str]:
    """Find the new cards that are the same as a removed one but for the id, with that id."""
    by_content: dict[str, list[str]] = {}
    for (component, id), card in removed.items():
        by_content.setdefault(_content(component, card), []).append(id)
    found = {}
    for place, card in added.items():
        if ids := by_content.get(_content(place[0], card)):
            found[place] = ids.pop(0)
    return found


def _content(component: str, card: Card) -> str:
    fields = {name: value for name, value in plain(card.fields).items() if name != "id"}
    return repr((component, fields))


def commit_asked(options: BuildOptions, project: Project) -> str:
    """Return the id of the commit that a build starts from, since a branch name may move on. Raises
    UsageError if there is none, or for a deck list."""
    if options.deck is not None:
        hint = "remove one: a deck list sets its own cards and copies"
        raise UsageError("--deck and --since can't be combined", hint)
    return commit_of(project, options.since or "")


def changed_cards(
    game: Game, project: Project, options: BuildOptions, findings: Findings
) -> dict[Place, Card]:
    """Find the chosen cards that are new or look different, on the printed sides and in the chosen ink,
    each with the copies to print: for a card that looks the same, only its additional copies.

    Problems of the old game become warnings among the findings.
    """
    chosen = {(card.component, card.id): card for card in select(game, options.components, options.cards)}
    found = differences(
        game,
        project,
        options.since or "",
        components=sorted({component for component, _ in chosen}),
        sides=("face", "back") if options.backs else ("face",),
        low_ink=options.low_ink,
        cards_only=True,
    )
    findings.extend(
        replace(each, severity=Severity.WARNING) if each.severity is Severity.ERROR else each
        for each in found.old_findings
    )
    wanted = {place: chosen[place] for place in found.uncompared if place in chosen}
    for change in found.cards:
        card = chosen.get((change.component, change.id))
        if card is None:
            continue
        were = 0 if change.old is None or change.looks else change.old.copies
        if card.copies > were:
            wanted[card.component, card.id] = replace(card, copies=card.copies - were)
    return wanted


_MOST_VALUES = 4
"""Values that a line names."""
_LONGEST = 60
_OF_GAME = (
    *("title", "version", "author", "description", "language", "languages"),
    *("players", "fallback", "fonts", "rules"),
)
_OF_COMPONENT = ("title", "kind", "shape", "corner_radius", "bleed", "safe", "variables")
Key = tuple[str, str]
"""The kind of a setting ("sheet") and its name."""
Settings = dict[Key, Any]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A sheet, a component, a rule, … that is new, removed or changed; `values` are its changed parts."""

    what: str
    name: str
    kind: str
    values: tuple[ValueChange, ...] = ()

    def __str__(self) -> str:
        """Return the change in a line: "sheet poker: layout poker-9 → poker-8"."""
        named = f"{self.what} {self.name}".rstrip()
        if not self.values:
            return f"{named}: {self.kind}"
        values = [value for value in self.values if value.path[:1] != ("text",)]
        parts = [_in_words(change) for change in values[:_MOST_VALUES]]
        more = len(values) - len(parts)
        if lines := len(self.values) - len(values):
            parts.append(f"text differs in {plural(lines, 'line')}")
        return f"{named}: {'; '.join(parts)}{f'; and {more} more' if more > 0 else ''}"

    def plain(self) -> dict[str, Any]:
        """Return the change as plain values."""
        values = [value.plain() for value in self.values]
        return {"what": self.what, "name": self.name, "kind": self.kind, "values": values}


def _in_words(change: ValueChange) -> str:
    name = f"{change.name} " if change.name else ""
    if change.kind == "new":
        return f"{name}{cut(spelled(change.new), _LONGEST)} new"
    if change.kind == "removed":
        return f"{name}{cut(spelled(change.old), _LONGEST)} removed"
    return f"{name}{cut(spelled(change.old), _LONGEST)} → {cut(spelled(change.new), _LONGEST)}"


def setting_changes(
    old: Game, new: Game, components: Iterable[str] = (), *, findings: tuple[Findings, Findings]
) -> list[SettingChange]:
    """Find the changes besides cards, by kind; with `components`, in these components only. Parts that one
    state lacks only because of an error are skipped. `findings` receives problems with files that loading a
    game does not read, of the old and of the new."""
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
    """The settings of one state of a game, and those that errors may hide."""

    def __init__(self, game: Game, findings: Findings) -> None:
        known = len(findings.errors)
        self.settings: Settings = {key: plain(value) for key, value in _settings(game, findings)}
        called = {"table": "data", "list": "sheet"}
        self._lacks = {(called.get(kind, kind), name) for kind, name in game.left_out}
        self._lacks_any: set[str] = set()
        if {kind for kind, _ in self._lacks} & {"component", "sheet"}:  # sheets depend on components
            self._lacks_any |= {"sheet", "sheet layout"}
        if game.left_out:  # these depend on all cards
            self._lacks_any |= {"deck list", "table"}
        if len(findings.errors) > known:
            self._lacks_any |= {"rule", "rules", "table", "sheet layout"}

    def may_have(self, key: Key) -> bool:
        """Return True if a setting may be missing only because of an error."""
        return key in self._lacks or key[0] in self._lacks_any


def _reordered(old: Game, new: Game) -> Iterator[SettingChange]:
    """Find the components whose cards changed order, apart from new and removed ones."""
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
        layouts = load_layouts(game.paths, {sheet.layout for sheet in game.sheets})
    except CardgenError as error:
        findings.extend(error.findings)
        return
    for name in sorted({sheet.layout for sheet in game.sheets} & layouts.keys()):
        yield ("sheet layout", name), asdict(layouts[name])


def _rules(game: Game, findings: Findings) -> Iterator[tuple[Key, Any]]:
    if game.rules is None:
        return
    from cardgen.game.rule_kinds import load_rules_file

    document = load_rules_file(game.paths, game.rules, findings)
    for name, value in document.data.items() if document is not None else ():
        if name in ("rules", "deck_rules"):
            yield from ((("rule", rule["id"]), rule) for rule in value)
        else:
            yield ("rules", name), value


def _checked(game: Game, file: str, schema: str, findings: Findings) -> Any:
    """Read the content of a file of the game; None after findings."""
    from cardgen.game.sources import load_checked

    document = load_checked(game.paths, file, schema, findings)
    return None if document is None else document.data


BROKEN = b"broken"
"""The look of a side that can't be drawn."""


class SideLooks:
    """The looks of sides of one state of a game, with the problems of the examined ones."""

    def __init__(self, game: Game, names: Sequence[SideName], *, low_ink: bool = False) -> None:
        self._findings = Findings()
        self._names = names
        self._looks: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}
        self._renderer: SideRenderer | None = None
        try:
            self._fonts: FontBook = fonts_of(game, self._findings)
        except CardgenError as error:  # no text can be set without fonts
            self._findings.extend(error.findings)
            return
        from cardgen.art.cards import SideRenderer

        results = GameResults(game)
        self._kept, self._sources = results.of("likeness"), results.sources()
        self._renderer = SideRenderer(
            game, game.paths, self._fonts, low_ink=low_ink, needs=results.needs(), sources=self._sources
        )

    def sides(self, card: Card) -> Mapping[SideName, CardSide]:
        """Return a card's existing sides by name."""
        if self._renderer is None:
            return {}
        return {side.side: side for side in self._renderer.sides([card], self._names)}

    def look(self, side: CardSide) -> bytes:
        """Return a digest of a side's content."""
        if not side.made_from or self._renderer is None:
            return BROKEN
        known = self._looks.get(side.made_from)
        if known is None:
            kept = self._kept.get(side.made_from)
            known = self._describe(self._renderer, side) if kept is None else kept
            self._looks[side.made_from] = known
        return known

    def finish(self) -> list[Finding]:
        """Store the results; return the drawing errors of sides, each once."""
        if self._renderer is not None:
            self._renderer.reporter.finish(self._findings)
            self._kept.save()
            self._sources.save()
        return [each for each in self._findings.sorted() if each.severity is Severity.ERROR]

    def _describe(self, renderer: SideRenderer, side: CardSide) -> bytes:
        whole = renderer.ready(side)
        if whole is None:
            return BROKEN
        made = renderer.lay_out(whole)
        renderer.say(side, made)
        if made.artwork is None or not made.can_be_drawn:
            return BROKEN
        seen = (made.artwork.size, made.artwork.bleed, *self._seen(renderer, made.artwork.items))
        found = blake2b(repr(seen).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._kept.put(side.made_from, found)
        return found

    def _seen(self, renderer: SideRenderer, items: Iterable[Item]) -> Iterator[object]:
        """Yield the visible content of items, in paint order."""
        for item in items:
            if isinstance(item, Picture):
                yield item.key
            elif isinstance(item, Group):
                yield item.opacity, list(self._seen(renderer, item.items))
            elif isinstance(item, SetText):
                runs = [self._run(renderer, run) for run in item.runs]
                yield item.matrix, item.opacity, item.stroke, item.bars, runs

    def _run(self, renderer: SideRenderer, run: TextRun | IconRun) -> object:
        if isinstance(run, IconRun):
            key = f"icon {run.icon}"
            if key not in self._files:
                svg = renderer.laying_out.documents([run.icon])[run.icon]
                self._files[key] = blake2b(svg.encode(), digest_size=16).digest()
            return self._files[key], run.x, run.y, run.size, run.fill, run.aspect
        if run.font not in self._files:
            data = self._fonts.by_key(run.font).blob.data
            self._files[run.font] = blake2b(data, digest_size=16).digest()
        words = [(word.advance, [glyph[:3] for glyph in word.glyphs]) for word in run.words]
        place = run.size, run.x, run.y, run.fill, run.gaps, run.opacity, run.turn
        return self._files[run.font], place, words


def sides_that_differ(
    old: SideLooks, new: SideLooks, cards: tuple[Card, Card], *, files_differ: bool
) -> tuple[SideName, ...]:
    """Find the sides of a card whose old and new looks differ. `files_differ` is true if icons, pictures or
    fonts may differ. A side that can't be drawn differs from any other, unless both have the same inputs.
    """
    before, after = old.sides(cards[0]), new.sides(cards[1])
    found = []
    for name in dict.fromkeys((*after, *before)):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            found.append(name)
        elif files_differ or not was.made_from or was.made_from != now.made_from:
            looks = old.look(was), new.look(now)
            if looks[0] != looks[1] or (looks[0] == BROKEN and was.made_from != now.made_from):
                found.append(name)
    return tuple(found)


def other_files_differ(old: Game, new: Game) -> bool:
    """Return True if files that sides may use differ: all below templates/ and fonts/ but the cards'
    templates, whose rendered SVG is compared."""
    cards = (*old.cards(), *new.cards())
    templates = {f"templates/{name}" for card in cards for name in (card.face, card.back)}
    before, after = (_files_of(game, templates) for game in (old, new))
    return before.keys() != after.keys() or any(
        _file_content(path, old) != _file_content(after[name], new) for name, path in before.items()
    )


def _files_of(game: Game, but: set[str]) -> Mapping[str, str]:
    """Find the paths of a project's own files, by their names in it."""
    root = os.path.realpath(game.paths.roots[0])
    found = {}
    for folder in DRAWN_FROM:
        for path, _, _ in walk(os.path.join(root, folder), folder, game.paths.roots).files:
            name = os.path.relpath(path, root).replace(os.sep, "/")
            if name not in but:
                found[name] = path
    return found


def _file_content(path: str, game: Game) -> bytes | str:
    try:
        return read_file(path, PICTURE, path, game.paths.roots)
    except ReadingError as error:
        return error.code


def difference_lines(found: Differences) -> Iterator[str]:
    """Yield differences in printable lines."""
    yield from map(shown, _lines(found))


def card_lines(change: CardChange) -> Iterator[str]:
    """Yield the changed data of a card, whose looks aren't compared, in printable lines."""
    heading = change.heading if change.kind == "new" else change.kind
    yield from map(shown, _card(change, heading))


def _lines(found: Differences) -> Iterator[str]:
    named = found.revision.name
    since = named if found.revision.commit.startswith(named) else f"{named} ({found.revision.short})"
    if found.old is None:
        yield f"{found.game.title} did not exist at {since}: all of it is new"
    for change in found.cards:
        yield from _card(change, change.heading)
        for version, counts in found.tallies(change).items():
            yield f"  playtests of {version}: " + ", ".join(f"{what} {n}" for what, n in counts.items())
    if found.settings:
        yield "besides cards:"
        yield from (f"  {change}" for change in found.settings)
    for component, card in found.uncompared:
        yield f"{component}/{card} can't be compared: it has errors in one of the two"
    parts = card_counts([change.kind for change in found.cards])
    if found.settings:
        parts.append(f"{plural(len(found.settings), 'other thing')} changed")
    yield f"{', '.join(parts) or 'nothing changed'} since {since}"


def _card(change: CardChange, heading: str) -> Iterator[str]:
    where = change.location
    place = f"{where.file}:{where.cell if '!' in where.cell else where.line}"
    name = f"{change.component}/{change.id}"
    if change.kind == "removed":
        yield f"{name} {change.heading}; it was at {place}"
    else:
        yield f"{place}: {name} {heading}"
        yield from field_lines(change.values)
