"""`send`: a form to an https address, and what it answers.

No redirect is followed: what is sent is for the host that was named, and for nobody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from cardgen.network.addresses import parse_address
from cardgen.network.fetching import Deadline, Response, Way, connected, in_words

Method = Literal["GET", "POST", "PUT", "DELETE"]
SECONDS = 300.0
"""For all of a request: a picture of 10 MB over a slow line."""
MOST_ANSWER = 4 * 2**20
"""Bytes of an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered: the status of HTTP, and the content, whatever the status."""

    status: int
    content: bytes


def send(
    method: Method,
    address: str,
    fields: Mapping[str, str],
    file: tuple[str, bytes] | None = None,
    *,
    seconds: float = SECONDS,
    way: Way | None = None,
) -> Answer:
    """Send `fields`, and with them a file, by its name and its content, as the field `file`. With GET and
    DELETE the fields are part of the address. Raises FetchError where there is no answer; what it says
    holds no field."""
    way = way or Way()
    deadline = Deadline(seconds)
    to = parse_address(address)
    target, body, kind = to.target, b"", ""
    if method in ("GET", "DELETE"):
        target += f"?{urlencode(fields)}" if fields else ""
    else:
        body, kind = _form(fields, file)
    lines = [
        f"{method} {target} HTTP/1.1",
        f"Host: {to.site}",
        "User-Agent: cardgen",
        "Accept: application/json",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if kind:
        lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    with in_words(to.host, deadline), connected(to, deadline, way, way.context()) as channel:
        channel.settimeout(deadline.left())
        channel.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + body)
        response = Response(channel, deadline, to.host, MOST_ANSWER, method)
        return Answer(response.status, response.content())


def _form(fields: Mapping[str, str], file: tuple[str, bytes] | None) -> tuple[bytes, str]:
    """The fields as `multipart/form-data` (RFC 7578), and the media type with the line between them, which
    nothing in them can be."""
    line = secrets.token_hex(16)
    parts = [(_head(name), value.encode("utf-8")) for name, value in fields.items()]
    if file is not None:
        name, content = file
        parts.append((f'{_head("file")}; filename="{_quoted(name)}"', content))
    body = bytearray()
    for head, content in parts:
        kind = "\r\nContent-Type: application/octet-stream" if "filename=" in head else ""
        body += f"--{line}\r\n{head}{kind}\r\n\r\n".encode() + content + b"\r\n"
    body += f"--{line}--\r\n".encode()
    return bytes(body), f"multipart/form-data; boundary={line}"


def _head(name: str) -> str:
    return f'Content-Disposition: form-data; name="{_quoted(name)}"'


def _quoted(name: str) -> str:
    """A name between quotation marks, as browsers write it."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
