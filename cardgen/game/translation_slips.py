"""Find slips of translations: numbers, icons, bold words, names and fill-in values that were lost or added.

The texts and paragraphs that differ rightly say so: a translator's comment `differs: number: REASON`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from cardgen.core.records import dataclass
from cardgen.game.number_words import NumberWords, without_markup

KINDS = {
    "marks": "translation/marks",
    "number": "text/translation-number",
    "bold": "text/translation-bold",
    "name": "text/translation-name",
}
"""The codes of slips, by the word that marks them as right."""
_ICON = re.compile(r":[a-z0-9]+(?:-[a-z0-9]+)*:")
_VALUE = re.compile(r"\{\{\s*([A-Za-z_][\w.]*)|(?<!\{)\{([A-Za-z_]\w*)[:}]")
_BOLD = re.compile(r"\*\*(?=\S).+?(?<=\S)\*\*", re.DOTALL)
_FIRST_WORD = re.compile(r"\w+")
_CARD = re.compile(r"\]\((card:[^)\s]+)")
_DIFFERS = re.compile(r"\bdiffers:\s*([a-z]+(?:\s*,\s*[a-z]+)*)\s*:\s*\S")


@dataclass(frozen=True, slots=True)
class Slip:
    """A difference of a translation, of one of KINDS, at a character of the translation if one is wrong."""

    kind: str
    message: str
    at: int | None = None

    @property
    def code(self) -> str:
        return KINDS[self.kind]


class Comparison:
    """A comparison by the number words of both languages, and the names of cards in the translation by
    those in the source."""

    def __init__(self, source: NumberWords, translation: NumberWords, names: Mapping[str, str]) -> None:
        self._languages = source, translation
        self._names_of_cards = names
        self._by_word: dict[str, list[str]] = {}
        for name in names:
            if (word := _FIRST_WORD.search(name)) is not None:
                self._by_word.setdefault(word[0], []).append(name)

    def slips(self, source: str, text: str, notes: str = "") -> list[Slip]:
        """Return the slips of a text, without those that the `notes` about it allow."""
        found = [*_marks(source, text), *self._numbers(source, text), *_bold(source, text)]
        found += self._names(source, text)
        allowed = allowed_by(notes)
        return [slip for slip in found if slip.kind not in allowed]

    def _numbers(self, source: str, text: str) -> Iterable[Slip]:
        """Yield the numbers of one text that the other lacks."""
        source, text = self._without_names(source, text)
        lost, added = self.numbers(source, text)
        figures = self._languages[1].find(text)
        places = {figure.value: figure.start for figure in figures if figure.is_clear}
        at = min((places[value] for value in added), default=None)
        if lost and added:
            yield Slip("number", f"the source says {_listed(lost)}, the translation {_listed(added)}", at)
        elif lost:
            yield Slip("number", f"the translation lacks {_listed(lost)}, which the source has")
        elif added:
            yield Slip("number", f"the translation has {_listed(added)}, which the source lacks", at)

    def numbers(self, source: str, text: str) -> tuple[Counter[str], Counter[str]]:
        """Return the numbers that a text lacks and those that it adds; an unclear word may mean any of its
        numbers."""
        clear, unclear = [], []
        for words, each in zip(self._languages, (source, text), strict=True):
            figures = words.find(each)
            clear.append(Counter(figure.value for figure in figures if figure.is_clear))
            unclear.append(Counter(figure.value for figure in figures if not figure.is_clear))
        return clear[0] - clear[1] - unclear[1], clear[1] - clear[0] - unclear[0]

    def _without_names(self, source: str, text: str) -> tuple[str, str]:
        """Return two texts without the names of cards in both: a translated name may have other numbers."""
        for name in _names_in(source, self._by_word):
            own = self._names_of_cards[name]
            if own in text and own != text and name != source:
                source, text = (
                    each.replace(old, " " * len(old)) for each, old in ((source, name), (text, own))
                )
        return source, text

    def _names(self, source: str, text: str) -> Iterable[Slip]:
        here, there = (Counter(_CARD.findall(each)) for each in (source, text))
        for card in sorted((here - there) | (there - here)):
            message = f"{card} appears {_times(here[card])} in the source and {_times(there[card])} here"
            yield Slip("name", message)
        plain, own = without_markup(source), without_markup(text)
        for name in _names_in(plain, self._by_word):
            other = self._names_of_cards[name]
            if other not in own:
                message = f"the source names “{name}”, but the translation doesn't name “{other}”"
                yield Slip("name", message)


def allowed_by(notes: str) -> set[str]:
    """Return the kinds of slips that notes to a text allow: `differs: number, bold: REASON`."""
    return {kind for match in _DIFFERS.finditer(notes) for kind in re.split(r"\s*,\s*", match[1])}


def differs(kind: str) -> str:
    """Return the comment that allows a slip."""
    return f"# differs: {kind}: REASON"


def _names_in(text: str, by_word: Mapping[str, list[str]]) -> list[str]:
    """Return the names that a text contains as words, without those within longer ones."""
    found = []
    words = dict.fromkeys(_FIRST_WORD.findall(text))
    known = (name for word in words for name in by_word.get(word, ()) if name in text)
    for name in sorted(dict.fromkeys(known), key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if re.search(pattern, text):
            found.append(name)
            text = re.sub(pattern, " ", text)
    return found


def _marks(source: str, text: str) -> Iterable[Slip]:
    """Yield the icons and fill-in values that a translation has lost or added."""
    here, there = Counter(_ICON.findall(source)), Counter(_ICON.findall(text))
    for mark in sorted((here - there) | (there - here)):
        message = f"{mark} appears {_times(here[mark])} in the source and {_times(there[mark])} here"
        yield Slip("marks", message)
    values = [{one or other for one, other in _VALUE.findall(each)} for each in (source, text)]
    for name in sorted(values[0] - values[1]):
        yield Slip("marks", f"the source uses {name}, but the translation doesn't")
    for name in sorted(values[1] - values[0]):
        yield Slip("marks", f"the source doesn't use {name}")


def _bold(source: str, text: str) -> Iterable[Slip]:
    here, there = len(_BOLD.findall(source)), len(_BOLD.findall(text))
    if here != there:
        yield Slip("bold", f"{_count(here)} in the source, {_count(there)} here")


def _count(count: int) -> str:
    return f"{count or 'no'} bold part{'' if count == 1 else 's'}"


def _listed(values: Counter[str]) -> str:
    return ", ".join(sorted(values.elements(), key=lambda value: (len(value), value)))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times" if count else "never"
