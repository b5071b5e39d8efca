"""A finished PDF in inks: everything that it paints, through one table of colors."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
from PIL import Image, ImageChops

from cardgen.core.geometry import MM_PER_PT
from cardgen.pdf.flattening import colors_in, forms_in, see_through
from cardgen.pdf.ink_operators import (
    OWN_OVERPRINT,
    ColorPalette,
    InkPalette,
    MaskPalette,
    Space,
    SpotInk,
    SpotInks,
    Traits,
    Use,
    operator_of,
    recolor,
    space_of,
    states,
)
from cardgen.pdf.ink_operators import in_inks as stream_in_inks

Units = dict[bytes, float]
"""The unit, in mm, of each resource of a stream, by its name there."""

_DEVICE: dict[bytes, Space] = {b"/DeviceRGB": "rgb", b"/DeviceGray": "gray", b"/CalRGB": "rgb"}
_OVERPRINTS = re.compile(rb"/cg-over")
_COLORS = re.compile(rb"\b(?:rg|RG|g|G|sc|scn|SC|SCN|cs|CS|Do)\b")


class Conversion:
    """One PDF on its way into inks. Each object is met once, wherever it is shown. Its first place sets the
    thickness of its lines.
    """

    def __init__(self, pdf: pikepdf.Pdf, palette: ColorPalette, spots: SpotInks | None = None) -> None:
        self._pdf, self._palette, self._mask = pdf, palette, MaskPalette()
        self._spots = spots if spots is not None else SpotInks()
        self._named: dict[SpotInk, Any] = {}
        self._states = states(pdf, palette)
        self._foiled = _foiled(pdf, self._spots)
        self._done: set[tuple[int, int]] = set()

    def run(self, unit: float = MM_PER_PT) -> None:
        """Put everything on all pages, whose units are so many mm, into inks, in place."""
        for page in self._pdf.pages:
            resources = page.obj.get("/Resources", pikepdf.Dictionary())
            found, shown = self._content(page, page.obj, resources, self._palette, unit)
            if found is not None:
                page.obj.Contents = self._pdf.make_stream(found)
            self._group(page.obj, self._palette)
            self._resources(resources, self._palette, unit, shown)

    def _content(
        self, holder: Any, object: Any, resources: Any, palette: ColorPalette, unit: float
    ) -> tuple[bytes | None, Units]:
        """Return a content stream in inks, None if it names no color; and what it shows how large."""
        content, shown = content_of(holder), Units()
        if not _COLORS.search(content):
            return None, shown
        spots = self._spots if palette is self._palette else None
        self._spots.used.clear()
        traits = None if object.objgen in self._foiled else _traits(resources)
        spaces = self._spaces(resources)
        found = stream_in_inks(content, palette, spaces, unit, shown, spots, traits)
        self._name(resources)
        if _OVERPRINTS.search(found):
            for name, state in self._states.items():
                _add(resources, "/ExtGState", name, state)
        return (None if found == content else found), shown

    def _spaces(self, resources: Any) -> dict[bytes, Space]:
        spaces = dict(_DEVICE)
        for key, space in (resources.get("/ColorSpace") or {}).items():
            spaces[key.encode("ascii")] = _kind(space)
        return spaces

    def _name(self, resources: Any) -> None:
        """Add the spot colors met in a stream to its resources."""
        used = sorted(self._spots.used, key=lambda spot: spot.key)
        for spot in used:
            if spot not in self._named:
                inks = self._palette.values([channel / 255 for channel in spot.shows])
                self._named[spot] = space_of(spot, inks, self._pdf)
            _add(resources, "/ColorSpace", f"/{spot.key}", self._named[spot])

    def _form(self, form: Any, palette: ColorPalette, unit: float) -> None:
        """Convert a form or the cell of a pattern; `unit` is how many mm a unit around it is."""
        if "/Resources" not in form:
            form.Resources = pikepdf.Dictionary()
        resources = form.Resources
        if "/Matrix" in form:
            a, b, c, d = [float(value) for value in form.Matrix][:4]
            unit *= abs(a * d - b * c) ** 0.5
        found, shown = self._content(form, form, resources, palette, unit)
        if found is not None:
            form.write(found)
        self._group(form, palette)
        self._resources(resources, palette, unit, shown)

    def _group(self, holder: Any, palette: ColorPalette) -> None:
        group = holder.get("/Group")
        if group is not None and "/CS" in group:
            group.CS = pikepdf.Name(palette.space)

    def _resources(self, resources: Any, palette: ColorPalette, unit: float, shown: Units) -> None:
        """Convert the resources of a stream. `unit` is how many mm its own unit is."""
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

    def _shading(self, shading: Any, palette: ColorPalette) -> None:
        kind = _kind(shading.ColorSpace)
        if kind != "other":
            recolor(shading, kind == "gray", palette, self._pdf)

    def _new(self, resources: Any, kind: str) -> Iterator[tuple[str, Any]]:
        for name, object in sorted((resources.get(kind) or {}).items()):
            if self._first(object):
                yield name, object

    def _first(self, object: Any) -> bool:
        """Return True if an object is met for the first time; direct objects always are."""
        if not object.is_indirect:
            return True
        if object.objgen in self._done:
            return False
        self._done.add(object.objgen)
        return True


def _traits(resources: Any) -> dict[bytes, Traits]:
    """Return the traits of graphics states by their names as streams write them."""
    found: dict[bytes, Traits] = {}
    for name, state in (resources.get("/ExtGState") or {}).items():
        traits = {
            key: see_through({key: state[key]}) for key in ("/ca", "/CA", "/BM", "/SMask") if key in state
        }
        if "/OP" in state or "/op" in state:
            traits[OWN_OVERPRINT] = True
        found[name.encode("ascii")] = traits
    return found


def _foiled(pdf: pikepdf.Pdf, spots: SpotInks) -> frozenset[tuple[int, int]]:
    """Return the pages and forms where a spot color may be below black ink that must not print on it:
    overprinting would leave foil where black text is."""
    found: set[tuple[int, int]] = set()
    if all(spot.overprint for spot in spots):
        return frozenset()
    for page in pdf.pages:
        sides = [
            each
            for each in (page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject") or {}).values()
            if each.get("/Subtype") == "/Form"
        ]
        for side in sides:
            met = [spots.of(color) for color in colors_in(side)]
            if any(spot is not None and not spot.overprint for spot in met):
                found |= {page.obj.objgen, *(form.objgen for form in forms_in(side))}
    return frozenset(found)


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


_QUALITY = 92
_OVER = 0.02
"""The ink beyond the limit that JPEG losses may cause in places."""


def recolor_image(image: Any, palette: ColorPalette) -> None:
    """Put a picture of colors into the palette's space, in place. Black and white stays gray, and so does
    gray if the palette says so. What was a JPEG is one again, unless its losses would take it over the
    limit of ink."""
    is_gray = _is_gray(image.get("/ColorSpace"))
    is_line_art = is_gray and int(image.get("/BitsPerComponent", 8)) == 1
    stays = is_line_art or (is_gray and palette.black_images)
    if image.get("/ImageMask") is True or (stays and not palette.exact):
        return
    if str(image.get("/ColorSpace")) == "/DeviceCMYK":
        return
    was_jpeg = str(image.get("/Filter")) in ("/DCTDecode", 'pikepdf.Array([ "/DCTDecode" ])')
    mode = "1" if is_line_art else "L" if is_gray else "RGB"
    shown = palette.picture(pikepdf.PdfImage(image).as_pil_image().convert(mode))
    packed = _jpeg(shown, palette) if was_jpeg and not palette.exact else None
    for key in ("/DecodeParms", "/Decode"):
        if key in image:
            del image[key]
    if packed is not None:
        image.write(packed, filter=pikepdf.Name.DCTDecode)
        if shown.mode == "CMYK":
            image.Decode = [1, 0] * 4  # Adobe's CMYK in JPEG is the wrong way round
    else:
        parameters = pikepdf.Dictionary(
            Predictor=15, Colors=len(shown.getbands()), BitsPerComponent=8, Columns=shown.width
        )
        image.write(_deflated(shown), filter=pikepdf.Name.FlateDecode, decode_parms=parameters)
    image.ColorSpace = pikepdf.Name(palette.space)
    image.BitsPerComponent = 8


def _jpeg(image: Image.Image, palette: ColorPalette) -> bytes | None:
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    if isinstance(palette, InkPalette):
        again = Image.open(BytesIO(out.getvalue()))
        if peak(again) > palette.inks.rules.limit + _OVER:
            return None
    return out.getvalue()


def peak(image: Image.Image) -> float:
    """Return the most ink that a pixel of a picture in CMYK has, all inks together: 2.4 is 240 %."""
    pixels = np.asarray(image)
    return float(pixels.sum(axis=2, dtype=np.uint16).max()) / 255 if pixels.size else 0.0


def _deflated(image: Image.Image) -> bytes:
    """Return its rows, each as what it differs by from the one above (PNG's filter 2)."""
    rows = np.asarray(image).reshape(image.height, -1)
    lines = np.empty((image.height, rows.shape[1] + 1), np.uint8)
    lines[:, 0] = 2
    lines[0, 1:] = rows[0]
    lines[1:, 1:] = rows[1:] - rows[:-1]
    return zlib.compress(lines.tobytes(), 6)


def _is_gray(space: Any) -> bool:
    if isinstance(space, pikepdf.Array) and str(space[0]) == "/ICCBased":
        return int(space[1].N) == 1
    return str(space) in ("/DeviceGray", "/CalGray", "None")


def content_of(holder: Any) -> bytes:
    """Return the content stream of a page or a form."""
    if not isinstance(holder, pikepdf.Page):
        return bytes(holder.read_bytes())
    if "/Contents" not in holder.obj:
        return b""
    contents = holder.obj.Contents
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts)


