"""`cardgen watch`: build a game's sheets again whenever one of its files is saved.

An error doesn't end the watch: findings are reported like written files, and the next save can fix them.
Changes come from the system's own notices (polled if WATCHFILES_FORCE_POLLING is set). The build itself
detects if it is up to date.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.build.build import build
from cardgen.commands.production.choices import BuildOptions, BuildResult
from cardgen.commands.production.stamping import Progress
from cardgen.core.findings import CardgenError, Finding, UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import INPUT_FOLDERS, Project

if TYPE_CHECKING:
    from concurrent.futures import Executor


_LOOK = 500
"""Milliseconds between checks for folders that were created, deleted or replaced."""
_QUIET = 50
"""Milliseconds without a change that end a save; programs write in several steps."""
_LONGEST = 400
"""Milliseconds after which a build begins even if there are more changes."""

Held = Callable[[], AbstractContextManager[None]]
"""Returns a context that limits one build."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """One build of a watch: its result (None after errors), its messages, and its seconds."""

    result: BuildResult | None
    findings: tuple[Finding, ...]
    seconds: float


def watch(
    options: BuildOptions,
    *,
    project: Project | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    held: Held = nullcontext,
) -> Iterator[Rebuilt]:
    """Build a game, then again after each change of its files, forever. Builds without changes are not
    reported. Each build runs within `held`.

    Raises UsageError if the first build has an unknown name, or there are no files to watch.
    """
    project = project or Project.open()
    if not _watched(project, options):
        raise UsageError(
            f"there is nothing to watch in {project.root}",
            "name a project folder: cardgen watch --project FOLDER",
        )
    make = partial(build, options, project=project, progress=progress, executor=executor)
    yield _rebuilt(make, held, first=True)
    while True:
        watched = _watched(project, options)
        unseen = True  # files may have changed before the watch began
        for changed in _changes(watched):
            if changed or unseen:
                unseen = False
                rebuilt = _rebuilt(make, held)
                if rebuilt.result is None or not rebuilt.result.up_to_date:
                    yield rebuilt
            if _watched(project, options) != watched:
                break
        while not _watched(project, options):  # the whole project was replaced
            time.sleep(_LOOK / 1000)


def _changes(places: Iterable[Path]) -> Iterator[bool]:
    """Yield True on a change, False if there is none for a while; end if one of the places is deleted."""
    from watchfiles import watch as changes

    try:
        for changed in changes(
            *places,
            debounce=_LONGEST,
            step=_QUIET,
            rust_timeout=_LOOK,
            yield_on_timeout=True,
            raise_interrupt=True,
        ):
            yield bool(changed)
    except FileNotFoundError:
        return


def _watched(project: Project, options: BuildOptions) -> dict[Path, int]:
    """Return the existing files and folders to watch, each with its inode: a replaced file is watched
    again."""
    places = [project.root / folder for folder in INPUT_FOLDERS]
    if options.deck is not None:
        places.append(Path(os.path.realpath(options.deck)))
    found = {}
    for place in places:
        try:
            found[place] = place.stat().st_ino
        except OSError:
            continue
    return found


def _rebuilt(make: Callable[[], BuildResult], held: Held, *, first: bool = False) -> Rebuilt:
    start = time.perf_counter()
    result = None
    try:
        with held():
            result = make()
        findings = result.findings
    except UsageError as error:
        if first:
            raise
        findings = error.findings
    except CardgenError as error:
        findings = error.findings
    except OSError as error:  # a file deleted while it is read
        findings = (Finding.of_system(error),)
    return Rebuilt(result, findings, time.perf_counter() - start)
