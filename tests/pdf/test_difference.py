"""CIEDE2000 against the figures that its authors give."""

from __future__ import annotations

import numpy as np
import pytest

from cardgen.pdf.color_vision import difference

PUBLISHED = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 3.1571, -77.2803), (50, 0, -82.7485), 2.8615),
    ((50, 2.8361, -74.0200), (50, 0, -82.7485), 3.4412),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (61, -5, 29), 22.8977),
    ((50, 2.5, 0), (56, -27, -3), 31.903),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((100, 0, 0), (0, 0, 0), 100.0),
    ((99.5, 0.005, -0.01), (99.5, 0.005, -0.01), 0.0),
]


def test_it_gives_the_published_figures() -> None:
    ones, others, wanted = (np.array(each, float) for each in zip(*PUBLISHED))
    assert difference(ones, others) == pytest.approx(wanted, abs=1e-4)
    assert difference(others, ones) == pytest.approx(wanted, abs=1e-4)
