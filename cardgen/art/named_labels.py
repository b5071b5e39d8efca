"""Named objects in a template's text: tags, labels, fields and expressions."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from typing import Literal

from cardgen.core.findings import did_you_mean, nearest
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.records import dataclass, field
from cardgen.svg.outlines import extents, outline_of, transform_of
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import Node, names, number

Kind = Literal["if", "each", "fill", "stroke"]
FIELD, AS = "cg:field", "cg:as"
ATTRIBUTES: dict[Kind, str] = {"if": "cg:if", "each": "cg:each", "fill": "cg:fill", "stroke": "cg:stroke"}
"""Attributes that contain an instruction."""
NAMES = ("inkscape:label", "data-name", "id")
"""Attributes that contain an object's name, in order of priority."""
OWN = frozenset((FIELD, AS, *ATTRIBUTES.values(), "cg:step", "cg:align", "cg:columns"))
"""Attributes that are read here, and removed from the template."""

_KINDS = names("box color icon markdown picture plain shown")
_PLACES = names("left center centre right justify top middle bottom")
_SYNONYMS: dict[str, Kind] = {
    **{kind: kind for kind in ATTRIBUTES},
    "show if": "if",
    "repeat": "each",
}
_INSTRUCTION = re.compile(rf"({'|'.join(_SYNONYMS)})\s*:\s*(\S.*)", re.IGNORECASE | re.DOTALL)
_NEXT_PART = re.compile(rf"\s*;\s*(?=(?:{'|'.join(_SYNONYMS)})\s*:\s*\S)", re.IGNORECASE)
_KIND_FIRST = re.compile(rf"({'|'.join(sorted(_KINDS))})\s*:\s*(\S.*)", re.IGNORECASE)
_BLANKS = re.compile(r"(?<=\W)_+|_+(?=\W)")
_COPY = re.compile(r"_\d{1,4}$")


@dataclass(frozen=True, slots=True)
class FieldLabel:
    """The field that fills an object. `words` set its kind and its place in the box; `explicit` is a name
    that can mean nothing else. `path` is None if nothing has that name."""

    text: str
    path: Path | None
    attribute: Attribute
    words: frozenset[str] = frozenset()
    explicit: bool = False

    @property
    def kind(self) -> str | None:
        """Return the kind to show the field as, if the words set one."""
        return min(self.words & _KINDS, default=None)


@dataclass(frozen=True, slots=True)
class Instruction:
    """The condition of an object, its repetition or paint, as written. `options` place the copies of a
    repetition in a name."""

    kind: Kind
    text: str
    attribute: Attribute
    options: tuple[str, ...] = ()


def field_label(element: Element, fields: Fields, *, item: bool = False) -> FieldLabel | None:
    """Return the field that an element's `cg:field` or name means, if any."""
    kind = frozenset((element.get(AS) or "").lower().split())
    stated = element.attrs.get(FIELD)
    if stated is not None:
        text = stated.value.strip()
        return FieldLabel(text, fields.stated(text, item=item), stated, kind, explicit=True)
    for attribute in element.names():
        name, words = _words(_parts(attribute.value)[0])
        path = fields.named(name, item=item)
        if path is not None:
            return FieldLabel(name, path, attribute, words | kind)
    return None


def instructions(element: Element, ids: Container[str]) -> list[Instruction]:
    """Return an element's instructions, by attribute or by name, its condition first. `ids` are those of
    the drawing, which identify the number of a copy."""
    found: dict[Kind, Instruction] = {}
    for kind, name in ATTRIBUTES.items():
        if (stated := element.attrs.get(name)) is not None:
            found[kind] = Instruction(kind, stated.value.strip(), stated)
    for attribute in element.names():
        in_name = _instructions_in(attribute, ids)
        for each in in_name:
            found.setdefault(each.kind, each)
        if in_name:
            break
    return sorted(found.values(), key=lambda each: each.kind != "if")


