"""Build several games at once, each in a process of its own, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.build.build import build
from cardgen.commands.production.choices import BuildOptions, BuildResult
from cardgen.commands.production.stamping import Progress, processes
from cardgen.core.findings import CardgenError, Finding, Severity, UsageError
from cardgen.core.records import replace
from cardgen.files.project import Project

if TYPE_CHECKING:
    from concurrent.futures import Executor

Built = tuple[str, BuildResult | CardgenError]
"""A game's id, and its result or its errors."""


def build_games(
    options: BuildOptions,
    games: Sequence[str],
    project: Project,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Built]:
    """Yield the games' results in their order. Up to `jobs` are built at once, and share the processes
    or the `cluster` with this address. A game with errors stops no other.

    Raises UsageError for wrong options, CardgenError for a cluster that can't be reached.
    """
    at_once = min(jobs, len(games))
    with ExitStack() as stack:
        shared = None
        if cluster is not None:
            from cardgen.commands.production.cluster import ClusterExecutor

            shared = stack.enter_context(ClusterExecutor(cluster))
        if at_once < 2:
            executor = shared or stack.enter_context(processes(jobs))
            for game in games:
                yield game, _built(replace(options, game=game), project, progress, executor)
        else:
            place = None if shared is None else shared.address
            yield from _at_once(options, games, project, at_once, jobs // at_once, place, progress)
        if shared is not None:
            shared.reach()


def _built(
    options: BuildOptions, project: Project, progress: Progress | None, executor: Executor | None
) -> BuildResult | CardgenError:
    try:
        return build(options, project=project, progress=progress, executor=executor)
    except UsageError:
        raise
    except CardgenError as error:
        return error


def _at_once(
    options: BuildOptions,
    games: Sequence[str],
    project: Project,
    at_once: int,
    jobs: int,
    cluster: str | None,
    progress: Progress | None,
) -> Iterator[Built]:
    """Yield the games' results, each built by a process that has `jobs` of its own, or the cluster."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    root = str(project.root)
    with processes(at_once) as pool:
        assert pool is not None
        asked = (replace(options, game=game) for game in games)
        tasks = [pool.submit(_build_one, each, root, jobs, cluster) for each in asked]
        for number, _ in enumerate(as_completed(tasks), start=1):
            if progress is not None:
                progress("building games", number, len(games))
        for game, task in zip(games, tasks, strict=True):
            try:
                yield game, task.result()
            except BrokenProcessPool:
                message = f"the process that built '{game}', or one beside it, ended"
                hint = "build fewer games at once, which needs less memory: cardgen build --all --jobs 1"
                yield game, CardgenError(Finding(Severity.ERROR, "build/executor", message, None, hint))


def _build_one(
    options: BuildOptions, root: str, jobs: int, cluster: str | None
) -> BuildResult | CardgenError:
    """Build a game in this process, which was started for it."""
    from cardgen.commands.production.cluster import ClusterExecutor

    with processes(jobs) if cluster is None else ClusterExecutor(cluster) as executor:
        return _built(options, Project.open(Path(root)), None, executor)
