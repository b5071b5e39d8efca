"""The commonest picture of all, a rectangle in one opaque colour, without the way through cairo.

A background is often the one picture that differs from card to card, so that a large deck would have
cairo draw hundreds of them. Anything but exactly this form goes to cairo.
"""

from __future__ import annotations

import re
import zlib

from cardgen.drawing.objects import PdfObject

_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)"
_AREA = re.compile(
    rf'<svg xmlns="[^"]*"(?: xmlns:xlink="[^"]*")? width="({_NUMBER})mm" height="({_NUMBER})mm" '
    rf'viewBox="0 0 \1 \2"><rect(?: x="({_NUMBER})")?(?: y="({_NUMBER})")? width="({_NUMBER})" '
    rf'height="({_NUMBER})" fill="#([0-9A-Fa-f]{{3}}|[0-9A-Fa-f]{{6}})"/></svg>'
)


def area_form(svg: str) -> PdfObject | None:
    """The form of a document that holds one plain rectangle, in mm with y down; None for any other."""
    match = _AREA.fullmatch(svg)
    if match is None:
        return None
    width, height, x, y, w, h, fill = match.groups(default="0")
    if w.startswith("-") or h.startswith("-"):
        return None
    if len(fill) == 3:
        fill = "".join(2 * digit for digit in fill)
    red, green, blue = (int(fill[i : i + 2], 16) / 255 for i in (0, 2, 4))
    stream = zlib.compress(f"{red:.5g} {green:.5g} {blue:.5g} rg {x} {y} {w} {h} re f".encode("ascii"), 6)
    head = "<</Type/XObject/Subtype/Form/BBox[0 0 {} {}]/Resources<<>>/Filter/FlateDecode/Length {}>>"
    return PdfObject.of(head.format(width, height, len(stream)).encode("ascii"), stream)
