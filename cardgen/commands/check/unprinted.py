"""The check that cards print their data: each value is searched for in the texts of its card.

A column is a field of a component's cards that have the same templates. It is checked if it is surely
printed: a text object has its name, or its values are on most of the cards. A value of such a column that
is missing on its own card is a finding at its cell.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache, partial
from html import unescape
from typing import Any

from cardgen.art.named_labels import ENGINE
from cardgen.art.named_listing import Listing
from cardgen.art.outlining import ICON
from cardgen.art.templates import Templates
from cardgen.commands.check.looks import Looks
from cardgen.core.artwork import Rendering
from cardgen.core.findings import CardgenError, Findings
from cardgen.core.game import Card, Game
from cardgen.core.records import dataclass, field
from cardgen.files.reading import YAML, ReadingError, read_file
from cardgen.files.table_formats import is_table
from cardgen.files.tables import number_text
from cardgen.game.spreadsheets import TITLES

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
"""Characters that differ from the plain ones: 10⁶ is not 106."""
_UNUSUAL = re.compile(r"[^ -_a-~\n]")
"""A character that may be written otherwise."""
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
_STRONG = re.compile(r"(\*\*|~~|\+\+)(?<!\\..)(?=\S)(.+?)(?<=[^\s\\])\1", re.DOTALL)
_PLAIN = re.compile(r"([*_])(?<![\w\\].)(?=[^\s*_])([^*]*?)(?<=[^\s\\])\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class Match(IntEnum):
    """The part of a typed text that is printed: nothing, its letters without a blank between two words, its
    words without its line breaks, or all of it."""

    MISSING = 0
    JOINED = 1
    ONE_LINE = 2
    WHOLE = 3


def folded(text: str) -> str:
    """Return a text without differences that typesetting may make: capitals, kinds of quotes and dashes."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    text = _UNUSUAL.sub(lambda found: _plain(found[0]), text).casefold().replace("i\u0307", "i")
    return _DASHES.sub("-", text) if "--" in text else text


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """Return the plain form of a sign, or of a compatible character (a ligature, a wide letter, a kind of
    blank)."""
    if not letter.isascii() and not unicodedata.decomposition(letter).startswith(_EXACT):
        letter = unicodedata.normalize("NFKC", letter)
    return letter.translate(_SIGNS)


def without_marks(text: str) -> str:
    """Return a text without Markdown, and with an ICON for each icon. Other signs stay: those between two
    digits (`2*3*4`), or before one (`- 2 health`)."""
    if not _MARK.search(text):
        return text
    text = _BREAK.sub("\n", text)
    text = _ICON.sub(ICON, text)
    text = _RULE.sub("", text)
    if _BULLET.search(text) or len(_ANY_BULLET.findall(text)) > 1:  # otherwise a sign before a digit
        text = _ANY_BULLET.sub("", text)
    for _ in range(2):  # one within the other
        text = _PLAIN.sub(r"\2", _STRONG.sub(r"\2", text))
    return _ESCAPED.sub(r"\1", _RAISED.sub(r"\2", text))


