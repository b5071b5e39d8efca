"""Whose turn it is to change a folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files import writing as locks
from cardgen.files.writing import held, is_at, try_lock

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks folders")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def failing(error: int) -> Callable[..., Any]:
    def fail(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    return fail


def busy(folder: Path, wait: float = 0) -> bool:
    """Whether somebody holds the folder; what is said of that."""
    try:
        with held(folder, wait):
            return False
    except CardgenError as error:
        (finding,) = error.findings
        assert finding.code == "output/busy"
        assert finding.location is not None
        assert finding.location.file == folder.as_posix()
        assert finding.hint == "wait for it or stop it, then run this again; nothing was changed"
        return True


def test_a_folder_is_made_and_held_by_one(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "far/off"
    with held(folder) as certain:
        assert certain
        assert folder.is_dir()
        assert busy(folder)
        assert busy(folder, 0.05)
        assert not busy(tmp_path / "far/other")
    assert not busy(folder)
    assert not list(folder.iterdir())
    assert not cache.exists(), "nothing but the folder itself is needed"


def test_an_error_within_lets_go(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stop"), held(tmp_path / "out"):
        raise RuntimeError("stop")
    assert not busy(tmp_path / "out")


@pytest.mark.parametrize("fails", ["flock", "open"])
def test_a_folder_that_cannot_be_locked_is_held_by_a_file_in_the_cache(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """A network disk without locks; a folder that may be written to but not listed."""
    folder = tmp_path / "out"
    hold_by_file(folder, monkeypatch, fails)
    with held(folder) as certain:
        assert certain
        assert busy(folder)
        assert [path.suffix for path in (cache / "locks").iterdir()] == [".lock"]
        assert not busy(tmp_path / "other")
    assert not busy(folder)


def hold_by_file(folder: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """Let the folder itself be of no use for locks."""
    if fails == "open":
        open_as_ever = os.open

        def denied(path: Any, *more: Any) -> int:
            if path == folder:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return open_as_ever(path, *more)

        monkeypatch.setattr(os, "open", denied)
    else:
        flock = locks.fcntl.flock

        def no_locks(handle: int, how: int) -> None:
            if os.path.samestat(os.fstat(handle), folder.stat()):
                raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
            flock(handle, how)

        folder.mkdir()
        monkeypatch.setattr(locks.fcntl, "flock", no_locks)


def test_where_the_cache_is_of_no_use_either_work_goes_on(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    hold_by_file(folder, monkeypatch, "flock")
    cache.write_bytes(b"a file")
    with held(folder) as certain, held(folder) as also:
        assert not certain
        assert not also


def test_a_folder_that_goes_before_it_is_opened_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, gone = tmp_path / "out", []
    open_as_ever = os.open

    def late(path: Any, *more: Any) -> int:
        if path == folder and not gone:
            gone.append(folder)
            folder.rmdir()
        return open_as_ever(path, *more)

    monkeypatch.setattr(os, "open", late)
    with held(folder) as certain:
        assert certain
        assert gone == [folder]
        assert folder.is_dir()


def test_a_place_that_can_be_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a file")
    with pytest.raises(OSError, match="out"), held(tmp_path / "out"):
        pass


def test_an_open_file_is_locked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    with path.open("wb") as one, path.open("rb") as two:
        assert try_lock(one.fileno()) is True
        assert try_lock(two.fileno()) is False
        one.close()
        assert try_lock(two.fileno()) is True
        monkeypatch.setattr(locks.fcntl, "flock", failing(errno.ENOLCK))
        assert try_lock(two.fileno()) is None


def test_a_file_that_was_replaced_or_removed_is_no_longer_there(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    other.write_bytes(b"")
    with path.open("wb") as file:
        assert is_at(file.fileno(), path)
        os.replace(other, path)
        assert not is_at(file.fileno(), path)
        path.unlink()
        assert not is_at(file.fileno(), path)
