"""Check the allowed syntax of templates, and compile it to counted Python code."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import TemplateSyntaxError, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef, find_undeclared, operators
from jinja2.idtracking import VAR_LOAD_RESOLVE, FrameSymbolVisitor, RootVisitor, Symbols
from jinja2.nodes import EvalContext
from jinja2.runtime import exported

from cardgen.core.findings import CardgenError, did_you_mean

MAX_NESTING = 100
"""Deepest nesting of statements and operations, one in another. Python's compiler ends at 200 brackets."""

MAX_STATEMENTS = 40
"""Deepest nesting of statements. Python's compiler ends at 100 levels."""

MAX_LOOPS = 12
"""Deepest nesting of loops. Python's compiler ends at 20 blocks."""

MAX_BRANCHES = 300
"""Most `elif` of one `if`; Python's compiler goes one level deeper for each."""

MAX_NUMBER_BITS = 1_024
"""Largest whole number in a template."""

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

_READS_MORE = frozenset((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block))
"""Statements that may read any variable, or a template that has changed."""

_APART = frozenset((nodes.Macro, nodes.CallBlock, nodes.Block))
"""Statements with a body that is a function of its own."""

_LEAVES = frozenset((nodes.Name, nodes.Const, nodes.TemplateData, nodes.NSRef, nodes.Break, nodes.Continue))
"""Nodes without child nodes."""

_JUMPS = frozenset((nodes.Break, nodes.Continue))

HALF = re.compile("[\ud800-\udfff]")
"""Surrogates, which can't be written to a file."""

_NAMELESS = frozenset((nodes.TemplateData, nodes.Const, nodes.Output, nodes.Getattr, nodes.Call))
_DEFINING = frozenset((nodes.Call, nodes.Filter, nodes.Test, nodes.Macro, nodes.CallBlock))
"""Statements and operations without a name in messages, and those that define several."""

_TITLES: Mapping[type[nodes.Node], str] = {
    nodes.Scope: "autoescape",
    nodes.ScopedEvalContextModifier: "autoescape",
}


class ForbiddenSyntaxError(TemplateSyntaxError):
    """A statement, an operation or a name that is not allowed."""


def check(
    tree: nodes.Node,
    name: str | None,
    filters: Collection[str],
    tests: Collection[str],
    statements: bool = True,
) -> tuple[list[nodes.Node], list[int]]:
    """Raise TemplateSyntaxError for the first thing in the tree that is not allowed. Return all nodes of
    the tree, parents before their children, and the indexes of their parents (the tree's own: 0).

    `name` is the template's, for the error; without `statements`, only operations are allowed.
    """
    allowed = _ALL if statements else EXPRESSIONS
    everything: list[nodes.Node] = []
    parents: list[int] = []
    pending: list[tuple[nodes.Node, int, int, int, int]] = [(tree, 0, 0, 0, 0)]
    while pending:
        node, parent, depth, level, loops = pending.pop()
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
                why = (
                    "it begins with _" if word.startswith("_") else "its letters are variants of plain ones"
                )
                raise ForbiddenSyntaxError(f"the name '{word[:60]}' is not allowed: {why}", line, name)
        if kind is nodes.Const:
            _check_constant(node.value, line, name)  # type: ignore[attr-defined]
        if kind in _LEAVES:
            if kind in _JUMPS and not loops:
                raise TemplateSyntaxError("break and continue are only allowed in a loop", line, name)
            continue
        if kind in _DEFINING and (twice := _repeated_name(node)) is not None:
            raise TemplateSyntaxError(f"the name '{twice[:60]}' appears here twice", line, name)
        if isinstance(node, nodes.If) and len(node.elif_) > MAX_BRANCHES:
            raise TemplateSyntaxError(f"an if has more than {MAX_BRANCHES} branches", line, name)
        if isinstance(node, nodes.Filter):
            try:
                is_known = node.name in filters
            except CardgenError as error:
                raise TemplateSyntaxError(str(error.findings[0].message), line, name) from error
            if not is_known:
                raise _unknown("filter", node.name, filters, line, name)
        if isinstance(node, nodes.Test) and node.name not in tests:
            raise _unknown("test", node.name, tests, line, name)
        below = children(node)
        below.reverse()
        pending += [(child, place, depth + 1, level, loops) for child in below]
    return everything, parents


