"""A picture that takes too much ends by itself, and leaves the workbench as it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import cardgen
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import encode_png, render, shown_area
from cardgen.workbench import studio
from cardgen.workbench import studio as limited
from cardgen.workbench.bench import Bench
from cardgen.workbench.server import serving
from tests.pdf.samples import artwork, drawn, picture

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system doesn't fork")


def spin() -> bytes:
    while True:
        pass


def test_work_answers_from_a_child_in_a_group_of_its_own() -> None:
    assert limited.limited(lambda: b"x" * 1_000_000) == b"x" * 1_000_000
    child = int(limited.limited(lambda: f"{os.getpid()}".encode()))
    assert child != os.getpid()
    assert limited.limited(lambda: f"{os.getpgid(0) == os.getpid()}".encode()) == b"True"


@pytest.mark.long
def test_processor_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "MOST_SECONDS", 1)
    with pytest.raises(limited.LimitError):
        limited.limited(spin)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system doesn't tell")
def test_memory_is_limited() -> None:
    with pytest.raises(limited.LimitError):
        limited.limited(lambda: bytes(2 * limited.MOST_MEMORY)[:1])


def test_work_that_fails_or_dies_ends_in_an_error() -> None:
    with pytest.raises(limited.LimitError):
        limited.limited(lambda: b"%d" % (1 // 0))
    with pytest.raises(limited.LimitError):
        limited.limited(lambda: os.kill(os.getpid(), signal.SIGKILL) or b"")


def test_stop_ends_what_is_drawn() -> None:
    ended = threading.Event()

    def draw() -> None:
        with pytest.raises(limited.LimitError):
            limited.limited(spin)
        ended.set()

    thread = threading.Thread(target=draw)
    thread.start()
    while not limited._running:
        time.sleep(0.01)
    limited.stop()
    thread.join()
    assert ended.is_set()
    assert not limited._running


def test_picture_past_the_limits_is_gray_and_found_once(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def end(work: object) -> bytes:
        tried.append(work)
        raise limited.LimitError

    monkeypatch.setattr(studio, "limited", end)
    bench = Bench(cardgen.Project.open(demo), "demo")
    bench.refresh(whole=True)
    while not bench.is_idle:
        bench.idle()
    face = bench.state.cards[0].face
    assert face is not None
    for width in (100, 200):
        made = bench.picture(face.key, width)
        assert made is not None
        with Image.open(BytesIO(made)) as image:
            assert image.width == width
            assert len(image.getcolors() or ()) == 1
    assert len(tried) == 1
    while not bench.is_idle:
        bench.idle()
    found = [each for each in bench.state.findings if each.code == "preview/limit"]
    assert [each.as_json()["file"] for each in found] == ["templates/demo/card.svg"]


def test_picture_process_paints_the_same_begins_again_and_keeps_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    art = drawn(artwork(picture("<circle r='9'/>"), key="a"))
    view = View("a", shown_area(art.faces["a"], "bleed"))
    document = write_views(art, [view])
    [image] = render(document, [view], [96])
    monkeypatch.setattr(studio, "MOST_SECONDS", 1)
    painter = studio.PictureProcess()
    assert painter.paint(document, view.area, 96) == encode_png(image, 96)
    painter.stop()
    assert painter.paint(document, view.area, 96) == encode_png(image, 96)
    for wrong, dpi in ((b"no PDF", 96.0), (document, 1e6)):
        with pytest.raises(limited.LimitError):
            painter.paint(wrong, view.area, dpi)
    assert painter.paint(document, view.area, 96) == encode_png(image, 96)
    painter.close()


def test_later_pictures_need_no_fork_and_are_the_same(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(cardgen.Project.open(demo), "demo")
    bench.refresh(whole=True)
    face = bench.state.cards[0].face
    assert face is not None
    assert bench.picture(face.key, 90)
    forked: list[object] = []
    monkeypatch.setattr(studio, "limited", lambda work: forked.append(work) or work())
    made = bench.picture(face.key, 91)
    assert not forked
    monkeypatch.setattr(studio, "are_drawn", lambda *_: False)
    bench._studio._pictures.clear()
    assert (bench.picture(face.key, 91), len(forked)) == (made, 1)
    studio.pictures.close()


def test_folders_of_killed_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    monkeypatch.setattr(serving.tempfile, "tempdir", str(tmp_path))
    kept = [tmp_path / "cardgen-other", tmp_path / f"{serving.FOLDER}{os.getpid()}-mine"]
    old = tmp_path / f"{serving.FOLDER}{ended.pid}-x"
    for folder in (*kept, old):
        folder.mkdir()
        (folder / "page.pdf").write_bytes(b"%PDF")
    with serving._folder() as folder:
        assert not old.exists()
        assert Path(folder).is_dir()
    assert all((folder / "page.pdf").exists() for folder in kept)
