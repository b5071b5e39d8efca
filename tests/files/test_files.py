"""Files appear whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files import writing as locks
from cardgen.files.writing import STALE_AFTER, Draft, read_regular, write_bytes, write_whole


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".tmp"))


def test_makes_folders_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "game" / "sheet.pdf"
    write_bytes(path, b"one")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert leftovers(path.parent) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_permissions_are_those_of_any_new_file_and_kept_afterwards(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "sheet.pdf"
    plain.write_bytes(b"")
    write_bytes(path, b"one")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    write_bytes(path, b"two")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    write_bytes(path, b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_whole(path, fail)
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_a_file_that_the_writer_cannot_read_is_not_blamed_on_the_output(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "sheet.pdf", lambda file: file.write((tmp_path / "art.png").read_bytes()))
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("step", ["write", "fsync"])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "sheet.pdf"
    write_bytes(path, b"old")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CardgenError) as caught:
        write_whole(path, full if step == "write" else lambda file: file.write(b"new"))
    monkeypatch.undo()
    (finding,) = caught.value.findings
    assert finding.code == "output/disk-full"
    assert finding.location is not None
    assert finding.location.file.endswith("sheet.pdf")
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_really_full_disk(tmp_path: Path) -> None:
    """The kernel's own ENOSPC, met when the buffered bytes are flushed."""

    def write(file: BinaryIO) -> None:
        file.write(b"x" * 10)
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, file.fileno())
        os.close(full)

    with pytest.raises(CardgenError) as caught:
        write_whole(tmp_path / "sheet.pdf", write)
    assert caught.value.findings[0].code == "output/disk-full"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(b"a file, no folder")
    with pytest.raises(CardgenError) as caught:
        write_bytes(tmp_path / "game" / "sheet.pdf", b"x")
    (finding,) = caught.value.findings
    assert finding.code == "output/unwritable"
    assert finding.hint


def test_a_folder_stands_where_the_file_should(tmp_path: Path) -> None:
    (tmp_path / "sheet.pdf").mkdir()
    with pytest.raises(CardgenError) as caught:
        write_bytes(tmp_path / "sheet.pdf", b"x")
    assert caught.value.findings[0].code == "output/unwritable"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    write_bytes(path, b"old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CardgenError) as caught:
            write_bytes(path, b"new")
    finally:
        tmp_path.chmod(0o700)
    assert caught.value.findings[0].code == "output/unwritable"
    assert path.read_bytes() == b"old"


def test_denied_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sheet.pdf"
    write_bytes(path, b"old")

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "replace", denied)
    with pytest.raises(CardgenError) as caught:
        write_bytes(path, b"new")
    assert caught.value.findings[0].code == "output/unwritable"
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
def test_a_killed_writer_leaves_the_old_file_and_what_it_left_goes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    write_bytes(path, b"old")
    script = (
        "import sys, time; from pathlib import Path; from cardgen.files.writing import write_whole\n"
        "def slow(file):\n"
        "    file.write(b'half'); file.flush(); print('writing', flush=True); time.sleep(9999)\n"
        "write_whole(Path(sys.argv[1]), slow)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"old"
    assert len(leftovers(tmp_path)) == 1
    write_bytes(path, b"new")
    assert leftovers(tmp_path) == []


def test_the_temporary_file_of_one_who_still_writes_stays(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"

    def write(file: BinaryIO) -> None:
        file.write(b"slow")
        (mine,) = leftovers(tmp_path)
        os.utime(tmp_path / mine, (0, 0))
        write_bytes(tmp_path / "other.pdf", b"x")
        assert leftovers(tmp_path) == [mine]

    write_whole(path, write)
    assert path.read_bytes() == b"slow"


def test_where_nothing_can_be_locked_old_temporary_files_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    young, old = (tmp_path / f".sheet.pdf.cardgen-{name}.tmp" for name in ("young", "old"))
    for path in (young, old):
        path.write_bytes(b"half")
    long_ago = time.time() - STALE_AFTER - 60
    os.utime(old, (long_ago, long_ago))
    write_bytes(tmp_path / "sheet.pdf", b"new")
    assert leftovers(tmp_path) == [young.name]


def test_strangers_temporary_files_are_left_alone(tmp_path: Path) -> None:
    stranger = tmp_path / ".sheet.pdf.backup.tmp"
    stranger.write_bytes(b"mine")
    os.utime(stranger, (0, 0))
    write_bytes(tmp_path / "sheet.pdf", b"x")
    assert stranger.read_bytes() == b"mine"


def test_a_temporary_name_that_is_taken_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter([b"1111", b"1111", b"2222"])
    taken = tmp_path / f".sheet.pdf.cardgen-{b'1111'.hex()}.tmp"
    monkeypatch.setattr(os, "urandom", lambda count: next(names))
    with Draft(tmp_path / "sheet.pdf") as first, Draft(tmp_path / "sheet.pdf") as second:
        assert first.temporary == taken
        assert second.temporary != taken
    monkeypatch.setattr(os, "urandom", lambda count: b"1111")
    taken.write_bytes(b"mine")
    with pytest.raises(FileExistsError, match=r"sheet\.pdf"):
        Draft(tmp_path / "sheet.pdf")
    assert taken.read_bytes() == b"mine"


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are POSIX's")
@pytest.mark.parametrize("what", ["pipe", "folder", "/dev/zero", "gone", "long"])
def test_only_regular_files_of_some_length_are_read(tmp_path: Path, what: str) -> None:
    path = tmp_path / "list.json"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "long":
        path.write_bytes(b"12345")
    elif what != "gone":
        path.symlink_to(what)
    with pytest.raises(OSError, match=r"list\.json"):
        read_regular(path, 4)
    whole = tmp_path / "whole.json"
    whole.write_bytes(b"1234")
    assert read_regular(whole, 4) == b"1234"


def test_two_writers_at_once_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    both = threading.Barrier(2)

    def write(content: bytes) -> None:
        def halves(file: BinaryIO) -> None:
            file.write(content)
            both.wait(600)
            file.write(content)

        write_whole(path, halves)

    threads = [threading.Thread(target=write, args=(content,)) for content in (b"a" * 9, b"b" * 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in (b"a" * 18, b"b" * 18)
    assert leftovers(tmp_path) == []
