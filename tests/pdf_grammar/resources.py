"""What streams name: colour spaces, graphics states, patterns, shadings, functions and images, each by
the entries that ISO 32000-1 asks of it. Every function yields what is wrong, in words."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pikepdf
from PIL import Image

_DEVICE = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4, "/CalGray": 1, "/CalRGB": 3, "/Lab": 3}
_BLEND_MODES = set(
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight "
    "Difference Exclusion Hue Saturation Color Luminosity".split()
)


def numbers(value: Any, count: int | None = None) -> list[float] | None:
    """An array of (so many) numbers, else None."""
    if not isinstance(value, pikepdf.Array) or (count is not None and len(value) != count):
        return None
    items = list(value)
    if any(isinstance(item, (pikepdf.Object, bool)) for item in items):
        return None
    return [float(item) for item in items]


def color_components(space: Any) -> int | str | None:
    """How many numbers a colour of the space has, "pattern" for patterns, None for what is no space."""
    if isinstance(space, pikepdf.Name):
        return "pattern" if space == "/Pattern" else _DEVICE.get(str(space))
    if not isinstance(space, pikepdf.Array) or not len(space):
        return None
    family = str(space[0])
    if family == "/Pattern":
        return "pattern"
    if family == "/ICCBased" and len(space) == 2 and isinstance(space[1], pikepdf.Stream):
        count = space[1].get("/N")
        return int(count) if count in (1, 3, 4) else None
    if family == "/Indexed" and len(space) == 4:
        base = color_components(space[1])
        table = space[3]
        held = table.read_bytes() if isinstance(table, pikepdf.Stream) else bytes(table)
        fits = (
            isinstance(base, int) and 0 <= int(space[2]) <= 255 and len(held) == base * (int(space[2]) + 1)
        )
        return 1 if fits else None
    if family == "/Separation" and len(space) == 4:
        return 1
    if family == "/DeviceN" and len(space) >= 4:
        return len(space[1])
    return _DEVICE.get(family) if len(space) == 2 else None


def state_faults(state: Any) -> Iterator[str]:
    """An ExtGState dictionary."""
    for key, value in state.items():
        if key in ("/ca", "/CA"):
            if isinstance(value, (pikepdf.Object, bool)) or not 0 <= value <= 1:
                yield f"{key} {value}"
        elif key == "/SMask":
            if isinstance(value, pikepdf.Dictionary):
                if str(value.get("/S")) not in ("/Alpha", "/Luminosity"):
                    yield f"a soft mask of /S {value.get('/S')}"
                if "/Group" not in value.get("/G", {}):
                    yield "a soft mask whose form is no group"
            elif value != "/None":
                yield f"/SMask {value}"
        elif key == "/BM":
            if str(value)[1:] not in _BLEND_MODES:
                yield f"/BM {value}"
        elif key not in ("/Type", "/AIS", "/SA", "/LW", "/LC", "/LJ", "/ML", "/OP", "/op", "/OPM", "/TK"):
            yield f"unknown entry {key}"


def pattern_faults(pattern: Any) -> Iterator[str]:
    """A pattern's dictionary; the stream of a tiling is a matter of its own."""
    if "/Matrix" in pattern and numbers(pattern.Matrix, 6) is None:
        yield "/Matrix is not six numbers"
    kind = pattern.get("/PatternType")
    if kind == 2:
        shading = pattern.get("/Shading")
        if shading is None:
            yield "no /Shading"
        else:
            yield from shading_faults(shading)
    elif kind == 1:
        if not isinstance(pattern, pikepdf.Stream):
            yield "a tiling that is no stream"
        if pattern.get("/PaintType") not in (1, 2) or pattern.get("/TilingType") not in (1, 2, 3):
            yield f"/PaintType {pattern.get('/PaintType')} /TilingType {pattern.get('/TilingType')}"
        if numbers(pattern.get("/BBox"), 4) is None:
            yield "/BBox is not four numbers"
        if not pattern.get("/XStep") or not pattern.get("/YStep"):
            yield "a step of nothing"
        if "/Resources" not in pattern:
            yield "no /Resources"
    else:
        yield f"/PatternType {kind}"


