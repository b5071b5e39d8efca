"""Where Tabletop Simulator keeps a user's files."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from cardgen.findings import Findings, Location

SAVED_OBJECTS = Path("Saves", "Saved Objects")
HINT = "name the folder that holds its Saves (it has one after its first start): --tts-dir DIR"


def default_folder(platform: str = sys.platform, home: Path | None = None) -> Path:
    """The game's data folder on Windows, macOS and Linux (knowledge base, Technical Info)."""
    home = home or Path.home()
    if platform == "win32":
        return home / "Documents" / "My Games" / "Tabletop Simulator"
    if platform == "darwin":
        return home / "Library" / "Tabletop Simulator"
    return home / ".local" / "share" / "Tabletop Simulator"


def saved_objects(chosen: str | None, title: str, findings: Findings) -> Path | None:
    """The folder for a game's saved objects, below the data folder `chosen` or the usual one. None, after
    a finding, where that is not the game's data folder or nothing can be written to it."""
    try:
        folder = default_folder() if chosen is None else Path(chosen).expanduser().absolute()
    except RuntimeError:  # ~nobody, or no home at all
        what = f"the folder '{chosen}'" if chosen is not None else "your home folder"
        findings.error("tts/folder", f"{what} can't be found", None, HINT)
        return None
    saves = folder / SAVED_OBJECTS.parent
    problem = None
    if chosen == "" or not os.path.exists(folder):
        problem = "does not exist"
    elif not os.path.isdir(folder):
        problem = "is no folder"
    elif not os.path.exists(saves):
        problem = "has no Saves in it, so it is not where Tabletop Simulator keeps its files"
    if problem is not None:
        place = Location(folder.as_posix() if chosen != "" else "--tts-dir")
        findings.error("tts/folder", f"the folder of Tabletop Simulator {problem}", place, HINT)
        return None
    inner = folder / SAVED_OBJECTS / file_name(title)
    for path in (inner, inner.parent, saves):
        if os.path.exists(path):
            if not os.path.isdir(path) or not os.access(path, os.W_OK | os.X_OK):
                place = Location(path.as_posix())
                findings.error("tts/folder", "nothing can be written to this folder", place, HINT)
                return None
            break
    return inner


def file_name(title: str) -> str:
    """A title as the name of a file or folder on any system."""
    name = re.sub(r'[<>:"/\\|?*\x00-\x1f]+', " ", title)
    name = " ".join(name.split()).rstrip(". ")
    return name or "game"
