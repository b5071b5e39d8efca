"""Run templates in a Jinja2 environment in which only names from tables can be used, read or called.

Templates, prose and rules configure it: their functions, filters and tests, the kinds of values that they
add, and their limits. See `kinds` for values, `grammar` for the syntax, `budget` for the limits. Python's
objects can't be reached: every value is of a listed kind, every attribute goes through `getattr` and
`getitem`, every call through `invoke` and `send`, and every value turned into text goes through `text_of`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from jinja2 import BaseLoader, Environment, Template, TemplateSyntaxError, Undefined, nodes
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace, missing
from markupsafe import Markup, escape

from cardgen.expressions import grammar
from cardgen.expressions.budget import (
    MAPPINGS,
    TEXTS,
    Bounds,
    Budget,
    ForbiddenError,
    WrongValueError,
    call_error,
    go_by,
    kind_of,
    macro_error,
    must_be_there,
)
from cardgen.expressions.filters import MAX_NUMERAL, Functions, chosen, tests
from cardgen.expressions.grammar import Generator
from cardgen.expressions.macros import MacroResults, Result, Store, Watch
from cardgen.expressions.more_filters import FilterTable, Find, no_others
from cardgen.expressions.values import (
    KEYS,
    KINDS,
    SCALARS,
    Function,
    Group,
    Kind,
    Method,
    Operators,
    number,
    text_methods,
)

MAX_SOURCE = 2_000_000
"""Most characters of one template."""

MAX_TOKENS = 30_000
"""Most words and symbols in all expressions and statements of one template. The largest real one has
6,000."""

TOO_DEEP = "it is nested too deeply"

_DIGITS = re.compile("[0-9a-fA-F_]++")
_OPENER = re.compile(r"\{([{%#])")
_CLOSERS = {
    # Texts in an expression may contain its end marker.
    "{": re.compile(r"""\}\}|'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\"""", re.DOTALL),
    "%": re.compile(r"""%\}|'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\"""", re.DOTALL),
    "#": re.compile(r"#\}"),
}


def bounded(
    environment: Any, source: str, name: str | None, filename: str | None, state: str | None
) -> Iterator[Token]:
    """Yield the words and symbols of a template, its literal text as `environment.literal` returns it.
    Raises TemplateSyntaxError if there are too many."""
    left = most = environment.max_tokens
    literal = environment.literal
    lexer = environment.lexer
    for token in lexer.wrap(lexer.tokeniter(source, name, filename, state), name, filename):
        left -= 1
        if left < 0:
            message = f"it has more than {most:,} words and symbols"
            raise TemplateSyntaxError(message, token.lineno, name, filename)
        if token.type == "data":
            line, _, text = token
            yield Token(line, "data", literal(text, name or "", line))
        else:
            yield token


def parse_template(
    environment: Environment, source: str, name: str | None, filename: str | None
) -> nodes.Template:
    """Return the tree of a template. Raises TemplateSyntaxError."""
    tree: nodes.Template = _parsed(environment, source, name, filename, None, Parser.parse)
    return tree


def parse_expression(environment: Environment, source: str) -> nodes.Expr:
    """Return the tree of an expression. Raises TemplateSyntaxError."""
    tree: nodes.Expr = _parsed(environment, source, None, None, "variable", _whole_expression)
    return tree


def _whole_expression(parser: Parser) -> nodes.Expr:
    tree = parser.parse_expression()
    if not parser.stream.eos:
        parser.fail("more text follows it")
    return tree


