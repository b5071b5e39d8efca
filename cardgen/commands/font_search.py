"""Which fonts a drawing asks for, and where the fonts of a computer are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from cardgen.commands.fonts import fontbook
from cardgen.model.font_weights import BOLD, REGULAR
from cardgen.project import Project
from cardgen.storage.reading import TEMPLATE, read_file
from cardgen.storage.walking import walk
from cardgen.typesetting.font_names import unspaced, without_style

Face = tuple[str, int, bool]
"""A family, a weight and whether it is italic."""
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_MOST_FILES = 20_000
"""Files in a folder of fonts and the folders below it."""


def font_files(folders: Iterable[Path]) -> list[Path]:
    """The font files in folders and below them, sorted; none for folders that there are not."""
    found: set[str] = set()
    for folder in folders:
        walked = walk(folder, folder.name, None, most=_MOST_FILES)
        found.update(path for path, _, _ in walked.files if path.lower().endswith(_ENDINGS))
    return sorted(map(Path, found))


def system_folders() -> list[Path]:
    """Where this computer keeps fonts."""
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        own = [Path(local) / "Microsoft/Windows/Fonts"] if local else []
        return [*own, Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    shared = [Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return [data / "fonts", home / ".fonts", *shared]


def is_alike(stem: str, family: str) -> bool:
    """Tell whether a file is called after a family."""
    return unspaced(stem).casefold().startswith(unspaced(family).casefold()[:5])


@dataclass(frozen=True, slots=True)
class Wanted:
    """The faces that a drawing asks for and the project lacks, those `beside` them that texts of a missing
    family may need, and the families that are named without a style."""

    faces: set[Face]
    beside: set[Face]
    plain: frozenset[str]


def wanted_faces(drawing: Path, project: Project) -> Wanted:
    """The faces that a drawing or template asks for and the project lacks. Raises CardgenError for a
    drawing that can't be read."""
    from cardgen.rendering.asked_fonts import asked_faces
    from cardgen.typesetting.shaping import FontError

    data = read_file(drawing, TEMPLATE, drawing.name, None)
    fonts = fontbook(project.paths)
    wanted: set[Face] = set()
    plain: set[str] = set()
    for name, weight, italic in asked_faces(data, drawing.name):
        try:
            fonts.face(name, weight, italic)
        except FontError as error:
            if error.findings[0].code not in ("font/family", "font/face"):
                raise
            meant = fonts.named(name) or without_style(name)
            stated = meant.weight if meant.weight not in (None, REGULAR) else None
            wanted.add((meant.family, stated or weight, italic or bool(meant.italic)))
            plain |= {name} & {meant.family}
    missing = {family for family, _, _ in wanted if family not in fonts.families}
    styles = list(product(missing, (REGULAR, BOLD), (False, True)))
    return Wanted(wanted, set(styles) - wanted, frozenset(plain))
