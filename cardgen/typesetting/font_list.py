"""fonts/fonts.yaml, of the user's project and of the bundled one, to families of faces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cardgen.findings import Findings, Location
from cardgen.model.game import ProjectPaths
from cardgen.schema.schema_findings import fits
from cardgen.schema.store import SchemaStore
from cardgen.storage.reading import is_there
from cardgen.yaml.reader import Document, load_yaml

FONT_LIST = "fonts/fonts.yaml"
FONTS_SCHEMA = "schemas/fonts.schema.json"


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
        return style_name(self.weight, self.italic)


@dataclass(frozen=True, slots=True)
class Family:
    """A declared family: faces by (weight, italic), its licence (SPDX) and where it comes from, and whether
    it lends its letters to fonts that lack them, and which generic families of CSS it is."""

    name: str
    licence: str
    origin: str
    faces: Mapping[tuple[int, bool], FaceFile]
    fallback: bool = False
    generic: tuple[str, ...] = ()


def style_name(weight: int, italic: bool) -> str:
    """A face's style in words: 700 italic."""
    return f"{weight} italic" if italic else f"{weight} upright"


def read_families(paths: ProjectPaths) -> dict[str, Family]:
    """All declared families by name. A face declared by the user's project wins over a bundled one of
    the same family, weight and style. Raises CardgenError with all findings."""
    findings = Findings()
    store = SchemaStore(paths, findings)
    families: dict[str, Family] = {}
    places: dict[Path, tuple[Document, tuple[str | int, ...]]] = {}
    for root in paths.roots:
        if not is_there(root / FONT_LIST):
            continue
        document = load_yaml(root / FONT_LIST, FONT_LIST, findings, within=paths.roots)
        schema = store.schema(FONTS_SCHEMA)
        if schema is None and store.file(FONTS_SCHEMA) is None:
            findings.error("file/missing", "the file does not exist", Location(FONTS_SCHEMA))
        if document is None or schema is None or not fits(document, schema, findings, fill=True):
            continue
        for name, entry in document.data["families"].items():
            faces: dict[tuple[int, bool], FaceFile] = {}
            for index, stated in enumerate(entry["faces"]):
                face, path = _face(root, name, stated), ("families", name, "faces", index)
                if (face.weight, face.italic) in faces:
                    message = f"'{name}' declares {face.style} twice"
                    findings.error("font/list", message, document.locate(path), "keep one of them")
                faces.setdefault((face.weight, face.italic), face)
                places.setdefault(face.path, (document, (*path, "file")))
            licence, origin, lends = entry.get("licence", ""), entry.get("origin", ""), entry["fallback"]
            stands_for = tuple(entry["generic"])
            first = families.get(name, Family(name, licence, origin, {}, lends, stands_for))
            families[name] = replace(first, faces={**faces, **first.faces})
    _check_names(families, places, findings)
    findings.raise_if_errors()
    return families


def _check_names(
    families: Mapping[str, Family],
    places: Mapping[Path, tuple[Document, tuple[str | int, ...]]],
    findings: Findings,
) -> None:
    """Report two files of the same name: fonts are known by it."""
    files: dict[str, FaceFile] = {}
    for family in families.values():
        for face in family.faces.values():
            other = files.setdefault(face.key, face)
            if other.path != face.path:
                message = f"the font files {other.name} and {face.name} have the same name"
                document, path = places[face.path]
                findings.error("font/list", message, document.locate(path), "rename one of them")


def _face(root: Path, family: str, stated: Mapping[str, Any]) -> FaceFile:
    name, weight = f"fonts/{stated['file']}", int(stated["weight"])
    if (found := ProjectPaths((root,)).find(name)) is not None:
        name = found.relative_to(root).as_posix()
    key = re.sub(r"[^A-Za-z0-9-]", "", Path(name).stem) or f"{family}-{weight}"
    return FaceFile(key, root / name, name, weight, stated["style"] == "italic")
