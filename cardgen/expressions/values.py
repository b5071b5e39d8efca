"""Define the kinds of values in expressions, their operators and their text."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from jinja2 import Undefined
from jinja2.environment import TemplateModule
from jinja2.runtime import BlockReference, LoopContext, Macro, TemplateReference
from jinja2.utils import Namespace
from markupsafe import Markup

from cardgen.core.records import dataclass
from cardgen.expressions.budget import (
    ATOMS,
    MAPPINGS,
    NUMBERS,
    TEXTS,
    Budget,
    BudgetError,
    ForbiddenError,
    Watched,
    WrongValueError,
    kind_of,
    must_be_there,
    shown,
)

KEYS = ATOMS | TEXTS
"""The types that may be keys of a mapping."""


def _ordering(sign: str, compare: Callable[[Any, Any], Any]) -> Callable[[Operators, Any, Any], bool]:
    """Return the operator of a sign."""

    def ordered(self: Operators, left: Any, right: Any, /) -> bool:
        if type(left) not in NUMBERS or type(right) not in NUMBERS:
            self.charge_order(sign, left, right)
        return bool(compare(left, right))

    return ordered


class Operators:
    """The operators, charged to a budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._most = 1 << budget.bounds.bits
        self._least = -self._most

    # With a float, the sum is a float or an error: neither can grow.

    def add(self, left: Any, right: Any, /) -> Any:
        kind = type(left)
        if kind is float:
            return left + right
        if kind is int:
            return self._bounded(left + right)
        if kind in TEXTS and type(right) in TEXTS:
            self._budget.text(len(left) + len(right))
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            self._budget.items(len(left) + len(right))
        elif not (isinstance(left, (Undefined, bool)) or isinstance(right, Undefined)):
            hint = "; `~` joins text" if kind in TEXTS or type(right) in TEXTS else ""
            raise WrongValueError(f"`+` doesn't work with {kind_of(left)} and {kind_of(right)}{hint}")
        return left + right

    def subtract(self, left: Any, right: Any, /) -> Any:
        if type(left) is float or type(right) is float:
            return left - right
        return self._bounded(left - right)

    def _bounded(self, result: Any) -> Any:
        if type(result) is int and not self._least < result < self._most:
            raise BudgetError(f"{self._budget.bounds.subject} produces a number that is too large")
        return result

    def multiply(self, left: Any, right: Any, /) -> Any:
        if type(left) is not float and type(right) is not float:
            if isinstance(left, int) and isinstance(right, int):
                if left.bit_length() + right.bit_length() > self._budget.bounds.bits:
                    subject = self._budget.bounds.subject
                    raise BudgetError(f"{subject} multiplies numbers that are too large")
            else:
                self._repeated(left, right)
                self._repeated(right, left)
        return left * right

    def _repeated(self, value: Any, times: Any) -> None:
        if isinstance(times, int) and times > 0:
            if isinstance(value, str):
                self._budget.text(len(value) * times)
            elif isinstance(value, (list, tuple)):
                self._budget.items(len(value) * times)

    def power(self, left: Any, right: Any, /) -> Any:
        if (
            isinstance(left, int)
            and isinstance(right, int)
            and left.bit_length() * abs(right) > self._budget.bounds.bits
        ):
            raise BudgetError(f"the power {shown(left)}**{shown(right)} is too large")
        result = left**right
        if type(result) is complex:
            raise WrongValueError(f"{shown(left)} can't be raised to the power {shown(right)}")
        return result

    def modulo(self, left: Any, right: Any, /) -> Any:
        if isinstance(left, str):
            raise WrongValueError("text can't be formatted with %, use the format filter")
        return left % right

    # ---- comparing

    def equal(self, left: Any, right: Any, /) -> bool:
        kind, other = type(left), type(right)
        if kind in ATOMS or other in ATOMS or isinstance(left, Undefined) or isinstance(right, Undefined):
            return bool(left == right)
        if kind in TEXTS:
            if other not in TEXTS:
                return False
            if len(left) == len(right) > 100:
                self._budget.text(len(left))
        elif kind in MAPPINGS or isinstance(left, (list, tuple)):
            if other not in MAPPINGS and not isinstance(right, (list, tuple)):
                return False
            self._budget.weigh(left)
            self._budget.weigh(right)
        elif kind is not range:
            return left is right
        return bool(left == right)

    def unequal(self, left: Any, right: Any, /) -> bool:
        return not self.equal(left, right)

    less = _ordering("<", operator.lt)
    at_most = _ordering("<=", operator.le)
    greater = _ordering(">", operator.gt)
    at_least = _ordering(">=", operator.ge)

    def charge_order(self, sign: str, left: Any, right: Any, /) -> None:
        """Charge for comparing the order of two values that aren't both numbers. Raises WrongValueError."""
        kind, other = type(left), type(right)
        if isinstance(left, Undefined) or isinstance(right, Undefined):
            pass  # raises the missing value's own error
        elif kind in TEXTS and other in TEXTS:
            if len(left) > 100:
                self._budget.text(min(len(left), len(right)))
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            self._budget.weigh(left)
            self._budget.weigh(right)
        else:
            raise WrongValueError(f"`{sign}` doesn't work with {kind_of(left)} and {kind_of(right)}")

    def within(self, value: Any, container: Any, /) -> bool:
        """Return the result of `value in container`."""
        kind = type(container)
        if kind in MAPPINGS:
            must_be_there(value)
            return type(value) in KEYS and value in container
        if kind in TEXTS:
            if type(value) not in TEXTS:
                must_be_there(value)
                raise WrongValueError(f"`in` can only find text in text, not {kind_of(value)}")
            self._budget.search(container, value)
        elif isinstance(container, (list, tuple)):
            self._each(container, value)
        elif kind is range:
            self._budget.items(len(container))
            return type(value) in NUMBERS and value in container
        elif not isinstance(container, Undefined):
            raise WrongValueError(f"`in` needs a list, a mapping or text, not {kind_of(container)}")
        return value in container

    def outside(self, value: Any, container: Any, /) -> bool:
        return not self.within(value, container)

    def _each(self, container: list[Any] | tuple[Any, ...], value: Any) -> None:
        """Charge for comparing the value with each member."""
        count = len(container)
        if type(value) in TEXTS:
            self._budget.step(count * (10 + len(value) // 100) // 100)
        elif type(value) in ATOMS or isinstance(value, Undefined):
            self._budget.step(count // 10)
        else:
            self._budget.weigh(value)
            self._budget.weigh(container)

    def placed(self, container: Any, value: Any, /) -> int:
        """Return the first place of a value in a list. Raises WrongValueError."""
        self._each(container, value)
        try:
            return int(container.index(value))
        except ValueError:
            raise WrongValueError(f"{shown(value)} is not in the list") from None

    def tallied(self, container: Any, value: Any, /) -> int:
        """Return how often a value is in a list."""
        self._each(container, value)
        return int(container.count(value))

    # ---- parts

    def sliced(self, value: Any, start: Any, stop: Any, step: Any, /) -> Any:
        kind = type(value)
        if not (kind in TEXTS or kind is range or isinstance(value, (list, tuple))):
            must_be_there(value)
            raise WrongValueError(f"only a list or text can be sliced with [a:b], not {kind_of(value)}")
        for end in (start, stop, step):
            if end is not None and type(end) is not int and type(end) is not bool:
                must_be_there(end)
                raise WrongValueError(f"{shown(end)} is not a whole number")
        if step == 0:
            raise WrongValueError("the step of a slice can't be 0")
        part = slice(start, stop, step)
        count = len(range(*part.indices(len(value))))
        if kind in TEXTS:
            self._budget.text(count)
        elif kind is not range:
            self._budget.items(count)
        return value[part]

    def mapping(self, pairs: tuple[tuple[Any, Any], ...], /) -> dict[Any, Any]:
        """Return a mapping with these keys and values."""
        self._budget.items(len(pairs))
        return {self.key(name): value for name, value in pairs}

    @staticmethod
    def key(name: Any, /) -> Any:
        """Return the name if it can be a key. Raises WrongValueError."""
        if type(name) in KEYS:
            return name
        must_be_there(name)
        raise WrongValueError(f"a key must be text or a number, not {kind_of(name)}")


_FIELD = re.compile(r"%[-+ 0#]*\d{0,2}(?:\.\d{1,2})?([diouxXeEfgGcs])")
"""A field without `*` and without a name, its width too short to fill the memory."""


def number(value: object, decimals: int = 3) -> str:
    """Return a number with at most `decimals` decimals and no trailing zeros. Raises WrongValueError."""
    kind = type(value)
    if kind is int:
        return str(value)
    result = value if kind is float else real(value)
    if type(decimals) is not int or not 0 <= decimals < 10:
        decimals = 9
    text = f"{result:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    elif text[-1] in "nf":
        raise WrongValueError("a number became infinite")
    return "0" if text == "-0" else text


def real(value: object) -> float:
    """Return the value if it is a finite number. Raises WrongValueError."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        must_be_there(value)
        raise WrongValueError(f"{shown(value)} is not a number")
    if type(value) is float and not math.isfinite(value):
        raise WrongValueError("a number became infinite")
    return value


def whole(value: object) -> int:
    """Return the value if it is a whole number. Raises WrongValueError."""
    if type(value) is int:
        return value
    if type(value) is bool:
        return int(value)
    must_be_there(value)
    raise WrongValueError(f"{shown(value)} is not a whole number")


def formatted(budget: Budget, pattern: object, *values: object) -> str:
    """Return the result of `'%02d'|format(7)`: Python's % with plain fields of at most two digits of width,
    for text, numbers and yes or no."""
    if not isinstance(pattern, str):
        raise WrongValueError(f"a pattern such as '%02d' is needed, not {kind_of(pattern)}")
    budget.text(len(pattern))
    bare = pattern.replace("%%", "")
    fields = _FIELD.findall(bare)
    if "%" in _FIELD.sub("", bare):
        raise WrongValueError(f"{shown(pattern)} is not a pattern such as '%02d' or '%04X'")
    if len(fields) != len(values):
        raise WrongValueError(
            f"the pattern {shown(pattern)} has {len(fields)} placeholders for {len(values)} values"
        )
    length = len(pattern) + 100 * len(fields)
    for field, value in zip(fields, values, strict=True):
        if isinstance(value, str):
            if field not in "sc":
                raise WrongValueError(f"{shown(value)} is not a number for %{field}")
            length += len(value)
        elif isinstance(value, Undefined):
            str(value)
            raise WrongValueError("this would print a missing value")
        elif field == "c" and not (type(value) is int and 32 <= value < 0xD800):
            raise WrongValueError(f"{shown(value)} is not a character for %c")
        elif not isinstance(value, (int, float)):
            raise ForbiddenError(f"only data can be printed, not {kind_of(value)}")
    budget.text(length)
    return str(pattern) % values


# ---- methods of text

_SEEKING = frozenset(
    ("count", "endswith", "find", "partition", "removeprefix", "removesuffix", "split", "startswith")
)
_SEEKING_BACKWARDS = frozenset(("lstrip", "rfind", "rpartition", "rsplit", "rstrip", "strip"))
_PLAIN = frozenset(
    (
        *("capitalize", "casefold", "isalpha", "isdigit", "islower", "isnumeric", "isspace", "isupper"),
        *("lower", "splitlines", "swapcase", "title", "upper"),
    )
)

TEXT_METHODS = _SEEKING | _SEEKING_BACKWARDS | _PLAIN
"""Methods of text whose results can't be much longer."""


def text_methods(budget: Budget) -> Mapping[str, Callable[..., Any]]:
    """Return the methods of text by name, each a function of the text and its arguments."""
    return {name: _text_method(budget, name) for name in sorted(TEXT_METHODS)}


def _text_method(budget: Budget, name: str) -> Callable[..., Any]:
    backwards = name in _SEEKING_BACKWARDS
    native = {kind: getattr(kind, name) for kind in (str, Markup)}

    def method(text: Any, *given: Any, **named: Any) -> Any:
        for each in (*given, *named.values()):
            if isinstance(each, tuple):  # `startswith` takes several
                budget.items(len(each))
                for part in each:
                    budget.search(text, part)
            else:
                budget.search(text, each, backwards=backwards)
        budget.text(len(text))
        result = native[type(text)](text, *given, **named)
        if type(result) is list:
            budget.items(len(result))
        elif isinstance(result, str):
            budget.text(len(result))
        return result

    method.__name__ = method.__qualname__ = name
    return method


class Group(NamedTuple):
    """A group from `groupby`."""

    grouper: Any
    list: list[Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: `data` can be printed, compared and passed on; `reads` are the names that give a
    value, `methods` those that give a function; `called` is True if it can be called."""

    name: str
    data: bool = False
    reads: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    called: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Function:
    """A function that authors may only call."""

    name: str
    call: Callable[..., Any]

    def __repr__(self) -> str:
        return f"function {self.name}"


@dataclass(slots=True, repr=False, eq=False)
class Method:
    """A function of a value, such as `card.title.upper`: called with the value first."""

    name: str
    owner: Any
    call: Callable[..., Any]

    def __repr__(self) -> str:
        return f"function {self.name}"


LOOP_NUMBERS = frozenset(
    ("depth", "depth0", "first", "index", "index0", "last", "length", "revindex", "revindex0")
)

_TEXT = Kind("text", data=True, methods=TEXT_METHODS)
_NUMBER = Kind("number", data=True)
_LIST = Kind("list", data=True, methods=frozenset(("count", "index")))
_MAPPING = Kind("mapping", data=True, methods=frozenset(("get", "items", "keys", "values")))
_MISSING = Kind("missing", data=True)

KINDS: Mapping[type, Kind] = {
    str: _TEXT,
    Markup: _TEXT,
    int: _NUMBER,
    float: _NUMBER,
    bool: Kind("yes or no", data=True),
    type(None): Kind("empty", data=True),
    list: _LIST,
    tuple: _LIST,
    Group: Kind("group", data=True, reads=frozenset(("grouper", "list")), methods=_LIST.methods),
    range: Kind("range", data=True),
    dict: _MAPPING,
    Watched: _MAPPING,
    Undefined: _MISSING,
    Function: Kind("function", called=True),
    Method: Kind("method", called=True),
    Macro: Kind("macro", called=True),  # `caller` too
    LoopContext: Kind(
        "loop",
        reads=LOOP_NUMBERS | {"nextitem", "previtem"},
        methods=frozenset(("changed", "cycle")),
        called=True,
    ),
    Namespace: Kind("namespace"),  # reads all names that were set
    TemplateModule: Kind("imported template"),  # reads its exports
    TemplateReference: Kind("self"),  # reads the template's blocks
    BlockReference: Kind("block", reads=frozenset(("super",)), called=True),
}
"""`varargs` is a list and `kwargs` a mapping. Subclasses of Undefined are kinds of a missing value."""

SCALARS = frozenset((str, Markup, int, float, bool))
"""The types that are written out without change."""


class Evaluator(Protocol):
    """The operations of a sandbox for filters, tests and functions."""

    budget: Budget
    filters: Any
    tests: Any

    def members(self, value: Any) -> Sequence[Any]:
        """Return the items that a loop over the value visits."""
        ...

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item of a value."""
        ...

    def text_of(self, value: Any) -> str:
        """Return the text of a value."""
        ...

    def joined(self, parts: Sequence[Any]) -> str:
        """Return the texts of some values, joined."""
        ...

    def add(self, left: Any, right: Any, /) -> Any:
        """Return the sum of two values."""
        ...

    def key(self, name: Any, /) -> Any:
        """Return the value as a key of a mapping."""
        ...

    def undefined(self, hint: str, /) -> Any:
        """Return the substitute for a missing value."""
        ...

    def callable(self, value: Any) -> bool:
        """Return True if a value can be called."""
        ...
