"""Starts the workbench: a server for this machine alone, and a watch on the project's files."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from watchfiles import Change, awatch

from cardgen.commands.production.choices import must_exist
from cardgen.core.findings import UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import INPUT_FOLDERS, Project, bundled_root
from cardgen.workbench.server.app import App, Guard, Receive, Scope, Send, Workshop, application
from cardgen.workbench.server.editing import Edits
from cardgen.workbench.server.jobs import Changes, Jobs, Judge, Sheets
from cardgen.workbench.server.rooms import Room, Variant
from cardgen.workbench.server.starting import Start, start_application

HOST = "127.0.0.1"
FOLDER = "cardgen-preview-"
"""The prefix of the temporary folder's name, before the number of the process."""
SWITCH_S = 0.001
"""Seconds after which the drawing thread yields to the answering one (Python's default is 0.005)."""


@dataclass(frozen=True, slots=True)
class PreviewOptions:
    """The options of the preview server. `game` None is the project's only one, or the start page; `port` 0
    is any free port; `open` shows it in the browser."""

    game: str | None = None
    port: int = 0
    language: str | None = None
    low_ink: bool = False
    poll: bool = False
    open: bool = False


def serve(
    options: PreviewOptions, *, project: Project | None = None, started: Callable[[str | None, str], None]
) -> None:
    """Serve a game's workbench until the process is interrupted; `started` receives game and address.

    Without a game it is the page that starts one, and the game is None.

    Raises UsageError for an unknown game, a language that it lacks, and a port in use.
    """
    project = project or Project.open()
    game = _game(project, options.game)
    token = secrets.token_urlsafe(24)
    with _listener(options.port) as listener, _folder() as folder:
        port = listener.getsockname()[1]

        def ready() -> None:
            address = f"http://{HOST}:{port}/{token}/"
            started(game, address)
            if options.open:
                import webbrowser

                webbrowser.open(address)

        sys.setswitchinterval(SWITCH_S)
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(project, game, options, listener, token, Path(folder), ready))


def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder named after this process, and remove those of killed processes."""
    if os.name == "posix":
        for old in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
            owner = old.name.removeprefix(FOLDER).partition("-")[0]
            with suppress(OSError, ValueError):
                if not old.is_symlink() and old.stat().st_uid == os.geteuid() and not _runs(int(owner)):
                    shutil.rmtree(old, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"{FOLDER}{os.getpid()}-")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _game(project: Project, named: str | None) -> str | None:
    """Return the game to show; None for the start page, where no game or several are meant."""
    if named is None:
        games = project.games_here() if project.own_games() else []
        return games[0] if len(games) == 1 else None
    must_exist("game", named, project.games())
    return named


def _listener(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port} is not between 0 and 65535")
    # With its protocol named asyncio sends each part of an answer immediately: else the second one waits
    # some 40 ms for the browser to acknowledge the first.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
        return listener
    except OSError as error:
        listener.close()
        hint = "remove --port to use a free one"
        raise UsageError(f"port {port} can't be used: {error.strerror}", hint) from None


class Front:
    """The application that is shown: the start page, or the workbench of the game that was opened."""

    def __init__(self, project: Project, options: PreviewOptions, folder: Path) -> None:
        self._options, self._folder = options, folder
        self._start = Start(project, folder, self.show)
        self._app: App = start_application(self._start)
        self._shown = AsyncExitStack()
        self.room: Room | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def show(self, project: Project, game: str) -> None:
        """Show a game from now on. Raises UsageError for a language that it lacks."""
        options = self._options
        room = Room(project, game, Variant(options.language, options.low_ink))
        sheets, changes = Sheets(room, self._folder), Changes(room)
        shop = Workshop(
            room, Judge(room), Jobs(room, self._folder), sheets, changes, room.lane(), Edits(room)
        )
        await self._shown.enter_async_context(shop.opened())
        if options.language is not None:
            for found in (await room.bench(room.first)).state.findings:
                if found.code == "usage/language":
                    raise UsageError(found.message, found.hint, found.code)
        watching = asyncio.create_task(_watch(project, shop, poll=options.poll))
        self._shown.push_async_callback(_end, watching)
        self.room, self._app = room, application(shop)

    async def close(self) -> None:
        """End all work."""
        await self._start.close()
        await self._shown.aclose()


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _serve(
    project: Project,
    game: str | None,
    options: PreviewOptions,
    listener: socket.socket,
    token: str,
    folder: Path,
    ready: Callable[[], None],
) -> None:
    front = Front(project, options, folder)
    guarded = Guard(front, token, (HOST, "localhost"), listener.getsockname()[1])
    config = uvicorn.Config(
        guarded,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
        http=protocol(guarded.knows),
    )
    server = _Server(config, front)
    try:
        if game is not None:
            await front.show(project, game)
        ready()
        await server.serve(sockets=[listener])
    finally:
        await front.close()


class _Server(uvicorn.Server):
    """Ends on request, and leaves cleanup to its starter: uvicorn's own raises the signal again."""

    def __init__(self, config: uvicorn.Config, front: Front) -> None:
        super().__init__(config)
        self._front = front

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM)
        known = {each: signal.signal(each, self.handle_exit) for each in signals}
        try:
            yield
        finally:
            for each, handler in known.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        self.should_exit = self.force_exit = True
        # Listening pages would keep it running, and a signal handler must not touch the loop's data.
        if self._front.room is not None:
            asyncio.get_running_loop().call_soon_threadsafe(self._front.room.hub.close)


