"""A strip of colours and grays in the margin: whether all inks are printed, and how dark grays are."""

from __future__ import annotations

from dataclasses import replace

from cardgen.model.sheets import ImposedSheet, Page

Inks = tuple[float, float, float, float]

INKS: tuple[Inks, ...] = (
    *((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    *((0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 0, 0)),
    *((0, 0, 0, 0.2), (0, 0, 0, 0.4), (0, 0, 0, 0.6), (0, 0, 0, 0.8), (0, 0, 0, 1)),
)
"""Shares of cyan, magenta, yellow and black of the patches, in their order: the four inks; red, green and
blue, of two each; five grays."""
CAPTION = "C M Y K · R G B · K 20 40 60 80 100 %"
PATCH = 4.0
"""mm, the width of a patch."""
HEIGHT = 3.0
"""mm, their height."""
LENGTH = PATCH * len(INKS)


def in_pure_inks(sheet: ImposedSheet) -> ImposedSheet:
    """The sheet with its patches in the inks themselves, for a press: nothing turns them into others."""

    def pure(page: Page) -> Page:
        return replace(page, patches=tuple(replace(patch, pure=True) for patch in page.patches))

    return replace(sheet, pages=tuple(map(pure, sheet.pages)))
