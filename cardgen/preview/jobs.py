"""What a designer has done from the page: builds and exports, one after the other, with their progress."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from cardgen.findings import UsageError
from cardgen.preview.lanes import FailedError, Lane
from cardgen.preview.rooms import Room
from cardgen.storage.reading import OUTPUT, ReadingError, read_file

OPTIONS: dict[str, frozenset[str]] = {
    "build": frozenset(
        (
            "sheets",
            "components",
            "cards",
            "paper",
            "duplex",
            "low_ink",
            "language",
            "keep_going",
            "changed_since",
        )
    ),
    "export": frozenset(("to", "components", "low_ink", "language")),
    "report": frozenset(("language",)),
    "proof": frozenset(("component", "card", "low_ink", "language")),
}
"""What may be asked for, and what may be said of it."""
SHOWN = {".pdf": "application/pdf", ".png": "image/png", ".html": "text/html; charset=utf-8"}
"""Files that a browser shows, by their ending; of others the page says where they are."""
MOST_KEPT = 50
"""Jobs that are remembered."""

Plain = dict[str, Any]


class Jobs:
    """The jobs of this run, as plain data: see `plain`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lane = Lane()
        self._jobs: dict[int, Plain] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._begun = 0

    def plain(self) -> list[Plain]:
        """All jobs, the newest last."""
        return list(self._jobs.values())

    def begin(self, kind: str, options: Plain) -> int:
        """Have something done; its number. Raises UsageError for what can't be asked for."""
        if kind not in OPTIONS:
            raise UsageError(f"'{kind}' is not one of {', '.join(OPTIONS)}")
        if unknown := sorted(set(options) - OPTIONS[kind]):
            raise UsageError(f"a {kind} knows no '{unknown[0]}'")
        self._begun += 1
        job: Plain = {
            "id": self._begun,
            "kind": kind,
            "options": options,
            "step": "",
            "done": 0,
            "total": 0,
            "state": "running",
            "files": [],
            "findings": [],
            "seconds": 0.0,
        }
        self._jobs[job["id"]] = job
        self._tasks[job["id"]] = asyncio.create_task(self._run(job))
        for old in list(self._jobs)[:-MOST_KEPT]:
            if old not in self._tasks:
                del self._jobs[old]
        return self._begun

    def stop(self, number: int) -> bool:
        """Stop a job; whether there is one to stop."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
        return task is not None

    async def file(self, number: int, index: int) -> tuple[bytes, str, str] | None:
        """A file that a job has made: content, media type and name. None where there is none, or none that
        a browser shows: only what the job itself said it wrote, and only within the project."""
        job = self._jobs.get(number)
        if job is None or not 0 <= index < len(job["files"]):
            return None
        path = Path(job["files"][index]["path"])
        kind = SHOWN.get(path.suffix.lower())
        if kind is None:
            return None
        within = (self._room.project.root,)
        try:
            content = await asyncio.to_thread(read_file, path, OUTPUT, path.name, within)
        except ReadingError:
            return None
        return content, kind, path.name

    async def close(self) -> None:
        """End, with the process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._lane.close()

    async def _run(self, job: Plain) -> None:
        began = time.monotonic()

        def progress(step: str, done: int, total: int) -> None:
            job.update(step=step, done=done, total=total)
            self._room.hub.send("job", job)

        order = {**job["options"], "project": str(self._room.project.root), "game": self._room.game}
        try:
            result = await self._lane.do(job["kind"], order, progress)
            job.update(state="done", files=result["files"], findings=result["findings"])
        except FailedError as error:
            job.update(state="failed", findings=error.findings)
        except asyncio.CancelledError:
            job.update(state="stopped")
        finally:
            self._tasks.pop(job["id"], None)
        job["seconds"] = round(time.monotonic() - began, 2)
        self._room.hub.send("job", job)
