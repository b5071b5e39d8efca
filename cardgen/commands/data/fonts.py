"""`cardgen font add`: copy font files into a project, with their entries in fonts.yaml."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.production.fonts import fontbook
from cardgen.core.artwork import BOLD, REGULAR
from cardgen.core.findings import CardgenError, Finding, Severity, UsageError
from cardgen.core.records import dataclass, field
from cardgen.files.changes import Changes
from cardgen.files.listing import walk
from cardgen.files.project import Project
from cardgen.files.reading import FONT, TEMPLATE, read_file
from cardgen.text.fonts import STYLES, style_name, unspaced, without_style

if TYPE_CHECKING:
    from cardgen.text.font_files import Face as FontFace
    from cardgen.text.font_files import FaceInFile


_STYLES = {400: "Regular", 700: "Bold"}


@dataclass(frozen=True, slots=True)
class AddedFont:
    """A font that was added: its file below the project, its family, weight and style."""

    file: str
    family: str
    weight: int
    italic: bool
    licence: str


@dataclass(frozen=True, slots=True)
class AddedFonts:
    """The result of a search for fonts: added ones, skipped files with the reason, and faces not found, as
    `Inter 700 upright` with the usual file name."""

    added: tuple[AddedFont, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    absent: tuple[tuple[str, str], ...] = ()
    known: int = 0
    """Fonts that the project already had."""


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

    `face` chooses from a collection (a number from 1, or a full name), `weight` from a variable font. The
    defaults of `family` and `licence` are those in the file. Raises CardgenError, and changes nothing, for
    a font that can't be used, may not be embedded or is already there.
    """
    from cardgen.text.font_files import read_face

    found = read_face(_font_data(file), file.name, face, weight)
    return _put(found, file.name, project or Project.open(), family, licence)


def add_fonts(folder: Path, project: Project | None = None, *, licence: str | None = None) -> AddedFonts:
    """Add every font of a folder and the folders below it; of a variable font the regular and the bold.
    Raises CardgenError if none can be used."""

    project = project or Project.open()
    adder = _Adder(project, licence)
    files = font_files([folder])
    if not files:
        raise _error("font/file", f"there is no font file in {folder.name}", "name another folder")
    for path in files:
        for found in adder.faces(path):
            for weight in _usual_weights(found):
                adder.add(path, found, weight)
    if not adder.added and not adder.known:
        raise CardgenError(*adder.errors)
    return AddedFonts(tuple(adder.added), tuple(adder.skipped), known=adder.known)


def add_missing_fonts(
    drawing: Path, project: Project | None = None, *, folder: Path | None = None, licence: str | None = None
) -> AddedFonts:
    """Add the fonts that a drawing or template uses and the project lacks.

    They are searched for in a folder, or among this computer's fonts. Bold and italic faces of a missing
    family are added with it if they exist. Raises CardgenError for a drawing that can't be read.
    """

    project = project or Project.open()
    asked = wanted_faces(drawing, project)
    wanted, beside = asked.faces, asked.beside
    adder = _Adder(project, licence)
    names = {family for family, _, _ in wanted}
    files = font_files([folder] if folder is not None else system_folders()) if wanted else []
    # Files are usually named after their family: those first, the others while something is missing.
    files.sort(key=lambda path: not any(is_alike(path.stem, name) for name in names))
    for path in files[:_MOST_READ]:
        alike = any(is_alike(path.stem, name) for name in names)
        if not wanted and not alike:
            break
        for found in adder.faces(path, quiet=not alike):
            same = {face for face in wanted | beside if found.is_called(face[0])}
            if same and adder.add(path, found, None):
                wanted -= same
                beside -= same
            for face in sorted(wanted | beside):
                family = face[0] if face[0] in asked.plain else None
                if found.has(*face) and adder.add(path, found, face[1], family):
                    wanted.discard(face)
                    beside.discard(face)
    absent = tuple(
        (f"{name} {style_name(weight, italic)}", usual_file(name, weight, italic))
        for name, weight, italic in sorted(wanted)
    )
    return AddedFonts(tuple(adder.added), tuple(adder.skipped), absent)


_MOST_READ = 3_000
"""Files of this computer that are read to find the fonts of a drawing."""


@dataclass(slots=True)
class _Adder:
    """Adds faces one by one, and collects the results."""

    project: Project
    licence: str | None
    added: list[AddedFont] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    known: int = 0
    errors: list[Finding] = field(default_factory=list)

    def faces(self, path: Path, *, quiet: bool = False) -> list[FaceInFile]:
        """Return the faces of a file, none if it can't be read."""
        from cardgen.text.font_files import faces_in

        try:
            return faces_in(_font_data(path), path.name)
        except CardgenError as error:
            if not quiet:
                self._skip(path, error)
        return []

    def add(self, path: Path, face: FaceInFile, weight: int | None, family: str | None = None) -> bool:
        """Add a face; of a variable font at this weight. Return True if the project has it now."""
        from cardgen.text.font_files import read_face

        chosen = str(face.number) if face.number is not None else None
        try:
            found = read_face(
                _font_data(path), path.name, chosen, weight if face.weights is not None else None
            )
            self.added.append(_put(found, path.name, self.project, family, self.licence))
        except _ThereAlreadyError:
            self.known += 1
        except CardgenError as error:
            self._skip(path, error)
            return False
        return True

    def _skip(self, path: Path, error: CardgenError) -> None:
        self.errors += error.findings
        said = error.findings[0].message
        self.skipped.append((path.name, said.removeprefix(f"the font file {path.name} ")))


