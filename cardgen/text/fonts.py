"""Find the fonts that templates may name: families and faces from fonts/fonts.yaml, none of the
system's."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.artwork import REGULAR
from cardgen.core.findings import Findings, Location, did_you_mean
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.files.listing import ProjectFolders
from cardgen.files.reading import is_there
from cardgen.files.yaml import Document, load_yaml
from cardgen.game.schema_findings import fits
from cardgen.game.schema_store import SchemaStore
from cardgen.text.shaping import Font, FontError


class FontBook:
    """All declared fonts. A face of the user's project replaces a bundled one of the same family, weight
    and style. Files are read when a face is first requested.

    Raises CardgenError with all findings for an invalid fonts.yaml.
    """

    def __init__(self, paths: ProjectPaths) -> None:
        self.families: dict[str, Family] = read_families(paths)
        self._files: dict[str, FaceFile] = {
            face.key: face for family in self.families.values() for face in family.faces.values()
        }
        self._roots = paths.roots
        self._fonts: dict[str, Font] = {}
        self._last = tuple(family.name for family in self.families.values() if family.fallback)
        self.generic = {
            name: family.name for family in reversed(self.families.values()) for name in family.generic
        }
        """The family of each generic one: the first that declares it."""
        self._others: tuple[str, ...] = ()
        self._replaced: dict[str, Family] = {}
        self._views: dict[tuple[str, ...], FontBook] = {(): self}
        self._faces: dict[tuple[str, str, tuple[str, ...]], Font] = {}
        self._declared = self.families
        self._named: dict[str, StyledName | None] = {}
        self._postscript: dict[str, StyledName] | None = None

    def standing_in(self, others: Iterable[tuple[str, str]]) -> FontBook:
        """Return fonts in which the second family of each pair replaces the first and lends it missing
        letters. An unknown family replaces nothing."""
        pairs = [(family, self.families[other]) for family, other in others if other in self.families]
        if not pairs:
            return self
        book = copy.copy(self)
        book.families = {**self.families, **dict(pairs)}
        book._replaced = {family: self.families[family] for family, _ in pairs if family in self.families}
        book._views, book._faces, book._named = {(): book}, {}, {}
        return book

    def with_others(self, families: Sequence[str]) -> FontBook:
        """Return fonts that take missing letters from these families, before those that fonts.yaml marks
        for it. Unknown families are ignored."""
        names = tuple(families)
        view = self._views.get(names)
        if view is None:
            view = self._views[names] = copy.copy(self)
            view._others, view._faces = names, {}
        return view

    def family(self, name: str) -> Family:
        """Return the family with this name. Raises FontError if it isn't declared."""
        known = self.families.get(name)
        if known is None:
            names = sorted(self.families)
            every = f"use one of: {', '.join(names)}" if names else "add one: cardgen font add FILE"
            hint = did_you_mean(name, names) or every
            raise FontError("font/family", f"there is no font family '{name}'", hint)
        return known

    def named(self, name: str) -> StyledName | None:
        """Return the family of a name, with the weight and style in the name; None if there is none. A name
        is a family's own, one followed by words of style, or a face's PostScript name."""
        if name in self.families:
            return StyledName(name)
        if name not in self._named:
            self._named[name] = self._by_style(name) or self._by_postscript(name)
        return self._named[name]

    def _by_style(self, name: str) -> StyledName | None:
        stated = without_style(name)
        if stated.family == name:
            return None
        wanted = unspaced(stated.family)
        found = [known for known in self.families if wanted and unspaced(known) == wanted]
        return stated._replace(family=found[0]) if found else None

    def _by_postscript(self, name: str) -> StyledName | None:
        """Return a face by name ID 6 of the fonts' files, which are read only if the name itself isn't
        enough."""
        if self._postscript is None:
            self._postscript = {}
            for family in self._declared.values():
                for face in family.faces.values():
                    try:
                        written = self._load(face).postscript_name
                    except FontError:
                        continue  # reported at its use
                    named = StyledName(family.name, face.weight, face.italic)
                    self._postscript.setdefault(written.casefold(), named)
        return self._postscript.get(name.casefold())

    def face(
        self, family: str, weight: int = 400, italic: bool = False, others: tuple[str, ...] = ()
    ) -> Font:
        """Return exactly this face, or the nearest of a family that replaces its own. Raises FontError,
        which lists the available ones, instead of substituting.

        Missing letters are first taken from the families `others`, from the nearest of their faces. A
        weight or style in the family's name takes precedence over the regular one.
        """
        if (meant := self.named(family)) is not None:
            family = meant.family
            if meant.weight is not None and meant.weight != REGULAR:
                weight = meant.weight
            italic = italic or bool(meant.italic)
        known = self.family(family)
        face = known.faces.get((weight, italic))
        asked = self._replaced.get(family)
        if face is None and asked is not None and (weight, italic) in asked.faces:
            face = _nearest(known, asked.faces[weight, italic])
        if face is None:
            named = f"the font family '{known.name}'"
            if known.name != family:
                named += f", the replacement for '{family}',"
            message = f"{named} has no {style_name(weight, italic)}"
            styles = ", ".join(known.faces[key].style for key in sorted(known.faces))
            raise FontError("font/face", message, f"use {styles}, or add its file: cardgen font add FILE")
        key = (family, face.key, others)
        font = self._faces.get(key)
        if font is None:
            chain = dict.fromkeys((*others, *self._others, *self._last))
            chain.pop(family, None)
            lending = [self.families[name] for name in chain if name in self.families]
            if family in self._replaced:
                lending.insert(len(others), self._replaced[family])
            nearest = [_nearest(each, face) for each in lending]
            font = self._load(face)
            if nearest:
                font = font.with_others(cache(lambda: [self._load(each) for each in nearest]))
            self._faces[key] = font
        return font

    def name_of(self, key: str) -> tuple[str, FaceFile]:
        """Return the family and the face of a font by its `Font.key`. Raises KeyError if none is
        declared."""
        face = self._files[key]
        return next(name for name, family in self.families.items() if face in family.faces.values()), face

    def by_key(self, key: str) -> Font:
        """Return the font with this `Font.key`. Raises FontError if none is declared."""
        face = self._files.get(key)
        if face is None:
            raise FontError("font/key", f"there is no font '{key}'", did_you_mean(key, self._files))
        return self._load(face)

    def _load(self, face: FaceFile) -> Font:
        font = self._fonts.get(face.key)
        if font is None:
            font = self._fonts[face.key] = Font(face.key, face.path, face.name, self._roots)
        return font


