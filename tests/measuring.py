"""When coverage measures the tests, it measures the processes that they start as well."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "COVERAGE_PROCESS_START"
"""By which coverage starts in a new process: the file of its settings."""


@pytest.fixture(scope="session")
def measured_children(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """The folder where processes that find VARIABLE leave what they ran, None where nothing is measured.
    At the end that counts as if it had been run here."""
    try:
        import coverage
    except ImportError:  # no test needs it
        coverage = None  # type: ignore[assignment]
    here = coverage.Coverage.current() if coverage else None
    if here is None:
        yield None
        return
    folder = tmp_path_factory.mktemp("measured")
    settings = {
        "source": [os.path.abspath(place) for place in here.get_option("run:source") or []],  # type: ignore[union-attr]
        "branch": bool(here.get_option("run:branch")),
        "parallel": True,
        "data_file": str(folder / "ran"),
        "patch": ["_exit"],
    }
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    (folder / "settings.toml").write_text(f"[tool.coverage.run]\n{lines}", encoding="utf-8")
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(folder / "settings.toml")
    yield folder
    if before is None:
        del os.environ[VARIABLE]
    else:
        os.environ[VARIABLE] = before
    for file in folder.glob("ran.*"):
        ran = coverage.CoverageData(str(file))
        ran.read()
        here.get_data().update(ran)
