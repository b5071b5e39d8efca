"""Named objects of a drawing as Jinja: conditions, repetitions, looks, and the content for a field."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from cardgen.art.named_labels import (
    OWN,
    SHAPES,
    SHAPING,
    Attribute,
    Drawing,
    Edits,
    Element,
    FieldLabel,
    Fields,
    Instruction,
    Looks,
    Path,
    expression,
    filled,
    has_code,
    has_value,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import Rect, decimal
from cardgen.files.reading import RASTERS
from cardgen.svg.style import url_targets
from cardgen.svg.tree import number, numbers


class ObjectError(Exception):
    """An error in an object's instructions: a code, a message, a hint and its place."""

    def __init__(self, code: str, message: str, hint: str | None, at: Element | Attribute) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.at = code, message, hint, at


class Work:
    """One drawing, the fields that it may show, and its edits."""

    def __init__(self, drawing: Drawing, name: str, fields: Fields) -> None:
        self.drawing = drawing
        self.name = name
        self.fields = fields
        self.looks = Looks(drawing)
        self.edits = Edits(drawing.source)
        self.problems: list[Problem] = []
        self.reads: set[str] = set()
        self.repeated: dict[Element, Element] = {}
        """Elements that are repeated, or inside a repeated one, with the outermost such element."""
        self.shapes: list[tuple[Path, Problem]] = []
        """Shapes whose filling depends on their field's value."""
        self.paints: dict[Element, str] = {}
        """The expressions for the fill of the elements that they paint."""
        self._added: dict[Element, str] = {}
        """The style of elements without one."""

    def wrap(self, element: Element, before: str, after: str) -> None:
        """Put texts around an object, within those around it already."""
        self.edits.wrap(element.start, element.end, before, after)

    def show_if(self, element: Element, condition: str) -> None:
        """Print an object only if a condition is true."""
        self.wrap(element, f"{{% if {condition} %}}", "{% endif %}")

    def define(self, element: Element, definition: str) -> None:
        """Insert a definition before an object, or before everything repeated with it, once."""
        self.edits.insert(self.repeated.get(element, element).start, definition, first=True)

    def new_id(self, element: Element, path: Path, ending: str) -> str:
        """Return a new id for the drawing, named after the field, because findings show it."""
        base = "".join(each if each.isalnum() or each in "._-" else "-" for each in ".".join(path))
        id, count = f"{base}-{ending}", 0
        while id in self.drawing.ids:
            count += 1
            id = f"{base}-{ending}-{count}"
        self.drawing.ids[id] = element
        return id

    def drop(self, element: Element, *names: str) -> None:
        """Remove attributes of an element, if it has them."""
        for name in names:
            if (attribute := element.attrs.get(name)) is not None:
                self.edits.replace(attribute.start, attribute.end, "")

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Add a missing attribute to an element."""
        self.edits.insert(element.start + 1 + len(element.name), f' {name}="{value}"')

    def add_style(self, element: Element, declarations: str) -> None:
        """Add declarations to an element that have priority over all others."""
        style = element.attrs.get("style")
        if style is None:
            self._added[element] = self._added.get(element, "") + declarations
        else:
            self.edits.insert(style.end - 1, declarations)

    def wrong(
        self,
        code: str,
        message: str,
        hint: str | None,
        at: Element | Attribute,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Record a problem of an object or an attribute of it."""
        self.problems.append(self.problem(code, message, hint, at.start, severity))

    def problem(
        self, code: str, message: str, hint: str | None, start: int, severity: Severity = Severity.WARNING
    ) -> Problem:
        """Return a problem with its place in the template's file: line and column, from 1."""
        place = self.name, self.drawing.line(start)
        return Problem(code, message, hint, severity, place=place, column=self.drawing.column(start))

    def read(self, path: Path) -> None:
        """Record a shown field."""
        self.reads.add(path[1] if path[0] == "card" and path[1:] else path[0])

    @property
    def has_changed(self) -> bool:
        """Return True if the template differs from the drawing."""
        return bool(self.edits or self._added)

    def made(self) -> str:
        """Return the template."""
        for element, style in self._added.items():
            self.set_attribute(element, "style", style)
        return self.edits.made()


