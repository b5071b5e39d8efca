"""`cardgen build --changed-since`: which cards to print again, and how many of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.commands.choices import BuildOptions, select
from cardgen.commands.differences import differences
from cardgen.commands.revisions import commit_of
from cardgen.findings import Findings, Severity, UsageError
from cardgen.model.game import Card, Game
from cardgen.project import Project

if TYPE_CHECKING:
    from cardgen.rendering.cards import SideName


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
