"""A figure that a shipped game prints elsewhere as well cannot change in one of the two places alone.
What a careless hand does to a record is noticed where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.model.game import ProjectPaths
from tests.sampling import one_in

from . import slips
from .decks import ROOT

pytestmark = pytest.mark.usefixtures("read_once")

FIGURES: list[dict[str, Any]] = list(slips.slips_of("figures"))
CARELESS: list[dict[str, Any]] = list(slips.slips_of("careless"))
TIRED: list[dict[str, Any]] = list(slips.slips_of("tired"))


def named(slip: Any) -> str:
    return f"{slip['game']}, {slip['file']}, {slip['name']}"


@pytest.mark.parametrize("slip", FIGURES, ids=named)
def test_a_changed_figure_is_caught(slip: dict[str, Any], tmp_path: Path) -> None:
    must_be_caught(slip, tmp_path)


@pytest.mark.parametrize("slip", one_in(12, CARELESS), ids=named)
def test_a_careless_edit_is_caught(slip: dict[str, Any], tmp_path: Path) -> None:
    must_be_caught(slip, tmp_path)


@pytest.mark.parametrize("slip", one_in(12, TIRED), ids=named)
def test_a_tired_edit_is_caught(slip: dict[str, Any], tmp_path: Path) -> None:
    must_be_caught(slip, tmp_path)


def test_the_careless_edits_are_many_and_all_different() -> None:
    assert len({(slip["game"], named(slip)) for slip in CARELESS}) == len(CARELESS) >= 80
    assert {slip["game"] for slip in CARELESS} == {
        path.parent.name for path in ROOT.glob("data/*/game.yaml")
    }
    assert len({named(slip) for slip in TIRED}) == len(TIRED)


def must_be_caught(slip: dict[str, Any], folder: Path) -> None:
    rules = slips.rules_of(slip["game"], ProjectPaths((ROOT,))).data["rules"]
    slips.must_be_caught(slip["game"], tuple(rule["id"] for rule in rules), slip, folder)
