"""Where a line may end: Unicode's line breaking algorithm (UAX #14), fast for ordinary words.

Text arrives as words between spaces. The algorithm allows a break at every space, apart from a few
rules that look across spaces at brackets and punctuation (LB 13 to LB 17, see `glued`), and within
ordinary words only after hyphens and slashes. The full algorithm (`line_ends`) runs once for each word
that is not ordinary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from cardgen.typesetting.hyphenation import LIMITS, Limits, hyphenation_points
from cardgen.typesetting.line_ends import line_ends, may_end
from cardgen.typesetting.phrases import WORDS, phrase_ends, word_ends

ICON = "\ufffc"
"""Stands for an icon in a word's text. It breaks like a letter, but two icons may be parted."""

Cut = tuple[int, bool]
"""A place in a word where a line may end: offset, and whether a hyphen appears if one does."""

_SOFT_HYPHEN = "\u00ad"
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Characters that only steer line breaking and are not set."""

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
"""Signs that hold on to nothing across a space, as letters don't, where they stand alone between two."""
_INNER_BREAK = re.compile(rf"[-/](?=[{_LETTER}])|{ICON}(?={ICON})")
_TELLING = 32
_LETTERS = re.compile(r"[^\W\d_]")
_DASHES = frozenset("—–―")
_HOLD_DASH = frozenset(("be", "bg", "cs", "kk", "ky", "lt", "lv", "mk", "pl", "ru", "sk", "sr", "tg", "uk"))
"""Languages in whose typography no line begins with a dash."""
_KEEP_ALL = frozenset(("ko",))
"""Languages of an East Asian script whose words stand between spaces."""
_OPENS_OR_CLOSES = re.compile(r"\W|_")


@dataclass(frozen=True, slots=True, eq=False)
class WordRules:
    """How words may be broken, apart from what Unicode says: hyphenated by the patterns of a language
    within `limits`, never between letters (`keep_all`), never before a dash (`hold_dash`), in Thai between
    its `words`, of Japanese letters only between `phrases`. Equal ones are the same object: `word_rules`
    makes them."""

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
    """The rules of a language (BCP 47). `keep_all` says otherwise than it whether letters hold together;
    `phrases`, that those of Japanese do within a phrase."""
    name = language.lower().replace("_", "-").partition("-")[0]
    kept = name in _KEEP_ALL if keep_all is None else keep_all
    hyphenate = language if hyphens else None
    return WordRules(hyphenate, limits, kept or phrases, name in _HOLD_DASH, name in WORDS, phrases)


PLAIN = WordRules()


@dataclass(frozen=True, slots=True)
class WordPlan:
    """A word as it is set, where it may be broken, and whether its ends may hold on to the word before
    or after across the space."""

    text: str
    cuts: tuple[Cut, ...] = ()
    head: bool = False
    tail: bool = False


@lru_cache(maxsize=65536)
def plan_word(word: str, rules: WordRules = PLAIN) -> WordPlan:
    """The break opportunities of `word`, which has no spaces and may have ICON in it.

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
    """How many characters of a word the full algorithm has to look at: all, or none."""
    return 0 if word in _SIGNS or _ORDINARY.fullmatch(word) else len(word)


@lru_cache(maxsize=4096)
def glued(before: str, after: str, rules: WordRules = PLAIN) -> bool:
    """Whether no line may end at the space between two words, such as before "!" in "Bonjour !".
    Needed only where the one has a `tail` or the other a `head`. The ends of the words tell."""
    if rules.hold_dash and (after[0] in _DASHES or after == "-"):
        return True
    before, after = before[-_TELLING:], after[:_TELLING]
    return not may_end(f"{before} {after}".replace(ICON, "x"), len(before) + 1)


def without_unseen(text: str) -> str:
    """`text` without soft hyphens, zero-width spaces and word joiners."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _cuts(word: str, rules: WordRules = PLAIN) -> tuple[Cut, ...]:
    """The cuts of any word, as offsets into the word without its unseen characters."""
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
    """UAX #14 break opportunities in `text`, icons counting as letters among others."""
    found = line_ends(text.replace(ICON, "x"))
    return found | {match.end() for match in re.finditer(f"{ICON}(?={ICON})", text)}
