"""The store of drawn forms: same bytes with and without it, and nothing can break a build."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cardgen.drawing import ArtStore, PdfObject
from cardgen.drawing import store as store_module
from cardgen.drawing.objects import reference
from cardgen.drawing.store import KEEP, describe_library, library_changed
from cardgen.model.artwork import IconRun

from .samples import artwork, drawn, pdf, picture, text

SIDES = [
    artwork(
        picture('<g opacity=".5"><circle r="9"/><rect width="9" height="9" fill="red"/></g>'),
        text("words", icons=(IconRun("ring", 9, 9, 9, (1, 0, 0)),)),
        key=str(n),
    )
    for n in range(3)
] + [artwork(picture('<ellipse rx="9" ry="4"/>'), key="e")]


def put(store: ArtStore, key: str) -> None:
    leaf = PdfObject.of(key.encode(), b"stream")
    root = PdfObject.of(b"[" + reference(leaf.name) + b"]")
    store.put(key, root.name, [leaf, root])


def test_clean_and_cached_builds_are_equal(tmp_path: Path) -> None:
    path = tmp_path / "art.pack"
    clean = ArtStore(path)
    expected = pdf(drawn(*SIDES, store=clean))
    clean.save()
    cached = ArtStore(path)
    assert len(cached.entries) == 3
    assert pdf(drawn(*SIDES, store=cached)) == expected
    partly = tmp_path / "partly.pack"
    first = ArtStore(partly)
    drawn(SIDES[3], store=first)
    first.save()
    assert pdf(drawn(*SIDES, store=ArtStore(partly))) == expected
    assert pdf(drawn(*SIDES, store=ArtStore.memory())) == expected


def test_nothing_is_drawn_when_all_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    drawn(*SIDES, store=store)
    store.save()
    monkeypatch.setitem(sys.modules, "cardgen.drawing.pictures", None)  # an import would fail
    before = path.stat().st_mtime_ns
    again = ArtStore(path)
    drawn(*SIDES, store=again)
    again.save()
    assert path.stat().st_mtime_ns == before


def test_cairo_is_not_imported_when_all_is_there(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from cardgen.drawing import ArtStore
from tests.drawing.samples import artwork, drawn, picture, text
store = ArtStore(Path(sys.argv[1]))
drawn(artwork(picture('<circle r="9"/>'), text("words")), store=store)
store.save()
print(*sorted({"cairocffi", "cairosvg", "pikepdf"} & set(sys.modules)))
"""
    root = Path(__file__).resolve().parents[2]
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "art.pack")],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert runs == [["cairocffi", "cairosvg", "pikepdf"], []]


def test_a_pack_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name, keys in (("a", "xyz"), ("b", "zyx")):
        store = ArtStore(tmp_path / name)
        for key in keys:
            put(store, key)
        store.save()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("at", [0, 20, 60, -3])
def test_a_damaged_pack_costs_a_redraw_and_no_more(tmp_path: Path, at: int) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    expected = pdf(drawn(*SIDES, store=store))
    store.save()
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)
    again = ArtStore(path)
    assert pdf(drawn(*SIDES, store=again)) == expected
    again.save()
    assert len(ArtStore(path).entries) == 3


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"cardgen art 1\n\0\0" + b"\xff" * 8, b"x" * 4096])
def test_a_foreign_file_is_ignored(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "art.pack"
    path.write_bytes(content)
    assert ArtStore(path).entries == []


def test_a_cut_off_pack_keeps_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    put(store, "a")
    put(store, "b")
    store.save()
    path.write_bytes(path.read_bytes()[:-3])
    again = ArtStore(path)
    assert sorted(bool(again.get(key)) for key in "ab") == [False, True]


def test_other_code_means_other_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    put(store, "a")
    store.save()
    assert ArtStore(path).entries == ["a"]
    monkeypatch.setattr(store_module, "_identity", lambda: ["other"])
    assert ArtStore(path).entries == []


def test_another_cairo_means_other_forms(tmp_path: Path) -> None:
    library = tmp_path / "libcairo.so.2"
    library.write_bytes(b"one")
    described = describe_library("1.16.0", library)
    assert not library_changed(described)
    library.write_bytes(b"other")
    assert library_changed(described)
    assert not library_changed([])
    assert not library_changed(describe_library("1.16.0", None))


def test_forms_of_another_cairo_are_drawn_again(tmp_path: Path) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    store.drawn_by = ["0.1", None, 0, 0]
    put(store, "old")
    store.save()
    again = ArtStore(path)
    drawn(*SIDES, store=again)
    assert again.get("old") is None
    assert again.drawn_by[0] != "0.1"


def test_forms_that_nobody_uses_go_after_a_while(tmp_path: Path) -> None:
    path = tmp_path / "art.pack"
    store = ArtStore(path)
    put(store, "old")
    store.save()
    for number in range(KEEP):
        assert "old" in ArtStore(path).entries
        store = ArtStore(path)
        put(store, f"new-{number}")
        store.save()
    kept = ArtStore(path)
    assert "old" not in kept.entries
    assert len(kept.entries) == KEEP
    assert kept.get("new-7")


def test_an_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = ArtStore(tmp_path / "file" / "art.pack")
    put(store, "a")
    store.save()
    assert store.get("a")


def test_concurrent_builds_leave_a_whole_pack(tmp_path: Path) -> None:
    path = tmp_path / "art.pack"

    def build(name: str) -> None:
        for number in range(20):
            store = ArtStore(path)
            put(store, f"{name}{number}")
            store.save()

    threads = [threading.Thread(target=build, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = ArtStore(path)
    assert store.entries
    assert all(store.get(key) for key in store.entries)
    assert [file.name for file in tmp_path.iterdir()] == ["art.pack"]


def test_every_game_of_a_project_has_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    for project, game in (("p", "a"), ("p", "b"), ("q", "a")):
        store = ArtStore.open(tmp_path / project, game)
        put(store, "k")
        store.save()
    assert len(list((tmp_path / "cache" / "art").glob("*.pack"))) == 3
    assert ArtStore.open(tmp_path / "p", "a").get("k")