def _nearest(family: Family, to: FaceFile) -> FaceFile:
    """Return the most similar face of another family: upright or italic, then by weight."""
    return min(
        family.faces.values(),
        key=lambda face: (face.italic != to.italic, abs(face.weight - to.weight), face.weight),
    )


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
    """A declared family: faces by (weight, italic), its license (SPDX) and origin, `lends` if it lends its
    letters to fonts without them, and its generic families of CSS."""

    name: str
    licence: str
    origin: str
    faces: Mapping[tuple[int, bool], FaceFile]
    fallback: bool = False
    generic: tuple[str, ...] = ()


def style_name(weight: int, italic: bool) -> str:
    """Return a face's style in words: 700 italic."""
    return f"{weight} italic" if italic else f"{weight} upright"


def read_families(paths: ProjectPaths) -> dict[str, Family]:
    """Return all declared families by name. A face of the user's project replaces a bundled one of the same
    family, weight and style. Raises CardgenError with all findings."""
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
    """Report two files of the same name, since the name identifies a font."""
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
    if (found := ProjectFolders((root,)).find(name)) is not None:
        name = found.relative_to(root).as_posix()
    key = re.sub(r"[^A-Za-z0-9-]", "", Path(name).stem) or f"{family}-{weight}"
    return FaceFile(key, root / name, name, weight, stated["style"] == "italic")


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")
_WEIGHTS = {
    **dict.fromkeys(("thin", "hairline"), 100),
    **dict.fromkeys(("extralight", "ultralight"), 200),
    "light": 300,
    **dict.fromkeys(("regular", "normal", "roman", "book"), 400),
    "medium": 500,
    **dict.fromkeys(("semibold", "demibold", "demi"), 600),
    "bold": 700,
    **dict.fromkeys(("extrabold", "ultrabold"), 800),
    **dict.fromkeys(("black", "heavy"), 900),
}
STYLES = {
    100: "Thin",
    200: "ExtraLight",
    300: "Light",
    400: "Regular",
    500: "Medium",
    600: "SemiBold",
    700: "Bold",
    800: "ExtraBold",
    900: "Black",
}
"""The usual words for weights in file names."""
_SLANTS = {"italic": True, "oblique": True, "it": True, "upright": False}
_FOUNDRIES = frozenset(("mt", "ps", "psmt"))
"""Suffixes of some makers after a name and a style."""


class StyledName(NamedTuple):
    """A family name, and the weight and style in the name, None if not included."""

    family: str
    weight: int | None = None
    italic: bool | None = None


def unspaced(name: str) -> str:
    """Return a name without spaces and punctuation, as in PostScript names."""
    return "".join(char for char in name if char.isalnum())


def without_style(name: str) -> StyledName:
    """Split a name from the words of style at its end."""
    words = list(_WORD.finditer(name[:200]))
    weight: int | None = None
    italic: bool | None = None
    while len(words) > 1:
        last, pair = words[-1][0].lower(), (words[-2][0] + words[-1][0]).lower()
        if len(words) > 2 and pair in _WEIGHTS and weight is None:
            weight = _WEIGHTS[pair]
            words.pop()
        elif last in _WEIGHTS and weight is None:
            weight = _WEIGHTS[last]
        elif last in _SLANTS and italic is None:
            italic = _SLANTS[last]
        elif last not in _FOUNDRIES:
            break
        words.pop()
    if weight is None and italic is None:
        return StyledName(name)
    return StyledName(name[: words[-1].end()] if words else name, weight, italic)
