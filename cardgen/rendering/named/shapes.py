"""Shapes and images that a field fills: with a picture, an icon or a colour, by what its value is."""

from __future__ import annotations

import re

from cardgen.findings import Severity
from cardgen.rendering.named.fields import Path, filled
from cardgen.rendering.named.labels import OWN, Named
from cardgen.rendering.named.looks import SHAPES
from cardgen.rendering.named.markup import Attribute, Element
from cardgen.rendering.named.texts import spelled
from cardgen.rendering.named.work import Work, attributes, escaped
from cardgen.svg.declarations import url_targets

FILLED = SHAPES - {"line", "polyline"}
"""Shapes that hold something."""
_HREFS = ("href", "xlink:href")
_GEOMETRY = (
    "x",
    "y",
    "width",
    "height",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "d",
    "points",
    "x1",
    "y1",
    "x2",
    "y2",
)
_AROUND = ("transform", "opacity", "mix-blend-mode", "filter", "mask", "clip-path")
"""Properties that hold for what is drawn in the place of a shape as they held for that."""
_ENDINGS = ["gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]
_ABOVE = re.compile(r"^(?:\.\./)+")
"""What leads from a template to a folder of the project."""
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
    """The expression for a picture's file: beside the sample and with its ending, unless the value says
    other ones."""
    found = _FILE.fullmatch(_ABOVE.sub("", sample))
    folder = found["folder"] if found is not None else ""
    ending = f".{found['ending']}" if found is not None else ""
    named = f"{value} ~ ('' if '.' in {value}|string else '{ending}')" if ending else value
    if folder and "'" not in folder:
        return f"('' if '/' in {value}|string else '{folder}') ~ {named}"
    return named


def _is_file(value: str) -> str:
    """The condition that a text is a picture's name."""
    return f"{value}.rpartition('.')[2]|lower in {_ENDINGS}"


def fill_shape(work: Work, element: Element, named: Named, path: Path) -> None:
    """Fill a shape: a file's name becomes a picture cropped to it, a colour its fill, any other word an
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
        message = f"the box of '{named.text}' can't be told from the drawing"
        hint = "write plain numbers into it, or name another shape"
        work.wrong("template/box", message, hint, element)
        return
    if only in (None, "icon"):
        message = f"the object '{named.text}' is a shape, while its field holds words"
        hint = "if it was a text, export it as text, not as outlines (paths)"
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
    """The shape in the colour that the field names."""
    if element.name == "g":
        inner = work.drawing.content(element).replace("\n", " ")
        return f'<g{_kept(work, element)} fill="{{{{ {value} }}}}">{inner}</g>'
    style = {**work.looks.own(element), "fill": f"{{{{ {value} }}}}"}
    shape = attributes(work.drawing.source, element, *OWN, "id", "fill", "style", "class")
    return f'<{element.name}{shape} style="{_spelled(style)}"/>'


def _kept(work: Work, element: Element) -> str:
    return attributes(work.drawing.source, element, *OWN, "id", "fill")


def _picture(work: Work, element: Element, named: Named, value: str) -> str | None:
    """A picture that fills the shape and is cropped to it, and the shape's line around it."""
    box = _box(work, element)
    if box is None:
        return None
    before, after = _around(work, element)
    file = _file(value, _sample(work, element))
    image = f'<image href="{{{{ {file} }}}}" {box} preserveAspectRatio="{_SLICE}"'
    source = work.drawing.source
    plain = element.name in ("rect", "g") and not {"rx", "ry"} & element.attrs.keys()
    if plain:
        image += "/>"
    else:
        shape = attributes(source, element, *(set(element.attrs) - {*_GEOMETRY, "clip-rule"}))
        id = work.new_id(element, f"{'.'.join(named.path or ())}-clip")
        work.define(element, f'<defs><clipPath id="{id}"><{element.name}{shape}/></clipPath></defs>')
        image += f' clip-path="url(#{id})"/>'
    look = work.looks.style(element)
    if element.name in SHAPES and look.get("stroke", "none") != "none":
        line = {name: look[name] for name in _STROKES if name in look}
        shape = attributes(source, element, *(set(element.attrs) - set(_GEOMETRY)))
        image += f'<{element.name}{shape} style="fill:none;{_spelled(line)}"/>'
    return f"{before}{image}{after}"


def _icon(work: Work, element: Element, named: Named, value: str) -> str | None:
    """An icon in the shape's box and its colour."""
    box = _box(work, element)
    if box is None:
        return None
    before, after = _around(work, element)
    color = _color(work, element)
    shown = f' color="{escaped(color)}"' if color is not None else ""
    if (said := work.paints.get(element)) is not None:
        shown = f' color="{{% if {said} %}}{{{{ {said} }}}}{{% else %}}{color or "black"}{{% endif %}}"'
    return f'{before}<use href="#icon-{{{{ {value} }}}}" {box}{shown}/>{after}'


def _color(work: Work, element: Element) -> str | None:
    """The colour that an object is painted in: its fill, or else its line, or that of what is in it."""
    for each in element.iter():
        look = work.looks.style(each)
        if each.name not in SHAPES:
            continue
        for name in ("fill", "stroke"):
            said = look.get(name, "black" if name == "fill" else "none")
            if said != "none" and "url(" not in said and "{%" not in said:
                return look.get("color", "black") if said.lower() == "currentcolor" else said
    return None


def _box(work: Work, element: Element) -> str | None:
    """The attributes of the box around a shape, in its own units; None where they can't be told."""
    sides = ("x", "y", "width", "height")
    if element.name == "rect" and {"width", "height"} <= element.attrs.keys():
        said = (f'{name}="{element.attrs[name].raw}"' for name in sides if name in element.attrs)
        return " ".join(" ".join(said).split("\n"))
    box = work.looks.box(element)
    return None if box is None else spelled(box)


def _around(work: Work, element: Element) -> tuple[str, str]:
    """A group with what holds for the shape as a whole, where there is such."""
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
    """The pattern that a shape is filled with, and what it shows, if that is an image."""
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


def _sample(work: Work, element: Element) -> str:
    """The file that a shape is filled with for a sample, if any."""
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
