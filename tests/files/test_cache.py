"""A result counts only if it is whole, and is the one that was asked for."""

from __future__ import annotations

import gc
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any

import pytest

from cardgen.files import cache as cache_module
from cardgen.files import writing as folders
from cardgen.files.cache import FILE, Cache, Part, SpillFile, digest_of
from tests.wording import Wording

CONTENT = b"what costs a second to make"
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's")


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a cache of its own."""
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / FILE


def put(cache: Cache, **contents: bytes) -> None:
    for key, content in contents.items():
        cache.put(key, content)
    cache.save()


def opened(*made_with: str | None, kind: str = "kind") -> Cache:
    """A cache as another process opens it."""
    cache_module._table_of.cache_clear()
    return Cache(kind, *made_with, environment="now")


def test_content_that_was_saved_is_kept(file: Path) -> None:
    put(opened("this"), key=CONTENT, empty=b"")
    assert (opened("this").get("key"), opened("this").get("empty")) == (CONTENT, b"")
    put(opened("this"), key=b"new")
    assert opened("this").get("key") == b"new"
    cache_module._table_of.cache_clear()
    assert [path.name for path in file.parent.iterdir()] == [FILE]


def test_content_that_is_not_saved_is_there_for_its_cache_alone() -> None:
    cache = opened()
    cache.put("key", CONTENT)
    assert (cache.get("key"), opened().get("key")) == (CONTENT, None)


def test_much_content_is_saved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_MOST_UNSAVED", 10)
    opened().put("key", CONTENT)
    assert opened().get("key") == CONTENT


def test_another_key_kind_state_or_environment_is_another_result() -> None:
    put(opened("this"), key=CONTENT)
    assert opened("this").get("other") is None
    assert opened("that").get("key") is None
    assert opened().get("thiskey") is None
    assert opened("this", kind="other").get("key") is None
    assert Cache("kind", "this", environment="later").get("key") is None


def test_state_that_can_t_be_told_keeps_nothing(file: Path) -> None:
    cache = opened("this", None)
    put(cache, key=CONTENT)
    assert cache.get("key") is None
    assert not file.exists()


def test_paths_that_are_no_text_can_be_keys() -> None:
    cache = opened()
    put(cache, **{"caf\udce9": b"x"})
    assert opened().get("caf\udce9") == b"x"


def test_value_is_recalled_while_the_same_is_read() -> None:
    world: dict[str, Any] = {"title": "Old", "author": "A"}

    def look_up(names: list[str]) -> str | None:
        return digest_of([world[name] for name in names]) if world else None

    def value() -> Any:
        found = opened().recall("book", look_up)
        if found is None:
            cache = opened()
            found = f"Title: {world['title']}"
            cache.remember("book", ["title"], look_up(["title"]), found)
            cache.save()
        return found

    assert value() == "Title: Old"
    world["author"] = "B"
    assert opened().recall("book", look_up) == "Title: Old"
    world["title"] = "New"
    assert opened().recall("book", look_up) is None
    assert value() == "Title: New"
    world["title"] = "Old"
    assert opened().recall("book", look_up) == "Title: Old"
    world.clear()
    assert opened().recall("book", look_up) is None


# ---- damage


def test_every_flipped_byte_is_noticed(file: Path) -> None:
    put(opened(), key=CONTENT, other=bytes(9000))
    whole = file.read_bytes()
    dice = random.Random(1)
    for place in [*range(100), *(dice.randrange(len(whole)) for _ in range(100))]:
        file.write_bytes(
            whole[:place] + bytes([whole[place] ^ dice.randrange(1, 256)]) + whole[place + 1 :]
        )
        cache = opened()
        assert cache.get("key") in (None, CONTENT), place
        assert cache.get("other") in (None, bytes(9000)), place
        put(cache, key=CONTENT)


def test_a_result_in_another_s_place_is_noticed(file: Path) -> None:
    put(opened(), first=b"1", second=b"2")
    connection = sqlite3.connect(file)
    rows = connection.execute("SELECT place, proof, content FROM results").fetchall()
    for (place, _, _), (_, proof, content) in zip(rows, rows[::-1]):
        connection.execute(
            "UPDATE results SET proof = ?, content = ? WHERE place = ?", (proof, content, place)
        )
    connection.commit()
    connection.close()
    assert opened().get("first") is opened().get("second") is None


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


def without_a_table(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE results (other TEXT)")
    connection.close()


DAMAGES = {
    "nothing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "garbage": lambda path: path.write_bytes(random.Random(1).randbytes(50_000)),
    "other columns": without_a_table,
    "a folder": folder,
    "a pipe": pipe,
    "a device": linked("/dev/zero"),
    "a link to nowhere": linked("nowhere"),
    "a link to itself": lambda path: linked(path)(path),
    "of terabytes": huge,
}


@posix
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_made_anew(file: Path, damage: Callable[[Path], object]) -> None:
    put(opened(), key=CONTENT, large=bytes(20_000))
    damage(file)
    cache = opened()
    assert cache.get("key") in (None, CONTENT)
    put(cache, key=b"new")
    assert opened().get("key") == (None if damage is folder else b"new")


@posix
@pytest.mark.parametrize("where", ["a file", "read-only", "no home"])
def test_without_a_place_for_a_cache_all_is_made_anew(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "a file":
        (tmp_path / "cache").write_bytes(b"")
    elif where == "read-only":
        monkeypatch.setattr(os, "mkdir", lambda *_: (_ for _ in ()).throw(PermissionError(13, "no")))
    else:
        monkeypatch.setattr(cache_module, "cache_folder", lambda: None)
    put(opened(), key=b"x")
    assert opened().get("key") is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="homes are found otherwise")
def test_a_user_without_a_home_has_no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CARDGEN_CACHE", "CARDGEN_CONFIG", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where nobody knows a home
    assert folders.cache_folder() is None
    assert folders.config_folder() is None
    monkeypatch.setattr("platformdirs.PlatformDirs.user_cache_path", Path("~/.cache/cardgen"))
    assert folders.cache_folder() is None


def test_writers_at_once_leave_whole_results(file: Path) -> None:
    contents = [bytes([number]) * 50_000 for number in range(4)]

    def write(content: bytes) -> None:
        for _ in range(10):
            put(Cache("kind", environment="now"), key=content)
            assert Cache("kind", environment="now").get("key") in contents

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened().get("key") in contents
    cache_module._table_of.cache_clear()
    assert [path.name for path in file.parent.iterdir()] == [FILE]


@posix
def test_a_killed_writer_leaves_what_was_there() -> None:
    put(opened(), key=CONTENT)
    script = (
        "import os, signal; from cardgen.files import cache\n"
        "cache._evict = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "half = cache.Cache('kind', environment='now'); half.put('key', bytes(9999999)); half.save()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    assert opened().get("key") == CONTENT


def test_results_that_were_not_used_for_longest_go_first(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setattr(cache_module, "MOST_BYTES", 1_000_000)
    now = 1_000_000_000.0
    monkeypatch.setattr(cache_module.time, "time", lambda: now)
    put(opened(), used=bytes(100_000))
    for number in range(30):
        now += 100_000
        cache = opened()
        assert cache.get("used") is not None, number
        put(cache, **{f"key {number}": bytes(100_000)})
    assert opened().get("key 0") is None
    assert opened().get("key 29") is not None
    assert file.stat().st_size < 1_500_000


# ---- files that hold what memory should not


def test_what_was_spilled_is_read_when_it_is_asked_for(tmp_path: Path, wording: Wording) -> None:
    spill = SpillFile(tmp_path / "new")
    parts = [spill.add(bytes([number]) * 1000) for number in range(5)]
    assert all(isinstance(part, Part) for part in parts)
    assert [len(part) for part in parts] == [1000] * 5
    assert [bytes(part) for part in reversed(parts)] == [bytes([n]) * 1000 for n in (4, 3, 2, 1, 0)]
    with pytest.raises(OSError) as caught:
        spill.read(4001, 1000)
    wording(caught.value)
    del spill
    assert bytes(parts[2]) == bytes([2]) * 1000
    del parts
    gc.collect()
    assert list((tmp_path / "new").iterdir()) == []


def test_without_a_file_contents_stay_in_memory(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_bytes(b"")
    assert SpillFile(None).add(CONTENT) is CONTENT
    assert SpillFile(tmp_path / "in the way").add(CONTENT) is CONTENT


# ---- digests


@dataclass(frozen=True)
class Pair:
    left: Any
    right: Any = 1


class Word(str):
    pass


def test_values_that_print_otherwise_have_other_digests() -> None:
    values: list[Any] = [1, 1.0, True, "1", None, "", [1], [[1]], (1,), {"1": 1}, {1: 1}, 0.1, 1e-17]
    values += [0.0, -0.0, 0.1 + 2e-17, "a\0b", ["a", "b"], ["ab"], {"a": 1, "b": 2}, {"b": 2, "a": 1}]
    values += [Pair(1), Pair(1, 2), Pair([1]), Pair((1,)), Pair({1}), Pair({"a": 1}), Word("1"), Path("1")]
    assert len({digest_of(value) for value in values}) == len({repr(value) for value in values}) + 1
    assert digest_of("ab", "c") != digest_of("a", "bc")


def test_equal_values_have_one_digest_whatever_they_share() -> None:
    shared, name = ["a"], "".join(["na", "me"])
    assert digest_of([shared, shared], name) == digest_of([["a"], ["a"]], "name")
    assert digest_of(Pair(shared, shared)) == digest_of(Pair(["a"], ["a"]))
    assert digest_of(Pair({3, 1, 2})) == digest_of(Pair({2, 1, 3}))


def test_a_field_that_nobody_thought_of_is_in_the_digest() -> None:
    more = make_dataclass("Pair", [("left", Any), ("right", Any), ("designer", str)])
    assert digest_of(more(1, 2, "Ada")) != digest_of(more(1, 2, "Bob"))


def test_values_that_can_t_be_told_apart_never_have_the_same_digest() -> None:
    around: list[Any] = []
    around.append(around)
    for value in (object(), [object()], Pair(math.sin), around):
        assert digest_of(value) != digest_of(value)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system can't fork")
def test_a_forked_process_takes_no_connection_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path))
    kept = Cache("forked")
    kept.put("one", b"1")
    kept.save()
    assert kept.get("one") == b"1"
    child = os.fork()
    if not child:
        alone = kept._table is not None and kept._table._connection is None
        kept.put("two", b"2")
        kept.save()
        os._exit(0 if alone and kept.get("one") == b"1" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (kept.get("one"), kept.get("two")) == (b"1", b"2")
