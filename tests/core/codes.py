"""The codes of all findings that the engine can make, read from its source and its tables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.sources import nodes, statements

PACKAGE = Path(__file__).resolve().parents[2] / "cardgen"

_CODE = re.compile(r"[a-z]+/[a-z][a-z0-9-]*")
_MAY_BE = re.compile(r"[a-z]/[a-z{\"']")
"""Stands in every module that has a code, or puts one together."""
NO_CODES = frozenset(
    "application/json application/pdf data/languages data/services data/sheets exports/skeletons files/ods "
    "commands/data commands/vscode game/looks image/jpeg image/png images/table-top "
    "refs/heads refs/remotes refs/tags text/event-stream text/xml text/csv text/plain".split()
)
"""Words of the source that look like codes: media types, folders, names of git."""
FOLDERS = frozenset({"data/"})
"""Families that are folders, too: what is put together of them are paths."""
SAID_BY_PREFIX = {
    "commands/build/export.py: cockatrice/": "_say",
    "commands/check/pdf_files.py: pdf/": "_say",
    "game/effect_language.py: effect/": "problem",
    "game/languages.py: translation/": "_say",
}
"""Where codes are put together of a family and a word, and the methods that are given the word."""
BY_TABLES = frozenset(
    {
        "core/budget.py: budget/",
        "game/components.py: component/",
        "files/confinement.py: sandboxed/",
        "pdf/images.py: image/",
        "art/splitting.py: svg/",
        "game/schema_findings.py: schema/",
        "svg/costs.py: svg/",
        "svg/lint.py: svg/",
    }
)
"""Where they are put together of a family and a name that stands in a table: see `_of_tables`."""
OF_GAMES = frozenset({"rules/judging.py: rule/", "commands/check/check.py: rule/"})
"""Where a game gives the name."""


@cache
def stated() -> dict[str, str]:
    """Each code with a place of the source that has it."""
    found: dict[str, str] = {}
    families = {code.partition("/")[0] for code in _constants()}
    for path in _modules():
        relative = path.relative_to(PACKAGE).as_posix()
        for node in nodes(path):
            if isinstance(node, ast.JoinedStr) and (prefix := _prefix(node, families)):
                place = f"{relative}: {prefix}"
                if place in SAID_BY_PREFIX:
                    for word in _words(nodes(path), SAID_BY_PREFIX[place]):
                        found[prefix + word] = place
                elif prefix not in FOLDERS and place not in BY_TABLES | OF_GAMES:
                    raise AssertionError(f"{place}… is put together: say in {__file__} of what")
    return {**_constants(), **found, **dict.fromkeys(_of_tables(), "a table")}


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not {"_bundled", "explanations"} & set(path.parts)
        and _MAY_BE.search(path.read_text(encoding="utf-8"))
    )


@cache
def _constants() -> dict[str, str]:
    """Plain strings of the form of a code, in what is called, given back or kept under a name."""
    found = {}
    for path in _modules():
        docstrings = {id(node.value) for node in statements(path) if isinstance(node, ast.Expr)}
        for node in nodes(path):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if id(node) not in docstrings and _CODE.fullmatch(node.value) and node.value not in NO_CODES:
                found[node.value] = f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
    return found


def _prefix(node: ast.JoinedStr, families: set[str]) -> str:
    """The family of a code that is put together, with its slash, or nothing."""
    first, *rest = node.values
    if len(rest) != 1 or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return ""
    name, slash, more = first.value.partition("/")
    return first.value if slash and not more and name in families else ""


def _words(within: Iterable[ast.AST], method: str) -> Iterator[str]:
    """The single words that a method is given, and what names of such words may be."""
    for node in within:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
            for given in node.args[:2]:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield from re.findall(r"^[a-z]+(?:-[a-z]+)*$", given.value)


def _of_tables() -> Iterator[str]:
    from cardgen.art import splitting as surroundings
    from cardgen.svg import lint

    yield from ("effect/keyword", "effect/condition")  # `noun` in effects/structure.py
    yield from ("sandboxed/memory", "sandboxed/time", "sandboxed/crash", "sandboxed/space")
    yield from ("budget/time", "budget/memory", "budget/files")
    yield from ("component/safe", "component/bleed", "component/corner-radius")
    yield from ("template/if", "template/each")
    for table in (lint._REFUSED_ELEMENTS, lint._REFUSED_ATTRIBUTES, lint._REFUSED_VALUES, lint.WORDS):
        yield from (f"svg/{name.lower()}" for name in table)
    yield from (f"svg/{name.lower()}" for name in lint._REFUSED_PARTS)
    yield from (f"svg/{name}" for name in surroundings._BLENDED)
