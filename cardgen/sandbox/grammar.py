"""What may stand in a template or an expression: an allow-list of statements, operations and names.

Checked in the tree that Jinja2's parser makes, before it is compiled. Whatever is not listed here, such as
`{% autoescape %}` or a tag of an extension, is refused.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from jinja2 import TemplateSyntaxError, nodes

from cardgen.findings import did_you_mean

MAX_NESTING = 100
"""Deepest nesting of statements and operations, one in another. Python's compiler ends at 200 brackets."""

MAX_STATEMENTS = 40
"""Deepest nesting of statements. Python's compiler ends at 100 levels."""

MAX_LOOPS = 12
"""Deepest nesting of loops. Python's compiler ends at 20 blocks."""

MAX_BRANCHES = 300
"""Most `elif` of one `if`; Python's compiler goes one level deeper for each."""

MAX_NUMBER_BITS = 1_024
"""Largest whole number that may be written out."""

EXPRESSIONS: frozenset[type[nodes.Node]] = frozenset(
    (
        *(nodes.Const, nodes.Name, nodes.Tuple, nodes.List, nodes.Dict, nodes.Pair, nodes.CondExpr),
        *(nodes.Filter, nodes.Test, nodes.Call, nodes.Keyword, nodes.Getitem, nodes.Getattr, nodes.Slice),
        *(nodes.Concat, nodes.Compare, nodes.Operand, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div),
        *(nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos),
    )
)
STATEMENTS: frozenset[type[nodes.Node]] = frozenset(
    (
        *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Macro),
        *(nodes.CallBlock, nodes.FilterBlock, nodes.With, nodes.Block, nodes.Include, nodes.Import),
        *(nodes.FromImport, nodes.Extends, nodes.Assign, nodes.AssignBlock, nodes.NSRef),
        *(nodes.Break, nodes.Continue),
    )
)
_ALL = EXPRESSIONS | STATEMENTS
_BLOCKS: frozenset[type[nodes.Node]] = frozenset(
    (
        *(nodes.For, nodes.If, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.With, nodes.Block),
        nodes.AssignBlock,
    )
)

_APART = frozenset((nodes.Macro, nodes.CallBlock, nodes.Block))
"""Statements whose body is a function of its own."""

_LEAVES = frozenset((nodes.Name, nodes.Const, nodes.TemplateData, nodes.NSRef, nodes.Break, nodes.Continue))
"""Nodes without any below."""

_JUMPS = frozenset((nodes.Break, nodes.Continue))

HALF = re.compile("[\ud800-\udfff]")
"""Surrogates, which are no letters of their own and can't be written to a file."""

_NAMELESS = frozenset((nodes.TemplateData, nodes.Const, nodes.Output, nodes.Getattr, nodes.Call))
_GIVING = frozenset((nodes.Call, nodes.Filter, nodes.Test, nodes.Macro, nodes.CallBlock))
"""Statements and operations that say no name, and those that give or take several."""

_TITLES: Mapping[type[nodes.Node], str] = {
    nodes.Scope: "autoescape",
    nodes.ScopedEvalContextModifier: "autoescape",
}


class ForbiddenSyntaxError(TemplateSyntaxError):
    """A statement, an operation or a name that may not be used."""


