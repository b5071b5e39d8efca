"""The network: https files, forms, The Game Crafter and a running Tabletop Simulator."""

from __future__ import annotations

import json
import queue
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote, urlencode, urljoin, urlsplit

import h11

from cardgen.core.findings import Parsing
from cardgen.core.records import dataclass
from cardgen.files.reading import read_bundled_yaml

MOST_ADDRESS = 2_000
"""Most characters of an address."""
_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_IN_PATH = "/:@!$&'()*+,;=-._~%"


class NetworkError(Exception):
    """A failure of the network, with a fix in `hint`. Contains nothing secret."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class FetchError(NetworkError):
    """A failure to fetch an address."""


@dataclass(frozen=True, slots=True)
class Address:
    """An https address in its parts, all of them ASCII; `target` is the path with the query."""

    host: str
    port: int
    target: str

    def __str__(self) -> str:
        return f"https://{self.site}{self.target}"

    @property
    def site(self) -> str:
        """Return the host as a request names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"


def parse_address(text: str, base: Address | None = None) -> Address:
    """Return an address in its parts; `base` is the one that named it. Raises FetchError if it is not
    https, names a user, or is invalid."""
    shown = text if len(text) <= 100 else f"{text[:99]}…"
    if len(text) > MOST_ADDRESS or any(ord(each) < 33 or ord(each) == 127 for each in text):
        raise FetchError(f"'{shown}' is not a web address", "write it without spaces: https://…")
    try:
        parts = urlsplit(text if base is None else urljoin(str(base), text))
        port = 443 if parts.port is None else parts.port
        host = (parts.hostname or "").rstrip(".")
        if ":" not in host:
            host = host.encode("idna").decode("ascii")
    except ValueError:  # an invalid port, an impossible host
        raise FetchError(f"'{shown}' is not a web address", "write it as the browser shows it") from None
    if parts.scheme != "https":
        raise FetchError(
            f"'{shown}' is not an https address", "use an https:// address, which protects the content"
        )
    if parts.username is not None or parts.password is not None:
        raise FetchError("the address contains a user name or password", "publish the sheet instead")
    if not host or not port or any(each in host for each in "%\\/"):
        raise FetchError(f"'{shown}' is not a web address", "write it as the browser shows it")
    target = quote(parts.path or "/", safe=_IN_PATH)
    if parts.query:
        target += "?" + quote(parts.query, safe=f"{_IN_PATH}?")
    return Address(host, port, target)


@cache
def _special_networks(version: str) -> Sequence[IPv4Network | IPv6Network]:
    """Read the networks of a version of IP that are not public."""
    return [ip_network(each) for each in read_bundled_yaml("files", "special_networks.yaml")[version]]


def is_public(text: str) -> bool:
    """Return True if an IP address is public: global unicast, and in no network of the registries of
    special ones. An IPv6 address that represents an IPv4 one is judged as that."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:  # limited to one link
            return False
        inner = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else address.ipv4_mapped
        if inner is None:
            special = _special_networks("ipv6")
            return address in _GLOBAL_UNICAST and not any(address in network for network in special)
        address = inner
    return not any(address in network for network in _special_networks("ipv4"))


MOST_REDIRECTS = 5
SECONDS = 30.0
"""Seconds for the whole fetch: lookup, connection, every redirect, and slow content."""
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_TRIED = 4
"""Most of a name's IP addresses that are tried."""
MOST_FRAMING = 2**20
"""Bytes of an answer's head and framing, besides as many as its content may have."""
_BLOCK = 64 * 1024
"""Bytes of an answer's head, and of one read."""
_MOST_REASON = 100
"""Characters of a status's reason that are shown."""

Resolve = Callable[[str, int], Sequence[str]]
"""The IP addresses of a host. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of an address: its content, its media type in lower case (or empty), and its address after
    all redirects."""

    content: bytes
    media_type: str
    address: str


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host from the system."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


