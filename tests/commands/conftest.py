from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.measuring import measured_children

__all__ = ["measured_children"]
Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]


@pytest.fixture(autouse=True)
def _measured(measured_children: Path | None) -> None:
    """Where coverage measures, commands in processes of their own count."""


@pytest.fixture
def german(run: Run, demo: Path, edit: Edit) -> Path:
    """The demo project, which states German and has an untranslated PO file."""
    edit("data/demo/game.yaml", "language: en\n", "language: en\nlanguages: {de: {}}\n")
    code, out, err = run("translate", "demo")
    assert code == 0, err
    assert "0 of 16 texts done, 16 missing, 0 stale" in out
    return demo
