"""What elements refer to: gradients, clip paths, boxes for text, elements that `<use>` repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.svg.declarations import read_style, rename_urls, url_targets
from cardgen.svg.recent import Recent
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import Document, Node

_HREFS = frozenset(("href", "xlink:href"))
_REMEMBERED = 2000
"""Elements whose references are remembered."""


def references(node: Node, sheet: StyleSheet) -> Iterator[tuple[str, str]]:
    """The attributes and properties of an element that refer to others, each with the id that it names,
    in order. A property of several references comes several times."""
    for name, value in node.attrs.items():
        if name in _HREFS:
            if value.startswith("#"):
                yield "href", value[1:]
        elif "url(" in value:
            yield from _painted(read_style(value)[0] if name == "style" else {name: value})
    if sheet.refers:
        yield from _painted(sheet.declared(node))


def renamed(name: str, value: str, names: Mapping[str, str]) -> str:
    """An attribute's value with the new ids of `names`, by old ones: its id, or what `references` finds."""
    if name == "id":
        return names.get(value, value)
    if name in _HREFS:
        return f"#{names[value[1:]]}" if value.startswith("#") and value[1:] in names else value
    return rename_urls(value, names)


def _painted(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in properties.items():
        if "url(" in value:
            for target in url_targets(value):
                if target.startswith("#"):
                    yield name, target[1:]


class References:
    """Finds what is referred to, each source looked through once."""

    def __init__(self) -> None:
        self._names: Recent[tuple[bytes, StyleSheet | None], tuple[str, ...]] = Recent(_REMEMBERED)

    def needed(
        self,
        node: Node,
        source: bytes,
        around: tuple[str, ...],
        document: Document,
        sheet: StyleSheet,
    ) -> list[Node]:
        """The elements that an element and all in it refer to, or what stands around it (`around` are the
        ids), and those that they refer to, in order."""
        names = (*self._names_in(node, source, sheet), *around)
        if not names:
            return []
        found: dict[str, Node] = {}
        todo = list(reversed(names))
        while todo:
            name = todo.pop()
            other = document.ids.get(name)
            if other is not None and name not in found:
                found[name] = other
                todo += reversed(self._names_in(other, document.definition(other), sheet))
        return list(found.values())

    def _names_in(self, node: Node, source: bytes, sheet: StyleSheet) -> tuple[str, ...]:
        """The ids that an element and all in it refer to, each once, in order."""
        # Names of attributes can't be written otherwise, their values can, with &#…;.
        if not (sheet.refers or b"href" in source or b"url(" in source or b"&" in source):
            return ()
        key = (source, sheet if sheet.refers else None)
        names = self._names.get(key)
        if names is None:
            found = dict.fromkeys(id for part in node.iter() for _, id in references(part, sheet))
            names = tuple(found)
            self._names.put(key, names)
        return names
