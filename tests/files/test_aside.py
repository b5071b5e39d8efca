"""Bytes that stay in files until they are asked for."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from cardgen.files.cache import Aside, Cache
from tests.wording import Wording


def test_what_was_put_aside_is_read_when_it_is_asked_for(tmp_path: Path, wording: Wording) -> None:
    aside = Aside.scratch(tmp_path / "new")
    parts = [aside.add(bytes([number]) * 1000) for number in range(5)]
    assert [len(part) for part in parts] == [1000] * 5
    assert [bytes(part) for part in reversed(parts)] == [bytes([n]) * 1000 for n in (4, 3, 2, 1, 0)]
    with pytest.raises(OSError) as caught:
        aside.read(4001, 1000)
    wording(caught.value)
    del aside
    assert bytes(parts[2]) == bytes([2]) * 1000
    del parts
    gc.collect()
    assert list((tmp_path / "new").iterdir()) == []


def test_an_entry_is_read_as_it_was_though_it_is_replaced(tmp_path: Path) -> None:
    cache = Cache("kind", "now", tmp_path)
    cache.put("key", b"the first ", b"content", made_of="this")
    kept = cache.unread("key", "this")
    assert kept is not None
    cache.put("key", kept.part(4, 5), b" and ", kept.part(10, 7), made_of="that")
    assert kept.read(0, 9) == b"the first"
    assert cache.get("key", "that") == b"first and content"
    assert cache.unread("key", "this") is None
    assert cache.unread("other", "that") is None


def test_a_damaged_entry_is_not_opened(tmp_path: Path) -> None:
    cache = Cache("kind", "now", tmp_path)
    cache.put("key", bytes(1_000_000))
    path = cache.path("key")
    assert path is not None
    assert cache.unread("key") is not None
    whole = bytearray(path.read_bytes())
    whole[-10] ^= 1
    path.write_bytes(whole)
    assert cache.unread("key") is None
