"""The spaces of a board are linked as they should be.

Spaces are cards or rows of a table, called by their `name` (default: their id). A space's `links` names
its neighbors. Or take links from other cards or rows: `edges: {table: house.doors, from: out_of, to:
into}`. Links lead both ways unless `one_way: true`. A link to an unknown space, or to itself, is a
finding.

| key | tests |
|---|---|
| `connected: true` | every space can be reached from every other |
| `diameter` | the longest of all shortest ways |
| `degree` | the number of neighbors; `{min: 2}` leaves no dead end |
| `distances` | the shortest way between two spaces, in links |

```yaml
rules:
  - id: map
    question: Is every city near, and none a dead end?
    kind: graph
    component: cities
    links: roads
    connected: true
    diameter: {max: 6}
    degree: {min: 2}
    distances: [{from: harbor, to: keep, min: 3}]
```
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping

from cardgen.core.records import dataclass, field
from cardgen.rules.case import BrokenRuleError, Case, Key, Path, Selection, group_name, show
from cardgen.rules.pool import Subject, meant
from cardgen.rules.results import Bounds, Histogram, Table, counted, number

_MEASURED = 250_000
"""Up to this number of steps, ways between all pairs of spaces are measured even without a bound."""
_ASKED = ("connected", "diameter", "degree", "distances")


@dataclass(slots=True)
class _Board:
    """Spaces by name, and their links. `blamed` is the field with a space's links."""

    spaces: dict[Key, Subject]
    ways: dict[Key, dict[Key, None]]
    blamed: dict[Key, Path] = field(default_factory=dict)

    def reached(self, case: Case, start: Key) -> dict[Key, Key]:
        """Return each reachable space with the one before it, nearest first."""
        before: dict[Key, Key] = {start: start}
        pending = deque([start])
        while pending:
            here = pending.popleft()
            case.pool.budget.step(1 + len(self.ways[here]))
            for there in self.ways[here]:
                if there not in before:
                    before[there] = here
                    pending.append(there)
        return before

    def turned(self) -> _Board:
        """Return a copy with every link reversed."""
        ways: dict[Key, dict[Key, None]] = {key: {} for key in self.spaces}
        for here, there in ((here, there) for here, found in self.ways.items() for there in found):
            ways[there][here] = None
        return _Board(self.spaces, ways)


