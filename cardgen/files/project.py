"""The places of files. The only module that knows the names of a project's folders.

A project is a folder with `data/`, `templates/`, `schemas/`, `fonts/` and `output/`. The games shipped with
cardgen are such a project too, bundled with the package; the user's own comes first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from cardgen.core.findings import CardgenError, Findings, Location, UsageError
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass
from cardgen.files.listing import ProjectFolders, Skip, homes, names_in, walk
from cardgen.files.memory import hold, is_in_memory
from cardgen.files.reading import COPY_HINT, PACKAGE, is_inside, is_there, leads_through

OUTPUT = "output"
SETTINGS = "cardgen.yaml"
"""The file of a project's defaults."""
INPUT_FOLDERS = ("data", "templates", "art", "schemas", "fonts")
DRAWN_FROM = ("templates", "art", "fonts")
"""The folders of files that sides show, besides data."""
SERVICES = "data/services"
MOST_REMARKS = 20
"""Most findings of one kind about a folder."""
_SERVICE = r"[a-z0-9]+(-[a-z0-9]+)*\.yaml"


def bundled_root() -> Path:
    """Return the folder of the bundled project: inside an installed wheel, or the checkout itself."""
    inside = PACKAGE / "_bundled"
    return inside if inside.is_dir() else PACKAGE.parent


def scaffold_root() -> Path:
    """Return the folder that `cardgen new` copies."""
    return PACKAGE / "scaffold"


