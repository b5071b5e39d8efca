"""Text of which parts are bold, raised or the like, as the Markdown of card text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cardgen.tables.values import Rich, unified

Run = tuple[str, frozenset[str]]
"""Text and its marks, which are keys of `MARKS`."""

MARKS = {"underline": "++", "bold": "**", "italic": "*", "strike": "~~", "raised": "^", "lowered": "~"}
"""From the outermost to the innermost."""
_SPECIAL = re.compile(r"[\\*^~]|\+(?=\+)|(?<=\+)\+|(?<![^\W_])_|_(?![^\W_])")
_WORDS = re.compile(r"(\s+)")
_BY_WORD = frozenset(("raised", "lowered"))
"""Marks that stand around a word each."""


def rich_text(runs: Iterable[Run]) -> str | Rich:
    """A cell's text; plain if no run has a mark that shows."""
    merged: list[Run] = []
    for text, marks in runs:
        marks = marks if text.strip() else frozenset()
        if merged and merged[-1][1] == marks:
            text = merged.pop()[0] + text
        merged.append((text, marks))
    plain = unified("".join(text for text, _ in merged)).strip()
    if not any(marks for _, marks in merged):
        return plain
    return Rich(plain, "".join(_marked(unified(text), marks) for text, marks in merged).strip())


def _marked(text: str, marks: frozenset[str]) -> str:
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    if not marks:
        return escaped
    order = [name for name in MARKS if name in marks]
    before = "".join(MARKS[name] for name in order)
    after = before[::-1]
    if marks & _BY_WORD:
        return "".join(
            part if not part or part.isspace() else before + part + after for part in _WORDS.split(escaped)
        )
    return "\n".join(_around(line, before, after) for line in escaped.split("\n"))


def _around(line: str, before: str, after: str) -> str:
    """Marks around a line's words, spaces left out."""
    words = line.strip()
    if not words:
        return line
    start = line.index(words)
    return f"{line[:start]}{before}{words}{after}{line[start + len(words) :]}"


def without_own(runs: Sequence[Run], own: frozenset[str]) -> Sequence[Run]:
    """Runs without the marks that a cell has as a whole: those of its own style that all of them have."""
    shared = own.intersection(*(marks for text, marks in runs if text.strip()))
    return [(text, marks - shared) for text, marks in runs] if shared else runs