@dataclass(frozen=True, slots=True)
class Way:
    """The way to reach addresses; only tests, which have no public server, replace it."""

    resolve: Resolve = resolve
    allow: Callable[[str], bool] = is_public
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context


def fetch(text: str, most: int, seconds: float = SECONDS, way: Way | None = None) -> Fetched:
    """Return the content of an https address, redirects followed, at most that many bytes within that many
    seconds. Raises FetchError."""
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
    hint = "use the address that the browser shows in the end"
    raise FetchError(f"the address redirects more than {MOST_REDIRECTS} times", hint)


@contextmanager
def in_words(host: str, deadline: Deadline) -> Iterator[None]:
    """Turn every failure of a host into FetchError."""
    try:
        with Parsing(lambda _: unreadable(host), FetchError, OSError):
            yield
    except ssl.SSLCertVerificationError as error:
        message = f"the certificate of {host} is not valid: {error.verify_message}"
        raise FetchError(message, "open the address in a browser and read its warning") from None
    except TimeoutError:
        raise deadline.passed() from None
    except OSError as error:
        deadline.left()
        why = error.strerror or str(error) or "no answer"
        raise FetchError(f"{host} can't be reached: {why}", "check your internet connection") from None


def unreadable(host: str) -> FetchError:
    """Return the error for an answer that is not HTTP."""
    return FetchError(f"{host} doesn't answer like a web server", "check the address in a browser")


class Deadline:
    """The time limit for a whole exchange."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left. Raises FetchError if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> FetchError:
        """Return the error for a timeout."""
        return FetchError(f"the answer took more than {self._seconds:g} seconds", "try again later")


def _ask(
    address: Address, most: int, deadline: Deadline, way: Way, context: ssl.SSLContext
) -> Fetched | Address:
    """Return the content of one address, or the address that it redirects to."""
    with connected(address, deadline, way, context) as channel:
        exchange = Exchange(channel, deadline, address, most)
        if exchange.status in _REDIRECTS:
            to = exchange.header("location")
            if to is None:
                raise FetchError(f"{address.host} redirects without an address", "use another address")
            return parse_address(to, address)
        if exchange.status != 200:
            said = f"{exchange.status} {exchange.reason[:_MOST_REASON]}".rstrip()
            hint = "publish the sheet for everybody who has the link"
            raise FetchError(f"{address.host} answers {said}", hint)
        if (exchange.header("content-encoding") or "identity").strip().lower() != "identity":
            raise FetchError(
                f"{address.host} sends the file compressed, which was not requested", "use another address"
            )
        kind = (exchange.header("content-type") or "").partition(";")[0].strip().lower()
        return Fetched(exchange.content(), kind, str(address))


def connected(address: Address, deadline: Deadline, way: Way, context: ssl.SSLContext) -> ssl.SSLSocket:
    """Return a checked connection to one of the host's addresses, all of which are public."""
    found = _resolved(address, deadline, way.resolve)
    refused = next((each for each in found if not way.allow(each)), None)
    if refused is not None:
        message = f"{address.host} is {refused}, not a public internet address"
        raise FetchError(message, "use an address that everybody can reach")
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
    """Return the host's addresses. The system's lookup has no timeout, so it runs in a thread."""
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
        raise FetchError(
            f"{address.host} is unknown: {answer.strerror or answer}", "check your internet connection"
        )
    return answer


