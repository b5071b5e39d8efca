"""The store of drawn forms: same bytes with and without it, and nothing can break a build."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cardgen.core.artwork import IconRun
from cardgen.files.cache import FILE, Cache
from cardgen.pdf.objects import PdfObject, reference
from cardgen.pdf.store import ArtStore

from .samples import artwork, drawn, pdf, picture, text

SIDES = [
    artwork(
        picture('<g opacity=".5"><circle r="9"/><rect width="9" height="9" fill="red"/></g>'),
        text("words", icons=(IconRun("ring", 9, 9, 9, (1, 0, 0)),)),
        key=str(n),
    )
    for n in range(3)
] + [artwork(picture('<ellipse rx="9" ry="4"/>'), key="e")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept(name: str = "game") -> ArtStore:
    return ArtStore(Cache("art", name, environment="now"))


def put(store: ArtStore, key: str) -> None:
    leaf = PdfObject.of(key.encode(), b"stream")
    root = PdfObject.of(b"[" + reference(leaf.name) + b"]")
    store.put(key, root.name, [leaf, root])


def test_clean_and_cached_builds_are_equal() -> None:
    clean = kept()
    expected = pdf(drawn(*SIDES, store=clean))
    clean.save()
    assert pdf(drawn(*SIDES, store=kept())) == expected
    first = kept("partly")
    drawn(SIDES[3], store=first)
    first.save()
    assert pdf(drawn(*SIDES, store=kept("partly"))) == expected
    assert pdf(drawn(*SIDES, store=ArtStore.memory())) == expected


def test_forms_of_another_process_are_taken_over() -> None:
    one, other = ArtStore.memory(), ArtStore.memory()
    drawn(SIDES[3], store=one)
    known = one.count
    large = PdfObject.of(b"large", bytes(1 << 15))
    one.put("large", large.name, [large])
    expected = pdf(drawn(*SIDES, store=one))
    other.take(one.packed(known))
    assert [other.get(SIDES[3].items[0].key), other.get("large")] == [None, large.name]
    assert other.objects([large.name]) == [large]
    other.take(one.packed(0))
    assert other.count == one.count
    assert pdf(drawn(*SIDES, store=other)) == expected


def test_nothing_is_drawn_when_all_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = kept()
    drawn(*SIDES, store=store)
    store.save()
    monkeypatch.setitem(sys.modules, "cardgen.pdf.programs", None)  # an import would fail
    before = (folder / FILE).stat().st_mtime_ns
    again = kept()
    drawn(*SIDES, store=again)
    again.save()
    assert (folder / FILE).stat().st_mtime_ns == before


def test_plain_shapes_need_no_cairo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cardgen.pdf.programs", None)  # an import would fail
    drawn(artwork(picture('<circle r="9"/>'), text("words")))


def test_cairo_is_not_imported_when_all_is_there() -> None:
    code = """
import sys
from cardgen.pdf.store import ArtStore
from cardgen.files.cache import Cache
from tests.pdf.samples import REPEATING, artwork, drawn, picture, text
store = ArtStore(Cache("art", "game", environment="now"))
drawn(artwork(picture(REPEATING), text("words")), store=store)
store.save()
print(*sorted({"cairocffi", "cairosvg", "pikepdf"} & set(sys.modules)))
"""
    root = Path(__file__).resolve().parents[2]
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert runs == [["cairocffi", "cairosvg", "pikepdf"], []]


def test_a_form_of_which_a_part_is_gone_is_drawn_anew(folder: Path) -> None:
    store = kept()
    put(store, "whole")
    photograph = PdfObject.of(b"<<>>", bytes(100_000))
    store.put("photograph", photograph.name, [photograph])
    store.save()
    assert kept().get("photograph")
    connection = sqlite3.connect(folder / FILE)
    connection.execute("DELETE FROM results WHERE length(content) = 100000")
    connection.commit()
    connection.close()
    again = kept()
    assert again.get("whole")
    assert again.get("photograph") is None


def test_an_unwritable_cache_is_no_error(folder: Path) -> None:
    folder.write_bytes(b"")
    store = kept()
    put(store, "a")
    store.save()
    assert store.get("a")


def test_concurrent_builds_leave_whole_forms() -> None:
    def build(name: str) -> None:
        for number in range(10):
            store = kept()
            put(store, f"{name}{number}")
            store.save()

    threads = [threading.Thread(target=build, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = kept()
    assert all(store.get(f"{name}{number}") for name in "abc" for number in range(10))


def test_every_game_of_a_project_has_its_own(tmp_path: Path) -> None:
    store = ArtStore.open(tmp_path / "p", "a")
    put(store, "k")
    store.save()
    assert ArtStore.open(tmp_path / "p", "a").get("k")
    assert ArtStore.open(tmp_path / "p", "b").get("k") is None
    assert ArtStore.open(tmp_path / "q", "a").get("k") is None


def test_large_streams_stay_in_files() -> None:
    photographs = [PdfObject.of(b"<</Photo %d>>" % n, bytes([n]) * 100_000) for n in range(3)]
    store = kept()
    for photograph in photographs:
        store.put(photograph.name, photograph.name, [photograph])
    expected = [photograph.body(lambda name: b"") for photograph in photographs]
    names = [photograph.name for photograph in photographs]

    def held(store: ArtStore) -> list[PdfObject]:
        assert all(store.get(name) == name for name in names)
        found = store.objects(names)
        assert not any(isinstance(obj.stream, bytes) for obj in found)
        return found

    assert [obj.body(lambda name: b"") for obj in held(store)] == expected
    store.save()
    assert [obj.body(lambda name: b"") for obj in held(kept())] == expected
