"""A game beside what it was at an earlier revision: sizes, and how rules came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.checking.results import Measure, RuleResult, Table, listed
from cardgen.model.game import Game

MOST_FIGURES = 6
"""Most changed figures of a rule that are said; the others are counted."""
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A game as it was at a revision, and how its rules came out then."""

    name: str
    game: Game
    results: tuple[RuleResult, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What differs from the revision called `name`: components by size, rules by verdict and figures. The
    tables have rows for what differs alone."""

    name: str
    sizes: Table
    rules: Table

    @property
    def summary(self) -> str:
        if not self.sizes.rows and not self.rules.rows:
            return f"Sizes, verdicts and figures are those of {self.name}."
        return f"What is not as it was at {self.name}."


def compared(game: Game, results: Sequence[RuleResult], earlier: Earlier) -> Compared:
    """What differs between a game and the same game earlier."""
    return Compared(
        earlier.name,
        Table(
            "Components",
            ("component", "distinct, then", "distinct, now", "in all, then", "in all, now"),
            tuple(_sizes(game, earlier.game)),
        ),
        Table("Rules", ("rule", "then", "now", "figures"), tuple(_rules(results, earlier.results))),
    )


def _sizes(game: Game, before: Game) -> list[tuple[str | int, ...]]:
    now = {component.id: component for component in game.components}
    then = {component.id: component for component in before.components}
    rows: list[tuple[str | int, ...]] = []
    for id in dict.fromkeys((*now, *then)):
        old, new = then.get(id), now.get(id)
        sizes = [ABSENT if one is None else one.unique for one in (old, new)]
        sizes += [ABSENT if one is None else one.copies for one in (old, new)]
        if sizes[0] != sizes[1] or sizes[2] != sizes[3]:
            title = new.title if new else old.title if old else id
            rows.append((title, *sizes))
    return rows


def _rules(results: Sequence[RuleResult], before: Sequence[RuleResult]) -> list[tuple[str, ...]]:
    now = {result.rule.name: result for result in results}
    then = {result.rule.name: result for result in before}
    rows = []
    for name in dict.fromkeys((*now, *then)):
        old, new = then.get(name), now.get(name)
        verdicts = tuple(ABSENT if one is None else one.verdict.value for one in (old, new))
        figures = _figures(old.measures, new.measures) if old and new else []
        if verdicts[0] != verdicts[1] or figures:
            rows.append((name, *verdicts, listed(figures, MOST_FIGURES)))
    return rows


def _figures(before: Sequence[Measure], after: Sequence[Measure]) -> list[str]:
    old = {measure.name: measure.words for measure in before}
    new = {measure.name: measure.words for measure in after}
    return [
        f"{name}: {old.get(name, ABSENT)} → {new.get(name, ABSENT)}"
        for name in dict.fromkeys((*new, *old))
        if old.get(name) != new.get(name)
    ]
