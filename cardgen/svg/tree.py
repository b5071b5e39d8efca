"""SVG as a tree that remembers where each element stands in the source, and as text again."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from xml.parsers import expat

from cardgen.core.findings import Problem
from cardgen.core.records import dataclass, field, replace

NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""A pattern that no text makes go back and forth: digits are not offered twice."""

_NUMBER = re.compile(NUMBER)
LARGE = re.compile(r"[eE]|[0-9]{7}")
_LONGEST = 64
"""Characters of a number; more are no number that anyone wrote."""


def number(text: str) -> float | None:
    """Return the finite number that the whole text is; None for any other text."""
    return _finite(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=8192)
def _finite(text: str) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def numbers(text: str) -> list[float]:
    """Return all numbers in a list such as a viewBox, infinite ones too."""
    return [_value(part) for part in _NUMBER.findall(text)]


def share(text: str) -> float:
    """Return an opacity or another plain number; 50% is 0.5. Raises ValueError."""
    text = text.strip()
    value = number(text.removesuffix("%"))
    if value is None:
        raise ValueError(f"'{short(text)}' is not a number")
    return value / 100 if text.endswith("%") else value


def too_far(text: str) -> str | None:
    """Return the first number in a list, path data among them, whose size is above FARTHEST."""
    if not LARGE.search(text):
        return None
    for match in _NUMBER.finditer(text):
        if abs(_value(match[0])) > FARTHEST:
            return match[0]
    return None


def _value(text: str) -> float:
    return float(text) if len(text) <= _LONGEST else math.inf


MOST_BYTES = 16_000_000
"""Of one drawing's file. Inkscape's largest real drawings have about 10 MB."""

MOST_ELEMENTS = 50_000
"""Of one drawing, drawn or not."""

MOST_DEPTH = 100
"""Levels of nesting, what references bring in counted at its place. Layers and groups of drawing programs
rarely pass 20. Whatever walks a drawing by calling itself relies on it."""

MOST_ATTRIBUTES = 100
"""Of one element. Children take them over, so that they count once for every element below."""

MOST_ENTITIES = 100
"""Short texts with a name, in a DOCTYPE. Illustrator writes about ten."""

MOST_MATCHED = 1_000_000
"""Properties that the rules of a drawing give to its elements, all together."""

MOST_NESTED_STYLE = 20
"""Brackets in one another, in a style sheet or a `style` attribute."""

MOST_DRAWN_TEXT = 20_000
"""Characters of all texts of a drawing, each of which becomes an outline."""

MOST_STYLE = 1_000_000
"""Characters of the style sheets of a drawing that is not plain SVG already."""

MOST_RULES = 1_000
"""Selectors in the style sheets of a drawing."""

MOST_DECLARATIONS = 200
"""Properties of a rule or of a `style` attribute. Inkscape writes up to 80."""

MOST_TRANSFORMS = 100
"""Functions in one transform attribute."""

MOST_REPEATED = 20_000
"""Steps of drawing that the references of one side or drawing add to what stands in it: what `use`,
patterns, markers, clip paths and gradients repeat. The largest thing shown is free once. See
STEP_CHARACTERS. Each step is written out, in about a tenth of a millisecond; a busy side repeats about
2,000."""

MOST_TILED = 400_000
"""Steps of drawing that patterns repeat on one side, tile by tile. A file contains a tile once, but whoever
makes pixels of it draws each: a pattern of 20 by 20 tiles in another of as many is 160,000 tiles."""

MOST_TILES = 3_000
"""Tiles of a pattern that are written out for one shape: more are left to PDF's own patterns, which are
drawn as pixels once."""

MOST_STEPS = 500_000
"""Steps of drawing of one side: a few drawings from files, each as large as can be."""

STEP_CHARACTERS = 40
"""A shape is one step of drawing, and one more for as many characters of its outline."""

MOST_PICTURES = 4_000
"""Parts of a side that are drawn apart: each element in `<svg>` itself, or beside text in a group."""

MOST_MARKUP = 40_000_000
"""Characters that the pictures of a side come to, styles and definitions written out at each."""

MOST_LAYERS = 5_000
"""See-through groups, soft clips and transparent patterns: each is a page of its own in pixels."""

MOST_PAINTED = 1_000_000_000
"""Pixels of all layers of a side at FILTER_DPI: 1,200 of a playing card's size, 57 of an A3 board's.
Whatever makes pixels of a side, such as a proof, paints each layer apart."""

RADIAL, LINEAR, FADING = 6.0, 1.0, 2.0
"""Pixels of a layer that one of a gradient counts as, painted as slowly; FADING more for one that fades."""

