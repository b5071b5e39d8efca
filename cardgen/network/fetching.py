"""`fetch`: the content of an https address.

Proxies that the environment names are not used: a proxy would look the address up again, and what was
checked here would not be what is asked.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from io import BufferedReader, RawIOBase
from typing import Any, cast

from cardgen.network.addresses import Address, FetchError, is_public, parse_address

MOST_REDIRECTS = 5
SECONDS = 30.0
"""For all of it: finding, connecting, every redirect, and the content however slowly it comes."""
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_TRIED = 4
"""Most of a name's IP addresses that are tried."""
_BLOCK = 64 * 1024

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
    """What goes wrong with a host, as FetchError."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        message = f"the certificate of {host} does not hold: {error.verify_message}"
        raise FetchError(message, "open the address in a browser and see what it says") from None
    except TimeoutError:
        raise deadline.passed() from None
    except HTTPException:
        raise FetchError(f"{host} does not answer as a web server does") from None
    except OSError as error:
        deadline.left()
        why = error.strerror or str(error) or "no answer"
        raise FetchError(f"{host} can't be reached: {why}", "are you online?") from None


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
        response = HTTPResponse(cast("socket.socket", Slow(channel, deadline)), method="GET")
        response.begin()
        if response.status in _REDIRECTS:
            to = response.getheader("Location")
            if to is None:
                raise FetchError(f"{address.host} leads on, and does not say where to")
            return parse_address(to, address)
        if response.status != 200:
            reason = f" {response.reason}" if response.reason else ""
            hint = "is the sheet published, for everybody who has the link?"
            raise FetchError(f"{address.host} answers {response.status}{reason}", hint)
        if response.getheader("Content-Encoding", "identity").strip().lower() not in ("identity", ""):
            raise FetchError(f"{address.host} sends the file packed, though it was not asked to")
        content = bytearray()
        while block := response.read(_BLOCK):
            content += block
            if len(content) > most:
                raise FetchError(f"the file has more than {most // 2**20} MB")
        if response.length:
            raise FetchError(f"{address.host} broke off before the file was whole", "try again")
        kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
        return Fetched(bytes(content), kind, str(address))


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


class Slow:
    """A socket as HTTPResponse asks for it, whose every reading ends with the time that is left for all."""

    def __init__(self, channel: ssl.SSLSocket, deadline: Deadline) -> None:
        self._reader = _Reader(channel, deadline)

    def makefile(self, *_: object) -> BufferedReader:
        return BufferedReader(self._reader)


class _Reader(RawIOBase):
    def __init__(self, channel: ssl.SSLSocket, deadline: Deadline) -> None:
        super().__init__()
        self._channel, self._deadline = channel, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._channel.settimeout(self._deadline.left())
        return self._channel.recv_into(buffer)