class Exchange:
    """A request that was sent and the head of its answer, read within the remaining time.

    h11 refuses invalid framing (RFC 9112). Two headers that each state a length are refused here.
    """

    def __init__(
        self,
        channel: ssl.SSLSocket,
        deadline: Deadline,
        address: Address,
        most: int,
        *,
        method: str = "GET",
        target: str | None = None,
        form: tuple[bytes, str] | None = None,
    ) -> None:
        """Send a request and read the head of its answer.

        Args:
            most: Bytes of content that are taken; framing may take as many again, and MOST_FRAMING.
            target: In place of the address's own.
            form: A body and its media type.
        """
        self._channel, self._deadline, self._host, self._most = channel, deadline, address.host, most
        self._left = 2 * most + MOST_FRAMING
        self._connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_BLOCK)
        self._response: h11.Response | None = None
        self._has_ended = False
        headers = [
            ("Host", address.site),
            ("User-Agent", "cardgen"),
            ("Accept", "*/*"),
            ("Accept-Encoding", "identity"),
            ("Connection", "close"),
        ]
        body, kind = form or (b"", "")
        if form is not None:
            headers += [("Content-Type", kind), ("Content-Length", str(len(body)))]
        request = h11.Request(method=method, target=target or address.target, headers=headers)
        channel.settimeout(deadline.left())
        parts = (request, h11.Data(data=body), h11.EndOfMessage())
        channel.sendall(b"".join(self._connection.send(part) or b"" for part in parts))
        while self._response is None:
            event = self._next_event()
            if isinstance(event, h11.Response):
                self._response = event
        self.status = self._response.status_code
        self.reason = self._response.reason.decode("latin-1")
        if self.header("transfer-encoding") is not None and self.header("content-length") is not None:
            raise unreadable(self._host)

    def header(self, name: str) -> str | None:
        """Return the first header of that name, in lower case, or None."""
        headers = self._response.headers if self._response is not None else []
        return next((value.decode("latin-1") for each, value in headers if each == name.encode()), None)

    def content(self) -> bytes:
        """Return the content, whole. Raises FetchError."""
        content = bytearray()
        if int(self.header("content-length") or 0) > self._most:
            raise self._too_much()
        while not isinstance(event := self._next_event(), h11.EndOfMessage):
            if isinstance(event, h11.Data):
                content += event.data
            if len(content) > self._most:
                raise self._too_much()
        return bytes(content)

    def _next_event(self) -> Any:
        while True:
            try:
                event = self._connection.next_event()
                if event is not h11.NEED_DATA:
                    return event
                self._channel.settimeout(self._deadline.left())
                block = self._channel.recv(_BLOCK)
                self._left -= len(block)
                if self._left < 0:
                    raise FetchError("the answer has more framing than content", "use another address")
                self._has_ended = not block
                self._connection.receive_data(block)
            except h11.RemoteProtocolError:
                if self._has_ended and self._response is not None:
                    message = f"{self._host} closed the connection before its answer was complete"
                    raise FetchError(message, "try again") from None
                raise unreadable(self._host) from None

    def _too_much(self) -> FetchError:
        return FetchError(
            f"{self._host} sends more than {self._most // 2**20} MB", "publish a smaller file"
        )


Method = Literal["GET", "POST", "PUT", "DELETE"]
SENDING_SECONDS = 300.0
"""Seconds for a whole request: a picture of 10 MB over a slow line."""
MOST_ANSWER = 4 * 2**20
"""Bytes of an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a host: the status of HTTP, and the content, with any status."""

    status: int
    content: bytes


def send(
    method: Method,
    address: str,
    fields: Mapping[str, str],
    file: tuple[str, bytes] | None = None,
    *,
    seconds: float = SENDING_SECONDS,
    way: Way | None = None,
) -> Answer:
    """Send `fields`, and with them a file, by its name and its content, as the field `file`. With GET and
    DELETE the fields are part of the address. Raises FetchError if there is no answer, without the fields
    in its message."""
    way = way or Way()
    deadline = Deadline(seconds)
    to = parse_address(address)
    target, form = to.target, None
    if method in ("GET", "DELETE"):
        target += f"?{urlencode(fields)}" if fields else ""
    else:
        form = _form(fields, file)
    with in_words(to.host, deadline), connected(to, deadline, way, way.context()) as channel:
        exchange = Exchange(channel, deadline, to, MOST_ANSWER, method=method, target=target, form=form)
        return Answer(exchange.status, exchange.content())


