"""How far colours look apart: CIEDE2000, as ISO/CIE 11664-6 has it, after Sharma, Wu and Dalal, "The
CIEDE2000 color-difference formula: implementation notes" (2005)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_FAR = 25.0**7


def difference(one: Floats, other: Floats) -> Floats:
    """ΔE2000 of colours in Lab, the last axis L, a and b: about 1 is what a trained eye sees, 10 another
    colour."""
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
