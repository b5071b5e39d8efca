"""Sign-offs: a copy of each text, figure and name of a game's files, as a person has read them.

`cardgen sign` writes it to `data/GAME/signed.yaml`, and checks compare it: each later change is a finding,
whether a rule reads the place or not, as a print house compares a file with its signed proof.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from cardgen.commands.compare.values import ABSENT, ValueChange, cut, plain, spelled, value_changes
from cardgen.core.findings import Findings, Location, UsageError
from cardgen.core.game import Game
from cardgen.core.records import dataclass
from cardgen.files.project import Project
from cardgen.files.reading import MARKDOWN, TEXTS, is_there
from cardgen.files.yaml import Document, Reading, read_text
from cardgen.game.languages import read_translation, texts_file, translated_book
from cardgen.game.spreadsheets import TableDocument

FILE_NAME = "signed.yaml"
MOST_CHANGES = 200
"""Most changes that are reported one by one."""
_MOST_PIECES = 5
"""Most changes of a text that are named."""
_HEAD = """\
# A copy of what was read and signed. Never edit or merge it: check the game, then run cardgen sign.
"""
_WIDEST = 100
"""The longest value in characters that is written in one line."""
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*\n?)+", re.MULTILINE)
_COLOR = re.compile(r"#[\da-fA-F]{3,8}")
_WORD = re.compile(r"\S+")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PLAIN_KEY = re.compile(r"(?!(?i:y|n|yes|no|on|off|true|false|null)$)[^\W\d][\w-]*(?:[./][\w-]+)*")


@dataclass(frozen=True, slots=True)
class SignedPart:
    """The signed content of a file, and a function that finds the place of a change."""

    content: Any
    place: Callable[[ValueChange], Location]


def signed_file(game: Game) -> str:
    """Return the place of a game's sign-off, relative to the project."""
    return f"data/{game.id}/{FILE_NAME}"


def sign(game: Game, project: Project) -> tuple[Path, list[str]]:
    """Write a game's sign-off. Return its path, and the changes since the one before, if there was one.

    Raises UsageError for a game that ships with cardgen, CardgenError if the file can't be written.
    """
    from cardgen.files.listing import check_place
    from cardgen.files.writing import write_bytes

    path = project.root / signed_file(game)
    if not is_there(path.parent / "game.yaml"):
        hint = f"copy it into a project of yours: cardgen new NAME --from {game.id}"
        raise UsageError(f"{game.title} ships with cardgen, so its folder can't be changed", hint)
    check_place(path, project.root, within=False)
    before = Findings()
    check_signed(game, before)
    write_bytes(path, _written(signed_parts(game)).encode("utf-8"))
    return path, [f"{each.location}: {each.message}" for each in before if each.code == "signed/changed"]


def check_signed(game: Game, findings: Findings) -> None:
    """Report all changes of a game's files since its sign-off, if it has one."""
    file = signed_file(game)
    path = game.paths.find(file)
    if path is None:
        return
    text = read_text(path, file, findings, TEXTS, within=game.paths.roots)
    parts = signed_parts(game)
    if text is None or text.replace("\r\n", "\n") == _written(parts):
        return
    reading = Reading(text)
    hint = f"cardgen sign {game.id}"
    if reading.problems or not isinstance(reading.data, dict):
        line = reading.problems[0].line if reading.problems else 1
        message = "this is no sign-off, or two versions of one were merged"
        findings.error("signed/unreadable", message, Location(file, line), f"write a new one: {hint}")
        return
    changes = changes_in(reading.data, parts)
    hint = f"undo it, or read it and then sign: {hint}"
    for place, message in islice(changes, MOST_CHANGES):
        findings.warning("signed/changed", message, place, hint)
    if more := sum(1 for _ in changes):
        findings.warning("signed/changed", f"{more:,} more places have changed", Location(file), hint)


def changes_in(
    signed: Mapping[str, Any], parts: Mapping[str, SignedPart]
) -> Iterator[tuple[Location, str]]:
    """Yield each change of files since they were signed: its place, and what changed."""
    for file in dict.fromkeys((*parts, *signed)):
        part = parts.get(file)
        if part is None:
            yield Location(file), f"{file} was signed, and is no longer a file of the game"
            continue
        for change in value_changes(signed.get(file, ABSENT), part.content):
            yield part.place(change), f"{changed_words(change)} since the sign-off"


