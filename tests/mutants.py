"""Flip seeded places of each room of `cardgen/` in a copy; print how many its tests notice.

python tests/mutants.py --room imposition --seed 7 --count 40
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
NO_EFFECT = {"encoding", "newline", "strict", "maxsize", "stacklevel"}
"""Keyword arguments without an effect on any correct result."""
LOGS = re.compile(r"(^|\.)(log|logger|logging|warnings)\.|^print$|^_?log$")
SYMMETRIC = {"max", "maximum", "min", "minimum", "isclose", "gcd"}


@dataclass(frozen=True)
class Flip:
    """One change: the node's bytes in a file and the text that replaces them."""

    kind: str
    file: Path
    line: int
    start: int
    end: int
    text: str

    def __str__(self) -> str:
        old = self.file.read_bytes()[self.start : self.end].decode("utf-8")
        place = f"{self.file.relative_to(ROOT)}:{self.line}"
        return f"{place}: {self.kind}: {_short(old)} -> {_short(self.text)}"


def _short(text: str) -> str:
    return " ".join(text.split())[:70]


# ---------------------------------------------------------------- flips


def flips_of(file: Path) -> list[Flip]:
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _code(ast.parse(source)):
        for kind, new in _changes(node):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = new if isinstance(new, str) else ast.unparse(new)
            text = text if isinstance(node, ast.stmt) else f"({text})"
            found.append(Flip(kind, file, node.lineno, start, end, text))
    return found


def _code(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes that compute: no annotations, decorators, log calls, raised messages, f-strings."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or (name == "exc" and value):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert):
                continue
            if isinstance(child, ast.Call) and LOGS.search(ast.unparse(child.func)):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.keyword) and child.arg in NO_EFFECT:
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _code(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST | str]]:
    match node:
        case ast.Compare(ops=[op, *rest]):
            yield "comparison", ast.Compare(node.left, [COMPARISONS[type(op)](), *rest], node.comparators)
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _has_text(node):
            yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(op)](), node.right)
        case ast.AugAssign(op=op) if type(op) in ARITHMETIC and not _has_text(node):
            yield "arithmetic", ast.AugAssign(node.target, ARITHMETIC[type(op)](), node.value)
        case ast.BoolOp(op=op):
            yield "boolean", ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "boolean", node.operand
        case ast.Constant(value=bool(value)):
            yield "constant", repr(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", repr(value + 1 if abs(value) < 2 else value * 2)
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) as value):
            yield "return", ast.Return(ast.UnaryOp(ast.Not(), value))
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "return", "return None"
        case ast.Call(args=args, keywords=keywords):
            starred = any(isinstance(arg, ast.Starred) for arg in args)
            if len(args) + len(keywords) > 1 and not starred:
                if keywords and keywords[-1].arg and keywords[-1].arg not in NO_EFFECT:
                    yield "dropped argument", ast.Call(node.func, args, keywords[:-1])
                elif len(args) > 1 and not keywords:
                    yield "dropped argument", ast.Call(node.func, args[:-1], keywords)
            different = len(args) > 1 and ast.dump(args[0]) != ast.dump(args[1])
            if different and not starred and ast.unparse(node.func).rpartition(".")[2] not in SYMMETRIC:
                yield "swapped order", ast.Call(node.func, [args[1], args[0], *args[2:]], keywords)


def _has_text(node: ast.AST) -> bool:
    """Report a sum of texts or a path: any other operator there ends in a crash, which proves nothing."""
    leaves = (each.value if isinstance(each, ast.Constant) else each for each in ast.walk(node))
    return any(isinstance(leaf, str | ast.JoinedStr) for leaf in leaves)


def chosen(room: Path, seed: int, count: int) -> list[Flip]:
    """Draw the flips of a room, as many of each kind as possible."""
    source = random.Random(f"{room.name} {seed}")
    kinds: dict[str, list[Flip]] = {}
    for file in sorted(room.rglob("*.py")):
        for flip in flips_of(file):
            kinds.setdefault(flip.kind, []).append(flip)
    waiting = deque(source.sample(flips, len(flips)) for _, flips in sorted(kinds.items()))
    drawn: list[Flip] = []
    while waiting and len(drawn) < count:
        flips = waiting.popleft()
        drawn.append(flips.pop())
        if flips:
            waiting.append(flips)
    return drawn


# ---------------------------------------------------------------- rooms and their tests


def rooms() -> dict[str, Path]:
    folders = sorted(path for path in (ROOT / "cardgen").iterdir() if any(path.rglob("*.py")))
    return {path.name: path for path in folders if path.is_dir() and (path / "__init__.py").is_file()}