def escaped(text: str) -> str:
    """Return a text as the value of an attribute on one line."""
    text = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return text.replace("\n", "&#10;").replace("\t", "&#9;")


def attributes(work: Work, element: Element, *without: str) -> str:
    """Return the attributes of an element as written, but on one line and without some of them."""
    source = work.drawing.source
    kept = (each for name, each in element.attrs.items() if name not in without)
    return "".join(f" {source[each.start : each.end]}" for each in kept).replace("\n", " ")


# ---- instructions


class _Asked(NamedTuple):
    """The code of findings about an instruction, and its name in them."""

    code: str
    name: str


_ASKED = {
    "if": _Asked("template/if", "the condition"),
    "each": _Asked("template/each", "the list to repeat"),
    "fill": _Asked("template/color", "its fill color"),
    "stroke": _Asked("template/color", "its stroke color"),
}
_MOST_COLUMNS = 1_000
_GAP = 1.2
"""The default distance of repeated objects, in their width."""
_SHARES = {"start": 0.0, "left": 0.0, "middle": 0.5, "center": 0.5, "centre": 0.5, "end": 1.0, "right": 1.0}
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*none\s*(?=;|$)")


def follow(work: Work, element: Element, instruction: Instruction) -> None:
    """Apply an object's condition, repetition or paint. Raises ObjectError."""
    is_paint = instruction.kind in ("fill", "stroke")
    item = (element if is_paint else element.parent) in work.repeated
    value = _read(work, instruction, item=item)
    if instruction.kind == "if":
        work.show_if(element, value)
        reveal(work, element)
    elif instruction.kind == "each":
        _repeat(work, element, instruction, f"({value})")
    else:
        _paint(work, element, instruction.kind, f"({value})")


def _read(work: Work, instruction: Instruction, *, item: bool) -> str:
    """Return the expression of an object for the template. Raises ObjectError."""
    code, what = _ASKED[instruction.kind]
    try:
        read = expression(instruction.text, work.fields, item=item)
    except ValueError as error:
        hint = "write it as in templates, with plain field names: cost > 3"
        message = f"{what}, '{instruction.text}', can't be read: {error}"
        raise ObjectError(code, message, hint, instruction.attribute) from None
    if read.unknown:
        name = read.unknown[0]
        hint = work.fields.near(name) or "use fields of the cards' schema"
        if instruction.kind != "each":
            hint += f" (put text in quotes: '{name}')"
        message = f"{what} names '{name}', which is not a field"
        raise ObjectError("template/field", message, hint, instruction.attribute)
    for path in read.reads:
        work.read(path)
    return read.source


def reveal(work: Work, element: Element) -> None:
    """Show an object that the drawing program hides while others are drawn."""
    for name, hidden in (("display", "none"), ("visibility", "hidden")):
        if (element.get(name) or "").strip() == hidden:
            work.drop(element, name)
    style = element.attrs.get("style")
    if style is not None and (found := _DISPLAY.search(style.raw)) is not None:
        start = style.end - 1 - len(style.raw)
        work.edits.replace(start + found.start(), start + found.end(), "")


def _paint(work: Work, element: Element, kind: str, color: str) -> None:
    """Paint an object in the color that an expression returns, if it returns one."""
    shown = f";{kind}:{{{{ {color} }}}}"
    if kind == "fill":
        work.paints[element] = color
        if element.name == "use":  # an icon takes its color
            shown += f";color:{{{{ {color} }}}}"
    work.add_style(element, f"{{% if {color} %}}{shown}{{% endif %}}")


class _Steps(NamedTuple):
    across: float
    down: float
    columns: int
    share: float