def changed_words(change: ValueChange) -> str:
    """Return what a change has lost, added and replaced."""
    if change.kind != "changed":
        value = change.old if change.kind == "removed" else change.new
        return f"“{cut(spelled(value), 60)}” is {'lost' if change.kind == 'removed' else 'new'}"
    said = []
    for is_same, was, now in change.pieces:
        was, now = was.strip(), now.strip()
        if is_same or was == now:
            continue
        if was and now:
            said.append(f"“{cut(was, 60)}” → “{cut(now, 60)}”")
        else:
            said.append(f"“{cut(was or now, 60)}” is {'lost' if was else 'new'}")
    if len(said) > _MOST_PIECES:
        said[_MOST_PIECES:] = [f"and {len(said) - _MOST_PIECES} more"]
    return "; ".join(said) or "spaces changed"


def signed_parts(game: Game, file: str | None = None) -> dict[str, SignedPart]:
    """Return what a sign-off has of a game's files, or of one `file`: all data but its rules, its books,
    and those of its languages. Files that can't be read are skipped, since others report them."""
    home = f"data/{game.id}/"
    found: dict[str, SignedPart] = {}
    for document in game.locator.documents():
        name = document.relative
        if name.startswith(home) and name != game.rules and file in (None, name):
            found[document.name.removeprefix(home)] = _part_of_data(document)
    books = [each.book.file for each in game.components if each.book is not None]
    books = sorted({each for each in books if each.startswith(home)})
    for language in game.languages:
        name = texts_file(game.id, language)
        if file in (None, name):
            found[name.removeprefix(home)] = _part_of_texts(game, name)
    translated = [translated_book(game.id, language, each) for language in game.languages for each in books]
    for name in (*books, *translated):
        path = game.paths.find(name) if file in (None, name) else None
        text = (
            None if path is None else read_text(path, name, Findings(), MARKDOWN, within=game.paths.roots)
        )
        if text is not None:
            found[name.removeprefix(home)] = _part_of_book(name, text)
    return dict(sorted(found.items()))


def _part_of_data(document: Document) -> SignedPart:
    is_table = isinstance(document, TableDocument)
    data = document.data if is_table or not document.text else Reading(document.text).data
    return SignedPart(_without_colors(plain(data)), lambda change: document.locate(change.path))


def _without_colors(value: Any) -> Any:
    """Return a value without the colors of its mappings, which people judge by their look."""
    if isinstance(value, dict):
        return {
            key: _without_colors(each)
            for key, each in value.items()
            if not (isinstance(each, str) and _COLOR.fullmatch(each))
        }
    return list(map(_without_colors, value)) if isinstance(value, list) else value


def _part_of_texts(game: Game, file: str) -> SignedPart:
    entries = read_translation(game.paths, file, Findings()).entries

    def place(change: ValueChange) -> Location:
        address = str(change.path[0]) if change.path else ""
        return Location(file, entries[address].line if address in entries else None, None, address)

    texts = {each.address: each.text for each in entries.values() if not each.is_open}
    return SignedPart(texts, place)


def _part_of_book(file: str, text: str) -> SignedPart:
    """Return a book's paragraphs, their lines joined. A change is in the line of its first word."""
    blocks = list(_BLOCK.finditer(text))

    def place(change: ValueChange) -> Location:
        at = change.path[0] if change.path else 0
        if not isinstance(at, int) or at >= len(blocks):
            return Location(file, text.count("\n") or 1)
        same = 0
        if change.kind == "changed":
            before, after = str(change.old).split(), blocks[at][0].split()
            same = next((n for n, (was, now) in enumerate(zip(before, after)) if was != now), len(before))
        words = list(_WORD.finditer(blocks[at][0]))
        start = blocks[at].start() + words[min(same, len(words) - 1)].start()
        return Location(file, text.count("\n", 0, start) + 1)

    return SignedPart([" ".join(each[0].split()) for each in blocks], place)


def _written(parts: Mapping[str, SignedPart]) -> str:
    """Return a sign-off as YAML: short values in a line, strings as in JSON."""
    return f"{_HEAD}{''.join(_lines({name: each.content for name, each in parts.items()}, ''))}"


def _lines(value: Any, indent: str) -> Iterator[str]:
    is_mapping = isinstance(value, dict)
    for name, each in value.items() if is_mapping else enumerate(value):
        mark = f"{_key(str(name))}:" if is_mapping else "-"
        line = "" if not indent and each else json.dumps(each, ensure_ascii=False)
        if not isinstance(each, (dict, list)) or not each or 0 < len(line) <= _WIDEST:
            yield f"{indent}{mark} {_UNPRINTABLE.sub(_escaped, line)}\n"
            continue
        inner = _lines(each, f"{indent}  ")
        yield f"{indent}{mark}\n" if is_mapping else f"{indent}- {next(inner)[len(indent) + 2 :]}"
        yield from inner


def _key(name: str) -> str:
    quoted = json.dumps(name, ensure_ascii=False)
    return name if _PLAIN_KEY.fullmatch(name) else _UNPRINTABLE.sub(_escaped, quoted)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