@cache
def imports_of(test: Path) -> frozenset[str]:
    """Return the modules of `cardgen` that a test imports by name."""
    found = set()
    for node in ast.walk(ast.parse(test.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(name for name in found if name.startswith("cardgen."))


def tests_of(room: Path) -> list[Path]:
    module = _module(room)
    top = [
        test
        for test in sorted((ROOT / "tests").glob("test_*.py"))
        if any(f"{name}.".startswith(f"{module}.") for name in imports_of(test))
    ]
    folders = [path for path in sorted((ROOT / "tests").iterdir()) if path.is_dir()]
    own = [
        test for folder in folders if _tested_by(folder) == room.name for test in folder.rglob("test_*.py")
    ]
    return sorted(own) + top


def _tested_by(folder: Path) -> str | None:
    """The room that most tests in a folder import from; `core`, which all do, only if hardly any other."""
    rooms = Counter(
        name.split(".")[1]
        for test in folder.rglob("test_*.py")
        for name in imports_of(test)
        if name.count(".")
    )
    core = rooms.pop("core", 0)
    return max(rooms, key=rooms.__getitem__, default="core") if 5 * rooms.total() > core else "core"


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


# ---------------------------------------------------------------- runs


class Copy:
    """A copy of the checkout, in which a room is broken and its tests are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "copy"
        left_out = shutil.ignore_patterns(".git", ".venv", "output", "__pycache__", ".*_cache")
        shutil.copytree(ROOT, self.root, ignore=left_out)
        self.environment = {**os.environ, "PYTHONPATH": str(self.root)}
        self.saved = time.time() - 10**6
        where = "import cardgen; print(cardgen.__file__)"
        found = self._run([sys.executable, "-c", where], 60)[1]
        assert Path(found.strip()).is_relative_to(self.root), found

    def write(self, file: Path, content: bytes) -> None:
        """Write a file with a time of its own, so that no bytecode of another state is loaded for it."""
        path = self.root / file.relative_to(ROOT)
        path.write_bytes(content)
        self.saved += 10
        os.utime(path, (self.saved, self.saved))

    def run(self, tests: list[Path], seconds: float, *options: str) -> tuple[int | None, str]:
        """Run tests. Returns pytest's exit code, None after `seconds`, and what it printed."""
        names = [str(test.relative_to(ROOT)) for test in tests]
        plain = ["-n", "0", "-q", "--tb=no", "-p", "no:cacheprovider", "-rfE"]
        return self._run([sys.executable, "-m", "pytest", *plain, *options, *names], seconds)

    def _run(self, command: list[str], seconds: float) -> tuple[int | None, str]:
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env=self.environment,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code: int | None
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            printed.seek(0)
            return code, printed.read()


def score(copy: Copy, room: Path, seed: int, count: int) -> None:
    """Print a room's survivors and its score. A crash, an error and a timeout count as noticed."""
    tests, flips = tests_of(room), chosen(room, seed, count)
    if not tests or not flips:
        print(f"{room.name}: {len(flips)} flips, {len(tests)} test files", flush=True)
        return
    began = time.monotonic()
    code, said = copy.run(tests, 3600)
    seconds = time.monotonic() - began
    broken = re.findall(r"^(?:FAILED|ERROR) (\S+::[^\n]*?)(?: - .*)?$", said, re.MULTILINE)
    if code and not broken:
        raise SystemExit(f"{room.name}: its tests don't run without a flip\n{said[-2000:]}")
    if broken:
        print(
            f"{room.name}: {len(broken)} tests fail without a flip and are skipped: {broken[0]}", flush=True
        )
    skipped = [f"--deselect={test}" for test in broken]
    noticed = 0
    for flip in flips:
        whole = flip.file.read_bytes()
        copy.write(flip.file, whole[: flip.start] + flip.text.encode() + whole[flip.end :])
        module = _module(flip.file)
        near = sorted(tests, key=lambda test: all(not name.startswith(module) for name in imports_of(test)))
        if copy.run(near, 60 + 3 * seconds, "-x", *skipped)[0] == 0:
            print(f"  survives: {flip}", flush=True)
        else:
            noticed += 1
        copy.write(flip.file, whole)
    print(f"{room.name}: {noticed} of {len(flips)}, {noticed / len(flips):.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Score each room's tests by seeded flips of its code.")
    parser.add_argument("--room", choices=sorted(rooms()), help="flip this room only; default: all rooms")
    parser.add_argument("--seed", type=int, default=1, help="draw the flips by this seed; default: 1")
    parser.add_argument("--count", type=int, default=20, help="flip so many places a room; default: 20")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Copy(Path(folder))
        for name, room in rooms().items():
            if options.room in (None, name):
                score(copy, room, options.seed, options.count)


if __name__ == "__main__":
    main()
