"""The workbench as a web application: its addresses and their answers.

The addresses here come after the token (see `guard`).
"""

from __future__ import annotations

import hmac
import json
import os
import shlex
import subprocess
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
)
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request, cookie_parser
from starlette.responses import (
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardgen.commands.production.choices import usual_paper
from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import INPUT_FOLDERS, Project
from cardgen.files.reading import is_inside
from cardgen.files.table_formats import WORKBOOK_ENDINGS
from cardgen.workbench.server.editing import Edits
from cardgen.workbench.server.jobs import Asked, Changes, Jobs, Judge, Sheets
from cardgen.workbench.server.rooms import OPENING, REFRESHING, FailedError, Lane, Room, Variant
from cardgen.workbench.states import as_json, plain_findings

PAGE = Path(__file__).resolve().parent / "page"
FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
"""For pictures whose address is a digest of their content."""
FONTS = (".otf", ".ttf", ".ttc", ".otc", ".woff", ".woff2")
"""Endings of the files that the page may send."""
WIDEST = 4096
"""px, the maximum width of any picture."""

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Workshop:
    """The objects that the addresses use."""

    room: Room
    judge: Judge
    jobs: Jobs
    sheets: Sheets
    changes: Changes
    reports: Lane
    edits: Edits

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Start the workshop; the game itself loads in the background."""
        self.room.begin()
        self.judge.begin()
        try:
            yield
        finally:
            await self.room.close()

    async def refresh(self, changed: Collection[str]) -> None:
        """Refresh these files, but those that an edit of the page changed last."""
        others = [path for path in changed if not self.edits.is_own(path)]
        if others:
            await self.room.refresh(others)
            self.judge.edited()

    async def edited(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Show what an edit changed, and return the answer to it."""
        if answer.get("files"):
            self.room.start(self._show([str(self.room.project.root / file) for file in answer["files"]]))
        return answer

    async def _show(self, paths: Collection[str]) -> None:
        await self.room.refresh(paths)
        self.judge.edited()


def application(shop: Workshop) -> Starlette:
    """Return the addresses of a workshop."""
    room = shop.room

    async def state(request: Request) -> Response:
        bench = await room.bench(_variant(request, room))
        return _states(bench.state)

    async def side(request: Request) -> Response:
        found = await room.picture(request.path_params["key"], _width(request))
        if found is None:
            return _nothing()
        return Response(found, media_type="image/png", headers=FOREVER)

    async def marks(request: Request) -> Response:
        found = await room.marks(request.path_params["key"])
        return _nothing() if found is None else _states({"marks": found}, FOREVER)

    async def events(request: Request) -> Response:
        first = await room.bench(room.first)
        hello = {"epoch": first.state.epoch, "variant": room.first.plain()}
        return StreamingResponse(room.hub.listen(hello), media_type="text/event-stream")

    async def open_file(request: Request) -> Response:
        asked = await read_json(request)
        file, line, column = asked.get("file"), asked.get("line") or 1, asked.get("column") or 1
        if not isinstance(file, str) or not all(
            type(each) is int and 0 < each < 10**8 for each in (line, column)
        ):
            raise UsageError("name the file, line and column")
        return JSONResponse(open_place(room.project, file, line, column))

    async def rules(request: Request) -> Response:
        return JSONResponse(shop.judge.plain())

    async def report(request: Request) -> Response:
        variant = _variant(request, room)
        try:
            made = await shop.reports.do("report_page", room.order(variant))
        except FailedError as error:
            return PlainTextResponse(str(error), 409, headers={"content-security-policy": REPORT_POLICY})
        headers = {"content-security-policy": REPORT_POLICY}
        return Response(made["html"], media_type="text/html; charset=utf-8", headers=headers)

    async def sheet(request: Request) -> Response:
        query = request.query_params
        paper, duplex = query.get("paper") or usual_paper(room.project.paths), query.get("duplex")
        asked = Asked(request.path_params["name"], _variant(request, room), paper[:40], duplex)
        about = await shop.sheets.about(asked)
        return JSONResponse({name: value for name, value in about.items() if name != "file"})

    async def page(request: Request) -> Response:
        key, number = request.path_params["key"], request.path_params["number"]
        picture = await shop.sheets.page(key, number, _width(request))
        return _nothing() if picture is None else Response(picture, media_type="image/png", headers=FOREVER)

    async def revisions(request: Request) -> Response:
        return JSONResponse(await shop.changes.revisions())

    async def since(request: Request) -> Response:
        rev = request.query_params.get("rev", "HEAD")
        return JSONResponse(await shop.changes.since(rev, _variant(request, room)))

    async def offered(request: Request) -> Response:
        def find() -> Mapping[str, Any]:
            from cardgen.commands.data.list import offers

            return offers(room.project, room.game)

        try:
            return JSONResponse(await room.do(OPENING, find))
        except CardgenError as error:
            raise FailedError(plain_findings(error.findings)) from None

    async def jobs(request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse({"jobs": shop.jobs.plain()})
        asked = await read_json(request)
        kind, options = asked.get("kind"), asked.get("options", {})
        if not isinstance(kind, str) or not isinstance(options, dict):
            raise UsageError("name the kind of job, and its options")
        return JSONResponse({"id": shop.jobs.begin(kind, options)})

    async def job(request: Request) -> Response:
        stopped = shop.jobs.stop(request.path_params["number"])
        return JSONResponse({"stopped": stopped}) if stopped else _nothing()

    async def made(request: Request) -> Response:
        found = await shop.jobs.file(request.path_params["number"], request.path_params["index"])
        if found is None:
            return _nothing()
        content, kind, name = found
        headers = {
            "content-security-policy": REPORT_POLICY if kind.startswith("text/html") else MADE_POLICY,
            "content-disposition": f"inline; filename*=UTF-8''{quote(name, safe='')}",
        }
        return Response(content, media_type=kind, headers=headers)

    async def form(request: Request) -> Response:
        query = request.query_params
        try:
            return _states(await shop.edits.form(query.get("component", ""), query.get("card")))
        except FailedError as error:
            return JSONResponse({"fields": [], "cards": [], "findings": error.findings})
        except UsageError as error:  # of a game that ships with cardgen, or a book
            return JSONResponse({"fields": [], "cards": [], "findings": plain_findings(error.findings)})

    async def edit(request: Request) -> Response:
        return _states(await shop.edited(await shop.edits.make(await read_json(request))))

    async def sketch(request: Request) -> Response:
        asked = await read_json(request)
        component, card, path = (asked.get(name) for name in ("component", "card", "path"))
        if not isinstance(path, list) or not all(isinstance(x, str) for x in (component, card, *path)):
            raise UsageError("name the component, the card and the keys of the value")
        bench = await room.bench(_variant(request, room))
        work = partial(bench.sketch, (str(component), str(card)), tuple(path), asked.get("value"))
        return _states(await room.do(REFRESHING, work))

    async def art(request: Request) -> Response:
        return JSONResponse(await shop.edits.put_art(await read_json(request)))

    async def playtest(request: Request) -> Response:
        return JSONResponse(await shop.edits.record(await read_json(request)))

    async def knobs(request: Request) -> Response:
        return JSONResponse(await shop.edits.knobs())

    async def knob(request: Request) -> Response:
        return _states(await shop.edited(await shop.edits.turn(await read_json(request))))

    async def upload(request: Request) -> Response:
        return JSONResponse(shop.jobs.uploads.put(await read_json(request), FONTS))

    async def undo(request: Request) -> Response:
        asked = await read_json(request)
        if isinstance(file := asked.get("file"), str):
            return _states(await shop.edited(await shop.edits.bring_back(file)))
        return _states(await shop.edited(await shop.edits.turn_back(forward=asked.get("redo") is True)))

    routes = [
        Route("/state.json", state),
        Route("/side/{key:str}.png", side),
        Route("/marks/{key:str}.json", marks),
        Route("/events", events),
        Route("/open", open_file, methods=["POST"]),
        Route("/form.json", form),
        Route("/edit", edit, methods=["POST"]),
        Route("/sketch", sketch, methods=["POST"]),
        Route("/art", art, methods=["POST"]),
        Route("/undo", undo, methods=["POST"]),
        Route("/playtest", playtest, methods=["POST"]),
        Route("/knobs.json", knobs),
        Route("/knob", knob, methods=["POST"]),
        Route("/upload", upload, methods=["POST"]),
        Route("/rules.json", rules),
        Route("/report.html", report),
        Route("/sheets/{name:str}.json", sheet),
        Route("/sheets/{key:str}/{number:int}.png", page),
        Route("/revisions.json", revisions),
        Route("/since.json", since),
        Route("/choices.json", offered),
        Route("/jobs.json", jobs),
        Route("/jobs", jobs, methods=["POST"]),
        Route("/jobs/{number:int}", job, methods=["DELETE"]),
        Route("/jobs/{number:int}/{index:int}", made),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]
    return Starlette(routes=routes, exception_handlers=refusals())


def refusals() -> Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]]:
    """Return the answers to requests that fail."""
    return {UsageError: _misuse, FailedError: _failed}


