"""The fonts that templates may name: families and faces from fonts/fonts.yaml, nothing from the system."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from cardgen.model.game import ProjectPaths
from cardgen.typesetting.shaping import Font, FontError

__all__ = ["FaceFile", "Family", "Font", "FontBook", "FontError"]

FONT_LIST = "fonts/fonts.yaml"


@dataclass(frozen=True, slots=True)
class FaceFile:
    """A declared face: its key, its file, its weight from 1 to 1000 (400 regular, 700 bold)."""

    key: str
    path: Path
    name: str
    """The file relative to the project, for messages."""
    weight: int
    italic: bool

    @property
    def style(self) -> str:
        return _style(self.weight, self.italic)


@dataclass(frozen=True, slots=True)
class Family:
    """A declared family: faces by (weight, italic), its licence (SPDX) and where it comes from."""

    name: str
    licence: str
    origin: str
    faces: Mapping[tuple[int, bool], FaceFile]


class FontBook:
    """All declared fonts. A face declared by the user's project wins over a bundled one of the same
    family, weight and style. Files are read when a face is first asked for.

    Raises FontError for a fonts.yaml that cannot be understood.
    """

    def __init__(self, paths: ProjectPaths) -> None:
        self.families: dict[str, Family] = {}
        for root in paths.roots:
            path = root / FONT_LIST
            if path.is_file():
                for family in _read(path):
                    self._merge(family)
        self._files: dict[str, FaceFile] = {}
        for family in self.families.values():
            for face in family.faces.values():
                other = self._files.setdefault(face.key, face)
                if other.path != face.path:
                    message = f"the font files {other.name} and {face.name} have the same name"
                    raise FontError("font/list", message, "rename one of them; fonts are known by it")
        self._fonts: dict[str, Font] = {}

    def face(self, family: str, weight: int = 400, italic: bool = False) -> Font:
        """Exactly this face. Raises FontError, which says what there is, instead of substituting."""
        known = self.families.get(family)
        if known is None:
            names = sorted(self.families)
            by_fold = {name.casefold(): name for name in names}
            close = difflib.get_close_matches(family.casefold(), by_fold, 1)
            if close:
                hint = f"did you mean '{by_fold[close[0]]}'?"
            else:
                hint = f"the families are {', '.join(names)}" if names else f"{FONT_LIST} declares none"
            raise FontError("font/family", f"there is no font family '{family}'", hint)
        face = known.faces.get((weight, italic))
        if face is None:
            message = f"the font family '{family}' has no {_style(weight, italic)}"
            styles = ", ".join(known.faces[key].style for key in sorted(known.faces))
            raise FontError("font/face", message, f"it has {styles}")
        return self._load(face)

    def by_key(self, key: str) -> Font:
        """The font with this `Font.key`. Raises FontError if none is declared."""
        face = self._files.get(key)
        if face is None:
            close = difflib.get_close_matches(key, sorted(self._files), 1)
            hint = f"did you mean '{close[0]}'?" if close else None
            raise FontError("font/key", f"there is no font '{key}'", hint)
        return self._load(face)

    def _load(self, face: FaceFile) -> Font:
        font = self._fonts.get(face.key)
        if font is None:
            font = self._fonts[face.key] = Font(face.key, face.path, face.name)
        return font

    def _merge(self, family: Family) -> None:
        first = self.families.get(family.name)
        if first is None:
            self.families[family.name] = family
        else:
            faces = {**family.faces, **first.faces}
            self.families[family.name] = Family(first.name, first.licence, first.origin, faces)


def _style(weight: int, italic: bool) -> str:
    return f"{weight} italic" if italic else f"{weight} upright"


def _load_yaml(path: Path) -> Any:
    """The data of a YAML file. The one place here that reads YAML."""
    try:
        return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, OSError) as error:
        raise FontError("font/list", f"{FONT_LIST} cannot be read: {_one_line(error)}") from None


def _read(path: Path) -> list[Family]:
    data = _load_yaml(path)
    families = data.get("families") if isinstance(data, dict) else None
    if not isinstance(families, dict):
        raise FontError("font/list", f"{FONT_LIST} has no mapping 'families'")
    return [_family(path.parent, name, value) for name, value in families.items()]


def _family(folder: Path, name: Any, value: Any) -> Family:
    faces: dict[tuple[int, bool], FaceFile] = {}
    listed = value.get("faces") if isinstance(value, dict) else None
    if not isinstance(name, str) or not isinstance(listed, list) or not listed:
        raise FontError("font/list", f"{FONT_LIST}: the family '{name}' has no list of faces")
    for entry in listed:
        face = _face(folder, name, entry)
        if (face.weight, face.italic) in faces:
            raise FontError("font/list", f"{FONT_LIST}: '{name}' declares {face.style} twice")
        faces[face.weight, face.italic] = face
    return Family(name, str(value.get("licence", "")), str(value.get("origin", "")), faces)


def _face(folder: Path, family: str, entry: Any) -> FaceFile:
    file = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(file, str) or not file:
        raise FontError("font/list", f"{FONT_LIST}: a face of '{family}' names no file")
    weight, style = entry.get("weight", 400), entry.get("style", "normal")
    if type(weight) is not int or not 1 <= weight <= 1000:
        message = f"{FONT_LIST}: the weight of {file} is {weight!r}, not a number from 1 to 1000"
        raise FontError("font/list", message, "regular is 400, bold is 700")
    if style not in ("normal", "italic"):
        raise FontError("font/list", f"{FONT_LIST}: the style of {file} is {style!r}", "normal or italic")
    key = re.sub(r"[^A-Za-z0-9-]", "", Path(file).stem) or f"{family}-{weight}"
    return FaceFile(key, folder / file, f"fonts/{file}", weight, style == "italic")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
