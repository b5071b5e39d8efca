"""Text in table cells: rich text and HTML as Markdown, and wrongly decoded letters."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html.entities import html5

from cardgen.core.records import dataclass, field
from cardgen.files.tables import Rich, unified

Run = tuple[str, frozenset[str]]
"""Text and its marks, which are keys of `MARKS`."""

MARKS = {"raised": "^", "lowered": "~", "underline": "++", "bold": "**", "italic": "*", "strike": "~~"}
"""From the outermost to the innermost."""
_SPECIAL = re.compile(r"[\\*^~]|(?<![^\W_])_|_(?![^\W_])|\+(?=\+)|(?<=\+)\+|\A\+|\+\Z")
MEANT = frozenset(("raised", "lowered", "strike"))
"""Marks that change the meaning of a text. The others may be the look of a column, such as bold titles."""
JOINER = "\u2060"
"""Invisible separator between a letter and a mark within a word: `2*3*4` has no marks but times signs."""
_WORDS = re.compile(r"(\s+)")
_BY_WORD = frozenset(("raised", "lowered"))
"""Marks that go around each word."""


def rich_text(runs: Iterable[Run]) -> str | Rich:
    """Return a cell's text; plain if no run has a visible mark."""
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
    """Return runs with different marks on neighbors. Within a word, stars mean nothing beside other stars,
    so both neighbors get the ones that they share."""
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
    """Return a run in Markdown; `before` and `after` are the characters around it."""
    if not marks:
        return _escaped(text)
    if marks & _BY_WORD:
        parts = _WORDS.split(text)
    else:
        parts = re.split(r"(\n)", text)
    ends = [before, *(" " for _ in parts[1:])], [*(" " for _ in parts[1:]), after]
    return "".join(_around(part, marks, *between) for part, *between in zip(parts, *ends, strict=True))


def _around(text: str, marks: frozenset[str], before: str, after: str) -> str:
    """Return marks around the words of a text. Between letters, marks mean nothing beside punctuation,
    which is then put outside."""
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
    """Return the marks that can be combined: `~~~` lowers nothing, and within a word one sign means nothing
    beside another."""
    marks = marks - {"lowered"} if "strike" in marks else marks
    kinds = [kind for kind in _KINDS if kind & marks]
    if len(kinds) > 1 and any(map(_is_letter, around)) and not marks & _BY_WORD:
        return kinds[0] & marks
    return marks


_STARS = frozenset(("bold", "italic"))
_KINDS = (frozenset(("strike",)), _STARS, frozenset(("underline",)))


def _is_letter(character: str) -> bool:
    """Return True if a character is neither a space nor punctuation."""
    return unicodedata.category(character)[0] not in "ZPSC"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def without_own(runs: Sequence[Run], own: frozenset[str]) -> Sequence[Run]:
    """Return the runs without the look of the whole cell: the marks of its style that all of them have.

    MEANT marks are kept.
    """
    shared = (own - MEANT).intersection(*(marks for text, marks in runs if text.strip()))
    return [(text, marks - shared) for text, marks in runs] if shared else runs


MOST = 100_000
"""Most characters of a text that is read as HTML."""
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?:[\s/][^<>]{0,500})?>|<!--[^<>]{0,500}-->"
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SYMBOL = re.compile(
    r"<(?P<tag>span|i|em|b)\s[^<>]{0,200}?class=[\"'](?P<classes>[^\"'<>]{1,100})[\"'][^<>]{0,200}>\s{0,5}</(?P=tag)>"
    r"|<img\s[^<>]{0,400}?alt=[\"'](?P<alt>[^\"'<>]{1,40})[\"'][^<>]{0,400}>"
)
"""An element without words that shows a symbol."""
_MARKS = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em", "cite"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "strike", "del"), "strike"),
    "sup": "raised",
    "sub": "lowered",
}
_LINES = frozenset(("div", "tr", "dt", "dd"))
_PARAGRAPHS = frozenset(
    ("p", "ul", "ol", "dl", "table", "blockquote", "center", "hr", *(f"h{level}" for level in range(1, 7)))
)
_PLAIN = frozenset(
    ("a", "abbr", "big", "code", "font", "nobr", "small", "span", "tbody", "td", "th", "wbr")
)
TAGS = frozenset((*_MARKS, *_LINES, *_PARAGRAPHS, *_PLAIN, "br", "li"))
"""Tags that are read; `img` only if it has a text."""
_LESS, _AND = "\ufdd0", "\ufdd1"
"""Placeholders for signs that Markdown would take for the start of a tag or an entity."""
_AHEAD = {"<": re.compile(r"[A-Za-z/!?]"), "&": re.compile(r"#?[A-Za-z0-9]{1,31};")}


def has_html(text: str) -> bool:
    """Return True if a text has tags or entities of HTML."""
    if len(text) > MOST or ("<" not in text and "&" not in text):
        return False
    known = _known(text)
    return (
        any((found["name"] or "br").lower() in known for found in _TAG.finditer(text))
        or any(_is_entity(found[0]) for found in _ENTITY.finditer(text))
        or _SYMBOL.search(text) is not None
    )


def _known(text: str) -> frozenset[str]:
    """Return the names of the tags read in a text: those of HTML, and others with an end tag."""
    return TAGS.union(found["name"].lower() for found in _TAG.finditer(text) if found["end"])


def with_symbols(text: str) -> str:
    """Return a text with symbol elements as words in brackets: `<i class="icon-coin"></i>` becomes
    `[coin]`."""
    return _SYMBOL.sub(_symbol, text) if "<" in text and len(text) <= MOST else text


