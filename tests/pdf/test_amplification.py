"""A drawing is charged for all that is drawn of it. So one bound holds for writing it, which a build does,
and for making pixels of it, which a check and a proof do as well."""

from __future__ import annotations

import re
import zlib

from cardgen.core.geometry import Rect
from cardgen.pdf.objects import PdfObject, reference
from cardgen.pdf.plain import plain_form
from cardgen.pdf.shapes import Drawable
from cardgen.svg.embedding import read_drawing
from cardgen.svg.tree import parse
from tests.for_each import for_each

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100">'
GRID = 'width="{0}" height="{0}" patternUnits="userSpaceOnUse"'
DOT = f'<pattern id="p" {GRID.format(2)}><rect width="1" height="1"/><circle r="1"/></pattern>'
NESTED = f'{DOT}<pattern id="q" {GRID.format(20)}><rect width="19" height="19" fill="url(#p)"/></pattern>'
FULL = '<rect width="100" height="100" fill="url(#{})"/>'
LEVELS = f"""<g id="a1">{'<use href="#a0"/>' * 9}</g><g id="a2">{'<use href="#a1"/>' * 9}</g>"""
TURNED = DOT.replace("patternUnits", 'patternTransform="rotate(30)" patternUnits')
BARS = '<rect width="9" height="90"/>' * 9
DRAWINGS = {
    "shapes": '<rect width="9" height="9"/>' * 300,
    "references": f'<defs><rect id="a0" width="9" height="9"/>{LEVELS}</defs><use href="#a2"/>',
    "tiles": f"<defs>{DOT}</defs>{FULL.format('p')}",
    "tiles-of-a-group": f'<defs>{DOT}</defs><g fill="url(#p)">{BARS}</g>',
    "tiles-turned": (
        f"<defs>{TURNED}</defs>"
        '<rect width="90" height="3" fill="url(#p)"/><rect x="90" width="3" height="90" fill="url(#p)"/>'
    ),
    "tiles-small": (
        f'<defs>{DOT}</defs><g fill="url(#p)"><rect width="90" height="90" transform="scale(.3)"/></g>'
    ),
    "tiles-in-tiles": f"<defs>{NESTED}</defs>{FULL.format('q') * 3}",
    "tiles-of-a-box": (
        '<defs><pattern id="b" width=".05" height="10%"><rect width="1" height="1"/></pattern></defs>'
        + FULL.format("b") * 3
    ),
}


def painted(objects: tuple[PdfObject, ...]) -> int:
    """How often anything is painted in the last object, a form, what it shows counted as often as it is
    shown."""
    counts: dict[str, int] = {}
    for each in objects:
        if b"/Subtype/Form" not in each.head:
            continue
        assert isinstance(each.stream, bytes)
        words = zlib.decompress(each.stream).decode("latin-1").split()
        named = {
            name: inner
            for inner in each.refs
            for name in re.findall(rb"/(\w+) ?" + re.escape(reference(inner)), each.head)
        }
        shown = [words[place - 1][1:].encode() for place, word in enumerate(words) if word == "Do"]
        own = sum(word in ("f", "f*", "S", "B", "B*") for word in words)
        counts[each.name] = own + sum(counts[named[name]] for name in shown)
    return counts[objects[-1].name]


@for_each("name", DRAWINGS)
def test_steps_charged_are_those_drawn(name: str) -> None:
    source = f"{HEAD}{DRAWINGS[name]}</svg>"
    drawing = read_drawing(parse(source.encode()), "a", Rect(0, 0, 100, 100))
    assert drawing.problems == ()
    form = plain_form(Drawable("k", source))
    assert form is not None
    charged = drawing.cost.steps + drawing.cost.tiled
    assert painted(form) <= charged <= 3 * painted(form)
