"""Demands can be met by disjoint sets of supply cards. The result is exact.

If one card can meet any number of demands, [covers](#covers) is simpler.

HiGHS solves an integer program. A demand's set meets all its `needs`, so one card can serve several:

| keys | need |
|---|---|
| `tokens`, `provided_by` | each entry of the demand's list takes its own card |
| `cards`, `at_least` or `at_most` | so many cards for which an expression is true |
| `sum`, `at_least` or `at_most` | a value summed over the set |

Expressions can use `demand`, `supply` and `token`. Test one or more of:

| key | tests |
|---|---|
| `alone: true` | each demand with all cards |
| `together: all`, `[3, 6, 9]` | all demands at once, or any so many |
| `largest: {min: 9}` | the most at once |
| `headroom: {need: …, min: …}` | by how much each demand's best set exceeds a need |
| `margin: {of: 9, min: 2}` | the fewest lost cards that break the worst nine, tried up to `up_to` |

The report shows how to meet the demands, or a smallest set that can't be met, and why. Copies cost
nothing. After 600,000 steps (a few seconds) the rule is undecided; `steps` changes that.

```yaml
rules:
  - id: coverage
    question: Can all locations be met, each with its own stack?
    kind: satisfiable
    demand: {component: locations}
    supply: {component: data}
    set: {max: 7}
    needs:
      - {name: fragments, tokens: demand.fragments, provided_by: token in supply.fragments}
      - {name: type, cards: supply.type == demand.type, at_least: 1}
      - {name: points, sum: supply.points, at_least: demand.points}
    alone: true
    together: [3, 6, 9]
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core.records import dataclass, replace
from cardgen.rules.case import (
    BrokenRuleError,
    Case,
    Path,
    Reading,
    Selection,
    Traits,
    group_key,
    group_name,
)
from cardgen.rules.pool import Subject, items_of
from cardgen.rules.results import Bounds, Matrix, Table, counted, listed, number
from cardgen.rules.solver import (
    MAX_CELLS,
    Assignment,
    Coverage,
    CoverageProblem,
    Demand,
    Effort,
    Losses,
    Need,
    NoSolverError,
    OutOfStepsError,
    Supply,
    Token,
    Total,
    Witness,
    smallest_unsatisfiable,
    unprovided,
)

DEFAULT_STEPS = 600_000
"""Steps of the solver: two to six seconds, measured with the hard cases of `benchmarks/solving.py`."""
DEFAULT_UP_TO = 2
"""Most losses tried for the margin beyond its bound."""


TRAITS = Traits(is_slow=True)


def judge(case: Case) -> None:
    if not any(key in case.data for key in ("alone", "together", "largest", "headroom", "margin")):
        hint = "add alone, together, largest, headroom or margin"
        raise BrokenRuleError("the rule has no condition", (), hint)
    query = coverage_question(case)
    effort = Effort(case.data.get("steps", DEFAULT_STEPS), case.data.get("nodes"), case.pool.budget.step)
    try:
        _figures(case, query.problem)
        _alone(case, query, effort)
        if any(key in case.data for key in ("together", "largest", "margin")):
            coverage = Coverage(query.problem, effort)
            broken = _together(case, query, coverage, effort)
            _margin(case, query, coverage, effort, broken)
    except OutOfStepsError as error:
        if case.failures:  # the rule fails in any case
            case.measure("not settled", None, "", f"{error}")
            return
        place = ("nodes",) if effort.out_of_nodes else ("steps",) if "steps" in case.data else ()
        case.leave_undecided(f"undecided: {error}", place, "test fewer at once, or allow more steps")
    except NoSolverError as error:
        raise BrokenRuleError(f"{error}", ("kind",), "pip install highspy") from None


def _alone(case: Case, query: CoverageQuestion, effort: Effort) -> None:
    """Report on each demand alone, and how far its best set exceeds the need in `headroom`."""
    name = case.parameter(("headroom", "need"))
    if not case.data.get("alone", False) and name is None:
        return
    bounds = case.bounds("headroom") if name is not None else Bounds()
    least: tuple[float, str] | None = None
    met = 0
    for d, demand in enumerate(query.problem.demands):
        subject = query.demands[d]
        need = next((n for n in demand.needs if n.name == name and isinstance(n, Total)), None)
        if name is not None and (need is None or need.least is None):
            raise BrokenRuleError(f"there is no need “{name}” with at_least", ("headroom", "need"))
        effort.question = f"whether “{demand.label}” can be met alone"
        # The program has only this demand, since the others' variables would cost most of the work.
        single = Coverage(replace(query.problem, demands=(demand,)), effort)
        room = single.headroom(0, need) if need else 0 if single.satisfy([0]) else None
        if room is None:
            text = f"“{demand.label}” can't be met, even alone"
            case.fail(text, subject, (), _reason(query.problem, [d], effort))
            continue
        met += 1
        if need is None:
            continue
        figure = f"{number(room)} above what “{name}” needs"
        case.measure(f"headroom of {demand.label}", room, "", figure, bounds=bounds)
        if least is None or room < least[0]:
            least = (room, demand.label)
        text = f"“{demand.label}” can exceed “{name}” by {number(room)}"
        case.hold("", room, bounds, subject=subject, found=text)
    count = len(query.problem.demands)
    case.measure("met alone", met, f"of {count}", bounds=_implied_bounds(case, Bounds(equals=count)))
    if least is not None:
        figure = f"{number(least[0])}, of {least[1]}"
        case.measure("least headroom", least[0], "", figure, bounds=bounds)


def _together(case: Case, query: CoverageQuestion, coverage: Coverage, effort: Effort) -> int | None:
    """Report on all demands at once, else on the smallest set that can't be met; return its size, or
    None."""
    problem = query.problem
    everything = range(len(problem.demands))
    case.measure("demands", len(problem.demands))
    bounds = case.bounds("largest") if "largest" in case.data else Bounds()
    sizes = _sizes(case, len(problem.demands))
    every = Bounds(min=len(everything)) if len(everything) in sizes else None
    at_once = bounds if bounds.stated else _implied_bounds(case, every)
    unmet = _implied_bounds(case, Bounds(min=max(sizes) + 1) if sizes else None)
    effort.question = f"whether {_all(len(everything))} can be met at once"
    witness = coverage.satisfy(everything)
    if witness is not None:
        case.measure("met at once", len(problem.demands), "", "all of them", bounds=at_once)
        if sizes and len(everything) not in sizes:
            case.measure("smallest set that cannot be met", None, "", "there is none", bounds=unmet)
        case.tables.append(_witness_table(problem, witness))
        case.hold("the number of demands met at once", len(problem.demands), bounds, ("largest",))
        return None
    effort.question = "which demands cannot be met together"
    try:
        broken, _ = smallest_unsatisfiable(coverage, effort)
        best = coverage.satisfy((), most=True)
    except OutOfStepsError:
        if len(everything) in sizes:
            case.fail("the demands cannot be met all at once")
        raise
    assert broken is not None  # not all demands can be met, so some set of them cannot
    largest = len(best.met) if best else 0
    text = f"{largest} of {len(problem.demands)} at most"
    case.measure("met at once", largest, "", text, bounds=at_once)
    text = _labels(problem, broken)
    case.measure("smallest set that cannot be met", len(broken), "demands", text, bounds=unmet)
    if best:
        case.tables.append(_witness_table(problem, best))
    wrong = [str(size) for size in sizes if size >= len(broken)]
    if wrong:
        asked = f"not every {listed(wrong)} demands can be met together"
        if sizes == [len(everything)]:
            asked = "the demands cannot be met all at once"
        case.fail(
            f"{asked}: {_labels(problem, broken)} cannot",
            query.demands[broken[0]],
            (),
            _reason(problem, broken, effort),
        )
    case.hold("the number of demands met at once", largest, bounds, ("largest",))
    return len(broken)


def _sizes(case: Case, count: int) -> list[int]:
    given = case.data.get("together", [])
    if given == "all":
        return [count]
    sizes = [given] if isinstance(given, int) else list(given)
    for index, size in enumerate(sizes):
        if size > count:
            place = ("together",) if isinstance(given, int) else ("together", index)
            raise BrokenRuleError(
                f"any {size} at once cannot be asked of {counted(count, 'demand')}", place
            )
    return sizes


def _margin(
    case: Case, query: CoverageQuestion, coverage: Coverage, effort: Effort, broken: int | None
) -> None:
    if "margin" not in case.data:
        return
    of = case.data["margin"].get("of", "all")
    size = len(query.problem.demands) if of == "all" else int(of)
    if size > len(query.problem.demands):
        raise BrokenRuleError(
            f"there are only {counted(len(query.problem.demands), 'demand')}", ("margin", "of")
        )
    bounds = case.bounds("margin")
    if broken is not None and broken <= size:
        case.measure("margin", 0, "cards", "they cannot be met even with all cards", bounds=bounds)
        case.hold("the safety margin", 0, bounds, ("margin",))
        return
    most = max(int(bounds.min or 0) - 1, int(bounds.equals or 0), int(bounds.max or 0))
    effort.question = "how many cards can be lost"
    found = Losses(coverage, effort, size).margin(
        max(most, case.data["margin"].get("up_to", DEFAULT_UP_TO))
    )
    if found.failing is None:
        text = f"more than {counted(found.least - 1, 'card')} can be lost"
        detail = f"at least {found.least}: {text}"
        case.measure("margin", found.least, "cards", detail, bounds=bounds)
        cards = sum(supply.count for supply in query.problem.supplies)
        holds = bounds.holds_for(found.least, max(found.least, cards))
        if bounds.stated and holds is None and found.unsettled:
            raise OutOfStepsError(f"{found.unsettled}; {text}")
        if bounds.stated and holds is None:
            case.leave_undecided(
                f"undecided: the safety margin is at least {found.least}, more was not tried", ("margin",)
            )
        elif bounds.stated and not holds:
            case.fail(
                f"the safety margin is at least {found.least}, it should be {bounds}", None, ("margin",)
            )
        return
    lost = [query.problem.supplies[s].labels[i] for s, n in found.failing.losses.items() for i in range(n)]
    names = listed([f"“{label}”" for label in lost])
    case.measure("margin", found.failing.lost, "cards", f"losing {names} is enough", bounds=bounds)
    if bounds.stated and found.failing.lost not in bounds:
        case.fail(
            f"the safety margin is {counted(found.failing.lost, 'card')}, it should be {bounds}: "
            f"without {names} {_labels(query.problem, found.failing.demands)} cannot be met",
            None,
            ("margin",),
        )


def _implied_bounds(case: Case, bounds: Bounds | None) -> Bounds | None:
    """Return the implied bounds, unless the rule only reports."""
    return None if case.reports else bounds


def _reason(problem: CoverageProblem, demands: Sequence[int], effort: Effort) -> str | None:
    """Return the reason why these demands can't be met, if the remaining steps are enough to find it."""
    try:
        return reason(problem, demands, effort)
    except OutOfStepsError:
        return None