def _names(node: nodes.Node) -> Iterator[str]:
    """Yield the names that a node defines or uses, without the names read below a value, which the sandbox
    checks with the value."""
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


def _repeated_name(node: nodes.Node) -> str | None:
    """Return a name that appears twice in a call's arguments or a macro's parameters."""
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
        raise TemplateSyntaxError(
            "a text contains a broken character; delete it and type it again", line, name
        )
    if type(value) is int and value.bit_length() > MAX_NUMBER_BITS:
        raise TemplateSyntaxError("a number has too many digits", line, name)
    if type(value) is float and not math.isfinite(value):
        raise TemplateSyntaxError("a number is too large", line, name)


def walk(*trees: nodes.Node) -> Iterator[nodes.Node]:
    """Yield all nodes of some trees, in time linear in their number, at any depth."""
    pending = list(reversed(trees))
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(children(node))


def listed(tree: nodes.Node) -> tuple[list[nodes.Node], list[int]]:
    """Return all nodes of a tree and the indexes of their parents, as `check` does."""
    everything = [tree]
    parents = [0]
    for place, node in enumerate(everything):  # the list grows
        below = children(node)
        everything += below
        parents += [place] * len(below)
    return everything, parents


def children(node: nodes.Node) -> list[nodes.Node]:
    """Return the child nodes of a node, faster than Jinja2's generators."""
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


_SPECIAL = frozenset(("loop", "caller", "kwargs", "varargs", "self", "super"))
"""Names with a special meaning in Jinja2."""


class Scope(Frame):
    """The known names in a part of the code."""

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
    """Jinja2's tracker, but it finds visitors only once, and children by the fields of their kind."""

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

    def _visit_children(self, node: nodes.Node, **named: Any) -> None:
        for child in children(node):
            self.sym_visitor.visit(child)

    visit_Template = _visit_children  # noqa: N815
    visit_Block = _visit_children  # noqa: N815
    visit_Macro = _visit_children  # noqa: N815
    visit_FilterBlock = _visit_children  # noqa: N815

    def visit_CallBlock(self, node: nodes.CallBlock, **named: Any) -> None:  # noqa: N802
        for child in children(node):
            if child is not node.call:
                self.sym_visitor.visit(child)


def shorten(everything: Sequence[nodes.Node], parents: Sequence[int]) -> None:
    """Hide statements from Jinja2's searches, loop by loop and macro by macro, if they contain no blocks
    and no special names. `everything` is a whole tree, `parents` are the indexes of the nodes' parents in
    it."""
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
            node.iter_child_nodes = _no_children  # type: ignore[method-assign, assignment]


def _no_children(*given: Any, **named: Any) -> tuple[()]:
    return ()


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
"""Longest text, and longest list of constants, in a comparison without a charge."""


def own_call(method: str, *given: nodes.Expr, line: int) -> nodes.Call:
    """Return a call of the sandbox's own method of that name."""
    owner = nodes.EnvironmentAttribute(method, lineno=line)
    return nodes.Call(owner, list(given), [], None, None, lineno=line)


