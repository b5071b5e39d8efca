"""Templates to Python code in which every operation is a call of the sandbox's, or one of numbers alone.

Nothing is worked out while compiling. What the compiler puts in for itself is a call of an attribute of
the environment (`EnvironmentAttribute`), for which authors have no way of writing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, operators
from jinja2.visitor import NodeTransformer

from cardgen.sandbox.grammar import walk

_COMPARISONS = {
    "eq": "equal",
    "ne": "unequal",
    "lt": "less",
    "lteq": "at_most",
    "gt": "greater",
    "gteq": "at_least",
    "in": "within",
    "notin": "outside",
}
_SHORT = 100
"""Longest text, and longest list of constants, that Python itself may compare with."""


def own_call(method: str, *given: nodes.Expr, line: int) -> nodes.Call:
    """A call of the sandbox's own method of that name."""
    owner = nodes.EnvironmentAttribute(method, lineno=line)
    return nodes.Call(owner, list(given), [], None, None, lineno=line)


class Counting(NodeTransformer):
    """Puts charges into loops, macros and blocks, and guards what is spread over arguments. Going through
    `nodes_per_step` nodes of the tree once is a step, beyond what is charged within."""

    def __init__(self, nodes_per_step: int) -> None:
        self._nodes_per_step = nodes_per_step

    def visit_Macro(self, node: Any) -> Any:  # noqa: N802
        self._charge(node.body, node.lineno)
        self.generic_visit(node)
        return node

    visit_Template = visit_CallBlock = visit_Macro  # noqa: N815

    def visit_Block(self, node: nodes.Block) -> nodes.Block:  # noqa: N802
        self._charge(node.body, node.lineno, least=1)
        self.generic_visit(node)
        return node

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802
        """Rounds are charged all at once, unless the loop may end before its last one."""
        line = node.lineno
        inside = node.body if node.test is None else [*node.body, node.test]
        cost = nodes.Const(1 + self._weight(inside), lineno=line)
        ends_early = any(isinstance(each, nodes.Break) for each in walk(*node.body))
        iterated = node.iter
        assert isinstance(iterated, nodes.Expr)
        if node.recursive:
            self._charge(node.body, line, least=1)
            node.iter = own_call("rounds", iterated, nodes.Const(1, lineno=line), line=line)
        else:
            node.iter = own_call("stepped" if ends_early else "rounds", iterated, cost, line=line)
        self.generic_visit(node)
        return node

    def visit_AssignBlock(self, node: nodes.AssignBlock) -> nodes.AssignBlock:  # noqa: N802
        """`{% set x | f %}` is a filter block within: its result is printed, not taken as it is."""
        if node.filter is not None:
            node.body = [nodes.FilterBlock(node.body, node.filter, lineno=node.lineno)]
            node.filter = None
        self.generic_visit(node)
        return node

    def visit_Call(self, node: Any) -> Any:  # noqa: N802
        if node.dyn_args is not None:
            node.dyn_args = own_call("spread", node.dyn_args, line=node.lineno)
        if node.dyn_kwargs is not None:
            node.dyn_kwargs = own_call("spread_names", node.dyn_kwargs, line=node.lineno)
        self.generic_visit(node)
        return node

    visit_Filter = visit_Test = visit_Call  # noqa: N815

    def _weight(self, body: list[nodes.Node]) -> int:
        return sum(1 for _ in walk(*body)) // self._nodes_per_step

    def _charge(self, body: list[nodes.Node], line: int, least: int = 0) -> None:
        cost = max(least, self._weight(body))
        if cost:
            body.insert(0, nodes.ExprStmt(nodes.Const(cost, lineno=line), lineno=line))


Visitor = Callable[[CodeGenerator, Any, Frame], None]


