"""Text of which parts are bold, raised or the like, as the Markdown of card text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from cardgen.tables.values import Rich, unified

Run = tuple[str, frozenset[str]]
"""Text and its marks, which are keys of `MARKS`."""

MARKS = {"raised": "^", "lowered": "~", "underline": "++", "bold": "**", "italic": "*", "strike": "~~"}
"""From the outermost to the innermost."""
_SPECIAL = re.compile(r"[\\*^~]|(?<![^\W_])_|_(?![^\W_])|\+(?=\+)|(?<=\+)\+|\A\+|\+\Z")
JOINER = "\u2060"
"""Stands unseen between a letter and a mark within a word: `2*3*4` has no marks but times signs."""
_WORDS = re.compile(r"(\s+)")
_BY_WORD = frozenset(("raised", "lowered"))
"""Marks that stand around a word each."""


def rich_text(runs: Iterable[Run]) -> str | Rich:
    """A cell's text; plain if no run has a mark that shows."""
    merged = _merged((unified(text), marks if text.strip() else frozenset()) for text, marks in runs)
    plain = "".join(text for text, _ in merged)
    if not any(marks for _, marks in merged):
        return plain.strip()
    spaced = f" {plain} "
    possible, at = [], 1
    for text, marks in merged:
        before = spaced[at - 1] if text[:1].strip() else " "
        after = spaced[at + len(text)] if text[-1:].strip() else " "
        possible.append((text, _possible(marks, before + after)))
        at += len(text)
    return Rich(plain.strip(), _joined(_merged(possible)).strip())


def _merged(runs: Iterable[Run]) -> list[Run]:
    """Runs of which no two neighbors have the same marks. Within a word, stars mean nothing beside other
    stars, and both neighbors have the ones that they share."""
    merged: list[tuple[list[str], frozenset[str]]] = []
    for text, marks in runs:
        if not text:
            continue
        if merged and merged[-1][0][-1][-1].strip() and text[0].strip():
            one, two = merged[-1][1] & _STARS, marks & _STARS
            if one & two:
                merged[-1] = merged[-1][0], merged[-1][1] - (one - two)
                marks = marks - (two - one)
        if merged and merged[-1][1] == marks:
            merged[-1][0].append(text)
        else:
            merged.append(([text], marks))
    return [("".join(parts), marks) for parts, marks in merged]


def _joined(runs: Sequence[Run]) -> str:
    whole = "".join(text for text, _ in runs)
    out, at = [], 0
    for text, marks in runs:
        before, after = whole[at - 1 : at] if at else " ", whole[at + len(text) : at + len(text) + 1] or " "
        out.append(_marked(text, marks, before, after))
        at += len(text)
    return "".join(out)


def _marked(text: str, marks: frozenset[str], before: str, after: str) -> str:
    """A run in Markdown; `before` and `after` are the characters that it stands between."""
    if not marks:
        return _escaped(text)
    if marks & _BY_WORD:
        parts = _WORDS.split(text)
    else:
        parts = re.split(r"(\n)", text)
    ends = [before, *(" " for _ in parts[1:])], [*(" " for _ in parts[1:]), after]
    return "".join(_around(part, marks, *between) for part, *between in zip(parts, *ends, strict=True))


def _around(text: str, marks: frozenset[str], before: str, after: str) -> str:
    """Marks around the words of a text. Between letters, marks mean nothing beside punctuation, which is
    then left outside."""
    start, end = 0, len(text)
    if marks & _BY_WORD:
        before = after = " "
    while start < end and (text[start].isspace() or (_is_letter(before) and not _is_letter(text[start]))):
        before, start = text[start], start + 1
    while start < end and (
        text[end - 1].isspace() or (_is_letter(after) and not _is_letter(text[end - 1]))
    ):
        after, end = text[end - 1], end - 1
    if start == end:
        return _escaped(text)
    signs = "".join(MARKS[name] for name in MARKS if name in marks)
    one, other = (
        JOINER if outer.isalnum() and inner.isalnum() and not marks & _BY_WORD else ""
        for outer, inner in ((before, text[start]), (after, text[end - 1]))
    )
    inside = f"{one}{signs}{_escaped(text[start:end])}{signs[::-1]}{other}"
    return f"{_escaped(text[:start])}{inside}{_escaped(text[end:])}"


def _possible(marks: frozenset[str], around: str) -> frozenset[str]:
    """The marks that can stand together: `~~~` lowers nothing, and within a word one sign means nothing
    beside another."""
    marks = marks - {"lowered"} if "strike" in marks else marks
    kinds = [kind for kind in _KINDS if kind & marks]
    if len(kinds) > 1 and any(map(_is_letter, around)) and not marks & _BY_WORD:
        return kinds[0] & marks
    return marks


_STARS = frozenset(("bold", "italic"))
_KINDS = (frozenset(("strike",)), _STARS, frozenset(("underline",)))


def _is_letter(character: str) -> bool:
    """Whether a character is neither a space nor punctuation."""
    return unicodedata.category(character)[0] not in "ZPSC"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def without_own(runs: Sequence[Run], own: frozenset[str]) -> Sequence[Run]:
    """Runs without the marks that a cell has as a whole: those of its own style that all of them have."""
    shared = own.intersection(*(marks for text, marks in runs if text.strip()))
    return [(text, marks - shared) for text, marks in runs] if shared else runs
