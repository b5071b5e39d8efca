"""How much styles, variables and copies may come to while a drawing is brought to plain SVG."""

from __future__ import annotations

import re

from cardgen.findings import Problem
from cardgen.svg.limits import MOST_MARKUP, MOST_MATCHED, MOST_NESTED_STYLE
from cardgen.svg.tree import Node

_COMBINED = re.compile(r"\s*[>+~]\s*|\s+")
_AMONG = re.compile(r":nth-|-of-type")
"""What goes through an element's neighbours."""
_MANY = 10
_BRACKET = re.compile(r"[\[\](){}]")


class TooMuchError(Exception):
    """Styles come to more at the elements than is read."""


class Work:
    """What is left of what rules and variables may come to at the elements."""

    def __init__(self) -> None:
        self._left = MOST_MATCHED
        self._room = MOST_MARKUP

    def takes(self, properties: int) -> bool:
        """Whether there is room for that many properties more."""
        self._left -= properties
        return self._left >= 0

    def take(self, properties: int, text: str = "") -> None:
        """Raises TooMuchError where there is no room for them, or for the text."""
        self._room -= len(text)
        if not self.takes(properties) or self._room < 0:
            raise TooMuchError

    def problem(self, root: Node) -> Problem:
        message = f"its styles come to more than {MOST_MATCHED:,} properties, or too long ones"
        return Problem("svg/bounds", message, "leave out the rules that nothing needs", offset=root.start)


def nested_too_deep(text: str) -> bool:
    """Whether brackets are nested deeper than any that is meant: what reads them calls itself."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[0] in "([{" else -1 if depth else 0
        if depth > MOST_NESTED_STYLE:
            return True
    return False


def matching_work(selector: str, widest: int, deepest: int) -> int:
    """Elements that must be looked at to see whether a selector fits one, in a tree of which an element
    has at most `widest` children, and which has `deepest` levels."""
    compounds = _COMBINED.split(selector.strip())
    count = len(compounds) - 1
    beside = selector.count("~")
    above = max(0, count - beside - selector.count(">") - selector.count("+"))
    work = 1 + count
    for side, times in ((widest, beside + bool(_AMONG.search(selector))), (deepest, above)):
        for _ in range(min(times, _MANY)):
            work *= max(1, side)
    return work
