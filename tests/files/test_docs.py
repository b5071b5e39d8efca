"""docs/files.md states the bounds that hold."""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.files.listing import MOST_DEPTH, MOST_ENTRIES, MOST_NAMES
from cardgen.files.reading import INPUTS, in_words

TEXT = (Path(__file__).resolve().parents[2] / "docs/files.md").read_text(encoding="utf-8")


def test_the_table_of_sizes() -> None:
    stated = dict(re.findall(r"^\| ([a-zA-Z ]+) \| (\d+ [kM]B) \|$", TEXT, re.MULTILINE))
    assert stated == {kind.names: in_words(kind.most) for kind in INPUTS}


def test_the_bounds_of_folders() -> None:
    for bound in (f"{MOST_ENTRIES:,}", f"{MOST_DEPTH} deep", f"{MOST_NAMES:,}"):
        assert bound in TEXT


def test_every_code_is_told() -> None:
    source = Path(__file__).resolve().parents[2] / "cardgen"
    codes = set()
    for path in (source / "files").glob("*.py"):
        codes |= set(re.findall(r'"((?:file|folder|output)/[a-z-]+)"', path.read_text(encoding="utf-8")))
    untold = {code for code in codes if f"`{code}`" not in TEXT}
    assert untold <= {"file/missing", "file/unreadable", "folder/kind"}, untold
