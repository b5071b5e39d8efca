"""Files of a folder change together or not at all, whatever happens on the way."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files import writing as locks
from cardgen.files.changes import Changes, tidy
from tests.faults.dying import (
    denied,
    end_of,
    every_step,
    full,
    hidden,
    killed_at_every_step,
    snapshot,
)
from tests.sampling import one_in

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks, kills and locks folders")


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody cuts the power here."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


OLD = {"a.pdf": b"old a", "deep/b.png": b"old b", "deep/gone.png": b"old", "mine.txt": b"a stranger's"}
NEW = {"a.pdf": b"new a", "deep/b.png": b"new b", "far/off/c.png": b"new c", "mine.txt": b"a stranger's"}


def write_old(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in OLD.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def change(folder: Path) -> None:
    with Changes(folder) as changes:
        for name, content in NEW.items():
            if content != OLD.get(name):
                changes.write_bytes(name, content)
        changes.remove("deep/gone.png")
        changes.commit()


def each_is_whole(folder: Path) -> bool:
    """Tell whether each file is the old one or the new one."""
    found = snapshot(folder)
    return all(content in (OLD.get(name), NEW.get(name)) for name, content in found.items())


def test_all_at_once(tmp_path: Path) -> None:
    write_old(tmp_path)
    with Changes(tmp_path) as changes:
        written = changes.write_bytes("a.pdf", b"new a")
        assert (tmp_path / "a.pdf").read_bytes() == b"old a"
        assert changes.path("a.pdf") == written
        assert written.read_bytes() == b"new a"
        assert changes.path("mine.txt") == tmp_path / "mine.txt"
        changes.commit()
        assert (tmp_path / "a.pdf").read_bytes() == b"new a"
        assert changes.path("a.pdf") == tmp_path / "a.pdf"
    assert hidden(tmp_path) == []
    change(tmp_path)
    assert snapshot(tmp_path) == NEW
    assert hidden(tmp_path) == []


def test_left_without_commit_nothing_changes(tmp_path: Path) -> None:
    write_old(tmp_path)
    with Changes(tmp_path) as changes:
        changes.write_bytes("a.pdf", b"new a")
        changes.remove("deep/gone.png")
    assert snapshot(tmp_path) == OLD
    assert hidden(tmp_path) == []


def test_a_commit_of_nothing_makes_no_folder(tmp_path: Path) -> None:
    with Changes(tmp_path) as changes:
        changes.commit()
    assert list(tmp_path.iterdir()) == []


def test_a_renaming_that_fails_is_a_finding_and_each_file_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_old(tmp_path)
    replace = os.replace

    def fail(source: object, target: object) -> None:
        if str(target).endswith("c.png"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
        replace(source, target)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(CardgenError) as caught:
        change(tmp_path)
    (finding,) = caught.value.findings
    assert finding.code == "output/unwritable"
    assert finding.location is not None
    assert finding.location.file.endswith("far/off/c.png")
    assert each_is_whole(tmp_path)
    assert hidden(tmp_path) == []


def test_folders_that_are_left_empty_go(tmp_path: Path) -> None:
    write_old(tmp_path)
    with Changes(tmp_path) as changes:
        assert changes.remove("deep/b.png")
        assert changes.remove("deep/gone.png")
        assert not changes.remove("deep/never.png")
        assert not changes.remove("deep")
        changes.commit()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "mine.txt"]


# ---------------------------------------------------------------- kills


def test_killed_at_every_step(tmp_path: Path) -> None:
    """Each file is whole, and after the next run all are the new ones, with nothing left over."""
    folder = tmp_path / "out"
    kills = mixed = 0
    for _ in killed_at_every_step(lambda: change(folder), lambda: write_old(folder)):
        kills += 1
        assert each_is_whole(folder)
        mixed += snapshot(folder) not in (OLD, NEW)
        tidy(folder)
        assert each_is_whole(folder)
        assert hidden(folder) == []
        change(folder)
        assert snapshot(folder) == NEW
        assert not (folder / "deep/gone.png").exists()
    assert kills > 20
    assert mixed < 8, "only between the renames"


def test_a_failure_at_every_step_leaves_each_file_whole(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    ends = []
    for disk in every_step(denied, only=frozenset({"open", "mkdir", "rename", "fsync", "write"})):
        write_old(folder)
        end = end_of(lambda: change(folder), disk)
        ends.append(end)
        assert end in ("done", "finding")
        assert each_is_whole(folder)
        assert end == "finding" or snapshot(folder) == NEW
        assert hidden(folder) == []
    assert ends.count("finding") > 12


@pytest.mark.long
@pytest.mark.parametrize("lasting", one_in(2, [False, True], ["once", "lasting"]))
def test_a_disk_that_is_full_at_every_step_leaves_the_old_files(tmp_path: Path, lasting: bool) -> None:
    folder = tmp_path / "out"
    ends = []
    for disk in every_step(full, lasting=lasting, only=frozenset({"open", "write", "fsync", "mkdir"})):
        write_old(folder)
        end = end_of(lambda: change(folder), disk)
        ends.append(end)
        assert end in ("done", "finding")
        assert snapshot(folder) == (NEW if end == "done" else OLD), disk
        assert hidden(folder) == []
    assert ends.count("finding") > 10


# ---------------------------------------------------------------- others


def test_one_after_the_other(tmp_path: Path) -> None:
    inside: list[int] = []

    def work(number: int) -> None:
        with Changes(tmp_path) as changes:
            inside.append(number)
            changes.write_bytes("who", str(number).encode())
            time.sleep(0.01)
            assert inside[-1] == number
            changes.commit()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(inside) == 8
    assert (tmp_path / "who").read_text() == str(inside[-1])


def test_waiting_in_vain_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "WAIT", 0.05)
    with Changes(tmp_path) as first:
        first.write_bytes("a", b"1")
        with pytest.raises(CardgenError) as caught, Changes(tmp_path):
            pass
        tidy(tmp_path)  # leaves it alone
        first.commit()
    assert (tmp_path / "a").read_bytes() == b"1"
    (finding,) = caught.value.findings
    assert finding.code == "output/busy"
    assert finding.hint
    assert finding.location is not None
    assert finding.location.file == tmp_path.as_posix()


def test_the_end_of_a_killed_process_is_the_end_of_its_lock(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from cardgen.files.changes import Changes\n"
        "with Changes(Path(sys.argv[1])) as changes:\n"
        "    changes.write_bytes('a', b'half'); print('in', flush=True); time.sleep(60)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in\n"
        tidy(tmp_path)
        assert hidden(tmp_path), "it is at work"
        process.kill()
    tidy(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_replaced_while_one_waits(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    entered = threading.Event()

    def second() -> None:
        entered.wait(10)
        with Changes(folder) as changes:
            changes.write_bytes("b", b"2")
            changes.commit()

    thread = threading.Thread(target=second)
    thread.start()
    with Changes(folder) as changes:
        changes.write_bytes("a", b"1")
        changes.commit()
        entered.set()
        time.sleep(0.1)
        shutil.rmtree(folder)
    thread.join()
    assert snapshot(folder) == {"b": b"2"}


@pytest.mark.parametrize("cache", ["there", "none"])
def test_where_folders_cannot_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    """A lock file in the cache does it; without one as well, only old leftovers are taken for such."""
    folder = tmp_path / "out"
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(locks, "cache_folder", lambda: tmp_path / "cache" if cache == "there" else None)
    young, old = folder / ".cardgen-00000001", folder / ".cardgen-00000002"
    for left in (young, old):
        left.mkdir(parents=True)
        (left / "new-0").write_bytes(b"half")
    os.utime(old, (0, 0))
    change(folder)
    assert (folder / "a.pdf").read_bytes() == b"new a"
    assert [path.exists() for path in (young, old)] == [cache == "none", False]
    if cache == "there":
        monkeypatch.setattr(locks, "WAIT", 0.05)
        with Changes(folder), pytest.raises(CardgenError, match="another cardgen"), Changes(folder):
            pass


# ---------------------------------------------------------------- a stranger's folder


@pytest.mark.parametrize("name", ["journal.json", "mine.txt", "new-1/deep", "new-link"])
def test_strangers_files_are_left_alone(tmp_path: Path, name: str) -> None:
    left = tmp_path / "out/.cardgen-0a1b2c3d"
    (left / name).parent.mkdir(parents=True)
    (left / name).write_bytes(b"mine")
    (left / "new-0").symlink_to(left / name)
    (tmp_path / "out/.cardgen-notes").mkdir()
    tidy(tmp_path / "out")
    assert (left / name).read_bytes() == b"mine"
    assert not os.path.lexists(left / "new-0")
    assert (tmp_path / "out/.cardgen-notes").is_dir()


@pytest.mark.parametrize("name", ["link/a", "../a"])
def test_nothing_is_written_or_removed_through_a_link_outwards(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").write_bytes(b"mine")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with Changes(folder) as changes:
        assert not changes.remove(name)
        changes.write_bytes(name, b"planted")
        with pytest.raises(CardgenError) as caught:
            changes.commit()
    assert caught.value.findings[0].code == "output/link"
    assert (tmp_path / "a").read_bytes() == b"mine"


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    write_old(tmp_path)
    (tmp_path / "far/off/c.png").mkdir(parents=True)
    with pytest.raises(CardgenError) as caught:
        change(tmp_path)
    assert caught.value.findings[0].code == "output/unwritable"
    assert snapshot(tmp_path) == OLD


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a file")
    with pytest.raises(CardgenError) as caught:
        change(tmp_path / "out")
    assert caught.value.findings[0].code == "output/unwritable"


def test_many_threads_write(tmp_path: Path) -> None:
    def writer(number: int) -> Callable[[], None]:
        return lambda: changes.write_bytes(f"{number}", b"%d" % number) and None

    with Changes(tmp_path) as changes:
        threads = [threading.Thread(target=writer(number)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        changes.commit()
    assert snapshot(tmp_path) == {str(number): b"%d" % number for number in range(20)}
