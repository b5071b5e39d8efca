"""Unicode's line breaking algorithm (UAX #14), each question of it asked once.

Whether a line may end between two characters depends on the kinds of the characters around that place,
and on no other letter: uniseg answers for one text of these kinds, at about 60 µs a character, and its
answer is kept for all. A kind is everything that the rules read of a character: its class, whether it is
wide as in East Asia, whether it opens or closes a quotation, and the two letters that the rules name.

How far the rules look: before a place, past spaces, quotation marks, hyphens, closing marks, and slashes
and points (`_LOOKED_PAST`) to the first character that is none of these; after it, at most two characters
more. Characters of kinds that the rules look for at any distance (`_FAR`: marks that join the letter
before them, flags, emoji with a modifier, joined letters of India) leave the whole text to uniseg.
"""

from __future__ import annotations

_FAR = "\0"
_FAR_CLASSES = frozenset(("CM", "ZWJ", "RI", "EM", "VI", "VF", "SG"))
_LOOKED_PAST_CLASSES = frozenset(("SP", "QU", "HY", "BA", "SY", "IS", "CL", "CP"))
_LOOKS_AHEAD_CLASSES = frozenset(("QU", "OP"))
_LETTERS = frozenset(("AI", "XX"))
_NAMED = frozenset("◌‐")
"""Letters that rules mean by themselves (LB 20a, LB 28a)."""
_LONGEST = 12
"""Characters of a place's surroundings; with longer ones the text is left to uniseg."""
_MOST = 65_536
"""Characters whose kinds are remembered."""


class _Kinds(dict[int, str]):
    """The kind of each character, as one letter: a table for `str.translate`."""

    def __init__(self) -> None:
        self.samples: dict[str, str] = {_FAR: ""}
        """A character of each kind."""
        self.looked_past: set[str] = set()
        self.looks_ahead: set[str] = set()
        self._letters: dict[tuple[str, bool, str], str] = {}

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST:
            self.clear()
        found = self[code] = self._find(chr(code))
        return found

    def _find(self, char: str) -> str:
        # These take 30 ms to import, and are often unneeded.
        from uniseg.linebreak import line_break
        from uniseg.unicodedatawrapper import category, east_asian_width

        general = category(char).value
        kind = line_break(char).value
        if kind in _LETTERS:  # LB 1
            kind = "AL"
        elif kind == "SA":
            kind = "CM" if general in ("Mn", "Mc") else "AL"
        elif kind == "CJ":
            kind = "NS"
        quotes = general if general in ("Pi", "Pf") else ""
        if kind in _FAR_CLASSES or (quotes and kind != "QU"):
            return _FAR
        wide = east_asian_width(char).value in ("F", "W", "H")
        key = (kind, wide, char if char in _NAMED else quotes)
        letter = self._letters.get(key)
        if letter is None:
            letter = self._letters[key] = chr(len(self.samples))
            self.samples[letter] = char
            if kind in _LOOKED_PAST_CLASSES:
                self.looked_past.add(letter)
            if kind in _LOOKS_AHEAD_CLASSES:
                self.looks_ahead.add(letter)
        return letter


_KINDS = _Kinds()
_PAIRS: dict[str, bool] = {}
"""Whether a line may end between two kinds, where these alone tell."""
_ANSWERS: dict[tuple[str, int], bool] = {}
"""Whether one may end at an offset into kinds."""


def line_ends(text: str) -> set[int]:
    """The offsets at which a line of `text` may end; its own end is one."""
    kinds = text.translate(_KINDS)
    length = left = len(text)
    if _FAR in kinds:
        return _all(text)
    found = {length} if text else set()
    for place in range(1, length):
        ends = _PAIRS.get(kinds[place - 1 : place + 1])
        if ends is None:
            around, inner = _around(kinds, place)
            ends = _ANSWERS.get((around, inner))
            if ends is None:
                # What is asked anew is charged, so that this is never much slower than to ask for all.
                left -= len(around)
                if left < 0 or len(around) > _LONGEST:
                    return _all(text)
                ends = _ask(around, inner)
        if ends:
            found.add(place)
    return found


def may_end(text: str, place: int) -> bool:
    """Whether a line of `text` may end at an offset within it."""
    kinds = text.translate(_KINDS)
    if _FAR in kinds:
        return place in _all(text)
    around, inner = _around(kinds, place)
    if len(around) > _LONGEST:
        return place in _all(text)
    ends = _ANSWERS.get((around, inner))
    return _ask(around, inner) if ends is None else ends


def _around(kinds: str, place: int) -> tuple[str, int]:
    """The kinds that tell whether a line may end at a place, and where it is among them."""
    start = place - 1
    if kinds[start] not in _KINDS.looked_past and kinds[place] not in _KINDS.looks_ahead:
        return kinds[start : place + 1], 1
    while start and kinds[start] in _KINDS.looked_past:
        start -= 1
    return kinds[start : place + 3], place - start


def _ask(around: str, inner: int) -> bool:
    """What uniseg says of a text of these kinds."""
    answer = inner in _all("".join(_KINDS.samples[kind] for kind in around))
    if len(around) == 2 and around[0] not in _KINDS.looked_past and around[1] not in _KINDS.looks_ahead:
        _PAIRS[around] = answer
    if len(_ANSWERS) >= _MOST:
        _ANSWERS.clear()
    _ANSWERS[around, inner] = answer
    return answer


def _all(text: str) -> set[int]:
    """The same by the full algorithm."""
    from uniseg.linebreak import line_break_boundaries

    return set(line_break_boundaries(text))
