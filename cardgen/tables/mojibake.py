"""Texts that were read in another encoding than they were written in: “donâ€™t”, “cafÃ©”, “donÕt”.

UTF-8 that was read as Windows-1252, Latin-1 or Mac Roman shows two to four letters for one. Such a group is
taken for broken only if no language writes it so: a capital after a small letter, a currency sign within a
word. What a repair comes to must be a plausible letter, and it may be broken twice.
"""

from __future__ import annotations

import re
from functools import lru_cache

LOST = "\ufffd"
"""Stands for a letter that could not be read, and is gone."""
_TIMES = 3
"""A text may be broken so often."""
_LONGEST = 100_000
"""Characters of a text that are looked at."""
_AMBIGUOUS = frozenset("’‘”“»›…–—•·®©™°²³¹ªº\u00a0")
"""What may follow a word."""
_RUN = re.compile("[^\x00-\x7f]{2,}")
_CUT = re.compile("â€(?:\x9d|(?=[\\s,.;:!?)]|$))")
"""A closing quote whose last byte stands for no letter of Windows-1252."""
_DASH = re.compile('â€"')
_OPENING = "â€œ"
_MAC_LETTERS = {"Õ": "’", "Ž": "é", "Š": "ä", "Ÿ": "ü", "Œ": "å"}
_MAC = re.compile(rf"(?<=[a-zß-ÿ])[{''.join(_MAC_LETTERS)}](?=[a-zß-ÿ]|\b)")
"""Mac Roman that was read as Windows-1252: a capital after a small letter."""
_VERBS = "do|ca|wo|is|are|was|were|does|did|has|have|had|should|could|would|must"
_PRONOUNS = "it|that|he|she|let|what|there|who|here|how"
_CONTRACTED = re.compile(
    rf"\b((?:{_VERBS})n)í(t)\b|\b({_PRONOUNS})í(s)\b|\b(\w{{1,4}})í(ll|re|ve)\b",
    re.IGNORECASE,
)
"""Windows-1252 that was read as Mac Roman: donít."""


def repaired(text: str) -> str:
    """A text as it was probably meant; the same if nothing seems to be broken."""
    if text.isascii() or len(text) > _LONGEST:
        return text
    for _ in range(_TIMES):
        better = _once(text)
        if better == text:
            return text
        text = better
    return text


def broken_words(text: str) -> tuple[str, str] | None:
    """The first words of a text that are broken, and what they were probably meant to be: the same where a
    letter is lost. None if nothing is broken."""
    if text.isascii():
        return None
    better = repaired(text)
    if better != text:
        words = ((word, repaired(word)) for word in re.findall(r"[^\s<>]+", text))
        return next((pair for pair in words if pair[0] != pair[1]), (text, better))
    lost = re.search(rf"[^\s<>]*{LOST}[^\s<>]*", text)
    return None if lost is None else (lost[0], lost[0])


def _once(text: str) -> str:
    better = _RUN.sub(lambda run: _mended(text, run), text)
    if "â€" in better:
        closing = _OPENING in text or "“" in better
        better = _CUT.sub("”", _DASH.sub("”" if closing else "–", better))
    better = _MAC.sub(lambda found: _MAC_LETTERS[found[0]], better)
    if "í" in better:
        better = _CONTRACTED.sub(lambda found: "’".join(filter(None, found.groups())), better)
    return better


def _mended(text: str, run: re.Match[str]) -> str:
    """A stretch of letters beyond ASCII with what is broken in it mended."""
    best = run[0]
    for codec in ("cp1252", "mac_roman"):
        found = _groups(run[0], codec)
        foreign = sum(_is_foreign(letter) for _, _, letter in found)
        if foreign == 1 and len(found) == 1 and _in_text(text, codec) < 2:
            continue
        at = run.start()
        sure = [_is_plausible(text, at + start, at + end, letter, codec) for start, end, letter in found]
        parts, done = [], 0
        for number, (start, end, letter) in enumerate(found):
            touches = number and sure[number - 1] and found[number - 1][1] == start
            sure[number] = sure[number] or bool(touches)
            if sure[number]:
                parts += [run[0][done:start], letter]
                done = end
        mended = "".join((*parts, run[0][done:]))
        if len(mended) < len(best):
            best = mended
    return best


@lru_cache(maxsize=256)
def _in_text(text: str, codec: str) -> int:
    """How many letters of another script than the Latin one a text comes to."""
    found = (letter for run in _RUN.findall(text) for _, _, letter in _groups(run, codec))
    return sum(map(_is_foreign, found))


def _groups(run: str, codec: str) -> list[tuple[int, int, str]]:
    """The groups in a stretch whose bytes are one letter in UTF-8: start, end and that letter."""
    values = [_byte(letter, codec) for letter in run]
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(run):
        lead = values[at]
        size = (
            2 if 0xC2 <= lead <= 0xDF else 3 if 0xE0 <= lead <= 0xEF else 4 if 0xF0 <= lead <= 0xF4 else 0
        )
        part = values[at : at + size]
        if size and len(part) == size and all(0x80 <= value <= 0xBF for value in part[1:]):
            try:
                letter = bytes(part).decode("utf-8")
            except UnicodeDecodeError:
                letter = ""
            if letter and (letter.isprintable() or letter in "\u00a0\u00ad\u200b\u200d\ufeff"):
                found.append((at, at + size, letter))
                at += size
                continue
        at += 1
    return found


@lru_cache(maxsize=4096)
def _byte(letter: str, codec: str) -> int:
    """The byte that was read as a letter; 0 for what is none of the codec's."""
    try:
        return letter.encode(codec)[0]
    except UnicodeEncodeError:
        return ord(letter) if codec == "cp1252" and 0x80 <= ord(letter) <= 0x9F else 0


def _is_foreign(letter: str) -> bool:
    """Whether a letter is of a script of which one alone is no proof."""
    code = ord(letter)
    return not (code < 0x180 or 0x1E00 <= code < 0x2C00 or code >= 0x1F000 or 0xFB00 <= code < 0xFB07)


def _is_plausible(text: str, start: int, end: int, letter: str, codec: str) -> bool:
    """Whether a group of letters is surely broken: no language has such a one in this place."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    group = text[start:end]
    if codec == "mac_roman":
        if group[0] not in "√‚ƒ≈·" or (group[0] == "‚" and not 0x2010 <= ord(letter) <= 0x2122):
            return False
        return len(group) > 2 or before.isalpha() or after.isalpha()
    if len(group) == 4 or not set(group[1:]) <= _AMBIGUOUS:
        return True
    if len(group) == 3:
        return group[0].islower() and after.isalpha()
    if before.islower() or before.isdigit() or after.islower():
        return True
    return group[0] in "ÂÃ" and after.isalpha() and not before.isalpha()
