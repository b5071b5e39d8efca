"""A cache's entry counts only if it is whole, and is the one that was asked for."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.files import cache as cache_module
from cardgen.files import writing as folders
from cardgen.files.cache import MAGIC, Cache

CONTENT = b"what costs a second to make"
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    cache = Cache("kind", "now", tmp_path)
    cache.put("key", CONTENT, made_of="this")
    return cache


def file_of(cache: Cache, key: str = "key") -> Path:
    path = cache.path(key)
    assert path is not None
    return path


def test_an_entry_is_kept_and_replaced(cache: Cache) -> None:
    assert cache.get("key", "this") == CONTENT
    cache.put("key", b"in ", b"", b"parts", made_of="that")
    assert cache.get("key", "that") == b"in parts"
    assert cache.get("key", "this") is None
    assert list(file_of(cache).parent.iterdir()) == [file_of(cache)]


def test_an_empty_content_is_one(cache: Cache) -> None:
    cache.put("none")
    assert cache.get("none") == b""


def test_another_key_kind_or_environment_is_another_entry(cache: Cache, tmp_path: Path) -> None:
    assert cache.get("other", "this") is None
    assert Cache("other", "now", tmp_path).get("key", "this") is None
    assert Cache("kind", "later", tmp_path).get("key", "this") is None
    assert Cache("kind", "", tmp_path).get("key", "nowthis") is None


def test_every_flipped_bit_is_noticed(cache: Cache) -> None:
    path = file_of(cache)
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bit in range(8):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << bit)]) + whole[place + 1 :])
            assert cache.get("key", "this") is None, (place, bit)
    path.write_bytes(whole)
    assert cache.get("key", "this") == CONTENT


def test_every_cut_and_every_addition_is_noticed(cache: Cache) -> None:
    path = file_of(cache)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert cache.get("key", "this") is None
    for more in (b"\0", b"x" * 16, whole):
        path.write_bytes(whole + more)
        assert cache.get("key", "this") is None


def test_a_file_under_another_s_name_is_noticed(cache: Cache, tmp_path: Path) -> None:
    cache.put("second", b"2", made_of="this")
    first, second = file_of(cache), file_of(cache, "second")
    spare = tmp_path / "spare"
    first.rename(spare)
    second.rename(first)
    spare.rename(second)
    assert cache.get("key", "this") is None
    assert cache.get("second", "this") is None
    other = Cache("other", "now", tmp_path)
    other.put("key", b"0", made_of="this")
    shutil.copy(file_of(other), first)
    assert cache.get("key", "this") is None


def test_another_version_is_noticed(cache: Cache) -> None:
    path = file_of(cache)
    path.write_bytes(path.read_bytes().replace(MAGIC, b"cardgen cache 1\n"))
    assert cache.get("key", "this") is None


def folder(path: Path) -> None:
    path.unlink()
    (path / "deep").mkdir(parents=True)


def linked(target: str | Path) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return damage


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(1 << 40)


DAMAGES = {
    "nothing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "a folder": folder,
    "a pipe": pipe,
    "a device": linked("/dev/zero"),
    "a link to nowhere": linked("nowhere"),
    "a link to itself": lambda path: linked(path)(path),
    "of terabytes": huge,
}


@posix
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_whatever_else_lies_there_is_nothing(cache: Cache, damage: Callable[[Path], object]) -> None:
    damage(file_of(cache))
    assert cache.get("key", "this") is None
    cache.put("key", b"new", made_of="this")
    assert cache.get("key", "this") == (None if damage is folder else b"new")


@posix
def test_what_may_not_be_read_is_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    file_of(cache).chmod(0)
    if os.geteuid() == 0:  # who may read everything
        opened = os.open

        def denied(path: Path, *more: int) -> int:
            if Path(path) == file_of(cache):
                raise PermissionError(13, "denied", str(path))
            return opened(path, *more)

        monkeypatch.setattr(os, "open", denied)
    assert cache.get("key", "this") is None


@posix
@pytest.mark.parametrize("where", ["a file", "read-only", "no home"])
def test_without_a_place_for_a_cache_all_is_made_anew(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base: Path | None = tmp_path / "cache"
    if where == "a file":
        assert base is not None
        base.write_bytes(b"")
    elif where == "read-only":
        monkeypatch.setattr(os, "mkdir", lambda *_: (_ for _ in ()).throw(PermissionError(13, "no")))
    else:
        base = None
        monkeypatch.setattr(cache_module, "cache_folder", lambda: None)
    cache = Cache("kind", "", base)
    cache.put("key", b"x")
    assert cache.get("key") is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="homes are found otherwise")
def test_a_user_without_a_home_has_no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CARDGEN_CACHE", "CARDGEN_CONFIG", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where nobody knows a home
    assert folders.cache_folder() is None
    assert folders.config_folder() is None
    monkeypatch.setattr("platformdirs.PlatformDirs.user_cache_path", Path("~/.cache/cardgen"))
    assert folders.cache_folder() is None


def test_a_full_disk_keeps_what_was_there(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.put("key", b"new", made_of="this")
    monkeypatch.undo()
    assert cache.get("key", "this") == CONTENT
    assert list(file_of(cache).parent.iterdir()) == [file_of(cache)]


def test_writers_at_once_leave_one_whole_entry(cache: Cache) -> None:
    contents = [bytes([number]) * 50_000 for number in range(4)]

    def write(content: bytes) -> None:
        for _ in range(30):
            cache.put("key", content, made_of="this")
            assert cache.get("key", "this") in contents

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.get("key", "this") in contents
    assert list(file_of(cache).parent.iterdir()) == [file_of(cache)]


@posix
def test_what_a_killed_writer_left_goes_with_the_next_process(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from cardgen.files.cache import Cache\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Cache('kind', '', Path(sys.argv[1])).put('key', b'half')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    cache = Cache("kind", "", tmp_path)
    path = file_of(cache)
    assert len(list(path.parent.iterdir())) == 1
    cache.put("key", b"whole")
    assert list(path.parent.iterdir()) == [path]
    assert cache.get("key") == b"whole"


def test_paths_that_are_no_text_can_be_keys(cache: Cache) -> None:
    cache.put("caf\udce9", b"x")
    assert cache.get("caf\udce9") == b"x"
