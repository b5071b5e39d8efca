"""Rule expressions: compiled once, their names known before they run, evaluated value by value."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

from jinja2 import TemplateError, Undefined, nodes
from jinja2.visitor import NodeTransformer

from cardgen.checking.language import Absent, NoSuchNameError, RuleSandbox, short
from cardgen.checking.patterns import PatternError
from cardgen.model.effects import Effects
from cardgen.sandbox import BudgetError, ForbiddenError, in_words, kind_of
from cardgen.sandbox.grammar import walk
from cardgen.sandbox.kinds import SCALARS
from cardgen.sandbox.watched import MAPPINGS

MAX_SOURCE = 2_000
"""Most characters of an expression."""

MAX_NODES = 2_000
"""Most operations of an expression, its definitions put in."""

MAX_ALL_NODES = 20_000
"""Most operations of all the different expressions of a file of rules. The largest of a real game has
2,000."""

MAX_CHAIN = 20
"""Most fields that are read one below the other, as in `card.part.deep`."""

Chain = tuple[str, ...]
T = TypeVar("T")

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = frozenset("\\'\"ntxu")
"""What may follow a backslash. Text would take `\\b` for a backspace where a pattern means a word's end."""

_RESULT = "_result"  # a name that no expression can use, since names may not begin with _


_LENGTHS = frozenset(("count", "length"))

MAX_KEPT = 5_000
"""Most expressions whose code is kept for the next game or deck list of the same process."""

