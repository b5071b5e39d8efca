"""Provide filters, tests and functions for templates and rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined
from jinja2.filters import FILTERS as STOCK
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from cardgen.expressions.budget import (
    MAPPINGS,
    NUMBERS,
    TEXTS,
    ForbiddenError,
    WrongValueError,
    kind_of,
    must_be_there,
    shown,
)
from cardgen.expressions.values import KEYS, Function, Group, Operators, formatted, real, whole

if TYPE_CHECKING:
    from cardgen.expressions.values import Evaluator


MAX_NUMERAL = 1_000
"""Longest text that is read as a number."""

MAX_DECIMALS = 30
"""Most decimals, before or after the point, that a number is rounded to."""

_WORDS_PER_STEP = 10
"""Characters of text that are split into words in a step's time."""


class ScalarFilters:
    """Filters of numbers and text. Each takes the value before the bar first."""

    def __init__(self, sandbox: Evaluator) -> None:
        self._sandbox = sandbox
        self._budget = sandbox.budget
        self._text = sandbox.text_of

    # ---- numbers

    def abs_(self, value: Any) -> Any:
        return abs(self.number(value))

    def int_(self, value: Any, default: Any = 0, base: Any = 10) -> Any:
        try:
            if isinstance(value, str):
                return int(self._numeral(value), whole(base))
            return int(self.number(value))
        except (TypeError, ValueError, OverflowError):
            try:
                return int(float(self._numeral(value)))
            except (TypeError, ValueError, OverflowError):
                return default

    def float_(self, value: Any, default: Any = 0.0) -> Any:
        try:
            return float(self._numeral(value))
        except (TypeError, ValueError, OverflowError):
            return default

    def _numeral(self, value: Any) -> Any:
        """Return a value that is used as a number: text of some digits, or a number."""
        if isinstance(value, str):
            if len(value) > MAX_NUMERAL:
                raise WrongValueError(f"a number has more than {MAX_NUMERAL:,} digits")
            return str(value)
        return self.number(value)

    @staticmethod
    def number(value: Any) -> Any:
        """Return the value, if it is a number. Raises WrongValueError."""
        must_be_there(value)
        if type(value) not in NUMBERS:
            raise WrongValueError(f"{shown(value)} is not a number")
        return value

    def round_(self, value: Any, precision: Any = 0, method: Any = "common") -> Any:
        decimals = whole(precision)
        if abs(decimals) > MAX_DECIMALS:
            raise WrongValueError(f"round gives at most {MAX_DECIMALS} decimals")
        self.number(value)
        if method == "common":
            return round(real(value), decimals)
        if method not in ("ceil", "floor"):
            raise WrongValueError("round accepts 'common', 'ceil' or 'floor'")
        towards = math.ceil if method == "ceil" else math.floor
        return towards(value * 10**decimals) / 10**decimals

    # ---- text

    def capitalize(self, value: Any) -> str:
        return self._charged_text(value).capitalize()

    def lower(self, value: Any) -> str:
        return self._charged_text(value).lower()

    def upper(self, value: Any) -> str:
        return self._charged_text(value).upper()

    def title(self, value: Any) -> str:
        text = self._charged_text(value)
        self._budget.step(2 + len(text) // _WORDS_PER_STEP)
        return str(STOCK["title"](text))

    def trim(self, value: Any, chars: Any = None) -> str:
        text = self._charged_text(value)
        if chars is not None and type(chars) not in TEXTS:
            raise WrongValueError(f"trim needs characters, not {kind_of(chars)}")
        self._budget.search(text, chars, backwards=True)
        return text.strip(chars)

    def truncate(
        self, value: Any, length: Any = 255, killwords: Any = False, end: Any = "...", leeway: Any = None
    ) -> str:
        text, tail = self._charged_text(value), self._text(end)
        most, room = whole(length), 5 if leeway is None else whole(leeway)
        if most < len(tail) or room < 0:
            raise WrongValueError(
                f"text can't be cut to {shown(most)} characters that end in {shown(tail)}"
            )
        if len(text) <= most + room:
            return text
        kept = text[: most - len(tail)]
        return (kept if killwords else kept.rsplit(" ", 1)[0]) + tail

    def wordcount(self, value: Any) -> int:
        text = self._charged_text(value)
        self._budget.step(1 + len(text) // _WORDS_PER_STEP)
        return int(STOCK["wordcount"](text))

    def replace(self, value: Any, old: Any, new: Any) -> str:
        text, old, new = (str(self._text(each)) for each in (value, old, new))
        self._budget.search(text, old)
        self._budget.text(len(text) + max(0, text.count(old) * (len(new) - len(old))))
        return text.replace(old, new)

    def string(self, value: Any) -> str:
        return self._charged_text(value)

    def escape(self, value: Any) -> Markup:
        return escape(self._charged_text(value))

    def forceescape(self, value: Any) -> Markup:
        return escape(str(self._charged_text(value)))

    def safe(self, value: Any) -> Markup:
        return Markup(self._charged_text(value))

    def format_(self, pattern: Any, *values: Any) -> str:
        return formatted(self._budget, pattern, *values)

    def _charged_text(self, value: Any) -> str:
        text = self._text(value)
        self._budget.text(len(text))
        return text


Getter = Callable[[Any], Any]


def folded(value: Any) -> Any:
    """Return text in lower case; other values unchanged."""
    return value.lower() if isinstance(value, str) else value


def unordered(keys: Iterable[Any]) -> WrongValueError:
    """Return the error for values that Python can't sort."""
    names = " and ".join(sorted({kind_of(key) for key in keys}))
    return WrongValueError(f"{names} can't be put in order")


class Filters(ScalarFilters):
    """All filters of a sandbox. Each takes the value before the bar first."""

    # ---- help

    def walked(self, value: Any) -> Sequence[Any]:
        """Return the members of a list, the keys of a mapping, or the characters of a text, each
        charged."""
        members = self._sandbox.members(value)
        self._budget.step(1 + len(members))
        return members

    def getter(self, attribute: Any, default: Any = None, fold: bool = False) -> Getter:
        """Return a function that reads an attribute such as `part.deep.0`, with the sandbox's checks."""
        getitem = self._sandbox.getitem
        if attribute is None:
            return folded if fold else lambda item: item
        if type(attribute) in TEXTS:
            if len(attribute) > 200:
                raise WrongValueError("the attribute name is longer than 200 characters")
            path = [int(part) if part.isdecimal() else part for part in str(attribute).split(".")]
        elif type(attribute) is int:
            path = [attribute]
        else:
            must_be_there(attribute)
            raise WrongValueError(f"an attribute name must be text, not {kind_of(attribute)}")

        def get(item: Any) -> Any:
            for part in path:
                item = getitem(item, part)
                if default is not None and isinstance(item, Undefined):
                    item = default
            return folded(item) if fold else item

        return get

    def ordered(self, keys: Sequence[Any], reverse: bool = False) -> list[int]:
        """Return the places of the keys in ascending order; equal ones keep their order."""
        count = len(keys)
        kinds = set(map(type, keys))
        if not kinds <= NUMBERS and not kinds <= TEXTS:
            for key in keys:
                if not isinstance(key, Undefined):
                    self._budget.weigh(key)
        elif kinds <= TEXTS:
            self._budget.step(sum(map(len, keys)) // 100)
        self._budget.step(count * max(1, count.bit_length()) // 10)
        try:
            return sorted(range(count), key=keys.__getitem__, reverse=bool(reverse))
        except TypeError:
            raise unordered(keys) from None

    def hashable(self, value: Any) -> Any:
        if type(value) in KEYS:
            return value
        if isinstance(value, (tuple, Undefined)):
            self._budget.weigh(value)
            return value
        raise WrongValueError(f"only text and numbers can be compared here, not {kind_of(value)}")

    # ---- lists

    def sum_(self, value: Any, attribute: Any = None, start: Any = 0) -> Any:
        members = self.walked(value)
        if attribute is not None:
            members = list(map(self.getter(attribute), members))
        return self.total(members, start)

    def total(self, members: Sequence[Any], start: Any = 0) -> Any:
        """Return the sum of numbers, or of lists."""
        if type(start) in NUMBERS and NUMBERS.issuperset(map(type, members)):
            return sum(members, start)
        add, total = self._sandbox.add, start
        for member in members:
            total = add(total, member)
        return total

    def join(self, value: Any, d: Any = "", attribute: Any = None) -> str:
        get = self.getter(attribute)
        parts: list[Any] = []
        for item in self.walked(value):
            if parts:
                parts.append(d)
            parts.append(get(item))
        self._budget.items(len(parts))
        return self._sandbox.joined(parts)

    def batch(self, value: Any, linecount: Any, fill_with: Any = None) -> list[list[Any]]:
        items, count = list(self.walked(value)), whole(linecount)
        if count < 1:
            raise WrongValueError("a batch needs at least one item")
        rows = [items[start : start + count] for start in range(0, len(items), count)]
        if rows and fill_with is not None:
            self._budget.items(count)
            rows[-1] += [fill_with] * (count - len(rows[-1]))
        return rows

    def length(self, value: Any) -> int:
        if type(value) in MAPPINGS or isinstance(value, (list, tuple, str, range, Undefined)):
            return len(value)
        raise WrongValueError(f"{kind_of(value)} has no length")

    @staticmethod
    def default(value: Any, default_value: Any = "", boolean: Any = False) -> Any:
        if isinstance(value, Undefined) or (boolean and not value):
            return default_value
        return value

    def dictsort(
        self, value: Any, case_sensitive: Any = False, by: Any = "key", reverse: Any = False
    ) -> list[Any]:
        if by not in ("key", "value"):
            raise WrongValueError("dictsort accepts 'key' or 'value'")
        pairs = self.items(value)
        keys = [pair[by == "value"] for pair in pairs]
        order = self.ordered(keys if case_sensitive else list(map(folded, keys)), reverse)
        return [pairs[place] for place in order]

    def first(self, value: Any) -> Any:
        members = self._sandbox.members(value)
        return next(iter(members)) if len(members) else self._missing_item("first")

    def last(self, value: Any) -> Any:
        members = self._sandbox.members(value)
        return next(reversed(members)) if len(members) else self._missing_item("last")

    def _missing_item(self, which: str) -> Any:
        return self._sandbox.undefined(f"there is no {which} item: the list is empty")

    def groupby(
        self, value: Any, attribute: Any, default: Any = None, case_sensitive: Any = False
    ) -> list[Group]:
        items = self.walked(value)
        get = self.getter(attribute, default)
        keys = list(map(get, items))
        marks = keys if case_sensitive else list(map(folded, keys))
        order = self.ordered(marks)
        groups = []
        for mark, places in groupby(order, marks.__getitem__):
            found = list(places)
            groups.append(Group(mark if case_sensitive else keys[found[0]], [items[i] for i in found]))
        return groups

    def items(self, value: Any) -> list[tuple[Any, Any]]:
        if isinstance(value, Undefined):
            return []
        if type(value) not in MAPPINGS:
            raise WrongValueError(f"a mapping is needed here, not {kind_of(value)}")
        self._budget.items(len(value))
        return list(value.items())

    def list_(self, value: Any) -> list[Any]:
        members = self._sandbox.members(value)
        self._budget.items(len(members))
        return list(members)

    def max_(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Any:
        return self._extreme(max, value, case_sensitive, attribute)

    def min_(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Any:
        return self._extreme(min, value, case_sensitive, attribute)

    def _extreme(self, best: Any, value: Any, case_sensitive: Any, attribute: Any) -> Any:
        items = self.walked(value)
        if not len(items):
            return self._missing_item("greatest or least")
        get = self.getter(attribute, fold=not case_sensitive)
        keys = list(map(get, items))
        self.comparable(keys)
        try:
            return items[best(range(len(keys)), key=keys.__getitem__)]
        except TypeError:
            raise unordered(keys) from None

    def comparable(self, keys: Sequence[Any]) -> None:
        """Charge for comparing each value with the next."""
        for key in keys:
            kind = type(key)
            if kind in TEXTS:
                if len(key) >= 100:
                    self._budget.text(len(key))
            elif kind not in NUMBERS and not isinstance(key, Undefined):
                self._budget.weigh(key)

    def reverse(self, value: Any) -> Any:
        if type(value) in TEXTS:
            self._budget.text(len(value))
            return value[::-1]
        return list(reversed(self.list_(value)))

    def sort(
        self, value: Any, reverse: Any = False, case_sensitive: Any = False, attribute: Any = None
    ) -> list[Any]:
        items = self.walked(value)
        names = attribute.split(",") if isinstance(attribute, str) else [attribute]
        getters = [self.getter(name, fold=not case_sensitive) for name in names]
        keys: list[Any]
        if len(getters) == 1:
            keys = list(map(getters[0], items))
        else:
            keys = [[get(item) for get in getters] for item in items]
        return [items[place] for place in self.ordered(keys, reverse)]

    def unique(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> list[Any]:
        get = self.getter(attribute, fold=not case_sensitive)
        seen: set[Any] = set()
        kept = []
        for item in self.walked(value):
            key = self.hashable(get(item))
            if key not in seen:
                seen.add(key)
                kept.append(item)
        return kept

    # ---- filters and tests by name

    def map_(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        if not given and "attribute" in named:
            get = self.getter(named.pop("attribute"), named.pop("default", None))
            if named:
                raise WrongValueError("map accepts an attribute and a default, or a filter")
            return [get(item) for item in self.walked(value)]
        if not given:
            raise WrongValueError("map needs the name of a filter, or attribute=")
        use, rest = self._named(self._sandbox.filters, given[0], "filter"), given[1:]
        return [use(item, *rest, **named) for item in self.walked(value)]

    def select(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        holds = self._predicate(given, named)
        return [item for item in self.walked(value) if holds(item)]

    def reject(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        holds = self._predicate(given, named)
        return [item for item in self.walked(value) if not holds(item)]

    def selectattr(self, value: Any, attribute: Any, *given: Any, **named: Any) -> list[Any]:
        get, holds = self.getter(attribute), self._predicate(given, named)
        return [item for item in self.walked(value) if holds(get(item))]

    def rejectattr(self, value: Any, attribute: Any, *given: Any, **named: Any) -> list[Any]:
        get, holds = self.getter(attribute), self._predicate(given, named)
        return [item for item in self.walked(value) if not holds(get(item))]

    def _predicate(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> Callable[[Any], bool]:
        if not given:
            return bool
        test, rest = self._named(self._sandbox.tests, given[0], "test"), given[1:]
        return lambda item: bool(test(item, *rest, **named))

    @staticmethod
    def _named(table: Mapping[str, Any], name: Any, what: str) -> Callable[..., Any]:
        found: Callable[..., Any] | None = table.get(name) if type(name) in TEXTS else None
        if found is None:
            raise ForbiddenError(f"there is no {what} named {shown(name)}")
        return found


_SHADOWING = frozenset(("abs", "float", "format", "int", "list", "map", "max", "min", "round", "sum"))

NAMES: Mapping[str, str] = {
    "d": "default",
    "count": "length",
    "e": "escape",
    **{
        name: f"{name}_" if name in _SHADOWING else name
        for name in """
        abs batch capitalize default dictsort escape first float forceescape format groupby int items join
        last length list lower map max min reject rejectattr replace reverse round safe select selectattr
        sort string sum title trim truncate unique upper wordcount
        """.split()  # noqa: SIM905 (a list of quoted words is harder to read)
    },
}
"""All filters: their names in templates, and their methods in `Filters`."""


def chosen(sandbox: Evaluator, names: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """Return the filters with these names."""
    filters = Filters(sandbox)
    return {name: getattr(filters, NAMES[name]) for name in sorted(names)}


_LISTED = (list, tuple, range, str, dict)


def tests(sandbox: Evaluator, operators: Operators) -> dict[str, Callable[..., bool]]:
    """Return the tests by name."""
    modulo = operators.modulo

    def text(value: Any) -> str:
        written = sandbox.text_of(value)
        sandbox.budget.text(len(written))
        return written

    table: dict[str, Callable[..., bool]] = {
        "odd": lambda value: bool(modulo(value, 2) == 1),
        "even": lambda value: bool(modulo(value, 2) == 0),
        "divisibleby": lambda value, num: bool(modulo(value, num) == 0),
        "defined": lambda value: not isinstance(value, Undefined),
        "undefined": lambda value: isinstance(value, Undefined),
        "filter": lambda value: isinstance(value, str) and value in sandbox.filters,
        "test": lambda value: isinstance(value, str) and value in sandbox.tests,
        "none": lambda value: value is None,
        "boolean": lambda value: value is True or value is False,
        "false": lambda value: value is False,
        "true": lambda value: value is True,
        "integer": lambda value: type(value) is int,
        "float": lambda value: type(value) is float,
        "lower": lambda value: text(value).islower(),
        "upper": lambda value: text(value).isupper(),
        "string": lambda value: isinstance(value, str),
        "mapping": lambda value: type(value) in MAPPINGS,
        "number": lambda value: isinstance(value, (int, float)),
        "sequence": lambda value: isinstance(value, _LISTED),
        "iterable": lambda value: isinstance(value, (*_LISTED, Undefined)),
        "callable": sandbox.callable,
        "sameas": lambda value, other: value is other,
        "escaped": lambda value: isinstance(value, Markup),
        "in": operators.within,
    }
    signs: tuple[tuple[Callable[[Any, Any], bool], str], ...] = (
        (operators.equal, "== eq equalto"),
        (operators.unequal, "!= ne"),
        (operators.greater, "> gt greaterthan"),
        (operators.at_least, ">= ge"),
        (operators.less, "< lt lessthan"),
        (operators.at_most, "<= le"),
    )
    return table | {name: compare for compare, names in signs for name in names.split()}


CONSTANTS: Mapping[str, float] = {"pi": math.pi, "tau": math.tau}

MATHS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(math.atan2, math.ceil, math.cos, math.degrees, math.exp, math.floor, math.hypot, math.log),
        *(math.radians, math.sin, math.sqrt, math.tan),
    )
}
"""Functions of Python that take only numbers."""

_NOTHING = object()


class Functions:
    """The general functions of a sandbox."""

    def __init__(self, sandbox: Evaluator) -> None:
        self._sandbox = sandbox
        self._budget = sandbox.budget
        self._filters = Filters(sandbox)

    def chosen(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the functions with these names, ready for templates."""
        return {name: self._one(name) for name in sorted(names)}

    def _one(self, name: str) -> Any:
        if name in CONSTANTS:
            return CONSTANTS[name]
        return Function(name, MATHS[name] if name in MATHS else getattr(self, f"{name}_"))

    # ---- numbers

    def abs_(self, x: Any, /) -> Any:
        return self._filters.abs_(x)

    def int_(self, x: Any = 0, base: Any = 10, /) -> int:
        try:
            return int(self._numeral(x), whole(base)) if type(x) in TEXTS else int(self._numeral(x))
        except ValueError:
            raise WrongValueError(f"{shown(x)} is not a whole number") from None

    def float_(self, x: Any = 0.0, /) -> float:
        try:
            return float(self._numeral(x))
        except ValueError:
            raise WrongValueError(f"{shown(x)} is not a number") from None

    def _numeral(self, x: Any) -> Any:
        if type(x) in TEXTS and len(x) <= MAX_NUMERAL:
            return str(x)
        return self._filters.number(x)

    def round_(self, x: Any, n: Any = None, /) -> Any:
        self._filters.number(x)
        if n is None:
            return round(x)
        if abs(whole(n)) > MAX_DECIMALS:
            raise WrongValueError(f"round gives at most {MAX_DECIMALS} decimals")
        return round(x, n)

    def max_(self, *values: Any, default: Any = _NOTHING) -> Any:
        return self._extreme(max, values, default)

    def min_(self, *values: Any, default: Any = _NOTHING) -> Any:
        return self._extreme(min, values, default)

    def _extreme(self, best: Callable[..., Any], values: Sequence[Any], default: Any) -> Any:
        if len(values) == 1:
            values = self._filters.walked(values[0])
        if not values:
            if default is _NOTHING:
                raise WrongValueError(f"{best.__name__} needs a value")
            return default
        if not NUMBERS.issuperset(map(type, values)):
            self._filters.comparable(values)
        try:
            return best(values)
        except TypeError:
            raise unordered(values) from None

    def sum_(self, values: Any, /, start: Any = 0) -> Any:
        return self._filters.total(self._filters.walked(values), start)

    # ---- text

    def str_(self, value: Any = "", /) -> str:
        return str(self._filters.string(value))

    # ---- lists and mappings

    def len_(self, value: Any, /) -> int:
        return self._filters.length(value)

    def range_(self, *ends: Any) -> range:
        if not 1 <= len(ends) <= 3:
            raise WrongValueError("range accepts one to three whole numbers")
        numbers = list(map(whole, ends))
        if len(numbers) == 3 and numbers[2] == 0:
            raise WrongValueError("the step of a range can't be 0")
        result = range(*numbers)
        try:
            self._budget.items(len(result))
        except OverflowError:
            self._budget.items(self._budget.bounds.items + 1)
        return result

    def enumerate_(self, values: Any, start: Any = 0) -> list[tuple[int, Any]]:
        members = self._sandbox.members(values)
        self._budget.items(len(members))
        return list(enumerate(members, whole(start)))

    def zip_(self, *lists: Any) -> list[tuple[Any, ...]]:
        members = list(map(self._sandbox.members, lists))
        if members:
            self._budget.items(len(members) * min(map(len, members)))
        return list(zip(*members))

    def sorted_(self, values: Any, /, *, reverse: Any = False) -> list[Any]:
        members = self._filters.walked(values)
        return [members[place] for place in self._filters.ordered(members, reverse)]

    def dict_(self, given: Any = (), /, **named: Any) -> dict[Any, Any]:
        result = self._mapping(given)
        result.update(named)
        self._budget.items(len(result))
        return result

    def namespace_(self, given: Any = (), /, **named: Any) -> Namespace:
        """Return a value whose parts can be set: `{% set ns.x = 1 %}`."""
        result = self.dict_(given, **named)
        for name in result:
            if type(name) not in TEXTS or name.startswith("_"):
                raise ForbiddenError(f"{shown(name)} is not a valid name in a namespace")
        return Namespace(result)

    def _mapping(self, given: Any) -> dict[Any, Any]:
        if type(given) in MAPPINGS:
            self._budget.items(len(given))
            return dict(given)
        pairs = self._filters.walked(given)
        if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
            raise WrongValueError("dict accepts a mapping, or a list of pairs")
        return {self._sandbox.key(name): value for name, value in pairs}


GENERAL = frozenset(
    (
        *(*CONSTANTS, *MATHS, "abs", "dict", "enumerate", "float", "int", "len", "max", "min", "namespace"),
        *("range", "round", "sorted", "str", "sum", "zip"),
    )
)
"""All names that a sandbox can choose from."""