async def _misuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, UsageError)
    first = error.findings[0]
    return JSONResponse({"message": first.message, "hint": first.hint}, 400)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, FailedError)
    return JSONResponse({"message": str(error), "findings": error.findings}, 409)


def _states(content: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(as_json(content), media_type="application/json", headers=headers)


def _nothing() -> Response:
    return PlainTextResponse("there is nothing here", 404)


def _variant(request: Request, room: Room) -> Variant:
    """Return the variant that a query names, completed from the first one."""
    query: Mapping[str, str] = request.query_params
    language = query.get("language", room.first.language)
    low_ink = query["ink"] == "low" if "ink" in query else room.first.low_ink
    return Variant(language or None, low_ink)


def _width(request: Request) -> int:
    text = request.query_params.get("px", "400")
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and 16 <= int(text) <= WIDEST):
        raise UsageError(f"px is a whole number from 16 to {WIDEST}")
    return int(text)


async def read_json(request: Request) -> dict[str, Any]:
    """Return the body, an object. Raises UsageError for anything else."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UsageError("the body is not JSON") from None
    if not isinstance(content, dict):
        raise UsageError("the body is not a JSON object")
    return content


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The sources that the page may load from: no other hosts, no inline script or style."""

REPORT_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
    " frame-ancestors 'self'"
)
"""The policy for a report, a document with its own styles: no script at all."""

