"""kill -9 at every single step of every command that writes.

However a command ends, every file is whole and is the old one or the new one; after the next run all
are the new ones, to the byte, and nothing is left over.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check import check
from cardgen.commands.check.check import write_report
from cardgen.commands.data.reference import write_reference
from cardgen.exports.delivery import deliver
from cardgen.exports.job import PlannedFile
from cardgen.files.changes import Changes

from .conftest import retitle
from .dying import SOME_OR_ALL, Disk, end_of, hidden, kill, killed_at_every_step, snapshot

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")


class Trial:
    """A command that brings folders from their old state to a new one."""

    def __init__(self, work: Callable[[], object], keep: Path, *folders: Path) -> None:
        self.work, self.folders, self._keep = work, folders, keep
        self.kills = self.mixed = 0
        for folder in folders:
            shutil.copytree(folder, keep / folder.name)
        self.old = self._state()
        work()
        self.new = self._state()
        assert self.new != self.old

    def _state(self) -> list[dict[str, bytes]]:
        return [snapshot(folder) for folder in self.folders]

    def prepare(self) -> None:
        for folder in self.folders:
            shutil.rmtree(folder)
            shutil.copytree(self._keep / folder.name, folder)

    def run(self, every: int = 1) -> None:
        """Be killed everywhere, or `every` so many steps. `mixed` counts how often some of a folder's files
        were old, some new."""
        for _ in killed_at_every_step(self.work, self.prepare, every):
            self.kills += 1
            for found, old, new in zip(self._state(), self.old, self.new):
                for name, content in found.items():
                    assert content in (old.get(name), new.get(name)), name
                self.mixed += found not in (old, new)
            self.work()
            assert self._state() == self.new
            assert [hidden(folder) for folder in self.folders] == [[] for _ in self.folders]
        changed = sum(
            old.get(name) != new.get(name) for old, new in zip(self.old, self.new) for name in old | new
        )
        # Where a file is removed its folder may go too.
        assert self.mixed <= 2 * changed, "only while files are renamed"


@pytest.fixture
def project(tiny: Path) -> cardgen.Project:
    """A project that was built, exported and edited."""
    project = cardgen.Project.open(tiny)
    build(project)
    export(project)
    (tiny / "output/demo/png/cards/mine.txt").write_text("a stranger's")
    retitle(tiny)
    return project


def build(project: cardgen.Project) -> object:
    return cardgen.build(cardgen.BuildOptions("demo", sheets=("poker", "single")), project=project)


def export(project: cardgen.Project) -> object:
    wish = cardgen.ExportOptions("demo", "png", settings={"dpi": 30})
    return cardgen.export_to(wish, project=project)


@SOME_OR_ALL
@pytest.mark.parametrize("command", [build, export])
def test_builds_and_exports(
    project: cardgen.Project, command: Callable[[cardgen.Project], object], tmp_path: Path, every: int
) -> None:
    trial = Trial(lambda: command(project), tmp_path / "kept", project.root / "output")
    trial.run(every)
    assert trial.kills > 15 // every


@SOME_OR_ALL
def test_a_first_build_with_an_empty_cache(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    project = cardgen.Project.open(tiny)
    build(project)
    new = snapshot(tiny / "output")

    def prepare() -> None:
        for folder in (tmp_path / "cache", tiny / "output"):
            shutil.rmtree(folder, ignore_errors=True)

    kills = 0
    for _ in killed_at_every_step(lambda: build(project), prepare, 2 * every):
        kills += 1
        if (tiny / "output").exists():
            assert snapshot(tiny / "output").items() <= new.items()
        if kills % 4 == 0:
            build(project)
            assert snapshot(tiny / "output") == new
            assert hidden(tiny / "output") == []
    assert kills >= 15 // every


@SOME_OR_ALL
def test_what_killed_builds_leave_does_not_add_up(project: cardgen.Project, every: int) -> None:
    """Not even where a run is killed again and again."""
    output = project.root / "output"
    for _ in killed_at_every_step(lambda: build(project), lambda: None, every):
        assert len([name for name in hidden(output) if "/" not in name.removeprefix("demo/")]) <= 1
    build(project)
    assert hidden(output) == []


def test_a_run_that_has_nothing_else_to_do_tidies_the_folder(tiny: Path) -> None:
    """Another build than the one that was killed is up to date, and tidies all the same; so does one that
    is then refused."""
    at = 12
    project = cardgen.Project.open(tiny)
    build(project)

    def other() -> object:
        return cardgen.build(cardgen.BuildOptions("demo", low_ink=True), project=project)

    output = tiny / "output"
    assert end_of(other, Disk(at, kill)) == "killed"
    assert hidden(output) != []
    cardgen.build(cardgen.BuildOptions("demo", sheets=("poker", "single")), project=project)
    assert hidden(output) == []
    assert end_of(other, Disk(at, kill)) == "killed"
    (tiny / "data/demo/cards.yaml").write_text("cards: 7")
    with pytest.raises(cardgen.CardgenError):
        build(project)
    assert hidden(output) == []


@SOME_OR_ALL
def test_reports(
    project: cardgen.Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """The charts take a second; so the contents are made once."""
    game = cardgen.load("demo", project=project)
    contents = {format: cardgen.make_report(game, format) for format in ("html", "pdf")}
    monkeypatch.setattr(check, "_reports", lambda *_: contents)
    folder = project.root / "output/demo"
    for format in contents:
        (folder / f"report.{format}").write_bytes(b"the last one")
    trial = Trial(lambda: write_report(game, project=project), tmp_path / "kept", folder)
    trial.run(every)
    assert trial.kills > 20 // every


@SOME_OR_ALL
def test_references(project: cardgen.Project, tmp_path: Path, every: int) -> None:
    game = cardgen.load("demo", project=project)
    place = tmp_path / "reference/CARDS.md"
    place.parent.mkdir()
    place.write_text("the last one")
    trial = Trial(lambda: write_reference(game, project, place), tmp_path / "kept", place.parent)
    trial.run(every)
    assert trial.kills > 3 // every
    assert trial.mixed == 0


@SOME_OR_ALL
def test_proofs(project: cardgen.Project, tmp_path: Path, every: int) -> None:
    def proof() -> None:
        cardgen.proof("demo", "first", project=project, dpi=30, bleed=True)

    proof()
    (project.root / "output/demo/proof/first-face.png").write_bytes(b"the last one")
    trial = Trial(proof, tmp_path / "kept", project.root / "output")
    trial.run(every)
    assert trial.kills > 10 // every


@SOME_OR_ALL
def test_new_projects(tmp_path: Path, every: int) -> None:
    """The next `new` goes on, or says that there is a folder already, all of whose files are whole."""
    clean = snapshot(cardgen.new_project("demo", tmp_path / "clean"))
    folder = tmp_path / "demo"

    def prepare() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    refused = 0
    for _ in killed_at_every_step(lambda: cardgen.new_project("demo", tmp_path), prepare, 5 * every):
        try:
            cardgen.new_project("demo", tmp_path)
            assert snapshot(folder) == clean
        except cardgen.UsageError:
            refused += 1
        assert snapshot(folder).items() <= clean.items()
        assert hidden(folder) == []
    assert refused < 60 // every, "only while folders are made and files renamed"


@SOME_OR_ALL
def test_copies_for_another_program(tmp_path: Path, every: int) -> None:
    """What an export installs outside of its folder appears together too."""
    export, games = tmp_path / "export", tmp_path / "games"

    def plan(word: str) -> list[PlannedFile]:
        places = {"save.json": "Demo.json", "save.png": "Demo.png"}
        return [
            replace(PlannedFile.of(name, f"{word} {name}".encode(), closing=True), also=(games / place,))
            for name, place in places.items()
        ] + [PlannedFile.of(f"{word}.png", b"a picture")]

    def run(word: str) -> None:
        with Changes(export) as changes:
            deliver(changes, plan(word), {})

    games.mkdir()
    (games / "mine.json").write_text("another game's")
    run("old")
    both = Trial(lambda: run("new"), tmp_path / "kept", export, games)
    assert "old.png" not in both.new[0]
    assert both.new[1]["mine.json"] == b"another game's"
    both.run(every)
    assert both.kills > 40 // every