class Typed:
    """A text to find, which may be printed in one of several ways."""

    def __init__(
        self,
        text: str,
        others: Callable[[], Iterable[str]] = tuple,
        *,
        marked: bool = True,
        lines: bool = False,
    ) -> None:
        """Compile a text to search for. `others` returns further ways to write it, and is called if the
        text isn't printed literally. `marked` texts may be printed without their Markdown; with `lines`,
        line ends must match."""
        self.lines = lines
        self._text, self._others, self._marked = text, others, marked

    @cached_property
    def _first(self) -> str:
        return folded(self._text)

    @cached_property
    def _more(self) -> tuple[str, ...]:
        others = tuple(self._others())
        plain = tuple(map(folded, others))
        unmarked = map(without_marks, (self._text, *others)) if self._marked else ()
        known = (self._first, *plain)
        return *plain, *(way for way in map(folded, unmarked) if way not in known)

    def ways(self) -> Iterator[str]:
        """Yield the folded texts, likely ones first."""
        yield self._first
        yield from self._more


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
        """Return how much of a text is printed here, in its most complete way."""
        if any(not way.strip(_IGNORED) or self._is_plainly_in(way, typed.lines) for way in typed.ways()):
            return Match.WHOLE
        return max((self._of(way, typed.lines) for way in typed.ways()), default=Match.WHOLE)

    def _is_plainly_in(self, way: str, lines: bool) -> bool:
        """Return True if a text is printed literally, apart from blanks."""
        return not (lines and "\n" in way.strip()) and _stands_in(self._flat, " ".join(way.split()))

    def _of(self, way: str, lines: bool) -> Match:
        if _RIGHT_TO_LEFT.search(way):  # printed in visual order, from the left
            words = all(word in self._flat for word in way.split())
            return Match.WHOLE if words else Match.MISSING
        return self._squeezed.match(_Squeezed(way), lines=lines)


def _stands_in(whole: str, part: str) -> bool:
    """Return True if a text contains another, numbers not within longer ones."""
    at = whole.find(part)
    while at >= 0:
        end = at + len(part)
        if not _goes_back(whole, at) and not _goes_on(whole, end):
            return True
        at = whole.find(part, at + 1)
    return False


def _goes_back(text: str, at: int) -> bool:
    """Return True if the number at a place begins before it."""
    if not at or not text[at : at + 1].isdecimal():
        return False
    return text[at - 1].isdecimal() or (text[at - 1] in ".," and text[at - 2 : at - 1].isdecimal())


def _goes_on(text: str, at: int) -> bool:
    """Return True if the number at a place continues after it."""
    if not at or not text[at - 1].isdecimal():
        return False
    after = text[at : at + 2]
    return after[:1].isdecimal() or (after[:1] in (".", ",") and after[1:].isdecimal())


class _Squeezed:
    """A folded text without blanks, bullets, icons and hyphens in words. `gaps` are the positions of text
    removed between two letters or digits, `breaks` those with a line end."""

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
        """Return how much of a text is in this one."""
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
        """Return True if a part isn't within a longer number."""
        before = start in self.gaps or not _goes_back(self.text, start)
        return before and (end in self.gaps or not _goes_on(self.text, end))


MOST_SAID = 100
"""Cells of a column that are reported."""
_MOST_PLACED = 200
"""Cards that are examined to locate a printed column."""
_MOST_CELLS = 500_000
"""Values of a component that are examined."""
_MOST = 0.8
"""The share of a column's values that must be found if the column is printed."""
_LEAST = 3
"""The number of values that must be found."""
_CHANCE = 0.75
"""The maximum share of other cards' values within a card's own: beyond it, matches are chance."""
_DEEPEST = 4
_LONGEST = 60
"""Characters of a text in a message."""
_TRUE = frozenset(("true", "yes", "ja", "wahr", "oui", "vrai", "si", "sí", "sim"))
_FALSE = frozenset(("false", "no", "nein", "falsch", "non", "faux", "não"))

_WORDS = re.compile(r"\w+")
_CODE = re.compile("[a-z]+[0-9]*(?:[-_][a-z0-9]+)*")
"""A word that is replaced in print, and may match the printed text by chance."""

Path = tuple[str | int, ...]
Field = tuple[str, ...]


@dataclass(slots=True)
class _Side:
    """The texts of a side."""

    texts: list[tuple[str, int, Printed]]
    whole: Printed


@dataclass(slots=True)
class _Cell:
    """A value of a card: the typed text, and the printed texts of the card's sides. `own` are the texts
    that show this very field, None if unknown."""

    card: Card
    path: Path
    value: Any
    text: str
    is_cell: bool
    typed: Typed
    sides: tuple[_Side, ...]
    own: list[Printed] | None
    match: Match = Match.MISSING

    @property
    def plain(self) -> Typed:
        """Return the value as a template prints it."""
        return (
            self.typed if self.text == self.value else Typed(_text(self.value), lambda: (str(self.value),))
        )