_END = r"'end of (?P<end>print|statement)[^']*'"
_SYNTAX = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (rf"unexpected {_END}", "something is missing before {end}"),
        (rf"expected an expression, got {_END}", "something is missing before {end}"),
        (rf"expected token 'name', got {_END}", "a name is missing before {end}"),
        (rf"expected token {_END}, got '(?P<sign>.*)'", "{end} or an operator is missing before {sign}"),
        (r"unexpected '(?P<sign>.*)', expected '(?P<due>.*)'", "{due} is missing before {sign}"),
        (r"expected token '(?P<due>.*)', got '(?P<sign>.*)'", "{due} is missing before {sign}"),
        (r"unexpected '(?P<sign>.*)'$", "{sign} does not belong here"),
        (r"""unexpected char (?P<quote>["'])(?P<sign>["'])(?P=quote) at""", "a text has no closing quote"),
        (r"unexpected char '(?P<sign>.*)' at", "{sign} has no meaning here"),
        (r"expected name or number", "a name is missing after the dot"),
        (r"missing end of comment tag", "a comment has no closing #}}"),
        (
            r"unexpected end of template.* needs to be closed is '(?P<tag>\w+)'",
            "a {{% {tag} %}} above is never closed; add {{% end{tag} %}}",
        ),
        (
            r"encountered unknown tag '(?P<tag>(?:end|el)\w+)'",
            "{{% {tag} %}} has no matching tag before it",
        ),
        (r"encountered unknown tag '(?P<tag>.*?)'", "there is no tag {{% {tag} %}}"),
    )
)
"""Messages of Jinja2's parser and their plain form."""
_SIGNS = {
    "integer": "a number",
    "float": "a number",
    "string": "a text in quotes",
    "name": "a name",
    "end of print statement": "}}",
    "end of statement block": "%}",
}


def _in_plain_words(message: str) -> str:
    """Return a message of Jinja2's parser without programmers' terms."""
    for pattern, said in _SYNTAX:
        if match := pattern.match(message):
            words = {key: _SIGNS.get(word, f"'{word}'") for key, word in match.groupdict().items() if word}
            words |= {key: match[key] for key in ("tag",) if key in words}
            if "end" in words:
                words["end"] = "}}" if match["end"] == "print" else "%}"
            return said.format_map(words)
    return message


def _parsed(
    environment: Environment,
    source: str,
    name: str | None,
    filename: str | None,
    state: str | None,
    parse: Callable[[Parser], Any],
) -> Any:
    if len(source) > MAX_SOURCE:
        message = f"it is longer than {MAX_SOURCE:,} characters"
        raise TemplateSyntaxError(message, 1, name, filename)
    # Jinja2 would take hundreds of bytes for each digit.
    if (start := _long_numeral(source, whole=state is not None)) is not None:
        line = source.count("\n", 0, start) + 1
        raise TemplateSyntaxError("a number has too many digits", line, name, filename)
    parser: Parser | None = None
    try:
        parser = Parser(environment, source, name, filename, state)
        return parse(parser)
    except TemplateSyntaxError as error:
        written = error.message or ""
        message = written if state is not None else _in_plain_words(written)
        if message == written:
            raise
        raise TemplateSyntaxError(message, error.lineno, name, filename) from None
    except RecursionError:
        message = TOO_DEEP
    except SyntaxError:  # Python's error for ٣ in a fraction
        message = "a number contains digits other than 0 to 9"
    except (ValueError, OverflowError):  # Python's error for a number of 5,000 digits
        message = "a number has too many digits"
    raise TemplateSyntaxError(message, parser.stream.current.lineno if parser else 1, name, filename)


def _long_numeral(source: str, *, whole: bool) -> int | None:
    """Return the position of a number with too many digits, in an expression or else in a template's
    code."""
    runs = [run for run in _DIGITS.finditer(source) if run.end() - run.start() > MAX_NUMERAL]
    if not runs:
        return None
    code = [(0, len(source))] if whole else list(_code(source))
    return next((run.start() for run in runs for start, end in code if start <= run.start() < end), None)


