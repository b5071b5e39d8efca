"""The workbench as a web application: what it answers at which address.

Every address begins with a token that only who started it knows, `/TOKEN/…`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardgen.workbench.bench import Bench

PAGE = Path(__file__).resolve().parent / "page"


class Hub:
    """Sends events to all pages that listen."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[str]] = set()

    def send(self, kind: str, content: Any) -> None:
        text = f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
        for listener in self._listeners:
            listener.put_nowait(text)

    async def listen(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield "event: hello\ndata: {}\n\n"
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)


class Workroom:
    """A bench and the one thread that works on it."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.hub = bench, Hub()
        self.thread = ThreadPoolExecutor(1)

    async def do(self, work: Any, *values: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.thread, work, *values)

    async def refresh(self) -> None:
        """Look at the files again, and tell the pages."""
        change = await self.do(self.bench.refresh)
        if change is not None:
            self.hub.send("change", change.plain())


def application(room: Workroom, token: str) -> Starlette:
    async def state(request: Request) -> Response:
        return JSONResponse(room.bench.state.plain())

    async def side(request: Request) -> Response:
        width = int(request.query_params.get("px", "400"))
        picture = await room.do(room.bench.picture, request.path_params["key"], width)
        if picture is None:
            return Response(status_code=404)
        return Response(picture, media_type="image/png")

    async def events(request: Request) -> Response:
        return StreamingResponse(room.hub.listen(), media_type="text/event-stream")

    inside = [
        Route("/state.json", state),
        Route("/side/{key:str}.png", side),
        Route("/events", events),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]
    return Starlette(routes=[Mount(f"/{token}", routes=inside)])
