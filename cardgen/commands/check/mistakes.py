"""The mistakes that tired people make in a game's files: in data, tables, translations and rulebooks.

A number off by one in digits or words, the value or picture of another card, a lost word, letters or
entries exchanged, a lost record. Each is a change of one file, of which `make` returns the content.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.core.game import Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass
from cardgen.files.reading import MARKDOWN, TABLE, ReadingError, read_file
from cardgen.files.table_formats import format_of
from cardgen.files.table_sheets import Out, UneditedError, edited_table, encoded
from cardgen.files.tables import RefusedError, Row
from cardgen.files.workbook_editing import edited_workbook
from cardgen.files.yaml import Document, Reading, copied, path_text
from cardgen.files.yaml_editing import edited, edited_list
from cardgen.files.yaml_text import SourceError
from cardgen.game.facts import read_number_words
from cardgen.game.languages import address_of, read_po, read_translation, texts_file, translated_book
from cardgen.game.number_words import NumberWords
from cardgen.game.sources import Sources
from cardgen.game.spreadsheets import Part, TableDocument

_MOST_CHOICES, _LONGEST_CHOICE = 40, 40
"""Distinct values of a field, and their characters, up to which another card's is a likely mistake."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)|:[\w-]+:|^[ \t>]*(?:\d{1,3}[.)](?=\s)|:::[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
"""Parts of a text that are no words, numbers of lists among them."""
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*\n?)+", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}\s+(.+)")
_COLOR = re.compile(r"#[\da-fA-F]{3,8}")
"""A color, which people judge by its look."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A change of a file. `field` is the place without the numbers of entries, `path` the value's place in
    a data file and empty in a text, `change` the mistake in words."""

    field: str
    place: Location
    change: str
    path: Path
    make: Callable[[], str | bytes | None]


def mistakes_in(game: Game, dice: random.Random) -> list[Mistake]:
    """Return one mistake for each value, cell, translation and paragraph of the game's own files, except
    its rules."""
    home = f"data/{game.id}/"
    reader = Sources(game.paths, Findings())
    words = read_number_words(reader, game.language)
    found: list[Mistake] = []
    sets = game.locator.sets()
    for document in game.locator.documents():
        if not document.relative.startswith(home) or document.relative == game.rules:
            continue
        if isinstance(document, TableDocument):
            found += _in_tables(document, game.paths, dice, words)
        elif isinstance(document, Document) and document.text:
            found += _in_data(document, dice, words, sets.get(document.relative, ()))
    books = sorted({each.book.file for each in game.components if each.book is not None})
    found += _in_books([each for each in books if each.startswith(home)], game.paths, dice, words)
    for language in game.languages:
        own = read_number_words(reader, language)
        found += _in_translation(texts_file(game.id, language), game.paths, dice, own)
        translated = [translated_book(game.id, language, each) for each in books]
        found += _in_books(translated, game.paths, dice, own)
    return found


def _in_books(
    files: Sequence[str], paths: ProjectPaths, dice: random.Random, words: NumberWords
) -> Iterator[Mistake]:
    for file in files:
        path = paths.find(file)
        if path is None:
            continue
        try:
            text = read_file(path, MARKDOWN, file, paths.roots).decode("utf-8")
        except (ReadingError, UnicodeDecodeError):  # which check reports
            continue
        yield from _in_text(file, text, dice, words)


def _in_data(
    document: Document, dice: random.Random, words: NumberWords, sets: Collection[Path]
) -> Iterator[Mistake]:
    """Yield a mistake for each value of a document. Lists in `sets` keep their order: it has no meaning."""
    data = Reading(document.text).data  # without defaults
    values = list(_values(data, ()))
    others = _by_field(values)
    for path, value in values:
        if path in sets:
            continue
        new, change = _changed(value, others.get(_field(path), ()), dice, words)
        if change:
            field, place = f"{document.relative}: {_field(path)}", document.locate(path)
            yield Mistake(field, place, change, path, _editor(document, data, path, new))


