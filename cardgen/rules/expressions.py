"""Compile the expressions of rules, check their names, and evaluate them."""

from __future__ import annotations

import functools
import hashlib
import marshal
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any, TypeVar

from jinja2 import TemplateError, Undefined, nodes
from jinja2.exceptions import UndefinedError
from jinja2.visitor import NodeTransformer

from cardgen.core.findings import CardgenError
from cardgen.core.game import Effects
from cardgen.core.records import dataclass
from cardgen.expressions import grammar
from cardgen.expressions.budget import (
    MAPPINGS,
    Bounds,
    BudgetError,
    ForbiddenError,
    SandboxError,
    Watched,
    WrongValueError,
    in_words,
    kind_of,
)
from cardgen.expressions.grammar import own_call, walk
from cardgen.expressions.sandbox import Sandbox
from cardgen.expressions.values import SCALARS, Method
from cardgen.files.cache import Cache, digest_of
from cardgen.files.plugins import filter_of
from cardgen.game.effects import effect_line

MAX_SOURCE = 2_000
"""Most characters of an expression."""

MAX_NODES = 2_000
"""Most operations of an expression, including its definitions."""

STEPS_PER_OPERATION = 10
"""The steps that each operation of a rule's expressions costs before they are evaluated."""

MAX_CHAIN = 20
"""Most fields that are read one below the other, as in `card.part.deep`."""

Chain = tuple[str, ...]
T = TypeVar("T")

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = frozenset("\\'\"ntxu")
"""The signs that may follow a backslash. In text, `\\b` is a backspace, but in a pattern the end of a
word."""

_RESULT = "_result"  # expressions can't use this name, since it begins with _


_LENGTHS = frozenset(("count", "length"))

MAX_KEPT = 5_000
"""Most expressions whose code is kept for the next game or deck list of the same process."""

_kept: dict[tuple[object, ...], _Prepared] = {}


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An expression before it belongs to an engine; `size` counts its operations."""

    chains: tuple[Chain, ...]
    name: str | None
    measured: frozenset[str]
    code: CodeType
    size: int


class ExpressionError(Exception):
    """An expression that can't be read or evaluated; the text is a sentence without full stop."""


