"""Dice whose faces are stickers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from cardgen.model.table import DieKind

LEAST_FACES, MOST_FACES = 2, 100


@dataclass(frozen=True, slots=True)
class Die:
    """One distinct die of a component: the ids of the stickers on its faces, from face 1, what each face is
    called, and how many such dice there are."""

    id: str
    stickers: tuple[str, ...]
    names: tuple[str, ...]
    copies: int

    @property
    def kind(self) -> DieKind | None:
        """What tables on screens call a die with as many faces; None if they have none."""
        return next((kind for kind in get_args(DieKind) if kind == f"d{len(self.stickers)}"), None)