def _guarded(method: str) -> Visitor:
    """Compiles an operator to a call of the environment's method of that name. (The sandbox's own way,
    `call_binop`, takes twice as long, and generative art does a lot of sums.)"""

    def visit(self: CodeGenerator, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"environment.{method}(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    return visit


class Generator(CodeGenerator):
    """Compiles checked trees."""

    visit_Add = _guarded("add")  # noqa: N815
    visit_Mul = _guarded("multiply")  # noqa: N815
    visit_Pow = _guarded("power")  # noqa: N815
    visit_Mod = _guarded("modulo")  # noqa: N815
    visit_Sub = _guarded("subtract")  # noqa: N815

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        environment: Any = self.environment
        environment.admit(node, self.name)
        Counting(environment.nodes_per_step).visit(node)
        super().visit_Template(node, frame)

    def position(self, node: nodes.Node) -> str:
        """Goes into quoted text in the code, where a template's name could end the quotes."""
        return f"line {node.lineno}"

    # ---- printing

    def _make_finalize(self) -> CodeGenerator._FinalizeInfo:
        return self._FinalizeInfo(None, None)  # nothing but literal text is printed while compiling

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")

    def visit_FilterBlock(self, node: nodes.FilterBlock, frame: Frame) -> None:  # noqa: N802
        inner = frame.inner()
        inner.symbols.analyze_node(node)
        self.enter_frame(inner)
        self.buffer(inner)
        self.blockvisit(node.body, inner)
        self.start_write(frame, node)
        self.write("environment.printed(")
        self.visit_Filter(node.filter, inner)
        self.write(")")
        self.end_write(frame)
        self.leave_frame(inner)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: N802
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self.write("environment.printed(")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)

    def visit_ExprStmt(self, node: nodes.ExprStmt, frame: Frame) -> None:  # noqa: N802
        """A charge, which `Counting` puts in."""
        assert isinstance(node.node, nodes.Const)
        self.writeline(f"environment.budget.step({int(node.node.value)})", node)

    # ---- setting

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        self.push_assign_tracking()
        self.newline(node)
        self.visit(node.target, frame)
        self.write(" = ")
        self.visit(node.node, frame)
        self.pop_assign_tracking(frame)

    def visit_NSRef(self, node: nodes.NSRef, frame: Frame) -> None:  # noqa: N802
        """`{% set ns.x = 1 %}` and `{% set ns.x %}…`; Jinja2 itself looks only at the first whether it is
        a namespace that is written to."""
        self.write(f"environment.namespace_of({frame.symbols.ref(node.name)})[{node.attr!r}]")

    # ---- operations

    def visit_Call(  # noqa: N802
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        called = node.node
        extra = {"caller": "caller"} if forward_caller else None
        if isinstance(called, nodes.EnvironmentAttribute):
            self.write(f"environment.{called.name}(")
            for place, given in enumerate(node.args):
                self.write(", " if place else "")
                self.visit(given, frame)
        elif isinstance(called, nodes.Getattr):
            self.write("environment.send(")
            self.visit(called.node, frame)
            self.write(f", {called.attr!r}")
            self.signature(node, frame, extra)
        else:
            self.write("environment.invoke(")
            self.visit(called, frame)
            self.signature(node, frame, extra)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        if not isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.sliced(")
        self.visit(node.node, frame)
        for end in (node.arg.start, node.arg.stop, node.arg.step):
            self.write(", ")
            if end is None:
                self.write("None")
            else:
                self.visit(end, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        if all(isinstance(pair.key, nodes.Const) for pair in node.items):
            super().visit_Dict(node, frame)
            return
        self.write("environment.mapping((")
        for pair in node.items:
            self.write("(")
            self.visit(pair.key, frame)
            self.write(", ")
            self.visit(pair.value, frame)
            self.write("), ")
        self.write("))")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802
        """`a < b < c` works `b` out once, and `c` only if `a < b`."""
        self.write("(")
        known: str | None = None
        left = node.expr
        for place, operand in enumerate(node.ops):
            if place:
                self.write(" and ")
            keep = self.temporary_identifier() if place < len(node.ops) - 1 else None
            self._compare(operand.op, left, known, operand.expr, keep, frame)
            left, known = operand.expr, keep
        self.write(")")

    def _compare(
        self,
        sign: str,
        left: nodes.Expr,
        known: str | None,
        right: nodes.Expr,
        keep: str | None,
        frame: Frame,
    ) -> None:
        """`left` is in the variable `known`, if there is one; `right` is to be kept in `keep`."""

        def write_left() -> None:
            if known is None:
                self.visit(left, frame)
            else:
                self.write(known)

        def write_right() -> None:
            self.write(f"({keep} := " if keep else "")
            self.visit(right, frame)
            self.write(")" if keep else "")

        if _needs_no_guard(sign, left, right):
            write_left()
            self.write(f" {operators[sign]} ")
            write_right()
        else:
            self.write(f"environment.{_COMPARISONS[sign]}(")
            write_left()
            self.write(", ")
            write_right()
            self.write(")")


def _needs_no_guard(sign: str, left: nodes.Expr, right: nodes.Expr) -> bool:
    """Whether Python's own comparison takes no time to speak of, whatever the other value is."""
    if sign in ("eq", "ne"):
        return _is_short(left) or _is_short(right)
    if sign in ("in", "notin"):
        return (
            isinstance(right, (nodes.List, nodes.Tuple))
            and len(right.items) <= _SHORT
            and all(map(_is_short, right.items))
        )
    return _is_number(left) or _is_number(right)


def _is_short(node: nodes.Node) -> bool:
    """Whether it is a number, yes or no, none, or a short text, as it stands."""
    if not isinstance(node, nodes.Const):
        return False
    return not isinstance(node.value, str) or len(node.value) <= _SHORT


def _is_number(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and type(node.value) in (int, float)
