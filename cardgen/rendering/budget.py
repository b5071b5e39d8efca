"""Counted bounds on templates, so that a runaway one is a finding with the same verdict anywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

MAX_STEPS = 250_000
"""Loop rounds, calls and printed values of one side. A 60 kB side takes about 5,000."""

MAX_OUTPUT = 2_000_000
"""Characters of SVG of one side; also of any text a template puts together."""

MAX_ITEMS = 100_000
"""Items of a range or a list that a template makes."""

MAX_POWER_BITS = 4096
"""Bits of a whole number that a template may reach by `**` or `*`."""

_CHARACTERS_PER_STEP = 100
_TEMPLATE_COST = 50


class BudgetError(Exception):
    """A template went past a bound. The text is one sentence for the designer."""


class Budget:
    """What is left for the side being rendered. `reset` before each."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def reset(self) -> None:
        self.left = MAX_STEPS

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise BudgetError(f"the template takes more than {MAX_STEPS:,} steps for one side of a card")

    def template(self) -> None:
        """Charge for one include or import."""
        self.step(_TEMPLATE_COST)

    def text(self, length: int) -> None:
        """Charge for a text of `length` characters about to be made."""
        if length > MAX_OUTPUT:
            raise BudgetError(f"the template makes a text of more than {MAX_OUTPUT:,} characters")
        self.step(length // _CHARACTERS_PER_STEP)

    def items(self, count: int) -> None:
        """Charge for a list of `count` items about to be made."""
        if count > MAX_ITEMS:
            raise BudgetError(f"the template makes a list of more than {MAX_ITEMS:,} items")
        self.step(count // 10)

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The same items, one step each."""
        for item in items:
            self.left -= 1
            if self.left < 0:
                self.step()
            yield item

    def range(self, *arguments: int) -> range:
        result = range(*arguments)
        try:
            self.items(len(result))
        except OverflowError:
            self.items(MAX_ITEMS + 1)
        return result

    def concat(self, parts: Iterable[str]) -> str:
        """Join what a macro or a block printed."""
        pieces = list(parts)
        self.text(sum(map(len, pieces)))
        return "".join(pieces)

    # Operators. A float in them means a float comes out, or an error: nothing that can grow.

    def add(self, left: Any, right: Any) -> Any:
        kind = type(left)
        if kind is not float and kind is not int:
            if isinstance(left, str) and isinstance(right, str):
                self.text(len(left) + len(right))
            elif isinstance(left, Collection) and isinstance(right, Collection):
                self.items(len(left) + len(right))
        return left + right

    def multiply(self, left: Any, right: Any) -> Any:
        if type(left) is not float and type(right) is not float:
            if isinstance(left, int) and isinstance(right, int):
                if left.bit_length() + right.bit_length() > MAX_POWER_BITS:
                    raise BudgetError("the template multiplies numbers that are too large")
            else:
                self._repeat(left, right)
                self._repeat(right, left)
        return left * right

    def power(self, left: Any, right: Any) -> Any:
        if (
            isinstance(left, int)
            and isinstance(right, int)
            and left.bit_length() * abs(right) > MAX_POWER_BITS
        ):
            raise BudgetError(f"the power {left}**{right} is too large")
        return left**right

    def modulo(self, left: Any, right: Any) -> Any:
        if isinstance(left, str):
            raise BudgetError("text can't be formatted with %; use the filter format")
        return left % right

    def _repeat(self, value: Any, times: Any) -> None:
        if isinstance(times, int) and times > 0:
            if isinstance(value, str):
                self.text(len(value) * times)
            elif isinstance(value, (list, tuple)):
                self.items(len(value) * times)