class UnfitExpressionError(ExpressionError):
    """An expression that is wrong for every card: it leaves the sandbox or exceeds a limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A compiled expression.

    `chains` are the names it reads with the fields it reads below them: `requirement.level` is
    ("requirement", "level"). `names` are the names alone. `name` is set if the expression is a single name.
    Of the `measured` names it only reads the lengths: `hand|length > 2`. `size` counts its operations.
    """

    source: str
    chains: tuple[Chain, ...]
    names: tuple[str, ...]
    name: str | None
    measured: frozenset[str]
    size: int
    _evaluate: Callable[[Mapping[str, Any]], Any]
    _weigh: Callable[[Any], None]
    """Charge for a list or a mapping, since comparing it takes as long."""

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """Return the expression's value for these values of the names; the result of a filter is a list.

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
                    raise ForbiddenError(f"its result is {kind_of(value)}, which is not a value")
                self._weigh(value)
            return list(value) if kind is range else value
        except BudgetError as error:
            raise UnfitExpressionError(f"`{self.source}` does too much: {error}") from None
        except (ForbiddenError, NoSuchNameError, PatternError) as error:
            raise UnfitExpressionError(f"`{self.source}` can't be evaluated: {error}") from None
        except TemplateError as error:
            raise ExpressionError(f"`{self.source}` can't be evaluated: {error}") from None
        except ZeroDivisionError:
            raise ExpressionError(f"`{self.source}` divides by zero") from None
        except RecursionError:
            raise ExpressionError(f"`{self.source}` is nested too deeply") from None
        except CardgenError as error:  # of a plug-in
            raise UnfitExpressionError(f"`{self.source}` can't be evaluated: {error.findings[0]}") from None
        except Exception as error:
            raise ExpressionError(f"`{self.source}` can't be evaluated: {in_words(error)}") from None


class Engine:
    """A compiler of expressions for one game. `defines` are named expressions for use in others, `effects`
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
        self._stored = Cache("expressions")
        self._compiled: dict[str, Expression | ExpressionError] = {}
        self._expansions: dict[str, nodes.Expr | ExpressionError] = {}
        self._charged: set[str] = set()
        """The expressions that the current rule requested."""

    def begin(self, steps: int) -> None:
        """Begin a rule, and limit its steps."""
        self.budget.reset(steps)
        self._charged = set()

    def compile(self, source: str) -> Expression:
        """Return the expression, compiled once; each rule is charged for its operations. Raises
        ExpressionError, BudgetError."""
        self.budget.step(1)
        found = _once(self._compiled, source, lambda: self._compile(source))
        if source not in self._charged:
            self._charged.add(source)
            self.budget.step(STEPS_PER_OPERATION * found.size)
        return found

    def _compile(self, source: str) -> Expression:
        try:
            prepared = self._prepared(source)
        except (RecursionError, MemoryError, SyntaxError):
            raise ExpressionError(f"“{short(source)}” is nested too deeply") from None
        except TemplateError as error:
            if not source.strip():
                raise ExpressionError("the expression is empty") from None
            raise ExpressionError(
                f"“{short(source)}” can't be read: {_syntax_message(error.message or '')}"
            ) from None
        return self._ready(source, prepared)

    def _ready(self, source: str, prepared: _Prepared) -> Expression:
        sandbox = self._sandbox
        template = sandbox.template_class.from_code(sandbox, prepared.code, sandbox.make_globals(None))
        context = template.new_context()
        run = template.root_render_func
        budget = sandbox.budget

        def evaluate(values: Mapping[str, Any]) -> Any:
            # The context is made once and updated for each card: making one for each card would cost five
            # times the evaluation.
            budget.left -= 1
            if budget.left < 0:
                budget.step(0)
            context.parent = values  # type: ignore[assignment]
            for _ in run(context):
                pass
            return context.vars[_RESULT]

        names = tuple(dict.fromkeys(chain[0] for chain in prepared.chains))
        return Expression(
            source,
            prepared.chains,
            names,
            prepared.name,
            prepared.measured,
            prepared.size,
            evaluate,
            budget.weigh,
        )

    def _prepared(self, source: str) -> _Prepared:
        """Return the expression as code, which other engines and later commands share."""
        key = (source, self._defined)
        if key not in _kept:
            if len(_kept) >= MAX_KEPT:
                _kept.clear()
            place = digest_of(*key)
            found = self._stored.get(place)
            if found is None:
                made = self._prepare(source)
                fields = made.chains, made.name, made.measured, made.code, made.size
                self._stored.put(place, marshal.dumps(fields))
            else:
                made = _Prepared(*marshal.loads(found))
            _kept[key] = made
        return _kept[key]

    def save(self) -> None:
        """Keep the code of new expressions for later commands."""
        self._stored.save()

    def _prepare(self, source: str) -> _Prepared:
        tree = self._expand(self._parsed(source), ())
        _forbid_private(tree)
        for chain in _chains(tree):
            if len(chain) > MAX_CHAIN:
                raise ExpressionError(f"“{short(source)}” reads more than {MAX_CHAIN} fields in a row")
        return self._coded(tree)

    def _coded(self, tree: nodes.Expr) -> _Prepared:
        chains = tuple(dict.fromkeys(_chains(tree)))
        measured = _only_measured(tree)
        body: list[nodes.Node] = [nodes.Assign(nodes.Name(_RESULT, "store"), tree, lineno=1)]
        code = self._sandbox.compile(nodes.Template(body, lineno=1))
        name = tree.name if isinstance(tree, nodes.Name) else None
        return _Prepared(chains, name, measured, code, _size(tree))

    def split(
        self, source: str, fixed: str, varying: Collection[str]
    ) -> tuple[Expression, dict[str, Expression]] | None:
        """Return a compiled expression with new names in place of its costly parts that read the name
        `fixed` and none that are `varying`, and these parts by their names; None if it has none. All of
        them are evaluated whenever the expression is."""
        parts: dict[str, nodes.Expr] = {}

        def cut(node: nodes.Expr) -> nodes.Expr:
            read = {each.name for each in walk(node) if isinstance(each, nodes.Name)}
            if fixed in read and read.isdisjoint(varying):
                if not any(isinstance(each, (nodes.Filter, nodes.Call)) for each in walk(node)):
                    return node
                name = f"part_{len(parts)}_{digest_of(source)}"  # which nothing else is called
                parts[name] = node
                return nodes.Name(name, "load", lineno=node.lineno)
            if isinstance(node, nodes.BinExpr) and not isinstance(node, (nodes.And, nodes.Or)):
                node.left, node.right = cut(node.left), cut(node.right)
            elif isinstance(node, nodes.UnaryExpr):
                node.node = cut(node.node)
            elif isinstance(node, nodes.Compare):  # later ones may be skipped
                node.expr, node.ops[0].expr = cut(node.expr), cut(node.ops[0].expr)
            return node

        tree = cut(self._expand(self._parsed(source), ()))
        if not parts or isinstance(tree, nodes.Name):
            return None
        whole = self._ready(source, self._coded(tree))
        return whole, {name: self._ready(source, self._coded(part)) for name, part in parts.items()}

    def _parsed(self, source: str) -> nodes.Expr:
        if len(source) > MAX_SOURCE:
            raise ExpressionError(f"“{short(source)}” is longer than {MAX_SOURCE:,} characters")
        for escape in _ESCAPE.finditer(source):
            if escape[1] not in _ESCAPES:
                raise ExpressionError(
                    f"“{short(source)}” can't be read: write “\\{escape[0]}” for “{escape[0]}”, "
                    "since a backslash in quotes must be doubled"
                )
        return self._sandbox.parse_expression(source)

    def _expand(self, tree: nodes.Expr, within: tuple[str, ...]) -> nodes.Expr:
        """Return the tree with defined names replaced by their expressions. Raises on a cycle."""
        defined = {node.name for node in walk(tree) if isinstance(node, nodes.Name)} & set(self.defines)
        parts = {name: self._definition(name, within) for name in sorted(defined)}
        if _size(tree, {name: _size(part) for name, part in parts.items()}) > MAX_NODES:
            raise ExpressionError(f"an expression may have {MAX_NODES:,} operations with its definitions")
        if defined:
            tree = _Substitution(parts).visit(tree)
        return tree

    def _definition(self, name: str, within: tuple[str, ...]) -> nodes.Expr:
        """Return the expression of a defined name, parsed once."""
        if name in within:
            raise ExpressionError(f"“{name}” is defined by itself: {' → '.join((*within, name))}")
        inner = (*within, name)
        return _once(self._expansions, name, lambda: self._expand(self._parsed(self.defines[name]), inner))


