"""Simulations played more often than their rules state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check.check import MOST_TIMES, simulate
from tests.for_each import for_each

RULES = """rules:
  - id: size
    question: How many?
    kind: count
    component: cards
    min: 1
  - id: coin
    question: Heads?
    kind: simulate
    seed: 3
    runs: 100
    state: {heads: false}
    zones: {none: {}}
    steps: [{set: {heads: chance(0.5)}}]
    measures: [{name: heads, value: heads, max: MAX}]
"""


def game_with(folder: Path, most: str = "0.7") -> cardgen.Game:
    (folder / "data/demo/rules.yaml").write_text(RULES.replace("MAX", most), encoding="utf-8")
    return cardgen.load("demo", project=cardgen.Project.open(folder))


def test_more_times_narrow_the_interval_around_the_mean_of_other_seeds(demo: Path) -> None:
    game = game_with(demo)
    ((once,), _) = simulate(game)
    ((often,), findings) = simulate(game, ["coin"], times=9)
    assert (once.runs, often.runs, findings) == (100, 900, [])
    (one,), (many,) = once.measures, often.measures
    assert one.interval is not None
    assert many.interval is not None
    assert many.interval[1] - many.interval[0] == pytest.approx(
        (one.interval[1] - one.interval[0]) / 3, 0.05
    )
    assert many.value != one.value
    assert many.value == pytest.approx(0.5, abs=0.05)
    assert simulate(game, times=9)[0] == [often]


def test_a_measure_outside_of_its_bounds_is_a_finding_of_its_rule(demo: Path) -> None:
    _, (found,) = simulate(game_with(demo, "0.2"), times=2)
    assert (found.code, found.severity) == ("rule/coin", cardgen.Severity.ERROR)
    assert found.location is not None
    assert (found.location.file, found.location.path) == ("data/demo/rules.yaml", "rules[1]")


@for_each(("rules", "times"), [(["size"], 1), (["con"], 1), ([], 0), ([], MOST_TIMES + 1)])
def test_other_rules_and_numbers_are_refused(demo: Path, rules: list[str], times: int) -> None:
    with pytest.raises(cardgen.UsageError):
        simulate(game_with(demo), rules, times=times)


def test_a_game_without_simulations_says_so(demo: Path) -> None:
    with pytest.raises(cardgen.UsageError) as caught:
        simulate(cardgen.load("demo", project=cardgen.Project.open(demo)))
    assert caught.value.findings[0].hint == "cardgen explain simulate"


def test_a_broken_simulation_stops_with_its_reason(demo: Path) -> None:
    game = game_with(demo, "nobody")
    with pytest.raises(cardgen.CardgenError) as caught:
        simulate(game)
    assert [each.code for each in caught.value.findings] == ["rule/coin"]


def test_the_command_prints_each_measure(demo: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    game_with(demo, "0.2")
    code, out, _ = run("simulate", "demo", "--times", "2")
    assert code == 1
    assert "coin: Heads? (200 runs)" in out
    assert "(max 0.2)" in out
    assert "rule/coin" in out
