"""Long work for the page: builds, checks, sheets and changes since a revision."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.core.findings import UsageError
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import Project, bundled_root
from cardgen.files.reading import OUTPUT, ReadingError, read_file
from cardgen.workbench.server.rooms import OPENING, FailedError, Room, Variant, finding_key
from cardgen.workbench.server.uploads import Uploads
from cardgen.workbench.states import State
from cardgen.workbench.tasks import JOBS

if TYPE_CHECKING:
    from cardgen.workbench.bench import Bench


SHOWN = {".pdf": "application/pdf", ".png": "image/png", ".html": "text/html; charset=utf-8"}
"""Files that a browser can show, by their ending; the page gives the paths of others."""
MOST_KEPT = 50
"""Jobs in memory."""

Plain = dict[str, Any]


class Jobs:
    """The jobs of this run, as plain data: see `plain`."""

    def __init__(self, room: Room, folder: Path) -> None:
        self._room, self._lane = room, room.lane()
        self.uploads = Uploads(folder / "uploads")
        self._jobs: dict[int, Plain] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._begun = 0

    def plain(self) -> list[Plain]:
        """Return all jobs, the newest last."""
        return list(self._jobs.values())

    def begin(self, kind: str, options: Plain) -> int:
        """Begin a job and return its number. Raises UsageError for an invalid order."""
        if kind not in JOBS:
            raise UsageError(f"'{kind}' is not one of {', '.join(JOBS)}")
        if unknown := sorted(set(options) - set(JOBS[kind])):
            raise UsageError(f"a {kind} knows no '{unknown[0]}'")
        sent = {}
        if "upload" in JOBS[kind]:
            sent["file"] = str(self.uploads.file(options.get("upload"), options.get("file")))
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
        self._tasks[job["id"]] = self._room.start(self._run(job, sent))
        for old in list(self._jobs)[:-MOST_KEPT]:
            if old not in self._tasks:
                del self._jobs[old]
        return self._begun

    def stop(self, number: int) -> bool:
        """Stop a job; return True if there was one."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
        return task is not None

    async def file(self, number: int, index: int) -> tuple[bytes, str, str] | None:
        """Return a file that a job has made: content, media type and name. None unless the job's own result
        lists it, it is within the project, and browsers can show it."""
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

    async def _run(self, job: Plain, sent: Plain) -> None:
        began = time.monotonic()

        def progress(step: str, done: int, total: int) -> None:
            job.update(step=step, done=done, total=total)
            self._room.hub.send("job", job)

        order = {**self._room.order(Variant()), **job["options"], **sent}
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


SOON_S, PAUSE_S = 0.15, 1.0
"""Seconds without an edit before rules are judged, and before everything is checked: pictures come
first."""


class Judge:
    """The results of rules and checks of the first variant's game, sent to the pages as they come. An edit
    lets running rules finish, and then start again; it cancels a running check. `rules` and `findings` are
    of the epoch `epoch`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._rules_lane, self._check_lane = room.lane(), room.lane()
        self._due = {"rules": asyncio.Event(), "checks": asyncio.Event()}
        self.epoch = 0
        self.rules: Plain = {"rules": [], "findings": [], "waits": None}
        self.findings: list[Plain] = []
        self.running: set[str] = set()

    def begin(self) -> None:
        """Start judging."""
        self._room.start(self._follow("rules", SOON_S, self._judge))
        self._room.start(self._follow("checks", PAUSE_S, self._check))
        self.edited()

    def edited(self) -> None:
        """Note that a file has changed."""
        for kind, due in self._due.items():
            self.running.add(kind)
            due.set()
        self._check_lane.stop()

    def plain(self) -> Plain:
        """Return the job as plain data."""
        return {
            "epoch": self.epoch,
            "running": sorted(self.running),
            "rules": self.rules["rules"],
            "waits": self.rules["waits"],
            "findings": self._slow(),
        }

    def _slow(self) -> list[Plain]:
        """Return the findings of a check that loading and laying out didn't report."""
        return [
            each
            for each in (*self.rules["findings"], *self.findings)
            if finding_key(each) not in self._room.stated
        ]

    def _tell(self) -> None:
        self._room.hub.send("checked", self.plain())

    async def _follow(self, kind: str, pause_s: float, work: Callable[[], Awaitable[None]]) -> None:
        """Run the job after each edit, following a pause without another one."""
        due = self._due[kind]
        while True:
            await due.wait()
            due.clear()
            await asyncio.sleep(pause_s)
            await self._room.quiet()
            if due.is_set():
                continue
            await work()
            if not due.is_set():
                self.running.discard(kind)
            self._tell()

    async def _judge(self) -> None:
        epoch = (await self._room.bench(self._room.first)).state.epoch
        self._tell()
        try:
            self.rules = await self._rules_lane.do("rules", self._room.order(self._room.first))
        except FailedError as error:
            self.rules = {"rules": [], "findings": error.findings, "waits": "the game can't be loaded"}
        self.epoch = epoch

    async def _check(self) -> None:
        try:
            found = (await self._check_lane.do("check", self._room.order(self._room.first)))["findings"]
        except FailedError as error:
            found = error.findings
        if not self._due["checks"].is_set():  # otherwise an edit canceled it
            self.findings = found
            self._room.forget_stated()


