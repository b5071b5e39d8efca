"""Card text as other programs export it: HTML becomes Markdown, words in brackets become icons.

`markup:` of a component sets both, so the exported table doesn't change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from cardgen.core.findings import Location
from cardgen.core.records import dataclass, field
from cardgen.files.table_texts import TAGS, broken_words, from_html, with_symbols
from cardgen.files.tables import Rich, Table
from cardgen.files.yaml import Document

_WORD = r"[^\W_][\w+'’/.&-]{0,22}(?: [\w+'’/.&-]{1,16})?|[+-][0-9]{1,3}"
_BRACKETED = re.compile(
    rf"\[(?<!\[\[)(?:{_WORD})\](?![\](])|\{{(?<!\{{\{{)(?:{_WORD})\}}(?!\}})|<(?:{_WORD})>"
)
"""One or two words in brackets that may mean an icon; `[text](link)` and `[[text]]` do not."""
MOST_TEXT = 100_000
"""Most characters of a text that is searched."""
MANY = 3
"""Number of cards from which a word in brackets counts as an icon."""
MOST_WORDS = 100
"""Most words in brackets of a component that count as icons."""
_MOST_SEEN = 10_000
_NO_ICON = re.compile("[^a-z0-9]+")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l"})


def icon_name(word: str) -> str:
    """Return the icon name of a word in brackets, such as `recurring-credit` for `[Recurring Credit]` and
    `number-2` for `{2}`; empty if it can have none."""
    text = re.sub("^[-\u2212]", "minus ", word[1:-1].strip()).replace("+", " plus ")
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    name = _NO_ICON.sub("-", "".join(each for each in plain if not unicodedata.combining(each))).strip("-")
    return f"number-{name}" if name[:1].isdigit() else name


def letters_of(word: str) -> str:
    """Return the letters of a word in brackets."""
    return re.sub(r"^\W?(.*?)\W?$", r"\1", word).strip() or word


@dataclass(frozen=True, slots=True)
class WordUse:
    """A word in brackets, as written: the number of cards that have it, and the index of the first one."""

    word: str
    cards: int
    first: int


def icon_words(cards: Iterable[Iterable[str]]) -> list[WordUse]:
    """Return the words in brackets that many cards have, the most frequent first. `cards` are the texts of
    each card."""
    return frequent_words(map(bracketed_words, cards))


def frequent_words(cards: Iterable[Iterable[str]]) -> list[WordUse]:
    """Return the words that many cards have, as `icon_words` does. `cards` are the words of each card."""
    seen: dict[str, list[int]] = {}
    for index, words in enumerate(cards):
        for word in words:
            if word in seen or len(seen) < _MOST_SEEN:
                seen.setdefault(word, []).append(index)
    uses = [WordUse(word, len(at), at[0]) for word, at in seen.items() if len(at) >= MANY]
    return sorted(uses, key=lambda use: (-use.cards, use.word))[:MOST_WORDS]


def bracketed_words(texts: Iterable[str]) -> list[str]:
    """Return the words in brackets of a card's texts that may be icons, each once."""
    return list(dict.fromkeys(word for text in texts for word in _bracketed(text[:MOST_TEXT])))


def texts_of(value: Any) -> list[str]:
    """Return all texts in a value, except those of a card's id."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() if key != "id" for text in texts_of(item)]
    return [text for item in value for text in texts_of(item)] if isinstance(value, list) else []


def _bracketed(text: str) -> Iterator[str]:
    """Yield the words of a text in brackets that may be icons; HTML tags, and words with an end tag, are
    not."""
    for found in _BRACKETED.finditer(text):
        word, inside = found[0], found[0][1:-1]
        if word[0] == "<" and (inside.rstrip(" /").lower() in TAGS or f"</{inside}>" in text):
            continue
        if icon_name(word) and (word[0] == "{" or not inside.isdigit()):
            yield word


@dataclass
class Markup:
    """The markup of a component's texts. The `fields` are printed as Markdown; `html` is True if tags and
    `&amp;` are HTML; `icons` are the names of icons by their words in brackets, or false for a word that is
    printed unchanged. `quotes` are the typographic quotation marks for straight ones: two double ones, two
    single ones; empty to keep them."""

    fields: tuple[str, ...] = ()
    html: bool = False
    icons: Mapping[str, str | bool] = field(default_factory=dict)
    quotes: str = ""

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> Markup:
        """Return the markup that a component's `markup:` sets."""
        return cls(
            tuple(stated.get("fields", ("text",))),
            stated.get("html", False),
            stated.get("icons", {}),
            stated.get("quotes", ""),
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
            name: value if name == "id" else self._value(value, marked=name in self.fields)
            for name, value in fields.items()
        }

    def _value(self, value: Any, *, marked: bool) -> Any:
        if isinstance(value, str):
            return self.text(value, marked=marked) if len(value) <= MOST_TEXT else value
        if isinstance(value, list):
            return [self._value(item, marked=marked) for item in value]
        if isinstance(value, dict):
            return {key: self._value(item, marked=marked) for key, item in value.items()}
        return value

    def text(self, text: str, *, marked: bool = False) -> str:
        """Return a text as Markdown if it is `marked`, or else as plain text."""
        text = with_symbols(text) if self.html else text
        if self._written is not None:
            text = self._written.sub(lambda found: f":{self.icons[found[0]]}:", text)
        found = from_html(text) if self.html else text
        if isinstance(found, Rich):
            found = found.markdown if marked else found.plain
        if self.quotes and _FILE.fullmatch(found) is None:
            found = with_quotes(found, self.quotes)
        return found


