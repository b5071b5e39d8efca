"""Cards on atlases: pictures of up to 10 × 7 cells, each a card's side, cut apart by the game.

A component's cards of one size go onto as few atlases as hold them, evenly. An atlas has as many cells as
it needs, of whole pixels, all of it under the largest texture. The back stands for a card that is hidden
(`BackIsHidden`), so the last cell may be a card like any other; cards without a back get a plain one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cardgen.exporting.cells import Grid, filled, parts, plan_grid, spread
from cardgen.exporting.encoding import Encoding, encoding_of
from cardgen.exporting.job import ExportJob, Piece, PlannedFile, digest_of, hashed
from cardgen.exporting.pixels import raster_version
from cardgen.exporting.sharpness import cells_a_picture
from cardgen.exporting.tts.side_images import blank_side, single_picture
from cardgen.geometry import Size
from cardgen.model.game import Component

CARDS_A_KEY = 100
"""A card's id is its atlas's key times this, plus its cell."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """Cards of one size on one picture. `key` tells atlases of a game apart; `face` and `back` are
    the names of files, `back` a picture of one card unless it is `unique_back`."""

    key: int
    component: Component
    trim: Size
    pieces: tuple[Piece, ...]
    grid: Grid
    face: PlannedFile
    back: PlannedFile
    unique_back: bool

    def card_id(self, card: str) -> int:
        """The id of a card on this atlas. StopIteration for another."""
        slot = next(i for i, piece in enumerate(self.pieces) if piece.card.id == card)
        return self.key * CARDS_A_KEY + slot


def keys_of(components: Sequence[Component], most: Callable[[Size], int]) -> dict[str, int]:
    """The key of the first atlas of each component, by id. The same whatever part of a game is
    exported, so that decks of several exports may lie on one table."""
    keys: dict[str, int] = {}
    key = 1
    for component in components:
        keys[component.id] = key
        sizes = Counter(card.trim for card in component.cards)
        key += sum(len(spread(count, most(trim))) for trim, count in sizes.items())
    return keys


def plan_atlases(job: ExportJob, component: Component, key: int) -> list[Atlas]:
    """The atlases of a component, `key` and up, with the pictures that they are."""
    return [
        _atlas(job, component, number, trim, pieces)
        for number, (trim, pieces) in enumerate(parts(job.needed(component), cells_a_picture(job)), key)
    ]


def _atlas(job: ExportJob, component: Component, key: int, trim: Size, pieces: tuple[Piece, ...]) -> Atlas:
    dpi, texture = job.whole_number("dpi"), job.whole_number("max-texture")
    grid = plan_grid(len(pieces), trim, dpi, texture)
    encoding = encoding_of(job)
    backs = [piece.back for piece in pieces]
    unique = len(set(backs)) > 1
    face = _picture(job, component, grid, [piece.face for piece in pieces], "", encoding)
    if unique:
        back = _picture(job, component, grid, backs, "-backs", encoding)
    elif backs[0] is None:
        back = blank_side(f"images/{component.id}-plain", trim, encoding)
    else:
        back = single_picture(job, f"images/{component.id}-back", backs[0], trim, encoding)
    return Atlas(key, component, trim, pieces, grid, face, back, unique)


def _picture(
    job: ExportJob,
    component: Component,
    grid: Grid,
    sides: Sequence[str | None],
    suffix: str,
    encoding: Encoding,
) -> PlannedFile:
    looks = [None if side is None else job.look(side) for side in sides]
    digest = digest_of(looks, grid, encoding, raster_version())
    name = hashed(f"images/{component.id}{suffix}", digest, encoding.suffix)
    return PlannedFile(
        name, digest, lambda out: encoding.write_bands(grid.size, filled(job, grid, sides), out)
    )
