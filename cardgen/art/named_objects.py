"""Named objects of a drawing as Jinja: conditions, repetitions, looks and places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardgen.art.named_labels import (
    FIELD,
    ITEM,
    Attribute,
    Drawing,
    Edits,
    Element,
    Expression,
    Fields,
    Named,
    Path,
    Said,
    expression,
    filled,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import IDENTITY, Matrix, Rect, decimal
from cardgen.svg.lengths import outline_of
from cardgen.svg.outlines import extents, transform_of
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import Node, names, number, numbers


@dataclass(slots=True, eq=False)
class Wrapping:
    """The markup around an object: definitions before all of it, then tags of Jinja and groups."""

    definitions: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


class Work:
    """One drawing, the fields that it may show, and what becomes of it."""

    def __init__(self, drawing: Drawing, name: str, fields: Fields) -> None:
        self.drawing = drawing
        self.name = name
        self.fields = fields
        self.looks = Looks(drawing)
        self.edits = Edits(drawing.source)
        self.problems: list[Problem] = []
        self.reads: set[str] = set()
        self.repeated: dict[Element, Element] = {}
        """Elements that stand in something repeated, or are it, with the outermost such."""
        self.shapes: list[tuple[Path, Problem]] = []
        """Shapes that are filled by what their field turns out to be."""
        self.texts: list[tuple[Path, int]] = []
        """Fields that texts show on every card that has them, with the lines of these."""
        self.added: dict[Element, list[str]] = {}
        """The style of elements without one."""
        self.paints: dict[Element, str] = {}
        """The expressions for the fill of what they paint."""
        self._nearly: list[tuple[Problem, int]] = []
        self._wrapped: dict[Element, Wrapping] = {}
        self._numbers = 0

    def wrapping(self, element: Element) -> Wrapping:
        return self._wrapped.setdefault(element, Wrapping())

    def wrap(self, element: Element, before: str, after: str) -> None:
        """Put something around an object, within what is around it already."""
        wrapping = self.wrapping(element)
        wrapping.before.append(before)
        wrapping.after.insert(0, after)

    def define(self, element: Element, definition: str) -> None:
        """Put a definition before an object, or before all of what is repeated with it, once."""
        self.wrapping(self.repeated.get(element, element)).definitions.append(definition)

    def new_id(self, element: Element, what: str) -> str:
        """Return an id that the drawing has not: named after the object, for findings name it."""
        base = (
            "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in what) or "object"
        )
        id = base
        while id in self.drawing.ids:
            self._numbers += 1
            id = f"{base}-{self._numbers}"
        self.drawing.ids[id] = element
        return id

    def drop(self, element: Element, *names: str) -> None:
        """Leave out attributes of an element, which may have them or not."""
        for name in names:
            attribute = element.attrs.get(name)
            if attribute is not None:
                self.edits.replace(attribute.start, attribute.end, "")

    def attribute(self, element: Element, name: str, value: str) -> None:
        """Give an element an attribute that it has not."""
        self.edits.before(element.start + 1 + len(element.name), f' {name}="{value}"')

    def wrong(
        self,
        code: str,
        message: str,
        hint: str | None,
        at: Element | Attribute,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Remember what is wrong with an object or an attribute of it."""
        self.problems.append(self.place(code, message, hint, at, severity))

    def place(
        self, code: str, message: str, hint: str | None, at: Element | Attribute, severity: Severity
    ) -> Problem:
        """Return a problem at an object or an attribute of it."""
        return self._placed(Problem(code, message, hint, severity), at.start)

    def _placed(self, problem: Problem, at: int) -> Problem:
        """Return the problem with its place in the template's file: line and column, from 1."""
        place = self.name, self.drawing.line(at)
        return replace(problem, place=place, column=self.drawing.column(at))

    def nearly(self, what: str, hint: str | None, at: int) -> None:
        """Remember a name that is nearly a field's, where there is a `hint` which."""
        if hint is not None:
            message = f"'{what}' doesn't name a field, so the object prints unchanged"
            problem = Problem("template/unfilled", message, hint, Severity.WARNING)
            self._nearly.append((problem, at))

    def read(self, path: Path) -> None:
        """Remember a field that is shown."""
        self.reads.add(path[1] if path[0] == "card" and path[1:] else path[0])

    def unknown(self, named: Named) -> None:
        """Remember a `cg:field` that names nothing."""
        hint = self.fields.near(named.text) or "name a field of the cards' schema"
        if named.text.partition(".")[0] == ITEM:
            hint = "use item only in an object with cg:each"
        self.wrong(
            "template/field", f"{FIELD} names '{named.text}', which is not a field", hint, named.said
        )

    def stands_twice(self, attribute: Attribute) -> None:
        """Remember an attribute of which its element has another."""
        message = f"the drawing is not well-formed XML: '{attribute.name}' appears twice on this object"
        self.wrong("svg/syntax", message, "delete one of the two", attribute)

    @property
    def has_changed(self) -> bool:
        """Return True if the template differs from the drawing."""
        return bool(self.edits or self._wrapped or self.added)

    def say_near(self) -> None:
        """Report names close to a field's as slips, in a drawing whose objects are named."""
        self.problems += (self._placed(problem, at) for problem, at in self._nearly)

    def made(self) -> str:
        """Return the template."""
        for element, style in self.added.items():
            self.attribute(element, "style", "".join(style))
        for element, wrapping in self._wrapped.items():
            self.edits.before(element.start, "".join((*wrapping.definitions, *wrapping.before)))
            self.edits.after(element.end, "".join(wrapping.after))
        return self.edits.made()