def _instructions_in(attribute: Attribute, ids: Container[str]) -> list[Instruction]:
    if ":" not in attribute.raw and "x3A" not in attribute.raw:
        return []
    name = attribute.value
    if attribute.name == "id" and (copy := _COPY.search(name)) and name[: copy.start()] in ids:
        name = name[: copy.start()]
    found = []
    for part in _parts(name):
        match = _INSTRUCTION.fullmatch(part.strip()) or _INSTRUCTION.fullmatch(_with_blanks(part))
        if match is not None:
            kind = _SYNONYMS[match[1].lower()]
            text, *options = match[2].split(";") if kind == "each" else (match[2],)
            stripped = tuple(option.strip() for option in options)
            found.append(Instruction(kind, text.strip(), attribute, stripped))
    return found


def _parts(name: str) -> list[str]:
    """Return the parts of a name: `suit: icon; fill: theme.hues[suit]`."""
    for each in (name, _with_blanks(name)):
        if len(found := _NEXT_PART.split(each)) > 1:
            return found
    return [name]


def _with_blanks(name: str) -> str:
    """Return a name with the blanks that an exporting program replaced."""
    return _BLANKS.sub(" ", unescaped(name))


def _words(name: str) -> tuple[str, frozenset[str]]:
    """Split a name from the words that set how it is shown: `title: center`, `icon: suit`."""
    if ":" not in name and "_x3A_" not in name:
        return name, frozenset()
    for each in spellings(name):
        if (found := _KIND_FIRST.fullmatch(each)) is not None:
            return found[2], frozenset((found[1].lower(),))
        before, colon, after = each.partition(":")
        words = frozenset(after.lower().replace("_", " ").replace("-", " ").split())
        if colon and words and words <= _KINDS | _PLACES:
            return before.strip(" _-"), words
    return name, frozenset()


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
"""Most tags of one template that are read."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute in the source: `start` to `end` is all of it, `raw` the text in its quotes."""

    name: str
    raw: str
    start: int
    end: int

    @property
    def value(self) -> str:
        return html.unescape(self.raw) if "&" in self.raw else self.raw

    @property
    def is_code(self) -> bool:
        """Return True if its value is known only when a card is rendered."""
        return has_code(self.raw)