MOST_LAYER_DEPTH = 20
"""Layers in one another. PDF readers give up at about 30 forms in forms."""

FILTER_DPI = 300
"""Of what filters make pixels of, at the size printed; fewer where images are brought down to fewer."""

DPI = "data-filter-dpi"
"""Attribute of a picture's root: how many pixels an inch its filters make, if not FILTER_DPI."""

FILTER_PIXELS = FILTER_DPI / 25.4
"""To a millimeter, in what filters make of a drawing."""

MOST_FILTERED = 500_000_000
"""Pixels that one side's filters go over, each step of a filter counted: a shadow of an A3 board, or one of
a playing card 30 times. About ten seconds. One that needs too much memory ends in Typst's process."""

MOST_TAKEN_AFTER = 20
"""Filters, gradients or patterns that take after one another."""

MOST_DASH_LIST = 100
"""Dashes and gaps that one stroke-dasharray states."""

MOST_DASHES = 200_000
"""Dashes along the strokes of one drawing."""

MOST_CELLS = 1_000_000
"""Cells of a pattern on one drawing: half a millimeter each on an A3 board."""

FARTHEST = 1e6
"""mm, or user units; anything farther off is a slip, and may overflow cairo's coordinates."""

NEAREST = 1e-6
"""mm, or user units; the least size of a box that a drawing is fitted into."""

MOST_SCALE = 1e9
"""The largest scale, up or down, of transforms and viewports together."""

MOST_SNAPS = 1_000
"""Snap points of one side."""

MOST_PROBLEMS = 100
"""Problems said of one side or drawing."""

MOST_TEXT = 20_000
"""Characters of one `<text>`. A card holds a few hundred, a page of a book about 3,000."""

MOST_OUTLINED = 4_000
"""Characters of a text that is drawn as outlines, for its stroke or gradient."""

MOST_REPEATED_TEXTS = 200
"""Ways in which `<use>` shows texts of one side: each is set by itself."""

MOST_SIDE_TEXT = 100_000
"""Characters of all texts of a side."""

MOST_HARD_TEXT = 8_000
"""Characters of a side's words that line breaking must look at one by one: of other scripts, or of marks
among letters. Pages of Chinese have about 1,500."""

MOST_WORD = 1_000
"""Characters without a space between; in Chinese, a page."""

MOST_SPANS = 2_000
"""Pieces of a text that are set apart: `tspan` elements, icons, paragraphs."""

MOST_PIXELS = 75_000_000
"""Of one image; an A3 page at 600 dpi has 70 million."""

MOST_PIXELS_DECODED = 40_000_000
"""The same where they must be read one by one: with transparency, 16 bits a channel or interlaced."""

SHOWN = 60
"""Characters of a wrong value that a message shows."""


def short(text: str) -> str:
    """Return a value as a message shows it: on one line, its beginning only where it is long."""
    start = " ".join(text[: 4 * SHOWN].split())
    return start if len(start) <= SHOWN and len(text) <= 4 * SHOWN else start[: SHOWN - 1] + "…"


