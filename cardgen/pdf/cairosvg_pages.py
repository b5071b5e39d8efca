"""Pictures with gradients that repeat, through CairoSVG as it is released.

PDF has no gradient that repeats. cairo writes one as functions, where Typst comes near it only. CairoSVG is
given what it is proved to draw: shapes in plain colors and such gradients, and nothing else.
"""

from __future__ import annotations

import math
import re
from typing import Any

from cardgen.core.geometry import MM_PER_PT, parse_length
from cardgen.pdf.forms import PageForm, Target, page_forms
from cardgen.pdf.images import ImageLibrary
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import SHAPES, Document, Drawable, Node, UnplainError, shape_outline
from cardgen.svg import tree
from cardgen.svg.outlines import extents
from cardgen.svg.style import parse_color, read_style
from cardgen.svg.tree import names, numbers, open_tag

_SPREADS = ("reflect", "repeat")
_GRADIENTS = ("linearGradient", "radialGradient")
_PASSED_OVER = names("title desc metadata")
_BOXED = names("circle ellipse polygon rect")
"""Shapes whose box CairoSVG finds."""
_KNOWN = {
    "svg": names("width height viewBox fill xmlns xmlns:xlink color"),
    "g": names("fill stroke stroke-width transform clip-path color"),
    "defs": frozenset[str](),
    "clipPath": frozenset[str](),
    "stop": names("offset stop-color stop-opacity"),
    "linearGradient": names("x1 y1 x2 y2 gradientUnits gradientTransform spreadMethod"),
    "radialGradient": names("cx cy r fx fy gradientUnits gradientTransform spreadMethod"),
    **dict.fromkeys(
        SHAPES - {"line"},
        names("d points x y width height cx cy r rx ry fill fill-rule stroke stroke-width transform"),
    ),
}
_PAINTS = ("fill", "stroke", "stop-color")
_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})|[a-z]+|rgb\([0-9.]+%,[0-9.]+%,[0-9.]+%\)")
_REFERENCE = re.compile(r"url\(#[\w.-]+\)")
_PLAIN = re.compile(r"[-+0-9.,%\sA-Za-z()]*")
_ODD = re.compile(r"[0-9.][eE][-+0-9]|[aA](?=[-+0-9.\s])")
"""Numbers with exponents, and arcs."""


def draws(root: tree.Node) -> bool:
    """Tell whether a document has a gradient that repeats, and nothing that CairoSVG may draw otherwise."""
    if not any(node.attrs.get("spreadMethod", "").strip() in _SPREADS for node in root.iter()):
        return False
    return all(_is_known(node, node is root) for node in root.iter()) and _has_areas(root)


def _is_known(node: tree.Node, is_root: bool) -> bool:
    if node.name in _PASSED_OVER:
        return True
    if node.name not in _KNOWN or (node.name == "svg" and not is_root):
        return False
    if node.name == "clipPath" and [child.name for child in node.elements()] != ["rect"]:
        return False
    own = {**node.attrs, **read_style(node.attrs.get("style", ""))[0]}
    if node.name == "g" and any(own.get(name, "").strip().startswith("url(") for name in _PAINTS):
        return False  # which shapes inherit it isn't looked at
    return all(
        name in ("id", "style") or (name in _KNOWN[node.name] and _is_plain(name, value.strip()))
        for name, value in own.items()
    )


def _is_plain(name: str, value: str) -> bool:
    if name.startswith("xmlns") or name == "color":
        return True
    if name == "clip-path":
        return _REFERENCE.fullmatch(value) is not None
    if name in _PAINTS:
        named = name != "stop-color" and (value == "none" or _REFERENCE.fullmatch(value) is not None)
        return named or (_COLOR.fullmatch(value) is not None and parse_color(value) is not None)
    return _PLAIN.fullmatch(value) is not None and (name == "id" or _ODD.search(value) is None)


def _has_areas(root: tree.Node) -> bool:
    """Tell whether all shapes have areas, lines some width, and gradients in parts of a box a box that is
    found."""
    gradients = {node.attrs.get("id"): node for node in root.iter() if node.name in _GRADIENTS}
    stack: list[Node] = [Document(tree.Document(b"", root, {}, ())).root]
    while stack:
        node = stack.pop()
        stack += node.children
        if node.tag not in SHAPES:
            continue
        try:
            box = extents(shape_outline(node))
        except (UnplainError, ValueError):
            return False
        if box.width < 1e-9 or box.height < 1e-9 or numbers(node.get("stroke-width", "1")) <= [0.0]:
            return False
        for paint in (node.get("fill", ""), node.get("stroke", "")):
            if not paint.startswith("url("):
                continue
            gradient = gradients.get(paint.strip()[5:-1])
            if gradient is None or not _is_inside(gradient):
                return False
            if gradient.attrs.get("gradientUnits") != "userSpaceOnUse" and node.tag not in _BOXED:
                return False
    return True


def _is_inside(gradient: tree.Node) -> bool:
    """Tell whether a gradient has stops and a length, and the focus of a round one lies within it."""
    if not any(stop.name == "stop" for stop in gradient.elements()):
        return False
    values = {name: tree.share(gradient.attrs[name]) for name in ("r",) if name in gradient.attrs}
    return values.get("r", 1.0) > 0 and not {"fx", "fy"} & gradient.attrs.keys()


def draw_picture(drawable: Drawable, root: tree.Node) -> PageForm:
    """Return the form of a picture that `draws` holds of. The page is a little larger, as cairo cuts
    transparent gradients off at the page's size rounded down."""
    box = numbers(root.attrs.get("viewBox", ""))
    if drawable.unit:
        size = [float(root.attrs.get(name, "")) for name in ("width", "height")]
        across, down = 1.0, 1.0
    else:
        across, down = (parse_length(root.attrs.get(name, "")) for name in ("width", "height"))
        size = [across / MM_PER_PT, down / MM_PER_PT]
    width, height = (math.ceil(side) + 1 for side in size)
    view = f"{box[0]:.9g} {box[1]:.9g} {box[2] * width / size[0]:.9g} {box[3] * height / size[1]:.9g}"
    attrs = root.attrs | {"width": f"{width}pt", "height": f"{height}pt", "viewBox": view}
    attrs["preserveAspectRatio"] = "none"
    head = open_tag(tree.Node("svg", attrs), root.attrs.get("style", ""))
    body = "".join(tree.serialize(child, lambda _: None, _style) for child in root.elements())
    markup = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + f">{body}</svg>"
    data = _cairosvg().svg2pdf(bytestring=markup.encode())
    (form,) = page_forms(data, [Target(size[0], size[1], across, down)], ImageLibrary(()))
    return form


def _style(node: tree.Node) -> str:
    return node.attrs.get("style", "")


def _cairosvg() -> Any:
    """Return CairoSVG, imported on first use. DrawingError where the cairo library is missing."""
    try:
        import cairosvg
    except OSError as error:  # raised by cairocffi when the loader finds no libcairo
        raise DrawingError.of(
            "cairo/missing",
            "the cairo library, which draws gradients that repeat, is not installed",
            "install it; for the command that does so: cardgen doctor",
        ) from error
    return cairosvg


def cairo_version() -> str:
    """Return the cairo library's own version, such as 1.16.0."""
    _cairosvg()
    import cairocffi

    return str(cairocffi.cairo_version_string())
