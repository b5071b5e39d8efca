"""A game in another language: translations replace the texts of its data before anything reads them.

Schemas mark the texts to translate (`"translate": true`). Each has an address that doesn't change when
other texts come and go: the file, the keys, and the ids of cards. The same walk collects a game's texts for
translators.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

import polib

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Parsing, Severity
from cardgen.core.game import Game, Words
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, field, replace
from cardgen.files.reading import MARKDOWN, TEXTS, ReadingError, read_file
from cardgen.files.yaml import Document, read_text
from cardgen.game.number_words import NumberWords
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_findings import marked
from cardgen.game.translation_slips import Comparison, differs

Path = tuple[str | int, ...]
_FILLED = re.compile(r"\{\{[^{}]*\}\}")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the source language: its address, its words, its places."""

    address: str
    source: str
    document: Document = field(repr=False)
    path: Path

    @property
    def place(self) -> Location:
        """Return its line. Slow for the first of a document, which is parsed again."""
        return self.document.locate(self.path)


MOST_UNTRANSLATED = 20
"""Most texts without a translation that are reported one by one."""


@dataclass(slots=True)
class Texts:
    """A collector of a game's texts, which replaces them by a `translation` if given.

    Missing translations are findings: an error if texts `must` be translated, else a warning.
    """

    game: str
    language: str
    paths: ProjectPaths
    findings: Findings
    translation: Translation | None = None
    must: bool = True
    number_words: tuple[NumberWords, NumberWords] = (NumberWords({}), NumberWords({}))
    """The number words of the source and of the translation."""
    compared: list[tuple[Text, Entry]] = field(default_factory=list)
    """The translated texts."""
    found: dict[str, Text] = field(default_factory=dict)
    sources: dict[tuple[str, Path], str] = field(default_factory=dict)
    """The words of the source that were translated, by file and path."""
    books: list[str] = field(default_factory=list)
    missing: int = 0
    stale: int = 0
    untranslated: dict[str, list[Location]] = field(default_factory=dict)
    """The places of each text without a translation, by the words of the source."""
    entries: dict[tuple[str, str | int, str | int], bool] = field(default_factory=dict)
    """For the entries of lists with texts, True if any of these is translated."""

    @property
    def absent(self) -> bool:
        """Return True if there is no file with a translation."""
        return self.translation is not None and self.paths.find(self.translation.file) is None

    def take(self, document: Document, schema: PreparedSchema) -> bool:
        """Replace the texts of a document that fits its schema; return True if any changed."""
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
            text = Text(self._unused(address_in(file, document.data, path)), source, document, path)
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

    def _unused(self, address: str) -> str:
        """Return an address; the second of two equal ones is changed."""
        return address if address not in self.found else f"{address} ({len(self.found)})"

    def _entry(self, text: Text) -> Entry | None:
        """Return the translation of a text, if it is one of these words."""
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
            why = f"the source is now {_short(text.source)}" if entry.source != text.source else "is fuzzy"
            self._say(
                "stale", f"the translation of {_short(entry.source)} needs review: {why}", self._at(entry)
            )
            return None
        self.compared.append((text, entry))
        return entry

    def _compare(self, game: Game) -> None:
        """Report the slips of all translated texts."""
        names = {}
        for card in (card for each in game.components if each.kind == "card" for card in each.cards):
            for key in ("title", "name"):
                source, own = self.sources.get((card.file, (*card.path, key))), card.fields.get(key)
                if source is not None and isinstance(own, str):
                    names[source] = own
        comparison = Comparison(*self.number_words, names)
        untranslated: dict[int, Document] = {}  # whose places are those of the source
        for text, entry in self.compared:
            for slip in comparison.slips(text.source, entry.text, entry.notes):
                document = untranslated.setdefault(id(text.document), replace(text.document, translated={}))
                hint = f"source: {document.locate(text.path)}"
                if slip.code != "translation/marks":
                    hint = f"{hint}; if both are right, write above the entry: {differs(slip.kind)}"
                self.findings.warning(slip.code, slip.message, self._at(entry), hint)

    def _compare_templates(self) -> None:
        """Report the slips of translated words of templates."""
        assert self.translation is not None
        comparison = Comparison(*self.number_words, {})
        for address, entry in self.translation.entries.items():
            if address.startswith(f"{TEMPLATE}\4") and entry.text and not entry.is_open:
                for slip in comparison.slips(entry.source, entry.text, entry.notes):
                    hint = f"source: “{entry.source}”"
                    if slip.code != "translation/marks":
                        hint = f"{hint}; if both are right, write above the entry: {differs(slip.kind)}"
                    self.findings.warning(slip.code, slip.message, self._at(entry), hint)

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
        command = f"cardgen translate {self.game} --language {self.language}"
        hint = f"update the translation file, then translate its open texts: {command}"
        self.findings.extend([Finding(severity, f"translation/{code}", message, place, hint)])

    def _at(self, entry: Entry) -> Location:
        assert self.translation is not None
        return Location(self.translation.file, entry.line, None, entry.address)

    # ---- books

    def book(self, file: str) -> str:
        """Return the file of a book in this language, translated as a whole. `file` is the source's."""
        self.books.append(file)
        if self.translation is None:
            return file
        own = translated_book(self.game, self.language, file)
        if self.paths.find(own) is None:
            self.missing += 1
            if not self.absent:
                said = f"there is no {own} with the book in {self.language}"
                self._say("missing", said, Location(file))
            return file
        kept = self.translation.head.get(head_of(self.game, file), "").split()
        if kept and kept[0] != digest_of(self.paths, file):
            self.stale += 1
            message = f"{file} has changed since this was translated"
            command = f"cardgen translate {self.game} --language {self.language}"
            hint = f"update its text, then record that it is current: {command}"
            self.findings.warning("translation/stale", message, Location(own), hint)
        return own

    # ---- the end

    def words(self, game: Game) -> Words:
        """Return the words of a game's templates in this language; report unused entries."""
        assert self.translation is not None
        self._tell_untranslated()
        self._compare(game)
        self._compare_templates()
        words: dict[str, tuple[str, int]] = {}
        for address, entry in self.translation.entries.items():
            if address.startswith(f"{TEMPLATE}\4"):
                if entry.text and not entry.is_open:
                    words[entry.source] = (entry.text, entry.line)
            elif address not in self.found and not game.left_out and entry.text:
                message = f"there is no text '{address}' in the game"
                command = f"cardgen translate {self.game} --language {self.language}"
                hint = f"update the translation file: {command}"
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
        """Return the data names of translated texts: keys, and files by their stems."""
        keys = {PurePosixPath(file).stem for file, _ in self.sources} - {"game"}
        for _, path in self.sources:
            # The first of several is a component's id, or a list of a file.
            keys.update(step for step in path[len(path) > 1 :] if isinstance(step, str))
        return frozenset(keys)


