"""The benches of a game, one a variant, and the one thread that works at them."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cardgen.findings import UsageError
from cardgen.preview.hub import Hub
from cardgen.preview.lanes import died
from cardgen.project import Project
from cardgen.workbench.bench import Bench
from cardgen.workbench.states import Change

T = TypeVar("T")

REFRESHING, DRAWING, OPENING = 0, 1, 2
"""What goes first: what changed, then pictures, then what is opened anew."""
IDLE_S = 0.02
"""Seconds that idle work takes at most at a time, so that a picture waits no longer than that."""


class Variant(NamedTuple):
    """What there is a bench for: a game in a language (None: its own), in full or low ink."""

    language: str | None = None
    low_ink: bool = False

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"language": self.language, "low_ink": self.low_ink}


@dataclass(order=True)
class _Work:
    urgency: int
    number: int
    do: Callable[[], Any] = field(compare=False)
    done: asyncio.Future[Any] = field(compare=False)


class Room:
    """Benches, and a queue of what is to be done at them by one thread: pdfium and the benches know no
    second one."""

    def __init__(self, project: Project, game: str, first: Variant) -> None:
        self.project, self.game, self.first, self.hub = project, game, first, Hub()
        self.benches: dict[Variant, Bench] = {}
        self.saves = 0
        """How often files were saved since it was opened."""
        self._others: list[Bench] = []
        self._thread = ThreadPoolExecutor(1, "bench")
        self._queue: list[_Work] = []
        self._under_way: list[_Work] = []
        self._number = 0
        self._wakes = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> Mapping[str, Any]:
        """What the first variant's game says of itself."""
        return self.benches[self.first].state.game

    async def begin(self) -> None:
        """Begin to work, with the first variant's bench."""
        self._task = asyncio.create_task(self._work())
        await self.bench(self.first)

    async def close(self) -> None:
        """Let the thread end. Whoever waits for it is told that there is no answer."""
        if self._task is not None:
            self._task.cancel()
        self.hub.close()
        for work in (*self._queue, *self._under_way):
            if not work.done.done():
                work.done.set_exception(died())
        self._queue.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def do(self, urgency: int, work: Callable[[], T]) -> T:
        """Have something done by the thread; what is cancelled before it is its turn is not done."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._number += 1
        heapq.heappush(self._queue, _Work(urgency, self._number, work, done))
        self._wakes.set()
        return await done

    async def bench(self, variant: Variant) -> Bench:
        """The bench of a variant, opened when it is first asked for. Raises UsageError for a language that
        the game has not."""
        known = self.benches.get(self.first)
        if known is not None and self.first.language is None:
            own = variant.language == known.state.game.get("language")
            variant = variant._replace(language=None if own else variant.language)
        if variant not in self.benches:
            if known is not None and variant.language is not None:
                languages = {*known.state.game.get("languages", ()), known.state.game.get("language")}
                if variant.language not in languages:
                    raise UsageError(f"the game is not translated into '{variant.language}'")
            bench = Bench(
                self.project, self.game, language=variant.language, low_ink=variant.low_ink, beside=known
            )
            await self.do(OPENING, bench.refresh)
            self.benches.setdefault(variant, bench)
            self._wakes.set()  # what is left of it is done while nobody waits
        return self.benches[variant]

    async def know_sides(self, bench: Bench) -> None:
        """Go on with a bench until the keys of all its sides are known, as far as they can be."""
        variant = next((variant for variant, each in self.benches.items() if each is bench), None)
        while not bench.is_idle and any(
            side is not None and not side.key
            for card in bench.state.cards
            for side in (card.face, card.back)
        ):
            change = await self.do(OPENING, partial(bench.idle, IDLE_S))
            if variant is not None:
                self._tell(variant, change)

    def add(self, bench: Bench) -> None:
        """Have the pictures of another bench, such as that of an old revision, shown as well."""
        self._others.append(bench)

    def discard(self, bench: Bench) -> None:
        """Have them shown no longer."""
        if bench in self._others:
            self._others.remove(bench)

    async def refresh(self, changed: Collection[str]) -> None:
        """Look at these files again, in every variant, and tell the pages."""
        self.saves += 1
        paths = [Path(path) for path in changed]
        for variant, bench in list(self.benches.items()):
            self._tell(variant, await self.do(REFRESHING, partial(bench.refresh, paths)))

    def _tell(self, variant: Variant, change: Change | None) -> None:
        if change is not None:
            self.hub.send("change", {**change.plain(), "variant": variant.plain()})

    async def marks(self, key: str) -> list[dict[str, Any]] | None:
        """What is marked on the picture of a side; None for a key that no bench gave out."""

        def find() -> list[dict[str, Any]] | None:
            for bench in (*self.benches.values(), *self._others):
                found = bench.marks(key)
                if found is not None:
                    return [mark.plain() for mark in found]
            return None

        return await self.do(DRAWING, find)

    async def picture(self, key: str, width: int) -> tuple[bytes, str] | None:
        """The picture of a side and its media type; None for a key that no bench gave out."""

        def draw() -> tuple[bytes, str] | None:
            for bench in (*self.benches.values(), *self._others):
                found = bench.picture(key, width)
                if found is not None:
                    return found, "image/png"
            return None

        return await self.do(DRAWING, draw)

    async def _idle(self) -> bool:
        """Do a little of what nobody waits for; whether there was something to do."""
        loop = asyncio.get_running_loop()
        for variant, bench in list(self.benches.items()):
            if not bench.is_idle:
                self._tell(variant, await loop.run_in_executor(self._thread, bench.idle, IDLE_S))
                return True
        return False

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not self._queue:
                if not await self._idle():
                    self._wakes.clear()
                    await self._wakes.wait()
            work = heapq.heappop(self._queue)
            if work.done.cancelled():
                continue
            self._under_way = [work]
            try:
                result = await loop.run_in_executor(self._thread, work.do)
            except Exception as error:
                if not work.done.done():
                    work.done.set_exception(error)
            else:
                if not work.done.done():
                    work.done.set_result(result)
            self._under_way = []
