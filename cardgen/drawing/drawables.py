"""What there is to draw before it is known by what: SVG documents of pictures and icons."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.svg import tree
from cardgen.svg.numbers import numbers

ICON = "icon-"
"""Begins the ids of icons."""

ICON_PT = 24.0
"""Height of an icon's page. Its form maps that page to the unit square."""


@dataclass(frozen=True, slots=True)
class Drawable:
    """An SVG document to draw. `unit` says that its form covers the unit square (an icon) instead
    of the document's own size in mm; `label` is how errors speak of it. `icon` is its name if it is one."""

    key: str
    svg: str
    images: tuple[tuple[str, str], ...] = ()
    unit: bool = False
    label: str = "artwork"
    icon: str = ""

    @property
    def name(self) -> str:
        """What a DrawingError is about: a picture by its key, an icon by its id."""
        return f"{ICON}{self.icon}" if self.icon else self.key


def icon_document(svg: str, fill: tuple[float, float, float]) -> str:
    """An icon's SVG as a page of its proportions in one colour: what `currentColor` stands for, and what
    shapes without a `fill` of their own get."""
    document = tree.parse(svg.encode(), bounded=False)
    root = document.root
    ink = "rgb({:.4%},{:.4%},{:.4%})".format(*fill)
    box = numbers(root.attrs.get("viewBox", ""))
    width = ICON_PT * box[2] / box[3] if len(box) == 4 else ICON_PT
    attrs = {"fill": ink} | root.attrs | {"width": f"{width}", "height": f"{ICON_PT}", "color": ink}
    head = tree.open_tag(tree.Node("svg", attrs), root.attrs.get("style", ""))
    content = "".join(document.source(child).decode() for child in root.elements())
    return f"{head}>{content}</svg>"