def _repeat(work: Work, element: Element, instruction: Instruction, value: str) -> None:
    """Draw an object once for each item of a list, or as often as a number, along a line. Raises
    ObjectError."""
    steps = _steps(work, element, instruction)
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


def _steps(work: Work, element: Element, instruction: Instruction) -> _Steps:
    """Return the steps between an object's copies, from its attributes or name, or else its width. Raises
    ObjectError."""

    def error(message: str, hint: str, option: str = "") -> ObjectError:
        at = element.attrs.get(f"cg:{option}", instruction.attribute)
        return ObjectError("template/each", message, hint, at)

    options: dict[str, str] = {}
    for option in instruction.options:
        word, _, value = option.partition(" ")
        if word in _SHARES and not value:
            options["align"] = word
        elif word in ("step", "columns") and value:
            options[word] = value
        else:
            hint = "write start, middle or end, step 5 or columns 4 after a semicolon"
            raise error(f"'{option}' is not an option for copies", hint)
    options |= {name: said for name in ("step", "align", "columns") if (said := element.get(f"cg:{name}"))}
    step, align = options.get("step"), options.get("align", "start").strip()
    if align not in _SHARES:
        message = f"the alignment of the copies can't be '{align}'"
        raise error(message, "write start, middle or end", "align")
    columns = number(options.get("columns", "0").strip())
    if columns is None or not 0 <= columns <= _MOST_COLUMNS or columns != int(columns):
        raise error("the number of columns is not a whole number", 'write a number such as "4"', "columns")
    if step is None:
        box = work.looks.box(element)
        if box is None:
            message = "the distance between its copies can't be read from the drawing"
            hint = 'set it in the units of the drawing: cg:step="5", or cg:step="0 5" for a column'
            raise ObjectError("template/each", message, hint, element)
        return _Steps(box.width * _GAP, box.height * _GAP if columns else 0.0, int(columns), _SHARES[align])
    found = numbers(step)
    if not 1 <= len(found) <= 2 or step.strip(" ,.-+0123456789"):
        hint = 'set the distance between the copies, such as cg:step="5", or "0 5" for a column'
        raise error(f"the step between the copies can't be '{step}'", hint, "step")
    down = found[1] if len(found) == 2 else (found[0] if columns else 0.0)
    return _Steps(found[0], down, int(columns), _SHARES[align])


# ---- texts

_AT = ("x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust")
_LEAST = 0.75
"""The smallest type in a box, relative to the sample's, if the text sets none."""
_ABOVE, _BELOW = 0.8, 0.25
"""The reach of letters from their line, in their size."""
_TAG = re.compile(r"<[^<>]*>")
_ONE_LINE = 1.9
"""A box lower than this many times the type size is for one line."""
_TURN = 1e-6
PATTERN = re.compile(r"(?<!\{)\{\s{0,9}([^\W\d][\w-]{0,99}(?:\.[^\W\d][\w-]{0,99}){0,9})\s{0,9}\}(?!\})")
"""A field among the words of a sample: {cost}."""
_ALIGNED = {"left": "start", "center": "center", "centre": "center", "right": "end", "justify": "justify"}
_ANCHORED = {"left": "start", "center": "middle", "centre": "middle", "right": "end"}
_UPRIGHT = ("top", "middle", "bottom")
_SIDES = ("x", "y", "width", "height")


