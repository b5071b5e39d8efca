"""Who may ask: a page of ours on this machine that knows the token, and nobody else.

A server on 127.0.0.1 is reached by every page that a browser shows. So the first address begins with a
token that stands nowhere else; the host asked for must be this machine by name (a stranger's name that
resolves to it is none); no other site may send or read anything. The first page takes the token out of its
address: from then on the browser sends it in a cookie of this session.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any

from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the page may load: nothing from elsewhere, no script or style that stands in a document."""

REPORT_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
    " frame-ancestors 'self'"
)
"""The same for a report, which is a document with styles of its own: no script at all."""

MADE_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The same for a PDF or a picture that a job made, as browsers wrap it to show it: no script, nothing from
elsewhere."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Put on every answer that doesn't say otherwise."""

MOST_BODY = 65_536
"""Bytes of a request's body."""
_READING = frozenset(("GET", "HEAD"))
_WRITING = frozenset(("POST", "DELETE"))


class Guard:
    """Lets through to `app` what has the token, in its path or its cookie, and comes from the page.

    `hosts` are the names by which the server may be called on its `port`, such as "127.0.0.1".
    """

    def __init__(self, app: App, token: str, hosts: Iterable[str], port: int) -> None:
        self._app, self._token = app, token.encode()
        self._cookie = f"cardgen-{port}"  # cookies of all ports are sent to each
        self._hosts = frozenset(f"{host}:{port}" for host in hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            status, words = refusal
            await PlainTextResponse(words, status)(scope, receive, _with_headers(send))
            return
        prefix = "/" + self._token.decode()
        if scope["path"] == f"{prefix}/":
            moved = RedirectResponse("/", 303)
            moved.set_cookie(self._cookie, self._token.decode(), httponly=True, samesite="strict")
            await moved(scope, receive, _with_headers(send))
            return
        inside = {**scope, "root_path": prefix if self._in_path(scope) else ""}
        await self._app(inside, _bounded(receive), _with_headers(send))

    def knows(self, scope: Scope) -> bool:
        """Tell whether a request has the token."""
        cookie = cookie_parser(_headers(scope).get("cookie", "")).get(self._cookie, "")
        return self._in_path(scope) or hmac.compare_digest(cookie.encode(), self._token)

    def _in_path(self, scope: Scope) -> bool:
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        return bool(slash) and hmac.compare_digest(first.encode(), self._token)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the words that an unwelcome request is answered with."""
        headers = _headers(scope)
        if headers.get("host") not in self._hosts:
            return 421, "this is not the server that you asked for"
        if headers.get("origin", next(iter(self._origins))) not in self._origins:
            return 403, "another site may not ask for this"
        site = headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none"):
            return 403, "another site may not ask for this"
        if not self.knows(scope):
            return 404, "there is nothing here"
        if scope["method"] not in _READING | _WRITING:
            return 405, "this can't be done here"
        if scope["method"] in _WRITING:
            kind = headers.get("content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                return 415, "send JSON"
            if not headers.get("content-length", "").isdecimal():
                return 411, "say how long it is"
            if int(headers["content-length"]) > MOST_BODY:
                return 413, "that is too long"
        return None


def _headers(scope: Scope) -> Mapping[str, str]:
    """The request's headers by their names; one that comes twice is none that is expected."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _bounded(receive: Receive) -> Receive:
    """A body that is longer than was said, or than any may be, ends as if the page had gone."""
    left = MOST_BODY

    async def less() -> MutableMapping[str, Any]:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return less


def _with_headers(send: Send) -> Send:
    async def more(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            stated = {name.lower() for name, _ in message.get("headers", ())}
            own = [
                (name.encode(), value.encode())
                for name, value in HEADERS.items()
                if name.encode() not in stated
            ]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return more
