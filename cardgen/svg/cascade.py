"""Style sheets of any kind → properties at the elements, as attributes (CSS Cascade 4, Selectors 4).

Selectors are matched by cssselect2, sheets read by tinycss2. On paper, rules for `print` and `all` hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from xml.etree import ElementTree

import cssselect2

from cardgen.core.findings import Problem
from cardgen.svg.lengths import remade
from cardgen.svg.style import (
    INHERITED,
    INITIAL,
    PRESENTATION,
    Declared,
    StyleSheet,
    declarations,
    nested_too_deep,
    plain_name,
    read_style,
)
from cardgen.svg.tree import (
    MOST_MARKUP,
    MOST_MATCHED,
    MOST_NESTED_STYLE,
    MOST_PROBLEMS,
    MOST_STYLE,
    Node,
    names,
    short,
)

_GEOMETRY = names("x y width height cx cy r rx ry d transform transform-origin transform-box")
"""Attributes that are properties as well, where an element has them at all."""
_MOVING = _GEOMETRY | names("marker font clip-path vector-effect")
_WIDE = names("initial inherit unset revert revert-layer")
_MORE_INLINE = 4
"""Times as many characters at the elements as in style sheets, equal ones counted once."""
_MOST_WORK = 20_000_000
"""Matchings of selectors with elements and their siblings."""
_MOST_VALUE = 4_000
"""Characters of a value with its variables put in."""
_MOST_INSIDE = 50
"""Variables put into one value, those in one another counted."""
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)")
_SIMPLE_STYLE = re.compile(
    r"var\(|--|!\s*important|\b(?:initial|inherit|unset|revert)\b|/\*|\\|filter\s*:", re.I
)
_SHEET_SEEN = re.compile(
    r"@|!\s*important|var\(|--|\b(?:initial|unset|revert)\b|\b(?:x|y|cx|cy|r|rx|ry|d|width|height|"
    r"transform(?:-[a-z]{1,10})?|marker|font|clip-path)\s*:|\\",
    re.I,
)


def cascaded(root: Node, *, everything: bool = False) -> tuple[Node, list[Problem]]:
    """Return the drawing without style sheets and `style` attributes, unless they hold plain properties
    only and not `everything` is to stand at the elements. Its problems have offsets in the file."""
    nodes = list(root.iter())
    styles = [node for node in nodes if node.name.rpartition(":")[2] == "style"]
    inline = everything or any(
        _SIMPLE_STYLE.search(value) for node in nodes for value in node.attrs.values()
    )
    sheet = StyleSheet(styles, strict=False)
    needed = sheet.relations or sheet.problems or any(_SHEET_SEEN.search(node.text()) for node in styles)
    if not inline and not needed and not any(map(_moved, nodes)):
        return root, []
    elements, widest, deepest = _mirrored(root)
    if sum(matching_work(one, widest, deepest) for one in sheet.relations) * len(elements) > _MOST_WORK:
        message = f"the style rules ({len(sheet.relations):,}) are too many for {len(elements):,} elements"
        sheet.problems.append(
            Problem("svg/bounds", message, "write the properties on the elements", offset=root.start)
        )
        return root, sheet.problems
    matched: dict[Node, Mapping[str, str]] = {}
    work = Work()
    seen: set[str] = set()
    left = _MORE_INLINE * MOST_STYLE
    wrapper = cssselect2.ElementWrapper.from_xml_root(elements[root])
    by_element = {element: node for node, element in elements.items()}
    for each in wrapper.iter_subtree():
        node = by_element[each.etree_element]
        inner = node.attrs.get("style", "")
        if inner not in seen:
            seen.add(inner)
            left -= len(inner)
        if left < 0:
            message = f"its styles have more than {_MORE_INLINE * MOST_STYLE:,} characters"
            sheet.problems.append(Problem("svg/bounds", message, "use classes instead", offset=node.start))
            return root, sheet.problems
        if nested_too_deep(inner):
            message = f"a style has more than {MOST_NESTED_STYLE} nested brackets"
            sheet.problems.append(Problem("svg/bounds", message, "use plainer values", offset=node.start))
            return root, sheet.problems
        found = sheet.matched(each)
        if not work.takes(sum(len(one) + 1 for one in found)):
            return root, [*sheet.problems, work.problem(root)]
        matched[node] = _declared(node, found)
    try:
        return _applied(root, matched, work, sheet.problems), sheet.problems[:MOST_PROBLEMS]
    except TooMuchError:
        return root, [*sheet.problems[:MOST_PROBLEMS], work.problem(root)]


def _moved(node: Node) -> bool:
    """Return True if a `style` attribute sets an element's position."""
    style = node.attrs.get("style", "")
    return ":" in style and not _MOVING.isdisjoint(read_style(style)[0])


def _mirrored(root: Node) -> tuple[dict[Node, ElementTree.Element], int, int]:
    """Return the tree as cssselect2 reads it, the most children that an element has, and its levels."""
    elements = {root: _element(root)}
    widest = deepest = 0
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        count = 0
        for child in node.elements():
            count += 1
            made = elements[child] = _element(child)
            elements[node].append(made)
            stack.append((child, depth + 1))
        widest = max(widest, count)
    return elements, widest, deepest


def _element(node: Node) -> ElementTree.Element:
    return ElementTree.Element(node.name.rpartition(":")[2], node.attrs)


# ---- at the elements


