"""SVG as a tree that remembers where each element stands in the source, and as text again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from cardgen.findings import Problem
from cardgen.svg.limits import MOST_ATTRIBUTES, MOST_BYTES, MOST_DEPTH, MOST_ELEMENTS, MOST_ENTITIES, short
from cardgen.svg.names import names

_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE_ESCAPES = _TEXT_ESCAPES | str.maketrans(
    {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)

_TAG = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_ENTITY = re.compile(r"[^<&%]{0,1000}")
_UNSEEN = names("title desc metadata")
_SVG = "http://www.w3.org/2000/svg"
FOREIGN = "foreign"
"""The prefix of an element that states another language by `xmlns` alone."""


class SvgError(Exception):
    """The source is not well-formed XML, holds what we refuse to read, or too much of it."""

    def __init__(
        self, message: str, offset: int, hint: str | None = None, code: str = "svg/syntax"
    ) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint, offset=offset)

    def of(self, code: str) -> Problem:
        """The problem, under this code where the source is not XML."""
        return replace(self.problem, code=code) if self.problem.code == "svg/syntax" else self.problem


Key = tuple[str | tuple[str, str], ...]
"""An element's name and attributes."""


class Node:
    """An element. `start` and `end` are byte offsets into the document; `children` holds elements and
    texts in order; `has_text` says that a `<text>` or a `<tspan>` stands in it or is it."""

    __slots__ = ("_key", "attrs", "children", "end", "has_text", "name", "start")

    def __init__(self, name: str, attrs: dict[str, str], start: int = 0) -> None:
        self.name = name
        self.attrs = attrs
        self.start = start
        self.end = start
        self.children: list[Node | str] = []
        self.has_text = False
        self._key: Key | None = None

    @property
    def key(self) -> Key:
        """What tells its tag from others."""
        key = self._key
        if key is None:
            key = self._key = (self.name, *self.attrs.items())
        return key

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.attrs.get(name, default)

    @property
    def href(self) -> str | None:
        """The target of a reference, SVG 2's spelling first."""
        return self.attrs.get("href", self.attrs.get("xlink:href"))

    def elements(self) -> Iterator[Node]:
        """Child elements."""
        for child in self.children:
            if isinstance(child, Node):
                yield child

    def iter(self) -> Iterator[Node]:
        """This element and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def text(self) -> str:
        """All character data below."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def is_unseen(name: str) -> bool:
    """Whether an element and all in it is for programs and readers, and no part of the drawing: nothing
    in it can be referred to."""
    return ":" in name or name in _UNSEEN


@dataclass(slots=True, eq=False)
class Document:
    """A parsed SVG document."""

    data: bytes
    root: Node
    ids: dict[str, Node]
    repeated: tuple[Node, ...]
    """Elements with an id that was taken already."""
    _definitions: dict[Node, bytes] = field(default_factory=dict)

    def source(self, node: Node) -> bytes:
        return self.data[node.start : node.end]

    def definition(self, node: Node) -> bytes:
        """The source of an element that others refer to: one object, however often it is asked for."""
        source = self._definitions.get(node)
        if source is None:
            source = self._definitions[node] = self.source(node)
        return source


