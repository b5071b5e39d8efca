"""Starts the workbench: a server on this machine alone, and a watch on the project's files."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from watchfiles import awatch

from cardgen.preview.app import Workroom, application
from cardgen.project import INPUT_FOLDERS, Project
from cardgen.workbench.bench import Bench

HOST = "127.0.0.1"


def preview(
    game: str, *, project: Project | None = None, port: int = 0, started: Callable[[str], None]
) -> None:
    """Serve a game's workbench until interrupted; `started` is told its address."""
    project = project or Project.open()
    asyncio.run(_serve(project, game, port, started))


async def _serve(project: Project, game: str, port: int, started: Callable[[str], None]) -> None:
    room = Workroom(Bench(project, game))
    await room.refresh()
    token = secrets.token_urlsafe(24)
    listener = socket.create_server((HOST, port))
    config = uvicorn.Config(application(room, token), log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    watching = asyncio.create_task(_watch(project, room))
    started(f"http://{HOST}:{listener.getsockname()[1]}/{token}/")
    try:
        await server.serve(sockets=[listener])
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(project: Project, room: Workroom) -> None:
    folders = [
        root / name for root in project.paths.roots for name in INPUT_FOLDERS if (root / name).is_dir()
    ]
    async for _ in awatch(*folders, step=10, debounce=50):
        await room.refresh()
