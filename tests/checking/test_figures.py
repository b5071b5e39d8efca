"""A figure that a shipped game prints elsewhere as well cannot change in one of the two places alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.model.game import ProjectPaths

from . import slips
from .decks import ROOT

CHANGES: list[dict[str, Any]] = list(slips.slips_of("figures"))


@pytest.mark.parametrize("slip", CHANGES, ids=lambda slip: f"{slip['game']}, {slip['name']}")
def test_a_changed_figure_is_caught(slip: dict[str, Any], tmp_path: Path) -> None:
    rules = slips.rules_of(slip["game"], ProjectPaths((ROOT,))).data["rules"]
    slips.must_be_caught(slip["game"], tuple(rule["id"] for rule in rules), slip, tmp_path)
