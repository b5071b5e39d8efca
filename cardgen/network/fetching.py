"""`fetch`: the content of an https address.

Proxies that the environment names are not used: a proxy would look the address up again, and what was
checked here would not be what is asked.
"""

from __future__ import annotations

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from io import BufferedReader, RawIOBase
from typing import Any, cast

from cardgen.foreign import Parsing
from cardgen.network.addresses import Address, FetchError, is_public, parse_address

MOST_REDIRECTS = 5
SECONDS = 30.0
"""For all of it: finding, connecting, every redirect, and the content however slowly it comes."""
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_TRIED = 4
"""Most of a name's IP addresses that are tried."""
MOST_FRAMING = 2**20
"""Bytes of an answer's head and framing, besides as many as its content may have."""
_BLOCK = 64 * 1024
_MOST_REASON = 100
"""Characters of a status's reason that are shown."""
_LENGTH = re.compile("[0-9]{1,18}")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r\n")

Resolve = Callable[[str, int], Sequence[str]]
"""The IP addresses of a host. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave: its content, its media type in lower case (or nothing), and where it came from
    after all redirects."""

    content: bytes
    media_type: str
    address: str


def resolve(host: str, port: int) -> Sequence[str]:
    """The IP addresses of a host, as the system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


@dataclass(frozen=True, slots=True)
class Way:
    """How addresses are reached; other than these only for tests, which have no public server."""

    resolve: Resolve = resolve
    allow: Callable[[str], bool] = is_public
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context


def fetch(text: str, most: int, seconds: float = SECONDS, way: Way | None = None) -> Fetched:
    """The content of an https address, redirects followed, at most so many bytes within so many seconds.
    Raises FetchError."""
    way = way or Way()
    deadline = Deadline(seconds)
    context = way.context()
    address = parse_address(text)
    for _ in range(MOST_REDIRECTS + 1):
        with in_words(address.host, deadline):
            found = _ask(address, most, deadline, way, context)
        if isinstance(found, Fetched):
            return found
        address = found
    raise FetchError(f"the address leads on more than {MOST_REDIRECTS} times")


@contextmanager
def in_words(host: str, deadline: Deadline) -> Iterator[None]:
    """Turn everything that goes wrong with a host into FetchError."""
    try:
        with Parsing(lambda _: unreadable(host), FetchError, OSError):
            yield
    except ssl.SSLCertVerificationError as error:
        message = f"the certificate of {host} does not hold: {error.verify_message}"
        raise FetchError(message, "open the address in a browser and see what it says") from None
    except TimeoutError:
        raise deadline.passed() from None
    except OSError as error:
        deadline.left()
        why = error.strerror or str(error) or "no answer"
        raise FetchError(f"{host} can't be reached: {why}", "are you online?") from None


def unreadable(host: str) -> FetchError:
    """What to raise for an answer that is not HTTP."""
    return FetchError(f"{host} does not answer as a web server does")


class Deadline:
    """When all of it must be done."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left. Raises FetchError if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> FetchError:
        """What to raise when the time is over."""
        return FetchError(f"it took more than {self._seconds:g} seconds", "try again later")


def _ask(
    address: Address, most: int, deadline: Deadline, way: Way, context: ssl.SSLContext
) -> Fetched | Address:
    """What one address gives, or the one that it leads on to."""
    with connected(address, deadline, way, context) as channel:
        lines = [
            f"GET {address.target} HTTP/1.1",
            f"Host: {address.site}",
            "User-Agent: cardgen",
            "Accept: */*",
            "Accept-Encoding: identity",
            "Connection: close",
        ]
        channel.settimeout(deadline.left())
        channel.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))
        response = Response(channel, deadline, address.host, most)
        if response.status in _REDIRECTS:
            to = response.getheader("Location")
            if to is None:
                raise FetchError(f"{address.host} leads on, and does not say where to")
            return parse_address(to, address)
        if response.status != 200:
            reason = f" {response.reason[:_MOST_REASON]}" if response.reason else ""
            hint = "is the sheet published, for everybody who has the link?"
            raise FetchError(f"{address.host} answers {response.status}{reason}", hint)
        if response.getheader("Content-Encoding", "identity").strip().lower() not in ("identity", ""):
            raise FetchError(f"{address.host} sends the file packed, though it was not asked to")
        content = response.content()
        kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
        return Fetched(content, kind, str(address))


