"""Templates to Python code in which every operation is a call of the sandbox's, or one of numbers alone.

Nothing is worked out while compiling. What the compiler puts in for itself is a call of an attribute of
the environment (`EnvironmentAttribute`), for which authors have no way of writing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, find_undeclared, operators
from jinja2.nodes import EvalContext
from jinja2.runtime import exported

from cardgen.sandbox.grammar import children
from cardgen.sandbox.scopes import Scope, shorten

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


def charge(everything: Sequence[Any], parents: Sequence[int], nodes_per_step: int) -> None:
    """Put charges into loops, macros and blocks, and guard what is spread over arguments. Going through
    `nodes_per_step` nodes of the tree once is a step, beyond what is charged within. `parents` say at which
    places in `everything`, the whole tree, the nodes' parents are, all of them before their children."""
    sizes = [1] * len(everything)
    ends_early = [type(node) is nodes.Break for node in everything]
    for place in range(len(everything) - 1, 0, -1):
        parent = parents[place]
        sizes[parent] += sizes[place]
        if ends_early[place]:
            ends_early[parent] = True
    places = {id(node): place for place, node in enumerate(everything)}

    def weight(*inside: nodes.Node) -> int:
        return sum(sizes[places[id(each)]] for each in inside) // nodes_per_step

    for node in everything:
        kind = type(node)
        if kind in _CHARGED:
            _insert(node, weight(*node.body), least=int(kind is nodes.Block))
        elif kind is nodes.For:
            # Rounds are charged all at once, unless the loop may end before its last one.
            if node.recursive:
                cost, method = 1, "rounds"
                _insert(node, weight(*node.body), least=1)
            else:
                cost = 1 + weight(*node.body, *([] if node.test is None else [node.test]))
                method = "stepped" if any(ends_early[places[id(each)]] for each in node.body) else "rounds"
            line = node.lineno
            node.iter = own_call(method, node.iter, nodes.Const(cost, lineno=line), line=line)
        elif kind is nodes.AssignBlock:
            # `{% set x | f %}` is a filter block within: its result is printed, not taken as it is.
            if node.filter is not None:
                node.body = [nodes.FilterBlock(node.body, node.filter, lineno=node.lineno)]
                node.filter = None
        elif kind in _SPREADING:
            if node.dyn_args is not None:
                node.dyn_args = own_call("spread", node.dyn_args, line=node.lineno)
            if node.dyn_kwargs is not None:
                node.dyn_kwargs = own_call("spread_names", node.dyn_kwargs, line=node.lineno)


_CHARGED = frozenset((nodes.Template, nodes.Macro, nodes.CallBlock, nodes.Block))
_SPREADING = frozenset((nodes.Call, nodes.Filter, nodes.Test))


def _insert(node: Any, weight: int, least: int) -> None:
    cost = max(least, weight)
    if cost:
        node.body.insert(0, nodes.ExprStmt(nodes.Const(cost, lineno=node.lineno), lineno=node.lineno))


