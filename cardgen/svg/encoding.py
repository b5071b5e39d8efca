"""The text of an SVG file: its bytes to UTF-8, without the data of drawing programs."""

from __future__ import annotations

import codecs
import re

from cardgen.svg.tree import SvgError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARED = re.compile(rb"""^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']""")
_READ = {
    "utf-8": "utf-8",
    "ascii": "utf-8",
    "utf-16": "utf-8",  # of a file whose bytes are not: another program has saved it again
    "iso8859-1": "cp1252",  # as browsers read it: curly quotes and dashes are in use
    "cp1252": "cp1252",
    "iso8859-15": "iso8859-15",
    "mac-roman": "mac-roman",
}
"""The encodings that are read, by Python's names of what files declare."""
_METADATA = re.compile(
    r"<((?:[\w.-]+:)?metadata|[\w.-]+:(?:ai)?pgf)(?=[\s>])[^>]*(?<!/)>.*?</\1\s*>", re.DOTALL
)
_HINT = "save the drawing with the encoding UTF-8"


def utf8_of(data: bytes) -> bytes:
    """Return an SVG file as UTF-8, without a byte order mark. Raises SvgError."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    for start, encoding in _UNMARKED:
        if data.startswith(start):
            return _decoded(data, encoding)
    stated = _DECLARED.match(data[:1_000])
    if stated is None:
        return _decoded(data, "utf-8")
    name = stated[1].decode("ascii", "replace")
    try:
        known = _READ.get(codecs.lookup(name).name)
    except LookupError:
        known = None
    if known is None:
        raise SvgError(f"its encoding '{name}' is not read", 0, _HINT)
    return _decoded(data, known)


def _decoded(data: bytes, encoding: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "cp1252":  # five bytes stand for nothing there
            return data.decode("latin-1").encode()
        message = f"the byte 0x{data[error.start]:02x} is not {encoding.upper()}"
        raise SvgError(message, error.start, _HINT) from None
    return data if encoding == "utf-8" else text.encode()


def without_metadata(text: str) -> str:
    """Return a drawing without the elements that programs keep their own data in, line for line.

    These may hold anything, template tags among it, and megabytes.
    """
    if "metadata" not in text and "pgf" not in text:
        return text
    return _METADATA.sub(lambda found: "\n" * found[0].count("\n"), text)
