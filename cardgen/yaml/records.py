"""Long lists of records, of which only those are read that were not read before.

A text that is `key: value` lines and at last one list, as files of cards are, is taken apart before each
line that begins an item. What such a piece says depends on nothing but its own characters, because

- no line of the list stands further left than its items, so that nothing but an open quote or bracket can
  hold two pieces together, and a piece with one is no YAML by itself;
- no piece has an anchor, an alias or a problem, nor has what stands before the list;
- all bounds on the whole file are held again (`MAX_VALUES`, `MAX_DEPTH`).

Wherever one of these doesn't hold, the file is read in one piece. So kept values are found by the digest
of their piece's text; the cache's environment covers the reader. Where a file was read in one piece,
each of its items must begin on the first line of its piece for them to be kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardgen.findings import Findings
from cardgen.storage.cache import Cache
from cardgen.storage.reading import YAML, Kind
from cardgen.yaml.positions import find_positions
from cardgen.yaml.reader import MAX_DEPTH, MAX_VALUES, Document, Reading, copied, parse_yaml, read_text

LEAST = 10_000
"""Characters of a text from which its records are kept. A shorter one is read in a few milliseconds."""
_MOST_NEW = 8
"""If more than one in so many records is new, the file is read in one piece, which is faster then."""

_LIST = re.compile(r"^([A-Za-z_][\w-]*): *(?:#[^\n]*|\r)?\n(?: *(?:#[^\n]*|\r)?\n)*?( *)- ", re.MULTILINE)
_LONE = re.compile(r"\r(?!\n)")

Kept = dict[str, tuple[int, Any]]
"""Records by the digest of their text: how many values each consists of, and what it says."""


def load_records(
    path: Path,
    relative: str,
    findings: Findings,
    kind: Kind = YAML,
    *,
    within: Sequence[Path] | None = None,
) -> Document | None:
    """As `reader.load_yaml`; what the file's records say is kept in the user's cache."""
    text = read_text(path, relative, findings, kind, within=within)
    if text is None or len(text) < LEAST:
        return None if text is None else parse_yaml(text, relative, findings)
    cache, key = Cache("records"), str(path.absolute())
    return parse_records(text, relative, findings, lambda: cache.get(key), lambda put: cache.put(key, put))


def parse_records(
    text: str,
    relative: str,
    findings: Findings,
    get: Callable[[], bytes | None],
    put: Callable[[bytes], None],
    tell: Callable[[Kept], None] = lambda known: None,
) -> Document | None:
    """As `reader.parse_yaml`, the same result and findings. `get` gives what `put` took earlier; `tell` is
    told the records, as `read_records` gives them."""
    pieces = Pieces.of(text)
    if pieces is None:
        return parse_yaml(text, relative, findings)
    content = get()
    known: Kept = (
        {} if content is None else {name: tuple(each) for name, each in json.loads(content).items()}
    )
    before = len(known.keys() & pieces.names)
    document, known = read_records(text, relative, findings, pieces, known)
    if known and before < len(set(pieces.names)):
        put(json.dumps(known, separators=(",", ":")).encode("ascii"))
    tell(known)
    return document


def read_records(
    text: str, relative: str, findings: Findings, pieces: Pieces, known: Kept
) -> tuple[Document | None, Kept]:
    """A text that was taken apart, of which records may be `known`, and its records, the very values that
    are in the document; none where it had to be read in one piece and can't be told apart."""
    new = [index for index, name in enumerate(pieces.names) if name not in known]
    data = None
    if len(new) * _MOST_NEW <= len(pieces.names):
        data = pieces.read(new, known)
    if data is None:
        reading = Reading(text)
        document = parse_yaml(text, relative, findings, reading)
        known = pieces.found(reading) if document is not None else {}
        return document, known
    return Document(relative, data, text), {name: known[name] for name in pieces.names}


