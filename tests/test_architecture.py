"""Which part of cardgen may import which: the one-way flow, read from the imports themselves."""

from __future__ import annotations

import ast
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from cardgen.cli.main import main
from tests.sources import nodes, statements

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cardgen"
FACES = frozenset({"__init__", "__main__", "cli", "plugins", "pytest_plugin"})
MAY_IMPORT: dict[str, frozenset[str]] = {
    room: frozenset(others.split())
    for room, others in {
        "core": "",
        "expressions": "core",
        "files": "core",
        "sheets": "core",
        "game": "core files sheets",
        "svg": "core",
        "pdf": "core files svg",
        "rules": "core expressions files game svg pdf",
        "text": "core files game",
        "art": "core expressions files game svg text",
        "book": "core text",
        "exports": "core files pdf text",
        "commands": "core files sheets game pdf rules text art book exports",
        "workbench": "core files svg pdf rules art commands",
    }.items()
}
"""Every room but the faces, which are above all others."""
FACES_MAY_IMPORT = {
    "cli": frozenset({"core", "files", "commands", "workbench"}),
    "plugins": frozenset({"core", "exports", "rules"}),
    "pytest_plugin": frozenset({"core", "rules"}),
}
"""The rooms of the faces besides `import cardgen`."""
COMMANDS_MAY_IMPORT: dict[str, frozenset[str]] = {
    room: frozenset(others.split())
    for room, others in {
        "production": "",
        "compare": "production",
        "build": "production compare",
        "check": "production compare",
        "data": "production compare check",
    }.items()
}
"""The folders of `commands`, which are rooms to each other."""
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_bundled" not in path.parts)
MOST_LINES = 900


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def folder(name: str) -> str:
    """The folder of `commands` that a module is in, by its name without `cardgen.`; else nothing."""
    words = name.split(".")
    return words[1] if words[0] == "commands" and words[1:2] and words[1] in COMMANDS_MAY_IMPORT else ""


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The modules of cardgen that a module imports, each with its line."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)}:{node.lineno} imports by a relative name"
            names = [node.module or ""]
            if node.module == "cardgen":
                names = [f"cardgen.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.partition(".")[0] == "cardgen")


def test_every_room_is_ruled() -> None:
    rooms = {room(path) for path in MODULES}
    assert len(MODULES) > 200
    assert rooms - FACES == set(MAY_IMPORT)
    assert rooms >= FACES
    assert set().union(*MAY_IMPORT.values()) <= set(MAY_IMPORT)


def test_imports_point_downwards() -> None:
    wrong = [
        f"{name_of(path)}:{line}: {room(path)} may not import {name}"
        for path in MODULES
        if room(path) in MAY_IMPORT
        for name, line in imported(path)
        if name.partition(".")[2].partition(".")[0] not in MAY_IMPORT[room(path)] | {room(path)}
    ]
    assert not wrong, "\n".join(wrong)


def test_imports_within_commands_point_downwards() -> None:
    names = {path: ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in MODULES}
    wrong = [
        f"{name_of(path)}:{line}: {folder(names[path])} may not import {name}"
        for path in MODULES
        if folder(names[path])
        for name, line in imported(path)
        if folder(name.partition(".")[2])
        if folder(name.partition(".")[2])
        not in {*COMMANDS_MAY_IMPORT[folder(names[path])], folder(names[path])}
    ]
    assert not wrong, "\n".join(wrong)
    above: set[str] = set()
    left = dict(COMMANDS_MAY_IMPORT)
    while free := [name for name, others in left.items() if others <= above]:
        above |= set(free)
        left = {name: others for name, others in left.items() if name not in free}
    assert not left, f"a circle among {sorted(left)}"


def test_no_files_import_each_other_in_a_circle() -> None:
    """Lazy imports and those for types count too; a package and its own modules don't."""
    names = {
        ".".join(("cardgen", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in MODULES
    }
    left = {
        module: {name for name, _ in imported(path) if name in names and name != module}
        | {
            f"{node.module}.{alias.name}"
            for node in statements(path)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if f"{node.module}.{alias.name}" in names
        }
        for module, path in names.items()
    }
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    while free := [module for module in left if not any(module in others for others in left.values())]:
        for module in free:
            del left[module]
    assert not left, f"a circle among {sorted(left)}"


def test_the_table_has_no_circle_and_no_line_too_many() -> None:
    above: list[str] = []
    left = dict(MAY_IMPORT)
    while free := sorted(name for name, others in left.items() if others <= set(above)):
        above += free
        left = {name: others for name, others in left.items() if name not in free}
    assert not left, f"a circle among {sorted(left)}"
    used = {
        (room(path), name.split(".")[1]) for path in MODULES for name, _ in imported(path) if "." in name
    }
    unused = [
        f"{name} -> {other}"
        for name, others in MAY_IMPORT.items()
        for other in others
        if (name, other) not in used
    ]
    assert not unused, unused


def test_the_faces_use_what_commands_do() -> None:
    used: dict[str, set[str]] = {face: set() for face in FACES_MAY_IMPORT}
    for path in MODULES:
        if room(path) in used:
            used[room(path)] |= {name.split(".")[1] for name, _ in imported(path) if "." in name}
    assert {face: rooms - {face} for face, rooms in used.items()} == FACES_MAY_IMPORT


def test_no_game_is_known_to_python() -> None:
    games = [folder.parent.name for folder in (ROOT / "data").glob("*/game.yaml")]
    texts = {path: path.read_text(encoding="utf-8").lower() for path in MODULES}
    named = [
        f"{name_of(path)} names {game}" for path, text in texts.items() for game in games if game in text
    ]
    assert games
    assert not named


def test_modules_stay_small() -> None:
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    large = [f"{name}: {count} lines" for name, count in lines.items() if count > MOST_LINES]
    assert not large, "\n".join(["which two modules is each?", *large])


def test_the_map_names_every_room() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = text[text.index("| part of `cardgen/`") : text.index("## To add a thing")]
    rows = "".join(re.findall(r"^\| (.*?) \|", table.partition("\n")[2], re.MULTILINE))
    named = set(re.findall(r"`([a-z_]+)(?:\.py|/)`", rows))
    assert named == {room(path) for path in MODULES} - {"__main__"}


def test_a_problem_has_one_shape() -> None:
    """A mistake is a `Problem` until its place is known; a hint is one guess."""
    shapes = {
        f"{name_of(path)}: {node.name}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Problem")
    }
    solved = "rules/solver.py: CoverageProblem"  # what the solver is given, which is nothing wrong
    assert shapes == {"core/findings.py: Problem", solved}
    guesses = [
        f"{name_of(path)}:{node.lineno}"
        for path in MODULES
        for node in nodes(path)
        if "get_close_matches" in (getattr(node, "attr", ""), getattr(node, "name", ""))
    ]
    assert [guess.partition(":")[0] for guess in guesses] == ["core/findings.py"], guesses


def test_what_tests_alone_may_use_is_not_imported() -> None:
    """MuPDF's licence (AGPL) would become that of everybody who uses cardgen."""
    pattern = re.compile(r"^\s*(?:import|from)\s+(?:pymupdf|fitz|mupdf)\b", re.MULTILINE)
    assert not [path for path in MODULES if pattern.search(path.read_text(encoding="utf-8"))]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for name, listed in project["optional-dependencies"].items() if "pymupdf" in str(listed)}
    assert extras == {"test"}
    assert "pymupdf" not in str(project["dependencies"])


POWERS: dict[str, dict[str, str]] = {
    "processes": {
        "commands/check/ahead.py": "a fork of our own, to examine sides in low ink",
        "commands/production/git.py": "git of the user's PATH",
        "commands/production/stamping.py": "our own processes, for --jobs",
        "files/confinement.py": "bwrap, and Python, confined, with a program of ours",
        "files/confined_child.py": "tries to fork where that must fail",
        "pdf/separations.py": "Ghostscript of the user's PATH, within limits",
        "pdf/typst_process.py": "Python with our own module",
        "workbench/server/app.py": "the editor of the user's $CARDGEN_EDITOR",
        "workbench/studio.py": "a fork of our own, and Python with our own module, to draw a picture",
    },
    "network": {
        "commands/production/cluster.py": "a scheduler that the user names, or starts on 127.0.0.1",
        "files/confined_child.py": "tries what must fail, on 127.0.0.1",
        "files/network.py": "pull, uploads, and a running table, on 127.0.0.1",
        "workbench/server/serving.py": "listens on 127.0.0.1, and bounds its connections",
    },
    "code": {
        "files/confined_child.py": "the program that our own parent names",
        "commands/check/check.py": "the file of `cardgen simulate --trust-bots`",
        "art/templating.py": "compiled templates, from the user's own cache",
        "core/records.py": "methods of our own classes",
        "core/game.py": "plain data, packed by this very process",
        "rules/expressions.py": "compiled expressions, from the user's own cache",
    },
}
"""All modules that start processes, open connections, or run code from data, and what for."""
_POWER_OF_MODULE = {
    **dict.fromkeys(("subprocess", "multiprocessing", "pty"), "processes"),
    **dict.fromkeys(("socket", "ssl", "http", "ftplib", "smtplib", "urllib.request"), "network"),
    **dict.fromkeys(("distributed", "dask"), "network"),
    **dict.fromkeys(("uvicorn", "requests", "httpx", "socketserver", "xmlrpc"), "network"),
    **dict.fromkeys(("pickle", "shelve", "runpy", "code", "dill"), "code"),
}
_STARTING = re.compile(r"^os\.(fork|forkpty|exec|spawn|system|popen|posix_spawn|startfile)")
_RUNNING = re.compile(r"^(eval|exec|compile|__import__|marshal\.loads?)$")


def powers(path: Path) -> Iterator[str]:
    """The powers that a module has by what it imports and calls."""
    for node in nodes(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if _STARTING.match(called):
                yield "processes"
            elif _RUNNING.match(called):
                yield "code"
        for name in names:
            found = _POWER_OF_MODULE.get(name) or _POWER_OF_MODULE.get(name.partition(".")[0])
            if found is not None:
                yield found


def test_processes_connections_and_code_are_in_few_modules() -> None:
    found = {(power, name_of(path)) for path in MODULES for power in powers(path)}
    assert found == {(power, name) for power, listed in POWERS.items() for name in listed}


STOP = re.compile(r"^\d+\. `([\w/]+\.py)` `([\w.]+)`", re.MULTILINE)


def test_a_text_makes_the_stops_that_the_documents_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = STOP.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert len(stops) == 12
    (tmp_path / "deck.csv").write_text("Title,Text\nFox,It runs away from the hounds every night.\n")
    monkeypatch.chdir(tmp_path)
    assert main(["new", "deck", "--from", "deck.csv"]) == 0
    shutil.rmtree(tmp_path / "deck" / "output")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    called: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            called[Path(code.co_filename).relative_to(PACKAGE).as_posix(), code.co_qualname] = None

    sys.setprofile(note)
    try:
        assert main(["build", "deck", "--project", "deck"]) == 0
    finally:
        sys.setprofile(None)
    made = [stop for stop in called if stop in stops]
    assert made == stops
