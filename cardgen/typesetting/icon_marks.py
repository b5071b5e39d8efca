r"""Icons written in a text: `:name:`.

A pair of colons around the name of an icon is that icon wherever it stands: `2:coin:`, `**1:coin::**`.
Around a name that is nearly one's, or around any name where letters keep off the pair, it is meant as one
that does not exist. Anything else is text: `12:30:45`, `Round one:draw:`, `a::b::c`. `\:` is a colon.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from cardgen.findings import nearest

_COLON = re.compile(r"\\:|:(?:([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*):)?")
_LEAST = 4
"""Letters of a name that one wrong letter may stand in; of shorter ones, too many words are near."""
_LONGEST = 60


class Mark(NamedTuple):
    """An icon that a text asks for, whether it exists or not."""

    name: str


class IconNames:
    """The names of icons that texts may show."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def near(self, name: str) -> str | None:
        """The name that was probably meant."""
        return nearest(name, self._names)

    def is_slip(self, name: str) -> bool:
        """Whether a name is one of these in other capitals, or with one letter wrong, missing, too many
        or in its neighbour's place. Takes time for the name alone, however many icons there are."""
        if len(name) > _LONGEST:
            return False
        folded = name.casefold()
        return folded in self._folded or (
            len(folded) >= _LEAST and not self._shortened.isdisjoint(_shortened(folded))
        )

    @cached_property
    def _folded(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in self._names)

    @cached_property
    def _shortened(self) -> frozenset[str]:
        long = (name for name in self._folded if _LEAST <= len(name) <= _LONGEST)
        return frozenset(each for name in long for each in _shortened(name))


def _shortened(name: str) -> set[str]:
    """A name, and it without each of its letters."""
    return {name, *(name[:index] + name[index + 1 :] for index in range(len(name)))}


def marks(text: str, icons: IconNames) -> Iterator[str | Mark]:
    """The text cut into what is printed as it stands and icons; no part of it is empty."""
    parts: list[str] = []
    at = beside = 0
    while (found := _COLON.search(text, at)) is not None:
        start, end, name = found.start(), found.end(), found[1]
        parts.append(text[at:start])
        if name is not None and (
            name in icons or _is_meant(text, start, end, beside) or icons.is_slip(name)
        ):
            if before := "".join(parts):
                yield before
            parts.clear()
            yield Mark(name)
            at = beside = end
            continue
        parts.append(":")
        # The second colon of a pair that is none may be the first of another.
        at = start + 1 if text[start] == ":" else end
        if name is not None:
            parts.append(name)
            at += len(name)
    parts.append(text[at:])
    if rest := "".join(parts):
        yield rest


def _is_meant(text: str, start: int, end: int, beside: int) -> bool:
    """Whether an unknown name between colons stands free: beside nothing, or beside another icon, which
    ends at `beside`."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before.isalpha() or after.isalpha() or not text[start:end].islower():
        return False
    following = _COLON.match(text, end)
    return (before != ":" or start == beside) and (after != ":" or bool(following and following[1]))
