from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.files import confinement as parent
from cardgen.files.confinement_limits import Places
from tests.measuring import VARIABLE, measured_children

__all__ = ["measured_children"]


@pytest.fixture(autouse=True)
def _measured(measured_children: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where coverage measures, confined processes learn of it and may write down what they ran."""
    if measured_children is None:
        return
    prepared, folder = parent._prepared, str(measured_children)

    @contextlib.contextmanager
    def wider(places: Places) -> Iterator[object]:
        with prepared(Places((*places.reads, folder), (*places.writes, folder))) as made:
            yield made

    monkeypatch.setattr(parent, "PASSED_ON", parent.PASSED_ON | {VARIABLE})
    monkeypatch.setattr(parent, "_prepared", wider)
