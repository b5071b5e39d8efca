"""Starters: small games, each of another kind, that `cardgen new --template` copies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cardgen.findings import UsageError, nearest
from cardgen.project import starters_root

_MOST = 200
"""Most characters of a starter's description: it is one line of a list."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter's name, as `--template` takes it, and what it is in one sentence."""

    name: str
    about: str


def list_starters() -> list[Starter]:
    """All starters, by name. What one is stands in its README, below the title."""
    return [Starter(folder.name, _about(folder)) for folder in _folders()]


def starter_folder(name: str) -> Path:
    """The folder of a starter. UsageError, with the nearest name, where there is none of that name."""
    folders = {folder.name: folder for folder in _folders()}
    if name in folders:
        return folders[name]
    near = nearest(name, folders)
    meant = f"did you mean '{near}'? " if near else ""
    raise UsageError(f"there is no starter '{name}'", f"{meant}cardgen new --list names all of them")


def _folders() -> list[Path]:
    return sorted(readme.parent for readme in starters_root().glob("*/README.md"))


def _about(folder: Path) -> str:
    paragraphs = (folder / "README.md").read_text(encoding="utf-8").split("\n\n")
    return " ".join(paragraphs[1].split())[:_MOST]
