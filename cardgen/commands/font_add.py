"""`cardgen font add`: a font file into a project, with its entry in fonts.yaml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.findings import CardgenError, Finding, Severity, UsageError
from cardgen.project import Project
from cardgen.storage.changes import Changes
from cardgen.storage.reading import FONT, read_file

if TYPE_CHECKING:
    from cardgen.typesetting.font_files import Face

_STYLES = {400: "Regular", 700: "Bold"}


@dataclass(frozen=True, slots=True)
class AddedFont:
    """A font that was added: its file below the project, its family, weight and style."""

    file: str
    family: str
    weight: int
    italic: bool
    licence: str


def add_font(
    file: Path,
    project: Project | None = None,
    *,
    family: str | None = None,
    licence: str | None = None,
    face: str | None = None,
    weight: int | None = None,
) -> AddedFont:
    """Copy a font into the project's `fonts/` and list it in its `fonts/fonts.yaml`, comments kept.

    `face` chooses from a collection (a number from 1, or a full name), `weight` from a variable font;
    `family` and `licence` are those that the file states, unless given. Raises
    CardgenError, and changes nothing, for a font that can't be used, may not be embedded or is there.
    """
    from cardgen.typesetting.font_entries import with_face
    from cardgen.typesetting.font_files import read_face
    from cardgen.typesetting.font_list import FONT_LIST, read_families, style_name
    from cardgen.typesetting.shaping import Font

    project = project or Project.open()
    shown = file.name
    found = read_face(read_file(file, FONT, shown, None), shown, face, weight)
    name = family or found.family
    if not name or len(name) > 100 or not name.isprintable():
        raise UsageError(f"'{name[:100]}' can't be a family's name", "give it one: --family NAME")
    known = read_families(project.paths)
    if name in known and (found.weight, found.italic) in known[name].faces:
        style = style_name(found.weight, found.italic)
        raise _error("font/list", f"there is a {style} of '{name}' already", "give it another --family")
    place = _file_name(name, found)
    if any(each.key == Path(place).stem for one in known.values() for each in one.faces.values()):
        raise _error(
            "font/list", f"there is a font file {Path(place).name} already", "give another --family"
        )
    licence = licence or found.licence
    with Changes(project.root) as changes:
        Font("new", changes.write_bytes(f"fonts/{place}", found.data), shown)
        changes.write_bytes(FONT_LIST, with_face(project.root, name, place, found, licence).encode())
        changes.commit()
    return AddedFont(f"fonts/{place}", name, found.weight, found.italic, licence)


def _file_name(family: str, face: Face) -> str:
    words = re.findall(r"[A-Za-z0-9]+", family)
    base = "".join(word[0].upper() + word[1:] for word in words)
    base = base or re.sub(r"[^A-Za-z0-9]", "", face.name.partition("-")[0])
    style = _STYLES.get(face.weight, str(face.weight)) + ("Italic" if face.italic else "")
    folder = "-".join(words).lower() or base.lower() or "font"
    return f"{folder}/{base or 'Font'}-{style}.{'otf' if face.otf else 'ttf'}"


def _error(code: str, message: str, hint: str) -> CardgenError:
    return CardgenError(Finding(Severity.ERROR, code, message, None, hint))