MADE_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The policy for a PDF or a picture that a job made, as browsers wrap it to show it: no script, no other
hosts."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""The default headers of every answer."""

MOST_BODY = 65_536
"""Bytes of a request's body."""
_MOST_BODY_OF = {"edit": 8_000_000, "playtest": 2_000_000, "art": 48_000_000, "upload": 64_000_000}
"""Bytes of the body for these addresses: rows from a spreadsheet, counts of cards, a picture, files."""
_READING = frozenset(("GET", "HEAD"))
_WRITING = frozenset(("POST", "DELETE"))


class Guard:
    """Lets requests through to `app` if they have the token, in path or cookie, and come from the page.

    `hosts` are the server's allowed names on its `port`, such as "127.0.0.1".
    """

    def __init__(self, app: App, token: str, hosts: Iterable[str], port: int) -> None:
        self._app, self._token = app, token.encode()
        self._cookie = f"cardgen-{port}"  # browsers send cookies to all ports
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
        await self._app(inside, _bounded(receive, _most_body(scope)), _with_headers(send))

    def knows(self, scope: Scope) -> bool:
        """Return True if a request has the token."""
        cookie = cookie_parser(_headers(scope).get("cookie", "")).get(self._cookie, "")
        return self._in_path(scope) or hmac.compare_digest(cookie.encode(), self._token)

    def _in_path(self, scope: Scope) -> bool:
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        return bool(slash) and hmac.compare_digest(first.encode(), self._token)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the message for a rejected request."""
        headers = _headers(scope)
        if headers.get("host") not in self._hosts:
            return 421, "this address is not the workbench's"
        if headers.get("origin", next(iter(self._origins))) not in self._origins:
            return 403, "requests from other sites are refused"
        site = headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none"):
            return 403, "requests from other sites are refused"
        if not self.knows(scope):
            return 404, "there is nothing here"
        if scope["method"] not in _READING | _WRITING:
            return 405, "this method is not supported"
        if scope["method"] in _WRITING:
            kind = headers.get("content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                return 415, "send JSON"
            if not headers.get("content-length", "").isdecimal():
                return 411, "the length is missing"
            if int(headers["content-length"]) > _most_body(scope):
                return 413, "that is too long"
        return None


def _headers(scope: Scope) -> Mapping[str, str]:
    """Return the request's headers by name, repeated ones joined, so that no check accepts them."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _most_body(scope: Scope) -> int:
    return _MOST_BODY_OF.get(scope["path"].rpartition("/")[2], MOST_BODY)


def _bounded(receive: Receive, most: int) -> Receive:
    """Return a receiver that treats a body longer than `most` bytes as a disconnected page."""
    left = most

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


VARIABLE = "CARDGEN_EDITOR"
"""The environment variable for a command such as `code -g {file}:{line}:{column}`."""


def open_place(
    project: Project, file: str, line: int, column: int, environment: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Open one of the project's input files: `{"opened": True}` if a command of the designer's did, or
    `{"url": …}` for the browser. Raises UsageError for a file outside of the project, and for a command
    that can't run."""
    found = _found(project, file)
    if found.suffix.lower() in WORKBOOK_ENDINGS:
        raise UsageError(f"{found.name} can't be edited here; open it in your spreadsheet program")
    command = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if not command:
        return {"url": f"vscode://file{quote(_absolute(found))}:{line}:{column}"}
    try:
        words = [
            word.replace("{file}", str(found)).replace("{line}", str(line)).replace("{column}", str(column))
            for word in shlex.split(command)
        ]
        # No shell, so that any file name is one word.
        subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        hint = "an editor's command with its place: code -g {file}:{line}:{column}"
        raise UsageError(f"${VARIABLE} can't be run: {error}", hint) from None
    return {"opened": True}


def _absolute(path: Path) -> str:
    """Return the path with one leading slash, as addresses have it."""
    text = path.as_posix()
    return text if text.startswith("/") else f"/{text}"


def _found(project: Project, file: str) -> Path:
    parts = file.split("/")
    found = None
    if parts[0] in INPUT_FOLDERS and not {"", ".", ".."} & set(parts) and "\\" not in file:
        found = project.paths.find(file)
    if (
        found is None
        or not os.path.isfile(found)
        or not is_inside(os.path.realpath(found), project.paths.roots)
    ):
        raise UsageError(f"the project has no file '{file}'")
    return found
