"""Drawing by the workers of a Dask cluster: one that runs already, or one on this machine.

Workers need cardgen, but no project folder. They get its files by digest, each once, as results of tasks,
which the scheduler makes again if a worker is lost. It gives a lost worker's sides to the others too.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from cardgen.commands.production.workers import (
    Chunk,
    DrawnChunk,
    contents_of,
    differences,
    draw_chunk,
    draw_from,
    environment,
    unlike,
)
from cardgen.core.findings import CardgenError, Finding, Severity, UsageError
from cardgen.core.progress import tell
from cardgen.core.records import replace
from cardgen.files.listing import ProjectFolders, walk
from cardgen.files.memory import hold
from cardgen.files.project import DRAWN_FROM, bundled_root
from cardgen.files.reading import PICTURE, read_file

MOST_LOCAL = 256
CONNECT_S = 20.0
"""Seconds to reach a scheduler."""
NO_WORKER_S = 60.0
"""Seconds without any worker until the build ends: a restarted worker is back after some 5."""
_LOOK_S = 2.0
"""Seconds between two looks at the cluster, while waiting."""
_MOST_UNSENT = 32_000_000
"""Bytes of files on their way to the scheduler at a time, for the memory of this process."""
_SETTINGS = {
    # Client and scheduler log their last thousand messages with their content.
    "distributed.admin.low-level-log-length": 1,
    # A file is a large message, and meant to be.
    "distributed.admin.large-graph-warning-threshold": "4GB",
}
_LOCAL = re.compile(r"local:(\d{1,6})")
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}")


def cluster(address: str) -> Executor:
    """Return an executor for `build` that draws on a Dask cluster. Close it, or use it in a `with` block.

    The cluster is started or reached once there is enough to draw. Its workers need the same versions of
    cardgen and of its libraries, but not the project's files.

    Args:
        address: A scheduler's, such as `tcp://10.0.0.5:8786`; or `local:4` for four processes of this
            machine.

    Raises:
        UsageError: No such form of an address, or the package `distributed` is missing.

    Example:
        with cardgen.cluster("local:2") as executor:
            cardgen.build(cardgen.BuildOptions("night-market"), executor=executor)
    """
    return ClusterExecutor(address)


class ClusterExecutor(Executor):
    """Sends chunks to a cluster. Raises CardgenError `build/cluster` if it can't be reached or used, and
    `build/worker` if a worker has other versions."""

    def __init__(self, address: str) -> None:
        local = _LOCAL.fullmatch(address)
        self._count = int(local[1]) if local else 0
        if (local and not 1 <= self._count <= MOST_LOCAL) or not (local or _ADDRESS.fullmatch(address)):
            message = f"--cluster {address} is no scheduler's address"
            hint = f"write tcp://HOST:8786, or local:N for N processes, 1 to {MOST_LOCAL}, of this machine"
            raise UsageError(message, hint)
        try:
            import distributed
        except ImportError:
            message = "--cluster needs the package distributed"
            raise UsageError(message, "install it: pip install 'cardgen[dask]'") from None
        self._distributed: Any = distributed
        self._address = address
        self._open = ExitStack()
        self._client: Any = None
        self._files: dict[str, Any] = {}
        """Tasks whose results are files, by digest."""
        self._sent: tuple[str, tuple[str, ...] | None, list[Any]] = ("", None, [])
        """The likeness of the last project's files, their names, and their tasks."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a chunk with `draw_chunk`; nothing else is sent."""
        (chunk,) = args
        assert fn is draw_chunk
        if self._client is None:
            self._start()
        with _reported(self._address):
            names, files = self._sent_files(chunk)
            bare = replace(chunk, roots=())
            return _Answer(self, self._client.submit(draw_sent, bare, names, files, pure=False))

    @property
    def address(self) -> str:
        """Return the address of the scheduler, after starting our own."""
        if self._count and self._client is None:
            self._start()
        return str(self._client.scheduler.address) if self._count else self._address

    def reach(self) -> None:
        """Connect to a scheduler unless a build has done so, to notice a wrong address. Raises
        CardgenError."""
        if self._client is None and not self._count:
            self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; end it if it is our own."""
        self._files, self._sent = {}, ("", None, [])
        self._client = None
        self._open.close()

    def wait(self, task: Any) -> Any:
        """Return the result of a task, or raise CardgenError if the cluster can't give one."""
        alone_since: float | None = None
        with _reported(self._address):
            while True:
                try:
                    return task.result(timeout=_LOOK_S)
                except TimeoutError:
                    if task.done():  # just now
                        return task.result()
                if self._client.nthreads():
                    alone_since = None
                    continue
                alone_since = alone_since or time.monotonic()
                if time.monotonic() - alone_since > NO_WORKER_S:
                    raise _lost(f"{self._address} has had no worker for {NO_WORKER_S:g} s", _START)

    def _start(self) -> None:
        """Start or reach the cluster, and compare the versions of its workers with ours."""
        import dask.config

        tell("starting the cluster")
        self._open.enter_context(_silenced())
        self._open.enter_context(dask.config.set(_SETTINGS))
        with _reported(self._address):
            place: Any = self._address
            if self._count:
                place = self._open.enter_context(
                    self._distributed.LocalCluster(
                        n_workers=self._count, threads_per_worker=1, dashboard_address=None
                    )
                )
            client = self._distributed.Client(place, timeout=CONNECT_S, set_as_default=False)
            self._client = self._open.enter_context(client)
            try:
                client.wait_for_workers(1, timeout=NO_WORKER_S)
            except TimeoutError:
                message = f"no worker joined {self._address} within {NO_WORKER_S:g} s"
                raise _lost(message, _START) from None
            found = client.run(differences, environment(), on_error="return")
        for worker, differing in sorted(found.items()):
            if isinstance(differing, OSError):  # it has left
                continue
            if isinstance(differing, Exception):
                differing = ("cardgen is missing or another version",)
            if differing:
                raise unlike(worker, differing)

    def _sent_files(self, chunk: Chunk) -> tuple[tuple[str, ...] | None, list[Any]]:
        """Return the names of a project's own files, and the tasks that have them; send new ones. None
        instead of names for the bundled project, which every worker has."""
        if self._sent[0] == chunk.likeness:
            return self._sent[1:]
        paths = ProjectFolders(tuple(map(Path, chunk.roots)))
        root = paths.roots[0]
        names: tuple[str, ...] | None = None
        tasks: dict[str, Any] = {}
        own = []
        if root != bundled_root():
            _refuse_linked_folders(paths)
            own = [each for each in contents_of(paths, chunk.settings.game) if each.root == 0]
            names = tuple(each.name for each in own)
        waiting, unsent = [], 0
        for number, each in enumerate(own):
            tell("sending files", number, len(own))
            task = self._files.get(each.digest) or tasks.get(each.digest)
            if task is None:
                content = read_file(root / each.name, PICTURE, each.name, paths.roots)
                task = self._client.submit(_same, content, key=f"cardgen-{each.digest}")
                waiting.append(task)
                unsent += len(content)
            tasks[each.digest] = task
            if unsent > _MOST_UNSENT:
                for sent in waiting:
                    self.wait(sent)
                waiting, unsent = [], 0
        self._files = tasks
        self._sent = (chunk.likeness, names, [tasks[each.digest] for each in own])
        return self._sent[1:]


