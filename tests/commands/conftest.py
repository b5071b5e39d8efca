from __future__ import annotations

from pathlib import Path

import pytest

from tests.measuring import measured_children

__all__ = ["measured_children"]


@pytest.fixture(autouse=True)
def _measured(measured_children: Path | None) -> None:
    """Where coverage measures, commands in processes of their own count."""
