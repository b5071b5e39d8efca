"""The benches of a game, one a variant, their one worker thread, and processes for long work."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardgen.core.findings import Finding, Severity, UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import Project
from cardgen.workbench.states import FindingState, MarkState, as_json, members, plain_findings
from cardgen.workbench.studio import stop

if TYPE_CHECKING:
    from cardgen.workbench.bench import Bench
    from cardgen.workbench.states import Change


T = TypeVar("T")

REFRESHING, DRAWING, OPENING = 0, 1, 2
"""The order of work: changes first, then pictures, then newly opened benches."""
IDLE_S = 0.02
"""Maximum seconds of idle work at a time, so that a picture waits no longer than that."""
OPENED_S = 1.0
"""Seconds after a game is loaded in which only its first page is served: nothing is judged."""
QUIET_S, MOST_QUIET_S = 0.1, 1.0
"""Seconds without a picture request after which idle work continues, and after which it does in any
case: the screen comes first."""

ANSWERED = 5
"""Turns of the loop in which requests that wait for a failed game report it."""


class Variant(NamedTuple):
    """The variant of a game that a bench shows: a language (None: its own), in full or low ink."""

    language: str | None = None
    low_ink: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the event as plain data."""
        return {"language": self.language, "low_ink": self.low_ink}