def address_in(file: str, data: Any, path: Path) -> str:
    """Return the address of a text in a file's data, such as `cards.yaml: cards/fox/title`."""
    steps = []
    for key in path:
        data = data[key]
        id = data.get("id") if isinstance(key, int) and isinstance(data, dict) else None
        steps.append(id if isinstance(id, str) else str(key))
    return f"{file}: {'/'.join(steps)}"


def has_words(text: str) -> bool:
    """Return True if a text has letters to translate besides the fill-in values of templates."""
    return any(map(str.isalpha, _FILLED.sub("", text)))


def translated_book(game: str, language: str, file: str) -> str:
    """Return the place of a book in a language; `file` is that of the source, both relative to the
    project."""
    folder = f"data/{game}/"
    return f"{folder}{language}/{file.removeprefix(folder)}"


def head_of(game: str, file: str) -> str:
    """Return the line in a PO file's header that records the translated state of a book."""
    return f"X-Source-{file.removeprefix(f'data/{game}/')}"


def digest_of(paths: ProjectPaths, file: str) -> str:
    """Return a digest of a book's text; empty if it can't be read."""
    try:
        data = read_file(paths.find(file) or file, MARKDOWN, file, paths.roots)
    except ReadingError:
        return ""
    return hashlib.blake2b(data.replace(b"\r\n", b"\n"), digest_size=8).hexdigest()


