"""Fixtures of the rendering tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.art.support import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """An empty project folder to write templates into."""
    return Workshop(tmp_path)
