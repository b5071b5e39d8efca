"""Pictures of more than plain shapes, by the program that draws them as a browser does: cairo what it is
proved to draw, Typst the rest. Either is loaded only where it has something to draw.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.core.findings import Finding
from cardgen.pdf.forms import PageForm
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import Drawable
from cardgen.svg import tree
from cardgen.svg.style import read_style
from cardgen.svg.tree import Node, SvgError, names

_ELEMENTS = names("mask filter")
_PROPERTIES = names("mask filter")
_CLIPPED_BY_CAIRO = names("circle ellipse line path polygon polyline rect")
_VALUES = names("context-fill context-stroke auto-start-reverse")
_UNSET = frozenset(("none", ""))


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
    cairos: list[Drawable] = []
    others: list[Drawable] = []
    for drawable in drawables:
        (others if _is_beyond_cairo(drawable) else cairos).append(drawable)
    forms: dict[str, PageForm] = {}
    problems: list[tuple[str, Finding]] = []
    if cairos:
        from cardgen.pdf import cairo_pages

        try:
            forms |= cairo_pages.draw_pictures(cairos)
        except DrawingError as error:
            problems += zip(error.about, error.findings, strict=True)
    if others:
        from cardgen.pdf import typst_pages

        try:
            forms |= typst_pages.draw_pictures(others)
        except DrawingError as error:
            problems += zip(error.about, error.findings, strict=True)
    if problems:
        raise DrawingError.of_pictures(problems)
    return forms


def _is_beyond_cairo(drawable: Drawable) -> bool:
    try:
        return beyond_cairo(tree.parse(drawable.svg.encode(), bounded=False).root)
    except SvgError:
        return False  # which says what is wrong with it


def beyond_cairo(root: Node) -> bool:
    """Whether something in a document is not cairo's to draw."""
    return any(map(_beyond, root.iter()))


def _beyond(node: Node) -> bool:
    if node.name in _ELEMENTS:
        return True
    own = {**node.attrs, **read_style(node.attrs.get("style", ""))[0]}
    if node.name == "clipPath" and (
        "clip-path" in own or any(child.name not in _CLIPPED_BY_CAIRO for child in node.elements())
    ):
        return True
    return any(own.get(name, "none").strip() not in _UNSET for name in _PROPERTIES) or any(
        value.strip() in _VALUES for value in own.values()
    )
