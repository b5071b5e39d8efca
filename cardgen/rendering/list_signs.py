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
    lines = source.split("\n")
    found = [_ITEM.fullmatch(line) for line in lines]
    count = Counter(item[2] for item in found if item and item[4])
    return "\n".join(
        _escaped(line)
        if _RULE.fullmatch(line) and not _parts_texts(lines, place)
        else line
        if item is None or _RULE.fullmatch(line)
        else _line(item, count[item[2]], lines, place)
        for place, (line, item) in enumerate(zip(lines, found))
    )


def doubtful_dash(source: str) -> bool:
    """Whether dashes before figures become bullets that may have been meant as minus signs: several with
    nothing before them, or a single one after a blank line and no colon."""
    lines = source.split("\n")
    places = [
        place for place, line in enumerate(lines) if (item := _ITEM.fullmatch(line)) and item[2] == "-"
    ]
    items = [item for place in places if (item := _ITEM.fullmatch(lines[place]))]
    if not items or not all(item[4] and _begins_with_figure(item[4]) for item in items):
        return False
    begun = _has_text(lines[: places[0]])
    if len(items) > 1:
        return not begun
    return begun and _after_blank(lines, places[0]) and not _announced(lines[: places[0]])


def _line(item: re.Match[str], count: int, lines: list[str], place: int) -> str:
    """A line that begins as an item, of which there are `count`, as the parser is to read it."""
    indent, mark, gap, content = item.groups()
    if content is None or mark == "+" or (mark == "*" and count == 1):
        return _escaped(item[0])
    if mark == "-" and count == 1:
        begun = _has_text(lines[:place])
        if _begins_with_figure(content):
            if not (begun and _after_blank(lines, place)):
                return indent + MINUS + gap + content
        elif begun and not _has_text(lines[place + 1 :]) and not _announced(lines[:place]):
            return indent + CREDIT + gap + content
    inner = _escaped(content) if _ITEM.fullmatch(content) or _RULE.fullmatch(content) else content
    return indent + mark + gap + inner


def _escaped(line: str) -> str:
    """The line with its mark, or all signs of a rule, escaped."""
    if _RULE.fullmatch(line):
        return re.sub(r"[-*_]", r"\\\g<0>", line)
    return re.sub(r"[-+*.)]", r"\\\g<0>", line, count=1)


def _parts_texts(lines: list[str], place: int) -> bool:
    return "_" not in lines[place] and _has_text(lines[:place]) and _has_text(lines[place + 1 :])


def _has_text(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)


def _after_blank(lines: list[str], place: int) -> bool:
    return place > 0 and not lines[place - 1].strip()


def _announced(lines: list[str]) -> bool:
    """Whether the last text ends in a colon, so that a list follows."""
    last = next(line for line in reversed(lines) if line.strip())
    return last.rstrip(" \t*_").endswith((":", "："))


def _begins_with_figure(text: str) -> bool:
    before = _BEFORE_FIGURE.match(text)
    assert before is not None
    return text[before.end() : before.end() + 1].isnumeric()
