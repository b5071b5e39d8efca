"""A game in another language: texts put over its data, before anything sees them.

Schemas say which texts are translated (`"translate": true`). Each has an address that stays when others
come and go: the file, the keys, and the ids of cards. The same walk collects a game's texts for
translators.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from cardgen.findings import Finding, Findings, Location, Severity
from cardgen.loading.po import TEMPLATE, Entry, Translation, can_be_written
from cardgen.model.game import Game, ProjectPaths
from cardgen.model.translation import Words
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.schema_findings import marked
from cardgen.storage.reading import MARKDOWN, ReadingError, read_file
from cardgen.yaml.reader import Document

Path = tuple[str | int, ...]
_ICON = re.compile(r":[a-z0-9]+(?:-[a-z0-9]+)*:")
_VALUE = re.compile(r"\{\{\s*([A-Za-z_][\w.]*)|(?<!\{)\{([A-Za-z_]\w*)[:}]")
_FILLED = re.compile(r"\{\{[^{}]*\}\}")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the source language: its address, its words, where they stand."""

    address: str
    source: str
    document: Document = field(repr=False)
    path: Path

    @property
    def place(self) -> Location:
        """Its line. Slow for the first of a document, which is parsed again."""
        return self.document.locate(self.path)


MOST_UNTRANSLATED = 20
"""Most texts without a translation that are reported one by one."""


@dataclass(slots=True)
class Texts:
    """Collects a game's texts and, with a `translation`, puts this in their place.

    What is not translated is said in `findings`: an error where texts `must` be, else a warning.
    """

    game: str
    language: str
    paths: ProjectPaths
    findings: Findings
    translation: Translation | None = None
    must: bool = True
    found: dict[str, Text] = field(default_factory=dict)
    sources: dict[tuple[str, Path], str] = field(default_factory=dict)
    """The words of the source that were translated, by file and path."""
    books: list[str] = field(default_factory=list)
    missing: int = 0
    stale: int = 0
    untranslated: dict[str, list[Location]] = field(default_factory=dict)
    """The places of each text without a translation, by the words of the source."""
    entries: dict[tuple[str, str | int, str | int], bool] = field(default_factory=dict)
    """Of the entries of lists with texts, whether any of these is translated."""

    @property
    def absent(self) -> bool:
        """Whether there is no file with a translation."""
        return self.translation is not None and self.paths.find(self.translation.file) is None

    def take(self, document: Document, schema: PreparedSchema) -> bool:
        """Go through a document that fits its schema; whether anything in it was changed."""
        folder = f"data/{self.game}/"
        if not document.relative.startswith(folder):
            return False
        file = document.relative.removeprefix(folder)
        changed, absent = False, self.absent
        for path in marked(document, schema, self.findings):
            holder, key = _holder(document.data, path)
            source = holder[key]
            known = (document.relative, path) in self.sources
            if known or not has_words(source) or not can_be_written(source):
                continue
            self.sources[document.relative, path] = source
            text = Text(self._address(file, document.data, path), source, document, path)
            self.found[text.address] = text
            entry = None if absent else self._entry(text)
            self.missing += absent
            if len(path) > 2:
                place = (document.relative, path[0], path[1])
                self.entries[place] = self.entries.get(place, False) or entry is not None
            if self.translation is not None and entry is not None:
                holder[key] = entry.text
                document.translated[path] = (self.translation.file, entry.line)
                changed = True
        return changed

    def _address(self, file: str, data: Any, path: Path) -> str:
        """`cards.yaml: cards/fox/title`; of two that would be the same, the second is another."""
        steps = []
        for key in path:
            data = data[key]
            id = data.get("id") if isinstance(key, int) and isinstance(data, dict) else None
            steps.append(id if isinstance(id, str) else str(key))
        address = f"{file}: {'/'.join(steps)}"
        return address if address not in self.found else f"{address} ({len(self.found)})"

    def _entry(self, text: Text) -> Entry | None:
        """The translation of a text, if it is one of these words."""
        if self.translation is None:
            return None
        entry = self.translation.entries.get(text.address)
        if entry is None or not entry.text:
            self.missing += 1
            place = text.place if entry is None else self._at(entry)
            self.untranslated.setdefault(text.source, []).append(place)
            return None
        if entry.source != text.source or entry.is_open:
            self.stale += 1
            why = (
                f"the source says {_short(text.source)} now" if entry.source != text.source else "is fuzzy"
            )
            self._say(
                "stale", f"the translation of {_short(entry.source)} needs a look: {why}", self._at(entry)
            )
            return None
        for message in _slips(text.source, entry.text):
            self.findings.warning("translation/marks", message, self._at(entry), f"source: {text.place}")
        return entry

    def _tell_untranslated(self) -> None:
        """Report each text without a translation once, however many cards have it; of many, the first."""
        for source, places in list(self.untranslated.items())[:MOST_UNTRANSLATED]:
            often = f", in {len(places):,} places" if len(places) > 1 else ""
            message = f"{_short(source)} is not translated into {self.language}{often}"
            self._say("missing", message, places[0])
        if (more := len(self.untranslated) - MOST_UNTRANSLATED) > 0:
            first = next(iter(self.untranslated.values()))[0]
            message = f"{more:,} other texts are not translated into {self.language}"
            self._say("missing", message, Location(first.file))

    def _say(self, code: str, message: str, place: Location) -> None:
        severity = Severity.ERROR if self.must else Severity.WARNING
        hint = f"run: cardgen translate {self.game} --language {self.language}, then translate what is open"
        self.findings.extend([Finding(severity, f"translation/{code}", message, place, hint)])

    def _at(self, entry: Entry) -> Location:
        assert self.translation is not None
        return Location(self.translation.file, entry.line, None, entry.address)

    # ---- books

    def book(self, file: str) -> str:
        """The file of a book in this language: the whole of it is translated. `file` is the source's."""
        self.books.append(file)
        if self.translation is None:
            return file
        own = translated_book(self.game, self.language, file)
        if self.paths.find(own) is None:
            self.missing += 1
            if not self.absent:
                said = f"there is no {own}, the whole book in {self.language}"
                self._say("missing", said, Location(file))
            return file
        kept = self.translation.head.get(head_of(self.game, file), "").split()
        if kept and kept[0] != digest_of(self.paths, file):
            self.stale += 1
            message = f"{file} has changed since this was translated"
            hint = (
                f"bring it up to date, then run: cardgen translate {self.game} --language {self.language}"
            )
            self.findings.warning("translation/stale", message, Location(own), hint)
        return own

    # ---- the end

    def words(self, game: Game) -> Words:
        """What templates of a game say in this language; entries that nothing asks for are reported."""
        assert self.translation is not None
        self._tell_untranslated()
        words: dict[str, tuple[str, int]] = {}
        for address, entry in self.translation.entries.items():
            if address.startswith(f"{TEMPLATE}\4"):
                if entry.text and not entry.is_open:
                    words[entry.source] = (entry.text, entry.line)
            elif address not in self.found and not game.left_out and entry.text:
                message = f"there is no text '{address}' in the game"
                hint = f"run: cardgen translate {self.game} --language {self.language}"
                self.findings.warning("translation/unknown", message, self._at(entry), hint)
        return Words(
            self.language,
            self.translation.file,
            words,
            self.must,
            self.missing,
            self.stale,
            self._keys(),
            self.absent,
            frozenset(place for place, done in self.entries.items() if not done),
        )

    def _keys(self) -> frozenset[str]:
        """The names by which data are read that hold translated texts: keys, and files by their stems."""
        keys = {PurePosixPath(file).stem for file, _ in self.sources} - {"game"}
        for _, path in self.sources:
            # The first of several is a component's id, or a list of a file.
            keys.update(step for step in path[len(path) > 1 :] if isinstance(step, str))
        return frozenset(keys)


