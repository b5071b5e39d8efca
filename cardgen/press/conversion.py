"""A finished PDF in inks: everything that it paints, through one table of colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pikepdf

from cardgen.press.images import recolor_image
from cardgen.press.operators import InlineImageError, Space, in_inks
from cardgen.press.palettes import MaskPalette, Palette
from cardgen.press.shadings import recolor

_DEVICE: dict[bytes, Space] = {b"/DeviceRGB": "rgb", b"/DeviceGray": "gray", b"/CalRGB": "rgb"}
_COLORS = re.compile(rb"\b(?:rg|RG|g|G|sc|scn|SC|SCN|cs|CS)\b")


class Conversion:
    """One PDF on its way into inks. Each object is met once, whatever shows it."""

    def __init__(self, pdf: pikepdf.Pdf, palette: Palette) -> None:
        self._pdf, self._palette, self._mask = pdf, palette, MaskPalette()
        self._done: set[tuple[int, int]] = set()

    def run(self) -> None:
        """Put everything on all pages into inks, in place."""
        for page in self._pdf.pages:
            content = b"\n".join(part.read_bytes() for part in _contents(page.obj))
            resources = page.obj.get("/Resources", pikepdf.Dictionary())
            found = self._content(content, resources, self._palette)
            if found is not None:
                page.obj.Contents = self._pdf.make_stream(found)
            self._group(page.obj, self._palette)
            self._resources(resources, self._palette)

    def _content(self, content: bytes, resources: Any, palette: Palette) -> bytes | None:
        """A content stream in inks, None if it names no colour."""
        if not _COLORS.search(content):
            return None
        try:
            return in_inks(content, palette, self._spaces(resources))
        except InlineImageError:
            raise ValueError("an image within a content stream") from None

    def _spaces(self, resources: Any) -> dict[bytes, Space]:
        spaces = dict(_DEVICE)
        for key, space in (resources.get("/ColorSpace") or {}).items():
            spaces[key.encode("ascii")] = _kind(space)
        return spaces

    def _form(self, form: Any, palette: Palette) -> None:
        """A form or the cell of a pattern."""
        resources = form.get("/Resources", pikepdf.Dictionary())
        if "/Resources" not in form:
            form.Resources = resources
        found = self._content(form.read_bytes(), resources, palette)
        if found is not None:
            form.write(found)
        self._group(form, palette)
        self._resources(resources, palette)

    def _group(self, holder: Any, palette: Palette) -> None:
        group = holder.get("/Group")
        if group is not None and "/CS" in group:
            group.CS = pikepdf.Name(palette.space)

    def _resources(self, resources: Any, palette: Palette) -> None:
        for object in self._new(resources, "/Shading"):
            self._shading(object, palette)
        for object in self._new(resources, "/Pattern"):
            if int(object.PatternType) == 1:
                self._form(object, palette)
            elif self._first(object.Shading):
                self._shading(object.Shading, palette)
        for object in self._new(resources, "/XObject"):
            if object.Subtype == "/Image":
                recolor_image(object, palette)
            else:
                self._form(object, palette)
        for state in self._new(resources, "/ExtGState"):
            mask = state.get("/SMask")
            if isinstance(mask, pikepdf.Dictionary) and self._first(mask.G):
                self._form(mask.G, self._mask)
                if "/BC" in mask and len(mask.BC) == 3:
                    mask.BC = list(self._mask.values([float(value) for value in mask.BC]))
        for key, space in list((resources.get("/ColorSpace") or {}).items()):
            if _kind(space) != "other":
                del resources.ColorSpace[key]  # nothing names it any more

    def _shading(self, shading: Any, palette: Palette) -> None:
        kind = _kind(shading.ColorSpace)
        if kind != "other":
            recolor(shading, kind == "gray", palette, self._pdf)

    def _new(self, resources: Any, kind: str) -> Iterator[Any]:
        for _, object in sorted((resources.get(kind) or {}).items()):
            if self._first(object):
                yield object

    def _first(self, object: Any) -> bool:
        """Whether an object is met for the first time; what stands in its holder always is."""
        if not object.is_indirect:
            return True
        if object.objgen in self._done:
            return False
        self._done.add(object.objgen)
        return True


def _contents(page: Any) -> list[Any]:
    contents = page.get("/Contents")
    if contents is None:
        return []
    return list(contents) if isinstance(contents, pikepdf.Array) else [contents]


def _kind(space: Any) -> Space:
    if isinstance(space, pikepdf.Name):
        return _DEVICE.get(str(space).encode("ascii"), "other")
    family = str(space[0])
    if family == "/ICCBased":
        return {1: "gray", 3: "rgb"}.get(int(space[1].N), "other")  # type: ignore[return-value]
    return {"/CalRGB": "rgb", "/CalGray": "gray", "/DeviceRGB": "rgb"}.get(family, "other")  # type: ignore[return-value]
