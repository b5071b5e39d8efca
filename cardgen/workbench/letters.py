"""Fonts for pictures on the screen, with the letters of more sides than one."""

from __future__ import annotations

from collections.abc import Set

from cardgen.drawing.fonts import Font, font_objects
from cardgen.drawing.objects import PdfObject

MOST_GLYPHS = 500
"""Glyphs of a font that are held together. A font of more, such as a Chinese one, is cut for each side."""


class Letters:
    """Cuts fonts to the glyphs of all sides that were drawn so far, so that it is seldom done again for the
    next one: what further glyphs a font has is not seen."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Font, frozenset[int], list[PdfObject]]] = {}

    def objects(self, font: Font, gids: Set[int]) -> list[PdfObject]:
        """As `font_objects`, with at least these glyphs. Raises DrawingError for a font that is damaged."""
        known = self._known.get(font.key)
        before: frozenset[int] = frozenset()
        if known is not None and known[0] is font:
            if gids <= known[1]:
                return known[2]
            before = known[1]
        together = before | gids
        if len(together) > MOST_GLYPHS:
            together = frozenset(gids)
        found = font_objects(font, together)
        self._known[font.key] = font, together, found
        return found