def judge(case: Case) -> None:
    case.must_ask(f"one of {', '.join(_ASKED)}", any(case.data.get(key) for key in _ASKED))
    diameter = case.bounds("diameter", needed=False)
    degree = case.bounds("degree", needed=False)
    board = _board(case, case.select())
    if not board.spaces:
        return  # as `may_select_none` allows
    one_way = case.data.get("one_way", False)
    links = sum(map(len, board.ways.values()))
    case.measure("spaces", len(board.spaces))
    case.measure("links", links if one_way else links // 2)
    _degrees(case, board, degree)
    is_whole = _connected(case, board)
    if is_whole and (diameter.stated or len(board.spaces) * (len(board.spaces) + links) <= _MEASURED):
        _diameter(case, board, diameter)
    elif not is_whole and diameter.stated and not case.data.get("connected", False):
        case.fail(
            "not all spaces can be reached from each other, so there is no longest way", None, ("diameter",)
        )
    _distances(case, board)


def _board(case: Case, selection: Selection) -> _Board:
    name = selection.reading("name", default="id")
    spaces: dict[Key, Subject] = {}
    for subject in selection:
        key = name.key(subject)
        if key in spaces:
            case.fail(f"two spaces are called {show(key)}", subject, name.place(subject))
        spaces.setdefault(key, subject)
    board = _Board(spaces, {key: {} for key in spaces})
    one_way = bool(case.data.get("one_way", False))
    if "links" in case.data:
        links = selection.reading("links")
        for key, subject in spaces.items():
            board.blamed[key] = links.place(subject)
            for other in links.keys(subject):
                _add_link(case, board, (key, other), subject, board.blamed[key], one_way)
    if "edges" in case.data:
        edges = case.select("edges")
        ends = [edges.reading("edges", end) for end in ("from", "to")]
        for subject in edges:
            a, b = (each.key(subject) for each in ends)
            _add_link(case, board, (a, b), subject, (), one_way)
    return board


def _add_link(
    case: Case, board: _Board, ends: tuple[Key, Key], subject: Subject, path: Path, one_way: bool
) -> None:
    missing = [end for end in dict.fromkeys(ends) if end not in board.spaces]
    for end in missing:
        hint = _name_hint(end, board) if case.hints else None
        case.fail(f"“{subject.label}” leads to {show(end)}, which is not a space", subject, path, hint)
    if missing:
        return
    here, there = ends
    if here == there:
        case.fail(f"“{subject.label}” links {show(here)} with itself", subject, path)
        return
    board.ways[here][there] = None
    if not one_way:
        board.ways[there][here] = None


def _name_hint(name: Key, board: _Board) -> str | None:
    """Return a hint for an unknown name of a space."""
    names = {group_name(each): each for each in board.spaces}
    similar = names.get(group_name(name))
    if similar is None:
        return meant(group_name(name), names)
    known, given = ("text" if isinstance(each, str) else "number" for each in (similar, name))
    return f"a space is called by the {known} {show(similar)}, but this is the {given} {show(name)}"


def _degrees(case: Case, board: _Board, limits: Bounds) -> None:
    for key, subject in board.spaces.items():
        beside = board.ways[key]
        found = f"{show(key)} has {counted(len(beside), 'neighbor')}"
        hint = f"they are: {', '.join(map(group_name, beside)) or 'none'}" if case.hints else None
        path = board.blamed.get(key, ())
        case.hold("", len(beside), limits, path, subject=subject, hint=hint, found=found)
    counts = Counter(len(found) for found in board.ways.values())
    case.measure("fewest neighbors", min(counts, default=0), bounds=limits)
    case.measure("most neighbors", max(counts, default=0), bounds=limits)
    bins = tuple((number(each), float(counts[each])) for each in range(max(counts, default=0) + 1))
    case.histograms.append(Histogram("spaces by neighbors", bins, True))


def _connected(case: Case, board: _Board) -> bool:
    """Return True if every space can be reached from every other; if required, report each part that
    can't."""
    first = next(iter(board.spaces))
    there, back = board.reached(case, first), board.turned().reached(case, first)
    found: dict[Key, str] = {}
    for key in board.spaces:
        if key not in there:
            found[key] = f"{show(key)} can't be reached from {show(first)}"
        elif key not in back:
            found[key] = f"{show(first)} can't be reached from {show(key)}"
    reported: set[Key] = set()
    parts = 1
    for key, text in found.items():
        if key in reported:
            continue
        parts += 1
        part = [each for each in board.reached(case, key) if each in found]
        reported.update(part)
        names = ", ".join(group_name(each) for each in part[1:13])
        others = f"change these as well: {names}" if names else None
        if case.data.get("connected", False) and not case.reports:
            case.fail(text, board.spaces[key], board.blamed.get(key, ()), others)
    case.measure("connected", "yes" if not found else f"no, at least {parts} parts")
    return not found


def _diameter(case: Case, board: _Board, limits: Bounds) -> None:
    longest: list[Key] = [next(iter(board.spaces))]
    for start in board.spaces:
        before = board.reached(case, start)
        way = _way(before, next(reversed(before)))
        longest = max(longest, way, key=len)
    _hold_way(case, "diameter", "the longest of all shortest ways", longest, limits, ("diameter",))


def _hold_way(case: Case, name: str, what: str, way: list[Key], limits: Bounds, path: Path) -> None:
    """Report a way's length, in links, and check its bounds."""
    text, length = " → ".join(map(group_name, way)), len(way) - 1
    case.measure(name, length, "", f"{length}: {text}", bounds=limits)
    case.hold(what, length, limits, path, hint=text, found=f"{what} is {length} links")


def _distances(case: Case, board: _Board) -> None:
    rows = []
    asked: list[Mapping[str, Key]] = case.data.get("distances", [])
    for index, given in enumerate(asked):
        path = ("distances", index)
        limits = case.bounds(*path)
        for end in ("from", "to"):
            if given[end] not in board.spaces:
                text = f"no space is called {show(given[end])}"
                raise BrokenRuleError(text, (*path, end), _name_hint(given[end], board))
        start, goal = given["from"], given["to"]
        before = board.reached(case, start)
        if goal not in before:
            rows.append((group_name(start), group_name(goal), "none"))
            if not case.reports:
                case.fail(f"there is no way from {show(start)} to {show(goal)}", None, path)
            continue
        way = _way(before, goal)
        title = f"{group_name(start)} to {group_name(goal)}"
        what = f"the way from {show(start)} to {show(goal)}"
        _hold_way(case, title, what, way, limits, path)
        rows.append((group_name(start), group_name(goal), str(len(way) - 1)))
    if rows:
        case.tables.append(Table("shortest ways", ("from", "to", "links"), tuple(rows)))


def _way(before: Mapping[Key, Key], goal: Key) -> list[Key]:
    way = [goal]
    while before[way[-1]] != way[-1]:
        way.append(before[way[-1]])
    return way[::-1]
