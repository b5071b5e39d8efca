"""Each sign has one meaning in the game, and each role has colors of its own.

`roles` names what signs and colors stand for. Each role has `signs`, `colors`, or both: values of the
game's `theme` by their keys, as in the kind `colors`, or of its tables (`tables.words.*.icon`). The key
of a value is its meaning, so entries of one name may share a sign: `stats.health` and `keywords.health`.

- No sign may have two meanings, in one role or in two. `same` lists groups of names that mean one thing.
- `ornaments` are icons that only decorate, so they have no meaning. `rulings` is the icon that marks your
  own rulings in rulebooks, such as `dagger`; it means nothing else.
- Colors of two roles differ by `apart` (CIEDE2000, 12 by default). Compare those of one role by the kind
  `colors`.

```yaml
rules:
  - id: signs
    question: Has each sign one meaning, and each role colors of its own?
    kind: signs
    roles:
      suits: {signs: [suits.*.icon], colors: [suits.*.color]}
      players: {colors: [players.*.color]}
      actions: {signs: [tables.actions.*.icon]}
    same: [[scan, scan-die]]
    ornaments: [circuit, star]
    rulings: dagger
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from cardgen.core.records import dataclass
from cardgen.rules.case import BrokenRuleError, Case, Path, Traits, show
from cardgen.rules.kinds.colors import MAX_COLORS, Color, compared_pairs, read_color, values_at
from cardgen.rules.pool import THEME
from cardgen.rules.results import Bounds, counted

TRAITS = Traits(looks_at="theme", is_tried=False)
MAX_SIGNS = 1000
"""Most signs of a rule."""
_APART = 12.0
_TABLES = "tables."
_PLAIN = frozenset(("color", "icon", "sign"))
"""Last keys that name no meaning."""
_NAMES = ("name", "title", "id")


@dataclass(frozen=True, slots=True)
class _Sign:
    """A sign: its role, its meaning, its `path` in the theme or from `tables`, its `place` in the rule."""

    icon: str
    role: str
    meaning: str
    path: Path
    place: Path

    def __str__(self) -> str:
        return f"“{self.meaning}” ({self.role})"


class _Value(NamedTuple):
    """A value at an address of the rule."""

    place: Path
    path: Path
    value: Any
    meaning: str

    @property
    def name(self) -> str:
        return ".".join(map(str, self.path))

    @property
    def in_theme(self) -> Path | None:
        return None if self.path[0] == "tables" else self.path


def judge(case: Case) -> None:
    signs: list[_Sign] = []
    colors: list[tuple[str, Color, _Value]] = []
    for role, own in case.data["roles"].items():
        for found in _values(case, role, own, "signs"):
            if not isinstance(found.value, str):
                text = f"“{found.name}” is not the name of an icon: {show(found.value)}"
                raise BrokenRuleError(text, found.place)
            signs.append(_Sign(found.value, role, found.meaning, found.path, found.place))
        for found in _values(case, role, own, "colors"):
            color = read_color(case, found.name, found.value, found.in_theme, found.place)
            colors.append((role, color, found))
        if len(signs) > MAX_SIGNS or len(colors) > MAX_COLORS:
            raise BrokenRuleError(f"more than {MAX_SIGNS:,} signs or {MAX_COLORS} colors", ("roles",))
    case.looked_at.append(f"{counted(len(case.data['roles']), 'role')} of signs and colors")
    case.measure("signs", len({each.icon for each in signs}))
    _check_signs(case, signs)
    _check_colors(case, colors)


def _values(case: Case, role: str, own: Any, key: str) -> Iterator[_Value]:
    """Yield the values at the addresses of a role."""
    (theme,) = case.pool.subjects(THEME)
    theme.note(tuple(theme.fields))
    for index, address in enumerate(own.get(key, ())):
        place = ("roles", role, key, index)
        root: Mapping[str, Any] = theme.fields
        if address.startswith(_TABLES):
            theme.values["tables"].get(address.split(".")[1])  # notes that the table is read
            root = {"tables": case.pool.game.tables}
        for path, value in values_at(case, root, address, place):
            yield _Value(place, path, value, _meaning(root, path))


def _meaning(root: Mapping[str, Any], path: Path) -> str:
    """Return what a value is called: its key, or the name beside it in an entry of a list."""
    in_list = len(path) > 1 and isinstance(path[-2], int)  # a key of an entry, such as `emblem`
    keys = [key for key in (path[:-1] if in_list else path) if key not in _PLAIN]
    if keys and isinstance(keys[-1], int):
        entry: Any = root
        for key in path[: path.index(keys[-1]) + 1]:
            entry = entry[key]
        if isinstance(entry, Mapping):
            return str(next((entry[name] for name in _NAMES if name in entry), keys[-1]))
    return str((keys or path)[-1])


def _check_signs(case: Case, signs: list[_Sign]) -> None:
    """Add a finding for each sign that has a second meaning."""
    first: dict[str, _Sign] = {}
    same = {name: index for index, names in enumerate(case.data.get("same", ())) for name in names}
    for sign in signs:
        other = first.setdefault(sign.icon, sign)
        one = other.meaning == sign.meaning or same.get(other.meaning, -1) == same.get(sign.meaning, -2)
        if not one:
            _fail(case, f"the sign “{sign.icon}” means {other} and {sign}", sign.path, sign.place)
    ruling = case.data.get("rulings")
    decorating = [(("ornaments", index), icon) for index, icon in enumerate(case.data.get("ornaments", ()))]
    for place, icon in decorating:
        if icon == ruling:
            case.fail(f"“{icon}” marks rulings, so it is no ornament", None, place)
        elif (meant := first.get(icon)) is not None:
            _fail(case, f"the ornament “{icon}” means {meant}", meant.path, place)
    if (meant := first.get(ruling or "")) is not None:
        _fail(case, f"“{ruling}” marks rulings, but means {meant} too", meant.path, ("rulings",))


def _check_colors(case: Case, colors: list[tuple[str, Color, _Value]]) -> None:
    """Add a finding for each pair of colors of two roles that are too near."""
    pairs = [
        (one, other)
        for one, other in combinations(range(len(colors)), 2)
        if colors[one][0] != colors[other][0]
    ]
    if not pairs:
        return
    case.pool.budget.step(10 * len(pairs))
    least = float(case.data.get("apart", _APART))
    found = compared_pairs([color for _, color, _ in colors], pairs)["normal"]
    near = min(range(len(pairs)), key=found.__getitem__)
    names = " and ".join(colors[each][1].name for each in pairs[near])
    bounds = None if case.reports else Bounds(min=least)
    case.measure("apart", round(found[near], 1), "", names, bounds=bounds)
    for (one, other), distance in zip(pairs, found):
        if distance < least:
            (role, color, _), (second, near_by, at) = colors[one], colors[other]
            text = f"{near_by} of {second} and {color} of {role} are {distance:.1f} apart (ΔE2000)"
            _fail(case, f"{text}; the minimum is {least:g}", at.path, at.place, least - distance)


def _fail(case: Case, text: str, path: Path, place: Path, off: float = 1.0) -> None:
    """Add a finding at a value of the theme or of a table's entry, or else at the rule."""
    if case.reports:
        return
    if path[0] != "tables":
        (theme,) = case.pool.subjects(THEME)
        case.fail(text, theme, path, off=off)
    elif (depth := _depth_of_entry(case.pool.game.tables, path)) is None:
        case.fail(text, None, place, off=off)
    else:
        entries = case.pool.subjects("table:" + ".".join(map(str, path[1:depth])))
        entry = next(each for each in entries if each.path == path[2 : depth + 1])
        case.fail(text, entry, path[depth + 1 :], off=off)


def _depth_of_entry(tables: Mapping[str, Any], path: Path) -> int | None:
    """Return the index in the path of the entry that rules read as a row, or None without one."""
    found: int | None = None
    value = tables[str(path[1])]
    for depth, key in enumerate(path[2:], 2):
        entries = value.values() if isinstance(value, Mapping) else value
        if all(isinstance(entry, Mapping) for entry in entries):
            found = depth
        if not isinstance(value, Mapping):
            break  # addresses of rows have no numbers
        value = value[key]
    return found
