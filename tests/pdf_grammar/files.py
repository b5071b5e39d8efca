"""The file around the objects (ISO 32000-1, 7.5): header, cross-references, objects one after the other
and nothing between them, streams of their stated length, an end.

A file that some reader must repair is no file of ours.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tests.pdf_grammar.lexer import FaultError, Keyword, Name, Reader, Reference

_HEADER = re.compile(rb"%PDF-1\.[0-7](?:\r\n|\n|\r)%[\x80-\xff]{4}[^\r\n]*(?:\r\n|\n|\r)")
_FOOTER = re.compile(rb"startxref(?:\r\n|\n|\r)([0-9]+)(?:\r\n|\n|\r)%%EOF(?:\r\n|\n|\r)?\Z")
_SECTION = re.compile(rb"([0-9]+) ([0-9]+) ?(?:\r\n|\n|\r)")
_ENTRY = re.compile(rb"([0-9]{10}) ([0-9]{5}) ([nf])(?: \r| \n|\r\n)")
_BETWEEN = re.compile(rb"(?:[\0\t\n\f\r ]|%[^\r\n]*)*")
_LINE = re.compile(rb"\r\n|\n")
_STREAM_END = re.compile(rb"(?:\r\n|\n|\r)?endstream(?=[\0\t\n\f\r ])")
"""The line's end before it is a "should"; ReportLab leaves it out."""