_SYNTAX_MESSAGES = (
    (
        r"unexpected (?:'end of template'|end of template, expected '(?P<due>.*)')",
        "{missing} at its end",
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
"""Kinds of signs, for messages in which the parser names the kind."""


def _syntax_message(message: str) -> str:
    """Return the error in an expression's form, in simpler words than the parser's."""
    for pattern, wording in _SYNTAX_MESSAGES:
        if match := re.match(pattern, message):
            words = match.groupdict()
            signs = {key: _SIGNS.get(sign, f"`{sign}`") for key, sign in words.items() if sign}
            close = "; is a quote not closed?" if words.get("sign") in ("'", '"') else ""
            missing = f"{signs.get('due', 'something')} is missing"
            return wording.format(**signs, close=close, missing=missing)
    return message


def _once(known: dict[str, T | ExpressionError], name: str, make: Callable[[], T]) -> T:
    """Return the result of `make`, or raise its error, computed once for each name."""
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
        return node if part is None else _copy(part)


def _copy(value: Any) -> Any:
    """Return a copy of a tree, since the compiler changes its input."""
    if isinstance(value, list):
        return [_copy(member) for member in value]
    if not isinstance(value, nodes.Node):
        return value
    fields = [_copy(getattr(value, field)) for field in value.fields]
    return type(value)(*fields, lineno=value.lineno, environment=value.environment)


def _field_name(node: nodes.Node) -> str | None:
    """Return the field that an attribute or a constant subscript reads."""
    if isinstance(node, nodes.Getattr):
        return node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        return node.arg.value if isinstance(node.arg.value, str) else None
    return None


def _chains(node: nodes.Node) -> Iterator[Chain]:
    """Yield every name with the longest run of fields read below it."""
    fields: list[str] = []
    inner = node
    while isinstance(inner, (nodes.Getattr, nodes.Getitem)):
        link = _field_name(inner)
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


def _only_measured(tree: nodes.Expr) -> frozenset[str]:
    """Return the names whose length is all that the tree reads."""
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
        name = node.name if isinstance(node, nodes.Name) else _field_name(node)
        if name is not None and name.startswith("_"):
            raise ExpressionError(f"the name “{name}” is not allowed: names may not begin with _")


def _size(tree: nodes.Node, sizes: Mapping[str, int] | None = None) -> int:
    """Count the operations of a tree, if these names are trees of these sizes."""
    size = 0
    for node in walk(tree):
        size += sizes.get(node.name, 1) if sizes and isinstance(node, nodes.Name) else 1
    return size


MAX_ITEMS = 100_000
"""Most items or characters that one operation may make."""

MAX_STEPS = 1_500_000
"""Most work of a rule's expressions for all cards together: a step is an expression evaluated, a function
called or a list item visited."""

BOUNDS = Bounds(
    steps=MAX_STEPS,  # more and shorter ones than a template's: a rule looks at every card many times
    characters=MAX_ITEMS,  # the longest text of a card, not the drawing of one
    items=MAX_ITEMS,
    bits=256,  # figures of a game, not chance
    subject="it",
    whole="for one rule; filter the cards first, or split the rule",
)

FILTERS = frozenset(
    """
    abs capitalize count d default dictsort first groupby items join last length list lower map max min
    reject rejectattr reverse round select selectattr sort string sum title trim unique upper wordcount
    """.split()  # noqa: SIM905 (a list of quoted words is harder to read)
)


class Absent(Undefined):
    """A field that this card lacks and others have (or that is below null).

    It is false, undefined, equal to none and to other absent values, and an empty list to a loop. Sums and
    orderings with it raise, so a missing number is never taken for 0.
    """

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        return f"there is no “{self._undefined_name}” here"

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, Undefined)

    def __hash__(self) -> int:
        return hash(None)

    def __repr__(self) -> str:
        return "none"  # within a list that is written out


class NoSuchNameError(UndefinedError):
    """A name that nothing in the game has, so that the expression is wrong for every card."""


class RuleSandbox(Sandbox):
    """The sandbox for expressions: no globals, known filters, strict names, counted work.

    `known_key(name)` returns True if any data of the game has that key. A key that none has is a
    misspelling and raises; a key that only this value lacks is absent. Values are written out as rules
    compare them, so lists and mappings too.
    """

    lenient = True
    max_tokens = 2_000
    nodes_per_step = 8  # there are more steps than a template has, each a shorter one

    def __init__(self, known_key: Callable[[str], bool], effects: Effects | None = None) -> None:
        super().__init__(
            BOUNDS, general=(), filters=FILTERS, undefined=Absent, cache_size=0, find_filter=filter_of
        )
        self.known_key = known_key
        self.offer_filters(
            {
                "int": _whole_number,
                "float": _decimal,
                "nested": self._nested_maps,
                "find_all": self._find_all,
                "effect_text": _effect_filter(effects, self),
            }
        )
        self.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
        self.tests["matching"] = self._matches

    def admit(self, tree: nodes.Template, name: str | None) -> tuple[list[nodes.Node], list[int]]:
        """Check the expressions that are evaluated. The statements around them are the engine's."""
        for statement in tree.body:
            assert isinstance(statement, nodes.Assign)
            grammar.check(statement.node, name, self.filters, self.tests, statements=False)
            for choice in [statement.node, *statement.node.find_all(nodes.CondExpr)]:
                if isinstance(choice, nodes.CondExpr) and choice.expr2 is None:  # as absent as any other
                    line = choice.lineno
                    given = [nodes.Const(each, lineno=line) for each in (None, None, "else")]
                    choice.expr2 = own_call("undefined", *given, line=line)
        return grammar.listed(tree)

    # ---- reading

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) in MAPPINGS and attribute in obj and not attribute.startswith("_"):
            return obj[attribute]  # the usual case: a field of a card
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        kind = type(obj)
        named = isinstance(argument, str)
        if named and argument.startswith("_"):
            raise ForbiddenError(f"the name “{argument}” is not allowed: names may not begin with _")
        if isinstance(obj, Absent) or obj is None:
            return Absent(name=str(argument) if named or type(argument) is int else kind_of(argument))
        if kind in MAPPINGS:
            return self._field(obj, argument)
        if named:
            methods = self.methods.get(kind)
            if methods is not None and argument in methods:
                return Method(str(argument), obj, methods[argument])
            error = UndefinedError if self.known_key(str(argument)) else NoSuchNameError
            raise error(f"{kind_of(obj)} has no “{short(argument)}”")
        if isinstance(argument, int) and (kind is str or kind is range or isinstance(obj, (list, tuple))):
            return obj[argument] if -len(obj) <= argument < len(obj) else Absent(name=str(argument))
        if kind not in self.kinds or not self.kinds[kind].data:
            raise ForbiddenError(f"{kind_of(obj)} has no items")
        raise WrongValueError(f"{kind_of(obj)} has no item at {kind_of(argument)}")

    def _field(self, obj: dict[Any, Any], argument: Any) -> Any:
        if isinstance(argument, Undefined):
            return Absent(name="")
        key = self.key(argument)
        if key in obj:
            return obj[key]
        if type(key) is int and str(key) in obj:
            return obj[str(key)]  # the keys of a mapping in YAML are text
        if isinstance(key, str):
            method = self.mapping_methods.get(key)
            if method is not None:
                return Method(key, obj, method)
            if not self.known_key(key):
                raise NoSuchNameError(f"nothing in the game's data has a field “{short(key)}”")
        return Absent(name=str(key))

    # ---- filters and tests of rules

    def _nested_maps(self, value: Any) -> list[Mapping[str, Any]]:
        """Return every mapping inside a value, however deep, outermost first, to search structured text."""
        self.budget.weigh(value)
        found: list[Mapping[str, Any]] = []
        pending = [value]
        while pending:
            member = pending.pop()
            if type(member) in MAPPINGS:
                found.append(member)
                pending += reversed(member.values())
            elif isinstance(member, (list, tuple)):
                pending += reversed(member)
        self.budget.items(len(found))
        return found

    def _find_all(self, value: Any, pattern: Any, ignore_case: Any = False) -> list[str]:
        return find_all(*_check_texts(value, pattern), bool(ignore_case), self.budget.step)

    def _matches(self, value: Any, pattern: Any, ignore_case: Any = False) -> bool:
        return matches(*_check_texts(value, pattern), bool(ignore_case), self.budget.step)


