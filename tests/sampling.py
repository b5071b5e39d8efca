"""Some cases of many in every run, and all of them with `pytest -m long`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

short_run = False
"""True where long tests are left out anyway: then none is made for a case of `one_in`, which would take as
long as many short tests."""


def one_in(every: int, cases: Iterable[Any], ids: Sequence[str] = ()) -> list[Any]:
    """Cases to parametrize a test by, of which the first and each so many-th after it are in every run."""
    named = (pytest.param(*_values(case), id=id) for case, id in zip(cases, ids)) if ids else cases
    return sampled((case, index % every == 0) for index, case in enumerate(named))


def sampled(cases: Iterable[tuple[Any, bool]]) -> list[Any]:
    """Cases to parametrize a test by, each with whether it is in every run."""
    return [
        case
        if always
        else pytest.param(*_values(case), marks=pytest.mark.long, id=getattr(case, "id", None))
        for case, always in cases
        if always or not short_run
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return tuple(getattr(case, "values", case)) if isinstance(case, tuple) else (case,)