def shading_faults(shading: Any) -> Iterator[str]:
    """A shading dictionary or stream."""
    components = color_components(shading.get("/ColorSpace"))
    if not isinstance(components, int):
        yield f"/ColorSpace {shading.get('/ColorSpace')}"
        return
    kind = shading.get("/ShadingType")
    if kind in (2, 3):
        coords = numbers(shading.get("/Coords"), 4 if kind == 2 else 6)
        if coords is None:
            yield "/Coords"
        elif kind == 3 and min(coords[2], coords[5]) < 0:
            yield "a negative radius"
        domain = numbers(shading.get("/Domain"), 2) if "/Domain" in shading else [0.0, 1.0]
        extend = shading.get("/Extend")
        if extend is not None and not (len(extend) == 2 and all(isinstance(item, bool) for item in extend)):
            yield f"/Extend {list(extend)}"
        yield from function_faults(shading.get("/Function"), domain, components)
    elif kind in (4, 5, 6, 7):
        if not isinstance(shading, pikepdf.Stream):
            yield "a mesh that is no stream"
            return
        across = 1 if "/Function" in shading else components
        decode = numbers(shading.get("/Decode"), 4 + 2 * across)
        bits = [shading.get(key) for key in ("/BitsPerCoordinate", "/BitsPerComponent", "/BitsPerFlag")]
        if (
            decode is None
            or bits[0] not in (1, 2, 4, 8, 12, 16, 24, 32)
            or bits[1] not in (1, 2, 4, 8, 12, 16)
        ):
            yield f"a mesh of {bits} bits"
        if kind != 5 and bits[2] not in (2, 4, 8):
            yield f"/BitsPerFlag {bits[2]}"
    else:
        yield f"/ShadingType {kind}"


def function_faults(function: Any, domain: list[float] | None, outputs: int) -> Iterator[str]:
    """A function of one number over at least `domain` with so many results; or an array of functions
    with one result each."""
    if isinstance(function, pikepdf.Array):
        if len(function) != outputs:
            yield f"{len(function)} functions instead of {outputs}"
        for each in function:
            yield from function_faults(each, domain, 1)
        return
    if not isinstance(function, (pikepdf.Dictionary, pikepdf.Stream)):
        yield "no function"
        return
    own = numbers(function.get("/Domain"), 2)
    if own is None or own[0] > own[1]:
        yield "a function's /Domain"
        return
    if domain is None or domain[0] < own[0] or domain[1] > own[1]:
        yield "a function's /Domain is too narrow"
    kind = function.get("/FunctionType")
    if kind == 2:
        for key in ("/C0", "/C1"):
            if len(numbers(function.get(key)) or [0.0]) != outputs:
                yield f"{key} of a function with {outputs} results"
        if isinstance(function.get("/N"), (pikepdf.Object, type(None))):
            yield "/N of a function"
    elif kind == 3:
        parts = list(function.get("/Functions", []))
        bounds, encode = numbers(function.get("/Bounds")), numbers(function.get("/Encode"), 2 * len(parts))
        if not parts or bounds is None or len(bounds) != len(parts) - 1 or encode is None:
            yield "/Bounds and /Encode of joined functions"
            return
        edges = [own[0], *bounds, own[1]]
        if any(left >= right for left, right in pairwise(edges)):
            yield f"/Bounds {edges} do not rise"
        for part, (low, high) in zip(parts, zip(encode[::2], encode[1::2])):
            yield from function_faults(part, [min(low, high), max(low, high)], outputs)
    elif kind == 0:
        yield from _sampled_faults(function, outputs)
    elif kind != 4:
        yield f"/FunctionType {kind}"


def _sampled_faults(function: Any, outputs: int) -> Iterator[str]:
    size, bits = function.get("/Size"), function.get("/BitsPerSample")
    if numbers(function.get("/Range"), 2 * outputs) is None or size is None or len(size) != 1:
        yield "a sampled function's /Range and /Size"
    elif len(function.read_bytes()) != (int(size[0]) * outputs * bits + 7) // 8:
        yield "a sampled function's data"


def image_faults(image: Any) -> Iterator[str]:
    """An Image XObject: as many bytes as its measures ask for."""
    width, height = image.get("/Width"), image.get("/Height")
    mask = image.get("/ImageMask") is True
    bits = 1 if mask else image.get("/BitsPerComponent")
    if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
        yield f"{width} × {height} pixels"
        return
    components = 1 if mask else color_components(image.get("/ColorSpace"))
    if mask and "/ColorSpace" in image:
        yield "a mask with a colour space"
    if not isinstance(components, int) or bits not in (1, 2, 4, 8, 16):
        yield f"/ColorSpace {image.get('/ColorSpace')} of {bits} bits"
        return
    filters = image.get("/Filter", [])
    names = [str(item) for item in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]
    if names[-1:] == ["/DCTDecode"]:
        with Image.open(io.BytesIO(image.read_raw_bytes())) as photo:
            found = photo.size, len(photo.getbands())
        if len(names) > 1 or bits != 8 or found != ((width, height), components):
            yield f"a JPEG of {found} as {width} × {height} with {components} components"
    else:
        try:
            length = len(image.read_bytes())
        except pikepdf.PdfError as error:
            yield str(error)
            return
        wanted = height * ((width * bits * components + 7) // 8)
        if length != wanted:
            yield f"{length} bytes instead of {wanted}"
    decode = image.get("/Decode")
    if decode is not None and numbers(decode, 2 * components) is None:
        yield "/Decode"
    soft = image.get("/SMask")
    if soft is not None:
        if str(soft.get("/ColorSpace")) != "/DeviceGray" or "/SMask" in soft:
            yield "a soft mask that is not grey"
        yield from (f"soft mask: {what}" for what in image_faults(soft))