def _check_texts(value: Any, pattern: Any) -> tuple[str, str]:
    if not isinstance(value, str):
        raise WrongValueError("patterns match only text")
    if not isinstance(pattern, str):
        raise WrongValueError("a pattern must be text")
    return value, str(pattern)


def _whole_number(value: Any) -> int:
    """Return a whole number. Rejects text, which templates would read as 0."""
    return int(_number_text(value))


def _decimal(value: Any) -> float:
    return float(_number_text(value))


def _number_text(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= 100:
        return str(value)
    if isinstance(value, (int, float)):
        return value
    raise WrongValueError(f"{kind_of(value)} can't be read as a number")


def short(text: str) -> str:
    """Return text for a sentence: at most 60 characters."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def _effect_filter(effects: Effects | None, sandbox: Sandbox) -> Callable[[Any], str]:
    """Return the filter `effect_text`: an effect as its card reads, in one line."""

    def printed(effect: Any) -> str:
        if effects is None:
            raise WrongValueError("game.yaml has no effects:")
        sandbox.budget.weigh(effect)
        try:
            return effect_line(effects.language, effect)
        except SandboxError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise WrongValueError(
                "this is not an effect; is its field listed under effects: in game.yaml?"
            ) from None

    return printed


MAX_PATTERN = 500
"""Most characters of a pattern."""

MAX_TEXT = 100_000
"""Most characters of a text that is searched for patterns."""

MAX_PROGRAM = 2_000
"""Most instructions of a compiled pattern. A class of Unicode's letters has 1,200."""

STEPS_PER_MATCH = 8
"""The steps of a match; RE2 hands matches over slowly."""

_CHARACTERS_PER_STEP = 20
_RESCANNED_PER_STEP = 500
"""Characters beyond a match, which RE2 may read again for each."""
_INSTRUCTIONS_PER_STEP = 500
"""Instructions of a pattern, times characters, that cost a step if RE2 has to try all of them."""
_SHORT = 200
"""Longest text for which that doesn't matter: most texts of cards."""

Step = Callable[[int], None]
"""A meter that charges for steps, and may raise."""


class PatternError(Exception):
    """A pattern that RE2 can't read; the text gives the reason."""


@functools.lru_cache(maxsize=512)
def compiled(pattern: str, ignore_case: bool = False) -> Any:
    """Return the pattern, compiled. Raises PatternError."""
    try:
        import re2  # only the rules that use patterns need it
    except ImportError:
        raise PatternError("patterns need the package google-re2: pip install google-re2") from None

    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"the pattern has {len(pattern)} characters; the limit is {MAX_PATTERN}")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = 1 << 20
    try:
        expression = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "it can't be read"
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        from cardgen.game.patterns import re2_problem  # it imports re2

        raise PatternError(re2_problem(str(reason))) from None
    if expression.programsize > MAX_PROGRAM:
        raise PatternError("it is too large: repeat fewer things, or fewer times")
    return expression