def parse(data: bytes, *, bounded: bool = True) -> Document:
    """The tree of an SVG document, held to what a file may have unless it is of our own making. Raises
    SvgError."""
    if bounded and len(data) > MOST_BYTES:
        raise _too_much(f"the drawing has more than {MOST_BYTES // 1_000_000} MB", 0)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    ids: dict[str, Node] = {}
    repeated: list[Node] = []
    top: list[Node] = []
    stack: list[Node] = []
    left = MOST_ELEMENTS
    unseen = 0

    def start(name: str, attrs: dict[str, str]) -> None:
        nonlocal left, unseen
        if stack and (attrs.get("xmlns") or _SVG) != _SVG:
            name = f"{FOREIGN}:{name}"
        node = Node(name, attrs, parser.CurrentByteIndex)
        if not stack:
            top.append(node)
        else:
            stack[-1].children.append(node)
            if bounded and len(stack) >= MOST_DEPTH:
                raise _too_much(f"elements are nested more than {MOST_DEPTH} deep", node.start)
        left -= 1
        if bounded and left < 0:
            raise _too_much(f"the drawing has more than {MOST_ELEMENTS:,} elements", node.start)
        if bounded and len(attrs) > MOST_ATTRIBUTES:
            message = f"<{short(name)}> has more than {MOST_ATTRIBUTES} attributes"
            raise _too_much(message, node.start)
        stack.append(node)
        if is_unseen(name):
            unseen += 1
        if "id" in attrs and not unseen and ids.setdefault(attrs["id"], node) is not node:
            repeated.append(node)

    def end(name: str) -> None:
        nonlocal unseen
        node = stack.pop()
        if unseen and is_unseen(node.name):
            unseen -= 1
        position = parser.CurrentByteIndex
        # For `<x …/>` this is where the tag ends; for others, where their end tag begins.
        if data.startswith(b"</", position) and not _is_empty_tag(data, node.start, position):
            position = data.index(b">", position) + 1
        node.end = position
        if node.has_text or name == "text" or name == "tspan":
            node.has_text = True
            if stack:
                stack[-1].has_text = True

    def characters(text: str) -> None:
        if stack:
            stack[-1].children.append(text)

    brought_in = entities = 0

    def entity(
        name: str, is_parameter: bool, value: str | None, base: str | None, system: str | None, *_: object
    ) -> None:
        # Short texts, as Illustrator writes for its namespaces; nothing from elsewhere, nothing within
        # another, and what they come to counts as if it stood there.
        nonlocal brought_in, entities
        entities += 1
        if bounded and entities > MOST_ENTITIES:
            raise _too_much(f"it states more than {MOST_ENTITIES} entities", parser.CurrentByteIndex)
        if is_parameter or value is None or not _ENTITY.fullmatch(value):
            message = f"the entity '{short(name)}' is not a plain text"
            raise SvgError(message, parser.CurrentByteIndex, "write what it stands for")
        brought_in += len(value) * data.count(f"&{name};".encode())
        if bounded and brought_in > MOST_BYTES:
            raise _too_much("its entities come to too much text", parser.CurrentByteIndex)

    def instruction(target: str, _: str) -> None:
        if target.lower() == "xml-stylesheet":
            hint = "delete the <?xml-stylesheet …?>; put styles into <style>"
            raise SvgError("a style sheet in a file of its own is not read", parser.CurrentByteIndex, hint)

    handlers = {
        "StartElementHandler": start,
        "EndElementHandler": end,
        "CharacterDataHandler": characters,
        "EntityDeclHandler": entity,
        "AttlistDeclHandler": _refuse(
            parser, "attributes from a DOCTYPE are not read", "write them at the elements"
        ),
        "ProcessingInstructionHandler": instruction,
    }
    for name, handler in handlers.items():
        setattr(parser, name, handler)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise SvgError(_sentence(error), max(0, parser.ErrorByteIndex)) from None
    finally:
        # Parser and handlers know each other; apart, they are gone at once.
        for name in handlers:
            setattr(parser, name, None)
    return Document(data, top[0], ids, tuple(repeated))


def is_well_formed(source: str) -> bool:
    """Whether a text is XML, whatever it holds."""
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(source.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return False
    return True


def _is_empty_tag(data: bytes, start: int, position: int) -> bool:
    """Whether the element from `start` is `<x …/>`, which ends right at `position`."""
    if not data.startswith(b"/>", position - 2):
        return False
    tag = _TAG.match(data, start)
    return tag is not None and tag.end() == position


def _refuse(parser: expat.XMLParserType, message: str, hint: str) -> Callable[..., None]:
    def handler(*_: object) -> None:
        raise SvgError(message, parser.CurrentByteIndex, hint)

    return handler


def _too_much(message: str, offset: int) -> SvgError:
    return SvgError(message, offset, "draw less, or save it as a PNG", "svg/bounds")


def _sentence(error: expat.ExpatError) -> str:
    text = expat.ErrorString(error.code)
    return f"the drawing is not well-formed XML: {text}"


def serialize(node: Node, replace: Callable[[Node], str | None], style: Callable[[Node], str]) -> str:
    """The element as text: without comments, without what drawing programs keep for themselves.

    `replace` may answer with other markup for an element; `style` gives its `style` attribute.
    """
    other = replace(node)
    if other is not None:
        return other
    head = open_tag(node, style(node))
    content = "".join(
        serialize(child, replace, style)
        if isinstance(child, Node)
        else (child.translate(_TEXT_ESCAPES) if not child.isspace() else "")
        for child in node.children
    )
    return f"{head}>{content}</{node.name}>" if content else f"{head}/>"


def open_tag(node: Node, style: str) -> str:
    """The start tag without its closing bracket."""
    parts = [f"<{node.name}"]
    for name, value in node.attrs.items():
        if name == "xlink:href":
            if "href" in node.attrs:  # SVG 2's spelling goes first
                continue
            name = "href"
        elif name in ("style", "class") or (":" in name and is_foreign(name)) or name == "xmlns":
            continue
        parts.append(f'{name}="{value.translate(_ATTRIBUTE_ESCAPES)}"')
    if style:
        parts.append(f'style="{style.translate(_ATTRIBUTE_ESCAPES)}"')
    return " ".join(parts)


def is_foreign(name: str) -> bool:
    """Whether an element or attribute is another program's own (or ours), not SVG."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix not in ("xlink", "xml")
