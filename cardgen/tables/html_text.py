"""HTML in a text, as exports of other programs have it, as the Markdown of card text.

Entities that HTML does not know stay as they are typed, and so do its unknown tags without an end.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.entities import html5

from cardgen.tables.rich_text import Run, rich_text
from cardgen.tables.values import Rich

MOST = 100_000
"""Characters of a text that is read as HTML."""
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
"""Tags that are read; `img` is if it has a text."""
_LESS, _AND = "\ufdd0", "\ufdd1"
"""Stand for signs that Markdown would take for the start of a tag or an entity."""
_AHEAD = {"<": re.compile(r"[A-Za-z/!?]"), "&": re.compile(r"#?[A-Za-z0-9]{1,31};")}


def has_html(text: str) -> bool:
    """Return whether a text has tags or entities of HTML."""
    if len(text) > MOST or ("<" not in text and "&" not in text):
        return False
    known = _known(text)
    return (
        any((found["name"] or "br").lower() in known for found in _TAG.finditer(text))
        or any(_is_entity(found[0]) for found in _ENTITY.finditer(text))
        or _SYMBOL.search(text) is not None
    )


def _known(text: str) -> frozenset[str]:
    """Return the names of tags that are read in a text: those of HTML, and others that end in it."""
    return TAGS.union(found["name"].lower() for found in _TAG.finditer(text) if found["end"])


def with_symbols(text: str) -> str:
    """Return a text whose elements that show symbols are words in brackets: `<i class="icon-coin"></i>`
    is `[coin]`."""
    return _SYMBOL.sub(_symbol, text) if "<" in text and len(text) <= MOST else text


def from_html(text: str) -> str | Rich:
    """Return the text of a cell that holds HTML, in Markdown where some of it is bold or the like."""
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
    """What was read of a text so far."""

    runs: list[Run] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _lists: list[int] = field(default_factory=list)
    """The lists that are open, each with the number of its next item; 0 for one without numbers."""
    _breaks: int = 0
    _item: str = ""
    """What stands before the words that follow."""

    def words(self, text: str) -> None:
        """Take words, after the line ends that tags before them ask for."""
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
    """Return the character that an entity is; a sign that Markdown would take for HTML is marked."""
    if not _is_entity(found[0]):
        return found[0]
    character = html.unescape(found[0])
    if (ahead := _AHEAD.get(character)) is not None and ahead.match(found.string, found.end()):
        return _LESS if character == "<" else _AND
    return character


def _symbol(found: re.Match[str]) -> str:
    """The word for a symbol: its text, or the last of its classes without what that begins with."""
    if (alt := found["alt"]) is not None:
        return f"[{alt.strip()}]"
    last = found["classes"].split()[-1:] or [""]
    word = last[0].partition("-")[2] or last[0]
    return f"[{word}]"
