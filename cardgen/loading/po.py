"""Texts in another language as gettext's PO, which every translator's program opens.

An entry's context is the address of a text in the game's files, or TEMPLATE for a word that templates
write; its `msgid` is the text that was translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polib

from cardgen.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.foreign import Parsing
from cardgen.model.game import ProjectPaths
from cardgen.storage.reading import TEXTS
from cardgen.yaml.reader import read_text

TEMPLATE = "template"
"""The context of words that templates write: the word itself is their address."""
_STRANGE = re.compile("[\x00\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""What no text of a PO file can hold as it stands: libraries take it for the end of a line."""
_WHOLE = re.compile(
    r"""\s*+(?:\#.*|(?:(?:msg(?:ctxt|id|id_plural|str|str\[\d\]))[ \t]++)?"(?:[^"\\]|\\.)*+"\s*+)?"""
)
"""A line of a PO file: a comment, or a text in quotes, with or without a word before it."""
_LINE = re.compile(r"\(line (\d+)\)")
_WORD = re.compile(r"\s*+(?:\#~\s*+)?msg(?P<first>id\s)?")
"""The beginning of a text; `first` is in one line of each entry."""
MOST_ENTRIES = 100_000
"""Entries of a file: five for each of 20,000 cards."""
MOST_LINES = 2_000
"""Lines of a text, or of the notes before an entry: the parser copies all before a line for each line."""
MOST_CHARACTERS = 100_000
"""Characters of a text, as many as a cell may have."""
_HINT = "a program such as Poedit writes such files whole"


@dataclass(frozen=True, slots=True)
class Entry:
    """One text. `source` is what it was translated from; `line` is its place; `is_open` says that it needs
    a look before it counts ("fuzzy")."""

    address: str
    source: str
    text: str
    line: int
    is_open: bool


@dataclass(slots=True)
class Translation:
    """A PO file: `file` relative to the project, its entries by address, what it is for as its head
    says."""

    file: str
    entries: dict[str, Entry] = field(default_factory=dict)
    head: dict[str, str] = field(default_factory=dict)


def address_of(context: str | None, source: str) -> str:
    """What an entry is known by."""
    return f"{TEMPLATE}\4{source}" if context == TEMPLATE else context or f"\4{source}"


def can_be_written(text: str) -> bool:
    """Whether a PO file can hold a text."""
    return _STRANGE.search(text) is None


def texts_file(game: str, language: str) -> str:
    """Where a game's texts in a language stand, relative to the project."""
    return f"data/{game}/{language}/texts.po"


def read_translation(paths: ProjectPaths, file: str, findings: Findings) -> Translation:
    """A PO file; an empty one where there is none, or after findings."""
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
        found.entries[address] = Entry(address, entry.msgid, entry.msgstr, entry.linenum, entry.fuzzy)
    return found


def _live(po: polib.POFile) -> Iterator[polib.POEntry]:
    return (entry for entry in po if not entry.obsolete)


def read_po(paths: ProjectPaths, file: str, findings: Findings) -> polib.POFile | None:
    """A PO file as it stands; None where there is none, or after findings."""
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
        findings.error("translation/syntax", message, Location(file, line), "leave it out")
        return None
    lines = text.split("\n")
    for number, each in enumerate(lines, 1):
        if not _WHOLE.fullmatch(each):
            message = (
                'this is no line of a PO file: a text in quotes, its quotes and backslashes as \\" and \\\\'
            )
            findings.error("translation/syntax", message, Location(file, number), _HINT)
            return None

    excess = _excess(lines)
    if excess is not None:
        number, message = excess
        hint = "no translation needs that many; see which program wrote this file"
        findings.error("translation/size", message, Location(file, number), hint)
        return None

    def trouble(error: Exception) -> CardgenError:
        said = _LINE.search(str(error))
        place = Location(file, int(said[1]) if said else None)
        message = "something is missing between this line and the one before"
        return CardgenError(Finding(Severity.ERROR, "translation/syntax", message, place, _HINT))

    try:
        with Parsing(trouble):
            # What is no path at all is never taken for a file's name, whatever stands in the file.
            po = polib.pofile(f"{text}\n# \0\n", encoding="utf-8", wrapwidth=100)
    except CardgenError as error:
        findings.extend(error.findings)
        return None
    for entry in po:  # what an entry begins with is comments, and it stands below them
        while entry.linenum < len(lines) and lines[entry.linenum - 1].startswith("#"):
            entry.linenum += 1
    return po


def _excess(lines: Sequence[str]) -> tuple[int, str] | None:
    """Return the first line over a bound, counted from 1, and a message; None if there is none."""
    entries = length = characters = 0
    for number, line in enumerate(lines, 1):
        if word := _WORD.match(line):
            entries += word["first"] is not None
            length = characters = 0
        if line.startswith(("#:", "#,")):  # of which a list is made
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
    """A text to be translated: its entry's context, its words, the files and lines where they stand."""

    context: str
    words: str
    places: tuple[tuple[str, int], ...]


def updated(po: polib.POFile | None, language: str, sources: Sequence[Source], title: str) -> polib.POFile:
    """A PO file brought up to date with the texts that there are: new ones are untranslated, those whose
    words have changed are fuzzy, those that are gone are obsolete. What translators wrote stays."""
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
    """A text's entry: what it was, or else a guess that somebody is to look at, or else untranslated."""
    entry = polib.POEntry(
        msgctxt=source.context,
        msgid=source.words,
        occurrences=[(file, str(line)) for file, line in source.places],
    )
    if known is not None and known.msgstr and known.msgid != source.words and alike is not None:
        known = None  # it is now another text's place, as in a list that has grown
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
