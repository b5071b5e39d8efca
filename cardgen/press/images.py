"""Pictures of a PDF in inks."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

import numpy as np
import pikepdf
from PIL import Image

from cardgen.press.palettes import InkPalette, Palette

_QUALITY = 92
_OVER = 0.02
"""How much more ink than the limit what is lost in a JPEG may come to, here and there."""


def recolor_image(image: Any, palette: Palette) -> None:
    """Put a picture of colours into the palette's space, in place. What is gray already stays gray. What
    was a JPEG is one again, unless its losses would take it over the limit of ink."""
    is_gray = _is_gray(image.get("/ColorSpace"))
    if image.get("/ImageMask") is True or (is_gray and not palette.exact):
        return
    if str(image.get("/ColorSpace")) == "/DeviceCMYK":
        return
    was_jpeg = str(image.get("/Filter")) in ("/DCTDecode", 'pikepdf.Array([ "/DCTDecode" ])')
    shown = palette.picture(pikepdf.PdfImage(image).as_pil_image().convert("L" if is_gray else "RGB"))
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


def _jpeg(image: Image.Image, palette: Palette) -> bytes | None:
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    if isinstance(palette, InkPalette):
        again = Image.open(BytesIO(out.getvalue()))
        if peak(again) > palette.inks.rules.limit + _OVER:
            return None
    return out.getvalue()


def peak(image: Image.Image) -> float:
    """The most ink that a pixel of a picture in CMYK has, all inks together: 2.4 is 240 %."""
    pixels = np.asarray(image)
    return float(pixels.sum(axis=2, dtype=np.uint16).max()) / 255 if pixels.size else 0.0


def _deflated(image: Image.Image) -> bytes:
    """Its rows, each as what it differs by from the one above (PNG's filter 2)."""
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