class _Plates:
    """Some of the inks of a palette as light: 1 is none of it."""

    exact = True
    black_images = False

    def __init__(self, palette: InkPalette, space: str, mode: str, inks: slice) -> None:
        self._palette, self._inks = palette, inks
        self.space, self.mode = space, mode

    def _light(self, inks: Sequence[float]) -> tuple[float, ...]:
        return tuple(1 - ink for ink in inks[self._inks])

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """Return a color of a gradient."""
        return self._light(self._palette.values(color))

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Return the colors of a gradient."""
        return [self._light(inks) for inks in self._palette.many(colors)]

    def picture(self, image: Image.Image) -> Image.Image:
        return _merged(self._palette.picture(image).split()[self._inks], self.mode)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self._light(self._palette.inks_of(color, use)), fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self._light(self._palette.inks_of(color, use)), fill=False)

    def overprints(self, color: Sequence[float]) -> bool:
        """On the plate of black it paints as ever."""
        return self.mode == "RGB" and self._palette.overprints(color)

    def state(self, fill: bool, lines: bool) -> dict[str, Any]:
        """No program shows gray or red, green and blue overprinted, so these are not painted at all."""
        return {"/ca": int(not fill), "/CA": int(not lines)}


def _merged(bands: Sequence[Image.Image], mode: str) -> Image.Image:
    """Inks as light."""
    return Image.merge(mode, [ImageChops.invert(band) for band in bands])


def plates(content: bytes, palette: InkPalette, unit: float = MM_PER_PT) -> tuple[bytes, bytes]:
    """Split a PDF in RGB, whose pages have units of so many mm, into two others: cyan, magenta and yellow
    as the absence of red, green and blue, and black as gray. Raises as `Conversion.run` does."""
    found: list[bytes] = []
    for space, mode, inks in (("/DeviceRGB", "RGB", slice(0, 3)), ("/DeviceGray", "L", slice(3, 4))):
        with pikepdf.open(BytesIO(content)) as pdf:
            Conversion(pdf, _Plates(palette, space, mode, inks)).run(unit)
            out = BytesIO()
            pdf.save(out)
            found.append(out.getvalue())
    return found[0], found[1]


class InkMixer:
    """The mixed colors of a press, as `flattening.Mixer` says."""

    def __init__(self, palette: InkPalette) -> None:
        self._palette = palette
        self.inks_of = palette.inks_of

    def plates(self, content: bytes, unit: float) -> tuple[bytes, bytes]:
        return plates(content, self._palette, unit)

    def limited(self, pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        return self._palette.inks.limited(pixels)


def in_inks(colors: Image.Image, black: Image.Image) -> Image.Image:
    """Return the inks of a page (CMYK), from the pixels (RGB or L) of its two."""
    bands = [*colors.convert("RGB").split(), black.convert("L")]
    return Image.merge("CMYK", [ImageChops.invert(band) for band in bands])