@dataclass(slots=True, eq=False)
class Element:
    """An element: `start` to `inside` is its tag, `inside` to `outside` its content, and `end` is the end
    of all of it. An empty one (`<x/>`) has no content. One without an end of its own is not `whole`.
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

    def names(self) -> Iterator[Attribute]:
        """Yield the attributes that may contain its name, in order of priority."""
        for name in NAMES:
            found = self.attrs.get(name)
            if found is not None and found.raw and not found.is_code:
                yield found

    def around(self) -> Iterator[Element]:
        """Yield the elements that contain it, the innermost first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent

    def iter(self) -> Iterator[Element]:
        """Yield it and all below it, in order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def node(self) -> Node:
        """Return the element alone, as the rest of cardgen reads elements."""
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
        """Return the text between its tags."""
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
        """Return the place after the next `end`, or the end of the source. A missing `end` is searched only
        once."""
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
        """Read a tag to its end: return that place, and True if the element ends there as well."""
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
        """Return the end of a value, closing quote included; quotes in Jinja do not close it."""
        while (found := _QUOTED[quote].search(self.source, place)) is not None:
            if found[0] == quote:
                return found.end()
            place = self._after(_CODE_ENDS[found[0]], found.end())
        return len(self.source) + 1


def _closed(stack: list[Element], name: str, start: int, end: int) -> list[str]:
    """End the innermost open element of that name, which exists; open elements in it have no end. Return
    the names of all closed ones."""
    names: list[str] = []
    while True:
        element = stack.pop()
        names.append(element.name)
        if element.name == name:
            element.outside, element.end = start, end
            element.whole = len(names) == 1
            return names


def codes(text: str) -> Iterator[str]:
    """Yield the expressions and statements of Jinja in a text, without comments."""
    place = 0
    while (found := _CODE.search(text, place)) is not None:
        place = text.find(_CODE_ENDS[found[0]], found.end())
        if place < 0:
            return
        if found[0] != "{#":
            yield text[found.end() : place]


def has_code(text: str) -> bool:
    """Return True if a text contains Jinja."""
    return "{" in text and _CODE.search(text) is not None


def is_closed(text: str) -> bool:
    """Return True if every Jinja statement that begins in a text ends in it, and no earlier one ends in
    it."""
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


SHAPES = frozenset(("rect", "circle", "ellipse", "path", "polygon", "polyline", "line"))
_HELD = frozenset(("g", "svg", "a", "switch"))
SHAPING = names("x y width height cx cy r rx ry d points x1 y1 x2 y2")
"""Attributes that place a shape."""


class Looks:
    """Styles, transforms and boxes of one drawing's elements. Values with Jinja are unknown."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._styles: dict[Element, Properties] = {}

    @cached_property
    def sheet(self) -> StyleSheet:
        nodes = []
        for element in self._drawing.elements:
            if element.name == "style":
                node = Node("style", {})
                text = self._drawing.content(element)
                node.children.append(text.replace("<![CDATA[", "").replace("]]>", ""))
                nodes.append(node)
        return StyleSheet(nodes)

    def own(self, element: Element) -> Properties:
        """Return the element's own properties."""
        return self.sheet.properties(element.node())

    def style(self, element: Element) -> Properties:
        """Return the properties of an element, including inherited ones."""
        known = self._styles.get(element)
        if known is None:
            above = self.style(element.parent) if element.parent is not None else {}
            known = self._styles[element] = inherit(above, self.own(element))
        return known

    def size(self, element: Element) -> float | None:
        """Return the size of an element's type in its own units."""
        text = self.style(element).get("font-size", "")
        return number(text.removesuffix("px").strip()) if "{" not in text else None

    def is_painted(self, element: Element) -> bool:
        """Return True if a shape has a fill or a stroke."""
        style = self.style(element)
        return style.get("fill", "black") != "none" or style.get("stroke", "none") != "none"

    def matrix(self, element: Element, top: Element | None = None) -> Matrix | None:
        """Return the transform from an element's own units to those in `top`, or outside of the drawing;
        None if it is unknown."""
        matrix = IDENTITY
        current: Element | None = element
        while current is not None and current is not top:
            transform = current.attrs.get("transform")
            if transform is not None and transform.is_code:
                return None
            if current.name == "svg" and current.parent is not None:
                return None
            try:
                matrix = matrix.then(transform_of(current.node().attrs))
            except ValueError:
                return None
            current = current.parent
        return matrix

    def between(self, one: Element, other: Element) -> Matrix | None:
        """Return the transform from the units of one element to those of another; None if it is unknown."""
        there, back = self.matrix(one), self.matrix(other)
        if there is None or back is None:
            return None
        try:
            return there.then(back.inverse())
        except ZeroDivisionError:
            return None

    def box(self, element: Element) -> Rect | None:
        """Return the box around an object in its own units, without its transform; None if it is
        unknown."""
        if element.name in _HELD:
            found: Rect | None = None
            for child in element.children:
                inner = self.box(child)
                matrix = self.matrix(child, element)
                if inner is not None and matrix is not None:
                    inner = matrix.around(inner)
                    found = inner if found is None else Rect.union((found, inner))
            return found
        if any(attribute.is_code for attribute in element.attrs.values() if attribute.name in SHAPING):
            return None
        node = element.node()
        outline = outline_of(node.name, node.attrs)
        box = extents(outline) if outline else None
        return box if box is not None and box.width > 0 and box.height > 0 else None


