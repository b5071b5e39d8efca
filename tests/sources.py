"""The syntax of cardgen's own modules, for tests that read it: parsed and walked once in a run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All of a module, in the order of `ast.walk`."""
    return list(ast.walk(tree(path)))


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
