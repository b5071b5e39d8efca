"""The sandbox that rule expressions run in: Jinja2's, with fewer names and counted bounds.

Nothing here measures time. Growth is stopped where it starts (repetition, powers, ranges, joins) and
work is counted in steps, so that the same expression gets the same verdict on every machine.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import GeneratorType
from typing import Any, NoReturn

from jinja2 import Undefined
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.tests import TESTS

from cardgen.checking.absent import Absent
from cardgen.checking.patterns import find_all, matches
from cardgen.effects import print_effect
from cardgen.model.effects import Effects

MAX_ITEMS = 100_000
"""Most items or characters that one operation may make."""

MAX_BITS = 256
"""Most bits of a whole number that `*` or `**` may make."""

MAX_STEPS = 2_000_000
"""Most list items that the expressions of one rule may walk through, all cards together."""

_FILTERS = """
    abs capitalize d default dictsort first groupby items last list lower map max min reject rejectattr
    reverse round select selectattr sort string sum title trim unique upper wordcount
""".split()  # noqa: SIM905 (a list of quoted words is harder to read)

_METHODS: dict[type, frozenset[str]] = {
    str: frozenset(
        """capitalize count endswith find isalpha isdigit islower isupper lower lstrip rstrip split
        startswith strip title upper""".split()  # noqa: SIM905
    ),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
    dict: frozenset({"get", "items", "keys", "values"}),
}


class NoSuchNameError(UndefinedError):
    """A name that nothing in the game has: the expression is wrong, whatever the card."""


class TooMuchError(Exception):
    """An expression went over a counted bound."""


class Function:
    """A function that expressions may call. Nothing else but a few methods can be called."""

    __slots__ = ("call", "name")

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        self.name = name
        self.call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(*args, **kwargs)


class Meter:
    """Counts the steps of one rule's expressions."""

    __slots__ = ("left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def reset(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooMuchError(f"the rule's expressions walk through more than {MAX_STEPS:,} items")

    def walk(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            if self.left < 1:
                self.spend(1)
            self.left -= 1
            yield value


def _size(value: Any) -> int:
    return len(value) if isinstance(value, (str, list, tuple, dict)) else 0


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 0


def _multiply(left: Any, right: Any) -> Any:
    for sequence, times in ((left, right), (right, left)):
        if _size(sequence) and isinstance(times, int) and _size(sequence) * times > MAX_ITEMS:
            raise TooMuchError(f"it repeats a value to more than {MAX_ITEMS:,} items")
    if _bits(left) + _bits(right) > MAX_BITS:
        raise TooMuchError(f"it multiplies to a number of more than {MAX_BITS} bits")
    return left * right


def _power(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int) and _bits(left) * abs(right) > MAX_BITS:
        raise TooMuchError(f"it raises to a number of more than {MAX_BITS} bits")
    return left**right


def _remainder(left: Any, right: Any) -> Any:
    if not isinstance(left, (int, float)):
        raise TypeError("`%` takes the remainder of numbers only")
    return left % right


def _add(left: Any, right: Any) -> Any:
    if _size(left) + _size(right) > MAX_ITEMS:
        raise TooMuchError(f"it joins values to more than {MAX_ITEMS:,} items")
    return left + right


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": _add,
    "-": operator.sub,
    "*": _multiply,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": _remainder,
    "**": _power,
}


def _join(value: Iterable[Any], separator: str = "") -> str:
    words = [str(word) for word in value]
    if sum(map(len, words)) + len(separator) * len(words) > MAX_ITEMS:
        raise TooMuchError(f"it joins text to more than {MAX_ITEMS:,} characters")
    return separator.join(words)


def _length(value: Any) -> int:
    return len(value) if hasattr(value, "__len__") else sum(1 for _ in value)


def _whole(value: Any) -> int:
    return int(value)


def _decimal(value: Any) -> float:
    return float(value)


def nested(value: Any, depth: int = 40) -> list[Mapping[str, Any]]:
    """Every mapping inside a value, however deep, outermost first: for text held as structure."""
    found: list[Mapping[str, Any]] = []
    if depth <= 0:
        raise TooMuchError("it looks into values more than 40 levels deep")
    if isinstance(value, (dict, Mapping)):
        found.append(value)
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            if depth == 1 or not isinstance(item, (str, int, float)):
                found.extend(nested(item, depth - 1))
            if len(found) > MAX_ITEMS:
                raise TooMuchError(f"it collects more than {MAX_ITEMS:,} values")
    return found


def _printed(effects: Effects | None) -> Callable[[Any], str]:
    """The filter `effect_text`: an effect as its card reads, in one line."""

    def printed(effect: Any) -> str:
        if effects is None:
            raise ValueError("the game states no effects: in game.yaml")
        try:
            return " ".join(line.text for line in print_effect(effects.language, effect))
        except (KeyError, TypeError, ValueError):
            raise ValueError("this is no effect; is its field under effects: in game.yaml?") from None

    return printed


def _is_none(value: Any) -> bool:
    return value is None or isinstance(value, Undefined)


class Sandbox(SandboxedEnvironment):
    """Jinja2's sandbox for expressions: no globals, known filters, strict names, counted work.

    `known_key(name)` tells whether any data of the game has that key; a key that none has is a
    misspelling and raises, one that only this value lacks is absent.
    """

    intercepted_binops = frozenset(_OPERATORS)

    def __init__(
        self, meter: Meter, known_key: Callable[[str], bool], effects: Effects | None = None
    ) -> None:
        super().__init__(undefined=Absent, cache_size=0)
        self.meter = meter
        self.known_key = known_key
        self.globals = {}
        ours: dict[str, Callable[..., Any]] = {
            "count": _length,
            "length": _length,
            "join": _join,
            "int": _whole,
            "float": _decimal,
            "nested": nested,
            "find_all": find_all,
            "effect_text": _printed(effects),
        }
        chosen = {name: FILTERS[name] for name in _FILTERS} | ours
        self.filters = {name: self._metered(call) for name, call in sorted(chosen.items())}
        self.tests = {
            **TESTS,
            "none": _is_none,
            "matching": matches,
        }

    def _metered(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The filter, charging its input to the meter."""
        place = 1 if hasattr(call, "jinja_pass_arg") else 0

        @functools.wraps(call)
        def metered(*args: Any, **kwargs: Any) -> Any:
            value = args[place]
            if isinstance(value, (list, tuple, dict)):
                self.meter.spend(len(value) + 1)
            elif isinstance(value, (GeneratorType, Iterator)):
                args = (*args[:place], self.meter.walk(value), *args[place + 1 :])
            else:
                self.meter.spend(1)
            return call(*args, **kwargs)

        return metered

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        return _OPERATORS[operator](left, right)

    def is_safe_callable(self, obj: Any) -> bool:
        if isinstance(obj, Function):
            return True
        owner = getattr(obj, "__self__", None)
        return getattr(obj, "__name__", "") in _METHODS.get(type(owner), frozenset())

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return False  # every attribute goes through getattr and getitem below

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj and not attribute.startswith("_"):
            return obj[attribute]  # what is read most, and most often, is a field of a card
        if isinstance(obj, (Absent, Mapping)) or attribute.startswith("_"):
            return self.getitem(obj, attribute)
        if obj is None:
            return Absent(name=attribute)
        if attribute in _METHODS.get(type(obj), frozenset()):
            return getattr(obj, attribute)
        raise self._missing(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(argument, str) and argument.startswith("_"):
            raise SecurityError(f"the name “{argument}” is out of bounds: names may not begin with _")
        if type(obj) is dict and argument in obj:
            return obj[argument]
        if isinstance(obj, Absent) or obj is None:
            return Absent(name=str(argument))
        if isinstance(obj, Mapping):
            if argument in obj:
                return obj[argument]
            if isinstance(argument, int) and str(argument) in obj:
                return obj[str(argument)]  # the keys of a mapping in YAML are text
            if argument in _METHODS[dict] and isinstance(obj, dict):
                return getattr(obj, argument)
            if isinstance(argument, str) and not self.known_key(argument):
                raise NoSuchNameError(f"nothing in the game's data has a field “{argument}”")
            return Absent(name=str(argument))
        if isinstance(obj, (list, tuple, str)) and isinstance(argument, int):
            return obj[argument] if -len(obj) <= argument < len(obj) else Absent(name=str(argument))
        raise self._missing(obj, argument)

    def _missing(self, obj: Any, name: Any) -> UndefinedError:
        known = not isinstance(name, str) or self.known_key(name)
        return (UndefinedError if known else NoSuchNameError)(f"a {_kind(obj)} has no “{name}”")

    def unsafe_undefined(self, obj: Any, attribute: str) -> NoReturn:
        raise SecurityError(f"the name “{attribute}” is out of bounds")


def _kind(value: Any) -> str:
    names = {str: "text", bool: "yes/no value", int: "number", float: "number", list: "list"}
    return names.get(type(value), "value")
