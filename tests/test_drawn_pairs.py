"""Every drawing of tests/drawings in every role: right, or refused in words; none wrong without a word.

A new NAME.svg with its NAME.png is one more of them. Of each area every twelfth is tried always, the others
in the long step.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.for_each import for_each
from tests.sampling import one_in
from tests.test_drawings import AREAS, DRAWINGS, benchmark

LEAST = {
    "blending": 0.9,
    "editors": 0.9,
    "filters": 0.85,
    "masking": 0.85,
    "painting": 0.9,
    "servers": 0.9,
    "shapes": 0.85,
    "structure": 0.85,
    "styling": 0.85,
    "text": 0.95,
}
"""How much of an area is right at least, in each role."""
EACH = 12
ROLES = benchmark.ROLES


def found(area: str) -> list[benchmark.Pair]:  # type: ignore[name-defined]
    return benchmark.pairs([DRAWINGS / area])


def judge(pairs: list[object], least: float) -> None:
    """Have all of these drawn; each that is not as it should be is named with its finding."""
    done = list(benchmark.outcomes(pairs, ROLES))
    assert len(done) == len(pairs) * len(ROLES)
    bad = {f"{each.role} {each.pair.name}": each.why for each in done if each.verdict in ("wrong", "error")}
    assert bad == {}
    for role in ROLES:
        mine = [each for each in done if each.role == role]
        right = sum(each.verdict == "right" for each in mine)
        rest = [f"{each.pair.name}: {each.why}" for each in mine if each.verdict != "right"]
        assert right >= least * len(mine), "\n".join([f"{role}: {right} of {len(mine)}", *rest])
    silent = [each for each in done if each.verdict == "refused" and len(each.why) < 10]
    assert not silent


def test_areas_are_all_judged() -> None:
    assert set(LEAST) == AREAS


@pytest.mark.parametrize("part", one_in(2, range(2)))
def test_a_twelfth_of_all_is_right_or_refused(part: int) -> None:
    chosen = [pair for area in sorted(AREAS) for pair in found(area)[::EACH]]
    mine = chosen[part::2]
    # Keys count from 0 in each area, and one project takes them all.
    judge([replace(pair, key=f"d{n:05}") for n, pair in enumerate(mine)], 0.75)


@pytest.mark.long
@for_each("area", sorted(AREAS))
def test_none_is_wrong_without_a_word(area: str) -> None:
    judge(found(area), LEAST[area])
