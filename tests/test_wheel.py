"""The wheel works from any folder, with the bundled games inside."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content as pip lays it down."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # The installed package must win over the checkout, also where that is installed as editable.
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); import cardgen.cli as c; "
        f"assert c.__file__.startswith({str(installed)!r}), c.__file__; sys.exit(c.main({list(words)!r}))"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "CARDGEN_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_bundled_game_builds_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "build", "hackers", "--sheet", "tokens")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output" / "hackers" / "tokens.pdf").stat().st_size > 10_000


def test_new_works_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "new", "night-market").returncode == 0
    done = run(installed, tmp_path / "night-market", "build", "night-market")
    assert done.returncode == 0, done.stderr


def test_licences_and_types_travel(installed: Path) -> None:
    assert (installed / "cardgen" / "py.typed").is_file()
    fonts = installed / "cardgen" / "_bundled" / "fonts"
    for folder in fonts.iterdir():
        if folder.is_dir():
            assert (folder / "LICENSE.txt").is_file(), folder.name