def from_html(text: str) -> str | Rich:
    """Return the text of a cell with HTML, in Markdown if some of it has marks such as bold."""
    if not has_html(text):
        return text
    reading, known = _Reading(), _known(text)
    at = 0
    for found in _TAG.finditer(text):
        name = (found["name"] or "").lower()
        if name and name not in known:
            continue
        reading.words(text[at : found.start()])
        if name:
            reading.tag(name, is_end=bool(found["end"]))
        at = found.end()
    reading.words(text[at:])
    made = rich_text(reading.runs)
    plain, markdown = (made.plain, made.markdown) if isinstance(made, Rich) else (made, made)
    shown, marked = plain.translate(_SHOWN), markdown.translate(_MARKED)
    return shown if shown == marked else Rich(shown, marked)


_SHOWN = {ord(_LESS): "<", ord(_AND): "&"}
_MARKED = {ord(_LESS): "\\<", ord(_AND): "\\&"}


@dataclass(slots=True)
class _Reading:
    """The text read so far."""

    runs: list[Run] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _lists: list[int] = field(default_factory=list)
    """The open lists, each with the number of its next item; 0 for one without numbers."""
    _breaks: int = 0
    _item: str = ""
    """The text before the words that follow."""

    def words(self, text: str) -> None:
        """Add words, after the line ends that tags before them require."""
        text = _ENTITY.sub(_character, text)
        if self._breaks or not self.runs:
            text = text.lstrip()
        if not text:
            return
        if self._breaks and self.runs:
            before, marks = self.runs[-1]
            self.runs[-1] = before.rstrip(), marks
            self.runs.append(("\n" * self._breaks, frozenset()))
        self._breaks = 0
        if self._item:
            self.runs.append((self._item, frozenset()))
            self._item = ""
        self.runs.append((text, frozenset(self._open)))

    def tag(self, name: str, *, is_end: bool) -> None:
        if (mark := _MARKS.get(name)) is not None:
            if not is_end:
                self._open.append(mark)
            elif mark in self._open:
                self._open.reverse()
                self._open.remove(mark)
                self._open.reverse()
        elif name == "br":
            self._breaks = min(2, self._breaks + 1)
        elif name in ("td", "th") and is_end:
            self.words(" ")
        elif name == "li":
            self._break(1)
            self._item = "" if is_end else self._next_item()
        elif name in _LINES:
            self._break(1)
        elif name in _PARAGRAPHS:
            self._break(2)
            if name in ("ul", "ol") and not is_end:
                self._lists.append(int(name == "ol"))
            elif name in ("ul", "ol") and self._lists:
                self._lists.pop()

    def _break(self, lines: int) -> None:
        self._breaks = max(self._breaks, lines)

    def _next_item(self) -> str:
        if not self._lists or not self._lists[-1]:
            return "- "
        self._lists[-1] += 1
        return f"{self._lists[-1] - 1}. "


def _is_entity(written: str) -> bool:
    return written[1] == "#" or written[1:] in html5


def _character(found: re.Match[str]) -> str:
    """Return the character of an entity; a sign that Markdown would take for HTML is marked."""
    if not _is_entity(found[0]):
        return found[0]
    character = html.unescape(found[0])
    if (ahead := _AHEAD.get(character)) is not None and ahead.match(found.string, found.end()):
        return _LESS if character == "<" else _AND
    return character


def _symbol(found: re.Match[str]) -> str:
    """Return the word for a symbol: its text, or the last of its classes without its prefix."""
    if (alt := found["alt"]) is not None:
        return f"[{alt.strip()}]"
    last = found["classes"].split()[-1:] or [""]
    word = last[0].partition("-")[2] or last[0]
    return f"[{word}]"


LOST = "\ufffd"
"""A lost letter, which could not be read."""
_TIMES = 3
"""Most times that a text is repaired."""
_LONGEST = 100_000
"""Characters of a text that are checked."""
_AMBIGUOUS = frozenset("’‘”“»›…–—•·®©™°²³¹ªº\u00a0")
"""The characters that may follow a word."""
_RUN = re.compile("[^\x00-\x7f]{2,}")
_CUT = re.compile("â€(?:\x9d|(?=[\\s,.;:!?)]|$))")
"""A closing quote whose last byte is no letter of Windows-1252."""
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
    """Return a text as probably intended; the same if nothing seems to be broken."""
    if text.isascii() or len(text) > _LONGEST:
        return text
    for _ in range(_TIMES):
        better = _once(text)
        if better == text:
            return text
        text = better
    return text


def broken_words(text: str) -> tuple[str, str] | None:
    """Return the first broken words of a text, and their probable correct form: the same if a letter is
    lost. None if nothing is broken."""
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
    """Return a stretch of letters beyond ASCII with broken characters repaired."""
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
    """Return the number of a text's letters that are not Latin."""
    found = (letter for run in _RUN.findall(text) for _, _, letter in _groups(run, codec))
    return sum(map(_is_foreign, found))


def _groups(run: str, codec: str) -> list[tuple[int, int, str]]:
    """Return the groups in a stretch whose bytes are one letter in UTF-8: start, end and that letter."""
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
    """Return the byte that was read as a letter; 0 for one that the codec lacks."""
    try:
        return letter.encode(codec)[0]
    except UnicodeEncodeError:
        return ord(letter) if codec == "cp1252" and 0x80 <= ord(letter) <= 0x9F else 0


def _is_foreign(letter: str) -> bool:
    """Return True if a letter's script makes a single letter no proof."""
    code = ord(letter)
    return not (code < 0x180 or 0x1E00 <= code < 0x2C00 or code >= 0x1F000 or 0xFB00 <= code < 0xFB07)


def _is_plausible(text: str, start: int, end: int, letter: str, codec: str) -> bool:
    """Return True if a group of letters is surely broken: no language has such a group here."""
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
