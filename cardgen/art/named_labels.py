"""Named objects in a template's text: tags, labels, fields and expressions."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cardgen.core.findings import did_you_mean, nearest
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.svg.outlines import extents, outline_of, transform_of
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import Node, names, number

FIELD, IF, EACH, AS = "cg:field", "cg:if", "cg:each", "cg:as"
PAINTS = {"fill": "cg:fill", "stroke": "cg:stroke"}
NAMES = ("inkscape:label", "data-name", "id")
"""Attributes that hold an object's name, the one that counts first."""
OPTIONS = frozenset((AS, "cg:step", "cg:align", "cg:columns"))
OWN = OPTIONS | {FIELD, IF, EACH, *PAINTS.values()}
"""Attributes that are read here, and gone once the template is."""

_KINDS = names("box color icon markdown picture plain shown")
_PLACES = names("left center centre right justify top middle bottom")
_SAYS = re.compile(r"(if|each|show if|repeat|fill|stroke)\s*:\s*(\S.*)", re.IGNORECASE | re.DOTALL)
_NEXT_PART = re.compile(r"\s*;\s*(?=(?:if|each|show if|repeat|fill|stroke)\s*:\s*\S)", re.IGNORECASE)
_KIND_FIRST = re.compile(rf"({'|'.join(sorted(_KINDS))})\s*:\s*(\S.*)", re.IGNORECASE)
_BLANKS = re.compile(r"(?<=\W)_+|_+(?=\W)")
_COPY = re.compile(r"_\d{1,4}$")

Kind = Literal["if", "each", "fill", "stroke"]
_KINDS_SAID: dict[str, Kind] = {
    "if": "if",
    "show if": "if",
    "each": "each",
    "repeat": "each",
    "fill": "fill",
    "stroke": "stroke",
}
_PAINTED: tuple[tuple[Kind, str], ...] = (("fill", PAINTS["fill"]), ("stroke", PAINTS["stroke"]))


@dataclass(frozen=True, slots=True)
class Named:
    """The field that fills an object. `words` say as what, and where it stands in its box; `explicit` is a
    name that can mean nothing else. `path` is None where nothing has that name."""

    text: str
    path: Path | None
    said: Attribute
    words: frozenset[str] = frozenset()
    explicit: bool = False

    @property
    def kind(self) -> str | None:
        """As what the field is to be shown, where that is said."""
        return next(iter(sorted(self.words & _KINDS)), None)


@dataclass(frozen=True, slots=True)
class Said:
    """The condition of an object, what it is repeated for or painted with, as it is written. `options` are
    what a name says after a semicolon of how the copies stand."""

    kind: Kind
    text: str
    said: Attribute
    options: tuple[str, ...] = ()


def named(element: Element, fields: Fields, *, item: bool = False) -> Named | None:
    """Return the field that an element's `cg:field` or name says, if any."""
    kind = frozenset((element.get(AS) or "").lower().split())
    stated = element.attrs.get(FIELD)
    if stated is not None:
        text = stated.value.strip()
        return Named(text, fields.stated(text, item=item), stated, kind, explicit=True)
    for attribute in NAMES:
        said = element.attrs.get(attribute)
        if said is None or said.is_code or not said.raw:
            continue
        name, words = _words(parts(said.value)[0])
        path = fields.named(name, item=item)
        if path is not None:
            return Named(name, path, said, words | kind)
    return None


def parts(name: str) -> list[str]:
    """Return what a name says, one after the other: `suit: icon; fill: theme.hues[suit]`."""
    for each in (name, _BLANKS.sub(" ", unescaped(name))):
        if len(found := _NEXT_PART.split(each)) > 1:
            return found
    return [name]


def _words(name: str) -> tuple[str, frozenset[str]]:
    """Return a name without the words that say how it is shown: `title: center`, `icon: suit`."""
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