def escaped(text: str) -> str:
    """Return a text as it stands in an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def attributes(source: str, element: Element, *without: str) -> str:
    """Return the attributes of an element as they stand, but on one line and without some of them."""
    kept = (
        " ".join(source[attribute.start : attribute.end].split("\n"))
        for name, attribute in element.attrs.items()
        if name not in without
    )
    return "".join(f" {each}" for each in kept)


_WHAT = {
    "if": "the condition",
    "each": "the list to repeat",
    "fill": "its fill color",
    "stroke": "its stroke color",
}
_CODES = {
    "if": "template/if",
    "each": "template/each",
    "fill": "template/color",
    "stroke": "template/color",
}
_MOST_COLUMNS = 1_000
_GAP = 1.2
"""The default distance of repeated objects, in their width."""
_SHARES = {"start": 0.0, "left": 0.0, "middle": 0.5, "center": 0.5, "centre": 0.5, "end": 1.0, "right": 1.0}
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*none\s*(?=;|$)")


class _Steps(NamedTuple):
    across: float
    down: float
    columns: int
    share: float


def show_if(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Show an object only on its condition, whether or not it is hidden in the drawing."""
    condition = _read(work, said, item=item)
    if condition is not None:
        work.wrap(element, f"{{% if {condition.source} %}}", "{% endif %}")
        reveal(work, element)


def reveal(work: Work, element: Element) -> None:
    """Show what the drawing program hides while others are drawn."""
    for name, hidden in (("display", "none"), ("visibility", "hidden")):
        attribute = element.attrs.get(name)
        if attribute is not None and attribute.value.strip() == hidden:
            work.edits.replace(attribute.start, attribute.end, "")
    style = element.attrs.get("style")
    if style is not None and (found := _DISPLAY.search(style.raw)) is not None:
        start = style.end - 1 - len(style.raw)
        work.edits.replace(start + found.start(), start + found.end(), "")


