"""Where results may be written: where the user said, and never through a link out of the project."""

from __future__ import annotations

import os
from pathlib import Path

from cardgen.findings import CardgenError, Finding, Location, Severity
from cardgen.storage.reading import Name, is_inside, leads_through
from cardgen.storage.walking import walk

MOST_OUTPUTS = 1_000_000
"""Most files in a game's output folder."""


def check_place(folder: Path, project: Name, *, within: bool = True) -> None:
    """Raise CardgenError output/outside where `folder`, or a link `within` it, leads out of the project
    folder that one gets to it by.

    A folder that is not reached through the project is the user's own choice, with all links in it.
    """
    root = os.path.realpath(project)
    if not leads_through(folder, root):
        return
    real = os.path.realpath(folder)
    if not is_inside(real, [root]):
        raise _outside(folder, real)
    for link in walk(real, folder.name, [root], most=MOST_OUTPUTS).outside if within else ():
        raise _outside(Path(link), os.path.realpath(link))


def _outside(folder: Path, real: str) -> CardgenError:
    message = f"a link here leads out of the project, to {real}"
    hint = "delete the link, or say with --output where files are to go"
    return CardgenError(
        Finding(Severity.ERROR, "output/outside", message, Location(folder.as_posix()), hint)
    )