def said(element: Element, ids: Container[str]) -> list[Said]:
    """Return the condition of an element, what it is repeated for and painted with, by attribute or by
    name. `ids` are those of the drawing, by which the number of a copy is known."""
    kinds: tuple[tuple[Kind, str], ...] = (("if", IF), ("each", EACH), *_PAINTED)
    found = [
        Said(kind, attribute.value.strip(), attribute)
        for kind, name in kinds
        if (attribute := element.attrs.get(name)) is not None
    ]
    for name in NAMES:
        attribute = element.attrs.get(name)
        if attribute is None or attribute.is_code:
            continue
        by_name = _by_name(attribute, ids)
        for new in by_name:
            if not any(each.kind == new.kind for each in found):
                found.append(new)
        if by_name:
            break
    return sorted(found, key=lambda each: each.kind != "if")


def _by_name(attribute: Attribute, ids: Container[str]) -> list[Said]:
    if ":" not in attribute.raw and "x3A" not in attribute.raw:
        return []
    text = attribute.value
    if attribute.name == "id" and (copy := _COPY.search(text)) and text[: copy.start()] in ids:
        text = text[: copy.start()]
    found = (_said_by(part, attribute) for part in parts(text))
    return [each for each in found if each is not None]


def _said_by(part: str, attribute: Attribute) -> Said | None:
    match = _SAYS.fullmatch(part.strip())
    if match is None and (match := _SAYS.fullmatch(_BLANKS.sub(" ", unescaped(part)))) is None:
        return None
    kind = _KINDS_SAID[match[1].lower()]
    text, *options = match[2].split(";") if kind == "each" else (match[2],)
    return Said(kind, text.strip(), attribute, tuple(option.strip() for option in options))


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
        """Return True if its value is known only when a card is rendered."""
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
        """Yield the elements that it stands in, the innermost first."""
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
        """Return where the next `end` is over, or the end of the source. Each is sought through a source
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
        """Return where a value ends, closing quote included; quotes in Jinja do not close it."""
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
    """Yield the expressions and statements of Jinja in a text, comments left out."""
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
    """Return True if every Jinja statement that begins in a text ends in it, and none that began before."""
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
"""Attributes that say where a shape is."""


class Looks:
    """Styles, transforms and boxes of one drawing's elements. What stands in Jinja is not known."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._sheet: StyleSheet | None = None
        self._styles: dict[Element, Properties] = {}

    @property
    def sheet(self) -> StyleSheet:
        if self._sheet is None:
            nodes = []
            for element in self._drawing.elements:
                if element.name == "style":
                    node = Node("style", {})
                    node.children.append(_css(self._drawing.content(element)))
                    nodes.append(node)
            self._sheet = StyleSheet(nodes)
        return self._sheet

    def own(self, element: Element) -> Properties:
        """Return the properties that an element has of its own."""
        return self.sheet.properties(element.node())

    def style(self, element: Element) -> Properties:
        """Return the properties of an element with those that it takes over."""
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
        """Return True if a shape has a fill or a line."""
        style = self.style(element)
        return style.get("fill", "black") != "none" or style.get("stroke", "none") != "none"

    def matrix(self, element: Element, top: Element | None = None) -> Matrix | None:
        """Return the transform from an element's own units to those in `top`, or outside of the drawing;
        None if that can't be told."""
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

    def box(self, element: Element) -> Rect | None:
        """Return the box around an object in its own units, its transform left out; None if that can't
        be told."""
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
        box = _shape(element.node())
        return box if box is not None and box.width > 0 and box.height > 0 else None


def _shape(node: Node) -> Rect | None:
    outline = outline_of(node.name, node.attrs)
    return extents(outline) if outline else None


def _css(text: str) -> str:
    return text.replace("<![CDATA[", "").replace("]]>", "")


def between(looks: Looks, one: Element, other: Element) -> Matrix | None:
    """Return the transform from the units of one element to those of another; None if that can't be
    told."""
    there, back = looks.matrix(one), looks.matrix(other)
    if there is None or back is None:
        return None
    try:
        return there.then(back.inverse())
    except ZeroDivisionError:
        return None