def _all(demands: int) -> str:
    return "the demand" if demands == 1 else f"all {demands} demands"


def _labels(problem: CoverageProblem, demands: Sequence[int]) -> str:
    return listed([f"“{problem.demands[d].label}”" for d in demands])


def _witness_table(problem: CoverageProblem, witness: Witness) -> Table:
    """Return a table of the cards that meet each demand."""
    left = {s: list(supply.labels) for s, supply in enumerate(problem.supplies)}
    rows = []
    for d, taken in sorted(witness.taken.items()):
        cards = [left[s].pop(0) for s, count in sorted(taken.items()) for _ in range(count)]
        rows.append((problem.demands[d].label, ", ".join(cards)))
    return Table("a way to meet them", ("demand", "cards"), tuple(rows))


def _figures(case: Case, problem: CoverageProblem) -> None:
    """Return a table of the demand and supply of each token, the scarcest first, with the demands that need
    it."""
    found = scarcities(problem, range(len(problem.demands)))
    if not found:
        return
    tightest = found[0]
    case.measure(
        "bottleneck",
        tightest.have - tightest.wanted,
        "cards to spare",
        f"“{tightest.token}” ({tightest.need}): {tightest.wanted} needed, {provided(tightest.have)}",
    )
    rows = tuple((s.need, s.token, s.wanted, s.have, s.have - s.wanted) for s in found)
    case.tables.append(Table("demand and supply", ("need", "token", "wanted", "cards", "to spare"), rows))
    columns = sorted({(s.need, s.token) for s in found})
    cells: list[tuple[float, ...]] = []
    for demand in problem.demands:
        asked = {
            (need.name, token.label): float(token.times)
            for need in demand.needs
            if not isinstance(need, Total)
            for token in need.tokens
        }
        cells.append(tuple(asked.get(column, 0.0) for column in columns))
    names = tuple(f"{need}: {token}" for need, token in columns)
    labels = tuple(demand.label for demand in problem.demands)
    case.matrices.append(Matrix("what each demand needs", labels, names, tuple(cells)))


