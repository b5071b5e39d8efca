"""The wheel works from any folder, with the bundled games inside."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def build(target: str, source: Path, folder: Path) -> Path:
    """The file that hatchling makes of a folder, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist's content."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source


@pytest.fixture(scope="module")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of the wheel that is made from the sdist, as pip lays it down."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(build("wheel", unpacked, tmp_path_factory.mktemp("wheel"))) as archive:
        archive.extractall(site)
    return site


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_sdist_is_the_repository(unpacked: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode("utf-8")
    there = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert names(unpacked) == there - {"output/.gitkeep"} | {"PKG-INFO"}


@pytest.mark.long
def test_a_checkout_makes_the_same_wheel_as_the_sdist(installed: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(build("wheel", ROOT, tmp_path)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert set(files) == names(installed)
    assert [name for name, data in files.items() if (installed / name).read_bytes() != data] == []


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


STARTED = """
import cardgen.drawing.cairo, sys
assert sys.path[0] in cardgen.drawing.cairo.__file__
made = sys.modules.get("cardgen.drawing.cairo_declarations")
print("pycparser" in sys.modules, made is not None and made.ffi is cardgen.drawing.cairo.cairo.ffi)
"""


def start(installed: Path) -> list[str]:
    """Whether C was parsed to start cairo, and whether the wheel's declarations were used."""
    code = f"import sys; sys.path.insert(0, {str(installed)!r})\n{STARTED}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=installed, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_cairo_s_declarations_travel_and_are_used(installed: Path) -> None:
    assert start(installed) == ["False", "True"]


def test_declarations_of_another_cairocffi_are_left_alone(installed: Path) -> None:
    file = installed / "cardgen" / "drawing" / "cairo_declarations.py"
    written = file.read_text(encoding="ascii")
    try:
        file.write_text(written.replace('MADE_FROM = "', 'MADE_FROM = "another'), encoding="ascii")
        assert start(installed) == ["True", "False"]
    finally:
        file.write_text(written, encoding="ascii")


class _App:
    said: str = ""

    def display_warning(self, text: str) -> None:
        self.said = text


@pytest.mark.parametrize(
    ("version", "missing"), [("standard", "cffi"), ("standard", "cairocffi"), ("editable", "")]
)
def test_a_wheel_can_do_without_them(version: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "cffi":
        monkeypatch.setitem(sys.modules, "cffi", None)
    elif missing:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    hook = runpy.run_path(str(ROOT / ".ci" / "wheel_hook.py"))["WheelHook"]
    app = _App()
    data: dict[str, Any] = {"force_include": {}}
    made = hook(str(ROOT), {}, None, None, str(ROOT), "wheel", app)
    made.initialize(version, data)
    made.finalize(version, data, "")
    assert data == {"force_include": {}}
    assert ("more slowly" in app.said and missing in app.said) == bool(missing)


@pytest.mark.long
def test_a_bundled_game_builds_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "build", "hackers", "--sheet", "tokens")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output" / "hackers" / "tokens.pdf").stat().st_size > 10_000


def test_new_works_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "new", "night-market").returncode == 0
    done = run(installed, tmp_path / "night-market", "build", "night-market")
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_starters_work_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "new", "cave", "--template", "tokens").returncode == 0
    done = run(installed, tmp_path / "cave", "build", "cave")
    assert done.returncode == 0, done.stderr


def test_licences_and_types_travel(installed: Path) -> None:
    assert (installed / "cardgen" / "py.typed").is_file()
    fonts = installed / "cardgen" / "_bundled" / "fonts"
    for folder in fonts.iterdir():
        if folder.is_dir():
            assert (folder / "LICENSE.txt").is_file(), folder.name
