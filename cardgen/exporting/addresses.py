"""Addresses that files of an export are fetched from: on a web server, or here."""

from __future__ import annotations

import re
from pathlib import PurePath
from urllib.parse import quote, urlsplit

from cardgen.findings import UsageError

_HINT = "such as https://example.com/games/fox: where the files of this export will lie"


def web_address(text: str) -> str:
    """An address that file names can be appended to, without its last slash, other letters than ASCII
    as `%` and digits. Raises UsageError for what is no such address."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port  # the port is looked at when it is asked for
    except ValueError:
        raise UsageError(f"--base-url '{text}' is no address", _HINT, "usage/base-url") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s\\]", text):
        message = f"--base-url '{text}' is no address that begins with https://"
        raise UsageError(message, _HINT, "usage/base-url")
    if "?" in text or "#" in text:
        message = f"--base-url '{text}' can't have a ? or #: file names are appended to it"
        raise UsageError(message, _HINT, "usage/base-url")
    named = parts._replace(scheme=parts.scheme, path=quote(parts.path, safe="/%:@!$&'()*+,;=~"))
    return named.geturl().rstrip("/")


def local_address(path: PurePath) -> str:
    """A file here, by its absolute path, as Tabletop Simulator reads it: `file:///` and the path letter
    by letter. It takes a space for a space, and `%20` for three letters (makers of its saves)."""
    text = path.as_posix()
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"