def fill_text(work: Work, element: Element, label: FieldLabel, path: Path, box: Element | None) -> None:
    """Print a field as a text, which is not printed if the card has no value; its sample stays if its label
    contains `shown`. `box` is a rectangle of its name."""
    value = work.fields.value(path)
    if label.kind == "shown":
        work.show_if(element, filled(value))
        return
    work.show_if(element, has_value(value))
    style = work.looks.own(element)
    boxed = style.get("shape-inside", "none") not in ("none", "auto") or "inline-size" in style
    if not boxed and box is not None:
        boxed = _set_box(work, element, label, box)
    before, after = "", ""
    anchor = _word(label, _ANCHORED)
    if not boxed and box is None and anchor is not None:
        if (sample := _sample(work, element)) is None:
            work.add_style(element, f";text-anchor:{anchor}")
        else:
            start = sample.split(" ", 2)[1]
            before = f'<tspan x="{start}" style="text-anchor:{anchor}" cg:sample="{escaped(sample)}">'
            after = "</tspan>"
    heights = {part.get("y") for part in element.iter() if part is not element} - {None}
    if not boxed and len(heights) > 1:
        message = f"the text '{label.text}' has {len(heights)} lines but no box, so they all print on "
        hint = f"draw a rectangle for it, and name the rectangle '{label.text}' too"
        work.wrong("template/box", f"{message}the first line", hint, element, Severity.WARNING)
    printed = _listed(value)
    if label.kind == "markdown" or (boxed and label.kind != "plain"):
        printed += "|md" if boxed else "|md(inline=true)"
    _exchange(work, element, f"{before}{{{{ {printed} }}}}{after}", boxed=boxed)


def _word(label: FieldLabel, meanings: dict[str, str]) -> str | None:
    """Return the meaning of the first word of a label that has one."""
    return next((meanings[word] for word in sorted(label.words) if word in meanings), None)


def _listed(value: str) -> str:
    """Return the expression for a value, a list's items with commas between."""
    is_list = f"{value} is sequence and {value} is not string"
    return f"({value}|map('yes_no')|join(', ') if {is_list} else {value}|yes_no)"


def _exchange(work: Work, element: Element, printed: str, *, boxed: bool) -> None:
    """Replace the sample by the `printed` text, in the style of the sample's first words."""
    opening, closing = "", ""
    part = element
    while part.children:
        first = part.children[0]
        lead = work.drawing.source[part.inside : first.start]
        if first.name != "tspan" or not first.whole or lead.strip():
            break
        opening += f"<tspan{attributes(work, first, 'id', *(_AT if boxed else ()))}>"
        closing += "</tspan>"
        part = first
    filling = f"{opening}{printed}{closing}"
    if element.is_empty:
        work.edits.replace(element.inside - 2, element.inside, f">{filling}</{element.name}>")
    else:
        work.edits.replace(element.inside, element.outside, filling, lines_at=" }}")


def _sample(work: Work, element: Element) -> str | None:
    """Return the lines of a sample as `cg:sample` has them; None if their places are unknown."""
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


def fields_among(work: Work, element: Element) -> list[Problem]:
    """Put fields into the words of a text: `{title} costs {cost}`. A missing one is empty. Return notes of
    names close to a field's."""
    content = work.drawing.content(element)
    near: list[Problem] = []
    for found in PATTERN.finditer(content) if not has_code(content) else ():
        if content.rfind("<", 0, found.start()) > content.rfind(">", 0, found.start()):  # within a tag
            continue
        path = work.fields.stated(found[1], item=element in work.repeated)
        start, end = element.inside + found.start(), element.inside + found.end()
        if path is None:
            near += near_problem(work, found[0], work.fields.misses(found[1]), start)
            continue
        value = work.fields.value(path)
        printed = f"{{% if {has_value(value)} %}}{{{{ {_listed(value)} }}}}{{% endif %}}"
        work.edits.replace(start, end, printed)
        work.read(path)
    return near


def near_problem(work: Work, what: str, hint: str | None, start: int) -> list[Problem]:
    """Return the problem of a name close to a field's, if there is a suggestion."""
    if hint is None:
        return []
    message = f"'{what}' doesn't name a field, so the object prints unchanged"
    return [work.problem("template/unfilled", message, hint, start)]


# ---- boxes of texts


