"""Pictures of more than plain shapes, by a program that draws them as a browser does: CairoSVG what it is
proved to draw, Typst the rest. Either is loaded only where it has something to draw.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.core.findings import Finding
from cardgen.core.progress import counted
from cardgen.core.records import replace
from cardgen.pdf import cairosvg_pages
from cardgen.pdf.forms import PageForm
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import SHAPES, UNPAINTED, Drawable
from cardgen.svg import tree
from cardgen.svg.style import parse_color, read_style
from cardgen.svg.tree import SvgError, is_unseen

_DRAWN = SHAPES | UNPAINTED | {"svg", "g", "use", "image"}
_TEXT = frozenset(("text", "tspan", "textPath", "tref"))
_REFERENCE = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)\s*")
_COLORS = frozenset(("fill", "stroke", "stop-color"))
_COLOR_WORD = re.compile(r"(?!none|inherit|currentcolor|context-|url\()", re.IGNORECASE)


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """Return the form of every drawable, by its key. DrawingError with everything that is wrong."""
    forms: dict[str, PageForm] = {}
    problems: list[tuple[str, Finding]] = []
    others: list[Drawable] = []
    for drawable in counted("drawing pictures", drawables):
        try:
            document = tree.parse(drawable.svg.encode(), bounded=False)
            refuse(document)
            if cairosvg_pages.draws(document.root):
                forms[drawable.key] = cairosvg_pages.draw_picture(drawable, document.root)
            else:
                others.append(drawable)
        except DrawingError as error:
            problems += [(drawable.name, _labelled(each, drawable.label)) for each in error.findings]
        except (SvgError, ValueError) as error:
            wrong = DrawingError.of("picture/svg", f"{drawable.label}: {error}")
            problems.append((drawable.name, wrong.findings[0]))
    if others:
        from cardgen.pdf import typst_pages

        try:
            forms |= typst_pages.draw_pictures(others)
        except DrawingError as error:
            problems += zip(error.about, error.findings, strict=True)
    if problems:
        raise DrawingError.of_pictures(problems)
    return forms


def _labelled(finding: Finding, label: str) -> Finding:
    if finding.location is not None:
        return finding
    return replace(finding, message=f"{label}: {finding.message}")


def refuse(document: tree.Document) -> None:
    """Raise DrawingError for what a program would leave out of a picture without a word."""
    for node in document.root.iter():
        if node.name in _TEXT:
            raise DrawingError.of(
                "picture/text",
                f"<{node.name}> is inside artwork that is drawn as a picture",
                "move the text out of <defs>, <symbol>, <pattern> and <clipPath>",
            )
        if not (node.name in _DRAWN or node.name.startswith("fe") or is_unseen(node.name)):
            raise DrawingError.of(
                "picture/element", f"<{node.name}> is not supported", "use shapes, paths and images"
            )
        if node.name == "use":
            shown = document.ids.get((node.href or "").removeprefix("#"))
            if shown is None:
                raise _missing(node.href or "")
            if shown.start <= node.start < shown.end:
                message = f"<use> of '{node.href}' contains itself"
                raise DrawingError.of("picture/reference", message, "refer to an element outside of it")
        for name, value in {**node.attrs, **read_style(node.attrs.get("style", ""))[0]}.items():
            target = _REFERENCE.fullmatch(value)
            if target is not None and target[1] not in document.ids:
                raise _missing(f"#{target[1]}")
            if name in _COLORS and _COLOR_WORD.match(value) and parse_color(value) is None:
                hint = "write #rrggbb, rgb(…), hsl(…) or a color name"
                raise DrawingError.of("picture/color", f"'{value}' is not a color", hint)


def _missing(name: str) -> DrawingError:
    hint = "add an element with that id to <defs>, or correct the name"
    return DrawingError.of("picture/reference", f"there is no element '{name}'", hint)
