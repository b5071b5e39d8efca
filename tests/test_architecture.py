"""Which part of cardgen may import which: the one-way flow, read from the imports themselves."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "cardgen"
GROUND = {"findings", "units", "geometry", "storage"}
BELOW: dict[str, set[str]] = {
    "findings": set(),
    "units": set(),
    "geometry": set(),
    "folders": set(),
    "storage": {"findings", "folders"},
    "pdfcanvas": set(),
    "terminal": set(),
    "model": GROUND,
    "project": GROUND | {"model"},
    "confinement": {"findings"},
    "stamps": {"storage"},
    "printer": GROUND | {"folders", "model"},
    "yaml": GROUND,
    "schema": GROUND | {"model", "yaml"},
    "typesetting": GROUND | {"model", "yaml", "schema"},
    "effects": GROUND | {"model"},
    "loading": GROUND | {"model", "effects", "yaml", "schema"},
    "rendering": GROUND | {"model", "effects", "sandbox", "svg", "typesetting"},
    "drawing": GROUND | {"model", "svg", "typesetting"},
    "imposition": GROUND | {"model"},
    "exporting": GROUND | {"model", "typesetting", "drawing", "pdfcanvas"},
    "checking": GROUND | {"model", "effects", "sandbox", "terminal"},
    "book": GROUND | {"model", "typesetting"},
    "reference": GROUND | {"model"},
    "report": GROUND | {"model", "checking", "pdfcanvas", "terminal"},
    "reporting": {"findings", "terminal"},
    "sandbox": GROUND,
    "svg": GROUND,
}


def imported(path: Path) -> set[tuple[str, int]]:
    """The parts of cardgen that a module imports, each with its line."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:  # none may be; a test below says so
                continue
            names = [node.module or ""]
            if node.module == "cardgen":
                names = [f"cardgen.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("cardgen."):
                found.add((name.split(".")[1], node.lineno))
    return found


def part(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_bundled" not in path.parts)
MOST_LINES = 450


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_are_modules_to_read() -> None:
    assert len(MODULES) > 200
    assert {"imposition/grid.py", "cli.py"} <= {name_of(path) for path in MODULES}


def test_imports_point_downwards() -> None:
    """The ends of the pipeline, which no line of the table names, join the stages and may import all."""
    wrong = [
        f"{name_of(path)}:{line}: imports {other}, but {part(path)} may import {sorted(allowed)}"
        for path in MODULES
        if (allowed := BELOW.get(part(path))) is not None
        for other, line in sorted(imported(path))
        if other != part(path) and other not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def test_imports_are_absolute() -> None:
    relative = [
        f"{name_of(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not relative, "\n".join(relative)


def test_every_line_of_the_table_is_of_a_part() -> None:
    parts = {part(path) for path in MODULES}
    assert [name for name in BELOW if name not in parts] == []
    assert sorted({other for allowed in BELOW.values() for other in allowed} - parts) == []


@pytest.mark.parametrize("module", ["arguments.py", "cli.py"])
def test_the_command_line_uses_the_library_alone(module: str) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    names = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    } | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if name and name.startswith("cardgen")} == {"cardgen"}


def test_no_game_is_known_to_python() -> None:
    games = [folder.parent.name for folder in (PACKAGE.parent / "data").glob("*/game.yaml")]
    assert games
    named = [
        f"{name_of(path)} names {game}"
        for path in MODULES
        for text in [path.read_text(encoding="utf-8").lower()]
        for game in games
        if game in text
    ]
    assert not named, "\n".join(named)


def test_modules_stay_small() -> None:
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    large = [f"{name}: {count} lines" for name, count in lines.items() if count > MOST_LINES]
    assert not large, "\n".join(["which two modules is each?", *large])


def test_what_tests_alone_may_use_is_not_imported() -> None:
    """MuPDF's licence (AGPL) would become that of everybody who uses cardgen."""
    pattern = re.compile(r"^\s*(?:import|from)\s+(?:pymupdf|fitz|mupdf)\b", re.MULTILINE)
    assert not [path for path in MODULES if pattern.search(path.read_text(encoding="utf-8"))]
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for name, listed in project["optional-dependencies"].items() if "pymupdf" in str(listed)}
    assert extras == {"test"}
    assert "pymupdf" not in str(project["dependencies"])