@dataclass(frozen=True, slots=True)
class CoverageQuestion:
    """The problem, and the card behind each of its demands."""

    problem: CoverageProblem
    demands: tuple[Subject, ...]


@dataclass(frozen=True, slots=True)
class _Tokens:
    name: str
    path: Path
    tokens: Reading
    provided_by: Reading


@dataclass(frozen=True, slots=True)
class _Sum:
    """A need for a sum; if it `counts`, an expression chooses the cards."""

    name: str
    what: Reading
    counts: bool
    least: Reading | None
    most: Reading | None


def coverage_question(case: Case) -> CoverageQuestion:
    """Return the problem of a rule. Raises BrokenRuleError."""
    wanting = case.select("demand")
    supply = case.select("supply")
    demands = [subject.card for subject in wanting]
    cards = [subject.card for subject in supply]
    needs = [_need(case, index, demands, cards) for index in range(len(case.data["needs"]))]
    names = [need.name for need in needs]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise BrokenRuleError(f"two needs are named “{name}”", ("needs", index, "name"))
    columns: list[list[Any]] = [[] for _ in cards]
    by_card = [
        [_need_of_cards(need, d, wanting, supply, columns) for need in needs] for d in range(len(demands))
    ]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for index, column in enumerate(columns):
        groups.setdefault(tuple(column), []).append(index)
    first = {kind: indexes[0] for kind, indexes in enumerate(groups.values())}
    supplies = []
    for indexes in groups.values():
        labels: list[str] = []
        for index in indexes:
            labels += [supply.subjects[index].label] * supply.subjects[index].copies
        supplies.append(Supply(tuple(labels)))
    size: Mapping[str, int] = case.data.get("set", {})
    smallest = int(size.get("min", 0))
    largest = int(size.get("max", sum(each.count for each in supplies)))
    if smallest > largest:
        raise BrokenRuleError(f"the bounds cross: min {smallest} is above max {largest}", ("set", "min"))
    wanted = tuple(
        Demand(subject.label, tuple(_need_of_kinds(need, first) for need in by_card[d]))
        for d, subject in enumerate(wanting)
    )
    return CoverageQuestion(CoverageProblem(tuple(supplies), wanted, smallest, largest), wanting.subjects)


