"""The fields that objects may be named after, and how an expression reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.findings import did_you_mean, nearest
from cardgen.svg.names import names

ENGINE = names("id copies trim turned face back")
"""Keys of every card. As an object's plain name they are too common to mean the field."""
VARIABLES = names(
    "bleed card component copies game height low_ink number safe side tables theme trim width"
)
"""What templates see besides."""
ITEM = "item"
"""What the objects in one that is repeated call the value it is repeated for."""

Path = tuple[str, ...]

_PATH = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_WORD = re.compile(r"[A-Za-z]\w*")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{2,4})_")
_NUMBERED = re.compile(r"(?:[_-]\d{1,4}_?|_\d{10,}_|\s+copy(?:\s+\d+)?)$")
_NEAR = 0.75
"""How like a field a name is that is said to be none."""
_LONGEST = 100
"""Characters of a name that may mean a field."""


class Fields:
    """The fields of the cards that a template is for."""

    def __init__(self, fields: Iterable[str]) -> None:
        self._fields = {field.casefold(): field for field in sorted(fields, reverse=True)}
        self._all = frozenset(self._fields.values())

    def __bool__(self) -> bool:
        return bool(self._all - ENGINE)

    def stated(self, text: str, *, item: bool = False) -> Path | None:
        """What `cg:field` or an expression names: a field, a part of one such as `reward.die`, or a
        variable. `item` is whether there is one."""
        parts = tuple(text.split(".")) if _PATH.fullmatch(text) else ()
        if not parts:
            return None
        if parts[0] in self._all or (item and parts[0] == ITEM):
            return parts
        return parts if parts[0] in VARIABLES else None

    def named(self, text: str, *, item: bool = False) -> Path | None:
        """The field that an object's name means, however the drawing program wrote it: as it stands, else
        in other capitals, with its escapes undone, without the number of a copy."""
        if len(text) > _LONGEST:
            return None
        return next(
            (path for each in spellings(text) if (path := self._path(each, item)) is not None), None
        )

    def _path(self, text: str, item: bool) -> Path | None:
        if not _PATH.fullmatch(text):
            return None
        first, *others = text.split(".")
        if item and first == ITEM:
            return (ITEM, *others)
        field = first if first in self._all else self._fields.get(first.casefold())
        return None if field is None or field in ENGINE else (field, *others)

    def value(self, path: Path) -> str:
        """The expression that reads a field, null where the card says nothing, or else a variable."""
        first, others = path[0], path[1:]
        if first == "card" and others:
            first, others = others[0], others[1:]
            value = f"card.get('{first}')"
        elif first == ITEM:
            value = first
        elif self.is_field(path):
            value = f"card.get('{first}')"
        else:
            return first + "".join(
                f".{part}" if _WORD.fullmatch(part) else f"['{part}']" for part in others
            )
        for part in others:
            value = f"({value} or {{}}).get('{part}')"
        return value

    def is_field(self, path: Path) -> bool:
        """Whether it is one of the card's own, which may be missing."""
        return path[0] in self._all and path[0] != "copies"

    def near(self, text: str) -> str | None:
        """A hint with the field that was probably meant."""
        return did_you_mean(text.partition(".")[0], sorted(self._all | VARIABLES))

    def misses(self, text: str) -> str | None:
        """A hint with the field that an object's name is nearly, being none."""
        near = nearest(text.partition(":")[0].partition(".")[0].strip(), self._all - ENGINE, _NEAR)
        return None if near is None else f"did you mean '{near}'?"


def spellings(text: str) -> Iterable[str]:
    """A name as it stands, and what it may have been in the program that exported it."""
    text = text.strip()
    seen = dict.fromkeys((text, unescaped(text)))
    for each in tuple(seen):
        seen[_NUMBERED.sub("", each).rstrip()] = None
    for each in tuple(seen):
        seen[each.replace(" ", "_")] = None
        seen[each.replace("-", "_").replace(" ", "_")] = None
        seen[each.replace(" ", "-").replace("_", "-")] = None
    return seen


def unescaped(text: str) -> str:
    """An id of Illustrator's with its `_x20_` undone."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def has_value(value: str) -> str:
    """Return the condition that there is something to print: 0 and false are, null, an empty text and an
    empty list are not."""
    return f"{value} is not none and {value} != '' and {value} != []"


def filled(value: str) -> str:
    """The condition that there is something: 0 is, while no, null, an empty text and list are not."""
    return f"{value} is not false and {has_value(value)}"
