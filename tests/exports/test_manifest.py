"""The list of what an output folder holds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Page
from cardgen.exports.manifest import ManifestEntry, entry_for, manifest_of
from tests.for_each import for_each

LETTER = Size(215.9, 279.4)
WHOLE = Rect(0, 0, 215.9, 279.4)
PAGE = Page(LETTER, "face", WHOLE, WHOLE, ())


def sheet(name: str, pages: int = 1) -> ImposedSheet:
    return ImposedSheet(name, "letter", "none", (PAGE,) * pages, 9 * pages)


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def entry(folder: Path, path: Path, sheet: ImposedSheet) -> ManifestEntry:
    return entry_for(path.relative_to(folder).as_posix(), path, sheet)


def update(folder: Path, version: str, *entries: ManifestEntry) -> None:
    listed, gone = manifest_of(folder, "demo", version, entries, {"a", "b", "c", "poker"})
    (folder / "manifest.json").write_bytes(listed)
    assert gone == []


def test_an_entry_states_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "kits/poker.pdf", b"%PDF")
    update(tmp_path, "1.0", entry(tmp_path, path, sheet("poker", 2)))
    assert json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8")) == {
        "manifest": 1,
        "game": "demo",
        "version": "1.0",
        "files": [
            {
                "path": "kits/poker.pdf",
                "sheet": "poker",
                "paper": "letter",
                "page_mm": [215.9, 279.4],
                "pages": 2,
                "cards": 18,
                "bytes": 4,
                "sha256": hashlib.sha256(b"%PDF").hexdigest(),
            }
        ],
    }


def listed(folder: Path) -> list[tuple[str, int]]:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [(entry["path"], entry["bytes"]) for entry in content["files"]]


def test_sheets_not_rebuilt_stay_listed_while_their_files_exist(tmp_path: Path) -> None:
    files = [write(tmp_path, f"{name}.pdf", b"old") for name in "cab"]
    update(tmp_path, "1.0", *(entry(tmp_path, path, sheet(path.stem)) for path in files))
    assert listed(tmp_path) == [("a.pdf", 3), ("b.pdf", 3), ("c.pdf", 3)]
    (tmp_path / "b.pdf").unlink()
    write(tmp_path, "a.pdf", b"newer")
    update(tmp_path, "1.1", entry(tmp_path, tmp_path / "a.pdf", sheet("a")))
    assert listed(tmp_path) == [("a.pdf", 5), ("c.pdf", 3)]


def test_the_order_of_building_does_not_show(tmp_path: Path) -> None:
    contents = []
    for order in ("ab", "ba"):
        folder = tmp_path / order
        for name in order:
            path = write(folder, f"{name}.pdf", name.encode())
            update(folder, "1.0", entry(folder, path, sheet(name)))
        contents.append((folder / "manifest.json").read_bytes())
    assert contents[0] == contents[1]


LONG = f'{{"path": "{"x" * 5000}"}}'


@for_each(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"manifest": 1, "files": [{}]}',
        '{"manifest": 99}',
        "[" * 100_000,
        r'{"manifest": 1, "files": [{"path": "\ud800"}]}',
        r'{"manifest": 1, "files": [{"path": "a\u0000"}]}',
        f'{{"manifest": 1, "files": [{LONG}]}}',
    ],
    ids=range(9),
)
def test_a_damaged_manifest_is_replaced(tmp_path: Path, damage: str) -> None:
    (tmp_path / "manifest.json").write_text(damage, encoding="utf-8")
    path = write(tmp_path, "a.pdf", b"x")
    update(tmp_path, "1.0", entry(tmp_path, path, sheet("a")))
    assert listed(tmp_path) == [("a.pdf", 1)]