def _code(source: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each expression and statement of a template, without the texts in them.
    One without an end extends to the end of the template."""
    place = 0
    while opener := _OPENER.search(source, place):
        place = opener.end()
        while True:
            end = _CLOSERS[opener[1]].search(source, place)
            if opener[1] != "#":
                yield place, len(source) if end is None else end.start()
            if end is None:
                return
            place = end.end()
            if end[0][0] not in "'\"":
                break


MAX_CALLS = 100
"""Deepest nesting of macro calls, far below the limit of Python's stack."""

_SPECIAL = re.compile("[<>&'\"]")


class SandboxTemplate(Template):
    """A template whose module for `import` is created again for each use of the environment: sides don't
    share the state of an imported namespace or rng."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        environment = self.environment
        assert isinstance(environment, Sandbox)
        module = environment.modules.get(self)
        if module is None:
            module = environment.modules[self] = self.make_module()
        return module


class Sandbox(SandboxedEnvironment):
    """The sandbox. `general` and `filters` are the names of its general functions and filters; a
    configuration adds its own by `offer` and `offer_filters`, and the kinds of their values to `kinds` and
    `methods`. Other filters are looked up by `find_filter`. A `lenient` sandbox writes out lists, mappings
    and null, counted; a strict one rejects them."""

    code_generator_class = Generator
    template_class = SandboxTemplate
    intercepted_binops = frozenset()  # `Generator` compiles the operators itself
    max_tokens = MAX_TOKENS
    nodes_per_step = 50
    """The number of a template's operations that cost a step."""
    lenient = False

    def __init__(
        self,
        bounds: Bounds,
        *,
        general: Iterable[str],
        filters: Iterable[str],
        undefined: type[Undefined],
        loader: BaseLoader | None = None,
        autoescape: bool = False,
        extensions: Sequence[str | type[Extension]] = (),
        cache_size: int = -1,
        find_filter: Find = no_others,
    ) -> None:
        super().__init__(
            loader=loader,
            undefined=undefined,
            autoescape=autoescape,
            auto_reload=False,
            cache_size=cache_size,
            optimized=False,  # computing while compiling would not be counted, and the result kept
            extensions=extensions,
        )
        self.budget = budget = Budget(bounds)
        self.modules: dict[Template, TemplateModule] = {}
        self.results: MacroResults | None = None
        """Results of macros to reuse; None if they always run."""
        self.kept: Store | None = None
        self._depth = self._deepest = 0
        operators = Operators(budget)
        self.add, self.multiply, self.power = operators.add, operators.multiply, operators.power
        self.subtract, self.modulo = operators.subtract, operators.modulo
        self.equal, self.unequal = operators.equal, operators.unequal
        self.less, self.at_most = operators.less, operators.at_most
        self.greater, self.at_least = operators.greater, operators.at_least
        self.within, self.outside = operators.within, operators.outside
        self.sliced, self.mapping, self.key = operators.sliced, operators.mapping, operators.key
        self.concat = budget.concat  # type: ignore[method-assign]
        self.printed = self.escaped if autoescape else self.written
        self.kinds: dict[type, Kind] = {**KINDS, undefined: KINDS[Undefined]}
        lists = go_by({"count": operators.tallied, "index": operators.placed})
        texts = text_methods(budget)
        self.methods: dict[type, Mapping[str, Callable[..., Any]]] = {
            str: texts,
            Markup: texts,
            list: lists,
            tuple: lists,
            Group: lists,
            LoopContext: {"cycle": self._cycle, "changed": self._changed},
        }
        self.mapping_methods: Mapping[str, Callable[..., Any]] = {
            "get": self._get,
            "items": lambda mapping: list(self._members_of(mapping).items()),
            "keys": lambda mapping: list(self._members_of(mapping)),
            "values": lambda mapping: list(self._members_of(mapping).values()),
        }
        self.filters = FilterTable(go_by(chosen(self, filters)), budget, find_filter)
        self.tests = dict(go_by(tests(self, operators)))
        self.globals.clear()
        self.globals.update(Functions(self).chosen(general))

    def offer(self, functions: Mapping[str, Any]) -> None:
        """Let authors use these: numbers as values, functions for calls."""
        for name, value in functions.items():
            self.globals[name] = value if type(value) in SCALARS else Function(name, value)

    def offer_filters(self, filters: Mapping[str, Callable[..., Any]]) -> None:
        """Let authors use these filters."""
        self.filters.update(go_by(filters))

    def begin(self) -> None:
        """Begin a new use, with the full budget and no imported modules."""
        self.budget.reset()
        self.modules.clear()
        self._depth = self._deepest = 0

    # ---- reading templates

    def admit(self, tree: nodes.Template, name: str | None) -> tuple[list[nodes.Node], list[int]]:
        """Check a template before its compilation; return its nodes and their parents' indexes, as
        `grammar.check` does. Raises TemplateSyntaxError."""
        return grammar.check(tree, name, self.filters, self.tests)

    def literal(self, text: str, name: str, line: int) -> str:
        """Return the compiled form of a template's literal text, which begins on this line of it."""
        return text

    def printing(self, name: str | None, line: int) -> str:
        """Return the start of code that prints a value on this line of a template; the value and `)`
        follow."""
        return "environment.printed("

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        return TokenStream(bounded(self, source, name, filename, state), name, filename)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return parse_template(self, source, name, filename)

    def parse_expression(self, source: str) -> nodes.Expr:
        """Return the checked tree of an expression. Raises TemplateSyntaxError."""
        tree = parse_expression(self, source)
        grammar.check(tree, None, self.filters, self.tests, statements=False)
        tree.set_environment(self)
        return tree

    def _generate(
        self, source: Any, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        try:
            return super()._generate(source, name, filename, defer_init)
        except RecursionError:
            raise TemplateSyntaxError(TOO_DEEP, 1, name, filename) from None

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError, OverflowError, ValueError):
            raise TemplateSyntaxError(TOO_DEEP, 1, None, filename) from None

    # ---- reading values

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return data before methods, so that a card may have a field called `items`."""
        if type(obj) in MAPPINGS:
            try:
                return obj[attribute]
            except KeyError:
                method = self.mapping_methods.get(attribute)
                if method is not None:
                    return Method(attribute, obj, method)
                return self.undefined(obj=obj, name=attribute)
        return self.read(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        kind = type(obj)
        if (kind is tuple or kind is list) and type(argument) is int:
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(obj=obj, name=argument)  # type: ignore[arg-type]
        if type(argument) in TEXTS:
            return self.getattr(obj, str(argument))
        if kind in MAPPINGS:
            if type(argument) in KEYS and argument in obj:
                return obj[argument]
        elif kind in TEXTS or kind is range or isinstance(obj, (list, tuple)):
            must_be_there(argument)
            if type(argument) is int or type(argument) is bool:
                try:
                    return obj[argument]
                except IndexError:
                    pass
        elif kind not in self.kinds or not self.kinds[kind].data:
            raise ForbiddenError(f"{kind_of(obj)} has no items")
        elif isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        if type(argument) not in KEYS:
            raise WrongValueError(f"an item's key must be text or a number, not {kind_of(argument)}")
        return self.undefined(obj=obj, name=argument)

    def read(self, obj: Any, name: str) -> Any:
        """Return a field or method of a value that is not a mapping."""
        of = type(obj)
        methods = self.methods.get(of)
        if methods is not None and name in methods:
            return Method(name, obj, methods[name])
        kind = self.kinds.get(of)
        if kind is None:
            raise ForbiddenError(f"{kind_of(obj)} has no fields")
        if name in kind.reads:
            return getattr(obj, name)
        if isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        if not name.startswith("_"):
            if of is Namespace:
                return self._set_in(obj, name)
            if of is TemplateModule:
                return self._exported_by(obj, name)
            if of is TemplateReference:
                try:
                    return obj[name]
                except KeyError:
                    raise ForbiddenError(f"the template has no block '{name}'") from None
        if kind.data and not hasattr(of, name):
            return self.undefined(obj=obj, name=name)
        raise ForbiddenError(f"'{name}' of {kind_of(obj)} is not available")

    def _set_in(self, namespace: Namespace, name: str) -> Any:
        try:
            return getattr(namespace, name)
        except AttributeError:
            return self.undefined(f"the namespace has no '{name}'", name=name)

    def _exported_by(self, module: TemplateModule, name: str) -> Any:
        if name in vars(module):
            return vars(module)[name]
        names = [word for word in vars(module) if not word.startswith("_")]
        near = f"; it has {', '.join(sorted(names)[:8])}" if names else ""
        return self.undefined(f"the imported template has no '{name}'{near}", name=name)

    @staticmethod
    def namespace_of(value: Any) -> Any:
        """Return the value, if its parts may be set. Raises WrongValueError."""
        if type(value) is Namespace:
            return value
        what = "a missing value" if value is missing else kind_of(value)
        raise WrongValueError(
            f"{{% set x.y = … %}} works only with a namespace(), not {what}; write {{% set y = … %}}"
        )

    # ---- calling

    def invoke(self, called: Any, /, *given: Any, **named: Any) -> Any:
        """Call a value, as in `called(…)`."""
        budget = self.budget
        budget.left -= 1
        if budget.left < 0 or len(given) > 20:
            budget.step(len(given) // 10)
        kind = type(called)
        if kind is Function:
            try:
                return called.call(*given, **named)
            except (TypeError, ValueError) as error:
                raise call_error(error, called.name, called.call, given, named) from None
        if kind is Method:
            try:
                return called.call(called.owner, *given, **named)
            except (TypeError, ValueError) as error:
                raise call_error(
                    error, called.name, called.call, (called.owner, *given), named, 1
                ) from None
        if kind is Macro or kind is BlockReference:
            if self._depth >= MAX_CALLS:
                raise RecursionError
            self._depth += 1
            if self._depth > self._deepest:
                self._deepest = self._depth
            try:
                if self.results is None or kind is BlockReference:
                    return called(*given, **named)
                return self.results.call(self, called, given, named)
            except TypeError as error:
                raise macro_error(error, called) from None
            finally:
                self._depth -= 1
        if kind is LoopContext:
            if named or len(given) != 1:
                raise WrongValueError("a loop must be called with one list")
            return called(self.rounds(given[0], 1))
        if isinstance(called, Undefined):
            called._fail_with_undefined_error()
        raise ForbiddenError(f"{kind_of(called)} can't be called")

    # ---- results of macros

    def reading(self, macro: Macro, names: tuple[str, ...] | None) -> Macro:
        """Return a macro that reads these variables of its template; None if they aren't known."""
        macro.reads = names  # type: ignore[attr-defined]
        return macro

    @property
    def notes(self) -> int:
        """Return the number of reads of watched values since the sandbox began."""
        return 0

    def watch(self) -> Watch:
        """Start watching a macro that is about to run."""
        watch = Watch(self.budget.left, self.notes, self._deepest)
        self._deepest = self._depth
        return watch

    def watched(self, watch: Watch, text: str) -> Result | None:
        """Return the result of the macro that ran since; None if it read watched values."""
        depth = self._deepest - self._depth
        self._deepest = max(self._deepest, watch.deepest)
        if self.notes != watch.notes:
            return None
        return Result(text, watch.left - self.budget.left, depth)

    def repeat(self, result: Result) -> bool:
        """Charge for a macro's result as for its run; return False if that exceeds a limit, so that a run
        reports it at its place."""
        if self.budget.left < result.steps or self._depth + result.depth > MAX_CALLS:
            return False
        self.budget.step(result.steps)
        self._deepest = max(self._deepest, self._depth + result.depth)
        return True

    def send(self, owner: Any, name: str, /, *given: Any, **named: Any) -> Any:
        """Call a method, as in `owner.name(…)`, without making a Method."""
        methods = self.methods.get(type(owner))
        if methods is not None:
            method = methods.get(name)
            if method is not None:
                budget = self.budget
                budget.left -= 1
                if budget.left < 0 or len(given) > 20:
                    budget.step(len(given) // 10)
                try:
                    return method(owner, *given, **named)
                except (TypeError, ValueError) as error:
                    raise call_error(error, name, method, (owner, *given), named, 1) from None
        return self.invoke(self.getattr(owner, name), *given, **named)

    def call(self, *given: Any, **named: Any) -> Any:
        """Refuse Jinja2's own way of calling, which compiled code doesn't use."""
        raise ForbiddenError("this way of calling a function is not supported; write name(value)")

    def callable(self, value: Any) -> bool:
        kind = self.kinds.get(type(value))
        return kind is not None and kind.called

    def spread(self, value: Any) -> Sequence[Any]:
        """Return the arguments of `f(*value)`."""
        members = self.members(value)
        self.budget.items(len(members))
        return members

    def spread_names(self, value: Any) -> dict[str, Any]:
        """Return the arguments of `f(**value)`."""
        if type(value) not in MAPPINGS or not all(type(name) in TEXTS for name in value):
            raise WrongValueError("** needs a mapping with names as keys, such as **{'x': 1}")
        self.budget.items(len(value))
        if any(name.startswith("_") for name in value):
            raise ForbiddenError("a name that begins with _ is not available")
        return {str(name): given for name, given in value.items()}

    # ---- going through a value

    def members(self, value: Any) -> Sequence[Any]:
        """Return the items that a loop over the value visits. Raises WrongValueError for other values."""
        kind = type(value)
        if kind is list or kind is tuple or kind is range or kind in TEXTS:
            return value  # type: ignore[no-any-return]
        if kind in MAPPINGS:
            self.budget.items(len(value))
            return list(value)
        if isinstance(value, Undefined):
            return tuple(value)  # fails, or is empty
        if isinstance(value, tuple):
            return value
        raise WrongValueError(f"a list is needed here, not {kind_of(value)}")

    def rounds(self, value: Any, cost: int) -> Sequence[Any]:
        """Return the members, with all rounds of the loop charged at once; a recursive loop's body charges
        too."""
        members = self.members(value)
        self.budget.step(len(members) * cost)
        return members

    def stepped(self, value: Any, cost: int) -> Iterable[Any]:
        """Return the members, with each round charged when it begins."""
        return self.budget.counted(self.members(value), cost)

    def _members_of(self, mapping: dict[Any, Any]) -> dict[Any, Any]:
        self.budget.items(len(mapping))
        return mapping

    def _get(self, mapping: dict[Any, Any], key: Any, default: Any = None) -> Any:
        return mapping.get(self.key(key), default)

    def _cycle(self, loop: LoopContext, *values: Any) -> Any:
        if not values:
            raise WrongValueError("cycle needs values")
        return values[loop.index0 % len(values)]

    def _changed(self, loop: LoopContext, *values: Any) -> bool:
        before = loop._last_changed_value
        if before is not missing and self.equal(before, values):
            return False
        loop._last_changed_value = values
        return True

    # ---- writing values out

    def text_of(self, value: Any) -> str:
        """Return a value as text. Raises ForbiddenError for values that are no data, WrongValueError for
        data without a text: null and, unless the sandbox is lenient, lists and mappings."""
        kind = type(value)
        if kind in TEXTS:
            return value  # type: ignore[no-any-return]
        if kind in SCALARS or isinstance(value, Undefined):
            return str(value)
        if kind not in self.kinds or not self.kinds[kind].data:
            raise ForbiddenError(f"only data can be printed, not {kind_of(value)}")
        if self.lenient:
            self.budget.weigh(value)
            return str(value)
        if value is None:
            raise WrongValueError("this would print an empty value (null)")
        raise WrongValueError(
            f"this would print {kind_of(value)}; print one of its values, or use the filter join"
        )

    def joined(self, parts: Sequence[Any]) -> str:
        """Return the result of `~` and `join`: fractions shortened, everything escaped if any part is
        markup."""
        self.budget.step()
        texts = [number(part, 4) if type(part) is float else self.text_of(part) for part in parts]
        if any(type(part) is Markup for part in texts):
            return Markup(self.concat([str(escape(part)) for part in texts]))
        return self.concat(texts)

    def written(self, value: Any) -> str:
        """Return the output of `{{ … }}` in plain text."""
        kind = type(value)
        if kind is float:
            value = number(value, 4)
        text = value if kind is str else self.text_of(value)
        self.budget.step(1 + len(text) // 100)
        return str(text)

    def escaped(self, value: Any) -> str:
        """Return the output of `{{ … }}` in XML."""
        kind = type(value)
        if kind is float or kind is int:
            self.budget.step()
            return number(value, 4)
        if kind is str and len(value) < 100:
            self.budget.step()
            return str(escape(value)) if _SPECIAL.search(value) else str(value)
        text = self.written(value)
        return text if kind is Markup else str(escape(text))
