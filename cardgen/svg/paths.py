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


def path_length(data: str) -> tuple[int, float]:
    """How many commands path data has, and a length that its outline does not exceed: that of its curves'
    control polygons, and whole ellipses for arcs."""
    x = y = start_x = start_y = 0.0
    count, total = 0, 0.0
    for letter, values in path_commands(data):
        count += 1
        lower = letter.lower()
        ox, oy = (x, y) if letter == lower else (0.0, 0.0)
        if lower == "z":
            points = [(start_x, start_y)]
        elif lower == "h":
            points = [(ox + values[0], y)]
        elif lower == "v":
            points = [(x, oy + values[0])]
        elif lower == "a":
            points = [(ox + values[5], oy + values[6])]
            chord = math.hypot(points[0][0] - x, points[0][1] - y)
            total += math.tau * max(abs(values[0]), abs(values[1]), chord / 2)
        else:
            points = [(ox + a, oy + b) for a, b in zip(values[::2], values[1::2])]
        if lower == "m":
            x, y = start_x, start_y = points[0]
            continue
        for place in points:
            # A mirrored handle of S and T is as long as the one before it, which counts twice so.
            total += math.hypot(place[0] - x, place[1] - y) * (2 if lower in "csqt" else 1)
            x, y = place
    return count, total
