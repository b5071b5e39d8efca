"""Colors as normal and color-blind eyes see them, and the distance between them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SIGHTS: Mapping[str, Floats] = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""Maps of linear RGB: unchanged, and without red, green or blue cones."""

_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
"""Linear sRGB to XYZ, IEC 61966-2-1."""
_WHITE = _XYZ.sum(axis=1)
_DARK = (6 / 29) ** 3


def lab(colors: Floats, sight: str = "normal") -> Floats:
    """Return CIELAB (L* 0 to 100, a*, b*; white of D65) of sRGB colors (shares of 1, the last axis red,
    green and blue) as seen with one of SIGHTS."""
    colors = np.asarray(colors, np.float64)
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SIGHTS[sight].T, 0.0, 1.0)
    shares = seen @ _XYZ.T / _WHITE
    x, y, z = np.moveaxis(
        np.where(shares > _DARK, np.cbrt(shares), shares * (29 / 6) ** 2 / 3 + 4 / 29), -1, 0
    )
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


_FAR = 25.0**7


def difference(one: Floats, other: Floats) -> Floats:
    """Return ΔE2000 of colors in Lab, the last axis L, a and b: about 1 is what a trained eye sees, 10
    another color."""
    (l1, a1, b1), (l2, a2, b2) = (np.moveaxis(np.asarray(each, np.float64), -1, 0) for each in (one, other))
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    a1, a2 = (a * (1 + 0.5 * (1 - _share(chroma))) for a in (a1, a2))
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    gray = c1 * c2 == 0
    turn = np.where(gray, 0.0, (h2 - h1 + 180) % 360 - 180)
    hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    mean_hue = np.where(gray, h1 + h2, (h1 + turn / 2) % 360)
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * _cos(mean_hue - 30)
        + 0.24 * _cos(2 * mean_hue)
        + 0.32 * _cos(3 * mean_hue + 6)
        - 0.20 * _cos(4 * mean_hue - 63)
    )
    lightness = (l2 - l1) / (1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2))
    colorfulness = (c2 - c1) / (1 + 0.045 * mean_c)
    tone = hue / (1 + 0.015 * mean_c * t)
    blue = np.radians(60 * np.exp(-(((mean_hue - 275) / 25) ** 2)))
    rotated = -2 * _share(mean_c) * np.sin(blue) * colorfulness * tone
    found: Floats = np.sqrt(np.maximum(lightness**2 + colorfulness**2 + tone**2 + rotated, 0.0))
    return found


def _share(chroma: Floats) -> Floats:
    power = chroma**7
    found: Floats = np.sqrt(power / (power + _FAR))
    return found


def _cos(degrees: Floats) -> Floats:
    found: Floats = np.cos(np.radians(degrees))
    return found
