"""From a place in a rendered side back to the template's line.

Compiling a template adds two kinds of marks to its output. Every `<text>` of its literal text always gets
an attribute `cg:at="night-market/card.svg:12"`: most findings are about text. Marks on every line, and
before every printed value, go only into a second environment, which renders the side again if there is
something to report; removing them restores the first rendering exactly. No value has marks, so that `trim`,
`length` or `==` give the same results: the output of macros and blocks is kept with its marks in `Marks`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from html import escape

AT = "cg:at"

_TEXT_TAG = re.compile(r"<text(?=[\s>/])")
# Two private-use characters; a template that contains them only gets a worse line number.
_OPEN, _CLOSE = "\ue0a0", "\ue0a1"
_MARK = re.compile(f"{_OPEN}(\\d{{1,9}}){_CLOSE}", re.ASCII)

MOST_KEPT = 20_000_000
"""Most characters, including marks, kept from the output of one side's macros and blocks. Output beyond
that gets the line where it is printed."""


def mark_texts(data: str, name: str, line: int) -> str:
    """Return the literal text with its `<text` tags marked; `line` is the line it begins on."""
    if "<text" not in data:
        return data
    name = escape(name)
    parts: list[str] = []
    end = 0
    for match in _TEXT_TAG.finditer(data):
        line += data.count("\n", end, match.start())
        parts.append(f'{data[end : match.start()]}<text {AT}="{name}:{line}"')
        end = match.end()
    return "".join((*parts, data[end:]))


def parse_at(value: str | None) -> tuple[str, int] | None:
    """Return the template and line in a `cg:at` attribute."""
    if not value or ":" not in value:
        return None
    name, _, line = value.rpartition(":")
    return (name, int(line)) if len(line) < 10 and line.isascii() and line.isdigit() else None


class Marks:
    """The marks of one environment: numbers of templates' lines."""

    def __init__(self) -> None:
        self._places: list[tuple[str, int]] = []
        self._numbers: dict[tuple[str, int], int] = {}
        self._marked: dict[str, str] = {}
        self._kept = 0

    def begin(self) -> None:
        """Forget the output of a side's macros and blocks."""
        self._marked.clear()
        self._kept = 0

    def mark(self, name: str, line: int) -> str:
        """Return the mark for a line of a template."""
        place = (name, line)
        number = self._numbers.setdefault(place, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        return f"{_OPEN}{number}{_CLOSE}"

    def every_line(self, data: str, name: str, line: int) -> str:
        """Return the literal text with its `<text` tags and the start of every line marked."""
        pieces = mark_texts(data, name, line).split("\n")
        return "\n".join(self.mark(name, line + index) + piece for index, piece in enumerate(pieces))

    def taken(self, marked: str) -> str:
        """Return a text without its marks, which `given` restores, also after stripping."""
        text = _MARK.sub("", marked)
        if text == marked or text.isspace() or self._kept + len(marked) > MOST_KEPT:
            return text
        self._kept += len(marked)
        self._marked[text] = marked
        trimmed = text.strip()
        if trimmed != text:
            self._marked[trimmed] = _trimmed(marked)
        return text

    def given(self, text: str) -> str:
        """Return a text with its removed marks."""
        return self._marked.get(text, text)

    def places(self, marked: str, only: str | None = None) -> LineMap:
        """Return the place of each character of a marked rendering; with `only`, for one file alone."""
        starts: list[int] = []
        places: list[tuple[str, int]] = []
        removed = 0
        for match in _MARK.finditer(marked):
            place = self._places[int(match[1])] if int(match[1]) < len(self._places) else None
            if place is not None and only in (None, place[0]):
                starts.append(match.start() - removed)
                places.append(place)
            removed += len(match[0])
        return LineMap(starts, places)


def _trimmed(marked: str) -> str:
    """Return a marked text without the space around it; the last mark in the space before it is kept."""
    pieces = _MARK.split(marked)  # texts, and between any two the number of a mark
    filled = [place for place in range(0, len(pieces), 2) if pieces[place].strip()]
    first, last = filled[0], filled[-1]
    pieces[first] = pieces[first].lstrip()
    pieces[last] = pieces[last].rstrip()
    pieces[1::2] = [f"{_OPEN}{number}{_CLOSE}" for number in pieces[1::2]]
    return "".join(pieces[max(0, first - 1) : last + 1])


class LineMap:
    """Template and line of each character of a rendering, by the offsets at which they begin."""

    def __init__(self, starts: Sequence[int], places: Sequence[tuple[str, int]]) -> None:
        self._starts, self._places = starts, places

    def place(self, offset: int) -> tuple[str, int] | None:
        """Return the template and line of the character at `offset` of the unmarked rendering."""
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._places[index] if index >= 0 else None