def starters_root() -> Path:
    """Return the folder with the starters, one folder each, that `cardgen new --template` copies."""
    return PACKAGE / "starters"


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder, on a disk or in memory, together with the bundled one behind it.

    Example:
        project = cardgen.Project.open(".")
        print(project.own_games(), project.root)
    """

    root: Path
    paths: ProjectPaths

    @classmethod
    def open(cls, root: Path | str | None = None) -> Project:
        """Return the project in `root`; for None, the one around the current folder, or that folder itself.
        UsageError if it is not a folder."""
        folder = current_folder() if root is None else Path(root)
        if folder is None:
            raise UsageError("the current folder no longer exists", "change to another folder")
        if root is None:
            folder = enclosing(folder) or folder
        if not os.path.isdir(folder):
            raise UsageError(f"there is no folder '{folder}'", "give --project an existing project folder")
        folder = Path(os.path.realpath(folder))
        bundled = bundled_root()
        roots = (folder,) if folder == bundled else (folder, bundled)
        return cls(folder, ProjectFolders(roots))

    @classmethod
    def from_files(cls, files: Mapping[str, bytes | str]) -> Project:
        """Return a project of these files, by their paths in it. It reads and writes no others, and keeps
        no pictures, so builds need `BuildOptions.output`.

        Raises:
            UsageError: More than 100,000 files, or a name that is no path in a project.

        Example:
            from pathlib import Path
            texts = {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
            project = cardgen.Project.from_files(texts)
            print(project.own_games())
        """
        held = hold(files)
        return cls(held.root, ProjectFolders((held.root, bundled_root()), held))

    @property
    def is_in_memory(self) -> bool:
        """Return True if the project's files are in memory."""
        return is_in_memory(self.root)

    def games(self) -> list[str]:
        """Return ids of all games, the project's own and the bundled ones, sorted. CardgenError if data/
        can't be listed."""
        return homes(self.paths.roots, "data", "game.yaml")

    def own_games(self) -> list[str]:
        """Return ids of the games in the project's own folder, sorted. CardgenError as for `games`."""
        return homes(self.paths.roots[:1], "data", "game.yaml")

    def games_here(self) -> list[str]:
        """Return the default games of a command: the one whose folder (`data/GAME`, `templates/GAME`, …) is
        the current one or contains it, else all of the project's own. UsageError usage/game if it has
        none."""
        own = self.own_games()
        if not own:
            there = ", ".join(self.games())
            hint = f"change to a project folder, name a game ({there}), or start one: cardgen new NAME"
            raise UsageError("there is no project with games here", hint, "usage/game")
        here = current_folder()
        parts = Path(os.path.relpath(here, self.root)).parts if here is not None else ()
        if len(parts) > 1 and parts[0] in (*INPUT_FOLDERS, OUTPUT) and parts[1] in own:
            return [parts[1]]
        return own

    def game_here(self) -> str:
        """Return the only game of `games_here`. UsageError usage/game if there are several."""
        return _only(self.games_here())

    def only_game(self) -> str:
        """Return the only one of the project's own games. UsageError usage/game if there are none or
        several."""
        return _only(self.own_games())

    @classmethod
    def around(cls, path: Path | str) -> tuple[Project, str]:
        """Return the project and the game of a path: a project's folder with one game, a game's folder in
        its `data/`, or the `game.yaml` there. UsageError if it is none of them."""
        folder = Path(os.path.realpath(path))
        folder = folder.parent if folder.name == "game.yaml" else folder
        if folder.parent.name == "data" and is_there(folder / "game.yaml"):
            return cls.open(folder.parent.parent), folder.name
        project = cls.open(folder)
        return project, project.only_game()

    def services(self) -> list[str]:
        """Return names of all print services, the project's own and the bundled ones, sorted; files with
        invalid names are skipped. CardgenError if data/services/ can't be listed."""
        found = {
            name.removesuffix(".yaml")
            for root in self.paths.roots
            for name in names_in(root / SERVICES, SERVICES, self.paths.roots, ".yaml")
            if re.fullmatch(_SERVICE, name)
        }
        return sorted(found)

    def has_service(self, name: str) -> bool:
        """Return True if there is a print service of that name."""
        file = f"{name}.yaml"
        return (
            re.fullmatch(_SERVICE, file) is not None and self.paths.find(f"{SERVICES}/{file}") is not None
        )

    def output(self, game: str, output: Path | str | None = None, *below: str) -> Path:
        """Return the folder for a game's files, or one below that; `~` is the user's.

        UsageError for a `~` of an unknown user, and without `output` if the project is in memory;
        CardgenError if a link in the project leads out of it.
        """
        if output is None and self.is_in_memory:
            raise UsageError("a project in memory has no folder for outputs", "set `output` to a folder")
        try:
            folder = Path(output).expanduser() if output is not None else self.root / OUTPUT
        except RuntimeError:
            raise UsageError(
                f"--output {output}: there is no such user", "write the folder's full path"
            ) from None
        from cardgen.files.listing import check_place

        place = folder.joinpath(game, *below)
        check_place(place, self.root)
        return place

    def holders(self, path: Path) -> tuple[Path, ...] | None:
        """Return the folders that must contain a user's file once links are followed: the project's for one
        named as part of it; None, anywhere, for all others."""
        return self.paths.roots if leads_through(path, self.root) else None

    def show(self, path: Path) -> str:
        """Return a path as a person in the current folder, or elsewhere in the project, would type it."""
        here = current_folder()
        real = os.path.realpath(path)
        if here is None:
            return str(path)
        within = is_inside(str(here), [self.root]) and is_inside(real, [self.root])
        return os.path.relpath(real, here) if within or is_inside(real, [here]) else str(path)

    def seen_from_here(self, file: str) -> str:
        """Return the file of a finding as a person in the current folder would type it. It is unchanged
        unless the folder is in the project, or the project in the folder."""
        here = current_folder()
        if here is None or here == self.root or os.path.isabs(file) or not self._has(file):
            return file
        if is_inside(str(here), [self.root]) or is_inside(str(self.root), [here]):
            return os.path.relpath(self.root / file, here).replace(os.sep, "/")
        return file

    def _has(self, file: str) -> bool:
        """Return True if a finding's file is one of the project's own: it exists there, or nowhere."""
        if is_there(self.root / file):
            return True
        own = file.partition("/")[0] in (*INPUT_FOLDERS, OUTPUT)
        return own and not os.path.lexists(file) and self.paths.find(file) is None

    def fingerprint(self, game: str, folders: Sequence[str] = INPUT_FOLDERS) -> list[Entry]:
        """Return name, bytes and modification time (ns) of every file in these folders that a build of
        `game` may read, the folders, and the targets of links; with all folders, of the settings too. Two
        equal fingerprints mean that nothing was edited. CardgenError for folders with more files than any
        game needs."""
        entries = fingerprint_of(self.paths, folders, partial(_is_not_for, self.root, game))
        if folders is INPUT_FOLDERS:
            with suppress(OSError):
                known = os.stat(self.root / SETTINGS)
                entries.append((SETTINGS, known.st_size, known.st_mtime_ns))
        return entries


def _only(games: Sequence[str]) -> str:
    if not games:
        raise UsageError("the project has no game", "add data/GAME/game.yaml", "usage/game")
    if len(games) > 1:
        hint = f"name one of: {', '.join(games)}"
        raise UsageError("the project has several games; name one", hint, "usage/game")
    return games[0]


def enclosing(folder: Path) -> Path | None:
    """Return the nearest folder with a game in its `data/`, this one or one above it, without links; None
    if there is none. Folders of another owner are skipped: a file's location is no reason to read it."""
    folder = Path(os.path.realpath(folder))
    owner = None
    for each in (folder, *folder.parents):
        try:
            found = each.stat().st_uid
        except OSError:  # created later
            continue
        if owner not in (None, found):
            return None
        owner = found
        with suppress(CardgenError):
            if homes((each,), "data", "game.yaml"):
                return each
    return None


Entry = tuple[str, int, int]
"""A file's name, bytes and modification time (ns)."""


def fingerprint_of(paths: ProjectPaths, folders: Sequence[str], skip: Skip | None = None) -> list[Entry]:
    """Return the fingerprint as `Project.fingerprint`, without the folders that `skip` selects."""
    entries: list[Entry] = []
    for root in paths.roots:
        for folder in folders:
            found = walk(root / folder, folder, paths.roots, skip=skip)
            entries += found.files
            entries += [(f"{path}{os.sep}", 0, 0) for path in found.folders]
            entries += [(f"{link} -> {target}", 0, 0) for link, target in found.links]
    entries.sort()
    return entries


def check_folders(paths: ProjectPaths, game: str, findings: Findings) -> None:
    """Report problems of the user's own folders that a game may read: more files than the limit, links out
    of the project, names that are identical on other systems."""
    import unicodedata  # of no use to a build without changes

    root = paths.roots[0]
    for folder in INPUT_FOLDERS:
        try:
            found = walk(root / folder, folder, paths.roots, skip=partial(_is_not_for, root, game))
        except CardgenError as error:
            findings.extend(error.findings)
            continue
        for link in sorted(found.outside)[:MOST_REMARKS]:
            message = f"this link leads out of the project, to {os.path.realpath(link)}; it is not followed"
            findings.warning("file/outside", message, Location(_relative(link, root)), COPY_HINT)
        seen: dict[str, str] = {}
        alike = []
        for path in sorted(file for file, _, _ in found.files):
            other = seen.setdefault(unicodedata.normalize("NFC", path).lower(), path)
            if other != path:
                alike.append((path, other))
        for path, other in alike[:MOST_REMARKS]:
            message = f"on Windows and macOS this is the same name as {_relative(other, root)}"
            hint = "rename one of them"
            findings.warning("file/case", message, Location(_relative(path, root)), hint)


def _relative(path: str, root: Path) -> str:
    return os.path.relpath(path, os.path.realpath(root)).replace(os.sep, "/")


def _is_not_for(root: Path, game: str, path: str, name: str, depth: int) -> bool:
    """Return True if a folder contains compiled code, another game's data, or (through a link) the output.
    Templates and schemas may use those of other games."""
    if name == "__pycache__" or (name == OUTPUT and path == os.path.join(root, OUTPUT)):
        return True
    return depth == 0 and _is_other_game(path, name, game)


def current_folder() -> Path | None:
    """Return the current folder; None if it has been deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _is_other_game(path: str, name: str, game: str) -> bool:
    if name == game or os.path.basename(os.path.dirname(path)) != "data":
        return False
    return is_there(os.path.join(path, "game.yaml"))
