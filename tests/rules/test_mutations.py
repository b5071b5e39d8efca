"""A mistake in a game's data is caught at its line, by the check that is meant for it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cardgen.files.project import starters_root
from tests.for_each import for_each
from tests.sampling import one_in
from tests.shipped import GAMES, PROJECT

from .mutations import Mutation, examine, in_all_lists, must_be_caught, paths_of, rules_with_verdict

pytestmark = pytest.mark.usefixtures("read_once")

LISTS = in_all_lists()
ALL = [mutation for listed in LISTS.values() for mutation in listed]
EVERY = {"figures": 4, "hackers": 12}
"""How many of each list are in every run: one in so many, or else one in 30."""


def name_of(mutation: Mutation) -> str:
    place = mutation.get("card", mutation["file"])
    return f"{mutation.get('starter', mutation['game'])}, {place}, {mutation['name']}"


@pytest.fixture(scope="module")
def starters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("starters")


@pytest.mark.parametrize(
    "mutation",
    [case for name, listed in LISTS.items() for case in one_in(EVERY.get(name, 30), listed)],
    ids=name_of,
)
def test_mutation_is_caught_at_its_line(mutation: Mutation, starters: Path, tmp_path: Path) -> None:
    must_be_caught(mutation, starters, tmp_path)


def test_mutations_differ() -> None:
    assert Counter(name_of(mutation) for mutation in ALL).most_common(1)[0][1] == 1
    assert {mutation["game"] for mutation in LISTS["careless"]} == set(GAMES)


@pytest.mark.long
@for_each("game", GAMES)
def test_game_without_a_mutation_has_no_findings(game: str) -> None:
    findings, results = examine(game)
    assert findings == []
    assert all(result.ok for result in results)


@for_each("game", ["access-denied", "blockminers", "hackers"])
def test_every_rule_of_a_game_has_a_mutation(game: str) -> None:
    """A rule that nothing breaks proves nothing."""
    broken = {mutation["code"] for mutation in ALL if mutation["game"] == game}
    assert {f"rule/{id}" for id in rules_with_verdict(game, PROJECT.paths)} <= broken


@pytest.mark.long
@for_each("starter", sorted({each["starter"] for each in LISTS["starters"]}))
def test_every_rule_of_a_new_game_has_a_mutation(starter: str, starters: Path) -> None:
    of = [mutation for mutation in LISTS["starters"] if mutation["starter"] == starter]
    paths = paths_of(of[0], starters)
    rules = rules_with_verdict(of[0]["game"], paths)
    assert {f"rule/{id}" for id in rules} == {mutation["code"] for mutation in of}
    assert examine(of[0]["game"], paths)[0] == []


def test_every_starter_has_mutations() -> None:
    made = {mutation["starter"] for mutation in LISTS["starters"]}
    assert made == {*(path.parent.name for path in starters_root().glob("*/README.md")), "scaffold"}