def _set_box(work: Work, element: Element, label: FieldLabel, box: Element) -> bool:
    """Set a text into a rectangle: with its place in the text's own units, and aligned like the sample.
    Return False after a problem."""
    rect = _box_rect(work, element, box)
    if rect is None:
        message = f"the box '{label.text}' can't be related to its text"
        hint = "put both into one group, unrotated, and give the rectangle plain numbers"
        work.wrong("template/box", message, hint, box)
        return False
    id = work.new_id(element, label.path or (), "box")
    work.define(element, f'<defs><rect id="{id}" {rect}/></defs>')
    work.set_attribute(element, "shape-inside", f"url(#{id})")
    if "cg:fit" not in element.attrs and "cg:steps" not in element.attrs:
        work.set_attribute(element, "cg:fit", "shrink")
        size = work.looks.size(element)
        if "cg:min-size" not in element.attrs and size:
            work.set_attribute(element, "cg:min-size", decimal(size * _LEAST, 4))
    if "cg:valign" not in element.attrs:
        upright = next((word for word in _UPRIGHT if word in label.words), None)
        work.set_attribute(element, "cg:valign", upright or _valign(work, element, box))
    if (align := _word(label, _ALIGNED)) is not None:
        work.add_style(element, f";text-align:{align}")
    return True


def _box_rect(work: Work, element: Element, box: Element) -> str | None:
    """Return the attributes of a rectangle in the units of another element; None if they are unknown."""
    if box.parent is element.parent and not {"transform"} & {*box.attrs, *element.attrs}:
        return _stated_box(box)
    matrix, rect = work.looks.between(box, element), work.looks.box(box)
    if matrix is None or rect is None or abs(matrix.b) > _TURN or abs(matrix.c) > _TURN:
        return None
    return _box_attributes(matrix.around(rect))


def _box_attributes(rect: Rect) -> str:
    return " ".join(f'{name}="{decimal(getattr(rect, name), 4)}"' for name in _SIDES)


def _stated_box(box: Element) -> str:
    """Return a rectangle from its own attributes, on one line."""
    stated = (f'{name}="{box.attrs[name].raw}"' for name in _SIDES if name in box.attrs)
    return " ".join(stated).replace("\n", " ")


def _valign(work: Work, element: Element, box: Element) -> str:
    """Return the vertical alignment of a sample in its box."""
    matrix, rect = work.looks.between(box, element), work.looks.box(box)
    size = work.looks.size(element)
    if matrix is None or rect is None or not size:
        return "top"
    rect = matrix.around(rect)
    if rect.height < _ONE_LINE * size:
        return "middle"
    stated = (part.attrs["y"] for part in element.iter() if "y" in part.attrs)
    heights = [y for each in stated if not each.is_code for y in numbers(each.raw)[:1]]
    if not heights:
        return "top"
    above = min(heights) - _ABOVE * size - rect.y
    below = rect.bottom - max(heights) - _BELOW * size
    if abs(above - below) <= 0.2 * rect.height and min(above, below) > 0.3 * size:
        return "middle"
    return "bottom" if below < above and below < 0.2 * rect.height else "top"


# ---- shapes, images, groups

FILLED = SHAPES - {"line", "polyline"}
"""Shapes that have an area."""
_HREFS = ("href", "xlink:href")
_AROUND = ("transform", "opacity", "mix-blend-mode", "filter", "mask", "clip-path")
"""Properties of a shape that apply to its replacement."""
_ENDINGS = sorted(ending[1:] for ending in (*RASTERS, ".svg"))
_UPWARD = re.compile(r"^(?:\.\./)+")
"""The path from a template to a folder of the project."""
_SLICE = "xMidYMid slice"
_FILE = re.compile(
    r"(?:(?P<folder>(?:[^/\\%:.][^/\\%:]*/)*))(?P<stem>[^/\\%:]+)\.(?P<ending>[A-Za-z]{3,4})"
)
_STROKES = ("stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin")


