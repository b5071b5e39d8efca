"""Named objects of a drawing as Jinja: conditions, repetitions, looks, and what a field fills."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from cardgen.art.named_labels import (
    FIELD,
    ITEM,
    OWN,
    SHAPES,
    SHAPING,
    Attribute,
    Drawing,
    Edits,
    Element,
    Fields,
    Looks,
    Named,
    Path,
    Said,
    between,
    expression,
    filled,
    has_code,
    has_value,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import Rect, decimal
from cardgen.svg.style import url_targets
from cardgen.svg.tree import number, numbers


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
        self.near: list[Problem] = []
        """Names close to a field's, which are slips in a drawing whose objects are named."""
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
        self.problems.append(self.problem(code, message, hint, at.start, severity))

    def problem(
        self, code: str, message: str, hint: str | None, start: int, severity: Severity = Severity.WARNING
    ) -> Problem:
        """Return a problem with its place in the template's file: line and column, from 1."""
        place = self.name, self.drawing.line(start)
        return Problem(code, message, hint, severity, place=place, column=self.drawing.column(start))

    def nearly(self, what: str, hint: str | None, at: int) -> None:
        """Remember a name that is nearly a field's, where there is a `hint` which."""
        if hint is not None:
            message = f"'{what}' doesn't name a field, so the object prints unchanged"
            self.near.append(self.problem("template/unfilled", message, hint, at))

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


class ObjectError(Exception):
    """An error in what an object asks for: a code, a message, a hint and its place."""

    def __init__(self, code: str, message: str, hint: str | None, at: Element | Attribute) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.at = code, message, hint, at


