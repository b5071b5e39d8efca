"""The store of drawn forms: same bytes with and without it, and nothing can break a build."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cardgen.core.artwork import IconRun
from cardgen.files.cache import KEEP, Aside, Cache
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


def kept(folder: Path, name: str = "game") -> ArtStore:
    return ArtStore(Cache("art", "now", folder), name)


def file_of(folder: Path, name: str = "game") -> Path:
    path = Cache("art", "now", folder).path(name)
    assert path is not None
    return path


def put(store: ArtStore, key: str) -> None:
    leaf = PdfObject.of(key.encode(), b"stream")
    root = PdfObject.of(b"[" + reference(leaf.name) + b"]")
    store.put(key, root.name, [leaf, root])


def test_clean_and_cached_builds_are_equal(tmp_path: Path) -> None:
    clean = kept(tmp_path)
    expected = pdf(drawn(*SIDES, store=clean))
    clean.save()
    cached = kept(tmp_path)
    assert len(cached.entries) == 3
    assert pdf(drawn(*SIDES, store=cached)) == expected
    first = kept(tmp_path, "partly")
    drawn(SIDES[3], store=first)
    first.save()
    assert pdf(drawn(*SIDES, store=kept(tmp_path, "partly"))) == expected
    assert pdf(drawn(*SIDES, store=ArtStore.memory())) == expected


def test_nothing_is_drawn_when_all_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = kept(tmp_path)
    drawn(*SIDES, store=store)
    store.save()
    monkeypatch.setitem(sys.modules, "cardgen.pdf.programs", None)  # an import would fail
    before = file_of(tmp_path).stat().st_mtime_ns
    again = kept(tmp_path)
    drawn(*SIDES, store=again)
    again.save()
    assert file_of(tmp_path).stat().st_mtime_ns == before


def test_plain_shapes_need_no_cairo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cardgen.pdf.programs", None)  # an import would fail
    drawn(artwork(picture('<circle r="9"/>'), text("words")))


def test_cairo_is_not_imported_when_all_is_there(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from cardgen.pdf.store import ArtStore
from cardgen.files.cache import Aside
from cardgen.files.cache import Cache
from tests.pdf.samples import REPEATING, artwork, drawn, picture, text
store = ArtStore(Cache("art", "now", Path(sys.argv[1])), "game")
drawn(artwork(picture(REPEATING), text("words")), store=store)
store.save()
print(*sorted({"cairocffi", "cairosvg", "pikepdf"} & set(sys.modules)))
"""
    root = Path(__file__).resolve().parents[2]
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert runs == [["cairocffi", "cairosvg", "pikepdf"], []]


def test_an_entry_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name, keys in (("a", "xyz"), ("b", "zyx")):
        store = kept(tmp_path / name)
        for key in keys:
            put(store, key)
        store.save()
    assert file_of(tmp_path / "a").read_bytes() == file_of(tmp_path / "b").read_bytes()


@pytest.mark.parametrize("at", [0, 20, 60, -3])
def test_a_damaged_entry_costs_a_redraw_and_no_more(tmp_path: Path, at: int) -> None:
    store = kept(tmp_path)
    expected = pdf(drawn(*SIDES, store=store))
    store.save()
    path = file_of(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)
    again = kept(tmp_path)
    assert again.entries == []
    assert pdf(drawn(*SIDES, store=again)) == expected
    again.save()
    assert len(kept(tmp_path).entries) == 3


def test_another_environment_means_other_forms(tmp_path: Path) -> None:
    store = ArtStore(Cache("art", "now", tmp_path), "game")
    put(store, "a")
    store.save()
    assert ArtStore(Cache("art", "now", tmp_path), "game").entries == ["a"]
    assert ArtStore(Cache("art", "later", tmp_path), "game").entries == []


def test_forms_that_nobody_uses_go_after_a_while(tmp_path: Path) -> None:
    store = kept(tmp_path)
    put(store, "old")
    store.save()
    for number in range(KEEP):
        assert "old" in kept(tmp_path).entries
        store = kept(tmp_path)
        put(store, f"new-{number}")
        store.save()
    last = kept(tmp_path)
    assert "old" not in last.entries
    assert len(last.entries) == KEEP
    assert last.get("new-7")


def test_an_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = kept(tmp_path / "file")
    put(store, "a")
    store.save()
    assert store.get("a")


def test_concurrent_builds_leave_a_whole_entry(tmp_path: Path) -> None:

    def build(name: str) -> None:
        for number in range(20):
            store = kept(tmp_path)
            put(store, f"{name}{number}")
            store.save()

    threads = [threading.Thread(target=build, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = kept(tmp_path)
    assert store.entries
    assert all(store.get(key) for key in store.entries)
    assert list(file_of(tmp_path).parent.iterdir()) == [file_of(tmp_path)]


def test_every_game_of_a_project_has_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    for project, game in (("p", "a"), ("p", "b"), ("q", "a")):
        store = ArtStore.open(tmp_path / project, game)
        put(store, "k")
        store.save()
    assert len(list((tmp_path / "cache" / "art").iterdir())) == 3
    assert ArtStore.open(tmp_path / "p", "a").get("k")


def test_large_streams_stay_in_files(tmp_path: Path) -> None:
    photographs = [PdfObject.of(b"<</Photo %d>>" % n, bytes([n]) * 100_000) for n in range(3)]
    store = kept(tmp_path)
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
    again = kept(tmp_path)
    put(again, "more")
    assert [obj.body(lambda name: b"") for obj in held(again)] == expected
    again.save()  # from file to file
    assert [obj.body(lambda name: b"") for obj in held(again)] == expected
    assert [obj.body(lambda name: b"") for obj in held(kept(tmp_path))] == expected


def test_where_no_file_can_be_made_streams_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path) -> Aside:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Aside, "scratch", full)
    photograph = PdfObject.of(b"<<>>", bytes(100_000))
    store = kept(tmp_path)
    store.put("photograph", photograph.name, [photograph])
    assert store.objects([photograph.name]) == [photograph]