def paint(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Paint an object in the color that an expression comes to, if it comes to one."""
    read = _read(work, said, item=item)
    if read is None:
        return
    color = f"({read.source})"
    if said.kind == "fill":
        work.paints[element] = color
    shown = f"{{% if {color} %}};{said.kind}:{{{{ {color} }}}}{{% endif %}}"
    style = element.attrs.get("style")
    if style is not None:
        work.edits.before(style.end - 1, shown)
    else:
        own = work.added.setdefault(element, [])
        own.append(shown)


def repeat(work: Work, element: Element, said: Said, *, item: bool) -> bool:
    """Draw an object once for each item of a list, or as often as a number says, along a line."""
    listed = _read(work, said, item=item)
    if listed is None:
        return False
    steps = _steps(work, element, said)
    if steps is None:
        return False
    value = f"({listed.source})"
    loop = f"{{% for item in (range({value}|int) if {value} is number else {value}) %}}"
    share, columns = steps.share, steps.columns
    if columns:
        in_row = f"([loop.length - loop.index0 // {columns} * {columns}, {columns}]|min)"
        across = _shift(steps.across, f"loop.index0 % {columns}", in_row, share)
        down = _shift(steps.down, f"loop.index0 // {columns}", "1", share)
    else:
        across = _shift(steps.across, "loop.index0", "loop.length", share)
        down = _shift(steps.down, "loop.index0", "1" if not steps.across else "loop.length", share)
    group = f'<g transform="translate({{{{ {across} }}}} {{{{ {down} }}}})">'
    work.wrap(element, f"{{% if {filled(value)} %}}{loop}{group}", "</g>{% endfor %}{% endif %}")
    return True


def _shift(step: float, place: str, count: str, share: float) -> str:
    """Return how far to move an item, so that the first, middle or last one keeps the drawn place."""
    if not step:
        return "0"
    moved = f"({place}) * {decimal(step, 4)}"
    return moved if not share or count == "1" else f"{moved} - ({count} - 1) * {decimal(step * share, 4)}"


def _steps(work: Work, element: Element, named: Said) -> _Steps | None:
    """Return the steps between an object's copies, from its attributes or name, or else its width."""
    options = _options(work, named)
    if options is None:
        return None
    said = element.get("cg:step") or options.get("step")
    align = (element.get("cg:align") or options.get("align", "start")).strip()
    columns = number((element.get("cg:columns") or options.get("columns", "0")).strip())
    if align not in _SHARES:
        hint = "write start, middle or end"
        at = element.attrs.get("cg:align", named.said)
        work.wrong("template/each", f"the alignment of the copies can't be '{align}'", hint, at)
        return None
    if columns is None or not 0 <= columns <= _MOST_COLUMNS or columns != int(columns):
        at = element.attrs.get("cg:columns", named.said)
        work.wrong(
            "template/each", "the number of columns is not a whole number", 'write a number such as "4"', at
        )
        return None
    box = work.looks.box(element)
    if said is None:
        if box is None:
            message = "the distance between its copies can't be read from the drawing"
            hint = 'set it in the units of the drawing: cg:step="5", or cg:step="0 5" for a column'
            work.wrong("template/each", message, hint, element)
            return None
        return _Steps(box.width * _GAP, box.height * _GAP if columns else 0.0, int(columns), _SHARES[align])
    found = numbers(said)
    if not 1 <= len(found) <= 2 or said.strip(" ,.-+0123456789"):
        hint = 'set the distance between the copies, such as cg:step="5", or "0 5" for a column'
        at = element.attrs.get("cg:step", named.said)
        work.wrong("template/each", f"the step between the copies can't be '{said}'", hint, at)
        return None
    down = found[1] if len(found) == 2 else (found[0] if columns else 0.0)
    return _Steps(found[0], down, int(columns), _SHARES[align])


def _options(work: Work, named: Said) -> dict[str, str] | None:
    """Return the options in a name for its copies: `each: stars; end; step 5; columns 4`."""
    found: dict[str, str] = {}
    for option in named.options:
        word, _, value = option.partition(" ")
        if word in _SHARES and not value:
            found["align"] = word
        elif word in ("step", "columns") and value:
            found[word] = value
        else:
            hint = "after a semicolon write start, middle or end; step 5; columns 4"
            work.wrong("template/each", f"'{option}' is not an option for copies", hint, named.said)
            return None
    return found


def _read(work: Work, said: Said, *, item: bool) -> Expression | None:
    """Return the expression of an object; None after a problem."""
    read = expression(said.text, work.fields, item=item)
    what = _WHAT[said.kind]
    if read.wrong is not None:
        hint = "write it as in templates, with plain field names: cost > 3"
        message = f"{what}, '{said.text}', can't be read: {read.wrong}"
        work.wrong(_CODES[said.kind], message, hint, said.said)
        return None
    if read.unknown:
        hint = work.fields.near(read.unknown[0]) or "use fields of the cards' schema"
        if said.kind != "each":
            hint += f" (put text in quotes: '{read.unknown[0]}')"
        message = f"{what} names '{read.unknown[0]}', which is not a field"
        work.wrong("template/field", message, hint, said.said)
        return None
    work.reads |= read.reads
    return read


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
    outline = outline_of(node)
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