def connected(address: Address, deadline: Deadline, way: Way, context: ssl.SSLContext) -> ssl.SSLSocket:
    """A checked connection to one of the host's addresses, all of which are public."""
    found = _resolved(address, deadline, way.resolve)
    refused = next((each for each in found if not way.allow(each)), None)
    if refused is not None:
        message = f"{address.host} is {refused}, no address of the open internet"
        raise FetchError(message, "only what everybody can reach is fetched")
    trouble: OSError | None = None
    for each in found[:_MOST_TRIED]:
        # By its number: it is not looked up again.
        try:
            plain = socket.create_connection((each, address.port), deadline.left())
        except OSError as error:
            trouble = error
            continue
        try:
            plain.settimeout(deadline.left())
            return context.wrap_socket(plain, server_hostname=address.host)
        except BaseException:
            plain.close()
            raise
    raise trouble or OSError("it has no address")


def _resolved(address: Address, deadline: Deadline, find: Resolve) -> Sequence[str]:
    """The host's addresses. The system's own looking up knows no end, so it is done beside."""
    answers: queue.SimpleQueue[Sequence[str] | OSError] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(find(address.host, address.port))
        except OSError as error:
            answers.put(error)
        except ValueError as error:  # a name that no host can have
            answers.put(OSError(str(error)))

    threading.Thread(target=look, daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise deadline.passed() from None
    if isinstance(answer, OSError):
        raise FetchError(f"{address.host} is not known: {answer.strerror or answer}", "are you online?")
    return answer


class Response(HTTPResponse):
    """The answer to a request, its head already read: at most so many bytes, within the time left for all.

    The content is read here, because `http.client` guesses where the framing is wrong (RFC 9112).
    """

    def __init__(
        self, channel: ssl.SSLSocket, deadline: Deadline, host: str, most: int, method: str = "GET"
    ) -> None:
        self._reader = BufferedReader(_Reader(channel, deadline, 2 * most + MOST_FRAMING))
        self._host, self._most = host, most
        super().__init__(cast("socket.socket", self), method=method)
        self.begin()

    def makefile(self, *_: object) -> BufferedReader[Any]:
        """The stream, which `http.client` asks of a socket."""
        return self._reader

    def content(self) -> bytes:
        """The content, whole. Raises FetchError."""
        codings = self.headers.get_all("Transfer-Encoding", [])
        lengths = self.headers.get_all("Content-Length", [])
        if self.status in (204, 304):
            return b""
        if codings:
            if lengths or [each.strip().lower() for each in codings] != ["chunked"]:
                raise unreadable(self._host)
            return self._chunks()
        stated = {each.strip(" \t") for value in lengths for each in value.split(",")}
        if not stated:
            return self._exactly(None)
        if len(stated) > 1 or not _LENGTH.fullmatch(length := stated.pop()):
            raise unreadable(self._host)
        return self._exactly(int(length))

    def _exactly(self, length: int | None) -> bytes:
        """So many bytes, or all that come until the end."""
        if length is not None and length > self._most:
            raise self._too_much()
        found = self._reader.read(self._most + 1 if length is None else length)
        if length is not None and len(found) < length:
            raise self._broke_off()
        if len(found) > self._most:
            raise self._too_much()
        return found

    def _chunks(self) -> bytes:
        content = bytearray()
        while True:
            head = _CHUNK.fullmatch(self._line())
            if head is None:
                raise unreadable(self._host)
            size = int(head[1], 16)
            if len(content) + size > self._most:
                raise self._too_much()
            if not size:
                break
            content += self._exactly(size)
            if self._line() != b"\r\n":
                raise unreadable(self._host)
        while self._line() not in (b"\r\n", b"\n"):  # what is said after the content
            pass
        return bytes(content)

    def _line(self) -> bytes:
        line = self._reader.readline(_BLOCK)
        if not line.endswith(b"\n"):
            raise self._broke_off() if len(line) < _BLOCK else unreadable(self._host)
        return line

    def _broke_off(self) -> FetchError:
        return FetchError(f"{self._host} broke off before its answer was whole", "try again")

    def _too_much(self) -> FetchError:
        return FetchError(f"{self._host} answers more than {self._most // 2**20} MB")


class _Reader(RawIOBase):
    """A channel whose every reading ends with the time that is left for all; at most so many bytes."""

    def __init__(self, channel: ssl.SSLSocket, deadline: Deadline, most: int) -> None:
        super().__init__()
        self._channel, self._deadline, self._left = channel, deadline, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._channel.settimeout(self._deadline.left())
        count = self._channel.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise FetchError("what comes is mostly no content")
        return count
