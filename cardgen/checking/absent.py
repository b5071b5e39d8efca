"""The value of a field that a card does not have."""

from __future__ import annotations

from jinja2 import Undefined


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

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(None)

    def __repr__(self) -> str:
        return "none"  # within a list that is written out