async def _watch(project: Project, shop: Workshop, *, poll: bool) -> None:
    async for changed in saves(project, poll=poll):
        try:
            await shop.refresh(changed)
        except asyncio.CancelledError:
            raise
        except Exception:  # a bug of ours: report it, and still handle the next save
            traceback.print_exc(file=sys.stderr)


MOST_STRANGERS = 64
"""Connections without the token at a time: a new one ends the oldest. A browser opens six."""
MOST_SILENT_S = 5.0
"""Seconds that a connection has for a complete head with the token."""

Knows = Callable[[Any], bool]


def protocol(knows: Knows) -> type[H11Protocol]:
    """Return a protocol for uvicorn that limits connections until `knows` accepts a request."""
    strangers: dict[H11Protocol, None] = {}

    class Connection(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._deadline = self.loop.call_later(MOST_SILENT_S, transport.abort)
            strangers[self] = None
            if len(strangers) > MOST_STRANGERS:
                oldest = next(iter(strangers))
                del strangers[oldest]
                oldest.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            self._accept()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self in strangers and self.scope is not None and knows(self.scope):
                self._accept()

        def _accept(self) -> None:
            strangers.pop(self, None)
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Connection


STEP_MS, DEBOUNCE_MS = 5, 200
"""The maximum delay of a save; a burst of saves without a pause of one step is reported once after the
second."""


async def saves(project: Project, *, poll: bool = False) -> AsyncIterator[set[str]]:
    """Yield the changed paths in a project's input folders, after each change. New folders are watched too.
    With `poll`, all files are read again, for drives that send no notices."""
    roots = [project.root]
    bundled = bundled_root()
    if bundled != project.root and (bundled / "pyproject.toml").is_file():
        roots.append(bundled)  # a checkout, whose files are edited too
    watched = [str(root) for root in roots]

    def counts(change: Change, path: str) -> bool:
        return any(_is_input(Path(path), root) for root in roots)

    async for changes in awatch(
        *watched, watch_filter=counts, step=STEP_MS, debounce=DEBOUNCE_MS, force_polling=poll or None
    ):
        yield {path for _, path in changes}


def _is_input(path: Path, root: Path) -> bool:
    if not path.is_relative_to(root):
        return False
    parts = path.relative_to(root).parts
    return bool(parts) and parts[0] in INPUT_FOLDERS
