"""Functions that every sandbox may offer. They stand in for Python's types and builtins, which no author
ever sees: each takes data, checks it and gives data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jinja2.utils import Namespace

from cardgen.sandbox.budget import NUMBERS, TEXTS
from cardgen.sandbox.filters import Filters, unordered
from cardgen.sandbox.kinds import Function
from cardgen.sandbox.problems import ForbiddenError, WrongValueError, shown
from cardgen.sandbox.scalar_filters import MAX_DECIMALS, MAX_NUMERAL
from cardgen.sandbox.texts import whole
from cardgen.sandbox.watched import MAPPINGS

if TYPE_CHECKING:
    from cardgen.sandbox.sandbox import Sandbox

CONSTANTS: Mapping[str, float] = {"pi": math.pi, "tau": math.tau}

MATHS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(math.atan2, math.ceil, math.cos, math.degrees, math.exp, math.floor, math.hypot, math.log),
        *(math.radians, math.sin, math.sqrt, math.tan),
    )
}
"""Python's own, which take numbers and nothing else."""

_NOTHING = object()


class Functions:
    """The general functions of a sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._budget = sandbox.budget
        self._filters = Filters(sandbox)

    def chosen(self, names: Iterable[str]) -> dict[str, Any]:
        """Those of these names, ready to be offered."""
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
            raise WrongValueError("range takes one to three whole numbers")
        numbers = list(map(whole, ends))
        if len(numbers) == 3 and numbers[2] == 0:
            raise WrongValueError("a range can't go in steps of 0")
        made = range(*numbers)
        try:
            self._budget.items(len(made))
        except OverflowError:
            self._budget.items(self._budget.bounds.items + 1)
        return made

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
        made = self._mapping(given)
        made.update(named)
        self._budget.items(len(made))
        return made

    def namespace_(self, given: Any = (), /, **named: Any) -> Namespace:
        """Something whose parts can be set: `{% set ns.x = 1 %}`."""
        made = self.dict_(given, **named)
        for name in made:
            if type(name) not in TEXTS or name.startswith("_"):
                raise ForbiddenError(f"{shown(name)} is no name for a part of a namespace")
        return Namespace(made)

    def _mapping(self, given: Any) -> dict[Any, Any]:
        if type(given) in MAPPINGS:
            self._budget.items(len(given))
            return dict(given)
        pairs = self._filters.walked(given)
        if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
            raise WrongValueError("dict takes a mapping, or a list of pairs")
        return {self._sandbox.key(name): value for name, value in pairs}


GENERAL = frozenset(
    (
        *(*CONSTANTS, *MATHS, "abs", "dict", "enumerate", "float", "int", "len", "max", "min", "namespace"),
        *("range", "round", "sorted", "str", "sum", "zip"),
    )
)
"""All names that a sandbox may choose from."""
