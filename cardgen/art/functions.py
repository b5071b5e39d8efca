"""Filters and functions of templates: colors, random numbers, shapes and effects."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from markupsafe import Markup, escape

from cardgen.core import artwork
from cardgen.core.artwork import Color
from cardgen.core.game import Effect, Effects, Language
from cardgen.core.geometry import MM_PER_PT
from cardgen.expressions.budget import SandboxError, WrongValueError, shown
from cardgen.expressions.sandbox import Sandbox
from cardgen.expressions.values import Kind, number, real
from cardgen.game.effects import Line, effect_line, print_effect
from cardgen.svg.style import parse_color

Point = tuple[float, float]

MAX_NAME = 200
"""Longest name of an icon, and longest color."""


_NUMBERS = frozenset((int, float, bool))


def pt(value: object) -> float:
    """Convert points to mm."""
    if isinstance(value, str) and len(value) <= MAX_NAME:
        try:
            value = float(value)
        except ValueError:
            raise WrongValueError(f"{shown(value)} is not a number of points") from None
    return real(value) * MM_PER_PT


def polar(cx: float, cy: float, radius: float, angle: float) -> Point:
    """Return the point at `angle` degrees and `radius` from (cx, cy)."""
    turn = math.radians(angle)
    return (cx + radius * math.cos(turn), cy + radius * math.sin(turn))


def lerp(a: float, b: float, t: float) -> float:
    if type(t) not in _NUMBERS:
        real(t)
    return a + (b - a) * t


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    for each in (value, low, high):
        if type(each) not in _NUMBERS:
            real(each)
    return max(low, min(high, value))


def _smooth(t: float) -> float:
    return t * t * (3 - 2 * t)


def _at(line: list[Point], index: int, close: bool) -> Point:
    return line[index % len(line)] if close else line[max(0, min(index, len(line) - 1))]


def arc(cx: float, cy: float, radius: float, start: float, end: float, pie: bool = False) -> str:
    """Return path data of an arc from `start` to `end` degrees; `pie` closes it over the center."""
    sweep = end - start
    if abs(sweep) >= 360:
        left, right = number(cx - radius), number(cx + radius)
        r, y = number(radius), number(cy)
        return f"M{left} {y}A{r} {r} 0 1 1 {right} {y}A{r} {r} 0 1 1 {left} {y}Z"
    (x0, y0), (x1, y1) = polar(cx, cy, radius, start), polar(cx, cy, radius, end)
    large, direction, r = int(abs(sweep) > 180), int(sweep > 0), number(radius)
    curve = f"A{r} {r} 0 {large} {direction} {number(x1)} {number(y1)}"
    if pie:
        return f"M{number(cx)} {number(cy)}L{number(x0)} {number(y0)}{curve}Z"
    return f"M{number(x0)} {number(y0)}{curve}"


def icon(
    name: str,
    x: float,
    y: float,
    size: float,
    fill: str | None = None,
    opacity: float | None = None,
    rotate: float = 0.0,
) -> Markup:
    """Return the `<use>` of an icon, its square's top left corner at (x, y); `rotate` about its center."""
    for text in (name, fill) if fill is not None else (name,):
        if not isinstance(text, str) or len(text) > MAX_NAME:
            raise WrongValueError(f"{shown(text)} is neither an icon's name nor a color")
    for measure in (x, y, size, rotate, 1.0 if opacity is None else opacity):
        if type(measure) not in _NUMBERS:
            real(measure)
    shown_as = "" if fill is None else f' color="{escape(fill)}"'
    if opacity is not None:
        shown_as += f' opacity="{number(opacity)}"'
    if rotate:
        centre = f"{number(x + size / 2)} {number(y + size / 2)}"
        shown_as += f' transform="rotate({number(rotate)} {centre})"'
    side = number(size)
    place = f'x="{number(x)}" y="{number(y)}" width="{side}" height="{side}"'
    return Markup(f'<use href="#icon-{escape(name)}" {place}{shown_as}/>')


YES_NO = {
    "cs": ("ano", "ne"),
    "da": ("ja", "nej"),
    "de": ("ja", "nein"),
    "es": ("sí", "no"),
    "fr": ("oui", "non"),
    "it": ("sì", "no"),
    "ja": ("はい", "いいえ"),
    "nl": ("ja", "nee"),
    "pl": ("tak", "nie"),
    "pt": ("sim", "não"),
    "sv": ("ja", "nej"),
}
"""The words for true and false by language; the default is English."""