def names(text: str) -> frozenset[str]:
    """Return the names in a text, which spaces part."""
    return frozenset(text.split())


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
        """Return the problem, under this code where the source is not XML."""
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
        """Return the key that identifies its tag."""
        key = self._key
        if key is None:
            key = self._key = (self.name, *self.attrs.items())
        return key

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.attrs.get(name, default)

    @property
    def href(self) -> str | None:
        """Return the target of a reference, SVG 2's spelling first."""
        return self.attrs.get("href", self.attrs.get("xlink:href"))

    def elements(self) -> Iterator[Node]:
        """Yield child elements."""
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
        """Return all character data below."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def is_unseen(name: str) -> bool:
    """Return True if an element and all in it is metadata, and no part of the drawing: nothing in it can
    be referred to."""
    return ":" in name or name in _UNSEEN


@dataclass(slots=True, eq=False)
class Document:
    """A parsed SVG document."""

    data: bytes
    root: Node
    ids: dict[str, Node]
    repeated: tuple[Node, ...]
    """Elements with an id that was taken already."""
    spans: dict[Node, tuple[int, int]] = field(default_factory=dict)
    """The positions in `data` of the elements of a derived tree."""
    _definitions: dict[Node, bytes] = field(default_factory=dict)

    def source(self, node: Node) -> bytes:
        start, end = self.spans.get(node) or (node.start, node.end)
        return self.data[start:end]

    def definition(self, node: Node) -> bytes:
        """Return the source of an element that others refer to: one object, however often it is asked
        for."""
        source = self._definitions.get(node)
        if source is None:
            source = self._definitions[node] = self.source(node)
        return source


def parse(data: bytes, *, bounded: bool = True) -> Document:
    """Return the tree of an SVG document, held to what a file may have unless it is of our own making.
    Raises SvgError."""
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
        if "xmlns" in attrs and stack and (attrs["xmlns"] or _SVG) != _SVG:
            name = f"{FOREIGN}:{name}"
        node = Node(name, attrs, parser.CurrentByteIndex)
        (stack[-1].children if stack else top).append(node)
        if bounded:
            left -= 1
            if len(stack) >= MOST_DEPTH:
                raise _too_much(f"elements are nested more than {MOST_DEPTH} deep", node.start)
            if left < 0:
                raise _too_much(f"the drawing has more than {MOST_ELEMENTS:,} elements", node.start)
            if len(attrs) > MOST_ATTRIBUTES:
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
    in_place = "write the text of the entities in their place"

    def entity(
        name: str, is_parameter: bool, value: str | None, base: str | None, system: str | None, *_: object
    ) -> None:
        # Short texts, as Illustrator writes for its namespaces; nothing from elsewhere, nothing within
        # another, and what they come to counts as if it stood there.
        nonlocal brought_in, entities
        entities += 1
        if bounded and entities > MOST_ENTITIES:
            raise _too_much(
                f"it declares more than {MOST_ENTITIES} entities", parser.CurrentByteIndex, in_place
            )
        if is_parameter or value is None or not _ENTITY.fullmatch(value):
            message = f"the entity '{short(name)}' is not plain text"
            raise SvgError(message, parser.CurrentByteIndex, "write its text in its place")
        brought_in += len(value) * data.count(f"&{name};".encode())
        if bounded and brought_in > MOST_BYTES:
            raise _too_much("its entities expand to too much text", parser.CurrentByteIndex, in_place)

    def instruction(target: str, _: str) -> None:
        if target.lower() == "xml-stylesheet":
            hint = "delete the <?xml-stylesheet …?>; put styles into <style>"
            raise SvgError("an external style sheet is not supported", parser.CurrentByteIndex, hint)

    handlers = {
        "StartElementHandler": start,
        "EndElementHandler": end,
        "CharacterDataHandler": characters,
        "EntityDeclHandler": entity,
        "AttlistDeclHandler": _refuse(
            parser, "attributes from a DOCTYPE are not supported", "write them on the elements"
        ),
        "ProcessingInstructionHandler": instruction,
    }
    for name, handler in handlers.items():
        setattr(parser, name, handler)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        hint = "correct this place, or save the drawing again"
        raise SvgError(_sentence(error), max(0, parser.ErrorByteIndex), hint) from None
    finally:
        # Parser and handlers know each other; apart, they are gone at once.
        for name in handlers:
            setattr(parser, name, None)
    return Document(data, top[0], ids, tuple(repeated))


def is_well_formed(source: str) -> bool:
    """Return True if a text is XML with any content."""
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(source.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return False
    return True


def _is_empty_tag(data: bytes, start: int, position: int) -> bool:
    """Return True if the element from `start` is `<x …/>`, which ends right at `position`."""
    if not data.startswith(b"/>", position - 2):
        return False
    tag = _TAG.match(data, start)
    return tag is not None and tag.end() == position


def _refuse(parser: expat.XMLParserType, message: str, hint: str) -> Callable[..., None]:
    def handler(*_: object) -> None:
        raise SvgError(message, parser.CurrentByteIndex, hint)

    return handler


def _too_much(message: str, offset: int, hint: str = "draw less, or save it as a PNG") -> SvgError:
    return SvgError(message, offset, hint, "svg/bounds")


def _sentence(error: expat.ExpatError) -> str:
    text = expat.ErrorString(error.code)
    return f"the drawing is not well-formed XML: {_XML_MISTAKES.get(text, text)}"


_XML_MISTAKES = {
    "mismatched tag": "this closing tag has no opening tag",
    "no element found": "it is empty, or its end is missing",
    "not well-formed (invalid token)": "a character is not allowed here, such as a bare & or <",
    "unclosed token": "a tag, comment or & is not closed",
    "undefined entity": "this &name; is unknown",
}
"""expat's words for mistakes, and ours."""


def serialize(node: Node, replace: Callable[[Node], str | None], style: Callable[[Node], str]) -> str:
    """Return the element as text: without comments, without what drawing programs keep for themselves.

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
    """Return the start tag without its closing bracket."""
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
    """Return True if an element or attribute is another program's own (or ours), not SVG."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix not in ("xlink", "xml")