class Edits:
    """Pieces of a source to be put in, left out or said otherwise. What replaces a piece has as many line
    ends as it: the missing ones are added at its end, where the caller says that they may stand."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edits: list[tuple[int, int, int, str]] = []

    def __bool__(self) -> bool:
        return bool(self._edits)

    def before(self, position: int, text: str) -> None:
        """Put in a text before what stands there."""
        self._edits.append((position, 1, position, text))

    def after(self, position: int, text: str) -> None:
        """Put in a text after what ends there."""
        self._edits.append((position, 0, position, text))

    def replace(self, start: int, end: int, text: str, *, lines_at: str = "") -> None:
        """Say `text` instead. `lines_at` is the part of it before which missing line ends go, its end if
        none."""
        missing = self._source.count("\n", start, end) - text.count("\n")
        at = text.find(lines_at) if lines_at else len(text)
        self._edits.append((start, 2, end, text[:at] + "\n" * missing + text[at:]))

    def made(self) -> str:
        """Return the source with all of them. A piece within one that is replaced as a whole is gone
        with it."""
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
"""Keys of every card. As an object's plain name they are too common to mean the field."""
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
"""Characters of a name that may mean a field."""


class Fields:
    """The fields of the cards that a template is for."""

    def __init__(self, fields: Iterable[str]) -> None:
        self._fields = {field.casefold(): field for field in sorted(fields, reverse=True)}
        self._all = frozenset(self._fields.values())

    def __bool__(self) -> bool:
        return bool(self._all - ENGINE)

    def stated(self, text: str, *, item: bool = False) -> Path | None:
        """Return what `cg:field` or an expression names: a field, a part of one such as `reward.die`, or
        a variable. `item` is whether there is one."""
        parts = tuple(text.split(".")) if _PATH.fullmatch(text) else ()
        if not parts:
            return None
        if parts[0] in self._all or (item and parts[0] == ITEM):
            return parts
        return parts if parts[0] in VARIABLES else None

    def named(self, text: str, *, item: bool = False) -> Path | None:
        """Return the field that an object's name means, however the drawing program wrote it: as it
        stands, else in other capitals, with its escapes undone, without the number of a copy."""
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
        """Return the expression that reads a field, null where the card says nothing, or else a
        variable."""
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
        """Return a hint with the field that an object's name is nearly, being none."""
        near = nearest(text.partition(":")[0].partition(".")[0].strip(), self._all - ENGINE, _NEAR)
        return None if near is None else f"did you mean '{near}'?"


def spellings(text: str) -> Iterable[str]:
    """Return a name as it stands, and what it may have been in the program that exported it."""
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
    """Return the condition that there is something to print: 0 and false are, null, an empty text and an
    empty list are not."""
    return f"{value} is not none and {value} != '' and {value} != []"


def filled(value: str) -> str:
    """Return the condition that there is something: 0 is, while no, null, an empty text and list are
    not."""
    return f"{value} is not false and {has_value(value)}"


MOST = 1_000
"""Characters of an expression."""

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<text>'(?:\\.|[^'\\])*+'|\"(?:\\.|[^\"\\])*+\")|(?P<number>\d[\d_]*(?:\.\d+)?)"
    r"|(?P<name>[^\W\d]\w*(?:-\w+)*(?:\s*\.\s*[^\W\d]\w*)*)|(?P<sign>[<>=!]=|//|\*\*|.)",
    re.DOTALL,
)
_WORDS = names("and or not in is if else true false none True False None")
_ORDER = frozenset(("<", ">", "<=", ">="))
_APART = frozenset(("and", "or", "not", "(", ")", "if", "else"))


