"""A finished PDF in inks: everything that it paints, through one table of colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pikepdf

from cardgen.press.images import recolor_image
from cardgen.press.inline import content_of, lift_images
from cardgen.press.operators import Space, in_inks
from cardgen.press.palettes import MaskPalette, Palette
from cardgen.press.shadings import recolor
from cardgen.press.spots import SpotInk, SpotInks, space_of, states
from cardgen.units import MM_PER_PT

Units = dict[bytes, float]
"""How many mm a unit of what a stream shows is, by its name there."""

_DEVICE: dict[bytes, Space] = {b"/DeviceRGB": "rgb", b"/DeviceGray": "gray", b"/CalRGB": "rgb"}
_COLORS = re.compile(rb"\b(?:rg|RG|g|G|sc|scn|SC|SCN|cs|CS|Do)\b")


class Conversion:
    """One PDF on its way into inks. Each object is met once, whatever shows it; how thick its lines are is
    told by the first that does."""

    def __init__(self, pdf: pikepdf.Pdf, palette: Palette, spots: SpotInks | None = None) -> None:
        self._pdf, self._palette, self._mask = pdf, palette, MaskPalette()
        self._spots = spots if spots is not None else SpotInks()
        self._named: dict[SpotInk, Any] = {}
        self._states: dict[str, Any] = {}
        self._done: set[tuple[int, int]] = set()

    def run(self) -> None:
        """Put everything on all pages into inks, in place."""
        for page in self._pdf.pages:
            lift_images(page, self._pdf)
            resources = page.obj.get("/Resources", pikepdf.Dictionary())
            found, shown = self._content(content_of(page), resources, self._palette, MM_PER_PT)
            if found is not None:
                page.obj.Contents = self._pdf.make_stream(found)
            self._group(page.obj, self._palette)
            self._resources(resources, self._palette, MM_PER_PT, shown)

    def _content(
        self, content: bytes, resources: Any, palette: Palette, unit: float
    ) -> tuple[bytes | None, Units]:
        """A content stream in inks, None if it names no colour; and what it shows how large."""
        shown: Units = {}
        if not _COLORS.search(content):
            return None, shown
        spots = self._spots if palette is self._palette else None
        self._spots.used.clear()
        found = in_inks(content, palette, self._spaces(resources), unit, shown, spots)
        self._name(resources)
        return (None if found == content else found), shown

    def _spaces(self, resources: Any) -> dict[bytes, Space]:
        spaces = dict(_DEVICE)
        for key, space in (resources.get("/ColorSpace") or {}).items():
            spaces[key.encode("ascii")] = _kind(space)
        return spaces

    def _name(self, resources: Any) -> None:
        """Have a stream's resources name the spot colours that were met in it."""
        used = sorted(self._spots.used, key=lambda spot: spot.key)
        for spot in used:
            if spot not in self._named:
                inks = self._palette.values([channel / 255 for channel in spot.shows])
                self._named[spot] = space_of(spot, inks, self._pdf)
            _add(resources, "/ColorSpace", f"/{spot.key}", self._named[spot])
        if any(spot.overprint for spot in used):
            self._states = self._states or states(self._pdf)
            for name, state in self._states.items():
                _add(resources, "/ExtGState", name, state)

    def _form(self, form: Any, palette: Palette, unit: float) -> None:
        """A form or the cell of a pattern; `unit` is how many mm a unit around it is."""
        if "/Resources" not in form:
            form.Resources = pikepdf.Dictionary()
        lift_images(form, self._pdf)
        resources = form.Resources
        if "/Matrix" in form:
            a, b, c, d = [float(value) for value in form.Matrix][:4]
            unit *= abs(a * d - b * c) ** 0.5
        found, shown = self._content(content_of(form), resources, palette, unit)
        if found is not None:
            form.write(found)
        self._group(form, palette)
        self._resources(resources, palette, unit, shown)

    def _group(self, holder: Any, palette: Palette) -> None:
        group = holder.get("/Group")
        if group is not None and "/CS" in group:
            group.CS = pikepdf.Name(palette.space)

    def _resources(self, resources: Any, palette: Palette, unit: float, shown: Units) -> None:
        """What a stream shows, beside it. `unit` is how many mm its own unit is."""
        for _, object in self._new(resources, "/Shading"):
            self._shading(object, palette)
        for _, object in self._new(resources, "/Pattern"):
            if int(object.PatternType) == 1:
                self._form(object, palette, unit)
            elif self._first(object.Shading):
                self._shading(object.Shading, palette)
        for name, object in self._new(resources, "/XObject"):
            if object.Subtype == "/Image":
                recolor_image(object, palette)
            else:
                self._form(object, palette, shown.get(name.encode("ascii"), unit))
        for _, state in self._new(resources, "/ExtGState"):
            mask = state.get("/SMask")
            if isinstance(mask, pikepdf.Dictionary) and self._first(mask.G):
                self._form(mask.G, self._mask, unit)
                if "/BC" in mask and len(mask.BC) == 3:
                    mask.BC = list(self._mask.values([float(value) for value in mask.BC]))
        for key, space in list((resources.get("/ColorSpace") or {}).items()):
            if _kind(space) != "other":
                del resources.ColorSpace[key]  # nothing names it any more

    def _shading(self, shading: Any, palette: Palette) -> None:
        kind = _kind(shading.ColorSpace)
        if kind != "other":
            recolor(shading, kind == "gray", palette, self._pdf)

    def _new(self, resources: Any, kind: str) -> Iterator[tuple[str, Any]]:
        for name, object in sorted((resources.get(kind) or {}).items()):
            if self._first(object):
                yield name, object

    def _first(self, object: Any) -> bool:
        """Whether an object is met for the first time; what stands in its holder always is."""
        if not object.is_indirect:
            return True
        if object.objgen in self._done:
            return False
        self._done.add(object.objgen)
        return True


def _add(resources: Any, kind: str, name: str, value: Any) -> None:
    if kind not in resources:
        resources[kind] = pikepdf.Dictionary()
    resources[kind][name] = value


def _kind(space: Any) -> Space:
    if isinstance(space, pikepdf.Name):
        return _DEVICE.get(str(space).encode("ascii"), "other")
    family = str(space[0])
    if family == "/ICCBased":
        return {1: "gray", 3: "rgb"}.get(int(space[1].N), "other")  # type: ignore[return-value]
    return {"/CalRGB": "rgb", "/CalGray": "gray", "/DeviceRGB": "rgb"}.get(family, "other")  # type: ignore[return-value]
