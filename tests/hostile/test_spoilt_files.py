"""Every file of a small project in turn replaced by something that is no such file."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.core.findings import CardgenError, Findings
from cardgen.files.project import Project, bundled_root, check_folders
from cardgen.game.facts import check_services
from tests.sampling import one_in

from .cases import PROJECT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and links")

FILES = (
    "data/demo/game.yaml",
    "data/demo/cards.yaml",
    "data/services/mine.yaml",
    "schemas/demo/cards.schema.json",
    "templates/demo/card.svg",
    "templates/demo/icons/sun.svg",
    "templates/demo/dot.png",
    "fonts/fonts.yaml",
    "fonts/own.ttf",
)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(20_000_000_000)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(here)


SPOILERS: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "nowhere": lambda path: path.symlink_to("nowhere"),
    "cycle": lambda path: path.symlink_to(path.name),
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "full": lambda path: path.symlink_to("/dev/full"),
    "machine": lambda path: path.symlink_to("/"),
    "process": lambda path: path.symlink_to("/proc/self/environ"),
    "pipe": os.mkfifo,
    "socket": _socket,
    "empty": Path.touch,
    "binary": lambda path: path.write_bytes(bytes(range(256))),
    "sparse": _sparse,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small project, with a file of every sort."""
    folder = tmp_path_factory.mktemp("whole") / "project"
    shutil.copytree(PROJECT, folder)
    for name in ("data/services", "fonts", "templates/demo/icons"):
        (folder / name).mkdir()
    shutil.copy(bundled_root() / "fonts/ibm-plex-sans/IBMPlexSans-Bold.ttf", folder / "fonts/own.ttf")
    (folder / "fonts/fonts.yaml").write_text("families: {Mine: {faces: [{file: own.ttf}]}}\n")
    (folder / "data/services/mine.yaml").write_text("title: Mine\nlike: mpc\n")
    (folder / "templates/demo/icons/sun.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    _picture(folder / "templates/demo/dot.png")
    template = folder / "templates/demo/card.svg"
    shown = (
        '{{ icon("sun", 10, 30, 20) }}<image href="dot.png" x="9" y="50" width="9" height="9"/>'
        '<text x="9" y="70" font-family="Mine" font-size="4">x</text></svg>'
    )
    template.write_text(template.read_text().replace("</svg>", shown))
    return folder


def _picture(path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (120, 120), "#884422").save(path)


def said(folder: Path) -> set[str]:
    """The codes of all that `check` says about the project, but for its rules."""
    project = Project.open(folder)
    findings = Findings()
    check_folders(project.paths, "demo", findings)
    check_services(project.paths, findings)
    try:
        game = cardgen.load("demo", project=project)
        findings.extend(cardgen.check(game))
    except CardgenError as error:
        findings.extend(error.findings)
    return {finding.code for finding in findings if finding.severity == "error"}


def test_the_whole_project_is_sound(whole: Path) -> None:
    assert said(whole) == set()


@pytest.mark.parametrize("file", one_in(5, FILES))
def test_a_spoilt_file_is_a_finding(file: str, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(whole, folder)
    for how, spoil in SPOILERS.items():
        (folder / file).unlink()
        spoil(folder / file)
        assert said(folder), how
        if (folder / file).is_dir() and not (folder / file).is_symlink():
            (folder / file).rmdir()
            (folder / file).touch()
