"""What changed in a game since a git revision: cards and their looks, and what else a game consists of.

Both states are loaded, rendered and described by the same code, so that nothing differs but what was
changed. Where one of them is in error, what can be compared is.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from cardgen.commands.compare.values import (
    SettingChange,
    ValueChange,
    plain,
    setting_changes,
    spelled,
    value_changes,
    word_changes,
)
from cardgen.commands.production.choices import BuildOptions, chosen_components, select
from cardgen.commands.production.fonts import fonts_of
from cardgen.commands.production.git import HEAD, Revision, at_revision, commit_of
from cardgen.commands.production.results import GameResults
from cardgen.commands.production.stages import load
from cardgen.commands.production.stamping import Progress, collector_paused
from cardgen.core.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.game import Card, Game
from cardgen.core.terminal import shown
from cardgen.files.listing import walk
from cardgen.files.project import DRAWN_FROM, Project
from cardgen.files.reading import PICTURE, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide, SideName
    from cardgen.core.artwork import Artwork
    from cardgen.text.fonts import FontBook


VERSION = 1
"""Of the JSON that `Differences.plain` gives."""
Place = tuple[str, str]
"""A component and a card of it."""


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card that is new, removed or changed: which fields differ, and which sides look different.
    `renamed_from` is a removed card that was the same but for its id; `copies` and `numbers` are those
    before and now, None for a card that is not there."""

    kind: Literal["new", "removed", "changed"]
    component: str
    id: str
    location: Location
    """Where it stands now; where it stood, of a removed one."""
    old: Card | None
    new: Card | None
    fields: tuple[ValueChange, ...] = ()
    looks: tuple[SideName, ...] = ()
    renamed_from: str | None = None

    @property
    def copies(self) -> tuple[int | None, int | None]:
        return (self.old.copies if self.old else None, self.new.copies if self.new else None)

    @property
    def numbers(self) -> tuple[int | None, int | None]:
        return (self.old.number if self.old else None, self.new.number if self.new else None)

    def plain(self) -> dict[str, Any]:
        """It as plain values."""
        (were, are), (was, now) = self.copies, self.numbers
        return {
            "component": self.component,
            "card": self.id,
            "kind": self.kind,
            "file": self.location.file,
            "line": self.location.line,
            "fields": [field.plain() for field in self.fields],
            "looks_different": list(self.looks),
            "copies": {"old": were, "new": are},
            "number": {"old": was, "new": now},
            "renamed_from": self.renamed_from,
        }


