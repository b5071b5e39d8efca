"""Finds a typed text among printed ones, whatever typesetting makes of it: capitals, quotes, dashes,
hyphens, line breaks, marks of Markdown and icons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property, lru_cache

from cardgen.rendering.printed_texts import ICON

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛‹›′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u2061\ufe0e\ufe0f", ""),
        **dict.fromkeys("\u2028\u2029\x85\x0b\x0c\r", "\n"),
        "×": "*",
        "…": "...",
        "⁄": "/",
        "ı": "i",
        "ς": "σ",
    }
)
_EXACT = ("<super>", "<sub>", "<fraction>")
"""Characters that are not the same as the plain ones: 10⁶ is not 106."""
_DASHES = re.compile("-{2,}")
_MANY = 4
"""Places in a printed text that are compared letter by letter."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")

_MARK = re.compile(r"[-*_~+^\\<:•]")
_ICON = re.compile(
    r":[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*(?:[@#][^\s:@#]{0,20}){0,4}(?:\s{1,20}[^\s:]{1,20})?:"
)
_BREAK = re.compile(r"<br\s*/?>|_x000[a-d]_\n?|\\(?=\n)|\\n", re.IGNORECASE)
_RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-+*•][ \t]+(?=[^\s\d])", re.MULTILINE)
_ANY_BULLET = re.compile(r"^[ \t]*[-+*•][ \t]+", re.MULTILINE)
_RAISED = re.compile(r"([\^~])([^\s^~]+)\1")
"""Raised or lowered."""
_STRONG = re.compile(r"(?<!\\)(\*\*|~~|\+\+)(?=\S)(.+?)(?<=[^\s\\])\1", re.DOTALL)
_PLAIN = re.compile(r"(?<![\w\\])([*_])(?=[^\s*_])([^*]*?)(?<=[^\s\\])\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class Match(IntEnum):
    """How much of a typed text is printed: nothing, its letters without a blank between two words, its
    words without its line ends, or all of it."""

    MISSING = 0
    JOINED = 1
    ONE_LINE = 2
    WHOLE = 3


def folded(text: str) -> str:
    """A text without what typesetting may change: capitals, kinds of quotes and dashes."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        text = "".join(map(_plain, text)).translate(_SIGNS)
    else:
        text = text.translate(_SIGNS)
    return _DASHES.sub("-", text.casefold().replace("i\u0307", "i"))


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """A compatible character (a ligature, a wide letter, a kind of blank) as the plain one."""
    if letter.isascii() or unicodedata.decomposition(letter).startswith(_EXACT):
        return letter
    return unicodedata.normalize("NFKC", letter)


def without_marks(text: str) -> str:
    """A text without marks of Markdown, and with an ICON for each icon. A sign that is none stays: that
    between two figures (`2*3*4`), or before one (`- 2 health`)."""
    if not _MARK.search(text):
        return text
    text = _BREAK.sub("\n", text)
    text = _ICON.sub(ICON, text)
    text = _RULE.sub("", text)
    if _BULLET.search(text) or len(_ANY_BULLET.findall(text)) > 1:  # else a sign before a figure
        text = _ANY_BULLET.sub("", text)
    for _ in range(2):  # one in the other
        text = _PLAIN.sub(r"\2", _STRONG.sub(r"\2", text))
    return _ESCAPED.sub(r"\1", _RAISED.sub(r"\2", text))


class Typed:
    """A text to be found, which may be printed in one of several ways."""

    def __init__(self, *texts: str, marked: bool = True, lines: bool = False) -> None:
        """`marked` texts may be printed without their marks; with `lines`, line ends are to be kept."""
        self.lines = lines
        self._texts, self._marked = texts, marked

    @cached_property
    def _plain(self) -> tuple[str, ...]:
        return tuple(map(folded, self._texts))

    @cached_property
    def _without_marks(self) -> tuple[str, ...]:
        texts = map(without_marks, self._texts) if self._marked else ()
        return tuple(way for way in map(folded, texts) if way not in self._plain)

    def ways(self) -> Iterator[str]:
        """The folded texts, those first that are likely."""
        yield from self._plain
        yield from self._without_marks


_HYPHEN = re.compile(r"-\s*[^\W\d_]")
_IGNORED = f" \t\n•{ICON}"


class Printed:
    """A printed text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _flat(self) -> str:
        return " ".join(folded(self.text).split())

    @cached_property
    def _squeezed(self) -> _Squeezed:
        return _Squeezed(folded(self.text))

    def match(self, typed: Typed) -> Match:
        """How much of a text is printed here, in the way of which most is."""
        if any(not way.strip(_IGNORED) or self._is_plainly_in(way, typed.lines) for way in typed.ways()):
            return Match.WHOLE
        return max((self._of(way, typed.lines) for way in typed.ways()), default=Match.WHOLE)

    def _is_plainly_in(self, way: str, lines: bool) -> bool:
        """Whether a text is printed as it stands, apart from blanks."""
        return not (lines and "\n" in way.strip()) and _stands_in(self._flat, " ".join(way.split()))

    def _of(self, way: str, lines: bool) -> Match:
        if _RIGHT_TO_LEFT.search(way):  # printed as it is seen, from the left
            words = all(word in self._flat for word in way.split())
            return Match.WHOLE if words else Match.MISSING
        return self._squeezed.match(_Squeezed(way), lines=lines)


def _stands_in(whole: str, part: str) -> bool:
    """Whether a text stands in another, figures not within longer ones."""
    at = whole.find(part)
    while at >= 0:
        end = at + len(part)
        if not _goes_back(whole, at) and not _goes_on(whole, end):
            return True
        at = whole.find(part, at + 1)
    return False


def _goes_back(text: str, at: int) -> bool:
    """Whether the number that begins at a place has begun before."""
    if not at or not text[at : at + 1].isdecimal():
        return False
    return text[at - 1].isdecimal() or (text[at - 1] in ".," and text[at - 2 : at - 1].isdecimal())


def _goes_on(text: str, at: int) -> bool:
    """Whether the number that ends at a place goes on."""
    if not at or not text[at - 1].isdecimal():
        return False
    after = text[at : at + 2]
    return after[:1].isdecimal() or (after[:1] in (".", ",") and after[1:].isdecimal())


class _Squeezed:
    """A folded text without blanks, bullets, icons and hyphens in words. `gaps` are the places of what was
    between two letters or figures there, `breaks` those with a line end."""

    __slots__ = ("breaks", "gaps", "text")

    def __init__(self, text: str) -> None:
        kept: list[str] = []
        gaps: set[int] = set()
        breaks: set[int] = set()
        for at, letter in enumerate(text):
            if letter.isspace() or letter in _IGNORED:
                gaps.add(len(kept))
                if letter == "\n":
                    breaks.add(len(kept))
            elif letter == "-" and _HYPHEN.match(text, at) and text[at - 1 : at].isalpha():
                gaps.add(len(kept))
            else:
                kept.append(letter)
        self.text, self.gaps, self.breaks = "".join(kept), gaps, breaks

    def match(self, part: _Squeezed, *, lines: bool) -> Match:
        """How much of a text is in this one."""
        letters = part.text
        words = [
            at for at in part.gaps if letters[at - 1 : at].isalnum() and letters[at : at + 1].isalnum()
        ]
        ends = [at for at in part.breaks if 0 < at < len(letters)] if lines else []
        best, at = Match.MISSING, -1
        for _ in range(_MANY if letters else 0):
            at = self.text.find(letters, at + 1)
            if at < 0:
                break
            if not self._is_apart(at, at + len(letters)):
                continue
            if any(at + gap not in self.gaps for gap in words):
                best = max(best, Match.JOINED)
            elif any(at + end not in self.breaks for end in ends):
                best = max(best, Match.ONE_LINE)
            else:
                return Match.WHOLE
        return best

    def _is_apart(self, start: int, end: int) -> bool:
        """Whether a part is no piece of a longer number."""
        before = start in self.gaps or not _goes_back(self.text, start)
        return before and (end in self.gaps or not _goes_on(self.text, end))
