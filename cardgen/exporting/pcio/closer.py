"""Things moved closer together, so that all of them can be larger: a room is far smaller than a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

GAP = 12.0
"""What is left, in mm, of room that lies empty across the whole table."""


class Closer:
    """New places along one axis. Where nothing lies from one edge of the table to the other, no more than
    `GAP` is left; what overlaps, or lies on one another, keeps its distances."""

    def __init__(self, spans: Iterable[tuple[float, float]]) -> None:
        self._starts: list[
            tuple[float, float]
        ] = []  # where a taken stretch begins, and by how much it moves
        end: float | None = None
        moved = 0.0
        for low, high in sorted(spans):
            if end is None or low > end:
                if end is not None:
                    moved -= max(0.0, low - end - GAP)
                self._starts.append((low, moved))
            end = high if end is None else max(end, high)

    def place(self, at: float) -> float:
        """Where something that was `at` lies now."""
        shift = 0.0
        for low, moved in self._starts:
            if at < low:
                break
            shift = moved
        return at + shift


def spans(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """From middles and sizes to what is taken along an axis."""
    return [(middle - size / 2, middle + size / 2) for middle, size in places]