def fill_image(work: Work, element: Element, value: str) -> None:
    """Show the file that a field names instead of a sample, cropped to its box."""
    target = _target(element)
    file = f"{{{{ {_file(value, target.value if target is not None else '')} }}}}"
    if target is not None:
        work.drop(element, *(name for name in _HREFS if name != target.name))
        work.edits.replace(target.start, target.end, f'{target.name}="{file}"')
    else:
        work.set_attribute(element, "href", file)
    aspect = element.attrs.get("preserveAspectRatio")
    if aspect is None:
        work.set_attribute(element, "preserveAspectRatio", _SLICE)
    elif aspect.value.strip() == "none":  # as Inkscape writes it: other pictures have other proportions
        work.edits.replace(aspect.start, aspect.end, f'preserveAspectRatio="{_SLICE}"')


def _file(value: str, sample: str) -> str:
    """Return the expression for a picture's file: in the sample's folder and with its ending, unless the
    value has others."""
    found = _FILE.fullmatch(_UPWARD.sub("", sample))
    if found is None:
        return value
    named = f"{value} ~ ('' if '.' in {value}|string else '.{found['ending']}')"
    if found["folder"] and "'" not in found["folder"]:
        return f"('' if '/' in {value}|string else '{found['folder']}') ~ {named}"
    return named


def fill_use(work: Work, element: Element, value: str) -> None:
    """Show another icon instead of the sample."""
    target = _target(element)
    if target is not None and target.value.startswith("#icon-"):
        work.edits.replace(target.start, target.end, f'{target.name}="#icon-{{{{ {value} }}}}"')


def fill_shape(work: Work, element: Element, label: FieldLabel, path: Path) -> None:
    """Fill a shape: a file's name becomes a picture cropped to it, a color its fill, any other word an icon
    in its box. It doesn't change if the field contains a number or just yes."""
    value = work.fields.value(path)
    photo = _photo(work, element)
    only = "picture" if photo else label.kind
    if only not in _MADE:
        only = None
    markup = {
        kind: make(work, element, path, value) for kind, make in _MADE.items() if only in (None, kind)
    }
    if None in markup.values():
        if only is not None or label.explicit:
            message = f"the box of '{label.text}' can't be read from the drawing"
            hint = "give it plain numbers, or name another shape"
            work.wrong("template/box", message, hint, element)
        return
    if only is None:
        message = f"the object '{label.text}' is a shape, but its field contains text"
        hint = f"export text as text, not as paths; if it is an icon, name the object '{label.text}: icon'"
        work.shapes.append((path, work.problem("template/outlined", message, hint, element.start)))
        is_file = f"{value}.rpartition('.')[2]|lower in {_ENDINGS}"
        inner = (
            f"{{% if {value}.startswith('#') %}}{markup['color']}{{% elif {is_file} %}}"
            f"{markup['picture']}{{% else %}}{markup['icon']}{{% endif %}}"
        )
    else:
        inner = markup[only] or ""
    if photo:
        _remove_photo(work, photo)
        work.edits.replace(element.start, element.end, inner, lines_at="/>")
    else:
        work.wrap(element, f"{{% if {value} is string %}}{inner}{{% else %}}", "{% endif %}")


def _colored(work: Work, element: Element, path: Path, value: str) -> str | None:
    """Return the shape in the color that the field names."""
    if element.name == "g":
        kept = attributes(work, element, *OWN, "id", "fill")
        inner = work.drawing.content(element).replace("\n", " ")
        return f'<g{kept} fill="{{{{ {value} }}}}">{inner}</g>'
    style = {**work.looks.own(element), "fill": f"{{{{ {value} }}}}"}
    shape = attributes(work, element, *OWN, "id", "fill", "style", "class")
    return f'<{element.name}{shape} style="{_declarations(style)}"/>'


