"""Break lines: Unicode rules, hyphenation and phrases."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from cardgen.core.records import dataclass

_FAR = "\0"
_FAR_CLASSES = frozenset(("CM", "ZWJ", "RI", "EM", "VI", "VF", "SG"))
_LOOKED_PAST_CLASSES = frozenset(("SP", "QU", "HY", "BA", "SY", "IS", "CL", "CP"))
_LOOKS_AHEAD_CLASSES = frozenset(("QU", "OP"))
_LETTER_CLASSES = frozenset(("AI", "XX"))
_NAMED = frozenset("◌‐")
"""Letters with rules of their own (LB 20a, LB 28a)."""
_LONGEST = 12
"""Longest surroundings of a place that decide here; for longer ones uniseg reads the whole text."""
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
        # These take 30 ms to import, and are often not used.
        from uniseg.linebreak import line_break
        from uniseg.unicodedatawrapper import category, east_asian_width

        general = category(char).value
        kind = line_break(char).value
        if kind in _LETTER_CLASSES:  # LB 1
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
"""True for two kinds between which a line may end, if these alone decide."""
_ANSWERS: dict[tuple[str, int], bool] = {}
"""True if a line may end at an offset into kinds."""


def line_ends(text: str) -> set[int]:
    """Return the offsets at which a line of `text` may end, including its own end."""
    kinds = text.translate(_KINDS)
    length = left = len(text)
    if _FAR in kinds:
        return _all_breaks(text)
    found = {length} if text else set()
    for place in range(1, length):
        ends = _PAIRS.get(kinds[place - 1 : place + 1])
        if ends is None:
            around, inner = _context(kinds, place)
            ends = _ANSWERS.get((around, inner))
            if ends is None:
                # Repeated questions are charged, so that this is never much slower than asking for all.
                left -= len(around)
                if left < 0 or len(around) > _LONGEST:
                    return _all_breaks(text)
                ends = _ask_uniseg(around, inner)
        if ends:
            found.add(place)
    return found


def may_end(text: str, place: int) -> bool:
    """Return True if a line of `text` may end at an offset within it."""
    kinds = text.translate(_KINDS)
    if _FAR in kinds:
        return place in _all_breaks(text)
    around, inner = _context(kinds, place)
    if len(around) > _LONGEST:
        return place in _all_breaks(text)
    ends = _ANSWERS.get((around, inner))
    return _ask_uniseg(around, inner) if ends is None else ends


def _context(kinds: str, place: int) -> tuple[str, int]:
    """Return the kinds that decide if a line may end at a place, and its index among them."""
    start = place - 1
    if kinds[start] not in _KINDS.looked_past and kinds[place] not in _KINDS.looks_ahead:
        return kinds[start : place + 1], 1
    while start and kinds[start] in _KINDS.looked_past:
        start -= 1
    return kinds[start : place + 3], place - start


def _ask_uniseg(around: str, inner: int) -> bool:
    """Return True if uniseg breaks a text of these kinds there."""
    answer = inner in _all_breaks("".join(_KINDS.samples[kind] for kind in around))
    if len(around) == 2 and around[0] not in _KINDS.looked_past and around[1] not in _KINDS.looks_ahead:
        _PAIRS[around] = answer
    if len(_ANSWERS) >= _MOST:
        _ANSWERS.clear()
    _ANSWERS[around, inner] = answer
    return answer


def _all_breaks(text: str) -> set[int]:
    """Return uniseg's breaks of a text."""
    from uniseg.linebreak import line_break_boundaries

    return set(line_break_boundaries(text))


_WORD_LETTERS = re.compile(r"[^\W\d_]+")
_WITHOUT_HYPHENS = frozenset(("th",))
"""Languages with patterns whose words are split without a hyphen."""

Limits = tuple[int, int, int]
"""The minimum letters of a hyphenated word, before the hyphen and after it."""

LIMITS: Limits = (6, 3, 3)
"""Two letters at the end of a line are hard to read on a narrow card."""


def hyphenation_points(word: str, language: str, limits: Limits = LIMITS) -> tuple[int, ...]:
    """Return the offsets in `word` where a hyphen is possible: none in a language without patterns. Runs of
    fewer letters than the limits and all capitals (abbreviations) are never hyphenated."""
    least, before, after = limits
    hyphenation = _hyphenation(language)
    if hyphenation is None:
        return ()
    points: list[int] = []
    for match in _WORD_LETTERS.finditer(word):
        letters = match.group()
        if len(letters) >= least and not letters.isupper():
            last = len(letters) - after
            points += [match.start() + at for at in hyphenation.points(letters) if before <= at <= last]
    return tuple(points)


@lru_cache(maxsize=16)
def _hyphenation(language: str) -> Hyphenation | None:
    import pyphen

    name = pyphen.language_fallback(language.replace("-", "_"))
    if name is None or name.partition("_")[0] in _WITHOUT_HYPHENS:
        return None
    return Hyphenation(pyphen.LANGUAGES[name].read_bytes())


