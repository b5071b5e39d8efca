"""A game's sheets as they will print: built aside when they are asked for, a page a picture."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.findings import UsageError
from cardgen.preview.lanes import FailedError, Lane
from cardgen.preview.rooms import Room, Variant
from cardgen.storage.reading import OUTPUT, read_file

MOST_SHEETS = 24
"""Sheets whose files are kept for their pages; others are built again when they are asked for."""

Plain = dict[str, Any]


class Asked(NamedTuple):
    """Which sheet, and how it is printed."""

    sheet: str
    variant: Variant
    paper: str
    duplex: str | None


class _Made(NamedTuple):
    saves: int
    key: str
    answer: Plain


class Sheets:
    """Sheets by how they were asked for. Their files lie in `folder`, which is gone with the server."""

    def __init__(self, room: Room, folder: Path) -> None:
        self._room, self._folder = room, folder
        self._lane, self._painter = Lane(), Lane()
        self._made: dict[Asked, _Made] = {}
        self._before: dict[Asked, _Made] = {}
        """The same before they were built again: a page may still ask for them."""
        self._tasks: dict[Asked, asyncio.Task[None]] = {}
        self._said: dict[Asked, Plain] = {}

    async def close(self) -> None:
        """End, with the processes."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._lane.close()
        await self._painter.close()

    async def about(self, asked: Asked) -> Plain:
        """What there is of a sheet: its pages, or that it is being made. Raises UsageError for one that the
        game has not."""
        bench = await self._room.bench(asked.variant)
        if asked.sheet not in {sheet.name for sheet in bench.state.sheets}:
            raise UsageError(f"the game has no sheet '{asked.sheet}'")
        made = self._made.get(asked)
        if made is not None and made.saves == self._room.saves:
            return made.answer
        if asked not in self._tasks:
            self._tasks[asked] = asyncio.create_task(self._make(asked, self._room.saves))
        older = (
            {"pages": made.answer["pages"], "key": made.key}
            if made is not None
            else {"pages": [], "key": ""}
        )
        return {"state": "running", "findings": [], **older}

    async def page(self, key: str, number: int, width: int) -> bytes | None:
        """A page's picture as PNG, the first is 0; None if there is no such page."""
        known = (*self._made.values(), *self._before.values())
        made = next((each for each in known if each.key == key), None)
        if made is None or not 0 <= number < len(made.answer["pages"]):
            return None
        into = self._folder / key / f"{number}-{width}.png"
        if not into.exists():
            order = {"file": made.answer["file"], "number": number, "px": width, "into": str(into)}
            try:
                await self._painter.do("page", order)
            except FailedError:
                return None
        return read_file(into, OUTPUT, into.name, (self._folder,))

    async def _make(self, asked: Asked, saves: int) -> None:
        key = hashlib.blake2b(repr((asked, saves)).encode(), digest_size=8).hexdigest()
        room = self._room

        def progress(step: str, done: int, total: int) -> None:
            room.hub.send(
                "sheet",
                {"name": asked.sheet, "state": "running", "step": step, "done": done, "total": total},
            )

        order = {
            "project": str(room.project.root),
            "game": room.game,
            "language": asked.variant.language,
            "low_ink": asked.variant.low_ink,
            "sheets": [asked.sheet],
            "paper": asked.paper,
            "duplex": asked.duplex,
            "output": str(self._folder / key),
        }
        answer: Plain
        try:
            made = await self._lane.do("sheet", order, progress)
            answer = {**made, "key": key, "state": "ready"}
        except FailedError as error:
            answer = {"pages": [], "key": key, "state": "failed", "findings": error.findings}
        finally:
            self._tasks.pop(asked, None)
        gone = [self._before.pop(asked, None)]
        if (before := self._made.pop(asked, None)) is not None:
            self._before[asked] = before
        self._made[asked] = _Made(saves, key, answer)
        while len(self._made) > MOST_SHEETS:
            oldest = next(iter(self._made))
            gone += [self._made.pop(oldest), self._before.pop(oldest, None)]
        for each in gone:
            if each is not None:
                await asyncio.to_thread(shutil.rmtree, self._folder / each.key, ignore_errors=True)
        room.hub.send("sheet", {"name": asked.sheet, "state": answer["state"]})