_kept: dict[tuple[object, ...], _Prepared] = {}


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What an expression comes to before it belongs to an engine; `size` counts its operations."""

    chains: tuple[Chain, ...]
    name: str | None
    measured: frozenset[str]
    code: CodeType
    size: int


class ExpressionError(Exception):
    """An expression that cannot be read or worked out; the text is a sentence without full stop."""


class UnfitExpressionError(ExpressionError):
    """An expression that is wrong whatever the card: it leaves the sandbox, or does too much."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A compiled expression.

    `chains` are the names it reads with the fields it reads below them: `requirement.level` is
    ("requirement", "level"). `names` are the names alone. `name` is set where the expression is nothing but
    one name. Of the `measured` names it reads nothing but their lengths: `hand|length > 2`.
    """

    source: str
    chains: tuple[Chain, ...]
    names: tuple[str, ...]
    name: str | None
    measured: frozenset[str]
    _evaluate: Callable[[Mapping[str, Any]], Any]
    _weigh: Callable[[Any], None]
    """Charges for a list or a mapping: whoever compares it takes no longer than that."""

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """The expression's value where the names have these values; what a filter gives is a list.

        Raises ExpressionError.
        """
        try:
            if self.name is None:
                value = self._evaluate(values)
            else:
                value = values[self.name] if self.name in values else Absent(name=self.name)
            kind = type(value)
            if kind not in SCALARS and value is not None:
                if kind not in MAPPINGS and not isinstance(value, (list, tuple, range, Undefined)):
                    raise ForbiddenError(f"it comes to {kind_of(value)}, which is no value")
                self._weigh(value)
            return list(value) if kind is range else value
        except BudgetError as error:
            raise UnfitExpressionError(f"`{self.source}` does too much: {error}") from None
        except (ForbiddenError, NoSuchNameError, PatternError) as error:
            raise UnfitExpressionError(f"`{self.source}` cannot be worked out: {error}") from None
        except TemplateError as error:
            raise ExpressionError(f"`{self.source}` cannot be worked out: {error}") from None
        except ZeroDivisionError:
            raise ExpressionError(f"`{self.source}` divides by zero") from None
        except RecursionError:
            raise ExpressionError(f"`{self.source}` is nested too deeply") from None
        except Exception as error:
            raise ExpressionError(f"`{self.source}` cannot be worked out: {in_words(error)}") from None


class Engine:
    """Compiles expressions for one game. `defines` are named expressions that others may use, `effects`
    the language that `effect_text` prints."""

    def __init__(
        self,
        known_key: Callable[[str], bool],
        defines: Mapping[str, str],
        effects: Effects | None = None,
    ) -> None:
        self.defines = dict(defines)
        self._defined = hashlib.blake2b(repr(self.defines).encode(), digest_size=16).digest()
        self._sandbox = RuleSandbox(known_key, effects)
        self.budget = self._sandbox.budget
        self._compiled: dict[str, Expression | ExpressionError] = {}
        self._expansions: dict[str, nodes.Expr | ExpressionError] = {}
        self._nodes_left = MAX_ALL_NODES
        self._sizes: dict[str, int] = {}
        self.asked: dict[str, int] = {}
        """The expressions that were asked for since this was last emptied, with their operations."""

    def compile(self, source: str) -> Expression:
        """The expression, compiled once. Raises ExpressionError."""
        found = _once(self._compiled, source, lambda: self._compile(source))
        self.asked[source] = self._sizes[source]
        return found

    def can_charge(self, expressions: Iterable[tuple[str, int]]) -> bool:
        """Charge for expressions, given with their operations, as if they were compiled one after the
        other; or tell that not all of them could be."""
        left, new = self._nodes_left, {}
        for source, size in expressions:
            if source not in self._sizes:
                if left < 0:
                    return False
                left -= size
                new[source] = size
        self._nodes_left = left
        self._sizes.update(new)
        return True

    def _compile(self, source: str) -> Expression:
        if self._nodes_left < 0 and source not in self._sizes:
            raise ExpressionError(f"the expressions of a file may have {MAX_ALL_NODES:,} operations in all")
        try:
            prepared = self._prepared(source)
        except (RecursionError, MemoryError, SyntaxError):
            raise ExpressionError(f"“{short(source)}” is nested too deeply") from None
        except TemplateError as error:
            raise ExpressionError(
                f"“{short(source)}” cannot be read: {_unread(error.message or '')}"
            ) from None
        if source not in self._sizes:
            self._nodes_left -= prepared.size
            self._sizes[source] = prepared.size
        sandbox = self._sandbox
        template = sandbox.template_class.from_code(sandbox, prepared.code, sandbox.make_globals(None))
        context = template.new_context()
        run = template.root_render_func
        budget = sandbox.budget

        def evaluate(values: Mapping[str, Any]) -> Any:
            # The context is made once and given each card's values in turn: making one for each
            # card would cost five times the evaluation.
            budget.left -= 1
            if budget.left < 0:
                budget.step(0)
            context.parent = values  # type: ignore[assignment]
            for _ in run(context):
                pass
            return context.vars[_RESULT]

        names = tuple(dict.fromkeys(chain[0] for chain in prepared.chains))
        return Expression(
            source, prepared.chains, names, prepared.name, prepared.measured, evaluate, budget.weigh
        )

    def _prepared(self, source: str) -> _Prepared:
        """The expression as code, which many engines may share."""
        key = (source, self._defined)
        if key in _kept:
            return _kept[key]
        tree = self._expanded(self._parsed(source), ())
        chains = tuple(dict.fromkeys(_chains(tree)))
        _forbid_private(tree)
        for chain in chains:
            if len(chain) > MAX_CHAIN:
                raise ExpressionError(f"“{short(source)}” reads more than {MAX_CHAIN} fields in a row")
        measured = _measured(tree)
        body: list[nodes.Node] = [nodes.Assign(nodes.Name(_RESULT, "store"), tree, lineno=1)]
        code = self._sandbox.compile(nodes.Template(body, lineno=1))
        name = tree.name if isinstance(tree, nodes.Name) else None
        prepared = _Prepared(chains, name, measured, code, _size(tree))
        if len(_kept) >= MAX_KEPT:
            _kept.clear()
        _kept[key] = prepared
        return prepared

    def _parsed(self, source: str) -> nodes.Expr:
        if len(source) > MAX_SOURCE:
            raise ExpressionError(f"“{short(source)}” is longer than {MAX_SOURCE:,} characters")
        for escape in _ESCAPE.finditer(source):
            if escape[1] not in _ESCAPES:
                raise ExpressionError(
                    f"“{short(source)}” cannot be read: write “\\{escape[0]}” for “{escape[0]}”, "
                    "a backslash in quotes stands for itself only if written twice"
                )
        return self._sandbox.parse_expression(source)

    def _expanded(self, tree: nodes.Expr, within: tuple[str, ...]) -> nodes.Expr:
        """The tree with defined names replaced by what they stand for. Raises on a cycle."""
        defined = {node.name for node in walk(tree) if isinstance(node, nodes.Name)} & set(self.defines)
        parts = {name: self._definition(name, within) for name in sorted(defined)}
        if _size(tree, {name: _size(part) for name, part in parts.items()}) > MAX_NODES:
            raise ExpressionError(f"an expression may have {MAX_NODES:,} operations with its definitions")
        if defined:
            tree = _Substitution(parts).visit(tree)
        return tree

    def _definition(self, name: str, within: tuple[str, ...]) -> nodes.Expr:
        """What a defined name stands for, worked out once."""
        if name in within:
            raise ExpressionError(f"“{name}” is defined by itself: {' → '.join((*within, name))}")
        inner = (*within, name)
        return _once(
            self._expansions, name, lambda: self._expanded(self._parsed(self.defines[name]), inner)
        )


_UNREAD = (
    (
        r"unexpected (?:'end of template'|end of template, expected '(?P<due>.*)')",
        "it ends too early{missing}",
    ),
    (
        r"""unexpected char (?P<quote>["'])(?P<sign>.*)(?P=quote) at \d+""",
        "{sign} has no meaning there{close}",
    ),
    (r"unexpected '(?P<sign>.*)'$", "{sign} does not belong there"),
    (r"expected token 'name', got '(?P<sign>.*)'$", "a name is missing before {sign}"),
    (r"expected token '(?P<due>.*)', got '(?P<sign>.*)'$", "{due} is missing before {sign}"),
    (r"expected name or number$", "a name or a number is missing after `.`"),
    (r"expected subscript expression$", "something is missing between `[` and `]`"),
    (r"invalid syntax for function call", "in `( )` values without a name come first"),
    (r"You cannot chain multiple tests", "a value has one `is`; write `x is … and x is …`"),
)
_SIGNS = {
    "integer": "a number",
    "float": "a number",
    "string": "a text in quotes",
    "name": "a name",
    "end of print statement": "`}}`",
}
"""Kinds of signs, where the parser names the kind and not the sign."""


