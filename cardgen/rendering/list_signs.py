"""Signs at the start of a line that Markdown takes for lists and rules, though a card means them as signs.

A list's item is a dash or a number, a blank and some text. A star needs a second item, since one may be a
footnote. One dash alone before a figure is a minus, and before the last line of a text it is that of a
credit. A plus is a plus. Whatever stands alone on its line is what it is, but for a rule between two texts.
"""

from __future__ import annotations

import re
from collections import Counter

MINUS, CREDIT = "−", "—"
_ITEM = re.compile(r"([ \t]*)([-+*]|[0-9]{1,9}[.)])(?:([ \t]+)(\S.*)|[ \t]*)")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")
_BEFORE_FIGURE = re.compile(r"[^\w\s:]{0,6}")


def with_signs(source: str) -> str:
    """The text with a backslash before each sign at the start of a line that is no mark."""
    lines = _Lines(source.split("\n"))
    return "\n".join(lines.signed(place) for place in range(len(lines.all)))


def doubtful_dash(source: str) -> bool:
    """Whether dashes before figures become bullets that may have been meant as minus signs: several with
    nothing before them, or a single one after a blank line and no colon."""
    lines = _Lines(source.split("\n"))
    dashes = [place for place, item in enumerate(lines.items) if item and item[2] == "-"]
    if not dashes or not all(_begins_with_figure(lines.content(place)) for place in dashes):
        return False
    if len(dashes) > 1:
        return dashes[0] == lines.first
    return lines.begins_apart(dashes[0]) and not lines.is_announced(dashes[0])


class _Lines:
    """The lines of a text: which begin as an item, how many do so with each mark, and where text is."""

    def __init__(self, lines: list[str]) -> None:
        self.all = lines
        self.items = [_ITEM.fullmatch(line) for line in lines]
        self._count = Counter(item[2] for item in self.items if item and item[4])
        texts = [place for place, line in enumerate(lines) if line.strip()]
        self.first, self._last = (texts[0], texts[-1]) if texts else (0, 0)

    def content(self, place: int) -> str:
        item = self.items[place]
        return (item and item[4]) or ""

    def signed(self, place: int) -> str:
        """A line as the parser is to read it."""
        line, item = self.all[place], self.items[place]
        if _RULE.fullmatch(line):
            parts_texts = self.first < place < self._last and "_" not in line
            return line if parts_texts else _escaped(line)
        if item is None:
            return line
        indent, mark, gap, content = item.groups()
        alone = self._count[mark] == 1
        if content is None or mark == "+" or (mark == "*" and alone):
            return _escaped(line)
        if mark == "-" and alone:
            if _begins_with_figure(content):
                if not self.begins_apart(place):
                    return indent + MINUS + gap + content
            elif (
                self.first < place == self._last
                and not self.is_announced(place)
                and not self._is_inner(place, indent)
            ):
                return indent + CREDIT + gap + content
        inner = _escaped(content) if _ITEM.fullmatch(content) or _RULE.fullmatch(content) else content
        return indent + mark + gap + inner

    def begins_apart(self, place: int) -> bool:
        """Whether a blank line parts a line from text before it."""
        return place > self.first and not self.all[place - 1].strip()

    def _is_inner(self, place: int, indent: str) -> bool:
        """Tell whether a line is indented below an item, as that of a list in a list."""
        before = next(each for each in range(place - 1, -1, -1) if self.all[each].strip())
        return len(indent.expandtabs()) > 1 and bool(self.content(before))

    def is_announced(self, place: int) -> bool:
        """Whether the text before a line ends in a colon, so that a list follows."""
        before = next(line for line in self.all[place - 1 :: -1] if line.strip())
        return before.rstrip(" \t*_").endswith((":", "："))


def _escaped(line: str) -> str:
    """The line with its mark, or all signs of a rule, escaped."""
    if _RULE.fullmatch(line):
        return re.sub(r"[-*_]", r"\\\g<0>", line)
    return re.sub(r"[-+*.)]", r"\\\g<0>", line, count=1)


def _begins_with_figure(text: str) -> bool:
    before = _BEFORE_FIGURE.match(text)
    assert before is not None
    return text[before.end() : before.end() + 1].isnumeric()
