"""What is to be put on the web so that other players see a table: a folder to push as it is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cardgen.exporting.job import ExportJob, PlannedFile
from cardgen.findings import UsageError

NO_JEKYLL = ".nojekyll"
"""An empty file by which GitHub Pages takes a folder as it is."""


def published(job: ExportJob, files: Iterable[PlannedFile]) -> list[PlannedFile]:
    """The pictures and books `files`, with copies in the folder of `--publish` under the same names, and
    what a host wants besides. Nothing in that folder is ever removed. UsageError without an address."""
    chosen = job.text("publish")
    if chosen is None:
        return list(files)
    if job.text("base-url") is None:
        message = "--publish needs the address at which the folder will be found"
        raise UsageError(message, "add --base-url https://…")
    try:
        folder = Path(os.path.realpath(Path(chosen).expanduser()))
    except RuntimeError:
        raise UsageError(f"--publish '{chosen}' can't be found", "write it without ~") from None
    if folder == job.folder or job.folder.is_relative_to(folder) or folder.is_relative_to(job.folder):
        raise UsageError("--publish takes a folder of its own, not that of the export", "--publish public")
    whole = [replace(file, also=(*file.also, folder / file.name)) for file in files]
    marker = PlannedFile.of(f"publish/{NO_JEKYLL}", b"")
    return [*whole, replace(marker, closing=True, also=(folder / NO_JEKYLL,))]
