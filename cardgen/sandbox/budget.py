"""Counted bounds, so that what runs away is a finding with the same verdict on every machine.

Nothing here measures time. Whatever can go on for long or grow is charged in steps before it is done, in
proportion to the work; a step is worth about five microseconds at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from cardgen.sandbox.problems import BudgetError, ForbiddenError, kind_of
from cardgen.sandbox.watched import MAPPINGS

MAX_DEPTH = 100
"""Deepest nesting of lists and mappings that a comparison or a conversion to text goes into. Data files
nest 64 deep at most."""

_CHARACTERS_PER_STEP = 100
_ITEMS_PER_STEP = 10
_SOUGHT_PER_STEP = 5_000
"""Comparisons of single characters that a search for text within text may take, at worst."""

NUMBERS = frozenset((int, float, bool))
ATOMS = NUMBERS | {type(None)}
TEXTS = frozenset((str, Markup))
LISTS = frozenset((list, tuple))
"""The types of values by what can be done with them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that one use of a sandbox may take. `subject` and `whole` say whose and what for, in the
    sentence "SUBJECT takes more than 250,000 steps WHOLE"."""

    steps: int
    characters: int
    """Of any text that is put together."""
    items: int
    """Of any list that is made."""
    bits: int
    """Of any whole number that `*` and `**` make."""
    subject: str
    whole: str


class Budget:
    """What is left of the steps. `reset` before each use."""

    __slots__ = ("_given", "bounds", "left")

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.reset()

    def reset(self, most: int | None = None) -> None:
        """Begin anew with all steps, or with `most` if that is fewer."""
        self._given = self.bounds.steps if most is None else max(0, min(most, self.bounds.steps))
        self.left = self._given

    @property
    def taken(self) -> int:
        """The steps taken since."""
        return self._given - self.left

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            bounds = self.bounds
            raise BudgetError(f"{bounds.subject} takes more than {bounds.steps:,} steps {bounds.whole}")

    def text(self, length: int) -> None:
        """Charge for going through, or making, a text of `length` characters."""
        if length > self.bounds.characters:
            most = self.bounds.characters
            raise BudgetError(f"{self.bounds.subject} makes a text of more than {most:,} characters")
        if length >= _CHARACTERS_PER_STEP:
            self.step(length // _CHARACTERS_PER_STEP)

    def items(self, count: int) -> None:
        """Charge for going through, or making, a list of `count` items."""
        if count > self.bounds.items:
            most = self.bounds.items
            raise BudgetError(f"{self.bounds.subject} makes a list of more than {most:,} items")
        if count >= _ITEMS_PER_STEP:
            self.step(count // _ITEMS_PER_STEP)

    def search(self, text: str, part: object, *, backwards: bool = False) -> None:
        """Charge for seeking `part` in `text`. Python seeks forwards in linear time, but for short parts;
        backwards it may compare each character of one with each of the other."""
        length = len(text)
        if length >= _CHARACTERS_PER_STEP:
            self.text(length)
            sought = len(part) if isinstance(part, str) else 1
            self.step(length * (sought if backwards else min(sought, 100)) // _SOUGHT_PER_STEP)

    def counted(self, items: Iterable[Any], cost: int) -> Iterator[Any]:
        """The same items, charging for each when it is asked for."""
        for item in items:
            self.left -= cost
            if self.left < 0:
                self.step(0)
            yield item

    def weigh(self, value: Any) -> None:
        """Charge for going through a value with all that is in it, as often as it is in it: what
        comparing it, hashing it or writing it out takes. Lists may hold the same list many times.

        Raises ForbiddenError for what is not data, anywhere in it.
        """
        if type(value) in LISTS and len(value) < _ITEMS_PER_STEP and ATOMS.issuperset(map(type, value)):
            self.step()  # a point
            return
        todo: list[tuple[Any, int]] = [((value,), 0)]
        while todo:
            container, depth = todo.pop()
            if depth > MAX_DEPTH:
                raise BudgetError(f"{self.bounds.subject} nests values more than {MAX_DEPTH} deep")
            self.step(1 + len(container) // 4)
            for member in (
                chain(container, container.values()) if type(container) in MAPPINGS else container
            ):
                kind = type(member)
                if kind in TEXTS:
                    if len(member) >= _CHARACTERS_PER_STEP:
                        self.step(len(member) // _CHARACTERS_PER_STEP)
                elif kind in ATOMS:
                    pass
                elif kind in MAPPINGS or isinstance(member, (list, tuple)):
                    todo.append((member, depth + 1))
                elif kind is range:
                    self.step(len(member) // _ITEMS_PER_STEP)
                elif not isinstance(member, Undefined):
                    raise ForbiddenError(f"only data can be compared or written out, not {kind_of(member)}")

    def concat(self, parts: Iterable[str]) -> str:
        """Join what a macro or a block printed."""
        pieces: Sequence[str] = parts if isinstance(parts, list) else list(parts)
        self.text(sum(map(len, pieces)))
        return "".join(pieces)
