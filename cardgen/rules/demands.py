"""A `satisfiable` rule as a problem for the solver, and the answer in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core.records import dataclass, replace
from cardgen.rules.case import BrokenRuleError, Case, Path, Reading, Selection, group_key, group_name
from cardgen.rules.pool import Subject, items_of
from cardgen.rules.results import counted, listed, number
from cardgen.rules.solver import (
    MAX_CELLS,
    Assignment,
    Coverage,
    CoverageProblem,
    Demand,
    Effort,
    Need,
    Supply,
    Token,
    Total,
    unprovided,
)


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
