"""Starters: projects to begin with, ours in `cardgen/starters`, others of plug-ins (`cardgen.starters`).

A plug-in's entry point names a package, whose folder is the project, or a mapping of contents by path.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import ismodule
from pathlib import Path, PurePosixPath

from cardgen.core.findings import CardgenError, UsageError, nearest
from cardgen.core.records import dataclass
from cardgen.files import plugins
from cardgen.files.plugins import Plugin
from cardgen.files.project import scaffold_root, starters_root

_MOST = 200
"""Most characters of a starter's description: it is one line of a list."""
_CODE = frozenset((".py", ".pyc", ".pyi", ".typed"))


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter's name, as `--template` takes it, and its description in one sentence."""

    name: str
    about: str


def list_starters() -> list[Starter]:
    """Return all starters: ours by name, then those of plug-ins. The text below the title of its README
    describes each. Broken plug-ins are missing; `cardgen doctor` reports them."""
    found = [Starter(name, _about(_in_folder(folder))) for name, folder in _own().items()]
    for name in plugins.names("starters"):
        try:
            if name not in _own() and (plugin := plugins.find("starters", name)) is not None:
                found.append(Starter(name, _about(plugin_starter(plugin))))
        except CardgenError:
            continue
    return found


def starter_files(name: str, starter: str | None, title: str | None = None) -> dict[str, bytes]:
    """Return the files of a project that begins with a starter, or with the small deck for None, by path;
    the game's name and title are in them. Raises UsageError, with the nearest name, for an unknown one;
    CardgenError for a plug-in that can't be used."""
    if starter is None:
        files = own_files()
    elif (folder := _own().get(starter)) is not None:
        files = _in_folder(folder)
    elif (plugin := plugins.find("starters", starter)) is not None:
        files = plugin_starter(plugin)
    else:
        near = nearest(starter, [*_own(), *plugins.names("starters")])
        meant = f"did you mean '{near}'? " if near else ""
        raise UsageError(f"there is no starter '{starter}'", f"{meant}list all: cardgen new --list")
    return _filled(files, name, name.replace("-", " ").title() if title is None else title)


def part_files(name: str, part: str, title: str) -> dict[str, bytes]:
    """Return the files of a component of ours that is no game on its own, as `starter_files` does."""
    return _filled(_in_folder(starters_root() / "parts" / part), name, title)


def _filled(files: Mapping[str, bytes], name: str, title: str) -> dict[str, bytes]:
    return {
        path.replace("__NAME__", name): content.replace(b"__NAME__", name.encode()).replace(
            b"__TITLE__", title.encode()
        )
        for path, content in files.items()
    }


def own_files() -> dict[str, bytes]:
    """Return the files of the small deck that a project begins with, nothing filled in."""
    return _in_folder(scaffold_root())


def own_starters() -> list[str]:
    """Return the names of our own starters."""
    return list(_own())


def plugin_starter(plugin: Plugin) -> dict[str, bytes]:
    """Return the files of a plug-in's starter. Raises CardgenError plugin/broken."""
    found = plugins.load(plugin)
    if ismodule(found) and found.__file__ is not None:
        files = _in_folder(Path(found.__file__).parent)
    elif isinstance(found, Mapping) and all(map(_is_file, found.items())):
        files = {path: text.encode("utf-8") for path, text in found.items()}
    else:
        plugins.broken(plugin, f"is neither a package nor a mapping of texts by path: {plugin.value}")
    if "data/__NAME__/game.yaml" not in files or not _about(files):
        message = "needs data/__NAME__/game.yaml, and README.md with a title and a description below it"
        plugins.broken(plugin, message)
    return files


def _is_file(entry: tuple[object, object]) -> bool:
    """Return True for a path inside a project and its text."""
    path, text = entry
    if not isinstance(path, str) or not isinstance(text, str):
        return False
    parts = PurePosixPath(path)
    return "\\" not in path and not parts.is_absolute() and ".." not in parts.parts


def _own() -> dict[str, Path]:
    folders = sorted(readme.parent for readme in starters_root().glob("*/README.md"))
    return {folder.name: folder for folder in folders}


def _in_folder(root: Path) -> dict[str, bytes]:
    """Return the files of a starter's folder by path, without Python's."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix not in _CODE
    }


def _about(files: Mapping[str, bytes]) -> str:
    paragraphs = files.get("README.md", b"").decode("utf-8", "replace").split("\n\n")
    return " ".join(paragraphs[1].split())[:_MOST] if len(paragraphs) > 1 else ""