def _need(
    case: Case, index: int, demands: Sequence[Mapping[str, Any]], cards: Sequence[Mapping[str, Any]]
) -> _Tokens | _Sum:
    data: Mapping[str, Any] = case.data["needs"][index]
    path: Path = ("needs", index)
    both = {"demand": demands, "supply": cards}
    if "tokens" in data:
        tokens = case.reading(*path, "tokens", extra={"demand": demands})
        provided_by = case.reading(*path, "provided_by", extra={**both, "token": []})
        return _Tokens(data["name"], path, tokens, provided_by)
    counts = "sum" not in data
    what = case.reading(*path, "cards" if counts else "sum", extra=both)
    bounds = [
        case.reading(*path, name, extra={"demand": demands}) if name in data else None
        for name in ("at_least", "at_most")
    ]
    if bounds == [None, None]:
        raise BrokenRuleError("the need has no bound: add at_least or at_most", path)
    return _Sum(data["name"], what, counts, *bounds)


def _need_of_cards(
    need: _Tokens | _Sum,
    d: int,
    wanting: Selection,
    supply: Selection,
    columns: list[list[Any]],
) -> Need:
    """Return the need of this demand, over single cards of the supply. Add the values that distinguish them
    to their columns."""
    subject = wanting.subjects[d]
    demand = subject.card
    cards = [card.card for card in supply]
    if isinstance(need, _Sum):
        weights = tuple(_weight(need, demand, card, subject) for card in cards)
        for column, weight in zip(columns, weights, strict=True):
            column.append(weight)
        bounds = (_bound(each, demand, subject) for each in (need.least, need.most))
        return Total(need.name, dict(enumerate(weights)), *bounds)
    values = items_of(_value(need.tokens, subject, demand=demand))
    wanted = Counter(group_key(value, subject, need.tokens.path) for value in values)
    if len(wanted) * len(cards) * len(wanting) > MAX_CELLS:
        raise BrokenRuleError("the problem is too large to be solved", need.path)
    tokens = []
    for token, times in wanted.items():
        holds = frozenset(
            index
            for index, card in enumerate(cards)
            if _value(need.provided_by, subject, demand=demand, supply=card, token=token)
        )
        for index, column in enumerate(columns):
            column.append(index in holds)
        tokens.append(Token(group_name(token), times, holds))
    return Assignment(need.name, tuple(tokens))


def _need_of_kinds(need: Need, first: Mapping[int, int]) -> Need:
    """Return the need over kinds of supply; `first` is one card of each kind."""
    if isinstance(need, Total):
        weights = {kind: weight for kind, card in first.items() if (weight := need.weights[card])}
        return replace(need, weights=weights)
    tokens = []
    for token in need.tokens:
        providers = frozenset(kind for kind, card in first.items() if card in token.providers)
        tokens.append(replace(token, providers=providers))
    return replace(need, tokens=tuple(tokens))


def _value(reading: Reading, subject: Subject, **values: Any) -> Any:
    try:
        return reading.work_out(values)
    except BrokenRuleError as error:
        raise BrokenRuleError(f"{error} (for “{subject.label}”)", reading.path, error.hint) from None