def _form(fields: Mapping[str, str], file: tuple[str, bytes] | None) -> tuple[bytes, str]:
    """Return the fields as `multipart/form-data` (RFC 7578), and the media type with a boundary that no
    field contains."""
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
    """Return a name between quotation marks, as browsers write it."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


ADDRESS = "https://www.thegamecrafter.com/api"
"""Never filled in from a file: a password goes there."""
PAUSE = 0.3
"""Seconds between requests. Four a second are answered, according to other programs."""
MOST_COPIES = 99
"""Most of one thing in a game or one card in a deck (the pages Deck and Card: an integer between 1 and
99)."""
_ID = re.compile(r"[0-9A-Za-z-]{1,64}")


@dataclass(frozen=True, slots=True)
class Family:
    """The way to make a family of products: `path` of the thing itself, and of its members, if it has any,
    with the field by which these name it. `picture` is the field of the face."""

    path: str
    member: str | None = None
    parent: str = ""
    picture: str = "face_id"


FAMILIES = {
    family.path: family
    for family in (
        Family("deck", "card", "deck_id"),
        Family("twosidedset", "twosided", "set_id"),
        Family("twosidedsluggedset", "twosidedslugged", "set_id"),
        Family("booklet", "bookletpage", "booklet_id", "image_id"),
        Family("onesided"),
        Family("onesidedgloss"),
        Family("tuckbox", picture="outside_id"),
    )
}
"""By the name in `api` of a product in a print service's file."""


class CrafterError(NetworkError):
    """A failure, in words that follow "The Game Crafter"."""


@dataclass(frozen=True, slots=True, repr=False)
class Access:
    """The credentials: an application's key with a user's name and password, or the id of a session."""

    key: str = ""
    user: str = ""
    password: str = ""
    session: str = ""


