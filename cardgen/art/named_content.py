"""Texts, shapes and images that a field fills."""

from __future__ import annotations

import re
from html import unescape

from cardgen.art.named_labels import OWN, Attribute, Element, Named, Path, filled, has_code, has_value
from cardgen.art.named_objects import SHAPES, SHAPING, Work, attributes, between, escaped
from cardgen.core.findings import Severity
from cardgen.core.geometry import Rect, decimal
from cardgen.svg.style import url_targets
from cardgen.svg.tree import number

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
    if only in (None, "icon"):
        message = f"the object '{named.text}' is a shape, but its field contains text"
        hint = "if it was text, export it as text, not as outlines (paths)"
        place = work.place("template/outlined", message, hint, element, Severity.WARNING)
        work.shapes.append((path, place))
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