def _in_tables(
    document: TableDocument, paths: ProjectPaths, dice: random.Random, words: NumberWords
) -> Iterator[Mistake]:
    """Yield a mistake for each cell of a document's tables, and a lost row for each record."""
    file = document.relative
    format, found = format_of(file), paths.find(file)
    if format is None or found is None or not format.has_cells:
        return
    raw = read_file(found, TABLE, file, paths.roots)
    start: Path = () if document.key is None else (document.key,)
    cells = [
        ((*start, index, *path), part, row, at, row.cells[at])
        for index, (part, row) in enumerate(document.rows)
        for path, at in part.columns.items()
        if isinstance(row.cells[at], str | int | float)
    ]
    others = _by_field([(path, value) for path, *_, value in cells])

    def editor(part: Part, row: Row, at: int | None, value: Out | None) -> Callable[[], bytes | None]:
        def make() -> bytes | None:
            changed = [] if at is None else [(row, {at: value})]
            try:
                if format.is_delimited:
                    gone = [row] if at is None else []
                    return encoded(edited_table(part.table, changed, gone, []), raw)
                columns = part.table.columns
                edits = {(row.number, each.index): value for each in columns} if at is None else {}
                if at is not None:
                    edits = {(row.number, columns[at].index): value}
                return edited_workbook(raw, file, part.table.sheet, edits)
            except (UneditedError, RefusedError):
                return None

        return make

    for path, part, row, at, value in cells:
        new, change = _changed(value, others[_field(path)], dice, words)
        if change and isinstance(new, str | int | float):
            field = f"{file}: {_field(path)}"
            yield Mistake(field, document.locate(path), change, path, editor(part, row, at, new))
    for index, (part, row) in enumerate(document.rows):
        path = (*start, index)
        field = f"{file}: {_field(path)}"
        yield Mistake(field, document.locate(path), "the row is lost", path, editor(part, row, None, None))


def _in_translation(
    file: str, paths: ProjectPaths, dice: random.Random, words: NumberWords
) -> Iterator[Mistake]:
    """Yield a mistake for each translated text of a PO file. Its field is the address without names."""
    for entry in read_translation(paths, file, Findings()).entries.values():
        new, change = ("", "") if entry.is_open else _slip(entry.text, dice, words)
        if not change:
            continue

        def make(address: str = entry.address, new: str = new) -> str | None:
            po = read_po(paths, file, Findings())
            for each in po or ():
                if not each.obsolete and address_of(each.msgctxt, each.msgid) == address:
                    each.msgstr = new
                    return f"{str(po).rstrip()}\n"
            return None

        steps = re.split(r"[/\4]", entry.address)
        field = f"{file}: {steps[0]}{f' … {steps[-1]}' if len(steps) > 1 else ''}"
        yield Mistake(field, Location(file, entry.line, None, entry.address), change, (), make)


def _by_field(values: Sequence[tuple[Path, Any]]) -> dict[str, list[Any]]:
    """Return the distinct texts of each field."""
    found: dict[str, list[Any]] = {}
    for path, value in values:
        known = found.setdefault(_field(path), [])
        if isinstance(value, str) and value not in known:
            known.append(value)
    return found


_LOST = object()


