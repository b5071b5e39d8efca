"""Which files were saved: the system's own notices, or looking again and again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from watchfiles import Change, awatch

from cardgen.project import INPUT_FOLDERS, Project, bundled_root

STEP_MS, DEBOUNCE_MS = 5, 200
"""A save is seen at the latest so long after it; a burst of saves that goes on without a pause of one step
is seen as one after so long."""


async def saves(project: Project, *, poll: bool = False) -> AsyncIterator[set[str]]:
    """The paths that changed in a project's input folders, each time some did. Folders that come later are
    seen as well; with `poll`, by looking at all files, for drives that send no notices."""
    roots = [project.root]
    bundled = bundled_root()
    if bundled != project.root and (bundled / "pyproject.toml").is_file():
        roots.append(bundled)  # a checkout, whose files are edited too
    watched = [str(root) for root in roots]

    def counts(change: Change, path: str) -> bool:
        return any(_is_input(Path(path), root) for root in roots)

    async for changes in awatch(
        *watched, watch_filter=counts, step=STEP_MS, debounce=DEBOUNCE_MS, force_polling=poll or None
    ):
        yield {path for _, path in changes}


def _is_input(path: Path, root: Path) -> bool:
    if not path.is_relative_to(root):
        return False
    parts = path.relative_to(root).parts
    return bool(parts) and parts[0] in INPUT_FOLDERS
