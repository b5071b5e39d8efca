"""When the one thread works at what, and how soon an answer is sent."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cardgen.commands.data.new import new_project
from cardgen.core.findings import UsageError
from cardgen.files.project import Project
from cardgen.workbench.bench import Bench
from cardgen.workbench.server import rooms
from cardgen.workbench.server.rooms import FailedError, Room, Variant
from cardgen.workbench.server.serving import _listener


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.open(new_project("owls", tmp_path))


def run_aside(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: this one may run a loop already, a browser's."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def in_room(project: Project, does: Callable[[Room], Awaitable[None]]) -> None:
    """Have something done in a room."""

    async def run() -> None:
        room = Room(project, "owls", Variant())
        room.begin()
        try:
            await does(room)
        finally:
            await room.close()

    run_aside(run())


def test_what_is_saved_while_a_game_is_opened_is_seen(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project.root / "data" / "owls" / "cards.yaml"
    refresh = Bench.refresh
    saves: list[int] = []

    async def opened(room: Room) -> None:
        loop = asyncio.get_running_loop()

        def refresh_and_save(self: Bench, *args: Any, **options: Any) -> Any:
            found = refresh(self, *args, **options)
            if not saves:
                text = file.read_text(encoding="utf-8")
                file.write_text(text.replace("title: ", "title: Late ", 1), encoding="utf-8")
                saves.append(1)
                asyncio.run_coroutine_threadsafe(room.refresh([str(file)]), loop).result()
            return found

        monkeypatch.setattr(Bench, "refresh", refresh_and_save)
        bench = await room.bench(Variant())
        assert bench.state.cards[0].fields["title"].startswith("Late ")

    in_room(project, opened)


def test_whoever_waits_for_a_game_is_told_that_the_room_closes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(self: Room) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(Room, "_open_first", never)

    async def closed(room: Room) -> None:
        waits = asyncio.create_task(room.bench(Variant()))
        await asyncio.sleep(0)
        await room.close()
        with pytest.raises(FailedError):
            await waits

    in_room(project, closed)


def test_a_language_that_there_is_not_is_misuse(project: Project) -> None:
    async def asked(room: Room) -> None:
        with pytest.raises(UsageError):
            await room.bench(Variant("tlh"))

    in_room(project, asked)


def test_idle_work_waits_for_pictures_but_not_for_long(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "OPENED_S", 0.0)
    monkeypatch.setattr(rooms, "QUIET_S", 7200.0)
    monkeypatch.setattr(rooms, "MOST_QUIET_S", 3600.0)

    async def quiet(room: Room) -> None:
        bench = await room.bench(Variant())
        room._idled = room._busy = 0.0
        key = next(card.face.key for card in bench.state.cards if card.face and card.face.key)
        room._idled = time.monotonic()
        assert await room.picture(key, 90) is not None
        assert 0 < room._rest() <= 3600
        monkeypatch.setattr(rooms, "MOST_QUIET_S", 0.01)
        await room.quiet()
        assert room._rest() <= 0

    in_room(project, quiet)


def test_each_part_of_an_answer_is_sent_at_once() -> None:
    """Else every answer would wait for the browser to acknowledge its first part, some 40 ms."""

    async def connected() -> None:
        delays: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            sock = writer.get_extra_info("socket")
            delays.set_result(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listener(0) as listener:
            server = await asyncio.start_server(met, sock=listener)
            port = listener.getsockname()[1]
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await delays
            writer.close()
            server.close()

    run_aside(connected())