def _unread(message: str) -> str:
    """What is wrong with an expression's form, in words of ours where the parser has its own."""
    for pattern, said in _UNREAD:
        if match := re.match(pattern, message):
            words = match.groupdict()
            signs = {key: _SIGNS.get(sign, f"`{sign}`") for key, sign in words.items() if sign}
            close = "; is a quote not closed?" if words.get("sign") in ("'", '"') else ""
            missing = f", {signs['due']} is missing" if "due" in signs else ""
            return said.format(**signs, close=close, missing=missing)
    return message


def _once(known: dict[str, T | ExpressionError], name: str, make: Callable[[], T]) -> T:
    """What `make` gives, or raises, worked out once for each name."""
    if name not in known:
        try:
            known[name] = make()
        except ExpressionError as error:
            known[name] = error
    found = known[name]
    if isinstance(found, ExpressionError):
        raise ExpressionError(*found.args)
    return found


class _Substitution(NodeTransformer):
    def __init__(self, parts: Mapping[str, nodes.Expr]) -> None:
        self.parts = parts

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802 (Jinja2 names it)
        part = self.parts.get(node.name)
        return node if part is None else _copied(part)


def _copied(value: Any) -> Any:
    """A copy of a tree: the compiler changes those that it is given."""
    if isinstance(value, list):
        return [_copied(member) for member in value]
    if not isinstance(value, nodes.Node):
        return value
    fields = [_copied(getattr(value, field)) for field in value.fields]
    return type(value)(*fields, lineno=value.lineno, environment=value.environment)


def _link(node: nodes.Node) -> str | None:
    """The field that an attribute or a constant subscript reads."""
    if isinstance(node, nodes.Getattr):
        return node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        return node.arg.value if isinstance(node.arg.value, str) else None
    return None


def _chains(node: nodes.Node) -> Iterator[Chain]:
    """Every name with the longest run of fields read below it."""
    fields: list[str] = []
    inner = node
    while isinstance(inner, (nodes.Getattr, nodes.Getitem)):
        link = _link(inner)
        if link is None:
            fields = []
            yield from _chains(inner.arg) if isinstance(inner, nodes.Getitem) else ()
        else:
            fields.append(link)
        inner = inner.node
    if isinstance(inner, nodes.Name):
        yield (inner.name, *reversed(fields))
    else:
        for child in inner.iter_child_nodes():
            yield from _chains(child)


def _measured(tree: nodes.Expr) -> frozenset[str]:
    """The names of which the tree reads only the length."""
    everywhere: Counter[str] = Counter()
    measured: Counter[str] = Counter()
    for node in walk(tree):
        if isinstance(node, nodes.Name):
            everywhere[node.name] += 1
        elif isinstance(node, nodes.Filter) and node.name in _LENGTHS and isinstance(node.node, nodes.Name):
            measured[node.node.name] += 1
    return frozenset(name for name, count in measured.items() if count == everywhere[name])


def _forbid_private(tree: nodes.Node) -> None:
    for node in walk(tree):
        name = node.name if isinstance(node, nodes.Name) else _link(node)
        if name is not None and name.startswith("_"):
            raise ExpressionError(f"the name “{name}” is out of bounds: names may not begin with _")


def _size(tree: nodes.Node, sizes: Mapping[str, int] | None = None) -> int:
    """How many operations a tree has, once these names stand for trees of these sizes."""
    size = 0
    for node in walk(tree):
        size += sizes.get(node.name, 1) if sizes and isinstance(node, nodes.Name) else 1
    return size
