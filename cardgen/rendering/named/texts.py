"""Texts that a field fills: the sample keeps its look, its words are exchanged."""

from __future__ import annotations

import re
from html import unescape

from cardgen.findings import Severity
from cardgen.geometry import Rect
from cardgen.rendering.named.fields import Path, filled, has_value
from cardgen.rendering.named.labels import Named
from cardgen.rendering.named.looks import between
from cardgen.rendering.named.markup import Element, has_code
from cardgen.rendering.named.work import Work, attributes, escaped
from cardgen.svg.numbers import number
from cardgen.units import decimal

_AT = ("x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust")
_LEAST = 0.75
"""The least size of type in a box, in that of the sample, where the text says none."""
_ABOVE, _BELOW = 0.8, 0.25
"""How far letters reach from their line, in their size."""
_TAG = re.compile(r"<[^<>]*>")
_ONE_LINE = 1.9
"""A box of fewer times the size of type is for one line."""
_TURN = 1e-6
PATTERN = re.compile(r"(?<!\{)\{\s{0,9}([^\W\d][\w-]{0,99}(?:\.[^\W\d][\w-]{0,99}){0,9})\s{0,9}\}(?!\})")
"""A field among the words of a sample: {cost}."""
_ALIGNED = {"left": "start", "center": "center", "centre": "center", "right": "end", "justify": "justify"}
_ANCHORED = {"left": "start", "center": "middle", "centre": "middle", "right": "end"}
_UPRIGHT = ("top", "middle", "bottom")


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
        message = f"the text '{named.text}' has {lines} lines and no box, so that all is set on the first"
        hint = f"draw a rectangle where it may stand, and name it '{named.text}' as well"
        work.wrong("template/box", message, hint, element, Severity.WARNING)
    _exchange(work, element, _printed(value, named, boxed=boxed), boxed=boxed, around=around)


def _printed(value: str, named: Named, *, boxed: bool) -> str:
    """The expression that prints a value: a list with commas, Markdown in a box."""
    listed = _listed(value)
    if named.kind == "markdown" or (boxed and named.kind != "plain"):
        return f"{listed}|md" if boxed else f"{listed}|md(inline=true)"
    return listed


def _listed(value: str) -> str:
    """The expression for a value, a list's items with commas between."""
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
    """The parts of a text in which its first words stand, from the outside in."""
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
    """The lines of a sample as `cg:sample` has them; None where it can't be told where they stand."""
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
    """How many lines a sample has, going by where its parts say that they stand."""
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
        message = f"the box '{named.text}' can't be told from the text's own place"
        hint = "put both into one group, neither turned, and write plain numbers into the rectangle"
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
    """The attributes of a rectangle in the units of another element; None where they can't be told."""
    matrix = between(work.looks, box, element)
    same = box.parent is element.parent and not {"transform"} & {*box.attrs, *element.attrs}
    if same:
        kept = (
            f'{name}="{box.attrs[name].raw}"' for name in ("x", "y", "width", "height") if name in box.attrs
        )
        return " ".join(" ".join(kept).split("\n"))
    rect = work.looks.box(box)
    if matrix is None or rect is None or abs(matrix.b) > _TURN or abs(matrix.c) > _TURN:
        return None
    return spelled(matrix.around(rect))


def spelled(rect: Rect) -> str:
    """A rectangle as attributes."""
    return " ".join(f'{name}="{decimal(getattr(rect, name), 4)}"' for name in ("x", "y", "width", "height"))


def _valign(work: Work, element: Element, box: Element) -> str:
    """Where in its box a sample stands."""
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
