"""Folders of files in the user's cache: whole or not at all, looked at before they are used, few."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.files import trees
from cardgen.files.trees import temporary, tree
from tests.wording import Wording

FILES = [("data/a.yaml", b"one"), ("data/deep/b.yaml", b""), ("top.txt", b"two")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kind"


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def made(key: str = "key") -> tuple[Path, int]:
    """The tree's folder, and how often its files were asked for."""
    asked = []

    def files() -> Iterator[tuple[str, bytes]]:
        asked.append(key)
        yield from FILES

    return tree("kind", key, files)[0], len(asked)


def test_a_tree_is_made_once() -> None:
    folder, asked = made()
    assert contents(folder) == dict(FILES)
    assert asked == 1
    assert made() == (folder, 0)
    assert made("other") == (folder.parents[1] / "other/tree", 1)


@pytest.mark.parametrize("harm", ["shorter", "same length", "gone", "list", "list gone"])
def test_a_tree_that_is_not_as_it_was_left_is_made_anew(harm: str) -> None:
    folder, _ = made()
    file, listing = folder / "data/a.yaml", folder.parent / "files.json"
    if harm == "gone":
        file.unlink()
    elif harm.startswith("list"):
        listing.write_text("{") if harm == "list" else listing.unlink()
    else:
        file.write_bytes(b"on" if harm == "shorter" else b"eno")
        os.utime(file, (1, 1))  # whatever time it says
    assert made() == (folder, 1)
    assert contents(folder) == dict(FILES)


def test_a_tree_that_can_not_be_finished_is_not_there(home: Path) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        yield FILES[0]
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        tree("kind", "key", files)
    assert list(home.iterdir()) == []
    assert made()[1] == 1


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../up", "data/../../up", "data//a", "./a", "a\0b", "/".join("d" * 40)]
)
def test_a_name_that_leads_elsewhere_is_refused(name: str, home: Path, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        tree("kind", "key", lambda: [*FILES, (name, b"evil")])
    wording(caught.value)
    assert list(home.iterdir()) == []


def test_of_two_files_of_one_name_the_first_counts() -> None:
    folder, _ = tree("kind", "key", lambda: [("a", b"first"), ("a", b"second")])
    assert contents(folder) == {"a": b"first"}


def test_few_trees_are_kept(home: Path) -> None:
    def age(key: str, days: float) -> None:
        then = os.stat(home).st_mtime - days * 24 * 3600
        os.utime(home / key, (then, then))

    keys = [f"key{number}" for number in range(7)]
    for number, key in enumerate(keys):
        made(key)
        age(key, 10 - number)
    (home / f"{trees._PART}killed").mkdir()
    age(f"{trees._PART}killed", 2)
    (home / f"{trees._PART}at-work").mkdir()
    made("now")
    left = {path.name for path in home.iterdir()}
    assert left == {"now", "key6", "key5", "key4", f"{trees._PART}at-work"}
    for number in range(20):  # all of them in use
        made(f"more{number}")
    assert len([path for path in home.iterdir() if path.name.startswith("more")]) == trees.MOST


@pytest.mark.parametrize("place", ["no home", "no folder"])
def test_without_a_cache_a_tree_is_temporary(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "no home":
        monkeypatch.setattr(trees, "cache_folder", lambda: None)
    else:
        (tmp_path / "cache").write_text("a file")
    folder, held = tree("kind", "key", lambda: FILES)
    assert contents(folder) == dict(FILES)
    del held
    assert not folder.exists()


def test_a_temporary_tree_that_can_not_be_finished_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ValueError, match="not a valid file name"):
        temporary(lambda: [*FILES, ("..", b"")])
    assert list(tmp_path.iterdir()) == []


def test_another_process_may_be_faster(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        if not (home / "key").exists():
            tree("kind", "key", lambda: FILES)
        yield from FILES

    folder, _ = tree("kind", "key", files)
    assert contents(folder) == dict(FILES)
    assert {path.name for path in home.iterdir()} == {"key"}