MOST_SHEETS = 24
"""Sheets whose files are kept for their pages; others are built again on request."""


class Asked(NamedTuple):
    """A sheet and its print options."""

    sheet: str
    variant: Variant
    paper: str
    duplex: str | None


class _Made(NamedTuple):
    saves: int
    key: str
    answer: Plain


class Sheets:
    """Sheets by their orders. Their files are in `folder`, which is deleted with the server."""

    def __init__(self, room: Room, folder: Path) -> None:
        self._room, self._folder = room, folder
        self._lane, self._painter = room.lane(), room.lane()
        self._made: dict[Asked, list[_Made]] = {}
        """The last result of each, and the one before it, which a page may still request."""
        self._running: set[Asked] = set()

    async def about(self, asked: Asked) -> Plain:
        """Return a sheet's pages, or the state of its build. Raises UsageError for an unknown sheet."""
        bench = await self._room.bench(asked.variant)
        if asked.sheet not in {sheet.name for sheet in bench.state.sheets}:
            raise UsageError(f"the game has no sheet '{asked.sheet}'")
        made = self._made[asked][-1] if asked in self._made else None
        if made is not None and made.saves == self._room.saves:
            return made.answer
        if asked not in self._running:
            self._running.add(asked)
            self._room.start(self._make(asked, self._room.saves))
        pages, key = ([], "") if made is None else (made.answer["pages"], made.key)
        return {"state": "running", "findings": [], "pages": pages, "key": key}

    async def page(self, key: str, number: int, width: int) -> bytes | None:
        """Return a page's picture as PNG, the first is 0; None if there is no such page."""
        made = next((each for some in self._made.values() for each in some if each.key == key), None)
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
            **room.order(asked.variant),
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
            self._running.discard(asked)
        made_of_it = [*self._made.pop(asked, ()), _Made(saves, key, answer)]
        self._made[asked], gone = made_of_it[-2:], made_of_it[:-2]
        while len(self._made) > MOST_SHEETS:
            gone += self._made.pop(next(iter(self._made)))
        for each in gone:
            await asyncio.to_thread(shutil.rmtree, self._folder / each.key, ignore_errors=True)
        room.hub.send("sheet", {"name": asked.sheet, "state": answer["state"]})


MOST_OLD = 3
"""Old states in memory for their pictures."""


class Changes:
    """Compares game states, in its own process; benches of the room draw the pictures of old states."""

    def __init__(self, room: Room) -> None:
        self._room, self._lane = room, room.lane()
        self._known: dict[tuple[str, Variant, int], Plain] = {}
        self._benches: dict[tuple[str, Variant], Bench] = {}

    async def revisions(self) -> Plain:
        """Return the revisions to compare with. Raises FailedError if there is no repository."""
        return await self._lane.do("revisions", self._room.order(Variant()))

    async def since(self, rev: str, variant: Variant) -> Plain:
        """Return the changes since a revision. Raises FailedError for an unknown one."""
        bench = await self._room.bench(variant)
        saves = self._room.saves
        found = await self._lane.do(
            "since", {**self._room.order(variant), "rev": rev, "low_ink": variant.low_ink}
        )
        known = found["commit"], variant, saves
        if known not in self._known:
            old = await self._old(found["commit"], Path(found["root"]), variant)
            await self._room.know_sides(old)
            await self._room.know_sides(bench)
            self._known = {known: _answer(found, old.state, bench.state)}
        return {"rev": rev, **self._known[known]}

    async def _old(self, commit: str, root: Path, variant: Variant) -> Bench:
        key = commit, variant
        if key not in self._benches:
            while len(self._benches) >= MOST_OLD:
                self._room.discard(self._benches.pop(next(iter(self._benches))))
            paths = self._room.project.paths.roots
            roots = (root,) if self._room.project.root == bundled_root() else (root, *paths[1:])
            project = Project(root, ProjectFolders(roots))
            from cardgen.workbench.bench import Bench

            bench = Bench(project, self._room.game, language=variant.language, low_ink=variant.low_ink)
            await self._room.do(OPENING, partial(bench.refresh, whole=True))
            self._benches[key] = bench
            self._room.add(bench)
        return self._benches[key]


def _answer(found: Plain, old: State, new: State) -> Plain:
    """Return differences with the keys of pictures."""
    before = {card.place: card for card in old.cards}
    after = {card.place: card for card in new.cards}

    def sides(change: Plain) -> Plain:
        was = before.get((change["component"], change["card"]))
        now = after.get((change["component"], change["card"]))
        keys: Plain = {}
        for name in ("face", "back"):
            pair = {
                "old": side.key if was is not None and (side := getattr(was, name)) else None,
                "new": side.key if now is not None and (side := getattr(now, name)) else None,
            }
            alike = change["kind"] == "changed" and name not in change["looks_different"]
            keys[name] = None if alike else pair
        return {**change, "id": change["card"], **keys}

    cards = [sides(change) for change in found["cards"]]
    return {
        "commit": found["commit"],
        "changed": [change for change in cards if change["kind"] == "changed"],
        "new": [change for change in cards if change["kind"] == "new"],
        "removed": [change for change in cards if change["kind"] == "removed"],
        "settings": found["settings"],
        "uncompared": found["uncompared"],
        "notes": found["notes"],
    }