class Crafter:
    """A session with the service, in a `with`, which ends it unless it was passed in. Methods raise
    CrafterError."""

    def __init__(
        self, access: Access, *, address: str = ADDRESS, way: Way | None = None, pause: float = PAUSE
    ) -> None:
        self._access, self._address, self._way, self._pause = access, address, way, pause
        self._session = access.session
        self._user = ""

    def __enter__(self) -> Crafter:
        access = self._access
        if self._session:
            found = self._ask("GET", f"session/{checked_id(self._session)}")
        else:
            form = {"api_key_id": access.key, "username": access.user, "password": access.password}
            found = self._ask("POST", "session", form)
            self._session = checked_id(found.get("id"))
        self._user = checked_id(found.get("user_id"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._access.session or not self._session:
            return
        with suppress(CrafterError):  # it ends by itself
            self._ask("DELETE", f"session/{self._session}")

    @property
    def root_folder(self) -> str:
        """Return the id of the folder that contains all of the user's."""
        return checked_id(self._ask("GET", f"user/{self._user}").get("root_folder_id"))

    @property
    def designers(self) -> dict[str, str]:
        """Return names of the designers for which the user may make games, by id."""
        items = self._ask("GET", f"user/{self._user}/designers").get("items")
        found = [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []
        return {checked_id(each.get("id")): str(each.get("name", "")) for each in found}

    def make_folder(self, name: str, parent: str) -> str:
        """Return the id of a new folder."""
        return self.make("folder", {"name": name, "user_id": self._user, "parent_id": parent})

    def upload(self, name: str, content: bytes, folder: str) -> str:
        """Return the id of a new file."""
        form = {"name": name, "folder_id": checked_id(folder)}
        return checked_id(self._ask("POST", "file", form, (name, content)).get("id"))

    def make(self, path: str, fields: Mapping[str, str]) -> str:
        """Return the id of a new thing of a kind."""
        return checked_id(self._ask("POST", path, fields).get("id"))

    def change(self, path: str, id: str, fields: Mapping[str, str]) -> None:
        """Change fields of an existing thing."""
        self._ask("PUT", f"{path}/{checked_id(id)}", fields)

    def _ask(
        self,
        method: Method,
        path: str,
        fields: Mapping[str, str] | None = None,
        file: tuple[str, bytes] | None = None,
    ) -> dict[str, Any]:
        """Return the result of a request."""
        form = {**(fields or {})}
        if self._session:
            form["session_id"] = self._session
        time.sleep(self._pause)
        try:
            answer = send(method, f"{self._address}/{path}", form, file, way=self._way)
        except FetchError as error:
            raise CrafterError(f"can't be reached: {error}", error.hint) from None
        try:
            found = json.loads(answer.content)
        except (ValueError, RecursionError):
            message = f"sent an answer that cardgen can't read (status {answer.status})"
            raise CrafterError(message, "try again later, or update cardgen") from None
        result = found.get("result") if isinstance(found, dict) else None
        if answer.status // 100 == 2 and isinstance(result, dict):
            return result
        said = self._said(found)
        why = f": {said}" if said else " and gives no reason"
        raise CrafterError(f"answers {answer.status}{why}", _hint(answer.status))

    def _said(self, found: Any) -> str:
        """Return an error's text without secrets that it may repeat."""
        error = found.get("error") if isinstance(found, dict) else None
        said = str(error.get("message", "")) if isinstance(error, dict) else ""
        access = self._access
        for secret in (access.key, access.password, access.user, access.session, self._session):
            said = said.replace(secret, "…") if secret else said
        return said[:200]


def checked_id(value: object) -> str:
    """Return a valid id: it becomes part of addresses. Raises CrafterError."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise CrafterError("has only ids of letters, digits and -", "check the ids on the service's site")
    return value


def _hint(status: int) -> str | None:
    if status in (401, 403):
        return "check the key, the name, the password and the key's permissions"
    if status == 404:
        return "if it was removed there, delete upload.json in the export's folder to start over"
    return "try again: finished uploads are not repeated" if status == 429 or status >= 500 else None


GAME_PORT, EDITOR_PORT = 39999, 39998
EXECUTE, FAILED, RETURNED = 3, 3, 5
"""Kinds of messages: ours, and two replies."""
LIVE_SECONDS = 15.0
"""Seconds for the whole script: a table of a thousand cards answers within one."""
MOST = 256 * 1024 * 1024
"""Bytes of an answer."""
_HOST = "127.0.0.1"


class LiveError(NetworkError):
    """A failure with a running game, in words that follow "Tabletop Simulator"."""


def execute(
    script: str, *, game: int = GAME_PORT, editor: int = EDITOR_PORT, seconds: float = LIVE_SECONDS
) -> Any:
    """Run a Lua script in the table's own script and return its result. Raises LiveError."""
    deadline = time.monotonic() + seconds
    try:
        listener = socket.create_server((_HOST, editor))
    except OSError:
        hint = "close the other editor (Atom, VS Code) that uses its port"
        raise LiveError("can't answer because another program uses its port", hint) from None
    with listener:
        message = json.dumps({"messageID": EXECUTE, "guid": "-1", "script": script}).encode("utf-8")
        try:
            with socket.create_connection((_HOST, game), timeout=seconds) as connection:
                connection.sendall(message)
        except OSError:
            hint = "start it, load the table, and try again"
            raise LiveError("is not running on this machine", hint) from None
        while True:
            answer = _next(listener, deadline)
            if answer.get("messageID") == RETURNED:
                return answer.get("returnValue")
            if answer.get("messageID") == FAILED:
                hint = "load the table again with --into or --install"
                raise LiveError(f"reports: {answer.get('error')}", hint)


def _next(listener: socket.socket, deadline: float) -> dict[str, Any]:
    """Return the next message, an empty one for anything else. Raises LiveError after a timeout."""
    content = bytearray()
    try:
        listener.settimeout(max(0.01, deadline - time.monotonic()))
        connection, _ = listener.accept()
        with connection:
            while len(content) <= MOST:
                connection.settimeout(max(0.01, deadline - time.monotonic()))
                block = connection.recv(_BLOCK)
                if not block:
                    break
                content += block
    except OSError:
        hint = "make sure that a table is loaded and this computer hosts it"
        raise LiveError("does not answer", hint) from None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
