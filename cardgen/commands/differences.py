"""What changed in a game since a git revision: cards and their looks, and what else a game consists of.

Both states are loaded, rendered and described by the same code, so that nothing differs but what was
changed. Where one of them is in error, what can be compared is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from cardgen.commands.choices import chosen_components
from cardgen.commands.garbage import collector_paused
from cardgen.commands.likeness import Likeness, other_files_differ, sides_that_differ
from cardgen.commands.production import load
from cardgen.commands.revisions import HEAD, Revision, at_revision
from cardgen.commands.settings import SettingChange, setting_changes
from cardgen.commands.stamping import Progress
from cardgen.commands.value_changes import ValueChange, plain, value_changes
from cardgen.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.model.game import Card, Game
from cardgen.project import Project

if TYPE_CHECKING:
    from cardgen.rendering.cards import SideName

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
