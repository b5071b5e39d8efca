"""Inks of a game beside the four of a press: foil, varnish, cut lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot colour: `id` is its name in templates, `name` that of its plate, `shows` the colour that
    stands for it, `#rrggbb`. With `overprint` what lies below it is printed as well. Without `screen` it is
    only in files for a press."""

    id: str
    name: str
    shows: str
    overprint: bool
    screen: bool

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green and blue of `shows`, 0 to 255."""
        r, g, b = bytes.fromhex(self.shows[1:])
        return r, g, b
