"""A mapping that says what is read of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

Note = Callable[[Any], None]
"""Called with a key that was asked for, or with WHOLE."""


class _Whole:
    """The type of WHOLE."""

    def __repr__(self) -> str:
        return "WHOLE"


WHOLE = _Whole()
"""Noted in place of a key where more was read than what stands at single keys."""


class Watched(dict[Any, Any]):
    """A mapping that notes each key whose value, or absence, is asked for, and WHOLE for whatever goes
    through it, counts it, compares it, copies it or writes it out.

    Authors tell it from other mappings in nothing. What it holds is not to be changed, and what its values
    hold is not watched.
    """

    __slots__ = ("_note",)

    def __init__(self, content: Iterable[tuple[Any, Any]] | dict[Any, Any], note: Note) -> None:
        super().__init__(content)
        self._note = note

    def but(self, **changed: Any) -> Watched:
        """The same with other values at some keys, watched as this is. Nothing is noted."""
        made = Watched((), self._note)
        dict.update(made, dict.items(self))
        dict.update(made, changed)
        return made

    def names(self) -> list[Any]:
        """The keys, without a note: for those who account for the keys that there are otherwise."""
        return list(dict.keys(self))

    # -- single keys

    def __getitem__(self, key: Any) -> Any:
        self._note(key)
        return dict.__getitem__(self, key)

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return dict.__contains__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._note(key)
        return dict.get(self, key, default)

    # -- all of it

    def __iter__(self) -> Iterator[Any]:
        self._note(WHOLE)
        return dict.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
        self._note(WHOLE)
        return dict.__reversed__(self)

    def __len__(self) -> int:
        self._note(WHOLE)
        return dict.__len__(self)

    def __eq__(self, other: object) -> bool:
        self._note(WHOLE)
        if isinstance(other, Watched):
            other._note(WHOLE)
        return dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        self._note(WHOLE)
        return dict.__repr__(self)

    def __or__(self, other: Any) -> Any:
        return self.copy() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.copy()

    def keys(self) -> Any:
        self._note(WHOLE)
        return dict.keys(self)

    def values(self) -> Any:
        self._note(WHOLE)
        return dict.values(self)

    def items(self) -> Any:
        self._note(WHOLE)
        return dict.items(self)

    def copy(self) -> dict[Any, Any]:
        self._note(WHOLE)
        return dict(dict.items(self))

    # -- what would change it

    def _unchanged(self, *given: Any, **named: Any) -> NoReturn:
        raise TypeError("a watched mapping is not to be changed")

    __setitem__ = __delitem__ = __ior__ = _unchanged
    setdefault = update = pop = popitem = clear = _unchanged


MAPPINGS = frozenset((dict, Watched))
"""The types of mappings that authors may hold."""