@dataclass(frozen=True, slots=True)
class Differences:
    """What changed in a game since a revision. `old` is the game as it was, None if it was not there.
    `uncompared` are cards that one of the two states lacks being in error; `findings` say what is wrong
    with the game as it is, `old_findings` what with it as it was."""

    game: Game
    old: Game | None
    revision: Revision
    cards: tuple[CardChange, ...]
    settings: tuple[SettingChange, ...]
    uncompared: tuple[Place, ...]
    findings: tuple[Finding, ...]
    old_findings: tuple[Finding, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing changed, as far as everything could be compared."""
        return not (self.cards or self.settings or self.uncompared)

    def of(self, kind: str) -> list[CardChange]:
        """The cards that are new, removed or changed."""
        return [change for change in self.cards if change.kind == kind]

    def plain(self) -> dict[str, Any]:
        """It as plain values, for scripts; keys are added to it and never change their meaning."""
        return {
            "version": VERSION,
            "game": self.game.id,
            "language": self.game.language,
            "since": {"revision": self.revision.name, "commit": self.revision.commit},
            "counts": {kind: len(self.of(kind)) for kind in ("new", "removed", "changed")},
            "cards": [change.plain() for change in self.cards],
            "settings": [change.plain() for change in self.settings],
            "uncompared": [{"component": component, "card": card} for component, card in self.uncompared],
        }


@collector_paused()
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
    """What changed in a game, which may be loaded in part, since a revision of its project's repository; in
    these components (none meaning all) and on these sides. What else a game consists of is compared
    unless it is `cards_only`.

    Raises UsageError for unknown components, and as `at_revision` does; CardgenError if nothing of the game
    as it was could be loaded.
    """
    revision = since if isinstance(since, Revision) else at_revision(project, since)
    old, old_findings = _as_it_was(game, revision)
    findings = [finding for finding in game.remarks if finding.severity is Severity.ERROR]
    if components:
        known = {component.id for component in old.components} if old is not None else set()
        chosen_components(game, [name for name in components if name not in known])
    before, after = _cards(old, components), _cards(game, components)
    both = [place for place in after if place in before]
    uncompared = _in_doubt(old, game, before, after)
    looks: Mapping[Place, tuple[SideName, ...]] = {}
    if old is not None and both:
        looks, was_wrong, is_wrong = _compared(old, game, both, (before, after), sides, low_ink, progress)
        old_findings += _at(revision, was_wrong)
        findings += is_wrong
    settings: list[SettingChange] = []
    if old is not None and not cards_only:
        said = Findings(), Findings()
        settings = setting_changes(old, game, components, findings=said)
        old_findings += _at(revision, said[0].errors)
        findings += said[1].errors
    changes = list(_changes(old, game, before, after, looks, set(uncompared)))
    return Differences(
        game,
        old,
        revision,
        tuple(changes),
        tuple(settings),
        tuple(uncompared),
        tuple(dict.fromkeys(findings)),
        tuple(dict.fromkeys(old_findings)),
    )


def _as_it_was(game: Game, revision: Revision) -> tuple[Game | None, list[Finding]]:
    """A game at a revision, loaded as it is now, and what is wrong with it; None if it was not there."""
    findings = list(revision.findings)
    language = None if game.words is None else game.words.language
    try:
        while True:
            try:
                found = load(
                    game.id,
                    project=revision.project,
                    players=game.player_count,
                    language=language,
                    partial=True,
                )
                break
            except UsageError as error:
                [said] = error.findings
                if said.code == "usage/game":
                    return None, findings
                if said.code != "usage/language" or language is None:
                    raise
                findings += _at(revision, [replace(said, severity=Severity.NOTE)])
                language = None
    except UsageError as error:
        raise CardgenError(*_at(revision, error.findings)) from None
    except CardgenError as error:
        raise CardgenError(*_at(revision, error.findings)) from None
    findings += _at(revision, (each for each in found.remarks if each.severity is Severity.ERROR))
    return replace(found, image_dpi=game.image_dpi), findings


def _at(revision: Revision, findings: Iterable[Finding]) -> list[Finding]:
    """Findings about a state that was, which say so."""
    return [replace(each, message=f"at {revision.short}: {each.message}") for each in findings]


def _cards(game: Game | None, components: Collection[str]) -> dict[Place, Card]:
    if game is None:
        return {}
    wanted = (card for card in game.cards() if not components or card.component in components)
    return {(card.component, card.id): card for card in wanted}


def _in_doubt(
    old: Game | None, new: Game, before: Mapping[Place, Card], after: Mapping[Place, Card]
) -> list[Place]:
    """Cards that one state has and the other may lack only because it is in error."""
    doubtful = [
        place for place in after if place not in before and old is not None and _may_have(old, place)
    ]
    doubtful += [place for place in before if place not in after and _may_have(new, place)]
    return doubtful


def _may_have(game: Game, place: Place) -> bool:
    """Whether a game may have a card that is left out of it."""
    component, card = place
    if ("component", component) in game.left_out:
        return True
    has_lost_files = any(kind == "file" for kind, _ in game.left_out)
    return component in game.incomplete and (has_lost_files or ("card", card) in game.left_out)


def _compared(
    old: Game,
    new: Game,
    places: Sequence[Place],
    cards: tuple[Mapping[Place, Card], Mapping[Place, Card]],
    sides: Sequence[SideName],
    low_ink: bool,
    progress: Progress,
) -> tuple[dict[Place, tuple[SideName, ...]], list[Finding], list[Finding]]:
    """The sides that look different of cards that are in both states, and what is wrong with those that
    were looked at, then and now."""
    was, now = (Likeness(game, sides, low_ink=low_ink) for game in (old, new))
    files_differ = other_files_differ(old, new)
    looks: dict[Place, tuple[SideName, ...]] = {}
    for number, place in enumerate(places):
        progress("comparing", number, len(places))
        both = cards[0][place], cards[1][place]
        if differ := sides_that_differ(was, now, both, files_differ=files_differ):
            looks[place] = differ
    return looks, was.finish(), now.finish()


def card_changes(old: Game | None, new: Game) -> list[CardChange]:
    """The cards whose data differ in two states of a game, either of which may be loaded in part; how they
    look is not compared, nor are cards that one of the two may lack for being in error."""
    before, after = _cards(old, ()), _cards(new, ())
    return list(_changes(old, new, before, after, {}, _in_doubt(old, new, before, after)))


def _changes(
    old: Game | None,
    new: Game,
    before: Mapping[Place, Card],
    after: Mapping[Place, Card],
    looks: Mapping[Place, tuple[SideName, ...]],
    uncompared: Collection[Place],
) -> Iterator[CardChange]:
    """The cards that changed: component by component as the game has them now, in each first the cards that
    it has, then those that it has no more."""
    removed = {
        place: card for place, card in before.items() if place not in after and place not in uncompared
    }
    added = {
        place: card for place, card in after.items() if place not in before and place not in uncompared
    }
    renamed = _renamed(removed, added)
    for component in dict.fromkeys(place[0] for place in (*after, *before)):
        for place, card in after.items():
            if place[0] != component or place in uncompared:
                continue
            was = before.get(place)
            if was is None:
                yield CardChange(
                    "new", *place, new.where(card), None, card, renamed_from=renamed.get(place)
                )
                continue
            fields = tuple(value_changes(plain(was.fields), plain(card.fields)))
            change = CardChange("changed", *place, _NOWHERE, was, card, fields, looks.get(place, ()))
            if fields or change.looks or was.copies != card.copies:
                yield replace(change, location=new.where(card))
        for place, card in removed.items():
            if place[0] == component and old is not None:
                yield CardChange("removed", *place, old.where(card), card, None)


_NOWHERE = Location("")


def _renamed(removed: Mapping[Place, Card], added: Mapping[Place, Card]) -> dict[Place, str]:
    """The new cards that are the same as a removed one but for the id, with that id."""
    by_fields: dict[str, list[str]] = {}
    for (component, id), card in removed.items():
        by_fields.setdefault(_but_for_id(component, card), []).append(id)
    found = {}
    for place, card in added.items():
        ids = by_fields.get(_but_for_id(place[0], card))
        if ids:
            found[place] = ids.pop(0)
    return found


def _but_for_id(component: str, card: Card) -> str:
    fields = plain(card.fields)
    fields.pop("id", None)
    return repr((component, fields))


BROKEN = b"broken"
"""The look of a side that can't be drawn."""


class Likeness:
    """The sides of one state of a game, for comparing, and what is wrong with those that were looked at."""

    def __init__(self, game: Game, names: Sequence[SideName], *, low_ink: bool = False) -> None:
        self._findings = Findings()
        self._names = names
        self._looks: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}
        self._renderer: SideRenderer | None = None
        try:
            self._fonts: FontBook = fonts_of(game, self._findings)
        except CardgenError as error:  # nothing can be set without fonts
            self._findings.extend(error.findings)
            return
        from cardgen.art.cards import SideRenderer

        results = GameResults(game)
        self._kept, self._sources = results.of("likeness"), results.sources()
        self._renderer = SideRenderer(
            game, game.paths, self._fonts, low_ink=low_ink, needs=results.needs(), sources=self._sources
        )

    def sides(self, card: Card) -> Mapping[SideName, CardSide]:
        """A card's sides by name; one that it has not is not there."""
        if self._renderer is None:
            return {}
        return {side.side: side for side in self._renderer.sides([card], self._names)}

    def look(self, side: CardSide) -> bytes:
        """A digest of what lies on a side."""
        if not side.made_from or self._renderer is None:
            return BROKEN
        if (known := self._looks.get(side.made_from)) is not None:
            return known
        if (kept := self._kept.get(side.made_from)) is not None:
            self._looks[side.made_from] = kept
            return self._looks[side.made_from]
        found = BROKEN
        whole = self._renderer.ready(side)
        if whole is not None:
            made = self._renderer.lay_out(whole)
            self._renderer.say(side, made)
            if made.artwork is not None and made.can_be_drawn:
                found = self._described(made.artwork)
                self._kept.put(side.made_from, found)
        self._looks[side.made_from] = found
        return found

    def finish(self) -> list[Finding]:
        """What makes sides impossible to draw, each thing once. Keeps what was found out."""
        if self._renderer is not None:
            self._renderer.finish(self._findings)
            self._kept.save()
            self._sources.save()
        return [each for each in self._findings.sorted() if each.severity is Severity.ERROR]

    def _described(self, artwork: Artwork) -> bytes:
        state = blake2b(digest_size=16)
        state.update(repr((artwork.size, artwork.bleed)).encode())
        for part in self._parts(artwork.items):
            state.update(part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass"))
            state.update(b"\0")
        return state.digest()

    def _parts(self, items: Iterable[Item]) -> Iterator[Any]:
        """All that can be seen of items, in paint order."""
        for item in items:
            if isinstance(item, Picture):
                yield item.key
            elif isinstance(item, Group):
                yield "group", item.opacity
                yield from self._parts(item.items)
                yield "end"
            elif isinstance(item, SetText):
                yield item.matrix, item.opacity, item.stroke, item.bars
                for run in item.runs:
                    yield from self._run(run)

    def _run(self, run: TextRun | IconRun) -> Iterator[Any]:
        if isinstance(run, IconRun):
            assert self._renderer is not None
            key = f"icon {run.icon}"
            if key not in self._files:
                svg = self._renderer.documents([run.icon])[run.icon]
                self._files[key] = blake2b(svg.encode(), digest_size=16).digest()
            yield self._files[key]
            yield run.x, run.y, run.size, run.fill, run.aspect
            return
        if run.font not in self._files:
            self._files[run.font] = blake2b(self._fonts.by_key(run.font).blob.data, digest_size=16).digest()
        yield self._files[run.font]
        yield run.size, run.x, run.y, run.fill, run.gaps, run.opacity, run.turn
        for word in run.words:
            yield word.advance, [glyph[:3] for glyph in word.glyphs]


def sides_that_differ(
    old: Likeness, new: Likeness, cards: tuple[Card, Card], *, files_differ: bool
) -> tuple[SideName, ...]:
    """The sides of a card, as it was and as it is, that look different. `files_differ` says that icons,
    pictures or fonts may. A side that can't be drawn looks like no other, unless both were made from the
    same."""
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
    """Whether files that sides may show or are set in differ: all below templates/ and fonts/ but the
    templates of the cards, whose SVG is compared as they rendered it."""
    templates = {
        f"templates/{name}"
        for game in (old, new)
        for card in game.cards()
        for name in (card.face, card.back)
    }
    files = [_files_of(game, templates) for game in (old, new)]
    if {name: size for name, (_, size) in files[0].items()} != {
        name: size for name, (_, size) in files[1].items()
    }:
        return True
    return any(
        _content(path, old) != _content(files[1][name][0], new) for name, (path, _) in files[0].items()
    )


def _files_of(game: Game, but: set[str]) -> Mapping[str, tuple[str, int]]:
    """Paths and sizes of a project's own files, by their names in it."""
    root = os.path.realpath(game.paths.roots[0])
    found = {}
    for folder in DRAWN_FROM:
        for path, size, _ in walk(os.path.join(root, folder), folder, game.paths.roots).files:
            name = os.path.relpath(path, root).replace(os.sep, "/")
            if name not in but:
                found[name] = path, size
    return found


def _content(path: str, game: Game) -> bytes | str:
    try:
        return read_file(path, PICTURE, path, game.paths.roots)
    except ReadingError as error:
        return error.code


def commit_asked(options: BuildOptions, project: Project) -> str:
    """The id of the commit that a build was asked to begin from: what a name stands for may move on.
    UsageError if there is none, or for a deck list."""
    if options.deck is not None:
        hint = "leave one out: a deck list says itself which cards, and how many"
        raise UsageError("--deck and --changed-since do not go together", hint)
    return commit_of(project, options.changed_since or "")


def changed_cards(
    game: Game, project: Project, options: BuildOptions, findings: Findings
) -> dict[tuple[str, str], Card]:
    """The chosen cards that are new or look different, on the sides and in the ink that are printed, each
    with the copies to print: of one that looks the same, those that are more than they were.

    What was wrong with the game as it was are warnings among the findings.
    """
    chosen = {(card.component, card.id): card for card in select(game, options.components, options.cards)}
    sides: tuple[SideName, ...] = ("face", "back") if options.backs else ("face",)
    found = differences(
        game,
        project,
        options.changed_since or "",
        components=sorted({component for component, _ in chosen}),
        sides=sides,
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


_LONG = 40
"""Characters from which on a text is shown by the words that differ."""
_AROUND = 24
"""Characters that are shown beside them."""
_LONGEST = 200
_MOST_FIELDS = 50


def difference_lines(found: Differences) -> Iterator[str]:
    """Differences in lines, each fit to be printed."""
    yield from map(shown, _lines(found))


def _lines(found: Differences) -> Iterator[str]:
    named = found.revision.name
    since = named if found.revision.commit.startswith(named) else f"{named} ({found.revision.short})"
    if found.old is None:
        yield f"{found.game.title} was not there at {since}: all of it is new"
    for change in found.cards:
        yield from _card(change)
    if found.settings:
        yield "besides cards:"
        yield from (f"  {change}" for change in found.settings)
    for component, card in found.uncompared:
        yield f"{component}/{card} could not be compared: it is in error in one of the two"
    yield f"{in_short(found)} since {since}"


def in_short(found: Differences) -> str:
    """How many cards are new, removed and changed, in words."""
    counts = [(len(found.of(kind)), kind) for kind in ("changed", "new", "removed")]
    parts = [f"{_card_count(number)} {kind}" for number, kind in counts if number]
    if found.settings:
        number = len(found.settings)
        parts.append(f"{number} other thing{'s' if number > 1 else ''} changed")
    return ", ".join(parts) or "nothing changed"


def _card_count(number: int) -> str:
    return f"{number} card{'s' if number > 1 else ''}"


def heading(change: CardChange) -> str:
    """What happened to a card: "changed, looks different: face"."""
    words: str = change.kind
    if change.kind == "changed":
        looks = " and ".join(change.looks)
        return f"{words}, looks different: {looks}" if looks else f"{words}, looks the same"
    card = change.new or change.old
    if card is not None and card.copies != 1:
        words += f", {card.copies} copies"
    if change.renamed_from is not None:
        words += f", likely renamed from '{change.renamed_from}'"
    return words


def values_of(change: CardChange) -> list[ValueChange]:
    """The fields of a card that differ, its copies and its number among them."""
    values = list(change.fields)
    named = {value.path[:1] for value in values}
    if change.kind == "changed":
        for name, (old, new) in (("copies", change.copies), ("number", change.numbers)):
            if old != new and (name,) not in named:
                values.append(ValueChange((name,), old, new))
    return values


def card_lines(change: CardChange) -> Iterator[str]:
    """What changed in the data of a card, whose looks nobody compared, in lines fit to be printed."""
    yield from map(shown, _card(change, looked=False))


def _card(change: CardChange, *, looked: bool = True) -> Iterator[str]:
    where = change.location
    place = f"{where.file}:{where.cell if '!' in where.cell else where.line}"
    name = f"{change.component}/{change.id}"
    if change.kind == "removed":
        yield f"{name} {heading(change)}; it stood at {place}"
        return
    yield f"{place}: {name} {heading(change) if looked or change.kind == 'new' else change.kind}"
    values = values_of(change)
    for value in values[:_MOST_FIELDS]:
        yield f"  {value.name}: {value_line(value)}"
    if len(values) > _MOST_FIELDS:
        yield f"  and {len(values) - _MOST_FIELDS} more fields"


def value_line(change: ValueChange) -> str:
    """What became of a value: "3 → 4"."""
    old, new = change.old, change.new
    if change.kind == "changed" and isinstance(old, str) and isinstance(new, str):
        return _text(old, new)
    if change.kind == "new":
        return f"new, {_cut(spelled(new))}"
    if change.kind == "removed":
        return f"removed, was {_cut(spelled(old))}"
    return f"{_cut(spelled(old))} → {_cut(spelled(new))}"


def _text(old: str, new: str) -> str:
    """Short texts as a whole, long ones by the words that differ, in brackets."""
    if max(len(old), len(new)) <= _LONG:
        return f"{spelled(old)} → {spelled(new)}"
    pieces = list(word_changes(old, new))
    text = ""
    for number, (was, now) in enumerate(pieces):
        if was == now:
            text += _between(was, number == 0, number == len(pieces) - 1)
        elif was.strip() and now.strip():
            text += f"[{_cut(was)} → {_cut(now)}]"
        else:
            text += f"[-{_cut(was)}-]" if was else f"[+{_cut(now)}+]"
    return text


def _between(words: str, first: bool, last: bool) -> str:
    """What did not change, as far as it stands beside what did."""
    if first:
        return words if len(words) <= _AROUND else f"…{words[-_AROUND:]}"
    if last:
        return words if len(words) <= _AROUND else f"{words[:_AROUND]}…"
    return words if len(words) <= 2 * _AROUND else f"{words[:_AROUND]}…{words[-_AROUND:]}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