def charge(everything: Sequence[Any], parents: Sequence[int], nodes_per_step: int) -> None:
    """Add charges to loops, macros and blocks, and guards to spread arguments. Visiting `nodes_per_step`
    nodes of the tree once is a step, besides the charges inside. `parents` are the indexes in `everything`,
    the whole tree, of the nodes' parents, which precede them."""
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
            # The rounds are charged all at once, unless the loop may end early.
            if node.recursive:
                cost, method = 1, "rounds"
                _insert(node, weight(*node.body), least=1)
            else:
                cost = 1 + weight(*node.body, *([] if node.test is None else [node.test]))
                method = "stepped" if any(ends_early[places[id(each)]] for each in node.body) else "rounds"
            line = node.lineno
            node.iter = own_call(method, node.iter, nodes.Const(cost, lineno=line), line=line)
        elif kind is nodes.AssignBlock:
            # `{% set x | f %}` is a filter block inside: its result is printed.
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
    """Yield all nodes of a body except those in blocks, which are functions of their own."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, nodes.Block):
            pending += children(node)


Visitor = Callable[[CodeGenerator, Any, Frame], None]


def _guarded(method: str) -> Visitor:
    """Return a visitor that compiles an operator to a call of the environment's method with that name. (The
    sandbox's own `call_binop` takes twice as long, and generative art computes a lot.)"""

    def visit(self: CodeGenerator, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"environment.{method}(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    return visit


class Generator(CodeGenerator):
    """A compiler of checked trees."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._visitors: dict[type, Any] = {}
        self._resolved: list[set[str]] = [set()]
        """Variables that the template, and each enclosing macro, reads from its context."""

    def get_visitor(self, node: nodes.Node) -> Any:
        """Return Jinja2's own visitor, looked up once for each kind of node."""
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
        """Write a template as Jinja2 does, but for this grammar."""
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
        """Begin the function of a template or of one of its blocks."""
        self.writeline(f"def {name}(context, missing=missing, environment=environment):", node, 1)
        self.indent()
        self.write_commons()
        return Scope(context)

    def _body(self, body: list[nodes.Node], scope: Scope, everything: Iterable[nodes.Node] | None) -> None:
        """Write the body of such a function. `everything` are all its nodes, if known."""
        self.enter_frame(scope)
        self.pull_dependencies(_outside_blocks(body) if everything is None else everything)
        self.blockvisit(body, scope)
        self.leave_frame(scope, with_python_scope=True)

    def pull_dependencies(self, trees: Iterable[nodes.Node]) -> None:
        """Name the filters and tests among some nodes, which are known to exist."""
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
        """Return the position as text that is safe in quoted code, unlike a template's name."""
        return f"line {node.lineno}"

    # ---- printing

    def _make_finalize(self) -> CodeGenerator._FinalizeInfo:
        return self._FinalizeInfo(None, None)  # only literal text is printed while compiling

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

    def enter_frame(self, frame: Frame) -> None:
        super().enter_frame(frame)
        loads = frame.symbols.loads.values()
        self._resolved[-1].update(name for how, name in loads if how == VAR_LOAD_RESOLVE and name)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        self._resolved.append(set())
        return super().macro_body(node, frame)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Write a macro with the variables that it reads, None if it may read more."""
        resolved = self._resolved.pop()
        self._resolved[-1] |= resolved
        is_known = all(type(each) not in _READS_MORE for each in walk(*macro_ref.node.body))
        self.write("environment.reading(")
        super().macro_def(macro_ref, frame)
        self.write(f", {tuple(sorted(resolved)) if is_known else None!r})")

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
        """Write a placeholder for a charge from `charge`."""
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
        """Write `{% set ns.x = 1 %}` or `{% set ns.x %}…`; Jinja2 checks for a namespace only in the
        first."""
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
        """Write `a < b < c` so that `b` is computed once, and `c` only if `a < b`."""
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
        """Write one comparison. `left` is in the variable `known`, if any; `keep` stores `right`."""

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
    """Return True if Python's own comparison takes negligible time with any other value."""
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
    """Return True for a number, yes or no, none, or a short text as a literal."""
    if not isinstance(node, nodes.Const):
        return False
    return not isinstance(node.value, str) or len(node.value) <= _SHORT


def _is_number(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and type(node.value) in (int, float)
