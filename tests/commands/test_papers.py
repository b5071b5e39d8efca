"""Sheets of several papers in one build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf

Run = Callable[..., tuple[int, str, str]]


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in sorted(folder.glob("*.pdf")):
        with pikepdf.Pdf.open(path) as pdf:
            width, height = sorted(round(float(side)) for side in pdf.pages[0].mediabox[2:])
            found[path.name] = (width, height)
    return found


def test_letter_and_a4_in_one_build_are_those_of_two(run: Run, demo: Path) -> None:
    code, _, errors = run("build", "demo", "--paper", "letter,a4", "--output", str(demo / "both"))
    assert code == 0, errors
    for paper in ("letter", "a4"):
        code, _, errors = run("build", "demo", "--paper", paper, "--output", str(demo / "each"))
        assert code == 0, errors
    both, each = (demo / name / "demo" for name in ("both", "each"))
    assert sizes(both) == sizes(each)
    assert {(612, 792), (595, 842)} <= set(sizes(both).values())
    for path in both.glob("*.pdf"):
        assert path.read_bytes() == (each / path.name).read_bytes()
    code, out, _ = run("build", "demo", "--paper", "letter,a4", "--output", str(demo / "both"))
    assert code == 0
    assert "up to date" in out


def test_what_is_said_of_both_papers_is_said_once(run: Run, demo: Path) -> None:
    sheet = demo / "data/sheets/poker.yaml"
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_text("title: Narrow\nbleed: 3mm\ngutter: 1mm\n", encoding="utf-8")
    code, _, errors = run("build", "demo", "--paper", "letter,a4")
    assert code == 1
    assert errors.count("[sheet/gutter]") == 1
