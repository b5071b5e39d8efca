"""What stands around shapes: prefixes of SVG's own, links, conditions and choices (SVG 2, 5.9)."""

from __future__ import annotations

from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.tree import Node

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")
_LINK = names("href target download rel type xlink:href xlink:title xlink:show")
_LONGEST = 1_000
"""Characters of a list of languages."""
_MARKED = names("line path polygon polyline")
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_UNMARKED = names("circle ellipse rect")


def plain_structure(root: Node, language: str) -> Node:
    """The tree with links as groups, of a `<switch>` the child that holds, and nothing whose conditions
    don't."""
    prefixes = {
        name.removeprefix("xmlns:"): value
        for node in root.iter()
        for name, value in node.attrs.items()
        if name.startswith("xmlns:")
    }
    return _Structure(prefixes, language).plain(root) or root


class _Structure:
    def __init__(self, prefixes: dict[str, str], language: str) -> None:
        self._prefixes = prefixes
        self._language = language.lower()
        self._usual = not any(
            name != "xlink" and value == _XLINK for name, value in prefixes.items()
        )  # whether references are spelt as usual

    def plain(self, node: Node) -> Node | None:
        """An element and all in it; None for one that is not shown."""
        name = self._name(node.name)
        if not self._holds(node) or (":" in name and name.partition(":")[0] in self._prefixes):
            return None  # or another program's own
        attrs = self._attributes(node.attrs)
        children: list[Node | str] = []
        for child in node.children:
            if isinstance(child, str):
                children.append(child)
                continue
            made = self.plain(child)
            if made is not None:
                children.append(made)
            if name == "switch" and made is not None and ":" not in made.name:
                break  # the first whose conditions hold is the only one
        if name in ("a", "switch"):
            attrs = {key: value for key, value in attrs.items() if name != "a" or key not in _LINK}
            name = "g"
        if name in _UNMARKED and any(marker in attrs for marker in _MARKERS):
            attrs = {key: value for key, value in attrs.items() if key not in _MARKERS}
        return remade(node, name=name, attrs=attrs, children=children)

    def _name(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        return local if colon and self._prefixes.get(prefix) == _SVG else name

    def _attributes(self, attrs: dict[str, str]) -> dict[str, str]:
        if not any(name in _CONDITIONS for name in attrs) and self._usual:
            return attrs
        result: dict[str, str] = {}
        for name, value in attrs.items():
            prefix, colon, local = name.partition(":")
            if name in _CONDITIONS:
                continue
            if colon and self._prefixes.get(prefix) == _XLINK:
                name = "xlink:" + local
            result[name] = value
        return result

    def _holds(self, node: Node) -> bool:
        """Whether an element's conditions hold."""
        attrs = node.attrs
        if attrs.get("requiredExtensions") is not None:  # none is supported, and an empty list neither
            return False
        if "systemLanguage" in attrs:
            wanted = [one.strip().lower() for one in attrs["systemLanguage"][:_LONGEST].split(",")]
            mine = self._language
            return any(
                one and (one == mine or one.startswith(mine + "-") or mine.startswith(one + "-"))
                for one in wanted
            )
        return True
