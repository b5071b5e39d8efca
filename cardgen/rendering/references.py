"""What elements refer to: gradients, clip paths, boxes for text, elements that `<use>` repeats."""

from __future__ import annotations

import re

from cardgen.rendering.recent import Recent
from cardgen.rendering.svg import Document, Node

_REFERENCE = re.compile(rb"""(?:href=["']|url\(\s*["']?)#([^\s"')]+)""")
_REMEMBERED = 2000
"""Elements whose references are remembered."""


class References:
    """Finds what is referred to, each source looked through once."""

    def __init__(self) -> None:
        self._names: Recent[bytes, tuple[str, ...]] = Recent(_REMEMBERED)

    def needed(self, source: bytes, document: Document) -> list[Node]:
        """The elements that a source refers to, and those that they refer to, in order."""
        names = self._named(source)
        if not names:
            return []
        found: dict[str, Node] = {}
        todo = list(reversed(names))
        while todo:
            name = todo.pop()
            node = document.ids.get(name)
            if node is not None and name not in found:
                found[name] = node
                todo += reversed(self._named(document.source(node)))
        return list(found.values())

    def cycles(self, nodes: list[Node], document: Document) -> bool:
        """Whether any of the elements refers to itself in the end."""
        targets = {
            node.attrs["id"]: set(self._named(document.source(node))) & document.ids.keys()
            for node in nodes
        }
        while True:
            ends = [name for name, others in targets.items() if not others & targets.keys()]
            if not ends:
                return bool(targets)
            for name in ends:
                del targets[name]

    def _named(self, source: bytes) -> tuple[str, ...]:
        if b"#" not in source:
            return ()
        names = self._names.get(source)
        if names is None:
            found = dict.fromkeys(_REFERENCE.findall(source))
            names = tuple(name.decode() for name in found)
            self._names.put(source, names)
        return names
