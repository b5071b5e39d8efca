"""`cardgen watch` as a process: it builds at each save, says what is wrong, and ends when it is told to."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.build.watch import watch
from tests.wording import Wording

Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"
PATIENCE = 60
"""Seconds to wait for a line before the test fails."""
BUILT = re.compile(r"demo: 1 file, 2 pages, \d+\.\d\d s")


def _heed_interrupts() -> None:
    """A run of the tests in the background hands it on that Ctrl-C is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Watching:
    """A watch that runs. `says` waits for its next line."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardgen", "watch", "demo", "--project", str(folder), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            preexec_fn=_heed_interrupts,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def says(self) -> str:
        return self.lines.get(timeout=PATIENCE)

    def says_until(self, end: str) -> list[str]:
        said = [self.says()]
        while end not in said[-1]:
            said.append(self.says())
        return said

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code


@pytest.fixture
def watching(demo: Path) -> Iterator[Callable[..., Watching]]:
    begun: list[Watching] = []

    def begin(*words: str) -> Watching:
        begun.append(Watching(demo, *words))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.wait()
        each.reader.join()
        assert each.process.stdout is not None
        each.process.stdout.close()


Begin = Callable[..., Watching]


@pytest.fixture
def save(demo: Path) -> Edit:
    """Replaces a text in a file as editors do: the new file takes the old one's place at once."""

    def replace(file: str, old: str, new: str) -> Path:
        path = demo / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        other = path.with_name(f".{path.name}.swp")
        other.write_text(text.replace(old, new), encoding="utf-8")
        return other.replace(path)

    return replace


def test_it_builds_at_each_save_until_it_is_stopped(demo: Path, save: Edit, watching: Begin) -> None:
    pdf = demo / "output/demo/poker.pdf"
    running = watching()
    assert BUILT.fullmatch(running.says())
    first = pdf.read_bytes()
    save(CARDS, "title: Night Owl", "title: Dawn Owl")
    assert BUILT.fullmatch(running.says())
    second = pdf.read_bytes()
    assert second != first
    save(CARDS, "title: Dawn Owl", "titel: Dawn Owl")
    said = running.says_until("waiting for the next save")
    assert "unknown key 'titel'" in said[0]
    assert re.fullmatch(r"demo: not built, \d+\.\d\d s; waiting for the next save", said[-1])
    assert pdf.read_bytes() == second, "the last good one stays"
    save("data/demo/game.yaml", "title: Demo\n", "title: [half a fi")
    running.says_until("waiting for the next save")
    save("data/demo/game.yaml", "title: [half a fi", "title: Demo\n")
    running.says_until("waiting for the next save")
    save(CARDS, "titel: Dawn Owl", "title: Night Owl")
    assert BUILT.fullmatch(running.says())
    assert pdf.read_bytes() == first
    assert running.stop() == 130
    assert list(running.lines.queue) == ["stopped"]


@pytest.mark.long
def test_folders_may_come_and_go(demo: Path, watching: Begin) -> None:
    """As when git changes to another branch: the folder is another one then, by the same name."""
    running = watching("--no-backs")
    running.says()
    away = shutil.copytree(demo / "data", demo / "away")
    shutil.rmtree(demo / "data")
    running.says_until("not built")
    away.rename(demo / "data")
    assert "1 file" in running.says_until("1 file")[-1]
    path = demo / CARDS
    path.write_text(path.read_text().replace("title: Night Owl", "title: Dawn Owl"))
    assert "demo: 1 file, 1 page" in running.says()
    assert (demo / "output/demo/poker.no-backs.pdf").is_file()


def test_what_is_misused_ends_it_at_once(demo: Path, watching: Begin) -> None:
    running = watching("--card", "nosuch")
    assert "there is no card 'nosuch'" in running.says()
    assert running.process.wait(PATIENCE) == 2


def test_there_must_be_something_to_watch(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(cardgen.UsageError) as caught:
        next(watch(cardgen.BuildOptions("demo"), project=cardgen.Project.open(tmp_path)))
    wording(caught.value)


def test_builds_with_nothing_to_do_are_not_told_of(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changed, the system says; here the test says it."""
    steps = iter(
        [
            lambda: None,  # what came before the watch began
            lambda: (demo / "data/demo/notes.txt").write_text("x"),
            lambda: edit(CARDS, "title: Night Owl", "title: Dawn Owl"),
        ]
    )

    def changes(places: object) -> Iterator[bool]:
        for step in steps:
            step()
            yield True
            yield False
        raise KeyboardInterrupt

    monkeypatch.setattr("cardgen.commands.build.watch._changes", changes)
    builds = watch(cardgen.BuildOptions("demo"), project=cardgen.Project.open(demo))
    results = []
    with pytest.raises(KeyboardInterrupt):
        results.extend(each.result for each in builds)
    assert [result is not None and result.up_to_date for result in results] == [False] * 3, (
        "the first, and one for each change; none for what was looked at in between"
    )


def test_a_file_that_goes_while_it_is_read_ends_nothing(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, os.strerror(2), str(demo / CARDS))

    monkeypatch.setattr("cardgen.commands.build.watch.build", gone)
    first = next(watch(cardgen.BuildOptions("demo"), project=cardgen.Project.open(demo)))
    assert first.result is None
    assert [finding.code for finding in first.findings] == ["system/file"]
