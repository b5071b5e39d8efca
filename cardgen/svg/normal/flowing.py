"""flowRoot, as Inkscape 0.9 wrote text in boxes → text in a shape."""

from __future__ import annotations

from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.tree import Node

_SHAPES = frozenset(("rect", "circle", "ellipse", "polygon", "polyline", "path"))
_PARAGRAPHS = frozenset(("flowPara", "flowDiv"))


def flowed(root: Node) -> Node:
    """The tree with every flowRoot as a `<text>`, and the shape that it fills. One without letters is
    gone; one without a shape of its own, or with several, stays as it is."""
    ids = {node.attrs["id"] for node in root.iter() if "id" in node.attrs}
    return _flowed(root, ids)


def _flowed(node: Node, ids: set[str]) -> Node:
    children: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str):
            children.append(child)
        elif child.name == "flowRoot":
            children += _text(child, ids)
        else:
            children.append(_flowed(child, ids))
    return remade(node, children=children)


def _text(root: Node, ids: set[str]) -> list[Node]:
    regions = [node for node in root.elements() if node.name == "flowRegion"]
    contents = [node for node in root.elements() if node.name in (*_PARAGRAPHS, "flowSpan")]
    if not any(node.text().strip() for node in contents):
        return []
    shapes = [shape for region in regions for shape in region.elements() if shape.name in _SHAPES]
    if len(shapes) != 1:
        return [root]
    name = shapes[0].get("id")
    if name is None:
        name = next(f"flow-{number}" for number in range(len(ids) + 1) if f"flow-{number}" not in ids)
        ids.add(name)
    shape = remade(shapes[0], attrs={**shapes[0].attrs, "id": name})
    while contents and not contents[-1].text().strip():
        contents.pop()
    attrs = {**root.attrs, "shape-inside": f"url(#{name})", "cg:paragraph-space": "0"}
    made = remade(root, name="text", attrs=attrs, children=[_part(node) for node in contents])
    defs = Node("defs", {}, shape.start)
    defs.end = shape.end
    defs.children = [shape]
    return [defs, made]


def _part(node: Node) -> Node:
    """A paragraph or a part of one; an empty paragraph is a blank line."""
    paragraph = node.name in _PARAGRAPHS
    children: list[Node | str] = [
        _part(child) if isinstance(child, Node) and child.name.startswith("flow") else child
        for child in node.children
    ]
    attrs = dict(node.attrs)
    if paragraph:
        attrs["cg:block"] = "paragraph"
        if not node.text().strip():
            attrs["visibility"], children = "hidden", ["."]  # which takes its room
    elif node.name == "flowLine":
        attrs["cg:block"] = "break"
    return remade(node, name="tspan", attrs=attrs, children=children)