class Hyphenation:
    """The patterns of a dictionary for hunspell, each parsed when a word first has its letters."""

    _COMMENTS = ("%", "#", "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUND")

    def __init__(self, content: bytes) -> None:
        encoding, _, rest = content.partition(b"\n")
        text = rest.decode(encoding.decode().strip().removeprefix("microsoft-"))
        if "^^" in text:
            text = re.sub(r"\^\^([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), text)
        lines = list(map(str.strip, text.split("\n")))
        if "=" in text:  # how letters change at a hyphen
            lines = [line.partition("/")[0] if "=" in line else line for line in lines]
        letters = "\n".join(lines).encode().translate(None, b"0123456789").decode().split("\n")
        self._patterns: dict[str, str | tuple[int, list[int]]] = {
            key: line
            for key, line in zip(letters, lines)
            if key != line and not line.startswith(self._COMMENTS)
        }
        self._longest = max(map(len, self._patterns), default=0)

    def points(self, word: str) -> list[int]:
        """Return the offsets in a word where a hyphen is possible, by the patterns alone."""
        marked = f".{word.lower()}."
        levels = [0] * (len(marked) + 1)
        for start in range(len(marked) - 1):
            for end in range(start + 1, min(start + self._longest, len(marked)) + 1):
                found = self._patterns.get(marked[start:end])
                if found is None:
                    continue
                if isinstance(found, str):
                    found = self._patterns[marked[start:end]] = _parsed(found)
                place, values = start + found[0], found[1]
                span = slice(place, place + len(values))
                levels[span] = map(max, values, levels[span])
        return [place - 1 for place, level in enumerate(levels) if level % 2]


def _parsed(pattern: str) -> tuple[int, list[int]]:
    """Return the levels of a pattern between its letters, and the place of the first."""
    values = [int(digit or 0) for digit, _ in re.findall(r"(\d?)(\D?)", pattern)]
    places = [place for place, value in enumerate(values) if value]
    return (places[0], values[places[0] : places[-1] + 1]) if places else (0, [])


ICON = "\ufffc"
"""A placeholder for an icon in a word's text: a letter, except that a line may end between two icons."""

Cut = tuple[int, bool]
"""A place in a word where a line may end: offset, and whether a hyphen appears if one does."""

_SOFT_HYPHEN = "\u00ad"
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Characters that only control line breaking and are not set."""

_LETTER = "A-Za-zÀ-ÖØ-öø-ɏΆΈ-ώА-ѿ" + ICON
_ORDINARY = re.compile(
    # opening marks, or a sign before a number
    rf"""(?:[(\[“‘"'¿¡]*|[+−±$€£#])"""
    # letters and digits, joined by inner punctuation or by breakable hyphens and slashes;
    # a slash between digits does not break (LB 25)
    rf"""[{_LETTER}0-9]+(?:(?:['’.,:]|[-/](?=[{_LETTER}])|(?<=[0-9])/(?=[0-9]))[{_LETTER}0-9]+)*"""
    # closing marks
    r"""%?[.,;:!?)\]”’"'…]*"""
)
_SIGNS = frozenset("·•×+=")
"""Signs that, like letters, don't stay with a neighbor across a space if they are alone between two."""
_INNER_BREAK = re.compile(rf"[-/](?=[{_LETTER}])|{ICON}(?={ICON})")
_TELLING = 32
_LETTERS = re.compile(r"[^\W\d_]")
_DASHES = frozenset("—–―")
_HOLD_DASH = frozenset(("be", "bg", "cs", "kk", "ky", "lt", "lv", "mk", "pl", "ru", "sk", "sr", "tg", "uk"))
"""Languages whose typography never begins a line with a dash."""
_KEEP_ALL = frozenset(("ko",))
"""Languages of an East Asian script with spaces between words."""
_OPENS_OR_CLOSES = re.compile(r"\W|_")


@dataclass(frozen=True, slots=True, eq=False)
class WordRules:
    """The rules for breaking words, in addition to Unicode's: hyphenated by the patterns of a language
    within `limits`, never between letters (`keep_all`), never before a dash (`hold_dash`), in Thai
    between its `words`, of Japanese letters only between `phrases`. Equal ones are the same object:
    `word_rules` makes them."""

    hyphenate: str | None = None
    limits: Limits = LIMITS
    keep_all: bool = False
    hold_dash: bool = False
    words: bool = False
    phrases: bool = False


@lru_cache(maxsize=256)
def word_rules(
    language: str = "",
    *,
    hyphens: bool = False,
    limits: Limits = LIMITS,
    keep_all: bool | None = None,
    phrases: bool = False,
) -> WordRules:
    """Return the rules of a language (BCP 47). `keep_all` overrides whether letters are kept
    together; `phrases` keeps Japanese letters together within a phrase."""
    name = language.lower().replace("_", "-").partition("-")[0]
    kept = name in _KEEP_ALL if keep_all is None else keep_all
    hyphenate = language if hyphens else None
    return WordRules(hyphenate, limits, kept or phrases, name in _HOLD_DASH, name in WORDS, phrases)


PLAIN = WordRules()


@dataclass(frozen=True, slots=True)
class WordPlan:
    """A word as set, its possible breaks, and its ends that may stay with the word before or after across
    the space."""

    text: str
    cuts: tuple[Cut, ...] = ()
    head: bool = False
    tail: bool = False


@lru_cache(maxsize=65536)
def plan_word(word: str, rules: WordRules = PLAIN) -> WordPlan:
    """Return the break opportunities of `word`, which has no spaces and may contain ICON.

    Words without other break opportunities are hyphenated, if the rules name a language for it.
    """
    if _ORDINARY.fullmatch(word):
        text, head, tail = word, False, False
        cuts: tuple[Cut, ...] = tuple((found.end(), False) for found in _INNER_BREAK.finditer(word))
    elif word in _SIGNS:
        return WordPlan(word)
    else:
        text = without_unseen(word)
        head = bool(_OPENS_OR_CLOSES.match(word[0]))
        tail = bool(_OPENS_OR_CLOSES.match(word[-1]))
        cuts = _cuts(word, rules)
    if rules.hyphenate is not None and not cuts:
        points = hyphenation_points(text, rules.hyphenate, rules.limits)
        cuts = tuple((point, True) for point in points)
    return WordPlan(text, cuts, head, tail)


@lru_cache(maxsize=65536)
def hardness(word: str) -> int:
    """Return how many characters of a word need the full algorithm: all, or none."""
    return 0 if word in _SIGNS or _ORDINARY.fullmatch(word) else len(word)


@lru_cache(maxsize=4096)
def glued(before: str, after: str, rules: WordRules = PLAIN) -> bool:
    """Return True if no line may end at the space between two words, such as before "!" in "Bonjour !".
    Only needed if the first has a `tail` or the second a `head`, since the ends of the words decide."""
    if rules.hold_dash and (after[0] in _DASHES or after == "-"):
        return True
    before, after = before[-_TELLING:], after[:_TELLING]
    return not may_end(f"{before} {after}".replace(ICON, "x"), len(before) + 1)


def without_unseen(text: str) -> str:
    """Return `text` without soft hyphens, zero-width spaces and word joiners."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _cuts(word: str, rules: WordRules = PLAIN) -> tuple[Cut, ...]:
    """Return the cuts of any word, as offsets into the word without its unseen characters."""
    cuts: dict[int, bool] = {}
    length = len(without_unseen(word))
    boundaries = _boundaries(_LETTERS.sub("x", word) if rules.keep_all else word)
    if rules.words:
        boundaries |= word_ends(word)
    if rules.phrases:
        boundaries |= phrase_ends(word) & _boundaries(word)
    seen = length == len(word)
    for boundary in boundaries:
        offset = boundary if seen else len(without_unseen(word[:boundary]))
        if 0 < offset < length and not (rules.hold_dash and word[boundary] in _DASHES):
            cuts[offset] = word[boundary - 1] == _SOFT_HYPHEN
    return tuple(sorted(cuts.items()))


def _boundaries(text: str) -> set[int]:
    """Return UAX #14 break opportunities in `text`, icons counting as letters among others."""
    found = line_ends(text.replace(ICON, "x"))
    return found | {match.end() for match in re.finditer(f"{ICON}(?={ICON})", text)}


WORDS = frozenset(("th",))
"""Languages whose words can be recognized, and whose lines end only between words."""
PHRASES = frozenset(("ja",))
"""Languages whose lines may end between most letters, but preferably between phrases."""
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]+")
_JOINS_BEFORE = re.compile("[\u0e2f-\u0e3a\u0e45-\u0e4e]")
"""Vowels and marks that belong to the letter before them, and signs that end a word."""
_JOINS_AFTER = re.compile("[\u0e40-\u0e44]")
"""Vowels that are written before their letter."""


def word_ends(text: str) -> set[int]:
    """Return the offsets between Thai words in a text."""
    found = set()
    for run in _THAI.finditer(text):
        for end in _chunk_ends("thai", run[0]):
            if not _JOINS_BEFORE.match(run[0], end) and not _JOINS_AFTER.match(run[0], end - 1):
                found.add(run.start() + end)
    return found


def phrase_ends(text: str) -> set[int]:
    """Return the offsets after Japanese phrases in a text."""
    return set(_chunk_ends("japanese", text))


def _chunk_ends(model: str, text: str) -> list[int]:
    ends, end = [], 0
    for chunk in _parser(model).parse(text):
        end += len(chunk)
        ends.append(end)
    return ends[:-1]


@cache
def _parser(model: str) -> Any:
    import budoux

    return getattr(budoux, f"load_default_{model}_parser")()
