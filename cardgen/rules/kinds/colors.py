"""Every eye can tell the colors of the theme apart, also in gray.

`colors` lists values of the game's `theme` by their keys: `full.ground`, `types.*.color` (`*` is any
key or entry), or colors such as `'#ffffff'`. Every two of them are compared.

- `min` bounds the difference CIEDE2000 (1 is hardly seen, 10 plainly another color), by `normal` sight
  and without red, green or blue cones (`protan`, `deutan`, `tritan`).
- `sights` sets other figures for some of the four, or the only ones.
- `grey` bounds the difference of lightness (L*, 0 to 100) in a black and white copy.

One man in twelve confuses some reds and greens, so use a second sign too, such as a shape. Tritan sight
is very rare, and its simulation (Machado et al. 2009) the least certain.

```yaml
rules:
  - id: players-apart
    question: Can every eye tell the players apart?
    kind: colors
    colors: [players.*.color, full.board, '#ffffff']
    min: 15
    sights: {tritan: 8}
    grey: 4
```
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from cardgen.core.game import fits
from cardgen.core.records import dataclass
from cardgen.rules.case import BrokenRuleError, Case, Path, Traits, show
from cardgen.rules.pool import THEME, meant
from cardgen.rules.results import Bounds, Table, counted
from cardgen.svg.style import parse_color

MAX_COLORS = 60
"""Most colors of a rule."""
MOST_SHOWN = 20
"""Most pairs in the table of the nearest ones."""
SIGHTS = ("normal", "protan", "deutan", "tritan")
GREY = "grey"


TRAITS = Traits(looks_at="theme", is_tried=False)


@dataclass(frozen=True, slots=True)
class Color:
    """A color of the theme (with its `path` there) or of the rule itself (`path` is None)."""

    name: str
    spec: str
    rgb: tuple[float, float, float]
    path: Path | None

    def __str__(self) -> str:
        return self.name if self.name == self.spec else f"{self.name} {self.spec}"


def judge(case: Case) -> None:
    asked = _minimums(case)
    colors = _colors(case)
    pairs = list(combinations(range(len(colors)), 2))
    case.pool.budget.step(10 * len(pairs))
    found = compared_pairs(colors, pairs)
    case.looked_at.append(f"{counted(len(colors), 'color')} of the theme")
    case.measure("colors", len(colors))
    for way, values in found.items():
        near = min(range(len(pairs)), key=values.__getitem__)
        one, other = (colors[each].name for each in pairs[near])
        bounds = Bounds(min=asked[way]) if way in asked else None
        text = f"{_figure(values[near])}: {one} and {other}"
        case.measure(way, _figure(values[near]), "", text, bounds=bounds)
    ranked = sorted(range(len(pairs)), key=lambda pair: min(values[pair] for values in found.values()))
    rows: list[tuple[str | float, ...]] = []
    for pair in ranked[:MOST_SHOWN]:
        one, other = (colors[each].name for each in pairs[pair])
        rows.append((one, other, *(_figure(values[pair]) for values in found.values())))
    heads = ("color", "color", *found)
    case.tables.append(Table("the nearest colors, ΔE2000 and lightness", heads, tuple(rows)))
    _check_pairs(case, colors, pairs, found, asked)


def _minimums(case: Case) -> dict[str, float]:
    """Return the required minimum, by sight and in gray."""
    data = case.data
    stated = [key for key in ("min", "sights", GREY) if key in data]
    if case.reports and stated:
        raise case.only_reports((stated[0],))
    case.must_ask("min, sights, grey", bool(stated))
    own: Mapping[str, float] = data.get("sights", {})
    asked = {sight: own.get(sight, data.get("min")) for sight in SIGHTS} | {GREY: data.get(GREY)}
    return {way: least for way, least in asked.items() if least is not None}


def _colors(case: Case) -> list[Color]:
    """Return the colors in the rule, each once."""
    (theme,) = case.pool.subjects(THEME)
    theme.note(tuple(theme.fields))
    found: dict[Path | str, Color] = {}
    for index, address in enumerate(case.data["colors"]):
        place = ("colors", index)
        if address.startswith("#"):
            found[address] = read_color(case, address, address, None, place)
            continue
        for path, value in values_at(case, theme.fields, address, place):
            name = ".".join(map(str, path))
            found[path] = read_color(case, name, value, path, place)
            if len(found) > MAX_COLORS:
                raise BrokenRuleError(f"more than {MAX_COLORS} colors", place)
    if len(found) < 2:
        raise BrokenRuleError("there is only one color, so there is nothing to compare", ("colors",))
    return list(found.values())


def values_at(
    case: Case, theme: Mapping[str, Any], address: str, place: Path
) -> Iterator[tuple[Path, Any]]:
    """Return the values of the theme at an address, with their paths."""
    level: list[tuple[Path, Any]] = [((), theme)]
    for part in address.split("."):
        below = [((*path, key), child) for path, value in level for key, child in _entries(value)]
        case.pool.budget.step(len(below))
        level = [(path, value) for path, value in below if fits(str(path[-1]), part)]
        if not level:
            hint = meant(part, {str(path[-1]) for path, _ in below})
            raise BrokenRuleError(f"the theme has no “{address}”: there is no “{part}”", place, hint)
    return iter(level)


def _entries(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, (list, tuple)) else []


def read_color(case: Case, name: str, value: Any, path: Path | None, place: Path) -> Color:
    """Return a color. Raises BrokenRuleError for other values: at the value, or else at the rule."""
    rgba = parse_color(value) if isinstance(value, str) else None
    if rgba is not None and rgba[3] == 1:
        return Color(name, value, rgba[:3], path)
    text, hint = f"“{name}” is not a color: {show(value)}", "write it as #c03 or #cc0033"
    if value == name:
        text = f"“{name}” is not a color"
    if rgba is not None:
        text, hint = f"“{name}” is transparent: {show(value)}", "use an opaque color"
    elif entries := _entries(value):
        hint = f"use {name}.{entries[0][0]}, or {name}.*"
    if path is None or not (rgba or str(value).startswith("#")):
        raise BrokenRuleError(text, place, hint)
    (theme,) = case.pool.subjects(THEME)
    raise BrokenRuleError(text, path, hint, theme)


def compared_pairs(colors: list[Color], pairs: list[tuple[int, int]]) -> dict[str, list[float]]:
    """Return the distance of each pair, by each sight and in gray."""
    import numpy as np

    from cardgen.pdf.color_vision import difference, lab

    rgb = np.array([color.rgb for color in colors])
    one, other = np.array(pairs).T
    found: dict[str, list[float]] = {}
    for sight in SIGHTS:
        seen = lab(rgb, sight)
        found[sight] = difference(seen[one], seen[other]).tolist()
    lightness = lab(rgb)[:, 0]
    return {**found, GREY: np.abs(lightness[one] - lightness[other]).tolist()}


def _check_pairs(
    case: Case,
    colors: list[Color],
    pairs: list[tuple[int, int]],
    found: Mapping[str, list[float]],
    asked: Mapping[str, float],
) -> None:
    """Add a finding for each pair that is too near, with its worst sight, at the color that is in most of
    the pairs."""
    short = {
        pair: ways
        for index, pair in enumerate(pairs)
        if (ways := {way: found[way][index] for way, least in asked.items() if found[way][index] < least})
    }
    often = Counter(each for pair in short for each in pair)
    for pair, ways in short.items():
        worst = min(ways, key=lambda way: ways[way] / asked[way])
        one, other = (colors[each] for each in pair)
        others = [_measures_text(way, value, asked[way]) for way, value in ways.items() if way != worst]
        text = f"{one} and {other} {_measures_text(worst, ways[worst], asked[worst])}"
        blamed = max(
            (each for each in pair[::-1] if colors[each].path), key=often.__getitem__, default=None
        )
        off = max(asked[way] - value for way, value in ways.items())
        hint = f"they {'; they '.join(others)}" if others else None
        if blamed is None:
            case.fail(text, None, ("colors",), hint, off)
        else:
            (theme,) = case.pool.subjects(THEME)
            case.fail(text, theme, colors[blamed].path or (), hint, off)


def _measures_text(way: str, value: float, least: float) -> str:
    if way == GREY:
        return f"differ by {_figure(value):g} in lightness (L*); the minimum is {least:g}"
    return f"are {_figure(value):g} apart (ΔE2000) by {way} sight; the minimum is {least:g}"


def _figure(value: float) -> float:
    """Return the displayed distance, rounded down."""
    return math.floor(value * 10) / 10
