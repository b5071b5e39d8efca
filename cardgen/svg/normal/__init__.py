"""Drawings as drawing programs write them → the SVG that the rest of cardgen reads.

Each pass takes a tree and answers one in which less is left to know: style sheets of any kind become
properties at the elements, `<switch>` its chosen child, lengths in any unit plain numbers, a reference
without a size one with it. A drawing that has none of that stays the very same tree. Elements keep their
places in the source, for findings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cardgen.findings import Problem
from cardgen.svg.normal.boxes import boxed
from cardgen.svg.normal.flowing import flowed
from cardgen.svg.normal.inner import SVG_DATA, inlined
from cardgen.svg.normal.lengths import measured
from cardgen.svg.normal.servers import served
from cardgen.svg.normal.strokes import kept_strokes
from cardgen.svg.normal.structure import plain_structure
from cardgen.svg.normal.values import plain_values
from cardgen.svg.tree import Document, Node, is_unseen

_UNUSUAL = re.compile(
    rb"""<style|flowRoot|<!DOCTYPE|<switch|<a[\s>/]|<symbol|Gradient|<pattern|<ellipse|<mask|<\w+:|xmlns:\w+\s*=\s*["']http://www\.w3\.org/2000/svg
    |var\(|calc\(|%|[0-9.](?:cm|mm|in|pt|pc|q|rem|ex|ch|vw|vh)\b|\b(?:initial|unset|revert|inherit)\b
    |dash(?:array|offset)\s*[:=][^;>]{0,100}-|data:image/svg|icc-color|<use\s[^>]*(?:clip-path|mask|filter)
    |\b(?:system|required|vector-|pathLength|transform-|marker|font\b|auto|preserveAspectRatio)
    |transform\s*:|\bd\s*:|filter\s*:|url\(\s*["' ]|(?:circle|ellipse|inset|polygon|path)\(|<svg.*<svg""",
    re.X | re.S,
)
"""What a drawing with something to do has in it."""
_BY_TYPE = re.compile(
    rb"[0-9.](?:r?em|ex|ch|mm|cm|in|pt|pc|q|vw|vh|%)\b|[0-9.]%|calc\(|pathLength|transform-|vector-|data:image/svg|icc-color|<use\s[^>]*(?:clip-path|mask|filter)"
    rb"|(?:circle|ellipse|inset|polygon|path)\(|dash(?:array|offset)\s*[:=][^;>]{0,100}-"
)
"""Lengths that count from the size of type or a box: they must stand at the elements."""


@dataclass(frozen=True, slots=True)
class Normal:
    """A drawing in plain SVG, and what its style sheets say that can't be read, offsets in the file."""

    document: Document
    problems: tuple[Problem, ...] = ()


def normalised(
    document: Document,
    language: str = "en",
    inside: int = 0,
    *,
    everything: bool = False,
    lengths: bool = True,
) -> Normal:
    """The drawing with everything said where it counts. `language` is that of the readers, by which
    `<switch>` chooses; `inside` counts the drawings that it stands in. With `everything` no style is left
    to the drawing's sheets; without `lengths` they stay in the units that they are in."""
    everything = everything or inside > 0
    if not everything and _UNUSUAL.search(document.data) is None:
        return Normal(document)
    everything = everything or _BY_TYPE.search(document.data) is not None
    from cardgen.svg.normal.cascade import INITIAL, cascaded  # loads readers of CSS

    root, problems = cascaded(document.root, everything=everything)
    if SVG_DATA.search(document.data):

        def plain(inner: Document, deep: int) -> tuple[Document, list[Problem]]:
            normal = normalised(inner, language, deep)
            return normal.document, list(normal.problems)

        root = inlined(root, plain, INITIAL, inside, problems)
    root = plain_structure(root, language)
    if b"flowRoot" in document.data:
        root = flowed(root)
    root = plain_values(root)
    if lengths:
        root = boxed(measured(root), problems)
    root = kept_strokes(root, problems)
    root = served(root, problems)
    if root is document.root:
        return Normal(document, tuple(problems))
    return Normal(_document(document, root), tuple(problems))


def _document(document: Document, root: Node) -> Document:
    ids: dict[str, Node] = {}
    repeated: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if is_unseen(node.name):
            continue
        if "id" in node.attrs and ids.setdefault(node.attrs["id"], node) is not node:
            repeated.append(node)
        stack.extend(child for child in reversed(node.children) if isinstance(child, Node))
    return Document(document.data, root, ids, tuple(repeated))
