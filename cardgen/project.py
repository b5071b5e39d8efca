"""Where things lie. The only module that knows the names of a project's folders.

A project is a folder with `data/`, `templates/`, `schemas/`, `fonts/` and `output/`. The games that
ship with cardgen are such a project too, bundled with the package; the user's own comes first.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.findings import UsageError
from cardgen.model.game import ProjectPaths

_PACKAGE = Path(__file__).resolve().parent
INPUT_FOLDERS = ("data", "templates", "schemas", "fonts")


def bundled_root() -> Path:
    """The folder of the bundled project: inside an installed wheel, or the checkout itself."""
    inside = _PACKAGE / "_bundled"
    return inside if inside.is_dir() else _PACKAGE.parent


def scaffold_root() -> Path:
    """The folder that `cardgen new` copies."""
    return _PACKAGE / "scaffold"


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder together with the bundled one behind it."""

    root: Path
    paths: ProjectPaths

    @classmethod
    def open(cls, root: Path | str | None = None) -> Project:
        """The project in `root` (default: the current folder). UsageError if it is not a folder."""
        folder = Path(root) if root is not None else Path.cwd()
        if not folder.is_dir():
            raise UsageError(f"there is no folder '{folder}'", "give --project an existing project folder")
        folder = folder.resolve()
        bundled = bundled_root()
        roots = (folder,) if folder == bundled else (folder, bundled)
        return cls(folder, ProjectPaths(roots))

    def games(self) -> list[str]:
        """Ids of all games, the project's own and the bundled ones, sorted."""
        found = {
            path.parent.name for root in self.paths.roots for path in (root / "data").glob("*/game.yaml")
        }
        return sorted(found)

    def services(self) -> list[str]:
        """Names of all print services, the project's own and the bundled ones, sorted."""
        found = {path.stem for root in self.paths.roots for path in (root / "data/services").glob("*.yaml")}
        return sorted(name for name in found if not name.startswith("."))

    def output(self, game: str, output: Path | str | None = None) -> Path:
        """The folder that a game's files are written to; `~` is the user's. UsageError for a `~` of
        somebody who is not there."""
        try:
            folder = Path(output).expanduser() if output is not None else self.root / "output"
        except RuntimeError:
            raise UsageError(f"--output {output}: there is no such user", "write the folder out") from None
        return folder / game

    def show(self, path: Path) -> str:
        """A path as a person in the current folder would type it."""
        try:
            return str(path.resolve().relative_to(Path.cwd()))
        except ValueError:
            return str(path)

    def fingerprint(self, game: str, folders: Sequence[str] = INPUT_FOLDERS) -> list[tuple[str, int, int]]:
        """Name, bytes and modification time (ns) of every file in these folders that a build of `game`
        may read, cardgen's own code included. Two equal fingerprints mean that nothing was edited."""
        entries: list[tuple[str, int, int]] = []
        for root in self.paths.roots:
            for folder in folders:
                _scan(root / folder, entries, game)
        _scan(_PACKAGE, entries, None)
        entries.sort()
        return entries


def _scan(folder: Path, entries: list[tuple[str, int, int]], game: str | None) -> None:
    """Add the files below `folder`, leaving out other games' folders and compiled code."""
    pending = [(str(folder), 0)]
    while pending:
        path, depth = pending.pop()
        try:
            children = list(os.scandir(path))
        except OSError:
            continue
        for child in children:
            try:
                is_folder, stat = child.is_dir(), child.stat()
            except OSError:  # a link to nowhere, or to itself
                entries.append((child.path, -1, 0))
                continue
            if not is_folder:
                entries.append((child.path, stat.st_size, stat.st_mtime_ns))
            elif child.name not in ("__pycache__", "_bundled") and not (
                game is not None and depth == 0 and _is_other_game(child.path, child.name, game)
            ):
                pending.append((child.path, depth + 1))


def _is_other_game(path: str, name: str, game: str) -> bool:
    if name == game or name.startswith("_"):
        return False
    parent = os.path.dirname(path)
    root = os.path.dirname(parent)
    return os.path.exists(os.path.join(root, "data", name, "game.yaml"))
