"""Which part of cardgen may import which: the one-way flow, read from the imports themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "cardgen"
GROUND = {"findings", "units", "geometry", "files"}
BELOW: dict[str, set[str]] = {
    "findings": set(),
    "units": set(),
    "geometry": set(),
    "folders": set(),
    "files": {"findings"},
    "model": GROUND,
    "project": GROUND | {"model"},
    "stamps": {"folders"},
    "printer": GROUND | {"files", "folders", "model"},
    "typesetting": GROUND | {"model"},
    "effects": GROUND | {"model"},
    "loading": GROUND | {"model", "effects"},
    "rendering": GROUND | {"folders", "model", "effects", "typesetting"},
    "drawing": GROUND | {"folders", "files", "model", "typesetting"},
    "imposition": GROUND | {"model"},
    "exporting": GROUND | {"files", "model", "typesetting", "drawing"},
    "checking": GROUND | {"model", "effects"},
    "book": GROUND | {"model", "typesetting"},
    "reference": GROUND | {"model"},
    "report": GROUND | {"model", "checking", "files"},
    "reporting": {"findings"},
}
ENDS = {"__init__", "__main__", "cli", "pipeline"}


def imported(path: Path) -> set[tuple[str, int]]:
    """The parts of cardgen that a module imports, each with its line."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
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


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    name = part(path)
    allowed = BELOW.get(name)
    if allowed is None:
        return  # the ends of the pipeline join the stages; the next test holds the command line
    wrong = [
        f"line {line}: imports {other}"
        for other, line in sorted(imported(path))
        if other != name and other not in allowed
    ]
    assert not wrong, f"{name} may import {sorted(allowed)}: {wrong}"


@pytest.mark.parametrize("module", ["arguments.py", "cli.py"])
def test_the_command_line_uses_the_library_alone(module: str) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    names = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    } | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if name and name.startswith("cardgen")} == {"cardgen"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_game_is_known_to_python(path: Path) -> None:
    games = [folder.parent.name for folder in (PACKAGE.parent / "data").glob("*/game.yaml")]
    assert games
    text = path.read_text(encoding="utf-8").lower()
    assert not [game for game in games if game in text]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_small(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 450, f"{lines} lines: which two modules is it?"