def has_words(text: str) -> bool:
    """Whether there is anything to translate in a text: letters that no template fills in."""
    return any(map(str.isalpha, _FILLED.sub("", text)))


def translated_book(game: str, language: str, file: str) -> str:
    """Where a book stands in a language; `file` is that of the source, both relative to the project."""
    folder = f"data/{game}/"
    return f"{folder}{language}/{file.removeprefix(folder)}"


def head_of(game: str, file: str) -> str:
    """The line in a PO file's head that remembers which state of a book was translated."""
    return f"X-Source-{file.removeprefix(f'data/{game}/')}"


def digest_of(paths: ProjectPaths, file: str) -> str:
    """A digest of a book's text; empty where it can't be read."""
    try:
        data = read_file(paths.find(file) or file, MARKDOWN, file, paths.roots)
    except ReadingError:
        return ""
    return hashlib.blake2b(data.replace(b"\r\n", b"\n"), digest_size=8).hexdigest()


def _holder(data: Any, path: Path) -> tuple[Any, Any]:
    for key in path[:-1]:
        data = data[key]
    return data, path[-1]


def _slips(source: str, text: str) -> list[str]:
    """What a translation has lost, or made up, of icons and of values to be filled in."""
    slips = []
    here, there = Counter(_ICON.findall(source)), Counter(_ICON.findall(text))
    for mark in sorted((here - there) | (there - here)):
        slips.append(f"{mark} stands {here[mark]} times in the source and {there[mark]} times here")
    values = [{one or other for one, other in _VALUE.findall(each)} for each in (source, text)]
    slips += [f"the source fills in {name}, and this does not" for name in sorted(values[0] - values[1])]
    slips += [f"the source does not fill in {name}" for name in sorted(values[1] - values[0])]
    return slips


def _short(text: str) -> str:
    words = " ".join(text.split())
    return f"'{words if len(words) <= 60 else words[:59] + '…'}'"
