"""From a place in a rendered side back to the template's line.

Two kinds of marks go into a template's literal text when it is compiled. Every `<text` gets an
attribute `cg:at="night-market/card.svg:12"`, always: text is what most findings are about. Marks on every
line go only into a second environment, which renders the side again when there is something to
report; taking them out gives the first rendering back, character by character.
"""

from __future__ import annotations

import bisect
import re

AT = "cg:at"

_TEXT_TAG = re.compile(r"<text(?=[\s>/])")
# Two private-use characters; a template that holds them only gets a worse line number.
_OPEN, _CLOSE = "\ue0a0", "\ue0a1"
_MARK = re.compile(f"{_OPEN}([^{_CLOSE}]*):(\\d+){_CLOSE}")


def mark_texts(data: str, name: str, line: int) -> str:
    """The literal text with its `<text` tags marked; `line` is the line it begins on."""
    if "<text" not in data:
        return data
    parts: list[str] = []
    end = 0
    for match in _TEXT_TAG.finditer(data):
        line += data.count("\n", end, match.start())
        parts.append(f'{data[end : match.start()]}<text {AT}="{name}:{line}"')
        end = match.end()
    return "".join((*parts, data[end:]))


def mark_every_line(data: str, name: str, line: int) -> str:
    """The literal text with its `<text` tags and the start of every line marked."""
    pieces = mark_texts(data, name, line).split("\n")
    return "\n".join(f"{_OPEN}{name}:{line + index}{_CLOSE}{piece}" for index, piece in enumerate(pieces))


def parse_at(value: str | None) -> tuple[str, int] | None:
    """Template and line in a `cg:at` attribute."""
    if not value or ":" not in value:
        return None
    name, _, line = value.rpartition(":")
    return (name, int(line)) if len(line) < 10 and line.isascii() and line.isdigit() else None


class LineMap:
    """Template and line of each character of a rendering, from the same rendering with marks."""

    def __init__(self, marked: str) -> None:
        self._starts: list[int] = []
        self._places: list[tuple[str, int]] = []
        removed = 0
        for match in _MARK.finditer(marked):
            self._starts.append(match.start() - removed)
            self._places.append((match[1], int(match[2])))
            removed += len(match[0])

    def place(self, offset: int) -> tuple[str, int] | None:
        """Template and line of the character at `offset` of the unmarked rendering."""
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._places[index] if index >= 0 else None
