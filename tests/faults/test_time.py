"""Clocks that are wrong, and files that change while they are read: never "up to date" when it is not."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.files import cache as stamps
from cardgen.files.changes import Changes

from .conftest import CARDS
from .dying import snapshot

HOUR_NS = 3_600_000_000_000


def build(project: Path, **options: object) -> cardgen.BuildResult:
    return cardgen.build(
        cardgen.BuildOptions("demo", **options),  # type: ignore[arg-type]
        project=cardgen.Project.open(project),
    )


def clean(project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, bytes]:
    """What a build without a past gives."""
    with monkeypatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(tmp_path / "no past"))
        build(project, output=tmp_path / "clean")
    found = snapshot(tmp_path / "clean")
    shutil.rmtree(tmp_path / "clean")
    shutil.rmtree(tmp_path / "no past")
    return found


def other_words(project: Path) -> None:
    """An edit that leaves the file as long as it was."""
    cards = project / CARDS
    before = cards.stat()
    text = cards.read_text("utf-8")
    cards.write_text(text.replace("title: First", "title: Fifth"), "utf-8")
    assert cards.stat().st_size == before.st_size


def same_time(project: Path) -> None:
    """The same, with the time of the file set back: as `cp -p` and unpacking do."""
    before = (project / CARDS).stat()
    other_words(project)
    os.utime(project / CARDS, ns=(before.st_atime_ns, before.st_mtime_ns))


def renamed(project: Path) -> None:
    """Another file, made before, as old and as long, in its place."""
    before = (project / CARDS).stat()
    spare = project / "data/demo/spare"
    shutil.copy(project / CARDS, spare)
    other_words(project)
    (project / CARDS).rename(project / "data/demo/new")
    spare.rename(project / CARDS)
    build(project)
    (project / "data/demo/new").rename(project / CARDS)
    os.utime(project / CARDS, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.skipif(os.name != "posix", reason="there a file's time of change can be set")
@pytest.mark.parametrize("edit", [other_words, same_time, renamed])
def test_every_edit_is_seen(
    tiny: Path, edit: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build(tiny)
    before = snapshot(tiny / "output")
    assert build(tiny).up_to_date
    edit(tiny)
    assert not build(tiny).up_to_date
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path) != before


def test_a_build_right_after_an_edit_is_remembered(tiny: Path) -> None:
    other_words(tiny)
    assert not build(tiny).up_to_date
    assert build(tiny).up_to_date


@pytest.mark.parametrize("step", ["reading", "laying out", "writing"])
def test_a_file_that_changes_during_a_build(
    tiny: Path, step: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def edit(name: str, done: int, total: int) -> None:
        if name == step:
            same_time(tiny)

    cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(tiny), progress=edit)
    assert not build(tiny).up_to_date
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)


def test_a_template_s_icon_that_changes_during_a_build(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And back again, time and all: what was drawn with the other one is not taken for it."""
    icons = tiny / "templates/demo/icons"
    icons.mkdir()
    icon = icons / "dot.svg"
    icon.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="3"/></svg>', "utf-8"
    )
    card = tiny / "templates/demo/card.svg"
    card.write_text(card.read_text("utf-8").replace("</svg>", '{{ icon("dot", 9, 30, 9) }}</svg>'), "utf-8")
    before = icon.read_bytes(), icon.stat()

    def edit(name: str, done: int, total: int) -> None:
        if name == "laying out":
            icon.write_bytes(before[0].replace(b'r="3"', b'r="4"'))

    cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(tiny), progress=edit)
    icon.write_bytes(before[0])
    os.utime(icon, ns=(before[1].st_atime_ns, before[1].st_mtime_ns))
    build(tiny)
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)


def test_files_from_the_future_are_not_remembered(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another computer's clock may be ahead, and give the next edit the same time."""
    future = time.time_ns() + HOUR_NS
    os.utime(tiny / CARDS, ns=(future, future))
    for _ in range(2):
        assert not build(tiny).up_to_date
    other_words(tiny)
    os.utime(tiny / CARDS, ns=(future, future))
    assert not build(tiny).up_to_date
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)


def test_a_clock_that_is_set_back(tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    build(tiny)
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() - HOUR_NS)
    assert build(tiny).up_to_date
    same_time(tiny)
    build(tiny)
    assert not build(tiny).up_to_date, "all files are from the future now"
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)
    monkeypatch.setattr(time, "time_ns", lambda: now() + HOUR_NS)
    build(tiny)
    assert build(tiny).up_to_date
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)


def test_files_that_never_rest(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "newest", lambda entries: time.time_ns())
    for _ in range(2):
        assert not build(tiny).up_to_date


def test_another_build_between_writing_and_remembering(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It replaces the file by its own; the first must not take that for what it wrote."""
    leave = Changes.__exit__

    def late(self: Changes, *more: object) -> None:
        leave(self, *more)
        monkeypatch.setattr(Changes, "__exit__", leave)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
        build(tiny)
        monkeypatch.delenv("SOURCE_DATE_EPOCH")

    monkeypatch.setattr(Changes, "__exit__", late)
    build(tiny)
    assert not build(tiny).up_to_date
    assert snapshot(tiny / "output") == clean(tiny, monkeypatch, tmp_path)