class RecordLines:
    """Where the records of a text stand, and their keys. Each piece is looked at once, by its digest."""

    def __init__(self) -> None:
        self._inside: dict[str, tuple[int, dict[str, int]]] = {}
        self._made: dict[tuple[str, int], tuple[int, dict[str, int]]] = {}
        self._starts: list[int] = []
        self._pieces: Pieces | None = None

    def take(self, pieces: Pieces) -> None:
        """Be those of a text from now on."""
        if pieces is self._pieces:
            return
        self._pieces, self._starts = pieces, pieces.starts()
        names = set(pieces.names)
        self._inside = {name: each for name, each in self._inside.items() if name in names}
        self._made = {key: each for key, each in self._made.items() if key[0] in names}

    def of(self, key: str, index: int) -> tuple[int, dict[str, int]] | None:
        """The line of a record of the list `key`, and those of the values of its keys: the same object as
        long as they are; None where there is none."""
        pieces = self._pieces
        if pieces is None or pieces.key != key or index >= len(self._starts):
            return None
        name, start = pieces.names[index], self._starts[index]
        made = self._made.get((name, start))
        if made is None:
            inside = self._inside.get(name)
            if inside is None:
                item = find_positions(pieces.piece(index)).children.get(0)
                if item is None:
                    return None
                lines = {str(step): place.line for step, place in item.children.items()}
                inside = self._inside[name] = item.line, lines
            made = start + inside[0], {step: start + line for step, line in inside[1].items()}
            self._made[name, start] = made
        return made


class Pieces:
    """A text taken apart: what stands before the list, the list's key, its pieces and their digests."""

    def __init__(self, text: str, key: str, starts: list[int]) -> None:
        self.head, self.key, self._text = text[: starts[0]], key, text
        self._spans = list(pairwise((*starts, len(text))))
        self.names = [
            blake2b(text[start:end].encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            for start, end in self._spans
        ]

    @classmethod
    def of(cls, text: str) -> Pieces | None:
        """None for a text that can't be taken apart."""
        found = _LIST.search(text)
        if found is None or _LONE.search(text):
            return None
        indent = len(found[2])
        begin = found.start(2)
        stray = rf"^(?! {{{indent + 1}}}| {{{indent}}}- | *(?:#|\r?$))"
        if re.compile(stray, re.MULTILINE).search(text, begin):
            return None
        starts = [
            each.start() for each in re.compile(rf"^ {{{indent}}}- ", re.MULTILINE).finditer(text, begin)
        ]
        return cls(text, found[1], starts)

    def piece(self, index: int) -> str:
        """A record's text."""
        start, end = self._spans[index]
        return self._text[start:end]

    def starts(self) -> list[int]:
        """How many lines there are before each piece."""
        lines, line = [], self.head.count("\n")
        for start, end in self._spans:
            lines.append(line)
            line += self._text.count("\n", start, end)
        return lines

    def read(self, new: list[int], known: Kept) -> dict[str, Any] | None:
        """The text's data by its head and its records, of which those `new` are read and added to `known`;
        None where something speaks against reading it in pieces."""
        head = Reading(self.head)
        if not head.is_plain or not isinstance(head.data, dict):
            return None
        data: dict[str, Any] = head.data
        if next(reversed(data), None) != self.key or data[self.key] is not None:
            return None
        for index in new:
            reading = Reading(self.piece(index))
            if not reading.is_plain or reading.deepest >= MAX_DEPTH or len(reading.data) != 1:
                return None
            known[self.names[index]] = reading.count - 1, reading.data[0]
        count, items, used = head.count, [], set()
        for name in self.names:
            values, item = known[name]
            count += values
            items.append(copied(item) if name in used else item)
            used.add(name)
        data[self.key] = items
        return data if count <= MAX_VALUES else None

    def found(self, reading: Reading) -> Kept:
        """The records of the whole text that was read; none where something speaks against reading it in
        pieces."""
        lines = self.starts()
        items = reading.data.get(self.key) if isinstance(reading.data, dict) else None
        if not reading.is_plain or not isinstance(items, list) or next(reversed(reading.data)) != self.key:
            return {}
        begins = reading.items[-len(lines) :]
        if len(items) != len(lines) or [line for line, _ in begins] != lines:
            return {}
        ends = [count for _, count in begins[1:]] + [reading.count]
        return {
            name: (end - begin, item)
            for name, item, (_, begin), end in zip(self.names, items, begins, ends, strict=True)
        }