def say_unprinted(
    game: Game, templates: Templates, rendering: Rendering, looks: Looks, findings: Findings
) -> None:
    """Add a warning for each value of a card that the card does not show, in a column that is printed."""
    arts = {(art.component, art.card): art for art in rendering.cards}
    listing = Listing(game, game.paths, templates)
    sides = _Sides(looks)
    silent: Mapping[str, set[str]] | None = None
    for component in game.components:
        columns: dict[tuple[Field, str, str | None], list[_Cell]] = {}
        shown: dict[tuple[str, ...], _Shown] = {}
        room = _MOST_CELLS
        for card in component.cards:
            art = arts.get((component.id, card.id))
            texts = None if art is None else sides.of(art.face, art.back)
            if texts is None:
                continue
            names = tuple(_templates(card))
            if names not in shown:
                shown[names] = _shown_by(names, listing)
            for cell in _cells(game, shown[names], card, texts):
                columns.setdefault((_field(cell.path), card.face, card.back), []).append(cell)
                room -= 1
            if room < 0:
                break
        for (path, *_), cells in columns.items():
            if lost := _lost(path, cells, listing):
                silent = unprinted_fields(game) if silent is None else silent
                if path[0] not in silent.get(component.id, ()):
                    _say(game, lost, findings)


class _Sides:
    """The texts of sides by their keys, folded once."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._known: dict[str, _Side | None] = {}

    def of(self, *keys: str | None) -> tuple[_Side, ...] | None:
        """Return the texts of a card's sides; None if some are unknown."""
        found = [self._side(key) for key in keys if key is not None]
        sides = tuple(each for each in found if each is not None)
        return sides if len(sides) == len(found) else None

    def _side(self, key: str) -> _Side | None:
        if key not in self._known:
            texts = self._looks.of(key).texts
            self._known[key] = None if texts is None else _side(texts)
        return self._known[key]


def _side(texts: Iterable[tuple[str, int, str]]) -> _Side:
    printed = [(file, line, Printed(words)) for file, line, words in texts]
    return _Side(printed, Printed("\n\n".join(text.text for *_, text in printed)))


def shown_text(game: Game, card: Card, path: Path, value: Any) -> tuple[str, bool]:
    """Return the typed text of a card's value, and whether a cell of a spreadsheet shows it."""
    text = game.locator.shown(card.file, (*card.path, *path), value)
    return _text(value) if text is None else text, is_table(card.file)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (int, float)) else str(value)


def _field(path: Path) -> Field:
    """Return the field of a value; all items of a list share one."""
    return tuple(step for step in path if isinstance(step, str))


@dataclass(slots=True)
class _Shown:
    """The fields that the templates of a card show, with their lines, and the fields printed literally."""

    lines: dict[Field, set[tuple[str, int]]] = field(default_factory=dict)
    bare: set[Field] = field(default_factory=set)


def _shown_by(templates: Sequence[str], listing: Listing) -> _Shown:
    """Read the fields that templates show."""
    shown = _Shown()
    for name in templates:
        for path, line in listing.texts(name):
            shown.lines.setdefault(path, set()).add((name, line))
        if (printing := listing.printed(name)) is not None:
            shown.bare |= printing.bare
    return shown