def with_quotes(text: str, quotes: str) -> str:
    """Return a text whose straight quotation marks and apostrophes are typographic: `quotes` are two double
    and two single ones. Code, and marks for feet and inches such as `5\'` and `6"`, stay."""
    opened = dict.fromkeys("\"'", False)

    def typographic(found: re.Match[str]) -> str:
        mark = found[0]
        if len(mark) > 1:  # code
            return mark
        start, end = found.span()
        before = text[max(0, start - _NEAR) : start].rstrip("*_~+")[-1:]
        after = text[end : end + _NEAR].lstrip("*_~+")[:1]
        if mark == "'" and _SHORTENED.match(text, end):
            return "’"
        left, right = (quotes[0], quotes[1]) if mark == '"' else (quotes[2], quotes[3])
        is_start = not before or not (before.isalnum() or before in _BEFORE_CLOSING)
        closes = _CLOSING[mark].search(text, end, end + _FAR) is not None
        if is_start and after.strip() and (mark == '"' or closes) and not opened[mark]:
            opened[mark] = True
            return left
        if opened[mark] and not after.isalnum():
            opened[mark] = False
            return right
        if mark == "'" and not before.isdigit():
            return "’"
        return mark if before.isdigit() else right

    return _STRAIGHT.sub(typographic, text)


_STRAIGHT = re.compile(r"`[^`\n]*`|[\"']")
_CLOSING = {mark: re.compile(rf"(?<=[^\s]){mark}(?!\w)") for mark in "\"'"}
_NEAR, _FAR = 8, 2_000
"""Characters around a mark, and after it, that decide what it is."""
_BEFORE_CLOSING = ".,;:!?…)]}%’”"
_SHORTENED = re.compile(r"(?:\d0s?|em|n|tis|twas|til|cause)\b")
"""What an apostrophe at the beginning of a word shortens."""
_FILE = re.compile(r"[^\n]{1,200}\.\w{2,4}|https?://\S+")


Broken = tuple[str, str, Location]
"""Broken words, the intended words (the same if a letter is lost), and their place."""


def broken_data(documents: Iterable[Document]) -> Iterator[Broken]:
    """Yield the texts of data files and translations that seem to be broken, with names of sheets and
    columns."""
    tables: dict[int, Table] = {}
    for document in documents:
        own = {id(part.table): part.table for part, _ in getattr(document, "rows", ())}
        for table in (table for key, table in own.items() if key not in tables):
            yield from _in_table(table)
        tables |= own
        if not own:
            yield from _in_data(document)


def _in_table(table: Table) -> Iterator[Broken]:
    if (found := broken_words(table.sheet)) is not None:
        yield *found, table.place(table.header)
    for at, column in enumerate(table.columns):
        if (found := broken_words(column.name)) is not None:
            yield *found, table.place(table.header, at)
    for row in table.rows:
        for at, value in enumerate(row.cells):
            if isinstance(value, str) and (found := broken_words(value)) is not None:
                yield *found, table.place(row, at)


def _in_data(document: Document) -> Iterator[Broken]:
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), document.data)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, str):
            if (found := broken_words(value)) is not None:
                yield *found, document.locate(path)
        elif isinstance(value, Mapping):
            stack += [((*path, key), each) for key, each in reversed(list(value.items()))]
        elif isinstance(value, list):
            stack += [((*path, at), each) for at, each in reversed(list(enumerate(value)))]