class Edits:
    """Pieces of a source to insert, remove or replace. A replacement keeps the number of line ends: the
    missing ones are added at its end, or where the caller allows them."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edits: list[tuple[int, int, int, str]] = []

    def __bool__(self) -> bool:
        return bool(self._edits)

    def insert(self, position: int, text: str, *, first: bool = False) -> None:
        """Insert a text at a position, before all others there if it is the `first`."""
        self._edits.append((position, 0 if first else 1, position, text))

    def wrap(self, start: int, end: int, before: str, after: str) -> None:
        """Put texts around a piece, within those around it already."""
        self.insert(start, before)
        self._edits.append((end, -len(self._edits), end, after))

    def replace(self, start: int, end: int, text: str, *, lines_at: str = "") -> None:
        """Replace a piece by `text`. Missing line ends go before its part `lines_at`, by default at its
        end."""
        missing = self._source.count("\n", start, end) - text.count("\n")
        at = text.find(lines_at) if lines_at else len(text)
        self._edits.append((start, 2, end, text[:at] + "\n" * missing + text[at:]))

    def made(self) -> str:
        """Return the edited source. Edits within a piece that is replaced as a whole are dropped."""
        parts: list[str] = []
        place = 0
        for start, _, end, text in sorted(self._edits, key=lambda edit: edit[:2]):
            if start < place:
                continue
            parts += (self._source[place:start], text)
            place = end
        parts.append(self._source[place:])
        return "".join(parts)


ENGINE = names("id copies trim turned face back")
"""Keys of every card. They are too common to mean the field as an object's plain name."""
VARIABLES = names(
    "bleed card component copies game height low_ink number safe side tables theme trim width"
)
"""The other variables of templates."""
ITEM = "item"
"""The name of the current value inside a repeated object."""

Path = tuple[str, ...]

_PATH = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_WORD = re.compile(r"[A-Za-z]\w*")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{2,4})_")
_NUMBERED = re.compile(r"(?:[_-]\d{1,4}_?|_\d{10,}_|\s+copy(?:\s+\d+)?)$")
_NEAR = 0.75
"""The similarity to a field from which a name is reported."""
_LONGEST = 100
"""Most characters of a name that may mean a field."""


class Fields:
    """The fields of the cards that a template is for."""

    def __init__(self, fields: Iterable[str]) -> None:
        self._fields = {field.casefold(): field for field in sorted(fields, reverse=True)}
        self._all = frozenset(self._fields.values())

    def __bool__(self) -> bool:
        return bool(self._all - ENGINE)

    def stated(self, text: str, *, item: bool = False) -> Path | None:
        """Return the path that `cg:field` or an expression names: a field, a part of one such as
        `reward.die`, or a variable. `item` is True if there is one."""
        parts = tuple(text.split(".")) if _PATH.fullmatch(text) else ()
        if not parts:
            return None
        if parts[0] in self._all or (item and parts[0] == ITEM):
            return parts
        return parts if parts[0] in VARIABLES else None

    def named(self, text: str, *, item: bool = False) -> Path | None:
        """Return the field that an object's name means, however the drawing program wrote it: unchanged,
        else in other capitals, with its escapes undone, without the number of a copy."""
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
        """Return the expression that reads a field, null if the card has no value, or else a variable."""
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
        """Return True if it is one of the card's own fields, which may be missing."""
        return path[0] in self._all and path[0] != "copies"

    def near(self, text: str) -> str | None:
        """Return a hint with the field that was probably intended."""
        return did_you_mean(text.partition(".")[0], sorted(self._all | VARIABLES))

    def misses(self, text: str) -> str | None:
        """Return a hint with the field that an object's unknown name is close to."""
        near = nearest(text.partition(":")[0].partition(".")[0].strip(), self._all - ENGINE, _NEAR)
        return None if near is None else f"did you mean '{near}'?"