def _cells(game: Game, shown: _Shown, card: Card, sides: tuple[_Side, ...]) -> Iterator[_Cell]:
    """Yield the values of a card that may be printed as text."""
    lines, bare = shown.lines, shown.bare
    effects = game.effects.fields if game.effects is not None else ()
    for key, content in card.fields.items():
        if key in ENGINE or key in effects:
            continue
        for path, value in _leaves((key,), content):
            places, own = lines.get(_field(path)), None
            if places:
                own = [text for side in sides for *at, text in side.texts if tuple(at) in places]
            elif isinstance(value, bool):
                if _field(path) not in bare:
                    continue
                own = [text for side in sides for *_, text in side.texts if _says(text.text, value)]
            text, is_cell = shown_text(game, card, path, value)
            others = partial(_other_ways, text, value)
            typed = Typed(text, others, marked=isinstance(value, str), lines=is_cell)
            yield _Cell(card, path, value, text, is_cell, typed, sides, own)


def _templates(card: Card) -> list[str]:
    return [name for name in (card.face, card.back) if name is not None]


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the texts, numbers and booleans in a value, each with its path."""
    if isinstance(value, Mapping) and len(path) < _DEEPEST:
        for key, each in value.items():
            yield from _leaves((*path, str(key)), each)
    elif isinstance(value, (list, tuple)) and len(path) < _DEEPEST:
        for at, each in enumerate(value):
            yield from _leaves((*path, at), each)
    elif isinstance(value, (int, float)) or (isinstance(value, str) and value.strip()):
        yield path, value


def _other_ways(text: str, value: Any) -> tuple[str, ...]:
    """Return other ways to write a value that was typed as `text`."""
    return *_same_number(text, value), *_same_letters(text, value)


def _same_number(text: str, value: Any) -> Iterator[str]:
    """Yield other ways to write a number without losing a digit."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    if text == str(value) and text.isdecimal() and len(text) < 4:
        return
    figures = _figures(text)
    for way in (_text(value), str(value), f"{value:,}", f"{value:,}".replace(",", " ")):
        for each in (way, way.translate(_SWAPPED)):
            if _figures(each) == figures:
                yield each


def _same_letters(text: str, value: Any) -> Iterator[str]:
    """Yield a text that loading has given other markup: HTML or rich text as Markdown."""
    if isinstance(value, str) and value != text and _letters(text) == _letters(value):
        yield without_marks(value)


def _letters(text: str) -> str:
    """Return the letters and digits of a text, without tags and icon placeholders."""
    return "".join(filter(str.isalnum, unescape(_MARKUP.sub("", text))))


_MARKUP = re.compile(r"<[^<>]{1,200}>|[\[{]{1,2}[^\[\]{}]{1,60}[\]}]{1,2}|:[A-Za-z][\w-]{0,60}:")
_SWAPPED = str.maketrans(",.", ".,")


def _figures(text: str) -> str:
    """Return the digits of a number, with its sign."""
    text = text.strip().replace("\u2212", "-")
    return text[:1].strip("0123456789.,") + "".join(each for each in text if each.isdecimal())


# ---- judging a column


def _lost(field: Field, cells: list[_Cell], listing: Listing) -> list[_Cell]:
    """Return the values of a column that are missing on their cards; none if the column is exempt."""
    named = [cell for cell in cells if cell.own is not None]
    if any(isinstance(cell.value, bool) for cell in named):
        return _lost_truths(named)
    for cell in named:
        cell.match = max((text.match(cell.typed) for text in cell.own or ()), default=Match.MISSING)
    lost = [cell for cell in named if cell.match is not Match.WHOLE]
    return lost + _lost_of_most(field, [cell for cell in cells if cell.own is None], listing)


def _lost_of_most(field: Field, cells: list[_Cell], listing: Listing) -> list[_Cell]:
    """Return the values that are not printed on their cards, of a column whose values mostly are."""
    lost: list[_Cell] = []
    unfound, most = 0, min((1 - _MOST) * len(cells), len(cells) - _LEAST)
    for cell in cells:
        cell.match = _match(cell, cell.typed)
        if cell.match is not Match.WHOLE:
            lost.append(cell)
            unfound += not cell.match and not _match(cell, cell.plain)
            if unfound > most:
                return []
    if not lost or most < 0 or not _may_be_printed(field, cells, listing):
        return []
    if _are_by_chance(cells, len(cells) - unfound):
        return []
    place = _usual_place(cells)
    for cell in lost:
        cell.own = [text for *at, text in _texts(cell) if tuple(at) == place]
    return lost


