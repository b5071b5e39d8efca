"""What colours of the screen look like, to normal sight and to eyes without one kind of cones.

Missing cones are simulated after Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009), at full severity, on linear RGB as the authors say. Their
figures for tritan sight are the least certain ones of the three.
"""

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
"""What linear RGB becomes: without a change, and without red, green or blue cones."""

_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
"""Linear sRGB to XYZ, IEC 61966-2-1."""
_WHITE = _XYZ.sum(axis=1)
_DARK = (6 / 29) ** 3


def lab(colors: Floats, sight: str = "normal") -> Floats:
    """CIELAB (L* 0 to 100, a*, b*; white of D65) of sRGB colours (shares of 1, the last axis red, green and
    blue) as seen with one of SIGHTS."""
    colors = np.asarray(colors, np.float64)
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SIGHTS[sight].T, 0.0, 1.0)
    shares = seen @ _XYZ.T / _WHITE
    x, y, z = np.moveaxis(
        np.where(shares > _DARK, np.cbrt(shares), shares * (29 / 6) ** 2 / 3 + 4 / 29), -1, 0
    )
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
