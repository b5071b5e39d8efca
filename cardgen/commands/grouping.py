"""What templates rendered and what groups of texts need, kept from build to build; what `check` tells of
groups."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.findings import Findings
from cardgen.model.game import Game
from cardgen.project import DRAWN_FROM, Project
from cardgen.storage.cache import Cache
from cardgen.storage.kept import Kept
from cardgen.storage.stamps import RACY_NS, digest, newest, stat_files
from cardgen.units import MM_PER_PT

if TYPE_CHECKING:
    from cardgen.commands.kept_books import BookStore
    from cardgen.rendering.groups import Groups, NeedStore
    from cardgen.rendering.kept_sources import SourceStore

_MOST_SAID = 50
"""Groups that a check tells of."""


def kept_needs(game: Game) -> NeedStore:
    """What the texts of groups in a game need, as far as the user's cache has it. To be asked for before
    anything is rendered: where a font or an icon has changed, come or gone since, nothing is kept."""
    from cardgen.rendering.groups import NeedStore

    return NeedStore(Cache("groups"), _name(game), _made_with(game))


def kept_sources(game: Game) -> SourceStore:
    """What the templates of a game rendered, in the same way: templates and fonts are what that was made
    with, besides what a card's data say."""
    from cardgen.rendering.kept_sources import SourceStore

    return SourceStore(Kept(Cache("sources"), _name(game), _made_with(game)))


def kept_looks(game: Game, press: str = "") -> Kept:
    """What was said of the looks of a game's sides, in the same way; with a `press`, what tells it from
    others, of its colours as well."""
    return Kept(Cache("looks"), _name(game) + (press and f"\0{press}"), _made_with(game))


def kept_likeness(game: Game) -> Kept:
    """Digests of what lies on a game's sides, in the same way."""
    return Kept(Cache("likeness"), _name(game), _made_with(game))


def kept_snaps(game: Game) -> Kept:
    """The snap points of a game's sides, by their SVG."""
    return Kept(Cache("snaps"), _name(game), lambda: "")


def kept_places(game: Game) -> Kept:
    """Where on a game's sides things lie that books point at, in the same way as `kept_sources`."""
    return Kept(Cache("places"), _name(game), _made_with(game))


def kept_books(game: Game) -> BookStore:
    """The rulebooks of a game, in the same way."""
    from cardgen.commands.kept_books import BookStore

    return BookStore(Kept(Cache("books"), _name(game), _made_with(game)))


def _name(game: Game) -> str:
    """The name of a game's entry in its language: what is kept of others makes nothing in it older."""
    return f"{game.paths.roots[0].resolve()}\0{game.id}\0{game.language}"


def _made_with(game: Game) -> Callable[[], str | None]:
    """A digest of the templates and fonts that a game may use; None where one of them may have changed
    since this was asked for."""
    began = time.time_ns()
    roots = {place for root in game.paths.roots for place in (root, Path(os.path.realpath(root)))}

    @cache  # for each component
    def made_with() -> str | None:
        inputs = Project(game.paths.roots[0], game.paths).fingerprint(game.id, DRAWN_FROM)
        folders = {
            folder
            for file in {os.path.dirname(name) for name, _, _ in inputs}
            for folder in _up(file, roots)
        }
        changed = newest([*inputs, *stat_files(folders)])
        return None if changed + RACY_NS >= began else digest(inputs)

    return made_with


def _up(folder: str, roots: Collection[Path]) -> Iterator[Path]:
    """A folder and those that it lies in, up to the one that is read."""
    for path in (Path(folder), *Path(folder).parents):
        yield path
        if path.name in DRAWN_FROM and (path.name != "art" or path.parent in roots):
            return


def say_sizes(
    game: Game, groups: Mapping[str, Groups], findings: Findings, *, besides: Mapping[str, Groups] | None
) -> None:
    """Add a note for each group of texts: its size, and the card that sets it. With those of the variant in
    full ink, `besides`, only of groups that have another size in low ink."""
    variant = " in low ink" if besides is not None else ""
    if game.words is not None:
        variant += f" in the language '{game.language}'"
    said = 0
    for id, of_component in groups.items():
        cards = {card.id: card for card in game.component(id).cards}
        known = besides[id].sizes if besides is not None and id in besides else {}
        for name, group in sorted(of_component.sizes.items()):
            if known.get(name) == group:
                continue
            said += 1
            if said > _MOST_SAID:
                return
            why = f"as card '{group.card}' needs" if group.shrunk else "at which all of them fit"
            message = f"the texts '{name}' are set in {group.size / MM_PER_PT:.2f} pt{variant}, {why}"
            findings.note("text/group", message, game.where(cards[group.card]))