def _may_be_printed(field: Field, cells: list[_Cell], listing: Listing) -> bool:
    """Return True if a template seems to print a field as text. Words that are replaced match only by
    chance, unless a template prints them literally."""
    names = dict.fromkeys(name for cell in cells for name in _templates(cell.card))
    printing = [listing.printed(name) for name in names]
    if all(_CODE.fullmatch(cell.text) for cell in cells):
        return any(each is not None and field in each.bare for each in printing)
    return any(each is None or each.fields is None or field[0] in each.fields for each in printing)


def _match(cell: _Cell, typed: Typed) -> Match:
    return max(side.whole.match(typed) for side in cell.sides)


def _texts(cell: _Cell) -> Iterator[tuple[str, int, Printed]]:
    return (text for side in cell.sides for text in side.texts)


def _are_by_chance(cells: list[_Cell], found: int) -> bool:
    """Return True if other cards' values are found nearly as often as a card's own."""
    values = list({cell.text: cell.plain for cell in cells}.items())
    if len(values) == 1:
        return len(values[0][0]) < _LEAST or not any(map(str.isalpha, values[0][0]))
    places = {text: at for at, (text, _) in enumerate(values)}
    others = 0
    for cell in cells:
        _, other = values[(places[cell.text] + 1) % len(values)]
        others += _match(cell, other) > Match.MISSING
    return others > _CHANCE * found


def _usual_place(cells: list[_Cell]) -> tuple[str, int] | None:
    """Return the template and line of the text that contains most values of a column."""
    places = Counter(
        (file, line)
        for cell in cells[:_MOST_PLACED]
        for file, line, text in _texts(cell)
        if text.match(cell.typed) or text.match(cell.plain)
    )
    return max(places, key=places.__getitem__, default=None)


def _lost_truths(cells: list[_Cell]) -> list[_Cell]:
    """Return the values of a yes/no column whose text on the card says the opposite. If the text says
    neither, a true field must show its object as drawn."""
    said = {id(cell): {text.text.strip() for text in cell.own or ()} for cell in cells}
    folded = {at: set(map(str.casefold, texts)) for at, texts in said.items()}
    is_code = all(any(_says(text, cell.value) for text in said[id(cell)]) for cell in cells)
    if not is_code and not any(words & (_TRUE | _FALSE) for words in folded.values()):
        return []
    lost = []
    for cell in cells:
        words, typed = folded[id(cell)], cell.text.strip()
        if is_code:
            wrong = cell.is_cell and not any(typed in text for text in said[id(cell)])
        elif cell.is_cell:
            wrong = bool(words) and typed.casefold() not in words
        else:
            wrong = bool(words & (_FALSE if cell.value else _TRUE))
        if wrong:
            lost.append(cell)
    return lost


def _says(text: str, value: bool) -> bool:
    """Return True if a text has the word that templates print for True or False."""
    return str(value) in _WORDS.findall(text)


# ---- findings


def _say(game: Game, lost: list[_Cell], findings: Findings) -> None:
    for cell in lost[:MOST_SAID]:
        message = f"the card '{cell.card.id}' {_wrong(cell)}"
        if cell is lost[:MOST_SAID][-1] and len(lost) > MOST_SAID:
            message += f"; {len(lost) - MOST_SAID} more values of this field have the same problem"
        findings.warning("data/unprinted", message, game.where(cell.card, *cell.path), _hint(game, cell))


def _wrong(cell: _Cell) -> str:
    typed = _short(" ".join(cell.text.split()))
    if cell.match is Match.JOINED:
        return f"prints words of '{typed}' without a space between them"
    if cell.match is Match.ONE_LINE:
        return f"prints '{typed}' without its line breaks"
    texts = [" ".join(text.text.replace(ICON, " ").split()) for text in cell.own or ()]
    instead = next((text for text in texts if text), None)
    if instead is None:
        return f"does not print '{typed}'"
    return f"prints '{_short(instead)}' where '{typed}' was typed"


