"""Which names of a template are whose: Jinja2's tracking of names, with shorter ways through the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.idtracking import FrameSymbolVisitor, RootVisitor, Symbols
from jinja2.nodes import EvalContext

from cardgen.sandbox.grammar import EXPRESSIONS, children

_SPECIAL = frozenset(("loop", "caller", "kwargs", "varargs", "self", "super"))
"""Names that Jinja2 gives a meaning where they are used."""


class Scope(Frame):
    """What is known of the names in a part of the code."""

    def __init__(
        self, eval_ctx: EvalContext, parent: Frame | None = None, level: int | None = None
    ) -> None:
        super().__init__(eval_ctx, parent, level)
        self.symbols = _Names(None if parent is None else parent.symbols, level=level)

    def inner(self, isolated: bool = False) -> Frame:
        if isolated:
            return Scope(self.eval_ctx, level=self.symbols.level + 1)
        return Scope(self.eval_ctx, self)


class _Names(Symbols):
    def analyze_node(self, node: nodes.Node, **named: Any) -> None:
        _Root(self).visit(node, **named)


class _Tracker(FrameSymbolVisitor):
    """Jinja2's own, which finds visitors once and children by the fields of their kind."""

    def visit(self, node: nodes.Node, *given: Any, **named: Any) -> Any:
        kind = type(node)
        if kind is nodes.Const or kind is nodes.TemplateData:
            return
        visitor = _VISITORS.get(kind)
        if visitor is not None:
            visitor(self, node, *given, **named)
            return
        for child in children(node):
            self.visit(child, *given, **named)

    def generic_visit(self, node: nodes.Node, *given: Any, **named: Any) -> None:
        for child in children(node):
            self.visit(child, *given, **named)


_VISITORS = {
    getattr(nodes, name.removeprefix("visit_")): getattr(_Tracker, name)
    for name in dir(_Tracker)
    if name.startswith("visit_")
}


class _Root(RootVisitor):
    def __init__(self, symbols: Symbols) -> None:
        self.sym_visitor = _Tracker(symbols)

    def _through(self, node: nodes.Node, **named: Any) -> None:
        for child in children(node):
            self.sym_visitor.visit(child)

    visit_Template = _through  # noqa: N815
    visit_Block = _through  # noqa: N815
    visit_Macro = _through  # noqa: N815
    visit_FilterBlock = _through  # noqa: N815

    def visit_CallBlock(self, node: nodes.CallBlock, **named: Any) -> None:  # noqa: N802
        for child in children(node):
            if child is not node.call:
                self.sym_visitor.visit(child)


def shorten(everything: Sequence[nodes.Node], parents: Sequence[int]) -> None:
    """Make statements look empty to Jinja2 that hold nothing of what it looks for within them, loop by loop
    and macro by macro: blocks and special names. `everything` is a whole tree, `parents` say at which
    places in it the nodes' parents are."""
    holding = {0}
    for place, node in enumerate(everything):
        kind = type(node)
        if kind is nodes.Block or (kind is nodes.Name and node.name in _SPECIAL):  # type: ignore[attr-defined]
            at = place
            while at not in holding:
                holding.add(at)
                at = parents[at]
    for place, node in enumerate(everything):
        if place not in holding and type(node) not in EXPRESSIONS:
            node.iter_child_nodes = _nothing  # type: ignore[method-assign, assignment]


def _nothing(*given: Any, **named: Any) -> tuple[()]:
    return ()
