"""Drawings of files: looked through, and as markup within another drawing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

from cardgen.core.findings import Problem
from cardgen.core.geometry import Rect
from cardgen.core.records import dataclass
from cardgen.svg.costs import (
    DRAW_LESS,
    NOTHING,
    SHAPES,
    Cost,
    CostCounter,
    CostError,
    MarkupError,
    Place,
    Room,
)
from cardgen.svg.lint import lint
from cardgen.svg.outlines import PLACED
from cardgen.svg.style import References, StyleSheet, inherit, references, renamed
from cardgen.svg.tree import (
    MOST_PROBLEMS,
    Document,
    Node,
    SvgError,
    is_unseen,
    names,
    number,
    open_tag,
    serialize,
    short,
)

_LEFT_OUT = names("width height viewBox x y version id style class preserveAspectRatio")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file's drawing: its markup, empty where there are errors among the problems. Their offsets count
    from the root's start. `image` is an `<image>` in it; `inks` are the paints of its shapes, "" for what
    comes from around the drawing."""

    markup: str
    problems: tuple[Problem, ...]
    cost: Cost
    image: Node | None
    inks: Set[str]


def read_drawing(document: Document, prefix: str, view: Rect) -> Drawing:
    """Return a file's drawing, looked through. Its ids become the prefix and a number; `view` is its view
    box."""
    root = document.root
    sheet = StyleSheet(node for node in root.iter() if node.name == "style")
    problems = [*lint(root, document.ids, sheet)]
    problems += (problem.moved(-root.start) for problem in sheet.problems)
    image = next((node for node in root.iter() if node.name == "image"), None)
    if document.repeated:
        named = {id for node in root.iter() for _, id in references(node, sheet)}
        problems += clashes(document, named, root)
    # The box of the root is what the drawing is fitted into, not a box in it.
    shown = Node("svg", {k: v for k, v in root.attrs.items() if k not in PLACED}, root.start)
    shown.children = root.children
    cost, markup = NOTHING, ""
    try:
        cost = CostCounter(document.ids, sheet, lambda node: None).count(shown, Place(page=view))
        if not any(problem.is_error for problem in problems):
            markup = embed(prefix, document, sheet)
    except CostError as error:
        problems.append(error.problem(root))
    except MarkupError as error:
        problems.append(Problem("svg/bounds", f"the drawing can't be shown: {error}", DRAW_LESS))
    return Drawing(markup, tuple(problems[:MOST_PROBLEMS]), cost, image, inks(document, sheet))


def inks(document: Document, sheet: StyleSheet) -> set[str]:
    """Return the fills, strokes and stops that the shapes of a drawing have, as they are written; "" for
    what is not said, and comes from around the drawing."""
    found: set[str] = set()
    stack = [(document.root, inherit({}, sheet.properties(document.root)))]
    while stack:
        node, style = stack.pop()
        if node.name in SHAPES:
            if node.name != "line" and _shows(style, "fill-opacity"):
                found.add(_ink(style, "fill", ""))
            if _shows(style, "stroke-opacity"):
                found.add(_ink(style, "stroke", "none"))
        elif node.name == "stop":
            found.add(_ink(style, "stop-color", "black"))
        stack += ((child, inherit(style, sheet.properties(child))) for child in node.elements())
    return found - {"none"}


def _ink(style: Mapping[str, str], name: str, default: str) -> str:
    """Return a paint as it is written, or the color that the drawing states for `currentColor`."""
    ink = style.get(name, default).strip()
    return style.get("color", ink).strip() if ink.lower() == "currentcolor" else ink


def _shows(style: Mapping[str, str], opacity: str) -> bool:
    return number(style.get(opacity, "1").strip().removesuffix("%")) != 0


def excerpt(document: Document, id: str, view: Rect) -> bytes:
    """Return the element of this id, and what it refers to, as a document of its own. Raises SvgError."""
    node = document.ids.get(id)
    if node is None:
        raise SvgError(f"there is no element '{short(id)}'", 0)
    styles = [each for each in document.root.iter() if each.name == "style"]
    needed = References().needed(node, document.source(node), (), document, StyleSheet(styles))
    outer = [
        each
        for each in needed
        if not any(other.start < each.start < other.end for other in (node, *needed) if other is not each)
    ]
    box = " ".join(f"{value:.9g}" for value in (view.x, view.y, view.width, view.height))
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    head = f'<svg {spaces} viewBox="{box}">'
    parts = [document.source(each) for each in (*styles, *outer)]
    return b"%s<defs>%s</defs>%s</svg>" % (head.encode(), b"".join(parts), document.source(node))


def embed(prefix: str, document: Document, sheet: StyleSheet) -> str:
    """Return the drawing of a file as a `<g>` with its root's style. Ids become the prefix and a number,
    so that two files can't mean each other's, whatever they are called. Raises MarkupError."""
    names = {id: f"{prefix}-{number}" for number, id in enumerate(document.ids)}
    root = _own(document.root, sheet, names, Room())
    kept = {name: value for name, value in root.attrs.items() if name not in _LEFT_OUT and ":" not in name}
    head = open_tag(Node("g", kept), root.attrs["style"])
    body = "".join(serialize(child, lambda _: None, _style) for child in root.elements())
    return f"{head}>{body}</g>"


def _own(node: Node, sheet: StyleSheet, names: Mapping[str, str], room: Room) -> Node:
    """Return the element's drawn content: ids and references renamed, rules written into its style."""
    copy = Node(node.name, {name: renamed(name, value, names) for name, value in node.attrs.items()})
    copy.attrs["style"] = renamed("style", room.take(sheet.attribute(node)), names)
    copy.children = [
        _own(child, sheet, names, room) if isinstance(child, Node) else child
        for child in node.children
        if isinstance(child, str) or not (child.name == "style" or is_unseen(child.name))
    ]
    return copy


def _style(node: Node) -> str:
    return node.attrs["style"]


def clashes(document: Document, named: Collection[str], top: Node) -> list[Problem]:
    """Return the ids that elements refer to and that several elements have, each said once."""
    found: dict[str, Problem] = {}
    for node in document.repeated:
        id = node.attrs["id"]
        if id in named and id not in found:
            message = f"the id '{short(id)}' is used twice"
            offset = node.start - top.start
            found[id] = Problem(
                "svg/id", message, "give each referenced element a different id", offset=offset
            )
    return list(found.values())