def _holder(data: Any, path: Path) -> tuple[Any, Any]:
    for key in path[:-1]:
        data = data[key]
    return data, path[-1]


def _short(text: str) -> str:
    words = " ".join(text.split())
    return f"'{words if len(words) <= 60 else words[:59] + '…'}'"


TEMPLATE = "template"
"""The context of words that templates write: the word itself is their address."""
_STRANGE = re.compile("[\x00\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""The characters forbidden in a PO file's texts: libraries read them as the end of a line."""
_WHOLE = re.compile(
    r"""\s*+(?:\#.*|(?:(?:msg(?:ctxt|id|id_plural|str|str\[\d\]))[ \t]++)?"(?:[^"\\]|\\.)*+"\s*+)?"""
)
"""A line of a PO file: a comment, or a text in quotes, with or without a word before it."""
_LINE = re.compile(r"\(line (\d+)\)")
_WORD = re.compile(r"\s*+(?:\#~\s*+)?msg(?P<first>id\s)?")
"""The beginning of a text; each entry has one line with `first`."""
MOST_ENTRIES = 100_000
"""Entries of a file: five for each of 20,000 cards."""
MOST_LINES = 2_000
"""Lines of a text, or of the notes before an entry: the parser copies all before a line for each line."""
MOST_CHARACTERS = 100_000
"""Characters of a text, as many as a cell may have."""
_HINT = "a program such as Poedit writes such files whole"


@dataclass(frozen=True, slots=True)
class Entry:
    """One text. `source` is the original text; `line` is its place; `is_open` is True if it needs a review
    before it counts ("fuzzy"). `notes` are the translator's comments."""

    address: str
    source: str
    text: str
    line: int
    is_open: bool
    notes: str = ""


@dataclass(slots=True)
class Translation:
    """A PO file: `file` relative to the project, its entries by address, and the purpose given in its
    header."""

    file: str
    entries: dict[str, Entry] = field(default_factory=dict)
    head: dict[str, str] = field(default_factory=dict)


def address_of(context: str | None, source: str) -> str:
    """Return the address of an entry."""
    return f"{TEMPLATE}\4{source}" if context == TEMPLATE else context or f"\4{source}"


def can_be_written(text: str) -> bool:
    """Return True if a PO file can contain a text."""
    return _STRANGE.search(text) is None


def texts_file(game: str, language: str) -> str:
    """Return the place of a game's texts in a language, relative to the project."""
    return f"data/{game}/{language}/texts.po"


def read_translation(paths: ProjectPaths, file: str, findings: Findings) -> Translation:
    """Return a PO file; an empty one if there is none, or after findings."""
    found = Translation(file)
    po = read_po(paths, file, findings)
    if po is None:
        return found
    found.head = dict(po.metadata)
    for entry in _live(po):
        address = address_of(entry.msgctxt, entry.msgid)
        if (other := found.entries.get(address)) is not None:
            message = f"there is an entry for this in line {other.line}"
            findings.error("translation/twice", message, Location(file, entry.linenum), "keep one of them")
            continue
        found.entries[address] = Entry(
            address, entry.msgid, entry.msgstr, entry.linenum, entry.fuzzy, entry.tcomment
        )
    return found


def _live(po: polib.POFile) -> Iterator[polib.POEntry]:
    return (entry for entry in po if not entry.obsolete)


def read_po(paths: ProjectPaths, file: str, findings: Findings) -> polib.POFile | None:
    """Return a PO file unchanged; None if there is none, or after findings."""
    path = paths.find(file)
    if path is None:
        return None
    text = read_text(path, file, findings, TEXTS, within=paths.roots)
    if text is None:
        return None
    strange = _STRANGE.search(text)
    if strange is not None:
        line = text.count("\n", 0, strange.start()) + 1
        message = f"the invisible character U+{ord(strange.group()):04X} is not allowed"
        findings.error("translation/syntax", message, Location(file, line), "delete it")
        return None
    lines = text.split("\n")
    for number, each in enumerate(lines, 1):
        if not _WHOLE.fullmatch(each):
            message = (
                'not a line of a PO file: write text in quotes, with quotes and backslashes as \\" and \\\\'
            )
            findings.error("translation/syntax", message, Location(file, number), _HINT)
            return None

    excess = _excess(lines)
    if excess is not None:
        number, message = excess
        hint = "check which program wrote this file; no translation needs that many"
        findings.error("translation/size", message, Location(file, number), hint)
        return None

    def trouble(error: Exception) -> CardgenError:
        said = _LINE.search(str(error))
        place = Location(file, int(said[1]) if said else None)
        message = "something is missing between this line and the one before"
        return CardgenError(Finding(Severity.ERROR, "translation/syntax", message, place, _HINT))

    try:
        with Parsing(trouble):
            # Ignore references that can't be paths, whatever the file contains.
            po = polib.pofile(f"{text}\n# \0\n", encoding="utf-8", wrapwidth=100)
    except CardgenError as error:
        findings.extend(error.findings)
        return None
    for entry in po:  # an entry's comments come before it
        while entry.linenum < len(lines) and lines[entry.linenum - 1].startswith("#"):
            entry.linenum += 1
    return po


def _excess(lines: Sequence[str]) -> tuple[int, str] | None:
    """Return the first line that exceeds a limit, counted from 1, and a message; None if there is none."""
    entries = length = characters = 0
    for number, line in enumerate(lines, 1):
        if word := _WORD.match(line):
            entries += word["first"] is not None
            length = characters = 0
        if line.startswith(("#:", "#,")):  # a list is made of these
            continue
        length += bool(line.strip())
        characters += len(line)
        for amount, most, what in (
            (entries, MOST_ENTRIES, "the file has more than {:,} entries"),
            (length, MOST_LINES, "a text or note has more than {:,} lines"),
            (characters, MOST_CHARACTERS, "a text or note has more than {:,} characters"),
        ):
            if amount > most:
                return number, what.format(most)
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """A text to translate: its entry's context, its words, and its files and lines."""

    context: str
    words: str
    places: tuple[tuple[str, int], ...]


def updated(po: polib.POFile | None, language: str, sources: Sequence[Source], title: str) -> polib.POFile:
    """Return a PO file updated with the current texts: new ones are untranslated, changed ones fuzzy,
    removed ones obsolete. Translators' texts are kept."""
    old: dict[str, polib.POEntry] = {}
    spare: dict[str, polib.POEntry] = {}
    for entry in po or ():
        known = old.get(address := address_of(entry.msgctxt, entry.msgid))
        if known is None or known.obsolete:
            old[address] = entry
        if entry.msgstr and not entry.fuzzy:
            spare.setdefault(entry.msgid, entry)
    new = polib.POFile(wrapwidth=100)
    new.header = po.header if po is not None else f"{title}: texts in {language}"
    new.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        **(po.metadata if po is not None else {}),
    }
    for source in sources:
        known = old.pop(address_of(source.context, source.words), None)
        new.append(_entry(source, known, spare.get(source.words)))
    for entry in old.values():
        if entry.msgstr:
            entry.obsolete, entry.occurrences = True, []
            new.append(entry)
    return new


def _entry(source: Source, known: polib.POEntry | None, alike: polib.POEntry | None) -> polib.POEntry:
    """Return a text's entry: the known one, or else a guess for review, or else untranslated."""
    entry = polib.POEntry(
        msgctxt=source.context,
        msgid=source.words,
        occurrences=[(file, str(line)) for file, line in source.places],
    )
    if known is not None and known.msgstr and known.msgid != source.words and alike is not None:
        known = None  # the place has another text now, as in a list that has grown
    if known is None or not known.msgstr:
        if known is not None:
            entry.comment, entry.tcomment = known.comment, known.tcomment
        if alike is not None:  # the same words elsewhere, such as on a card of another id before
            entry.msgstr, entry.flags = alike.msgstr, ["fuzzy"]
        return entry
    entry.msgstr, entry.flags = known.msgstr, list(known.flags)
    entry.comment, entry.tcomment = known.comment, known.tcomment
    entry.previous_msgid = known.previous_msgid
    if known.msgid != source.words:
        entry.previous_msgid = known.previous_msgid or known.msgid
        if not entry.fuzzy:
            entry.flags.append("fuzzy")
    elif not entry.fuzzy:
        entry.previous_msgid = None
    return entry