def _font_data(path: Path) -> bytes:
    return read_file(path, FONT, path.name, None)


def _usual_weights(face: FaceInFile) -> list[int | None]:
    """Return the weights to add for a face: of a variable font the regular and the bold, or the nearest."""
    if face.weights is None:
        return [None]
    least, _, most = face.weights
    return list(dict.fromkeys(min(max(weight, least), most) for weight in (REGULAR, BOLD)))


class _ThereAlreadyError(CardgenError):
    """The project already has a face of that family, weight and style."""


def _put(
    found: FontFace, shown: str, project: Project, family: str | None, licence: str | None
) -> AddedFont:
    from cardgen.text.font_files import with_face
    from cardgen.text.fonts import FONT_LIST, read_families
    from cardgen.text.shaping import Font

    name = family or found.family
    if not name or len(name) > 100 or not name.isprintable():
        raise UsageError(
            f"'{name[:100]}' can't be a family's name", f"name it: cardgen font add {shown} --family NAME"
        )
    known = read_families(project.paths)
    if name in known and (found.weight, found.italic) in known[name].faces:
        style = style_name(found.weight, found.italic)
        message = f"there is a {style} of '{name}' already"
        hint = f"use it, or add this under another name: cardgen font add {shown} --family NAME"
        raise _ThereAlreadyError(Finding(Severity.ERROR, "font/list", message, None, hint))
    place = _file_name(name, found)
    if any(each.key == Path(place).stem for one in known.values() for each in one.faces.values()):
        hint = f"use it, or add this under another name: cardgen font add {shown} --family NAME"
        raise _error("font/list", f"there is a font file {Path(place).name} already", hint)
    licence = licence or found.licence
    with Changes(project.root) as changes:
        Font("new", changes.write_bytes(f"fonts/{place}", found.data), shown)
        changes.write_bytes(FONT_LIST, with_face(project.root, name, place, found, licence).encode())
        changes.commit()
    return AddedFont(f"fonts/{place}", name, found.weight, found.italic, licence)


def usual_file(family: str, weight: int, italic: bool) -> str:
    """Return the usual file name of a face."""
    slant = "Italic" if italic else ""
    style = "" if slant and weight == REGULAR else STYLES.get(weight, str(weight))
    return f"{unspaced(family)}-{style}{slant}.ttf"


def _file_name(family: str, face: FontFace) -> str:
    words = re.findall(r"[A-Za-z0-9]+", family)
    base = "".join(word[0].upper() + word[1:] for word in words)
    base = base or re.sub(r"[^A-Za-z0-9]", "", face.name.partition("-")[0])
    style = _STYLES.get(face.weight, str(face.weight)) + ("Italic" if face.italic else "")
    folder = "-".join(words).lower() or base.lower() or "font"
    return f"{folder}/{base or 'Font'}-{style}.{'otf' if face.otf else 'ttf'}"


def _error(code: str, message: str, hint: str) -> CardgenError:
    return CardgenError(Finding(Severity.ERROR, code, message, None, hint))


Face = tuple[str, int, bool]
"""A family, a weight and whether it is italic."""
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_MOST_FILES = 20_000
"""Files in a folder of fonts and the folders below it."""


def font_files(folders: Iterable[Path]) -> list[Path]:
    """Return the font files in folders and below them, sorted; none for missing folders."""
    found: set[str] = set()
    for folder in folders:
        walked = walk(folder, folder.name, None, most=_MOST_FILES)
        found.update(path for path, _, _ in walked.files if path.lower().endswith(_ENDINGS))
    return sorted(map(Path, found))


def system_folders() -> list[Path]:
    """Return the folders in which this computer keeps fonts."""
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
    """Return True if a file name resembles a family's name."""
    return unspaced(stem).casefold().startswith(unspaced(family).casefold()[:5])


@dataclass(frozen=True, slots=True)
class Wanted:
    """The faces that a drawing uses and the project lacks, those `beside` them that texts of a missing
    family may need, and the families that are named without a style."""

    faces: set[Face]
    beside: set[Face]
    plain: frozenset[str]


def wanted_faces(drawing: Path, project: Project) -> Wanted:
    """Return the faces that a drawing or template uses and the project lacks. Raises CardgenError for a
    drawing that can't be read."""
    from cardgen.art.text_style import asked_faces
    from cardgen.text.shaping import FontError

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