def _outside_blocks(body: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """All nodes of a body but those within blocks, which are functions of their own."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, nodes.Block):
            todo += children(node)


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

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._visitors: dict[type, Any] = {}

    def get_visitor(self, node: nodes.Node) -> Any:
        """Jinja2's own, found once for each kind of node."""
        kind = type(node)
        if kind not in self._visitors:
            self._visitors[kind] = super().get_visitor(node)
        return self._visitors[kind]

    visit_Add = _guarded("add")  # noqa: N815
    visit_Mul = _guarded("multiply")  # noqa: N815
    visit_Pow = _guarded("power")  # noqa: N815
    visit_Mod = _guarded("modulo")  # noqa: N815
    visit_Sub = _guarded("subtract")  # noqa: N815

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        """Jinja2's own, for what our grammar has."""
        environment: Any = self.environment
        everything, parents = environment.admit(node, self.name)
        charge(everything, parents, environment.nodes_per_step)
        shorten(everything, parents)
        for each in everything:
            if isinstance(each, nodes.Block):
                if each.name in self.blocks:
                    self.fail(f"block {each.name!r} defined twice", each.lineno)
                self.blocks[each.name] = each
        extends = any(type(each) is nodes.Extends for each in everything)
        context = EvalContext(environment, self.name)
        self.writeline("from jinja2.runtime import " + ", ".join(sorted(exported)))
        self.writeline(f"name = {self.name!r}")
        scope = self._begin("root", context)
        if "self" in find_undeclared(node.body, ("self",)):
            self.writeline(f"{scope.symbols.declare_parameter('self')} = TemplateReference(context)")
        scope.symbols.analyze_node(node)
        scope.toplevel = scope.rootlevel = True
        scope.require_output_check = extends
        if extends:
            self.writeline("parent_template = None")
        self._body(node.body, scope, None if self.blocks else everything)
        if extends:
            if not self.has_known_extends:
                self.writeline("if parent_template is not None:")
            self._indentation = 1 if self.has_known_extends else 2
            self.writeline("yield from parent_template.root_render_func(context)")
        self._indentation = 0
        for name, block in self.blocks.items():
            scope = self._begin(f"block_{name}", context, block)
            scope.block_frame = True
            undeclared = find_undeclared(block.body, ("self", "super"))
            if "self" in undeclared:
                self.writeline(f"{scope.symbols.declare_parameter('self')} = TemplateReference(context)")
            if "super" in undeclared:
                reference = scope.symbols.declare_parameter("super")
                self.writeline(f"{reference} = context.super({name!r}, block_{name})")
            scope.symbols.analyze_node(block)
            scope.block = name
            self.writeline("_block_vars = {}")
            self._body(block.body, scope, None)
            self.outdent()
        blocks = ", ".join(f"{name!r}: block_{name}" for name in self.blocks)
        self.writeline(f"blocks = {{{blocks}}}", extra=1)
        self.writeline(f"debug_info = {'&'.join(f'{line}={code}' for line, code in self.debug_info)!r}")

    def _begin(self, name: str, context: EvalContext, node: nodes.Block | None = None) -> Scope:
        """Begins the function of a template or of one of its blocks."""
        self.writeline(f"def {name}(context, missing=missing, environment=environment):", node, 1)
        self.indent()
        self.write_commons()
        return Scope(context)

    def _body(self, body: list[nodes.Node], scope: Scope, everything: Iterable[nodes.Node] | None) -> None:
        """What such a function does. `everything` are all nodes of it, if that is known."""
        self.enter_frame(scope)
        self.pull_dependencies(_outside_blocks(body) if everything is None else everything)
        self.blockvisit(body, scope)
        self.leave_frame(scope, with_python_scope=True)

    def pull_dependencies(self, trees: Iterable[nodes.Node]) -> None:
        """Names for the filters and tests among some nodes; that there are such has been checked."""
        found: dict[str, set[str]] = {"filters": set(), "tests": set()}
        for node in trees:
            kind = type(node)
            if kind is nodes.Filter or kind is nodes.Test:
                found["filters" if kind is nodes.Filter else "tests"].add(node.name)  # type: ignore[attr-defined]
        for kinds, known in (("filters", self.filters), ("tests", self.tests)):
            for name in sorted(found[kinds]):
                if name not in known:
                    known[name] = self.temporary_identifier()
                self.writeline(f"{known[name]} = environment.{kinds}[{name!r}]")

    def position(self, node: nodes.Node) -> str:
        """Goes into quoted text in the code, where a template's name could end the quotes."""
        return f"line {node.lineno}"

    # ---- printing

    def _make_finalize(self) -> CodeGenerator._FinalizeInfo:
        return self._FinalizeInfo(None, None)  # nothing but literal text is printed while compiling

    def _begin_printing(self, node: nodes.Node) -> None:
        environment: Any = self.environment
        self.write(environment.printing(self.name, node.lineno))

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self._begin_printing(node)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")

    def visit_FilterBlock(self, node: nodes.FilterBlock, frame: Frame) -> None:  # noqa: N802
        inner = frame.inner()
        inner.symbols.analyze_node(node)
        self.enter_frame(inner)
        self.buffer(inner)
        self.blockvisit(node.body, inner)
        self.start_write(frame, node)
        self._begin_printing(node)
        self.visit_Filter(node.filter, inner)
        self.write(")")
        self.end_write(frame)
        self.leave_frame(inner)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: N802
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self._begin_printing(node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)

    def visit_ExprStmt(self, node: nodes.ExprStmt, frame: Frame) -> None:  # noqa: N802
        """A charge, which `charge` puts in."""
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
