"""`cardgen build`: update a game's sheets and files for cutting machines.

A build first asks its stamp whether anything changed; only then are the stages imported.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.choices import BuildOptions, BuildResult, OutputFile, language_asked
from cardgen.commands.production.stamping import Progress, recalled, unless_done
from cardgen.commands.production.turns import in_turn
from cardgen.core.progress import told_to
from cardgen.core.records import replace
from cardgen.files.cache import Outputs, Stamp, stat_files
from cardgen.files.changes import tidy
from cardgen.files.project import Project, current_folder

if TYPE_CHECKING:
    from concurrent.futures import Executor


@in_turn
def build(
    options: BuildOptions,
    *,
    project: Project | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> BuildResult:
    """Write a game's sheets as PDFs, except those that are up to date.

    Nothing is written unless every sheet is valid, or `options.keep_going` is set. Then all files
    appear together, each whole, the manifest last.

    Args:
        project: The default is the current folder's project.
        progress: Called with a stage, the number of finished steps, and their total.
        executor: An executor of `concurrent.futures`, or one like it (such as that of a Dask cluster),
            whose workers lay out and draw new sides. They need the project at the same path.
            The files are byte for byte the same.

    Raises:
        UsageError: No such game, sheet, paper or other name in the options.
        CardgenError: Errors in the game's files, all of them.

    Example:
        result = cardgen.build(cardgen.BuildOptions("night-market", paper="a4"))
        for file in result.files:
            print(file.path, file.pages)
    """
    start = time.perf_counter()
    project = project or Project.open()
    if options.since is not None:
        from cardgen.commands.compare.differences import commit_asked

        options = replace(options, since=commit_asked(options, project))
    for below in {(), language_asked(options.language)}:
        tidy(project.output(options.game, options.output, *below))

    def make() -> tuple[BuildResult, Outputs]:
        from cardgen.commands.build.sheet_files import SheetBuild

        run = SheetBuild(options, project, executor, start)
        with told_to(progress):
            return run.run(), run.outputs

    return unless_done(
        Stamp("build", str(project.root), str(current_folder()), repr(options)),
        lambda: project.fingerprint(options.game) + _surroundings(options),
        make,
        lambda known: _remembered(known, time.perf_counter() - start),
    )


def _surroundings(options: BuildOptions) -> list[tuple[str, int, int]]:
    """Return everything besides the project's files that affects a build."""
    paths = []
    if options.printer:
        from cardgen.game.facts import profile_path

        paths.append(profile_path(options.printer))
    if options.press is not None and Path(options.press.profile or "").suffix:
        paths.append(Path(os.path.realpath(options.press.profile or "")))
    if options.deck:
        paths.append(Path(os.path.realpath(options.deck)))
    return [(f"SOURCE_DATE_EPOCH={os.environ.get('SOURCE_DATE_EPOCH')}", 0, 0), *stat_files(paths)]


def _remembered(known: Any, seconds: float) -> BuildResult:
    """Return the result stored in a stamp. Its warnings are repeated until they are fixed."""
    files = tuple(OutputFile(**file) for file in known["files"])
    return BuildResult(files, known["manifest"], recalled(known["findings"]), True, seconds)
