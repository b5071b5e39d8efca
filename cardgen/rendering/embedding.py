"""Other SVG files' content, to be put into a drawing."""

from __future__ import annotations

import re

from cardgen.rendering.names import names
from cardgen.rendering.style import StyleSheet
from cardgen.rendering.svg import Document, Node, open_tag, serialize

_LEFT_OUT = names("width height viewBox x y version id style class preserveAspectRatio")


def embed(prefix: str, document: Document, sheet: StyleSheet) -> str:
    """The drawing of a file as a `<g>` with its root's style. Ids get the prefix, so that two files
    can't mean each other's."""
    root = document.root
    kept = {name: value for name, value in root.attrs.items() if name not in _LEFT_OUT and ":" not in name}
    head = open_tag(Node("g", kept), sheet.attribute(root))
    body = "".join(serialize(child, _replace, sheet.attribute) for child in root.elements())
    if document.ids:
        either = "|".join(re.escape(id) for id in sorted(document.ids, key=len, reverse=True))
        body = re.sub(rf'( id="|#)({either})(?=["\')])', rf"\g<1>{prefix}-\g<2>", body)
    return f"{head}>{body}</g>"


def _replace(node: Node) -> str | None:
    return "" if ":" in node.name or node.name in ("style", "title", "desc", "metadata") else None
