"""An SVG document as CairoSVG's tree: its inheritance and style sheets, without its openness."""

from __future__ import annotations

from typing import Any

import cssselect2  # type: ignore[import-untyped]  # has no types
from cairosvg import css
from cairosvg.parser import Node, Tree
from defusedxml import ElementTree  # type: ignore[import-untyped]  # has no types

from cardgen.drawing.objects import DrawingError

_STYLE = "{http://www.w3.org/2000/svg}style"


class _NoRules:
    """A matcher for documents without style sheets, which most are. CairoSVG asks two matchers about
    every element, a third of the time that it needs to make a tree."""

    def match(self, element: Any) -> tuple[()]:
        return ()


def parse(svg: str) -> Any:
    """The tree of a document that may refer to nothing outside itself. Raises ParseError for XML that
    is none and ValueError for entities, as defusedxml does."""
    root = ElementTree.fromstring(svg.encode(), forbid_entities=True, forbid_external=True)
    tree = Tree.__new__(Tree)
    tree.url, tree.xml_tree = None, root
    if next(root.iter(_STYLE), None) is None:
        style: Any = (_NoRules(), _NoRules())
    else:
        tree.url_fetcher = _fetch_nothing
        style = css.parse_stylesheets(tree, None)
    element = cssselect2.ElementWrapper.from_xml_root(root)
    Node.__init__(tree, element, style, _fetch_nothing, None, False, None, False)
    tree.root = True
    return tree


def _fetch_nothing(url: str, kind: str) -> bytes:
    raise DrawingError.of("picture/reference", f"'{url}' lies outside the picture")
