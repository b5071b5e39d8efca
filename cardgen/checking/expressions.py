"""Rule expressions: compiled once, their names known before they run, evaluated value by value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import SecurityError
from jinja2.parser import Parser
from jinja2.visitor import NodeTransformer

from cardgen.checking.absent import Absent
from cardgen.checking.patterns import PatternError
from cardgen.checking.sandbox import Meter, NoSuchNameError, Sandbox, TooMuchError
from cardgen.model.effects import Effects

MAX_SOURCE = 2_000
"""Most characters of an expression."""

MAX_NODES = 2_000
"""Most operations of an expression, its definitions put in."""

Chain = tuple[str, ...]

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = frozenset("\\'\"ntxu")
"""What may follow a backslash. Text would take `\\b` for a backspace where a pattern means a word's end."""

_RESULT = "_result"  # a name that no expression can use, since names may not begin with _


MAX_KEPT = 5_000
"""Most expressions whose code is kept for the next game or deck list of the same process."""

_kept: dict[tuple[object, ...], _Prepared] = {}


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What an expression comes to before it belongs to an engine."""

    chains: tuple[Chain, ...]
    name: str | None
    code: CodeType


class ExpressionError(Exception):
    """An expression that cannot be read or worked out; the text is a sentence without full stop."""


class UnfitExpressionError(ExpressionError):
    """An expression that is wrong whatever the card: it leaves the sandbox, or does too much."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A compiled expression.

    `chains` are the names it reads with the fields it reads below them: `requirement.level` is
    ("requirement", "level"). `name` is set where the expression is nothing but one name.
    """

    source: str
    chains: tuple[Chain, ...]
    name: str | None
    _evaluate: Callable[[Mapping[str, Any]], Any]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain[0] for chain in self.chains))

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """The expression's value where the names have these values; what a filter gives is a list.

        Raises ExpressionError.
        """
        if self.name is not None:
            return values[self.name] if self.name in values else Absent(name=self.name)
        try:
            value = self._evaluate(values)
            return list(value) if isinstance(value, Iterator) else value
        except TooMuchError as error:
            raise UnfitExpressionError(f"`{self.source}` does too much: {error}") from None
        except (SecurityError, NoSuchNameError, PatternError) as error:
            raise UnfitExpressionError(f"`{self.source}` cannot be worked out: {error}") from None
        except TemplateError as error:
            raise ExpressionError(f"`{self.source}` cannot be worked out: {error}") from None
        except ZeroDivisionError:
            raise ExpressionError(f"`{self.source}` divides by zero") from None
        except RecursionError:
            raise ExpressionError(f"`{self.source}` is nested too deeply") from None
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise ExpressionError(f"`{self.source}` cannot be worked out: {_plain(error)}") from None


def _plain(error: Exception) -> str:
    text = str(error).replace("'Absent'", "a missing field").replace("'NoneType'", "none")
    for python, plain in (("'str'", "text"), ("'int'", "a number"), ("'float'", "a number")):
        text = text.replace(python, plain)
    return text or type(error).__name__


class Engine:
    """Compiles expressions for one game. `defines` are named expressions that others may use, `effects`
    the language that `effect_text` prints."""

    def __init__(
        self,
        known_key: Callable[[str], bool],
        defines: Mapping[str, str],
        effects: Effects | None = None,
    ) -> None:
        self.meter = Meter()
        self.defines = dict(defines)
        self._sandbox = Sandbox(self.meter, known_key, effects)
        self._compiled: dict[str, Expression | ExpressionError] = {}

    def compile(self, source: str) -> Expression:
        """The expression, compiled once. Raises ExpressionError."""
        if source not in self._compiled:
            try:
                self._compiled[source] = self._compile(source)
            except ExpressionError as error:
                self._compiled[source] = error
        found = self._compiled[source]
        if isinstance(found, ExpressionError):
            raise ExpressionError(*found.args)
        return found

    def _compile(self, source: str) -> Expression:
        try:
            prepared = self._prepared(source)
        except (RecursionError, MemoryError, SyntaxError):
            raise ExpressionError(f"“{_short(source)}” is nested too deeply") from None
        except TooMuchError as error:
            raise ExpressionError(f"“{_short(source)}” does too much: {error}") from None
        except TemplateError as error:
            raise ExpressionError(f"“{_short(source)}” cannot be read: {error.message}") from None
        sandbox = self._sandbox
        template = sandbox.template_class.from_code(sandbox, prepared.code, sandbox.make_globals(None))
        context = template.new_context()
        run = template.root_render_func

        def evaluate(values: Mapping[str, Any]) -> Any:
            # The context is made once and given each card's values in turn: making one for each
            # card would cost five times the evaluation.
            context.parent = values  # type: ignore[assignment]
            for _ in run(context):
                pass
            return context.vars[_RESULT]

        return Expression(source, prepared.chains, prepared.name, evaluate)

    def _prepared(self, source: str) -> _Prepared:
        """The expression as code, which many engines may share."""
        key = (source, *self.defines.items())
        if key in _kept:
            return _kept[key]
        left = self.meter.left
        tree = self._expanded(self._parsed(source), ())
        chains = tuple(dict.fromkeys(_chains(tree)))
        _forbid_private(tree)
        body: list[nodes.Node] = [nodes.Assign(nodes.Name(_RESULT, "store"), tree, lineno=1)]
        code = self._sandbox.compile(nodes.Template(body, lineno=1))
        prepared = _Prepared(chains, tree.name if isinstance(tree, nodes.Name) else None, code)
        if self.meter.left == left:  # constants that were worked out here count for each engine
            if len(_kept) >= MAX_KEPT:
                _kept.clear()
            _kept[key] = prepared
        return prepared

    def _parsed(self, source: str) -> nodes.Expr:
        if len(source) > MAX_SOURCE:
            raise ExpressionError(f"“{_short(source)}” is longer than {MAX_SOURCE:,} characters")
        for escape in _ESCAPE.finditer(source):
            if escape[1] not in _ESCAPES:
                raise ExpressionError(
                    f"“{_short(source)}” cannot be read: write “\\{escape[0]}” for “{escape[0]}”, "
                    "a backslash in quotes stands for itself only if written twice"
                )
        parser = Parser(self._sandbox, source, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise TemplateSyntaxError(f"something is left over after “{_short(source)}”", 1)
        tree.set_environment(self._sandbox)
        return tree

    def _expanded(self, tree: nodes.Expr, within: tuple[str, ...]) -> nodes.Expr:
        """The tree with defined names replaced by what they stand for. Raises on a cycle."""
        defined = {name.name for name in tree.find_all(nodes.Name)} & set(self.defines)
        if isinstance(tree, nodes.Name):
            defined.update({tree.name} & set(self.defines))
        if defined:
            parts: dict[str, nodes.Expr] = {}
            for name in sorted(defined):
                if name in within:
                    raise ExpressionError(f"“{name}” is defined by itself: {' → '.join((*within, name))}")
                parts[name] = self._expanded(self._parsed(self.defines[name]), (*within, name))
            tree = _Substitution(parts).visit(tree)
        if sum(1 for _ in tree.find_all(nodes.Node)) > MAX_NODES:
            raise ExpressionError(f"an expression may have {MAX_NODES:,} operations with its definitions")
        return tree


class _Substitution(NodeTransformer):
    def __init__(self, parts: Mapping[str, nodes.Expr]) -> None:
        self.parts = parts

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802 (Jinja2 names it)
        return self.parts.get(node.name, node)


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


def _forbid_private(tree: nodes.Node) -> None:
    for node in (tree, *tree.find_all(nodes.Node)):
        name = node.name if isinstance(node, nodes.Name) else _link(node)
        if name is not None and name.startswith("_"):
            raise ExpressionError(f"the name “{name}” is out of bounds: names may not begin with _")


def _short(source: str) -> str:
    return source if len(source) <= 60 else source[:57] + "…"