def _declared(node: Node, matched: list[Declared]) -> Mapping[str, str]:
    """Return the properties of an element: attributes, then rules by weight, its style, and what is
    important."""
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    for properties in matched:
        for name, (value, strong) in properties.items():
            if strong:
                important[name] = value
            else:
                plain[name] = value
    late: dict[str, str] = {}
    if "style" in node.attrs:
        for name, value, strong in _inline(node.attrs["style"]):
            (late if strong else plain)[name] = value
    return {**plain, **important, **late}


@lru_cache(maxsize=1_000)
def _inline(style: str) -> tuple[tuple[str, str, bool], ...]:
    return tuple(declarations(style))


def _applied(
    root: Node, matched: Mapping[Node, Mapping[str, str]], work: Work, problems: list[Problem]
) -> Node:
    """Return the tree with all properties as attributes. Raises TooMuchError."""
    done: dict[Node, Node] = {}
    variables: dict[Node, Mapping[str, str]] = {}
    parents: dict[Node, Node | None] = {root: None}
    attributes: dict[Node, dict[str, str]] = {}
    order: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        parent = parents[node]
        inherited = variables[parent] if parent is not None else {}
        own = matched[node]
        custom = {name: value for name, value in own.items() if name.startswith("--")}
        known = {**inherited, **custom} if custom else inherited
        if custom:
            work.take(len(known))
        variables[node] = known
        above = attributes[parent] if parent is not None else {}
        attributes[node] = _attributes(node, own, known, above, work, problems)
        for child in node.elements():
            parents[child] = node
            stack.append(child)
    for node in reversed(order):
        children = [
            done[child] if isinstance(child, Node) else child
            for child in node.children
            if isinstance(child, str) or child.name.rpartition(":")[2] != "style"
        ]
        done[node] = remade(node, attrs=attributes[node], children=children)
    return done[root]


def _attributes(
    node: Node,
    own: Mapping[str, str],
    variables: Mapping[str, str],
    above: Mapping[str, str],
    work: Work,
    problems: list[Problem],
) -> dict[str, str]:
    result = {name: value for name, value in node.attrs.items() if name not in ("style", "class")}
    said = {
        name: value
        for name, value in node.attrs.items()
        if name in PRESENTATION and (value.strip() in _WIDE or "var(" in value)
    }
    for name, value in {**said, **own}.items():
        name = plain_name(name)
        if name.startswith("-"):  # variables, and properties of one program
            continue
        if "var(" in value:
            try:
                filled = _filled(value, variables)
            except OverflowError:
                message = f"the variables in the {short(name)} '{short(value)}' expand to too much"
                problems.append(
                    Problem(
                        "svg/bounds", message, "write their values in place of var()", offset=node.start
                    )
                )
                filled = None
            work.take(0, filled or "")
            if filled is None:  # as if it were not there (CSS Variables 1, 3.1)
                result.pop(name, None)
                continue
            value = filled
        keyword = value.strip().lower()
        if keyword in _WIDE:
            _wide(result, name, keyword, above)
        elif name == "marker":
            for part in ("marker-start", "marker-mid", "marker-end"):
                result[part] = value
        else:
            result[name] = value
    return result


def _wide(result: dict[str, str], name: str, keyword: str, above: Mapping[str, str]) -> None:
    """A keyword that every property takes."""
    inherited = name in INHERITED
    result.pop(name, None)
    if keyword == "initial" and inherited:
        if name in INITIAL:
            result[name] = INITIAL[name]
    elif keyword == "inherit" and not inherited and name in above:
        result[name] = above[name]


def _filled(value: str, variables: Mapping[str, str]) -> str | None:
    """Return a value with its variables put in; None if one is missing. Raises OverflowError where they
    never end, or the value is very long."""
    for _ in range(_MOST_INSIDE):
        match = _VARIABLE.search(value)
        if match is None:
            return value if "var(" not in value else None
        other = variables.get(match[1], match[2])
        if other is None:
            return None
        value = value[: match.start()] + other.strip() + value[match.end() :]
        if len(value) > _MOST_VALUE:
            raise OverflowError
    raise OverflowError


_COMBINED = re.compile(r"\s*[>+~]\s*|\s+")
_AMONG = re.compile(r":nth-|-of-type")
"""Selectors that go through an element's neighbors."""
_MANY = 10


class TooMuchError(Exception):
    """Styles come to more at the elements than is read."""


class Work:
    """The remaining budget for rules and variables on the elements."""

    def __init__(self) -> None:
        self._left = MOST_MATCHED
        self._room = MOST_MARKUP

    def takes(self, properties: int) -> bool:
        """Return True if there is room for that many more properties."""
        self._left -= properties
        return self._left >= 0

    def take(self, properties: int, text: str = "") -> None:
        """Raise TooMuchError if there is no room for them, or for the text."""
        self._room -= len(text)
        if not self.takes(properties) or self._room < 0:
            raise TooMuchError

    def problem(self, root: Node) -> Problem:
        message = f"its styles expand to more than {MOST_MATCHED:,} properties, or to overly long ones"
        return Problem("svg/bounds", message, "delete the rules that nothing uses", offset=root.start)


def matching_work(selector: str, widest: int, deepest: int) -> int:
    """Return the elements that must be looked at to see whether a selector fits one, in a tree of which
    an element has at most `widest` children, and which has `deepest` levels."""
    compounds = _COMBINED.split(selector.strip())
    count = len(compounds) - 1
    beside = selector.count("~")
    above = max(0, count - beside - selector.count(">") - selector.count("+"))
    work = 1 + count
    for side, times in ((widest, beside + bool(_AMONG.search(selector))), (deepest, above)):
        for _ in range(min(times, _MANY)):
            work *= max(1, side)
    return work
