"""The fonts that the texts of a drawing or template ask for, before anything is set."""

from __future__ import annotations

import re

from cardgen.findings import CardgenError, Location
from cardgen.rendering.text_style import SLANTS, WEIGHTS, whole_number
from cardgen.svg.normal import normalised
from cardgen.svg.style import StyleSheet, inherit
from cardgen.svg.tree import SvgError, parse

_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_MOST_FACES = 200
"""Faces of a drawing that are told."""


def asked_faces(data: bytes, name: str) -> list[tuple[str, int, bool]]:
    """The families that texts name first, as they are written, with weights and whether they are italic.

    What a template works out isn't known. Raises CardgenError for a drawing that can't be read.
    """
    # Line ends stay, for findings.
    text = _CODE.sub(lambda found: "\n" * found[0].count("\n"), data.decode("utf-8", "replace"))
    source = text.encode()
    try:
        root = normalised(parse(source)).document.root
    except SvgError as error:
        line = source.count(b"\n", 0, error.problem.offset) + 1
        raise CardgenError(error.problem.at(Location(name, line))) from None
    sheet = StyleSheet(node for node in root.iter() if node.name == "style")
    found: dict[tuple[str, int, bool], None] = {}
    stack = [(root, inherit({}, sheet.properties(root)), False)]
    while stack and len(found) < _MOST_FACES:
        node, style, in_text = stack.pop()
        in_text = in_text or node.name == "text"
        family = style.get("font-family", "").partition(",")[0].strip().strip("\"'").strip()
        if in_text and family:
            said = style.get("font-weight", "normal")
            weight = WEIGHTS.get(said) or whole_number(said) or WEIGHTS["normal"]
            found[family, min(weight, 1000), bool(SLANTS.get(style.get("font-style", "normal")))] = None
        stack += (
            (child, inherit(style, sheet.properties(child)), in_text)
            for child in reversed(list(node.elements()))
        )
    return list(found)
