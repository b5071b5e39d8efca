"""What tables on screens are told besides looks: where everything lies, snap points, names and notes.

Joins loading and rendering for exporters, and for `check`, which says the same about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cardgen.findings import Findings, Location, did_you_mean
from cardgen.model.game import Card, Component, Game
from cardgen.model.table import CardWords, SnapRef, Table

if TYPE_CHECKING:
    from cardgen.exporting.job import Tabletop, Words
    from cardgen.rendering.kept_sources import SourceStore
    from cardgen.rendering.phrases import Phrases
    from cardgen.rendering.snaps import SideName, Snaps


def tabletop_of(
    game: Game, components: Iterable[Component], findings: Findings, *, snaps: Snaps | None = None
) -> Tabletop:
    """The table of a game with the words of the cards of `components`. Problems go to `findings`. `snaps`
    are the snap points of all of the game's cards, where they were looked for without a finding."""
    from cardgen.exporting.job import Tabletop
    from cardgen.model.seating import made_up_table
    from cardgen.rendering.phrases import Phrases

    table = game.table
    if table is None:
        table = made_up_table(game)
        _say_what_is_made_up(game, table, findings)
    before = len(findings.errors)
    if snaps is None:
        snaps = snaps_of(game, game.cards(), findings)
    if len(findings.errors) == before:  # a wrong snap point is not a missing one as well
        check_snap_references(game, table, snaps, findings)
    phrases = Phrases(game, table.file or f"data/{game.id}/table.yaml", findings)
    words = {
        (card.component, card.id): _words(table, phrases, component, card)
        for component in components
        for card in component.cards
    }
    setup = phrases.of_game(table.setup, ("setup",)).strip()
    return Tabletop(table, snaps, words, setup)


def _say_what_is_made_up(game: Game, table: Table, findings: Findings) -> None:
    hint = f"say where things lie in data/{game.id}/table.yaml"
    message = "the game does not say how it lies on a table, so its pieces are laid out in rows"
    place = Location(f"data/{game.id}/game.yaml")
    findings.note("table/made-up", message, place, hint)
    shown = {id for item in table.items for id, _ in item.parts}
    missing = [each.id for each in game.components if each.id not in shown and each.box is None]
    if missing:
        message = f"the table has no room for {', '.join(missing)}"
        findings.warning("table/unused", message, place, hint)


def snaps_of(
    game: Game, cards: Iterable[Card], findings: Findings, sources: SourceStore | None = None
) -> Snaps:
    """The snap points of cards; see `cardgen.rendering.snaps`."""
    from cardgen.commands.fonts import fonts_of
    from cardgen.commands.grouping import kept_snaps
    from cardgen.rendering.snaps import find_snaps

    fonts, kept = fonts_of(game, findings), kept_snaps(game)
    found = find_snaps(game, cards, game.paths, fonts, findings=findings, sources=sources, kept=kept)
    kept.save()
    return found


def check_snap_references(game: Game, table: Table, snaps: Snaps, findings: Findings) -> None:
    """Report things that lie on snap points that their piece does not have on the side that is seen."""
    sides = {
        (item.component, item.cards[0][0]): item.face_up for item in table.items if item.kind == "piece"
    }
    said: set[tuple[str | int, ...]] = set()
    for item in table.items:
        if not isinstance(item.at, SnapRef) or item.path in said or table.file is None:
            continue
        ref = item.at
        side: SideName = "face" if sides.get((ref.component, ref.card), True) else "back"
        names = [snap.name for snap in snaps.get((ref.component, ref.card, side), ())]
        if ref.snap in names:
            continue
        said.add(item.path)
        hint = did_you_mean(ref.snap, names) or f"it has: {', '.join(names)}"
        if not names:
            hint = 'mark one in its template: cg:snap="NAME"'
        place = game.locator.locate(table.file, (*item.path, "on", "snap"))
        message = f"{ref.component}/{ref.card} has no snap point '{ref.snap}'"
        findings.error("reference/snap", message, place, hint)


def _words(table: Table, phrases: Phrases, component: Component, card: Card) -> Words:
    from cardgen.exporting.job import Words

    words: CardWords = table.words_for(component.id)

    def fill(text: str, *key: str | int) -> str:
        return phrases.of_card(text, (*words.path, *key), component, card, card.copies).strip()

    usual = card.fields.get("name") or card.fields.get("title") or card.id
    nickname = str(usual) if words.nickname is None else fill(words.nickname, "nickname")
    description = "" if words.description is None else fill(words.description, "description")
    tags = (
        [component.title]
        if words.tags is None
        else [fill(tag, "tags", index) for index, tag in enumerate(words.tags)]
    )
    notes = f"{component.id}/{card.id}" if words.gm_notes is None else fill(words.gm_notes, "gm_notes")
    sides = tuple(fill(side, "sides", index) for index, side in enumerate(words.sides or ()))
    tagged = tuple(dict.fromkeys(tag for tag in tags if tag))
    return Words(nickname, description, tagged, notes, sides if all(sides) else ())
