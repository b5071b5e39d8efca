"""A tree as a source of its own, with the way back: from places in it to those it was made from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from cardgen.svg.tree import Node, is_foreign

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_VALUE = _TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_DECLARED = {
    "xmlns": "http://www.w3.org/2000/svg",
    "xmlns:xlink": "http://www.w3.org/1999/xlink",
    "xmlns:cg": "urn:cardgen",
}


@dataclass(frozen=True, slots=True)
class Written:
    """A source, and where its elements began: in it, and in what it was made from."""

    data: bytes
    _here: tuple[int, ...]
    _there: tuple[int, ...]

    def origin(self, offset: int) -> int:
        """Where the element began that a place in the source lies in, or follows."""
        index = bisect_right(self._here, offset) - 1
        return self._there[max(0, index)]


def written(root: Node) -> Written:
    """The tree as XML, without what drawing programs keep for themselves. Elements have the place that
    they were made at, those without one that of what stands before."""
    parts: list[bytes] = []
    here: list[int] = []
    there: list[int] = []
    length = 0
    for node, text in _pieces(root):
        if node is not None:
            here.append(length)
            there.append(node.start if node.start or not there else there[-1])
        data = text.encode()
        parts.append(data)
        length += len(data)
    return Written(b"".join(parts), tuple(here), tuple(there))


def _pieces(root: Node) -> Iterator[tuple[Node | None, str]]:
    stack: list[Node | str | tuple[str]] = [root]
    while stack:
        piece = stack.pop()
        if isinstance(piece, tuple):
            yield None, piece[0]
        elif isinstance(piece, str):
            yield None, piece.translate(_TEXT)
        else:
            own = {name: value for name, value in piece.attrs.items() if _is_ours(name)}
            attrs = _DECLARED | own if piece is root else own
            said = "".join(f' {name}="{value.translate(_VALUE)}"' for name, value in attrs.items())
            if not piece.children:
                yield piece, f"<{piece.name}{said}/>"
                continue
            yield piece, f"<{piece.name}{said}>"
            stack.append((f"</{piece.name}>",))
            stack += reversed(piece.children)


def _is_ours(name: str) -> bool:
    return name.startswith("cg:") or not (is_foreign(name) or name.startswith("xmlns"))
