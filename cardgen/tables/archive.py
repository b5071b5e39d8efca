"""The zip archive that a workbook is, and the XML in it, read within bounds.

Of a stranger's file nothing is believed: a part is unpacked a block at a time and given up when it grows
over its bound, whatever the archive says of its size. There are no document types, so no entities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from cardgen.foreign import Parsing
from cardgen.tables.meter import ELEMENTS, PART, PARTS, TOKEN, UNPACKED, DamagedError, Meter, TooLargeError

BLOCK = 256 * 1024
MOST_DEPTH = 64
_LOCKED = 1
_OLD = b"\xd0\xcf\x11\xe0"


class Archive:
    """The parts of a zip archive. Raises DamagedError and TooLargeError."""

    def __init__(self, raw: bytes) -> None:
        if raw.startswith(_OLD):
            raise DamagedError(
                "this is an old Excel file (.xls), or one with a password",
                "save it as .xlsx, without a password",
            )
        with Parsing(lambda _: DamagedError("the file is damaged, or no spreadsheet")):
            self._zip = ZipFile(BytesIO(raw))
            self._parts = {info.filename: info for info in self._zip.infolist()}
        self.meter = Meter()
        self.meter.limit(PARTS, len(self._parts))

    def has(self, name: str) -> bool:
        return name in self._parts

    def read(self, name: str, take: Callable[[bytes], object]) -> None:
        """Give a part to `take`, a block at a time. What that raises passes through."""
        info = self._parts.get(name)
        if info is None:
            raise DamagedError(f"the file lacks its part '{name}'")
        if info.flag_bits & _LOCKED:
            raise DamagedError("the file has a password", "save it without one")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise DamagedError("the file is packed in an unusual way")
        part = 0
        parsing = _parsing(name)
        with parsing:
            opened = self._zip.open(info)
        with opened:
            while True:
                with parsing:
                    block = opened.read(BLOCK)
                if not block:
                    return
                part += len(block)
                self.meter.limit(PART, part)
                self.meter.charge(UNPACKED, len(block))
                take(block)


def _parsing(name: str) -> Parsing:
    damaged = DamagedError(f"the file's part '{name}' is damaged")
    return Parsing(lambda _: damaged, DamagedError, TooLargeError, StopError)


class StopError(Exception):
    """A walk that has found what it looks for."""


class Walk:
    """What is done with the elements of a part, by their names without namespaces."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, words: str) -> None:
        """Text within the element."""


@lru_cache(2_000)
def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("|")[2]


def read_markup(archive: Archive, name: str, walk: Walk) -> None:
    """Go through a part that is XML. Raises DamagedError and TooLargeError."""
    parser = expat.ParserCreate(namespace_separator="|")
    parser.buffer_text = True
    depth = fed = elements = 0

    def feed(block: bytes) -> None:
        nonlocal fed, elements
        fed += len(block)
        parser.Parse(block, False)
        archive.meter.charge(ELEMENTS, elements)
        elements = 0
        archive.meter.limit(TOKEN, fed - parser.CurrentByteIndex)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, elements
        elements += 1
        depth += 1
        if depth > MOST_DEPTH:
            raise DamagedError(f"elements of the file's part '{name}' are nested too deep")
        walk.start(_local(tag), {_local(key): stated for key, stated in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        walk.end(_local(tag))

    def refuse(*_: object) -> None:
        raise DamagedError(f"the file's part '{name}' declares a document type")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = walk.text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    with _parsing(name):
        archive.read(name, feed)
        parser.Parse(b"", True)
