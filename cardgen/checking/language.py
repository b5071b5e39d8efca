"""The sandbox of rule expressions: what they may use, and how they read what a card has or has not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Undefined, nodes
from jinja2.exceptions import UndefinedError

from cardgen.checking.patterns import find_all, matches
from cardgen.effects import effect_line
from cardgen.model.effects import Effects
from cardgen.sandbox import Bounds, ForbiddenError, Sandbox, SandboxError, WrongValueError, grammar, kind_of
from cardgen.sandbox.compiling import own_call
from cardgen.sandbox.kinds import Method
from cardgen.sandbox.watched import MAPPINGS

MAX_ITEMS = 100_000
"""Most items or characters that one operation may make."""

MAX_STEPS = 1_500_000
"""Most that the expressions of one rule may do, all cards together: a step is an expression worked out, a
function called, an item of a list gone through."""

BOUNDS = Bounds(
    steps=MAX_STEPS,  # more and shorter ones than a template's: a rule looks at every card many times
    characters=MAX_ITEMS,  # the longest text of a card, not the drawing of one
    items=MAX_ITEMS,
    bits=256,  # figures of a game, not chance
    subject="it",
    whole="for one rule",
)

FILTERS = frozenset(
    """
    abs capitalize count d default dictsort first groupby items join last length list lower map max min
    reject rejectattr reverse round select selectattr sort string sum title trim unique upper wordcount
    """.split()  # noqa: SIM905 (a list of quoted words is harder to read)
)


class Absent(Undefined):
    """A field some cards have and this one has not (or has as null further up).

    It is false, equal to none and to other absent values, an empty list to a loop, and `is defined`
    says no. Sums and orderings with it raise, so a number that is missing is never taken for 0.
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
    """A name that nothing in the game has: the expression is wrong, whatever the card."""


class RuleSandbox(Sandbox):
    """The sandbox for expressions: no globals, known filters, strict names, counted work.

    `known_key(name)` tells whether any data of the game has that key; a key that none has is a
    misspelling and raises, one that only this value lacks is absent. Values are written out as rules
    compare them, so lists and mappings too.
    """

    lenient = True
    max_tokens = 2_000
    nodes_per_step = 8  # there are more steps than a template has, each a shorter one

    def __init__(self, known_key: Callable[[str], bool], effects: Effects | None = None) -> None:
        super().__init__(BOUNDS, general=(), filters=FILTERS, undefined=Absent, cache_size=0)
        self.known_key = known_key
        self.offer_filters(
            {
                "int": _whole,
                "float": _decimal,
                "nested": self._nested,
                "find_all": self._found,
                "effect_text": _printed(effects, self),
            }
        )
        self.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
        self.tests["matching"] = self._matching

    def admit(self, tree: nodes.Template, name: str | None) -> tuple[list[nodes.Node], list[int]]:
        """Check the expressions that are worked out. The statements around them are our own."""
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
            return obj[attribute]  # what is read most, and most often, is a field of a card
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        kind = type(obj)
        named = isinstance(argument, str)
        if named and argument.startswith("_"):
            raise ForbiddenError(f"the name “{argument}” is out of bounds: names may not begin with _")
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

    def _nested(self, value: Any) -> list[Mapping[str, Any]]:
        """Every mapping inside a value, however deep, outermost first: for text held as structure."""
        self.budget.weigh(value)
        found: list[Mapping[str, Any]] = []
        todo = [value]
        while todo:
            member = todo.pop()
            if type(member) in MAPPINGS:
                found.append(member)
                todo += reversed(member.values())
            elif isinstance(member, (list, tuple)):
                todo += reversed(member)
        self.budget.items(len(found))
        return found

    def _found(self, value: Any, pattern: Any, ignore_case: Any = False) -> list[str]:
        return find_all(*_texts(value, pattern), bool(ignore_case), self.budget.step)

    def _matching(self, value: Any, pattern: Any, ignore_case: Any = False) -> bool:
        return matches(*_texts(value, pattern), bool(ignore_case), self.budget.step)


def _texts(value: Any, pattern: Any) -> tuple[str, str]:
    if not isinstance(value, str):
        raise WrongValueError("a pattern is sought in text only")
    if not isinstance(pattern, str):
        raise WrongValueError("a pattern is text")
    return value, str(pattern)


def _whole(value: Any) -> int:
    """A word is not taken for 0, as templates take it."""
    return int(_numeral(value))


def _decimal(value: Any) -> float:
    return float(_numeral(value))


def _numeral(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= 100:
        return str(value)
    if isinstance(value, (int, float)):
        return value
    raise WrongValueError(f"{kind_of(value)} can't be read as a number")


def short(text: str) -> str:
    """Text for a sentence: at most 60 characters."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def _printed(effects: Effects | None, sandbox: Sandbox) -> Callable[[Any], str]:
    """The filter `effect_text`: an effect as its card reads, in one line."""

    def printed(effect: Any) -> str:
        if effects is None:
            raise WrongValueError("the game states no effects: in game.yaml")
        sandbox.budget.weigh(effect)
        try:
            return effect_line(effects.language, effect)
        except SandboxError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise WrongValueError("this is no effect; is its field under effects: in game.yaml?") from None

    return printed