def _search_pattern(text: str, pattern: str, ignore_case: bool, step: Step) -> Any:
    """Return the compiled pattern, and charge for its search in the text."""
    expression = compiled(pattern, ignore_case)
    if len(text) > MAX_TEXT:
        raise PatternError(f"patterns match texts of at most {MAX_TEXT:,} characters")
    tried = max(0, len(text) - _SHORT) * expression.programsize
    step(2 + len(text) // _CHARACTERS_PER_STEP + tried // _INSTRUCTIONS_PER_STEP)
    return expression


def matches(text: str, pattern: str, ignore_case: bool, step: Step) -> bool:
    """Return True if the pattern occurs in the text. `step` is charged."""
    return _search_pattern(text, pattern, ignore_case, step).search(text) is not None


def find_all(text: str, pattern: str, ignore_case: bool, step: Step) -> list[str]:
    """Return every match in the text: its first group if the pattern has groups, else the whole match.
    `step` is charged."""
    expression = _search_pattern(text, pattern, ignore_case, step)
    matches = []
    for found in expression.finditer(text):
        step(STEPS_PER_MATCH + (len(text) - found.end()) // _RESCANNED_PER_STEP)
        matches.append((found.group(1) or "") if expression.groups else found.group())
    return matches


_DEEPEST = 40


def keys_below(values: Iterable[Any], chain: tuple[str, ...]) -> frozenset[str] | None:
    """Return the keys of all mappings at a chain of keys; None if there is any other value, or none."""
    keys: set[str] = set()
    for value in values:
        for name in chain:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, Watched):
            keys.update(map(str, value.names()))
        elif isinstance(value, Mapping):
            keys.update(str(key) for key in value)
        elif value is not None and not isinstance(value, Absent):
            return None
    return frozenset(keys) if keys else None


def gather(value: Any, keys: set[str], depth: int = 0) -> None:
    """Add the keys of all mappings inside a value, however deep, to `keys`."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        keys.update(key for key in value if isinstance(key, str))
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            gather(item, keys, depth + 1)
