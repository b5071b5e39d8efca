"""Whatever happens to the files of a cache, builds and exports give the same bytes and say nothing."""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.files import cache as cache_module

from .dying import snapshot

FLIPS = 200
"""Enough for whole builds: `tests/files/test_cache.py` flips every bit of an entry."""


class Work:
    """A small project with a cache of its own: what a build and an export of it give."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.project, self.cache = cardgen.Project.open(project), cache
        self.output = project / "output"
        self.run(export=False)
        stamps = set(self.cache.glob("stamps/*"))
        self.run()
        (self.export_stamp,) = set(self.cache.glob("stamps/*")) - stamps
        self.clean = snapshot(self.output)

    def run(self, *, export: bool = True) -> None:
        findings = list(cardgen.build(cardgen.BuildOptions("demo"), project=self.project).findings)
        if export:
            wish = cardgen.ExportOptions("demo", "png", settings={"dpi": 30})
            findings += cardgen.export_to(wish, project=self.project).findings
        assert findings == []

    def files(self) -> list[Path]:
        """The files of the cache; each kind has some."""
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def up_to_date(self) -> bool:
        return cardgen.build(cardgen.BuildOptions("demo"), project=self.project).up_to_date


@pytest.fixture
def work(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return Work(tiny, tmp_path / "cache")


def test_every_kind_of_entry_is_there(work: Work) -> None:
    kinds = {path.parent.name for path in work.files()}
    assert kinds == {"art", "sides", "sources", "stamps", "templates"}
    assert work.up_to_date()


@pytest.mark.long
def test_flipped_bytes(work: Work) -> None:
    """One byte flipped in most of the files, over and over, and always in the stamp: a build whose
    stamp holds reads nothing else."""
    dice = random.Random(20)
    flips = 0
    for number in itertools.count():
        export = number % 8 == 0
        for path in work.files():
            if path == work.export_stamp:
                flipped = export
            else:
                flipped = path.parent.name == "stamps" or dice.random() < 0.8
            if flipped:
                data = bytearray(path.read_bytes())
                data[dice.randrange(len(data))] ^= dice.randrange(1, 256)
                path.write_bytes(data)
                flips += 1
        work.run(export=export)
        assert snapshot(work.output) == work.clean
        if flips >= FLIPS:
            break
    assert work.up_to_date()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def folder(path: Path) -> None:
    path.unlink()
    (path / "in the way").mkdir(parents=True)


def bare(path: Path) -> None:
    """The content without what proves it, as a cache without digests would have it."""
    path.write_bytes(path.read_bytes()[56:])


def pretty(path: Path) -> None:
    """JSON that means nothing, however it is read."""
    path.write_bytes(b'{"inputs": "", "outputs": [], "result": {"files": [{"x": 1}]}}')


def of_an_older_version(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(cache_module.MAGIC, b"cardgen cache 1\n"))


def device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unreadable(path: Path) -> None:
    path.chmod(0)


DAMAGES = [emptied, cut, folder, bare, pretty, of_an_older_version]
if os.name == "posix":
    DAMAGES += [device, pipe, unreadable]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files(work: Work, damage: Callable[[Path], None]) -> None:
    for path in work.files():
        damage(path)
    work.run()
    assert snapshot(work.output) == work.clean


def test_files_under_one_another_s_names(work: Work) -> None:
    for kind in sorted(work.cache.iterdir()):
        files = sorted(kind.iterdir())
        contents = [path.read_bytes() for path in files]
        for path, content in zip(files, contents[1:] + contents[:1]):
            path.write_bytes(content)
    work.run()
    assert snapshot(work.output) == work.clean
    everything = work.files()
    contents = [path.read_bytes() for path in everything]
    for path, content in zip(everything, contents[1:] + contents[:1]):
        path.write_bytes(content)
    work.run()
    assert snapshot(work.output) == work.clean


def test_another_project_s_entries_are_not_taken(work: Work) -> None:
    """What is right of one project, put under the names of another one's."""
    other = work.project.root.parent / "other"
    shutil.copytree(work.project.root, other, ignore=shutil.ignore_patterns("output"))
    own = work.files()
    part = other / "templates/demo/part.svg"
    part.write_text(part.read_text("utf-8").replace("M10 40", "M10 50"), "utf-8")
    cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(other))
    theirs = [path for path in work.files() if path not in own]
    assert theirs
    for path in own:
        for their in theirs:
            if their.parent == path.parent:
                shutil.copy(their, path)
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
