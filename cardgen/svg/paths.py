"""Path data: its commands one by one, and how long the outline is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from cardgen.svg.numbers import NUMBER

_FLAG = re.compile(r"[\s,]*([01])")
_NUMBER_AT = re.compile(rf"[\s,]*({NUMBER})")
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def path_commands(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The commands of path data one by one, repeated letters spelled out. Stops where the data goes
    wrong, as SVG wants: what came before is drawn."""
    position, length, letter, started = 0, len(data), "", False
    while position < length:
        char = data[position]
        if char in " \t\r\n,":
            position += 1
            continue
        if char.isalpha():
            letter = char
            position += 1
            if letter.lower() not in _COUNTS or not (started or letter in "mM"):
                return
            started = True
            if letter in "zZ":
                yield letter, ()
                continue
        elif not letter or letter in "zZ":
            return
        values: list[float] = []
        arc = letter in "aA"
        for index in range(_COUNTS[letter.lower()]):
            match = (_FLAG if arc and index in (3, 4) else _NUMBER_AT).match(data, position)
            if match is None:
                return
            values.append(float(match[1]))
            position = match.end()
        yield letter, tuple(values)
        if letter in "mM":  # further pairs are lines
            letter = "l" if letter == "m" else "L"


def path_segments(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The same in absolute coordinates and with five letters alone, each ending with the place that it
    leads to: M and L x y; Q and C with their handles before; A rx ry degrees large sweep x y; Z, which
    leads back to where it began."""
    x = y = start_x = start_y = 0.0
    handle: tuple[float, float] | None = None
    last = ""
    for letter, v in path_commands(data):
        kind = letter.upper()
        ox, oy = (0.0, 0.0) if letter == kind else (x, y)
        if kind == "Z":
            v = (start_x, start_y)
        elif kind == "H":
            kind, v = "L", (ox + v[0], y)
        elif kind == "V":
            kind, v = "L", (x, oy + v[0])
        elif kind == "A":
            v = (abs(v[0]), abs(v[1]), *v[2:5], ox + v[5], oy + v[6])
        else:
            v = tuple(value + (oy if index % 2 else ox) for index, value in enumerate(v))
            if kind in "ST":
                kind = "C" if kind == "S" else "Q"
                # The handle before on the other side of the pen, or else the pen itself.
                mirrored = (
                    (x, y) if handle is None or last != kind else (2 * x - handle[0], 2 * y - handle[1])
                )
                v = mirrored + v
        yield kind, v
        handle = (v[-4], v[-3]) if kind in "CQ" else None
        last = kind
        x, y = v[-2:]
        if kind == "M":
            start_x, start_y = x, y


def path_length(data: str) -> tuple[int, float]:
    """How many commands path data has, and a length that its outline does not exceed: that of its curves'
    control polygons, and whole ellipses for arcs."""
    x = y = 0.0
    count, total = 0, 0.0
    for kind, v in path_segments(data):
        count += 1
        if kind == "A":
            total += math.tau * max(v[0], v[1], math.hypot(v[5] - x, v[6] - y) / 2)
        elif kind != "M":
            for place in zip(v[::2], v[1::2]):
                total += math.hypot(place[0] - x, place[1] - y)
                x, y = place
        x, y = v[-2:]
    return count, total
