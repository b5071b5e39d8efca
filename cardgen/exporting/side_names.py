"""How the sides of a component are called where each is a file: `NN-CARD`, numbered as in the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cardgen.exporting.job import Piece
from cardgen.model.game import Component


@dataclass(frozen=True, slots=True)
class Named:
    """A side: the name of its file without ending, its key in the art, what it shows in words, and which
    side it is."""

    stem: str
    artwork: str
    title: str
    side: Literal["face", "back"]


def numbered(piece: Piece, count: int) -> str:
    """`07-wolf`: a piece's name among `count`, with as many digits as all of them need."""
    return f"{piece.card.number:0{max(2, len(str(count)))}}-{piece.card.id}"


def one_back(pieces: Sequence[Piece]) -> str | None:
    """The key of the back that all pieces share; None if they don't."""
    backs = {piece.back for piece in pieces}
    return backs.pop() if len(backs) == 1 else None


def named_sides(component: Component, pieces: Sequence[Piece]) -> Iterator[Named]:
    """Every side of a component: `COMPONENT/NN-CARD-face` and `-back`, or `COMPONENT/back` once, at the
    end, where all cards share it."""
    shared = one_back(pieces)
    for piece in pieces:
        stem = f"{component.id}/{numbered(piece, len(pieces))}"
        title = f"{component.title}: {piece.card.id}"
        yield Named(f"{stem}-face", piece.face, title, "face")
        if piece.back is not None and shared is None:
            yield Named(f"{stem}-back", piece.back, f"{title}, back", "back")
    if shared is not None:
        yield Named(f"{component.id}/back", shared, f"{component.title}: back", "back")