def spellings(text: str) -> Iterable[str]:
    """Return a name unchanged, and its possible originals in the program that exported it."""
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
    """Return an id of Illustrator's with its `_x20_` undone."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def has_value(value: str) -> str:
    """Return the condition for printing: false for null, an empty text and an empty list, but true for 0
    and false."""
    return f"{value} is not none and {value} != '' and {value} != []"


def filled(value: str) -> str:
    """Return the condition for existence: false for no, null, an empty text and an empty list, but true for
    0."""
    return f"{value} is not false and {has_value(value)}"


MOST = 1_000
"""Characters of an expression."""

_STRING = r"""'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\""""
_NAME_PATH = r"[^\W\d]\w*(?:-\w+)*(?:\s*\.\s*[^\W\d]\w*)*"
_OPERAND = rf"(?:{_NAME_PATH}|\d[\d_]*(?:\.\d+)?)"
_ORDER = re.compile(
    rf"(?P<string>{_STRING})|(?P<before>^|\(|\b(?:and|or|not|if|else)\b)\s*"
    rf"(?P<comparison>(?P<one>{_OPERAND})\s*[<>]=?\s*(?P<other>{_OPERAND}))"
    r"(?=\s*(?:$|\)|\b(?:and|or|if|else)\b))",
    re.DOTALL,
)
"""`cost > 3` by itself, without arithmetic around it."""
_USE = re.compile(
    rf"(?:{_STRING}|[|.]\s*[^\W\d]\w*|\d[\w.]*|\bis\s+(?:not\s+)?[^\W\d]\w*)"
    rf"|(?P<name>{_NAME_PATH})(?P<after>\s+is\s+(?:not\s+)?(?:un)?defined\b|\s*\|\s*d(?:efault)?\b"
    r"|\s*\(|\s*=(?!=))?",
    re.DOTALL,
)
"""A name and the text after it. Strings, attributes, filters, numbers and tests have none."""
_KEYWORDS = names("and or not in is if else true false none True False None")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression of a template, the paths that it reads, and its unknown names."""

    source: str
    reads: tuple[Path, ...]
    unknown: tuple[str, ...]


def expression(text: str, fields: Fields, *, item: bool = False) -> Expression:
    """Read an expression with bare field names. `item` is True within a repeated object. Raises
    ValueError."""
    if len(text) > MOST:
        raise ValueError(f"it is longer than {MOST:,} characters")
    if not text or "%}" in text or "}}" in text or "{%" in text or "{{" in text:
        raise ValueError("it is written without {{ }} and {% %}" if text else "it is empty")
    reads: list[Path] = []
    unknown: list[str] = []

    def value(name: str) -> str:
        path = fields.stated(name, item=item)
        if path is None and "-" in name:  # a difference
            return f"({' - '.join(map(value, name.split('-')))})"
        if path is None:
            unknown.append(name)
            return name
        reads.append(path)
        return fields.value(path)

    def used(found: re.Match[str]) -> str:
        if found["name"] is None:
            return found[0]
        name, after = re.sub(r"\s", "", found["name"]), found["after"] or ""
        sign = after.lstrip()[:1]
        is_function = sign == "(" and "." not in name
        if name in _KEYWORDS or sign == "=" or is_function:  # or an argument's name
            return found[0]
        if sign == "(":
            name, _, method = name.rpartition(".")
            return f"{value(name)}.{method}{after}"
        path = fields.stated(name, item=item)
        if sign == "|" and path is not None:
            reads.append(path)
            return ".".join(("card", *path) if fields.is_field(path) else path) + after
        if sign == "i" and path is not None:
            is_there = after.split()[1:] in (["defined"], ["not", "undefined"])
            return f"{value(name)} is {'not ' if is_there else ''}none"
        return value(name) + after

    source = _USE.sub(used, _ORDER.sub(_guarded, text))
    return Expression(source, tuple(reads), tuple(dict.fromkeys(unknown)))


def _guarded(found: re.Match[str]) -> str:
    """Return a comparison that is false for a missing field."""
    if found["string"] is not None:
        return found[0]
    guards = [f"{name} is not none" for name in (found["one"], found["other"]) if not name[0].isdigit()]
    return f"{found['before']} ({' and '.join((*guards, found['comparison']))})".lstrip()
