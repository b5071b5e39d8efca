"""Whatever happens to the files of a cache, builds and exports give the same bytes and say nothing."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.files import cache as cache_module

from .dying import snapshot

ROUNDS = 30
"""Enough for whole builds: `tests/files/test_cache.py` flips many more."""


class Work:
    """A small project with a cache of its own: what a build and an export of it give."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.project, self.cache = cardgen.Project.open(project), cache
        self.output = project / "output"
        self.run()
        self.clean = snapshot(self.output)

    def run(self, *, export: bool = True) -> None:
        findings = list(cardgen.build(cardgen.BuildOptions("demo"), project=self.project).findings)
        if export:
            wish = cardgen.ExportOptions("demo", "png", settings={"dpi": 30})
            findings += cardgen.export_to(wish, project=self.project).findings
        assert findings == []

    def files(self) -> list[Path]:
        """The files of the cache, which nobody has open."""
        cache_module._table_of.cache_clear()
        return sorted(path for path in self.cache.rglob("*") if path.is_file() and path.suffix != ".lock")

    def up_to_date(self) -> bool:
        return cardgen.build(cardgen.BuildOptions("demo"), project=self.project).up_to_date


@pytest.fixture
def work(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return Work(tiny, tmp_path / "cache")


def test_all_is_in_one_file(work: Work) -> None:
    assert [path.name for path in work.files()] == [cache_module.FILE]
    assert work.up_to_date()


@pytest.mark.long
def test_flipped_bytes(work: Work) -> None:
    """Some bytes flipped, over and over."""
    dice = random.Random(20)
    for _ in range(ROUNDS):
        for path in work.files():
            data = bytearray(path.read_bytes())
            for _ in range(dice.randrange(1, 20) if data else 0):  # a log of changes may be empty
                data[dice.randrange(len(data))] ^= dice.randrange(1, 256)
            path.write_bytes(data)
        work.run()
        assert snapshot(work.output) == work.clean
    assert work.up_to_date()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def folder(path: Path) -> None:
    path.unlink()
    (path / "in the way").mkdir(parents=True)


def device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unreadable(path: Path) -> None:
    path.chmod(0)


DAMAGES = [emptied, cut, folder]
if os.name == "posix":
    DAMAGES += [device, pipe, unreadable]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files(work: Work, damage: Callable[[Path], None]) -> None:
    for path in work.files():
        damage(path)
    work.run()
    assert snapshot(work.output) == work.clean


def test_another_project_s_entries_are_not_taken(work: Work) -> None:
    """A cache in which all is right of a project that is nearly the same."""
    other = work.project.root.parent / "other"
    shutil.copytree(work.project.root, other, ignore=shutil.ignore_patterns("output"))
    part = other / "templates/demo/part.svg"
    part.write_text(part.read_text("utf-8").replace("M10 40", "M10 50"), "utf-8")
    for path in work.files():
        path.unlink()
    cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(other))
    assert work.files()
    work.run()
    assert snapshot(work.output) == work.clean


@pytest.mark.parametrize("where", ["a file", "below a file", "nowhere"])
def test_without_a_cache(work: Work, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    shutil.rmtree(work.output)
    place = {"a file": "file", "below a file": "file/deep/cache", "nowhere": "nowhere"}[where]
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / place))
    if where == "nowhere":
        monkeypatch.delenv("CARDGEN_CACHE")
        monkeypatch.setattr(cache_module, "cache_folder", lambda: None)
    work.run()
    assert snapshot(work.output) == work.clean
    assert not work.up_to_date()
