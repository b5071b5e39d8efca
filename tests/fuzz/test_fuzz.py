"""A fixed number of mutated packs, always the same: about a minute of processor time.

Left out of an ordinary run; `pytest -m long` runs it. A failing case is run alone, and made small, by
`python -m tests.fuzz --seed SEED --start NUMBER --cases 1`.
"""

from __future__ import annotations

import sys

import pytest

from tests.for_each import for_each

from .running import fuzzer

SEED = 20
CASES = 600
PARTS = 4
"""Tests that share the cases, so that none keeps the others waiting at the end."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="each case runs in a forked process"),
]


@for_each("part", range(PARTS))
def test_mutated_packs_end_in_findings(part: int) -> None:
    wrong = []
    with fuzzer() as running:
        for number in range(part, CASES, PARTS):
            wrong += [
                f"{failure.case.name}, {failure.case.command}: {failure.fault[:1500]}"
                for failure in running.failures(SEED, number)
            ]
    assert wrong == []