def show_if(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Show an object only on its condition, whether or not it is hidden in the drawing. Raises
    ObjectError."""
    work.wrap(element, f"{{% if {_read(work, said, item=item)} %}}", "{% endif %}")
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
    """Paint an object in the color that an expression comes to, if it comes to one. Raises ObjectError."""
    color = f"({_read(work, said, item=item)})"
    if said.kind == "fill":
        work.paints[element] = color
    shown = f";{said.kind}:{{{{ {color} }}}}"
    if element.name == "use" and said.kind == "fill":  # an icon takes its color
        shown += f";color:{{{{ {color} }}}}"
    shown = f"{{% if {color} %}}{shown}{{% endif %}}"
    style = element.attrs.get("style")
    if style is not None:
        work.edits.before(style.end - 1, shown)
    else:
        own = work.added.setdefault(element, [])
        own.append(shown)


def repeat(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Draw an object once for each item of a list, or as often as a number says, along a line. Raises
    ObjectError."""
    value = f"({_read(work, said, item=item)})"
    steps = _steps(work, element, said)
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


def _shift(step: float, place: str, count: str, share: float) -> str:
    """Return how far to move an item, so that the first, middle or last one keeps the drawn place."""
    if not step:
        return "0"
    moved = f"({place}) * {decimal(step, 4)}"
    return moved if not share or count == "1" else f"{moved} - ({count} - 1) * {decimal(step * share, 4)}"


def _steps(work: Work, element: Element, named: Said) -> _Steps:
    """Return the steps between an object's copies, from its attributes or name, or else its width. Raises
    ObjectError."""
    options = _options(named)
    options |= {name: said for name in ("step", "align", "columns") if (said := element.get(f"cg:{name}"))}
    said, align = options.get("step"), options.get("align", "start").strip()
    columns = number(options.get("columns", "0").strip())

    def error(name: str, message: str, hint: str) -> ObjectError:
        return ObjectError("template/each", message, hint, element.attrs.get(f"cg:{name}", named.said))

    if align not in _SHARES:
        message = f"the alignment of the copies can't be '{align}'"
        raise error("align", message, "write start, middle or end")
    if columns is None or not 0 <= columns <= _MOST_COLUMNS or columns != int(columns):
        hint = 'write a number such as "4"'
        raise error("columns", "the number of columns is not a whole number", hint)
    box = work.looks.box(element)
    if said is None:
        if box is None:
            message = "the distance between its copies can't be read from the drawing"
            hint = 'set it in the units of the drawing: cg:step="5", or cg:step="0 5" for a column'
            raise ObjectError("template/each", message, hint, element)
        return _Steps(box.width * _GAP, box.height * _GAP if columns else 0.0, int(columns), _SHARES[align])
    found = numbers(said)
    if not 1 <= len(found) <= 2 or said.strip(" ,.-+0123456789"):
        hint = 'set the distance between the copies, such as cg:step="5", or "0 5" for a column'
        raise error("step", f"the step between the copies can't be '{said}'", hint)
    down = found[1] if len(found) == 2 else (found[0] if columns else 0.0)
    return _Steps(found[0], down, int(columns), _SHARES[align])


def _options(named: Said) -> dict[str, str]:
    """Return the options in a name for its copies: `each: stars; end; step 5; columns 4`. Raises
    ObjectError."""
    found: dict[str, str] = {}
    for option in named.options:
        word, _, value = option.partition(" ")
        if word in _SHARES and not value:
            found["align"] = word
        elif word in ("step", "columns") and value:
            found[word] = value
        else:
            hint = "write start, middle or end, step 5 or columns 4 after a semicolon"
            message = f"'{option}' is not an option for copies"
            raise ObjectError("template/each", message, hint, named.said)
    return found


def _read(work: Work, said: Said, *, item: bool) -> str:
    """Return the expression of an object, as the template has it. Raises ObjectError."""
    what = _WHAT[said.kind]
    try:
        read = expression(said.text, work.fields, item=item)
    except ValueError as error:
        hint = "write it as in templates, with plain field names: cost > 3"
        message = f"{what}, '{said.text}', can't be read: {error}"
        raise ObjectError(_CODES[said.kind], message, hint, said.said) from None
    if read.unknown:
        hint = work.fields.near(read.unknown[0]) or "use fields of the cards' schema"
        if said.kind != "each":
            hint += f" (put text in quotes: '{read.unknown[0]}')"
        message = f"{what} names '{read.unknown[0]}', which is not a field"
        raise ObjectError("template/field", message, hint, said.said)
    work.reads |= read.reads
    return read.source


_AT = ("x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust")
_LEAST = 0.75
"""The least size of type in a box, in that of the sample, where the text says none."""
_ABOVE, _BELOW = 0.8, 0.25
"""The reach of letters from their line, in their size."""
_TAG = re.compile(r"<[^<>]*>")
_ONE_LINE = 1.9
"""A box of fewer times the size of type is for one line."""
_TURN = 1e-6
PATTERN = re.compile(r"(?<!\{)\{\s{0,9}([^\W\d][\w-]{0,99}(?:\.[^\W\d][\w-]{0,99}){0,9})\s{0,9}\}(?!\})")
"""A field among the words of a sample: {cost}."""
_ALIGNED = {"left": "start", "center": "center", "centre": "center", "right": "end", "justify": "justify"}
_ANCHORED = {"left": "start", "center": "middle", "centre": "middle", "right": "end"}
_UPRIGHT = ("top", "middle", "bottom")
_SIDES = ("x", "y", "width", "height")


def fill_text(work: Work, element: Element, named: Named, path: Path, box: Element | None) -> None:
    """Print a field as a text; the text is gone where the card has no value, or stays as it is drawn if its
    name says `shown`. `box` is a rectangle of its name."""
    value = work.fields.value(path)
    if named.kind == "shown":
        work.wrap(element, f"{{% if {filled(value)} %}}", "{% endif %}")
        return
    work.wrap(element, f"{{% if {has_value(value)} %}}", "{% endif %}")
    style = work.looks.own(element)
    boxed = style.get("shape-inside", "none") not in ("none", "auto") or "inline-size" in style
    if not boxed and box is not None:
        boxed = _box(work, element, named, box)
    around = ("", "")
    if not boxed and box is None and named.words & set(_ANCHORED):
        anchor = next(_ANCHORED[word] for word in sorted(named.words) if word in _ANCHORED)
        if (sample := _sample(work, element)) is None:
            _say(work, element, "text-anchor", anchor)
        else:
            start = sample.split(" ", 2)[1]
            said = _quoted(sample)
            around = (f'<tspan x="{start}" style="text-anchor:{anchor}" cg:sample={said}>', "</tspan>")
    if not boxed and (lines := _lines(element)) > 1:
        message = (
            f"the text '{named.text}' has {lines} lines but no box, so they all print on the first line"
        )
        hint = f"draw a rectangle for it, and name the rectangle '{named.text}' too"
        work.wrong("template/box", message, hint, element, Severity.WARNING)
    _exchange(work, element, _printed(value, named, boxed=boxed), boxed=boxed, around=around)


def _printed(value: str, named: Named, *, boxed: bool) -> str:
    """Return the expression that prints a value: a list with commas, Markdown in a box."""
    listed = _listed(value)
    if named.kind == "markdown" or (boxed and named.kind != "plain"):
        return f"{listed}|md" if boxed else f"{listed}|md(inline=true)"
    return listed


def _listed(value: str) -> str:
    """Return the expression for a value, a list's items with commas between."""
    is_list = f"{value} is sequence and {value} is not string"
    return f"({value}|map('yes_no')|join(', ') if {is_list} else {value}|yes_no)"


def _exchange(work: Work, element: Element, printed: str, *, boxed: bool, around: tuple[str, str]) -> None:
    """Replace the sample by what is printed, in the style of the sample's first words."""
    source = work.drawing.source
    opening, closing = "", ""
    for part in _first(source, element):
        kept = attributes(source, part, "id", *(_AT if boxed else ()))
        opening += f"<{part.name}{kept}>"
        closing = f"</{part.name}>{closing}"
    filling = f"{opening}{around[0]}{{{{ {printed} }}}}{around[1]}{closing}"
    if element.is_empty:
        work.edits.replace(element.inside - 2, element.inside, f">{filling}</{element.name}>")
    else:
        work.edits.replace(element.inside, element.outside, filling, lines_at=" }}")


def _quoted(text: str) -> str:
    """Return a text as the value of an attribute, in quotes and on one line."""
    return f'"{escaped(text)}"'.replace("\n", "&#10;").replace("\t", "&#9;")


def _first(source: str, element: Element) -> list[Element]:
    """Return the parts of a text around its first words, from the outside in."""
    parts: list[Element] = []
    current = element
    while current.children:
        first = current.children[0]
        if first.name != "tspan" or not first.whole or source[current.inside : first.start].strip():
            break
        parts.append(first)
        current = first
    return parts


def _sample(work: Work, element: Element) -> str | None:
    """Return the lines of a sample as `cg:sample` has them; None if it can't be told where they stand."""
    if element.is_empty or has_code(work.drawing.content(element)):
        return None
    placed = [part for part in element.iter() if part is not element and "x" in part.attrs] or [element]
    lines = []
    for part in placed:
        said = part.attrs.get("x")
        x = number(said.raw.strip().removesuffix("px")) if said is not None else 0.0
        anchor = work.looks.style(part).get("text-anchor", "start")
        words = " ".join(unescape(_TAG.sub("", work.drawing.content(part))).split())
        if x is None or anchor not in _ANCHORED.values() or not words:
            return None
        lines.append(f"{anchor} {x:.9g} {words}")
    return "\n".join(lines)


def _lines(element: Element) -> int:
    """Return how many lines a sample has, judged by the positions of its parts."""
    heights = {
        part.get("y") for part in element.iter() if part is not element and part.get("y") is not None
    }
    return max(1, len(heights))


def fill_among(work: Work, element: Element, *, item: bool) -> None:
    """Put fields among the words of a text: `{title} costs {cost}`. One that a card has not is nothing."""
    content = work.drawing.content(element)
    if has_code(content):
        return
    for found in PATTERN.finditer(content):
        if content.rfind("<", 0, found.start()) > content.rfind(">", 0, found.start()):  # within a tag
            continue
        path = work.fields.stated(found[1], item=item)
        start, end = element.inside + found.start(), element.inside + found.end()
        if path is None:
            work.nearly(found[0], work.fields.misses(found[1]), start)
            continue
        value = work.fields.value(path)
        printed = f"{{% if {has_value(value)} %}}{{{{ {_listed(value)} }}}}{{% endif %}}"
        work.edits.replace(start, end, printed)
        work.read(path)


# ---- boxes


def _box(work: Work, element: Element, named: Named, box: Element) -> bool:
    """Set a text into a rectangle: with its place in the text's own units, and as the sample stands in
    it. False after a problem."""
    rect = box_rect(work, element, box)
    if rect is None:
        message = f"the box '{named.text}' can't be related to its text"
        hint = "put both into one group, unrotated, and give the rectangle plain numbers"
        work.wrong("template/box", message, hint, box)
        return False
    id = work.new_id(element, f"{'.'.join(named.path or ())}-box")
    work.define(element, f'<defs><rect id="{id}" {rect}/></defs>')
    work.attribute(element, "shape-inside", f"url(#{id})")
    if "cg:fit" not in element.attrs and "cg:steps" not in element.attrs:
        work.attribute(element, "cg:fit", "shrink")
        size = work.looks.size(element)
        if "cg:min-size" not in element.attrs and size:
            work.attribute(element, "cg:min-size", decimal(size * _LEAST, 4))
    upright = next((word for word in _UPRIGHT if word in named.words), None)
    if "cg:valign" not in element.attrs:
        work.attribute(element, "cg:valign", upright or _valign(work, element, box))
    align = next((_ALIGNED[word] for word in sorted(named.words) if word in _ALIGNED), None)
    if align is not None:
        _say(work, element, "text-align", align)
    return True


def _say(work: Work, element: Element, name: str, value: str) -> None:
    """Give an element a property that goes before all others of that name."""
    style = element.attrs.get("style")
    if style is None:
        work.added.setdefault(element, []).append(f";{name}:{value}")
    else:
        work.edits.before(style.end - 1, f";{name}:{value}")


def box_rect(work: Work, element: Element, box: Element) -> str | None:
    """Return the attributes of a rectangle in the units of another element; None if they can't be told."""
    matrix = between(work.looks, box, element)
    same = box.parent is element.parent and not {"transform"} & {*box.attrs, *element.attrs}
    if same:
        return _stated_box(box)
    rect = work.looks.box(box)
    if matrix is None or rect is None or abs(matrix.b) > _TURN or abs(matrix.c) > _TURN:
        return None
    return spelled(matrix.around(rect))


def spelled(rect: Rect) -> str:
    """Return a rectangle as attributes."""
    return " ".join(f'{name}="{decimal(getattr(rect, name), 4)}"' for name in _SIDES)


def _stated_box(box: Element) -> str:
    """Return a rectangle as its own attributes state it, on one line."""
    stated = (f'{name}="{box.attrs[name].raw}"' for name in _SIDES if name in box.attrs)
    return " ".join(" ".join(stated).split("\n"))


def _valign(work: Work, element: Element, box: Element) -> str:
    """Return the vertical alignment of a sample in its box."""
    matrix, rect = between(work.looks, box, element), work.looks.box(box)
    size = work.looks.size(element)
    if matrix is None or rect is None or not size:
        return "top"
    rect = matrix.around(rect)
    if rect.height < _ONE_LINE * size:
        return "middle"
    lines = [y for part in element.iter() if (y := _height(part)) is not None]
    if not lines:
        return "top"
    above = min(lines) - _ABOVE * size - rect.y
    below = rect.bottom - max(lines) - _BELOW * size
    if abs(above - below) <= 0.2 * rect.height and min(above, below) > 0.3 * size:
        return "middle"
    return "bottom" if below < above and below < 0.2 * rect.height else "top"


def _height(part: Element) -> float | None:
    said = part.attrs.get("y")
    if said is None or said.is_code:
        return None
    try:
        return float(said.raw.split()[0].removesuffix("px"))
    except (ValueError, IndexError):
        return None


FILLED = SHAPES - {"line", "polyline"}
"""Shapes that hold something."""
_HREFS = ("href", "xlink:href")
_AROUND = ("transform", "opacity", "mix-blend-mode", "filter", "mask", "clip-path")
"""Properties that hold for what is drawn in the place of a shape as they held for that."""
_ENDINGS = ["gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]
_UPWARD = re.compile(r"^(?:\.\./)+")
"""The path from a template to a folder of the project."""
_SLICE = "xMidYMid slice"
_FILE = re.compile(
    r"(?:(?P<folder>(?:[^/\\%:.][^/\\%:]*/)*))(?P<stem>[^/\\%:]+)\.(?P<ending>[A-Za-z]{3,4})"
)
_STROKES = ("stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin")


def show(work: Work, element: Element, path: Path) -> None:
    """Show an object as it is drawn where its field says something."""
    work.wrap(element, f"{{% if {filled(work.fields.value(path))} %}}", "{% endif %}")


def fill_image(work: Work, element: Element, path: Path) -> None:
    """Show the file that a field names in the place of a sample, cropped to its box."""
    value = work.fields.value(path)
    show(work, element, path)
    said = [element.attrs[name] for name in _HREFS if name in element.attrs]
    printed = f"{{{{ {_file(value, said[0].value if said else '')} }}}}"
    for attribute in said[1:]:
        work.edits.replace(attribute.start, attribute.end, "")
    if said:
        work.edits.replace(said[0].start, said[0].end, f'{said[0].name}="{printed}"')
    else:
        work.attribute(element, "href", printed)
    aspect = element.attrs.get("preserveAspectRatio")
    if aspect is None:
        work.attribute(element, "preserveAspectRatio", _SLICE)
    elif aspect.value.strip() == "none":  # as Inkscape writes it: other pictures have other proportions
        work.edits.replace(aspect.start, aspect.end, f'preserveAspectRatio="{_SLICE}"')


def _file(value: str, sample: str) -> str:
    """Return the expression for a picture's file: beside the sample and with its ending, unless the
    value says other ones."""
    found = _FILE.fullmatch(_UPWARD.sub("", sample))
    folder = found["folder"] if found is not None else ""
    ending = f".{found['ending']}" if found is not None else ""
    named = f"{value} ~ ('' if '.' in {value}|string else '{ending}')" if ending else value
    if folder and "'" not in folder:
        return f"('' if '/' in {value}|string else '{folder}') ~ {named}"
    return named


def _is_file(value: str) -> str:
    """Return the condition that a text is a picture's name."""
    return f"{value}.rpartition('.')[2]|lower in {_ENDINGS}"


def fill_shape(work: Work, element: Element, named: Named, path: Path) -> None:
    """Fill a shape: a file's name becomes a picture cropped to it, a color its fill, any other word an
    icon in its box. It stays as it is where the field holds a number or just says yes."""
    value = work.fields.value(path)
    show(work, element, path)
    if named.kind == "shown":
        return
    photo = _photo(work, element)
    kinds = {
        "picture": photo is not None or named.kind == "picture",
        "color": named.kind == "color",
        "icon": named.kind == "icon",
    }
    only = next((kind for kind, so in kinds.items() if so), None)
    markup = {
        kind: make(work, element, named, value)
        for kind, make in (("color", _colored), ("picture", _picture), ("icon", _icon))
        if only in (None, kind)
    }
    if any(made is None for made in markup.values()):
        if only is None and not named.explicit:
            return
        message = f"the box of '{named.text}' can't be read from the drawing"
        hint = "give it plain numbers, or name another shape"
        work.wrong("template/box", message, hint, element)
        return
    if only is None:
        message = f"the object '{named.text}' is a shape, but its field contains text"
        hint = f"export text as text, not as paths; if it is an icon, name the object '{named.text}: icon'"
        work.shapes.append((path, work.problem("template/outlined", message, hint, element.start)))
    if only is not None:
        inner = markup[only] or ""
        if photo is not None:
            _forget(work, element, photo)
            work.edits.replace(element.start, element.end, inner, lines_at="/>")
            return
    else:
        inner = (
            f"{{% if {value}.startswith('#') %}}{markup['color']}{{% elif {_is_file(value)} %}}"
            f"{markup['picture']}{{% else %}}{markup['icon']}{{% endif %}}"
        )
    work.wrap(element, f"{{% if {value} is string %}}{inner}{{% else %}}", "{% endif %}")


def fill_use(work: Work, element: Element, path: Path) -> None:
    """Show another icon in the place of one; what else is shown again is there or not."""
    value = work.fields.value(path)
    show(work, element, path)
    target = _target(element)
    if target is not None and target.value.startswith("#icon-"):
        work.edits.replace(target.start, target.end, f'{target.name}="#icon-{{{{ {value} }}}}"')


def fill_group(work: Work, element: Element, named: Named, path: Path) -> None:
    """Show a group where its field says something; or exchange it for an icon or a picture."""
    if named.kind in ("icon", "picture", "color"):
        fill_shape(work, element, named, path)
        return
    show(work, element, path)


# ---- what a value becomes


def _colored(work: Work, element: Element, named: Named, value: str) -> str | None:
    """Return the shape in the color that the field names."""
    if element.name == "g":
        inner = work.drawing.content(element).replace("\n", " ")
        return f'<g{_kept(work, element)} fill="{{{{ {value} }}}}">{inner}</g>'
    style = {**work.looks.own(element), "fill": f"{{{{ {value} }}}}"}
    shape = attributes(work.drawing.source, element, *OWN, "id", "fill", "style", "class")
    return f'<{element.name}{shape} style="{_spelled(style)}"/>'


def _kept(work: Work, element: Element) -> str:
    return attributes(work.drawing.source, element, *OWN, "id", "fill")


def _picture(work: Work, element: Element, named: Named, value: str) -> str | None:
    """Return a picture that fills the shape and is cropped to it, and the shape's line around it."""
    box = _picture_box(work, element)
    if box is None:
        return None
    before, after = _around(work, element)
    file = _file(value, _picture_sample(work, element))
    image = f'<image href="{{{{ {file} }}}}" {box} preserveAspectRatio="{_SLICE}"'
    source = work.drawing.source
    plain = element.name in ("rect", "g") and not {"rx", "ry"} & element.attrs.keys()
    if plain:
        image += "/>"
    else:
        shape = attributes(source, element, *(element.attrs.keys() - SHAPING - {"clip-rule"}))
        id = work.new_id(element, f"{'.'.join(named.path or ())}-clip")
        work.define(element, f'<defs><clipPath id="{id}"><{element.name}{shape}/></clipPath></defs>')
        image += f' clip-path="url(#{id})"/>'
    look = work.looks.style(element)
    if element.name in SHAPES and look.get("stroke", "none") != "none":
        line = {name: look[name] for name in _STROKES if name in look}
        shape = attributes(source, element, *(element.attrs.keys() - SHAPING))
        image += f'<{element.name}{shape} style="fill:none;{_spelled(line)}"/>'
    return f"{before}{image}{after}"


def _icon(work: Work, element: Element, named: Named, value: str) -> str | None:
    """Return an icon in the shape's box and its color."""
    box = _picture_box(work, element)
    if box is None:
        return None
    before, after = _around(work, element)
    color = _color(work, element)
    shown = f' color="{escaped(color)}"' if color is not None else ""
    if (said := work.paints.get(element)) is not None:
        shown = f' color="{{% if {said} %}}{{{{ {said} }}}}{{% else %}}{color or "black"}{{% endif %}}"'
    return f'{before}<use href="#icon-{{{{ {value} }}}}" {box}{shown}/>{after}'


def _color(work: Work, element: Element) -> str | None:
    """Return the color that an object is painted in: its fill, or else its line, or that of what is in
    it."""
    for each in element.iter():
        look = work.looks.style(each)
        if each.name not in SHAPES:
            continue
        for name in ("fill", "stroke"):
            said = look.get(name, "black" if name == "fill" else "none")
            if said != "none" and "url(" not in said and "{%" not in said:
                return look.get("color", "black") if said.lower() == "currentcolor" else said
    return None


def _picture_box(work: Work, element: Element) -> str | None:
    """Return the attributes of the box around a shape, in its own units; None if they can't be told."""
    if element.name == "rect" and {"width", "height"} <= element.attrs.keys():
        return _stated_box(element)
    box = work.looks.box(element)
    return None if box is None else spelled(box)


def _around(work: Work, element: Element) -> tuple[str, str]:
    """Return a group with what holds for the shape as a whole, where there is such."""
    own = work.looks.own(element)
    transform = element.attrs.get("transform")
    said = {name: own[name] for name in _AROUND if name in own}
    parts = f' transform="{transform.raw}"' if transform is not None else ""
    if said:
        parts += f' style="{_spelled(said)}"'
    return (f"<g{' '.join(parts.split(chr(10)))}>", "</g>") if parts else ("", "")


def _spelled(properties: dict[str, str]) -> str:
    return escaped(";".join(f"{name}:{value}" for name, value in properties.items())).replace("\n", " ")


# ---- photographs, as Figma fills shapes with them


def _photo(work: Work, element: Element) -> list[Element] | None:
    """Return the pattern that a shape is filled with, and what it shows, if that is an image."""
    fill = work.looks.own(element).get("fill", "")
    if "url(" not in fill:
        return None
    pattern = work.drawing.ids.get(url_targets(fill)[0].removeprefix("#"))
    if pattern is None or pattern.name != "pattern" or not pattern.whole:
        return None
    shown = [pattern]
    for part in pattern.iter():
        if part.name == "use" and (target := _target(part)) is not None:
            image = work.drawing.ids.get(target.value.removeprefix("#"))
            if image is not None and image.name == "image":
                shown.append(image)
        elif part.name == "image":
            shown.append(part)
    return shown if len(shown) > 1 else None


def _target(element: Element) -> Attribute | None:
    return next((element.attrs[name] for name in _HREFS if name in element.attrs), None)


def _picture_sample(work: Work, element: Element) -> str:
    """Return the file that a shape is filled with for a sample, if any."""
    for each in _photo(work, element) or ():
        target = _target(each) if each.name == "image" else None
        if target is not None and not target.raw.startswith("data:"):
            return target.value
    return ""


def _forget(work: Work, element: Element, photo: list[Element]) -> None:
    """Leave out the pattern of a shape that is filled otherwise, and its image, unless others show them."""
    source = work.drawing.source
    pattern, *images = photo
    if source.count(f"#{pattern.get('id')}") == 1:
        for image in images:
            inside = pattern in image.around()
            if image.whole and not inside and source.count(f"#{image.get('id')}") == 1:
                work.edits.replace(image.start, image.end, "")
        work.edits.replace(pattern.start, pattern.end, "")