def _weight(need: _Sum, demand: Mapping[str, Any], card: Mapping[str, Any], subject: Subject) -> float:
    found = _value(need.what, subject, demand=demand, supply=card)
    if need.counts:
        return 1 if found else 0
    return need.what.finite(found, str(card.get("title") or card.get("id")))


def _bound(reading: Reading | None, demand: Mapping[str, Any], subject: Subject) -> float | None:
    if reading is None:
        return None
    return reading.finite(_value(reading, subject, demand=demand), subject.label)


SIZE = ""
"""The limit on the size of a set, among the names of needs."""


@dataclass(frozen=True, slots=True)
class Scarcity:
    """A token: how often demands need it, and the cards that provide it."""

    need: str
    token: str
    wanted: int
    have: int


def provided(count: int) -> str:
    """Count how many cards provide something: "1 provides it", "3 provide it"."""
    return f"{count or 'none'} {'provides' if count < 2 else 'provide'} it"


def scarcities(problem: CoverageProblem, demands: Sequence[int]) -> list[Scarcity]:
    """Return every token that demands need, the scarcest first."""
    wanted: Counter[tuple[str, str]] = Counter()
    providers: dict[tuple[str, str], set[int]] = {}
    for d in demands:
        for need in problem.demands[d].needs:
            for token in need.tokens if isinstance(need, Assignment) else ():
                key = (need.name, token.label)
                wanted[key] += token.times
                providers.setdefault(key, set()).update(token.providers)
    found = [
        Scarcity(*key, times, sum(problem.supplies[s].count for s in providers[key]))
        for key, times in wanted.items()
    ]
    return sorted(found, key=lambda scarcity: (scarcity.have - scarcity.wanted, scarcity.have))


def obstacles(problem: CoverageProblem, demands: Sequence[int], effort: Effort) -> list[str]:
    """Return the names of the needs (or SIZE) without which these demands could be met together."""
    names = dict.fromkeys(need.name for d in demands for need in problem.demands[d].needs)
    return [
        name
        for name in (*names, SIZE)
        if Coverage(problem, effort, without=(name,)).satisfy(demands) is not None
    ]


def reason(problem: CoverageProblem, demands: Sequence[int], effort: Effort) -> str:
    """Return one or two sentences for a hint: the bottleneck of demands that cannot be met together."""
    found = obstacles(problem, demands, effort)
    if not found:
        return "add cards: several needs are short together, no single one is the cause"
    limit = f"the limit of {counted(problem.largest, 'card')}"
    words = [f"the need “{name}”" if name else limit for name in found]
    text = f"drop {' or '.join(words)}"
    for name in found:
        short = _shortage(problem, demands, name)
        if short:
            return f"add cards ({short}) or {text}"
    return text


def _shortage(problem: CoverageProblem, demands: Sequence[int], name: str) -> str:
    for d in demands:
        for need in problem.demands[d].needs:
            if need.name == name and isinstance(need, Total):
                return _total_shortage(problem, demands, name)
            if need.name == name:
                return _token_shortage(problem, demands, name)
    return ""


def _total_shortage(problem: CoverageProblem, demands: Sequence[int], name: str) -> str:
    needs = [
        need
        for d in demands
        for need in problem.demands[d].needs
        if need.name == name and isinstance(need, Total) and need.least is not None
    ]
    asked = sum(need.least or 0 for need in needs)
    weights: list[float] = []
    for s, supply in enumerate(problem.supplies):
        weights += [max((need.weights.get(s, 0) for need in needs), default=0)] * supply.count
    weights.sort(reverse=True)
    most = sum(weight for weight in weights[: problem.largest * len(demands)] if weight > 0)
    if asked > most:
        return f"“{name}” needs {number(asked)}, but the best cards give {number(most)}"
    return ""


def _token_shortage(problem: CoverageProblem, demands: Sequence[int], name: str) -> str:
    wants: list[Token] = []
    for d in demands:
        for need in problem.demands[d].needs:
            if need.name == name and isinstance(need, Assignment):
                wants.extend(token for token in need.tokens for _ in range(token.times))
    short = unprovided(wants, [s for s, supply in enumerate(problem.supplies) for _ in supply.labels])
    if short is None:
        return ""
    names = listed([f"“{label}”" for label in dict.fromkeys(token.label for token in short)])
    asked = f"{counted(len(short), 'card')} {'is' if len(short) == 1 else 'are'} needed for"
    return f"{asked} {names} ({name}), and {provided(len(short) - 1)}"
