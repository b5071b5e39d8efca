"""The tags of a template as they stand in its file, with Jinja anywhere between and within them.

No XML parser reads a template before it is rendered. This one asks for little: what it can't pair (a tag
that an `{% if %}` opens twice, say) has no end, and is left as it stands.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cardgen.svg.tree import Node

_NEXT = re.compile(r"\{[%{#]|<")
_NAME = re.compile(r"[A-Za-z_][\w:.-]*+")
_CODE = re.compile(r"\{[%{#]")
_END = re.compile(r"</\s*+([\w:.-]++)[^<>]*+>")
_INSIDE = re.compile(
    r"""\{[%{#]|/?>|(?P<name>[A-Za-z_:][\w:.-]{0,100}+)\s{0,100}+=\s{0,100}+(?P<quote>["'])"""
)
_QUOTED = {'"': re.compile(r'\{[%{#]|"'), "'": re.compile(r"\{[%{#]|'")}
_CODE_ENDS = {"{%": "%}", "{{": "}}", "{#": "#}"}
_UNREAD = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}
_STATEMENT = re.compile(r"-?\s{0,99}(end|el)?(if|else|for|macro|call|filter|with|block)\b")
_MOST = 50_000
"""Tags of one template that are looked at."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute as it stands: `start` to `end` is all of it, `raw` what its quotes hold."""

    name: str
    raw: str
    start: int
    end: int

    @property
    def value(self) -> str:
        return html.unescape(self.raw) if "&" in self.raw else self.raw

    @property
    def is_code(self) -> bool:
        """Whether what it says is known only when a card is rendered."""
        return has_code(self.raw)


@dataclass(slots=True, eq=False)
class Element:
    """An element: `start` to `inside` is its tag, `inside` to `outside` what it holds, and `end` is where
    all of it ends. An empty one (`<x/>`) holds nothing. One without an end of its own is not `whole`.
    `repeated` is an attribute that it has already, in a tag without statements to choose one of the two."""

    name: str
    start: int
    parent: Element | None
    attrs: dict[str, Attribute] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    inside: int = 0
    outside: int = 0
    end: int = 0
    whole: bool = False
    repeated: Attribute | None = None

    @property
    def is_empty(self) -> bool:
        return self.inside == self.end

    def get(self, name: str) -> str | None:
        found = self.attrs.get(name)
        return None if found is None else found.value

    def around(self) -> Iterator[Element]:
        """The elements that it stands in, the innermost first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent

    def iter(self) -> Iterator[Element]:
        """It and all below it, in order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def node(self) -> Node:
        """The element alone, as the rest of cardgen reads elements."""
        return Node(self.name, {name: attr.value for name, attr in self.attrs.items()}, self.start)


class Drawing:
    """A template's source and its elements, in order."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.elements: list[Element] = []
        self.ids: dict[str, Element] = {}
        self._gone: set[str] = set()
        self._read()

    def line(self, position: int) -> int:
        return self.source.count("\n", 0, position) + 1

    def column(self, position: int) -> int:
        return position - self.source.rfind("\n", 0, position)

    def content(self, element: Element) -> str:
        """What stands between its tags."""
        return self.source[element.inside : element.outside]

    def _read(self) -> None:
        source, place = self.source, 0
        stack: list[Element] = []
        opened: Counter[str] = Counter()
        while (found := _NEXT.search(source, place)) is not None:
            place = start = found.start()
            if found[0] in _CODE_ENDS:
                place = self._after(_CODE_ENDS[found[0]], start + 2)
            elif (name := _NAME.match(source, start + 1)) is not None:
                if len(self.elements) >= _MOST:
                    return
                element = Element(name[0], start, stack[-1] if stack else None)
                place, closed = self._tag(element, name.end())
                self._add(element)
                if not closed:
                    stack.append(element)
                    opened[element.name] += 1
            elif (end := _END.match(source, start)) is not None:
                place = end.end()
                if opened[end[1]]:
                    opened.subtract(_closed(stack, end[1], start, place))
            else:
                opener = next((each for each in _UNREAD if source.startswith(each, start)), None)
                place = start + 1 if opener is None else self._after(_UNREAD[opener], start + len(opener))

    def _after(self, end: str, place: int) -> int:
        """Where the next `end` is over; the end of the source without one. Each is sought through a source
        once that has no more of them."""
        if end in self._gone:
            return len(self.source)
        found = self.source.find(end, place)
        if found < 0:
            self._gone.add(end)
            return len(self.source)
        return found + len(end)

    def _add(self, element: Element) -> None:
        self.elements.append(element)
        if element.parent is not None:
            element.parent.children.append(element)
        if (id := element.get("id")) is not None:
            self.ids.setdefault(id, element)

    def _tag(self, element: Element, place: int) -> tuple[int, bool]:
        """Read a tag to its end: where that is, and whether the element ends there as well."""
        source, is_plain = self.source, True
        while (found := _INSIDE.search(source, place)) is not None:
            place = found.end()
            if (name := found["name"]) is not None:
                end = self._quoted(found["quote"], place)
                new = Attribute(name, source[place : end - 1], found.start(), end)
                if element.attrs.setdefault(name, new) is not new and is_plain:
                    element.repeated = element.repeated or new
                place = end
            elif found[0] in _CODE_ENDS:
                is_plain = False
                place = self._after(_CODE_ENDS[found[0]], place)
            else:
                element.inside = element.outside = element.end = place
                element.whole = closed = found[0] == "/>"
                return place, closed
        return len(source), True

    def _quoted(self, quote: str, place: int) -> int:
        """Where a value is over, its closing quote and all; quotes in Jinja do not close it."""
        while (found := _QUOTED[quote].search(self.source, place)) is not None:
            if found[0] == quote:
                return found.end()
            place = self._after(_CODE_ENDS[found[0]], found.end())
        return len(self.source) + 1


def _closed(stack: list[Element], name: str, start: int, end: int) -> list[str]:
    """End the innermost open element of that name, which there is; those in it that are still open have
    no end. Answers with the names of all that are open no longer."""
    names: list[str] = []
    while True:
        element = stack.pop()
        names.append(element.name)
        if element.name == name:
            element.outside, element.end = start, end
            element.whole = len(names) == 1
            return names


def codes(text: str) -> Iterator[str]:
    """The expressions and statements of Jinja in a text, comments left out."""
    place = 0
    while (found := _CODE.search(text, place)) is not None:
        place = text.find(_CODE_ENDS[found[0]], found.end())
        if place < 0:
            return
        if found[0] != "{#":
            yield text[found.end() : place]


def has_code(text: str) -> bool:
    """Whether Jinja stands in a text."""
    return "{" in text and _CODE.search(text) is not None


def is_closed(text: str) -> bool:
    """Whether every statement of Jinja that begins in a text ends in it, and none that began before."""
    if "{%" not in text:
        return True
    depth = 0
    for code in codes(text):
        found = _STATEMENT.match(code)
        if found is not None:
            within = found[1] == "el" or found[2] == "else"
            depth += 0 if within else -1 if found[1] else 1
            if depth < within:
                return False
    return depth == 0