@dataclass(slots=True)
class File:
    """A file's objects by number, as values of `lexer`; streams also by their packed bytes."""

    data: bytes
    objects: dict[int, object] = field(default_factory=dict)
    streams: dict[int, bytes] = field(default_factory=dict)
    trailer: dict[str, object] = field(default_factory=dict)
    _spans: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def read(cls, data: bytes) -> File:
        """Every object of a file. Raises FaultError."""
        file = cls(data)
        header, footer = _HEADER.match(data), _FOOTER.search(data, max(0, len(data) - 64))
        if header is None:
            raise FaultError("no header, or none that says that the file is binary", 0)
        if footer is None:
            raise FaultError("no end, or something after it", max(0, len(data) - 64))
        start = int(footer[1])
        file._spans = [(0, header.end()), (footer.start(), len(data))]
        if data[start : start + 4] == b"xref":
            offsets, packed = file._table(start), {}
        else:
            offsets, packed = file._packed_table(start)
        if "Prev" in file.trailer:
            raise FaultError("a file with a past", start)
        for number, offset in sorted(offsets.items()):
            if number not in file.objects:
                file._object(number, offset, offsets)
        for holder, numbers in packed.items():
            file._unpack(holder, numbers)
        file._nothing_between()
        return file

    def _table(self, start: int) -> dict[int, int]:
        """The offsets of a table, and the trailer behind it."""
        data = self.data
        first = re.compile(rb"xref(?:\r\n|\n|\r)").match(data, start)
        if first is None:
            raise FaultError("no line of its own for xref", start)
        at = first.end()
        offsets: dict[int, int] = {}
        held = 0
        while (section := _SECTION.match(data, at)) is not None:
            at = section.end()
            for number in range(int(section[1]), int(section[1]) + int(section[2])):
                entry = _ENTRY.match(data, at)
                if entry is None:
                    raise FaultError(f"the entry of object {number}", at)
                at = entry.end()
                held += 1
                if entry[3] == b"n":
                    if entry[2] != b"00000":
                        raise FaultError(f"a second generation of object {number}", at)
                    offsets[number] = int(entry[1])
                elif number:
                    raise FaultError(f"object {number} is free", at)
        reader = Reader(data, at, references=True)
        word, trailer = reader.value(), reader.value()
        if (
            word is None
            or word[1] != Keyword(b"trailer")
            or trailer is None
            or not isinstance(trailer[1], dict)
        ):
            raise FaultError("no trailer behind the table", at)
        self.trailer = trailer[1]
        self._spans.append((start, reader.end))
        self._sized(held, start)
        return offsets

    def _sized(self, held: int, start: int) -> None:
        if self.trailer.get("Size") != held:
            raise FaultError(f"/Size {self.trailer.get('Size')} of a file with {held} entries", start)
        if "Root" not in self.trailer:
            raise FaultError("no /Root in the trailer", start)

    def _packed_table(self, start: int) -> tuple[dict[int, int], dict[int, list[int]]]:
        """The same of a cross-reference stream; and the numbers within each object stream."""
        match = re.compile(rb"([0-9]+) 0 obj").match(self.data, start)
        if match is None:
            raise FaultError("neither a table nor a stream of cross-references", start)
        number = int(match[1])
        self._object(number, start, {})
        entries = self.objects[number]
        widths = entries.get("W") if isinstance(entries, dict) else None
        if not (isinstance(entries, dict) and isinstance(widths, list) and len(widths) == 3):
            raise FaultError("a stream of cross-references without /W", start)
        self.trailer = entries
        rows = _rows(self.unpacked(number), entries.get("DecodeParms"), sum(widths), start)
        index = entries.get("Index", [0, entries["Size"]])
        numbers = [n for a, b in zip(index[::2], index[1::2]) for n in range(a, a + b)]  # type: ignore[index]
        if len(numbers) != len(rows):
            raise FaultError(f"{len(rows)} cross-references for {len(numbers)} objects", start)
        self._sized(len(rows), start)
        offsets: dict[int, int] = {}
        packed: dict[int, list[int]] = {}
        for number, row in zip(numbers, rows):
            ends = [sum(widths[:i]) for i in range(4)]
            kind, where, which = (int.from_bytes(row[a:b], "big") for a, b in pairwise(ends))
            if kind == 1 and which == 0:
                offsets[number] = where
            elif kind == 2:
                held = packed.setdefault(where, [])
                if which != len(held):
                    raise FaultError(f"object {number} out of turn in its stream", start)
                held.append(number)
            elif number:
                raise FaultError(f"object {number} is of kind {kind}", start)
        return offsets, packed

    def _object(self, number: int, offset: int, offsets: dict[int, int]) -> None:
        reader = Reader(self.data, offset, references=True)
        head = [reader.value() for _ in range(3)]
        said = [found[1] if found else None for found in head]
        if said != [number, 0, Keyword(b"obj")] or head[0] is None or head[0][0] != offset:
            raise FaultError(f"object {number} is not where the table says", offset)
        value, word = reader.value(), reader.value()
        if value is None or isinstance(value[1], Keyword):
            raise FaultError(f"object {number} is empty", offset)
        if word is not None and word[1] == Keyword(b"stream"):
            self._stream(number, value[1], reader, offsets)
            word = reader.value()
        if word is None or word[1] != Keyword(b"endobj"):
            raise FaultError(f"object {number} does not end", reader.end)
        self.objects[number] = value[1]
        self._spans.append((offset, reader.end))

    def _stream(self, number: int, entries: object, reader: Reader, offsets: dict[int, int]) -> None:
        line = _LINE.match(self.data, reader.end)
        if not isinstance(entries, dict) or line is None:
            raise FaultError(f"the stream of object {number} does not begin on a new line", reader.end)
        length = entries.get("Length")
        if isinstance(length, Reference):
            if length.number not in self.objects:
                self._object(length.number, offsets[length.number], offsets)
            length = self.objects[length.number]
        if type(length) is not int:
            raise FaultError(f"/Length {length!r} of object {number}", reader.end)
        end = line.end() + length
        match = _STREAM_END.match(self.data, end)
        if match is None:
            raise FaultError(f"the stream of object {number} is not {length} bytes long", end)
        self.streams[number] = self.data[line.end() : end]
        reader.restart(match.end())

    def unpacked(self, number: int) -> bytes:
        """A stream's bytes, if it is packed by nothing or by Flate alone. Predictors stay. Raises
        FaultError."""
        entries, data = self.objects[number], self.streams[number]
        assert isinstance(entries, dict)
        filters = entries.get("Filter", [])
        if isinstance(filters, list) and not filters:
            return data
        if filters not in (Name("FlateDecode"), [Name("FlateDecode")]):
            raise FaultError(f"the stream of object {number} is packed by {filters}", 0)
        return _inflated(data, f"the stream of object {number}")

    def _unpack(self, holder: int, numbers: list[int]) -> None:
        entries = self.objects.get(holder)
        if (
            not isinstance(entries, dict)
            or entries.get("Type") != "ObjStm"
            or entries.get("N") != len(numbers)
        ):
            raise FaultError(f"object {holder} does not hold {len(numbers)} others", 0)
        data = self.unpacked(holder)
        reader = Reader(data)
        pairs = [(reader.value(), reader.value()) for _ in numbers]
        said = [(a[1], b[1]) for a, b in pairs if a is not None and b is not None]
        if [number for number, _ in said] != numbers:
            raise FaultError(f"object {holder} holds others than the table says", 0)
        starts = [entries["First"] + offset for _, offset in said]  # type: ignore[operator]
        for number, start, end in zip(numbers, starts, [*starts[1:], len(data)]):
            inner = Reader(data[:end], start, references=True)
            value, rest = inner.value(), inner.value()
            if value is None or rest is not None or isinstance(value[1], Keyword):
                raise FaultError(f"object {number} in object {holder}", start)
            self.objects[number] = value[1]

    def _nothing_between(self) -> None:
        at = 0
        for start, end in sorted(self._spans):
            gap = _BETWEEN.match(self.data, at, max(at, start))
            if start < at or gap is None or gap.end() != start:
                raise FaultError("something between the objects, or one within another", at)
            at = end

    def faults(self) -> Iterator[str]:
        """What is wrong with objects that can be read."""
        for number, value in sorted(self.objects.items()):
            for reference in _references(value):
                if reference.number not in self.objects or reference.generation:
                    yield f"object {number} refers to {reference.number}, which is not there"
        for number, data in sorted(self.streams.items()):
            entries = self.objects[number]
            assert isinstance(entries, dict)
            if entries.get("Filter") in (Name("FlateDecode"), [Name("FlateDecode")]):
                try:
                    _inflated(data, f"the stream of object {number}")
                except FaultError as fault:
                    yield fault.what


def _references(value: object) -> Iterator[Reference]:
    if isinstance(value, Reference):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _references(item)


def _inflated(data: bytes, what: str) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(data) + unpacker.flush()
    except zlib.error as error:
        raise FaultError(f"{what}: {error}", 0) from None
    if not unpacker.eof or unpacker.unused_data.strip(b"\r\n"):
        raise FaultError(f"{what}: Flate ends elsewhere", 0)
    return unpacked


def _rows(data: bytes, parameters: object, width: int, start: int) -> list[bytes]:
    """Rows of a table, PNG's "up" undone."""
    predictor = parameters.get("Predictor", 1) if isinstance(parameters, dict) else 1
    if predictor == 1:
        return [data[at : at + width] for at in range(0, len(data), width)]
    if not isinstance(parameters, dict) or parameters.get("Columns") != width or len(data) % (width + 1):
        raise FaultError("cross-references of odd width", start)
    rows: list[bytes] = []
    before = bytes(width)
    for at in range(0, len(data), width + 1):
        if data[at] != 2:
            raise FaultError(f"cross-references by filter {data[at]}", start)
        before = bytes((a + b) & 255 for a, b in zip(data[at + 1 : at + 1 + width], before))
        rows.append(before)
    return rows
