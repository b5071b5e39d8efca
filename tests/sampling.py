"""Some cases of many in every run, and all of them with `pytest -m long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """Cases to parametrize a test by, of which the first and each so many-th after it are in every run."""
    return [
        case if index % every == 0 else pytest.param(*_values(case), marks=pytest.mark.long)
        for index, case in enumerate(cases)
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
