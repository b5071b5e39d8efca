"""The fonts that templates may name: families and faces from fonts/fonts.yaml, nothing from the system."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from cardgen.findings import did_you_mean
from cardgen.model.game import ProjectPaths
from cardgen.typesetting.font_list import FONT_LIST, FaceFile, Family, read_families, style_name
from cardgen.typesetting.shaping import Font, FontError


class FontBook:
    """All declared fonts. A face declared by the user's project wins over a bundled one of the same
    family, weight and style. Files are read when a face is first asked for.

    Raises CardgenError with all findings for a fonts.yaml in error.
    """

    def __init__(self, paths: ProjectPaths) -> None:
        self.families: dict[str, Family] = read_families(paths)
        self._files: dict[str, FaceFile] = {
            face.key: face for family in self.families.values() for face in family.faces.values()
        }
        self._roots = paths.roots
        self._fonts: dict[str, Font] = {}

    def standing_in(self, others: Iterable[tuple[str, str]]) -> FontBook:
        """The same fonts, where the first family of each pair is the second; one that is not there stands
        in for none."""
        pairs = [(family, self.families[other]) for family, other in others if other in self.families]
        if not pairs:
            return self
        book = copy.copy(self)
        book.families = {**self.families, **dict(pairs)}
        return book

    def face(self, family: str, weight: int = 400, italic: bool = False) -> Font:
        """Exactly this face. Raises FontError, which says what there is, instead of substituting."""
        known = self.families.get(family)
        if known is None:
            names = sorted(self.families)
            every = f"the families are {', '.join(names)}" if names else f"{FONT_LIST} declares none"
            hint = did_you_mean(family, names) or every
            raise FontError("font/family", f"there is no font family '{family}'", hint)
        face = known.faces.get((weight, italic))
        if face is None:
            message = f"the font family '{family}' has no {style_name(weight, italic)}"
            styles = ", ".join(known.faces[key].style for key in sorted(known.faces))
            raise FontError("font/face", message, f"it has {styles}")
        return self._load(face)

    def by_key(self, key: str) -> Font:
        """The font with this `Font.key`. Raises FontError if none is declared."""
        face = self._files.get(key)
        if face is None:
            raise FontError("font/key", f"there is no font '{key}'", did_you_mean(key, self._files))
        return self._load(face)

    def _load(self, face: FaceFile) -> Font:
        font = self._fonts.get(face.key)
        if font is None:
            font = self._fonts[face.key] = Font(face.key, face.path, face.name, self._roots)
        return font
