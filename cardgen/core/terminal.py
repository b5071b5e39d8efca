"""Escape names, paths and arguments for printing, and color text.

A text stays on its line and changes nothing around it: no color, no moved
cursor, no changed reading direction, no fake message, no command to a build server.
"""

from __future__ import annotations

import os
import re
import sys
from unicodedata import category

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import TextIO

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, invisible formats (including those that change the reading direction), surrogates, line and
paragraph separators."""
_JOINERS = "\u200c\u200d"
"""Formats that Persian and Hindi words, and many emoji, need."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_COMMAND = re.compile(r"##(?=\[|vso\[|teamcity\[)")
"""The beginnings of commands of GitHub, Azure Pipelines and TeamCity, anywhere in a line."""


def shown(text: str) -> str:
    """Return one line, with characters unsafe for a terminal as Python escapes: `\\n`, `\\x1b`,
    `\\u202e`. Other characters stay as they are."""
    if not text.isprintable():
        text = "".join([_escaped(char) if _is_hidden(char) else char for char in text])
    if "##" in text:
        text = _COMMAND.sub(r"#\\x23", text)
    if text.lstrip().startswith("::"):  # a GitHub command, which starts its line
        text = text.replace("::", "\\x3a:", 1)
    return text


def shown_json(text: str) -> str:
    """Return JSON text with the same meaning, with the escapes of JSON."""
    if not text.isascii() or "\x7f" in text:
        text = "".join([_as_json(char) if char != "\n" and _is_hidden(char) else char for char in text])
    return _COMMAND.sub(r"#\\u0023", text) if "##" in text else text


def _is_hidden(char: str) -> bool:
    return not char.isprintable() and category(char) in _HIDDEN and char not in _JOINERS


def _escaped(char: str) -> str:
    code = ord(char)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return _SHORT.get(char) or (f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}")


def _as_json(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


_STYLES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}
"""Parameters of Select Graphic Rendition: the eight colors of every terminal, in its own shades."""


def painted(text: str, *styles: str) -> str:
    """Return text in colors and weights of _STYLES for a terminal; without any, the text itself."""
    numbers = ";".join(str(_STYLES[style]) for style in styles)
    return f"\x1b[{numbers}m{text}\x1b[0m" if text and numbers else text


def columns() -> int:
    """Return the width of the terminal, like `shutil.get_terminal_size`, which takes long to import."""
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def has_colours(stream: TextIO) -> bool:
    """Return True if text for a stream may be colored: on a terminal that supports colors, unless NO_COLOR
    is set; elsewhere if FORCE_COLOR is.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced != "0"
    if os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    # A Windows console with support shows it in one of these ways; an old one would print the sequences.
    return os.name != "nt" or any(name in os.environ for name in ("WT_SESSION", "ANSICON", "TERM"))
