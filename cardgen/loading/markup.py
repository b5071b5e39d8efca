"""Card text as other programs export it: HTML becomes Markdown, words in brackets become icons.

`markup:` of a component states both, so that the table stays as its program wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import Any

from cardgen.tables.rich_text import Run, rich_text
from cardgen.tables.values import Rich

MARKS = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em", "cite"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "strike", "del"), "strike"),
    "sup": "raised",
    "sub": "lowered",
}
"""The mark that the text in an element has."""
_BLOCKS = frozenset(("p", "div", "ul", "ol", "table", "tr", "blockquote", *(f"h{n}" for n in range(1, 7))))
_PLAIN = frozenset(
    ("a", "abbr", "big", "center", "code", "font", "small", "span", "td", "th", "tbody", "hr")
)
_DROPPED = frozenset(("script", "style", "head", "title"))
TAGS = frozenset((*MARKS, *_BLOCKS, *_PLAIN, *_DROPPED, "br", "li", "body", "html", "img"))
"""The elements that are read as HTML; other words in `<…>` are text."""
_HTML = re.compile(
    rf"</?(?:{'|'.join(sorted(TAGS))})(?:\s[^<>]{{0,999}})?/?>|&(?:#\d{{1,7}}|#x[0-9a-f]{{1,6}}|[a-z]{{2,9}}\d?);",
    re.IGNORECASE,
)
_WORD = r"[^\W_](?:[\w +'/&-]{0,22}[^\W_])?"
_BRACKETED = re.compile(rf"\[({_WORD})\](?!\()|\{{({_WORD})\}}|<({_WORD})>")
"""A word in brackets that may mean an icon; `[text](link)` does not."""
MOST_TEXT = 100_000
"""Most characters of a text that is looked through."""
MANY = 3
"""On so many cards, a word in brackets is taken for an icon."""
MOST_WORDS = 200
"""Most words in brackets of a component."""
_NO_ICON = re.compile("[^a-z0-9]+")


def has_html(text: str) -> bool:
    """Return whether a text has elements or characters written as HTML."""
    return _HTML.search(text[:MOST_TEXT]) is not None


def icon_name(word: str) -> str:
    """Return the name of the icon that a word in brackets means: `big-coin` for `[Big Coin]`."""
    return _NO_ICON.sub("-", word.strip("[]{}<>").lower()).strip("-")


@dataclass(frozen=True, slots=True)
class WordUse:
    """A word in brackets, as it is written: how many cards have it, and which is the first, from 0."""

    word: str
    cards: int
    first: int


def icon_words(cards: Iterable[Iterable[str]]) -> list[WordUse]:
    """Return the words in brackets that many cards have, those on most cards first. `cards` are the texts
    of each card."""
    seen: dict[str, list[int]] = {}
    for index, texts in enumerate(cards):
        for word in {found[0] for text in texts for found in _BRACKETED.finditer(text[:MOST_TEXT])}:
            if (word in seen or len(seen) < MOST_WORDS) and _may_be_icon(word):
                seen.setdefault(word, []).append(index)
    uses = [WordUse(word, len(at), at[0]) for word, at in seen.items() if len(at) >= MANY]
    return sorted(uses, key=lambda use: (-use.cards, use.word))


def texts_of(value: Any) -> list[str]:
    """Return all texts in a value, those of a card's id apart."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for key, item in value.items() if key != "id" for text in texts_of(item)]
    return [text for item in value for text in texts_of(item)] if isinstance(value, list) else []


def _may_be_icon(word: str) -> bool:
    if word[0] == "<" and word[1:-1].lower() in TAGS:
        return False
    name = icon_name(word)
    return bool(name) and (not name.isdigit() or (word[0] == "{" and len(name) <= 2))


@dataclass
class Markup:
    """How a component's texts are written. The `fields` are printed as Markdown; `html` says that tags and
    `&amp;` are HTML; `icons` are the names of icons by what is written for them, or false for a word that
    is printed as it is written."""

    fields: tuple[str, ...] = ()
    html: bool = False
    icons: Mapping[str, str | bool] = field(default_factory=dict)

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> Markup:
        """Return what a component's `markup:` states."""
        return cls(
            tuple(stated.get("fields", ("text",))), stated.get("html", False), stated.get("icons", {})
        )

    @cached_property
    def _written(self) -> re.Pattern[str] | None:
        words = sorted(
            (word for word, icon in self.icons.items() if isinstance(icon, str)), key=len, reverse=True
        )
        return re.compile("|".join(map(re.escape, words))) if words else None

    def card(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return a card's fields: those printed as Markdown in Markdown, others as plain text."""
        return {
            name: value
            if name == "id"
            else self._value(value, self._rich if name in self.fields else self._plain)
            for name, value in fields.items()
        }

    def _value(self, value: Any, change: Callable[[str], str]) -> Any:
        if isinstance(value, str):
            return change(value) if len(value) <= MOST_TEXT else value
        if isinstance(value, list):
            return [self._value(item, change) for item in value]
        if isinstance(value, dict):
            return {key: self._value(item, change) for key, item in value.items()}
        return value

    def _rich(self, text: str) -> str:
        if self._written is not None:
            text = self._written.sub(lambda found: f":{self.icons[found[0]]}:", text)
        if not self.html or not has_html(text):
            return text
        found = rich_text(runs_of(text))
        return found.markdown if isinstance(found, Rich) else found

    def _plain(self, text: str) -> str:
        if not self.html or not has_html(text):
            return text
        return "".join(words for words, _ in runs_of(text)).strip()


def runs_of(html: str) -> list[Run]:
    """Return the text of HTML with the marks of each part. Blocks are parted by an empty line, `<br>` ends
    a line, an item of a list begins with a dash."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.runs


class _Reader(HTMLParser):
    """Collects the text of HTML. An element that is not closed ends with the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.runs: list[Run] = []
        self._marks: list[str] = []
        self._dropped = 0
        self._break = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropped += 1
        elif tag in MARKS:
            self._marks.append(MARKS[tag])
        elif tag == "br":
            self._break += "\n"
        elif tag == "li":
            self._break = self._break or "\n"
            self._add("- ", frozenset())
        elif tag in _BLOCKS:
            self._end_block()
        elif tag not in TAGS:
            self.handle_data(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in MARKS and tag not in _DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in MARKS and MARKS[tag] in self._marks:
            self._marks.reverse()
            self._marks.remove(MARKS[tag])
            self._marks.reverse()
        elif tag in _BLOCKS:
            self._end_block()
        elif tag == "li":
            self._break = self._break or "\n"
        elif tag not in TAGS:
            self.handle_data(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self._add(data, frozenset(self._marks))

    def _end_block(self) -> None:
        self._break = max(self._break, "\n\n", key=len)

    def _add(self, text: str, marks: frozenset[str]) -> None:
        if self._break and self.runs:
            self.runs.append((self._break, frozenset()))
        self._break = "" if text.strip() or not self._break else self._break
        if text:
            self.runs.append((text.replace("\xa0", " "), marks))
