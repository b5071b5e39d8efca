"""The syntax of cardgen's own modules, for tests that read it: parsed and walked once in a run."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


@contextmanager
def _uncollected() -> Iterator[None]:
    """Much is made and nothing of it is garbage, and to look for that takes longest."""
    running = gc.isenabled()
    gc.disable()
    yield
    if running:
        gc.enable()


@cache
def tree(path: Path) -> ast.Module:
    with _uncollected():
        return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All of a module, in the order of `ast.walk`."""
    module = tree(path)
    with _uncollected():
        return list(ast.walk(module))


def statements(path: Path) -> Iterator[ast.stmt]:
    """A module's statements at any depth: a twentieth of its nodes."""
    left: list[ast.AST] = [tree(path)]
    while left:
        node = left.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            found = getattr(node, name, ())
            if isinstance(found, list):  # of an expression it is another one
                left.extend(found)
                yield from (each for each in found if isinstance(each, ast.stmt))
