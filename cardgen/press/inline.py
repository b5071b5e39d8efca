"""Images within content streams, which become objects beside them."""

from __future__ import annotations

import re
from typing import Any

import pikepdf

_BEGUN = re.compile(rb"(?:^|[\s\]>)])BI[\s/]")


def lift_images(holder: Any, pdf: pikepdf.Pdf) -> None:
    """Have a page or a form show the images within its content by name, in place. What looks like one in
    a text is none."""
    content = content_of(holder)
    if not _BEGUN.search(content):
        return
    found = pikepdf.parse_content_stream(holder)
    if not any(str(each.operator) == "INLINE IMAGE" for each in found):
        return
    resources = (holder.obj if isinstance(holder, pikepdf.Page) else holder).Resources
    if "/XObject" not in resources:
        resources.XObject = pikepdf.Dictionary()
    spaces = resources.get("/ColorSpace") or {}
    out: list[Any] = []
    for each in found:
        operands, operator = each.operands, each.operator
        if str(operator) != "INLINE IMAGE":
            out.append((operands, operator))
            continue
        name = next(name for n in range(len(found)) if (name := f"/lifted{n}") not in resources.XObject)
        resources.XObject[name] = pdf.make_indirect(_image(operands[0], spaces, pdf))
        out.append(([pikepdf.Name(name)], pikepdf.Operator("Do")))
    written = pikepdf.unparse_content_stream(out)
    if isinstance(holder, pikepdf.Page):
        holder.obj.Contents = pdf.make_stream(written)
    else:
        holder.write(written)


def content_of(holder: Any) -> bytes:
    """What a page or a form paints with."""
    if not isinstance(holder, pikepdf.Page):
        return bytes(holder.read_bytes())
    if "/Contents" not in holder.obj:
        return b""
    contents = holder.obj.Contents
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts)


def _image(inline: Any, spaces: Any, pdf: pikepdf.Pdf) -> pikepdf.Stream:
    """The same as an object. A name of a colour space may stand for one among the resources."""
    image = pdf.make_stream(inline.read_raw_bytes())
    for key, value in inline.obj.items():
        image[key] = value
    image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    space = image.get("/ColorSpace")
    if isinstance(space, pikepdf.Name) and str(space) in spaces:
        image.ColorSpace = spaces[str(space)]
    return image
