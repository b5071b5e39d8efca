"""What several tests need: a small project of their own, and a cache that is nobody else's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cardgen
from cardgen.cli import main


@pytest.fixture(scope="session", autouse=True)
def _private_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor write the cache and the printer profiles of the person running them.

    The workers of one run share theirs, as two builds at once do.
    """
    base = tmp_path_factory.getbasetemp()
    folder = base.parent / "user" if "PYTEST_XDIST_WORKER" in os.environ else base / "user"
    names = (
        "CARDGEN_CACHE",
        "CARDGEN_CONFIG",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPYCACHEPREFIX",
        "SOURCE_DATE_EPOCH",
    )
    before = {name: os.environ.get(name) for name in names}
    os.environ["CARDGEN_CACHE"] = str(folder / "cache")
    os.environ["CARDGEN_CONFIG"] = str(folder / "config")
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        # Where no compiled code may lie beside the source, every command would compile all of it anew.
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    yield
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(scope="session")
def _demo_original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cardgen.new_project("demo", tmp_path_factory.mktemp("new"))


@pytest.fixture
def demo(_demo_original: Path, tmp_path: Path) -> Path:
    """A project folder as `cardgen new demo` makes it."""
    return Path(shutil.copytree(_demo_original, tmp_path / "demo"))


@pytest.fixture
def edit(demo: Path) -> Callable[[str, str, str], Path]:
    """Replaces a text that stands exactly once in a file of the demo project."""

    def replace(file: str, old: str, new: str) -> Path:
        path = demo / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return replace


@pytest.fixture
def run(demo: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command in the demo project; returns exit code, standard output, standard error."""

    def call(*words: str) -> tuple[int, str, str]:
        try:
            code = main([words[0], "--project", str(demo), *words[1:]])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call