def _values(data: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield every value that a mistake can be made in, with its path."""
    if isinstance(data, dict):
        if path and isinstance(path[-1], int):
            yield path, data
        for key, value in data.items():
            yield from _values(value, (*path, key))
    elif isinstance(data, list):
        if len(path) > 1:
            yield path, data
        for index, value in enumerate(data):
            yield from _values(value, (*path, index))
    elif data is not None:
        yield path, data


def _field(path: Path) -> str:
    """Return a path without the numbers of entries: `cards[].effect`."""
    return re.sub(r"\[\d+\]", "[]", path_text(path))


def _changed(value: Any, others: Sequence[Any], dice: random.Random, words: NumberWords) -> tuple[Any, str]:
    """Return a wrong value and the mistake in words; no words if there is none."""
    if isinstance(value, bool):
        return not value, f"{str(value).lower()} → {str(not value).lower()}"
    if isinstance(value, (int, float)):
        new = value + (1 if value <= 0 else dice.choice((-1, 1)))
        return new, f"{value} → {new}"
    if isinstance(value, str) and _COLOR.fullmatch(value):
        return value, ""
    if isinstance(value, str):
        if 1 < len(others) <= _MOST_CHOICES and len(value) <= _LONGEST_CHOICE and " " not in value:
            new = dice.choice([each for each in others if each != value])
            return new, f"'{value}' → '{new}'"
        return _slip(value, dice, words)
    if isinstance(value, list):
        pairs = [at for at in range(len(value) - 1) if value[at] != value[at + 1]]
        if not pairs:
            return value, ""
        at = dice.choice(pairs)
        exchanged = [*value[:at], value[at + 1], value[at], *value[at + 2 :]]
        return exchanged, f"entries {at + 1} and {at + 2} exchanged"
    return _LOST, "the entry is lost"


def _slip(text: str, dice: random.Random, words: NumberWords) -> tuple[str, str]:
    """Return a text with a wrong number, a lost word or exchanged letters, and the mistake in words."""
    plain = _CODE.sub(lambda found: "\0" * len(found[0]), text)
    figures = [
        each for each in words.find(plain) if each.is_clear and re.fullmatch(r"-?\d{1,4}", each.value)
    ]
    spots = [(found.start(), found.end()) for found in _WORD.finditer(plain)]
    kinds = ["figure"] * 2 * bool(figures) + ["word", "letters"] * bool(spots)
    if not kinds:
        return text, ""
    kind = dice.choice(kinds)
    if kind == "figure":
        figure = dice.choice(figures)
        start, end = figure.start, figure.end
        old = text[start:end]
        new = str(int(figure.value) + (1 if int(figure.value) < 2 else dice.choice((-1, 1))))
        if figure.is_word:
            word = words.word(int(new))
            new = word.capitalize() if old[0].isupper() else word
        return text[:start] + new + text[end:], f"'{old}' → '{new}'"
    start, end = dice.choice(spots)
    old = text[start:end]
    if kind == "word":
        if text[end : end + 1] == " ":
            end += 1
        return text[:start] + text[end:], f"'{old}' is lost"
    at = dice.randrange(len(old) - 1)
    new = old[:at] + old[at + 1] + old[at] + old[at + 2 :]
    if new == old:
        new = old + old[-1]
    return text[:start] + new + text[end:], f"'{old}' → '{new}'"


def _editor(document: Document, data: Any, path: Path, new: Any) -> Callable[[], str | None]:
    """Return a function that returns the file's text with a value changed; None if it can't be edited."""

    def make() -> str | None:
        wrong = copied(data)
        holder = wrong
        for step in path[:-1]:
            holder = holder[step]
        if new is _LOST:
            del holder[path[-1]]
        else:
            holder[path[-1]] = new
        try:
            found = edited_list(document.text, data, wrong) if isinstance(data, dict) else None
            return found if found is not None else edited(document.text, wrong)
        except SourceError:
            return None

    return make


def _in_text(file: str, text: str, dice: random.Random, words: NumberWords) -> Iterator[Mistake]:
    """Yield a mistake for each paragraph of a text. Its field is the heading above."""
    heading = "the beginning"
    for block in _BLOCK.finditer(text):
        if named := _HEADING.match(block[0]):
            heading = f"'{named[1].strip()}'"
        new, change = _slip(block[0], dice, words)
        if not change:
            continue
        line = text.count("\n", 0, block.start()) + 1
        line += next(
            at for at, (one, other) in enumerate(zip(block[0].split("\n"), new.split("\n"))) if one != other
        )
        whole = text[: block.start()] + new + text[block.end() :]
        yield Mistake(f"{file}: {heading}", Location(file, line), change, (), lambda whole=whole: whole)  # type: ignore[misc]