def _picture(work: Work, element: Element, path: Path, value: str) -> str | None:
    """Return a picture that fills the shape and is cropped to it, and the shape's stroke around it."""
    box = _picture_box(work, element)
    if box is None:
        return None
    before, after = _around(work, element)
    file = _file(value, _picture_sample(work, element))
    image = f'<image href="{{{{ {file} }}}}" {box} preserveAspectRatio="{_SLICE}"'
    if element.name not in ("rect", "g") or {"rx", "ry"} & element.attrs.keys():
        shape = attributes(work, element, *(element.attrs.keys() - SHAPING - {"clip-rule"}))
        id = work.new_id(element, path, "clip")
        work.define(element, f'<defs><clipPath id="{id}"><{element.name}{shape}/></clipPath></defs>')
        image += f' clip-path="url(#{id})"'
    image += "/>"
    look = work.looks.style(element)
    if element.name in SHAPES and look.get("stroke", "none") != "none":
        line = {name: look[name] for name in _STROKES if name in look}
        shape = attributes(work, element, *(element.attrs.keys() - SHAPING))
        image += f'<{element.name}{shape} style="fill:none;{_declarations(line)}"/>'
    return f"{before}{image}{after}"


def _icon(work: Work, element: Element, path: Path, value: str) -> str | None:
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


_MADE = {"color": _colored, "picture": _picture, "icon": _icon}
"""The markup of a shape by the kind of its field."""


def _color(work: Work, element: Element) -> str | None:
    """Return the color of an object: its first fill or else stroke."""
    for each in element.iter():
        look = work.looks.style(each)
        if each.name not in SHAPES:
            continue
        for said in (look.get("fill", "black"), look.get("stroke", "none")):
            if said != "none" and "url(" not in said and "{%" not in said:
                return look.get("color", "black") if said.lower() == "currentcolor" else said
    return None


def _picture_box(work: Work, element: Element) -> str | None:
    """Return the attributes of the box around a shape, in its own units; None if they are unknown."""
    if element.name == "rect" and {"width", "height"} <= element.attrs.keys():
        return _stated_box(element)
    box = work.looks.box(element)
    return None if box is None else _box_attributes(box)


def _around(work: Work, element: Element) -> tuple[str, str]:
    """Return a group with the properties that apply to the shape as a whole, if there are any."""
    own = work.looks.own(element)
    transform = element.attrs.get("transform")
    said = {name: own[name] for name in _AROUND if name in own}
    parts = f' transform="{transform.raw}"'.replace("\n", " ") if transform is not None else ""
    if said:
        parts += f' style="{_declarations(said)}"'
    return (f"<g{parts}>", "</g>") if parts else ("", "")


def _declarations(properties: dict[str, str]) -> str:
    said = ";".join(f"{name}:{value}" for name, value in properties.items())
    return escaped(said.replace("\n", " "))


# ---- photographs, as Figma fills shapes with them


def _photo(work: Work, element: Element) -> list[Element]:
    """Return the pattern that fills a shape, and its image, if it shows one."""
    fill = work.looks.own(element).get("fill", "")
    ids = work.drawing.ids
    pattern = ids.get(url_targets(fill)[0].removeprefix("#")) if "url(" in fill else None
    if pattern is None or pattern.name != "pattern" or not pattern.whole:
        return []
    images = []
    for part in pattern.iter():
        target = _target(part) if part.name == "use" else None
        shown = part if target is None else ids.get(target.value.removeprefix("#"))
        if shown is not None and shown.name == "image":
            images.append(shown)
    return [pattern, *images] if images else []


def _target(element: Element) -> Attribute | None:
    return next((element.attrs[name] for name in _HREFS if name in element.attrs), None)


def _picture_sample(work: Work, element: Element) -> str:
    """Return the file that a shape is filled with for a sample, if any."""
    for each in _photo(work, element):
        target = _target(each) if each.name == "image" else None
        if target is not None and not target.raw.startswith("data:"):
            return target.value
    return ""


def _remove_photo(work: Work, photo: list[Element]) -> None:
    """Remove the pattern of a shape with another fill, and its image, unless others show them."""
    source = work.drawing.source
    pattern, *images = photo
    if source.count(f"#{pattern.get('id')}") == 1:
        for image in images:
            inside = pattern in image.around()
            if image.whole and not inside and source.count(f"#{image.get('id')}") == 1:
                work.edits.replace(image.start, image.end, "")
        work.edits.replace(pattern.start, pattern.end, "")
