"""What `+`, `*`, `==`, `<`, `in` and their like do with values: nothing that grows or goes on uncounted.

`/` and `//` stay Python's own: of the values that there are, they only go with numbers, and give none that
is larger.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from jinja2 import Undefined

from cardgen.sandbox.budget import ATOMS, NUMBERS, TEXTS, Budget
from cardgen.sandbox.problems import BudgetError, WrongValueError, kind_of, must_be_there, shown
from cardgen.sandbox.watched import MAPPINGS

KEYS = ATOMS | TEXTS
"""What may be the key of a mapping."""


def _ordering(sign: str, compare: Callable[[Any, Any], Any]) -> Callable[[Operators, Any, Any], bool]:
    """The operator of that sign."""

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

    # A float in a sum means that a float comes out, or an error: nothing that can grow.

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
            raise WrongValueError(f"`+` does not go with {kind_of(left)} and {kind_of(right)}{hint}")
        return left + right

    def subtract(self, left: Any, right: Any, /) -> Any:
        if type(left) is float or type(right) is float:
            return left - right
        return self._bounded(left - right)

    def _bounded(self, result: Any) -> Any:
        if type(result) is int and not self._least < result < self._most:
            raise BudgetError(f"{self._budget.bounds.subject} comes to a number that is too large")
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
            raise WrongValueError(f"{shown(left)} has no power {shown(right)}")
        return result

    def modulo(self, left: Any, right: Any, /) -> Any:
        if isinstance(left, str):
            raise WrongValueError("text can't be formatted with %; use the filter format")
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
        """Charge for putting two values in order that are not both numbers. Raises WrongValueError."""
        kind, other = type(left), type(right)
        if isinstance(left, Undefined) or isinstance(right, Undefined):
            pass  # says what is missing
        elif kind in TEXTS and other in TEXTS:
            if len(left) > 100:
                self._budget.text(min(len(left), len(right)))
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            self._budget.weigh(left)
            self._budget.weigh(right)
        else:
            raise WrongValueError(f"`{sign}` does not go with {kind_of(left)} and {kind_of(right)}")

    def within(self, value: Any, container: Any, /) -> bool:
        """`value in container`."""
        kind = type(container)
        if kind in MAPPINGS:
            must_be_there(value)
            return type(value) in KEYS and value in container
        if kind in TEXTS:
            if type(value) not in TEXTS:
                must_be_there(value)
                raise WrongValueError(f"only text can be in text, not {kind_of(value)}")
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
        """The first place of a value in a list. Raises WrongValueError."""
        self._each(container, value)
        try:
            return int(container.index(value))
        except ValueError:
            raise WrongValueError(f"{shown(value)} is not in the list") from None

    def tallied(self, container: Any, value: Any, /) -> int:
        """How often a value is in a list."""
        self._each(container, value)
        return int(container.count(value))

    # ---- parts

    def sliced(self, value: Any, start: Any, stop: Any, step: Any, /) -> Any:
        kind = type(value)
        if not (kind in TEXTS or kind is range or isinstance(value, (list, tuple))):
            must_be_there(value)
            raise WrongValueError(f"only a list or text has a part from [a:b], not {kind_of(value)}")
        for end in (start, stop, step):
            if end is not None and type(end) is not int and type(end) is not bool:
                must_be_there(end)
                raise WrongValueError(f"{shown(end)} is not a whole number")
        if step == 0:
            raise WrongValueError("a part can't be taken in steps of 0")
        part = slice(start, stop, step)
        count = len(range(*part.indices(len(value))))
        if kind in TEXTS:
            self._budget.text(count)
        elif kind is not range:
            self._budget.items(count)
        return value[part]

    def mapping(self, pairs: tuple[tuple[Any, Any], ...], /) -> dict[Any, Any]:
        """A mapping of these keys and values."""
        self._budget.items(len(pairs))
        return {self.key(name): value for name, value in pairs}

    @staticmethod
    def key(name: Any, /) -> Any:
        """The name, if it may be a key. Raises WrongValueError."""
        if type(name) in KEYS:
            return name
        must_be_there(name)
        raise WrongValueError(f"a key is text or a number, not {kind_of(name)}")
