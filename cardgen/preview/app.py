"""The workbench as a web application: what is answered at which address.

The addresses here come after the token (see `guard`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardgen.findings import CardgenError, UsageError
from cardgen.preview.changes import Changes
from cardgen.preview.editor import open_place
from cardgen.preview.guard import MADE_POLICY, REPORT_POLICY
from cardgen.preview.jobs import Jobs
from cardgen.preview.judging import Judge
from cardgen.preview.lanes import FailedError, Lane, vars_of
from cardgen.preview.rooms import OPENING, Room, Variant
from cardgen.preview.sheets import Asked, Sheets
from cardgen.workbench.tasks import choices

PAGE = Path(__file__).resolve().parent / "page"
FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
"""Of pictures whose address is a digest of what is on them."""
WIDEST = 4096
"""px, of any picture."""

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Workshop:
    """All that the addresses lead to."""

    room: Room
    judge: Judge
    jobs: Jobs
    sheets: Sheets
    changes: Changes
    reports: Lane

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open for work: the game itself is loaded meanwhile."""
        self.room.begin()
        self.judge.begin()
        try:
            yield
        finally:
            await self.judge.close()
            await self.jobs.close()
            await self.sheets.close()
            await self.changes.close()
            await self.reports.close()
            await self.room.close()

    async def refresh(self, changed: Collection[str]) -> None:
        """These files have changed."""
        await self.room.refresh(changed)
        self.judge.edited()


def application(shop: Workshop) -> Starlette:
    """The addresses of a workshop."""
    room = shop.room

    async def state(request: Request) -> Response:
        bench = await room.bench(_variant(request, room))
        return JSONResponse(bench.state.plain())

    async def side(request: Request) -> Response:
        found = await room.picture(request.path_params["key"], _width(request))
        if found is None:
            return _nothing()
        picture, kind = found
        return Response(picture, media_type=kind, headers=FOREVER)

    async def marks(request: Request) -> Response:
        found = await room.marks(request.path_params["key"])
        return _nothing() if found is None else JSONResponse({"marks": found}, headers=FOREVER)

    async def events(request: Request) -> Response:
        first = await room.bench(room.first)
        hello = {"epoch": first.state.epoch, "variant": room.first.plain()}
        return StreamingResponse(room.hub.listen(hello), media_type="text/event-stream")

    async def open_file(request: Request) -> Response:
        asked = await _json(request)
        file, line, column = asked.get("file"), asked.get("line") or 1, asked.get("column") or 1
        if not isinstance(file, str) or not all(
            type(each) is int and 0 < each < 10**8 for each in (line, column)
        ):
            raise UsageError("say file, line and column")
        return JSONResponse(open_place(room.project, file, line, column))

    async def rules(request: Request) -> Response:
        return JSONResponse(shop.judge.plain())

    async def report(request: Request) -> Response:
        variant = _variant(request, room)
        order = {"project": str(room.project.root), "game": room.game, "language": variant.language}
        try:
            made = await shop.reports.do("report_page", order)
        except FailedError as error:
            return PlainTextResponse(str(error), 409, headers={"content-security-policy": REPORT_POLICY})
        headers = {"content-security-policy": REPORT_POLICY}
        return Response(made["html"], media_type="text/html; charset=utf-8", headers=headers)

    async def sheet(request: Request) -> Response:
        query = request.query_params
        paper, duplex = query.get("paper", "letter"), query.get("duplex")
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
        try:
            return JSONResponse(await room.do(OPENING, partial(choices, room.project)))
        except CardgenError as error:
            raise FailedError([vars_of(each) for each in error.findings]) from None

    async def jobs(request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse({"jobs": shop.jobs.plain()})
        asked = await _json(request)
        kind, options = asked.get("kind"), asked.get("options", {})
        if not isinstance(kind, str) or not isinstance(options, dict):
            raise UsageError("say the kind of job, and its options")
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

    routes = [
        Route("/state.json", state),
        Route("/side/{key:str}.png", side),
        Route("/marks/{key:str}.json", marks),
        Route("/events", events),
        Route("/open", open_file, methods=["POST"]),
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
    return Starlette(routes=routes, exception_handlers={UsageError: _misuse, FailedError: _failed})


async def _misuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, UsageError)
    first = error.findings[0]
    return JSONResponse({"message": first.message, "hint": first.hint}, 400)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, FailedError)
    return JSONResponse({"message": str(error), "findings": error.findings}, 409)


def _nothing() -> Response:
    return PlainTextResponse("there is nothing here", 404)


def _variant(request: Request, room: Room) -> Variant:
    """The variant that a query names, for what it leaves out the first one's."""
    query: Mapping[str, str] = request.query_params
    language = query.get("language", room.first.language)
    low_ink = query["ink"] == "low" if "ink" in query else room.first.low_ink
    return Variant(language or None, low_ink)


def _width(request: Request) -> int:
    text = request.query_params.get("px", "400")
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and 16 <= int(text) <= WIDEST):
        raise UsageError(f"px is a whole number from 16 to {WIDEST}")
    return int(text)


async def _json(request: Request) -> dict[str, Any]:
    """The body, an object. Raises UsageError."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UsageError("the body is no JSON") from None
    if not isinstance(content, dict):
        raise UsageError("the body is no JSON object")
    return content
