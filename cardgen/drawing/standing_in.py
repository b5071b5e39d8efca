"""A picture's markup for a program that must not open files: each image in it as a stand-in of its own.

The stand-in is a JPEG of one pixel with the image's key in a comment, which programs that write PDF carry
over byte by byte; `forms` then puts the image in its place. Where a filter may lie over it, it is the
image itself.
"""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from io import BytesIO

from PIL import Image

from cardgen.drawing.images import SMOOTH, STAND_IN, ImageLibrary, RasterImage
from cardgen.svg.declarations import read_style
from cardgen.svg.tree import Node, open_tag, serialize

_UNSMOOTH = frozenset(("pixelated", "crisp-edges", "optimizeSpeed"))
_BOX = ("x", "y", "width", "height", "preserveAspectRatio")
_HREFS = ("href", "xlink:href")
_BRIGHTNESS = (0.2126, 0.7152, 0.0722, 0.0)
"""Of red, green and blue (CSS Masking 1, 6.4)."""


def with_stand_ins(root: Node, library: ImageLibrary) -> str:
    """The document as text. Raises DrawingError for an image that is not among the library's."""
    whole = any(node.name == "filter" for node in root.iter())
    weighed = frozenset(_weighed(root))

    def replace(node: Node) -> str | None:
        if node.name != "image":
            return None
        image = library.find(node.href or "")
        outer = {name: value for name, value in node.attrs.items() if name not in (*_BOX, *_HREFS)}
        boxed = {name: node.attrs[name] for name in _BOX if name in node.attrs}
        width, height = f"{image.width}", f"{image.height}"
        box = {"width": width, "height": height} | boxed | {"viewBox": f"0 0 {width} {height}"}
        if node in weighed:
            kind, data = "png", in_grays(image.shown_png())
        elif whole:
            kind, data = "png", image.shown_png()
        else:
            kind, data = "jpeg", stand_in(image, _smooth(node))
        href = f"data:image/{kind};base64,{b64encode(data).decode('ascii')}"
        inner = {"width": width, "height": height, "preserveAspectRatio": "none", "href": href}
        nested = open_tag(Node("svg", box), "") + ">" + open_tag(Node("image", inner), "") + "/></svg>"
        return f"{open_tag(Node('g', outer), _style(node))}>{nested}</g>"

    return serialize(root, replace, _style).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)


def _weighed(root: Node) -> Iterator[Node]:
    """The images that a mask weighs by their brightness."""
    for mask in root.iter():
        kind = read_style(_style(mask))[0].get("mask-type", mask.get("mask-type"))
        if mask.name == "mask" and kind != "alpha":
            yield from (node for node in mask.iter() if node.name == "image")


def in_grays(png: bytes) -> bytes:
    """A PNG with its colours as grays of the same brightness as SVG sees it (CSS Masking 1, 6.4): PDF
    weighs them otherwise."""
    with Image.open(BytesIO(png)) as image:
        colors = image.convert("RGB").convert("L", matrix=_BRIGHTNESS)
        if image.mode == "RGBA":
            colors.putalpha(image.getchannel("A"))
        file = BytesIO()
        colors.save(file, "PNG")
    return file.getvalue()


def _style(node: Node) -> str:
    return node.attrs.get("style", "")


def _smooth(node: Node) -> bool:
    declared = read_style(_style(node))[0]
    return declared.get("image-rendering", node.attrs.get("image-rendering")) not in _UNSMOOTH


def stand_in(image: RasterImage, smooth: bool) -> bytes:
    """The JPEG that stands for an image."""
    note = STAND_IN + image.key.encode("ascii") + (SMOOTH if smooth else b"-")
    pixel = _pixel()
    return pixel[:2] + b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note + pixel[2:]


@cache
def _pixel() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1, 1)).save(file, "JPEG")
    return file.getvalue()
