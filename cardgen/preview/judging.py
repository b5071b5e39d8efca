"""The slow looks at a game: its rules after each edit, all that `check` says once there is a pause."""

from __future__ import annotations

import asyncio
from typing import Any

from cardgen.preview.lanes import FailedError, Lane
from cardgen.preview.rooms import Room

SOON_S, PAUSE_S = 0.15, 1.0
"""Seconds without an edit before the rules are judged, and before all is checked: pictures come first."""

Plain = dict[str, Any]


class Judge:
    """What rules and checks say of the first variant's game, told to the pages as it is known.

    Rules that are being judged while an edit comes are judged to the end, and then again; a check is
    given up. `rules` and `findings` are of the epoch `epoch`.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._rules_lane, self._check_lane = Lane(), Lane()
        self._edited = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._checking: asyncio.Task[Any] | None = None
        self._check_due = asyncio.Event()
        self.epoch = 0
        self.rules: Plain = {"rules": [], "findings": [], "waits": None}
        self.findings: list[Plain] = []
        self.running: set[str] = set()

    def begin(self) -> None:
        """Begin."""
        self._tasks = [asyncio.create_task(self._judge()), asyncio.create_task(self._check())]
        self.edited()

    async def close(self) -> None:
        """End, with the processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._rules_lane.close()
        await self._check_lane.close()

    def edited(self) -> None:
        """A file has changed."""
        self.running |= {"rules", "checks"}
        self._edited.set()
        self._check_due.set()
        if self._checking is not None:
            self._checking.cancel()

    def plain(self) -> Plain:
        """All that is known, as plain data."""
        return {
            "epoch": self.epoch,
            "running": sorted(self.running),
            "rules": self.rules["rules"],
            "waits": self.rules["waits"],
            "findings": self._slow(),
        }

    def _slow(self) -> list[Plain]:
        """What a check found and loading and laying out did not: they alone say what became of the rest."""
        return [
            each
            for each in (*self.rules["findings"], *self.findings)
            if (each["code"], each["message"], each["file"], each["line"]) not in self._room.stated
        ]

    def _order(self) -> Plain:
        room = self._room
        return {"project": str(room.project.root), "game": room.game, "language": room.first.language}

    def _tell(self) -> None:
        self._room.hub.send("checked", self.plain())

    async def _judge(self) -> None:
        while True:
            await self._edited.wait()
            self._edited.clear()
            await asyncio.sleep(SOON_S)
            await self._room.quiet()
            if self._edited.is_set():
                continue
            epoch = (await self._room.bench(self._room.first)).state.epoch
            self._tell()
            try:
                self.rules = await self._rules_lane.do("rules", self._order())
            except FailedError as error:
                self.rules = {"rules": [], "findings": error.findings, "waits": "the game can't be loaded"}
            self.epoch = epoch
            if not self._edited.is_set():
                self.running.discard("rules")
            self._tell()

    async def _check(self) -> None:
        while True:
            await self._check_due.wait()
            self._check_due.clear()
            await asyncio.sleep(PAUSE_S)
            await self._room.quiet()
            if self._check_due.is_set():
                continue
            self._checking = asyncio.create_task(self._check_lane.do("check", self._order()))
            try:
                self.findings = (await self._checking)["findings"]
            except FailedError as error:
                self.findings = error.findings
            except asyncio.CancelledError:
                if not self._check_due.is_set():  # it is this task that is to end
                    self._checking.cancel()
                    raise
                continue
            finally:
                self._checking = None
            self._room.forget_stated()
            if not self._check_due.is_set():
                self.running.discard("checks")
            self._tell()