class _Answer(Future[DrawnChunk]):
    """A chunk that workers draw."""

    def __init__(self, executor: ClusterExecutor, task: Any) -> None:
        super().__init__()
        self._executor, self._task = executor, task

    def result(self, timeout: float | None = None) -> DrawnChunk:
        drawn: DrawnChunk = self._executor.wait(self._task)
        return drawn

    def cancel(self) -> bool:
        self._task.cancel()
        return True


_START = "start one: dask worker tcp://HOST:8786 --nworkers auto --nthreads 1"


def _lost(message: str, hint: str) -> CardgenError:
    return CardgenError(Finding(Severity.ERROR, "build/cluster", message, None, hint))


@contextmanager
def _reported(address: str) -> Iterator[None]:
    """Turn the errors of a cluster into findings."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        message = f"workers of {address} ended again and again while they drew the same cards"
        raise _lost(message, "give each worker more memory, or build without --cluster") from error
    except (OSError, CancelledError) as error:
        hint = "start a scheduler (dask scheduler), and check its address and the network"
        raise _lost(f"{address} can't be reached", hint) from error


@contextmanager
def _silenced() -> Iterator[None]:
    """Silence what Dask logs, such as a lost worker."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = {logger: logger.disabled for logger in map(logging.getLogger, names)}
    for logger in before:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was_disabled in before.items():
            logger.disabled = was_disabled


def _refuse_linked_folders(paths: ProjectFolders) -> None:
    """Raise CardgenError for a link to a folder, whose files would be sent under their real names alone."""
    root = paths.roots[0]
    for folder in DRAWN_FROM:
        for link, target in walk(root / folder, folder, paths.roots).links:
            if os.path.isdir(target):
                message = (
                    f"{os.path.relpath(link, root)} is a link to a folder, which can't be sent to workers"
                )
                raise _lost(message, "copy the folder, or build with --jobs")


# ---------------------------------------------------------------- in a worker


def _same(content: bytes) -> bytes:
    """Return a file. As the result of a task it is made again if its worker is lost."""
    return content


def draw_sent(chunk: Chunk, names: tuple[str, ...] | None, files: list[bytes]) -> DrawnChunk:
    """Draw a chunk from files that were sent, and from the bundled ones of this worker."""
    folders = _folders.get(chunk.likeness)
    if folders is None:
        if len(_folders) >= _MOST_KEPT:
            _folders.clear()
        folders = ProjectFolders((bundled_root(),))
        if names is not None:
            held = hold(dict(zip(names, files, strict=True)))
            folders = ProjectFolders((held.root, bundled_root()), held)
        _folders[chunk.likeness] = folders
    return draw_from(folders, chunk)


_folders: dict[str, ProjectFolders] = {}
"""The projects of the last chunks, by the likeness of their files."""
_MOST_KEPT = 2