class _Token(NamedTuple):
    kind: str
    text: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as the template is to have it, the fields that it reads, and the names in it that
    nothing has."""

    source: str
    reads: frozenset[str]
    unknown: tuple[str, ...]


def expression(text: str, fields: Fields, *, item: bool = False) -> Expression:
    """Read an expression. `item` is whether it stands in something repeated. Raises ValueError."""
    if len(text) > MOST:
        raise ValueError(f"it is longer than {MOST:,} characters")
    if not text or "%}" in text or "}}" in text or "{%" in text or "{{" in text:
        raise ValueError("it is written without {{ }} and {% %}" if text else "it is empty")
    unknown: list[str] = []
    tokens = [_Token(found.lastgroup or "", found[0]) for found in _TOKEN.finditer(text)]
    tokens = [token for token in tokens if token.kind != "space"]
    read: list[_Token] = []
    for place, token in enumerate(tokens):
        read.append(_read(tokens, place, token, fields, item, unknown))
    reads = frozenset(token.path[0] for token in read if token.path is not None)
    return Expression(_written(read, fields), reads, tuple(unknown))


def _read(
    tokens: Sequence[_Token], place: int, token: _Token, fields: Fields, item: bool, unknown: list[str]
) -> _Token:
    """Return a token with the path of the field that it names."""
    before = tokens[place - 1].text if place else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if token.kind != "name" or token.text in _WORDS or before in ("|", ".") or _tests(tokens, place):
        return token
    if after == "=" or (after == "(" and "." not in token.text):  # an argument's name, a function
        return token
    text = re.sub(r"\s", "", token.text)
    if after == "(":  # a method of what stands before the last point
        text = text.rpartition(".")[0]
    path = fields.stated(text, item=item)
    if path is None and "-" in text:  # a difference
        return _difference(token, text, fields, item, unknown)
    if path is None:
        unknown.append(text)
        return token
    return token._replace(path=path)


def _tests(tokens: Sequence[_Token], place: int) -> bool:
    """Return True if a name is that of a test: `is odd`, `is not none`."""
    before = [token.text for token in tokens[max(0, place - 2) : place]]
    return before[-1:] == ["is"] or before == ["is", "not"]


def _difference(token: _Token, text: str, fields: Fields, item: bool, unknown: list[str]) -> _Token:
    parts = text.split("-")
    paths = [fields.stated(part, item=item) for part in parts]
    unknown += [part for part, path in zip(parts, paths) if path is None]
    if None in paths:
        return token
    values = [fields.value(path) for path in paths if path is not None]
    return token._replace(kind="value", text=f"({' - '.join(values)})")


def _written(tokens: Sequence[_Token], fields: Fields) -> str:
    """Return the tokens as Jinja. A field that is missing is null: no order holds for it, it is not
    defined."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        if (guarded := _order(tokens, place, fields)) is not None:
            parts.append(guarded)
            place += 3
            continue
        token = tokens[place]
        texts = [each.text for each in tokens[place + 1 : place + 4]]
        if token.path is not None and texts[:2] in (["is", "defined"], ["is", "undefined"]):
            negation = "not " if texts[1] == "defined" else ""
            parts.append(f"{_value(token, fields)} is {negation}none")
            place += 3
        elif token.path is not None and texts == ["is", "not", "defined"]:
            parts.append(f"{_value(token, fields)} is none")
            place += 4
        elif token.path is not None and texts[:2] in (["|", "default"], ["|", "d"]):
            parts.append(".".join((*("card" for _ in range(fields.is_field(token.path))), *token.path)))
            place += 1
        else:
            parts.append(_value(token, fields))
            place += 1
    return " ".join(parts)


def _value(token: _Token, fields: Fields) -> str:
    if token.path is None:
        return token.text
    method = token.text.count(".") + 1 > len(token.path)
    tail = f".{token.text.rpartition('.')[2].strip()}" if method else ""
    return fields.value(token.path) + tail


def _order(tokens: Sequence[_Token], place: int, fields: Fields) -> str | None:
    """`cost > 3` that stands by itself, which is no for a card without a cost."""
    if place + 3 > len(tokens):
        return None
    one, sign, other = tokens[place : place + 3]
    around = [*(tokens[place - 1 : place] if place else ()), *tokens[place + 3 : place + 4]]
    if sign.text not in _ORDER or any(token.text not in _APART for token in around):
        return None
    if {one.kind, other.kind} - {"name", "number"} or _WORDS & {one.text, other.text}:
        return None
    there = [f"{_value(token, fields)} is not none" for token in (one, other) if token.path is not None]
    return f"({' and '.join((*there, f'{_value(one, fields)} {sign.text} {_value(other, fields)}'))})"