def finding_key(finding: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the identity of a finding in plain data: code, message, file and line."""
    return finding["code"], finding["message"], finding["file"], finding["line"]


@dataclass(slots=True, eq=False)
class _Work:
    urgency: int
    number: int
    do: Callable[[], Any]
    done: asyncio.Future[Any]

    def __lt__(self, other: _Work) -> bool:
        return (self.urgency, self.number) < (other.urgency, other.number)


class Room:
    """Benches, and a queue of their work for one thread: neither pdfium nor a bench is thread-safe. Long
    work runs in lanes, in which tasks wait; the room ends with all of them."""

    def __init__(self, project: Project, game: str, first: Variant) -> None:
        self.project, self.game, self.first, self.hub = project, game, first, Hub()
        self.benches: dict[Variant, Bench] = {}
        self.saves = 0
        """The number of saves since it was opened."""
        self.stated: set[tuple[object, ...]] = set()
        """The keys of the first variant's findings since `forget_stated`."""
        self._others: list[Bench] = []
        self._thread = ThreadPoolExecutor(1, "bench")
        self._queue: asyncio.PriorityQueue[_Work] = asyncio.PriorityQueue()
        self._under_way: list[_Work] = []
        self._number = 0
        self._busy = 0.0
        """The time of the last event, or of the last picture request."""
        self._closed = False
        self._hold = 0.0
        """The deadline of waiting for the first page."""
        self._idled = 0.0
        """The time of the last idle work, or of the last event after a save."""
        self._lanes: list[Lane] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._worker: asyncio.Task[None] | None = None
        self._first: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the thread, with the first variant's bench; requests for a bench wait for it."""
        self._worker = asyncio.create_task(self._work())
        self._first = asyncio.create_task(self._open_first())

    def lane(self) -> Lane:
        """Make a lane that ends with the room."""
        self._lanes.append(Lane())
        return self._lanes[-1]

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work that ends with the room."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def order(self, variant: Variant) -> dict[str, Any]:
        """Return the fields common to every order to a lane."""
        return {"project": str(self.project.root), "game": self.game, "language": variant.language}

    async def _open_first(self) -> None:
        bench = self.benches[self.first] = await self._open(self.first, None)
        self._state(bench.state.findings)
        self._hold = time.monotonic() + OPENED_S
        self._wake()  # idle work does the rest

    async def _open(self, variant: Variant, beside: Bench | None) -> Bench:
        saves = self.saves
        bench = await self.do(OPENING, partial(self._opened, variant, beside))
        while saves != self.saves:  # later saves may be missing in it
            saves = self.saves
            await self.do(OPENING, bench.refresh)
        return bench

    def _opened(self, variant: Variant, beside: Bench | None) -> Bench:
        # Loaded in this thread, so that a page opens meanwhile.
        from cardgen.workbench.bench import Bench

        bench = Bench(
            self.project, self.game, language=variant.language, low_ink=variant.low_ink, beside=beside
        )
        bench.refresh()
        return bench

    async def close(self) -> None:
        """End all tasks, lanes and drawing, and stop the thread. Waiting requests get an error."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for lane in self._lanes:
            await lane.close()
        self._closed = True
        stop()
        for each in (self._worker, self._first):
            if each is not None:
                each.cancel()
        self.hub.close()
        while not self._queue.empty():
            self._under_way.append(self._queue.get_nowait())
        for work in self._under_way:
            if not work.done.done():
                work.done.set_exception(died())
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._first is not None:
            await asyncio.wait([self._first])
            for _ in range(ANSWERED):
                await asyncio.sleep(0)

    def do(self, urgency: int, work: Callable[[], T]) -> asyncio.Future[T]:
        """Run a call in the thread; one that is canceled before its turn is skipped."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._number += 1
        self._queue.put_nowait(_Work(urgency, self._number, work, done))
        return done

    def _wake(self) -> None:
        """Wake the worker for idle work."""
        self.do(OPENING, lambda: None).cancel()  # canceled work is skipped

    async def bench(self, variant: Variant) -> Bench:
        """Return the bench of a variant, opened on the first request. Raises UsageError for a language that
        the game lacks."""
        assert self._first is not None
        if not self._first.done():
            await asyncio.wait([self._first])
        if self._first.cancelled():
            raise died()
        self._first.result()
        known = self.benches[self.first]
        if self.first.language is None:
            own = variant.language == known.state.game.get("language")
            variant = variant._replace(language=None if own else variant.language)
        if variant not in self.benches:
            if variant.language is not None:
                languages = {*known.state.game.get("languages", ()), known.state.game.get("language")}
                if variant.language not in languages:
                    raise UsageError(f"the game is not translated into '{variant.language}'")
            bench = await self._open(variant, known)
            self.benches.setdefault(variant, bench)
            self._wake()
        return self.benches[variant]

    async def know_sides(self, bench: Bench) -> None:
        """Continue a bench until the keys of all its sides are known, as far as possible."""
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
        """Show the pictures of another bench too, such as that of an old revision."""
        self._others.append(bench)

    def discard(self, bench: Bench) -> None:
        """Stop showing a bench's pictures."""
        if bench in self._others:
            self._others.remove(bench)

    async def refresh(self, changed: Collection[str]) -> None:
        """Read these files again, in every variant, and notify the pages."""
        self.saves += 1
        paths = [Path(path) for path in changed]
        for variant, bench in list(self.benches.items()):
            self._tell(variant, await self.do(REFRESHING, partial(bench.refresh, paths)))

    async def quiet(self) -> None:
        """Wait until there is a bench, and pages have their requested pictures, but not for long."""
        await self.bench(self.first)
        while (rest := max(self._rest(), self._hold - time.monotonic())) > 0:
            await asyncio.sleep(rest)

    def _rest(self) -> float:
        """Return the seconds until idle work, if no request comes."""
        return min(self._busy + QUIET_S, self._idled + MOST_QUIET_S) - time.monotonic()

    def forget_stated(self) -> None:
        """Drop all findings in `stated` except the current ones."""
        bench = self.benches.get(self.first)
        self.stated.clear()
        self._state(bench.state.findings if bench is not None else ())

    def _state(self, findings: Iterable[FindingState]) -> None:
        self.stated.update(map(finding_key, plain_findings(findings)))

    def _tell(self, variant: Variant, change: Change | None) -> None:
        if change is not None:
            if variant == self.first:
                self._state(change.findings)
            self.hub.send("change", {**members(change), "variant": variant.plain()})

    async def marks(self, key: str) -> tuple[MarkState, ...] | None:
        """Return the marks on the picture of a side; None for an unknown key."""
        return await self._find(lambda bench: bench.marks(key))

    async def picture(self, key: str, width: int) -> bytes | None:
        """Return the picture of a side as PNG; None for a key that no bench gave out."""
        return await self._find(lambda bench: bench.picture(key, width))

    async def _find(self, ask: Callable[[Bench], T | None]) -> T | None:
        """Return the first bench's answer that isn't None."""

        def find() -> T | None:
            answers = map(ask, (*self.benches.values(), *self._others))
            return next((each for each in answers if each is not None), None)

        return await self.do(DRAWING, find)

    async def _idle(self) -> bool:
        """Do a little idle work; return True if there was some."""
        loop = asyncio.get_running_loop()
        for variant, bench in list(self.benches.items()):
            if not bench.is_idle:
                self._tell(variant, await loop.run_in_executor(self._thread, bench.idle, IDLE_S))
                self._idled = time.monotonic()
                return True
        return False

    async def _next(self) -> _Work:
        """Wait for a request, and do idle work meanwhile."""
        while self._queue.empty():
            rest: float | None = self._rest()
            if rest is not None and rest <= 0:
                if await self._idle():
                    continue
                rest = None
            with suppress(TimeoutError):
                return await asyncio.wait_for(self._queue.get(), rest)
        return self._queue.get_nowait()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:  # a cancellation may be lost if the task wakes in the same turn
            work = await self._next()
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
            # Pages wait for these.
            if work.urgency == DRAWING:
                self._busy = time.monotonic()
            elif work.urgency == REFRESHING and self.hub.listeners:
                self._busy = self._idled = time.monotonic()


Progress = Callable[[str, int, int], None]

MOST_LINE = 64 * 1024 * 1024
"""Bytes of an answer: a report of a large game has some MB."""
REST_S = 60.0
"""Seconds without work after which a process ends, to free its memory."""


class FailedError(Exception):
    """A failed task; `findings` are the reasons, as plain data."""

    def __init__(self, findings: list[dict[str, Any]]) -> None:
        super().__init__("; ".join(each["message"] for each in findings))
        self.findings = findings


def died() -> FailedError:
    """Return the finding for a process that ended without an answer."""
    message = "the work was stopped before it was done"
    finding = Finding(Severity.ERROR, "preview/ended", message, None, "check that there is enough memory")
    return FailedError(plain_findings([finding]))


class Lane:
    """Runs one task at a time in its own process."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._resting: asyncio.TimerHandle | None = None
        self._ending: list[Process] = []

    async def do(
        self, kind: str, order: Mapping[str, Any], progress: Progress = lambda step, done, total: None
    ) -> dict[str, Any]:
        """Run a task when it is its turn. Raises FailedError; canceling it ends the process."""
        async with self._turn:
            if self._resting is not None:
                self._resting.cancel()
            done = False
            try:
                answer = await self._ask(kind, order, progress)
                done = True
            finally:
                if not done:
                    self.stop()
                self._resting = asyncio.get_running_loop().call_later(REST_S, self._rest)
        if "findings" in answer:
            raise FailedError(answer["findings"])
        result: dict[str, Any] = answer["result"]
        return result

    def stop(self) -> None:
        """End the process, even a busy one."""
        if self._resting is not None:
            self._resting.cancel()
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            self._ending = [each for each in self._ending if each.returncode is None] + [process]

    async def close(self) -> None:
        """End the process, and wait for it and all that were stopped before it."""
        self.stop()
        for process in self._ending:
            await process.wait()
        await asyncio.sleep(0)  # their pipes are closed in the loop's next turn

    def _rest(self) -> None:
        if not self._turn.locked():
            self.stop()

    async def _ask(self, kind: str, order: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"kind": kind, "order": dict(order)}).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                answer: dict[str, Any] = json.loads(line)
                if "progress" not in answer:
                    return answer
                progress(*answer["progress"])
        except (ConnectionError, ValueError):
            pass
        raise died()


async def _start() -> Process:
    # -P: never import a module from the current folder, which may be a stranger's.
    command = (sys.executable, "-P", "-m", "cardgen.workbench.server.child")
    return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=MOST_LINE)


MOST_WAITING = 500
"""Events that wait for one page; a slower page is disconnected, and loads everything again."""
HEARTBEAT_S = 15.0
"""Seconds of silence after which a page gets an empty event, which reveals dead connections."""


class Hub:
    """Sends events to all listeners."""

    def __init__(self) -> None:
        self.listeners: set[asyncio.Queue[str | None]] = set()

    def send(self, kind: str, content: Any) -> None:
        """Send an event to all pages. `content` is plain data."""
        text = event(kind, content)
        for queue in list(self.listeners):
            if queue.qsize() >= MOST_WAITING:
                self.listeners.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(text)

    def close(self) -> None:
        """Disconnect all pages."""
        for queue in self.listeners:
            queue.put_nowait(None)
        self.listeners.clear()

    async def listen(self, hello: Any) -> AsyncIterator[str]:
        """Yield all new events, `hello` before them."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.listeners.add(queue)
        try:
            yield event("hello", hello)
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), HEARTBEAT_S)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if text is None:
                    return
                yield text
        finally:
            self.listeners.discard(queue)


def event(kind: str, content: Any) -> str:
    """Return an event in its wire format. JSON has no line breaks of its own, which would end the event."""
    return f"event: {kind}\ndata: {as_json(content)}\n\n"