def yes_no(language: str) -> Callable[[Any], Any]:
    """Return the filter that prints true and false as words of a language, such as `de-AT`."""
    words = YES_NO.get(language.partition("-")[0].lower(), ("yes", "no"))
    return lambda value: words[not value] if isinstance(value, bool) else value


def drawing_filters(sandbox: Sandbox) -> Mapping[str, Callable[..., Any]]:
    """Return the filters of drawings. Reading a color is slow enough to count as a step."""
    budget = sandbox.budget

    def counted(change: Callable[..., str]) -> Callable[..., str]:
        def changed(*given: Any, **named: Any) -> str:
            budget.step()
            return change(*given, **named)

        changed.__name__ = changed.__qualname__ = change.__name__
        return changed

    changes = (mix, lighten, darken, grey, ink_on)
    return {"pt": pt, **{change.__name__: counted(change) for change in changes}}


RNG_KIND = Kind(
    "rng",
    methods=frozenset(("chance", "choice", "gauss", "randint", "random", "sample", "shuffle", "uniform")),
)


def rng_methods(sandbox: Sandbox) -> Mapping[str, Callable[..., Any]]:
    """Return the methods of an Rng, each a function of the Rng and its arguments."""

    def counted(method: Callable[..., Any]) -> Callable[..., Any]:
        def of_items(rng: Rng, items: Any, *given: Any) -> Any:
            members = sandbox.members(items)
            if len(members) > 10:
                sandbox.budget.step(len(members) // 5)
            return method(rng, members, *given)

        of_items.__name__ = of_items.__qualname__ = method.__name__
        return of_items

    own = {name: getattr(Rng, name) for name in RNG_KIND.methods}
    return own | {name: counted(own[name]) for name in ("choice", "sample", "shuffle")}


class DrawingFunctions:
    """The functions of drawings. Those that make a requested number of points or characters are charged."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._budget, self._members = sandbox.budget, sandbox.members

    def offered(self) -> Mapping[str, Callable[..., Any]]:
        """Return all functions by name."""
        counted = (
            self.hexgrid,
            self.hexcorners,
            self.grid,
            self.polygon,
            self.star,
            self.points,
            self.path,
            self.rng,
            self.noise,
        )
        plain = (polar, lerp, clamp, arc, icon, contrast, mix)
        return {function.__name__: function for function in (*counted, *plain)}

    def noise(self, x: float, y: float = 0.0, seed: object = 0) -> float:
        """Return smooth value noise, 0 to 1: nearby places give nearby values; one lump per unit."""
        self._budget.step(4)
        seed = self._key(seed)
        column, row = math.floor(x), math.floor(y)
        u, v = (_smooth(x - column), _smooth(y - row))
        corners = [Rng(seed, column + i, row + j).random() for j in (0, 1) for i in (0, 1)]
        return lerp(lerp(corners[0], corners[1], u), lerp(corners[2], corners[3], u), v)

    def points(self, items: Any) -> str:
        """Return `x,y x,y …` for the `points` of a polygon or polyline."""
        found = self._members(items)
        self._budget.step(len(found) // 3)
        return " ".join(f"{number(x)},{number(y)}" for x, y in found)

    def path(self, items: Any, close: bool = False, smooth: float = 0.0) -> str:
        """Return path data through the points. `smooth` above 0 rounds corners; 1 is Catmull-Rom."""
        found = self._members(items)
        self._budget.step(len(found))
        line = [(float(x), float(y)) for x, y in found]
        if not line:
            return ""
        parts = [f"M{number(line[0][0])} {number(line[0][1])}"]
        count = len(line)
        if smooth <= 0 or count < 3:
            parts += [f"L{number(x)} {number(y)}" for x, y in line[1:]]
        else:
            pull = smooth / 6
            for index in range(count if close else count - 1):
                before, here, after, beyond = (_at(line, index + step, close) for step in (-1, 0, 1, 2))
                handles = (
                    here[0] + (after[0] - before[0]) * pull,
                    here[1] + (after[1] - before[1]) * pull,
                    after[0] - (beyond[0] - here[0]) * pull,
                    after[1] - (beyond[1] - here[1]) * pull,
                    *after,
                )
                parts.append("C" + " ".join(map(number, handles)))
        return "".join(parts) + ("Z" if close else "")

    def polygon(self, cx: float, cy: float, radius: float, sides: int, turn: float = -90.0) -> list[Point]:
        """Return the corners of a regular polygon; the first one at `turn` degrees (-90 is up)."""
        self._budget.items(_count(sides))
        return [polar(cx, cy, radius, turn + 360 * index / sides) for index in range(int(sides))]

    def star(
        self, cx: float, cy: float, outer: float, inner: float, rays: int, turn: float = -90.0
    ) -> list[Point]:
        """Return the corners of a star: outer and inner ones in turn."""
        self._budget.items(2 * _count(rays))
        step = 180 / rays
        return [
            polar(cx, cy, inner if index % 2 else outer, turn + step * index)
            for index in range(2 * int(rays))
        ]

    def hexgrid(self, x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
        """Return the centers, inside the box, of pointy-topped hexagons of `radius` (center to corner)."""
        if radius <= 0:
            raise WrongValueError("hexgrid() needs a radius above 0")
        across, down = math.sqrt(3) * radius, 1.5 * radius
        self._budget.items(_count((width / across + 1) * (height / down + 1)))
        return [
            (x + across * (column + (row % 2) / 2), y + down * row)
            for row in range(int(height / down) + 1)
            for column in range(int(width / across) + 1)
            if column * across + (row % 2) * across / 2 <= width + 1e-9
        ]

    def hexcorners(self, x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
        """Return the corners of the hexagons of a `hexgrid`, row by row, each once: three hexagons share
        one."""
        centres = self.hexgrid(x, y, width, height, radius)
        self._budget.items(6 * len(centres))
        across = math.sqrt(3) / 2 * radius
        found: dict[tuple[int, int], Point] = {}
        for cx, cy in centres:
            for dx, dy in ((0, -1), (across, -0.5), (across, 0.5), (0, 1), (-across, 0.5), (-across, -0.5)):
                # In units of half a hexagon across and half its radius down, all corners are whole numbers.
                corner = cx + dx, cy + dy * radius
                found.setdefault(
                    (round((corner[1] - y) / radius * 2), round((corner[0] - x) / across)), corner
                )
        return [found[key] for key in sorted(found)]

    def grid(self, x: float, y: float, width: float, height: float, columns: int, rows: int) -> list[Point]:
        """Return the centers of the cells of a box divided into columns and rows, row by row."""
        self._budget.items(_count(columns) * _count(rows))
        return [
            (x + width * (column + 0.5) / columns, y + height * (row + 0.5) / rows)
            for row in range(int(rows))
            for column in range(int(columns))
        ]

    def rng(self, *keys: Any) -> Rng:
        """Return a random generator that is the same for the same keys."""
        return Rng(*map(self._key, keys))

    def _key(self, value: Any) -> Any:
        if type(value) is str:
            self._budget.text(len(value))
        elif type(value) is not int:
            self._budget.weigh(value)
            value = str(value)
        return value


def _count(value: object) -> int:
    """Return how many times to repeat for a number."""
    return max(0, int(real(value)))


def mix(color: str, other: str, t: float = 0.5) -> str:
    """Return `color` with the part `t` (0 to 1) of `other`, in sRGB."""
    first, second = _colour(color), _colour(other)
    red, green, blue = (a + (b - a) * t for a, b in zip(first, second))
    return _written((red, green, blue))


def lighten(color: str, t: float = 0.2) -> str:
    """Return `color` with the part `t` of white."""
    return mix(color, "#ffffff", t)


def darken(color: str, t: float = 0.2) -> str:
    """Return `color` with the part `t` of black."""
    return mix(color, "#000000", t)


def grey(color: str) -> str:
    """Return `color` without its hue, equally bright (Rec. 709 luma)."""
    red, green, blue = _colour(color)
    level = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _written((level, level, level))


def contrast(color: str, other: str) -> float:
    """Return the WCAG 2 contrast ratio of two colors, 1 to 21."""
    return artwork.contrast(_colour(color), _colour(other))


def ink_on(ground: str, dark: str = "#000000", light: str = "#ffffff") -> str:
    """Return the ink, of the two, that is easier to read on `ground`."""
    return dark if contrast(ground, dark) >= contrast(ground, light) else light


def _colour(value: object) -> Color:
    """Read an opaque color. Raises WrongValueError for anything else, since mixing ignores transparency."""
    color = parse_color(value) if isinstance(value, str) else None
    if color is None:
        raise WrongValueError(f"{shown(value)} is not a color such as #1d2433 or navy")
    if color[3] < 1:
        raise WrongValueError(f"{shown(value)} is transparent; write an opaque color")
    return color[:3]


def _written(color: Color) -> str:
    """Return `#rrggbb`."""
    return "#" + "".join(f"{round(min(1.0, max(0.0, channel)) * 255):02x}" for channel in color)


_MASK = (1 << 64) - 1


class Rng:
    """A splitmix64 generator (Steele, Lea, Flood 2014), seeded by text.

    Python's own generator is not used because its `choice` and `shuffle` have changed between
    versions of Python.
    """

    __slots__ = ("_state",)

    def __init__(self, *keys: object) -> None:
        seed = "\x1f".join(map(str, keys)).encode()
        self._state = int.from_bytes(hashlib.blake2b(seed, digest_size=8).digest(), "big")

    def _next(self) -> int:
        self._state = z = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """Return a number from 0 to less than 1."""
        return (self._next() >> 11) * 2.0**-53

    def uniform(self, low: float, high: float) -> float:
        """Return a number between `low` and `high`."""
        return low + (high - low) * self.random()

    def randint(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        if type(low) is not int or type(high) is not int:
            real(low), real(high)
        if high < low:
            first, second = shown(low), shown(high)
            raise WrongValueError(
                f"randint({first}, {second}): the second number is smaller than the first"
            )
        return low + self._next() % (high - low + 1)

    def chance(self, probability: float) -> bool:
        """Return True in `probability` of the cases."""
        return self.random() < probability

    def gauss(self, mean: float = 0.0, deviation: float = 1.0) -> float:
        """Return a normally distributed number (Box and Muller)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return mean + deviation * radius * math.cos(2.0 * math.pi * self.random())

    def choice(self, items: Sequence[Any]) -> Any:
        """Return one of the items."""
        items = list(items)
        if not items:
            raise WrongValueError("choice() got an empty list")
        return items[self._next() % len(items)]

    def shuffle(self, items: Sequence[Any]) -> list[Any]:
        """Return the items in another order, as a new list."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self._next() % (last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[Any], count: int) -> list[Any]:
        """Return `count` different items (all of them if there are fewer)."""
        return self.shuffle(items)[: max(0, count)]


T = TypeVar("T")

_STYLED = frozenset(("keyword", "or", "condition"))
"""Roles that get a class of that name, for a template's `<style>`."""


_LIST_FIELD = "print only fields that are listed under effects: in game.yaml"


def effect_filters(
    effects_of: Callable[[], Effects | None], sandbox: Sandbox
) -> dict[str, Callable[[Any], Any]]:
    """Return the filters of a game, by name, for that sandbox.

    `effect` gives a `<tspan cg:block="paragraph">` a line, indented by `cg:level`, the parts of keywords,
    of conditions and the word between options in `tspan`s with a class; `effect_lines` gives the lines as
    mappings; `effect_text` plain text. Each raises WrongValueError for a value that is no effect.
    """

    def printed(effect: Any, by: Callable[[Language, Effect], T]) -> T:
        effects = effects_of()
        if effects is None:
            raise WrongValueError("the game has no effects; add the key 'effects' to game.yaml")
        if not isinstance(effect, list | tuple):
            raise WrongValueError(f"{shown(effect)} is not an effect; {_LIST_FIELD}")
        sandbox.budget.weigh(effect)
        try:
            return by(effects.language, effect)
        except SandboxError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise WrongValueError(f"{shown(effect)} is not an effect; {_LIST_FIELD}") from None

    return {
        "effect": lambda effect: Markup("").join(map(_markup, printed(effect, print_effect))),
        "effect_lines": lambda effect: [_values(line) for line in printed(effect, print_effect)],
        "effect_text": lambda effect: printed(effect, effect_line),
    }


def _markup(line: Line) -> Markup:
    parts = Markup("").join(
        Markup('<tspan class="{}">{}</tspan>').format(part.role, part.text)
        if part.role in _STYLED
        else escape(part.text)
        for part in line.parts
    )
    return Markup('<tspan cg:block="paragraph" cg:level="{}">{}</tspan>').format(line.indent, parts)


def _values(line: Line) -> Mapping[str, Any]:
    parts = [
        {"text": part.text, "role": part.role, "keyword": part.keyword, "icon": part.icon}
        for part in line.parts
    ]
    return {"indent": line.indent, "kind": line.kind, "text": line.text, "parts": parts}
