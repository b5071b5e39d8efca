"""Line ends in values: whatever a table or file has them written as, they are line ends on the card."""

from __future__ import annotations

import re

LINE = "\u2028"
"""A line end that is printed, in a drawing: white space of the template itself ends no line."""
_END = re.compile(
    r"\r\n|[\n\r\v\f\x85\u2028\u2029]|(?:</?br\s{0,9}/?>|_x000d_)(?:\r?\n|_x000a_)?|_x000[a-c]_", re.I
)
"""Programs that don't know the escapes of XLSX pass on `_x000D_` and the like as they are."""
_TAG_OR_STYLE = re.compile(r"""<style\b[^<]*(?:<!\[CDATA\[[^<]*)?|<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>""")


def plain_line_ends(text: str) -> str:
    """The text with every line end, a `<br>` or `_x000B_` too, as a newline."""
    return _END.sub("\n", text)


def printed_line_ends(text: str) -> str:
    """The text as it is printed into a drawing: each line end between words is a `LINE`. Those before the
    first word and after the last one are blanks."""
    if (text.isprintable() and "<" not in text and "_x000" not in text) or not _END.search(text):
        return text
    lines = plain_line_ends(text)
    inner = lines.strip()
    start = lines.index(inner) if inner else len(lines)
    return lines[:start] + inner.replace("\n", LINE) + lines[start + len(inner) :]


def outside_tags(svg: str) -> str:
    """A drawing with its line ends as blanks in attributes and style sheets, where they end no line."""
    if LINE not in svg:
        return svg
    return _TAG_OR_STYLE.sub(lambda found: found[0].replace(LINE, "\n"), svg)