def _hint(game: Game, cell: _Cell) -> str:
    id = cell.card.id
    several = sum(card.id == id for card in game.cards()) > 1
    only = f" --component {cell.card.component}" if several else ""
    look = f"draw the card: cardgen proof {game.id} {id}{only}"
    if cell.match is not Match.MISSING or isinstance(cell.value, str):
        return look
    quoted = "" if cell.is_cell else "put it in quotes, and "
    return f'to print what was typed, {quoted}set "type": "string" for it in the schema; {look}'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def say_named(game: Game, templates: Templates, findings: Findings) -> None:
    """Report problems with the named objects of a game's templates, and fields that nothing shows. A field
    is exempt if its schema says `"printed": false`, if game.yaml chooses templates or sizes by it, or, in a
    spreadsheet, if another file of the game names it."""
    from cardgen.art.named_listing import Listing

    listing = Listing(game, game.paths, templates)
    listing.say(findings)
    tables = {each.id for each in game.components if any(is_table(card.file) for card in each.cards)}
    unread = list(listing.unread(tables))
    if not unread:
        return
    silent = unprinted_fields(game)
    for each in unread:
        unneeded = silent.get(each.component.id, set())
        if each.component.id in tables:
            unneeded = unneeded | _named_elsewhere(game, each.fields)
        fields = [field for field in each.fields if field not in unneeded]
        if fields:
            names = ", ".join(f"'{field}'" for field in fields)
            message = f"nothing on the cards '{each.component.id}' shows {names}"
            hint = f"name an object '{fields[0]}', or set \"printed\": false for it in the schema"
            findings.note("template/unread", message, each.place, hint)


def _named_elsewhere(game: Game, fields: Iterable[str]) -> set[str]:
    """Return the fields that rules, or other files of a game without cards, name."""
    cards = {card.file for card in game.cards()}
    files = {file for file in game.sources if file.startswith(f"data/{game.id}/") and not is_table(file)}
    found = {*TITLES}
    for file in sorted((files | {game.rules or ""}) - cards):
        path = game.paths.find(file) if file else None
        try:
            raw = b"" if path is None else read_file(path, YAML, file, game.paths.roots)
        except ReadingError:  # its reader reports it
            continue
        words = set(re.findall(r"\w+", raw.decode("utf-8", "ignore")))
        found |= {field for field in fields if field in words}
    return found


def unprinted_fields(game: Game) -> dict[str, set[str]]:
    """Return the fields of each component that are exempt from printing."""
    from cardgen.game.edited_files import load_card_schemas
    from cardgen.game.sources import load_checked

    found: dict[str, set[str]] = {}
    try:
        for id, stated in load_card_schemas(game).items():
            found[id] = _unprinted(stated.schema)
        manifest = load_checked(
            game.paths, f"data/{game.id}/game.yaml", "schemas/game.schema.json", Findings()
        )
    except CardgenError:  # their readers report their errors
        return found
    entries = manifest.data.get("components", {}) if manifest is not None else {}
    for id, entry in entries.items():
        for value in entry.values():
            if isinstance(value, dict) and isinstance(value.get("by"), str):
                found.setdefault(id, set()).add(value["by"])
    return found


def _unprinted(schema: Any) -> set[str]:
    """Return the keys of a card whose schema says `"printed": false`, at any depth."""
    if not isinstance(schema, Mapping):
        return set()
    properties = schema.get("properties", {})
    found = {
        key
        for key, part in properties.items()
        if isinstance(part, Mapping) and part.get("printed") is False
    }
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()):
            found |= _unprinted(part)
    for keyword in ("if", "then", "else"):
        found |= _unprinted(schema.get(keyword))
    return found