def check(
    tree: nodes.Node,
    name: str | None,
    filters: Collection[str],
    tests: Collection[str],
    statements: bool = True,
) -> tuple[list[nodes.Node], list[int]]:
    """Raise TemplateSyntaxError for the first thing in the tree that is not allowed. All nodes of the tree,
    and at which places among them their parents are (the tree's own: 0), all before their children.

    `name` is the template's, for the error; without `statements` only operations are allowed.
    """
    allowed = _ALL if statements else EXPRESSIONS
    everything: list[nodes.Node] = []
    parents: list[int] = []
    todo: list[tuple[nodes.Node, int, int, int, int]] = [(tree, 0, 0, 0, 0)]
    while todo:
        node, parent, depth, level, loops = todo.pop()
        place = len(everything)
        everything.append(node)
        parents.append(parent)
        kind = type(node)
        if kind is nodes.TemplateData and statements and depth <= MAX_NESTING:
            continue
        line = getattr(node, "lineno", None) or 1
        if kind not in allowed:
            what = _TITLES.get(kind, kind.__name__.lower())
            raise ForbiddenSyntaxError(f"{what} is not available here", line, name)
        if kind in _BLOCKS:
            level += 1
            loops = loops + 1 if kind is nodes.For else 0 if kind in _APART else loops
        if depth > MAX_NESTING or level > MAX_STATEMENTS or loops > MAX_LOOPS:
            raise TemplateSyntaxError("it is nested too deeply", line, name)
        for word in () if kind in _NAMELESS else _names(node):
            if word.startswith("_") or not (word.isascii() or unicodedata.normalize("NFKC", word) == word):
                why = "it begins with _" if word.startswith("_") else "its letters stand for others"
                raise ForbiddenSyntaxError(f"the name '{word[:60]}' is out of bounds: {why}", line, name)
        if kind is nodes.Const:
            _check_constant(node.value, line, name)  # type: ignore[attr-defined]
        if kind in _LEAVES:
            if kind in _JUMPS and not loops:
                raise TemplateSyntaxError("break and continue stand within a loop", line, name)
            continue
        if kind in _GIVING and (twice := _given_twice(node)) is not None:
            raise TemplateSyntaxError(f"the name '{twice[:60]}' stands here twice", line, name)
        if isinstance(node, nodes.If) and len(node.elif_) > MAX_BRANCHES:
            raise TemplateSyntaxError(f"an if has more than {MAX_BRANCHES} branches", line, name)
        if isinstance(node, nodes.Filter) and node.name not in filters:
            raise _unknown("filter", node.name, filters, line, name)
        if isinstance(node, nodes.Test) and node.name not in tests:
            raise _unknown("test", node.name, tests, line, name)
        below = children(node)
        below.reverse()
        todo += [(child, place, depth + 1, level, loops) for child in below]
    return everything, parents


def _names(node: nodes.Node) -> Iterator[str]:
    """The names that a node makes or uses. What is read below a value is not among them: the sandbox
    decides when it knows the value."""
    if isinstance(node, (nodes.Name, nodes.Filter, nodes.Test, nodes.Macro, nodes.Block)):
        yield node.name
    elif isinstance(node, nodes.NSRef):
        yield from (node.name, node.attr)
    elif isinstance(node, nodes.Keyword):
        yield node.key
    elif isinstance(node, nodes.Import):
        yield node.target
    elif isinstance(node, nodes.FromImport):
        for entry in node.names:
            yield from (entry,) if isinstance(entry, str) else entry


def _given_twice(node: nodes.Node) -> str | None:
    """A name that stands twice among what a call gives, or a macro takes."""
    names: list[str] = []
    if isinstance(node, (nodes.Call, nodes.Filter, nodes.Test)):
        names = [str(keyword.key) for keyword in node.kwargs]
    elif isinstance(node, (nodes.Macro, nodes.CallBlock)):
        names = [argument.name for argument in node.args]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _unknown(
    what: str, word: str, known: Collection[str], line: int, name: str | None
) -> TemplateSyntaxError:
    near = did_you_mean(word, known)
    hint = f"; {near}" if near else ""
    short = word if len(word) <= 60 else f"{word[:57]}…"
    return TemplateSyntaxError(f"there is no {what} named '{short}'{hint}", line, name)


def _check_constant(value: Any, line: int, name: str | None) -> None:
    if isinstance(value, str) and not value.isascii() and HALF.search(value):
        raise TemplateSyntaxError("a text holds half of a letter (a surrogate)", line, name)
    if type(value) is int and value.bit_length() > MAX_NUMBER_BITS:
        raise TemplateSyntaxError("a number has too many digits", line, name)
    if type(value) is float and not math.isfinite(value):
        raise TemplateSyntaxError("a number is too large", line, name)


def walk(*trees: nodes.Node) -> Iterator[nodes.Node]:
    """All nodes of some trees, in time linear in their number whatever their depth."""
    todo = list(reversed(trees))
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(children(node))


def listed(tree: nodes.Node) -> tuple[list[nodes.Node], list[int]]:
    """All nodes of a tree and the places of their parents, as `check` gives them."""
    everything = [tree]
    parents = [0]
    for place, node in enumerate(everything):  # which grows
        below = children(node)
        everything += below
        parents += [place] * len(below)
    return everything, parents


def children(node: nodes.Node) -> list[nodes.Node]:
    """The nodes right below one. (Jinja2's own way goes through three generators.)"""
    kind = type(node)
    if kind in _LEAVES:
        return []
    if kind is nodes.Getattr:
        return [node.node]  # type: ignore[attr-defined]
    found: list[nodes.Node] = []
    for field in kind.fields:
        value = getattr(node, field, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, nodes.Node)]
        elif isinstance(value, nodes.Node):
            found.append(value)
    return found
