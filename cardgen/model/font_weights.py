"""Weights of fonts, as CSS counts them: 400 is regular, 700 bold."""

from __future__ import annotations

REGULAR, BOLD = 400, 700


def stated_weight(stated: int, *, bold: bool) -> int:
    """Read the weight that a font file states in its table `OS/2`, 0 where it has none.

    Old fonts count from 1 to 9. `bold` is the answer of the table `head`, for files that state none.
    """
    if not 0 < stated <= 1000:
        return BOLD if bold else REGULAR
    return stated * 100 if stated < 10 else stated
